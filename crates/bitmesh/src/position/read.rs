//! The reader of one-line texts: FEN, bare placement, EPD.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use shakmaty::{Board, Color, Piece, Rank, Square};

use super::board_only::BoardOnly;
use super::drawing;
use super::error::{Fault, Field, ReadPositionError, ReadPositionProblem, look_alike};
use super::gate::Loose;
use super::input::{Input, Reading};
use super::note::{Note, OperationProblem};
use super::operations::{is_blank, is_known_opcode, read_operations};
use super::part::{Part, note_once, peel};
use super::placement::read_placement;

/// What a reader of collections forgives besides the list for every text. By default nothing.
///
/// ```
/// use bitmesh::{Note, Tolerances, read_position, read_position_with};
///
/// let line = "8/6k1/8/2KP4/2B5/1P6/1P6/8 w - - 1 47 qwerTYUI";
/// assert!(read_position(line).is_err());
/// let mut tolerances = Tolerances::default();
/// tolerances.text_after = true;
/// let reading = read_position_with(line, tolerances)?;
/// assert_eq!(reading.notes, [Note::TextAfter]);
/// assert_eq!(&line[reading.fields_end..], "qwerTYUI");
/// # Ok::<(), bitmesh::ReadPositionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct Tolerances {
    /// Text after the fields of a FEN is passed over ([`Note::TextAfter`]): identifiers, scores, results, comments,
    /// and operations that no semicolon ends. A count of checks is still refused.
    pub text_after: bool,
    /// A castling right of standard chess whose rook is not in its corner is dropped
    /// ([`Note::CastlingDropped`]), if the king stands on its own square: a game at odds.
    pub odds_castling: bool,
}

/// Reads a FEN of four to six fields, a bare placement, an EPD line or a drawn board.
///
/// A text with a side to move claims to be a position. If its pieces cannot be one (no king, a pawn on a back rank,
/// too much material, an impossible check), it is read as a [`BoardOnly`] with all its reasons; if its fields
/// contradict the pieces, it is refused. A bare placement and a drawing of several lines (see
/// [`read_board_text`](super::read_board_text)) are always a board only.
///
/// Nothing is repaired. What is accepted besides the standard is the list of [`Note`]s, and each of them says so in
/// [`Reading::notes`].
///
/// ```
/// use bitmesh::{Input, Note, read_position};
///
/// let reading = read_position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7_b_-_a3_0_1")?;
/// assert_eq!(reading.fen(), "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1");
/// assert_eq!(reading.notes, [Note::Separator { separator: "_" }]);
///
/// let reading = read_position("8/8/8/p1p1p1p1/P1P1P1P1/8/8/8 w - - 0 1")?;
/// let Input::Board(board) = &reading.input else { unreachable!() };
/// assert_eq!(board.reasons()[0].to_string(), "white has no king");
///
/// let error = read_position("rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1").unwrap_err();
/// assert_eq!(error.code(), "position/en-passant-rank");
/// assert_eq!(
///     error.to_string(),
///     "en passant at character 56: e.p. square must be on rank 6 when white moves; did you mean e6?"
/// );
/// # Ok::<(), bitmesh::ReadPositionError>(())
/// ```
///
/// # Errors
///
/// The first thing that is neither standard nor a written tolerance, with its field and character.
pub fn read_position(text: &str) -> Result<Reading, ReadPositionError> {
    read_position_with(text, Tolerances::default())
}

/// Reads a text as [`read_position`] does, and forgives what `tolerances` name as well.
///
/// # Errors
///
/// The first thing that is neither standard nor forgiven, with its field and character.
pub fn read_position_with(text: &str, tolerances: Tolerances) -> Result<Reading, ReadPositionError> {
    let mut notes = Vec::new();
    let body = peel(text, &mut notes);
    let reading = if has_line_end(body.text) {
        drawing::read_drawing(body, notes)
    } else {
        read_line(body, notes, tolerances)
    };
    reading.map_err(|fault| fault.locate(text))
}

