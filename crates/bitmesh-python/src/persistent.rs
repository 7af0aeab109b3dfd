//! Layer 3: what holds for ever.

use std::hash::{Hash, Hasher};

use bitmesh::persistent::{
    Bound as Limit, CheckError, CheckedCertificate, Conclusions, Mover as Moved, PROOF_KIND,
    PersistentCertificate, Proof, Witness,
};
use bitmesh::shakmaty::{Bitboard, ByColor, Piece, Position as _, Role};
use bitmesh::{Assessment, Evidence, Input, Position, role_name};
use bitmesh_diagram::{Diagram, render_svg};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};

use crate::arguments::{self, Optional, unknown_value, wrong_type};
use crate::deprecation::renamed;
use crate::documents::{Kept, from_bytes_again, json, other_kind, read, to_json};
use crate::errors::{certificate_error, position_error, range_error, refused, words};
use crate::html::{Look, figure};
use crate::input::read_legal;
use crate::interrupt::{AT_ONCE, work};
use crate::squares::{square_set, to_color, to_square, to_squares};

/// What holds for ever about one position (layer 3), with the evidence for it.
///
/// Every object has passed the checker, also when read from bytes or a pickle.
/// A claim that is absent is open, not refuted. No claim says anything about best
/// play, the clock, or draws by agreement. An object is true in ``if`` when it
/// proves something: a division, or that a side can never give mate.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "PersistentCertificate")]
#[derive(PartialEq, Hash)]
pub(crate) struct Persistent {
    checked: Kept<CheckedCertificate>,
}

impl Persistent {
    /// Lets a certificate pass that the checker accepts.
    pub(crate) fn new(py: Python<'_>, certificate: PersistentCertificate) -> PyResult<Self> {
        let nodes = match certificate.proof() {
            Proof::Witness(_) => 0,
            Proof::Expansion(expansion) => expansion.nodes(),
            _ => AT_ONCE,
        };
        Self::of_check(work(py, nodes, move || CheckedCertificate::new(certificate))?)
    }

    fn of_check(checked: Result<CheckedCertificate, CheckError>) -> PyResult<Self> {
        checked.map(Self::of_checked).map_err(|error| refused(&error))
    }

    fn of_checked(checked: CheckedCertificate) -> Self {
        let payload = checked.certificate().canonical_payload();
        Self { checked: Kept::new(checked, payload) }
    }

    fn of_evidence(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        match read(bytes)? {
            Evidence::Persistent(certificate) => Self::new(py, *certificate),
            other => Err(other_kind(other.kind())),
        }
    }

    pub(crate) fn checked(&self) -> &CheckedCertificate {
        &self.checked
    }

    fn certificate(&self) -> &PersistentCertificate {
        self.checked.certificate()
    }

    fn conclusions(&self) -> &Conclusions {
        self.checked.conclusions()
    }

    pub(crate) fn input(&self) -> Input {
        Input::Position(Position::new(self.certificate().position().clone()))
    }

    fn witness(&self) -> &Witness {
        self.certificate().proof().witness()
    }

    fn proves_something(&self) -> bool {
        self.conclusions().prove_something()
    }

    /// The claims in words.
    fn claims(&self) -> String {
        let Conclusions { components, unwinnable, .. } = *self.conclusions();
        let mut claims = Vec::new();
        match unwinnable {
            ByColor { white: true, black: true } => claims.push("dead".to_owned()),
            ByColor { white: true, black: false } => claims.push("unwinnable for white".to_owned()),
            ByColor { white: false, black: true } => claims.push("unwinnable for black".to_owned()),
            ByColor { white: false, black: false } => {}
        }
        if self.conclusions().decomposed() {
            claims.push(format!("{components} components"));
        }
        if claims.is_empty() {
            claims.push("nothing proved".to_owned());
        }
        claims.join(", ")
    }

    fn diagram(&self) -> Diagram {
        Diagram::persistent(&self.checked)
    }
}

#[pymethods]
impl Persistent {
    /// Read BMPERSIST and check it.
    ///
    /// Raises CertificateError for other bytes and for what the checker refuses.
    #[classmethod]
    fn from_bytes(cls: &Bound<'_, PyType>, payload: &Bound<'_, PyAny>) -> PyResult<Self> {
        let payload = arguments::payload(payload)?;
        if !payload.starts_with(b"BM") {
            return Err(certificate_error("the bytes do not begin as BMPERSIST", "payload/magic"));
        }
        Self::of_evidence(cls.py(), &payload)
    }

