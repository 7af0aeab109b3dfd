//! What follows from a witness: components, coupling, and who can never give mate.
//!
//! The predicates here belong to what must be trusted: the checker relies on
//! them. They read a [`Field`], sums of the witness that whoever asks has made
//! himself, and know nothing of how a witness is found.

use shakmaty::{Bitboard, ByColor, Color, Square};

use super::steps::{king_steps, pawn_attacks};

/// The kind of proof that this module makes and checks, with its version.
pub const PROOF_KIND: &str = "bitmesh:persistent_independence:v1";

/// More pieces than this are on no board that comes from a game.
pub(super) const MAXIMUM_PIECES: usize = 32;

/// Whether components of a position can be played as games of their own.
///
/// It says something only of a position with two or more components; with
/// fewer, the producer gives [`Coupling::UNKNOWN`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Coupling {
    /// An exact disjoint sum: in every reachable position the legal moves are the disjoint
    /// union of the moves of the components, and a move in one component changes nothing in another.
    ExactSum,
    /// Only a check couples components: it takes away moves of that colour elsewhere.
    CoupledByCheck {
        /// The colours whose king was not shown to be safe from check for ever.
        colours: ByColor<bool>,
    },
    /// An en-passant capture was not excluded, and a right to it ends with a move elsewhere; a check may couple too.
    CoupledByEnPassant {
        /// The colours whose king was not shown to be safe from check for ever.
        colours: ByColor<bool>,
    },
}

impl Coupling {
    /// The value that claims nothing.
    pub const UNKNOWN: Self = Self::CoupledByEnPassant { colours: ByColor { black: true, white: true } };

    pub(super) const fn new(colours: ByColor<bool>, en_passant: bool) -> Self {
        match (en_passant, colours) {
            (true, colours) => Self::CoupledByEnPassant { colours },
            (false, ByColor { black: false, white: false }) => Self::ExactSum,
            (false, colours) => Self::CoupledByCheck { colours },
        }
    }

    /// The colours whose king was not shown to be safe from check for ever.
    #[must_use]
    pub const fn checks(self) -> ByColor<bool> {
        match self {
            Self::ExactSum => ByColor { black: false, white: false },
            Self::CoupledByCheck { colours } | Self::CoupledByEnPassant { colours } => colours,
        }
    }

    /// Whether a later en-passant capture was not excluded.
    #[must_use]
    pub const fn en_passant(self) -> bool {
        matches!(self, Self::CoupledByEnPassant { .. })
    }
}

/// What a checked certificate establishes about its position.
///
/// Every field is a claim that holds for all time, whatever both sides play.
/// None says anything about best play, and a claim that is absent is open.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Conclusions {
    /// Classes of pieces that never interact with each other. Fewer than two is no claim.
    pub components: u8,
    /// Whether the components are games of their own.
    pub coupling: Coupling,
    /// For each colour, that it can never give mate.
    pub unwinnable: ByColor<bool>,
}

impl Conclusions {
    /// Whether the position stays divided: two or more components.
    #[must_use]
    pub const fn decomposed(&self) -> bool {
        self.components >= 2
    }

    /// Whether the position is dead: neither colour can ever give mate (FIDE Laws of Chess, article 5.2.2).
    #[must_use]
    pub const fn dead(&self) -> bool {
        self.unwinnable.white && self.unwinnable.black
    }

    /// Whether the position is an exact disjoint sum of two or more components.
    #[must_use]
    pub const fn exact_sum(&self) -> bool {
        self.decomposed() && matches!(self.coupling, Coupling::ExactSum)
    }
}

/// What [`analyze`](super::analyze) finds: the conclusions, and the frozen pieces that they rest on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Outline {
    /// The pieces that never move and are never captured.
    pub frozen: Bitboard,
    /// Classes of pieces that never interact with each other. Fewer than two is no claim.
    pub components: u8,
    /// Whether the components are games of their own.
    pub coupling: Coupling,
    /// For each colour, that it can never give mate.
    pub unwinnable: ByColor<bool>,
}

impl Outline {
    /// The conclusions alone.
    #[must_use]
    pub const fn conclusions(&self) -> Conclusions {
        Conclusions { components: self.components, coupling: self.coupling, unwinnable: self.unwinnable }
    }

    /// Whether the position stays divided: two or more components.
    #[must_use]
    pub const fn decomposed(&self) -> bool {
        self.conclusions().decomposed()
    }

    /// Whether the position is dead: neither colour can ever give mate (FIDE Laws of Chess, article 5.2.2).
    #[must_use]
    pub const fn dead(&self) -> bool {
        self.conclusions().dead()
    }
}

/// One mover, summed over its roles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    /// Every square where it can ever stand.
    pub(super) reach: u64,
    /// Every square that it attacks from one of them, with only frozen pieces in the way.
    pub(super) attack: u64,
}

