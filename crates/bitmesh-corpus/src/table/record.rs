//! One record of a table after the other, with its cells.
//!
//! A cell may begin with a quote; then it ends with the next quote that is not doubled, and delimiters and line ends
//! inside belong to it. Quotes elsewhere are text. A quote that breaks this rule costs only its line. It does so when
//!
//! - it is never closed;
//! - its cell spans more than one line, and something other than a delimiter or a line end follows it;
//! - its record spans more than one line and does not have the number of cells that the table has;
//! - a line inside it is a row of the table by itself: see [`Rows`].

use memchr::{memchr, memchr_iter};

/// The cells of a record, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct CellBuffer {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl CellBuffer {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    fn end_cell(&mut self) {
        self.ends.push(self.bytes.len());
    }

    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// The cells as text, without blanks at their ends.
    pub(super) fn texts(&self) -> Vec<String> {
        self.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect()
    }
}

/// What was found at the start of some text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Found {
    /// A record; `length` bytes and `lines` line ends belong to it.
    Record { length: usize, lines: u64 },
    /// A quote that is not closed properly; `cell` is counted from 1.
    OpenQuote { cell: usize },
    /// The record continues where the text ends.
    More,
}

/// What is known about the rows of a table.
pub(super) trait Rows {
    /// Whether a line is a row by itself.
    fn is_row(&self, line: &[u8]) -> bool;
    /// Whether a line begins as a row does, as far as the cell that tells.
    fn begins_row(&self, start: &[u8]) -> bool;
    /// Whether a line is a row by itself, and the cell that tells is not before this one, counted from 1.
    fn is_row_from(&self, line: &[u8], cell: usize) -> bool;
    /// Whether a record of several lines can be a row.
    fn is_whole(&self, cells: &CellBuffer) -> bool;
}

/// Reads the record that `data` begins with. `last` says that no more text follows.
pub(super) fn read_record(
    data: &[u8],
    last: bool,
    delimiter: u8,
    cells: &mut CellBuffer,
    rows: &impl Rows,
) -> Found {
    cells.clear();
    let line_end = memchr(b'\n', data);
    let (line, length) = match line_end {
        Some(end) => (&data[..end], end + 1),
        None if last => (data, data.len()),
        None => return Found::More,
    };
    if memchr(b'"', line).is_none() {
        split_plain(line, delimiter, cells);
        return Found::Record { length, lines: u64::from(line_end.is_some()) };
    }
    split_quoted(data, last, delimiter, cells, rows)
}

fn split_plain(line: &[u8], delimiter: u8, cells: &mut CellBuffer) {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut start = 0;
    for end in memchr_iter(delimiter, line).chain([line.len()]) {
        cells.bytes.extend_from_slice(&line[start..end]);
        cells.end_cell();
        start = end + 1;
    }
}

