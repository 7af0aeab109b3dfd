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
    let said: Vec<_> =
        rows.iter().map(|row| (row["tags"]["Round"].as_str(), row["finding"].as_str())).collect();
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
        "audited: 3 games; flag-fall-should-be-draw 1, mate-claimed-but-not 1, played-on-when-dead 1",
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
