//! What is wrong with a line, or with its bytes.

use shakmaty::PositionErrorKinds;
use thiserror::Error;

use crate::payload::PayloadError;
use crate::persistent;

/// Why moves are not a line that ends in mate.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum LineError {
    /// A move is not legal in its position.
    #[error("move {} of the line is not legal", ply + 1)]
    Illegal {
        /// How many moves come before it.
        ply: usize,
    },
    /// The game is over, by mate or stalemate, and moves follow.
    #[error("the game is over before move {} of the line", ply + 1)]
    EndsEarly {
        /// How many moves come before.
        ply: usize,
    },
    /// The last position is not mate.
    #[error("the line does not end in mate")]
    NoMate,
    /// The last position is mate, by the other colour.
    #[error("the line ends in mate by the other colour")]
    WrongColour,
    /// There are more moves than a line can have.
    #[error("the line has {plies} moves, more than {maximum}")]
    TooLong {
        /// How many there are.
        plies: usize,
        /// How many there may be.
        maximum: usize,
    },
    /// shakmaty accepts the position only on request.
    #[error("the position of the line is not legal")]
    IllegalPosition,
}

impl LineError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Illegal { .. } => "line/illegal-move",
            Self::EndsEarly { .. } => "line/ends-early",
            Self::NoMate => "line/no-mate",
            Self::WrongColour => "line/wrong-colour",
            Self::TooLong { .. } => "line/too-long",
            Self::IllegalPosition => "line/illegal-position",
        }
    }
}

/// Why bytes are not a line that ends in mate.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes deviate from BMMATE v1.
    #[error("not the payload of a line")]
    Payload {
        /// Where and how.
        #[from]
        #[source]
        error: PayloadError,
    },
    /// shakmaty does not accept the position.
    #[error("position of the line is illegal ({kinds:?})")]
    IllegalPosition {
        /// Everything that is wrong with it.
        kinds: PositionErrorKinds,
    },
    /// The bytes have the form, but the moves are not legal or do not end in mate by the winner.
    #[error("invalid line, first seen at byte {offset}")]
    Line {
        /// Offset of the first byte of the move that is wrong, or of the end of the moves.
        offset: usize,
        /// What is wrong.
        #[source]
        error: LineError,
    },
}

impl DecodeError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Payload { .. } => "mate/payload",
            Self::IllegalPosition { .. } => "mate/illegal-position",
            Self::Line { .. } => "mate/invalid-line",
        }
    }
}

impl From<persistent::DecodeError> for DecodeError {
    fn from(error: persistent::DecodeError) -> Self {
        match error {
            persistent::DecodeError::Payload { error } => Self::Payload { error },
            persistent::DecodeError::IllegalPosition { kinds } => Self::IllegalPosition { kinds },
        }
    }
}
