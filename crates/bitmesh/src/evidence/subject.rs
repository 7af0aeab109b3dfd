//! Evidence that was read, and what it is examined against.

use alloc::boxed::Box;

use super::kind::EvidenceKind;
use crate::decision::MateLine;
use crate::one_ply::board_screen::ConservativeLegalIndependenceProof;
use crate::one_ply::position_proof::PositionIndependenceProof;
use crate::persistent::PersistentCertificate;
use crate::position::Input;
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::DecompositionCertificate;
use crate::structure::composition::CompositionCertificate;

#[cfg(feature = "serde")]
use crate::json::{Certification, StatedDecisions};

/// Evidence that was read. Nothing in it has been checked yet.
///
/// ```
/// use bitmesh::{Against, Evidence, ExaminationOutcome, Input};
///
/// let input: Input = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
/// let bytes = bitmesh::certify_decomposition(input.board()).canonical_payload()?;
///
/// let evidence = Evidence::read(&bytes)?;
/// assert!(matches!(evidence, Evidence::Decomposition(_)));
/// let examination = evidence.examine(Against { input: Some(&input), ..Against::NOTHING });
/// assert_eq!(examination.outcome(), ExaminationOutcome::Verified);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// BMDCERT v1 or `bitmesh.decomposition.v1`. It may be invalid where a document has no digest.
    Decomposition(DecompositionCertificate),
    /// BMCOMPOSE v1 or `bitmesh.composition.v1`. It may be invalid where a document has no digest.
    Composition(CompositionCertificate),
    /// BMDPOSCERT v1 or `bitmesh.position_binding.v1`.
    Binding(PositionBinding),
    /// `bitmesh.conservative_legal_independence.v0`.
    BoardProof(ConservativeLegalIndependenceProof),
    /// `bitmesh.position_independence.v1`.
    PositionProof(PositionIndependenceProof),
    /// `bitmesh.certify.v1`.
    #[cfg(feature = "serde")]
    Certification(Box<Certification>),
    /// BMPERSIST v1, `bitmesh.persistent.v1`, or the certificate in `bitmesh.prove.v1`.
    Persistent(Box<PersistentCertificate>),
    /// BMMATE v1 or `bitmesh.mate.v1`.
    Mate(Box<MateLine>),
    /// `bitmesh.decide.v1`.
    #[cfg(feature = "serde")]
    Decisions(Box<StatedDecisions>),
}

/// What the evidence is examined against, besides itself.
#[derive(Clone, Copy, Debug)]
pub struct Against<'a> {
    /// The position or board that it is said to belong to.
    pub input: Option<&'a Input>,
    /// The structural certificate that it names by its digest, where another producer made it. It must be valid.
    pub certificate: Option<&'a DecompositionCertificate>,
}

impl Against<'_> {
    /// Nothing besides itself.
    pub const NOTHING: Self = Self { input: None, certificate: None };
}

impl Evidence {
    /// What it is evidence of.
    #[must_use]
    pub const fn kind(&self) -> EvidenceKind {
        match self {
            Self::Decomposition(_) => EvidenceKind::Decomposition,
            Self::Composition(_) => EvidenceKind::Composition,
            Self::Binding(_) => EvidenceKind::Binding,
            Self::BoardProof(_) => EvidenceKind::BoardProof,
            Self::PositionProof(_) => EvidenceKind::PositionProof,
            #[cfg(feature = "serde")]
            Self::Certification(_) => EvidenceKind::Certification,
            Self::Persistent(_) => EvidenceKind::Persistent,
            Self::Mate(_) => EvidenceKind::Mate,
            #[cfg(feature = "serde")]
            Self::Decisions(_) => EvidenceKind::Decisions,
        }
    }

    /// The structural certificate that the evidence holds: itself, or the one in an answer about an input.
    #[must_use]
    pub fn structure(&self) -> Option<&DecompositionCertificate> {
        match self {
            Self::Decomposition(certificate) => Some(certificate),
            #[cfg(feature = "serde")]
            Self::Certification(said) => Some(&said.certificate),
            _ => None,
        }
    }
}
