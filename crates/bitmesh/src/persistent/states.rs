//! The states of an expansion with men at home, each once, in the order in which they are met.

use alloc::vec::Vec;

use hashbrown::HashTable;
use shakmaty::Role;

use super::homes::{Mode, State};

/// Spreads states over a table; nothing else depends on it.
fn hash(state: &State) -> u64 {
    let (mode, checker) = match state.mode {
        Mode::Quiet => (0, 0),
        Mode::Direct(square) => (1, u64::from(square)),
        Mode::Loud => (2, 0),
    };
    let (home, located) = state.located.map_or((0, 0), |(home, square)| (home as u64 + 1, u64::from(square)));
    let passed = state.en_passant.map_or(64, u64::from);
    let rest = mode | checker << 2 | home << 8 | located << 14 | passed << 20;
    let men = |role| state.placed.by_role(role).0;
    let number = |part: usize| {
        let numbers = state.numbers.get(8 * part..).unwrap_or_default();
        let mut word = [0; 8];
        word.iter_mut().zip(numbers).for_each(|(byte, &number)| *byte = number);
        u64::from_le_bytes(word)
    };
    let pairs = [
        (men(Role::Pawn), men(Role::Knight)),
        (men(Role::Bishop), men(Role::Rook)),
        (men(Role::Queen), men(Role::King)),
        (state.placed.white().0, rest << 1 | u64::from(state.turn.is_white())),
        (number(0), number(1) ^ number(2) << 17),
    ];
    let mut salt = 0xd1b5_4a32_d192_ed03_u64;
    pairs.into_iter().fold(0, |sum, (one, two)| {
        salt = salt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let product = u128::from(one ^ salt) * u128::from(two ^ salt.rotate_left(32));
        sum ^ product as u64 ^ (product >> 64) as u64
    })
}

/// A walk over states, breadth first.
#[derive(Debug)]
pub(super) struct States {
    /// In the order in which they were met.
    states: Vec<State>,
    /// Their hashes and numbers.
    known: HashTable<(u64, u32)>,
    /// How many of them [`next`](Self::next) has given.
    given: usize,
}

impl States {
    /// A walk that begins at a state, number 0.
    pub(super) fn new(root: State) -> Self {
        let mut states = Self { states: Vec::new(), known: HashTable::new(), given: 0 };
        states.meet(root);
        states
    }

    /// How many states were met.
    pub(super) fn met(&self) -> u32 {
        self.states.len() as u32
    }

    /// How many of them [`next`](Self::next) has not given.
    pub(super) fn waiting(&self) -> u32 {
        (self.states.len() - self.given) as u32
    }

    /// The next state that was met, with its number.
    pub(super) fn next(&mut self) -> Option<(u32, State)> {
        let state = self.states.get(self.given)?.clone();
        let number = self.given as u32;
        self.given += 1;
        Some((number, state))
    }

    /// Gives a state again, and those behind it.
    pub(super) fn give_again(&mut self, number: u32) {
        self.given = number as usize;
    }

    /// Meets a state, which gets a number if it is new.
    pub(super) fn meet(&mut self, state: State) {
        let hash = hash(&state);
        let same = |&(other, number): &(u64, u32)| other == hash && self.states[number as usize] == state;
        if self.known.find(hash, same).is_none() {
            self.known.insert_unique(hash, (hash, self.met()), |&(hash, _)| hash);
            self.states.push(state);
        }
    }
}
