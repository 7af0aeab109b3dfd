//! No answer rests on the weights: with any of them a decision is the same, or undecided. And scenes follow the rules.

use std::vec::Vec;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

use crate::persistent::never_mates;
use crate::random::Random;

use super::decider::{Decider, Effort, Verdict};
use super::policy::View;
use super::scene::{Code, Scene};
use super::search::{Found, Manner, Search, keeps_outline};
use super::tally::Places;
use super::weights::{LENGTH, Weights};

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
        ("random", Weights::new(&random(LENGTH)), 6),
        ("too few", Weights::new(&random(1000)), 6),
        ("too many", Weights::new(&random(LENGTH + 999)), 6),
        ("greatest", Weights::new(&[i16::MAX; LENGTH]), 6),
        ("least", Weights::new(&[i16::MIN; LENGTH]), 6),
    ];
    for (name, weights, at_least) in tables {
        let found = verdicts(&mut Decider::with_weights(effort, weights.clone(), weights.clone(), weights));
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

/// What a hasty search leaves out makes no difference.
#[test]
fn a_hasty_search_looks_at_the_same_positions() {
    let tables = [
        Weights::SWIFT,
        Weights::GENERAL,
        Weights::new(&[]),
        Weights::new(&random(LENGTH)),
        Weights::new(&random(LENGTH).iter().map(|weight| weight / 64).collect::<Vec<_>>()),
        Weights::new(&[i16::MAX; LENGTH]),
        Weights::new(&[i16::MIN; LENGTH]),
    ];
    let mut searches = [Search::new(), Search::new()];
    let mut random = Random::new(7);
    for weights in tables {
        let manners = [false, true].map(|is_hasty| Manner { weights: weights.clone(), per_ply: 0, is_hasty });
        for start in POSITIONS {
            let mut position: Chess =
                start.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
            for _ in 0..12 {
                for winner in Color::ALL {
                    let mut seen = searches.iter_mut().zip(&manners).map(|(search, manner)| {
                        let found = search.run(&position, winner, manner, 300);
                        let line = if let Found::Mate(at) = found { search.line(at) } else { Vec::new() };
                        (found, search.looked_at(), line)
                    });
                    assert_eq!(seen.next(), seen.next(), "{position:?} {winner}");
                }
                if !random.play(&mut position) {
                    break;
                }
            }
        }
    }
}

#[test]
fn the_shipped_weights_are_the_fastest() {
    let looked_at = |swift: Weights| -> u32 {
        let mut decider =
            Decider::with_weights(Effort::positions(5_000), swift, Weights::GENERAL, Weights::MINORS);
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
    let shipped = looked_at(Weights::SWIFT);
    assert!(shipped < looked_at(Weights::GENERAL), "{shipped}");
    assert!(shipped * 5 < looked_at(Weights::new(&[])), "{shipped}");
}

/// Each legal move once, and the check, as shakmaty has them; and what each move leads to.
fn assert_follows_the_rules(position: &Chess) {
    for winner in Color::ALL {
        let scene = Scene::new(position, winner);
        let view = View::new(scene, None);
        let mut codes: Vec<Code> = Vec::new();
        view.moves(Places::new(view.class()), |code, _| codes.push(code));
        let order = |played: &Move| (played.from(), played.to(), played.promotion(), played.is_castle());
        let mut found: Vec<Move> = codes.iter().map(|&code| scene.played(code, winner)).collect();
        let mut expected: Vec<Move> = position.legal_moves().into_iter().collect();
        found.sort_by_key(order);
        expected.sort_by_key(order);
        assert_eq!(found, expected, "{position:?}");
        assert_eq!(view.is_check(), position.is_check(), "{position:?}");
        for code in codes {
            let mut after = position.clone();
            after.play_unchecked(scene.played(code, winner));
            let expected = Scene::new(&after, winner);
            assert_eq!(scene.after(code), expected, "{position:?} {code:?}");
            assert_eq!(scene.after(code).key(), expected.key());
        }
        let turned = scene.position().expect("the position is legal");
        assert_eq!(Scene::new(&turned, Color::White), scene, "{position:?}");
    }
}

/// A search looks again after no fewer moves than the handbook's proof asks for.
#[test]
fn a_search_skips_a_look_only_after_reversible_moves() {
    let starts = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1rk1r3/8/8/8/8/8/8/1RK1R3 b EBeb - 0 1",
        "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1",
        "8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let mut random = Random::new(19);
    let (mut kept, mut hopeless) = (0, 0);
    for start in starts {
        let start: Chess =
            start.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).expect("a legal position");
        for _ in 0..10 {
            let mut position = start.clone();
            for _ in 0..60 {
                for winner in Color::ALL {
                    let scene = Scene::new(&position, winner);
                    let view = View::new(scene, None);
                    let mut codes: Vec<Code> = Vec::new();
                    view.moves(Places::new(view.class()), |code, _| codes.push(code));
                    let before = never_mates(&position, winner);
                    for code in codes {
                        let played = scene.played(code, winner);
                        let keeps = keeps_outline(&scene, code, &scene.after(code));
                        let proved = crate::persistent::keeps_outline(&position, played);
                        // Of en-passant squares the proof counts only those with a legal capture.
                        let passed = position.maybe_ep_square().is_some();
                        assert!(keeps == proved || keeps && passed, "{position:?} {played:?}");
                        if keeps {
                            let mut after = position.clone();
                            after.play_unchecked(played);
                            assert_eq!(never_mates(&after, winner), before, "{position:?} {played:?}");
                            kept += 1;
                            hopeless += u32::from(before);
                        }
                    }
                }
                if !random.play(&mut position) {
                    break;
                }
            }
        }
    }
    assert!(kept > 10_000 && hopeless > 500 && hopeless < kept, "{kept} {hopeless}");
}

#[test]
fn keys_tell_rights_apart_and_captures_only_where_they_are_legal() {
    let key = |fen: &str, winner| {
        let fen = fen.parse::<Fen>().unwrap();
        Scene::new(&fen.into_position(CastlingMode::Chess960).unwrap(), winner).key()
    };
    for winner in Color::ALL {
        for (one, other, is_same) in [
            // A capture that can be made, one that is pinned, and one for which no pawn stands there.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", false),
            ("8/8/8/k1pP3R/8/8/8/4K3 w - c6 0 1", "8/8/8/k1pP3R/8/8/8/4K3 w - - 0 1", false),
            ("8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 1", "8/8/8/K1Pp3r/8/8/8/4k3 w - - 0 1", true),
            ("4k3/8/8/3p4/8/8/4P3/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/4P3/4K3 w - - 0 1", true),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", false),
            ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w - - 9 60", true),
        ] {
            assert_eq!(key(one, winner) == key(other, winner), is_same, "{one}, {winner}");
        }
    }
}

#[test]
fn scenes_follow_the_rules() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w FCfc - 0 1",
        "1rk1r3/8/8/8/8/8/8/1RK1R3 b EBeb - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/8/8/8/1b1q4/8/3PPP2/4K2R w K - 0 1",
        "8/8/8/k1pP3R/8/8/8/4K3 w - c6 0 2",
        "8/8/1k6/3pP3/8/8/8/K2B4 w - d6 0 2",
        "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    ];
    let mut random = Random::new(18);
    for start in starts {
        let start: Chess =
            start.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).expect("a legal position");
        for _ in 0..5 {
            let mut position = start.clone();
            for _ in 0..60 {
                assert_follows_the_rules(&position);
                if !random.play(&mut position) {
                    break;
                }
            }
        }
    }
}
