//! Reasons not to pass as objects: a stable code, the fields of the reason, and words for people.

use alloc::string::{String, ToString as _};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Bitboard, Role, Square};

use super::names::{ReasonName, StatusName, optional_square, role, square, squares};
use crate::one_ply::board_screen::ConservativeLegalIndependenceError;
use crate::one_ply::position_proof::PositionIndependenceError;
use crate::structure::certificate::{
    DecompositionCertificateValidationError, DecompositionRejectionReason, DecompositionStatus,
};

/// A failure as an object: its code, its fields, and its message for people.
macro_rules! failure_document {
    ($name:ident as $fields:ident in $with:literal) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #[derive(Serialize)]
                struct Document<'a> {
                    #[serde(flatten, with = $with)]
                    failure: &'a $name,
                    message: String,
                }

                Document { failure: self, message: self.to_string() }.serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $fields::deserialize(deserializer)
            }
        }
    };
}

failure_document!(DecompositionCertificateValidationError as ValidationFields in "ValidationFields");
failure_document!(ConservativeLegalIndependenceError as IndependenceFields in "IndependenceFields");

#[derive(Serialize, Deserialize)]
#[serde(remote = "DecompositionCertificateValidationError", tag = "code")]
enum ValidationFields {
    #[serde(rename = "decomposition/strict-status-mismatch")]
    StrictStatusMismatch {
        strict: bool,
        #[serde(with = "StatusName")]
        status: DecompositionStatus,
    },
    #[serde(rename = "decomposition/active-component-count-mismatch")]
    ActiveComponentCountMismatch { declared: u8, actual: usize },
    #[serde(rename = "decomposition/strict-with-too-few-active-components")]
    StrictWithTooFewActiveComponents { active_component_count: usize },
    #[serde(rename = "decomposition/strict-without-barrier")]
    StrictWithoutBarrier,
    #[serde(rename = "decomposition/strict-with-rejection-reason")]
    StrictWithRejectionReason {
        #[serde(with = "ReasonName")]
        rejection_reason: DecompositionRejectionReason,
    },
    #[serde(rename = "decomposition/no-locked-barrier-rejection-with-barrier")]
    NoLockedBarrierRejectionWithBarrier,
    #[serde(rename = "decomposition/no-locked-barrier-rejection-with-multiple-active-components")]
    NoLockedBarrierRejectionWithMultipleActiveComponents { active_component_count: usize },
    #[serde(rename = "decomposition/less-than-two-active-components-rejection-without-barrier")]
    LessThanTwoActiveComponentsRejectionWithoutBarrier,
    #[serde(
        rename = "decomposition/less-than-two-active-components-rejection-with-too-many-active-components"
    )]
    LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents { active_component_count: usize },
    #[serde(rename = "decomposition/rejected-without-rejection-reason")]
    RejectedWithoutRejectionReason,
    #[serde(rename = "decomposition/empty-component-mask")]
    EmptyComponentMask { component_index: usize },
    #[serde(rename = "decomposition/component-without-active-squares")]
    ComponentWithoutActiveSquares { component_index: usize },
    #[serde(rename = "decomposition/component-intersects-barrier")]
    ComponentIntersectsBarrier { component_index: usize },
    #[serde(rename = "decomposition/active-mask-outside-component")]
    ActiveMaskOutsideComponent { component_index: usize },
    #[serde(rename = "decomposition/component-root-outside-mask")]
    ComponentRootOutsideMask { component_index: usize, root: u8 },
    #[serde(rename = "decomposition/duplicate-component-root")]
    DuplicateComponentRoot { first_component_index: usize, second_component_index: usize, root: u8 },
    #[serde(rename = "decomposition/component-masks-overlap")]
    ComponentMasksOverlap { first_component_index: usize, second_component_index: usize },
    #[serde(rename = "decomposition/cross-component-adjacency")]
    CrossComponentAdjacency {
        first_component_index: usize,
        second_component_index: usize,
        #[serde(with = "square")]
        first_square: Square,
        #[serde(with = "square")]
        second_square: Square,
    },
    #[serde(rename = "decomposition/strict-component-mask-not-closed")]
    StrictComponentMaskNotClosed {
        component_index: usize,
        #[serde(with = "square")]
        square: Square,
        #[serde(with = "square")]
        omitted_square: Square,
    },
    #[serde(rename = "decomposition/position-context-too-long")]
    PositionContextTooLong { actual: usize, maximum: usize },
    #[serde(rename = "decomposition/position-context-namespace-too-long")]
    PositionContextNamespaceTooLong { actual: usize, maximum: usize },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ConservativeLegalIndependenceError", tag = "code")]
