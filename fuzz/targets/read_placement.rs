//! Bytes into the fast reader of placements: it agrees with the full one.
#![no_main]

use bitmesh_lab::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::read_placement_as_others_do(bytes));