/// Hands out one field after the other; a semicolon ends them.
#[derive(Debug)]
struct Fields<'a> {
    rest: Part<'a>,
    /// What stands between the fields of a text that has no blank.
    separator: Option<&'static str>,
    /// Whether other text than operations may follow the fields.
    text_after: bool,
}

impl<'a> Fields<'a> {
    fn new(body: Part<'a>, text_after: bool, notes: &mut Vec<Note>) -> Self {
        let separator = if has_blank(body.text) {
            None
        } else {
            ["_", "%20", "+"].into_iter().find(|separator| body.text.contains(separator))
        };
        if let Some(separator) = separator {
            notes.push(Note::Separator { separator });
        }
        Self { rest: body, separator, text_after: text_after && separator.is_none() }
    }

    /// Skips what stands between two fields.
    fn skip_blanks(&mut self, notes: &mut Vec<Note>) {
        let text = self.rest.text;
        if let [b' ', next, ..] = text.as_bytes()
            && next.is_ascii_graphic()
            && self.separator.is_none()
        {
            self.rest = self.rest.from(1);
            return;
        }
        let tail = match self.separator {
            Some(separator) => text.trim_start_matches(separator),
            None => text.trim_start_matches(is_blank),
        };
        let skipped = &text[..text.len() - tail.len()];
        if self.separator.is_none() && !matches!(skipped, "" | " ") {
            note_once(notes, Note::Blanks);
        }
        self.rest = self.rest.from(skipped.len());
    }

    fn peek(&self) -> Option<Part<'a>> {
        let text = self.rest.text;
        let end = match self.separator {
            Some(separator) => {
                text.find(separator).unwrap_or(text.len()).min(text.find(';').unwrap_or(text.len()))
            }
            None => end_of_field(text),
        };
        (end > 0).then(|| self.rest.upto(end))
    }

    fn next(&mut self, notes: &mut Vec<Note>) -> Option<Part<'a>> {
        let field = self.peek()?;
        self.rest = self.rest.from(field.text.len());
        self.skip_blanks(notes);
        Some(field)
    }

    /// Whether operations follow: something that starts with a letter, or semicolons with something between them.
    fn at_operations(&self) -> bool {
        let first = self.rest.text.chars().next();
        let starts = first.is_some_and(|first| first.is_ascii_alphabetic() || first == ';');
        starts && self.rest.text != ";" && self.separator.is_none()
    }

    /// Takes the next field if a comma or bar ends it, and text begins with that.
    fn next_before_text(&mut self) -> Option<Part<'a>> {
        if !self.text_after {
            return None;
        }
        let bytes = self.rest.text.as_bytes();
        let ends = |byte: &u8| MAY_END_FIELD[usize::from(*byte)] || matches!(byte, b',' | b'|');
        let end = bytes.iter().position(ends)?;
        if end == 0 || !matches!(bytes[end], b',' | b'|') {
            return None;
        }
        let part = self.rest.upto(end);
        self.rest = self.rest.from(end);
        Some(part)
    }

    /// Whether what follows is text and cannot be meant as a counter.
    fn at_text(&self) -> bool {
        if !self.text_after {
            return false;
        }
        let Some(part) = self.peek() else { return false };
        let first = part.text.chars().next();
        match first {
            Some('0'..='9') => {
                let number = part.text.find([',', '|']).map_or(part.text, |end| &part.text[..end]);
                !is_check_count(part.text) && !number.bytes().all(|byte| byte.is_ascii_digit())
            }
            Some('-' | '+') => {
                !is_check_count(part.text) && part.text[1..].starts_with(|next: char| next.is_ascii_digit())
            }
            None => false,
            Some(first) => first.is_alphabetic() || first.is_ascii_punctuation(),
        }
    }

    fn require(&mut self, field: Field, notes: &mut Vec<Note>) -> Result<Part<'a>, Fault> {
        let missing = self.rest.fault(field, 0, ReadPositionProblem::MissingField);
        let part = self.next(notes).ok_or(missing)?;
        // A counter names every character that is not a digit; elsewhere these would only be "invalid".
        match part.text.char_indices().find(|(_, found)| !found.is_ascii_graphic()) {
            Some((index, found)) => Err(part.fault(field, index, unexpected(found))),
            None => Ok(part),
        }
    }
}

