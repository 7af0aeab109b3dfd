//! Bytes into the decoder of BMCOMPOSE: whatever is read has these bytes.
#![no_main]

use bitmesh_lab::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::decode_encode_composition(bytes));
