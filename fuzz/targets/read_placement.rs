//! Bytes into the fast reader of placements: it agrees with the full one.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/bitmesh/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::read_placement_as_others_do(bytes));
