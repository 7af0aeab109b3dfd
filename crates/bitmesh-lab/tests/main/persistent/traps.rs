//! Each trap makes a careless implementation unsound or blind: the position, the answer, and a legal line that shows why.

use bitmesh::persistent::{Coupling, Proof};
use shakmaty::{Bitboard, Chess, Position as _, Square};

use super::{outline, play, position, proved};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

fn after(fen: &str, line: &str) -> Chess {
    let mut position = position(fen);
    line.split_whitespace().for_each(|uci| play(&mut position, uci));
    position
}

/// The piece is not called frozen, nothing is called divided, and the line makes it move or disappear.
fn breaks(fen: &str, piece: Square, line: &str) {
    let before = position(fen);
    let outline = outline(fen);
    assert!(!outline.frozen.contains(piece), "{fen}: {piece} is called frozen");
    assert!(!outline.decomposed() && !outline.dead(), "{fen}");
    let after = after(fen, line);
    assert_ne!(
        before.board().piece_at(piece),
        after.board().piece_at(piece),
        "{fen}: {line} leaves {piece} alone"
    );
}

fn reach(fen: &str, mover: Square) -> Bitboard {
    let certificate = proved(&position(fen)).1;
    let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
    witness.movers().iter().find(|found| found.square == mover).map(|found| found.squares()).expect("a mover")
}

#[test]
fn a_pawn_that_can_capture_en_passant_now() {
    breaks("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1", Square::B4, "b4a3");
    assert!(outline(WALL).frozen.contains(Square::B4));
}

#[test]
fn a_pawn_that_has_just_made_a_double_step() {
    breaks("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1", Square::A4, "b4a3");
}

#[test]
fn a_pinned_capturer_leaves_the_double_step_frozen() {
    let fen = "8/8/6k1/p1p1p3/P1P1Pp1p/5P1P/2B5/4K3 b - e3 0 50";
    assert!(position(fen).maybe_ep_square().is_some());
    let outline = outline(fen);
    assert!(outline.frozen.contains(Square::E4) && outline.frozen.contains(Square::F4) && outline.dead());
}

#[test]
fn a_double_step_that_is_still_to_come() {
    breaks("7k/8/8/p1p1p1p1/1pPpPpPp/1P1P1P1P/P7/K7 w - - 0 30", Square::B4, "a2a4 b4a3");
}

#[test]
fn a_king_takes_an_unprotected_base_pawn() {
    breaks("1K6/8/8/p1p1p1p1/P1P1P1P1/8/8/1k6 b - - 0 1", Square::A4, "b1a2 b8a7 a2a3 a7a6 a3a4");
}

#[test]
fn a_king_takes_a_pawn_whose_protector_moves_on() {
    breaks("8/8/8/1p6/kP6/2P5/8/6K1 w - - 0 1", Square::B4, "c3c4 a4b4");
}

#[test]
fn a_king_already_stands_where_a_frozen_pawn_attacks() {
    let fen = "7k/8/8/p1p1p1p1/PpPpPpPp/KP1P1P1P/8/8 w - - 0 1";
    assert!(position(fen).is_check());
    let outline = outline(fen);
    assert_eq!((outline.frozen.count(), outline.components), (16, 2));
    assert!(outline.dead());
    // In check now, so no sum yet.
    assert_eq!(
        outline.coupling,
        Coupling::CoupledByCheck { colors: shakmaty::ByColor { black: false, white: true } }
    );
    let reach = reach(fen, Square::A3);
    assert!(reach.contains(Square::A3));
    let guarded = Bitboard::from(Square::C3) | Bitboard::from(Square::E3) | Bitboard::from(Square::G3);
    assert!((reach & guarded).is_empty());
    after(fen, "a3b2 h8g8 b2c2");
}

#[test]
fn a_king_in_his_first_row_may_not_come_back_to_the_attacked_square() {
    let fen = "7k/8/8/p1p1p1p1/PpPpPpPp/KP1P1P1P/8/8 w - - 0 1";
    let after = after(fen, "a3b2 h8g8");
    let back = after.legal_moves().into_iter().any(|m| m.to() == Square::A3);
    assert!(!back);
}

#[test]
fn a_pawn_changes_files_and_comes_back_as_a_queen() {
    let fen = "1k3b2/7p/7P/p1p1p1p1/P1P1P1P1/8/8/1K6 b - - 0 1";
    breaks(fen, Square::C5, "f8g7 h6g7 b8b7 g7g8q b7b6 g8d5 b6a6 d5c5");
}

#[test]
fn a_pawn_changes_files_and_comes_back_as_a_knight() {
    let fen = "1k3b2/7p/7P/p1p1p1p1/P1P1P1P1/8/8/1K6 b - - 0 1";
    breaks(fen, Square::C5, "f8g7 h6g7 b8b7 g7g8n b7b6 g8f6 b6a6 f6d7 a6a7 d7c5");
}

#[test]
fn a_knight_jumps_the_wall() {
    breaks("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6N w - - 0 1", Square::H4, "h1g3 h4g3");
}

#[test]
fn a_bishop_cannot_touch_a_wall_of_the_other_colour() {
    let outline = outline("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6B w - - 0 1");
    assert_eq!(outline.frozen.count(), 16);
    assert!(outline.decomposed() && outline.dead());
}

