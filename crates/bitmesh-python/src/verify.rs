//! Evidence from elsewhere, checked.

use bitmesh::{
    Input, PositionIndependenceProof, certify_decomposition, certify_position, compare_decomposition,
};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::Value;

use crate::arguments::{self, wrong_type};
use crate::certificates::{Certification, Decomposition, from_json};
use crate::composition::Composition;
use crate::errors::{certificate_error, mismatch_error, words};
use crate::input::read_object;
use crate::persistent::Persistent;

/// Check evidence from elsewhere, and that it is about a position if one is given.
///
/// ``evidence`` is the bytes of BMDCERT, BMDPOSCERT, BMCOMPOSE or BMPERSIST, the JSON
/// document of one of them, or a position proof in JSON. What comes back holds.
///
/// Raises CertificateError when it does not hold, MismatchError when it is about something
/// else.
#[pyfunction]
#[pyo3(signature = (evidence, position = None))]
pub(crate) fn verify<'py>(
    evidence: &Bound<'py, PyAny>,
    position: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let object = object(evidence)?;
    if let Some(position) = position {
        check_about(&object, &read_object(position)?.input)?;
    }
    Ok(object)
}

/// The checked object that evidence stands for.
fn object<'py>(evidence: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let is_object = evidence.is_instance_of::<Decomposition>()
        || evidence.is_instance_of::<Certification>()
        || evidence.is_instance_of::<Composition>()
        || evidence.is_instance_of::<Persistent>();
    if is_object {
        // There are no objects that have not been checked.
        return Ok(evidence.clone());
    }
    if let Some(bytes) = arguments::bytes(evidence)? {
        return of_bytes(evidence.py(), &bytes);
    }
    if let Ok(text) = evidence.cast::<PyString>() {
        return of_json(evidence.py(), &text.to_cow()?);
    }
    Err(wrong_type("evidence", "bytes, a str of JSON or a certificate", evidence))
}

fn of_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let is = |magic: &[u8]| bytes.strip_prefix(magic).is_some_and(|rest| rest.first() == Some(&0));
    if is(b"BMDCERT") {
        Ok(Decomposition::decode(bytes)?.into_pyobject(py)?.into_any())
    } else if is(b"BMDPOSCERT") {
        Ok(Certification::decode(bytes)?.into_pyobject(py)?.into_any())
    } else if is(b"BMCOMPOSE") {
        Ok(Composition::decode(bytes)?.into_pyobject(py)?.into_any())
    } else if is(b"BMPERSIST") {
        Ok(Persistent::decode(py, bytes)?.into_pyobject(py)?.into_any())
    } else {
        Err(certificate_error("the bytes begin like no certificate", "certificate/unknown-format"))
    }
}

fn of_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let document: Value = from_json(text)?;
    match document.get("schema").and_then(Value::as_str) {
        Some("bitmesh.decomposition.v1") => {
            Ok(Decomposition::new(from_json(text)?)?.into_pyobject(py)?.into_any())
        }
        Some("bitmesh.position_binding.v1") => {
            Ok(Certification::of_binding(&from_json(text)?)?.into_pyobject(py)?.into_any())
        }
        Some("bitmesh.position_independence.v1") => {
            Ok(certification_of_proof(&from_json(text)?)?.into_pyobject(py)?.into_any())
        }
        Some("bitmesh.composition.v1") => Ok(Composition::of_json(text)?.into_pyobject(py)?.into_any()),
        Some("bitmesh.persistent.v1") => Ok(Persistent::of_json(py, text)?.into_pyobject(py)?.into_any()),
        Some(other) => Err(certificate_error(
            &format!("{other} is no evidence that can be verified"),
            "certificate/unknown-schema",
        )),
        None => Err(certificate_error("the document has no schema", "certificate/unknown-schema")),
    }
}

/// Proves the position of a record again and compares.
fn certification_of_proof(proof: &PositionIndependenceProof) -> PyResult<Certification> {
    let binding = proof.binding().map_err(|error| certificate_error(&words(&error), error.code()))?;
    let certification = Certification::of_binding(&binding)?;
    let Input::Position(position) = certification.input() else {
        return Err(certificate_error("the record is about a board", "verify/no-position"));
    };
    match certify_position(position) {
        Ok(own) if own == *proof => Ok(certification),
        Ok(_) => Err(mismatch_error("the record is not that of its position", "verify/proof-differs")),
        Err(error) => Err(mismatch_error(&words(&error), error.code())),
    }
}

/// Checks that an object is about a position or board.
fn check_about(object: &Bound<'_, PyAny>, input: &Input) -> PyResult<()> {
    if let Ok(decomposition) = object.cast::<Decomposition>() {
        let findings = compare_decomposition(decomposition.get().certificate(), Some(input.board()));
        // Another name for the same structure contradicts nothing.
        let Some(first) = findings.iter().find(|finding| finding.is_contradiction()) else { return Ok(()) };
        let all: Vec<String> = findings.iter().map(ToString::to_string).collect();
        return Err(mismatch_error(&all.join("; "), first.code()));
    }
    if let Ok(composition) = object.cast::<Composition>() {
        let decomposition = Decomposition::new(certify_decomposition(input.board()))?;
        return composition.get().check_against(&decomposition);
    }
    let about = if let Ok(certification) = object.cast::<Certification>() {
        certification.get().input().canonical_text()
    } else if let Ok(persistent) = object.cast::<Persistent>() {
        persistent.get().input().canonical_text()
    } else {
        return Ok(());
    };
    let given = input.canonical_text();
    if about == given {
        return Ok(());
    }
    Err(mismatch_error(&format!("the certificate is about {about}, not {given}"), "verify/other-position"))
}
