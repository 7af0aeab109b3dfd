//! `bitmesh draw`, as a user meets it.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const EN_PASSANT: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";

fn bitmesh() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitmesh"));
    for variable in ["NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(variable);
    }
    command
}

fn draw(arguments: &[&str]) -> Assert {
    bitmesh().arg("draw").args(arguments).assert()
}

fn draw_into(path: &Path, arguments: &[&str]) -> Assert {
    bitmesh().arg("draw").args(arguments).arg("-o").arg(path).assert()
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn without_a_file_the_structure_is_written_as_letters() {
    draw(&[WALL]).code(0).stderr("").stdout(
        "\
Structure: strict, 2 regions
8   .B  .B  .B  .B  .B  .B  .B  kB
7   .B  .B  .B  .B  .B  .B  .B  .B
6   .B  .B  .B  .B  .B  .B  .B  .B
5  #p#  .B #p#  .B #p#  .B #p#  .B
4  #P# #p# #P# #p# #P# #p# #P# #p#
3   .A #P#  .A #P#  .A #P#  .A #P#
2   .A  .A  .A  .A  .A  .A  .A  .A
1   KA  .A  .A  .A  .A  .A  .A  .A
    a   b   c   d   e   f   g   h
#: 16 locked pawns
A: 20 squares, Ka1
B: 28 squares, kh8
",
    );
}

#[test]
fn every_layer_says_what_it_shows() {
    draw(&[WALL, "--layer", "none"]).code(0).stdout(contains("#").not());
    draw(&[WALL, "--layer", "structure"]).code(0).stdout(contains("#: 16 locked pawns"));
    draw(&[WALL, "--layer", "one-ply"]).code(0).stdout(contains("One ply: accepted, 2 regions"));
    draw(&[WALL, "--layer", "persistent"]).code(0).stdout(
        contains("For ever: 2 regions, exact sum, dead position").and(contains("#: 16 frozen pieces")),
    );
}

#[test]
fn violations_are_arrows() {
    draw(&[EN_PASSANT, "--layer", "one-ply"])
        .code(0)
        .stdout(contains("One ply: refused, 2 violations").and(contains("!: a4\narrows: b4-a3\n")));
    let placement = EN_PASSANT.split(' ').next().expect("a placement");
    draw(&[placement, "--layer", "one-ply"]).code(0).stdout(contains("One ply: accepted as a board"));
}

#[test]
fn the_reach_of_a_piece_is_marked() {
    draw(&[WALL, "--reach", "a1"])
        .code(0)
        .stdout(contains("1  *KA *.A").and(contains("*: reach of Ka1, 16 squares\n")));
    draw(&[WALL, "--reach", "a4"])
        .code(2)
        .stdout("")
        .stderr("bitmesh: error: the piece on a4 is frozen: it never moves and is never captured\n");
    draw(&[WALL, "--reach", "e8"]).code(2).stderr("bitmesh: error: no piece stands on e8\n");
    draw(&[WALL, "--reach", "a1", "--layer", "structure"])
        .code(2)
        .stderr("bitmesh: error: --reach needs the layer persistent\n");
}

#[test]
fn a_board_without_a_position_has_no_permanent_layer() {
    let board = "8/8/8/PPPPPPPP/PPPPPPPP/8/8/N6n";
    draw(&[board, "--layer", "persistent"])
        .code(2)
        .stdout("")
        .stderr(contains("the layer persistent needs a legal position: ").and(contains("no king")));
    draw(&[board]).code(0).stdout(contains("Structure: strict, 2 regions"));
}

#[test]
fn black_below_turns_everything() {
    let flipped = draw(&[WALL, "--flip", "--arrow", "a1-b1", "--highlight", "h8"]).code(0);
    let turned = draw(&[WALL, "--orientation", "black", "--arrow", "a1b1", "--highlight", "h8"]).code(0);
    assert_eq!(flipped.get_output().stdout, turned.get_output().stdout);
    flipped.stdout(
        contains("1   .A  .A  .A  .A  .A  .A  .A  KA\n")
            .and(contains("8   kB! .B"))
            .and(contains("    h   g   f   e   d   c   b   a\n"))
            .and(contains("!: h8\narrows: a1-b1\n")),
    );
    draw(&[WALL, "--flip", "--orientation", "white"]).code(2);
}

#[test]
fn figures_are_written_when_they_are_asked_for() {
    // Output is no terminal here: letters, whatever the locale.
    bitmesh().env("LANG", "C.UTF-8").args(["draw", WALL]).assert().code(0).stdout(contains("kB"));
    draw(&[WALL, "--unicode"]).code(0).stdout(contains("b\u{265f}\u{fe0e} #").and(contains("w\u{2654}")));
    draw(&[WALL, "--unicode", "--ascii"]).code(2);
    draw(&[WALL, "--unicode", "--color", "always"])
        .code(0)
        .stdout(contains("\x1b[1;38;5;16m\u{265f}\u{fe0e}").and(contains("\x1b[4G").not()));
}

#[test]
fn colour_is_only_written_when_it_is_asked_for() {
    draw(&[WALL]).code(0).stdout(contains("\x1b").not());
    draw(&[WALL, "--color", "always"]).code(0).stdout(contains("\x1b[48;5;"));
}

#[test]
fn pictures_are_written_whole_under_their_name() {
    let directory = tempfile::tempdir().expect("a directory");
    for name in ["board.svg", "board.png", "LOUD.SVG"] {
        let path = directory.path().join(name);
        draw_into(&path, &[WALL, "--title", "</title><script>"])
            .code(0)
            .stderr("")
            .stdout(format!("drawn {}\n", path.display()));
        let bytes = fs::read(&path).expect("a picture");
        if name.ends_with("png") {
            assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
            assert_eq!(bytes[16..24], [0, 0, 2, 16, 0, 0, 2, 16], "528 by 528");
        } else {
            let svg = String::from_utf8(bytes).expect("text");
            assert!(svg.contains("&lt;/title&gt;&lt;script&gt;</title>") && !svg.contains("<script"));
        }
    }
    assert_eq!(names_in(directory.path()), ["LOUD.SVG", "board.png", "board.svg"]);
}

#[test]
fn the_size_is_that_of_the_picture() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("small.png");
    draw_into(&path, &[WALL, "--size", "300"]).code(0);
    assert_eq!(fs::read(&path).expect("a picture")[16..24], [0, 0, 1, 44, 0, 0, 1, 44]);
    for (size, message) in [
        ("63", "size 63 is not between 64 and 4096 pixels"),
        ("4097", "size 4097 is not between 64 and 4096 pixels"),
        ("large", "not a whole number of pixels"),
        ("99999999999", "not a whole number of pixels"),
    ] {
        draw(&[WALL, "--size", size]).code(2).stdout("").stderr(contains(message));
    }
}