#[test]
fn a_pawn_blocked_by_a_mover() {
    breaks("4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1B/6K1/5B2 w - - 0 1", Square::H4, "g2g1 e8d7 h3g2 h4h3");
}

#[test]
fn two_pawns_of_one_colour_on_a_file() {
    let outline = outline("1k6/8/8/p1p1p1p1/P1P1P1P1/P7/8/1K6 b - - 0 1");
    assert!(outline.frozen.contains(Square::A3) && outline.frozen.contains(Square::A4));
    assert!(outline.decomposed() && outline.dead());
}

#[test]
fn a_rook_castles_across_the_square_of_its_king() {
    let fen = "1k6/8/8/8/8/p1p1p1p1/P1P1P1P1/RK6 w A - 0 1";
    assert!(reach(fen, Square::A1).contains(Square::D1));
    assert!(reach(fen, Square::B1).contains(Square::C1));
    breaks(fen, Square::C3, "b1a1 b8b7 d1d2 c3d2");
}

#[test]
fn castling_over_a_frozen_piece_is_no_move() {
    // The bishop on b1 is walled in, so the rook stays where it is although White may castle.
    let fen = "4k3/8/8/8/8/p1p1p1p1/P1P1P1P1/RB2K3 w Q - 0 1";
    assert!(position(fen).castles().any());
    let outline = outline(fen);
    assert_eq!(outline.frozen.count(), 9);
    assert!(outline.frozen.contains(Square::B1) && !outline.frozen.contains(Square::A1));
    assert_eq!(reach(fen, Square::A1), Square::A1.into());
}

#[test]
fn a_walled_in_bishop_is_part_of_the_wall() {
    // The bishop on h1 sees only its own pawn on g2 and holds the pawn on h2.
    let fen = "4k3/8/3p4/2pPp3/1pP1Pp2/pP3Pp1/P5Pp/4K2B w - - 0 1";
    let outline = outline(fen);
    assert!(outline.frozen.contains(Square::H1) && outline.frozen.contains(Square::H2));
    assert!(outline.dead());
    assert!(!reach(fen, Square::E1).contains(Square::H1));
}

#[test]
fn a_position_that_is_mate_is_not_unwinnable() {
    for fen in [
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        "6rk/6pp/7N/8/8/8/8/K7 b - - 0 1",
        "8/8/8/8/8/5k2/5p2/5K1q w - - 0 1",
    ] {
        let position = position(fen);
        if position.is_checkmate() {
            let winner = !position.turn();
            assert!(!outline(fen).unwinnable.get(winner), "{fen}");
        }
    }
    // Smothered inside a frozen wall.
    let fen = "6rk/6pp/7N/8/8/8/8/K7 b - - 0 1";
    assert!(!outline(fen).dead());
}

#[test]
fn bare_kings_and_one_piece_that_cannot_mate() {
    for dead in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/5B2 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/5N2 w - - 0 1",
        // Bishops that all move on squares of one colour.
        "5b2/8/4k3/8/8/3K4/8/B1B1B3 w - - 0 1",
    ] {
        assert!(outline(dead).dead(), "{dead}");
    }
    // A little more, and there are mates.
    for mate in [
        "7k/8/4B1K1/4B3/8/8/8/8 b - - 0 1",
        "5K1k/5N1p/8/8/8/8/8/8 b - - 0 1",
        "6bk/8/6K1/4B3/8/8/8/8 b - - 0 1",
    ] {
        assert!(position(mate).is_checkmate());
        assert!(!outline(mate).unwinnable.white, "{mate}");
    }
}

#[test]
fn a_king_cannot_take_what_a_walled_in_bishop_protects() {
    // The bishops on e4 and e5 see only their own pawns, d4 and f4 have no other protector.
    let fen = "1k6/8/3p1p2/3PbP2/3pBp2/3P1P2/4B3/3K4 w - - 0 1";
    let outline = outline(fen);
    assert_eq!(outline.frozen.count(), 10);
    assert!(outline.dead());
    let before = after(fen, "d1c1 b8a8 c1b2 a8b8 b2b3 b8a8 b3c4 a8b8");
    assert!(before.legal_moves().into_iter().all(|m| m.to() != Square::D4));
}

#[test]
fn a_king_takes_a_pawn_whose_protector_can_be_taken() {
    // The bishop on e5 protects d4, but knight and pawn can take it and each other.
    let fen = "1k6/8/3p1p2/3PbP2/3pBp2/3P1P1N/8/3K4 w - - 0 1";
    breaks(fen, Square::E5, "h3g1 b8a8 g1e2 a8b8 e2d4 e5d4");
}

#[test]
fn a_king_without_a_step_holds_a_pawn() {
    // g1 is attacked by h2, g2 is White's own, h2 is protected by g3.
    let fen = "8/8/8/8/7k/5Bp1/6Pp/7K w - - 0 1";
    let outline = outline(fen);
    assert!(outline.frozen.contains(Square::H1) && outline.frozen.contains(Square::H2));
    assert!(outline.dead());
}

#[test]
fn a_king_without_a_step_until_its_jailer_is_taken() {
    // The same, and the bishop runs on the dark squares: it takes g3, and the king walks.
    let fen = "8/8/8/4B3/7k/6p1/6Pp/7K w - - 0 1";
    breaks(fen, Square::H1, "e5g3 h4g5 h1h2");
    breaks(fen, Square::H2, "e5g3 h4g5 g3h2");
}
