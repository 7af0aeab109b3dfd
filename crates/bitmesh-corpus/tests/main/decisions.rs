//! Decisions of a scan: along games as for each position alone, whatever the number of threads.

use std::num::NonZeroUsize;

use bitmesh::decision::{Decider, Effort, MateLine, Verdict};
use bitmesh::persistent::{PersistentCertificate, check};
use bitmesh_corpus::{Claim, Inputs, JsonLines, Options, Row, Scan};
use shakmaty::{Chess, Color};

use crate::support::scan_with;

/// A game that ends with mate, one in which White keeps a bishop and Black a bare king, one with variations that are
/// passed over, and one that breaks off.
const GAMES: &str = r#"[Event "mate"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "bare"]
[FEN "4k3/8/8/8/8/4p3/4P3/B3K3 w - - 0 1"]

1. Kd1 Kd7 2. Kc2 Kd6 3. Kd3 Kd5 4. Kxe3 Ke6 5. Kd4 Kd6 6. e4 Ke6 7. e5 Ke7 8. Kd5 Kd7 9. e6+ Ke7 10. Bb2 Ke8 11. Kd6 Kd8
12. e7+ Ke8 13. Ba1 Kf7 14. Kd7 Kg8 15. Bb2 Kf7 16. Ba1 Kg6 17. e8=N Kf7 18. Ba1 1/2-1/2

[Event "variations"]

1. e4 (1. d4 d5) e5 2. Nf3 *

[Event "broken"]

1. e4 e5 2. Ke3 d5 *

"#;

fn options() -> Options {
    let mut options = Options::default();
    options.decide = Some(Effort::positions(20_000));
    options.threads = NonZeroUsize::MIN;
    options
}

fn position(row: &Row) -> Option<Chess> {
    let fen = &row.finding.as_ref()?.fen;
    match bitmesh::read_position(fen).unwrap().input {
        bitmesh::Input::Position(position) => Some(position.into_chess()),
        bitmesh::Input::Board(_) => None,
    }
}

#[test]
fn positions_of_games_are_decided_as_each_alone() {
    let report = scan_with("games.pgn", GAMES, options());
    let mut decider = Decider::new(Effort::positions(20_000));
    let mut seen = [0; 2];
    for row in &report.rows {
        let Some(position) = position(row) else {
            assert_eq!(row.decided, None);
            continue;
        };
        let decided = row.decided.unwrap();
        for color in Color::ALL {
            let (along, alone) = (*decided.get(color), decider.verdict(&position, color));
            assert_eq!(along.word(), alone.word(), "{row:?}");
            seen[usize::from(along == Verdict::Unwinnable)] += 1;
        }
    }
    assert!(seen[0] > 30 && seen[1] > 5, "{seen:?}");
    // White's mate ends the first game: the lines count down to it.
    let plies: Vec<_> =
        report.rows[..8].iter().map(|row| row.decided.unwrap().white.plies().unwrap()).collect();
    assert_eq!(plies, [7, 6, 5, 4, 3, 2, 1, 0]);
    // An illegal move is a row where it stands, after the positions before it.
    assert_eq!(report.rows.last().unwrap().problem.as_ref().unwrap().code(), "pgn/illegal-move");
}

#[test]
fn threads_change_nothing() {
    let text = GAMES.repeat(40);
    let alone = scan_with("games.pgn", text.clone(), options());
    let mut options = options();
    options.threads = NonZeroUsize::new(4).unwrap();
    let together = scan_with("games.pgn", text, options);
    assert_eq!(alone.rows, together.rows);
    assert_eq!(alone.counts, together.counts);
}

#[test]
fn lines_are_decided_one_by_one_and_boards_are_not() {
    let text = "7k/R7/6K1/8/8/8/8/8 w - - 0 1\n8/8/8/8/8/8/8/8 w - - 0 1\n8/8/4k3/8/8/3K4/8/6N1 w - - 0 1\n";
    let report = scan_with("lines.fen", text, options());
    let decided: Vec<_> = report.rows.iter().map(|row| row.decided).collect();
    let first = decided[0].unwrap();
    assert_eq!((first.white, first.black), (Verdict::Winnable { plies: 1 }, Verdict::Unwinnable));
    assert_eq!(decided[1], None);
    assert_eq!(decided[2].unwrap().white, Verdict::Unwinnable);
    assert_eq!((report.counts.winnable, report.counts.flag_draw, report.counts.undecided), (1, 2, 0));
}

