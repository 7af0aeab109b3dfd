//! Random games, for as many positions as are wanted.

use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{Chess, EnPassantMode, Position as _};

/// Random legal games of at most 200 plies, the same in every run.
#[derive(Debug)]
pub struct Games {
    position: Chess,
    plies: u32,
    state: u64,
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
        Self { position: Chess::new(), plies: 0, state: 0x9e37_79b9_7f4a_7c15 }
    }

    /// Appends the next position as a FEN line.
    pub fn write_next(&mut self, lines: &mut String) {
        let moves = self.position.legal_moves();
        if moves.is_empty() || self.plies == 200 {
            (self.position, self.plies) = (Chess::default(), 0);
        } else {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            self.position.play_unchecked(moves[(self.state >> 20) as usize % moves.len()]);
            self.plies += 1;
        }
        lines.push_str(&Fen::from_position(&self.position, EnPassantMode::Legal).to_string());
        lines.push('\n');
    }
}
