//! Files that people have, one test for each: `tests/cases`.

use bitmesh_corpus::{Column, Format, Options};
use shakmaty::Color;

use crate::support::{case, case_with, scan, scan_with};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const WALL_EN_PASSANT: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";
const DIGEST: &str = "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf";

// CLI streams

#[test]
fn cli_badbyte() {
    let report = case("cli-badbyte.fen");
    assert_eq!(report.fens(), [WALL, WALL_EN_PASSANT]);
    assert_eq!(report.errors(), [("line/invalid-utf8", 2, 0)]);
    assert!(!report.counts.all_read());
}

#[test]
fn cli_blank() {
    let report = case("cli-blank.fen");
    assert_eq!(report.rows.len(), 1);
    assert_eq!(report.rows[0].place.line, Some(4));
    assert_eq!((report.counts.records, report.counts.skipped, report.counts.read), (5, 4, 1));
    assert!(report.counts.all_read());
}

#[test]
fn cli_crlf() {
    let report = case("cli-crlf.fen");
    assert_eq!(report.fens(), [WALL, WALL_EN_PASSANT]);
    assert!(report.counts.all_read());
}

#[test]
fn cli_empty() {
    let report = case("cli-empty.fen");
    assert_eq!((report.rows.len(), report.counts.records), (0, 0));
    assert!(report.counts.all_read());
}

#[test]
fn cli_longline() {
    let text = format!("{}\n{WALL}\n", "8/".repeat(1_500_000));
    let report = scan("long.fen", text);
    assert_eq!(report.errors(), [("line/too-long", 1, 0)]);
    assert_eq!(report.fens(), [WALL]);
    assert_eq!(report.rows[1].place.line, Some(2));
}

#[test]
fn cli_nul() {
    let report = case("cli-nul.fen");
    assert_eq!(report.errors(), [("line/zero-byte", 2, 0)]);
    assert_eq!(report.fens(), [WALL, WALL_EN_PASSANT]);
}

#[test]
fn cli_utf16() {
    let report = case("cli-utf16.fen");
    assert_eq!(report.fens(), [WALL]);
    assert!(report.counts.all_read());
}

// CSV

#[test]
fn csv_noheader() {
    let report = case("csv-noheader.csv");
    assert_eq!(report.fens(), ["7k/8/8/p1p1p1p1/1pPpPpPp/1P1P1P1P/P7/K7 w - - 0 1"]);
    assert_eq!(report.rows[0].place.line, Some(1));
    let mut options = Options::default();
    options.first_move = true;
    assert_eq!(case_with("csv-noheader.csv", options).fens(), [WALL_EN_PASSANT]);
}

#[test]
fn csv_puzzle() {
    let report = case("csv-puzzle.csv");
    assert_eq!(report.fens(), ["7k/8/8/p1p1p1p1/1pPpPpPp/1P1P1P1P/P7/K7 w - - 0 1"]);
    assert_eq!(report.rows[0].place.line, Some(2));
    let mut options = Options::default();
    options.first_move = true;
    assert_eq!(case_with("csv-puzzle.csv", options).fens(), [WALL_EN_PASSANT]);
}

#[test]
fn csv_ragged() {
    let report = case("csv-ragged.csv");
    assert_eq!(report.errors(), [("table/ragged-row", 3, 0), ("table/ragged-row", 4, 0)]);
    assert_eq!(report.fens(), [WALL]);
    let message = report.rows[1].problem.as_ref().unwrap().message();
    assert_eq!(message, "the row has 4 cells, the first one has 3");
}

#[test]
fn csv_semicolon() {
    assert_eq!(case("csv-semicolon.csv").fens(), [WALL]);
    let mut options = Options::default();
    options.column = Some(Column::Name("position".to_owned()));
    options.delimiter = Some(b';');
    let report = case_with("csv-semicolon.csv", options);
    assert_eq!(report.error_codes(), ["table/no-column"]);
    let message = report.rows[0].problem.as_ref().unwrap().message();
    assert_eq!(message, "no column position; the columns are: name, FEN");
    assert_eq!(report.counts.broken_sources, 1);
}

// EPD

