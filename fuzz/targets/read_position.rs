//! Texts of all kinds into the position reader: print, parse, print.
#![no_main]

use bitmesh_lab::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::read_print_read(bytes));
