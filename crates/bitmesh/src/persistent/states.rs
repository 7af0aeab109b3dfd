//! The states of an expansion with men at home, each once, in the order in which they are met.

use alloc::collections::VecDeque;
use core::hash::{Hash as _, Hasher};

use hashbrown::HashTable;

use super::homes::State;

/// Spreads states over a table; nothing else depends on it.
struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0xd1b5_4a32_d192_ed03) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn hash(state: &State) -> u64 {
    let mut fold = Fold(0xa076_1d64_78bd_642f);
    state.hash(&mut fold);
    fold.finish()
}

/// A walk over states, breadth first.
pub(super) struct States {
    known: HashTable<State>,
    waiting: VecDeque<State>,
}

impl States {
    /// A walk that begins at a state, number 0.
    pub(super) fn new(root: State) -> Self {
        let mut states = Self { known: HashTable::new(), waiting: VecDeque::new() };
        states.meet(root);
        states
    }

    /// How many states were met.
    pub(super) fn met(&self) -> u32 {
        self.known.len() as u32
    }

    /// The next state that was met, with its number.
    pub(super) fn next(&mut self) -> Option<(u32, State)> {
        let number = (self.known.len() - self.waiting.len()) as u32;
        self.waiting.pop_front().map(|state| (number, state))
    }

    /// Meets a state, which gets a number if it is new.
    pub(super) fn meet(&mut self, state: State) {
        let hash = hash(&state);
        if self.known.find(hash, |known| *known == state).is_none() {
            self.known.insert_unique(hash, state.clone(), self::hash);
            self.waiting.push_back(state);
        }
    }
}
