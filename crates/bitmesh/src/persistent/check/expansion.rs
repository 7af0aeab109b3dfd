//! Expansions: a finite set of positions that play does not leave but through leaves.

use alloc::boxed::Box;

use shakmaty::{ByColor, CastlingMode, Chess, Position as _};

use super::error::CheckError;
use super::material::check_material;
use super::verdicts::check_verdicts;
use super::witness::check_witness;
use crate::persistent::expansion::{Expansion, LeafProof};
use crate::persistent::verdict::Field;
use crate::persistent::walk::{Walk, moves_in_order};

/// Every legal move of a position that is not a leaf leads to a position of the set, none of
/// these is mate, and the witnesses of the leaves hold.
pub(super) fn check_expansion(
    root: &Chess,
    expansion: &Expansion,
    unwinnable: ByColor<bool>,
) -> Result<(), CheckError> {
    let mut walk = Walk::new(root);
    let mut leaves = expansion.leaves.iter().peekable();
    while let Some((node, position)) = walk.next() {
        if let Some(leaf) = leaves.next_if(|leaf| leaf.node == node) {
            let settled = match leaf.proof() {
                LeafProof::Witness(witness) => {
                    let mut field = Field::EMPTY;
                    check_witness(&position, witness, &mut field)
                        .and_then(|()| check_verdicts(unwinnable, &field))
                }
                LeafProof::Material => check_material(&position, unwinnable),
            };
            settled.map_err(|error| CheckError::Leaf { node, error: Box::new(error) })?;
            continue;
        }
        let moves = moves_in_order(&position);
        let color = !position.turn();
        if moves.is_empty() && position.is_check() && *unwinnable.get(color) {
            return Err(CheckError::MateInExpansion { node, color });
        }
        for played in moves {
            walk.meet_after(&position, played);
            if walk.met() > expansion.nodes {
                let played = played.to_uci(CastlingMode::Chess960);
                return Err(CheckError::OutsideExpansion { node, played });
            }
        }
    }
    let met = walk.met();
    if met < expansion.nodes || leaves.next().is_some() {
        return Err(CheckError::ExpansionTooLarge { claimed: expansion.nodes, met });
    }
    Ok(())
}
