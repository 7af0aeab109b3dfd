//! Expansions: a finite set of positions that play leaves only through its leaves.

use alloc::vec::Vec;

use shakmaty::Chess;

use super::homes::Roaming;
use super::walk::{Origin, Walk, moves_in_order};
use super::witness::Witness;

/// The most positions that an expansion can have.
pub(crate) const MAXIMUM_NODES: u32 = 1 << 18;

/// A finite set of positions without a mate, closed under legal moves except at its leaves.
///
/// The set begins with the certified position, number 0. Every position but a
/// leaf brings in all that its legal moves lead to; a leaf has a witness from
/// which the claims follow. So every line of play stays in the set or passes a
/// leaf, and where no position of the set is mate there never is one.
///
/// Positions are numbered in the order in which they are met, breadth first,
/// the moves of each by the squares where they begin and end and then by the
/// role of a promotion, knight first; castling ends on the square of the rook.
/// Positions are the same when the board, the turn, the rights to castle and
/// the en-passant square are, of which the last counts only if a legal move
/// captures there. A certificate names the leaves and the size of the set.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Expansion {
    pub(crate) root: Witness,
    pub(crate) nodes: u32,
    pub(crate) leaves: Vec<Leaf>,
}

/// A position of an expansion that is not followed further.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Leaf {
    pub(crate) node: u32,
    pub(crate) proof: LeafProof,
}

/// Why a leaf need not be followed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum LeafProof {
    /// A witness of its position, of which only the verdicts count. It has one component, and its coupling claims nothing.
    Witness(Witness),
    /// The material on its board excludes mate.
    Material,
    /// An expansion with men at home, from its position.
    Roaming(Roaming),
}

impl Expansion {
    /// The witness of the certified position, on which its components rest. The verdicts do not.
    #[must_use]
    pub const fn root(&self) -> &Witness {
        &self.root
    }

    /// The number of positions.
    #[must_use]
    pub const fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The leaves in ascending order of their numbers.
    #[must_use]
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The positions in the order of their numbers, from the certified position; at most [`nodes`](Self::nodes).
    ///
    /// It plays the moves, and holds what it has met in memory.
    pub fn positions(&self, root: &Chess) -> impl Iterator<Item = Chess> {
        let mut walk = Walk::new(root);
        let mut leaves = self.leaves.iter().map(Leaf::node).peekable();
        core::iter::from_fn(move || {
            let (number, position) = walk.next()?;
            // Once the set is full, moves lead only to positions that were met, so none is generated.
            if leaves.next_if(|&leaf| leaf == number).is_none() && walk.met() < self.nodes {
                let origin = Origin::new(&position);
                for &played in &moves_in_order(&position) {
                    if walk.met() < self.nodes {
                        walk.meet_after(&origin, played);
                    }
                }
            }
            Some(position)
        })
    }
}

impl Leaf {
    /// The number of the position.
    #[must_use]
    pub const fn node(&self) -> u32 {
        self.node
    }

    /// Why it need not be followed.
    #[must_use]
    pub const fn proof(&self) -> &LeafProof {
        &self.proof
    }

    /// Its witness; without movers where the leaf rests on something else.
    #[must_use]
    pub const fn witness(&self) -> &Witness {
        const NONE: &Witness = &Witness::EMPTY;
        match &self.proof {
            LeafProof::Witness(witness) => witness,
            LeafProof::Material | LeafProof::Roaming(_) => NONE,
        }
    }
}
