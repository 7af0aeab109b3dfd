//! Why an input is not evidence.

use alloc::string::String;

use thiserror::Error;

use super::examination::Refusal;
use super::kind::EvidenceKind;

/// Why an input is not evidence.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum EvidenceError {
    /// The input names a kind of evidence, but is not of that kind.
    #[error("{}: {refusal}", kind.describe())]
    Refused {
        /// The kind that it names.
        kind: EvidenceKind,
        /// Why it is not.
        refusal: Refusal,
    },
    /// The input is empty.
    #[error("is empty")]
    Empty,
    /// It is in none of the forms.
    #[error("is neither a certificate of this program nor a JSON document")]
    UnknownFormat,
    /// It begins like a binary format, but not like one that this release knows.
    #[error("begins with BM, but with no magic that this program knows")]
    UnknownMagic,
    /// It is text in UTF-16.
    #[error("is UTF-16 text; save it as UTF-8")]
    Utf16,
    /// It is a JSON array, and each piece of evidence is a document.
    #[error("is a JSON array; give each of its documents by itself")]
    JsonArray,
    /// It begins like a JSON document, but is not one, or some part of it is larger than any document needs.
    #[error("is not a JSON document: {message}")]
    NotJson {
        /// Where and why.
        message: String,
    },
    /// A key occurs twice in it, and readers differ about which value counts.
    #[error("is an ambiguous JSON document: {message}")]
    AmbiguousJson {
        /// Where and why.
        message: String,
    },
    /// The document does not say what it is.
    #[error("is a JSON document without a schema")]
    NoSchema,
    /// This release does not know the kind of the document.
    #[error("is a JSON document with the schema `{schema}`")]
    UnknownSchema {
        /// The schema that it names, cut if it is long.
        schema: String,
    },
    /// The document is of a kind that holds a certificate, but holds none.
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
            Self::Utf16 => "verify/utf-16",
            Self::JsonArray => "verify/json-array",
            Self::NotJson { .. } => "verify/not-json",
            Self::AmbiguousJson { .. } => "verify/ambiguous-json",
            Self::NoSchema => "verify/no-schema",
            Self::UnknownSchema { .. } => "verify/unknown-schema",
            Self::NoCertificate => "verify/no-certificate",
            Self::JsonNotSupported => "verify/json-not-supported",
        }
    }
}
