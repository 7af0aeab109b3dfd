//! From which squares the winner's men would touch the loser's king and his flights, for all squares at once.

use shakmaty::attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use shakmaty::{Bitboard, Square};

use super::scene::WINNER;

/// Sets of squares added up: a number for each square, in binary, below eight.
#[derive(Clone, Copy)]
pub(super) struct Sums([Bitboard; 3]);

impl Sums {
    pub(super) const NONE: Self = Self([Bitboard::EMPTY; 3]);

    #[inline]
    pub(super) fn add(&mut self, squares: Bitboard) {
        let Self([ones, twos, fours]) = self;
        let two = *ones & squares;
        *ones ^= squares;
        *fours |= *twos & two;
        *twos ^= two;
    }

    /// The squares whose number is not zero.
    #[inline]
    pub(super) fn any(&self) -> Bitboard {
        self.0[0] | self.0[1] | self.0[2]
    }

    #[inline]
    pub(super) fn at(&self, square: Square) -> usize {
        let bit = |plane: Bitboard| (plane.0 >> square as u32 & 1) as usize;
        bit(self.0[0]) | bit(self.0[1]) << 1 | bit(self.0[2]) << 2
    }

    /// The squares with the same number.
    #[inline]
    pub(super) fn alike(&self, square: Square) -> Bitboard {
        alike(self.0[0], square) & alike(self.0[1], square) & alike(self.0[2], square)
    }
}

/// The squares that are in a set as one of them is.
#[inline]
pub(super) fn alike(squares: Bitboard, square: Square) -> Bitboard {
    // All bits where the square is outside.
    Bitboard(squares.0 ^ (squares.0 >> square as u32 & 1).wrapping_sub(1))
}

/// What men of a kind touch from each square.
#[derive(Clone, Copy)]
pub(super) struct Touches {
    /// The squares from which they touch the loser's king.
    pub(super) prey: Bitboard,
    /// How many flights they touch.
    pub(super) flights: Sums,
}

/// What the winner's men touch from each square, as the board is now.
///
/// The move of a man opens no line for itself to the king or a flight: it would have been on that line before.
pub(super) struct Touching {
    pub(super) straight: Touches,
    pub(super) diagonal: Touches,
    pub(super) knight: Touches,
    pub(super) king: Touches,
    /// The squares from which a pawn touches anything.
    pub(super) pawn: Bitboard,
}

impl Touching {
    #[inline]
    pub(super) fn new(prey: Square, flights: Bitboard, occupied: Bitboard) -> Self {
        let occupied = occupied.without(prey);
        let touches = |prey| Touches { prey, flights: Sums::NONE };
        let mut touching = Self {
            straight: touches(rook_attacks(prey, occupied)),
            diagonal: touches(bishop_attacks(prey, occupied)),
            knight: touches(knight_attacks(prey)),
            king: touches(Bitboard::EMPTY),
            pawn: pawn_attacks(!WINNER, prey),
        };
        for square in flights {
            touching.straight.flights.add(rook_attacks(square, occupied));
            touching.diagonal.flights.add(bishop_attacks(square, occupied));
            touching.knight.flights.add(knight_attacks(square));
            touching.king.flights.add(king_attacks(square));
            touching.pawn |= pawn_attacks(!WINNER, square);
        }
        touching
    }

    /// A queen touches each square in one way only.
    #[inline]
    pub(super) fn queen(&self) -> Touches {
        let Sums([ones, twos, fours]) = self.diagonal.flights;
        let Sums([more_ones, more_twos, more_fours]) = self.straight.flights;
        let two = ones & more_ones;
        let four = twos & more_twos | twos & two | more_twos & two;
        Touches {
            prey: self.straight.prey | self.diagonal.prey,
            flights: Sums([ones ^ more_ones, twos ^ more_twos ^ two, fours | more_fours | four]),
        }
    }
}
