//! Evidence from anywhere: read in every form, and examined in one place.

mod examination;
mod examine;
mod read;

use alloc::boxed::Box;

use crate::decision::MateLine;
use crate::one_ply::board_screen::ConservativeLegalIndependenceProof;
use crate::one_ply::position_proof::PositionIndependenceProof;
use crate::persistent::PersistentCertificate;
use crate::position::Input;
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::DecompositionCertificate;
use crate::structure::composition::CompositionCertificate;

#[cfg(feature = "serde")]
use crate::json::Certification;

pub use examination::{Examination, ExaminationOutcome, Fact, Finding, Need, NotChecked, Refusal};
pub use read::EvidenceError;

/// Something that says about itself what it is evidence of. Nothing in it has been believed yet.
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
}

/// What evidence is of.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// The structure of a board.
    Decomposition,
    /// Values of components, and of their sum.
    Composition,
    /// A structure bound to a position.
    Binding,
    /// The record of the one-ply screen of a board.
    BoardProof,
    /// The record of the one-ply screen of a position.
    PositionProof,
    /// The answer about one input.
    Certification,
    /// Permanent independence.
    Persistent,
    /// A side that can give mate.
    Mate,
}

impl EvidenceKind {
    /// What it is, for people, with the name of its format if it has bytes.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Decomposition => "BMDCERT v1, the structure of a board",
            Self::Composition => "BMCOMPOSE v1, values of components and their sum",
            Self::Binding => "BMDPOSCERT v1, a structure bound to a position",
            Self::BoardProof => "record of the one-ply screen of a board",
            Self::PositionProof => "record of the one-ply screen of a position",
            Self::Certification => "certification of one input",
            Self::Persistent => "BMPERSIST v1, permanent independence",
            Self::Mate => "BMMATE v1, a line of moves that ends in mate",
        }
    }
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
        }
    }

    /// Reads evidence in any of its forms: bytes, their hexadecimal digits, or a JSON document.
    ///
    /// Bytes and documents are read strictly: each certificate has one payload, and a document has no field that its
    /// schema lacks and no key twice. Blanks around a text do not matter. What is read takes memory in proportion to
    /// the input. JSON needs the feature `serde`.
    ///
    /// # Errors
    ///
    /// [`EvidenceError::Refused`] when the input says what it is, and is not; otherwise that it is none of the forms.
    pub fn read(bytes: &[u8]) -> Result<Self, EvidenceError> {
        read::read(bytes)
    }

    /// Examines what was read: whether it holds together, and whether it belongs to what is given beside it.
    ///
    /// The examination says what was checked and what was not. "Verified" claims no more than the list of what was
    /// checked.
    #[must_use]
    pub fn examine(&self, against: Against<'_>) -> Examination {
        examine::examine(self, against)
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

/// Reads evidence and examines it. What says that it is evidence, and is not, gives a refused examination.
///
/// ```
/// use bitmesh::{Against, ExaminationOutcome, examine_evidence};
///
/// let examination = examine_evidence(b"BMDCERT\0", Against::NOTHING)?;
/// assert_eq!(examination.outcome(), ExaminationOutcome::Refused);
/// assert_eq!(examination.refusal().map(|refusal| refusal.code), Some("payload/truncated"));
/// assert_eq!(examine_evidence(b"hello", Against::NOTHING).unwrap_err().code(), "verify/unknown-format");
/// # Ok::<(), bitmesh::EvidenceError>(())
/// ```
///
/// # Errors
///
/// When the input is none of the forms that [`Evidence::read`] reads.
pub fn examine_evidence(bytes: &[u8], against: Against<'_>) -> Result<Examination, EvidenceError> {
    match Evidence::read(bytes) {
        Ok(evidence) => Ok(evidence.examine(against)),
        Err(EvidenceError::Refused { kind, refusal }) => Ok(Examination::refused(kind, refusal)),
        Err(error) => Err(error),
    }
}
