//! Collections that people have, one test for each: `tests/cases/round2`, with what is right in `round2.tsv`.

use bitmesh_corpus::Options;

use crate::support::{Report, case, case_with, scan, scan_with};

fn round2(name: &str) -> Report {
    case(&format!("round2/{name}"))
}

/// Positions and errors of every file are what the table says.
#[test]
fn every_file_gives_what_is_right() {
    let table = include_str!("../cases/round2/round2.tsv");
    let mut checked = 0;
    for line in table.lines().skip(1) {
        let [name, positions, errors, right] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        if name.ends_with(".parquet") && !cfg!(feature = "parquet") {
            continue;
        }
        let report = round2(name);
        let good = report.rows.iter().filter(|row| row.problem.is_none()).count();
        match positions {
            "*" => assert!(good > 0, "{name}: {right}"),
            _ => assert_eq!(good.to_string(), positions, "{name}: {right}; {:?}", report.errors()),
        }
        assert_eq!((report.rows.len() - good).to_string(), errors, "{name}: {right}; {:?}", report.errors());
        assert_eq!(report.counts.boards, 0, "{name}");
        checked += 1;
    }
    assert!(checked >= 20);
}

fn notices(report: &Report) -> Vec<&'static str> {
    let mut codes = report.notice_codes();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn an_open_quote_costs_its_line_only() {
    let report = round2("unclosed-quote.csv");
    assert_eq!(report.errors(), [("table/open-quote", 9, 0)]);
    let lines: Vec<u64> = report.rows.iter().filter_map(|row| row.place.line).collect();
    assert_eq!(lines, (2..=41).collect::<Vec<_>>());
    assert_eq!(round2("tsv-quote.tsv").errors(), [("table/open-quote", 2, 0)]);
}

#[test]
fn text_after_a_position_is_noted() {
    for name in ["bracket-wdl.epd", "gameid.txt"] {
        assert_eq!(notices(&round2(name)), ["note/text-after"], "{name}");
    }
    assert!(round2("silent-loss.epd").notice_codes().contains(&"note/operation"));
    assert_eq!(notices(&round2("nul-line-end.epd")), ["line/zero-byte-at-end"]);
    assert_eq!(notices(&round2("cr-only.pgn")), ["text/line-ends"]);
    assert_eq!(notices(&round2("uci.pgn")), ["pgn/uci-moves"]);
    assert_eq!(notices(&round2("other-name.csv")), ["table/column-found"]);
    assert_eq!(notices(&round2("split-columns.csv")), ["table/columns-joined"]);
}

#[test]
fn comments_and_end_marks_are_named_parts() {
    let counts = round2("comment-then-perft.epd").counts;
    assert_eq!((counts.records, counts.read, counts.skipped), (4, 2, 2));
    assert_eq!(counts.bytes_skipped["comment"], 38);
    let counts = round2("ctrl-z.fen").counts;
    assert_eq!(counts.bytes_skipped["end mark"], 1);
    assert_eq!(counts.records, 1);
}

#[test]
fn a_game_at_odds_is_read_where_that_is_asked_for() {
    assert_eq!(round2("odds-castling.fen").error_codes(), ["position/castling-without-rook"]);
    let mut options = Options::default();
    options.odds_castling = true;
    let report = case_with("round2/odds-castling.fen", options);
    assert_eq!(report.fens(), ["rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/1NBQKBNR w Kkq - 0 1"]);
    assert_eq!(notices(&report), ["note/castling-dropped"]);
}

