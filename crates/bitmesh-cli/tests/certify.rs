//! `bitmesh certify`, as a user runs it.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, starts_with};
use serde_json::Value;

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const WALL_EN_PASSANT: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";

fn bitmesh() -> Command {
    let mut command = Command::cargo_bin("bitmesh").unwrap();
    command.env_remove("NO_COLOR");
    command
}

fn certify(fen: &str) -> Command {
    let mut command = bitmesh();
    command.args(["certify", "--", fen]);
    command
}

fn json(fen: &str) -> Value {
    let output = bitmesh().args(["certify", "--json", fen]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn accepts_the_wall_with_both_digests() {
    certify(WALL)
        .assert()
        .code(0)
        .stdout(starts_with("accepted  2 regions"))
        .stdout(contains("4  #P# #p# #P# #p# #P# #p# #P# #p#\n"))
        .stdout(contains(
            "position digest   89a8a8bbbf2228493c063dbffb0c1ab33a2fbe939cabbe48ea054040ef64e0f8",
        ))
        .stdout(contains(
            "structural digest 7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf (shared",
        ))
        .stdout(contains("\u{1b}[").not())
        .stderr("");
}

#[test]
fn refuses_the_wall_that_en_passant_breaks() {
    certify(WALL_EN_PASSANT)
        .assert()
        .code(1)
        .stdout(starts_with(
            "refused  2 regions, but not independent: barrier pawn on b4 can capture en passant on a3",
        ))
        .stdout(contains("not claimed       bitmesh:position_independence:v1"));
}

#[test]
fn digests_tell_positions_apart_that_share_a_structure() {
    let (wall, en_passant) = (json(WALL), json(WALL_EN_PASSANT));
    assert_eq!(wall["structural_digest"], en_passant["structural_digest"]);
    assert_ne!(wall["position_digest"], en_passant["position_digest"]);
    let knight = json("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6N w - - 0 1");
    let bishop = json("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6B w - - 0 1");
    assert_eq!(knight["structural_digest"], bishop["structural_digest"]);
    assert_ne!(knight["position_digest"], bishop["position_digest"]);
}

#[test]
fn a_placement_alone_makes_the_claim_about_boards() {
    certify("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7")
        .assert()
        .code(0)
        .stdout(contains("board             7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7\n"))
        .stdout(contains("not a position    side to move not given"))
        .stdout(contains("claim             bitmesh:conservative_legal_independence:v0"));
}

#[test]
fn rejects_the_start_position() {
    certify("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        .assert()
        .code(1)
        .stdout(starts_with("rejected  no pawn is locked"));
}

#[test]
fn explains_every_violation_and_every_tolerance() {
    bitmesh()
        .args(["certify", "--explain", "4k3/8/44/p1p1p1p1/PpPpPpPp/1P1P1P1B/6K1/5B2 w - -"])
        .assert()
        .code(1)
        .stdout(contains("  - barrier pawn on h4 is not frozen"))
        .stdout(contains("[independence/barrier-pawn-not-frozen]"))
        .stdout(contains("[note/split-number]"))
        .stdout(contains("[note/counter-missing]"));
}

#[test]
fn names_what_is_wrong_with_an_input() {
    for (fen, message) in [
        ("", "nothing to read"),
        ("8/8/8 w - - 0 1", "3 ranks"),
        ("nbqkbnr/pp1ppppp/8/2p5/4PP2/8/PPPP2PP/RNBQKBNR b KQkq - 0 2", "rank 8 has 7 files"),
        ("8/8/8/8/8/5kK1/8/8 w - - 0 1", "in check"),
    ] {
        certify(fen).assert().code(2).stdout("").stderr(contains(message));
    }
}

#[test]
fn a_document_has_everything() {
    let document = json(WALL);
    assert_eq!(document["schema"], "bitmesh.certify.v1");
    assert_eq!(document["verdict"], "accepted");
    assert_eq!(document["context"], "bitmesh:fen:v1");
    assert_eq!(document["certificate"]["schema"], "bitmesh.decomposition.v1");
    assert_eq!(document["certificate"]["components"][0]["active_mask"][0], "a1");
    assert_eq!(document["one_ply"], "accepted");
    let certificate: bitmesh::DecompositionCertificate =
        serde_json::from_value(document["certificate"].clone()).unwrap();
    assert_eq!(certificate.digest().unwrap().to_hex(), document["structural_digest"]);
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    bitmesh().args(["certify", "--color", "always", WALL]).assert().stdout(contains("\u{1b}["));
    bitmesh().args(["certify", "--color", "never", WALL]).assert().stdout(contains("\u{1b}[").not());
}

#[test]
fn usage_errors_exit_with_two() {
    bitmesh().arg("certify").assert().code(2).stderr(contains("<FEN>"));
    bitmesh().args(["certify", "--no-such-option"]).assert().code(2);
    bitmesh().arg("--help").assert().code(0).stdout(contains("certify"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = std::process::Command::new(assert_cmd::cargo::cargo_bin("bitmesh"))
        .args(["certify", WALL])
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(status.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&status.stderr).contains("No space left"));
}
