//! Tables: delimiters, headers, columns, rows that are not as they should be.

use bitmesh_corpus::{Column, Options};

use crate::support::{Report, scan, scan_with};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

fn scan_column(text: &str, column: Column) -> Report {
    let mut options = Options::default();
    options.column = Some(column);
    scan_with("x.csv", text, options)
}

#[test]
fn delimiters_are_found_out() {
    for delimiter in [",", ";", "\t", "|"] {
        let table = ["id", "FEN", "note"].join(delimiter) + "\n" + &["1", WALL, "x"].join(delimiter) + "\n";
        assert_eq!(scan("x", table).fens(), [WALL], "{delimiter:?}");
        let row = ["1", WALL, "x"].join(delimiter);
        assert_eq!(scan("x", row).fens(), [WALL], "{delimiter:?}");
    }
}

#[test]
fn columns_are_named_or_counted() {
    let table = format!("a,b,c\n1,{WALL},x\n");
    assert_eq!(scan_column(&table, Column::Name("B".to_owned())).fens(), [WALL]);
    assert_eq!(scan_column(&table, Column::Number(2)).fens(), [WALL]);
    let headless = format!("1,{WALL},x\n");
    assert_eq!(scan_column(&headless, Column::Number(2)).fens(), [WALL]);
    for column in [Column::Name("d".to_owned()), Column::Number(4)] {
        let report = scan_column(&table, column);
        assert_eq!(report.error_codes(), ["table/no-column"]);
        assert!(report.rows[0].problem.as_ref().unwrap().message().ends_with("the columns are: a, b, c"));
    }
}

#[test]
fn cells_may_be_quoted_and_span_lines() {
    let table = format!("note,fen\r\n\"a, \"\"b\"\"\r\nc\",\"{WALL}\"\r\n\r\nplain,{WALL}\r\n");
    let report = scan("x.csv", table);
    assert_eq!(report.fens(), [WALL, WALL]);
    let lines: Vec<_> = report.rows.iter().map(|row| row.place.line.unwrap()).collect();
    assert_eq!(lines, [2, 5]);
}

#[test]
fn a_quote_that_is_never_closed_costs_its_line() {
    let table = format!("note,fen\nx,{WALL}\n\"open,{WALL}\n{}", format!("y,{WALL}\n").repeat(40_000));
    let report = scan("x.csv", table);
    assert_eq!(report.fens().len(), 40_001);
    assert_eq!(report.errors(), [("table/open-quote", 3, 0)]);
}

#[test]
fn a_row_that_is_too_long_takes_bounded_memory() {
    let long = "x".repeat(3 << 20);
    let table = format!("note,fen\n{long},{WALL}\ny,{WALL}\n\"{long}\n{}", "z\n\n".repeat(4));
    let report = scan("x.csv", table);
    assert_eq!(report.fens(), [WALL]);
    let errors: Vec<_> = report.errors().iter().map(|&(code, line, _)| (code, line)).collect();
    assert_eq!(errors[..2], [("table/row-too-long", 2), ("table/row-too-long", 4)]);
    assert!(errors[2..].iter().all(|&(code, _)| code == "table/ragged-row"));
}

#[test]
fn bad_cells_are_errors_of_their_rows() {
    let table = format!("fen,n\n,1\nrubbish,2\n{WALL},3\n\u{0}{WALL},4\n");
    let report = scan("x.csv", table);
    assert_eq!(
        report.errors(),
        [("table/empty-cell", 2, 0), ("position/unexpected-character", 3, 0), ("line/zero-byte", 5, 0)]
    );
    assert_eq!(report.fens(), [WALL]);
    assert_eq!((report.counts.records, report.counts.read, report.counts.failed), (4, 1, 3));
}

#[test]
fn a_first_move_must_be_there_and_legal() {
    let mut options = Options::default();
    options.first_move = true;
    let table = format!("FEN,Moves\n{WALL},a1b1 h8g8\n{WALL},a1a8\n{WALL},\n{WALL},0000\n");
    let report = scan_with("x.csv", table, options.clone());
    assert_eq!(report.fens(), ["7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/1K6 b - - 0 1"]);
    assert_eq!(
        report.errors(),
        [
            ("table/illegal-first-move", 3, 0),
            ("table/no-first-move", 4, 0),
            ("table/illegal-first-move", 5, 0)
        ]
    );
    let report = scan_with("x.csv", format!("FEN\n{WALL}\n"), options);
    assert_eq!(report.error_codes(), ["table/no-column"]);
}

#[test]
fn a_header_alone_is_an_empty_table() {
    let report = scan("x.csv", "id,fen\n");
    assert_eq!((report.rows.len(), report.counts.records), (0, 0));
    assert!(report.counts.all_read());
}
