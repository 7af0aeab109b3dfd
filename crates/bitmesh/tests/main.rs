//! One test binary: what the library promises, seen from outside.
#![allow(clippy::print_stdout, reason = "long tests report what they counted")]

#[path = "main/bytes.rs"]
mod bytes;
#[path = "main/codes.rs"]
mod codes;
#[path = "main/comparison.rs"]
mod comparison;
#[path = "main/contract.rs"]
mod contract;
#[path = "main/decision/mod.rs"]
mod decision;
#[path = "main/decoders.rs"]
mod decoders;
#[path = "main/fuzz_corpus.rs"]
mod fuzz_corpus;
#[path = "main/golden.rs"]
mod golden;
#[cfg(feature = "serde")]
#[path = "main/json.rs"]
mod json;
#[path = "main/oracle.rs"]
mod oracle;
#[path = "main/persistent/mod.rs"]
mod persistent;
#[path = "main/placement.rs"]
mod placement;
#[allow(unreachable_pub, reason = "the benchmarks use it as a public module")]
#[path = "main/plain.rs"]
mod plain;
#[path = "main/position_independence.rs"]
mod position_independence;
#[path = "main/positions.rs"]
mod positions;
#[path = "main/soundness.rs"]
mod soundness;
#[path = "main/tolerances.rs"]
mod tolerances;
#[path = "main/validation.rs"]
mod validation;

mod properties;
