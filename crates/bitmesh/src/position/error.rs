//! Why a text is neither a position nor a board.

use core::fmt;

use shakmaty::{CastlingSide, Color, Rank, Square};
use thiserror::Error;

/// A part of a position text.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Field {
    /// The text as a whole.
    Text,
    /// The pieces, rank by rank.
    Placement,
    /// The side to move.
    SideToMove,
    /// The castling rights.
    Castling,
    /// The en-passant square.
    EnPassant,
    /// The number of half-moves since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move to be played.
    MoveNumber,
    /// The operations of an EPD line.
    Operations,
    /// A drawn board of several lines.
    Drawing,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Placement => "placement",
            Self::SideToMove => "side to move",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::HalfmoveClock => "half-move clock",
            Self::MoveNumber => "move number",
            Self::Operations => "operations",
            Self::Drawing => "drawing",
        })
    }
}

/// Why a text is neither a position nor a board: the first problem, and where it is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ReadPositionError {
    problem: ReadPositionProblem,
    field: Field,
    offset: usize,
    line: usize,
    column: usize,
}

impl ReadPositionError {
    /// What is wrong.
    #[must_use]
    pub const fn problem(&self) -> ReadPositionProblem {
        self.problem
    }

    /// The part of the text that is wrong.
    #[must_use]
    pub const fn field(&self) -> Field {
        self.field
    }

    /// Where it is, in bytes from the start of the text as it was given.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// The line of the text, counted from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The character of that line, counted from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }

    /// A stable name of the problem, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.problem.code()
    }
}

impl fmt::Display for ReadPositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at ", self.field)?;
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "character {}: {}", self.column, self.problem)
    }
}

impl core::error::Error for ReadPositionError {}

/// A problem and where it is, before the character has been counted out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) problem: ReadPositionProblem,
    pub(super) field: Field,
    pub(super) offset: usize,
}

