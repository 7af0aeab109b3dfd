//! FEN and EPD lines, and lines of the UCI protocol that name a position.

use bitmesh::{Input, Note, Reading, read_position_with};
use memchr::memchr;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};

use crate::format::not_a_position;
use crate::how::How;
use crate::plain_fen;
use crate::problem::{Notice, Place, Problem};
use crate::subject::Subject;
use crate::text::{BLOCK, Text};
use crate::visit::{Outcome, Part, Visit};

/// The longest line that is read; an EPD line with 218 best moves has some two thousand bytes.
pub(crate) const MAX_LINE: usize = 1 << 16;

/// The longest JSON object and the longest block of lines.
pub(crate) const MAX_OBJECT: usize = 1 << 20;

/// Whole lines of a source, the last of them perhaps without its end.
pub(crate) struct Lines {
    pub(crate) bytes: Vec<u8>,
    /// The number of the first one.
    pub(crate) first: u64,
    /// Where it begins in the text.
    pub(crate) start: u64,
    /// How many there are.
    pub(crate) count: u64,
    /// Whether the source broke off inside the last one.
    pub(crate) cut: bool,
}

/// Hands out the lines of a source in portions.
pub(crate) struct LineReader {
    text: Text,
    kind: LineKind,
    next: u64,
    longest: usize,
    /// The bytes of a line that is too long: its rest is thrown away.
    overlong: Option<u64>,
}

/// What the lines of a source are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum LineKind {
    /// A position each.
    Positions,
    /// A JSON object each.
    Objects,
    /// Blocks of lines, with a line `e` at the end of each.
    Blocks,
}

pub(crate) enum Portion {
    Lines(Lines),
    /// A line that is too long to be read, and how long it is.
    TooLong(Place, Problem, u64),
}

impl LineReader {
    pub(crate) const fn new(text: Text, kind: LineKind) -> Self {
        let longest = match kind {
            LineKind::Positions => MAX_LINE,
            LineKind::Objects | LineKind::Blocks => MAX_OBJECT,
        };
        Self { text, kind, next: 1, longest, overlong: None }
    }

    pub(crate) const fn kind(&self) -> LineKind {
        self.kind
    }

    pub(crate) const fn text(&self) -> &Text {
        &self.text
    }

    pub(crate) fn next(&mut self) -> Option<Portion> {
        loop {
            self.text.fill(BLOCK);
            let data = self.text.data();
            if let Some(before) = self.overlong {
                let end = memchr(b'\n', data);
                let length = end.map_or(data.len(), |end| end + 1);
                let is_over = end.is_some() || data.is_empty() && self.text.ended();
                self.text.consume(length);
                let bytes = before + length as u64;
                self.overlong = (!is_over).then_some(bytes);
                if is_over {
                    let place = Place::line(self.next);
                    self.next += 1;
                    return Some(Portion::TooLong(place, too_long(self.longest), bytes));
                }
                continue;
            }
            if data.is_empty() {
                if self.text.ended() {
                    return None;
                }
                self.text.require(1);
                continue;
            }
            let lines = memchr::memrchr(b'\n', data).map(|end| end + 1);
            let whole = match self.kind {
                LineKind::Blocks => end_of_blocks(data).or(lines.filter(|_| data.len() > self.longest)),
                LineKind::Positions | LineKind::Objects => lines,
            };
            let ended = self.text.ended();
            let length = match whole {
                _ if ended => data.len(),
                Some(length) => length,
                None if data.len() > self.longest => {
                    self.overlong = Some(0);
                    continue;
                }
                None => {
                    self.text.require(data.len() + 1);
                    continue;
                }
            };
            let bytes = data[..length].to_vec();
            let start = self.text.offset();
            self.text.consume(length);
            let unfinished = bytes.last() != Some(&b'\n');
            let count = memchr::memchr_iter(b'\n', &bytes).count() as u64 + u64::from(unfinished);
            let first = self.next;
            self.next += count;
            let cut = unfinished && self.text.problem().is_some();
            return Some(Portion::Lines(Lines { bytes, first, start, count, cut }));
        }
    }
}

/// Where the last whole block ends.
fn end_of_blocks(data: &[u8]) -> Option<usize> {
    let mut end = data.len();
    loop {
        let newline = memchr::memrchr(b'\n', &data[..end])?;
        let start = memchr::memrchr(b'\n', &data[..newline]).map_or(0, |before| before + 1);
        if data[start..newline].trim_ascii() == b"e" {
            return Some(newline + 1);
        }
        end = newline;
    }
}

