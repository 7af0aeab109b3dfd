//! Which square names a region, found from its runs instead of its pairs of squares.
//!
//! The contract joins squares in four passes: east, north, north-east, north-west, ascending in each. On equal ranks the
//! root of the first square is hung under that of the second, whose rank grows by one; otherwise the lower rank is hung
//! under the higher. In terms of [runs](crate::geometry::region):
//!
//! - *East* joins the squares of each run. A run of one square is a tree of rank 0. In a longer one the first square is
//!   hung under the second, which then has rank 1, and every further one under that as well: its root is the second
//!   square.
//! - *North* joins each run with those that it stands on, by ascending rank and from west to east. Of the files that two
//!   runs share only the first changes anything, for afterwards they are in one tree.
//! - *North-east* and *north-west* change something only where two runs touch at a corner and neither of the other two
//!   squares there is free: otherwise that square is in the tree of both.

use crate::geometry::region::{Region, lowest};
use crate::geometry::shift;

/// The root of a region.
pub(crate) fn root(region: &Region) -> u8 {
    let runs = Runs::of(region.squares);
    if region.feet.is_power_of_two() {
        runs.root(Tree::on_one_foot(runs).run)
    } else {
        runs.root(run_on_many_feet(runs, region.feet))
    }
}

/// How many runs the board has room for: four on each rank.
const MOST_RUNS: usize = 32;

/// The runs of a region, each known by a number below 32: half of its first square.
#[derive(Clone, Copy)]
struct Runs {
    squares: u64,
    starts: u64,
    /// The starts of those of more than one square.
    long: u64,
}

impl Runs {
    const fn of(squares: u64) -> Self {
        let starts = squares & !shift::east(squares);
        Self { squares, starts, long: starts & shift::west(squares) }
    }

    /// The run that holds a square.
    const fn at(&self, square: u32) -> u8 {
        let start = 63 - (self.starts & u64::MAX >> (63 - square)).leading_zeros();
        (start / 2) as u8
    }

    /// The rank of a run after the first pass.
    const fn rank(&self, run: u8) -> u8 {
        (self.long >> (2 * run) & 0b11 != 0) as u8
    }

    /// The root of a run after the first pass.
    const fn root(&self, run: u8) -> u8 {
        2 * run + (self.starts >> (2 * run)).trailing_zeros() as u8 + self.rank(run)
    }
}

/// A disjoint set: the run of its root, and the rank of that.
#[derive(Clone, Copy)]
struct Tree {
    run: u8,
    rank: u8,
}

impl Tree {
    /// All runs after the second pass, if they have one foot.
    ///
    /// The foot is the only run on its rank and no other is lower. Every other run, in ascending order, is still alone
    /// when it is joined with the tree that has grown from the foot. While that tree has rank 0, the next run takes its
    /// root over; while it has rank 1, the next run of more than one square does, and makes it rank 2; after that the
    /// root stays.
    const fn on_one_foot(runs: Runs) -> Self {
        let mut start = lowest(runs.starts);
        let mut rank = 1;
        if start & runs.long == 0 {
            match lowest(runs.starts & after(start)) {
                0 => rank = 0,
                next => start = next,
            }
        }
        let next_long = lowest(runs.long & after(start));
        if next_long != 0 {
            start = next_long;
            rank = 2;
        }
        Self { run: (start.trailing_zeros() / 2) as u8, rank }
    }
}

/// The squares after a single one.
const fn after(square: u64) -> u64 {
    !(square | (square - 1))
}

/// The run of the root of any region.
fn run_on_many_feet(runs: Runs, feet: u64) -> u8 {
    let squares = runs.squares;
    // What lies below the rank of the second foot has one foot.
    let second_foot_rank = (feet & (feet - 1)).trailing_zeros() / 8;
    let below = squares & ((1 << (8 * second_foot_rank)) - 1);
    let mut forest = Forest::new(runs);
    if below != 0 {
        forest.plant(Tree::on_one_foot(Runs::of(below)), 4 * second_foot_rank);
    }
    let standing = squares & shift::south(squares) & !shift::south(below);
    // Two runs that share several files meet first in the westernmost of them.
    each(standing & !shift::east(standing), |square| forest.join(square, square + 8));
    let corners = squares & !shift::south(squares);
    let north_east = corners & !shift::west(squares) & shift::south_west(squares);
    each(north_east, |square| forest.join(square, square + 9));
    let north_west = corners & !shift::east(squares) & shift::south_east(squares);
    each(north_west, |square| forest.join(square, square + 7));
    forest.tree_at(squares.trailing_zeros())
}

fn each(mut squares: u64, mut action: impl FnMut(u32)) {
    while squares != 0 {
        action(squares.trailing_zeros());
        squares &= squares - 1;
    }
}

/// Disjoint sets of runs, each known by the run of its root.
///
/// Every run knows its tree at any time: to change it for all of a tree at once takes less time than to follow it up.
struct Forest {
    runs: Runs,
    /// The tree of each run.
    tree: [u8; MOST_RUNS],
    /// How much the rank of each tree has grown since the first pass.
    growth: [u8; MOST_RUNS],
}

impl Forest {
    fn new(runs: Runs) -> Self {
        Self { runs, tree: core::array::from_fn(|run| run as u8), growth: [0; MOST_RUNS] }
    }

    /// Makes all runs below a number one tree.
    fn plant(&mut self, tree: Tree, end: u32) {
        for (run, its) in self.tree.iter_mut().enumerate() {
            *its = if (run as u32) < end { tree.run } else { *its };
        }
        self.growth[usize::from(tree.run) % MOST_RUNS] = tree.rank - self.runs.rank(tree.run);
    }

    fn tree_at(&self, square: u32) -> u8 {
        self.tree[usize::from(self.runs.at(square))]
    }

    fn rank(&self, tree: u8) -> u8 {
        self.runs.rank(tree) + self.growth[usize::from(tree) % MOST_RUNS]
    }

    /// Joins the trees of two squares as the contract does; nothing changes if they are one. Without branches, which
    /// could not be predicted.
    fn join(&mut self, first: u32, second: u32) {
        let (first, second) = (self.tree_at(first), self.tree_at(second));
        let ranks = (self.rank(first), self.rank(second));
        let (child, parent) = if ranks.0 > ranks.1 { (second, first) } else { (first, second) };
        self.growth[usize::from(parent) % MOST_RUNS] += u8::from(first != second && ranks.0 == ranks.1);
        for tree in &mut self.tree {
            *tree = if *tree == child { parent } else { *tree };
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Bitboard;

    use crate::random::Random;

    use super::*;
    use crate::geometry::partition::partition_board;
    use crate::geometry::region::Regions;

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
        let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
        let count = if cfg!(debug_assertions) { 10_000 } else { 1_000_000 };
        for _ in 0..count {
            let (a, b, c) = (random.next(), random.next(), random.next());
            for free in [a, a | b, a | b | c, a & b, (a & b) | c] {
                compare_with_partition(free);
            }
        }
    }
}
