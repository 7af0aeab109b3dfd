//! What readers hand on, one after the other.

use bitmesh::BoardOnly;
use shakmaty::Chess;

use crate::problem::{Notice, Place, Problem};

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

/// How a line, game or row ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    Read,
    Skipped,
    Failed,
}

/// Takes what a reader finds, in the order of the source.
pub(crate) trait Visit {
    fn subject(&mut self, place: Place, subject: Subject<'_>);
    fn problem(&mut self, place: Place, problem: Problem);
    fn notice(&mut self, notice: Notice);
    /// Called once for each line, game or row, after all of it.
    fn record(&mut self, place: Place, outcome: Outcome);
    /// The source could not be read to its end.
    fn broken(&mut self);
}