pub(crate) fn too_long(longest: usize) -> Problem {
    Problem::new("line/too-long", format!("line too long: more than {longest} bytes"))
}

impl Lines {
    /// Whether any of them is neither blank nor a comment.
    pub(crate) fn has_content(&self) -> bool {
        let mut lines = self.bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.any(|line| !matches!(line.first(), None | Some(b'#' | 0x1a)))
    }

    /// Hands on each line whose number is greater than `done` to `read`, without its end.
    pub(crate) fn visit<V: Visit>(
        &self,
        done: u64,
        how: &How,
        visit: &mut V,
        mut read: impl FnMut(&[u8], Place, &mut V) -> Outcome,
    ) {
        let mut rest = &self.bytes[..];
        let mut number = self.first;
        while !rest.is_empty() {
            let (line, tail) = match memchr(b'\n', rest) {
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => (rest, &rest[rest.len()..]),
            };
            let bytes = (rest.len() - tail.len()) as u64;
            rest = tail;
            if number > done {
                let place = Place::line(number);
                if how.carries() {
                    visit.begin(self.start + (self.bytes.len() - rest.len()) as u64 - bytes);
                }
                let outcome = if self.cut && rest.is_empty() {
                    visit.problem(
                        place,
                        Problem::new("line/cut-off", "the source broke off inside this line"),
                    );
                    Outcome::Failed
                } else {
                    read(line, place, visit)
                };
                visit.record(place, outcome, bytes);
            } else {
                visit.known(bytes);
            }
            number += 1;
        }
    }
}

/// Reads one line: blank lines and `#` comments are skipped, anything else is a position, a board or a problem.
pub(crate) fn read_line(line: &[u8], place: Place, how: &How, visit: &mut impl Visit) -> Outcome {
    if plain_fen::visit(line, place, visit) {
        return Outcome::Read;
    }
    let line = line_content(line, place, visit);
    match line.trim_ascii_start() {
        [] => return Outcome::Skipped(Part::Blank),
        [b'#', ..] => return Outcome::Skipped(Part::Comment),
        [0x1a, rest @ ..] if rest.iter().all(|&byte| byte == 0x1a) => return Outcome::Skipped(Part::EndMark),
        _ => {}
    }
    if line.len() > MAX_LINE {
        visit.problem(place, too_long(MAX_LINE));
        return Outcome::Failed;
    }
    match checked_text(line) {
        Ok(text) => match uci_position(text) {
            Some(uci) => uci.read(place, how, visit),
            None => read_text(text, place, how, visit),
        },
        Err(problem) => {
            visit.problem(place, problem);
            Outcome::Failed
        }
    }
}

