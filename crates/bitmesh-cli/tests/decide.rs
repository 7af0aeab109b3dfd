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
        .stdout(starts_with("winnable white  game 1, ply 3: mate after "))
        // The next move is the second one of Black.
        .stdout(contains(
            "\nwinnable black  game 1, ply 3: mate after 1 ply, if both sides help: 2... Qh4#\n",
        ))
        .stdout(contains("\nunwinnable white  game 3, ply 2: no series"))
        .stdout(contains("\nposition    8/8/8/4k3/4N3/8/8/4K3 w - - 0 1\n"))
        .stderr(contains("error: standard input, game 2, ply 3: illegal move Ke3"));
    let json = answered(&["decide", "--for", "black", "--json", "-"], games).code(2);
    let text = String::from_utf8(json.get_output().stdout.clone()).unwrap();
    let documents: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(documents.len(), 2);
    assert!(documents.iter().all(|document| document["schema"] == "bitmesh.decide.v1"));
    answered(&["decide", "-"], "1. e4 e5 *\n").code(0).stdout(contains("position    rnbqkbnr/pppp1ppp/"));
}

/// The places of answers and errors, in their order, with the first letter of what is said of White.
fn places(input: &[u8]) -> Vec<String> {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("bitmesh"));
    // Answers and errors in one file, in the order in which they are given.
    let mut both = tempfile::tempfile().unwrap();
    let mut child = command
        .args(["decide", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(both.try_clone().unwrap())
        .stderr(both.try_clone().unwrap())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input).unwrap();
    child.wait().unwrap();
    let mut said = String::new();
    std::io::Seek::rewind(&mut both).unwrap();
    std::io::Read::read_to_string(&mut both, &mut said).unwrap();
    let places = said.lines().filter_map(|line| {
        let (word, rest) = line
            .split_once(" white  ")
            .or_else(|| Some(("error", line.strip_prefix("bitmesh: error: standard input, ")?)))?;
        let (place, _) = rest.split_once(": ")?;
        Some(format!("{word} {place}"))
    });
    places.collect()
}

#[test]
fn every_line_and_game_of_a_mixed_stream_has_its_answer_in_order() {
    let mate = "[Event \"m\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let (wall, mated, second) = ("unwinnable line", "unwinnable game 1, ply 4", "winnable game 2, ply 1");
    for (text, expected) in [
        // What follows a game that is over.
        (format!("{mate}{WALL}\n"), vec![mated.to_owned(), format!("{wall} 4")]),
        (format!("{mate}\n{WALL}\n{WALL}"), vec![mated.to_owned(), format!("{wall} 5"), format!("{wall} 6")]),
        (format!("{WALL}\n{mate}"), vec![format!("{wall} 1"), mated.to_owned()]),
        (format!("{mate}{WALL}\n1. e4 *"), vec![mated.to_owned(), format!("{wall} 4"), second.to_owned()]),
        (
            format!("\n# a comment\n{WALL}\nnonsense\n\n{mate}\n# another\n\n  {WALL} \n# {WALL}\n1. e4 *\n"),
            vec![
                format!("{wall} 3"),
                "error line 4".to_owned(),
                mated.to_owned(),
                format!("{wall} 12"),
                second.to_owned(),
            ],
        ),
        // A game that is not over.
        (
            format!("1. e4 e5\n{WALL}\n2. Nf3 *\n1. d4 *\n"),
            vec![
                "error game 1, ply 3".to_owned(),
                format!("{wall} 2"),
                "error line 3".to_owned(),
                second.to_owned(),
            ],
        ),
        (format!("1. e4 e5\n\n{WALL}\n"), vec!["winnable game 1, ply 2".to_owned(), format!("{wall} 3")]),
        (
            format!("1. e4 e5 2. Ke3 *\n{WALL}\n[Event \"2\"]\n\n1. e4 *\n"),
            vec!["error game 1, ply 3".to_owned(), format!("{wall} 2"), second.to_owned()],
        ),
        // Positions in a comment and after moves are no lines.
        (
            format!("1. e4 {{as in\n{WALL}\nhere}} *\n\n1. e4 {WALL}\n"),
            vec!["winnable game 1, ply 1".to_owned(), "error game 2, ply 2".to_owned()],
        ),
        (format!("{{\"fen\":\"{WALL}\"}}\n{WALL}\n"), vec!["error line 1".to_owned(), format!("{wall} 2")]),
        ("x".repeat(70_000) + &format!("\n{WALL}\n"), vec!["error line 1".to_owned(), format!("{wall} 2")]),
    ] {
        assert_eq!(places(text.as_bytes()), expected, "{text}");
        let other_ends = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(places(other_ends.as_bytes()), expected, "{other_ends}");
        let utf16: Vec<u8> = other_ends.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(places(&utf16), expected, "{other_ends}");
    }
    let bytes = [WALL.as_bytes(), b" \xff\n", WALL.as_bytes()].concat();
    assert_eq!(places(&bytes), ["error line 1", "unwinnable line 2"]);
    answered(&["decide", "-"], &"8/\0".repeat(8))
        .code(2)
        .stderr(contains("line 1: zero byte at character 3"));
    answered(&["decide", "-"], &WALL.chars().flat_map(|letter| [letter, '\0']).collect::<String>())
        .code(2)
        .stderr("bitmesh: error: standard input: is UTF-16 without a byte order mark; save it as UTF-8\n");
    for command in ["prove", "certify"] {
        answered(&[command, "-"], "1. e4 e5 *\n")
            .code(2)
            .stderr(contains("line 1: this looks like a game (PGN)"));
    }
}

/// A program that asks line by line need not send the next one first.
#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::process::{Command, Stdio};

    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("bitmesh"))
        .args(["decide", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in 1..4 {
        writeln!(input, "{WALL}").unwrap();
        let answer = answers.find(|answer| answer.as_ref().unwrap().starts_with("unwinnable white")).unwrap();
        assert!(answer.unwrap().contains(&format!("line {line}: ")));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
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
