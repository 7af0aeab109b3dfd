//! Whether a side can still give mate.

use std::hash::{Hash, Hasher};

use bitmesh::decision::{Decider, Decision as Answer, Decisions as Answers, Effort, MateLine, Verdict};
use bitmesh::shakmaty::uci::UciMove;
use bitmesh::shakmaty::{Board, Color, Position as _};
use bitmesh::{Evidence, Position};
use bitmesh_diagram::{Arrow, Diagram, escape_xml, render_svg};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::arguments::{self, Optional};
use crate::documents::{Kept, from_bytes_again, json, not_of_kind, other_kind, read, to_json};
use crate::errors::certificate_error;
use crate::html::{Look, figure};
use crate::input::read_legal;
use crate::interrupt::aside;
use crate::persistent::Persistent;
use crate::squares::to_color;

/// Legal moves that end in mate (BMMATE): the evidence that a side can still give mate.
///
/// Every object has been replayed. Both sides help, and the line need not be short: it
/// shows that the side *can* give mate, and nothing else.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "MateLine")]
#[derive(PartialEq, Hash)]
pub(crate) struct Line {
    line: Kept<MateLine>,
}

impl Line {
    pub(crate) fn new(line: MateLine) -> Self {
        let payload = line.canonical_payload();
        Self { line: Kept::new(line, payload) }
    }

    pub(crate) fn diagram(&self) -> Diagram {
        let mut diagram = Diagram::new(self.last_board());
        if let Some(last) = self.line.moves().last()
            && let Some(from) = last.from()
        {
            diagram.arrows.push(Arrow { from, to: last.to() });
        }
        diagram
    }

    fn last_board(&self) -> Board {
        let mut position = self.line.position().clone();
        for &played in self.line.moves() {
            position.play_unchecked(played);
        }
        position.board().clone()
    }

    fn uci_moves(&self) -> impl Iterator<Item = UciMove> {
        let mode = self.line.position().castles().mode();
        self.line.moves().iter().map(move |played| played.to_uci(mode))
    }
}

#[pymethods]
impl Line {
    /// Read BMMATE and replay the line.
    ///
    /// Raises CertificateError for other bytes, and for moves that are not legal or do not end in mate.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, payload: &Bound<'_, PyAny>) -> PyResult<Self> {
        let payload = arguments::payload(payload)?;
        MateLine::decode(&payload).map(Self::new).map_err(|error| not_of_kind(&payload, &error))
    }

    /// Read the document ``bitmesh.mate.v1`` and replay the line.
    #[classmethod]
    fn from_json(_: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        match read(&json(text)?)? {
            Evidence::Mate(line) => Ok(Self::new(*line)),
            other => Err(other_kind(other.kind())),
        }
    }

    /// The bytes of BMMATE.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.line.payload())
    }

    /// The document ``bitmesh.mate.v1``.
    fn to_json(&self) -> PyResult<String> {
        to_json(&*self.line)
    }

    /// SHA-256 of the bytes, in hexadecimal digits.
    #[getter]
    fn digest(&self) -> String {
        self.line.digest().to_hex()
    }

    /// The canonical text of the position where the line begins.
    #[getter]
    fn fen(&self) -> String {
        Position::new(self.line.position().clone()).canonical_text()
    }

    /// The side that gives mate: true for White, as ``chess.WHITE`` is.
    #[getter]
    fn winner(&self) -> bool {
        self.line.winner().is_white()
    }

    /// The moves in the notation of UCI, for ``chess.Move.from_uci``.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.uci_moves().map(|played| played.to_string()).collect::<Vec<_>>())
    }

    /// The moves in the notation of the Laws, with their numbers.
    #[getter]
    fn san(&self) -> String {
        self.line.to_string()
    }

    /// The number of moves, of both sides together.
    #[getter]
    fn plies(&self) -> u16 {
        self.line.plies()
    }

    fn __len__(&self) -> usize {
        usize::from(self.line.plies())
    }

    fn __bool__(&self) -> bool {
        // A mate on the board already is a line without moves.
        true
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        from_bytes_again(slf)
    }

    fn __str__(&self) -> String {
        self.san()
    }

    fn __repr__(&self) -> String {
        let winner = color_name(self.line.winner());
        format!("<MateLine of {}, mate by {winner}: {:?}>", counted(self.line.plies()), self.fen())
    }

    fn _repr_html_(&self) -> String {
        let diagram = self.diagram();
        let verdict = format!("{} can give mate", color_name(self.line.winner()));
        let caption = format!("the end of {} · {} · {}", counted(self.line.plies()), self.san(), self.fen());
        figure(&render_svg(&diagram), &diagram.description(), Look::Holds, &verdict, &caption)
    }
}

