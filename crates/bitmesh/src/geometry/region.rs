//! Regions of free squares, found a whole board at a time.
//!
//! A *run* is a maximal row of neighbouring free squares on one rank. A run *stands* on a run of the rank below when
//! the two share a file; a run that stands on none is a *foot*. From every run, stepping down leads to a foot, so every
//! region has one, and squares with a single foot are a single region.

use crate::geometry::shift;

/// A region that holds pieces.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Region {
    /// All squares of the region.
    pub(crate) squares: u64,
    /// Its squares that hold pieces.
    pub(crate) pieces: u64,
    /// The last square of each of its feet.
    pub(crate) feet: u64,
}

/// The regions that hold pieces, by ascending first piece.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    free: u64,
    pieces: u64,
    feet: u64,
}

impl Regions {
    /// The regions of `free` with some of the `pieces`, all of which stand on free squares.
    pub(crate) const fn new(free: u64, pieces: u64) -> Self {
        Self { free, pieces, feet: feet(free) }
    }

    /// The number of regions, for less than it takes to find them all.
    pub(crate) fn count_quickly(mut self) -> u8 {
        let mut count = 0;
        while self.pieces != 0 {
            count += 1;
            if self.is_one_region() {
                break;
            }
            // From above: the region of the highest piece often has all feet but one.
            // Squares of the last region that the fill leaves out make no difference.
            self.leave_out(fill_until(highest(self.pieces), self.free, self.pieces));
        }
        count
    }

    /// At least the number of regions.
    pub(crate) const fn at_most(&self) -> usize {
        if self.pieces == 0 { 0 } else { self.feet.count_ones() as usize }
    }

    const fn is_one_region(&self) -> bool {
        self.feet.is_power_of_two()
    }

    const fn leave_out(&mut self, squares: u64) {
        self.free &= !squares;
        self.pieces &= !squares;
        self.feet &= !squares;
    }
}

impl Iterator for Regions {
    type Item = Region;

    fn next(&mut self) -> Option<Region> {
        if self.pieces == 0 {
            return None;
        }
        let squares = if self.is_one_region() {
            self.free
        } else {
            fill_until(lowest(self.pieces), self.free, self.free)
        };
        let region = Region { squares, pieces: self.pieces & squares, feet: self.feet & squares };
        self.leave_out(squares);
        Some(region)
    }
}

/// Whether squares have a single foot, and so are a single region; a region may have several.
pub(crate) const fn has_one_foot(free: u64) -> bool {
    feet(free).is_power_of_two()
}

/// The last squares of all feet.
const fn feet(free: u64) -> u64 {
    let standing = free & shift::north(free);
    last_squares(free) & !last_squares_of_runs_with(standing, free)
}

/// The last squares of all runs.
const fn last_squares(free: u64) -> u64 {
    free & !shift::west(free)
}

/// The last squares of the runs that hold one of `squares`, all of which are free.
///
/// Adding a square to its run carries to the square after the run. The h-file is left out of the sum and looked at on
/// its own, so that nothing carries into the next rank.
const fn last_squares_of_runs_with(squares: u64, free: u64) -> u64 {
    let carried = (free & !shift::FILE_H) + (squares & !shift::FILE_H);
    let on_the_edge = (carried | squares) & free & shift::FILE_H;
    shift::west(carried & !free) | on_the_edge
}

/// The region of a square; less than that as soon as it holds all of `wanted`.
fn fill_until(square: u64, free: u64, wanted: u64) -> u64 {
    let mut region = along_files(run(square, free), free);
    while wanted & !region != 0 {
        let grown = shift::dilate(region) & free;
        if grown == region {
            break;
        }
        // When one step was needed there are most often more: two for one look.
        region = shift::dilate(grown) & free;
    }
    region
}

