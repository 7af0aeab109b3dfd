//! Tables with a delimiter: CSV, TSV and their relatives.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use bitmesh::{Input, read_position};
use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};

use crate::format::is_fen;
use crate::lines::{checked_text, read_text};
use crate::problem::{Place, Problem};
use crate::text::{BLOCK, Text};
use crate::visit::{Outcome, Subject, Visit};

/// The longest record that is read, all its cells together.
const MAX_RECORD: usize = 1 << 20;
const MAX_FIELDS: usize = 1 << 12;

/// What stands between the cells, in the order in which it is tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Names that a column of positions usually has, in any case.
pub(crate) const POSITION_COLUMNS: [&str; 2] = ["fen", "epd"];
pub(crate) const MOVES_COLUMN: &str = "moves";

/// Which column of a table holds the positions.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Column {
    /// The column with this name in the header, in any case.
    Name(String),
    /// The column at this place, counted from 1.
    Number(usize),
}

/// A text that is neither a name nor a number of a column.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a column is a name or a number from 1")]
pub struct UnknownColumn;

impl FromStr for Column {
    type Err = UnknownColumn;

    /// A number if it is one, a name otherwise.
    fn from_str(text: &str) -> Result<Self, UnknownColumn> {
        match text.trim() {
            "" => Err(UnknownColumn),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => match digits.parse() {
                Ok(number) if number > 0 => Ok(Self::Number(number)),
                _ => Err(UnknownColumn),
            },
            name => Ok(Self::Name(name.to_owned())),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// What a caller wants of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) column: Option<Column>,
    /// Play the first move of the moves column before the position is taken.
    pub(crate) first_move: bool,
}

/// The delimiter that makes a line a header or a row with a position, if there is one.
pub(crate) fn delimiter_of(line: &str, column: Option<&str>) -> Option<u8> {
    let is_name = |cell: &str| {
        column.is_some_and(|name| cell.eq_ignore_ascii_case(name))
            || POSITION_COLUMNS.iter().any(|name| cell.eq_ignore_ascii_case(name))
    };
    if is_name(line.trim()) {
        return Some(DELIMITERS[0]);
    }
    DELIMITERS.into_iter().find(|&delimiter| {
        let cells = split(line, delimiter);
        let tells = |cell: &String| is_name(cell.trim()) || is_fen(cell);
        cells.iter().filter(|cell| !cell.trim().is_empty()).count() > 1 && cells.iter().any(tells)
    })
}

pub(crate) fn split(line: &str, delimiter: u8) -> Vec<String> {
    let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
    let mut output = vec![0; line.len() + 1];
    let mut ends = vec![0; line.len() + 2];
    let (_, _, mut written, mut fields) = reader.read_record(line.as_bytes(), &mut output, &mut ends);
    let (_, _, more, last) = reader.read_record(&[], &mut output[written..], &mut ends[fields..]);
    written += more;
    fields += last;
    cells(&output[..written], &ends[..fields])
        .map(|cell| String::from_utf8_lossy(cell).into_owned())
        .collect()
}

fn cells<'a>(output: &'a [u8], ends: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, &end)| &output[start..end])
}

/// The cells of some rows that hold positions.
#[derive(Default)]
pub(crate) struct Cells {
    bytes: Vec<u8>,
    rows: Vec<Row>,
}

struct Row {
    line: u64,
    content: Result<Content, Problem>,
}

struct Content {
    position: Range<usize>,
    moves: Option<Range<usize>>,
}

