//! Layer 3: what holds for ever.

use std::hash::{Hash, Hasher};

use bitmesh::persistent::{
    Bound as Limit, CheckError, CheckedCertificate, Conclusions, Coupling, Mover as Moved, PROOF_KIND,
    PersistentCertificate, Proof, Witness, check, prove_within,
};
use bitmesh::shakmaty::{Bitboard, ByColor, Piece, Position as _, Role};
use bitmesh::{Input, Position};
use bitmesh_diagram::{Diagram, render_svg};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};

use crate::certificates::{from_json, to_json};
use crate::errors::{certificate_error, words};
use crate::input::read_legal;
use crate::interrupt::aside;
use crate::squares::{role_name, square_set, to_square};

/// A persistent certificate. An object of it has passed the checker.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "PersistentCertificate")]
pub(crate) struct Persistent {
    certificate: PersistentCertificate,
    conclusions: Conclusions,
    payload: Vec<u8>,
}

impl PartialEq for Persistent {
    fn eq(&self, other: &Self) -> bool {
        self.payload == other.payload
    }
}

impl Hash for Persistent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.payload.hash(state);
    }
}

impl Persistent {
    /// Lets a certificate pass that the checker accepts.
    fn new(certificate: PersistentCertificate) -> PyResult<Self> {
        // An expansion may take seconds.
        let checked = Python::attach(|py| py.detach(|| check(&certificate)));
        Self::checked(certificate, checked)
    }

    fn checked(
        certificate: PersistentCertificate,
        checked: Result<Conclusions, CheckError>,
    ) -> PyResult<Self> {
        let conclusions = checked.map_err(|error| certificate_error(&words(&error), error.code()))?;
        let payload = certificate.canonical_payload();
        Ok(Self { certificate, conclusions, payload })
    }

    pub(crate) fn decode(payload: &[u8]) -> PyResult<Self> {
        let certificate = PersistentCertificate::decode(payload)
            .map_err(|error| certificate_error(&words(&error), error.code()))?;
        Self::new(certificate)
    }

    pub(crate) fn of_json(text: &str) -> PyResult<Self> {
        Self::new(from_json(text)?)
    }

    pub(crate) const fn certificate(&self) -> &PersistentCertificate {
        &self.certificate
    }

    pub(crate) fn input(&self) -> Input {
        Input::Position(Position::new(self.certificate.position().clone()))
    }

    const fn witness(&self) -> &Witness {
        self.certificate.proof().witness()
    }
}

#[pymethods]
impl Persistent {
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &[u8]) -> PyResult<Self> {
        Self::decode(payload)
    }

    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Self::of_json(text)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.payload)
    }

    fn to_json(&self) -> PyResult<String> {
        to_json(&self.certificate)
    }

    #[getter]
    fn digest(&self) -> String {
        self.certificate.digest().to_hex()
    }

    #[getter]
    fn claim(&self) -> &'static str {
        PROOF_KIND
    }

    #[getter]
    fn position(&self) -> String {
        self.input().canonical_text()
    }

    #[getter]
    fn components(&self) -> u8 {
        self.conclusions.components
    }

    #[getter]
    fn decomposed(&self) -> bool {
        self.conclusions.decomposed()
    }

    #[getter]
    fn exact_sum(&self) -> bool {
        self.conclusions.exact_sum()
    }

    #[getter]
    fn coupling(&self) -> Option<&'static str> {
        self.conclusions.decomposed().then_some(match self.conclusions.coupling {
            Coupling::ExactSum => "exact-sum",
            Coupling::CoupledByCheck { .. } => "coupled-by-check",
            Coupling::CoupledByEnPassant { .. } => "coupled-by-en-passant",
        })
    }

    #[getter]
    fn unwinnable_white(&self) -> bool {
        self.conclusions.unwinnable.white
    }

    #[getter]
    fn unwinnable_black(&self) -> bool {
        self.conclusions.unwinnable.black
    }

    #[getter]
    fn dead(&self) -> bool {
        self.conclusions.dead()
    }

    /// How many positions the proof goes through; none for a proof by one witness.
    #[getter]
    fn expanded_positions(&self) -> Option<u32> {
        match self.certificate.proof() {
            Proof::Expansion(expansion) => Some(expansion.nodes()),
            _ => None,
        }
    }

    #[getter]
    fn frozen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.witness().frozen())
    }

    #[getter(movers)]
    fn get_movers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let board = self.certificate.position().board();
        let movers = self.witness().movers().iter().filter_map(|mover| {
            let piece = board.piece_at(mover.square)?;
            Some(Mover { mover: mover.clone(), piece })
        });
        PyTuple::new(py, movers.collect::<Vec<_>>())
    }

    fn reach<'py>(&self, square: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = square.py();
        let square = to_square(square)?;
        if let Some(mover) = self.witness().movers().iter().find(|mover| mover.square == square) {
            return square_set(py, mover.squares());
        }
        if self.witness().frozen().contains(square) {
            return square_set(py, square.into());
        }
        Err(PyKeyError::new_err(format!("no piece stands on {square}")))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let read = slf.get_type().getattr("from_bytes")?;
        (read, (slf.get().to_bytes(slf.py()),)).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> String {
        let Conclusions { components, unwinnable, .. } = self.conclusions;
        let mut claims = Vec::new();
        match unwinnable {
            ByColor { white: true, black: true } => claims.push("dead".to_owned()),
            ByColor { white: true, black: false } => claims.push("unwinnable for white".to_owned()),
            ByColor { white: false, black: true } => claims.push("unwinnable for black".to_owned()),
            ByColor { white: false, black: false } => {}
        }
        if self.decomposed() {
            claims.push(format!("{components} components"));
        }
        if claims.is_empty() {
            claims.push("nothing proved".to_owned());
        }
        format!("<PersistentCertificate {}: {:?}>", claims.join(", "), self.position())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        CheckedCertificate::new(self.certificate.clone())
            .map(|checked| render_svg(&Diagram::persistent(&checked)))
            .map_err(|error| certificate_error(&words(&error), error.code()))
    }
}

