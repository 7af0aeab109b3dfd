//! What a hostile or a huge file costs: memory in proportion to the input, and time for what is in it.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use bitmesh::persistent::{Bound, prove_within};
use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{CastlingMode, Chess};
use serde_json::{Value, json};
use tempfile::TempDir;

/// More address space than this is not given to the command: code, stack, input and all.
const MOST_KIBIBYTES: usize = 256 << 10;

const MEBIBYTE: usize = 1 << 20;

fn limited(arguments: &[&str]) -> Output {
    let command = cargo_bin("bitmesh");
    let script = format!("ulimit -v {MOST_KIBIBYTES}; exec \"$0\" \"$@\"");
    Command::new("sh").arg("-c").arg(script).arg(command).args(arguments).output().expect("a shell")
}

/// Verifies a file under the limit, and gives the exit code and what was said.
fn verify(content: &[u8]) -> (Option<i32>, String) {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("evidence");
    fs::write(&path, content).expect("room");
    let output = limited(&["verify", path.to_str().expect("a plain name")]);
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).expect("text"))
}

/// `start`, then `element` as often as it fits into so many bytes, then `end`.
fn filled(length: usize, start: &str, element: &str, end: &str) -> Vec<u8> {
    let count = (length - start.len() - end.len()) / (element.len() + 1);
    let mut text = String::with_capacity(length);
    text.push_str(start);
    for _ in 1..count {
        text.push_str(element);
        text.push(',');
    }
    text.push_str(element);
    text.push_str(end);
    text.into_bytes()
}

#[test]
fn a_tree_of_little_lists_is_not_built() {
    for (start, end, code, part) in [
        ("[", "]", 2, "is a JSON array; give each of its documents by itself"),
        (r#"{"schema":"bitmesh.decomposition.v1","barrier":["#, "]}", 1, "verify/malformed-document"),
        (r#"{"schema":"bitmesh.certify.v1","notes":["#, "]}", 1, "verify/malformed-document"),
        (r#"{"schema":"bitmesh.prove.v1","surplus":["#, "]}", 1, "verify/other-field"),
        (
            r#"{"schema":"bitmesh.persistent.v1","proof":{"kind":"expansion","leaves":["#,
            "]}}",
            1,
            "verify/malformed-document",
        ),
        (r#"{"schema":"unheard of","x":["#, "]}", 2, "with the schema `unheard of`"),
    ] {
        let (found, said) = verify(&filled(12 * MEBIBYTE, start, "[0]", end));
        assert_eq!(found, Some(code), "{start}: {said}");
        assert!(said.contains(part), "{start}: {said}");
        assert!(said.len() < 4_000, "{} bytes of words", said.len());
    }
}

#[test]
fn nor_in_the_largest_file_that_is_read() {
    let start = r#"{"schema":"bitmesh.decomposition.v1","surplus":["#;
    let (code, said) = verify(&filled(63 * MEBIBYTE, start, "[0]", "]}"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("unknown field `surplus`"), "{said}");
}

#[test]
fn nor_are_lists_in_lists_without_end() {
    for text in [r#"{"a":["#.to_owned() + &"[".repeat(63 * MEBIBYTE), r#"{"a":"#.repeat(12 * MEBIBYTE)] {
        let (code, said) = verify(text.as_bytes());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("is not a JSON document: recursion limit exceeded"), "{said}");
    }
}

#[test]
fn lists_that_a_document_has_are_cut_where_no_document_goes() {
    let document = json!({
        "schema": "bitmesh.persistent.v1", "proof_kind": "bitmesh:persistent_independence:v1",
        "digest": "0".repeat(64), "position": "k1K5/P7/8/8/8/8/8/8 b - - 0 1",
        "claims": { "components": 1, "decomposed": false,
            "coupling": { "kind": "coupled_by_en_passant", "colours": ["white", "black"] },
            "unwinnable": [], "dead": false },
        "proof": { "kind": "expansion", "frozen": [], "movers": [], "positions": 262_144, "leaves": ["here"] },
    })
    .to_string();
    let (start, end) = document.split_once(r#""here""#).expect("a place");
    let mover = r#"{"square":"a1","piece":"K","component":0,"reach":{}}"#;
    let movers = vec![mover; 64].join(",");
    let leaves = [
        (r#"{"number":1,"position":null,"frozen":[],"movers":[]}"#.to_owned(), "more than 262144 elements"),
        (
            format!(r#"{{"number":1,"position":null,"frozen":[],"movers":[{movers}]}}"#),
            "leaf 1 is another position",
        ),
        (
            format!(r#"{{"number":1,"position":null,"frozen":[],"movers":[{movers},{mover}]}}"#),
            "more than 64 elements",
        ),
    ];
    for (leaf, part) in leaves {
        let (code, said) = verify(&filled(24 * MEBIBYTE, start, &leaf, end));
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn keys_and_texts_without_end_are_refused() {
    let keys: String = (0..1_000_000).map(|key| format!("\"{key:x}\":0,")).collect();
    let (code, said) = verify(format!("{{{keys}\"schema\":0}}").as_bytes());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("an object has more than 64 keys"), "{said}");
    for text in ["x", "\\u001b"] {
        let long = text.repeat(20 * MEBIBYTE / text.len());
        for document in [
            format!("{{\"{long}\":0}}"),
            format!("{{\"schema\":\"{long}\"}}"),
            format!("{{\"a\":[\"{long}\"]}}"),
        ] {
            let (code, said) = verify(document.as_bytes());
            assert_eq!(code, Some(2), "{said}");
            assert!(said.contains("a text has more than 1048576 bytes"), "{said}");
        }
    }
    let (code, said) = verify("[".repeat(MEBIBYTE).replacen('[', "{\"a\":", 1).as_bytes());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("recursion limit exceeded"), "{said}");
}

#[test]
fn binary_and_hexadecimal_files_of_the_largest_size() {
    let mut bytes = b"BMPERSIST\0\x01".to_vec();
    bytes.resize(60 * MEBIBYTE, 0);
    assert_eq!(verify(&bytes).0, Some(1));
    assert_eq!(verify(&b"424d50455253495354000100".repeat(2 * MEBIBYTE)).0, Some(1));
    assert_eq!(verify(&vec![b' '; 60 * MEBIBYTE]).0, Some(2));
}

/// The largest that a prover makes is verified under the same limit.
#[test]
fn a_large_expansion_is_verified() {
    let fen: Fen = "8/7p/6pP/6P1/6P1/2k3PK/6PP/8 w - - 0 1".parse().expect("a FEN");
    let position: Chess = fen.into_position(CastlingMode::Standard).expect("legal");
    let certificate = prove_within(&position, Bound::LARGEST);
    let document: Value = serde_json::to_value(&certificate).expect("a document");
    let (code, said) = verify(document.to_string().as_bytes());
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn more_positions_than_a_certificate_holds_are_not_promised() {
    let wall = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
    let said = |positions: &str| {
        let output = limited(&["prove", "--positions", positions, wall]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).expect("text")
    };
    assert_eq!(said("262144"), "");
    assert_eq!(
        said("262145"),
        "bitmesh: note: --positions 262145 is taken as 262144, the most that a certificate holds\n"
    );
}
