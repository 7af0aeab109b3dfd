//! Which columns of a table are wanted.

use std::fmt;
use std::str::FromStr;

/// Which column of a table holds the positions.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Column {
    /// The column with this name in the header, in any case.
    Name(String),
    /// The column at this place, counted from 1.
    Number(usize),
}

/// A text that is neither a name nor a number of a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a column is a name or a number from 1")]
pub struct UnknownColumn;

impl FromStr for Column {
    type Err = UnknownColumn;

    /// A number if it is one, a name otherwise.
    fn from_str(text: &str) -> Result<Self, UnknownColumn> {
        match text.trim() {
            "" => Err(UnknownColumn),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => match digits.parse() {
                Ok(number) if number > 0 => Ok(Self::Number(number)),
                _ => Err(UnknownColumn),
            },
            name => Ok(Self::Name(name.to_owned())),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// What a caller wants of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) column: Option<Column>,
    /// Play the first move of the moves column before the position is taken.
    pub(crate) first_move: bool,
    /// The columns that are carried along.
    pub(crate) carried: Vec<String>,
}
