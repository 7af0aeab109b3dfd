//! The second kind of proof: a finite set of positions that play cannot leave.

use alloc::vec::Vec;

use shakmaty::{Bitboard, ByRole, Chess, Role, Square};

use super::verdict::Coupling;
use super::walk::{Walk, moves_in_order};
use super::witness::{Mover, Witness};
use crate::payload::{PayloadError, Reader, Sink};

/// More positions than this are in no expansion.
pub(super) const MAXIMUM_NODES: u32 = 1 << 18;

/// What a leaf takes at least: its number, its frozen pieces and its count of movers.
const SMALLEST_LEAF: usize = 4 + 8 + 1;

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
    pub(super) root: Witness,
    pub(super) nodes: u32,
    pub(super) leaves: Vec<Leaf>,
}

/// A position of an expansion that is not followed further.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Leaf {
    pub(super) node: u32,
    pub(super) witness: Witness,
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
            if leaves.next_if(|&leaf| leaf == number).is_none() {
                for played in moves_in_order(&position) {
                    if walk.met() < self.nodes {
                        walk.meet_after(&position, played);
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

    /// Its witness, of which only the verdicts count. It has one component, and its coupling claims nothing.
    #[must_use]
    pub const fn witness(&self) -> &Witness {
        &self.witness
    }
}

pub(super) fn put_expansion(sink: &mut impl Sink, expansion: &Expansion) {
    sink.put_u32(expansion.nodes);
    sink.put_u32(expansion.leaves.len() as u32);
    for Leaf { node, witness } in &expansion.leaves {
        sink.put_u32(*node);
        sink.put_u64(witness.frozen.0);
        sink.put_u8(witness.movers.len() as u8);
        for Mover { square, reach, .. } in &witness.movers {
            sink.put_u8((*square).into());
            let roles = || Role::ALL.into_iter().enumerate().filter(|&(_, role)| reach.get(role).any());
            sink.put_u8(roles().fold(0, |mask, (bit, _)| mask | 1 << bit));
            for (_, role) in roles() {
                sink.put_u64(reach.get(role).0);
            }
        }
    }
}

pub(super) fn read_expansion(reader: &mut Reader<'_>, root: Witness) -> Result<Expansion, PayloadError> {
    let offset = reader.offset();
    let nodes = reader.u32("number of positions")?;
    if !(1..=MAXIMUM_NODES).contains(&nodes) {
        return Err(PayloadError::InvalidElement { offset, element: "number of positions" });
    }
    let offset = reader.offset();
    let count = reader.u32("number of leaves")? as usize;
    if count > reader.remaining() / SMALLEST_LEAF {
        return Err(PayloadError::InvalidElement { offset, element: "number of leaves" });
    }
    let mut leaves = Vec::with_capacity(count);
    let mut previous = 0;
    for _ in 0..count {
        let offset = reader.offset();
        let node = reader.u32("leaf")?;
        if node <= previous {
            return Err(PayloadError::NotAscending { offset, element: "leaf" });
        }
        if node >= nodes {
            return Err(PayloadError::InvalidElement { offset, element: "leaf" });
        }
        previous = node;
        leaves.push(Leaf { node, witness: read_leaf_witness(reader)? });
    }
    Ok(Expansion { root, nodes, leaves })
}

fn read_leaf_witness(reader: &mut Reader<'_>) -> Result<Witness, PayloadError> {
    let frozen = Bitboard(reader.u64("frozen pieces")?);
    let offset = reader.offset();
    let count = usize::from(reader.u8("number of movers")?);
    if count > Square::ALL.len() {
        return Err(PayloadError::InvalidElement { offset, element: "number of movers" });
    }
    let mut movers: Vec<Mover> = Vec::with_capacity(count);
    for _ in 0..count {
        let offset = reader.offset();
        let square = Square::try_from(reader.u8("square of a mover")?)
            .map_err(|_| PayloadError::InvalidElement { offset, element: "square of a mover" })?;
        if movers.last().is_some_and(|mover| mover.square >= square) {
            return Err(PayloadError::NotAscending { offset, element: "square of a mover" });
        }
        let offset = reader.offset();
        let mask = reader.u8("roles of a mover")?;
        if mask == 0 || mask >> Role::ALL.len() != 0 {
            return Err(PayloadError::InvalidElement { offset, element: "roles of a mover" });
        }
        let mut reach = ByRole::default();
        for (bit, role) in Role::ALL.into_iter().enumerate() {
            if mask & 1 << bit != 0 {
                let offset = reader.offset();
                let squares = Bitboard(reader.u64("reach")?);
                if squares.is_empty() {
                    return Err(PayloadError::InvalidElement { offset, element: "reach" });
                }
                *reach.get_mut(role) = squares;
            }
        }
        movers.push(Mover { square, reach, component: 0 });
    }
    Ok(Witness { frozen, movers, coupling: Coupling::UNKNOWN })
}
