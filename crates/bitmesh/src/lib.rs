//! Certified decompositions of chess positions.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(test)]
extern crate std;

mod barrier;
mod binding;
mod certify;
mod comparison;
mod composition;
mod decomposition;
mod digest;
mod independence;
#[cfg(feature = "serde")]
mod json;
mod partition;
#[allow(dead_code)]
mod payload;
pub mod persistent;
mod position;
mod position_independence;
mod region;
mod root;
#[allow(dead_code)]
mod shift;

pub use shakmaty;

pub use crate::barrier::get_locked_pawns;
pub use crate::binding::{PositionBinding, position_bound_decomposition_certificate_digest};
pub use crate::certify::{
    certify_conservative_legal_independence, certify_decomposition, certify_position, find_subsystems,
};
pub use crate::comparison::{DecompositionFinding, compare_decomposition};
pub use crate::composition::{
    CompositionCertificate, CompositionCertificateValidationError, CompositionComponentValue,
};
pub use crate::decomposition::{
    DecompositionCertificate, DecompositionCertificateValidationError, DecompositionComponent,
    DecompositionRejectionReason, DecompositionStatus,
};
pub use crate::digest::{
    CertificateDigestParseError, CompositionCertificateDigest, DecompositionCertificateDigest,
    PersistentCertificateDigest, PositionBoundDecompositionCertificateDigest,
};
pub use crate::independence::{
    ConservativeLegalIndependenceError, ConservativeLegalIndependenceProof, diagnose_independence,
    verify_conservative_legal_independence,
};
pub use crate::partition::{UnionFind, partition_board};
pub use crate::payload::{DecodeError, PayloadError};
pub use crate::position::{
    BOARD_CONTEXT, BoardOnly, BoardOnlyReason, CanonicalTextError, FEN_CONTEXT, Field, Input, Note,
    Operation, OperationProblem, Placement, Position, ReadPositionError, ReadPositionProblem, Reading,
    Tolerances, read_board_text, read_placement, read_position, read_position_with,
};
pub use crate::position_independence::{
    PositionIndependenceError, PositionIndependenceProof, diagnose_position_independence,
    verify_position_independence,
};