/// The first blank or semicolon, or the end: by bytes, because it is asked for every field of every line.
fn end_of_field(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while let Some(at) = bytes[end..].iter().position(|&byte| MAY_END_FIELD[usize::from(byte)]) {
        end += at;
        if bytes[end] != NO_BREAK_SPACE_LEAD || text[end..].starts_with('\u{a0}') {
            return end;
        }
        end += 1;
    }
    bytes.len()
}

static MAY_END_FIELD: [bool; 256] = {
    let mut ends = [false; 256];
    ends[b' ' as usize] = true;
    ends[b'\t' as usize] = true;
    ends[b';' as usize] = true;
    ends[NO_BREAK_SPACE_LEAD as usize] = true;
    ends
};

/// The first of the two bytes of a no-break space, which other characters begin with too.
const NO_BREAK_SPACE_LEAD: u8 = 0xc2;

/// Looks at every byte, without a branch: that is faster than to stop at the first.
fn has_byte(text: &str, wanted: u8) -> bool {
    text.bytes().fold(false, |found, byte| found | (byte == wanted))
}

fn has_blank(text: &str) -> bool {
    has_byte(text, b' ')
        || has_byte(text, b'\t')
        || (has_byte(text, NO_BREAK_SPACE_LEAD) && text.contains('\u{a0}'))
}

fn has_line_end(text: &str) -> bool {
    has_byte(text, b'\n') || has_byte(text, b'\r')
}

const fn unexpected(found: char) -> ReadPositionProblem {
    ReadPositionProblem::UnexpectedCharacter { found, suggestion: look_alike(found) }
}

fn read_line(body: Part<'_>, mut notes: Vec<Note>, tolerances: Tolerances) -> Result<Reading, Fault> {
    let notes_ref = &mut notes;
    let mut fields = Fields::new(body, tolerances.text_after, notes_ref);
    let Some(placement) = fields.next(notes_ref) else {
        return Err(body.fault(Field::Text, 0, ReadPositionProblem::Empty));
    };
    let board = read_placement_field(placement, notes_ref)?;
    if fields.peek().is_none() {
        let rest = fields.rest;
        fields.text_after = false;
        if !finish_fields(fields, notes_ref)?.is_empty() {
            return Err(rest.fault(Field::Text, 0, ReadPositionProblem::ExtraField));
        }
        return Ok(Reading {
            input: Input::Board(BoardOnly::new(board)),
            halfmove_clock: 0,
            fullmove_number: NonZeroU32::MIN,
            operations: Vec::new(),
            fields_end: rest.offset,
            notes,
        });
    }
    let side = fields.require(Field::SideToMove, notes_ref)?;
    let turn = read_side(side)?;
    let castling = read_castling(fields.require(Field::Castling, notes_ref)?)?;
    let ep_field = match fields.next_before_text() {
        Some(part) => part,
        None => fields.require(Field::EnPassant, notes_ref)?,
    };
    let ep_square = read_en_passant(ep_field)?;

    let (halfmove_clock, fullmove_number, operations);
    let mut fields_end = fields.rest.offset;
    if fields.at_operations() {
        operations = read_operations(fields.rest.text, notes_ref);
        (halfmove_clock, fullmove_number) = counters_of_operations(&operations, notes_ref);
    } else {
        halfmove_clock = read_counter(&mut fields, Field::HalfmoveClock, notes_ref)?;
        fullmove_number = read_counter(&mut fields, Field::MoveNumber, notes_ref)?;
        fields_end = fields.rest.offset;
        operations = finish_fields(fields, notes_ref)?;
        if !operations.is_empty() {
            notes_ref.push(Note::OperationsAfterCounters);
        }
    }
    let halfmove_clock = halfmove_clock.unwrap_or(0);
    let fullmove_number = NonZeroU32::new(fullmove_number.unwrap_or(1)).unwrap_or_else(|| {
        notes_ref.push(Note::MoveNumberZero);
        NonZeroU32::MIN
    });

    let loose = Loose {
        board,
        board_offset: placement.offset,
        turn,
        turn_offset: side.offset,
        castling,
        ep_square,
        halfmove_clock,
        fullmove_number,
        odds_castling: tolerances.odds_castling,
    };
    let input = loose.pass(notes_ref)?;
    Ok(Reading { input, halfmove_clock, fullmove_number, operations, fields_end, notes })
}

