//! Positions in: texts and boards of python-chess, all through the reader of the library.

use std::fmt::Write as _;

use bitmesh::shakmaty::{Bitboard, Board, ByColor, ByRole, Color, File, Square};
use bitmesh::{BoardOnly, Input, Position, Reading, read_position};
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::errors::position_error;

/// Something that was forgiven, put in or left out; or a reason why a board is no position.
#[pyclass(frozen, eq, hash, get_all, module = "bitmesh")]
#[derive(Eq, Hash, PartialEq)]
pub(crate) struct Note {
    code: String,
    message: String,
}

#[pymethods]
impl Note {
    #[new]
    fn new(code: String, message: String) -> Self {
        Self { code, message }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        (slf.get_type(), (&this.code, &this.message)).into_pyobject(slf.py())
    }

    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("Note({:?}, {:?})", self.code, self.message)
    }
}

/// What a text or a board of python-chess was read as.
#[pyclass(frozen, module = "bitmesh", name = "Reading")]
pub(crate) struct PositionReading(Reading);

#[pymethods]
impl PositionReading {
    #[getter]
    fn position(&self) -> String {
        self.0.input.canonical_text()
    }

    #[getter]
    fn context(&self) -> &'static str {
        self.0.input.context()
    }

    #[getter]
    fn is_position(&self) -> bool {
        self.0.input.position().is_some()
    }

    #[getter]
    fn not_a_position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let reasons = match &self.0.input {
            Input::Position(_) => &[],
            Input::Board(board) => board.reasons(),
        };
        PyTuple::new(py, reasons.iter().map(|reason| Note::new(reason.code().into(), reason.to_string())))
    }

    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.notes.iter().map(|note| Note::new(note.code().into(), note.to_string())))
    }

    fn __repr__(&self) -> String {
        format!("<Reading {:?}>", self.position())
    }
}

#[pyfunction]
pub(crate) fn read(position: &Bound<'_, PyAny>) -> PyResult<PositionReading> {
    read_object(position).map(PositionReading)
}

/// Reads whatever can be a position or a board.
pub(crate) fn read_object(object: &Bound<'_, PyAny>) -> PyResult<Reading> {
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_cow().map_err(|error| no_text(object.py(), error))?;
        return read_position(&text).map_err(|error| position_error(&error.to_string(), error.code()));
    }
    let boards = Boards::known(object.py())?;
    match boards.text(object)? {
        Some(text) => read_position(&text).map_err(|error| {
            // Whoever gave a board has seen no characters.
            position_error(&format!("{}: {}", error.field(), error.problem()), error.code())
        }),
        None => Err(PyTypeError::new_err(format!(
            "a position is a str or a chess.Board, not {}",
            object.get_type().name()?
        ))),
    }
}

fn no_text(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
        return error;
    }
    let start = error.value(py).getattr("start").and_then(|start| start.extract::<usize>());
    let place = start.map_or_else(|_| "a character".to_owned(), |start| format!("character {}", start + 1));
    position_error(&format!("{place} of the text is a lone surrogate"), "position/lone-surrogate")
}

/// Reads what must be a legal position.
pub(crate) fn read_legal(object: &Bound<'_, PyAny>) -> PyResult<Position> {
    match read_object(object)?.input {
        Input::Position(position) => Ok(position),
        Input::Board(board) => Err(not_a_position(&board)),
    }
}

/// Why claims for all time cannot be made about a board.
pub(crate) fn not_a_position(board: &BoardOnly) -> PyErr {
    let reasons: Vec<String> = board.reasons().iter().map(ToString::to_string).collect();
    let code = board.reasons().first().map_or("board/side-to-move-not-given", |reason| reason.code());
    position_error(&format!("no legal position: {}", reasons.join("; ")), code)
}

/// The classes of python-chess, if somebody has imported it: nobody else can have a board of it.
pub(crate) struct Boards<'py> {
    /// `chess.BaseBoard` and `chess.Board`.
    classes: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
}

