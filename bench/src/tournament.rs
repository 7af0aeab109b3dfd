//! Games as tournament files have them: short, with many tags, moves in lines of eighty characters.
//!
//! Made here, so that nothing of anybody's collection is needed. A game begins as one of the well-known games and goes on
//! with any moves, and now and then with the one that wins most.

use std::fmt::Write as _;

use bitmesh::shakmaty::san::{San, SanPlus};
use bitmesh::shakmaty::{Chess, Move, Position as _, Role};

use crate::positions;

/// The longest line of moves.
const WIDTH: usize = 80;

/// Games end when so few are left: beginners go on for long, and then have little to mate with.
const FEWEST: usize = 10;

const SYLLABLES: [&str; 16] =
    ["ba", "ren", "kov", "il", "sen", "to", "mar", "ski", "an", "der", "li", "wu", "pe", "tro", "va", "gur"];

/// So many games, the same in every run.
#[must_use]
pub fn games(number: usize) -> String {
    let openings: Vec<Vec<San>> = positions::scores().map(moves).collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut text = String::new();
    for _ in 0..number {
        let opening = &openings[random.below(openings.len())];
        write_game(opening, &mut random, &mut text);
    }
    text
}

fn moves(score: &str) -> Vec<San> {
    score
        .split_whitespace()
        .map(|word| word.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start_matches('.'))
        .filter(|word| !word.is_empty())
        .map_while(|word| word.parse::<SanPlus>().ok())
        .map(|move_with_sign| move_with_sign.san)
        .collect()
}

fn write_game(opening: &[San], random: &mut Random, text: &mut String) {
    let mut chess = Chess::default();
    let mut words = Vec::new();
    let known = random.below(opening.len().min(60)) + 8;
    let plies = 20 + random.below(100);
    for ply in 0..plies {
        let legal = chess.legal_moves();
        if legal.is_empty() || chess.board().occupied().count() < FEWEST {
            break;
        }
        let known = opening.get(ply).filter(|_| ply < known).and_then(|san| san.to_move(&chess).ok());
        let played = known.unwrap_or_else(|| choose(&legal, random));
        let san = SanPlus::from_move_and_play_unchecked(&mut chess, played);
        words.push(if ply % 2 == 0 { format!("{}.{san}", ply / 2 + 1) } else { san.to_string() });
    }
    let result = ["1-0", "0-1", "1/2-1/2"][random.below(3)];
    let (place, white, black) = (random.name(), random.name(), random.name());
    let tags = [
        ("Event", format!("{place} Open {}", 1980 + random.below(40))),
        ("Site", place),
        (
            "Date",
            format!("{}.{:02}.{:02}", 1980 + random.below(40), 1 + random.below(12), 1 + random.below(28)),
        ),
        ("Round", format!("{}", 1 + random.below(11))),
        ("White", format!("{white},{}", random.name())),
        ("Black", format!("{black},{}", random.name())),
        ("Result", result.to_owned()),
        ("WhiteElo", format!("{}", 1800 + random.below(900))),
        ("BlackElo", format!("{}", 1800 + random.below(900))),
        ("ECO", format!("{}{:02}", char::from(b'A' + random.below(5) as u8), random.below(100))),
    ];
    for (name, value) in tags {
        writeln!(text, "[{name} \"{value}\"]").expect("memory does not fail");
    }
    words.push(result.to_owned());
    let mut column = 0;
    for word in words {
        let separator = if column == 0 || column + 1 + word.len() > WIDTH { "\n" } else { " " };
        column = if separator == "\n" { word.len() } else { column + 1 + word.len() };
        text.push_str(separator);
        text.push_str(&word);
    }
    text.push_str("\n\n");
}

/// Now and then the move that wins most, otherwise any.
fn choose(legal: &[Move], random: &mut Random) -> Move {
    let worth = |role: Role| [0, 1, 3, 3, 5, 9, 0][role as usize];
    let gain = |played: &Move| {
        played.capture().map_or(0, worth) * 10 + played.promotion().map_or(0, worth) * 10
            - worth(played.role())
    };
    let any = legal[random.below(legal.len())];
    let best = legal.iter().copied().max_by_key(gain).unwrap_or(any);
    if gain(&best) > 0 && random.below(4) == 0 { best } else { any }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % limit
    }

    fn name(&mut self) -> String {
        let syllables = 2 + self.below(3);
        let lower: String = (0..syllables).map(|_| SYLLABLES[self.below(SYLLABLES.len())]).collect();
        lower[..1].to_uppercase() + &lower[1..]
    }
}
