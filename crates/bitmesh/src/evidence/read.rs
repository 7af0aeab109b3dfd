//! Which form the input has: binary formats by their magic, documents by their schema.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::error::EvidenceError;
use super::examination::Refusal;
use super::kind::EvidenceKind;
use super::subject::Evidence;
use crate::decision::{self, MateLine};
use crate::persistent::{self, PersistentCertificate};
use crate::position::looks_like_utf16;
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::DecompositionCertificate;
use crate::structure::composition::CompositionCertificate;

impl Evidence {
    /// Reads evidence in any of its forms: bytes, their hexadecimal digits, or a JSON document.
    ///
    /// Bytes and documents are read strictly: each certificate has one payload, and a document has no field that its
    /// schema lacks and no key twice. Blanks around a text and between hexadecimal digits do not matter, nor does a byte
    /// order mark before it. What is read takes memory in proportion to the input. JSON needs the feature `serde`.
    ///
    /// # Errors
    ///
    /// [`EvidenceError::Refused`] when the input names a kind of evidence but is not of that kind; otherwise that it is in none of
    /// the forms.
    pub fn read(bytes: &[u8]) -> Result<Self, EvidenceError> {
        read(bytes)
    }
}

fn read(bytes: &[u8]) -> Result<Evidence, EvidenceError> {
    let whole = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_end();
    let text = whole.trim_ascii_start();
    if looks_like_utf16(bytes) {
        Err(EvidenceError::Utf16)
    } else if bytes.starts_with(b"BM") {
        read_payload(bytes)
    } else if text.is_empty() {
        Err(EvidenceError::Empty)
    } else if text.starts_with(b"{") {
        // The lines of its errors are those of the input, as long as the blanks before it are those of JSON.
        let blanks = &whole[..whole.len() - text.len()];
        read_json(if blanks.contains(&b'\x0c') { text } else { whole })
    } else if is_json_array(text) {
        Err(EvidenceError::JsonArray)
    } else if let Some(payload) = unhex(text).filter(|payload| payload.starts_with(b"BM")) {
        read_payload(&payload)
    } else {
        Err(EvidenceError::UnknownFormat)
    }
}

/// Whether a text begins like a JSON array, and not like the tags of a game.
fn is_json_array(text: &[u8]) -> bool {
    let first = text.strip_prefix(b"[").and_then(|rest| rest.trim_ascii_start().first());
    matches!(first, Some(b'{' | b'[' | b']' | b'"' | b'-' | b'0'..=b'9'))
}

fn read_payload(bytes: &[u8]) -> Result<Evidence, EvidenceError> {
    let refused = |kind, offset, code, error: &dyn core::error::Error| EvidenceError::Refused {
        kind,
        refusal: Refusal::new(code, error).at(offset),
    };
    match bytes.split(|&byte| byte == 0).next() {
        Some(b"BMDCERT") => DecompositionCertificate::from_canonical_payload(bytes)
            .map(Evidence::Decomposition)
            .map_err(|error| refused(EvidenceKind::Decomposition, error.offset(), error.code(), &error)),
        Some(b"BMCOMPOSE") => CompositionCertificate::from_canonical_payload(bytes)
            .map(Evidence::Composition)
            .map_err(|error| refused(EvidenceKind::Composition, error.offset(), error.code(), &error)),
        Some(b"BMDPOSCERT") => PositionBinding::from_canonical_payload(bytes)
            .map(Evidence::Binding)
            .map_err(|error| refused(EvidenceKind::Binding, error.offset(), error.code(), &error)),
        Some(b"BMPERSIST") => PersistentCertificate::decode(bytes)
            .map(|certificate| Evidence::Persistent(Box::new(certificate)))
            .map_err(|error| EvidenceError::Refused {
                kind: EvidenceKind::Persistent,
                refusal: match &error {
                    persistent::DecodeError::Payload { error: payload } => {
                        Refusal::new(payload.code(), &error).at(payload.offset())
                    }
                    _ => Refusal::new(error.code(), &error),
                },
            }),
        Some(b"BMMATE") => {
            MateLine::decode(bytes).map(|line| Evidence::Mate(Box::new(line))).map_err(|error| {
                let refusal = match &error {
                    decision::DecodeError::Payload { error: payload } => {
                        Refusal::new(payload.code(), &error).at(payload.offset())
                    }
                    decision::DecodeError::Line { offset, error: line } => {
                        Refusal::new(line.code(), &error).at(*offset)
                    }
                    decision::DecodeError::IllegalPosition { .. } => Refusal::new(error.code(), &error),
                };
                EvidenceError::Refused { kind: EvidenceKind::Mate, refusal }
            })
        }
        _ => Err(EvidenceError::UnknownMagic),
    }
}

#[cfg(feature = "serde")]
fn read_json(text: &[u8]) -> Result<Evidence, EvidenceError> {
    crate::json::read_evidence(text)
}

#[cfg(not(feature = "serde"))]
fn read_json(_: &[u8]) -> Result<Evidence, EvidenceError> {
    Err(EvidenceError::JsonNotSupported)
}

/// The bytes of a text of hexadecimal digits, which tools like `xxd -p` print in lines.
fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    let mut digits =
        text.iter().filter(|byte| !byte.is_ascii_whitespace()).map(|&byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len() / 2);
    while let Some(high) = digits.next() {
        bytes.push((high? << 4 | digits.next()??) as u8);
    }
    Some(bytes)
}