impl<'py> Boards<'py> {
    pub(crate) fn known(py: Python<'py>) -> PyResult<Self> {
        let chess = py.import("sys")?.getattr("modules")?.call_method1("get", ("chess",))?;
        let class = |name| chess.getattr(name).ok();
        Ok(Self { classes: class("BaseBoard").zip(class("Board")) })
    }

    /// The text of a board of python-chess, or nothing if the object is none.
    ///
    /// Pieces, turn, castling rights and en-passant square are taken as they stand on the board, so that whatever is
    /// wrong with them is seen by the gate of the library, and nothing is tidied up on the way.
    ///
    /// # Errors
    ///
    /// A board of a chess variant, a board whose bitboards contradict each other, and castling rights that no text
    /// can express or that the board itself does not play.
    pub(crate) fn text(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        let Some((base_board, board)) = &self.classes else { return Ok(None) };
        if !object.is_instance(base_board)? {
            return Ok(None);
        }
        let pieces = pieces(object)?;
        let mut text = pieces.board_fen().to_string();
        if object.is_instance(board)? {
            check_rules(object)?;
            let white_to_move: bool = object.getattr("turn")?.extract()?;
            text.push_str(if white_to_move { " w " } else { " b " });
            push_castling(&mut text, object, &pieces)?;
            match object.getattr("ep_square")?.extract::<Option<u8>>()? {
                None => text.push_str(" -"),
                Some(number) => {
                    let square = Square::try_from(number).map_err(|_| {
                        position_error("the en-passant square is no square", "position/en-passant-square")
                    })?;
                    // Writing to a string cannot fail.
                    let _ = write!(text, " {square}");
                }
            }
            // Counters play no part in any claim.
            text.push_str(" 0 1");
        }
        Ok(Some(text))
    }
}

fn pieces(object: &Bound<'_, PyAny>) -> PyResult<Board> {
    let mask = |name: &str| object.getattr(name)?.extract().map(Bitboard);
    let roles = ByRole {
        pawn: mask("pawns")?,
        knight: mask("knights")?,
        bishop: mask("bishops")?,
        rook: mask("rooks")?,
        queen: mask("queens")?,
        king: mask("kings")?,
    };
    let (black, white) = object.getattr("occupied_co")?.extract::<[u64; 2]>().map(|[b, w]| (b, w))?;
    let colors = ByColor { black: Bitboard(black), white: Bitboard(white) };
    Board::try_from_bitboards(roles, colors).map_err(|_| {
        position_error("the bitboards of the board contradict each other", "position/inconsistent-bitboards")
    })
}

fn check_rules(object: &Bound<'_, PyAny>) -> PyResult<()> {
    let variant: String = object.getattr("uci_variant")?.extract().unwrap_or_default();
    if variant == "chess" {
        return Ok(());
    }
    let message = format!("{} belongs to a chess variant, not to chess", object.get_type().name()?);
    Err(position_error(&message, "position/variant"))
}

/// Writes a letter for the file of each castling rook.
fn push_castling(text: &mut String, object: &Bound<'_, PyAny>, pieces: &Board) -> PyResult<()> {
    let rights = Bitboard(object.getattr("castling_rights")?.extract()?);
    let chess960: bool = object.getattr("chess960")?.extract()?;
    if rights.is_empty() {
        text.push('-');
    }
    for color in [Color::White, Color::Black] {
        let of_color = rights & Bitboard::from(color.backrank());
        let home = Square::from_coords(File::E, color.backrank());
        let king = pieces.king_of(color).filter(|king| king.rank() == color.backrank());
        let is_right = of_color.any() && king.is_some() && of_color.is_subset(pieces.rooks());
        let is_standard = king == Some(home) && of_color.is_subset(Bitboard::CORNERS);
        if is_right && !is_standard && !chess960 {
            let message = format!("castling rights of {color} that only a board with chess960=True has");
            return Err(position_error(&message, "position/castling-needs-chess960"));
        }
        for rook in of_color {
            text.push(if color.is_white() { rook.file().upper_char() } else { rook.file().char() });
        }
    }
    if (rights & !Bitboard::BACKRANKS).any() {
        return Err(position_error(
            "castling rights for rooks that are not on a back rank",
            "position/castling-off-the-back-rank",
        ));
    }
    Ok(())
}
