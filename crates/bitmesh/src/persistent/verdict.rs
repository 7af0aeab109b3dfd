//! What follows from a witness: components, coupling, and who can never give mate.
//!
//! The predicates here belong to what must be trusted: the checker relies on
//! them. They read a [`Field`], which the caller makes by summing a witness, and
//! know nothing of how a witness is found.

use shakmaty::attacks::{attacks, king_attacks};
use shakmaty::{Bitboard, ByColor, Color, Role, Square};

use crate::geometry::steps::king_steps;

/// The kind of proof that this module makes and checks, with its version.
pub const PROOF_KIND: &str = "bitmesh:persistent_independence:v1";

/// The most pieces that a board in a game can have.
pub(crate) const MAXIMUM_PIECES: usize = 32;

/// Whether components of a position can be played as separate games.
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
        colors: ByColor<bool>,
    },
    /// An en-passant capture was not excluded, and a right to it ends with a move elsewhere; a check may couple too.
    CoupledByEnPassant {
        /// The colours whose king was not shown to be safe from check for ever.
        colors: ByColor<bool>,
    },
}

impl Coupling {
    /// The value that claims nothing.
    pub const UNKNOWN: Self = Self::CoupledByEnPassant { colors: ByColor { black: true, white: true } };

    pub(super) const fn new(colors: ByColor<bool>, en_passant: bool) -> Self {
        match (en_passant, colors) {
            (true, colors) => Self::CoupledByEnPassant { colors },
            (false, ByColor { black: false, white: false }) => Self::ExactSum,
            (false, colors) => Self::CoupledByCheck { colors },
        }
    }

    /// The word that programs look for: `exact_sum`, `coupled_by_check` or `coupled_by_en_passant`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ExactSum => "exact_sum",
            Self::CoupledByCheck { .. } => "coupled_by_check",
            Self::CoupledByEnPassant { .. } => "coupled_by_en_passant",
        }
    }

    /// The colours whose king was not shown to be safe from check for ever.
    #[must_use]
    pub const fn checks(self) -> ByColor<bool> {
        match self {
            Self::ExactSum => ByColor { black: false, white: false },
            Self::CoupledByCheck { colors } | Self::CoupledByEnPassant { colors } => colors,
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
    /// The number of classes of pieces that never interact with each other. Fewer than two claims nothing.
    pub components: u8,
    /// Whether the components are separate games.
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
    /// The number of classes of pieces that never interact with each other. Fewer than two claims nothing.
    pub components: u8,
    /// Whether the components are separate games.
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    /// Every square where it can ever stand.
    pub(super) reach: u64,
    /// Every square that it attacks from one of them, with only frozen pieces in the way.
    pub(super) attack: u64,
}

impl Range {
    const EMPTY: Self = Self { reach: 0, attack: 0 };

    /// Whether one of the two can ever stand where the other stands or attacks.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.reach & (other.reach | other.attack) | self.attack & other.reach != 0
    }
}

/// The sums of one colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideSums {
    /// Its frozen pieces.
    pub(super) frozen: u64,
    /// What its frozen pieces attack for ever: of a slider's lines, the squares beside it.
    pub(super) guarded: u64,
    /// Its king.
    pub(super) king: Range,
    /// The union of its movers without the king.
    pub(super) non_king: Range,
    /// What its movers attack as pawns.
    pub(super) pawn_attack: u64,
    /// Squares that one of its movers can ever step over in a double step.
    pub(super) skipped: u64,
    /// Its movers without the king, as bits of indices into [`Field::movers`].
    pub(super) non_king_movers: u32,
}

impl SideSums {
    const EMPTY: Self = Self {
        frozen: 0,
        guarded: 0,
        king: Range::EMPTY,
        non_king: Range::EMPTY,
        pawn_attack: 0,
        skipped: 0,
        non_king_movers: 0,
    };
}

/// A witness in sums.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) sides: ByColor<SideSums>,
    /// The movers in ascending order of their squares.
    pub(super) movers: [Range; MAXIMUM_PIECES],
    /// The role of each mover that is not a pawn now.
    pub(super) officers: [Option<Role>; MAXIMUM_PIECES],
}

impl Field {
    /// A field without pieces.
    pub(super) const EMPTY: Self = Self {
        sides: ByColor { black: SideSums::EMPTY, white: SideSums::EMPTY },
        movers: [Range::EMPTY; MAXIMUM_PIECES],
        officers: [None; MAXIMUM_PIECES],
    };