fn split_quoted(data: &[u8], last: bool, delimiter: u8, cells: &mut CellBuffer, rows: &impl Rows) -> Found {
    let mut at = 0;
    let mut lines = 0;
    let mut line_start = 0;
    // The first cell whose quote went over a line end.
    let mut opened = None;
    loop {
        if data.get(at) == Some(&b'"') {
            let cell = cells.len() + 1;
            at += 1;
            let mut is_long = false;
            loop {
                let Some(next) = memchr::memchr2(b'"', b'\n', &data[at..]) else {
                    return if last {
                        Found::OpenQuote { cell: opened.unwrap_or(cell) }
                    } else {
                        Found::More
                    };
                };
                cells.bytes.extend_from_slice(&data[at..at + next]);
                at += next + 1;
                if data[at - 1] == b'\n' {
                    cells.bytes.push(b'\n');
                    let line = &data[line_start..at - 1];
                    let is_row = match (is_long, line_start) {
                        (true, _) => rows.is_row(line),
                        (false, 0) => rows.is_row_from(line, cell),
                        // A cell of several lines ends where this quote opens.
                        (false, _) => false,
                    };
                    if is_row {
                        return Found::OpenQuote { cell: opened.unwrap_or(cell) };
                    }
                    line_start = at;
                    lines += 1;
                    is_long = true;
                } else if data.get(at) == Some(&b'"') {
                    cells.bytes.push(b'"');
                    at += 1;
                } else if at == data.len() && !last {
                    return Found::More;
                } else {
                    break;
                }
            }
            if is_long {
                opened = opened.or(Some(cell));
                let rest = &data[at..];
                let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
                let ends = data.get(at) == Some(&delimiter) || matches!(rest, [] | [b'\n', ..]);
                if !ends || rows.begins_row(&data[line_start..at - 1]) {
                    return Found::OpenQuote { cell: opened.unwrap_or(cell) };
                }
            }
        }
        // What follows the quote, or a cell without one, is text up to the delimiter or the end of the line.
        let rest = &data[at..];
        let Some(length) = memchr::memchr2(delimiter, b'\n', rest).or_else(|| last.then_some(rest.len()))
        else {
            return Found::More;
        };
        let end = at + length;
        let is_last = data.get(end) != Some(&delimiter);
        let text = &data[at..end];
        let text = if is_last { text.strip_suffix(b"\r").unwrap_or(text) } else { text };
        cells.bytes.extend_from_slice(text);
        cells.end_cell();
        at = (end + 1).min(data.len());
        if is_last {
            lines += u64::from(data.get(end) == Some(&b'\n'));
            return match opened {
                Some(cell) if !rows.is_whole(cells) => Found::OpenQuote { cell },
                _ => Found::Record { length: at, lines },
            };
        }
    }
}

/// Nothing is known.
pub(super) struct Unknown;

impl Rows for Unknown {
    fn is_row(&self, _: &[u8]) -> bool {
        false
    }

    fn begins_row(&self, _: &[u8]) -> bool {
        false
    }

    fn is_row_from(&self, _: &[u8], _: usize) -> bool {
        false
    }

    fn is_whole(&self, _: &CellBuffer) -> bool {
        true
    }
}

/// Splits a text at every delimiter, whatever its quotes are.
pub(super) fn split_literally(text: &[u8], delimiter: u8) -> CellBuffer {
    let mut cells = CellBuffer::default();
    split_plain(text, delimiter, &mut cells);
    cells
}

