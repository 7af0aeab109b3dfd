//! Random numbers and moves for the tests inside the crate, the same in every run. Its packaged tests can use nothing else.

use shakmaty::{Chess, Position as _};

/// Marsaglia's xorshift, with the multiplication that Vigna added.
pub(crate) struct Random(u64);

impl Random {
    /// The seed must not be 0.
    pub(crate) const fn new(seed: u64) -> Self {
        assert!(seed != 0);
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Plays a legal move; false when there is none.
    pub(crate) fn play(&mut self, position: &mut Chess) -> bool {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return false;
        }
        position.play_unchecked(*self.pick(&moves));
        true
    }
}
