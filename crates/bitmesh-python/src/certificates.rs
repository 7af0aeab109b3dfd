//! Layers 1 and 2: the structure of a board, and what holds for the next move.

use std::hash::{Hash, Hasher};

use bitmesh::shakmaty::{Bitboard, Board};
use bitmesh::{
    Assessment, DecompositionCertificate, DecompositionComponent, DecompositionRejectionReason, Evidence,
    Input, OnePlyVerdict, PositionBinding, PositionIndependenceError, certify_position,
};
use bitmesh_diagram::{Diagram, render_svg};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::arguments;
use crate::deprecation::renamed;
use crate::documents::{Kept, from_bytes_again, json, not_of_kind, other_kind, read, to_json};
use crate::errors::{argument_error, mismatch_error, refused};
use crate::html::{Look, figure};
use crate::input::read_object;
use crate::squares::{square_set, to_root, to_squares};
use crate::violation::Violation;

/// A region that holds pieces outside the barrier.
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
    fn new(
        root: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
        active_mask: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let root = to_root("root", root)?;
        let (mask, active_mask) = (to_squares("mask", mask)?, to_squares("active_mask", active_mask)?);
        if !mask.contains(root) {
            return Err(argument_error("root", "the square is not in the mask", "argument/outside-mask"));
        }
        if !active_mask.is_subset(mask) {
            let message = "a square is not in the mask";
            return Err(argument_error("active_mask", message, "argument/outside-mask"));
        }
        let root = root.into();
        Ok(Self { component: DecompositionComponent { root, mask, active_mask } })
    }

    /// The square that names the region, 0 (a1) to 63 (h8).
    #[getter]
    fn root(&self) -> u8 {
        self.component.root
    }

    /// All squares of the region. An int of 64 bits where python-chess is not installed.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.component.mask)
    }

    /// Its occupied squares. An int of 64 bits where python-chess is not installed.
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

/// The structure of a board (layer 1): its locked pawns, and the regions that they separate.
///
/// Every object is valid, that is, consistent in itself. It does not name pieces:
/// all boards with one structure share it. It claims nothing about moves. An
/// object is true in ``if`` when the board falls apart.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "DecompositionCertificate")]
#[derive(PartialEq, Hash)]
pub(crate) struct Decomposition {
    certificate: Kept<DecompositionCertificate>,
}

impl Decomposition {
    /// Lets a valid certificate pass.
    pub(crate) fn new(certificate: DecompositionCertificate) -> PyResult<Self> {
        let payload = certificate.canonical_payload().map_err(|error| refused(&error))?;
        Ok(Self { certificate: Kept::new(certificate, payload) })
    }

    pub(crate) fn decode(payload: &[u8]) -> PyResult<Self> {
        let certificate = DecompositionCertificate::from_canonical_payload(payload)
            .map_err(|error| not_of_kind(payload, &error))?;
        Self::new(certificate)
    }

    pub(crate) fn certificate(&self) -> &DecompositionCertificate {
        &self.certificate
    }
}

