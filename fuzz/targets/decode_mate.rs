//! Bytes into the decoder of BMMATE: whatever is read has these bytes, and ends in mate.
#![no_main]

use bitmesh_lab::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::decode_encode_mate(bytes));
