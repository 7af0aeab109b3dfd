//! Certified decompositions of chess positions.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod digest;
#[allow(dead_code)]
mod payload;
pub mod persistent;
mod position;
#[allow(dead_code)]
mod shift;

pub use shakmaty;

pub use crate::digest::{
    CertificateDigestParseError, CompositionCertificateDigest, DecompositionCertificateDigest,
    PersistentCertificateDigest, PositionBoundDecompositionCertificateDigest,
};
pub use crate::payload::PayloadError;
pub use crate::position::{BoardOnly, Input, Position, ReadPositionError, Reading, read_position};
