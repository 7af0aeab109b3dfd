//! What the one-ply screen holds against a position.

use std::hash::{Hash, Hasher};

use bitmesh::{Evidence, EvidenceError, PositionIndependenceError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use serde::Deserialize as _;
use serde_json::Value;

use crate::documents::{json, not_evidence, other_kind};
use crate::errors::certificate_error;

/// One reason why the one-ply screen refuses a position.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
pub(crate) struct Violation {
    violation: PositionIndependenceError,
}

impl PartialEq for Violation {
    fn eq(&self, other: &Self) -> bool {
        self.violation == other.violation
    }
}

impl Hash for Violation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_json().hash(state);
    }
}

impl From<&PositionIndependenceError> for Violation {
    fn from(violation: &PositionIndependenceError) -> Self {
        Self { violation: violation.clone() }
    }
}

#[pymethods]
impl Violation {
    /// A stable name, such as ``independence/barrier-piece-can-be-captured``.
    #[getter]
    fn code(&self) -> &'static str {
        self.violation.code()
    }

    /// The same in words, with its squares.
    #[getter]
    fn message(&self) -> String {
        self.violation.to_string()
    }

    /// The squares and numbers in the message, by name; squares are names too.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        if let Ok(Value::Object(document)) = serde_json::to_value(&self.violation) {
            for (name, value) in document.iter().filter(|(name, _)| !matches!(&***name, "code" | "message")) {
                fields.set_item(name, py.import("json")?.call_method1("loads", (value.to_string(),))?)?;
            }
        }
        Ok(fields)
    }

    /// The violation as a JSON object.
    fn to_json(&self) -> String {
        // Names of squares and numbers can always be written.
        serde_json::to_string(&self.violation).unwrap_or_default()
    }

    /// Read what ``to_json`` writes.
    ///
    /// Raises CertificateError for anything else.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        let malformed = |problem: &dyn std::fmt::Display| {
            certificate_error(&format!("not a violation: {problem}"), "verify/malformed-document")
        };
        // The library looks for keys that stand twice before it asks what the document is.
        let text = json(text)?;
        match Evidence::read(&text) {
            Err(EvidenceError::NoSchema) => {}
            Err(error) => return Err(not_evidence(&error)),
            Ok(other) => return Err(other_kind(other.kind())),
        }
        let said: Value = serde_json::from_slice(&text).map_err(|error| malformed(&error))?;
        if said.get("code").is_none_or(|code| !code.is_string()) {
            return Err(malformed(&"it has no code"));
        }
        let violation = PositionIndependenceError::deserialize(&said)
            .map_err(|_| malformed(&"its fields are not those of a violation with its code"))?;
        // Its message and its fields follow from what it is.
        match serde_json::to_value(&violation) {
            Ok(expected) if expected == said => Ok(Self { violation }),
            _ => Err(malformed(&"a field is not what follows from the others")),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let read = slf.get_type().getattr("from_json")?;
        (read, (slf.get().to_json(),)).into_pyobject(slf.py())
    }

    fn __str__(&self) -> String {
        self.message()
    }

    fn __repr__(&self) -> String {
        format!("<Violation {}: {}>", self.code(), self.message())
    }
}
