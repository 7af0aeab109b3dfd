//! What the trainer of the weights needs. It is not for users, and may change with any release.

use alloc::vec::Vec;

use shakmaty::{Chess, Color, Square};

use super::line::MateLine;
use super::policy::View;
use super::scene::{Code, Scene};
use super::search::{Found, Manner, Search};
use super::tally::Places;
use super::weights::Weights;

pub use super::layout::{CLASS_LENGTH, CLASSES, of_class};
pub use super::weights::{LENGTH, UNIT};

/// The tables that the library uses, in the order of their files: for positions in general, for a winner with minor
/// pieces only, and the one that leads to mate soonest in most positions.
pub const SHIPPED: [&[u8; 2 * LENGTH]; 3] = super::weights::FILES;

/// The features of a move, as places in a table of weights; [`LENGTH`] where there are fewer.
pub type Features = [u16; Places::MOST];

/// What a line teaches at one position.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Lesson {
    /// The features of every legal move.
    pub choices: Vec<Features>,
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
            let (codes, choices): (Vec<Code>, Vec<Features>) = moves(&view).into_iter().unzip();
            let number = codes.iter().position(|&code| scene.played(code, line.winner()) == *played)?;
            scene = scene.after(codes[number]);
            ends = [Some(codes[number].to()), ends[0]];
            Some(Lesson { choices, played: number })
        })
        .collect()
}

/// The legal moves and their features, in an order that does not depend on how a search comes to them: what is trained
/// depends on it.
fn moves(view: &View) -> Vec<(Code, Features)> {
    let mut moves = Vec::new();
    view.moves(Places::new(view.class()), |code, Places { mut places, .. }| {
        places.sort_unstable();
        moves.push((code, places));
    });
    moves.sort_unstable();
    moves
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
        Self {
            search: Search::new(),
            manner: Manner { weights: Weights::new(weights), per_ply, is_hasty: false },
        }
    }

    /// Searches for a mate, and looks at no more positions than the bound says.
    pub fn search(&mut self, position: &Chess, winner: Color, bound: u32) -> Option<MateLine> {
        match self.search.run(position, winner, &self.manner, bound) {
            Found::Mate(at) => MateLine::new(position.clone(), winner, self.search.line(at)).ok(),
            Found::Closed | Found::Limit => None,
        }
    }
}

/// How a position looks to a trainer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Outlook {
    /// There are moves.
    Open {
        /// Which positions it resembles, below [`KINDS`].
        kind: usize,
    },
    /// The winner has given mate.
    Mate,
    /// The game is over without, or the winner has nothing but his king.
    Lost,
}

/// How many kinds of positions a trainer tells apart: by the material, the place and the flights of the loser's king,
/// the side to move, and how far the kings are from each other.
pub const KINDS: usize = CLASSES * View::PHASES * 2 * 8;

/// Play in which the trainer chooses the moves of both sides.
#[derive(Clone, Debug)]
pub struct Play {
    scene: Scene,
    /// Where the last move ended, and the one before, which was made by the side that moves now.
    ends: [Option<Square>; 2],
    codes: Vec<Code>,
}

impl Play {
    /// From a position, with the colour that is to give mate.
    #[must_use]
    pub fn new(position: &Chess, winner: Color) -> Self {
        Self { scene: Scene::new(position, winner), ends: [None; 2], codes: Vec::new() }
    }

    /// Looks at the position, and adds the features of its legal moves to a list.
    pub fn look(&mut self, choices: &mut Vec<Features>) -> Outlook {
        self.codes.clear();
        if self.scene.is_winner_bare() {
            return Outlook::Lost;
        }
        let view = View::new(self.scene, self.ends[1]);
        for (code, features) in moves(&view) {
            self.codes.push(code);
            choices.push(features);
        }
        let moves = self.scene.winner_moves();
        if !self.codes.is_empty() {
            let men = self.scene.men();
            let apart = men.king(men.winner).distance(men.king(men.loser)).min(7) as usize;
            let place = view.class() * View::PHASES + view.phase();
            return Outlook::Open { kind: (place * 2 + usize::from(moves)) * 8 + apart };
        }
        if !moves && view.is_check() { Outlook::Mate } else { Outlook::Lost }
    }

    /// Plays the move of this number in the order of [`look`](Self::look).
    ///
    /// # Panics
    ///
    /// If there are not so many.
    pub fn choose(&mut self, number: usize) {
        let code = self.codes[number];
        self.scene = self.scene.after(code);
        self.ends = [Some(code.to()), self.ends[0]];
    }
}
