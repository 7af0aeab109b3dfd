//! Positions in: one reader for every front, and one canonical text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use shakmaty::fen::{Epd, Fen};
use shakmaty::{Board, CastlingMode, Chess, EnPassantMode, Position as _};

/// A legal position with its canonical text.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
}

impl Position {
    /// Wraps a position that shakmaty has already checked.
    #[must_use]
    pub const fn new(chess: Chess) -> Self {
        Self { chess }
    }

    /// The position as shakmaty's type.
    #[must_use]
    pub const fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The pieces.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// The canonical text (`bitmesh:fen:v1`): one FEN for each position.
    ///
    /// The en-passant square stands only when an en-passant capture is legal; the
    /// counters are always `0 1`.
    #[must_use]
    pub fn canonical_text(&self) -> String {
        let mut fen = String::new();
        Epd::from_position(&self.chess, EnPassantMode::Legal).append_to_string(&mut fen);
        fen.push_str(" 0 1");
        fen
    }
}

/// What a text turned out to be.
#[derive(Clone, Debug)]
pub enum Input {
    /// A legal position.
    Position(Position),
    /// Pieces on a board that are no legal position; layers 1 and 2 apply, layer 3 does not.
    Board(BoardOnly),
}

impl Input {
    /// The pieces.
    #[must_use]
    pub fn board(&self) -> &Board {
        match self {
            Self::Position(position) => position.board(),
            Self::Board(board) => board.board(),
        }
    }
}

/// A board without a claim to be a position.
#[derive(Clone, Debug)]
pub struct BoardOnly {
    board: Board,
}

impl BoardOnly {
    /// The pieces.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The canonical text (`bitmesh:board:v1`): the placement field alone.
    #[must_use]
    pub fn canonical_text(&self) -> String {
        self.board.board_fen().to_string()
    }
}

/// One text, read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What the text says.
    pub input: Input,
    /// Tolerances that were used.
    pub notes: Vec<String>,
}

/// Why a text is neither a position nor a board.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ReadPositionError {
    message: String,
}

impl ReadPositionError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "position/invalid"
    }
}

/// Reads a FEN of four to six fields, a bare placement, or an EPD line.
///
/// # Errors
///
/// The first thing that is neither standard nor a written tolerance.
pub fn read_position(text: &str) -> Result<Reading, ReadPositionError> {
    let fen: Fen = text
        .trim()
        .parse()
        .map_err(|error: shakmaty::fen::ParseFenError| ReadPositionError { message: error.to_string() })?;
    let setup = fen.into_setup();
    let board = setup.board.clone();
    let mode = CastlingMode::detect(&setup);
    let input = match setup.position(mode) {
        Ok(chess) => Input::Position(Position::new(chess)),
        Err(_) => Input::Board(BoardOnly { board }),
    };
    Ok(Reading { input, notes: Vec::new() })
}
