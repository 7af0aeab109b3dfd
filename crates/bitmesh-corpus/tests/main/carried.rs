//! What carries over from move to move against each position on its own.

use bitmesh_corpus::Options;
use bitmesh_lab::games::random_ply;
use bitmesh_lab::random::Rng;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::support::{scan, scan_with};

/// Positions from which something can be said, and can cease to hold.
const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1",
    "r6k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6R w - - 0 1",
    "7k/8/n7/p1p1p1p1/PpPpPpPp/1P1P1P1P/1B6/K7 w - - 0 1",
    "r3k2r/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/R3K2R w KQkq - 0 1",
    "7k/8/8/p1p1p1p1/1pPpPpPp/1P1P1P1P/P7/K7 w - - 0 1",
    "4k3/8/8/8/8/8/6b1/4K2N w - - 0 1",
    "1k6/1p6/1P6/8/8/6p1/6P1/5BK1 w - - 0 1",
];

fn text(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

/// Moves from a position, with variations and null moves between them.
fn line(chess: &mut Chess, plies: usize, depth: usize, rng: &mut Rng, out: &mut String) {
    for _ in 0..plies {
        if rng.below(25) == 0
            && let Ok(passed) = chess.clone().swap_turn()
        {
            *chess = passed;
            out.push_str("-- ");
            continue;
        }
        let mut before = chess.clone();
        let Some(played) = random_ply(chess, rng) else { return };
        out.push_str(&format!("{} ", SanPlus::from_move(before.clone(), played)));
        if depth < 3 && rng.below(6) == 0 {
            out.push_str("( ");
            line(&mut before, 1 + rng.below(6), depth + 1, rng, out);
            out.push_str(") ");
        }
    }
}

fn games(count: usize) -> String {
    let mut rng = Rng::new(5);
    let mut pgn = String::new();
    for _ in 0..count {
        let start = STARTS[rng.below(STARTS.len())];
        let fen: Fen = start.parse().unwrap();
        let mut chess: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        pgn.push_str(&format!("[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n", text(&chess)));
        let plies = 10 + rng.below(50);
        line(&mut chess, plies, 0, &mut rng, &mut pgn);
        pgn.push_str("*\n\n");
    }
    pgn
}

#[test]
fn every_position_of_a_game_is_judged_as_on_a_line_of_its_own() {
    let pgn = games(150);
    for variations in [false, true] {
        let mut options = Options::default();
        options.variations = variations;
        let report = scan_with("games.pgn", pgn.as_bytes(), options);
        assert_eq!(report.error_codes(), [""; 0]);
        let lines = report.fens().join("\n");
        let alone = scan("lines.fen", lines);
        assert_eq!(alone.error_codes(), [""; 0]);
        assert_eq!(report.findings().len(), alone.findings().len());
        let mut answers = [0usize; 2];
        for (carried, alone) in report.findings().into_iter().zip(alone.findings()) {
            assert_eq!(carried, alone);
            answers[usize::from(carried.permanent.is_some_and(|permanent| permanent.frozen.any()))] += 1;
        }
        assert!(answers.iter().all(|&count| count > 300), "{answers:?}: both kinds occur");
    }
}

#[test]
fn the_answer_of_a_variation_does_not_stay_for_the_game() {
    // With the bishop gone the position is dead; with it, the wall falls.
    let pgn = "[SetUp \"1\"]\n[FEN \"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/2b5/1K6 w - - 0 1\"]\n\n\
               1. Ka1 (1. Kxc2 Kg8) 1... Kg7 2. Kb2 (2. Ka2) 2... -- *\n";
    let mut options = Options::default();
    options.variations = true;
    let report = scan_with("games.pgn", pgn, options);
    assert_eq!(report.error_codes(), [""; 0]);
    let dead =
        report.findings().iter().map(|found| found.permanent.is_some_and(|p| p.dead())).collect::<Vec<_>>();
    assert_eq!(dead, [false, false, true, true, false, false, false, false]);
}
