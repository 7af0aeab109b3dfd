//! Tags, columns, offsets and the rest of lines, carried along into the rows.

use bitmesh_corpus::{Options, Value};

use crate::support::{Report, scan_with};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

fn carrying(tags: &[&str], columns: &[&str]) -> Options {
    let texts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let mut options = Options::default();
    options.extra.tags = texts(tags);
    options.extra.columns = texts(columns);
    options.extra.offset = true;
    options.extra.rest = true;
    options.extra.check().unwrap();
    options
}

/// What the rows carry, `-` for nothing; the offset last.
fn carried(report: &Report) -> Vec<Vec<String>> {
    let text = |value: &Value| match value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => "-".to_owned(),
    };
    report.rows.iter().map(|row| row.carried.iter().map(|carried| text(&carried.value)).collect()).collect()
}

#[test]
fn tags_go_with_every_position_of_their_game() {
    let games = "\u{feff}[White \"K\\\"o\"]\n[Site \"s\"]\n\n1. e4 *\n\n[white \"B\"]\n[FEN \"x\"]\n\n1. d4 *\n\n1. d4 *\n";
    for unique in [false, true] {
        let mut options = carrying(&["White", "Site"], &[]);
        options.unique = unique;
        let report = scan_with("x.pgn", games, options);
        let rows = carried(&report);
        let second = games.find("[white").unwrap().to_string();
        let third = games.rfind("1. d4").unwrap().to_string();
        let row = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>();
        assert_eq!(rows[0], row(&["K\"o", "s", "-", "3"]));
        assert_eq!(rows[1], row(&["K\"o", "s", "-", "3"]));
        assert_eq!(rows[2], row(&["B", "-", "-", &second]), "the row of an error carries too");
        assert_eq!(rows[3], row(&["-", "-", "-", &third]));
        for (row, cells) in report.rows.iter().zip(&rows) {
            let at: usize = cells[3].parse().unwrap();
            let begins = [&games[at..at + 1], "["].concat();
            assert!(begins.starts_with(['[', '1']), "{row:?}");
        }
    }
}

#[test]
fn columns_go_with_their_rows() {
    let table = format!("id,Fen,rating\n7,{WALL} x,\n8,bad,\"1,5\"\n9\n");
    let report = scan_with("x.csv", table, carrying(&[], &["ID", "rating", "other"]));
    let rows = carried(&report);
    assert_eq!(rows[0], ["7", "-", "-", "x", "14"]);
    assert_eq!(rows[1][..4], ["8", "1,5", "-", "-"]);
    assert_eq!(rows[2][..4], ["-", "-", "-", "-"]);
    assert!(report.notice_codes().contains(&"table/column-not-there"));
}

#[test]
fn fields_operations_and_lines_of_blocks_are_columns_too() {
    let object = format!("{{\"id\":3,\"fen\":\"{WALL}\",\"evals\":[{{\"a\":1}}],\"no\":null}}\n");
    let report = scan_with("x.jsonl", object, carrying(&[], &["id", "evals", "no"]));
    assert_eq!(carried(&report), [["3", "[{\"a\":1}]", "-", "-", "0"]]);

    let line = format!("{WALL}\n{} bm Kb1; id \"a b\";\n", WALL.replace(" 0 1", ""));
    let report = scan_with("x.epd", line, carrying(&[], &["id", "bm"]));
    let offset = (WALL.len() + 1).to_string();
    assert_eq!(
        carried(&report),
        [vec!["-", "-", "-", "0"], vec!["a b", "Kb1", "bm Kb1; id \"a b\";", &offset]]
    );

    let block = format!("\nfen {WALL}\nscore -3\nresult 1\ne\n");
    let report = scan_with("x.plain", block, carrying(&[], &["score", "result"]));
    assert_eq!(carried(&report), [["-3", "1", "-", "1"]]);
}

#[test]
fn two_columns_with_one_name_are_refused() {
    for (tags, columns) in [(vec!["White", "White"], vec![]), (vec!["id"], vec!["id"]), (vec![], vec!["fen"])]
    {
        let mut options = Options::default();
        options.extra.tags = tags.into_iter().map(str::to_owned).collect();
        options.extra.columns = columns.into_iter().map(str::to_owned).collect();
        assert!(options.extra.check().is_err());
    }
}
