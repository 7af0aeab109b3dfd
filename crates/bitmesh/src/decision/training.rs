//! What the trainer of the weights needs. It is not for users, and may change with any release.

use alloc::vec::Vec;

use shakmaty::{Chess, Color, Square};

use super::line::MateLine;
use super::policy::{Places, View};
use super::scene::Scene;
use super::search::{Found, Manner, Search};
use super::weights::Weights;

pub use super::layout::{CLASS_LENGTH, CLASSES, of_class};
pub use super::weights::{LENGTH, UNIT};

/// The tables that the library uses, in the order of their files: for positions in general, and for a winner with minor
/// pieces only.
pub const SHIPPED: [&[u8; 2 * LENGTH]; 2] = super::weights::FILES;

/// What a line teaches at one position.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Lesson {
    /// The features of every legal move, as places in a table of weights; [`LENGTH`] where there are fewer.
    pub choices: Vec<[u16; Places::MOST]>,
    /// Which of them the line plays.
    pub played: usize,
}

/// What a line teaches, move by move. None if the search misses one of its moves, which tests rule out.
#[must_use]
pub fn lessons(line: &MateLine) -> Option<Vec<Lesson>> {
    let mut scene = Scene::new(line.position(), line.winner());
    // Where the last move ended, and the one before, which was made by the side that moves now.
    let mut ends: [Option<Square>; 2] = [None; 2];
    line.moves()
        .iter()
        .map(|played| {
            let view = View::new(scene, ends[1]);
            let (mut codes, mut choices) = (Vec::new(), Vec::new());
            view.moves(Places::new(view.class()), |code, places| {
                codes.push(code);
                choices.push(places.places);
            });
            let number = codes.iter().position(|&code| scene.played(code, line.winner()) == *played)?;
            scene = scene.after(codes[number]);
            ends = [Some(codes[number].to()), ends[0]];
            Some(Lesson { choices, played: number })
        })
        .collect()
}

/// A search with given weights.
#[derive(Debug)]
pub struct Student {
    search: Search,
    manner: Manner,
}

impl Student {
    /// With a table of weights, and what each ply costs, in units of the weights.
    #[must_use]
    pub fn new(weights: &[i16], per_ply: u32) -> Self {
        Self { search: Search::new(), manner: Manner { weights: Weights::new(weights), per_ply } }
    }

    /// Searches for a mate, and looks at no more positions than the bound says.
    pub fn search(&mut self, position: &Chess, winner: Color, bound: u32) -> Option<MateLine> {
        match self.search.run(position, winner, &self.manner, bound) {
            Found::Mate(at) => MateLine::new(position.clone(), winner, self.search.line(at)).ok(),
            Found::Closed | Found::Limit => None,
        }
    }
}
