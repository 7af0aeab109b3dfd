//! Games in Portable Game Notation: every position of every game.
//!
//! The tokens of the movetext are read here and not by `pgn-reader`, which passes over what it does not
//! understand without a word: a move with a stray byte, or a figurine, would be lost, and the moves behind it played
//! by the wrong side. SAN itself is shakmaty's.

mod movetext;
mod san;
mod split;
mod start;
mod tags;

use self::split::Extent;
use crate::problem::{Place, Problem};
use crate::text::{BLOCK, Text};
use crate::visit::{Outcome, Visit};

/// The longest game that is read, comments and variations included.
const MAX_GAME: usize = 1 << 22;

/// Whole games of a source.
pub(crate) struct Games {
    bytes: Vec<u8>,
    games: Vec<Extent>,
    /// The number of the first one.
    first: u64,
    /// Whether the source broke off inside the last one.
    cut: bool,
}

impl Games {
    pub(crate) const fn count(&self) -> u64 {
        self.games.len() as u64
    }

    pub(crate) const fn first(&self) -> u64 {
        self.first
    }

    /// Reads each game whose number is greater than `done`.
    pub(crate) fn visit(&self, done: u64, variations: bool, visit: &mut impl Visit) {
        for (index, Extent { text, movetext }) in self.games.iter().enumerate() {
            let number = self.first + index as u64;
            if number > done {
                let cut = self.cut && index + 1 == self.games.len();
                let place = Place::game(number);
                let outcome = if text.len() > MAX_GAME {
                    visit.problem(place, too_long());
                    Outcome::Failed
                } else {
                    let movetext = movetext.map(|at| at - text.start);
                    let text = &self.bytes[text.clone()];
                    movetext::Game { text, movetext, number, cut, variations }.read(visit)
                };
                visit.record(place, outcome);
            }
        }
    }
}

pub(crate) enum Portion {
    Games(Games),
    /// A game that is too long to be read.
    TooLong(Place, Problem),
}

/// Hands out the games of a source in portions.
pub(crate) struct GameReader {
    text: Text,
    next: u64,
    /// Inside a game that is too long: its rest is thrown away.
    overlong: bool,
}

impl GameReader {
    pub(crate) const fn new(text: Text) -> Self {
        Self { text, next: 1, overlong: false }
    }

    pub(crate) const fn text(&self) -> &Text {
        &self.text
    }

    pub(crate) fn next(&mut self) -> Option<Portion> {
        let mut wanted = BLOCK;
        loop {
            self.text.fill(wanted);
            let (data, last) = (self.text.data(), self.text.ended());
            if data.is_empty() && last {
                return None;
            }
            if self.overlong {
                self.pass_over();
                continue;
            }
            let split = split::split(data, last);
            if split.games.is_empty() {
                let pending = data.len() - split.consumed;
                self.text.consume(split.consumed);
                if pending > MAX_GAME {
                    self.overlong = true;
                    // Its own tags must not be taken for the start of the next game.
                    let seen = end_of_decided(self.text.data());
                    self.text.consume(seen);
                    let place = Place::game(self.next);
                    self.next += 1;
                    return Some(Portion::TooLong(place, too_long()));
                }
                // Twice as much each time: a long game is not looked through again for every block.
                wanted = (pending + BLOCK).max(pending * 2).min(MAX_GAME + BLOCK);
                self.text.require(pending + 1);
                continue;
            }
            let games = Games {
                bytes: data[..split.consumed].to_vec(),
                cut: last && self.text.problem().is_some(),
                first: self.next,
                games: split.games,
            };
            self.next += games.count();
            self.text.consume(split.consumed);
            return Some(Portion::Games(games));
        }
    }

    /// Throws away what belongs to the game that is too long.
    fn pass_over(&mut self) {
        let (data, last) = (self.text.data(), self.text.ended());
        let length = match split::next_game(data, last) {
            Some(start) => {
                self.overlong = false;
                start
            }
            None if last => data.len(),
            None if data.len() >= 2 * BLOCK => end_of_decided(data),
            None => 0,
        };
        let wanted = (data.len() + BLOCK).max(3 * BLOCK);
        self.text.consume(length);
        if self.overlong {
            self.text.require(wanted - length);
        }
    }
}

/// Where the part of the text ends in which no game begins, if none was found: the last line may be unfinished, and a
/// block behind a line may be needed to decide about it.
fn end_of_decided(data: &[u8]) -> usize {
    let end = data.len().saturating_sub(BLOCK);
    memchr::memrchr(b'\n', &data[..end]).map_or(end, |newline| newline + 1)
}

fn too_long() -> Problem {
    Problem::new("pgn/game-too-long", format!("game too long: more than {MAX_GAME} bytes"))
}