/// A piece that is not frozen, with every square where it can ever stand.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
#[derive(PartialEq)]
pub(crate) struct Mover {
    mover: Moved,
    piece: Piece,
}

impl Hash for Mover {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.mover.square, self.mover.component, self.mover.squares()).hash(state);
    }
}

impl Mover {
    /// The reaches that a piece of its role has, with the names of the roles.
    fn reaches(&self) -> impl Iterator<Item = (&'static str, Bitboard)> {
        let own = self.piece.role;
        let has = move |role: Role| role == own || own == Role::Pawn && role != Role::King;
        let roles = Role::ALL.into_iter().filter(move |&role| has(role));
        roles.map(|role| (role_name(role), *self.mover.reach.get(role)))
    }
}

#[pymethods]
impl Mover {
    #[new]
    fn new(
        square: &Bound<'_, PyAny>,
        piece: char,
        component: u8,
        reach: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let unknown = |what: &str| PyKeyError::new_err(format!("{what} is unknown"));
        let piece = Piece::from_char(piece).ok_or_else(|| unknown("the piece"))?;
        let mut mover = Moved { square: to_square(square)?, reach: Default::default(), component };
        for (name, squares) in reach {
            let name: String = name.extract()?;
            let role = Role::ALL.into_iter().find(|&role| role_name(role) == name);
            *mover.reach.get_mut(role.ok_or_else(|| unknown("a role"))?) = Bitboard(squares.extract()?);
        }
        Ok(Self { mover, piece })
    }

    #[getter]
    fn square(&self) -> u8 {
        self.mover.square.into()
    }

    #[getter]
    fn piece(&self) -> char {
        self.piece.char()
    }

    #[getter]
    fn component(&self) -> u8 {
        self.mover.component
    }

    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.mover.squares())
    }

    #[getter]
    fn reach<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let reach = PyDict::new(py);
        for (role, squares) in self.reaches() {
            reach.set_item(role, square_set(py, squares)?)?;
        }
        Ok(reach)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        let reach = PyDict::new(slf.py());
        for (role, squares) in this.reaches() {
            reach.set_item(role, squares.0)?;
        }
        (slf.get_type(), (this.square(), this.piece(), this.component(), reach)).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> String {
        let Moved { square, component, .. } = self.mover;
        format!("<Mover {}{square}, component {component}>", self.piece.char())
    }
}

/// So many positions are followed within the patience of whoever presses Ctrl-C.
const AT_ONCE: u32 = 10_000;

#[pyfunction]
#[pyo3(signature = (position, *, nodes = None))]
pub(crate) fn prove(position: &Bound<'_, PyAny>, nodes: Option<u32>) -> PyResult<Persistent> {
    let py = position.py();
    let position = read_legal(position)?.into_chess();
    let bound = nodes.map_or_else(Limit::default, Limit::nodes);
    // The prover is not trusted: what it made goes through the checker like anybody's.
    let work = move || {
        let certificate = match bound.get() {
            0 => bitmesh::persistent::prove(&position),
            _ => prove_within(&position, bound),
        };
        let checked = check(&certificate);
        (certificate, checked)
    };
    let (certificate, checked) = if bound.get() <= AT_ONCE { py.detach(work) } else { aside(py, work)? };
    Persistent::checked(certificate, checked)
}
