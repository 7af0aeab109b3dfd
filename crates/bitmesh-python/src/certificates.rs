//! Layers 1 and 2: the structure of a board, and what holds for the next move.

use std::hash::{Hash, Hasher};

use bitmesh::shakmaty::{Bitboard, Board};
use bitmesh::{
    DecompositionCertificate, DecompositionComponent, Input, PositionBinding, PositionIndependenceError,
    certify_decomposition, certify_position,
};
use bitmesh_corpus::{ACCEPTED, rejection_reason_name, status_name};
use bitmesh_diagram::{Diagram, render_svg};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::errors::{certificate_error, mismatch_error, words};
use crate::input::read_object;
use crate::squares::{square_set, to_squares};
use crate::violation::{Violation, violations};

/// The JSON form of something that always has one.
pub(crate) fn to_json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| certificate_error(&error.to_string(), "certificate/json"))
}

/// Reads the JSON form.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| certificate_error(&error.to_string(), "certificate/json"))
}

/// A region with pieces.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
#[derive(PartialEq)]
pub(crate) struct Component {
    component: DecompositionComponent,
}

impl Hash for Component {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.component.root, self.component.mask).hash(state);
    }
}

#[pymethods]
impl Component {
    #[new]
    fn new(root: u8, mask: &Bound<'_, PyAny>, active_mask: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (mask, active_mask) = (to_squares(mask)?, to_squares(active_mask)?);
        Ok(Self { component: DecompositionComponent { root, mask, active_mask } })
    }

    #[getter]
    fn root(&self) -> u8 {
        self.component.root
    }

    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.component.mask)
    }

    #[getter]
    fn active_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.component.active_mask)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let DecompositionComponent { root, mask, active_mask } = slf.get().component;
        (slf.get_type(), (root, mask.0, active_mask.0)).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> String {
        let DecompositionComponent { root, mask, active_mask } = self.component;
        format!("Component({root}, {:#018x}, {:#018x})", mask.0, active_mask.0)
    }
}

/// The structure of a board, BMDCERT. An object of it is valid.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "DecompositionCertificate")]
pub(crate) struct Decomposition {
    certificate: DecompositionCertificate,
    payload: Vec<u8>,
}

/// The order of the components does not count.
impl PartialEq for Decomposition {
    fn eq(&self, other: &Self) -> bool {
        self.payload == other.payload
    }
}

impl Hash for Decomposition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.payload.hash(state);
    }
}

impl Decomposition {
    /// Lets a valid certificate pass.
    pub(crate) fn new(certificate: DecompositionCertificate) -> PyResult<Self> {
        let payload = certificate
            .canonical_payload()
            .map_err(|error| certificate_error(&error.to_string(), error.code()))?;
        Ok(Self { certificate, payload })
    }

    pub(crate) fn decode(payload: &[u8]) -> PyResult<Self> {
        let certificate = DecompositionCertificate::from_canonical_payload(payload)
            .map_err(|error| certificate_error(&words(&error), error.code()))?;
        Self::new(certificate)
    }

    pub(crate) const fn certificate(&self) -> &DecompositionCertificate {
        &self.certificate
    }
}

#[pymethods]
impl Decomposition {
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &[u8]) -> PyResult<Self> {
        Self::decode(payload)
    }

    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Self::new(from_json(text)?)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.payload)
    }

    fn to_json(&self) -> PyResult<String> {
        to_json(&self.certificate)
    }

    #[getter]
    fn digest(&self) -> PyResult<String> {
        let digest = self.certificate.digest();
        digest
            .map(|digest| digest.to_hex())
            .map_err(|error| certificate_error(&error.to_string(), error.code()))
    }

    #[getter]
    fn barrier<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.certificate.barrier)
    }

    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let components = self.certificate.components.iter().cloned();
        PyTuple::new(py, components.map(|component| Component { component }))
    }

    #[getter]
    fn strict(&self) -> bool {
        self.certificate.strict
    }

    #[getter]
    fn status(&self) -> &'static str {
        status_name(self.certificate.status)
    }

    #[getter]
    fn rejection_reason(&self) -> Option<&'static str> {
        self.certificate.rejection_reason.map(rejection_reason_name)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let read = slf.get_type().getattr("from_bytes")?;
        (read, (slf.get().to_bytes(slf.py()),)).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> PyResult<String> {
        let (status, components) = (self.status(), self.certificate.components.len());
        Ok(format!(
            "<DecompositionCertificate {status}, {components} components, digest {:.12}…>",
            self.digest()?
        ))
    }

    /// A certificate does not name pieces: the board is drawn without them.
    fn _repr_svg_(&self) -> String {
        let mut diagram = Diagram::new(Board::empty());
        diagram.title = format!("Structure: {}", self.status());
        diagram.barrier.squares = self.certificate.barrier;
        if self.certificate.strict {
            let masks = self.certificate.components.iter().map(|component| component.mask);
            diagram.regions = masks.map(|squares| bitmesh_diagram::Region { squares }).collect();
        }
        diagram.highlights = self
            .certificate
            .components
            .iter()
            .fold(Bitboard::EMPTY, |all, component| all | component.active_mask);
        render_svg(&diagram)
    }
}

