//! Expansions: a finite set of positions that play does not leave but through leaves.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::iter::Peekable;
use core::slice;

use shakmaty::{ByColor, CastlingMode, Chess, Move, Position as _};

use super::error::CheckError;
use super::homes::check_homes;
use super::material::check_material;
use super::verdicts::check_verdicts;
use super::witness::check_witness;
use crate::persistent::certificate::Proof;
use crate::persistent::expansion::{Expansion, Leaf, LeafProof};
use crate::persistent::verdict::Field;
use crate::persistent::walk::{Origin, Walk, moves_in_order};
use crate::persistent::witness::Witness;

/// Whoever says which positions of an expansion are leaves, and on what they rest. Nothing of it is believed.
///
/// A certificate is one. A producer is another: then its proof is checked while it is made.
pub(in crate::persistent) trait Guide {
    /// What a leaf rests on.
    type Ground: Borrow<LeafProof>;

    /// What a position rests on if it is a leaf. Positions come once, by ascending number.
    fn leaf(&mut self, number: u32, position: &Chess) -> Option<Self::Ground>;

    /// A move from the last position, which was no leaf, leads to one that was not met before.
    fn meets(&mut self, _position: &Chess, _played: Move) {}
}

/// A set of positions that play leaves only through leaves, all of which hold.
pub(in crate::persistent) struct Closed<Ground> {
    positions: u32,
    leaves: Vec<(u32, Ground)>,
}

impl Closed<LeafProof> {
    /// The set as a proof, with a witness of its first position.
    pub(in crate::persistent) fn into_proof(self, root: Witness) -> Proof {
        let leaves = self.leaves.into_iter().map(|(node, proof)| Leaf { node, proof }).collect();
        Proof::Expansion(Expansion { root, nodes: self.positions, leaves })
    }
}

/// The leaves of a certificate.
struct Listed<'a>(Peekable<slice::Iter<'a, Leaf>>);

impl<'a> Guide for Listed<'a> {
    type Ground = &'a LeafProof;

    fn leaf(&mut self, number: u32, _: &Chess) -> Option<&'a LeafProof> {
        self.0.next_if(|leaf| leaf.node == number).map(|leaf| &leaf.proof)
    }
}

/// Every legal move of a position that is not a leaf leads to a position of the set, none of
/// these is mate, and the witnesses of the leaves hold.
pub(super) fn check_expansion(
    root: &Chess,
    expansion: &Expansion,
    unwinnable: ByColor<bool>,
) -> Result<(), CheckError> {
    let mut listed = Listed(expansion.leaves.iter().peekable());
    let closed = follow(root, unwinnable, expansion.nodes, &mut listed)?;
    if closed.positions < expansion.nodes || closed.leaves.len() < expansion.leaves.len() {
        return Err(CheckError::ExpansionTooLarge { claimed: expansion.nodes, met: closed.positions });
    }
    Ok(())
}

/// Follows all moves from a position until play leaves the set only through leaves that hold, with at most so many positions.
pub(in crate::persistent) fn follow<G: Guide>(
    root: &Chess,
    unwinnable: ByColor<bool>,
    most: u32,
    guide: &mut G,
) -> Result<Closed<G::Ground>, CheckError> {
    let mut walk = Walk::new(root);
    let mut leaves = Vec::new();
    while let Some((node, position)) = walk.next() {
        if let Some(ground) = guide.leaf(node, &position) {
            check_leaf(&position, ground.borrow(), unwinnable)
                .map_err(|error| CheckError::Leaf { node, error: Box::new(error) })?;
            leaves.push((node, ground));
            continue;
        }
        let moves = moves_in_order(&position);
        let color = !position.turn();
        if moves.is_empty() && position.is_check() && *unwinnable.get(color) {
            return Err(CheckError::MateInExpansion { node, color });
        }
        let origin = Origin::new(&position);
        for &played in &moves {
            if !walk.meet_after(&origin, played) {
                continue;
            }
            if walk.met() > most {
                let played = played.to_uci(CastlingMode::Chess960);
                return Err(CheckError::OutsideExpansion { node, played });
            }
            guide.meets(&position, played);
        }
    }
    Ok(Closed { positions: walk.met(), leaves })
}

/// What a leaf rests on shows all that is claimed.
fn check_leaf(position: &Chess, ground: &LeafProof, unwinnable: ByColor<bool>) -> Result<(), CheckError> {
    match ground {
        LeafProof::Witness(witness) => {
            let mut field = Field::EMPTY;
            check_witness(position, witness, &mut field)?;
            check_verdicts(unwinnable, &field)
        }
        LeafProof::Material => check_material(position, unwinnable),
        LeafProof::Roaming(roaming) => check_homes(position, roaming, unwinnable),
    }
}
