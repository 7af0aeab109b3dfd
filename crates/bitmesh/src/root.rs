//! Which square names a region, found from its runs instead of its pairs of squares.
//!
//! The contract joins squares in four passes: east, north, north-east, north-west, ascending in each. On equal ranks the
//! root of the first square is hung under that of the second, whose rank grows by one; otherwise the lower rank is hung
//! under the higher. In terms of [runs](crate::region):
//!
//! - *East* joins the squares of each run. A run of one square is a tree of rank 0. In a longer one the first square is
//!   hung under the second, which then has rank 1, and every further one under that as well: its root is the second
//!   square.
//! - *North* joins each run with those that it stands on, by ascending rank and from west to east. Of the files that two
//!   runs share only the first changes anything, for afterwards they are in one tree.
//! - *North-east* and *north-west* change something only where two runs touch at a corner and neither of the other two
//!   squares there is free: otherwise that square is in the tree of both.

use crate::region::{Region, lowest};
use crate::shift;

/// The root of a region.
pub(crate) fn root(region: &Region) -> u8 {
    let Region { squares, feet, .. } = *region;
    if feet.is_power_of_two() { Tree::on_one_foot(squares).root } else { root_on_many_feet(squares, feet) }
}

/// A disjoint set of squares with its root and the rank of that.
#[derive(Clone, Copy, Debug, Default)]
struct Tree {
    squares: u64,
    root: u8,
    rank: u8,
}

impl Tree {
    /// A run after the first pass.
    const fn of_run(squares: u64) -> Self {
        let long = !squares.is_power_of_two() as u8;
        Self { squares, root: squares.trailing_zeros() as u8 + long, rank: long }
    }

    /// Squares with one foot after the second pass.
    ///
    /// The foot is the only run on its rank and no other is lower. Every other run, in ascending order, is still alone
    /// when it is joined with the tree that has grown from the foot. While that tree has rank 0, the next run takes its
    /// root over; while it has rank 1, the next run of more than one square does, and makes it rank 2; after that the
    /// root stays.
    const fn on_one_foot(squares: u64) -> Self {
        let starts = squares & !shift::east(squares);
        let long = starts & shift::west(squares);
        let mut start = lowest(starts);
        let mut rank = 1;
        if start & long == 0 {
            match lowest(starts & behind(start)) {
                0 => rank = 0,
                next => start = next,
            }
        }
        let next_long = lowest(long & behind(start));
        if next_long != 0 {
            start = next_long;
            rank = 2;
        }
        let root = start.trailing_zeros() as u8 + (start & long != 0) as u8;
        Self { squares, root, rank }
    }
}

/// The squares behind a single one.
const fn behind(square: u64) -> u64 {
    !(square | (square - 1))
}

fn root_on_many_feet(squares: u64, feet: u64) -> u8 {
    let mut forest = Forest::new(squares);
    let standing = squares & shift::south(squares);
    let mut below = standing & !shift::east(standing);

    // What lies below the second foot's rank has one foot.
    let second_rank = rank_and_above(feet & (feet - 1));
    if squares & !second_rank != 0 {
        forest.plant(Tree::on_one_foot(squares & !second_rank));
        below &= second_rank | shift::south(second_rank);
    }
    each(below, |square| forest.join(square, square + 8));
    if forest.is_one_tree() {
        return forest.trees[0].root;
    }
    let corners = squares & !shift::south(squares);
    let north_east = corners & !shift::west(squares) & shift::south_west(squares);
    each(north_east, |square| forest.join(square, square + 9));
    let north_west = corners & !shift::east(squares) & shift::south_east(squares);
    each(north_west, |square| forest.join(square, square + 7));
    forest.trees[0].root
}

/// All squares from the rank of the lowest of `squares` on.
const fn rank_and_above(squares: u64) -> u64 {
    u64::MAX << (squares.trailing_zeros() & !7)
}