/// Splits one line, whatever its quotes are.
pub(super) fn split_line(line: &[u8], delimiter: u8, cells: &mut CellBuffer) {
    let line = &line[..memchr(b'\n', line).unwrap_or(line.len())];
    if matches!(read_record(line, true, delimiter, cells, &Unknown), Found::OpenQuote { .. }) {
        cells.clear();
        split_plain(line, delimiter, cells);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table with so many cells, in which the second cell of every row is `F`.
    struct Test(usize);

    impl Rows for Test {
        fn is_row(&self, line: &[u8]) -> bool {
            let mut cells = CellBuffer::default();
            split_line(line, b',', &mut cells);
            cells.len() == self.0 && cells.get(1) == Some(b"F")
        }

        fn begins_row(&self, start: &[u8]) -> bool {
            split_literally(start, b',').get(1) == Some(b"F")
        }

        fn is_row_from(&self, line: &[u8], cell: usize) -> bool {
            let cells = split_literally(line, b',');
            cell <= 2 && cells.len() == self.0 && cells.get(1) == Some(b"F")
        }

        fn is_whole(&self, cells: &CellBuffer) -> bool {
            cells.len() == self.0
        }
    }

    /// The records of a table; an open quote costs its line.
    fn records(text: &str, fields: usize) -> Vec<Result<Vec<String>, usize>> {
        let mut rest = text.as_bytes();
        let mut records = Vec::new();
        while !rest.is_empty() {
            let mut cells = CellBuffer::default();
            let found = read_record(rest, true, b',', &mut cells, &Test(fields));
            // Text in pieces gives the same: what is decided early is decided correctly.
            for cut in 0..rest.len() {
                let mut other = CellBuffer::default();
                let early = read_record(&rest[..cut], false, b',', &mut other, &Test(fields));
                assert!(
                    early == Found::More || early == found,
                    "{text:?} cut at {cut}: {early:?}, {found:?}"
                );
            }
            match found {
                Found::Record { length, .. } => {
                    records.push(Ok(cells.iter().map(|cell| String::from_utf8_lossy(cell).into()).collect()));
                    rest = &rest[length..];
                }
                Found::OpenQuote { cell } => {
                    records.push(Err(cell));
                    let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
                    rest = &rest[length..];
                }
                Found::More => panic!("{text:?}"),
            }
        }
        records
    }

    fn row(cells: &[&str]) -> Result<Vec<String>, usize> {
        Ok(cells.iter().map(|&cell| cell.to_owned()).collect())
    }

    #[test]
    fn cells_are_split_as_everywhere() {
        assert_eq!(
            records("1,a,b\r\n2,,\n3,c,d", 3),
            [row(&["1", "a", "b"]), row(&["2", "", ""]), row(&["3", "c", "d"])]
        );
        assert_eq!(records("1,\"a,b\",\"say \"\"x\"\"\"\r\n", 3), [row(&["1", "a,b", "say \"x\""])]);
        assert_eq!(records("1,a \"b\" c,\"\"\n", 3), [row(&["1", "a \"b\" c", ""])]);
        assert_eq!(records("1,\"a\"b,c\n", 3), [row(&["1", "ab", "c"])]);
        assert_eq!(records("1,\"a\",", 3), [row(&["1", "a", ""])]);
    }

    #[test]
    fn a_cell_may_go_over_lines() {
        assert_eq!(
            records("1,F,\"a\nb\n\nc\"\n2,F,f\n", 3),
            [row(&["1", "F", "a\nb\n\nc"]), row(&["2", "F", "f"])]
        );
        assert_eq!(records("\"a\r\nb\",F,\"c\n\"\r\n", 3), [row(&["a\r\nb", "F", "c\n"])]);
        assert_eq!(records("\"a, \"\"b\"\"\nc\",\"F\"\n", 2), [row(&["a, \"b\"\nc", "F"])]);
    }

    #[test]
    fn an_open_quote_costs_its_line() {
        let rest = [row(&["2", "F", "b"]), row(&["3", "F", "d"])];
        for (open, cell) in [("1,F,\"b", 3), ("1,\"F,b", 2), ("\"1,F,b", 1), ("1,\"F\",\"", 3)] {
            let found = records(&format!("{open}\n2,F,b\n3,F,d\n"), 3);
            assert_eq!((&found[0], &found[1..]), (&Err(cell), &rest[..]), "{open}");
        }
        assert_eq!(records("1,F,\"b", 3), [Err(3)]);
        assert_eq!(records("1,F,\"b\n", 3), [Err(3)]);
    }

    #[test]
    fn a_later_quote_does_not_hide_the_rows_between() {
        // A stray quote and one that closes it, rows between.
        let found = records("1,F,\"b\n2,F,b\n3,F,\"d\"\n4,F,f\"\n", 3);
        assert_eq!(found, [Err(3), row(&["2", "F", "b"]), row(&["3", "F", "d"]), row(&["4", "F", "f\""])]);
        // The same with no row between.
        assert_eq!(records("1,F,\"b\n2,F,f\"\n", 3), [Err(3), row(&["2", "F", "f\""])]);
        assert_eq!(records("\"1,F,b\n2\",F,f\n", 3), [Err(1), row(&["2\"", "F", "f"])]);
        // Text after the quote that closes a cell of several lines.
        assert_eq!(records("1,F,\"b\nx\"y\n2,F,d\n", 3), [Err(3), row(&["x\"y"]), row(&["2", "F", "d"])]);
        // Another number of cells.
        assert_eq!(records("1,\"a\nx\"\n2,F,d\n", 3), [Err(2), row(&["x\""]), row(&["2", "F", "d"])]);
    }
}
