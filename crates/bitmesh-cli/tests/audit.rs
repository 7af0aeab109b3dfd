//! `bitmesh audit`, as an arbiter runs it.

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/audit/games.pgn");

fn rows(arguments: &[&str]) -> Vec<Value> {
    let output = Command::cargo_bin("bitmesh").unwrap().arg("audit").args(arguments).assert().code(0);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_game_of_the_example_has_its_finding() {
    let rows = rows(&[GAMES, "--tags", "Round"]);
    let said: Vec<_> = rows.iter().map(|row| (row["Round"].as_str(), row["finding"].as_str())).collect();
    assert_eq!(
        said,
        [
            (Some("1"), Some("flag-fall-should-be-draw")),
            (Some("2"), Some("played-on-when-dead")),
            (Some("3"), Some("mate-claimed-but-not")),
        ]
    );
    assert_eq!(rows[0]["schema"], "bitmesh.audit.v1");
    assert_eq!(
        (&rows[0]["decided_white"], &rows[0]["unwinnable_white_since"]),
        (&"unwinnable".into(), &0.into())
    );
    // A knight is left after the first ply, and four more were played.
    assert_eq!((&rows[1]["dead_since"], &rows[1]["plies_after_dead"]), (&1.into(), &4.into()));
    assert_eq!(rows[2]["dead_since"], Value::Null);
}

#[test]
fn the_summary_counts_the_findings() {
    Command::cargo_bin("bitmesh").unwrap().args(["audit", GAMES]).assert().code(0).stderr(contains(
        "audited: 3 games, flag-fall-should-be-draw 1, mate-claimed-but-not 1, played-on-when-dead 1",
    ));
}

#[test]
fn a_game_that_breaks_off_has_an_error_and_no_finding() {
    let broken = "[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n1. e4 e5 2. Ke3 1-0\n\n[Result \"*\"]\n\n1. e4 *\n";
    let output =
        Command::cargo_bin("bitmesh").unwrap().args(["audit", "-"]).write_stdin(broken).assert().code(2);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows[0]["error_code"], "pgn/illegal-move");
    assert_eq!((&rows[0]["finding"], &rows[1]["finding"]), (&Value::Null, &"fine".into()));
}

#[test]
fn the_rows_can_be_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let audit = |name: &str| {
        Command::cargo_bin("bitmesh")
            .unwrap()
            .args(["audit", GAMES, "--tags", "Event", "-o", &path(name)])
            .assert()
    };
    audit("audit.csv").code(0);
    let table = std::fs::read_to_string(path("audit.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("source,game,plies,result,termination,ended_by,decided_white,"), "{table}");
    assert!(lines[1].ends_with(",flag-fall-should-be-draw,,,A flag falls against a bare king"), "{table}");

    audit("audit.parquet").code(0);
    let bytes = std::fs::read(path("audit.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    audit("audit.jsonl").code(0);
    assert_eq!(std::fs::read_to_string(path("audit.jsonl")).unwrap().lines().count(), 3);
    audit("audit.txt").code(2);
    let twice = ["audit", GAMES, "--tags", "finding"];
    Command::cargo_bin("bitmesh").unwrap().args(twice).assert().code(2).stderr(contains("the name finding"));
}

#[test]
fn mate_on_the_board_comes_before_any_flag() {
    let mated = "[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n";
    let output =
        Command::cargo_bin("bitmesh").unwrap().args(["audit", "-"]).write_stdin(mated).assert().code(0);
    let row: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!((&row["ended_by"], &row["finding"]), (&"time".into(), &"fine".into()));
    assert_eq!(row["decided_white"], "unwinnable");
}