/// Reads what may follow the last field: nothing, a semicolon, or operations that one ends.
fn finish_fields(mut fields: Fields<'_>, notes: &mut Vec<Note>) -> Result<Vec<super::Operation>, Fault> {
    fields.skip_blanks(notes);
    let rest = fields.rest;
    if rest.text.is_empty() {
        return Ok(Vec::new());
    }
    if rest.text == ";" {
        notes.push(Note::Semicolon);
        return Ok(Vec::new());
    }
    if fields.peek().is_some_and(|next| is_check_count(next.text)) {
        return Err(rest.fault(Field::Text, 0, ReadPositionProblem::CheckCount));
    }
    if fields.separator.is_none() && rest.text.contains(';') {
        return Ok(read_operations(rest.text, notes));
    }
    if !fields.text_after {
        return Err(rest.fault(Field::Text, 0, ReadPositionProblem::ExtraField));
    }
    if fields.peek().is_some_and(|name| is_known_opcode(name.text)) {
        return Ok(read_operations(rest.text, notes));
    }
    notes.push(Note::TextAfter);
    Ok(Vec::new())
}

fn read_placement_field(part: Part<'_>, notes: &mut Vec<Note>) -> Result<Board, Fault> {
    match read_placement(part.text.as_bytes()) {
        Some(placement) if placement.rest.is_empty() => {
            if !placement.is_canonical {
                notes.extend(split_numbers(part.text));
            }
            Ok(placement.board)
        }
        _ => Err(placement_fault(part)),
    }
}

/// The ranks of a placement in which numbers stand side by side.
fn split_numbers(placement: &str) -> impl Iterator<Item = Note> {
    let is_split = |rank: &str| rank.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit));
    let ranks = placement.split('/').zip(Rank::ALL.into_iter().rev());
    ranks.filter(move |(text, _)| is_split(text)).map(|(_, rank)| Note::SplitNumber { rank })
}

/// The first thing that keeps a text from being a placement. There is one.
fn placement_fault(part: Part<'_>) -> Fault {
    let fault = |index, problem| part.fault(Field::Placement, index, problem);
    let wrong_length = |rank: Rank, files: usize, start: usize| {
        (files != 8).then(|| fault(start, ReadPositionProblem::RankLength { rank, files }))
    };
    let mut ranks = Rank::ALL.into_iter().rev();
    let mut rank = ranks.next();
    let mut files = 0;
    let mut rank_start = 0;
    for (index, found) in part.text.char_indices() {
        if found == '[' {
            return fault(index, ReadPositionProblem::Pocket);
        }
        let Some(current) = rank else {
            return fault(rank_start - 1, ReadPositionProblem::TooManyRanks);
        };
        match found {
            '1'..='8' => files += found as usize - '0' as usize,
            '/' => {
                if let Some(fault) = wrong_length(current, files, rank_start) {
                    return fault;
                }
                rank = ranks.next();
                files = 0;
                rank_start = index + 1;
            }
            '~' => return fault(index, ReadPositionProblem::PromotedMark),
            _ if Piece::from_char(found).is_some() => files += 1,
            _ => return fault(index, unexpected(found)),
        }
    }
    match rank {
        None => fault(rank_start - 1, ReadPositionProblem::TooManyRanks),
        Some(current) => wrong_length(current, files, rank_start).unwrap_or_else(|| {
            fault(part.text.len(), ReadPositionProblem::TooFewRanks { ranks: 8 - ranks.count() })
        }),
    }
}

