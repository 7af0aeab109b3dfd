//! A decomposition bound to the position that it is about: BMDPOSCERT v1.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use crate::digest::{DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest, finish};
use crate::payload::{Buffer, PayloadError, Reader, Sink, Text16, room_for};
use crate::position::{CanonicalTextError, FEN_CONTEXT, Input};
use crate::structure::certificate::{DecompositionCertificate, DecompositionCertificateValidationError};

/// The digest of a decomposition together with a position text and the context that gives the text its meaning.
///
/// Whether the text describes a board with this structure is not checked: the
/// digest only records the claim. Two texts for one position give two
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
/// then a context of more than that.
pub fn position_bound_decomposition_certificate_digest(
    certificate: &DecompositionCertificate,
    canonical_position: &str,
    context: &str,
) -> Result<PositionBoundDecompositionCertificateDigest, DecompositionCertificateValidationError> {
    let certificate_digest = certificate.digest()?;
    let (position, context) = check_texts(canonical_position, context)?;
    Ok(digest(certificate_digest, position, context))
}

fn check_texts<'a>(
    position: &'a str,
    context: &'a str,
) -> Result<(Text16<'a>, Text16<'a>), DecompositionCertificateValidationError> {
    use DecompositionCertificateValidationError as Error;

    let position = Text16::new(position)
        .map_err(|error| Error::PositionContextTooLong { actual: error.actual, maximum: error.maximum })?;
    let context = Text16::new(context).map_err(|error| Error::PositionContextNamespaceTooLong {
        actual: error.actual,
        maximum: error.maximum,
    })?;
    Ok((position, context))
}

#[inline(always)]
fn write(
    out: &mut impl Sink,
    decomposition_digest: DecompositionCertificateDigest,
    position: Text16<'_>,
    context: Text16<'_>,
) {
    write_around(out, decomposition_digest, |out| out.put_text16(position), context);
}

/// The same where the position text is put in between in another way.
#[inline(always)]
fn write_around<S: Sink>(
    out: &mut S,
    decomposition_digest: DecompositionCertificateDigest,
    put_position: impl FnOnce(&mut S),
    context: Text16<'_>,
) {
    out.put_header("BMDPOSCERT", 1);
    out.put(decomposition_digest.as_bytes());
    put_position(out);
    out.put_text16(context);
}

/// The record that a decomposition belongs to a position: its digest, a position text, and the context that gives the
/// text its meaning.
///
/// It records that the three were put together, and claims no more. Whether the text is canonical and describes a
/// board with this decomposition is for the reader to check: see [`read`](Self::read).
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct PositionBinding {
    decomposition_digest: DecompositionCertificateDigest,
    /// At most 65,535 bytes, as the context.
    position: String,
    context: Cow<'static, str>,
}

/// Payloads of canonical texts are hashed at once, from a buffer on the stack.
const LONGEST_BUFFERED: usize = 183;

/// Room for the payload with a canonical text.
pub(crate) type CanonicalPayload = Buffer<{ room_for(LONGEST_BUFFERED) }>;

/// Magic and version.
const DIGEST_OFFSET: usize = 12;

/// Magic and version, a digest, and two texts with their lengths.
const fn payload_length(position: Text16<'_>, context: Text16<'_>) -> usize {
    DIGEST_OFFSET + 32 + 2 + position.len() + 2 + context.len()
}

fn digest(
    decomposition_digest: DecompositionCertificateDigest,
    position: Text16<'_>,
    context: Text16<'_>,
) -> PositionBoundDecompositionCertificateDigest {
    if payload_length(position, context) <= LONGEST_BUFFERED {
        let mut payload = CanonicalPayload::new();
        write(&mut payload, decomposition_digest, position, context);
        return payload.sha256().into();
    }
    let mut hash = Sha256::new();
    write(&mut hash, decomposition_digest, position, context);
    finish(hash)
}

/// The digest of the binding to the canonical text of a position, which has less than a hundred characters.
pub(crate) fn digest_of_canonical_text(
    decomposition_digest: DecompositionCertificateDigest,
    position: &str,
) -> PositionBoundDecompositionCertificateDigest {
    digest(decomposition_digest, Text16::measured(position), Text16::measured(FEN_CONTEXT))
}