#[pymethods]
impl Decomposition {
    /// Read BMDCERT and nothing else.
    ///
    /// Raises CertificateError for anything that is not the payload of a valid certificate.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::decode(&arguments::payload(payload)?)
    }

    /// Read the document ``bitmesh.decomposition.v1``.
    ///
    /// Raises CertificateError for anything that is not a valid certificate.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        match read(&json(text)?)? {
            Evidence::Decomposition(certificate) => Self::new(certificate),
            other => Err(other_kind(other.kind())),
        }
    }

    /// The bytes of BMDCERT.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.certificate.payload())
    }

    /// The document ``bitmesh.decomposition.v1``.
    fn to_json(&self) -> PyResult<String> {
        to_json(&*self.certificate)
    }

    /// SHA-256 of the bytes, in hexadecimal digits: the column ``digest`` of rows.
    #[getter]
    fn digest(&self) -> PyResult<String> {
        let digest = self.certificate.digest();
        digest.map(|digest| digest.to_hex()).map_err(|error| refused(&error))
    }

    /// The locked pawns. An int of 64 bits where python-chess is not installed.
    #[getter]
    fn barrier<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.certificate.barrier)
    }

    /// The regions with pieces, by ascending root.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let components = self.certificate.components.iter().cloned();
        PyTuple::new(py, components.map(|component| Component { component }))
    }

    /// Whether the board falls apart: a barrier, and two or more regions with pieces.
    #[getter]
    fn strict(&self) -> bool {
        self.certificate.strict
    }

    /// ``strict`` or ``rejected``.
    #[getter]
    fn status(&self) -> &'static str {
        self.certificate.status.word()
    }

    /// Why the board does not fall apart: ``no_locked_barrier`` or ``less_than_two_active_components``.
    #[getter]
    fn rejection_reason(&self) -> Option<&'static str> {
        self.certificate.rejection_reason.map(DecompositionRejectionReason::word)
    }

    /// How many regions hold pieces.
    #[getter]
    fn active_components(&self) -> u8 {
        self.certificate.active_component_count
    }

    fn __bool__(&self) -> bool {
        self.certificate.strict
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        from_bytes_again(slf)
    }

    fn __repr__(&self) -> PyResult<String> {
        let (status, components) = (self.status(), self.certificate.components.len());
        Ok(format!(
            "<DecompositionCertificate {status}, {components} components, digest {:.12}…>",
            self.digest()?
        ))
    }

    fn _repr_svg_(&self) -> String {
        render_svg(&self.diagram())
    }

    fn _repr_html_(&self) -> PyResult<String> {
        let diagram = self.diagram();
        let look = if self.certificate.strict { Look::Holds } else { Look::Nothing };
        let caption = format!("structure of a board, no claim about moves · digest {:.12}…", self.digest()?);
        Ok(figure(&render_svg(&diagram), &diagram.description(), look, self.status(), &caption))
    }
}

impl Decomposition {
    /// A certificate does not name pieces: the board is drawn without them.
    pub(crate) fn diagram(&self) -> Diagram {
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
        diagram
    }
}

/// Layers 1 and 2 of one position or board, as ``certify`` gives it.
///
/// The claim of an accepted position ends with the next move. Bytes and JSON hold
/// the position and the digest of its structure (BMDPOSCERT); everything else is
/// found again, and compared, when they are read. An object is true in ``if`` when
/// layers 1 and 2 hold.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
pub(crate) struct Certification {
    input: Input,
    certificate: DecompositionCertificate,
    binding: PositionBinding,
    violations: Vec<PositionIndependenceError>,
    verdict: OnePlyVerdict,
    one_ply: &'static str,
    claim: &'static str,
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
    pub(crate) fn new(input: Input) -> Self {
        // An object is seen by all threads, and an assessment by one.
        let assessment = Assessment::new(input);
        Self {
            input: assessment.input().clone(),
            certificate: assessment.structure().clone(),
            binding: assessment.binding().clone(),
            violations: assessment.violations().to_vec(),
            verdict: assessment.verdict(),
            one_ply: assessment.one_ply(),
            claim: assessment.claim(),
        }
    }

    /// Certifies the position of a binding again and compares.
    pub(crate) fn of_binding(binding: &PositionBinding) -> PyResult<Self> {
        let input = binding.read().map_err(|error| refused(&error))?;
        let certification = Self::new(input);
        if certification.binding == *binding {
            return Ok(certification);
        }
        Err(mismatch_error(
            &format!(
                "the decomposition digest is {}, that of the position is {}",
                binding.decomposition_digest(),
                certification.binding.decomposition_digest()
            ),
            "verify/other-structure",
        ))
    }

    pub(crate) fn decode(payload: &[u8]) -> PyResult<Self> {
        let binding =
            PositionBinding::from_canonical_payload(payload).map_err(|error| not_of_kind(payload, &error))?;
        Self::of_binding(&binding)
    }

    pub(crate) const fn input(&self) -> &Input {
        &self.input
    }

    pub(crate) const fn binding(&self) -> &PositionBinding {
        &self.binding
    }

    fn is_accepted(&self) -> bool {
        self.verdict == OnePlyVerdict::Accepted
    }
}

