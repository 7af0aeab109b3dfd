//! A decomposition bound to the position that it is about: BMDPOSCERT v1.

use sha2::{Digest as _, Sha256};

use crate::decomposition::{DecompositionCertificate, DecompositionCertificateValidationError};
use crate::digest::PositionBoundDecompositionCertificateDigest;
use crate::payload::{Sink, Text16};

/// The digest of a decomposition together with a position text and the context that gives the text its meaning.
///
/// Whether the text describes a board with this structure is not checked: the
/// digest records that somebody said so. Two texts for one position give two
/// digests, so use a canonical text.
///
/// ```
/// let board = "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7".parse()?;
/// let digest = bitmesh::position_bound_decomposition_certificate_digest(
///     &bitmesh::certify_decomposition(&board),
///     "8/8/8/PPPPPPPP/PPPPPPPP/8/8/N6n w - - 0 1",
///     "bitmesh:test-fen",
/// )?;
/// assert!(digest.to_hex().starts_with("a1d0a0c5e9a2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// An invalid certificate first, then a position text of more than 65,535 bytes,
/// then such a context.
pub fn position_bound_decomposition_certificate_digest(
    certificate: &DecompositionCertificate,
    canonical_position: &str,
    context: &str,
) -> Result<PositionBoundDecompositionCertificateDigest, DecompositionCertificateValidationError> {
    use DecompositionCertificateValidationError as Error;

    let certificate_digest = certificate.digest()?;
    let position = Text16::new(canonical_position)
        .map_err(|error| Error::PositionContextTooLong { actual: error.actual, maximum: error.maximum })?;
    let context = Text16::new(context).map_err(|error| Error::PositionContextNamespaceTooLong {
        actual: error.actual,
        maximum: error.maximum,
    })?;
    let mut hash = Sha256::new();
    hash.put_header("BMDPOSCERT", 1);
    hash.put(certificate_digest.as_bytes());
    hash.put_text16(position);
    hash.put_text16(context);
    Ok(PositionBoundDecompositionCertificateDigest::from_hash(hash))
}
