//! One test binary: attacks on the library with everything that the lab holds.
#![allow(clippy::print_stdout, reason = "long tests report what they counted")]

#[path = "main/codes.rs"]
mod codes;
#[path = "main/contract.rs"]
mod contract;
#[path = "main/decision/mod.rs"]
mod decision;
#[path = "main/fuzz_corpus.rs"]
mod fuzz_corpus;
#[path = "main/imports.rs"]
mod imports;
#[path = "main/oracle.rs"]
mod oracle;
#[path = "main/persistent/mod.rs"]
mod persistent;
#[path = "main/placement.rs"]
mod placement;
#[path = "main/position_independence.rs"]
mod position_independence;
#[path = "main/soundness.rs"]
mod soundness;