#[test]
fn epd_06() {
    let moves: Vec<String> = (0..218).map(|number| format!("Q{}xa{}", number % 8, number % 8)).collect();
    let line = format!("2Q4Q/R4Q2/3Q4/1Q4Q1/4Q3/2Q4K/Q4RNp/3B1Nkq w - - acd 5; bm {};\n", moves.join(" "));
    let report = scan("long.epd", line);
    assert!(report.counts.all_read());
    assert_eq!(report.findings()[0].permanent.map(|proved| proved.dead()), Some(false));
}

#[test]
fn epd_comments() {
    let report = case("epd-comments.epd");
    assert_eq!(report.fens(), [WALL, WALL]);
    assert_eq!(report.rows[0].place.line, Some(3));
    assert_eq!((report.counts.records, report.counts.skipped), (4, 2));
    assert!(report.counts.all_read());
}

#[test]
fn epd_hmvc() {
    let report = case("epd-hmvc.epd");
    assert_eq!(report.fens(), [WALL_EN_PASSANT]);
    let finding = report.findings()[0];
    assert_eq!(finding.one_ply, "position-independence/barrier-pawn-can-capture-en-passant");
}

#[test]
fn epd_is_fen() {
    assert_eq!(case("epd-is-fen.epd").fens(), [WALL]);
}

// FEN

#[test]
fn fen_bom_tabs_nbsp_and_cr() {
    for name in ["fen-bom.fen", "fen-tabs.fen", "fen-nbsp.fen"] {
        assert_eq!(case(name).fens(), [WALL], "{name}");
    }
    assert_eq!(case("fen-cr.fen").fens(), ["knbrqbnr/ppp4p/4ppp1/3p4/4P3/1P4PP/P1PP1P2/RNBQRBNK w - - 0 1"]);
}

#[test]
fn fen_endash() {
    let report = case("fen-endash.fen");
    assert_eq!(report.error_codes(), ["position/unexpected-character"]);
    assert!(report.rows[0].problem.as_ref().unwrap().message().contains("U+2013"));
}

// PGN

#[test]
fn pgn_backtick() {
    let report = case("pgn-backtick.pgn");
    assert_eq!(report.plies(), [2, 1]);
    assert_eq!(report.notice_codes(), ["pgn/text-after-result"]);
    assert!(report.counts.all_read());
}

#[test]
fn pgn_badtag() {
    let report = case("pgn-badtag.pgn");
    assert_eq!(report.plies(), [2, 2]);
    assert_eq!(report.notice_codes(), ["pgn/bad-tag"]);
    assert_eq!(report.counts.games, 2);
    assert!(report.counts.all_read());
}

#[test]
fn pgn_bom() {
    let report = case("pgn-bom.pgn");
    assert_eq!(report.plies(), [2, 1]);
    assert_eq!(report.rows.len(), 5);
    assert!(report.notice_codes().is_empty() && report.counts.all_read());
}

#[test]
fn pgn_crlf() {
    let report = case("pgn-crlf.pgn");
    assert_eq!(report.plies(), [3, 1]);
    assert!(report.counts.all_read());
}

