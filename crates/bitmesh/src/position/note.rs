//! What a reader forgave, put in or left out: the written list of tolerances.

use core::fmt;

use shakmaty::{Rank, Square};

use super::error::Field;

/// Something that the text does differently from a six-field FEN, and how it was read.
///
/// This is the whole list: anything that is neither standard nor on it is refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// A byte order mark at the start was skipped.
    ByteOrderMark,
    /// Carriage returns or line feeds at the ends were skipped.
    LineEnd,
    /// Blanks at the ends, runs of them, tabs or no-break spaces were read as one blank.
    Blanks,
    /// One pair of quotes around the text was taken off.
    Quotes {
        /// `"` or `'`.
        quote: char,
    },
    /// The text has no blank, and this stood between its fields.
    Separator {
        /// `_`, `%20` or `+`.
        separator: &'static str,
    },
    /// A semicolon at the end was skipped.
    Semicolon,
    /// Two or more numbers in a row were added up (`44` for `8`).
    SplitNumber {
        /// The rank.
        rank: Rank,
    },
    /// The castling rights are not in the order `KQkq`.
    CastlingOrder,
    /// A king stands on its own square, but the right means a rook that does not (Chess960).
    CastlingRook {
        /// The right as written.
        right: char,
        /// The rook that it means.
        rook: Square,
    },
    /// The en-passant square is possible, but no capture on it is legal: the canonical text has `-`.
    EnPassantDropped {
        /// The square.
        square: Square,
    },
    /// A counter is not given; its default is taken.
    CounterMissing {
        /// The counter.
        field: Field,
    },
    /// A counter is given as `-`; its default is taken.
    CounterDash {
        /// The counter.
        field: Field,
    },
    /// The move number 0 was read as 1.
    MoveNumberZero,
    /// Operations stand after the counters of a six-field FEN.
    OperationsAfterCounters,
    /// An operation breaks the EPD standard; it is kept unchanged.
    Operation {
        /// Which one, counted from 0.
        index: usize,
        /// What is wrong with it.
        problem: OperationProblem,
    },
    /// Text after the fields was passed over; only where [`Tolerances::text_after`](super::Tolerances) is set.
    TextAfter,
    /// A castling right without its rook was dropped; only where
    /// [`Tolerances::odds_castling`](super::Tolerances) is set.
    CastlingDropped {
        /// The right as written.
        right: char,
    },
    /// The pieces are not a legal position, so that only they were kept: not the side to move, castling, en
    /// passant and counters.
    FieldsNotKept,
    /// The board was read from a drawing.
    Drawing,
    /// The drawing shows the board from the side of Black.
    DrawnForBlack,
    /// The drawing has no rank numbers; its first rank was read as rank 8.
    DrawnWithoutNumbers,
}

impl Note {
    /// A stable name of the note, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ByteOrderMark => "note/byte-order-mark",
            Self::LineEnd => "note/line-end",
            Self::Blanks => "note/blanks",
            Self::Quotes { .. } => "note/quotes",
            Self::Separator { .. } => "note/separator",
            Self::Semicolon => "note/semicolon",
            Self::SplitNumber { .. } => "note/split-number",
            Self::CastlingOrder => "note/castling-order",
            Self::CastlingRook { .. } => "note/castling-rook",
            Self::EnPassantDropped { .. } => "note/en-passant-dropped",
            Self::CounterMissing { .. } => "note/counter-missing",
            Self::CounterDash { .. } => "note/counter-dash",
            Self::MoveNumberZero => "note/move-number-zero",
            Self::OperationsAfterCounters => "note/operations-after-counters",
            Self::Operation { .. } => "note/operation",
            Self::TextAfter => "note/text-after",
            Self::CastlingDropped { .. } => "note/castling-dropped",
            Self::FieldsNotKept => "note/fields-not-kept",
            Self::Drawing => "note/drawing",
            Self::DrawnForBlack => "note/drawn-for-black",
            Self::DrawnWithoutNumbers => "note/drawn-without-numbers",
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ByteOrderMark => f.write_str("byte order mark skipped"),
            Self::LineEnd => f.write_str("line end skipped"),
            Self::Blanks => f.write_str("unusual blanks read as one blank"),
            Self::Quotes { quote } => write!(f, "a pair of {quote} taken off"),
            Self::Separator { separator } => write!(f, "{separator} read as a blank"),
            Self::Semicolon => f.write_str("semicolon at the end skipped"),
            Self::SplitNumber { rank } => write!(f, "numbers side by side added up on rank {}", rank.char()),
            Self::CastlingOrder => f.write_str("castling rights put into the order KQkq"),
            Self::CastlingRook { right, rook } => {
                write!(f, "castling right {right} means the rook on {rook} (Chess960)")
            }
            Self::EnPassantDropped { square } => {
                write!(f, "e.p. square {square} dropped because no capture on it is legal")
            }
            Self::CounterMissing { field } => {
                write!(f, "{field} not given, {} taken", DefaultCounter(*field))
            }
            Self::CounterDash { field } => write!(f, "{field} given as -, {} taken", DefaultCounter(*field)),
            Self::MoveNumberZero => f.write_str("move number 0 read as 1"),
            Self::OperationsAfterCounters => f.write_str("operations after the counters of a FEN"),
            Self::Operation { index, problem } => write!(f, "operation {}: {problem}", index + 1),
            Self::TextAfter => f.write_str("text after the position passed over"),
            Self::CastlingDropped { right } => {
                write!(f, "castling right {right} dropped because its rook is not there")
            }
            Self::FieldsNotKept => {
                f.write_str("only the pieces are kept, not side to move, castling, e.p. square and counters")
            }
            Self::Drawing => f.write_str("board read from a drawing"),
            Self::DrawnForBlack => f.write_str("drawing read from the side of black"),
            Self::DrawnWithoutNumbers => f.write_str("first rank of the drawing read as rank 8"),
        }
    }
}

/// The default of a counter that is not given.
struct DefaultCounter(Field);

impl fmt::Display for DefaultCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0 == Field::MoveNumber { "1" } else { "0" })
    }
}

/// What is wrong with an EPD operation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum OperationProblem {
    /// Nothing between two semicolons.
    Empty,
    /// The name is not a letter followed by at most 14 letters, digits and underscores.
    Name,
    /// A quoted text has no end.
    OpenQuote,
    /// The last operation has no semicolon.
    NoSemicolon,
    /// `hmvc` or `fmvn` is not followed by one number in range; its default is taken.
    Counter,
    /// The name has occurred before; the first one counts.
    Repeated,
}

impl OperationProblem {
    /// A stable name of the problem, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "operation/empty",
            Self::Name => "operation/name",
            Self::OpenQuote => "operation/open-quote",
            Self::NoSemicolon => "operation/no-semicolon",
            Self::Counter => "operation/counter",
            Self::Repeated => "operation/repeated",
        }
    }
}

impl fmt::Display for OperationProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "nothing in front of the semicolon",
            Self::Name => "the name is not a letter followed by at most 14 letters, digits and underscores",
            Self::OpenQuote => "a quoted text has no end",
            Self::NoSemicolon => "no semicolon at the end",
            Self::Counter => "not followed by one number in range",
            Self::Repeated => "the name has occurred before",
        })
    }
}
