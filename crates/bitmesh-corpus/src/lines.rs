//! FEN and EPD lines.

use bitmesh::{Input, Note, read_position};
use memchr::memchr;

use crate::plain_fen;
use crate::problem::{Notice, Place, Problem};
use crate::text::{BLOCK, Text};
use crate::visit::{Outcome, Subject, Visit};

/// The longest line that is read; an EPD line with 218 best moves has some two thousand bytes.
pub(crate) const MAX_LINE: usize = 1 << 16;

/// Whole lines of a source, the last of them perhaps without its end.
pub(crate) struct Lines {
    pub(crate) bytes: Vec<u8>,
    /// The number of the first one.
    pub(crate) first: u64,
    /// How many there are.
    pub(crate) count: u64,
    /// Whether the source broke off inside the last one.
    pub(crate) cut: bool,
}

/// Hands out the lines of a source in portions.
pub(crate) struct LineReader {
    text: Text,
    next: u64,
    /// Inside a line that is too long: its rest is thrown away.
    overlong: bool,
}

pub(crate) enum Portion {
    Lines(Lines),
    /// A line that is too long to be read.
    TooLong(Place, Problem),
}

impl LineReader {
    pub(crate) const fn new(text: Text) -> Self {
        Self { text, next: 1, overlong: false }
    }

    pub(crate) const fn text(&self) -> &Text {
        &self.text
    }

    pub(crate) fn next(&mut self) -> Option<Portion> {
        loop {
            self.text.fill(BLOCK);
            let data = self.text.data();
            if data.is_empty() {
                return None;
            }
            if self.overlong {
                match memchr(b'\n', data) {
                    Some(end) => {
                        self.text.consume(end + 1);
                        self.overlong = false;
                    }
                    None => self.text.consume(data.len()),
                }
                continue;
            }
            let whole = memchr::memrchr(b'\n', data).map(|end| end + 1);
            let ended = self.text.ended();
            let length = match whole {
                _ if ended => data.len(),
                Some(length) => length,
                None if data.len() > MAX_LINE => {
                    let place = Place::line(self.next);
                    self.next += 1;
                    self.overlong = true;
                    return Some(Portion::TooLong(place, too_long()));
                }
                None => {
                    self.text.require(data.len() + 1);
                    continue;
                }
            };
            let bytes = data[..length].to_vec();
            self.text.consume(length);
            let unfinished = bytes.last() != Some(&b'\n');
            let count = memchr::memchr_iter(b'\n', &bytes).count() as u64 + u64::from(unfinished);
            let first = self.next;
            self.next += count;
            let cut = unfinished && self.text.problem().is_some();
            return Some(Portion::Lines(Lines { bytes, first, count, cut }));
        }
    }
}

pub(crate) fn too_long() -> Problem {
    Problem::new("line/too-long", format!("line too long: more than {MAX_LINE} bytes"))
}

impl Lines {
    /// Reads each line whose number is greater than `done`.
    pub(crate) fn visit(&self, done: u64, visit: &mut impl Visit) {
        let mut rest = &self.bytes[..];
        let mut number = self.first;
        while !rest.is_empty() {
            let (line, tail) = match memchr(b'\n', rest) {
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => (rest, &rest[rest.len()..]),
            };
            rest = tail;
            if number > done {
                let place = Place::line(number);
                let outcome = if self.cut && rest.is_empty() {
                    visit.problem(
                        place,
                        Problem::new("line/cut-off", "the source broke off inside this line"),
                    );
                    Outcome::Failed
                } else {
                    read_line(line, place, visit)
                };
                visit.record(place, outcome);
            }
            number += 1;
        }
    }
}

/// Reads one line: blank lines and `#` comments are skipped, anything else is a position, a board or a problem.
fn read_line(line: &[u8], place: Place, visit: &mut impl Visit) -> Outcome {
    if plain_fen::visit(line, place, visit) {
        return Outcome::Read;
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if matches!(line.trim_ascii_start().first(), None | Some(b'#')) {
        return Outcome::Skipped;
    }
    if line.len() > MAX_LINE {
        visit.problem(place, too_long());
        return Outcome::Failed;
    }
    match checked_text(line) {
        Ok(text) => read_text(text, place, visit),
        Err(problem) => {
            visit.problem(place, problem);
            Outcome::Failed
        }
    }
}

/// The bytes of a line or cell as text without zero bytes.
pub(crate) fn checked_text(bytes: &[u8]) -> Result<&str, Problem> {
    if let Some(index) = memchr(0, bytes) {
        let message = format!("zero byte at character {} of the text", index + 1);
        return Err(Problem::new("line/zero-byte", message));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("byte {} of the text is not utf-8", error.valid_up_to() + 1);
        Problem::new("line/invalid-utf8", message)
    })
}

/// Reads a FEN, EPD or placement through the library's gate.
pub(crate) fn read_text(text: &str, place: Place, visit: &mut impl Visit) -> Outcome {
    let reading = match read_position(text) {
        Ok(reading) => reading,
        Err(error) => {
            visit.problem(place, error.into());
            return Outcome::Failed;
        }
    };
    for note in &reading.notes {
        // Files have line ends and their own ideas about counters: no news.
        if !matches!(note, Note::LineEnd | Note::CounterMissing { .. } | Note::FieldsNotKept) {
            visit.notice(Notice { place, code: note.code(), message: note.to_string() });
        }
    }
    match &reading.input {
        Input::Position(position) => {
            visit.subject(place, Subject::Chess(position.chess()));
            Outcome::Read
        }
        Input::Board(board) => {
            // A placement alone does not claim to be more than a board.
            let claims_more = reading.notes.contains(&Note::FieldsNotKept);
            visit.subject(place, Subject::Board { board, claims_more });
            if claims_more { Outcome::Failed } else { Outcome::Read }
        }
    }
}