    /// Read the document ``bitmesh.persistent.v1`` and check it.
    #[classmethod]
    fn from_json(cls: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of_evidence(cls.py(), &json(text)?)
    }

    /// The bytes of BMPERSIST.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.checked.payload())
    }

    /// The document ``bitmesh.persistent.v1``.
    fn to_json(&self) -> PyResult<String> {
        to_json(self.certificate())
    }

    /// SHA-256 of the bytes, in hexadecimal digits: the name of this certificate.
    #[getter]
    fn digest(&self) -> String {
        self.certificate().digest().to_hex()
    }

    /// The name of the rules by which the claims are proved.
    #[getter]
    fn claim(&self) -> &'static str {
        PROOF_KIND
    }

    /// The canonical text of the position.
    #[getter]
    fn fen(&self) -> String {
        self.input().canonical_text()
    }

    /// The old name of ``fen``.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<String> {
        renamed(py, c"PersistentCertificate.position is now called fen, as in the rows")?;
        Ok(self.fen())
    }

    /// SHA-256 that names the position together with its structure: the column ``position_digest`` of rows.
    #[getter]
    fn position_digest(&self) -> String {
        Assessment::new(self.input()).position_digest().to_hex()
    }

    /// Classes of pieces that never interact. Fewer than two is not a claim.
    #[getter]
    fn persistent_components(&self) -> u8 {
        self.conclusions().components
    }

    /// The old name of ``persistent_components``.
    #[getter]
    fn components(&self, py: Python<'_>) -> PyResult<u8> {
        renamed(py, c"PersistentCertificate.components is now called persistent_components, as in the rows")?;
        Ok(self.persistent_components())
    }

    /// Whether the position stays divided: two or more components.
    #[getter]
    fn decomposed(&self) -> bool {
        self.conclusions().decomposed()
    }

    /// Whether the components are an exact disjoint sum of games.
    #[getter]
    fn exact_sum(&self) -> bool {
        self.conclusions().exact_sum()
    }

    /// How the components are coupled, as the JSON document names it; ``None`` when there are fewer than two.
    #[getter]
    fn coupling_kind(&self) -> Option<&'static str> {
        self.conclusions().decomposed().then_some(self.conclusions().coupling.word())
    }

    /// The old name of ``coupling_kind``, with hyphens in its values.
    #[getter]
    fn coupling(&self, py: Python<'_>) -> PyResult<Option<String>> {
        renamed(py, c"PersistentCertificate.coupling is now called coupling_kind, with values as in JSON")?;
        Ok(self.coupling_kind().map(|kind| kind.replace('_', "-")))
    }

    /// Whether a side can never give mate: ``chess.WHITE``, ``chess.BLACK`` or a name.
    fn unwinnable(&self, color: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(*self.conclusions().unwinnable.get(to_color("color", color)?))
    }

    /// Whether White can never give mate.
    #[getter]
    fn unwinnable_white(&self) -> bool {
        self.conclusions().unwinnable.white
    }

    /// Whether Black can never give mate.
    #[getter]
    fn unwinnable_black(&self) -> bool {
        self.conclusions().unwinnable.black
    }

    /// Whether neither side can ever give mate (FIDE Laws of Chess, article 5.2.2).
    #[getter]
    fn dead(&self) -> bool {
        self.conclusions().dead()
    }

    /// How many positions the proof goes through; ``None`` if one witness is all of it.
    #[getter]
    fn expanded_positions(&self) -> Option<u32> {
        match self.certificate().proof() {
            Proof::Expansion(expansion) => Some(expansion.nodes()),
            _ => None,
        }
    }

    /// The pieces that never move and are never captured. An int of 64 bits where python-chess is not installed.
    #[getter]
    fn frozen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.witness().frozen())
    }

    /// All other pieces, by ascending square.
    #[getter(movers)]
    fn get_movers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let board = self.certificate().position().board();
        let movers = self.witness().movers().iter().filter_map(|mover| {
            let piece = board.piece_at(mover.square)?;
            Some(Mover { mover: mover.clone(), piece })
        });
        PyTuple::new(py, movers.collect::<Vec<_>>())
    }

    /// Where the piece on a square can ever stand; a frozen one only there.
    ///
    /// Raises KeyError when no piece stands on it.
    fn reach<'py>(&self, square: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = square.py();
        let square = to_square("square", square)?;
        if let Some(mover) = self.witness().movers().iter().find(|mover| mover.square == square) {
            return square_set(py, mover.squares());
        }
        if self.witness().frozen().contains(square) {
            return square_set(py, square.into());
        }
        Err(PyKeyError::new_err(format!("no piece stands on {square}")))
    }

    fn __bool__(&self) -> bool {
        self.proves_something()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        from_bytes_again(slf)
    }

    fn __repr__(&self) -> String {
        format!("<PersistentCertificate {}: {:?}>", self.claims(), self.fen())
    }

    fn _repr_svg_(&self) -> String {
        render_svg(&self.diagram())
    }

    fn _repr_html_(&self) -> String {
        let diagram = self.diagram();
        let look = match (self.conclusions().dead(), self.proves_something()) {
            (true, _) => Look::Dead,
            (false, true) => Look::Holds,
            (false, false) => Look::Nothing,
        };
        let caption = format!("for ever, whatever both sides play · {} · {}", diagram.title, self.fen());
        figure(&render_svg(&diagram), &diagram.description(), look, &self.claims(), &caption)
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
        piece: &Bound<'_, PyAny>,
        component: &Bound<'_, PyAny>,
        reach: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let letter = arguments::needed_text("piece", piece)?;
        let mut letters = letter.chars();
        let piece = letters.next().and_then(Piece::from_char).filter(|_| letters.next().is_none());
        let piece =
            piece.ok_or_else(|| unknown_value("piece", &format_args!("{letter:?} is not a piece")))?;
        let too_large = || range_error("component", "components are numbered from 0 to 255");
        let component = arguments::number("component", "an int", component)?.ok_or_else(too_large)?;
        let mut mover = Moved { square: to_square("square", square)?, reach: Default::default(), component };
        let reach = reach.cast::<PyDict>().map_err(|_| wrong_type("reach", "a dict", reach))?;
        for (name, squares) in reach {
            let name = arguments::needed_text("reach", &name)?;
            let role = Role::ALL.into_iter().find(|&role| role_name(role) == name);
            let role = role.ok_or_else(|| unknown_value("reach", &format_args!("{name:?} is not a role")))?;
            *mover.reach.get_mut(role) = to_squares("reach", &squares)?;
        }
        Ok(Self { mover, piece })
    }

    /// Where it stands.
    #[getter]
    fn square(&self) -> u8 {
        self.mover.square.into()
    }

    /// Its letter, a capital for White.
    #[getter]
    fn piece(&self) -> char {
        self.piece.char()
    }

    /// The number of its component, from 0.
    #[getter]
    fn component(&self) -> u8 {
        self.mover.component
    }

    /// Where it can ever stand, in any role.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_set(py, self.mover.squares())
    }

    /// Where it can ever stand, by its role there: a pawn may become something else.
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

