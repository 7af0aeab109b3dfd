//! Rows as CSV.

use shakmaty::Bitboard;

use crate::carried::Value;
use crate::columns::{
    Cells, Key, Origin, Said, carried_cells, digest_cells, place_cells, problem_cells, record_cells,
    source_cells, verdict_cells,
};
use crate::extra::Extra;
use crate::json::{square_name, write_digits, write_hex};
use crate::row::{Collect, Row, reuse};

/// Collects rows as CSV with commas and line feeds, quoted where it must be (RFC 4180).
///
/// Squares are separated by blanks; what does not apply is empty.
#[derive(Clone, Debug, Default)]
pub struct Csv {
    rows: Vec<u8>,
    origin: Origin,
    verdict: Said,
    without_digests: bool,
}

impl Csv {
    /// A collector without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same for rows from which something may be left out.
    #[must_use]
    pub fn with_extra(extra: &Extra) -> Self {
        Self { without_digests: extra.without_digests, ..Self::default() }
    }

    /// The line that comes before all rows.
    #[must_use]
    pub fn header() -> String {
        Self::header_with(&Extra::default())
    }

    /// The same where something is carried along.
    #[must_use]
    pub fn header_with(extra: &Extra) -> String {
        let mut line = Vec::new();
        for (index, (name, _)) in extra.all_columns().enumerate() {
            if index > 0 {
                line.push(b',');
            }
            write_text(&mut line, name);
        }
        line.push(b'\n');
        String::from_utf8(line).expect("names are text")
    }
}

impl Collect for Csv {
    type Block = Vec<u8>;

    const SMALL_BLOCKS: bool = true;

    fn push(&mut self, row: &Row) {
        let out = &mut self.rows;
        let write_source = |out: &mut Vec<u8>| source_cells(row, &mut Line(out));
        self.origin.put(row, out, write_source, |out| record_cells(row, &mut Line(out)));
        place_cells(row, &mut Line(out));
        self.verdict.put(row, out, |out| verdict_cells(row, &mut Line(out)));
        if !self.without_digests {
            digest_cells(row, &mut Line(out));
        }
        problem_cells(row, &mut Line(out));
        carried_cells(row, &mut Line(out));
        // The line end takes the place of the last comma.
        out.pop();
        out.push(b'\n');
    }

    fn take(&mut self) -> Vec<u8> {
        let next = Vec::with_capacity(self.rows.len());
        std::mem::replace(&mut self.rows, next)
    }

    fn reuse(&mut self, block: Vec<u8>) {
        reuse(&mut self.rows, block);
    }
}

/// Writes cells, each with the comma that follows it.
struct Line<'a>(&'a mut Vec<u8>);

impl Line<'_> {
    #[inline]
    fn cell<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Vec<u8>, T)) {
        if let Some(value) = value {
            write(self.0, value);
        }
        self.0.push(b',');
    }
}

impl Cells for Line<'_> {
    #[inline]
    fn text(&mut self, _: Key, value: Option<&str>) {
        self.cell(value, write_text);
    }

    #[inline]
    fn code(&mut self, _: Key, value: Option<&str>) {
        self.cell(value, |out, code| out.extend_from_slice(code.as_bytes()));
    }

    #[inline]
    fn count(&mut self, _: Key, value: Option<u64>) {
        self.cell(value, write_digits);
    }

    #[inline]
    fn small(&mut self, _: Key, value: Option<u32>) {
        self.cell(value.map(u64::from), write_digits);
    }

    #[inline]
    fn flag(&mut self, _: Key, value: Option<bool>) {
        self.cell(value, |out, flag| out.extend_from_slice(if flag { b"true" } else { b"false" }));
    }

    #[inline]
    fn squares(&mut self, _: Key, value: Option<Bitboard>) {
        self.cell(value, write_squares);
    }

    #[inline]
    fn digest(&mut self, _: Key, value: Option<&[u8; 32]>) {
        self.cell(value, write_hex);
    }

    fn carried(&mut self, _: &str, value: &Value) {
        match value {
            Value::Nothing => self.0.push(b','),
            Value::Text(text) => self.cell(Some(text.as_str()), write_text),
            Value::Number(number) => self.cell(Some(*number), write_digits),
        }
    }
}

pub(crate) fn write_text(out: &mut Vec<u8>, text: &str) {
    if memchr::memchr3(b',', b'"', b'\n', text.as_bytes()).is_none() && !text.contains('\r') {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

fn write_squares(out: &mut Vec<u8>, squares: Bitboard) {
    for (index, square) in squares.into_iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(&square_name(square));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::COLUMNS;
    use crate::row::tests::{accepted_row, error_row};
    use crate::table::split;

    #[test]
    fn every_row_has_a_cell_for_every_column() {
        assert_eq!(split(&Csv::header(), b','), COLUMNS);
        let mut collector = Csv::new();
        for row in [accepted_row(), error_row()] {
            collector.push(&row);
            let block = String::from_utf8(collector.take()).unwrap();
            let cells = split(&block, b',');
            assert_eq!(cells.len(), COLUMNS.len(), "{block}");
            assert_eq!(cells[0], &*row.source);
            assert_eq!(cells[19], row.problem.as_ref().map_or("", |problem| problem.message()));
        }
    }

    #[test]
    fn cells_hold_what_the_row_says() {
        let mut collector = Csv::new();
        collector.push(&accepted_row());
        let block = String::from_utf8(collector.take()).unwrap();
        let cells = split(&block, b',');
        assert_eq!(&cells[1..5], ["12", "", "", "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"]);
        assert!(cells[5].starts_with("b3 d3 f3 h3 a4 "));
        assert_eq!(&cells[6..10], ["strict", "", "2", "accepted"]);
        assert_eq!(&cells[11..16], ["2", "true", "true", "true", "true"]);
        assert_eq!(cells[16], "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf");
    }
}
