//! Random games.

use bitmesh::shakmaty::{Chess, Move, Position as _};

use crate::random::Rng;

/// Plays one of the legal moves, all equally likely; nothing when the game is over.
pub fn random_ply(position: &mut Chess, rng: &mut Rng) -> Option<Move> {
    let played = *rng.pick(&position.legal_moves())?;
    position.play_unchecked(played);
    Some(played)
}

/// Plays at most so many random moves.
pub fn random_plies(position: &mut Chess, plies: usize, rng: &mut Rng) {
    for _ in 0..plies {
        if random_ply(position, rng).is_none() {
            return;
        }
    }
}
