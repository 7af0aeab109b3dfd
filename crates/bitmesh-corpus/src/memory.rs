//! What carries over from one position to the next.
//!
//! Most positions of a game differ from the one before by a move that cannot change the answer. The memory is only good for
//! a position that a legal move has led to from the one evaluated last: readers say so by handing on a [`Step`],
//! and everything else begins anew.

use bitmesh::persistent::keeps_outline;
use shakmaty::{Bitboard, Chess, Move, Position as _, Role};

use crate::claims::Claims;
use crate::evaluate::{Verdict, evaluate, permanent};
use crate::row::Permanent;
use crate::subject::Subject;
use crate::walls;

/// The legal move that has led from the position handed on last to this one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    played: Move,
    /// Layer 3 says what it said before: the lemma on reversible moves in `docs/permanent-independence.md`.
    keeps_outline: bool,
    /// A pawn has moved or was taken.
    changes_pawns: bool,
}

impl Step {
    /// The move.
    pub(crate) const fn played(&self) -> Move {
        self.played
    }

    /// A move that is about to be played.
    #[inline]
    pub(crate) fn new(before: &Chess, played: Move) -> Self {
        Self {
            played,
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
    /// Whether that claims nothing.
    is_open: bool,
    walls: Walls,
    /// Whether all pieces are known to be in one region.
    in_one: bool,
}

/// What the pawns of the position evaluated last can do.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Walls {
    /// Not computed yet.
    #[default]
    Unknown,
    /// Whichever of them are locked, the rest is one region.
    Impossible,
    Possible,
}

impl Memory {
    /// Evaluates what was reached in any way, in full.
    pub(crate) fn begin(&mut self, subject: Subject<'_>) -> Verdict {
        let verdict = evaluate(subject);
        let is_open = verdict.permanent.as_ref().is_some_and(Permanent::claims_nothing);
        *self = Self { permanent: verdict.permanent, is_open, ..Self::default() };
        verdict
    }

    /// The position handed on last is not known.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Moves on to the position that a move has led to from the one evaluated last, and says whether nothing is claimed
    /// about it for sure.
    #[inline]
    pub(crate) fn advance(&mut self, chess: &Chess, step: Step) -> bool {
        if !step.keeps_outline || self.permanent.is_none() {
            let permanent = permanent(chess);
            self.is_open = permanent.claims_nothing();
            self.permanent = Some(permanent);
        }
        if step.changes_pawns {
            self.walls = Walls::Unknown;
        }
        let board = chess.board();
        self.in_one = walls::too_few_are_blocked(board) || self.walls_are_impossible(board.pawns());
        let claims_nothing = self.is_open && self.in_one;
        debug_assert!(
            !claims_nothing || evaluate(Subject::Chess(chess)).claims == Claims::NONE,
            "{chess:?} after {step:?}"
        );
        claims_nothing
    }

    /// The verdict about the position that the memory has just moved on to.
    pub(crate) fn verdict(&self, chess: &Chess) -> Verdict {
        let verdict = Verdict::new(Subject::Chess(chess), self.in_one, self.permanent);
        debug_assert_eq!(verdict, evaluate(Subject::Chess(chess)), "{chess:?}");
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
