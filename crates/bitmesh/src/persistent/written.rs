//! Writes the JSON document `bitmesh.persistent.v1`.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position as _, Role};

use super::certificate::{PersistentCertificate, Proof};
use super::expansion::{Expansion, Leaf, LeafProof};
use super::verdict::{Conclusions, Coupling, PROOF_KIND};
use super::wire::{encoded_roles, is_mixed};
use super::witness::{Mover, Witness};
use crate::position::Position;

pub(super) const SCHEMA: &str = "bitmesh.persistent.v1";

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    proof_kind: &'static str,
    digest: String,
    position: String,
    claims: Conclusions,
    proof: ProofDocument,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ProofDocument {
    Witness {
        #[serde(flatten)]
        witness: WitnessDocument,
    },
    WitnessWithStoppers {
        #[serde(flatten)]
        witness: WitnessDocument,
    },
    Expansion {
        #[serde(flatten)]
        root: WitnessDocument,
        positions: u32,
        leaves: Vec<LeafDocument>,
    },
    MixedExpansion {
        #[serde(flatten)]
        root: WitnessDocument,
        positions: u32,
        leaves: Vec<LeafDocument>,
    },
    Material,
}

#[derive(Serialize)]
struct WitnessDocument {
    frozen: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stoppers: Option<Vec<String>>,
    movers: Vec<MoverDocument>,
}

#[derive(Serialize)]
struct LeafDocument {
    number: u32,
    /// Absent when the expansion has no such position.
    position: Option<String>,
    /// Absent where all leaves are plain witnesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(flatten)]
    witness: Option<WitnessDocument>,
}

#[derive(Serialize)]
struct MoverDocument {
    square: String,
    piece: String,
    component: u8,
    reach: BTreeMap<&'static str, Vec<String>>,
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

fn colors(set: ByColor<bool>) -> Vec<&'static str> {
    [Color::White, Color::Black]
        .into_iter()
        .filter(|&color| *set.get(color))
        .map(|color| color.fold_wb("white", "black"))
        .collect()
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

impl Serialize for Coupling {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            kind: &'static str,
            colours: Vec<&'static str>,
        }
        let kind = match self {
            Self::ExactSum => "exact_sum",
            Self::CoupledByCheck { .. } => "coupled_by_check",
            Self::CoupledByEnPassant { .. } => "coupled_by_en_passant",
        };
        Fields { kind, colours: colors(self.checks()) }.serialize(serializer)
    }
}

impl Serialize for Conclusions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields {
            components: u8,
            decomposed: bool,
            coupling: Coupling,
            unwinnable: Vec<&'static str>,
            dead: bool,
        }
        Fields {
            components: self.components,
            decomposed: self.decomposed(),
            coupling: self.coupling,
            unwinnable: colors(self.unwinnable),
            dead: self.dead(),
        }
        .serialize(serializer)
    }
}

fn witness_document(
    board: &Board,
    witness: &Witness,
    listed: impl Fn(&Mover, Role) -> bool,
) -> WitnessDocument {
    let mover = |mover: &Mover| MoverDocument {
        square: mover.square.to_string(),
        piece: board.piece_at(mover.square).map(|piece| piece.char().to_string()).unwrap_or_default(),
        component: mover.component,
        reach: Role::ALL
            .into_iter()
            .filter(|&role| listed(mover, role))
            .map(|role| (role_name(role), squares(*mover.reach.get(role))))
            .collect(),
    };
    WitnessDocument {
        frozen: squares(witness.frozen),
        stoppers: witness.stoppers.any().then(|| squares(witness.stoppers)),
        movers: witness.movers.iter().map(mover).collect(),
    }
}

/// With every role that the piece can have.
fn root_document(board: &Board, witness: &Witness) -> WitnessDocument {
    witness_document(board, witness, |mover, role| {
        board.role_at(mover.square).is_some_and(|own| encoded_roles(own).any(|other| other == role))
    })
}

pub(super) fn canonical_text(position: &Chess) -> String {
    Position::new(position.clone()).canonical_text()
}

/// The positions of the leaves, played out from the certified position; none for a number that there is not.
pub(super) fn leaf_positions(expansion: &Expansion, root: &Chess) -> impl Iterator<Item = Option<Chess>> {
    let mut positions = expansion.positions(root).zip(0..).peekable();
    expansion.leaves().iter().map(move |leaf| {
        while positions.next_if(|&(_, number)| number < leaf.node()).is_some() {}
        positions.next_if(|&(_, number)| number == leaf.node()).map(|(position, _)| position)
    })
}

const fn leaf_kind(proof: &LeafProof) -> &'static str {
    match proof {
        LeafProof::Witness(witness) if witness.stoppers.is_empty() => "witness",
        LeafProof::Witness(_) => "witness_with_stoppers",
        LeafProof::Material => "material",
    }
}

fn leaf_documents(root: &Chess, expansion: &Expansion, mixed: bool) -> Vec<LeafDocument> {
    let document = |(leaf, position): (&Leaf, Option<Chess>)| {
        let board = position.as_ref().map_or_else(Board::empty, |position| position.board().clone());
        LeafDocument {
            number: leaf.node(),
            position: position.as_ref().map(canonical_text),
            kind: mixed.then(|| leaf_kind(leaf.proof())),
            witness: match leaf.proof() {
                LeafProof::Witness(witness) => {
                    Some(witness_document(&board, witness, |mover, role| mover.reach.get(role).any()))
                }
                LeafProof::Material => None,
            },
        }
    };
    expansion.leaves().iter().zip(leaf_positions(expansion, root)).map(document).collect()
}

/// The JSON document `bitmesh.persistent.v1`: the same content as the payload, with its digest,
/// and the positions of the leaves of an expansion.
impl Serialize for PersistentCertificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = self.position.board();
        let proof = match &self.proof {
            Proof::Witness(witness) if witness.stoppers.is_empty() => {
                ProofDocument::Witness { witness: root_document(board, witness) }
            }
            Proof::Witness(witness) => {
                ProofDocument::WitnessWithStoppers { witness: root_document(board, witness) }
            }
            Proof::Expansion(expansion) => {
                let (root, positions) = (root_document(board, expansion.root()), expansion.nodes());
                let mixed = is_mixed(expansion);
                let leaves = leaf_documents(&self.position, expansion, mixed);
                if mixed {
                    ProofDocument::MixedExpansion { root, positions, leaves }
                } else {
                    ProofDocument::Expansion { root, positions, leaves }
                }
            }
            Proof::Material => ProofDocument::Material,
        };
        Document {
            schema: SCHEMA,
            proof_kind: PROOF_KIND,
            digest: self.digest().to_hex(),
            position: canonical_text(&self.position),
            claims: self.claims(),
            proof,
        }
        .serialize(serializer)
    }
}
