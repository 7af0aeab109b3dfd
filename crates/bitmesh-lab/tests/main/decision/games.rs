//! Along a game: what can no longer be won stays so, and a later line serves an earlier position.

use bitmesh::decision::{Decider, Decision, Effort, MateLine};
use bitmesh_lab::random::Rng;
use shakmaty::san::San;
use shakmaty::{Chess, Color, Move, Position as _};

use super::{decided, ends_in_mate, winnable};

/// A game that ends with bare kings, and one that ends with mate.
const GAMES: [&str; 2] = [
    "e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2 Bh3 Bxb7 Bf1 Bxa8 Bc4 Bc6 Nxc6 Kf1 Bxa2 Rxa2 e5 Rxa7 Nxa7 Nd5 Nc6 \
     Nxc7 Bxc7 Kg2",
    "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7",
];

fn positions(game: &str) -> (Vec<Chess>, Vec<Move>) {
    let mut position = Chess::default();
    let (mut positions, mut moves) = (vec![position.clone()], Vec::new());
    for san in game.split_whitespace() {
        // A game may stop where the score does not go on.
        let Ok(played) = san.parse::<San>().unwrap().to_move(&position) else { break };
        position.play_unchecked(played);
        moves.push(played);
        positions.push(position.clone());
    }
    (positions, moves)
}

/// Random legal moves, captures first, until few men are left.
fn exchanges(seed: u64, plies: usize) -> (Vec<Chess>, Vec<Move>) {
    let mut rng = Rng::new(seed);
    let mut position = Chess::default();
    let (mut positions, mut moves) = (vec![position.clone()], Vec::new());
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let captures: Vec<Move> = legal.iter().copied().filter(|played| played.is_capture()).collect();
        let from = if captures.is_empty() { &legal[..] } else { &captures[..] };
        let played = rng.one_of(from);
        position.play_unchecked(played);
        moves.push(played);
        positions.push(position.clone());
    }
    (positions, moves)
}

#[test]
fn both_orders_agree_along_games() {
    let mut decider = Decider::new(Effort::default());
    let random = (1..6).map(|seed| exchanges(seed, 160));
    let mut changes = 0;
    for (positions, _) in GAMES.into_iter().map(positions).chain(random) {
        for color in Color::ALL {
            let forward: Vec<_> =
                positions.iter().map(|position| winnable(&mut decider, position, color)).collect();
            let backward: Vec<_> =
                positions.iter().rev().map(|position| winnable(&mut decider, position, color)).collect();
            assert!(forward.iter().eq(backward.iter().rev()));
            assert!(forward.iter().all(Option::is_some));
            // Winnable ones come first.
            assert!(forward.is_sorted_by(|before, after| before >= after), "{forward:?}");
            changes += usize::from(forward.first() != forward.last());
        }
    }
    assert!(changes >= 5, "{changes}");
}

#[test]
fn a_later_line_is_one_for_every_earlier_position() {
    let mut decider = Decider::new(Effort::default());
    let (positions, moves) = positions(GAMES[1]);
    let last = positions.last().unwrap();
    let Decision::Winnable(tail) = decided(&mut decider, last, Color::White) else { panic!("mate") };
    assert_eq!(tail.plies(), 0);
    for (at, position) in positions.iter().enumerate() {
        let line = MateLine::after(&moves[at..], position, &tail).unwrap();
        assert!(ends_in_mate(&line));
        assert_eq!(usize::from(line.plies()), moves.len() - at);
    }
    // The moves of another part of the game do not lead there.
    assert!(MateLine::after(&moves[1..], &positions[0], &tail).is_err());
    assert!(MateLine::after(&[], &positions[0], &tail).is_err());
}
