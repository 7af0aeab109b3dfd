//! What a search for mates is apt to get wrong.

use bitmesh::decision::{Decider, Decision, Effort, LineError, MateLine, Verdict};
use shakmaty::{CastlingMode, Chess, Color, FromSetup as _, PositionError, Role, fen::Fen};

use super::{decided, position, winnable};

fn answers(fen: &str) -> [Option<bool>; 2] {
    let mut decider = Decider::new(Effort::default());
    let position = position(fen);
    [Color::White, Color::Black].map(|color| winnable(&mut decider, &position, color))
}

#[test]
fn a_mate_on_the_board_is_a_line_without_moves_for_one_and_the_end_for_the_other() {
    let fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(answers(fen), [Some(false), Some(true)]);
    let verdict = Decider::new(Effort::positions(0)).verdict(&position(fen), Color::Black);
    assert_eq!(verdict, Verdict::Winnable { plies: 0 });
}

#[test]
fn a_mate_that_looks_like_too_little_material() {
    // Mates by two bishops of one shade that no move can have given.
    for (fen, winner) in [
        ("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", 1),
        ("8/8/8/8/8/1k6/b1b5/RKR5 w - - 0 1", 1),
        ("5B2/7r/5K1k/7r/8/4B3/8/8 b - - 0 1", 0),
    ] {
        let mut expected = [Some(false); 2];
        expected[winner] = Some(true);
        assert_eq!(answers(fen), expected, "{fen}");
    }
}

#[test]
fn stalemate_ends_the_game_for_both() {
    for effort in [Effort::positions(0), Effort::default()] {
        let mut decider = Decider::new(effort);
        for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7K/5q2/6k1/8/8/8/8/8 w - - 0 1"] {
            for color in Color::ALL {
                assert_eq!(winnable(&mut decider, &position(fen), color), Some(false), "{fen}");
            }
        }
    }
}

#[test]
fn a_stalemate_on_the_way_is_an_end_and_no_mate() {
    // White's only move is a5, and then Black is stalemated: nothing shows that without a search.
    let fen = "k1b5/1pPp4/1P1P4/6p1/P5P1/5p1p/5P1P/6BK w - - 0 1";
    assert_eq!(answers(fen), [Some(false), Some(false)]);
    for color in Color::ALL {
        let verdict = Decider::new(Effort::positions(0)).verdict(&position(fen), color);
        assert!(matches!(verdict, Verdict::Undecided { .. }), "{verdict:?}");
    }
}

#[test]
fn a_line_may_have_to_begin_with_a_capture_or_a_way_out_of_check() {
    // Black must take the pawn, and two kings are left.
    assert_eq!(answers("k1K5/P7/8/8/8/8/8/8 b - - 0 1"), [Some(false), Some(false)]);
    // White must take the queen, which was all that Black had.
    assert_eq!(answers("7k/8/8/8/8/8/1q6/K7 w - - 0 1"), [Some(false), Some(false)]);
    // The winner, then the loser, is in check.
    assert_eq!(answers("4k3/8/8/8/4r3/8/4P3/4K3 w - - 0 1"), [Some(true), Some(true)]);
    assert_eq!(answers("4k3/8/8/8/8/8/4r3/4K1N1 w - - 0 1"), [Some(true), Some(true)]);
}

#[test]
fn the_loser_must_promote_to_a_man_that_blocks_for_a_lone_bishop_or_knight() {
    for fen in ["8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1", "8/8/8/4k3/8/2K5/3p4/6N1 w - - 0 1"] {
        let mut decider = Decider::new(Effort::default());
        let Decision::Winnable(line) = decided(&mut decider, &position(fen), Color::White) else {
            panic!("{fen}");
        };
        assert!(line.moves().iter().any(|played| played.promotion().is_some()), "{fen}: {line}");
    }
}

#[test]
fn a_winner_may_have_to_promote_to_less_than_a_queen() {
    let mut decider = Decider::new(Effort::default());
    // White has no other moves than promotions, and stalemate follows on a queen, in the second position on a rook too.
    for (fen, stalemates) in [
        ("8/k1P5/1p6/1P4p1/6P1/5p1p/5P1P/6BK w - - 0 1", &[Role::Queen][..]),
        ("8/k1P5/Pp6/1P4p1/6P1/5p1p/5P1P/6BK w - - 0 1", &[Role::Queen, Role::Rook]),
    ] {
        let position = position(fen);
        for color in Color::ALL {
            let Decision::Winnable(line) = decided(&mut decider, &position, color) else { panic!("{fen}") };
            let role = line.moves()[0].promotion().expect("there are no other moves");
            assert!(!stalemates.contains(&role), "{fen}: {line}");
        }
        for played in shakmaty::Position::legal_moves(&position) {
            let mut after = position.clone();
            shakmaty::Position::play_unchecked(&mut after, played);
            let is_stalemate = shakmaty::Position::is_stalemate(&after);
            assert_eq!(is_stalemate, stalemates.contains(&played.promotion().unwrap()), "{played}");
        }
    }
    // Lines with other promotions replay.
    for (fen, role) in
        [("8/1P6/8/8/8/8/k1K5/8 w - - 0 1", Role::Rook), ("8/P7/8/8/8/8/8/k1K5 w - - 0 1", Role::Queen)]
    {
        let Decision::Winnable(line) = decided(&mut decider, &position(fen), Color::White) else {
            panic!("{fen}");
        };
        let roles: Vec<_> = line.moves().iter().filter_map(|played| played.promotion()).collect();
        assert!(!roles.is_empty(), "{fen}: {line}");
        // The same line is refused with another winner, whatever the role.
        let reversed = MateLine::new(line.position().clone(), Color::Black, line.moves().to_vec());
        assert_eq!(reversed, Err(LineError::WrongColour), "{role:?}");
    }
}

