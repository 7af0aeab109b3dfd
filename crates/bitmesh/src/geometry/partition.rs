//! Disjoint sets of squares, and the 8-connected components of a board.

use shakmaty::Bitboard;

use crate::geometry::shift;

const SQUARES: usize = 64;

/// Disjoint sets over square indices 0 (a1) to 63 (h8).
///
/// Union by rank with path compression. Which square becomes the root of a set
/// is part of the certificate bytes and therefore fixed: see [`UnionFind::union`].
#[derive(Clone, Debug)]
pub struct UnionFind {
    active: Bitboard,
    parent: [u8; SQUARES],
    rank: [u8; SQUARES],
}

impl UnionFind {
    /// All 64 squares, each in its own set.
    #[must_use]
    pub fn new() -> Self {
        Self::with_mask(Bitboard::FULL)
    }

    /// The squares of `mask`, each in its own set; no other square is in the domain.
    #[must_use]
    pub fn with_mask(mask: Bitboard) -> Self {
        Self { active: mask, parent: core::array::from_fn(|square| square as u8), rank: [0; SQUARES] }
    }

    /// Whether the square index is in the active domain; false for any index of 64 or more.
    #[must_use]
    pub fn contains(&self, square: usize) -> bool {
        square < SQUARES && self.active.0 >> square & 1 == 1
    }

    /// The root of the set that holds the square.
    ///
    /// # Panics
    ///
    /// When the index is outside the active domain.
    pub fn find(&mut self, square: usize) -> usize {
        assert!(self.contains(square), "square index {square} is outside the active domain");
        let mut root = square;
        while usize::from(self.parent[root]) != root {
            root = usize::from(self.parent[root]);
        }
        let mut walker = square;
        while walker != root {
            walker = usize::from(core::mem::replace(&mut self.parent[walker], root as u8));
        }
        root
    }

    /// Merges the sets of two squares; true when they were two sets before.
    ///
    /// The root of lower rank is hung under the other. On equal ranks the root of
    /// `first` is hung under the root of `second`, whose rank grows by one.
    ///
    /// # Panics
    ///
    /// When an index is outside the active domain.
    pub fn union(&mut self, first: usize, second: usize) -> bool {
        let (first, second) = (self.find(first), self.find(second));
        if first == second {
            return false;
        }
        let (child, root) =
            if self.rank[first] > self.rank[second] { (second, first) } else { (first, second) };
        if self.rank[child] == self.rank[root] {
            self.rank[root] += 1;
        }
        self.parent[child] = root as u8;
        true
    }

    /// Whether two squares are in one set.
    ///
    /// # Panics
    ///
    /// When an index is outside the active domain.
    pub fn connected(&mut self, first: usize, second: usize) -> bool {
        self.find(first) == self.find(second)
    }
}

impl Default for UnionFind {
    fn default() -> Self {
        Self::new()
    }
}

/// The 8-connected components of the squares outside `barrier`.
///
/// Unions are made in four passes (east, north, north-east, north-west), each in
/// ascending order of the first square; with the rule of [`UnionFind::union`]
/// this fixes the root of every component.
///
/// ```
/// use bitmesh::{partition_board, shakmaty::Bitboard};
///
/// let mut regions = partition_board(Bitboard::from_rank(bitmesh::shakmaty::Rank::Fourth));
/// assert!(regions.connected(0, 23));
/// assert!(!regions.connected(0, 63));
/// assert!(!regions.contains(24));
/// ```
#[must_use]
pub fn partition_board(barrier: Bitboard) -> UnionFind {
    let free = !barrier;
    let mut regions = UnionFind::with_mask(free);
    // Each pass: the squares whose neighbour is free too, and how far away that neighbour is.
    let passes = [
        (shift::west(free.0), 1),
        (shift::south(free.0), 8),
        (shift::south_west(free.0), 9),
        (shift::south_east(free.0), 7),
    ];
    for (first_squares, distance) in passes {
        for first in free & Bitboard(first_squares) {
            let first = usize::from(first);
            regions.union(first, first + distance);
        }
    }
    regions
}