/// Layers 1 and 2 of one position or board; its bytes are BMDPOSCERT.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
pub(crate) struct Certification {
    input: Input,
    certificate: DecompositionCertificate,
    binding: PositionBinding,
    violations: Vec<PositionIndependenceError>,
}

/// Everything follows from the position.
impl PartialEq for Certification {
    fn eq(&self, other: &Self) -> bool {
        self.binding == other.binding
    }
}

impl Hash for Certification {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.binding.hash(state);
    }
}

impl Certification {
    pub(crate) fn new(input: Input) -> PyResult<Self> {
        let certificate = certify_decomposition(input.board());
        let digest =
            certificate.digest().map_err(|error| certificate_error(&error.to_string(), error.code()))?;
        let binding = PositionBinding::of_input(digest, &input);
        let violations = violations(&input, &certificate);
        Ok(Self { input, certificate, binding, violations })
    }

    /// Certifies the position of a binding again and compares.
    pub(crate) fn of_binding(binding: &PositionBinding) -> PyResult<Self> {
        let input = binding.read().map_err(|error| certificate_error(&words(&error), error.code()))?;
        let certification = Self::new(input)?;
        if certification.binding == *binding {
            return Ok(certification);
        }
        Err(mismatch_error(
            &format!(
                "the decomposition digest is {}, that of the position is {}",
                binding.decomposition_digest(),
                certification.binding.decomposition_digest()
            ),
            "verify/decomposition-digest-differs",
        ))
    }

    pub(crate) fn decode(payload: &[u8]) -> PyResult<Self> {
        let binding = PositionBinding::from_canonical_payload(payload)
            .map_err(|error| certificate_error(&words(&error), error.code()))?;
        Self::of_binding(&binding)
    }

    pub(crate) const fn input(&self) -> &Input {
        &self.input
    }

    fn is_accepted(&self) -> bool {
        self.violations.is_empty()
    }
}

#[pymethods]
impl Certification {
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &[u8]) -> PyResult<Self> {
        Self::decode(payload)
    }

    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Self::of_binding(&from_json(text)?)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.binding.canonical_payload())
    }

    fn to_json(&self) -> PyResult<String> {
        to_json(&self.binding)
    }

    /// The proof record of the position form, if the screen accepts a position.
    fn proof_json(&self) -> PyResult<Option<String>> {
        match &self.input {
            Input::Position(position) => {
                certify_position(position).ok().map(|proof| to_json(&proof)).transpose()
            }
            Input::Board(_) => Ok(None),
        }
    }

    #[getter]
    fn digest(&self) -> String {
        self.binding.digest().to_hex()
    }

    #[getter]
    fn position(&self) -> &str {
        self.binding.position()
    }

    #[getter]
    fn context(&self) -> &str {
        self.binding.context()
    }

    #[getter]
    fn is_position(&self) -> bool {
        self.input.position().is_some()
    }

    #[getter]
    fn claim(&self) -> &'static str {
        match self.input {
            Input::Position(_) => "bitmesh:position_independence:v1",
            Input::Board(_) => "bitmesh:conservative_legal_independence:v0",
        }
    }

    #[getter]
    fn decomposition(&self) -> PyResult<Decomposition> {
        Decomposition::new(self.certificate.clone())
    }

    #[getter]
    fn strict(&self) -> bool {
        self.certificate.strict
    }

    #[getter]
    fn accepted(&self) -> bool {
        self.is_accepted()
    }

    #[getter]
    fn verdict(&self) -> &'static str {
        match (self.certificate.strict, self.is_accepted()) {
            (false, _) => "rejected",
            (true, false) => "refused",
            (true, true) => "accepted",
        }
    }

    #[getter]
    fn one_ply(&self) -> &'static str {
        self.violations.first().map_or(ACCEPTED, PositionIndependenceError::code)
    }

    #[getter]
    fn violations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.violations.iter().map(Violation::from))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let read = slf.get_type().getattr("from_bytes")?;
        (read, (slf.get().to_bytes(slf.py()),)).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> String {
        format!("<Certification {}: {:?}>", self.verdict(), self.position())
    }

    fn _repr_svg_(&self) -> String {
        render_svg(&Diagram::one_ply(&self.input))
    }
}

#[pyfunction]
pub(crate) fn certify(position: &Bound<'_, PyAny>) -> PyResult<Certification> {
    Certification::new(read_object(position)?.input)
}
