//! What the features of moves add up to, and who takes the moves.
//!
//! Whoever takes them says which ones he still wants: those that cannot score enough are left out together, before each
//! of them is made.

use super::layout::{CLASS_LENGTH, SHARED};
use super::scene::Code;
use super::weights::{Block, LENGTH, Weights};

/// What the features of a move are added to.
pub(super) trait Tally: Copy {
    /// A feature in the block of the class.
    fn of_class(&mut self, place: usize);
    /// A feature in the block that all classes share.
    fn shared(&mut self, place: usize);
    /// What a move scores at most that has more features: the places are theirs in the block of the class, or those of the
    /// greatest weights that they can have.
    fn at_most(&self, places: &[usize]) -> i32;
    /// The one that is worth more; either, where nothing is summed up.
    fn greater(self, other: Self) -> Self;
}

/// Where the moves of a scene go.
pub(super) trait Moves<T> {
    /// A legal move.
    fn take(&mut self, played: Code, tally: T);

    /// Whether moves are wanted that score this at most.
    fn wants(&self, at_most: i32) -> bool;

    /// Notes that moves were left out.
    fn leave_out(&mut self);
}

/// Takes every move.
pub(super) struct Every<F>(pub(super) F);

impl<T, F: FnMut(Code, T)> Moves<T> for Every<F> {
    #[inline]
    fn take(&mut self, played: Code, tally: T) {
        (self.0)(played, tally);
    }

    #[inline]
    fn wants(&self, _: i32) -> bool {
        true
    }

    fn leave_out(&mut self) {}
}

/// The sum of the weights.
#[derive(Clone, Copy)]
pub(super) struct Score<'a> {
    of_class: &'a Block,
    shared: &'a Block,
    pub(super) sum: i32,
}

impl<'a> Score<'a> {
    pub(super) fn new(weights: &'a Weights, class: usize) -> Self {
        Self { of_class: weights.block(class), shared: weights.block(SHARED), sum: 0 }
    }
}

impl Tally for Score<'_> {
    #[inline]
    fn of_class(&mut self, place: usize) {
        self.sum += i32::from(self.of_class[place % self.of_class.len()]);
    }

    #[inline]
    fn shared(&mut self, place: usize) {
        self.sum += i32::from(self.shared[place % self.shared.len()]);
    }

    #[inline]
    fn at_most(&self, places: &[usize]) -> i32 {
        let of = |&place: &usize| i32::from(self.of_class[place % self.of_class.len()]);
        self.sum + places.iter().map(of).sum::<i32>()
    }

    #[inline]
    fn greater(self, other: Self) -> Self {
        if other.sum > self.sum { other } else { self }
    }
}

/// The places of the features in a table of weights, and after them [`LENGTH`], which is no place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// Where the block of the class begins.
    class: usize,
    pub(super) places: [u16; Self::MOST],
    count: usize,
}

impl Places {
    /// How many features a move has at most.
    pub(super) const MOST: usize = 8;

    pub(super) const fn new(class: usize) -> Self {
        Self { class: class * CLASS_LENGTH, places: [LENGTH as u16; Self::MOST], count: 0 }
    }

    fn add(&mut self, place: usize) {
        self.places[self.count] = place as u16;
        self.count += 1;
    }
}

impl Tally for Places {
    fn of_class(&mut self, place: usize) {
        self.add(self.class + place);
    }

    fn shared(&mut self, place: usize) {
        self.add(SHARED * CLASS_LENGTH + place);
    }

    fn at_most(&self, _: &[usize]) -> i32 {
        i32::MAX
    }

    fn greater(self, _: Self) -> Self {
        self
    }
}