/// A line without carriage return and zero bytes at its end; the latter are worth a notice.
pub(crate) fn line_content<'a>(line: &'a [u8], place: Place, visit: &mut impl Visit) -> &'a [u8] {
    let is_end = |byte: &u8| matches!(byte, b'\r' | 0);
    let length = line.iter().rposition(|byte| !is_end(byte)).map_or(0, |last| last + 1);
    let (content, end) = line.split_at(length);
    if end.contains(&0) {
        let message = "zero byte at the end of the line passed over".to_owned();
        visit.notice(Notice { place, code: "line/zero-byte-at-end", message });
    }
    content
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
pub(crate) fn read_text(text: &str, place: Place, how: &How, visit: &mut impl Visit) -> Outcome {
    let reading = match read_position_with(text, how.tolerances) {
        Ok(reading) => reading,
        Err(error) => {
            visit.problem(place, Problem::new(error.code(), not_a_position(text, error)));
            return Outcome::Failed;
        }
    };
    tell_notes(text, &reading, place, visit);
    if how.carries() {
        how.carry_rest(&text[reading.fields_end..], visit);
        for operation in &reading.operations {
            let operands = operation.operands();
            let text = operands.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            how.carry_column(operation.opcode(), text.unwrap_or(operands), visit);
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

/// Makes notices of what was forgiven.
pub(crate) fn tell_notes(text: &str, reading: &Reading, place: Place, visit: &mut impl Visit) {
    for note in &reading.notes {
        let message = match note {
            // Line ends and missing counters are usual in files, so they are not reported.
            Note::LineEnd | Note::CounterMissing { .. } | Note::FieldsNotKept => continue,
            Note::TextAfter => format!("{}: {note}", shorten(text[reading.fields_end..].trim())),
            _ => note.to_string(),
        };
        visit.notice(Notice { place, code: note.code(), message });
    }
}

/// The beginning of a text from an input, on one line.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String =
        text.chars().take(LONGEST).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// A line with which a program of the UCI protocol is told a position.
struct UciPosition<'a> {
    /// `None` is the usual start.
    fen: Option<&'a str>,
    moves: &'a str,
}

/// Reads `position startpos moves …` and `position fen … moves …`, the word `position` and the moves optional.
fn uci_position(line: &str) -> Option<UciPosition<'_>> {
    if !matches!(line.trim_ascii_start().as_bytes().first(), Some(b'p' | b's' | b'f')) {
        return None;
    }
    let word = |text: &str, word: &str| {
        let rest = text.trim_start().strip_prefix(word)?;
        let is_whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
        is_whole.then_some(text.len() - rest.len())
    };
    let tail = word(line, "position").map(|end| &line[end..]);
    let rest = tail.unwrap_or(line);
    let (has_fen, rest) = match (word(rest, "startpos"), word(rest, "fen")) {
        (Some(end), _) => (false, &rest[end..]),
        (None, Some(end)) => (true, &rest[end..]),
        (None, None) => return None,
    };
    let (fen, moves) = match rest.find("moves").filter(|&at| word(&rest[at..], "moves").is_some()) {
        Some(at) => (&rest[..at], &rest[at + "moves".len()..]),
        None => (rest, ""),
    };
    Some(UciPosition { fen: has_fen.then_some(fen.trim()), moves })
}

impl UciPosition<'_> {
    /// Hands on the position after the moves.
    fn read(&self, place: Place, how: &How, visit: &mut impl Visit) -> Outcome {
        if let (Some(fen), true) = (self.fen, self.moves.trim().is_empty()) {
            return read_text(fen, place, how, visit);
        }
        let mut reach = || -> Result<Chess, Problem> {
            let start = match self.fen {
                None => Chess::default(),
                Some(fen) => {
                    let reading = read_position_with(fen, how.tolerances)?;
                    tell_notes(fen, &reading, place, visit);
                    match reading.input {
                        Input::Position(position) => position.into_chess(),
                        Input::Board(_) => {
                            let message = "moves need a whole position, not a board";
                            return Err(Problem::new("line/no-position", message));
                        }
                    }
                }
            };
            play_uci(start, self.moves.split_whitespace())
        };
        match reach() {
            Ok(chess) => {
                visit.subject(place, Subject::Chess(&chess));
                Outcome::Read
            }
            Err(problem) => {
                visit.problem(place, problem);
                Outcome::Failed
            }
        }
    }
}

fn play_uci<'a>(mut chess: Chess, moves: impl Iterator<Item = &'a str>) -> Result<Chess, Problem> {
    for (index, text) in moves.enumerate() {
        let played = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&chess).ok());
        match played {
            Some(played) => chess.play_unchecked(played),
            None => {
                let message = format!("move {} of the line, {}, is not legal", index + 1, shorten(text));
                return Err(Problem::new("line/illegal-move", message));
            }
        }
    }
    Ok(chess)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(line: &str) -> Option<(Option<&str>, &str)> {
        uci_position(line).map(|uci| (uci.fen, uci.moves.trim()))
    }

    #[test]
    fn lines_of_the_uci_protocol_are_told_apart() {
        assert_eq!(reached("position startpos"), Some((None, "")));
        assert_eq!(reached("position startpos moves e2e4 e7e5"), Some((None, "e2e4 e7e5")));
        assert_eq!(reached("position fen 8/8 w - - 0 1 moves a2a4"), Some((Some("8/8 w - - 0 1"), "a2a4")));
        assert_eq!(reached(" position  fen 8/8 w - - 0 1"), Some((Some("8/8 w - - 0 1"), "")));
        assert_eq!(reached("startpos moves e2e4"), Some((None, "e2e4")));
        assert_eq!(reached("fen 8/8 w - -"), Some((Some("8/8 w - -"), "")));
        for line in ["positions startpos", "position", "startposition", "8/8 w - -", "go depth 3"] {
            assert_eq!(reached(line), None, "{line}");
        }
    }

    #[test]
    fn every_move_of_a_line_must_be_legal() {
        let play = |moves: &str| play_uci(Chess::default(), moves.split_whitespace());
        assert_eq!(play("e2e4 e7e5 g1f3").unwrap().fullmoves().get(), 2);
        assert!(play("e2e4 e7e5 e1g1").unwrap_err().message().contains("move 3 of the line, e1g1"));
        assert!(play("e2e4 Nf6").is_err());
    }
}