#[test]
fn only_other_rules_are_refused() {
    let report = round2("variants.pgn");
    assert_eq!(report.error_codes(), ["pgn/other-variant"; 3]);
    let messages: Vec<&str> =
        report.rows.iter().filter_map(|row| Some(row.problem.as_ref()?.message())).collect();
    for (message, name) in messages.iter().zip(["wild/5", "nocastle", "Shuffle Chess"]) {
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn games_in_a_column_are_games() {
    let table = "id,movetext\n1,1. e4 e5 *\n2,\"1. d4 { a, b }\n1... d5 *\"\n3,1. e9\n";
    let report = scan("games.csv", table);
    let places: Vec<_> =
        report.rows.iter().map(|row| (row.place.line, row.place.game, row.place.ply)).collect();
    let at = |line, game, ply| (Some(line), Some(game), Some(ply));
    assert_eq!(
        places,
        [at(2, 1, 0), at(2, 1, 1), at(2, 1, 2), at(3, 2, 0), at(3, 2, 1), at(3, 2, 2), at(5, 3, 1)]
    );
    assert_eq!(report.errors(), [("pgn/unreadable-move", 5, 1)]);
    assert_eq!(report.counts.games, 3);
    assert_eq!(scan("x.csv", "id,moves\n1,e4 e5 Nf3\n").counts.positions, 4);
    assert_eq!(scan("x.csv", "id,moves\n1,e2e4 e7e5\n").counts.positions, 3);
}

#[test]
fn lines_of_the_uci_protocol_are_read() {
    let text = "position startpos moves e2e4 e7e5\nposition fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4\n\
                position startpos\nposition startpos moves e2e5\n";
    let report = scan("-", text);
    assert_eq!(report.fens()[1], "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    assert_eq!(report.errors(), [("line/illegal-move", 4, 0)]);
    assert_eq!(report.counts.positions, 3);
}

#[test]
fn blocks_of_a_trainer_are_one_position_each() {
    let block = |fen: &str| format!("fen {fen}\nmove a1b1\nscore 0\nply 3\nresult 0\ne\n");
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let text = [block(good), block("nonsense"), "score 3\ne\n".to_owned(), block(good)].concat();
    let report = scan("x.plain", text.clone());
    assert_eq!(
        report.errors().iter().map(|error| (error.0, error.1)).collect::<Vec<_>>(),
        [("position/unexpected-character", 7), ("plain/no-fen", 13)]
    );
    assert_eq!(report.counts.positions, 2);
    assert_eq!(report.counts.records, 4);
    // Without its end, a block is read all the same.
    let report = scan("x.plain", format!("fen {good}\nmove e2e4\nfen {good}\nscore 1\n"));
    assert_eq!((report.counts.positions, report.notice_codes().len()), (2, 2));
    // Nothing changes where portions end.
    let many = block(good).repeat(5000);
    assert_eq!(scan("x.plain", many).counts.records, 5000);
}

#[test]
fn objects_are_read_line_by_line() {
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let lines = [
        format!("{{\"id\":1,\"fen\":\"{good}\"}}"),
        format!("{{\"position\":\"{good}\"}}"),
        "{\"fen\":3}".to_owned(),
        "{\"fen\":".to_owned(),
        "{\"id\":1}".to_owned(),
        format!("{{\"fen\":\"{good}\",\"fen\":\"{good}\"}}"),
        format!("{{\"FEN\":\"{}\"}}", good.replace('/', "\\/")),
        "{\"moves\":\"e4 e5\"}".to_owned(),
        String::new(),
        "[1]".to_owned(),
    ];
    let report = scan("x.jsonl", lines.join("\n"));
    let codes = ["json/no-text", "json/syntax", "json/no-fen", "json/repeated-key", "json/syntax"];
    assert_eq!(report.error_codes(), codes);
    assert_eq!(report.counts.positions, 3 + 3);
    assert_eq!(report.counts.skipped, 1);
    let mut options = Options::default();
    options.column = Some("position".parse().unwrap());
    assert_eq!(scan_with("x.jsonl", lines[..2].join("\n"), options).error_codes(), ["json/no-fen"]);
}

#[test]
fn carriage_returns_alone_end_lines() {
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for text in
        [format!("{good}\r{good}\r"), format!("{good}\r{good}\r\n{good}"), format!("{good}\n{good}\r{good}")]
    {
        let expected = text.matches('4').count() / good.matches('4').count();
        let report = scan("x.fen", text.clone());
        assert_eq!(report.counts.positions, expected as u64, "{text:?}");
        assert!(report.errors().is_empty());
        assert_eq!(report.counts.bytes, text.len() as u64);
    }
    assert_eq!(scan("x.csv", format!("id,fen\r1,{good}\r2,{good}\r")).rows[1].place.line, Some(3));
    // Lines that zero bytes end, and a zero byte inside a line.
    assert_eq!(scan("x.fen", format!("{good}\0{good}\0")).counts.positions, 2);
    assert_eq!(scan("x.fen", format!("{good}\0x\n{good}\n")).error_codes(), ["line/zero-byte"]);
}

#[test]
fn variations_that_are_too_deep_are_noted() {
    let depth = 300;
    let game = format!("1. e4 {}{}*\n", "(1. d4 ".repeat(depth), ") ".repeat(depth));
    let mut options = Options::default();
    options.variations = true;
    let report = scan_with("x.pgn", game, options);
    assert_eq!(report.notice_codes(), ["pgn/variation-too-deep"]);
    assert_eq!(report.counts.positions, 2 + 256);
}

#[test]
fn notes_about_the_start_of_a_game_are_told() {
    let game = "[FEN \"rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 junk\"]\n\n1. e4 *\n";
    let report = scan("x.pgn", game);
    assert_eq!(report.notice_codes(), ["note/split-number", "note/text-after"]);
    assert_eq!(report.counts.positions, 2);
}

#[test]
fn a_null_move_of_engines_is_no_move_number() {
    let report = scan("x.pgn", "1. e2e4 0000 2. d2d4 *\n");
    assert_eq!(report.plies(), [3]);
    assert_eq!(report.last_fen(), "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 1");
    assert!(report.notice_codes().contains(&"pgn/null-move"));
}

/// What no analysis of one position shows, and an expansion does: with `--only` too, and the certificate is kept.
#[test]
fn an_expansion_proves_more() {
    let lines = "k1K5/P7/8/8/8/8/8/8 b - - 0 1\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::default();
    options.only = Some([bitmesh_corpus::Claim::Dead].into_iter().collect());
    options.certificates = Some(folder.path().to_owned());
    assert_eq!(scan_with("x.fen", lines, options.clone()).counts.dead, 0);
    options.positions = Some(bitmesh::persistent::Bound::nodes(100));
    let report = scan_with("x.fen", lines, options);
    assert_eq!((report.counts.dead, report.counts.rows, report.counts.filtered), (1, 1, 1));
    let digest = report.findings()[0].position_digest.unwrap();
    let kept = std::fs::read(folder.path().join(format!("{digest}.bmpersist"))).unwrap();
    let certificate = bitmesh::persistent::PersistentCertificate::decode(&kept).unwrap();
    let conclusions = bitmesh::persistent::check(&certificate).unwrap();
    assert!(conclusions.unwinnable.white && conclusions.unwinnable.black);
}
