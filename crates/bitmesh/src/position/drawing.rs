//! The reader of drawn boards: eight ranks of letters, with or without a frame.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use shakmaty::{Board, File, Piece, Rank, Square};

use super::board_only::BoardOnly;
use super::error::{Fault, Field, ReadPositionError, ReadPositionProblem, look_alike};
use super::input::{Input, Reading};
use super::note::Note;
use super::operations::is_blank;
use super::part::{Part, peel};
use super::rendering::{Rendering, read_rendering};

/// Reads a board that is drawn with letters, one line a rank, as engines and libraries print it.
///
/// - A square is a piece letter as in a FEN, or a dot when it is empty; between two bars also a blank.
/// - Squares are separated by bars (`|`), by blanks, or not at all.
/// - A rank may stand between two bars and may have its number on either side or both.
/// - Lines of `+`, `-` and blanks are borders; a line with the letters `a` to `h` names the files; empty lines are
///   skipped.
/// - Without numbers the first rank is rank 8. With the numbers 1 to 8 from top to bottom and the letters `h` to
///   `a` the board is seen from the side of Black. Other labels are refused.
/// - A board that `bitmesh draw` has printed with its numbers and letters, in letters or figures and without colours,
///   is read too: its title, its marks, the letters of its regions and its legend are passed over.
///
/// A drawing shows pieces and nothing else, so that the result is always a [`BoardOnly`].
///
/// ```
/// let drawing = "
///   +---+---+---+---+---+---+---+---+
///   |   |   |   |   |   |   |   | k | 8
///   +---+---+---+---+---+---+---+---+
/// ";
/// let error = bitmesh::read_board_text(drawing).unwrap_err();
/// assert_eq!(error.code(), "position/drawing-ranks");
/// ```
///
/// # Errors
///
/// The first line or character that is not part of such a drawing.
pub fn read_board_text(text: &str) -> Result<Reading, ReadPositionError> {
    let mut notes = Vec::new();
    let body = peel(text, &mut notes);
    read_drawing(body, notes).map_err(|fault| fault.locate(text))
}

fn fault(part: Part<'_>, index: usize, problem: ReadPositionProblem) -> Fault {
    Fault { problem, field: Field::Drawing, offset: part.offset + index }
}

/// Reads a drawing in one of the usual forms, or else as `bitmesh draw` prints it.
pub(super) fn read_drawing(body: Part<'_>, notes: Vec<Note>) -> Result<Reading, Fault> {
    let fault = match read_usual_drawing(body, notes.clone()) {
        Ok(reading) => return Ok(reading),
        Err(fault) => fault,
    };
    let Some(Rendering { board, for_black }) = read_rendering(body.text) else { return Err(fault) };
    let mut notes = notes;
    notes.retain(|note| !matches!(note, Note::LineEnd | Note::Blanks));
    notes.push(Note::Drawing);
    if for_black {
        notes.push(Note::DrawnForBlack);
    }
    Ok(drawn(board, body, notes))
}

fn drawn(board: Board, body: Part<'_>, notes: Vec<Note>) -> Reading {
    Reading {
        input: Input::Board(BoardOnly::new(board)),
        halfmove_clock: 0,
        fullmove_number: NonZeroU32::MIN,
        operations: Vec::new(),
        fields_end: body.end(),
        notes,
    }
}

fn read_usual_drawing(body: Part<'_>, mut notes: Vec<Note>) -> Result<Reading, Fault> {
    // Blanks and line ends are what a drawing is made of.
    notes.retain(|note| !matches!(note, Note::LineEnd | Note::Blanks));
    let mut ranks: Vec<DrawnRank<'_>> = Vec::with_capacity(8);
    let mut letters = None;
    for line in lines(body) {
        let line = line.trim(is_blank);
        if line.text.is_empty() || is_border(line.text) {
            continue;
        }
        if let Some(direction) = file_letters(line.text) {
            if letters.is_some_and(|earlier| earlier != direction) {
                return Err(fault(line, 0, ReadPositionProblem::DrawingLabels));
            }
            letters = Some(direction);
            continue;
        }
        if ranks.len() == 8 {
            return Err(fault(line, 0, ReadPositionProblem::DrawingRanks { ranks: 9 }));
        }
        ranks.push(DrawnRank::read(line)?);
    }
    if ranks.len() != 8 {
        return Err(fault(body, 0, ReadPositionProblem::DrawingRanks { ranks: ranks.len() }));
    }
    let view = View::of(&ranks, letters)
        .ok_or_else(|| fault(ranks[0].line, 0, ReadPositionProblem::DrawingLabels))?;
    notes.push(Note::Drawing);
    match view {
        View::White => {}
        View::WhiteWithoutNumbers => notes.push(Note::DrawnWithoutNumbers),
        View::Black => notes.push(Note::DrawnForBlack),
    }

    let mut board = Board::empty();
    for (drawn, rank) in ranks.iter().zip(Rank::ALL.into_iter().rev()) {
        for (&square, file) in drawn.squares.iter().zip(File::ALL) {
            if let Some(piece) = square {
                board.set_piece_at(Square::from_coords(file, rank), piece);
            }
        }
    }
    if view == View::Black {
        board.rotate_180();
    }
    Ok(drawn(board, body, notes))
}

