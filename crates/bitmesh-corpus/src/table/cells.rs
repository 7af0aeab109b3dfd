//! The cells of some rows, and what is read from them.

use std::ops::Range;

use bitmesh::{Input, read_position_with};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};

use crate::how::How;
use crate::lines::{checked_text, read_text, tell_notes};
use crate::pgn;
use crate::problem::{Notice, Place, Problem};
use crate::subject::Subject;
use crate::visit::{Outcome, Part, Visit};

/// The cells of some rows that hold positions or games.
#[derive(Default)]
pub(crate) struct Cells {
    bytes: Vec<u8>,
    rows: Vec<Row>,
    /// What was found out about the table.
    notices: Vec<Notice>,
}

struct Row {
    at: At,
    content: Content,
    /// Cells that are carried along.
    carried: Vec<Range<usize>>,
}

/// Where a row is in its source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct At {
    pub(crate) line: u64,
    /// The byte where it begins.
    pub(crate) offset: u64,
    /// Bytes of the source that belong to it.
    pub(crate) length: u64,
}

enum Content {
    /// A position, and the moves of which the first is played.
    Position {
        position: Range<usize>,
        moves: Option<Range<usize>>,
    },
    /// A game, counted from 1, and the position that it starts from.
    Game {
        number: u64,
        movetext: Range<usize>,
        start: Option<Range<usize>>,
    },
    Problem(Problem),
    /// No row at all.
    Skip(Part),
}

impl Cells {
    pub(crate) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether there is a row among them, and not only what is passed over.
    pub(crate) fn has_rows(&self) -> bool {
        self.rows.iter().any(|row| !matches!(row.content, Content::Skip(_)))
    }

    pub(crate) const fn is_full(&self, bytes: usize) -> bool {
        self.bytes.len() >= bytes || self.rows.len() >= bytes / 64
    }

