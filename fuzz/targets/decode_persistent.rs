//! Bytes into the decoder of BMPERSIST: whatever is read has these bytes, and the checker answers.
#![no_main]

use bitmesh_lab::properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::decode_encode_persistent(bytes));
