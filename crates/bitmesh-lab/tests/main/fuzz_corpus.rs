//! Inputs that the fuzzers found interesting, replayed and mutated: one directory for each target.
//!
//! `BITMESH_MUTATIONS` says how many mutations each target gets; by default a few hundred.

use std::fs;
use std::path::Path;

#[cfg(feature = "corpus")]
use bitmesh_lab::collections;
use bitmesh_lab::mutation::mutated;
use bitmesh_lab::properties;
use bitmesh_lab::random::Rng;

/// The longest input that is made.
const MOST: usize = 4_000;

fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files.into_iter().map(|file| (file.display().to_string(), fs::read(&file).unwrap())).collect()
}

fn hold(property: fn(&[u8]), what: &str, bytes: &[u8]) {
    let outcome = std::panic::catch_unwind(|| property(bytes));
    assert!(outcome.is_ok(), "{what}: {}", bytes.escape_ascii());
}

/// Runs a property on the seeds, and on mutations of them.
fn mutate(name: &str, seeds: Vec<Vec<u8>>, share: usize, property: fn(&[u8])) {
    let number = std::env::var("BITMESH_MUTATIONS").ok().and_then(|text| text.parse().ok());
    let mut rng = Rng::new(name.len() as u64);
    for number in 0..number.unwrap_or(300) / share {
        hold(property, &format!("{name}, mutation {number}"), &mutated(&seeds, MOST, &mut rng));
    }
}

/// Runs a property on every file of a directory, which must not have lost its files, and on mutations.
fn replay(target: &str, property: fn(&[u8])) {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_corpus").join(target));
    assert!(files.len() >= 20, "{target} has only {} files", files.len());
    for (name, bytes) in &files {
        hold(property, name, bytes);
    }
    mutate(target, files.into_iter().map(|(_, bytes)| bytes).collect(), 1, property);
}

/// The same with the cases of the collections whose names contain a word, and texts of this file.
#[cfg(feature = "corpus")]
fn scanned(word: &str, more: &[&str], property: fn(&[u8])) {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitmesh-corpus/tests/cases");
    let mut seeds = Vec::new();
    for (name, bytes) in files(&cases) {
        if name.rsplit('/').next().is_some_and(|name| name.contains(word)) {
            hold(property, &name, &bytes);
            seeds.push(bytes);
        }
    }
    assert!(seeds.len() >= 4, "{word}: {} cases", seeds.len());
    seeds.extend(more.iter().map(|text| text.as_bytes().to_vec()));
    mutate(word, seeds, 3, property);
}

#[cfg(feature = "corpus")]
#[test]
fn scan_pgn() {
    let game = "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1\"]\n\n\
                1. Ka2 {a} Kg8 (1... Kg7 2. Kb2 (2. Ka1)) 2. Kb2 $1 -- ; rest\n3. Ka1 *\n\n";
    scanned("pgn-", &[game], collections::scan_pgn);
}

#[cfg(feature = "corpus")]
#[test]
fn scan_table() {
    let table = "PuzzleId,FEN,Moves\n1,\"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1\",a1a2 h8g8\n";
    scanned("csv-", &[table, "id\tfen\n1\t8/8/4k3/8/8/3K4/8/8 w - -\n"], collections::scan_table);
}

#[cfg(feature = "corpus")]
#[test]
fn scan_stream() {
    let lines = "8/8/4k3/8/8/3K4/8/8 w - - 0 1\n# x\n7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7\n";
    let objects = "{\"fen\":\"8/8/4k3/8/8/3K4/8/8 w - - 0 1\",\"x\":1}\n";
    let plain = "fen 8/8/4k3/8/8/3K4/8/8 w - - 0 1\nmove e6e5\nscore 1\nply 2\nresult 0\ne\n";
    scanned(".", &[lines, objects, plain], collections::scan_stream);
}

#[test]
fn read_position() {
    replay("read_position", properties::read_print_read);
}

#[test]
fn read_placement() {
    replay("read_placement", properties::read_placement_as_others_do);
}

#[test]
fn decode_decomposition() {
    replay("decode_decomposition", properties::decode_encode_decomposition);
}

#[test]
fn decode_composition() {
    replay("decode_composition", properties::decode_encode_composition);
}

#[test]
fn decode_binding() {
    replay("decode_binding", properties::decode_encode_binding);
}

#[test]
fn decode_persistent() {
    replay("decode_persistent", properties::decode_encode_persistent);
}

#[test]
fn decode_mate() {
    replay("decode_mate", properties::decode_encode_mate);
}

#[test]
fn screen() {
    replay("screen", properties::validate_and_screen);
}
