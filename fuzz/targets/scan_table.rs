//! Any bytes as a table.
#![no_main]

use bitmesh_lab::collections;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| collections::scan_table(bytes));
