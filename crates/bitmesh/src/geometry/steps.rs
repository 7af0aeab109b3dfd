//! The geometry of single steps, for whole sets of squares.
//!
//! A slider's step is one square along one of its lines. A set that is closed
//! under single steps around some blockers is closed under whole slides around
//! them, and then the squares one step away are all that its members attack:
//! the square before an attacked one is on the line, and so in the set.

use shakmaty::{Color, Role};

use crate::geometry::shift::{east, north, north_east, north_west, south, south_east, south_west, west};

pub(crate) const fn bishop_steps(squares: u64) -> u64 {
    let beside = east(squares) | west(squares);
    north(beside) | south(beside)
}

pub(crate) const fn rook_steps(squares: u64) -> u64 {
    north(squares) | south(squares) | east(squares) | west(squares)
}

pub(crate) const fn knight_steps(squares: u64) -> u64 {
    let (west_one, east_one) = (west(squares), east(squares));
    let near = west_one | east_one;
    let far = west(west_one) | east(east_one);
    north(north(near)) | south(south(near)) | north(far) | south(far)
}

/// One step of a king or a queen. Two neighbours in the set are in the result.
pub(crate) const fn king_steps(squares: u64) -> u64 {
    let beside = east(squares) | west(squares);
    let rows = beside | squares;
    beside | north(rows) | south(rows)
}

/// One square forward.
pub(crate) const fn pawn_pushes(color: Color, squares: u64) -> u64 {
    match color {
        Color::White => north(squares),
        Color::Black => south(squares),
    }
}

/// The two squares diagonally in front.
pub(crate) const fn pawn_attacks(color: Color, squares: u64) -> u64 {
    match color {
        Color::White => north_east(squares) | north_west(squares),
        Color::Black => south_east(squares) | south_west(squares),
    }
}

/// One step of a piece other than a pawn.
pub(crate) const fn officer_steps(role: Role, squares: u64) -> u64 {
    match role {
        Role::Pawn => 0,
        Role::Knight => knight_steps(squares),
        Role::Bishop => bishop_steps(squares),
        Role::Rook => rook_steps(squares),
        Role::Queen | Role::King => king_steps(squares),
    }
}

/// The least set that holds `seeds` and every step from itself onto a free square.
#[inline]
pub(crate) fn flood(seeds: u64, free: u64, steps: impl Fn(u64) -> u64) -> u64 {
    let mut set = seeds;
    loop {
        let grown = set | steps(set) & free;
        if grown == set {
            return set;
        }
        set = grown;
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Square, attacks};

    use super::*;

    #[test]
    fn a_step_is_an_attack_on_a_board_full_of_blockers() {
        for square in Square::ALL {
            let set = Bitboard::from(square).0;
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                let expected = attacks::attacks(square, role.of(Color::White), Bitboard::FULL);
                assert_eq!(officer_steps(role, set), expected.0, "{role:?} on {square}");
            }
            for color in Color::ALL {
                assert_eq!(pawn_attacks(color, set), attacks::pawn_attacks(color, square).0);
                let front = square.offset(color.fold_wb(8, -8)).map_or(0, |front| Bitboard::from(front).0);
                assert_eq!(pawn_pushes(color, set), front);
            }
        }
    }

    #[test]
    fn steps_of_a_set_are_the_steps_of_its_squares() {
        let set = Bitboard(0x8100_0042_1800_0281);
        for role in Role::ALL {
            let each =
                set.into_iter().fold(0, |all, square| all | officer_steps(role, Bitboard::from(square).0));
            assert_eq!(officer_steps(role, set.0), each);
        }
    }
}
