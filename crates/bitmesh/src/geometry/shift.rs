//! Named moves of whole square sets, one king step at a time.
//!
//! Every function takes a set of squares and returns the set after each square
//! has made the step; squares that would leave the board are dropped.

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;

pub(crate) const fn north(squares: u64) -> u64 {
    squares << 8
}

pub(crate) const fn south(squares: u64) -> u64 {
    squares >> 8
}

pub(crate) const fn east(squares: u64) -> u64 {
    (squares & !FILE_H) << 1
}

pub(crate) const fn west(squares: u64) -> u64 {
    (squares & !FILE_A) >> 1
}

pub(crate) const fn north_east(squares: u64) -> u64 {
    (squares & !FILE_H) << 9
}

pub(crate) const fn north_west(squares: u64) -> u64 {
    (squares & !FILE_A) << 7
}

pub(crate) const fn south_east(squares: u64) -> u64 {
    (squares & !FILE_H) >> 7
}

pub(crate) const fn south_west(squares: u64) -> u64 {
    (squares & !FILE_A) >> 9
}

/// The squares and all their king neighbours.
pub(crate) const fn dilate(squares: u64) -> u64 {
    let row = squares | east(squares) | west(squares);
    row | north(row) | south(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_do_not_wrap_around_the_edges() {
        let (a4, h4) = (1u64 << 24, 1u64 << 31);
        for step in [west, north_west, south_west] {
            assert_eq!(step(a4), 0);
            assert_ne!(step(h4), 0);
        }
        for step in [east, north_east, south_east] {
            assert_eq!(step(h4), 0);
            assert_ne!(step(a4), 0);
        }
        assert_eq!(north(1 << 56), 0);
        assert_eq!(south(1 << 7), 0);
    }

    #[test]
    fn dilate_is_the_square_and_its_king_attacks() {
        for square in shakmaty::Square::ALL {
            let expected = shakmaty::attacks::king_attacks(square).with(square);
            assert_eq!(dilate(1 << u32::from(square)), expected.0);
        }
    }
}