    /// The place of the last row.
    pub(crate) fn last(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.at.line)
    }

    pub(crate) fn notice(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    fn keep(&mut self, cell: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(cell);
        start..self.bytes.len()
    }

    fn push_row(&mut self, at: At, content: Content) {
        self.rows.push(Row { at, content, carried: Vec::new() });
    }

    pub(crate) fn push(&mut self, at: At, position: &[u8], moves: Option<&[u8]>) {
        let position = self.keep(position);
        let moves = moves.map(|moves| self.keep(moves));
        self.push_row(at, Content::Position { position, moves });
    }

    /// Pushes a position whose fields are in separate cells.
    pub(crate) fn push_fields<'a>(&mut self, at: At, fields: impl Iterator<Item = &'a [u8]>) {
        let start = self.bytes.len();
        for (index, field) in fields.enumerate() {
            let field = field.trim_ascii();
            let field = match index {
                1 if field.eq_ignore_ascii_case(b"white") || field == b"W" => b"w",
                1 if field.eq_ignore_ascii_case(b"black") || field == b"B" => b"b",
                1.. if field.is_empty() => b"-",
                _ => field,
            };
            if index > 0 {
                self.bytes.push(b' ');
            }
            self.bytes.extend_from_slice(field);
        }
        let position = start..self.bytes.len();
        self.push_row(at, Content::Position { position, moves: None });
    }

    pub(crate) fn push_game(&mut self, at: At, number: u64, movetext: &[u8], start: Option<&[u8]>) {
        let movetext = self.keep(movetext);
        let start = start.map(|start| self.keep(start));
        self.push_row(at, Content::Game { number, movetext, start });
    }

    pub(crate) fn push_problem(&mut self, at: At, problem: Problem) {
        self.push_row(at, Content::Problem(problem));
    }

    pub(crate) fn push_skip(&mut self, at: At, part: Part) {
        self.push_row(at, Content::Skip(part));
    }

    /// Carries the next cell of the last row along; an empty one where the column is not there.
    pub(crate) fn carry(&mut self, cell: &[u8]) {
        let cell = self.keep(cell);
        if let Some(row) = self.rows.last_mut() {
            row.carried.push(cell);
        }
    }

    /// Reads each row whose line is greater than `done`.
    pub(crate) fn visit(&self, done: u64, how: &How, visit: &mut impl Visit) {
        for notice in self.notices.iter().filter(|notice| notice.place.line.is_none_or(|line| line > done)) {
            visit.notice(notice.clone());
        }
        for row in &self.rows {
            let At { line, offset, length } = row.at;
            if line <= done {
                visit.known(length);
                continue;
            }
            let mut place = Place::line(line);
            if how.carries() && !matches!(row.content, Content::Skip(_)) {
                visit.begin(offset);
                for (name, cell) in how.extra.columns.iter().zip(&row.carried) {
                    if !cell.is_empty() {
                        how.carry_column(name, &String::from_utf8_lossy(&self.bytes[cell.clone()]), visit);
                    }
                }
            }
            let outcome = match &row.content {
                Content::Skip(part) => {
                    visit.skip(place, *part, length);
                    continue;
                }
                Content::Problem(problem) => Err(problem.clone()),
                Content::Position { position, moves } => {
                    self.read_position(position, moves.as_ref(), place, how, visit)
                }
                Content::Game { number, movetext, start } => {
                    place = place.with_game(*number);
                    self.read_game(movetext, start.as_ref(), place, how, visit)
                }
            };
            let outcome = outcome.unwrap_or_else(|problem| {
                visit.problem(place, problem);
                Outcome::Failed
            });
            visit.record(place, outcome, length);
        }
    }

    fn read_position(
        &self,
        position: &Range<usize>,
        moves: Option<&Range<usize>>,
        place: Place,
        how: &How,
        visit: &mut impl Visit,
    ) -> Result<Outcome, Problem> {
        let text = checked_text(&self.bytes[position.clone()])?;
        if text.trim().is_empty() {
            return Err(empty_cell());
        }
        let Some(moves) = moves else { return Ok(read_text(text, place, how, visit)) };
        let moves = checked_text(&self.bytes[moves.clone()])?;
        let chess = after_first_move(text, moves, place, how, visit)?;
        visit.subject(place, Subject::Chess(&chess));
        Ok(Outcome::Read)
    }

    fn read_game(
        &self,
        movetext: &Range<usize>,
        start: Option<&Range<usize>>,
        place: Place,
        how: &How,
        visit: &mut impl Visit,
    ) -> Result<Outcome, Problem> {
        let text = &self.bytes[movetext.clone()];
        if text.trim_ascii().is_empty() {
            return Err(Problem::new("table/empty-cell", "the cell of the moves is empty"));
        }
        let start = start.map(|start| checked_text(&self.bytes[start.clone()])).transpose()?;
        let start = start.filter(|start| !start.trim().is_empty());
        Ok(pgn::read_game(text, start, place, how, visit))
    }
}

pub(crate) fn empty_cell() -> Problem {
    Problem::new("table/empty-cell", "the cell of the position is empty")
}

/// The position after the first of the moves, which are in UCI notation with blanks between them.
fn after_first_move(
    text: &str,
    moves: &str,
    place: Place,
    how: &How,
    visit: &mut impl Visit,
) -> Result<Chess, Problem> {
    let reading = read_position_with(text, how.tolerances)?;
    tell_notes(text, &reading, place, visit);
    let Input::Position(position) = reading.input else {
        return Err(Problem::new("table/no-position", "a move needs a whole position, not a board"));
    };
    let mut chess = position.into_chess();
    let Some(first) = moves.split_whitespace().next() else {
        return Err(Problem::new("table/no-first-move", "the cell of the moves is empty"));
    };
    let played = first.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&chess).ok());
    match played {
        Some(played) => {
            chess.play_unchecked(played);
            Ok(chess)
        }
        None => Err(Problem::new("table/illegal-first-move", format!("{first} is not a legal move"))),
    }
}
