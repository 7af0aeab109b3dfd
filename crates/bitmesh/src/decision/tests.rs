//! No answer rests on the weights: with any of them a decision is the same, or undecided.

use std::vec::Vec;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color};

use crate::random::Random;

use super::decider::{Decider, Effort, Verdict};
use super::weights::Weights;

const POSITIONS: [&str; 8] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1",
    "8/8/8/4k3/8/2K5/8/6B1 w - - 0 1",
    "k1K5/P7/8/8/8/8/8/8 b - - 0 1",
    "7k/R7/6K1/8/8/8/8/8 w - - 0 1",
    "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "8/5kp1/8/5pq1/8/7n/4K3/8 w - - 0 58",
];

fn verdicts(decider: &mut Decider) -> Vec<Verdict> {
    let position =
        |fen: &&str| -> Chess { fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap() };
    POSITIONS
        .iter()
        .map(position)
        .flat_map(|position| Color::ALL.map(|color| decider.verdict(&position, color)))
        .collect()
}

fn random(length: usize) -> Vec<i16> {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    core::iter::repeat_with(|| random.next() as i16).take(length).collect()
}

#[test]
fn any_weights_give_the_same_decisions_or_none() {
    let effort = Effort::positions(5_000);
    let expected = verdicts(&mut Decider::new(effort));
    assert!(expected.iter().all(|verdict| !matches!(verdict, Verdict::Undecided { .. })));
    let zero = || Weights::new(&[]);
    let tables: [(&str, Weights, usize); 6] = [
        ("zero", zero(), 6),
        ("random", Weights::new(&random(Weights::LENGTH)), 6),
        ("too few", Weights::new(&random(1000)), 6),
        ("too many", Weights::new(&random(Weights::LENGTH + 999)), 6),
        ("greatest", Weights::new(&[i16::MAX; Weights::LENGTH]), 6),
        ("least", Weights::new(&[i16::MIN; Weights::LENGTH]), 6),
    ];
    for (name, weights, at_least) in tables {
        let found = verdicts(&mut Decider::with_weights(effort, weights.clone(), weights));
        let mut decided = 0;
        for (found, expected) in found.iter().zip(&expected) {
            match found {
                Verdict::Undecided { bound } => assert_eq!(*bound, effort, "{name}"),
                _ => {
                    assert_eq!(found.word(), expected.word(), "{name}");
                    decided += 1;
                }
            }
        }
        assert!(decided >= at_least, "{name}: {decided}");
    }
}

#[test]
fn the_shipped_weights_are_the_fastest() {
    let looked_at = |general: Weights, minors: Weights| -> u32 {
        let mut decider = Decider::with_weights(Effort::positions(5_000), general, minors);
        let position: Chess =
            POSITIONS[0].parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        Color::ALL
            .map(|color| {
                let _ = decider.verdict(&position, color);
                decider.looked_at()
            })
            .iter()
            .sum()
    };
    let shipped = looked_at(Weights::GENERAL, Weights::MINORS);
    assert!(shipped * 5 < looked_at(Weights::new(&[]), Weights::new(&[])), "{shipped}");
}