/// Prove what stays so for ever, whatever both sides play.
///
/// The certificate always exists and may claim nothing; it has passed the checker, and it
/// is true in ``if`` when it proves something. Where one witness leaves open whether a side
/// can give mate, up to ``nodes`` positions are followed, by default 100,000 as in
/// ``prove_many`` and the command; more than 262,144 count as that. It takes about a
/// microsecond for each, so up to some tenths of a second; with ``nodes=0`` microseconds.
///
/// Raises PositionError when it cannot be read or is not a legal position.
#[pyfunction]
#[pyo3(
    signature = (position, *, nodes = None),
    text_signature = "(position, *, nodes=100000)"
)]
pub(crate) fn prove(position: &Bound<'_, PyAny>, nodes: Optional<'_, '_>) -> PyResult<Persistent> {
    let py = position.py();
    let bound = Limit::nodes(arguments::count("nodes", nodes, Limit::default().get())?);
    let position = read_legal(position)?;
    let by_one_witness = CheckedCertificate::new(bitmesh::persistent::prove(position.chess()));
    let is_dead = by_one_witness.as_ref().is_ok_and(|checked| checked.conclusions().dead());
    if bound.get() == 0 || is_dead {
        return Persistent::of_check(by_one_witness);
    }
    // What the library answers to everybody: made by the prover, and checked like anything from elsewhere.
    let assessment = Assessment::new(Input::Position(position)).within(bound);
    let answer = work(py, bound.get(), move || assessment.permanent().cloned())?;
    let checked = answer.map_err(|error| position_error(&words(&error), error.code()))?;
    Ok(Persistent::of_checked(checked))
}
