//! What the programs in this directory share: positions, and a way to time functions against each other.

pub mod collections;
pub mod measure;
#[path = "../../crates/bitmesh/tests/main/plain.rs"]
#[allow(missing_docs, clippy::new_without_default, reason = "it belongs to the tests, which need neither")]
pub mod plain;
pub mod positions;
pub mod random;
pub mod report;
pub mod simplest;
pub mod tournament;
