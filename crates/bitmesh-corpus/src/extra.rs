//! Columns after those of the schema, for callers that want them.

use crate::carried::{Carried, Value};
use crate::columns::{COLUMNS, KINDS, Kind};
use crate::row::DECISION_COLUMNS;

/// The names under which the comments at the end of a game and the result there are carried.
pub(crate) const ENDING: &str = "ending";
pub(crate) const END_RESULT: &str = "end result";

/// What is carried along from the sources into the rows, each in a separate column after [`COLUMNS`]; and what is left out
/// of these.
///
/// ```
/// use bitmesh_corpus::Extra;
///
/// let mut extra = Extra::default();
/// extra.tags = vec!["White".to_owned(), "Black".to_owned()];
/// extra.offset = true;
/// extra.check()?;
/// assert_eq!(extra.names(), ["White", "Black", "offset"]);
///
/// extra.columns = vec!["fen".to_owned()];
/// assert!(extra.check().is_err(), "a row has this column");
/// # Ok::<(), bitmesh_corpus::RepeatedColumn>(())
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Extra {
    /// Tags of games by their names, in any case.
    pub tags: Vec<String>,
    /// Columns of tables and fields of JSON objects by their names, in any case; operations of EPD lines and lines of
    /// the blocks of trainers by theirs.
    pub columns: Vec<String>,
    /// What follows the position in its line or cell, in the column `rest`.
    pub rest: bool,
    /// The [columns of decisions](crate::DECISION_COLUMNS), empty in a scan that does not decide.
    pub decisions: bool,
    /// Where the record begins in the unpacked text, in bytes from 0, in the column `offset`; Parquet has none.
    pub offset: bool,
    /// The columns `digest` and `position_digest` are left out, and nothing is hashed.
    pub without_digests: bool,
    /// The comments after a game's last move, one a line, and the result there, after all columns; an audit reads them
    /// and has no column for them.
    pub(crate) ending: bool,
}

/// Two columns of the rows would have the same name.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("two columns of the rows would have the name {name}")]
pub struct RepeatedColumn {
    name: String,
}

impl RepeatedColumn {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned() }
    }
}

impl Extra {
    /// The names of the columns, in their order: tags, columns, `rest`, decisions, `offset`.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.tags.iter().chain(&self.columns).map(String::as_str).collect();
        names.extend(self.rest.then_some("rest"));
        names.extend(DECISION_COLUMNS.into_iter().filter(|_| self.decisions));
        names.extend(self.offset.then_some("offset"));
        names
    }

    /// Makes sure that every column of the rows has a different name.
    ///
    /// # Errors
    ///
    /// When two have the same.
    pub fn check(&self) -> Result<(), RepeatedColumn> {
        let names = self.names();
        for (index, &name) in names.iter().enumerate() {
            let is_taken = COLUMNS.contains(&name) || name == "schema" || names[..index].contains(&name);
            if is_taken {
                return Err(RepeatedColumn::new(name));
            }
        }
        Ok(())
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.tags.is_empty()
            && self.columns.is_empty()
            && !self.rest
            && !self.decisions
            && !self.offset
            && !self.ending
    }

    /// Where the column `rest` is among the carried ones.
    pub(crate) fn rest_slot(&self) -> Option<usize> {
        self.rest.then_some(self.tags.len() + self.columns.len())
    }

    /// Where the columns of decisions begin among the carried ones.
    pub(crate) fn decision_slot(&self) -> Option<usize> {
        self.decisions.then_some(self.tags.len() + self.columns.len() + usize::from(self.rest))
    }

    /// Where the offset is among the carried columns.
    pub(crate) fn offset_slot(&self) -> Option<usize> {
        self.offset.then(|| self.names().len() - 1)
    }

    /// Where the comments at the end of a game are among what is carried; the result comes after them.
    pub(crate) fn ending_slot(&self) -> Option<usize> {
        self.ending.then(|| self.names().len())
    }

    /// Whether a column holds numbers: the offset, and the lengths of lines.
    fn holds_numbers(&self, name: &str) -> bool {
        self.offset && name == "offset" || self.decisions && DECISION_COLUMNS[2..].contains(&name)
    }

    /// All columns of the rows, names and kinds, in their order: those of the schema, then the carried ones.
    pub(crate) fn all_columns(&self) -> impl Iterator<Item = (&str, Kind)> {
        let carried = self.names().into_iter().map(|name| {
            let is_number = self.holds_numbers(name);
            (name, if is_number { Kind::Count } else { Kind::Text })
        });
        let is_wanted = |(_, kind): &(&str, Kind)| !(self.without_digests && *kind == Kind::Digest);
        COLUMNS.into_iter().zip(KINDS).filter(is_wanted).chain(carried)
    }

    /// The carried columns, with nothing in them.
    pub(crate) fn carried(&self) -> Vec<Carried> {
        let nothing = |name: &str| Carried { name: name.into(), value: Value::Nothing };
        let ending = [ENDING, END_RESULT].into_iter().filter(|_| self.ending);
        self.names().into_iter().chain(ending).map(nothing).collect()
    }
}
