//! Rows as CSV.

use shakmaty::Bitboard;

use crate::extra::{Extra, Value};
use crate::json::{square_name, write_digits, write_hex};
use crate::row::{COLUMNS, Collect, Row, rejection_reason_name, status_name};

/// Collects rows as CSV with commas and line feeds, quoted where it must be (RFC 4180).
///
/// Squares are separated by blanks; what does not apply is empty.
#[derive(Clone, Debug, Default)]
pub struct Csv(Vec<u8>);

impl Csv {
    /// A collector without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The line that comes before all rows.
    #[must_use]
    pub fn header() -> String {
        Self::header_with(&Extra::default())
    }

    /// The same where something is carried along.
    #[must_use]
    pub fn header_with(extra: &Extra) -> String {
        let mut line = COLUMNS.join(",").into_bytes();
        for name in extra.names() {
            line.push(b',');
            write_text(&mut line, name);
        }
        line.push(b'\n');
        String::from_utf8(line).expect("names are text")
    }
}

impl Collect for Csv {
    type Block = Vec<u8>;

    fn push(&mut self, row: &Row) {
        write_row(&mut self.0, row);
    }

    fn take(&mut self) -> Vec<u8> {
        let next = Vec::with_capacity(self.0.len());
        std::mem::replace(&mut self.0, next)
    }
}

fn write_row(out: &mut Vec<u8>, row: &Row) {
    write_text(out, &row.source);
    for number in [row.place.line, row.place.game, row.place.ply.map(u64::from)] {
        out.push(b',');
        if let Some(number) = number {
            write_digits(out, number);
        }
    }
    match &row.finding {
        None => out.extend_from_slice(&[b','; 14]),
        Some(finding) => {
            out.push(b',');
            out.extend_from_slice(finding.fen.as_bytes());
            out.push(b',');
            write_squares(out, finding.barrier);
            out.push(b',');
            out.extend_from_slice(status_name(finding.status).as_bytes());
            out.push(b',');
            if let Some(reason) = finding.rejection_reason {
                out.extend_from_slice(rejection_reason_name(reason).as_bytes());
            }
            out.push(b',');
            write_digits(out, finding.active_components.into());
            out.push(b',');
            out.extend_from_slice(finding.one_ply.as_bytes());
            match &finding.permanent {
                None => out.extend_from_slice(&[b','; 6]),
                Some(permanent) => {
                    out.push(b',');
                    write_squares(out, permanent.frozen);
                    out.push(b',');
                    write_digits(out, permanent.components.into());
                    let unwinnable = permanent.unwinnable;
                    for value in [permanent.exact_sum, unwinnable.white, unwinnable.black, permanent.dead()] {
                        out.extend_from_slice(if value { b",true" } else { b",false" });
                    }
                }
            }
            out.push(b',');
            write_hex(out, finding.digest.as_bytes());
            out.push(b',');
            write_hex(out, finding.position_digest.as_bytes());
        }
    }
    out.push(b',');
    if let Some(problem) = &row.problem {
        out.extend_from_slice(problem.code().as_bytes());
        out.push(b',');
        write_text(out, problem.message());
    } else {
        out.push(b',');
    }
    for carried in &row.carried {
        out.push(b',');
        match &carried.value {
            Value::Nothing => {}
            Value::Text(text) => write_text(out, text),
            Value::Number(number) => write_digits(out, *number),
        }
    }
    out.push(b'\n');
}

fn write_text(out: &mut Vec<u8>, text: &str) {
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