#[test]
fn only_knows_the_claims_of_decisions() {
    let text =
        "7k/R7/6K1/8/8/8/8/8 w - - 0 1\n7k/R7/6K1/8/8/8/8/8 b - - 0 1\n8/8/4k3/8/8/3K4/8/6N1 w - - 0 1\n";
    let rows = |claim, effort| {
        let mut options = options();
        options.only = Some([claim].into_iter().collect());
        options.decide = Some(Effort::positions(effort));
        let rows = scan_with("lines.fen", text, options).rows;
        rows.iter().map(|row| row.place.line.unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(rows(Claim::Winnable, 1_000), [1, 2]);
    // Black never mates: if White's flag falls, with White to move, the game is drawn.
    assert_eq!(rows(Claim::FlagDraw, 1_000), [1, 3]);
    assert_eq!(rows(Claim::Dead, 1_000), [3]);
    assert!(rows(Claim::Undecided, 1_000).is_empty());
    assert_eq!(rows(Claim::Undecided, 0), [1, 2]);
}

#[test]
fn rows_have_the_columns_of_decisions_where_they_are_asked_for() {
    let mut options = options();
    options.extra.decisions = true;
    options.extra.offset = true;
    options.extra.tags = vec!["Event".to_owned()];
    let mut inputs = Inputs::new();
    inputs.add_reader("games.pgn", Box::new(GAMES.as_bytes()));
    let mut text = Vec::new();
    for block in Scan::start(inputs, options, JsonLines::new).unwrap() {
        text.extend(block.unwrap().rows);
    }
    let rows: Vec<serde_json::Value> =
        String::from_utf8(text).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = &rows[0];
    assert_eq!((&first["Event"], &first["offset"]), (&"mate".into(), &0.into()));
    assert_eq!((&first["decided_white"], &first["mate_plies_white"]), (&"winnable".into(), &7.into()));
    let bare = rows.iter().rfind(|row| row["decided_black"] == "unwinnable").unwrap();
    assert_eq!((&bare["Event"], &bare["mate_plies_black"]), (&"bare".into(), &serde_json::Value::Null));
    let error = rows.last().unwrap();
    assert_eq!(error["error_code"], "pgn/illegal-move");
    assert_eq!(error["decided_white"], serde_json::Value::Null);
}

#[test]
fn duplicates_break_games_into_single_positions() {
    let mut options = options();
    options.unique = true;
    let report = scan_with("games.pgn", GAMES, options);
    let mut decider = Decider::new(Effort::positions(20_000));
    for row in &report.rows {
        if let Some(position) = position(row) {
            for color in Color::ALL {
                assert_eq!(*row.decided.unwrap().get(color), decider.verdict(&position, color));
            }
        }
    }
}

#[test]
fn the_evidence_of_every_decision_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options();
    options.certificates = Some(folder.path().to_owned());
    let report = scan_with("games.pgn", GAMES.split_inclusive("1-0\n\n").next().unwrap(), options.clone());
    let bare = scan_with("bare.fen", "8/8/4k3/8/8/3K4/8/6N1 w - - 0 1\n", options);
    let mut kept = 0;
    for row in report.rows.iter().chain(&bare.rows) {
        let position = position(row).unwrap();
        let digest = row.finding.as_ref().unwrap().position_digest.unwrap();
        for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
            let read = |kind| std::fs::read(folder.path().join(format!("{digest}-{name}.{kind}")));
            match *row.decided.unwrap().get(color) {
                Verdict::Winnable { plies } => {
                    let line = MateLine::decode(&read("bmmate").unwrap()).unwrap();
                    assert_eq!((line.position(), line.winner(), line.plies()), (&position, color, plies));
                }
                Verdict::Unwinnable => {
                    let certificate = PersistentCertificate::decode(&read("bmpersist").unwrap()).unwrap();
                    assert_eq!(certificate.position(), &position);
                    assert!(check(&certificate).unwrap().unwinnable.get(color));
                }
                Verdict::Undecided { .. } => panic!("{row:?}"),
            }
            kept += 1;
        }
    }
    assert_eq!(kept, 2 * 9);
}
