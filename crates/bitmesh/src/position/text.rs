//! A position from its text, and its canonical text both ways.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use super::board_only::{BoardOnly, BoardOnlyReason};
use super::error::ReadPositionError;
use super::input::{BOARD_CONTEXT, FEN_CONTEXT, Input, Position};
use super::read::read_position;

/// Reads a FEN or EPD as [`read_position`] does, without its notes and counters.
///
/// ```
/// use bitmesh::Input;
///
/// let input: Input = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 12 13".parse()?;
/// assert_eq!(input.to_string(), "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1");
/// # Ok::<(), bitmesh::ReadPositionError>(())
/// ```
impl FromStr for Input {
    type Err = ReadPositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        read_position(text).map(|reading| reading.input)
    }
}

/// Reads a FEN or EPD that must be a legal position, without the notes and counters of [`read_position`].
///
/// ```
/// use bitmesh::Position;
///
/// let position: Position = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
/// assert_eq!(position.board().pawns().count(), 16);
/// let error = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse::<Position>().unwrap_err();
/// assert_eq!(error.code(), "position/not-a-position");
/// assert_eq!(error.to_string(), "not a legal position: side to move not given");
/// # Ok::<(), bitmesh::ParsePositionError>(())
/// ```
impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            Input::Position(position) => Ok(position),
            Input::Board(board) => Err(ParsePositionError::NotAPosition { reasons: board.into_reasons() }),
        }
    }
}

/// Why a text is not a legal position.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// The text cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadPositionError),
    /// The text is a board, but not a position.
    #[error("not a legal position: {}", Reasons(reasons))]
    NotAPosition {
        /// Everything that keeps the board from being a position; never empty.
        reasons: Vec<BoardOnlyReason>,
    },
}

impl ParsePositionError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(error) => error.code(),
            Self::NotAPosition { .. } => "position/not-a-position",
        }
    }
}

/// Reasons in a row, as a sentence needs them.
pub(crate) struct Reasons<'a>(pub(crate) &'a [BoardOnlyReason]);

impl fmt::Display for Reasons<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .enumerate()
            .try_for_each(|(index, reason)| write!(f, "{}{reason}", if index == 0 { "" } else { "; " }))
    }
}

impl Input {
    /// Reads a text that must be the canonical one of its context, [`FEN_CONTEXT`] or [`BOARD_CONTEXT`].
    ///
    /// # Errors
    ///
    /// An unknown context, a text that [`read_position`] refuses, one that is a board where a position is needed
    /// (or the other way round), and one that is not written as the canonical text.
    pub fn from_canonical_text(context: &str, text: &str) -> Result<Self, CanonicalTextError> {
        if !matches!(context, FEN_CONTEXT | BOARD_CONTEXT) {
            return Err(CanonicalTextError::UnknownContext);
        }
        let input = read_position(text)?.input;
        if input.context() != context {
            return Err(CanonicalTextError::WrongContext { expected: input.context() });
        }
        let canonical = input.canonical_text();
        if canonical == text { Ok(input) } else { Err(CanonicalTextError::NotCanonical { canonical }) }
    }
}

/// Why a text is not the canonical text of a position or a board.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum CanonicalTextError {
    /// This library does not know the context.
    #[error("the context is not known here")]
    UnknownContext,
    /// The text cannot be read at all.
    #[error("the text cannot be read")]
    Unreadable(#[from] ReadPositionError),
    /// The text belongs to the other context.
    #[error("the text belongs to the context {expected}")]
    WrongContext {
        /// The context that the text belongs to.
        expected: &'static str,
    },
    /// The text is another way to write what has this canonical text.
    #[error("the canonical text is {canonical}")]
    NotCanonical {
        /// The canonical text.
        canonical: String,
    },
}

impl CanonicalTextError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownContext => "canonical-text/unknown-context",
            Self::Unreadable(_) => "canonical-text/unreadable",
            Self::WrongContext { .. } => "canonical-text/wrong-context",
            Self::NotCanonical { .. } => "canonical-text/not-canonical",
        }
    }
}

/// The canonical text (`bitmesh:fen:v1`).
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.canonical_text())
    }
}

/// The canonical text (`bitmesh:board:v1`): the placement.
impl fmt::Display for BoardOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.canonical_text())
    }
}

/// The canonical text of the position or of the board.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(position) => position.fmt(f),
            Self::Board(board) => board.fmt(f),
        }
    }
}
