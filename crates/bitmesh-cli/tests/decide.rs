//! `bitmesh decide`, as a user runs it.

use assert_cmd::Command;
use bitmesh::decision::MateLine;
use bitmesh::persistent::{PersistentCertificate, check};
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, starts_with};
use serde_json::Value;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
/// White has a bishop, Black a pawn: White needs it as a blocker.
const BISHOP: &str = "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1";

fn bitmesh(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("bitmesh").unwrap().args(arguments).assert()
}

fn answered(arguments: &[&str], input: &str) -> assert_cmd::assert::Assert {
    Command::cargo_bin("bitmesh").unwrap().args(arguments).write_stdin(input).assert()
}

#[test]
fn each_side_has_its_answer_and_its_line() {
    bitmesh(&["decide", BISHOP])
        .code(0)
        .stdout(starts_with("winnable white  mate after "))
        .stdout(contains(" plies, if both sides help: 1. "))
        .stdout(contains("#\nwinnable black  mate after "))
        .stdout(contains(format!("\nposition    {BISHOP}\n")));
    bitmesh(&["decide", "7k/R7/6K1/8/8/8/8/8 w - - 0 42"])
        .code(0)
        .stdout(starts_with("winnable white  mate after 1 ply, if both sides help: 42. Ra8#\n"))
        .stdout(contains("\nunwinnable black  no series of legal moves ends in mate by Black\n"))
        .stdout(contains(
            "\nflag        if White's flag falls, the game is drawn (FIDE Laws, article 6.9)\n",
        ));
}

#[test]
fn a_dead_position_is_said_to_be_one() {
    bitmesh(&["decide", WALL])
        .code(0)
        .stdout(starts_with("unwinnable white  "))
        .stdout(contains("\nunwinnable black  "))
        .stdout(contains("\ndead        neither side can ever give mate: the game is over"));
}

#[test]
fn undecided_is_an_exit_code_and_no_claim() {
    bitmesh(&["decide", "--for", "white", "--effort", "1", START])
        .code(1)
        .stdout(starts_with("undecided white  neither shown within 1 positions; this claims nothing\n"));
}