fn each(mut squares: u64, mut action: impl FnMut(u32)) {
    while squares != 0 {
        action(squares.trailing_zeros());
        squares &= squares - 1;
    }
}

/// Four runs on each rank.
const MOST_RUNS: usize = 32;

/// The trees of a region; a run that has not been joined with another yet is not among them.
struct Forest {
    squares: u64,
    starts: u64,
    ends: u64,
    trees: [Tree; MOST_RUNS],
    count: usize,
}

impl Forest {
    fn new(squares: u64) -> Self {
        Self {
            squares,
            starts: squares & !shift::east(squares),
            ends: squares & !shift::west(squares),
            trees: [Tree::default(); MOST_RUNS],
            count: 0,
        }
    }

    const fn is_one_tree(&self) -> bool {
        self.trees[0].squares == self.squares
    }

    const fn plant(&mut self, tree: Tree) -> usize {
        self.trees[self.count] = tree;
        self.count += 1;
        self.count - 1
    }

    fn find(&self, square: u32) -> Option<usize> {
        self.trees[..self.count].iter().position(|tree| tree.squares >> square & 1 == 1)
    }

    const fn run(&self, square: u32) -> u64 {
        let start = 63 - (self.starts & u64::MAX >> (63 - square)).leading_zeros();
        let end = lowest(self.ends & u64::MAX << square);
        (end << 1).wrapping_sub(1 << start)
    }

    fn find_or_plant(&mut self, square: u32) -> usize {
        self.find(square).unwrap_or_else(|| self.plant(Tree::of_run(self.run(square))))
    }

    /// Joins the trees of two squares as the contract does.
    fn join(&mut self, first: u32, second: u32) {
        let first = self.find_or_plant(first);
        if self.trees[first].squares >> second & 1 == 1 {
            return;
        }
        if self.trees[first].rank >= 2 && self.find(second).is_none() {
            self.trees[first].squares |= self.run(second);
            return;
        }
        let second = self.find_or_plant(second);
        let ranks = (self.trees[first].rank, self.trees[second].rank);
        let (child, parent) = if ranks.0 > ranks.1 { (second, first) } else { (first, second) };
        self.trees[parent].rank += u8::from(ranks.0 == ranks.1);
        self.trees[parent].squares |= self.trees[child].squares;
        self.count -= 1;
        self.trees[child] = self.trees[self.count];
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Bitboard;

    use super::*;
    use crate::partition::partition_board;
    use crate::region::Regions;

    fn compare_with_partition(free: u64) {
        let mut partition = partition_board(Bitboard(!free));
        for region in Regions::new(free, free) {
            let expected = partition.find(region.squares.trailing_zeros() as usize);
            assert_eq!(usize::from(root(&region)), expected, "{:#018x} of {free:#018x}", region.squares);
        }
    }

    /// All sets of free squares in a block of so many files and ranks whose south-west corner is `corner`.
    fn compare_every_block(files: u32, ranks: u32, corner: u32) {
        for set in 0u64..1 << (files * ranks) {
            let row = |rank| (set >> (rank * files) & ((1 << files) - 1)) << (rank * 8);
            compare_with_partition((0..ranks).map(row).sum::<u64>() << corner);
        }
    }

    #[test]
    fn small_blocks() {
        compare_every_block(4, 4, 0);
        compare_every_block(8, 2, 48);
        compare_every_block(2, 8, 6);
    }

    #[test]
    #[ignore = "takes a minute with --release"]
    fn larger_blocks() {
        compare_every_block(5, 5, 0);
        compare_every_block(8, 3, 16);
        compare_every_block(3, 8, 5);
    }

    /// The whole board, from crowded to empty.
    #[test]
    fn scattered_squares() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let count = if cfg!(debug_assertions) { 10_000 } else { 1_000_000 };
        for _ in 0..count {
            let (a, b, c) = (next(), next(), next());
            for free in [a, a | b, a | b | c, a & b, (a & b) | c] {
                compare_with_partition(free);
            }
        }
    }
}
