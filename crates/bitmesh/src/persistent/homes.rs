//! Homes: regions in which men are counted, not placed.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, Chess, Color, Position as _, Role, Square};

/// The most homes that a proof may have.
pub(crate) const MAXIMUM_HOMES: usize = 20;

/// The largest number that is counted; above it, or above the cap of the home, there are *many*.
pub(crate) const MAXIMUM_CAP: u8 = 14;

/// Any number of men.
pub(super) const MANY: u8 = MAXIMUM_CAP + 1;

/// A set of squares in which the men of one colour and role are counted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Home {
    /// The colour of the men.
    pub color: Color,
    /// Their role. A king has no home.
    pub role: Role,
    /// The squares where such a man is at home.
    pub squares: Bitboard,
    /// The largest number that is told from *many*.
    pub cap: u8,
}

/// The proof by an expansion with men at home: the homes, and how many states follow from them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Roaming {
    pub(crate) homes: Vec<Home>,
    pub(crate) states: u32,
    pub(crate) to_bare_king: bool,
}

impl Roaming {
    /// The homes, in the order of their numbers.
    #[must_use]
    pub fn homes(&self) -> &[Home] {
        &self.homes
    }

    /// The number of states.
    #[must_use]
    pub const fn states(&self) -> u32 {
        self.states
    }

    /// Whether no steps are taken from states in which each colour that is claimed has nothing but its king.
    #[must_use]
    pub const fn to_bare_king(&self) -> bool {
        self.to_bare_king
    }
}

/// What is known of checks in a state.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Mode {
    /// The side to move is not in check.
    Quiet,
    /// Nothing gives check but, perhaps, the man on this square.
    Direct(Square),
    /// Nothing.
    Loud,
}

/// Many positions in one: the placed men, and at most these numbers of men at home.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct State {
    /// The men outside their homes, both kings among them.
    pub(super) placed: Board,
    pub(super) turn: Color,
    /// For each home, the most men that can be there, without the located one.
    pub(super) numbers: [u8; MAXIMUM_HOMES],
    pub(super) mode: Mode,
    /// A man at home that has just moved, with the number of its home. It belongs to the side not to move.
    pub(super) located: Option<(usize, Square)>,
    /// The only square on which a pawn may be taken en passant. It and the square behind the pawn are empty.
    pub(super) en_passant: Option<Square>,
}

/// A list of homes, of which no two hold the same man.
#[derive(Clone, Copy, Debug)]
pub(super) struct Homes<'a>(pub(super) &'a [Home]);

impl<'a> Homes<'a> {
    /// The home where a man of this colour and role is on a square.
    pub(super) fn of(self, color: Color, role: Role, square: Square) -> Option<usize> {
        self.0
            .iter()
            .position(|home| home.color == color && home.role == role && home.squares.contains(square))
    }

    /// The homes of a colour in which there may be men, with their numbers.
    pub(super) fn inhabited<'n>(
        self,
        numbers: &'n [u8; MAXIMUM_HOMES],
        color: Color,
    ) -> impl Iterator<Item = (usize, &'a Home)> + use<'a, 'n> {
        self.0.iter().enumerate().filter(move |&(index, home)| home.color == color && numbers[index] > 0)
    }

    /// One man more.
    pub(super) fn add(self, numbers: &mut [u8; MAXIMUM_HOMES], index: usize) {
        numbers[index] = if numbers[index] >= self.0[index].cap { MANY } else { numbers[index] + 1 };
    }

    /// One man less; many stay many.
    pub(super) fn remove(numbers: &mut [u8; MAXIMUM_HOMES], index: usize) {
        if numbers[index] != MANY {
            numbers[index] -= 1;
        }
    }

    /// The state of a position without castling rights and without a legal en-passant capture.
    pub(super) fn state(self, position: &Chess) -> State {
        let mut placed = position.board().clone();
        let mut numbers = [0; MAXIMUM_HOMES];
        for (square, piece) in position.board().clone() {
            if let Some(index) = self.of(piece.color, piece.role, square) {
                placed.discard_piece_at(square);
                self.add(&mut numbers, index);
            }
        }
        let mode = if position.is_check() { Mode::Loud } else { Mode::Quiet };
        State { placed, turn: position.turn(), numbers, mode, located: None, en_passant: None }
    }
}
