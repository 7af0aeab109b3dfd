//! The documents of layer 2: `bitmesh.conservative_legal_independence.v0`, `bitmesh.position_independence.v1`.

use alloc::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::Bitboard;

use super::check_digest;
use super::names::squares;
use crate::digest::{DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest};
use crate::one_ply::board_screen::{self, ConservativeLegalIndependenceProof};
use crate::one_ply::position_proof::{self, PositionIndependenceProof};

constant_text!(BoardProofSchema = "bitmesh.conservative_legal_independence.v0");
constant_text!(BoardProofKind = board_screen::PROOF_KIND);
constant_text!(PositionProofSchema = "bitmesh.position_independence.v1");
constant_text!(PositionProofKind = position_proof::PROOF_KIND);

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
            proof_kind: board_screen::PROOF_KIND,
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
            proof_kind: position_proof::PROOF_KIND,
        };
        check_digest(Some(proof.position_digest), proof.binding().map(|binding| binding.digest()))?;
        Ok(proof)
    }
}
