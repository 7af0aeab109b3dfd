//! What is the same for all commands: messages, help, and files that must not be one another.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn bitmesh(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("bitmesh").unwrap();
    command.args(arguments);
    command
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn no_message_steers_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "\u{1b}[31m\r\u{7f}x";
    let name = folder.path().join(format!("{evil}.csv"));
    fs::write(&name, format!("a{evil},b\n1,2\n")).unwrap();
    let pgn = folder.path().join(format!("{evil}.pgn"));
    fs::write(&pgn, format!("[Event \"?\"]\n[FEN \"{evil}\"]\n[Variant \"{evil}\"]\n\n1. {evil} *\n"))
        .unwrap();
    let runs: &[&[&str]] = &[
        &["certify", evil],
        &["prove", evil],
        &["draw", evil],
        &["draw", WALL, "-o", evil],
        &["draw", WALL, "--title", evil],
        &["draw", WALL, "--size", evil],
        &["verify", evil],
        &["verify", "--certificate", evil, "-"],
        &["manual", evil],
        &["scan", evil],
        &["scan", "-", "-o", evil, "--column", evil, "--format", evil],
        &["scan", text(&name)],
        &["scan", text(&pgn)],
        &["scan", text(&name), "--column", evil, "-o", "/no/such/folder/x\u{1b}.csv"],
        &[evil],
    ];
    for arguments in runs {
        let output = bitmesh(arguments).output().unwrap();
        let shown = [output.stdout, output.stderr].concat();
        let shown = String::from_utf8(shown).unwrap();
        let obeyed = |character: char| character.is_control() && character != '\n';
        assert!(!shown.contains(obeyed), "{arguments:?}: {shown:?}");
        assert!(
            shown.contains("\\r") || shown.contains("\\u{1b}") || shown.contains("U+001B"),
            "{arguments:?}: {shown}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_written_are_an_error_and_a_closed_pipe_is_none() {
    use std::process::{Command as Process, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let runs: &[&[&str]] = &[
        &["--help"],
        &["--version"],
        &["help", "scan"],
        &["prove", "--help"],
        &["completions", "bash"],
        &["manual", text(folder.path())],
        &["certify", WALL],
        &["draw", WALL],
    ];
    for arguments in runs {
        let run = |stdout: Stdio| {
            let mut command = Process::new(assert_cmd::cargo::cargo_bin!("bitmesh"));
            command.args(*arguments).stdout(stdout).stderr(Stdio::piped()).output().unwrap()
        };
        let full = run(fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into());
        let message = String::from_utf8(full.stderr).unwrap();
        assert_eq!(full.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.starts_with("bitmesh: error: cannot write standard output: "), "{message}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let closed = run(writer.into());
        assert_eq!((closed.status.code(), closed.stderr), (Some(0), Vec::new()), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn no_output_is_another_or_an_input() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("in.fen"), format!("{WALL}\n")).unwrap();
    symlink("x", at("link")).unwrap();
    symlink(at("in.fen"), at("in-link")).unwrap();
    fs::hard_link(at("in.fen"), at("hard")).unwrap();
    let roundabout = format!("./../{}/x", folder.path().file_name().unwrap().to_str().unwrap());
    let refused = |arguments: &[&str], words: &str| {
        bitmesh(arguments)
            .current_dir(folder.path())
            .assert()
            .code(2)
            .stderr(contains(words))
            .stdout(is_empty());
        assert!(!at("x").exists() && !at("x.partial").exists(), "{arguments:?}");
        assert_eq!(fs::read_to_string(at("in.fen")).unwrap(), format!("{WALL}\n"), "{arguments:?}");
    };
    for other in ["x", "./x", "link", &roundabout, text(&at("x"))] {
        refused(&["certify", "--out", "x", "--binding", other, WALL], "--out and --binding are both");
        refused(&["scan", "in.fen", "-o", "x", "--summary", other], "-o and --summary are both");
    }
    for input in ["in.fen", "in-link", "hard"] {
        refused(&["scan", input, "--to", "csv", "-o", "in.fen"], "-o in.fen is also an input");
        refused(&["scan", input, "--summary", "in.fen"], "--summary in.fen is also an input");
    }
    refused(&["scan", "in.fen", "-o", "x", "--summary", "x.partial"], "are both");
    refused(&["certify", "--out", ".", WALL], "--out . is a folder");
    // What keeps nothing can be named twice.
    let null = ["certify", "--out", "/dev/null", "--binding", "/dev/null", WALL];
    bitmesh(&null).assert().code(0);
}

#[test]
fn what_is_not_proved_leaves_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start.bmpersist");
    bitmesh(&["prove", "--out", text(&path), START])
        .assert()
        .code(1)
        .stderr(contains("nothing is proved, so").and(contains("is not written")));
    assert!(!path.exists());
}

#[test]
fn a_comment_may_follow_a_byte_order_mark() {
    for command in ["certify", "prove", "decide"] {
        for before in ["\u{feff}# walls\n", "\u{feff}\r\n"] {
            let run = bitmesh(&[command, "-"]).write_stdin(format!("{before}{WALL}\n")).assert().code(0);
            run.stdout(contains("line 2: ")).stderr(is_empty());
        }
    }
}

#[test]
fn what_was_meant_is_said() {
    bitmesh(&["prove", "7k/8/8/8/8/8/8/K7", "w", "-", "-", "0", "1"])
        .assert()
        .code(2)
        .stderr(contains("put it in quotes, as in '7k/8/8/8/8/8/8/K7 w - - 0 1'"));
    let drawing = "8 . . . . . . . k\n7 . . . . . . . .\n6 . . . . . . . .\n";
    for command in ["certify", "prove"] {
        bitmesh(&[command, "-"])
            .write_stdin(drawing)
            .assert()
            .code(2)
            .stderr(contains("rank of a drawn board").and(contains("line 2").not()));
    }
}

#[test]
fn temporary_names_are_nobodys_business() {
    let missing = "/no/such/folder/out.json";
    for arguments in [["certify", "--out", missing, WALL], ["prove", "--out", missing, WALL]] {
        bitmesh(&arguments).assert().code(2).stderr(contains(missing).and(contains(".bitmesh-").not()));
    }
    bitmesh(&["scan", "-", "-o", missing])
        .write_stdin(WALL)
        .assert()
        .code(2)
        .stderr(contains("cannot write /no/such/folder/out.json: "));
}

/// `scan - -o FILE < FILE` would empty what it reads, and `scan FILE >> FILE` would read what it writes.
#[cfg(target_os = "linux")]
#[test]
fn redirected_streams_are_kept_apart_from_files() {
    use std::process::{Command, Stdio};

    let directory = tempfile::TempDir::new().expect("a directory");
    let input = directory.path().join("in.fen");
    let text = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1\n";
    std::fs::write(&input, text).expect("room");
    let program = assert_cmd::cargo::cargo_bin("bitmesh");
    let file = || std::fs::OpenOptions::new().read(true).append(true).open(&input).expect("a file");
    for name in ["scan", "audit"] {
        let output = Command::new(&program)
            .args([name, "-", "-o", "in.csv"])
            .current_dir(directory.path())
            .stdin({
                std::fs::hard_link(&input, directory.path().join("in.csv")).expect("a link");
                file()
            })
            .output()
            .expect("runs");
        assert_eq!(output.status.code(), Some(2), "{name}");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(said.contains("-o in.csv is also standard input"), "{name}: {said}");
        assert_eq!(std::fs::read_to_string(&input).expect("there"), text);
        std::fs::remove_file(directory.path().join("in.csv")).expect("there");
    }
    let output = Command::new(&program)
        .args(["scan", "in.fen"])
        .current_dir(directory.path())
        .stdout(file())
        .stderr(Stdio::piped())
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("standard output goes to in.fen, which is an input"), "{said}");
    assert_eq!(std::fs::read_to_string(&input).expect("there"), text);
}

#[test]
fn no_example_of_the_help_is_torn() {
    let mut count = 0;
    for command in ["certify", "prove", "decide", "audit", "verify", "draw", "scan"] {
        let help = bitmesh(&[command, "--help"]).output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        let Some((_, examples)) = help.split_once("Examples:\n") else { continue };
        for example in examples.lines().filter(|line| !line.is_empty()) {
            assert!(example.starts_with("  ") && example.contains("bitmesh "), "{command}: {example}");
            assert!(example.matches('\'').count() % 2 == 0, "{command}: {example}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}
