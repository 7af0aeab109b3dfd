//! Evidence from anywhere: read in every form, and examined in one place.

pub(crate) mod error;
pub(crate) mod examination;
mod examine;
pub(crate) mod kind;
mod read;
pub(crate) mod subject;

pub use error::EvidenceError;
pub use examination::{Examination, ExaminationOutcome, Fact, Finding, Need, NotChecked, Refusal};
pub use kind::EvidenceKind;
pub use subject::{Against, Evidence};

/// Reads evidence and examines it. An input that names a kind of evidence but is not of that kind gives a refused examination.
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
/// When the input is in none of the forms that [`Evidence::read`] reads.
pub fn examine_evidence(bytes: &[u8], against: Against<'_>) -> Result<Examination, EvidenceError> {
    match Evidence::read(bytes) {
        Ok(evidence) => Ok(evidence.examine(against)),
        Err(EvidenceError::Refused { kind, refusal }) => Ok(Examination::refused(kind, refusal)),
        Err(error) => Err(error),
    }
}
