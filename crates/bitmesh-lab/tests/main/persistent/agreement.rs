//! The library against the rules written a second time.

use bitmesh::persistent::Coupling;
use bitmesh_lab::games::random_ply;
use bitmesh_lab::generate::{blockade, neighbour};
use bitmesh_lab::oracle::compare;
use bitmesh_lab::random::Rng;
use proptest::prelude::*;
use shakmaty::Chess;

use super::{BLOCKED, DEAD, LICHESS_DEAD, MATE_POSSIBLE, WALL_EN_PASSANT, position, proved, table};

/// Frozen set, reaches, components and verdicts are exactly those of the definition.
fn agrees(position: &Chess) {
    let (outline, certificate) = proved(position);
    compare(&certificate).unwrap_or_else(|what| panic!("{position:?}: {what}"));
    if !outline.decomposed() {
        assert_eq!(outline.coupling, Coupling::UNKNOWN);
    }
}

#[test]
fn known_positions() {
    let lichess = LICHESS_DEAD.lines().filter(|line| !line.is_empty()).step_by(50);
    let dead = table(DEAD).map(|row| row[0]).step_by(3);
    let blocked = table(BLOCKED).map(|row| row[1]);
    let mates = table(MATE_POSSIBLE).map(|row| row[0]);
    let walls = table(WALL_EN_PASSANT).map(|row| row[1]).step_by(10);
    lichess.chain(dead).chain(blocked).chain(mates).chain(walls).for_each(|fen| agrees(&position(fen)));
}

#[test]
fn positions_of_random_games() {
    let mut random = Rng::new(7);
    for _ in 0..12 {
        let mut position = Chess::default();
        for ply in 0..120 {
            if random_ply(&mut position, &mut random).is_none() {
                break;
            }
            if ply % 15 == 0 {
                agrees(&position);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_blockades(seed in any::<u64>()) {
        agrees(&blockade(&mut Rng::new(seed)));
    }

    #[test]
    fn neighbours_of_known_positions(seed in any::<u64>()) {
        agrees(&neighbour(&mut Rng::new(seed)));
    }
}