#[test]
fn pgn_escape() {
    let report = case("pgn-escape.pgn");
    assert_eq!(report.plies(), [2]);
    assert_eq!(report.last_fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    assert!(report.counts.all_read());
}

#[test]
fn pgn_fen_cr() {
    let report = case("pgn-fen-cr.pgn");
    assert_eq!(
        report.fens(),
        [
            "knbrqbnr/ppp4p/4ppp1/3p4/4P3/1P4PP/P1PP1P2/RNBQRBNK w - - 0 1",
            "rnbqrbnk/ppp2p2/6pp/3pp3/5P2/1P1P2PP/P1P1P3/KNBRQBNR w - - 0 1",
        ]
    );
    assert_eq!(report.plies(), [0, 0]);
    assert!(report.counts.all_read());
}

#[test]
fn a_bad_fen_tag_never_falls_back_to_the_usual_start() {
    for tag in ["[FEN \"rubbish\"]", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "[FEN rubbish]", "[FEN \"rubbish"]
    {
        let report =
            scan("x.pgn", format!("[Event \"1\"]\n{tag}\n\n1. e4 e5 *\n\n[Event \"2\"]\n\n1. d4 *\n"));
        assert_eq!(report.errors(), [("pgn/bad-fen-tag", 1, 0)], "{tag}");
        assert_eq!(report.plies(), [0, 1], "{tag}");
        assert_eq!(report.rows.len(), 3, "{tag}");
    }
}

#[test]
fn pgn_fen_nosetup() {
    let report = case("pgn-fen-nosetup.pgn");
    assert_eq!(report.fens()[0], WALL);
    assert_eq!(report.plies(), [2]);
    assert!(report.counts.all_read());
}

#[test]
fn pgn_fen_question() {
    let report = case("pgn-fen-question.pgn");
    assert_eq!(report.errors(), [("pgn/no-start-position", 1, 0)]);
    assert_eq!(report.rows.len(), 1);
}

#[test]
fn pgn_fentwice() {
    let report = case("pgn-fentwice.pgn");
    assert_eq!(report.errors(), [("pgn/two-fen-tags", 1, 0)]);
    assert_eq!(report.rows.len(), 1);
}

#[test]
fn pgn_figurine() {
    let report = case("pgn-figurine.pgn");
    assert_eq!(report.plies(), [4]);
    assert_eq!(report.last_fen(), "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1");
    assert_eq!(report.notice_codes(), ["pgn/spelling"]);
}

#[test]
fn pgn_illegal() {
    let report = case("pgn-illegal.pgn");
    assert_eq!(report.errors(), [("pgn/illegal-move", 1, 3)]);
    let problem = report.rows.iter().find_map(|row| row.problem.as_ref()).unwrap();
    assert_eq!(problem.message(), "illegal move Ke3");
    assert_eq!(report.plies(), [2, 1]);
    assert_eq!((report.counts.games, report.counts.failed, report.counts.read), (2, 1, 1));
}

#[test]
fn pgn_latin1() {
    let report = case("pgn-latin1.pgn");
    assert_eq!(report.plies(), [2]);
    assert!(report.counts.all_read());
}

#[test]
fn pgn_noblank() {
    let report = case("pgn-noblank.pgn");
    assert_eq!(report.plies(), [2, 2]);
    assert_eq!(report.last_fen(), "rnbqkbnr/pp1ppppp/8/2p5/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1");
    assert!(report.counts.all_read());
}

#[test]
fn pgn_nul() {
    let report = case("pgn-nul.pgn");
    assert_eq!(report.plies(), [3]);
    assert_eq!(report.notice_codes(), ["pgn/zero-byte"]);
}

#[test]
fn pgn_null() {
    let report = case("pgn-null.pgn");
    assert_eq!(report.plies(), [8, 5]);
    assert_eq!(report.notice_codes(), ["pgn/null-move", "pgn/null-move"]);
    // The turn has passed: it is White who castles, and White who takes on e5.
    assert!(report.fens()[8].ends_with("R1BQ1RK1 w kq - 0 1") || report.fens()[8].contains("RNBQ1RK1 w kq"));
    assert_eq!(report.last_fen(), "rnbqkbnr/pppp1ppp/8/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 1");
}

#[test]
fn pgn_onelinetags() {
    let report = case("pgn-onelinetags.pgn");
    assert_eq!(report.plies(), [3]);
    assert_eq!(report.last_fen(), "8/8/8/2p3K1/1pP5/1P6/4k3/8 w - - 0 1");
    assert!(report.counts.all_read());
}

#[test]
fn pgn_pocket() {
    let report = case("pgn-pocket.pgn");
    assert_eq!(report.errors(), [("pgn/other-variant", 1, 0)]);
    assert_eq!(report.rows.len(), 1);
    // The pocket alone is enough.
    let start = "r4rk1/p2bppbp/6p1/2qpP3/5P2/2NBPQPp/PPP4P/R1B3K1[NNNrp] b - - 39 20";
    let report = scan("x.pgn", format!("[FEN \"{start}\"]\n\n20... Rb8 *\n"));
    assert_eq!(report.error_codes(), ["pgn/other-variant"]);
}

#[test]
fn pgn_results() {
    let report = case("pgn-results.pgn");
    assert_eq!(report.plies(), [4]);
    assert_eq!(report.notice_codes(), ["pgn/moves-after-result"]);
}

#[test]
fn pgn_setup0() {
    let report = case("pgn-setup0.pgn");
    assert_eq!(report.plies(), [2]);
    assert_eq!(report.notice_codes(), ["pgn/setup-zero"]);
    assert_eq!(report.fens()[0], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

#[test]
fn pgn_tagcase() {
    let report = case("pgn-tagcase.pgn");
    assert_eq!(report.plies(), [3]);
    assert_eq!(report.notice_codes(), ["pgn/tag-case", "pgn/tag-case"]);
    let last = report.findings().last().unwrap().fen.parse::<shakmaty::fen::Fen>().unwrap();
    assert_eq!(last.into_setup().turn, Color::Black);
}

#[test]
fn pgn_zeros() {
    let report = case("pgn-zeros.pgn");
    assert_eq!(report.plies(), [3]);
    assert_eq!(report.last_fen(), "R7/8/8/8/3N4/2B5/br6/k4RK1 b - - 0 1");
    assert_eq!(report.notice_codes(), ["pgn/spelling"]);
    assert!(report.counts.all_read());
}

// Compressed input

#[test]
fn gz_concat() {
    let report = case("gz-concat.pgn.gz");
    assert_eq!(report.plies(), [1, 1]);
    assert!(report.counts.all_read());
}

#[test]
fn gz_trailing() {
    let report = case("gz-trailing.pgn.gz");
    assert_eq!(report.plies(), [1]);
    assert_eq!(report.notice_codes(), ["stream/trailing-zeros"]);
    assert!(report.remarks[0].message.contains("trailing garbage"));
    assert!(report.counts.all_read());
}

#[test]
fn gz_trunc() {
    let report = case("gz-trunc.pgn.gz");
    assert_eq!(report.plies(), [1, 1]);
    assert_eq!(report.error_codes(), ["stream/truncated"]);
    assert!(report.rows.last().unwrap().problem.as_ref().unwrap().message().starts_with("truncated gzip"));
    assert_eq!(report.counts.broken_sources, 1);
}

#[test]
fn zst_corrupt2() {
    let report = case("zst-corrupt2.pgn.zst");
    assert_eq!(report.plies()[0], 1);
    assert_eq!(report.error_codes().last(), Some(&"stream/corrupt"));
    assert_eq!(report.counts.broken_sources, 1);
}

#[test]
fn zst_multi() {
    let report = case("zst-multi.pgn.zst");
    assert_eq!(report.plies(), [1, 1]);
    assert!(report.counts.all_read());
}

// What a row says

#[test]
fn a_row_says_all_that_the_layers_say() {
    let report = scan("walls.fen", format!("{WALL}\n"));
    let finding = report.findings()[0];
    let permanent = finding.permanent.unwrap();
    assert_eq!((finding.active_components, finding.one_ply), (2, "accepted"));
    assert_eq!((permanent.components, permanent.frozen.count()), (2, 16));
    assert!(permanent.exact_sum && permanent.dead());
    assert_eq!(finding.digest.unwrap().to_hex(), DIGEST);
    let counts = &report.counts;
    assert_eq!((counts.strict, counts.accepted, counts.persistent, counts.dead), (1, 1, 1, 1));
    assert_eq!((counts.unwinnable_white, counts.unwinnable_black), (1, 1));
}

#[test]
fn a_placement_alone_is_a_board() {
    let report = scan("boards.fen", "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7\n");
    let row = &report.rows[0];
    let finding = row.finding.as_ref().unwrap();
    assert_eq!(finding.fen, "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7");
    assert_eq!(
        finding.digest.unwrap().to_hex(),
        "cf721c7f1fb6fdf02de27735da2a9af56a55518f5c062d9653f41be0f447576e"
    );
    assert!(finding.permanent.is_none() && row.problem.is_none());
    assert_eq!((report.counts.boards, report.counts.positions), (1, 0));
    assert!(report.counts.all_read());
}

#[test]
fn what_claims_to_be_a_position_and_is_none_is_an_error() {
    let report = scan("boards.fen", "P6k/8/8/8/8/8/8/K6p w - - 0 1\n");
    assert_eq!(report.error_codes(), ["board/pawns-on-back-ranks"]);
    assert_eq!(report.counts.failed, 1);
    // Layers 1 and 2 still say what they can about the board.
    assert!(report.rows[0].finding.is_some());
}

#[test]
fn a_format_can_be_forced() {
    let mut options = Options::default();
    options.format = Some(Format::Lines);
    let report = scan_with("x.pgn", "[Event \"?\"]\n", options);
    assert_eq!(report.errors()[0].1, 1);
    assert_eq!(report.counts.failed, 1);
}
