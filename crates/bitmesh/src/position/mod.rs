//! Positions in: one reader for every front, and one canonical text.

mod canonical;
mod drawing;
mod error;
mod gate;
mod note;
mod operations;
mod placement;
mod printable;
mod read;
mod rendering;
mod shape;
mod text;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};
use core::num::NonZeroU32;

use shakmaty::{Bitboard, Board, Chess, Color, Position as _};
use thiserror::Error;

pub use self::drawing::read_board_text;
pub use self::error::{Field, ReadPositionError, ReadPositionProblem};
pub use self::note::{Note, OperationProblem};
pub use self::operations::Operation;
pub use self::placement::{Placement, read_placement};
pub use self::printable::{Printable, is_obeyed};
pub use self::read::{Tolerances, read_position, read_position_with};
pub use self::shape::{looks_like_drawn_rank, looks_like_fen_field, looks_like_placement};
pub use self::text::ParsePositionError;
pub(crate) use self::text::Reasons;

/// Context name of the canonical text of a whole position.
pub const FEN_CONTEXT: &str = "bitmesh:fen:v1";

/// Context name of the canonical text of a board without a position.
pub const BOARD_CONTEXT: &str = "bitmesh:board:v1";

/// A legal position with its canonical text.
///
/// Legal as shakmaty has it: one king each, no pawn on a back rank, material that promotions can explain, the side
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

impl Input {
    /// Reads a text that must be the canonical one of its context, [`FEN_CONTEXT`] or [`BOARD_CONTEXT`].
    ///
    /// # Errors
    ///
    /// An unknown context, a text that [`read_position`] refuses, one that is a board where a position is asked for
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

/// A board that is not a position, and why.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct BoardOnly {
    board: Board,
    reasons: Vec<BoardOnlyReason>,
}

impl BoardOnly {
    /// A board without a side to move.
    #[must_use]
    pub fn new(board: Board) -> Self {
        let mut reasons = alloc::vec![BoardOnlyReason::SideToMoveNotGiven];
        reasons.extend(gate::reasons_on_the_board(&board));
        Self { board, reasons }
    }

    /// The pieces.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Everything that keeps the board from being a position; never empty.
    #[must_use]
    pub fn reasons(&self) -> &[BoardOnlyReason] {
        &self.reasons
    }

    /// The canonical text (`bitmesh:board:v1`): the placement field alone.
    #[must_use]
    pub fn canonical_text(&self) -> String {
        let mut text = String::with_capacity(72);
        self.write_canonical(&mut text);
        text
    }

    /// Appends the [canonical text](Self::canonical_text) to `out`, which allocates only when it is full.
    pub fn write_canonical(&self, out: &mut String) {
        canonical::write_placement(&self.board, out);
    }
}

impl From<Board> for BoardOnly {
    fn from(board: Board) -> Self {
        Self::new(board)
    }
}

/// Why pieces on a board are not a legal position.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum BoardOnlyReason {
    /// Only the pieces are given.
    SideToMoveNotGiven,
    /// A side has no king.
    NoKing {
        /// The side.
        color: Color,
    },
    /// A side has more than one king.
    ///
    /// Only for boards whose side to move is not given; a text that claims to be a position is refused.
    TooManyKings {
        /// The side.
        color: Color,
    },
    /// Pawns stand on the first or the last rank.
    PawnsOnBackRanks {
        /// Where they stand.
        pawns: Bitboard,
    },
    /// A side has more pieces than its missing pawns can have become.
    TooMuchMaterial {
        /// The side.
        color: Color,
    },
    /// The side to move is in a check that no move can have given.
    ImpossibleCheck,
}

impl BoardOnlyReason {
    /// A stable name of the reason, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::SideToMoveNotGiven => "board/side-to-move-not-given",
            Self::NoKing { .. } => "board/no-king",
            Self::TooManyKings { .. } => "board/too-many-kings",
            Self::PawnsOnBackRanks { .. } => "board/pawns-on-back-ranks",
            Self::TooMuchMaterial { .. } => "board/too-much-material",
            Self::ImpossibleCheck => "board/impossible-check",
        }
    }
}

impl fmt::Display for BoardOnlyReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SideToMoveNotGiven => f.write_str("side to move not given"),
            Self::NoKing { color } => write!(f, "{color} has no king"),
            Self::TooManyKings { color } => write!(f, "{color} has more than one king"),
            Self::PawnsOnBackRanks { pawns } => {
                f.write_str("pawn on ")?;
                for (index, square) in pawns.into_iter().enumerate() {
                    write!(f, "{}{square}", if index == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::TooMuchMaterial { color } => {
                write!(f, "{color} has more pieces than promotions can explain")
            }
            Self::ImpossibleCheck => f.write_str("no move can have given this check"),
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
    /// The operations of an EPD line as they stand there, in their order.
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
