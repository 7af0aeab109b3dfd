//! The quick ways to an answer against the full one.

use bitmesh::persistent::{Proof, analyze, prove};
use shakmaty::{Chess, Position as _};

use super::playouts::{blockade, neighbour};
use super::{BLOCKED, DEAD, LICHESS_DEAD, MATE_POSSIBLE, Random, WALL_EN_PASSANT, position, table};

/// Plies of the random games in an ordinary run of the tests, and in a long one.
const PLIES: usize = 20_000;
const MANY_PLIES: usize = 2_000_000;

/// Where random games begin: games, blockades and positions one change away from known ones.
fn starts() -> Vec<Chess> {
    let lichess = LICHESS_DEAD.lines().filter(|line| !line.is_empty()).step_by(10);
    let dead = table(DEAD).map(|row| row[0]);
    let blocked = table(BLOCKED).map(|row| row[1]);
    let mates = table(MATE_POSSIBLE).map(|row| row[0]);
    let walls = table(WALL_EN_PASSANT).map(|row| row[1]);
    let known = lichess.chain(dead).chain(blocked).chain(mates).chain(walls).map(position);
    known.chain([Chess::default()]).collect()
}

/// Plays random games, most of them short, and hands on every position with the move that leads to it.
fn play_random_games(seed: u64, plies: usize, mut each: impl FnMut(&Chess, shakmaty::Move, &Chess)) {
    let starts = starts();
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < plies {
        let mut chess = match random.below(4) {
            0 => Chess::default(),
            1 => blockade(&mut random),
            2 => neighbour(&mut random),
            _ => starts[random.below(starts.len())].clone(),
        };
        for _ in 0..random.pick(&[10, 40, 150]) {
            let legal = chess.legal_moves();
            if legal.is_empty() {
                break;
            }
            let played = random.pick(&legal);
            let before = chess.clone();
            chess.play_unchecked(played);
            each(&before, played, &chess);
            done += 1;
        }
    }
}

/// `analyze` looks for the usual answer first; `prove` always takes the whole way.
fn quick_answers_are_full_ones(seed: u64, plies: usize) {
    let mut claims = 0;
    play_random_games(seed, plies, |_, _, chess| {
        let outline = analyze(chess);
        let certificate = prove(chess);
        let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
        assert_eq!(outline.frozen, witness.frozen(), "{chess:?}");
        assert_eq!(outline.conclusions(), certificate.claims(), "{chess:?}");
        claims += usize::from(outline.frozen.any());
    });
    assert!(claims > plies / 100 && claims < plies - plies / 10, "{claims} of {plies}: both answers occur");
}

#[test]
fn quick_answers_are_full_answers() {
    quick_answers_are_full_ones(11, PLIES);
}

#[test]
#[ignore = "takes a minute when optimised"]
fn two_million_quick_answers_are_full_answers() {
    quick_answers_are_full_ones(12, MANY_PLIES);
}