impl Range {
    /// Whether one of the two can ever stand where the other stands or attacks.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.reach & (other.reach | other.attack) | self.attack & other.reach != 0
    }
}

/// The sums of one colour.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Camp {
    /// Its frozen pieces.
    pub(super) frozen: u64,
    /// What its frozen pawns attack.
    pub(super) guarded: u64,
    /// Its king.
    pub(super) king: Range,
    /// The union of its movers without the king.
    pub(super) army: Range,
    /// What its movers attack as pawns.
    pub(super) pawn_attack: u64,
    /// Squares that one of its movers can ever step over in a double step.
    pub(super) skipped: u64,
    /// Its movers without the king, as bits of indices into [`Field::movers`].
    pub(super) soldiers: u32,
}

/// A witness in sums.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) camps: ByColor<Camp>,
    /// The movers in ascending order of their squares.
    pub(super) movers: [Range; MAXIMUM_PIECES],
}

impl Field {
    /// A field with the frozen pieces of each colour, and those of them that are pawns.
    pub(super) fn new(frozen: ByColor<u64>, frozen_pawns: ByColor<u64>) -> Self {
        let camp = |color| Camp {
            frozen: *frozen.get(color),
            guarded: pawn_attacks(color, *frozen_pawns.get(color)),
            ..Camp::default()
        };
        Self { camps: ByColor::new_with(camp), movers: [Range::default(); MAXIMUM_PIECES] }
    }

    pub(super) fn put_king(&mut self, index: usize, color: Color, range: Range) {
        self.movers[index] = range;
        self.camps.get_mut(color).king = range;
    }

    pub(super) fn put_soldier(&mut self, index: usize, color: Color, range: Range) {
        self.movers[index] = range;
        let camp = self.camps.get_mut(color);
        camp.army.reach |= range.reach;
        camp.army.attack |= range.attack;
        camp.soldiers |= 1 << index;
    }

    /// The squares of the king's reach where he could be in check.
    ///
    /// A king gives no check, and frozen pieces other than pawns attack only their own.
    pub(super) fn checks_of(&self, color: Color) -> u64 {
        let enemy = self.camps.get(!color);
        self.camps.get(color).king.reach & (enemy.army.attack | enemy.guarded)
    }

    /// Whether a mover can ever step over a square that an enemy mover attacks as a pawn.
    pub(super) fn en_passant_possible(&self) -> bool {
        let ByColor { black, white } = &self.camps;
        white.skipped & black.pawn_attack | black.skipped & white.pawn_attack != 0
    }

    /// A square where `color` could give mate as far as the witness tells, the lowest; none means never.
    pub(super) fn mating_square(&self, color: Color) -> Option<Square> {
        let (attacker, defender) = (self.camps.get(color), self.camps.get(!color));
        let closed = attacker.army.attack | attacker.king.attack | attacker.guarded | defender.frozen;
        let flights = !(closed | defender.army.reach);
        Bitboard(self.checks_of(!color) & !king_steps(flights)).into_iter().find(|&square| {
            let open = shakmaty::attacks::king_attacks(square).0 & !closed;
            self.can_all_be_occupied(open, defender.soldiers)
        })
    }

    /// Whether each of at most eight squares can be given a mover of its own whose reach holds it.
    fn can_all_be_occupied(&self, squares: u64, movers: u32) -> bool {
        let squares = Bitboard(squares);
        if squares.count() > movers.count_ones() as usize {
            return false;
        }
        let mut candidates = [0u32; 8];
        let mut owner = [None; MAXIMUM_PIECES];
        for (place, square) in squares.into_iter().enumerate() {
            candidates[place] = bits(movers)
                .filter(|&mover| Bitboard(self.movers[mover].reach).contains(square))
                .fold(0, |set, mover| set | 1 << mover);
            if !assign(place, &candidates, &mut owner, &mut 0) {
                return false;
            }
        }
        true
    }
}

/// Finds a mover for one more place, moving others to their alternatives (an augmenting path).
fn assign(
    place: usize,
    candidates: &[u32; 8],
    owner: &mut [Option<usize>; MAXIMUM_PIECES],
    tried: &mut u32,
) -> bool {
    for mover in bits(candidates[place]) {
        if *tried & 1 << mover != 0 {
            continue;
        }
        *tried |= 1 << mover;
        if owner[mover].is_none_or(|other| assign(other, candidates, owner, tried)) {
            owner[mover] = Some(place);
            return true;
        }
    }
    false
}

/// The indices of the set bits, ascending.
pub(super) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        (set != 0).then(|| {
            let index = set.trailing_zeros() as usize;
            set &= set - 1;
            index
        })
    })
}