/// Puts the binding to the canonical text of a position into an empty buffer, with a hole for the digest of the
/// decomposition. `put_text` puts in the text with its length.
#[inline(always)]
pub(crate) fn put_canonical_text(
    payload: &mut CanonicalPayload,
    put_text: impl FnOnce(&mut CanonicalPayload),
) {
    let hole = DecompositionCertificateDigest::from([0; 32]);
    write_around(payload, hole, put_text, Text16::measured(FEN_CONTEXT));
}

/// Fills that hole.
#[inline]
pub(crate) fn fill_in(payload: &mut CanonicalPayload, decomposition_digest: DecompositionCertificateDigest) {
    payload.fill(DIGEST_OFFSET, decomposition_digest.into_bytes());
}

impl PositionBinding {
    /// Puts the digest of a decomposition, a position text and a context together.
    ///
    /// # Errors
    ///
    /// A position text of more than 65,535 bytes first, then a context of more than that.
    pub fn new(
        decomposition_digest: DecompositionCertificateDigest,
        position: String,
        context: impl Into<Cow<'static, str>>,
    ) -> Result<Self, DecompositionCertificateValidationError> {
        let context = context.into();
        check_texts(&position, &context)?;
        Ok(Self { decomposition_digest, position, context })
    }

    /// Binds the digest of a decomposition to a position or a board by its canonical text.
    ///
    /// ```
    /// let reading = bitmesh::read_position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 12 13")?;
    /// let certificate = bitmesh::certify_decomposition(reading.input.board());
    /// let binding = bitmesh::PositionBinding::of_input(certificate.digest()?, &reading.input);
    /// assert_eq!(binding.position(), "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1");
    /// assert_eq!(binding.context(), "bitmesh:fen:v1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_input(decomposition_digest: DecompositionCertificateDigest, input: &Input) -> Self {
        Self::of_canonical_text(decomposition_digest, input.canonical_text(), input.context())
    }

    /// Canonical texts have less than a hundred characters.
    pub(crate) fn of_canonical_text(
        decomposition_digest: DecompositionCertificateDigest,
        position: String,
        context: &'static str,
    ) -> Self {
        Self { decomposition_digest, position, context: context.into() }
    }

    /// Digest of the decomposition.
    #[must_use]
    pub const fn decomposition_digest(&self) -> DecompositionCertificateDigest {
        self.decomposition_digest
    }

    /// The position text.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.position
    }

    /// The position text, by value.
    #[must_use]
    pub fn into_position(self) -> String {
        self.position
    }

    /// The name of the rules by which the position text is written.
    #[must_use]
    pub fn context(&self) -> &str {
        &self.context
    }

    /// Reads the position text by the rules of its context.
    ///
    /// # Errors
    ///
    /// A context other than `bitmesh:fen:v1` and `bitmesh:board:v1`, or a text that is not canonical there.
    pub fn read(&self) -> Result<Input, CanonicalTextError> {
        Input::from_canonical_text(&self.context, &self.position)
    }

    /// Both were measured when they came in.
    fn texts(&self) -> (Text16<'_>, Text16<'_>) {
        (Text16::measured(&self.position), Text16::measured(&self.context))
    }

    /// The bytes of BMDPOSCERT v1.
    #[must_use]
    pub fn canonical_payload(&self) -> Vec<u8> {
        let (position, context) = self.texts();
        let mut payload = Vec::with_capacity(payload_length(position, context));
        write(&mut payload, self.decomposition_digest, position, context);
        payload
    }

    /// The SHA-256 of [the payload](Self::canonical_payload), as
    /// [`position_bound_decomposition_certificate_digest`] gives it.
    #[must_use]
    pub fn digest(&self) -> PositionBoundDecompositionCertificateDigest {
        let (position, context) = self.texts();
        digest(self.decomposition_digest, position, context)
    }

    /// Reads the bytes of BMDPOSCERT v1, and nothing else.
    ///
    /// The bytes are the [payload](Self::canonical_payload) of what is read.
    ///
    /// # Errors
    ///
    /// The first element that is not of the format, then trailing bytes.
    pub fn from_canonical_payload(payload: &[u8]) -> Result<Self, PayloadError> {
        let mut reader = Reader::new(payload);
        reader.header("BMDPOSCERT", 1)?;
        let decomposition_digest = reader.array::<32>("decomposition digest")?.into();
        let position = reader.text16("position text")?.to_owned();
        let context = reader.text16("context text")?.to_owned().into();
        reader.finish()?;
        Ok(Self { decomposition_digest, position, context })
    }
}
