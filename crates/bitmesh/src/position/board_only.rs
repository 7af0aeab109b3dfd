//! A board that is not a position, and everything that keeps it from being one.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use shakmaty::{Bitboard, Board, Color};

use super::canonical;

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
        reasons.extend(reasons_on_the_board(&board));
        Self { board, reasons }
    }

    /// A board whose side to move is given, and in a check that no move can have given or not.
    pub(super) fn with_side_to_move(board: Board, is_impossible_check: bool) -> Self {
        let mut reasons: Vec<_> = reasons_on_the_board(&board).collect();
        reasons.extend(is_impossible_check.then_some(BoardOnlyReason::ImpossibleCheck));
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

    pub(super) fn into_reasons(self) -> Vec<BoardOnlyReason> {
        self.reasons
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

/// Everything about the pieces alone that keeps a board from being a position.
fn reasons_on_the_board(board: &Board) -> impl Iterator<Item = BoardOnlyReason> {
    let kings =
        Color::ALL.into_iter().filter_map(|color| match (board.kings() & board.by_color(color)).count() {
            0 => Some(BoardOnlyReason::NoKing { color }),
            1 => None,
            _ => Some(BoardOnlyReason::TooManyKings { color }),
        });
    let pawns = board.pawns() & Bitboard::BACKRANKS;
    let pawns = pawns.any().then_some(BoardOnlyReason::PawnsOnBackRanks { pawns });
    let material = Color::ALL
        .into_iter()
        .filter(|&color| has_too_much_material(board, color))
        .map(|color| BoardOnlyReason::TooMuchMaterial { color });
    kings.chain(pawns).chain(material)
}

/// Whether a side has more than its eight pawns can have become.
///
/// Every piece beyond the first set is a promoted pawn; bishops are counted on each colour of squares.
fn has_too_much_material(board: &Board, color: Color) -> bool {
    let own = board.by_color(color);
    let beyond = |pieces: Bitboard, first_set: usize| (pieces & own).count().saturating_sub(first_set);
    let promoted = beyond(board.queens(), 1)
        + beyond(board.rooks(), 2)
        + beyond(board.knights(), 2)
        + beyond(board.bishops() & Bitboard::LIGHT_SQUARES, 1)
        + beyond(board.bishops() & Bitboard::DARK_SQUARES, 1);
    (board.pawns() & own).count() + promoted > 8
}
