//! Any bytes as a collection of which nothing is known.
#![no_main]

use bitmesh_lab::collections;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| collections::scan_stream(bytes));
