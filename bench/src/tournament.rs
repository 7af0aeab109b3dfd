//! Games as tournament files have them: short, with many tags, moves in lines of eighty characters.
//!
//! Made here, so that no collection from elsewhere is needed. A game begins as one of the well-known games and continues
//! with any moves, and now and then with the one that wins most.

use std::fmt::Write as _;

use bitmesh::shakmaty::san::{San, SanPlus};
use bitmesh::shakmaty::{Chess, Move, Position as _, Role};
use bitmesh_lab::random::Rng;

use crate::positions;

/// The longest line of moves.
const WIDTH: usize = 80;

/// Games end when so few are left: beginners play on for long, and then have little to mate with.
const FEWEST: usize = 10;

const SYLLABLES: [&str; 16] =
    ["ba", "ren", "kov", "il", "sen", "to", "mar", "ski", "an", "der", "li", "wu", "pe", "tro", "va", "gur"];

/// So many games, the same in every run.
#[must_use]
pub fn games(number: usize) -> String {
    let openings: Vec<Vec<San>> = positions::scores().map(moves).collect();
    let mut rng = Rng::new(1);
    let mut text = String::new();
    for _ in 0..number {
        let opening = &openings[rng.below(openings.len())];
        write_game(opening, &mut rng, &mut text);
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

fn write_game(opening: &[San], rng: &mut Rng, text: &mut String) {
    let mut chess = Chess::default();
    let mut words = Vec::new();
    let known = rng.below(opening.len().min(60)) + 8;
    let plies = 20 + rng.below(100);
    for ply in 0..plies {
        let legal = chess.legal_moves();
        if legal.is_empty() || chess.board().occupied().count() < FEWEST {
            break;
        }
        let known = opening.get(ply).filter(|_| ply < known).and_then(|san| san.to_move(&chess).ok());
        let played = known.unwrap_or_else(|| choose(&legal, rng));
        let san = SanPlus::from_move_and_play_unchecked(&mut chess, played);
        words.push(if ply % 2 == 0 { format!("{}.{san}", ply / 2 + 1) } else { san.to_string() });
    }
    let result = ["1-0", "0-1", "1/2-1/2"][rng.below(3)];
    let (place, white, black) = (name(rng), name(rng), name(rng));
    let tags = [
        ("Event", format!("{place} Open {}", 1980 + rng.below(40))),
        ("Site", place),
        ("Date", format!("{}.{:02}.{:02}", 1980 + rng.below(40), 1 + rng.below(12), 1 + rng.below(28))),
        ("Round", format!("{}", 1 + rng.below(11))),
        ("White", format!("{white},{}", name(rng))),
        ("Black", format!("{black},{}", name(rng))),
        ("Result", result.to_owned()),
        ("WhiteElo", format!("{}", 1800 + rng.below(900))),
        ("BlackElo", format!("{}", 1800 + rng.below(900))),
        ("ECO", format!("{}{:02}", char::from(b'A' + rng.below(5) as u8), rng.below(100))),
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
fn choose(legal: &[Move], rng: &mut Rng) -> Move {
    let worth = |role: Role| [0, 1, 3, 3, 5, 9, 0][role as usize];
    let gain = |played: &Move| {
        played.capture().map_or(0, worth) * 10 + played.promotion().map_or(0, worth) * 10
            - worth(played.role())
    };
    let any = legal[rng.below(legal.len())];
    let best = legal.iter().copied().max_by_key(gain).unwrap_or(any);
    if gain(&best) > 0 && rng.below(4) == 0 { best } else { any }
}

fn name(rng: &mut Rng) -> String {
    let syllables = 2 + rng.below(3);
    let lower: String = (0..syllables).map(|_| rng.one_of(&SYLLABLES)).collect();
    lower[..1].to_uppercase() + &lower[1..]
}
