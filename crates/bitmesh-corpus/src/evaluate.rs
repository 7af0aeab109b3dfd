//! All layers of one position.

use bitmesh::persistent::{analyze, is_plainly_open};
use bitmesh::{
    Assessment, DecompositionCertificate, DecompositionCertificateDigest, Identifier, Identity, Messages,
    PositionBoundDecompositionCertificateDigest, find_subsystems,
};
use shakmaty::{Board, Chess, Position as _};

use crate::claims::{Claim, Claims};
use crate::row::{ACCEPTED, Finding, Permanent};
use crate::subject::Subject;
use crate::walls;

/// What the layers say, before it is known whether the row is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    active_components: u8,
    one_ply: &'static str,
    pub(crate) permanent: Option<Permanent>,
    pub(crate) claims: Claims,
    /// Whether a claim rests on more than the analysis: see [`deepen`](Self::deepen).
    pub(crate) is_deep: bool,
    /// Of a strict board, which had to be certified for the screen.
    assessment: Option<Box<Assessment>>,
}

/// Two verdicts are equal when they say the same.
impl PartialEq for Verdict {
    fn eq(&self, other: &Self) -> bool {
        let said =
            |verdict: &Self| (verdict.active_components, verdict.one_ply, verdict.permanent, verdict.claims);
        said(self) == said(other)
    }
}

/// What the screen says when the structure is not strict.
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

/// Whether the pieces alone show that nothing is claimed about a legal position; `false` says nothing.
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

impl Verdict {
    /// `in_one` says that all pieces are known to be in one region; otherwise the regions are found.
    #[inline]
    pub(crate) fn new(subject: Subject<'_>, in_one: bool, permanent: Option<Permanent>) -> Self {
        let active_components = if in_one { 1 } else { find_subsystems(subject.board()).1 };
        debug_assert_eq!(active_components, find_subsystems(subject.board()).1, "{subject:?}");
        let strict = active_components > 1;
        let assessment = strict.then(|| Box::new(Assessment::new(subject.to_input())));
        let one_ply = match &assessment {
            None => NOT_STRICT,
            Some(assessment) => assessment.one_ply(),
        };
        let claims = Claims::NONE
            .with_if(Claim::Strict, strict)
            .with_if(Claim::Accepted, one_ply == ACCEPTED)
            .with_if(Claim::Persistent, permanent.is_some_and(|proved| proved.decomposed()))
            .with_if(Claim::Unwinnable, permanent.is_some_and(|p| p.unwinnable.white || p.unwinnable.black))
            .with_if(Claim::Dead, permanent.is_some_and(|proved| proved.dead()));
        Self { active_components, one_ply, permanent, claims, is_deep: false, assessment }
    }

    /// Everything that is to be known about the subject.
    pub(crate) fn assessment(&mut self, subject: Subject<'_>) -> Box<Assessment> {
        self.assessment.take().unwrap_or_else(|| Box::new(Assessment::new(subject.to_input())))
    }

    pub(crate) fn keep_assessment(&mut self, assessment: Assessment) {
        self.assessment = Some(Box::new(assessment));
    }

    /// Everything that a row says, with the digests.
    #[inline]
    fn finding(
        &self,
        structure: &DecompositionCertificate,
        fen: String,
        digests: Option<Digests>,
    ) -> Finding {
        Finding {
            fen,
            barrier: structure.barrier,
            status: structure.status,
            rejection_reason: structure.rejection_reason,
            active_components: self.active_components,
            one_ply: self.one_ply,
            permanent: self.permanent,
            digest: digests.map(|digests| digests.0),
            position_digest: digests.map(|digests| digests.1),
        }
    }

    /// The same in the room of a finding about another position.
    #[inline]
    fn put_into(&self, found: &mut Finding, structure: &DecompositionCertificate, text: &str) {
        // All fields are named, so that none keeps what was said before.
        let Finding {
            fen,
            barrier,
            status,
            rejection_reason,
            active_components,
            one_ply,
            permanent,
            digest,
            position_digest,
        } = found;
        fen.clear();
        fen.push_str(text);
        *barrier = structure.barrier;
        *status = structure.status;
        *rejection_reason = structure.rejection_reason;
        *active_components = self.active_components;
        *one_ply = self.one_ply;
        *permanent = self.permanent;
        (*digest, *position_digest) = (None, None);
    }

    fn finding_of(&self, assessment: &Assessment, with_digests: bool) -> Finding {
        let digests = with_digests.then(|| (assessment.structural_digest(), assessment.position_digest()));
        self.finding(assessment.structure(), assessment.canonical_text().to_owned(), digests)
    }
}

/// Of the structure, and of the structure bound to the text.
pub(crate) type Digests = (DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest);

/// Makes the findings of rows, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    identifier: Identifier,
    with_digests: bool,
}

impl Findings {
    pub(crate) fn new(with_digests: bool) -> Self {
        Self { identifier: Identifier::default(), with_digests }
    }

    /// Puts into a row what it says about a subject whose verdict is known. The text takes the room of the one before.
    #[inline]
    pub(crate) fn put(&mut self, subject: Subject<'_>, verdict: &Verdict, finding: &mut Option<Finding>) {
        let assess = || Some(verdict.finding_of(&Assessment::new(subject.to_input()), self.with_digests));
        let Subject::Chess(chess) = subject else {
            *finding = assess();
            return;
        };
        let (structure, text, digests) = if self.with_digests {
            let Identity { structure, text, structural_digest, position_digest } =
                self.identifier.identify(chess);
            (structure, text, Some((structural_digest, position_digest)))
        } else {
            let (structure, text) = self.identifier.describe(chess);
            (structure, text, None)
        };
        let fen = text_after(finding.take(), text);
        *finding = Some(verdict.finding(structure, fen, digests));
        debug_assert_eq!(*finding, assess());
    }

    /// The same for a position, with messages instead of digests, which are still to be hashed.
    #[inline]
    pub(crate) fn describe(
        &mut self,
        chess: &Chess,
        verdict: &Verdict,
        finding: &mut Option<Finding>,
        messages: &mut Messages,
    ) {
        let (structure, text) = self.identifier.describe_with(chess, messages);
        match finding {
            Some(found) => verdict.put_into(found, structure, text),
            None => *finding = Some(verdict.finding(structure, text.to_owned(), None)),
        }
    }

    /// What a finding must be in the end.
    #[cfg(debug_assertions)]
    pub(crate) fn expected(&self, subject: Subject<'_>, verdict: &Verdict) -> Finding {
        verdict.finding_of(&Assessment::new(subject.to_input()), self.with_digests)
    }
}

/// A text in the room of the one before.
#[inline]
fn text_after(before: Option<Finding>, text: &str) -> String {
    let mut fen = before.map_or_else(String::new, |before| before.fen);
    fen.clear();
    fen.push_str(text);
    fen
}
