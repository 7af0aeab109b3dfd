//! Decisions held against the whole truth about few men.
//!
//! ```text
//! cargo run --release -p bitmesh-lab --bin few_men              # every 101st position is decided
//! cargo run --release -p bitmesh-lab --bin few_men -- 1         # every position
//! ```
//!
//! White has a king and a bishop, a knight or a pawn, and Black a king and at most one man. The truth comes from
//! [`bitmesh_lab::few_men`], for every position; the decisions about White are those of the library with its default
//! bound.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a report prints")]

use std::process::ExitCode;

use bitmesh::decision::{Decider, Effort, Verdict};
use bitmesh_lab::few_men::{Men, Placement, Truth};
use shakmaty::{Color, Role};

const WINNER: [Role; 3] = [Role::Bishop, Role::Knight, Role::Pawn];
const LOSER: [Option<Role>; 6] =
    [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen), Some(Role::Pawn)];

fn main() -> ExitCode {
    let step = std::env::args().nth(1).map_or(Ok(101), |text| text.parse());
    let Some(step) = step.ok().filter(|&step| step > 0) else {
        eprintln!("usage: few_men [STEP]");
        return ExitCode::from(2);
    };
    let (mut truth, mut decider) = (Truth::default(), Decider::new(Effort::default()));
    let mut wrong = 0;
    for loser in LOSER {
        for winner in WINNER {
            wrong += compare(&mut truth, &mut decider, (Some(winner), loser), step);
        }
    }
    println!("{wrong} wrong or undecided");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many decisions about these men are wrong or missing.
fn compare(truth: &mut Truth, decider: &mut Decider, men: Men, step: usize) -> u64 {
    let numbers = truth.of(men);
    let (mut decided, mut refused, mut wrong) = (0_u64, 0_u64, 0);
    for placement in Placement::all(men).filter(|placement| placement.is_legal(men)).step_by(step) {
        // Some positions are legal by the moves and could not have come from any.
        let Some(position) = placement.position(men) else {
            refused += 1;
            continue;
        };
        decided += 1;
        let expected = truth.is_winnable(men, placement);
        let is_right = match decider.verdict(&position, Color::White) {
            Verdict::Winnable { .. } => expected,
            Verdict::Unwinnable => !expected,
            Verdict::Undecided { .. } => false,
        };
        if !is_right {
            wrong += 1;
            println!("wrong: {men:?} {placement:?}");
        }
    }
    let name = |role: Option<Role>| role.map_or("nothing".to_owned(), |role| format!("{role:?}"));
    println!(
        "{} against {}: {} positions, {} winnable ({} rounds); {decided} decided, {refused} not taken by shakmaty",
        name(men.0),
        name(men.1),
        numbers.positions,
        numbers.winnable,
        numbers.rounds
    );
    wrong
}