/// The run of a square.
pub(crate) const fn run(square: u64, free: u64) -> u64 {
    let first_squares = free & !shift::east(free);
    let first = 1 << (first_squares & (square | (square - 1))).ilog2();
    let last = lowest(last_squares(free) & !(square - 1));
    (last << 1).wrapping_sub(first)
}

/// The squares with all free ones that they see to the north and to the south.
fn along_files(squares: u64, free: u64) -> u64 {
    let (mut north, mut free_to_the_south) = (squares, free);
    let (mut south, mut free_to_the_north) = (squares, free);
    for distance in [8, 16, 32] {
        north |= free_to_the_south & north << distance;
        free_to_the_south &= free_to_the_south << distance;
        south |= free_to_the_north & south >> distance;
        free_to_the_north &= free_to_the_north >> distance;
    }
    north | south
}

/// The highest square of a set that is not empty.
const fn highest(squares: u64) -> u64 {
    1 << squares.ilog2()
}

/// The lowest square of a set; of none, none.
pub(crate) const fn lowest(squares: u64) -> u64 {
    squares & squares.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;
    use shakmaty::Bitboard;

    use super::*;
    use crate::geometry::partition::partition_board;

    const FIRST_RANK: u64 = 0xff;

    #[test]
    fn every_region_has_a_foot() {
        assert_eq!(feet(u64::MAX), 1 << 7);
        assert_eq!(feet(0), 0);
        assert_eq!(feet(!(FIRST_RANK << 24)), 1 << 7 | 1 << 39, "a wall on the fourth rank");
        assert_eq!(feet(!(shift::FILE_A << 3)), 1 << 2 | 1 << 7, "a wall on the d-file");
        let under_a_roof = 0b0011_1100 << 16 | 0b0010_0100 << 8 | 0b0010_0100;
        assert_eq!(feet(under_a_roof), 1 << 2 | 1 << 5, "two feet, one region");
        assert_eq!(Regions::new(under_a_roof, 1 << 2 | 1 << 5).count_quickly(), 1);
    }

    #[test]
    fn corners_connect_and_edges_do_not() {
        let stairs = 0x8040_2010_0804_0201;
        assert_eq!(Regions::new(stairs, 1 << 63 | 1).count_quickly(), 1);
        let both_edges = shift::FILE_A | shift::FILE_H;
        assert_eq!(Regions::new(both_edges, both_edges).count_quickly(), 2);
    }

    #[test]
    fn regions_without_pieces_do_not_count() {
        let wall = FIRST_RANK << 24;
        assert_eq!(Regions::new(!wall, 0).count_quickly(), 0);
        assert_eq!(Regions::new(!wall, FIRST_RANK).count_quickly(), 1);
        assert_eq!(Regions::new(!wall, FIRST_RANK | 1 << 63).count_quickly(), 2);
    }

    proptest! {
        #[test]
        fn regions_are_the_sets_of_the_partition(bits in any::<[u64; 4]>(), density in 0..3) {
            let free = match density {
                0 => bits[0],
                1 => bits[0] | bits[1],
                _ => bits[0] | bits[1] | bits[2],
            };
            let pieces = bits[3] & free;
            let regions = Regions::new(free, pieces);
            prop_assert_eq!(usize::from(regions.clone().count_quickly()), regions.clone().count());
            prop_assert!(regions.at_most() >= regions.clone().count());
            let mut partition = partition_board(Bitboard(!free));
            let found: Vec<Region> = regions.collect();
            prop_assert_eq!(found.iter().fold(0, |all, region| all | region.pieces), pieces);
            for Region { squares, pieces, feet } in found {
                prop_assert!(pieces != 0 && feet != 0);
                prop_assert_eq!((pieces & !squares, feet & !squares), (0, 0));
                let first = squares.trailing_zeros() as usize;
                for square in Bitboard(free) {
                    let same = squares >> u32::from(square) & 1 == 1;
                    prop_assert_eq!(partition.connected(first, square.into()), same);
                }
            }
        }
    }
}
