//! Tables with a delimiter: CSV, TSV and their relatives.

mod cells;
mod column;
mod layout;
mod record;

use bitmesh::looks_like_placement as is_placement;
use bitmesh::read_position;
use memchr::memchr;

pub(crate) use self::cells::{At, Cells, empty_cell};
pub(crate) use self::column::Wanted;
pub use self::column::{Column, UnknownColumn};
pub(crate) use self::layout::{
    Layout, MOVETEXT_COLUMNS, POSITION_COLUMNS, Sample, What, is_movetext, is_position,
};
use self::record::{CellBuffer, Found, read_record, split_line, split_literally};
use crate::problem::{Notice, Place, Problem};
use crate::shape::is_fen;
use crate::text::{BLOCK, Text};
use crate::visit::Part;

/// The longest record that is read.
const MAX_RECORD: usize = 1 << 20;

/// How many rows are looked at to find out what the columns hold.
pub(crate) const SAMPLE: usize = 24;

/// What stands between the cells, in the order in which it is tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

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
        let tells = |cell: &String| is_name(cell) || is_fen(cell);
        cells.iter().filter(|cell| !cell.is_empty()).count() > 1 && cells.iter().any(tells)
    })
}

/// The delimiter that makes a header of one line and a row with a position or a game of the next.
pub(crate) fn delimiter_of_two(header: &str, row: &str) -> Option<u8> {
    DELIMITERS.into_iter().find(|&delimiter| {
        let (names, cells) = (split(header, delimiter), split(row, delimiter));
        let tells = |cell: &String| is_position(cell) || is_placement(cell) || is_movetext(cell);
        names.len() > 1 && names.len() == cells.len() && cells.iter().any(tells) && !names.iter().any(tells)
    })
}

pub(crate) fn split(line: &str, delimiter: u8) -> Vec<String> {
    let mut cells = CellBuffer::default();
    split_line(line.as_bytes(), delimiter, &mut cells);
    cells.texts()
}

/// Hands out the rows of a table in portions.
pub(crate) struct TableReader {
    text: Text,
    delimiter: u8,
    wanted: Wanted,
    table: Option<Table>,
    /// The line that comes next.
    line: u64,
    /// Games that have been handed out.
    games: u64,
    cells: CellBuffer,
}

/// What is known once the first row has been seen.
struct Table {
    layout: Layout,
    fields: usize,
}

impl TableReader {
    /// Without a delimiter, the first lines decide.
    pub(crate) fn new(mut text: Text, delimiter: Option<u8>, wanted: Wanted) -> Self {
        text.require(BLOCK);
        let column = match &wanted.column {
            Some(Column::Name(name)) => Some(name.as_str()),
            _ => None,
        };
        let delimiter = delimiter.unwrap_or_else(|| {
            let mut lines = lines(text.data()).filter(|line| !is_preface(line));
            let first = lines.next().unwrap_or_default();
            let second = lines.next().unwrap_or_default();
            let found = delimiter_of(&first, column).or_else(|| delimiter_of_two(&first, &second));
            found.or_else(|| named_delimiter(text.data())).unwrap_or(DELIMITERS[0])
        });
        Self { text, delimiter, wanted, table: None, line: 1, games: 0, cells: CellBuffer::default() }
    }

    pub(crate) const fn text(&self) -> &Text {
        &self.text
    }

    /// The next rows, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// When the first row shows that the table does not have the columns that are wanted.
    pub(crate) fn next(&mut self) -> Result<Option<Cells>, Problem> {
        let mut portion = Cells::default();
        while !portion.is_full(BLOCK) {
            if self.text.data().is_empty() && !self.text.ended() {
                // What is there goes out before a slow source is waited for.
                if !portion.is_empty() {
                    break;
                }
                self.text.fill(BLOCK);
            }
            if self.text.data().is_empty() && self.text.ended() {
                break;
            }
            if !self.skip(&mut portion) {
                self.row(&mut portion)?;
            }
        }
        Ok((!portion.is_empty()).then_some(portion))
    }

    /// Passes over a blank line, or a comment before the table.
    fn skip(&mut self, portion: &mut Cells) -> bool {
        let data = self.text.data();
        let is_blank = matches!(data, [b'\n', ..] | [b'\r', b'\n', ..]) || data == b"\r" && self.text.ended();
        let part = match data {
            _ if is_blank => Part::Blank,
            [b'#', ..] if self.table.is_none() && !self.is_header(data) => Part::Comment,
            _ if self.table.is_none() && self.line == 1 && named_delimiter(data).is_some() => Part::Header,
            _ => return false,
        };
        let (line, offset) = (self.line, self.text.offset());
        let length = self.consume_line();
        portion.push_skip(At { line, offset, length }, part);
        true
    }