impl Fault {
    pub(super) fn locate(self, text: &str) -> ReadPositionError {
        let before = text.get(..self.offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        ReadPositionError {
            problem: self.problem,
            field: self.field,
            offset: self.offset,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// What can be wrong with a position text.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ReadPositionProblem {
    /// Nothing but blanks.
    #[error("nothing to read")]
    Empty,
    /// A character that the field does not have.
    #[error("unexpected {}{}", CharacterName(*found), DidYouMean(*suggestion))]
    UnexpectedCharacter {
        /// The character.
        found: char,
        /// What was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A rank does not add up to eight squares.
    #[error("rank {} has {files} files", .rank.char())]
    RankLength {
        /// The rank.
        rank: Rank,
        /// How many squares its pieces and numbers make.
        files: usize,
    },
    /// The placement ends too early.
    #[error("placement has {ranks} ranks, expected 8")]
    TooFewRanks {
        /// How many ranks it has.
        ranks: usize,
    },
    /// The placement continues after the first rank.
    #[error("placement has more than 8 ranks (a ninth one holds pieces in hand in a chess variant)")]
    TooManyRanks,
    /// Pieces in hand: the position belongs to a chess variant.
    #[error("pieces in hand belong to a chess variant, not to chess")]
    Pocket,
    /// A promoted piece is marked: the position belongs to a chess variant.
    #[error("marks of promoted pieces belong to a chess variant, not to chess")]
    PromotedMark,
    /// Checks are counted: the position belongs to a chess variant.
    #[error("a count of checks belongs to a chess variant, not to chess")]
    CheckCount,
    /// The text ends before a field that has no default.
    #[error("the field is missing")]
    MissingField,
    /// The side to move is not `w` or `b`.
    #[error("side must be w or b{}", DidYouMean(*suggestion))]
    InvalidSide {
        /// What was probably meant.
        suggestion: Option<&'static str>,
    },
    /// A castling right is given twice.
    #[error("castling right {right} is given twice")]
    DuplicateCastlingRight {
        /// The second of the two.
        right: char,
    },
    /// A castling right without a king on the back rank.
    #[error("castling right {right} has no {} king on rank {}", .color, .color.backrank().char())]
    CastlingWithoutKing {
        /// The right.
        right: char,
        /// Its side.
        color: Color,
    },
    /// A castling right without the rook that it needs.
    #[error("castling right {right} has no {color} rook {}", RookPlace { expected: *expected, side: *side })]
    CastlingWithoutRook {
        /// The right.
        right: char,
        /// Its side.
        color: Color,
        /// Where the rook was looked for, relative to the king.
        side: CastlingSide,
        /// The square that should hold it, if there is only one.
        expected: Option<Square>,
    },
    /// Two castling rights of one colour to one side.
    #[error("castling right {right} is the second one of {color} on the {}", SideName(*side))]
    ConflictingCastlingRight {
        /// The second right.
        right: char,
        /// Its colour.
        color: Color,
        /// Its side.
        side: CastlingSide,
    },
    /// The en-passant field is neither `-` nor a square.
    #[error("en-passant square must be - or a square such as e3")]
    InvalidEnPassantField,
    /// The en-passant square is on a rank that no double step can have passed.
    #[error("e.p. square must be on rank {} when {turn} moves{}", .turn.relative_rank(Rank::Sixth).char(), DidYouMeanSquare(*suggestion))]
    EnPassantRank {
        /// The square given.
        square: Square,
        /// The side to move.
        turn: Color,
        /// The square on the same file that fits the pieces.
        suggestion: Option<Square>,
    },
    /// No pawn stands where one must be after a double step.
    #[error("e.p. square {square} has no {color} pawn on {pawn}")]
    EnPassantWithoutPawn {
        /// The square given.
        square: Square,
        /// Where the pawn should stand.
        pawn: Square,
        /// The colour of that pawn.
        color: Color,
    },
    /// The pawn cannot have passed the en-passant square, or cannot have started.
    #[error("e.p. square {square} is impossible because {occupied} is occupied")]
    EnPassantBlocked {
        /// The square given.
        square: Square,
        /// The square that a double step must have left empty.
        occupied: Square,
    },
    /// A counter is larger than 4,294,967,295.
    #[error("{field} is out of range")]
    CounterOutOfRange {
        /// The counter.
        field: Field,
    },
    /// Something stands after the last field.
    #[error("unexpected text after the last field")]
    ExtraField,
    /// A side has more than one king.
    #[error("{color} has {count} kings")]
    TooManyKings {
        /// The side.
        color: Color,
        /// How many it has.
        count: usize,
    },
    /// The king of the side that is not to move could be taken.
    #[error("{color} is in check on {king} from {attacker}, but {} is to move", .color.other())]
    OppositeCheck {
        /// The side in check.
        color: Color,
        /// Its king.
        king: Square,
        /// A piece that gives check.
        attacker: Square,
    },
    /// A drawing does not have eight ranks.
    #[error("the drawing has {ranks} ranks, expected 8")]
    DrawingRanks {
        /// How many it has.
        ranks: usize,
    },
    /// A rank of a drawing does not have eight squares.
    #[error("the rank has {files} squares, expected 8")]
    DrawingFiles {
        /// How many it has.
        files: usize,
    },
    /// The rank numbers and file letters around a drawing do not fit one board.
    #[error("rank numbers and file letters do not fit one view of a board")]
    DrawingLabels,
}

impl ReadPositionProblem {
    /// A stable name of the problem, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "position/empty",
            Self::UnexpectedCharacter { .. } => "position/unexpected-character",
            Self::RankLength { .. } => "position/rank-length",
            Self::TooFewRanks { .. } => "position/too-few-ranks",
            Self::TooManyRanks => "position/too-many-ranks",
            Self::Pocket => "position/pocket",
            Self::PromotedMark => "position/promoted-mark",
            Self::CheckCount => "position/check-count",
            Self::MissingField => "position/missing-field",
            Self::InvalidSide { .. } => "position/invalid-side",
            Self::DuplicateCastlingRight { .. } => "position/duplicate-castling-right",
            Self::CastlingWithoutKing { .. } => "position/castling-without-king",
            Self::CastlingWithoutRook { .. } => "position/castling-without-rook",
            Self::ConflictingCastlingRight { .. } => "position/conflicting-castling-right",
            Self::InvalidEnPassantField => "position/invalid-en-passant-field",
            Self::EnPassantRank { .. } => "position/en-passant-rank",
            Self::EnPassantWithoutPawn { .. } => "position/en-passant-without-pawn",
            Self::EnPassantBlocked { .. } => "position/en-passant-blocked",
            Self::CounterOutOfRange { .. } => "position/counter-out-of-range",
            Self::ExtraField => "position/extra-field",
            Self::TooManyKings { .. } => "position/too-many-kings",
            Self::OppositeCheck { .. } => "position/opposite-check",
            Self::DrawingRanks { .. } => "position/drawing-ranks",
            Self::DrawingFiles { .. } => "position/drawing-files",
            Self::DrawingLabels => "position/drawing-labels",
        }
    }
}

/// A character as people can find it: itself when it is visible, its number when it is not plain.
struct CharacterName(char);

impl fmt::Display for CharacterName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(found) = *self;
        if found.is_ascii_graphic() {
            write!(f, "character `{found}`")
        } else if found == ' ' {
            f.write_str("blank")
        } else {
            write!(f, "character U+{:04X}", u32::from(found))
        }
    }
}

struct DidYouMean(Option<&'static str>);

impl fmt::Display for DidYouMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(suggestion) => write!(f, "; did you mean {suggestion}?"),
            None => Ok(()),
        }
    }
}

struct DidYouMeanSquare(Option<Square>);

impl fmt::Display for DidYouMeanSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(suggestion) => write!(f, "; did you mean {suggestion}?"),
            None => Ok(()),
        }
    }
}

struct SideName(CastlingSide);

impl fmt::Display for SideName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            CastlingSide::KingSide => "king side",
            CastlingSide::QueenSide => "queen side",
        })
    }
}

struct RookPlace {
    expected: Option<Square>,
    side: CastlingSide,
}

impl fmt::Display for RookPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expected {
            Some(square) => write!(f, "on {square}"),
            None => write!(f, "on the {}", SideName(self.side)),
        }
    }
}

/// What was probably meant by a character that looks like another one.
pub(super) const fn look_alike(found: char) -> Option<&'static str> {
    Some(match found {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{ad}' => "-",
        '\u{2044}' | '\u{2215}' | '\u{ff0f}' | '\\' | '|' => "/",
        '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => "a blank",
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => "nothing (the character is invisible)",
        '♔' | 'К' => "K",
        '♕' => "Q",
        '♖' => "R",
        '♗' | 'В' => "B",
        '♘' => "N",
        '♙' | 'Р' => "P",
        '♚' | 'к' => "k",
        '♛' => "q",
        '♜' => "r",
        '♝' => "b",
        '♞' => "n",
        '♟' | 'р' => "p",
        _ => return None,
    })
}
