//! Evidence and JSON in and out of the library.

use bitmesh::{ErrorCode, Evidence, EvidenceError, EvidenceKind};
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::{certificate_error, words};

/// The JSON form of something that always has one.
pub(crate) fn to_json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| certificate_error(&error.to_string(), "certificate/json"))
}

/// Reads evidence in any of its forms.
pub(crate) fn read(bytes: &[u8]) -> PyResult<Evidence> {
    Evidence::read(bytes).map_err(|error| not_evidence(&error))
}

pub(crate) fn not_evidence(error: &EvidenceError) -> PyErr {
    certificate_error(&words(error), ErrorCode::code(error))
}

/// Evidence of another kind than was asked for.
pub(crate) fn other_kind(kind: EvidenceKind) -> PyErr {
    certificate_error(&format!("this is another kind of evidence: {}", kind.describe()), "verify/other-kind")
}