#[test]
fn a_name_without_a_known_ending_is_refused_before_anything_is_written() {
    let directory = tempfile::tempdir().expect("a directory");
    for name in ["board", "board.gif", "svg"] {
        draw_into(&directory.path().join(name), &[WALL])
            .code(2)
            .stdout("")
            .stderr(contains("does not end in .svg or .png"));
    }
    assert!(names_in(directory.path()).is_empty());
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let missing = directory.path().join("missing").join("board.svg");
    draw_into(&missing, &[WALL])
        .code(2)
        .stdout("")
        .stderr(contains(format!("cannot write {}: ", missing.display())));
    let folder = directory.path().join("folder.svg");
    fs::create_dir(&folder).expect("a directory");
    draw_into(&folder, &[WALL]).code(2).stderr(contains("is a directory"));
    assert_eq!(names_in(directory.path()), ["folder.svg"]);
}

#[test]
fn wrong_input_is_an_error_and_no_picture() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("board.svg");
    draw_into(&path, &["9/8/8/8/8/8/8/8"]).code(2).stdout("");
    assert!(!path.exists());
    draw(&[WALL, "--arrow", "a1-j9"]).code(2).stderr(contains("not two squares as in a1-b1"));
    draw(&[WALL, "--arrow", "a"]).code(2).stderr(contains("not two squares as in a1-b1"));
    draw(&[WALL, "--arrow", "a\u{e9}\u{e9}"]).code(2).stderr(contains("not two squares as in a1-b1"));
}