const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// So many plies, in words.
fn counted(plies: u16) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// Whether one side can still give mate, with the evidence.
///
/// ``undecided`` does not mean no, so a decision is neither true nor false in ``if``: ask
/// for its ``verdict``.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
#[derive(PartialEq)]
pub(crate) struct Decision {
    answer: Answer,
}

impl Hash for Decision {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.answer.canonical_payload().hash(state);
    }
}

impl Decision {
    /// The bytes of the evidence.
    pub(crate) fn payload(&self) -> Option<Vec<u8>> {
        self.answer.canonical_payload()
    }
}

#[pymethods]
impl Decision {
    /// ``winnable``, ``unwinnable``, or ``undecided``, which is not a claim.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.answer.verdict().word()
    }

    /// How long the line is that was found; there may be shorter ones. ``None`` without a line.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.answer.verdict().plies()
    }

    /// The line that ends in mate, if the side is winnable.
    #[getter]
    fn line(&self) -> Option<Line> {
        match &self.answer {
            Answer::Winnable(line) => Some(Line::new(line.clone())),
            _ => None,
        }
    }

    /// The checked certificate that there is no mate, if the side is unwinnable.
    #[getter]
    fn certificate(&self, py: Python<'_>) -> PyResult<Option<Persistent>> {
        match &self.answer {
            Answer::Unwinnable(certificate) => Persistent::new(py, certificate.clone()).map(Some),
            _ => Ok(None),
        }
    }

    /// The evidence as bytes, for ``verify``: BMMATE or BMPERSIST; ``None`` if it is undecided.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.answer.canonical_payload().map(|payload| PyBytes::new(py, &payload))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let bound = match &slf.get().answer {
            Answer::Undecided { bound } => bound.get(),
            _ => 0,
        };
        (slf.get_type().getattr("_from_state")?, (slf.get().to_bytes(slf.py()), bound))
            .into_pyobject(slf.py())
    }

    /// The evidence is checked again.
    #[classmethod]
    fn _from_state(
        cls: &Bound<'_, PyType>,
        evidence: Option<&Bound<'_, PyBytes>>,
        bound: u32,
    ) -> PyResult<Self> {
        let Some(evidence) = evidence else {
            return Ok(Self { answer: Answer::Undecided { bound: Effort::positions(bound) } });
        };
        let answer = match read(evidence.as_bytes())? {
            Evidence::Mate(line) => Answer::Winnable(*line),
            Evidence::Persistent(certificate) => {
                let checked = Persistent::new(cls.py(), *certificate)?;
                let unwinnable = checked.checked().conclusions().unwinnable;
                if !unwinnable.white && !unwinnable.black {
                    return Err(certificate_error(
                        "the certificate decides nothing",
                        "verify/malformed-document",
                    ));
                }
                Answer::Unwinnable(checked.checked().certificate().clone())
            }
            other => return Err(other_kind(other.kind())),
        };
        Ok(Self { answer })
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("a decision is neither true nor false: ask for its verdict"))
    }

    fn __repr__(&self) -> String {
        match self.answer.verdict() {
            Verdict::Winnable { plies } => format!("<Decision winnable: a line of {}>", counted(plies)),
            Verdict::Unwinnable => "<Decision unwinnable: a certificate>".to_owned(),
            Verdict::Undecided { bound } => format!("<Decision undecided after {} positions>", bound.get()),
        }
    }
}

/// Whether the sides of a position can still give mate, as ``decide`` gives it.
///
/// It is neither true nor false in ``if``: ask ``dead``, ``flag_draw`` or a side.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
pub(crate) struct Decisions {
    answers: Answers,
}

/// Two are equal when position, effort and every answer with its evidence are.
impl PartialEq for Decisions {
    fn eq(&self, other: &Self) -> bool {
        self.answers.effort() == other.answers.effort()
            && self.fen() == other.fen()
            && self.answers.iter().eq(other.answers.iter())
    }
}

impl Hash for Decisions {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fen().hash(state);
    }
}

impl Decisions {
    pub(crate) const fn new(answers: Answers) -> Self {
        Self { answers }
    }

    pub(crate) fn position(&self) -> &Position {
        self.answers.position()
    }

    fn of(&self, color: Color) -> Option<Decision> {
        self.answers.get(color).map(|answer| Decision { answer: answer.clone() })
    }
}