    /// Whether a line that begins with `#` is the header, as some tools write it: the last one before a row.
    fn is_header(&self, data: &[u8]) -> bool {
        let wanted = match &self.wanted.column {
            Some(Column::Name(name)) => Some(name.as_str()),
            _ => None,
        };
        let mut lines = lines(data);
        let has_names = |line: &str| {
            let names = split(line.trim_start_matches('#'), self.delimiter);
            let is_named = |name: &String| {
                let known = wanted.into_iter().chain(POSITION_COLUMNS).chain(MOVETEXT_COLUMNS);
                known.into_iter().any(|known| name.eq_ignore_ascii_case(known))
            };
            names.len() > 1 && names.iter().any(is_named)
        };
        lines.next().is_some_and(|line| has_names(&line))
            && lines.next().is_some_and(|line| !line.starts_with('#') && !has_names(&line))
    }

    /// Consumes the rest of a line, however long it is, and says how long it was.
    fn consume_line(&mut self) -> u64 {
        let mut length = 0;
        loop {
            let data = self.text.data();
            let end = memchr(b'\n', data);
            let count = end.map_or(data.len(), |end| end + 1);
            self.text.consume(count);
            length += count as u64;
            if end.is_some() || count == 0 && self.text.ended() {
                self.line += 1;
                return length;
            }
            self.text.fill(BLOCK);
        }
    }

    /// Reads one record.
    fn row(&mut self, portion: &mut Cells) -> Result<(), Problem> {
        let (line, offset) = (self.line, self.text.offset());
        let found = self.record();
        let (length, lines) = match found {
            Found::Record { length, lines } => (length, lines),
            Found::OpenQuote { cell } => {
                let is_cut = self.is_cut();
                let length = self.consume_line();
                let problem = if is_cut { cut_off() } else { open_quote(cell) };
                portion.push_problem(At { line, offset, length }, problem);
                return Ok(());
            }
            Found::More => {
                let length = self.consume_line();
                let message = format!("row too long: more than {MAX_RECORD} bytes");
                portion
                    .push_problem(At { line, offset, length }, Problem::new("table/row-too-long", message));
                return Ok(());
            }
        };
        // A line feed shows that the row is whole.
        let is_cut = self.is_cut() && self.text.data().len() == length && !self.text.data().ends_with(b"\n");
        self.text.consume(length);
        self.line += lines.max(1);
        let at = At { line, offset, length: length as u64 };
        if is_cut {
            portion.push_problem(at, cut_off());
            return Ok(());
        }
        if self.table.is_none() && self.begin(line, portion)? {
            portion.push_skip(at, Part::Header);
            return Ok(());
        }
        let Some(table) = &self.table else { return Ok(()) };
        if self.cells.len() != table.fields {
            let message =
                format!("the row has {} cells, the first one has {}", self.cells.len(), table.fields);
            portion.push_problem(at, Problem::new("table/ragged-row", message));
            return Ok(());
        }
        let cell = |column: usize| self.cells.get(column).unwrap_or_default();
        table.layout.push(portion, at, &mut self.games, cell);
        Ok(())
    }

    /// Whether the source broke off at the end of what is there.
    fn is_cut(&self) -> bool {
        self.text.ended() && self.text.problem().is_some()
    }

    /// Looks for the record that comes next.
    fn record(&mut self) -> Found {
        loop {
            let (data, last) = (self.text.data(), self.text.ended());
            let rows = KnownRows { table: self.table.as_ref(), delimiter: self.delimiter };
            let found = read_record(data, last, self.delimiter, &mut self.cells, &rows);
            if found != Found::More {
                return found;
            }
            if data.len() > MAX_RECORD {
                // A line that is too long, or a quote whose end is too far away to be looked for.
                return if memchr(b'\n', &data[..MAX_RECORD]).is_some() {
                    Found::OpenQuote { cell: self.cells.len() + 1 }
                } else {
                    Found::More
                };
            }
            // Twice as much each time: a long record is not looked through again for every block.
            let wanted = (data.len() * 2).max(data.len() + 1);
            if data.len() < BLOCK {
                self.text.require(data.len() + 1);
            } else {
                self.text.require(wanted);
            }
        }
    }

