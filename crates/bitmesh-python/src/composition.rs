//! Values of components and their sum, BMCOMPOSE.

use bitmesh::{CompositionCertificate, CompositionComponentValue, DecompositionCertificateDigest, Evidence};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};

use crate::arguments;
use crate::certificates::Decomposition;
use crate::documents::{Kept, from_bytes_again, other_kind, read, to_json};
use crate::errors::{mismatch_error, refused, words};

/// The record that values of components add up to a result (BMCOMPOSE).
///
/// It records what belongs together. It does not show that the values are right.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "CompositionCertificate")]
#[derive(PartialEq, Hash)]
pub(crate) struct Composition {
    certificate: Kept<CompositionCertificate>,
}

impl Composition {
    pub(crate) fn checked(certificate: CompositionCertificate) -> PyResult<Self> {
        let payload = certificate.canonical_payload().map_err(|error| refused(&error))?;
        Ok(Self { certificate: Kept::new(certificate, payload) })
    }

    pub(crate) fn decode(payload: &[u8]) -> PyResult<Self> {
        let certificate =
            CompositionCertificate::from_canonical_payload(payload).map_err(|error| refused(&error))?;
        Self::checked(certificate)
    }

    /// Checks that the values are those of the components of a decomposition.
    pub(crate) fn check_against(&self, decomposition: &Decomposition) -> PyResult<()> {
        self.certificate
            .validate_against_decomposition(decomposition.certificate())
            .map_err(|error| mismatch_error(&words(&error), error.code()))
    }
}

#[pymethods]
impl Composition {
    #[new]
    fn new(
        decomposition_digest: &str,
        component_values: Vec<(u8, String)>,
        result_value_digest: String,
    ) -> PyResult<Self> {
        let digest = DecompositionCertificateDigest::from_hex(decomposition_digest)
            .map_err(|error| refused(&error))?;
        let value =
            |(component_root, value_digest)| CompositionComponentValue { component_root, value_digest };
        Self::checked(CompositionCertificate {
            decomposition_digest: digest,
            component_values: component_values.into_iter().map(value).collect(),
            result_value_digest,
        })
    }

    /// Read BMCOMPOSE.
    ///
    /// Raises CertificateError for anything that is not the payload of a valid record.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::decode(&arguments::payload(payload)?)
    }

    /// Read the document ``bitmesh.composition.v1``.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        match read(text.as_bytes())? {
            Evidence::Composition(certificate) => Self::checked(certificate),
            other => Err(other_kind(other.kind())),
        }
    }

    /// The bytes of BMCOMPOSE.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.certificate.payload())
    }

    /// The document ``bitmesh.composition.v1``.
    fn to_json(&self) -> PyResult<String> {
        to_json(&*self.certificate)
    }

    /// SHA-256 of the bytes, in hexadecimal digits.
    #[getter]
    fn digest(&self) -> PyResult<String> {
        self.certificate.digest().map(|digest| digest.to_hex()).map_err(|error| refused(&error))
    }

    /// The digest of the structure whose components have the values.
    #[getter]
    fn decomposition_digest(&self) -> String {
        self.certificate.decomposition_digest.to_hex()
    }

    /// The values by the roots of their components.
    #[getter]
    fn component_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for value in &self.certificate.component_values {
            values.set_item(value.component_root, &value.value_digest)?;
        }
        Ok(values)
    }

    /// The value of the whole.
    #[getter]
    fn result_value_digest(&self) -> &str {
        &self.certificate.result_value_digest
    }

    /// Raise MismatchError unless every component of the decomposition has its value.
    fn validate_against(&self, decomposition: &Bound<'_, Decomposition>) -> PyResult<()> {
        self.check_against(decomposition.get())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        from_bytes_again(slf)
    }

    fn __repr__(&self) -> PyResult<String> {
        let values = self.certificate.component_values.len();
        Ok(format!("<CompositionCertificate of {values} values, digest {:.12}…>", self.digest()?))
    }
}
