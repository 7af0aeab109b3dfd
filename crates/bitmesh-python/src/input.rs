//! Positions: texts and boards of python-chess, all through the reader of the library.

use std::fmt::Write as _;

use std::hash::{Hash, Hasher};

use bitmesh::shakmaty::{Bitboard, Board, ByColor, ByRole, Color, File, Square};
use bitmesh::{BoardOnly, Input, Position, ReadPositionError, Reading, read_position};
use pyo3::exceptions::{PyException, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::arguments::needed_text;
use crate::deprecation::renamed;
use crate::ending::Stay;
use crate::errors::{position_error, shown, type_error};

/// Something about an input: its ``code`` for programs, its ``message`` for people.
#[pyclass(frozen, eq, hash, get_all, module = "bitmesh")]
#[derive(Eq, Hash, PartialEq)]
pub(crate) struct Note {
    /// A stable name, such as ``board/no-king``.
    code: String,
    /// The same in words.
    message: String,
}

impl Note {
    pub(crate) const fn new(code: String, message: String) -> Self {
        Self { code, message }
    }
}

#[pymethods]
impl Note {
    #[new]
    fn of_texts(code: &Bound<'_, PyAny>, message: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::new(needed_text("code", code)?, needed_text("message", message)?))
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

/// The result of ``read``: what a text or a board was read as.
///
/// It keeps what was read, so that a pickle of it says the same.
#[pyclass(frozen, eq, hash, module = "bitmesh", name = "Reading")]
pub(crate) struct PositionReading {
    reading: Reading,
    /// What was read: the text, or what a board of python-chess says of itself.
    text: String,
}

/// One text is read in one way.
impl PartialEq for PositionReading {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Hash for PositionReading {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[pymethods]
impl PositionReading {
    /// The canonical text: one for each position, counters dropped. Of a board only, its placement.
    #[getter]
    fn fen(&self) -> String {
        self.reading.input.canonical_text()
    }

    /// The old name of ``fen``.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<String> {
        renamed(py, c"Reading.position is now called fen, as in the rows")?;
        Ok(self.fen())
    }

    /// The rules of the canonical text: ``bitmesh:fen:v1`` or ``bitmesh:board:v1``.
    #[getter]
    fn context(&self) -> &'static str {
        self.reading.input.context()
    }

    /// Whether it is a legal position; otherwise pieces on a board, for which layers 1 and 2 apply.
    #[getter]
    fn is_position(&self) -> bool {
        self.reading.input.position().is_some()
    }

    /// Everything that keeps a board from being a position.
    #[getter]
    fn not_a_position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let reasons = match &self.reading.input {
            Input::Position(_) => &[],
            Input::Board(board) => board.reasons(),
        };
        PyTuple::new(py, reasons.iter().map(|reason| Note::new(reason.code().into(), reason.to_string())))
    }

    /// What was forgiven, put in or left out, in the order of the text.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let notes = self.reading.notes.iter();
        PyTuple::new(py, notes.map(|note| Note::new(note.code().into(), note.to_string())))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let read = slf.py().import("bitmesh")?.getattr("read")?;
        (read, (&slf.get().text,)).into_pyobject(slf.py())
    }

    fn __repr__(&self) -> String {
        format!("<Reading {:?}>", self.fen())
    }
}

/// Read a position without asking anything about it.
///
/// ``position`` is a FEN or EPD, a placement, a board drawn in several lines, or a
/// board of python-chess, which is read by its bitboards, turn, castling rights and
/// en-passant square. Nothing is repaired; what is forgiven is in ``notes``.
///
/// Raises PositionError with the place of the first problem.
#[pyfunction]
pub(crate) fn read(position: &Bound<'_, PyAny>) -> PyResult<PositionReading> {
    read_text_of(position).map(|(reading, text)| PositionReading { reading, text })
}

/// Reads whatever can be a position or a board.
pub(crate) fn read_object(object: &Bound<'_, PyAny>) -> PyResult<Reading> {
    read_text_of(object).map(|(reading, _)| reading)
}

/// The same, with the text that was read.
fn read_text_of(object: &Bound<'_, PyAny>) -> PyResult<(Reading, String)> {
    if let Ok(text) = object.cast::<PyString>() {
        let text = text.to_cow().map_err(|error| no_text(object.py(), error))?;
        let reading =
            read_position(&text).map_err(|error| position_error(&error.to_string(), error.code()))?;
        return Ok((reading, text.into_owned()));
    }
    let boards = Boards::known(object.py())?;
    let Some(text) = boards.text(object)? else {
        let name = object.get_type().name()?;
        let message = format!("a position is a str or a chess.Board, not {name}");
        return Err(type_error("position", &message, "argument/type"));
    };
    let reading = read_position(&text).map_err(|error| BoardError::from(&error))?;
    Ok((reading, text))
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
    position_error(&format!("not a legal position: {}", reasons.join("; ")), code)
}

/// Why a board of python-chess is not read.
pub(crate) struct BoardError {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl BoardError {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl From<BoardError> for PyErr {
    fn from(error: BoardError) -> Self {
        position_error(&error.message, error.code)
    }
}

/// Why there is no text of a board.
pub(crate) enum BoardFailure {
    /// The board is at fault.
    Board(BoardError),
    /// Python raised something else when the board was asked.
    Python(PyErr),
}

impl From<BoardError> for BoardFailure {
    fn from(error: BoardError) -> Self {
        Self::Board(error)
    }
}

impl From<PyErr> for BoardFailure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<BoardFailure> for PyErr {
    fn from(failure: BoardFailure) -> Self {
        match failure {
            BoardFailure::Board(error) => error.into(),
            BoardFailure::Python(error) => error,
        }
    }
}

/// The caller gave a board and has seen no characters: the place in the text says nothing.
impl From<&ReadPositionError> for BoardError {
    fn from(error: &ReadPositionError) -> Self {
        let mut message = format!("{}: {}", error.field(), error.problem());
        if matches!(error.code(), "position/castling-without-rook" | "position/castling-without-king") {
            message.push_str("; board.castling_rights = board.clean_castling_rights() drops such rights");
        }
        Self::new(error.code(), message)
    }
}

/// The classes of python-chess, if it has been imported: without that, nothing can be a board of it.
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

    /// The text of a board of python-chess; nothing if the object is not a board.
    ///
    /// Pieces, turn, castling rights and en-passant square are taken as they stand on the board, so that whatever is
    /// wrong with them is seen by the gate of the library, and nothing is tidied up on the way.
    ///
    /// # Errors
    ///
    /// A board of a chess variant, a board whose fields contradict each other or are of no use, and castling rights
    /// that no text can express or that the board itself does not play; and what Python raises besides exceptions, such as
    /// `KeyboardInterrupt`.
    pub(crate) fn text(&self, object: &Bound<'py, PyAny>) -> Result<Option<String>, BoardFailure> {
        let Some((base_board, board)) = &self.classes else { return Ok(None) };
        if !object.is_instance(base_board)? {
            return Ok(None);
        }
        let _stay = Stay::enter()?;
        let text = text_of_board(object, object.is_instance(board)?);
        text.map(Some).map_err(|failure| match failure {
            // A board without a field, or one that fails when it is asked.
            BoardFailure::Python(error) if error.is_instance_of::<PyException>(object.py()) => {
                let message = format!("the board cannot be read: {}", shown(&error.to_string()));
                BoardError::new("position/board-field", message).into()
            }
            other => other,
        })
    }
}

/// A value as it stands in a message about a board.
fn of(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "unknown".to_owned(), |text| shown(&text.to_string_lossy()))
}

fn text_of_board(object: &Bound<'_, PyAny>, has_rules: bool) -> Result<String, BoardFailure> {
    let pieces = pieces(object)?;
    let mut text = pieces.board_fen().to_string();
    if !has_rules {
        return Ok(text);
    }
    check_rules(object)?;
    let turn = object.getattr("turn")?;
    let Ok(white_to_move) = turn.extract::<bool>() else {
        let message =
            format!("Board.turn is {}, neither chess.WHITE (True) nor chess.BLACK (False)", of(&turn));
        return Err(BoardError::new("position/board-turn", message).into());
    };
    text.push_str(if white_to_move { " w " } else { " b " });
    push_castling(&mut text, object, &pieces)?;
    let en_passant = object.getattr("ep_square")?;
    if en_passant.is_none() {
        text.push_str(" -");
    } else {
        let Some(square) = en_passant.extract::<u8>().ok().and_then(|number| Square::try_from(number).ok())
        else {
            let message = format!("the en-passant square is {}, not a square", of(&en_passant));
            return Err(BoardError::new("position/en-passant-square", message).into());
        };
        // Writing to a string cannot fail.
        let _ = write!(text, " {square}");
    }
    // Counters play no part in any claim.
    text.push_str(" 0 1");
    Ok(text)
}

fn pieces(object: &Bound<'_, PyAny>) -> Result<Board, BoardFailure> {
    let contradiction = || {
        BoardError::new("position/inconsistent-bitboards", "the bitboards of the board contradict each other")
    };
    let mut masks = [Bitboard::EMPTY; 6];
    let names = ["pawns", "knights", "bishops", "rooks", "queens", "kings"];
    for (mask, name) in masks.iter_mut().zip(names) {
        let value = object.getattr(name)?;
        let Ok(bits) = value.extract() else {
            let message = format!("Board.{name} is {}, not a set of squares", of(&value));
            return Err(BoardError::new("position/inconsistent-bitboards", message).into());
        };
        *mask = Bitboard(bits);
    }
    let [pawn, knight, bishop, rook, queen, king] = masks;
    let roles = ByRole { pawn, knight, bishop, rook, queen, king };
    let Ok([black, white]) = object.getattr("occupied_co")?.extract::<[u64; 2]>() else {
        return Err(contradiction().into());
    };
    let colors = ByColor { black: Bitboard(black), white: Bitboard(white) };
    Board::try_from_bitboards(roles, colors).map_err(|_| contradiction().into())
}

fn check_rules(object: &Bound<'_, PyAny>) -> Result<(), BoardFailure> {
    let variant: String = object.getattr("uci_variant")?.extract().unwrap_or_default();
    if variant == "chess" {
        return Ok(());
    }
    let message = format!("{} belongs to a chess variant, not to chess", object.get_type().name()?);
    Err(BoardError::new("position/variant", message).into())
}

/// Writes a letter for the file of each castling rook.
fn push_castling(text: &mut String, object: &Bound<'_, PyAny>, pieces: &Board) -> Result<(), BoardFailure> {
    let rights = object.getattr("castling_rights")?;
    let Ok(bits) = rights.extract() else {
        let message = format!("Board.castling_rights is {}, not a set of squares", of(&rights));
        return Err(BoardError::new("position/castling-rights", message).into());
    };
    let rights = Bitboard(bits);
    let Ok(chess960) = object.getattr("chess960")?.is_truthy() else {
        return Err(
            BoardError::new("position/board-chess960", "Board.chess960 is neither true nor false").into()
        );
    };
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
            return Err(BoardError::new("position/castling-needs-chess960", message).into());
        }
        // The king's side comes first, as in the canonical text: a board has no order of its own to be forgiven.
        for rook in of_color.into_iter().rev() {
            text.push(if color.is_white() { rook.file().upper_char() } else { rook.file().char() });
        }
    }
    if (rights & !Bitboard::BACKRANKS).any() {
        return Err(BoardError::new(
            "position/castling-off-the-back-rank",
            "castling rights for rooks that are not on a back rank",
        )
        .into());
    }
    Ok(())
}