    /// The frozen pieces of a colour, and what they attack for ever.
    pub(super) fn put_frozen(&mut self, color: Color, frozen: u64, guarded: u64) {
        let sums = self.sides.get_mut(color);
        sums.frozen = frozen;
        sums.guarded = guarded;
    }

    pub(super) fn put_frozen_king(&mut self, color: Color, square: Square) {
        let reach = Bitboard::from(square).0;
        self.sides.get_mut(color).king = Range { reach, attack: king_steps(reach) };
    }

    pub(super) fn put_king(&mut self, index: usize, color: Color, range: Range) {
        self.movers[index] = range;
        self.sides.get_mut(color).king = range;
    }

    pub(super) fn put_non_king(&mut self, index: usize, color: Color, role: Role, range: Range) {
        self.movers[index] = range;
        self.officers[index] = (role != Role::Pawn).then_some(role);
        let sums = self.sides.get_mut(color);
        sums.non_king.reach |= range.reach;
        sums.non_king.attack |= range.attack;
        sums.non_king_movers |= 1 << index;
    }

    /// The squares of the king's reach where he could be in check.
    ///
    /// Of the frozen pieces only pawns can give check: officers attack only their own,
    /// and beside a frozen king the other king never stands.
    pub(super) fn checks_of(&self, color: Color) -> u64 {
        let enemy = self.sides.get(!color);
        self.sides.get(color).king.reach & (enemy.non_king.attack | enemy.guarded)
    }

    /// Whether a mover can ever step over a square that an enemy mover attacks as a pawn.
    pub(super) fn en_passant_possible(&self) -> bool {
        let ByColor { black, white } = &self.sides;
        white.skipped & black.pawn_attack | black.skipped & white.pawn_attack != 0
    }

    /// The lowest square where `color` could give mate as far as the witness tells; none means never.
    pub(super) fn mating_square(&self, color: Color) -> Option<Square> {
        let (attacker, defender) = (self.sides.get(color), self.sides.get(!color));
        let closed = attacker.non_king.attack | attacker.king.attack | attacker.guarded | defender.frozen;
        let flights = !(closed | defender.non_king.reach);
        Bitboard(self.checks_of(!color) & !king_steps(flights)).into_iter().find(|&square| {
            let open = king_attacks(square).0 & !closed;
            self.can_all_be_occupied(open, defender) && self.can_be_mated_on(!color, square)
        })
    }

    /// Whether all neighbours of an attacked king can be closed when the piece that gives check
    /// and the other king each stand on one square.
    fn can_be_mated_on(&self, color: Color, square: Square) -> bool {
        let (attacker, defender) = (self.sides.get(!color), self.sides.get(color));
        let here = Bitboard::from(square).0;
        let neighbours = king_attacks(square).0;
        let fixed = attacker.guarded | defender.frozen;
        let posts = attacker.king.reach & !neighbours & !here;
        let closes = |attacked: u64| {
            let open = neighbours & !(fixed | attacked);
            if open & !(attacker.king.attack | defender.non_king.reach) != 0 {
                return false;
            }
            // A king further away closes nothing.
            let near = Bitboard(posts & king_steps(open));
            posts != 0 && self.can_all_be_occupied(open, defender)
                || near
                    .into_iter()
                    .any(|post| self.can_all_be_occupied(open & !king_attacks(post).0, defender))
        };
        if !closes(attacker.non_king.attack) {
            return false;
        }
        if attacker.guarded & here != 0 {
            return true;
        }
        let blockers = Bitboard(attacker.frozen | defender.frozen);
        let gives_check = |&checker: &usize| self.movers[checker].attack & here != 0;
        bits(attacker.non_king_movers).filter(gives_check).any(|checker| {
            let others = bits(attacker.non_king_movers & !(1 << checker))
                .fold(0, |all, other| all | self.movers[other].attack);
            let Range { reach, attack } = self.movers[checker];
            match self.officers[checker] {
                None => closes(others | attack),
                Some(role) => {
                    // A line is the same from both of its ends.
                    let piece = role.of(!color);
                    let stands = attacks(square, piece, blockers) & Bitboard(reach);
                    stands.into_iter().any(|stand| closes(others | attacks(stand, piece, blockers).0))
                }
            }
        })
    }

    /// Whether each of at most eight squares can be given a different mover whose reach holds it.
    fn can_all_be_occupied(&self, squares: u64, sums: &SideSums) -> bool {
        let (squares, movers) = (Bitboard(squares), sums.non_king_movers);
        if squares.is_empty() {
            return true;
        }
        if squares.0 & !sums.non_king.reach != 0 || squares.count() > movers.count_ones() as usize {
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
