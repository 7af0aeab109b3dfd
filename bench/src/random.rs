//! Random games, for as many positions as are wanted.

use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{Chess, EnPassantMode};
use bitmesh_lab::games::random_ply;
use bitmesh_lab::random::Rng;

/// Random legal games of at most 200 plies, the same in every run.
#[derive(Debug)]
pub struct Games {
    position: Chess,
    plies: u32,
    rng: Rng,
}

impl Default for Games {
    fn default() -> Self {
        Self::new()
    }
}

impl Games {
    /// At the start of the first game.
    #[must_use]
    pub const fn new() -> Self {
        Self { position: Chess::new(), plies: 0, rng: Rng::new(1) }
    }

    /// Appends the next position as a FEN line.
    pub fn write_next(&mut self, lines: &mut String) {
        if self.plies == 200 || random_ply(&mut self.position, &mut self.rng).is_none() {
            (self.position, self.plies) = (Chess::default(), 0);
        } else {
            self.plies += 1;
        }
        lines.push_str(&Fen::from_position(&self.position, EnPassantMode::Legal).to_string());
        lines.push('\n');
    }
}