/// The lines of a text with where they start; any of LF, CR and CR LF ends one.
fn lines(body: Part<'_>) -> impl Iterator<Item = Part<'_>> {
    let mut start = 0;
    body.text.split(['\n', '\r']).map(move |line| {
        let part = body.from(start).upto(line.len());
        start += line.len() + 1;
        part
    })
}

fn is_border(line: &str) -> bool {
    line.contains('-') && line.chars().all(|found| matches!(found, '+' | '-') || is_blank(found))
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Direction {
    FromA,
    FromH,
}

fn file_letters(line: &str) -> Option<Direction> {
    let letters = || line.chars().filter(|&found| !is_blank(found));
    if letters().eq('a'..='h') {
        Some(Direction::FromA)
    } else if letters().eq(('a'..='h').rev()) {
        Some(Direction::FromH)
    } else {
        None
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum View {
    White,
    WhiteWithoutNumbers,
    Black,
}

impl View {
    fn of(ranks: &[DrawnRank<'_>], letters: Option<Direction>) -> Option<Self> {
        let numbers = || ranks.iter().map(|rank| rank.number);
        if numbers().all(|number| number.is_none()) && letters != Some(Direction::FromH) {
            Some(Self::WhiteWithoutNumbers)
        } else if numbers().eq(Rank::ALL.into_iter().rev().map(Some)) && letters != Some(Direction::FromH) {
            Some(Self::White)
        } else if numbers().eq(Rank::ALL.into_iter().map(Some)) && letters == Some(Direction::FromH) {
            Some(Self::Black)
        } else {
            None
        }
    }
}

#[derive(Debug)]
struct DrawnRank<'a> {
    line: Part<'a>,
    number: Option<Rank>,
    squares: [Option<Piece>; 8],
}

impl<'a> DrawnRank<'a> {
    fn read(line: Part<'a>) -> Result<Self, Fault> {
        let (left, middle, right) = match (line.text.find('|'), line.text.rfind('|')) {
            (Some(first), Some(last)) if first < last => {
                (line.upto(first), line.upto(last).from(first + 1), line.from(last + 1))
            }
            (Some(only), _) => return Err(unexpected(line, only, '|')),
            (None, _) => split_numbers(line),
        };
        let mut squares = [None; 8];
        let mut files = 0;
        let mut put = |square| {
            if let Some(place) = squares.get_mut(files) {
                *place = square;
            }
            files += 1;
        };
        if middle.text.contains('|') {
            let mut start = 0;
            for cell in middle.text.split('|') {
                let part = middle.from(start).upto(cell.len()).trim(is_blank);
                start += cell.len() + 1;
                let mut found = part.text.char_indices();
                put(match found.next() {
                    Some((index, found)) => read_square(part, index, found)?,
                    None => None,
                });
                if let Some((index, found)) = found.next() {
                    return Err(unexpected(part, index, found));
                }
            }
        } else {
            for (index, found) in middle.text.char_indices().filter(|&(_, found)| !is_blank(found)) {
                put(read_square(middle, index, found)?);
            }
        }
        if files != 8 {
            return Err(fault(line, 0, ReadPositionProblem::DrawingFiles { files }));
        }
        let number = match (read_number(left)?, read_number(right)?) {
            (Some(left), Some(right)) if left != right => {
                return Err(fault(line, 0, ReadPositionProblem::DrawingLabels));
            }
            (left, right) => left.or(right),
        };
        Ok(Self { line, number, squares })
    }
}

/// Splits a rank without bars into the number on its left, its squares, and the number on its right.
fn split_numbers(line: Part<'_>) -> (Part<'_>, Part<'_>, Part<'_>) {
    let is_number = |found: char| found.is_ascii_digit();
    let length = line.text.len();
    let start = usize::from(line.text.starts_with(is_number));
    let end = if length > start && line.text.ends_with(is_number) { length - 1 } else { length };
    (line.upto(start), line.upto(end).from(start), line.from(end))
}

fn read_number(part: Part<'_>) -> Result<Option<Rank>, Fault> {
    let part = part.trim(is_blank);
    let mut found = part.text.chars();
    let number = match found.next() {
        Some(digit) => Some(Rank::from_char(digit).ok_or_else(|| unexpected(part, 0, digit))?),
        None => None,
    };
    match part.text.char_indices().nth(1) {
        Some((index, found)) => Err(unexpected(part, index, found)),
        None => Ok(number),
    }
}

fn read_square(part: Part<'_>, index: usize, found: char) -> Result<Option<Piece>, Fault> {
    match Piece::from_char(found) {
        Some(piece) => Ok(Some(piece)),
        None if found == '.' => Ok(None),
        None => Err(unexpected(part, index, found)),
    }
}

fn unexpected(part: Part<'_>, index: usize, found: char) -> Fault {
    fault(part, index, ReadPositionProblem::UnexpectedCharacter { found, suggestion: look_alike(found) })
}
