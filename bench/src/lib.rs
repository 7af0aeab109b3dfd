//! What the programs in this directory share: positions, and a way to time functions against each other.

pub mod collections;
pub mod measure;
pub mod positions;
pub mod random;
pub mod report;
pub mod simplest;
pub mod tournament;
