//! Texts of all kinds into the position reader: print, parse, print.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/bitmesh/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::read_print_read(bytes));