#[pymethods]
impl Decisions {
    /// Whether White can still give mate; ``None`` if it was not asked.
    #[getter]
    fn white(&self) -> Option<Decision> {
        self.of(Color::White)
    }

    /// Whether Black can still give mate; ``None`` if it was not asked.
    #[getter]
    fn black(&self) -> Option<Decision> {
        self.of(Color::Black)
    }

    /// Whether neither side can ever give mate (FIDE Laws of Chess, article 5.2.2); ``None`` if that is not known.
    #[getter]
    fn dead(&self) -> Option<bool> {
        self.answers.dead()
    }

    /// Whether the game is drawn when this side's flag falls, because the other can never give
    /// mate (article 6.9); ``None`` if that is not known.
    fn flag_draw(&self, color: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
        Ok(self.answers.flag_draw(to_color("color", color)?))
    }

    /// The canonical text of the position.
    #[getter]
    fn fen(&self) -> String {
        self.answers.position().canonical_text()
    }

    /// How many positions could be looked at for each side.
    #[getter]
    fn effort(&self) -> u32 {
        self.answers.effort().get()
    }

    /// The document ``bitmesh.decide.v1``.
    pub(crate) fn to_json(&self) -> PyResult<String> {
        to_json(&self.answers)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        // The answer is a document that is checked as a whole.
        let verify = slf.py().import("bitmesh")?.getattr("verify")?;
        (verify, (slf.get().to_json()?,)).into_pyobject(slf.py())
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("decisions are neither true nor false: ask for dead, flag_draw or a side"))
    }

    fn __repr__(&self) -> String {
        let told = |(color, answer): (Color, &Answer)| {
            format!("{} {}", color_name(color).to_lowercase(), answer.verdict().word())
        };
        let sides: Vec<String> = self.answers.iter().map(told).collect();
        format!("<Decisions {}: {:?}>", sides.join(", "), self.fen())
    }

    fn _repr_html_(&self) -> String {
        let position = self.answers.position();
        let diagram = Diagram::new(position.chess().board().clone());
        let look = match self.dead() {
            Some(true) => Look::Dead,
            _ if self.answers.has_undecided() => Look::Nothing,
            _ => Look::Holds,
        };
        let mut lines = String::new();
        let mut verdicts = Vec::new();
        for (color, answer) in self.answers.iter() {
            verdicts.push(format!("{} {}", color_name(color).to_lowercase(), answer.verdict().word()));
            if let Answer::Winnable(line) = answer {
                let moves = escape_xml(&line.to_string());
                lines.push_str(&format!("<p>mate by {}: {moves}</p>", color_name(color)));
            }
        }
        let description = diagram.description();
        let picture = figure(&render_svg(&diagram), &description, look, &verdicts.join(", "), &self.fen());
        format!("{picture}{lines}")
    }
}

/// Decide whether a side can still give mate, if both sides help.
///
/// For each side: ``winnable`` comes with a line of legal moves that ends in mate by it,
/// ``unwinnable`` with a checked certificate that there is none, and ``undecided`` is not a
/// claim. With a ``color`` only that side is decided. Up to ``effort`` positions are looked
/// at for each side, 400,000 by default, about a microsecond for each; an ordinary position
/// needs thirty. More than 1,000,000 count as 1,000,000, and ``effort`` of the result says so.
/// With ``effort=0`` only what needs no search is decided.
///
/// Raises PositionError when it cannot be read or is not a legal position.
#[pyfunction]
#[pyo3(
    signature = (position, color = None, *, effort = None),
    text_signature = "(position, color=None, *, effort=400000)"
)]
pub(crate) fn decide(
    position: &Bound<'_, PyAny>,
    color: Optional<'_, '_>,
    effort: Optional<'_, '_>,
) -> PyResult<Decisions> {
    let py = position.py();
    let effort = Effort::positions(arguments::count("effort", effort, Effort::default().get())?);
    let sides = match color {
        Some(color) => vec![to_color("color", color)?],
        None => vec![Color::White, Color::Black],
    };
    let position = read_legal(position)?;
    // Almost all decisions are over before another thread of Python could be let in.
    let quick = Answers::of(&mut Decider::new(effort.min(Effort::QUICK)), position.clone(), &sides);
    let answers = match effort <= Effort::QUICK {
        true => quick,
        // They come out the same, and say how far they could have looked.
        false if !quick.has_undecided() => Answers::of(&mut Decider::new(effort), position, &sides),
        // In a thread of its own, so that Ctrl-C is heard.
        false => aside(py, move || Answers::of(&mut Decider::new(effort), position, &sides))?,
    };
    Ok(Decisions { answers })
}
