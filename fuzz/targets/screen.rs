//! Any certificate against any board: validity, screen, diagnosis, and that what is accepted holds.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/bitmesh/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::validate_and_screen(bytes));
