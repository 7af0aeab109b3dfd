//! Which form the input has: binary formats by their magic, documents by their schema.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use thiserror::Error;

use super::{Evidence, EvidenceKind, Refusal};
use crate::decision::{self, MateLine};
use crate::persistent::{self, PersistentCertificate};
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::DecompositionCertificate;
use crate::structure::composition::CompositionCertificate;

/// Why an input is not evidence.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum EvidenceError {
    /// The input says what it is, and is not.
    #[error("{}: {refusal}", kind.describe())]
    Refused {
        /// What it says that it is.
        kind: EvidenceKind,
        /// Why it is not.
        refusal: Refusal,
    },
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It has none of the forms.
    #[error("neither a certificate of this program nor a JSON document")]
    UnknownFormat,
    /// It begins like a binary format, but is none that this release knows.
    #[error("begins with BM, but with no magic that this program knows")]
    UnknownMagic,
    /// It begins like a JSON document, but is none, or is larger in some part than any document.
    #[error("is no JSON document: {message}")]
    NotJson {
        /// Where and why.
        message: String,
    },
    /// A key stands twice in it, so that readers differ about which value counts.
    #[error("is an ambiguous JSON document: {message}")]
    AmbiguousJson {
        /// Where and why.
        message: String,
    },
    /// The document does not say what it is.
    #[error("is a JSON document without a schema")]
    NoSchema,
    /// The document is of another kind than this release knows.
    #[error("is a JSON document with the schema `{schema}`")]
    UnknownSchema {
        /// What it says that it is, cut if it is long.
        schema: String,
    },
    /// The document is of a kind that holds a certificate, and holds none.
    #[error("is a document without a certificate")]
    NoCertificate,
    /// This build of the library does not read JSON.
    #[error("is a JSON document, which is not read without the feature `serde`")]
    JsonNotSupported,
}

impl EvidenceError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused { refusal, .. } => refusal.code,
            Self::Empty => "verify/empty",
            Self::UnknownFormat => "verify/unknown-format",
            Self::UnknownMagic => "verify/unknown-magic",
            Self::NotJson { .. } => "verify/not-json",
            Self::AmbiguousJson { .. } => "verify/ambiguous-json",
            Self::NoSchema => "verify/no-schema",
            Self::UnknownSchema { .. } => "verify/unknown-schema",
            Self::NoCertificate => "verify/no-certificate",
            Self::JsonNotSupported => "verify/json-not-supported",
        }
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Evidence, EvidenceError> {
    let text = bytes.trim_ascii();
    if bytes.starts_with(b"BM") {
        read_payload(bytes)
    } else if text.is_empty() {
        Err(EvidenceError::Empty)
    } else if text.starts_with(b"{") {
        read_json(text)
    } else if let Some(payload) = unhex(text) {
        read_payload(&payload)
    } else {
        Err(EvidenceError::UnknownFormat)
    }
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

/// The bytes of a text of hexadecimal digits.
fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    text.chunks_exact(2).map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8)).collect()
}