impl Cells {
    pub(crate) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The place of the last row.
    pub(crate) fn last(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.line)
    }

    pub(crate) fn push(&mut self, line: u64, position: &[u8], moves: Option<&[u8]>) {
        let mut keep = |cell: &[u8]| {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(cell);
            start..self.bytes.len()
        };
        let content = Content { position: keep(position), moves: moves.map(keep) };
        self.rows.push(Row { line, content: Ok(content) });
    }

    pub(crate) fn push_problem(&mut self, line: u64, problem: Problem) {
        self.rows.push(Row { line, content: Err(problem) });
    }

    /// Reads each row whose line is greater than `done`.
    pub(crate) fn visit(&self, done: u64, visit: &mut impl Visit) {
        for row in self.rows.iter().filter(|row| row.line > done) {
            let place = Place::line(row.line);
            let outcome = match &row.content {
                Ok(content) => self.read(content, place, visit),
                Err(problem) => {
                    visit.problem(place, problem.clone());
                    Outcome::Failed
                }
            };
            visit.record(place, outcome);
        }
    }

    fn read(&self, content: &Content, place: Place, visit: &mut impl Visit) -> Outcome {
        let mut read = || -> Result<Outcome, Problem> {
            let text = checked_text(&self.bytes[content.position.clone()])?;
            if text.trim().is_empty() {
                return Err(empty_cell());
            }
            match &content.moves {
                None => Ok(read_text(text, place, visit)),
                Some(moves) => {
                    let moves = checked_text(&self.bytes[moves.clone()])?;
                    let chess = after_first_move(text, moves)?;
                    visit.subject(place, Subject::Chess(&chess));
                    Ok(Outcome::Read)
                }
            }
        };
        read().unwrap_or_else(|problem| {
            visit.problem(place, problem);
            Outcome::Failed
        })
    }
}

pub(crate) fn empty_cell() -> Problem {
    Problem::new("table/empty-cell", "the cell of the position is empty")
}

/// The position after the first of the moves, which are in UCI notation with blanks between them.
fn after_first_move(text: &str, moves: &str) -> Result<Chess, Problem> {
    let Input::Position(position) = read_position(text)?.input else {
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
        None => Err(Problem::new("table/illegal-first-move", format!("{first} is no legal move"))),
    }
}

/// Hands out the rows of a table in portions.
pub(crate) struct TableReader {
    text: Text,
    reader: Reader,
    wanted: Wanted,
    layout: Option<Layout>,
    /// The line that comes next.
    line: u64,
    output: Vec<u8>,
    ends: Vec<usize>,
}

struct Layout {
    position: usize,
    moves: Option<usize>,
    fields: usize,
}

/// A record as it was read: its cells, or what kept it from being read.
struct Record {
    line: u64,
    written: usize,
    fields: usize,
    problem: Option<Problem>,
}

impl TableReader {
    /// Without a delimiter it is found out from the first line.
    pub(crate) fn new(mut text: Text, delimiter: Option<u8>, wanted: Wanted) -> Self {
        text.require(BLOCK);
        let column = match &wanted.column {
            Some(Column::Name(name)) => Some(name.as_str()),
            _ => None,
        };
        let delimiter = delimiter.unwrap_or_else(|| {
            let lines = text.data().split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
            let first = lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
            delimiter_of(&String::from_utf8_lossy(first), column).unwrap_or(DELIMITERS[0])
        });
        Self {
            text,
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            wanted,
            layout: None,
            line: 1,
            output: vec![0; MAX_RECORD],
            ends: vec![0; MAX_FIELDS],
        }
    }

    pub(crate) const fn text(&self) -> &Text {
        &self.text
    }

    /// The next rows, or `None` behind the last one.
    ///
    /// # Errors
    ///
    /// When the first row shows that the table does not have the columns that are wanted.
    pub(crate) fn next(&mut self) -> Result<Option<Cells>, Problem> {
        let mut portion = Cells::default();
        while portion.bytes.len() < BLOCK && portion.rows.len() < BLOCK / 64 {
            let Some(record) = self.record() else { break };
            if let Some(problem) = record.problem {
                portion.push_problem(record.line, problem);
                continue;
            }
            let (output, ends) = (&self.output[..record.written], &self.ends[..record.fields]);
            let layout = match &self.layout {
                Some(layout) => layout,
                None => {
                    let first: Vec<String> = cells(output, ends)
                        .map(|cell| String::from_utf8_lossy(cell).trim().to_owned())
                        .collect();
                    let (layout, is_header) = layout(&first, &self.wanted)?;
                    let layout = self.layout.insert(layout);
                    if is_header {
                        continue;
                    }
                    layout
                }
            };
            if record.fields != layout.fields {
                let message =
                    format!("the row has {} cells, the first one has {}", record.fields, layout.fields);
                portion.push_problem(record.line, Problem::new("table/ragged-row", message));
                continue;
            }
            let cell = |index: usize| {
                let start = if index == 0 { 0 } else { ends[index - 1] };
                &output[start..ends[index]]
            };
            portion.push(record.line, cell(layout.position), layout.moves.map(cell));
        }
        Ok((!portion.is_empty()).then_some(portion))
    }

