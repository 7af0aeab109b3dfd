//! Legal play from proved positions never leaves the witness, and never does what was excluded.

use std::collections::HashMap;

use bitmesh::persistent::Outline;
use bitmesh_lab::generate::{blockade, neighbour};
use bitmesh_lab::random::Rng;
use bitmesh_lab::search::exhaust;
use bitmesh_lab::walk::{Broken, Policy, Trip, Walk, Ward, playout};
use shakmaty::{Bitboard, Chess, Color, MoveList, Piece, Position as _, Role, Square};

use super::{BLOCKED, DEAD, LICHESS_DEAD, MATE_POSSIBLE, WALL_EN_PASSANT, position, proved, table};

/// One random game, in which nothing may be refuted.
fn played_out(ward: &Ward, plies: usize, rng: &mut Rng) -> Trip {
    playout(ward, plies, rng).unwrap_or_else(|violation| panic!("{violation}"))
}

fn known_positions() -> Vec<Chess> {
    let mut fens: Vec<&str> = LICHESS_DEAD.lines().filter(|line| !line.is_empty()).step_by(23).collect();
    fens.extend(table(DEAD).map(|row| row[0]));
    fens.extend(table(BLOCKED).map(|row| row[1]));
    fens.extend(table(MATE_POSSIBLE).map(|row| row[0]));
    fens.extend(table(WALL_EN_PASSANT).map(|row| row[1]));
    fens.into_iter().map(position).collect()
}

/// Plays `games` games from known and generated positions in turn, all with something proved; how many positions were passed over.
fn campaign(games: usize, seed: u64) -> usize {
    let known: Vec<Chess> = known_positions().into_iter().filter(|start| proves(&proved(start).0)).collect();
    let mut rng = Rng::new(seed);
    let mut passed_over = 0;
    for game in 0..games {
        let start = loop {
            let start = match game % 3 {
                0 => break known[game / 3 % known.len()].clone(),
                1 => blockade(&mut rng),
                _ => neighbour(&mut rng),
            };
            if proves(&proved(&start).0) {
                break start;
            }
            passed_over += 1;
        };
        let plies = 20 + rng.below(80);
        played_out(&Ward::new(&proved(&start).1), plies, &mut rng);
    }
    passed_over
}

fn proves(outline: &Outline) -> bool {
    outline.frozen.any() || outline.unwinnable.white || outline.unwinnable.black
}

#[test]
fn random_games_stay_within_the_witness() {
    let passed_over = campaign(2000, 1);
    assert!(passed_over < 10_000, "{passed_over} positions had nothing to prove");
}

/// `BITMESH_PLAYOUTS=1000000 cargo test --release -p bitmesh-lab --test main -- --ignored a_million_random_games`
#[test]
#[ignore = "a long run"]
fn a_million_random_games_stay_within_the_witness() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let games = number("BITMESH_PLAYOUTS").unwrap_or(1_000_000);
    campaign(games, number("BITMESH_SEED").unwrap_or(2) as u64);
}

/// What a component looks like: the side to move, its number, its pieces, and its rights to castle.
type State = (Color, u8, Vec<(Square, Piece)>, Bitboard);

/// Which moves a component had when it looked like this.
type Memory = HashMap<State, Vec<(Square, Square, Option<Role>)>>;

/// With the king not in check, a component in the same state always has the same moves.
fn remember(walk: &Walk, ward: &Ward, moves: &MoveList, memory: &mut Memory) {
    let position = &walk.position;
    if position.is_check() || position.legal_ep_square().is_some() {
        return;
    }
    for number in 0..ward.claims.components {
        let own = |square: Square| walk.component(ward, square) == Some(number);
        let pieces = position.board().iter().filter(|&(square, _)| own(square)).collect();
        let rights = position.castles().castling_rights().into_iter().filter(|&square| own(square)).collect();
        let mut found: Vec<_> = moves
            .iter()
            .filter(|played| played.from().is_some_and(own))
            .filter_map(|played| Some((played.from()?, played.to(), played.promotion())))
            .collect();
        found.sort();
        let state = (position.turn(), number, pieces, rights);
        let known = memory.entry(state).or_insert_with(|| found.clone());
        assert_eq!(*known, found, "component {number} of {:?} in {position:?}", ward.start);
    }
}

/// One random game, in which every component is compared with what it was before.
fn remembered(ward: &Ward, plies: usize, rng: &mut Rng, memory: &mut Memory) {
    let mut walk = Walk::start(ward);
    let policy = Policy::random(rng);
    for _ in 0..plies {
        let moves = walk.position.legal_moves();
        walk.settle(ward, &moves).unwrap_or_else(|broken| panic!("{broken} in {:?}", ward.start));
        remember(&walk, ward, &moves, memory);
        if moves.is_empty() {
            return;
        }
        let played = policy.choose(&walk.position, &moves, rng);
        walk.play(ward, played).unwrap_or_else(|broken| panic!("{broken} in {:?}", ward.start));
    }
}

/// The moves of a position are those that its components have alone, and a component in the same state has the
/// same moves, over many games from the same position.
#[test]
fn components_are_games_of_their_own() {
    let mut rng = Rng::new(3);
    let (mut compared, mut states) = (0, 0);
    let blockades: Vec<Chess> = (0..400).map(|_| blockade(&mut rng)).collect();
    for start in known_positions().into_iter().step_by(3).chain(blockades) {
        let (outline, certificate) = proved(&start);
        if !outline.decomposed() {
            continue;
        }
        let ward = Ward::new(&certificate);
        let mut memory = Memory::new();
        for _ in 0..6 {
            compared += played_out(&ward, 60, &mut rng).sums;
            remembered(&ward, 60, &mut rng, &mut memory);
        }
        states += memory.len();
    }
    assert!(compared > 5000, "{compared} positions");
    assert!(states > 5000, "{states} states");
}

#[test]
fn exhaustive_search_stays_within_the_witness() {
    let mut rng = Rng::new(4);
    let mut moves = 0;
    let known = known_positions();
    for index in 0..500 {
        let start = match index % 3 {
            0 => known[index % known.len()].clone(),
            1 => blockade(&mut rng),
            _ => neighbour(&mut rng),
        };
        let depth = match start.legal_moves().len() {
            0..=6 => 4,
            7..=14 => 3,
            _ => 2,
        };
        let found = exhaust(&Ward::new(&proved(&start).1), depth, u64::MAX);
        moves += found.unwrap_or_else(|violation| panic!("{violation}")).expect("no limit");
    }
    assert!(moves > 50_000, "{moves} moves");
}

#[test]
fn the_walker_sees_a_broken_witness() {
    // The wall of one position under the pieces of another, in which one pawn can take its neighbour.
    let mut ward = Ward::new(&proved(&position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")).1);
    ward.start = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1");
    let mut walk = Walk::start(&ward);
    assert_eq!(walk.settle(&ward, &ward.start.legal_moves()), Err(Broken::EnPassant { square: Square::A3 }));
    let capture = ward.start.en_passant_moves()[0];
    assert_eq!(walk.play(&ward, capture), Err(Broken::FrozenCaptured { square: Square::A4 }));
}
