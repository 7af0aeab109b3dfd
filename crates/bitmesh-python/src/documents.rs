//! Evidence and JSON in and out of the library.

use std::error::Error;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use bitmesh::{ErrorCode, Evidence, EvidenceError, EvidenceKind};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::Serialize;

use crate::arguments::needed_text;
use crate::errors::{certificate_error, refused, words};

/// The JSON form of something that always has one.
pub(crate) fn to_json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| certificate_error(&error.to_string(), "certificate/json"))
}

/// A text with a document in JSON.
pub(crate) fn json(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    Ok(needed_text("text", object)?.into_bytes())
}

/// Reads evidence in any of its forms.
pub(crate) fn read(bytes: &[u8]) -> PyResult<Evidence> {
    Evidence::read(bytes).map_err(|error| not_evidence(&error))
}

/// Why something is not evidence. The command puts the name of a file in front; here there is none.
pub(crate) fn not_evidence(error: &EvidenceError) -> PyErr {
    let message = match error {
        EvidenceError::Refused { .. } => words(error),
        _ => format!("the evidence {error}"),
    };
    certificate_error(&message, error.code())
}

/// Why bytes are not of the kind that was asked for. They may be of another one.
pub(crate) fn not_of_kind<E: Error + ErrorCode>(payload: &[u8], error: &E) -> PyErr {
    match Evidence::read(payload) {
        Ok(other) => other_kind(other.kind()),
        Err(_) => refused(error),
    }
}

/// Evidence of another kind than was asked for.
pub(crate) fn other_kind(kind: EvidenceKind) -> PyErr {
    certificate_error(&format!("this is another kind of evidence: {}", kind.describe()), "verify/other-kind")
}

/// What an object holds, with its bytes: two are equal when their bytes are.
pub(crate) struct Kept<T> {
    value: T,
    payload: Vec<u8>,
}

impl<T> Kept<T> {
    pub(crate) const fn new(value: T, payload: Vec<u8>) -> Self {
        Self { value, payload }
    }

    pub(crate) fn payload(&self) -> &[u8] {
        &self.payload
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> PartialEq for Kept<T> {
    fn eq(&self, other: &Self) -> bool {
        self.payload == other.payload
    }
}

impl<T> Hash for Kept<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.payload.hash(state);
    }
}

/// How pickle makes an object again: from its bytes.
pub(crate) fn from_bytes_again<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let read = object.get_type().getattr("from_bytes")?;
    (read, (object.call_method0("to_bytes")?,)).into_pyobject(object.py())
}