#[test]
fn text_that_is_not_utf_8_is_said_to_be_what_it_is() {
    let utf16: Vec<u8> = WALL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [b"\xff\xfe", &utf16[..]].concat();
    for text in [&utf16, &with_mark] {
        let refused = bitmesh().args(["draw", "-"]).write_stdin(&text[..]).assert().code(2);
        refused.stderr("bitmesh: error: standard input is UTF-16; save it as UTF-8\n");
    }
    let refused = bitmesh().args(["draw", "-"]).write_stdin(&b"8/8\xff"[..]).assert().code(2);
    refused.stderr(contains("standard input is not UTF-8: bad byte at character 4"));
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let drawing = ".......k\n........\n........\np.p.p.p.\nPpPpPpPp\n.P.P.P.P\n........\nK.......\n";
    let read = |text: &[u8]| bitmesh().args(["draw", "-"]).write_stdin(text).assert();
    for text in [WALL, drawing] {
        read(text.as_bytes()).code(0).stdout(contains("Structure: strict, 2 regions"));
    }
    read(b"\xff\xfe").code(2).stdout("").stderr(contains("UTF-8"));
    read(b"").code(2).stdout("");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::OpenOptions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn text_that_does_not_fit_on_the_disk_is_an_error() {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("the full device");
        let output = Command::new(env!("CARGO_BIN_EXE_bitmesh"))
            .args(["draw", WALL])
            .stdout(Stdio::from(full))
            .output()
            .expect("the command runs");
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("cannot write standard output: No space left"), "{message}");
    }

    #[test]
    fn a_picture_that_does_not_fit_on_the_disk_is_not_reported_as_drawn() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("full.svg");
        symlink("/dev/full", &path).expect("a link");
        draw_into(&path, &[WALL])
            .code(2)
            .stdout("")
            .stderr(contains(format!("cannot write {}: No space left", path.display())));
    }

    #[test]
    fn links_and_permissions_of_an_old_picture_stay() {
        let directory = tempfile::tempdir().expect("a directory");
        let (real, link) = (directory.path().join("real.svg"), directory.path().join("link.svg"));
        fs::write(&real, "old").expect("a file");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions");
        symlink("real.svg", &link).expect("a link");
        draw_into(&link, &[WALL]).code(0);
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
        assert!(fs::read_to_string(&real).expect("a picture").starts_with("<svg"));
        assert_eq!(fs::metadata(&real).expect("the file").permissions().mode() & 0o777, 0o640);
        assert_eq!(names_in(directory.path()), ["link.svg", "real.svg"]);
    }
}

#[test]
fn what_was_printed_is_read_back() {
    for (fen, placement) in [
        ("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1", "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        ),
    ] {
        for options in [&["--unicode"][..], &["--unicode", "--flip"], &[], &["--flip", "--title", "a title"]]
        {
            let printed = bitmesh().arg("draw").args(options).arg(fen).assert().success();
            let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
            let read = bitmesh().args(["certify", "--json", &printed]).assert();
            let document: serde_json::Value = serde_json::from_slice(&read.get_output().stdout).unwrap();
            assert_eq!(document["fen"], placement, "{options:?}\n{printed}\n{document}");
        }
    }
}

#[test]
fn a_picture_shows_the_strongest_layer_and_says_which() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.svg");
    for (fen, layer) in [
        ("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1", "persistent"),
        ("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1", "one-ply"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "structure"),
    ] {
        let said = bitmesh().args(["draw", fen, "-o"]).arg(&path).assert().success();
        let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        assert!(said.contains(&format!("layer {layer}")), "{fen}: {said}");
    }
}

#[test]
fn a_line_to_mate_is_drawn_as_arrows_or_as_boards() {
    const ROOK: &str = "7k/R7/6K1/8/8/8/8/8 w - - 0 1";
    const BISHOP: &str = "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1";
    draw(&[ROOK, "--mate", "white"]).code(0).stdout(
        contains("Mate by White after 1 ply, if both sides help: 1. Ra8#\n")
            .and(contains("\nmoves: 1 a7-a8\n")),
    );
    draw(&[BISHOP, "--mate", "white"]).code(0).stdout(contains("Mate by White after "));

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    draw(&[ROOK, "--mate", "white", "-o", &path("rook.svg")]).code(0);
    let rook = std::fs::read_to_string(path("rook.svg")).unwrap();
    assert!(rook.contains("Move 1 from a7 to a8.") && rook.contains("width=\"528\" height=\"528\""));
    draw(&[BISHOP, "--mate", "white", "--flip", "-o", &path("bishop.svg")]).code(0);
    let bishop = std::fs::read_to_string(path("bishop.svg")).unwrap();
    assert!(bishop.contains("Board 1: White: king c3") && bishop.contains("Move 3 from "), "{bishop}");
    assert!(bishop.contains("Black is at the bottom."));
    draw(&[BISHOP, "--mate", "white", "--size", "800", "-o", &path("bishop.png")]).code(0);
    let png = std::fs::read(path("bishop.png")).unwrap();
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert!(png.starts_with(b"\x89PNG") && number(16) <= 800 && number(20) <= number(16));

    let missing = path("none.svg");
    draw(&[WALL, "--mate", "black", "-o", &missing])
        .code(1)
        .stderr(contains("nothing drawn: no series of legal moves ends in mate by Black"));
    assert!(!std::path::Path::new(&missing).exists());
    draw(&["8/8/8/8", "--mate", "black"]).code(2);
    draw(&[ROOK, "--mate", "white", "--layer", "structure"]).code(2);
}

