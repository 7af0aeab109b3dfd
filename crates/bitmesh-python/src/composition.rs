//! Values of components and their sum, BMCOMPOSE.

use bitmesh::{CompositionCertificate, CompositionComponentValue, DecompositionCertificateDigest, Evidence};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};

use crate::arguments::{self, wrong_type};
use crate::certificates::Decomposition;
use crate::documents::{Kept, from_bytes_again, json, not_of_kind, other_kind, read, to_json};
use crate::errors::{mismatch_error, refused, words};
use crate::squares::to_root;

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
        let certificate = CompositionCertificate::from_canonical_payload(payload)
            .map_err(|error| not_of_kind(payload, &error))?;
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
        decomposition_digest: &Bound<'_, PyAny>,
        component_values: &Bound<'_, PyAny>,
        result_value_digest: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let digest = arguments::needed_text("decomposition_digest", decomposition_digest)?;
        let digest = DecompositionCertificateDigest::from_hex(&digest).map_err(|error| refused(&error))?;
        let result_value_digest = arguments::needed_text("result_value_digest", result_value_digest)?;
        let value = |pair: PyResult<Bound<'_, PyAny>>| {
            let pair = pair?;
            let (root, digest) = pair
                .extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()
                .map_err(|_| wrong_type("component_values", "pairs of a root and a digest", &pair))?;
            let component_root = to_root("component_values", &root)?.into();
            let value_digest = arguments::needed_text("component_values", &digest)?;
            Ok::<_, PyErr>(CompositionComponentValue { component_root, value_digest })
        };
        let values = match component_values.is_instance_of::<PyDict>() {
            true => component_values.call_method0("items")?,
            false => component_values.clone(),
        };
        let values = values
            .try_iter()
            .map_err(|_| wrong_type("component_values", "pairs of a root and a digest", component_values))?;
        let component_values = values.map(value).collect::<PyResult<_>>()?;
        Self::checked(CompositionCertificate {
            decomposition_digest: digest,
            component_values,
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
    fn from_json(_: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        match read(&json(text)?)? {
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
    fn validate_against(&self, decomposition: &Bound<'_, PyAny>) -> PyResult<()> {
        let decomposition = decomposition
            .cast::<Decomposition>()
            .map_err(|_| wrong_type("decomposition", "a DecompositionCertificate", decomposition))?;
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
