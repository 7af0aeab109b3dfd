//! How a scan is to be done.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use bitmesh::Tolerances;
use bitmesh::decision::Effort;
use bitmesh::persistent::Bound;

use crate::audit_tags::{AUDIT_SCHEMA, asked};
use crate::claims::{Claim, Claims};
use crate::extra::Extra;
use crate::format::Format;
use crate::how::How;
use crate::inputs::{Inputs, Mark};
use crate::output::RowFormat;
use crate::row::SCHEMA;
use crate::table::Column;

/// How a scan is to be done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The format of every source; detected for each if not given.
    pub format: Option<Format>,
    /// The column of a table that holds the positions; by default the one named `fen` or `epd`.
    pub column: Option<Column>,
    /// What separates the cells of a table; detected if not given.
    pub delimiter: Option<u8>,
    /// Whether to play the first move of the column `Moves` before a position of a table is taken.
    pub first_move: bool,
    /// Whether to play the variations of games too.
    pub variations: bool,
    /// Whether a castling right whose rook is missing is dropped instead of refused: games at odds.
    pub odds_castling: bool,
    /// What is carried along from the sources into separate columns.
    pub extra: Extra,
    /// Look for proofs of layer 3 in that many positions that can follow, where the analysis alone does not prove a
    /// position dead. That takes much longer: see the handbook.
    pub positions: Option<Bound>,
    /// Only rows with at least one of these claims, and rows with an error; all rows if not given.
    pub only: Option<Claims>,
    /// Whether to give only one row for each position: the first.
    pub unique: bool,
    /// How many threads evaluate.
    pub threads: NonZeroUsize,
    /// Whether to decide for each side if it can still give mate, and how many positions to look at for it.
    pub decide: Option<Effort>,
    /// A folder for the certificates of what is given out.
    pub certificates: Option<PathBuf>,
    /// Where to begin: after this mark of an earlier scan of the same inputs.
    pub from: Mark,
    /// Whether evidence is kept only for the last position of a game and for those since which a side cannot win.
    pub(crate) ends_of_games: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: None,
            column: None,
            delimiter: None,
            first_move: false,
            variations: false,
            odds_castling: false,
            extra: Extra::default(),
            positions: None,
            only: None,
            unique: false,
            threads: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            decide: None,
            certificates: None,
            from: Mark::default(),
            ends_of_games: false,
        }
    }
}

impl Options {
    /// The part that readers need.
    pub(crate) fn how(&self) -> How {
        let mut tolerances = Tolerances::default();
        tolerances.text_after = true;
        tolerances.odds_castling = self.odds_castling;
        let field = match &self.column {
            Some(Column::Name(name)) => Some(name.clone()),
            _ => None,
        };
        How { variations: self.variations, field, extra: self.extra.clone(), tolerances }
    }

    /// Everything that decides about the rows of these inputs, in words: what
    /// [`PartialFile::open`](crate::output::PartialFile::open) needs to tell one scan from another.
    #[must_use]
    pub fn describe(&self, form: RowFormat, inputs: &Inputs) -> Vec<String> {
        let only = self.only.map(|only| {
            let named = Claim::ALL.into_iter().filter(|&claim| only.contains(claim)).map(Claim::name);
            named.collect::<Vec<_>>().join(",")
        });
        let detected = || "detected".to_owned();
        let none = || "none".to_owned();
        let (schema, extra) = match self.ends_of_games {
            true => (AUDIT_SCHEMA, asked(&self.extra).iter().map(String::as_str).collect()),
            false => (SCHEMA, self.extra.names()),
        };
        // One entry each, whatever is chosen, so that two descriptions differ where the choices do.
        let mut description = vec![
            format!("rows {schema} as {form:?}"),
            format!("format {}", self.format.map_or_else(detected, |format| format.name().to_owned())),
            format!("column {}", self.column.as_ref().map_or_else(detected, ToString::to_string)),
            format!(
                "delimiter {}",
                self.delimiter.map_or_else(detected, |delimiter| format!("{:?}", char::from(delimiter)))
            ),
            format!("first move {}", self.first_move),
            format!("variations {}", self.variations),
            format!("odds castling {}", self.odds_castling),
            format!("tags and columns {}", if extra.is_empty() { none() } else { extra.join(",") }),
            format!("digests {}", !self.extra.without_digests),
            format!("positions {}", self.positions.map_or_else(none, |bound| bound.get().to_string())),
            format!("only {}", only.unwrap_or_else(|| "all rows".to_owned())),
            format!("unique {}", self.unique),
            format!(
                "effort of decisions {}",
                self.decide.map_or_else(none, |effort| effort.get().to_string())
            ),
        ];
        description.extend(inputs.fingerprint());
        description
    }
}
