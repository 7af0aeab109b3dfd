//! Positions with known answers (their sources are in `cases/decide/README.md`).

use bitmesh::decision::{Decider, Effort};
use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

use bitmesh_lab::cases::{DEAD, DECIDE_CONSTRUCTED, DECIDE_LICHESS, HELPMATES, MATE_POSSIBLE, table};

use super::{position, winnable};

#[derive(Debug, Default, Eq, PartialEq)]
struct Tally {
    right: usize,
    undecided: usize,
    refused: usize,
}

/// Decides both sides of positions with known answers, of which none may be wrong.
fn tally(text: &str, step: usize, effort: Effort) -> Tally {
    let mut decider = Decider::new(effort);
    let mut tally = Tally::default();
    for row in table(text).step_by(step) {
        let [answer, fen] = row[..] else { panic!("{row:?}") };
        let Ok(position) = fen.parse::<Fen>().unwrap().into_position::<Chess>(CastlingMode::Standard) else {
            tally.refused += 1;
            continue;
        };
        for (color, truth) in [(Color::White, answer.starts_with('W')), (Color::Black, answer.ends_with('B'))]
        {
            match winnable(&mut decider, &position, color) {
                None => tally.undecided += 1,
                Some(decided) => {
                    assert_eq!(decided, truth, "{fen}, {color}");
                    tally.right += 1;
                }
            }
        }
    }
    tally
}

#[test]
fn positions_in_which_a_flag_fell() {
    let tally = tally(DECIDE_LICHESS, 24, Effort::positions(20_000));
    assert_eq!(tally, Tally { right: 1000, undecided: 0, refused: 0 });
}

#[test]
fn constructed_positions() {
    let Tally { right, undecided, refused } = tally(DECIDE_CONSTRUCTED, 8, Effort::positions(3_000));
    assert_eq!(right + undecided + 2 * refused, 2 * 214);
    assert!(undecided < 60, "{undecided}");
}

#[test]
fn dead_positions_are_unwinnable_for_both() {
    let mut decider = Decider::new(Effort::positions(5_000));
    let mut undecided = 0;
    for row in table(DEAD).step_by(7) {
        let position = position(&format!("{} 0 1", row[0]));
        for color in Color::ALL {
            match winnable(&mut decider, &position, color) {
                None => undecided += 1,
                Some(winnable) => assert!(!winnable, "{}", row[0]),
            }
        }
    }
    assert!(undecided < 20, "{undecided}");
}

#[test]
fn sides_that_can_mate_are_found_to_do_so() {
    let mut decider = Decider::new(Effort::default());
    let mut count = 0;
    for text in [HELPMATES, MATE_POSSIBLE] {
        for row in table(text) {
            let color = if row[1] == "white" { Color::White } else { Color::Black };
            // Some have too much material.
            let Ok(position) = row[0].parse::<Fen>().unwrap().into_position(CastlingMode::Standard) else {
                continue;
            };
            assert_eq!(winnable(&mut decider, &position, color), Some(true), "{}", row[0]);
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
#[ignore = "takes minutes: run it in release mode"]
fn all_handed_positions() {
    assert_eq!(
        tally(DECIDE_LICHESS, 1, Effort::default()),
        Tally { right: 24_000, undecided: 0, refused: 0 }
    );
    let Tally { right, undecided, refused } = tally(DECIDE_CONSTRUCTED, 1, Effort::default());
    println!("constructed: {right} right, {undecided} undecided, {refused} not positions");
    assert_eq!(right + undecided + 2 * refused, 2 * 1707);
    assert!(undecided <= 1, "{undecided}");
}
