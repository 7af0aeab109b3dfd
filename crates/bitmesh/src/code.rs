//! Stable codes, read in the same way from every type.

use core::fmt::Display;

use crate::assessment::PermanentError;
use crate::decision;
use crate::digest::CertificateDigestParseError;
use crate::evidence::EvidenceError;
use crate::one_ply::board_screen::ConservativeLegalIndependenceError;
use crate::one_ply::position_proof::PositionIndependenceError;
use crate::payload::{DecodeError, PayloadError};
use crate::persistent;
use crate::position::{
    BoardOnlyReason, CanonicalTextError, Note, OperationProblem, ParsePositionError, ReadPositionError,
    ReadPositionProblem,
};
use crate::structure::certificate::DecompositionCertificateValidationError;
use crate::structure::comparison::DecompositionFinding;
use crate::structure::composition::CompositionCertificateValidationError;

/// Something that has a stable code for programs, besides its words for people.
///
/// Every error of this library has one, and so have the notes of the reader, the reasons why a board is not a
/// position, and the findings of a comparison. A code is `area/kebab-case-variant`; a published one is never renamed
/// and never means something else. The words may change with every release.
///
/// ```
/// use bitmesh::ErrorCode;
///
/// fn report(failure: &dyn ErrorCode) -> String {
///     format!("{failure} [{}]", failure.code())
/// }
///
/// let error = bitmesh::read_position("7k/8/8/8/8/8/8/KK6 w - - 0 1").unwrap_err();
/// assert_eq!(report(&error), "placement at character 1: white has 2 kings [position/too-many-kings]");
/// ```
pub trait ErrorCode: Display {
    /// The stable code.
    fn code(&self) -> &'static str;
}

/// The inherent `code` of each type, which is `const`, wins over the method of the trait.
macro_rules! coded {
    ($($type:ty),+ $(,)?) => {$(
        impl ErrorCode for $type {
            fn code(&self) -> &'static str {
                <$type>::code(self)
            }
        }
    )+};
}

coded!(
    BoardOnlyReason,
    CanonicalTextError,
    CertificateDigestParseError,
    CompositionCertificateValidationError,
    ConservativeLegalIndependenceError,
    DecodeError<CompositionCertificateValidationError>,
    DecodeError<DecompositionCertificateValidationError>,
    DecompositionCertificateValidationError,
    DecompositionFinding,
    EvidenceError,
    Note,
    OperationProblem,
    ParsePositionError,
    PayloadError,
    PermanentError,
    PositionIndependenceError,
    ReadPositionError,
    ReadPositionProblem,
    persistent::CheckError,
    persistent::DecodeError,
    decision::DecodeError,
    decision::LineError,
);