fn read_side(part: Part<'_>) -> Result<Color, Fault> {
    let is = |names: [&str; 2]| names.iter().any(|name| part.text.eq_ignore_ascii_case(name));
    match part.text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => {
            let suggestion = if is(["w", "white"]) {
                Some("w")
            } else if is(["b", "black"]) {
                Some("b")
            } else {
                None
            };
            Err(part.fault(Field::SideToMove, 0, ReadPositionProblem::InvalidSide { suggestion }))
        }
    }
}

fn read_castling(part: Part<'_>) -> Result<Option<(&str, usize)>, Fault> {
    if part.text == "-" {
        return Ok(None);
    }
    let is_right = |found: char| matches!(found.to_ascii_lowercase(), 'a'..='h' | 'k' | 'q');
    match part.text.char_indices().find(|&(_, found)| !is_right(found)) {
        Some((index, found)) => Err(part.fault(Field::Castling, index, unexpected(found))),
        None => Ok(Some((part.text, part.offset))),
    }
}

fn read_en_passant(part: Part<'_>) -> Result<Option<(Square, usize)>, Fault> {
    if part.text == "-" {
        return Ok(None);
    }
    match part.text.parse() {
        Ok(square) => Ok(Some((square, part.offset))),
        Err(_) => Err(part.fault(Field::EnPassant, 0, ReadPositionProblem::InvalidEnPassantField)),
    }
}

fn read_counter(fields: &mut Fields<'_>, field: Field, notes: &mut Vec<Note>) -> Result<Option<u32>, Fault> {
    let is_text = fields.at_text();
    let next = if is_text { None } else { fields.next_before_text().or_else(|| fields.next(notes)) };
    let Some(part) = next else {
        notes.push(Note::CounterMissing { field });
        return Ok(None);
    };
    if part.text == "-" {
        notes.push(Note::CounterDash { field });
        return Ok(None);
    }
    if is_check_count(part.text) {
        return Err(part.fault(field, 0, ReadPositionProblem::CheckCount));
    }
    if let Some((index, found)) = part.text.char_indices().find(|(_, found)| !found.is_ascii_digit()) {
        return Err(part.fault(field, index, unexpected(found)));
    }
    match part.text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(part.fault(field, 0, ReadPositionProblem::CounterOutOfRange { field })),
    }
}

/// `3+3` and `+0+0`, as Three-check has them.
fn is_check_count(text: &str) -> bool {
    let numbers = text.strip_prefix('+').unwrap_or(text);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.split_once('+').is_some_and(|(white, black)| is_number(white) && is_number(black))
}

/// The counters of an EPD line: the operations `hmvc` and `fmvn`, the first of each.
fn counters_of_operations(
    operations: &[super::Operation],
    notes: &mut Vec<Note>,
) -> (Option<u32>, Option<u32>) {
    let mut counter = |opcode: &str, field| {
        let Some(index) = operations.iter().position(|operation| operation.opcode() == opcode) else {
            notes.push(Note::CounterMissing { field });
            return None;
        };
        let number = operations[index].number();
        if number.is_none() {
            notes.push(Note::Operation { index, problem: OperationProblem::Counter });
        }
        number
    };
    (counter("hmvc", Field::HalfmoveClock), counter("fmvn", Field::MoveNumber))
}
