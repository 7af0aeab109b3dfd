//! Bytes into the decoder of BMPERSIST: whatever is read has these bytes, and the checker answers.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/bitmesh/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::decode_encode_persistent(bytes));
