//! All layers of one position.

use bitmesh::persistent::{analyze, is_plainly_open};
use bitmesh::{
    BOARD_CONTEXT, DecompositionRejectionReason, DecompositionStatus, FEN_CONTEXT, Position, PositionBinding,
    certify_conservative_legal_independence, certify_decomposition, certify_position, find_subsystems,
};
use shakmaty::{Board, Chess, Position as _};

use crate::claims::{Claim, Claims};
use crate::problem::Problem;
use crate::row::{ACCEPTED, Finding, Permanent};
use crate::visit::Subject;
use crate::walls;

/// What the layers say, before it is known whether anybody wants the row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Verdict {
    active_components: u8,
    one_ply: &'static str,
    pub(crate) permanent: Option<Permanent>,
    pub(crate) claims: Claims,
}

/// What the screen says of whatever is not strict.
const NOT_STRICT: &str = "independence/requires-strict-decomposition";

/// Evaluates layers 1 to 3.
#[inline]
pub(crate) fn evaluate(subject: Subject<'_>) -> Verdict {
    match subject {
        Subject::Chess(chess) => {
            Verdict::new(subject, walls::too_few_are_blocked(chess.board()), Some(permanent(chess)))
        }
        Subject::Board { .. } => Verdict::new(subject, false, None),
    }
}

/// Whether the pieces alone show that nothing is claimed about a legal position; `false` is no answer.
#[inline]
pub(crate) fn claims_nothing(board: &Board) -> bool {
    (walls::too_few_are_blocked(board) || walls::leave_one_region(board.pawns())) && is_plainly_open(board)
}

/// What layer 3 says.
#[inline]
pub(crate) fn permanent(chess: &Chess) -> Permanent {
    let outline = analyze(chess);
    Permanent {
        frozen: outline.frozen,
        components: outline.components,
        exact_sum: outline.conclusions().exact_sum(),
        unwinnable: outline.unwinnable,
    }
}

fn screen(subject: Subject<'_>) -> &'static str {
    match subject {
        Subject::Chess(chess) => match certify_position(&Position::new(chess.clone())) {
            Ok(_) => ACCEPTED,
            Err(error) => error.code(),
        },
        Subject::Board { board, .. } => match certify_conservative_legal_independence(board.board()) {
            Ok(_) => ACCEPTED,
            Err(error) => error.code(),
        },
    }
}

impl Subject<'_> {
    pub(crate) fn board(&self) -> &Board {
        match self {
            Self::Chess(chess) => chess.board(),
            Self::Board { board, .. } => board.board(),
        }
    }

    /// The name of the rules by which its canonical text is written.
    pub(crate) const fn context(&self) -> &'static str {
        match self {
            Self::Chess(_) => FEN_CONTEXT,
            Self::Board { .. } => BOARD_CONTEXT,
        }
    }

    /// Why the subject is not what it claims to be.
    #[inline]
    pub(crate) fn problem(&self) -> Option<Problem> {
        match self {
            Self::Board { board, claims_more: true } => {
                let reasons = board.reasons();
                let words: Vec<String> = reasons.iter().map(ToString::to_string).collect();
                let code = reasons.first().map_or("board/side-to-move-not-given", |reason| reason.code());
                Some(Problem::new(code, format!("no legal position: {}", words.join("; "))))
            }
            Self::Board { .. } | Self::Chess(_) => None,
        }
    }
}

impl Verdict {
    /// `in_one` says that all pieces are known to be in one region; otherwise the regions are found.
    #[inline]
    pub(crate) fn new(subject: Subject<'_>, in_one: bool, permanent: Option<Permanent>) -> Self {
        let active_components = if in_one { 1 } else { find_subsystems(subject.board()).1 };
        debug_assert_eq!(active_components, find_subsystems(subject.board()).1, "{subject:?}");
        let strict = active_components > 1;
        let one_ply = if strict { screen(subject) } else { NOT_STRICT };
        let claims = Claims::NONE
            .with_if(Claim::Strict, strict)
            .with_if(Claim::Accepted, one_ply == ACCEPTED)
            .with_if(Claim::Persistent, permanent.is_some_and(|proved| proved.decomposed()))
            .with_if(Claim::Unwinnable, permanent.is_some_and(|p| p.unwinnable.white || p.unwinnable.black))
            .with_if(Claim::Dead, permanent.is_some_and(|proved| proved.dead()));
        Self { active_components, one_ply, permanent, claims }
    }

    /// Everything that a row says, with the digests. `fen` is a buffer to be filled.
    pub(crate) fn finding(&self, subject: Subject<'_>, mut fen: String) -> Finding {
        fen.clear();
        match subject {
            Subject::Chess(chess) => Position::new(chess.clone()).write_canonical(&mut fen),
            Subject::Board { board, .. } => board.write_canonical(&mut fen),
        }
        let certificate = certify_decomposition(subject.board());
        let barrier = certificate.barrier;
        let digest = certificate.digest().expect("a certificate of a board is valid");
        let binding = PositionBinding::new(digest, fen, subject.context())
            .expect("canonical texts have less than a hundred characters");
        let position_digest = binding.digest();
        let fen = binding.into_position();
        let strict = self.claims.contains(Claim::Strict);
        Finding {
            fen,
            barrier,
            status: if strict { DecompositionStatus::Strict } else { DecompositionStatus::Rejected },
            rejection_reason: match (strict, barrier.is_empty()) {
                (true, _) => None,
                (false, true) => Some(DecompositionRejectionReason::NoLockedBarrier),
                (false, false) => Some(DecompositionRejectionReason::LessThanTwoActiveComponents),
            },
            active_components: self.active_components,
            one_ply: self.one_ply,
            permanent: self.permanent,
            digest,
            position_digest,
        }
    }
}
