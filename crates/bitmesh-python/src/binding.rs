//! A structure bound to a text, where one of them is of another producer.

use bitmesh::{Evidence, PositionBinding};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::arguments;
use crate::documents::{from_bytes_again, json, not_of_kind, other_kind, read, to_json};

/// A structure bound to the text of a position (BMDPOSCERT), as another program may have made it.
///
/// ``verify`` gives it where the text has rules that this package does not know, or where
/// the structure is that of another producer; otherwise it gives a Certification. It says
/// which structure belongs to which text, and nothing about moves.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "PositionBinding")]
#[derive(Eq, Hash, PartialEq)]
pub(crate) struct Binding {
    binding: PositionBinding,
}

impl Binding {
    pub(crate) const fn new(binding: PositionBinding) -> Self {
        Self { binding }
    }
}

#[pymethods]
impl Binding {
    /// Read BMDPOSCERT, whatever the rules of its text are.
    ///
    /// Raises CertificateError for other bytes.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &Bound<'_, PyAny>) -> PyResult<Self> {
        let payload = arguments::payload(payload)?;
        PositionBinding::from_canonical_payload(&payload)
            .map(Self::new)
            .map_err(|error| not_of_kind(&payload, &error))
    }

    /// Read the document ``bitmesh.position_binding.v1``.
    ///
    /// Raises CertificateError for anything else.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        match read(&json(text)?)? {
            Evidence::Binding(binding) => Ok(Self::new(binding)),
            other => Err(other_kind(other.kind())),
        }
    }

    /// The bytes of BMDPOSCERT.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.binding.canonical_payload())
    }

    /// The document ``bitmesh.position_binding.v1``.
    fn to_json(&self) -> PyResult<String> {
        to_json(&self.binding)
    }

    /// SHA-256 of the bytes, in hexadecimal digits.
    #[getter]
    fn digest(&self) -> String {
        self.position_digest()
    }

    /// The same as ``digest``: it names the text together with its structure.
    #[getter]
    fn position_digest(&self) -> String {
        self.binding.digest().to_hex()
    }

    /// The digest of the structure.
    #[getter]
    fn decomposition_digest(&self) -> String {
        self.binding.decomposition_digest().to_hex()
    }

    /// The text of the position, by the rules of its context.
    #[getter]
    fn fen(&self) -> &str {
        self.binding.position()
    }

    /// The name of the rules of the text.
    #[getter]
    fn context(&self) -> &str {
        self.binding.context()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        from_bytes_again(slf)
    }

    fn __repr__(&self) -> String {
        let digest = self.position_digest();
        format!(
            "<PositionBinding of context {:?}, digest {digest:.12}…>",
            crate::errors::shown(self.context())
        )
    }
}
