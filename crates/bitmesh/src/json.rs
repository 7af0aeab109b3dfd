//! JSON forms of certificates, bindings, proofs and violations, both ways.
//!
//! Bitboards are lists of squares, digests are lower-case hexadecimal, and every document has a `schema`. Fields that
//! a schema does not have are refused, and so is a digest that does not belong to the rest of its document: what is
//! read is what was meant. Whether it is true is for `validate`, `verify_*` and `check` to say.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Bitboard, Role, Square};

use crate::binding::PositionBinding;
use crate::composition::{CompositionCertificate, CompositionComponentValue};
use crate::decomposition::{
    DecompositionCertificate, DecompositionCertificateValidationError, DecompositionComponent,
    DecompositionRejectionReason, DecompositionStatus,
};
use crate::digest::{
    CompositionCertificateDigest, DecompositionCertificateDigest, PersistentCertificateDigest,
    PositionBoundDecompositionCertificateDigest,
};
use crate::independence::{self, ConservativeLegalIndependenceError, ConservativeLegalIndependenceProof};
use crate::position_independence::{self, PositionIndependenceError, PositionIndependenceProof};

macro_rules! digest_in_hex {
    ($($name:ident),+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Cow::<'_, str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    )+};
}

digest_in_hex!(
    CompositionCertificateDigest,
    DecompositionCertificateDigest,
    PersistentCertificateDigest,
    PositionBoundDecompositionCertificateDigest
);

/// A set of squares as their names in ascending order.
mod squares {
    use super::*;

    pub(super) fn serialize<S: Serializer>(set: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(set.into_iter().map(Name))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bitboard, D::Error> {
        let mut set = Bitboard::EMPTY;
        for Name(square) in Vec::deserialize(deserializer)? {
            if set.contains(square) {
                return Err(D::Error::custom(format_args!("square {square} is listed twice")));
            }
            set.add(square);
        }
        Ok(set)
    }
}

/// A square by its name.
mod square {
    use super::*;

    pub(super) fn serialize<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
        Name(*square).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        Name::deserialize(deserializer).map(|Name(square)| square)
    }
}

/// A square by its name, or null.
mod optional_square {
    use super::*;

    pub(super) fn serialize<S: Serializer>(
        square: &Option<Square>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        square.map(Name).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Square>, D::Error> {
        Ok(Option::deserialize(deserializer)?.map(|Name(square)| square))
    }
}

/// A square by its name.
#[derive(Clone, Copy)]
pub(crate) struct Name(pub(crate) Square);

/// A set of squares by their names.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct SquareSet(#[serde(with = "squares")] pub(crate) Bitboard);

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'_, str>::deserialize(deserializer)?;
        name.parse().map(Self).map_err(|_| D::Error::custom(format_args!("`{name}` is no square")))
    }
}

/// A text that a document has to have word for word.
macro_rules! constant_text {
    ($name:ident = $text:expr) => {
        struct $name;

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($text)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Cow::<'_, str>::deserialize(deserializer)? {
                    text if text == $text => Ok(Self),
                    text => Err(D::Error::custom(format_args!("`{text}` in the place of `{}`", $text))),
                }
            }
        }
    };
}

constant_text!(DecompositionSchema = "bitmesh.decomposition.v1");
constant_text!(CompositionSchema = "bitmesh.composition.v1");
constant_text!(BindingSchema = "bitmesh.position_binding.v1");
constant_text!(BoardProofSchema = "bitmesh.conservative_legal_independence.v0");
constant_text!(BoardProofKind = independence::PROOF_KIND);
constant_text!(PositionProofSchema = "bitmesh.position_independence.v1");
constant_text!(PositionProofKind = position_independence::PROOF_KIND);