    /// Reads one record; blank lines are no records.
    fn record(&mut self) -> Option<Record> {
        self.skip_blank_lines();
        if self.text.data().is_empty() {
            return None;
        }
        let mut record = Record { line: self.line, written: 0, fields: 0, problem: None };
        loop {
            if self.text.data().is_empty() {
                self.text.fill(BLOCK);
            }
            let data = self.text.data();
            // At the end this is the empty input that tells the reader so.
            let at_end = data.is_empty();
            let output = &mut self.output[record.written..];
            let ends = &mut self.ends[record.fields..];
            let (result, read, written, fields) = self.reader.read_record(data, output, ends);
            self.line += memchr::memchr_iter(b'\n', &data[..read]).count() as u64;
            self.text.consume(read);
            record.written += written;
            record.fields += fields;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return None,
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    record.written = 0;
                    record.fields = 0;
                    let message = format!(
                        "row too long: more than {MAX_RECORD} bytes or {MAX_FIELDS} cells; perhaps a quote is never closed"
                    );
                    record.problem = Some(Problem::new("table/row-too-long", message));
                }
            }
            if at_end {
                break;
            }
        }
        if self.text.data().is_empty() && self.text.problem().is_some() && record.problem.is_none() {
            let message = "the source broke off inside this row";
            record.problem = Some(Problem::new("line/cut-off", message));
        }
        Some(record)
    }

    fn skip_blank_lines(&mut self) {
        loop {
            if self.text.data().len() < 2 {
                self.text.fill(BLOCK);
            }
            let blank = match self.text.data() {
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                [b'\r'] => 1,
                _ => return,
            };
            self.line += 1;
            self.text.consume(blank);
        }
    }
}

/// Finds the columns, and whether the first row is a header that names them.
fn layout(first: &[String], wanted: &Wanted) -> Result<(Layout, bool), Problem> {
    let named = |name: &str| first.iter().position(|cell| cell.eq_ignore_ascii_case(name));
    let missing = |what: &dyn fmt::Display| {
        let found = first.join(", ");
        Problem::new("table/no-column", format!("no column {what}; the columns are: {found}"))
    };
    let (position, is_header) = match &wanted.column {
        Some(Column::Name(name)) => (named(name).ok_or_else(|| missing(name))?, true),
        Some(Column::Number(number)) => {
            let cell = first.get(*number - 1).ok_or_else(|| missing(number))?;
            (*number - 1, read_position(cell).is_err())
        }
        None => match first.iter().position(|cell| is_fen(cell)) {
            Some(position) => (position, false),
            None => {
                let found = POSITION_COLUMNS.iter().find_map(|name| named(name));
                (found.ok_or_else(|| missing(&POSITION_COLUMNS[0]))?, true)
            }
        },
    };
    let moves = match (wanted.first_move, is_header) {
        (false, _) => None,
        (true, true) => Some(named(MOVES_COLUMN).ok_or_else(|| missing(&MOVES_COLUMN))?),
        // Without a header: where the puzzle file has it.
        (true, false) if position + 1 < first.len() => Some(position + 1),
        (true, false) => return Err(missing(&"of moves behind the position")),
    };
    Ok((Layout { position, moves, fields: first.len() }, is_header))
}
