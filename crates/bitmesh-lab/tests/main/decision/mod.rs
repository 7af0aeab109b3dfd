//! Decisions: never a wrong one, each with its evidence, and the same one every time.

mod cases;
mod games;
mod line;
mod mirror;
mod small;
mod traps;
mod weights;

use bitmesh::decision::{Decider, Decision, MateLine, Verdict};
use bitmesh::persistent::check;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, FromSetup as _, Position as _};

fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap_or_else(|error| panic!("{fen}: {error}")).into_setup();
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays a line with nothing but the other library.
fn ends_in_mate(line: &MateLine) -> bool {
    let mut position = line.position().clone();
    for &played in line.moves() {
        position = position.play(played).unwrap_or_else(|error| panic!("{error}"));
    }
    position.is_checkmate() && position.turn() != line.winner()
}

/// The decision, after looking at its evidence and at the answer without it.
fn decided(decider: &mut Decider, position: &Chess, winner: Color) -> Decision {
    let decision = decider.decide(position, winner);
    match &decision {
        Decision::Winnable(line) => {
            assert_eq!((line.position(), line.winner()), (position, winner));
            assert!(ends_in_mate(line), "{position:?}");
        }
        Decision::Unwinnable(certificate) => {
            assert_eq!(certificate.position(), position);
            assert!(check(certificate).unwrap().unwinnable.get(winner), "{position:?}");
        }
        Decision::Undecided { bound } => assert_eq!(*bound, decider.effort()),
    }
    assert_eq!(decider.verdict(position, winner), decision.verdict(), "{position:?}");
    decision
}

/// Whether a colour can still give mate; none if that is undecided.
fn winnable(decider: &mut Decider, position: &Chess, winner: Color) -> Option<bool> {
    match decided(decider, position, winner).verdict() {
        Verdict::Winnable { .. } => Some(true),
        Verdict::Unwinnable => Some(false),
        Verdict::Undecided { .. } => None,
    }
}