#[derive(Serialize, Deserialize)]
#[serde(remote = "DecompositionStatus", rename_all = "snake_case")]
enum StatusName {
    Strict,
    Rejected,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DecompositionRejectionReason", rename_all = "snake_case")]
enum ReasonName {
    NoLockedBarrier,
    LessThanTwoActiveComponents,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Reason(#[serde(with = "ReasonName")] DecompositionRejectionReason);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Role", rename_all = "snake_case")]
enum RoleName {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

/// Refuses a digest that is not the one of what it stands beside; a document may leave it out.
fn check_digest<T, E>(stated: Option<T>, computed: Result<T, impl core::error::Error>) -> Result<(), E>
where
    T: PartialEq + core::fmt::Display,
    E: serde::de::Error,
{
    match (stated, computed) {
        (None, _) => Ok(()),
        (Some(stated), Ok(computed)) if stated == computed => Ok(()),
        (Some(stated), Ok(computed)) => {
            Err(E::custom(format_args!("digest {stated} in the place of {computed}")))
        }
        (Some(_), Err(error)) => Err(E::custom(format_args!("a digest of what has none: {error}"))),
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DecompositionDocument {
    schema: DecompositionSchema,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<DecompositionCertificateDigest>,
    #[serde(with = "StatusName")]
    status: DecompositionStatus,
    strict: bool,
    rejection_reason: Option<Reason>,
    active_component_count: u8,
    #[serde(with = "squares")]
    barrier: Bitboard,
    components: Vec<ComponentDocument>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentDocument {
    root: u8,
    #[serde(with = "squares")]
    mask: Bitboard,
    #[serde(with = "squares")]
    active_mask: Bitboard,
}

/// The document `bitmesh.decomposition.v1`, with the digest if the certificate is valid.
impl Serialize for DecompositionCertificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let component = |component: &DecompositionComponent| {
            let DecompositionComponent { root, mask, active_mask } = *component;
            ComponentDocument { root, mask, active_mask }
        };
        DecompositionDocument {
            schema: DecompositionSchema,
            digest: self.digest().ok(),
            status: self.status,
            strict: self.strict,
            rejection_reason: self.rejection_reason.map(Reason),
            active_component_count: self.active_component_count,
            barrier: self.barrier,
            components: self.components.iter().map(component).collect(),
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.decomposition.v1`. Without a digest the certificate may be invalid.
impl<'de> Deserialize<'de> for DecompositionCertificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = DecompositionDocument::deserialize(deserializer)?;
        let component = |ComponentDocument { root, mask, active_mask }| DecompositionComponent {
            root,
            mask,
            active_mask,
        };
        let certificate = Self {
            barrier: document.barrier,
            components: document.components.into_iter().map(component).collect(),
            active_component_count: document.active_component_count,
            strict: document.strict,
            status: document.status,
            rejection_reason: document.rejection_reason.map(|Reason(reason)| reason),
        };
        check_digest(document.digest, certificate.digest())?;
        Ok(certificate)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompositionDocument<'a> {
    schema: CompositionSchema,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<CompositionCertificateDigest>,
    decomposition_digest: DecompositionCertificateDigest,
    component_values: Vec<ComponentValueDocument<'a>>,
    result_value_digest: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentValueDocument<'a> {
    component_root: u8,
    value_digest: Cow<'a, str>,
}

/// The document `bitmesh.composition.v1`, with the digest if the composition is valid.
impl Serialize for CompositionCertificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.component_values.iter().map(|value| ComponentValueDocument {
            component_root: value.component_root,
            value_digest: Cow::Borrowed(&value.value_digest),
        });
        CompositionDocument {
            schema: CompositionSchema,
            digest: self.digest().ok(),
            decomposition_digest: self.decomposition_digest,
            component_values: values.collect(),
            result_value_digest: Cow::Borrowed(&self.result_value_digest),
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.composition.v1`. Without a digest the composition may be invalid.
impl<'de> Deserialize<'de> for CompositionCertificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = CompositionDocument::deserialize(deserializer)?;
        let value = |value: ComponentValueDocument<'_>| CompositionComponentValue {
            component_root: value.component_root,
            value_digest: value.value_digest.into_owned(),
        };
        let composition = Self {
            decomposition_digest: document.decomposition_digest,
            component_values: document.component_values.into_iter().map(value).collect(),
            result_value_digest: document.result_value_digest.into_owned(),
        };
        check_digest(document.digest, composition.digest())?;
        Ok(composition)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BindingDocument<'a> {
    schema: BindingSchema,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<PositionBoundDecompositionCertificateDigest>,
    decomposition_digest: DecompositionCertificateDigest,
    position: Cow<'a, str>,
    context: Cow<'a, str>,
}

/// The document `bitmesh.position_binding.v1`, with its digest.
impl Serialize for PositionBinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BindingDocument {
            schema: BindingSchema,
            digest: Some(self.digest()),
            decomposition_digest: self.decomposition_digest(),
            position: Cow::Borrowed(self.position()),
            context: Cow::Borrowed(self.context()),
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.position_binding.v1`.
impl<'de> Deserialize<'de> for PositionBinding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = BindingDocument::deserialize(deserializer)?;
        let (position, context) = (document.position.into_owned(), document.context.into_owned());
        let binding =
            Self::new(document.decomposition_digest, position, context).map_err(D::Error::custom)?;
        check_digest(document.digest, Ok::<_, core::convert::Infallible>(binding.digest()))?;
        Ok(binding)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardProofDocument {
    schema: BoardProofSchema,
    proof_kind: BoardProofKind,
    decomposition_digest: DecompositionCertificateDigest,
    component_count: u8,
    #[serde(with = "squares")]
    barrier: Bitboard,
}

/// The document `bitmesh.conservative_legal_independence.v0`.
impl Serialize for ConservativeLegalIndependenceProof {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BoardProofDocument {
            schema: BoardProofSchema,
            proof_kind: BoardProofKind,
            decomposition_digest: self.decomposition_digest,
            component_count: self.component_count,
            barrier: self.barrier,
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.conservative_legal_independence.v0`. A record that was read is a claim, not yet a proof.
impl<'de> Deserialize<'de> for ConservativeLegalIndependenceProof {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = BoardProofDocument::deserialize(deserializer)?;
        Ok(Self {
            decomposition_digest: document.decomposition_digest,
            component_count: document.component_count,
            barrier: document.barrier,
            proof_kind: independence::PROOF_KIND,
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionProofDocument<'a> {
    schema: PositionProofSchema,
    proof_kind: PositionProofKind,
    position: Cow<'a, str>,
    position_digest: PositionBoundDecompositionCertificateDigest,
    decomposition_digest: DecompositionCertificateDigest,
    component_count: u8,
    #[serde(with = "squares")]
    barrier: Bitboard,
}

/// The document `bitmesh.position_independence.v1`.
impl Serialize for PositionIndependenceProof {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        PositionProofDocument {
            schema: PositionProofSchema,
            proof_kind: PositionProofKind,
            position: Cow::Borrowed(&self.position),
            position_digest: self.position_digest,
            decomposition_digest: self.decomposition_digest,
            component_count: self.component_count,
            barrier: self.barrier,
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.position_independence.v1`, whose position digest must belong to its position text and
/// decomposition digest. A record that was read is a claim, not yet a proof.
impl<'de> Deserialize<'de> for PositionIndependenceProof {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = PositionProofDocument::deserialize(deserializer)?;
        let proof = Self {
            position: document.position.into_owned(),
            position_digest: document.position_digest,
            decomposition_digest: document.decomposition_digest,
            component_count: document.component_count,
            barrier: document.barrier,
            proof_kind: position_independence::PROOF_KIND,
        };
        check_digest(Some(proof.position_digest), proof.binding().map(|binding| binding.digest()))?;
        Ok(proof)
    }
}

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
        #[serde(with = "RoleName")]
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