#[pymethods]
impl Certification {
    /// Read BMDPOSCERT and certify its position again.
    ///
    /// Raises CertificateError for other bytes and for positions that are not canonical, and
    /// MismatchError when the structure is not that of the position.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::decode(&arguments::payload(payload)?)
    }

    /// Read the document ``bitmesh.position_binding.v1``, as ``from_bytes`` does.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        match read(&json(text)?)? {
            Evidence::Binding(binding) => Self::of_binding(&binding),
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

    /// The record ``bitmesh.position_independence.v1``, if a position is accepted.
    fn proof_json(&self) -> PyResult<Option<String>> {
        match &self.input {
            Input::Position(position) => {
                certify_position(position).ok().map(|proof| to_json(&proof)).transpose()
            }
            Input::Board(_) => Ok(None),
        }
    }

    /// SHA-256 of the bytes: it names the position together with its structure.
    #[getter]
    fn position_digest(&self) -> String {
        self.binding.digest().to_hex()
    }

    /// The old name of ``position_digest``; in rows, ``digest`` is that of the structure.
    #[getter]
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        renamed(py, c"Certification.digest is now called position_digest, as in the rows")?;
        Ok(self.position_digest())
    }

    /// The canonical text of the position or board.
    #[getter]
    fn fen(&self) -> &str {
        self.binding.position()
    }

    /// The old name of ``fen``.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<&str> {
        renamed(py, c"Certification.position is now called fen, as in the rows")?;
        Ok(self.fen())
    }

    /// The rules of the canonical text: ``bitmesh:fen:v1`` or ``bitmesh:board:v1``.
    #[getter]
    fn context(&self) -> &str {
        self.binding.context()
    }

    /// Whether a whole position was screened, or only a board, which shows no en passant.
    #[getter]
    fn is_position(&self) -> bool {
        self.input.position().is_some()
    }

    /// The name of the claim that the verdict is about.
    #[getter]
    fn claim(&self) -> &'static str {
        self.claim
    }

    /// The structure.
    #[getter]
    fn decomposition(&self) -> PyResult<Decomposition> {
        Decomposition::new(self.certificate.clone())
    }

    /// Whether layer 1 holds.
    #[getter]
    fn strict(&self) -> bool {
        self.certificate.strict
    }

    /// Whether layers 1 and 2 hold.
    #[getter]
    fn accepted(&self) -> bool {
        self.is_accepted()
    }

    /// ``accepted``; ``refused`` if only layer 1 holds; ``rejected`` if the board does not fall apart.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.verdict.word()
    }

    /// ``accepted``, or the code of the first violation.
    #[getter]
    fn one_ply(&self) -> &'static str {
        self.one_ply
    }

    /// Every reason against acceptance.
    #[getter]
    fn violations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.violations.iter().map(Violation::from))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        from_bytes_again(slf)
    }

    fn __repr__(&self) -> String {
        format!("<Certification {}: {:?}>", self.verdict(), self.fen())
    }

    fn __bool__(&self) -> bool {
        self.is_accepted()
    }

    fn _repr_svg_(&self) -> String {
        render_svg(&Diagram::one_ply(&self.input))
    }

    fn _repr_html_(&self) -> String {
        let diagram = Diagram::one_ply(&self.input);
        let is_position = self.is_position();
        let look = match (self.is_accepted(), is_position) {
            (true, true) => Look::Holds,
            (true, false) => Look::BoardOnly,
            (false, _) => Look::Nothing,
        };
        let claim = if is_position {
            "one ply, every next move of either side"
        } else {
            "the board alone: no side to move, en passant not examined"
        };
        let caption = format!("{claim} · {} · {}", diagram.title, self.fen());
        let verdict = match look {
            Look::BoardOnly => "accepted as a board",
            _ => self.verdict(),
        };
        figure(&render_svg(&diagram), &diagram.description(), look, verdict, &caption)
    }
}

/// Certify the structure of a position and screen it for one ply.
///
/// ``position`` is a FEN or EPD, a placement, a drawn board, or a board of python-chess. A
/// placement alone is certified as a board: en passant plays no part there.
///
/// Raises PositionError when it cannot be read.
#[pyfunction]
pub(crate) fn certify(position: &Bound<'_, PyAny>) -> PyResult<Certification> {
    Ok(Certification::new(read_object(position)?.input))
}
