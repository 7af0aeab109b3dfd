//! What readers hand on, one after the other.

use shakmaty::{Board, Chess};

use crate::memory::Step;
use crate::problem::{Notice, Place, Problem};
use crate::subject::Subject;

/// How a line, game or row ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    Read,
    Skipped(Part),
    Failed,
}

/// A part of a source that holds nothing to read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Part {
    Blank,
    Comment,
    Header,
    BetweenGames,
    ByteOrderMark,
    EndMark,
}

impl Part {
    /// Its name in the summary.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Blank => "blank",
            Self::Comment => "comment",
            Self::Header => "header",
            Self::BetweenGames => "between games",
            Self::ByteOrderMark => "byte order mark",
            Self::EndMark => "end mark",
        }
    }
}

/// Takes what a reader finds, in the order of the source.
pub(crate) trait Visit {
    /// A position or board, reached in any way.
    fn subject(&mut self, place: Place, subject: Subject<'_>);
    /// The position that a move has led to from the one handed on last, if that is known.
    fn follow(&mut self, place: Place, chess: &Chess, _: Step) {
        self.subject(place, Subject::Chess(chess));
    }
    /// The pieces of a legal position. Says whether that is all that is wanted, because nothing is claimed about it; then
    /// the position counts as handed on, and otherwise it still is to be.
    fn open_board(&mut self, _: &Board) -> bool {
        false
    }
    fn problem(&mut self, place: Place, problem: Problem);
    fn notice(&mut self, notice: Notice);
    /// Called once for each line, game or row, after all of it, with the bytes that it takes.
    fn record(&mut self, place: Place, outcome: Outcome, bytes: u64);
    /// A part that is not a record and is passed over.
    fn skip(&mut self, place: Place, part: Part, bytes: u64);
    /// Bytes of records that an earlier run has written.
    fn known(&mut self, bytes: u64);
    /// Called before a record where something is carried along; says where it begins.
    fn begin(&mut self, offset: u64);
    /// What is carried along from the record that has begun.
    fn carry(&mut self, slot: usize, text: &str);
    /// Bytes of a source that was given up.
    fn lost(&mut self, bytes: u64);
    /// The source could not be read to its end.
    fn broken(&mut self, is_missing: bool);
}