#[test]
fn castling_belongs_to_lines_and_to_positions() {
    // Castling gives mate, in standard chess and in Chess960.
    for (fen, uci) in
        [("5k2/R7/8/7B/8/1B6/8/4K2R w K - 0 1", "e1h1"), ("5k2/R7/8/7B/8/1B6/8/5KR1 w G - 0 1", "f1g1")]
    {
        let position = position(fen);
        let played = uci.parse::<shakmaty::uci::UciMove>().unwrap().to_move(&position).unwrap();
        assert!(matches!(played, shakmaty::Move::Castle { .. }), "{fen}");
        let line = MateLine::new(position.clone(), Color::White, vec![played]).unwrap();
        assert_eq!(MateLine::decode(&line.canonical_payload()), Ok(line));
        let mut decider = Decider::new(Effort::default());
        assert_eq!(winnable(&mut decider, &position, Color::White), Some(true), "{fen}");
    }
    // The same board with and without rights, with and without a legal capture en passant, is decided alike.
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    ] {
        assert_eq!(answers(fen), [Some(true), Some(true)], "{fen}");
    }
}

#[test]
fn an_en_passant_capture_may_be_the_only_way() {
    // Without the capture the wall stands for ever.
    let wall = "8/8/6k1/p1p1p3/P1P1PpPp/5P1P/2B5/4K3 b - g3 0 50";
    assert_eq!(answers(wall)[1], Some(true));
}

#[test]
fn forced_moves_do_not_run_into_themselves() {
    // Black shuffles between two squares; White's king walks round.
    assert_eq!(answers("8/8/8/8/8/p1p5/P1P5/k1K5 w - - 0 1"), [Some(true), Some(true)]);
}

#[test]
fn bounds_of_nothing_one_and_two() {
    let start = Chess::default();
    for bound in 0..3 {
        let mut decider = Decider::new(Effort::positions(bound));
        let undecided = Decision::Undecided { bound: Effort::positions(bound) };
        assert_eq!(decider.decide(&start, Color::White), undecided);
        assert!(decider.looked_at() <= bound);
        // What needs no search is decided with any bound.
        let bare = position("8/8/4k3/8/8/3K4/8/6N1 w - - 0 1");
        assert_eq!(winnable(&mut decider, &bare, Color::White), Some(false));
        assert_eq!(decider.looked_at(), 0);
    }
    // A mate in one is the second position.
    let mate_in_one = position("7k/R7/6K1/8/8/8/8/8 w - - 0 1");
    let mut decider = Decider::new(Effort::positions(2));
    assert_eq!(winnable(&mut decider, &mate_in_one, Color::White), Some(true));
    assert_eq!(decider.looked_at(), 2);
    assert_eq!(winnable(&mut Decider::new(Effort::positions(1)), &mate_in_one, Color::White), None);
}

#[test]
fn a_bound_has_a_maximum() {
    assert_eq!(Effort::positions(u32::MAX), Effort::MAXIMUM);
    assert_eq!(Effort::default().get(), 400_000);
    assert_eq!(Effort::QUICK.get(), 2_000);
}

#[test]
fn more_men_than_a_board_of_a_game_has_are_undecided() {
    let fen: Fen = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1".parse().unwrap();
    let allowed = Chess::from_setup(fen.into_setup(), CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material);
    let crowded: Fen = "4k3/nnnnnnnn/nnnnnnnn/n7/7N/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1".parse().unwrap();
    let crowded = Chess::from_setup(crowded.into_setup(), CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .unwrap();
    let mut decider = Decider::new(Effort::QUICK);
    for position in allowed.into_iter().chain([crowded]) {
        for color in Color::ALL {
            let undecided = Decision::Undecided { bound: Effort::QUICK };
            assert_eq!(decider.decide(&position, color), undecided, "{position:?}");
        }
    }
}

#[test]
fn a_line_may_be_longer_than_a_byte_can_count() {
    let start = Chess::default();
    let mut position = start.clone();
    let mut moves = Vec::new();
    let mut play = |san: &str| {
        let played = san.parse::<shakmaty::san::San>().unwrap().to_move(&position).unwrap();
        shakmaty::Position::play_unchecked(&mut position, played);
        moves.push(played);
    };
    for _ in 0..100 {
        ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().for_each(&mut play);
    }
    ["f3", "e5", "g4", "Qh4"].into_iter().for_each(&mut play);
    let line = MateLine::new(start, Color::Black, moves).unwrap();
    assert_eq!(line.plies(), 404);
    assert_eq!(MateLine::decode(&line.canonical_payload()), Ok(line));
}

#[test]
fn a_decision_does_not_depend_on_what_was_decided_before() {
    let fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1",
        "6bk/7p/5BpP/1p1p1pP1/1P1P1P2/8/6K1/8 b - - 19 10",
    ];
    let mut kept = Decider::new(Effort::QUICK);
    for _ in 0..2 {
        for fen in fens.into_iter().rev().chain(fens) {
            for color in Color::ALL {
                let fresh = Decider::new(Effort::QUICK).decide(&position(fen), color);
                assert_eq!(kept.decide(&position(fen), color), fresh, "{fen}");
            }
        }
    }
}