#[test]
fn a_line_in_a_file_is_drawn_when_it_holds() {
    const BISHOP: &str = "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let decided = |arguments: &[&str]| bitmesh().arg("decide").args(arguments).output().unwrap().stdout;
    for name in ["black.bmmate", "black.json"] {
        decided(&["--for", "black", "--out", &path(name), BISHOP]);
    }
    let answer = String::from_utf8(decided(&["--json", BISHOP])).unwrap();
    std::fs::write(path("answer.json"), &answer).unwrap();

    // The same picture as from the position itself.
    draw(&[BISHOP, "--mate", "black", "-o", &path("wanted.svg")]).code(0);
    let wanted = std::fs::read(path("wanted.svg")).unwrap();
    for (name, more) in
        [("black.bmmate", &[][..]), ("black.json", &[]), ("answer.json", &["--mate", "black"])]
    {
        let (line, drawn) = (path(name), path("drawn.svg"));
        let given = [&["--line", &line, "-o", &drawn], more].concat();
        draw(&given).code(0);
        assert!(std::fs::read(path("drawn.svg")).unwrap() == wanted, "{name}");
    }
    draw(&["--line", &path("black.bmmate")]).code(0).stdout(contains("Mate by Black after "));
    let bytes = std::fs::read(path("black.bmmate")).unwrap();
    let piped = bitmesh().args(["draw", "--line", "-"]).write_stdin(&bytes[..]).assert().code(0);
    piped.stdout(contains("Mate by Black after "));

    draw(&["--line", &path("answer.json")])
        .code(2)
        .stderr(contains("a line for each side: choose one with --mate"));
    draw(&["--line", &path("black.bmmate"), "--mate", "white"])
        .code(1)
        .stderr(contains("black.bmmate ends in mate by Black"));
    draw(&[BISHOP, "--line", &path("black.bmmate")]).code(2);
    draw(&["--line", &path("nowhere.bmmate")]).code(2).stderr(contains("cannot read "));
    draw(&[]).code(2);
    std::fs::write(path("two.jsonl"), answer.repeat(2)).unwrap();
    draw(&["--line", &path("two.jsonl")]).code(2).stderr(contains("holds several documents"));

    // What is not true is not drawn.
    let lie = answer.replace("\"d2d1q\"", "\"d2d1n\"");
    assert_ne!(lie, answer);
    let mut cut = bytes.clone();
    cut.truncate(bytes.len() - 2);
    let more = [&bytes[..], b"x"].concat();
    for (name, text, reason) in [
        (
            "lie.json",
            lie.as_bytes(),
            "is not a legal move at its place in the line [verify/malformed-document]",
        ),
        ("cut.bmmate", &cut[..], "cut.bmmate is refused: "),
        ("more.bmmate", &more[..], "[payload/trailing-bytes]"),
    ] {
        std::fs::write(path(name), text).unwrap();
        draw(&["--line", &path(name), "--mate", "black", "-o", &path("none.svg")])
            .code(1)
            .stderr(contains(reason));
    }
    // An answer without a line for the side, and evidence of another kind.
    std::fs::write(path("dead.json"), decided(&["--json", WALL])).unwrap();
    draw(&["--line", &path("dead.json"), "--mate", "white", "-o", &path("none.svg")])
        .code(1)
        .stderr(contains("nothing drawn: no series of legal moves ends in mate by White"));
    std::fs::write(path("one.json"), decided(&["--json", "--for", "black", BISHOP])).unwrap();
    draw(&["--line", &path("one.json")]).code(0);
    draw(&["--line", &path("one.json"), "--mate", "white"])
        .code(1)
        .stderr(contains("one.json does not say whether White can give mate"));
    bitmesh().args(["prove", "--out", &path("wall.bmpersist"), WALL]).assert().code(0);
    draw(&["--line", &path("wall.bmpersist")]).code(2).stderr(contains("has no line to draw"));
    assert!(!std::path::Path::new(&path("none.svg")).exists());
}

#[test]
fn a_strip_of_many_boards_is_larger_unless_a_size_is_given() {
    // The pawn alone makes five moves before any mate.
    const PAWN: &str = "8/8/8/8/8/8/P7/K6k w - - 0 1";
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("strip.svg");
    let width = |arguments: &[&str]| {
        draw_into(&picture, arguments).code(0);
        let text = std::fs::read_to_string(&picture).unwrap();
        let (_, rest) = text.split_once("width=\"").unwrap();
        rest.split('"').next().unwrap().parse::<u32>().unwrap()
    };
    assert!(width(&[PAWN, "--mate", "white"]) >= 4 * 240);
    assert_eq!(width(&[PAWN, "--mate", "white", "--size", "528"]), 528);
}

#[test]
fn an_arrow_leads_to_another_square() {
    for arrow in ["a1a1", "a1-a1"] {
        draw(&[WALL, "--arrow", arrow])
            .code(2)
            .stdout("")
            .stderr(contains("an arrow leads to another square"));
    }
}
