//! Any certificate against any board: validity, screen, diagnosis, and that what is accepted holds.
#![no_main]

use bitmesh_lab::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::validate_and_screen(bytes));
