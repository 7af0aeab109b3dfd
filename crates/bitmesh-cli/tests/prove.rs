//! `bitmesh prove`, as a user runs it.

use assert_cmd::Command;
use predicates::str::{contains, starts_with};
use serde_json::Value;

fn bitmesh(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("bitmesh").unwrap().args(arguments).assert()
}

fn prove(fen: &str) -> assert_cmd::assert::Assert {
    bitmesh(&["prove", fen])
}

#[test]
fn answers_and_notes_of_several_lines_name_their_line() {
    let text = "# walls\n7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1\n\n\
                8/8/4k3/8/8/3K4/8/6N1_w_-_-_0_1;\n";
    let run = Command::cargo_bin("bitmesh").unwrap().args(["prove", "-"]).write_stdin(text).assert().code(0);
    run.stdout(starts_with("dead  line 2: neither side"))
        .stdout(contains("\nsum  line 2: 2 components"))
        .stdout(contains("\ndead  line 4: neither side"))
        .stderr(contains("note: standard input, line 4: "));
}

#[test]
fn a_wall_is_dead_and_a_sum() {
    prove("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")
        .code(0)
        .stdout(starts_with("dead  neither side can ever give mate"))
        .stdout(contains("\nsum  2 components, an exact disjoint sum of games\n"))
        .stdout(contains("#: 16 frozen pieces"))
        .stdout(contains("Ka1 (A)     kh8 (B)\n"))
        .stdout(contains("Kooooooo    ........\n"));
}

#[test]
fn the_two_sides_are_separate_claims() {
    prove("4b3/5k1p/6pP/5pP1/p1pBpP2/PpPpP1K1/1P1P4/8 w - - 0 1")
        .code(0)
        .stdout(starts_with("unwinnable black  Black can never give mate"))
        .stdout(contains("\ncoupled  2 components, coupled by checks to Black"));
}

#[test]
fn en_passant_now_undoes_the_proof() {
    prove("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1").code(1).stdout(starts_with("not-proved  "));
}

#[test]
fn not_proved_is_an_exit_code_and_no_claim() {
    prove("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        .code(1)
        .stdout(starts_with("not-proved  no claim for all time could be proved; that does not mean"));
}

#[test]
fn some_positions_need_their_moves_played() {
    let fen = "8/7p/6pP/6P1/6P1/2k3PK/6PP/8 w - - 0 1";
    prove(fen)
        .code(0)
        .stdout(starts_with("dead  neither side can ever give mate"))
        .stdout(contains("\nby          243 positions without a mate, 49 of them decided by a witness\n"));
    bitmesh(&["prove", "--positions", "242", fen]).code(1).stdout(starts_with("not-proved  "));
    bitmesh(&["prove", "--positions", "0", fen]).code(1).stdout(starts_with("not-proved  "));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("king.bmpersist");
    bitmesh(&["prove", "--out", path.to_str().unwrap(), fen]).code(0);
    let bytes = std::fs::read(path).unwrap();
    let certificate = bitmesh::persistent::PersistentCertificate::decode(&bytes).unwrap();
    assert!(bitmesh::persistent::check(&certificate).unwrap().dead());
}

#[test]
fn a_board_is_no_position() {
    prove("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7")
        .code(2)
        .stdout("")
        .stderr(contains("a claim for all time needs a legal position: side to move not given"));
}

#[test]
fn the_document_holds_the_certificate() {
    let output = bitmesh(&["prove", "--json", "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"]).code(0);
    let document: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!(document["schema"], "bitmesh.prove.v1");
    assert_eq!(document["verdicts"], serde_json::json!(["dead", "sum"]));
    assert_eq!(document["certificate"]["proof_kind"], "bitmesh:persistent_independence:v1");
}

#[test]
fn the_certificate_is_written_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wall.bmpersist");
    let path = path.to_str().unwrap();
    bitmesh(&["prove", "--out", path, "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"]).code(0);
    let bytes = std::fs::read(path).unwrap();
    let certificate = bitmesh::persistent::PersistentCertificate::decode(&bytes).unwrap();
    assert!(bitmesh::persistent::check(&certificate).unwrap().dead());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

/// Other grounds than a witness are named, and `verify` checks their certificates too.
#[test]
fn other_grounds_are_named_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    for (fen, word, ground) in [
        ("7k/5q2/8/8/8/8/3q4/K1N5 w - - 0 1", "unwinnable white", "by          the material alone\n"),
        (
            "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1",
            "dead",
            "by          pawns that no enemy pawn passes: a2 c2 e2 g2\n",
        ),
    ] {
        prove(fen).code(0).stdout(starts_with(word)).stdout(contains(ground));
        let path = folder.path().join("certificate.bmpersist");
        let path = path.to_str().unwrap();
        bitmesh(&["prove", "--out", path, fen]).code(0);
        bitmesh(&["verify", path]).code(0).stdout(contains(word));
    }
    // Material without the positions that are mate already.
    prove("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1").code(0).stdout(starts_with("unwinnable white"));
}

#[test]
fn a_certificate_that_cannot_be_written_is_an_error() {
    bitmesh(&["prove", "--out", "no/such/folder/x", "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1"])
        .code(2)
        .stderr(contains("cannot write no/such/folder/x"));
}

#[test]
fn the_end_of_a_game_is_named() {
    for (fen, end) in [
        ("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", "Black is mated"),
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "Black is stalemated"),
    ] {
        let said = Command::new(env!("CARGO_BIN_EXE_bitmesh")).args(["prove", fen]).assert();
        let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
        assert!(said.contains(&format!("game over   {end}\n")), "{said}");
    }
}