#[test]
fn a_mate_on_the_board_has_a_line_without_moves() {
    bitmesh(&["decide", "--for", "black", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"])
        .code(0)
        .stdout(starts_with("winnable black  Black has given mate\n"));
}

#[test]
fn the_evidence_can_be_kept_as_bytes_or_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();

    bitmesh(&["decide", "--for", "white", "--out", &path("line.bmmate"), START]).code(0);
    let line = MateLine::decode(&std::fs::read(path("line.bmmate")).unwrap()).unwrap();
    assert!(line.plies() > 0);
    bitmesh(&["verify", &path("line.bmmate")])
        .code(0)
        .stdout(starts_with("verified"))
        .stdout(contains("every move is legal, and the last one gives mate"));
    let mut edited = line.canonical_payload();
    edited.truncate(edited.len() - 2);
    std::fs::write(path("edited.bmmate"), edited).unwrap();
    bitmesh(&["verify", &path("edited.bmmate")]).code(1).stdout(starts_with("refused"));
    bitmesh(&["decide", "--for", "white", "--out", &path("line.json"), START]).code(0);
    bitmesh(&["verify", &path("line.json")]).code(0).stdout(starts_with("verified"));
    let text = std::fs::read_to_string(path("line.json")).unwrap();
    assert_eq!(serde_json::from_str::<MateLine>(&text).unwrap(), line);

    bitmesh(&["decide", "--for", "black", "-o", &path("wall.bmpersist"), WALL]).code(0);
    let bytes = std::fs::read(path("wall.bmpersist")).unwrap();
    assert!(check(&PersistentCertificate::decode(&bytes).unwrap()).unwrap().unwinnable.black);

    bitmesh(&["decide", "--for", "black", "--effort", "0", "-o", &path("none"), START]).code(1);
    assert!(!std::path::Path::new(&path("none")).exists());
    // Two sides have two pieces of evidence.
    bitmesh(&["decide", "--out", &path("both"), START]).code(2);
}

#[test]
fn lines_are_answered_one_after_the_other() {
    let input = format!("# a wall\n{WALL}\nnonsense\n{BISHOP}\n");
    let output = answered(&["decide", "--json", "-"], &input)
        .code(2)
        .stderr(contains("line 3: "))
        .get_output()
        .clone();
    let documents: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(documents.len(), 2);
    assert_eq!(documents[0]["schema"], "bitmesh.decide.v1");
    let [white, black] = [&documents[0]["decisions"][0], &documents[1]["decisions"][1]];
    assert_eq!((&white["for"], &white["verdict"]), (&"white".into(), &"unwinnable".into()));
    assert_eq!(white["plies"], Value::Null);
    let certificate: PersistentCertificate = serde_json::from_str(&white["evidence"].to_string()).unwrap();
    assert!(check(&certificate).unwrap().unwinnable.white);
    assert_eq!((&black["for"], &black["verdict"]), (&"black".into(), &"winnable".into()));
    let line: MateLine = serde_json::from_str(&black["evidence"].to_string()).unwrap();
    assert_eq!(black["plies"], line.plies());
}

#[test]
fn a_board_that_is_no_position_is_refused() {
    bitmesh(&["decide", "8/8/8/8/8/8/8/8 w - - 0 1"])
        .code(2)
        .stderr(contains("a decision needs a legal position: "));
}

#[test]
fn a_game_that_is_over_says_so_and_nothing_of_flags() {
    bitmesh(&["decide", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
        .code(0)
        .stdout(contains(
            "\nover        mate: the game is over, whatever a flag does (FIDE Laws, article 5.1.1)\n",
        ))
        .stdout(contains("6.9").not());
    bitmesh(&["decide", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])
        .code(0)
        .stdout(contains("\nover        stalemate: the game is drawn (FIDE Laws, article 5.2.1)\n"))
        .stdout(contains("5.2.2").not());
}

#[test]
fn each_game_of_standard_input_has_one_answer() {
    let games = "[Event \"1\"]\n\n1. f3 e5 2. g4 *\n\n[Event \"2\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                 [Event \"3\"]\n[FEN \"8/8/4k3/8/4p3/2N5/8/4K3 w - - 0 1\"]\n\n1. Nxe4 {[} (1. Kd2 Kd6) Ke5 *\n";
    answered(&["decide", "-"], games)
        .code(2)
        .stdout(starts_with("game        1, its last position\nwinnable white  "))
        // The next move is the second one of Black.
        .stdout(contains("if both sides help: 2... Qh4#\n"))
        .stdout(contains("\ngame        3, its last position\nunwinnable white  "))
        .stdout(contains("\nposition    8/8/8/4k3/4N3/8/8/4K3 w - - 0 1\n"))
        .stderr(contains("error: standard input, game 2, ply 3: illegal move Ke3"));
    let json = answered(&["decide", "--for", "black", "--json", "-"], games).code(2);
    let text = String::from_utf8(json.get_output().stdout.clone()).unwrap();
    let documents: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(documents.len(), 2);
    assert!(documents.iter().all(|document| document["schema"] == "bitmesh.decide.v1"));
    answered(&["decide", "-"], "1. e4 e5 *\n").code(0).stdout(contains("position    rnbqkbnr/pppp1ppp/"));
}

#[test]
fn games_and_positions_in_one_stream_are_told_apart_by_their_lines() {
    let wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
    // The first line says that all are positions.
    answered(&["decide", "-"], &format!("{wall}\n[Event \"1\"]\n\n1. e4 e5 *\n{{\"fen\":\"{wall}\"}}\n"))
        .code(2)
        .stdout(starts_with("unwinnable white  "))
        .stderr(contains("standard input, line 2: this looks like a game (PGN), not a position (FEN): "))
        .stderr(contains("standard input, line 4: this looks like a game (PGN), not a position (FEN): "))
        .stderr(contains("standard input, line 5: this looks like a JSON object, not a position (FEN): "));
    // The first line says that all are games.
    answered(
        &["decide", "-"],
        &format!("[Event \"1\"]\n\n1. e4 e5 *\n\n{wall}\n\n[Event \"2\"]\n\n1. e4 *\n"),
    )
    .code(2)
    .stdout(contains("game        2, its last position"))
    .stderr(contains(
        "standard input, game 1, ply 3: a position (FEN) in line 5 where a move is expected: 7k/8/",
    ));
    answered(&["decide", "-"], "\u{feff}[Event \"1\"]\n\n1. e4 e5 *\n")
        .code(0)
        .stdout(contains("1, its last"));
    for command in ["prove", "certify"] {
        answered(&[command, "-"], "1. e4 e5 *\n")
            .code(2)
            .stderr(contains("line 1: this looks like a game (PGN)"));
    }
}

#[test]
fn standard_input_that_holds_nothing_is_an_error() {
    for command in ["decide", "prove", "certify"] {
        for input in ["", "\n\n", "# a comment\n\n"] {
            answered(&[command, "-"], input)
                .code(2)
                .stdout("")
                .stderr("bitmesh: error: standard input holds nothing to read\n");
        }
    }
}
