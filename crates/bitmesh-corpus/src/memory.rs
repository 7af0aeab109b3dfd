//! What carries over from one position to the next.
//!
//! Most positions of a game differ from the one before by a move that cannot change the answer. The memory is only good for
//! a position that a legal move has led to from the one evaluated last: readers say so by handing on a [`Step`],
//! and everything else begins anew.

use bitmesh::persistent::keeps_outline;
use shakmaty::{Bitboard, Chess, Move, Position as _, Role};

use crate::evaluate::{Verdict, evaluate, permanent};
use crate::row::Permanent;
use crate::visit::Subject;
use crate::walls;

/// The legal move that has led from the position handed on last to this one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Layer 3 says what it said before: the lemma on reversible moves in `docs/permanent-independence.md`.
    keeps_outline: bool,
    /// A pawn has moved or was taken.
    changes_pawns: bool,
}

impl Step {
    /// A move that is about to be played.
    #[inline]
    pub(crate) fn new(before: &Chess, played: Move) -> Self {
        Self {
            keeps_outline: keeps_outline(before, played),
            changes_pawns: played.role() == Role::Pawn || played.capture() == Some(Role::Pawn),
        }
    }
}

/// What is known of the position evaluated last.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// What layer 3 says of it; nothing before the first position, and of a board.
    permanent: Option<Permanent>,
    walls: Walls,
}

/// What the pawns of the position evaluated last can do.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Walls {
    /// That was not asked yet.
    #[default]
    Unknown,
    /// Whatever is locked, the rest is one region.
    Impossible,
    Possible,
}

impl Memory {
    /// Evaluates what was reached in any way, in full.
    pub(crate) fn begin(&mut self, subject: Subject<'_>) -> Verdict {
        let verdict = evaluate(subject);
        *self = Self { permanent: verdict.permanent, walls: Walls::Unknown };
        verdict
    }

    /// The position handed on last is not known.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Evaluates the position that a move has led to from the one evaluated last.
    #[inline]
    pub(crate) fn follow(&mut self, chess: &Chess, step: Step) -> Verdict {
        let permanent = match self.permanent {
            Some(before) if step.keeps_outline => before,
            _ => permanent(chess),
        };
        self.permanent = Some(permanent);
        if step.changes_pawns {
            self.walls = Walls::Unknown;
        }
        let board = chess.board();
        let in_one = walls::too_few_are_blocked(board) || self.walls_are_impossible(board.pawns());
        let verdict = Verdict::new(Subject::Chess(chess), in_one, Some(permanent));
        debug_assert_eq!(verdict, evaluate(Subject::Chess(chess)), "{chess:?} after {step:?}");
        verdict
    }

    #[inline]
    fn walls_are_impossible(&mut self, pawns: Bitboard) -> bool {
        if self.walls == Walls::Unknown {
            self.walls = if walls::leave_one_region(pawns) { Walls::Impossible } else { Walls::Possible };
        }
        self.walls == Walls::Impossible
    }
}
