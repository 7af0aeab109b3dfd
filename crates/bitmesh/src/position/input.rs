//! What a text can be: a legal position or a board.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::num::NonZeroU32;

use shakmaty::{Board, Chess, Position as _};

use super::board_only::BoardOnly;
use super::canonical;
use super::note::Note;
use super::operations::Operation;

/// Context name of the canonical text of a whole position.
pub const FEN_CONTEXT: &str = "bitmesh:fen:v1";

/// Context name of the canonical text of a board without a position.
pub const BOARD_CONTEXT: &str = "bitmesh:board:v1";

/// A legal position with its canonical text.
///
/// Legal by shakmaty's rules: one king each, no pawn on a back rank, material that promotions can explain, the side
/// that is not to move not in check, no impossible check, castling rights with their king and rook, an en-passant
/// square that a double step can have passed. That the position can come up in a game is not claimed.
///
/// Two positions are equal when their canonical texts are: counters do not matter, and neither does an en-passant
/// square on which no capture is legal.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
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

    /// The position as shakmaty's type, by value.
    #[must_use]
    pub fn into_chess(self) -> Chess {
        self.chess
    }

    /// The pieces.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// The canonical text (`bitmesh:fen:v1`): one FEN for each position.
    ///
    /// - The en-passant square stands only when an en-passant capture is legal.
    /// - Castling is X-FEN: `K`, `Q`, `k`, `q` for the outermost rook on that side of its king, the letter of the
    ///   file for another one; White first, king side first.
    /// - *Counters dropped:* a position is the same in two games, so the counters are always `0 1`.
    ///
    /// Read back, the text gives the same position and the same text.
    ///
    /// ```
    /// let reading = bitmesh::read_position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 7")?;
    /// assert_eq!(
    ///     reading.input.canonical_text(),
    ///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    /// );
    /// # Ok::<(), bitmesh::ReadPositionError>(())
    /// ```
    #[must_use]
    pub fn canonical_text(&self) -> String {
        let mut text = String::with_capacity(88);
        self.write_canonical(&mut text);
        text
    }

    /// Appends the [canonical text](Self::canonical_text) to `out`, which allocates only when it is full.
    pub fn write_canonical(&self, out: &mut String) {
        self.write_without_counters(out);
        out.push_str(" 0 1");
    }

    fn write_without_counters(&self, out: &mut String) {
        canonical::write_position(&self.chess, out);
    }
}

impl From<Chess> for Position {
    fn from(chess: Chess) -> Self {
        Self::new(chess)
    }
}

/// What a text turned out to be.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Input {
    /// A legal position.
    Position(Position),
    /// Pieces on a board that are not a legal position; layers 1 and 2 apply, layer 3 does not.
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

    /// The legal position, if it is one.
    #[must_use]
    pub const fn position(&self) -> Option<&Position> {
        match self {
            Self::Position(position) => Some(position),
            Self::Board(_) => None,
        }
    }

    /// The name of the rules by which [`canonical_text`](Self::canonical_text) is written:
    /// [`FEN_CONTEXT`] or [`BOARD_CONTEXT`].
    #[must_use]
    pub const fn context(&self) -> &'static str {
        match self {
            Self::Position(_) => FEN_CONTEXT,
            Self::Board(_) => BOARD_CONTEXT,
        }
    }

    /// The canonical text of the position or of the board.
    #[must_use]
    pub fn canonical_text(&self) -> String {
        let mut text = String::with_capacity(88);
        self.write_canonical(&mut text);
        text
    }

    /// Appends the [canonical text](Self::canonical_text) to `out`, which allocates only when it is full.
    pub fn write_canonical(&self, out: &mut String) {
        match self {
            Self::Position(position) => position.write_canonical(out),
            Self::Board(board) => board.write_canonical(out),
        }
    }
}

/// One text, read.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// What the text says.
    pub input: Input,
    /// Half-moves since the last capture or pawn move, as given; 0 if not given.
    pub halfmove_clock: u32,
    /// Number of the move to be played, as given; 1 if not given.
    pub fullmove_number: NonZeroU32,
    /// The operations of an EPD line, verbatim and in order.
    pub operations: Vec<Operation>,
    /// Where the fields of the position end in the text, in bytes: operations or other text begin there.
    pub fields_end: usize,
    /// What was forgiven, put in or left out, in the order of the text.
    pub notes: Vec<Note>,
}

impl Reading {
    /// The FEN of the position with the counters that were given; of a board only, its placement.
    ///
    /// All but the counters is as in the [canonical text](Input::canonical_text).
    #[must_use]
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(96);
        match &self.input {
            Input::Position(position) => {
                position.write_without_counters(&mut text);
                // Writing to a string cannot fail.
                let _ = write!(text, " {} {}", self.halfmove_clock, self.fullmove_number);
            }
            Input::Board(board) => board.write_canonical(&mut text),
        }
        text
    }
}
