//! The witness: frozen pieces, and the reach of all the others.

use alloc::vec::Vec;

use shakmaty::{Bitboard, ByRole, Role, Square};

use super::verdict::Coupling;

/// A piece that is not claimed to be frozen, with every square where it can ever stand.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mover {
    /// Where it stands in the certified position.
    pub square: Square,
    /// The squares where it can ever stand, by the role it has there. A piece
    /// other than a pawn has only its own role, a pawn every role but that of the king.
    pub reach: ByRole<Bitboard>,
    /// The number of its component. Components are numbered in the order of their lowest movers, from 0.
    pub component: u8,
}

impl Mover {
    /// The squares where it can ever stand, in any role.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        Role::ALL.into_iter().fold(Bitboard::EMPTY, |all, role| all | *self.reach.get(role))
    }
}

/// Frozen pieces and the reach of all the others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Witness {
    pub(crate) frozen: Bitboard,
    pub(crate) stoppers: Bitboard,
    pub(crate) movers: Vec<Mover>,
    pub(crate) coupling: Coupling,
}

impl Witness {
    /// The witness of a proof that has none: no piece is frozen, and none is listed.
    pub(crate) const EMPTY: Self = Self {
        frozen: Bitboard::EMPTY,
        stoppers: Bitboard::EMPTY,
        movers: Vec::new(),
        coupling: Coupling::UNKNOWN,
    };

    /// The pieces claimed never to move and never to be captured.
    #[must_use]
    pub const fn frozen(&self) -> Bitboard {
        self.frozen
    }

    /// The pawns claimed never to leave their file and never to be taken as pawns, so that no enemy pawn on it
    /// passes them. They are movers.
    #[must_use]
    pub const fn stoppers(&self) -> Bitboard {
        self.stoppers
    }

    /// All other pieces, in ascending order of their squares.
    #[must_use]
    pub fn movers(&self) -> &[Mover] {
        &self.movers
    }

    /// How the components are claimed to be coupled.
    #[must_use]
    pub const fn coupling(&self) -> Coupling {
        self.coupling
    }

    /// The number of components.
    #[must_use]
    pub fn components(&self) -> u8 {
        self.movers.iter().map(|mover| mover.component.saturating_add(1)).max().unwrap_or(0)
    }
}
