//! The library against the rules written a second time.

use bitmesh::persistent::{Coupling, Proof};
use proptest::prelude::*;
use shakmaty::{ByColor, Chess, Position as _};

use super::oracle::{Reaches, components, greatest, holds, verdicts};
use super::playouts::{blockade, neighbour};
use super::{BLOCKED, DEAD, LICHESS_DEAD, MATE_POSSIBLE, Random, WALL_EN_PASSANT, position, proved, table};

/// Frozen set, reaches, components and verdicts are exactly those of the definition.
fn agrees(position: &Chess) {
    let (outline, certificate) = proved(position);
    let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
    let naive = greatest(position);
    assert_eq!(witness.frozen(), naive.frozen, "{position:?}");
    let reaches: Reaches = witness.movers().iter().map(|mover| (mover.square, mover.reach)).collect();
    assert_eq!(reaches, naive.reaches, "{position:?}");
    assert!(holds(position, naive.frozen, &naive.reaches), "{position:?}");

    let labels: Vec<u8> = witness.movers().iter().map(|mover| mover.component).collect();
    assert_eq!(labels, components(position, &naive), "{position:?}");

    let (unwinnable, safe) = verdicts(position, &naive);
    assert_eq!(outline.unwinnable, unwinnable, "{position:?}");
    let expected =
        if outline.decomposed() { safe.map(|safe| !safe) } else { ByColor { black: true, white: true } };
    assert_eq!(outline.coupling.checks(), expected, "{position:?}");
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
    let mut random = Random::new(7);
    for _ in 0..12 {
        let mut position = Chess::default();
        for ply in 0..120 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.play_unchecked(random.pick(&legal));
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
        agrees(&blockade(&mut Random::new(seed)));
    }

    #[test]
    fn neighbours_of_known_positions(seed in any::<u64>()) {
        agrees(&neighbour(&mut Random::new(seed)));
    }
}
