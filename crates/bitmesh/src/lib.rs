#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(test)]
extern crate std;

mod assessment;
mod code;
pub mod decision;
mod digest;
mod evidence;
mod geometry;
mod identity;
#[cfg(feature = "serde")]
mod json;
mod one_ply;
mod payload;
pub mod persistent;
mod position;
#[cfg(test)]
mod random;
mod structure;

pub use shakmaty;

pub use crate::assessment::{Assessment, OnePlyVerdict, PermanentError, Region};
pub use crate::code::ErrorCode;
pub use crate::digest::{
    CertificateDigestParseError, CompositionCertificateDigest, DecompositionCertificateDigest,
    MateLineDigest, PersistentCertificateDigest, PositionBoundDecompositionCertificateDigest,
};
pub use crate::evidence::{
    Against, Evidence, EvidenceError, EvidenceKind, Examination, ExaminationOutcome, Fact, Finding, Need,
    NotChecked, Refusal, examine_evidence,
};
pub use crate::geometry::partition::{UnionFind, partition_board};
pub use crate::identity::{Identifier, Identity, Messages};
#[cfg(feature = "serde")]
pub use crate::json::{Certification, StatedDecisions};
pub use crate::one_ply::board_screen::{
    ConservativeLegalIndependenceError, ConservativeLegalIndependenceProof, diagnose_independence,
    verify_conservative_legal_independence,
};
pub use crate::one_ply::position_proof::{
    PositionIndependenceError, PositionIndependenceProof, diagnose_position_independence,
    verify_position_independence,
};
pub use crate::one_ply::producers::{certify_conservative_legal_independence, certify_position};
pub use crate::one_ply::screen::{OnePlyProof, diagnose_input, one_ply_claim, screen_input};
pub use crate::payload::{DecodeError, PayloadError};
pub use crate::position::{
    BOARD_CONTEXT, BoardOnly, BoardOnlyReason, CanonicalTextError, FEN_CONTEXT, Field, Input, Note,
    Operation, OperationProblem, ParsePositionError, Placement, Position, Printable, ReadPositionError,
    ReadPositionProblem, Reading, Tolerances, is_obeyed, looks_like_drawn_rank, looks_like_fen_field,
    looks_like_placement, looks_like_utf16, read_board_text, read_placement, read_position,
    read_position_with, role_name,
};
pub use crate::structure::barrier::get_locked_pawns;
pub use crate::structure::binding::{PositionBinding, position_bound_decomposition_certificate_digest};
pub use crate::structure::certificate::{
    DecompositionCertificate, DecompositionCertificateValidationError, DecompositionComponent,
    DecompositionRejectionReason, DecompositionStatus,
};
pub use crate::structure::comparison::{DecompositionFinding, compare_decomposition};
pub use crate::structure::composition::{
    CompositionCertificate, CompositionCertificateValidationError, CompositionComponentValue,
};
pub use crate::structure::producers::{certify_decomposition, find_subsystems};