enum IndependenceFields {
    #[serde(rename = "independence/invalid-decomposition-certificate")]
    InvalidDecompositionCertificate { error: DecompositionCertificateValidationError },
    #[serde(rename = "independence/requires-strict-decomposition")]
    RequiresStrictDecomposition {
        #[serde(with = "StatusName")]
        status: DecompositionStatus,
    },
    #[serde(rename = "independence/barrier-square-is-empty")]
    BarrierSquareIsEmpty {
        #[serde(with = "square")]
        square: Square,
    },
    #[serde(rename = "independence/barrier-square-is-not-pawn")]
    BarrierSquareIsNotPawn {
        #[serde(with = "square")]
        square: Square,
        #[serde(with = "role")]
        role: Role,
    },
    #[serde(rename = "independence/barrier-pawn-not-frozen")]
    BarrierPawnNotFrozen {
        #[serde(with = "square")]
        square: Square,
        #[serde(with = "optional_square")]
        forward_square: Option<Square>,
    },
    #[serde(rename = "independence/barrier-pawn-can-capture")]
    BarrierPawnCanCapture {
        #[serde(with = "square")]
        square: Square,
        #[serde(with = "square")]
        target: Square,
    },
    #[serde(rename = "independence/active-mask-does-not-match-board")]
    ActiveMaskDoesNotMatchBoard {
        #[serde(with = "squares")]
        certificate_active: Bitboard,
        #[serde(with = "squares")]
        board_active: Bitboard,
    },
    #[serde(rename = "independence/active-piece-outside-certified-component")]
    ActivePieceOutsideCertifiedComponent {
        #[serde(with = "square")]
        square: Square,
    },
    #[serde(rename = "independence/barrier-piece-can-be-captured")]
    BarrierPieceCanBeCaptured {
        #[serde(with = "square")]
        attacker_square: Square,
        #[serde(with = "square")]
        barrier_square: Square,
    },
    #[serde(rename = "independence/piece-can-enter-uncertified-free-square")]
    PieceCanEnterUncertifiedFreeSquare {
        #[serde(with = "square")]
        from: Square,
        #[serde(with = "square")]
        to: Square,
        from_component: usize,
    },
    #[serde(rename = "independence/piece-can-enter-other-component")]
    PieceCanEnterOtherComponent {
        #[serde(with = "square")]
        from: Square,
        #[serde(with = "square")]
        to: Square,
        from_component: usize,
        to_component: usize,
    },
}

/// What the position's own screen adds; the rest is as the board's screen writes it.
#[derive(Serialize, Deserialize)]
#[serde(tag = "code")]
enum EnPassantFields {
    #[serde(rename = "position-independence/barrier-pawn-can-capture-en-passant")]
    CanCapture {
        #[serde(with = "square")]
        square: Square,
        #[serde(with = "square")]
        target: Square,
        #[serde(with = "square")]
        captured_square: Square,
    },
    #[serde(rename = "position-independence/barrier-pawn-can-be-captured-en-passant")]
    CanBeCaptured {
        #[serde(with = "square")]
        attacker_square: Square,
        #[serde(with = "square")]
        barrier_square: Square,
        #[serde(with = "square")]
        target: Square,
    },
}

impl Serialize for PositionIndependenceError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Document {
            #[serde(flatten)]
            failure: EnPassantFields,
            message: String,
        }

        let failure = match *self {
            Self::Board(ref error) => return error.serialize(serializer),
            Self::BarrierPawnCanCaptureEnPassant { square, target, captured_square } => {
                EnPassantFields::CanCapture { square, target, captured_square }
            }
            Self::BarrierPawnCanBeCapturedEnPassant { attacker_square, barrier_square, target } => {
                EnPassantFields::CanBeCaptured { attacker_square, barrier_square, target }
            }
        };
        Document { failure, message: self.to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PositionIndependenceError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            EnPassant(EnPassantFields),
            Board(ConservativeLegalIndependenceError),
        }

        Ok(match Either::deserialize(deserializer)? {
            Either::EnPassant(EnPassantFields::CanCapture { square, target, captured_square }) => {
                Self::BarrierPawnCanCaptureEnPassant { square, target, captured_square }
            }
            Either::EnPassant(EnPassantFields::CanBeCaptured { attacker_square, barrier_square, target }) => {
                Self::BarrierPawnCanBeCapturedEnPassant { attacker_square, barrier_square, target }
            }
            Either::Board(error) => Self::Board(error),
        })
    }
}
