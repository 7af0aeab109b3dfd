//! Inputs that the fuzzers found interesting, replayed: one directory for each target.

use std::fs;
use std::path::Path;

use bitmesh_lab::properties;

/// Runs a property on every file of a directory, which must not have lost its files.
fn replay(target: &str, property: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz_corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20, "{target} has only {} files", files.len());
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let outcome = std::panic::catch_unwind(|| property(&bytes));
        assert!(outcome.is_ok(), "{}", file.display());
    }
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
fn screen() {
    replay("screen", properties::validate_and_screen);
}