    /// Finds the columns from the first row, and says whether it is a header.
    fn begin(&mut self, line: u64, portion: &mut Cells) -> Result<bool, Problem> {
        let mut first = self.cells.texts();
        if let Some(name) = first.first_mut() {
            *name = name.trim_start_matches('#').trim_start().to_owned();
        }
        let is_data = |cell: &String| is_fen(cell) || is_placement(cell) || is_movetext(cell);
        let has_header = match &self.wanted.column {
            Some(Column::Name(name)) if !name.starts_with(|first: char| first.is_ascii_digit()) => true,
            Some(Column::Number(number)) => {
                first.get(*number - 1).is_none_or(|cell| read_position(cell).is_err() && !is_movetext(cell))
            }
            _ => !first.iter().any(is_data),
        };
        let mut rows = self.sample();
        let names = if has_header {
            first
        } else {
            let numbers = (1..=first.len()).map(|number| number.to_string()).collect();
            rows.insert(0, first);
            numbers
        };
        let layout = Sample { names: &names, has_header, rows: &rows }.layout(&self.wanted)?;
        for (code, message) in layout.told.clone() {
            portion.notice(Notice { place: Place::line(line), code, message });
        }
        self.table = Some(Table { layout, fields: names.len() });
        Ok(has_header)
    }

    /// The cells of the rows that come next, without consuming them.
    fn sample(&self) -> Vec<Vec<String>> {
        let mut rest = self.text.data();
        let mut rows = Vec::new();
        let mut cells = CellBuffer::default();
        while rows.len() < SAMPLE && !rest.is_empty() {
            let known = KnownRows { table: None, delimiter: self.delimiter };
            let found = read_record(rest, self.text.ended(), self.delimiter, &mut cells, &known);
            let length = match found {
                Found::Record { length, .. } => {
                    rows.push(cells.texts());
                    length
                }
                Found::OpenQuote { .. } => memchr(b'\n', rest).map_or(rest.len(), |end| end + 1),
                Found::More => break,
            };
            rest = &rest[length..];
        }
        rows
    }
}

/// Tells rows from lines inside a quoted cell.
struct KnownRows<'a> {
    table: Option<&'a Table>,
    delimiter: u8,
}

impl KnownRows<'_> {
    /// The cell that tells a row, counted from 0, and whether it does; without a layout any position does.
    fn told_by(&self, cells: &CellBuffer) -> Option<usize> {
        match self.table {
            // A line with a move in it may well belong to a game in a quoted cell.
            Some(Table { layout: Layout { what: What::Game { .. }, .. }, fields: 1 }) => None,
            Some(table) => table.layout.what.told_by(|column| cells.get(column)),
            None => cells.iter().position(|cell| is_fen(&String::from_utf8_lossy(cell))),
        }
    }

    fn has_width(&self, cells: &CellBuffer) -> bool {
        self.table.is_none_or(|table| cells.len() == table.fields)
    }
}

impl record::Rows for KnownRows<'_> {
    fn is_row(&self, line: &[u8]) -> bool {
        let mut cells = CellBuffer::default();
        split_line(line, self.delimiter, &mut cells);
        self.has_width(&cells) && self.told_by(&cells).is_some()
    }

    fn begins_row(&self, start: &[u8]) -> bool {
        self.told_by(&split_literally(start, self.delimiter)).is_some()
    }

    fn is_row_from(&self, line: &[u8], cell: usize) -> bool {
        let cells = split_literally(line, self.delimiter);
        // A game may go over lines where a position does not.
        let is_game = self.table.is_some_and(|table| matches!(table.layout.what, What::Game { .. }));
        let told_by = self.told_by(&cells).filter(|_| self.has_width(&cells));
        told_by.is_some_and(|told_by| told_by + 1 > cell || told_by + 1 == cell && !is_game)
    }

    fn is_whole(&self, cells: &CellBuffer) -> bool {
        self.has_width(cells)
    }
}

fn open_quote(cell: usize) -> Problem {
    let message =
        format!("the quote that opens cell {cell} is not closed properly; only this line is left out");
    Problem::new("table/open-quote", message)
}

fn cut_off() -> Problem {
    Problem::new("line/cut-off", "the source broke off inside this row")
}

/// The lines of a text that are not blank.
fn lines(data: &[u8]) -> impl Iterator<Item = String> {
    let lines = data.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.map(|line| String::from_utf8_lossy(line).into_owned())
}

/// Whether a line stands before a table and is not part of it.
fn is_preface(line: &str) -> bool {
    line.starts_with('#') || named_delimiter(line.as_bytes()).is_some()
}

/// The delimiter that a spreadsheet names in the first line: `sep=;`.
fn named_delimiter(data: &[u8]) -> Option<u8> {
    let line = data.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    match line {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => Some(*delimiter),
        _ => None,
    }
}
