//! What is evaluated: a position or a board.

use bitmesh::{BoardOnly, Input, Position};
use shakmaty::{Board, Chess, Position as _};

use crate::problem::Problem;

/// A position or board that was read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject<'a> {
    Chess(&'a Chess),
    Board {
        board: &'a BoardOnly,
        /// The text gave more than pieces, and they did not make a position.
        claims_more: bool,
    },
}
impl Subject<'_> {
    pub(crate) fn board(&self) -> &Board {
        match self {
            Self::Chess(chess) => chess.board(),
            Self::Board { board, .. } => board.board(),
        }
    }

    /// The subject as an input.
    pub(crate) fn to_input(self) -> Input {
        match self {
            Self::Chess(chess) => Input::Position(Position::new(chess.clone())),
            Self::Board { board, .. } => Input::Board(board.clone()),
        }
    }

    /// Why the subject is not what it claims to be.
    #[inline]
    pub(crate) fn problem(&self) -> Option<Problem> {
        match self {
            Self::Board { board, claims_more: true } => {
                let reasons = board.reasons();
                let words: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                let code = reasons.first().map_or("board/side-to-move-not-given", |reason| reason.code());
                Some(Problem::new(code, format!("not a legal position: {}", words.join("; "))))
            }
            Self::Board { .. } | Self::Chess(_) => None,
        }
    }
}
