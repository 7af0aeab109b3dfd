//! Rule 9 and what it changes: a certificate that breaks each condition, and a line that shows what the condition is for.

use shakmaty::attacks::king_attacks;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, ByColor, CastlingMode, Chess, Position as _, Role, Square};

use super::super::certificate::{PersistentCertificate, Proof};
use super::super::prove::{largest_witness_with_stoppers, least_witness};
use super::super::witness::{Mover, Witness};
use super::{CheckError, check};

/// White's king can take the pawns on the fifth rank; Black's takes nothing. All pawns above the fifth rank are frozen.
const FILES: &str = "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1";

fn position(fen: &str) -> Chess {
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

fn squares<const N: usize>(squares: [Square; N]) -> Bitboard {
    squares.into_iter().collect()
}

fn certificate(position: &Chess, witness: Witness) -> PersistentCertificate {
    let unwinnable = ByColor::default();
    PersistentCertificate { position: position.clone(), unwinnable, proof: Proof::Witness(witness) }
}

/// The largest witness with stoppers, which must be accepted.
fn accepted(fen: &str) -> Witness {
    let position = position(fen);
    let (witness, unwinnable) = largest_witness_with_stoppers(&position).expect("stoppers");
    let certificate = PersistentCertificate { position, unwinnable, proof: Proof::Witness(witness.clone()) };
    assert!(check(&certificate).is_ok(), "{fen}: {:?}", check(&certificate));
    witness
}

fn mover(witness: &mut Witness, square: Square) -> &mut Mover {
    witness.movers.iter_mut().find(|mover| mover.square == square).unwrap()
}

/// The frozen pieces and stoppers of the largest witness, with these stoppers added, are refused.
fn refuses(fen: &str, added: Bitboard, expected: CheckError) -> Witness {
    let start = position(fen);
    let (frozen, stoppers) = largest_witness_with_stoppers(&start)
        .map_or((Bitboard::EMPTY, Bitboard::EMPTY), |(witness, _)| (witness.frozen, witness.stoppers));
    let frozen =
        if stoppers.is_empty() { super::super::prove(&start).proof().witness().frozen() } else { frozen };
    let witness = least_witness(&start, frozen, stoppers | added);
    assert_eq!(check(&certificate(&start, witness.clone())), Err(expected), "{fen}");
    witness
}

/// Plays a line and tells where the piece that began on a square is at the end.
fn follow(fen: &str, line: &str, begin: Square) -> (Square, Role) {
    let (mut position, mut square) = (position(fen), begin);
    for text in line.split(' ') {
        let played = text.parse::<UciMove>().unwrap().to_move(&position).unwrap_or_else(|_| panic!("{text}"));
        if played.from() == Some(square) {
            square = played.to();
        }
        position.play_unchecked(played);
    }
    (square, position.board().role_at(square).unwrap())
}

/// A piece leaves the reach that a refused witness gives it.
fn leaves(witness: &Witness, fen: &str, line: &str, begin: Square) {
    let (square, role) = follow(fen, line, begin);
    let mover = witness.movers.iter().find(|mover| mover.square == begin).unwrap();
    assert!(!mover.reach.get(role).contains(square), "{role:?} on {square} is in its reach");
}

#[test]
fn stoppers_end_the_reach_of_pushes() {
    let mut witness = accepted(FILES);
    assert_eq!(witness.stoppers, squares([Square::A2, Square::C2, Square::E2, Square::G2]));
    assert_eq!(mover(&mut witness, Square::A5).reach.pawn, squares([Square::A5, Square::A4, Square::A3]));
    // Without its name the stopper stops nothing.
    let start = position(FILES);
    let mut unnamed = witness.clone();
    unnamed.stoppers.discard(Square::A2);
    let error = CheckError::AdvanceOutsideReach { mover: Square::A5, target: Square::A2 };
    assert_eq!(check(&certificate(&start, unnamed)), Err(error));
    // A pawn of its own colour is not stopped.
    let mut short = witness.clone();
    mover(&mut short, Square::A2).reach.pawn.discard(Square::A4);
    let error = CheckError::AdvanceOutsideReach { mover: Square::A2, target: Square::A4 };
    assert_eq!(check(&certificate(&start, short)), Err(error));
}

#[test]
fn stoppers_are_pawns_that_move() {
    let witness = accepted(FILES);
    for square in [Square::A6, Square::E1, Square::H1] {
        let mut named = witness.clone();
        named.stoppers.add(square);
        let error = CheckError::StopperNotMoverPawn { square };
        assert_eq!(check(&certificate(&position(FILES), named)), Err(error));
    }
}

#[test]
fn a_king_takes_no_stopper() {
    // a3 is in both reaches; the king walks round and takes the pawn, and then a2 runs.
    let error =
        CheckError::StopperCanBeCaptured { stopper: Square::A5, mover: Square::E1, target: Square::A3 };
    let witness = refuses(FILES, Square::A5.into(), error);
    let line = "e1d1 b8a8 d1c1 a8b8 c1b2 b8a8 b2b3 a8b8 b3a4 b8a8 a4a5 a8b8 a5b5 b8a8 a2a4 a8b8 a4a5";
    leaves(&witness, FILES, line, Square::A2);
}

#[test]
fn a_king_is_beside_a_stopper_that_he_can_never_take() {
    // Nothing frozen guards b5, and there Black's king is beside a4 and c4. The frozen pawns on b3 and d3 guard them.
    let wall = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1");
    let stoppers = squares([Square::A4, Square::A5, Square::C4, Square::C5]);
    let mut witness = least_witness(&wall, wall.board().pawns() & !stoppers, stoppers);
    let king = mover(&mut witness, Square::H8).reach.king;
    assert!(king.contains(Square::B5) && king_attacks(Square::B5).contains(Square::A4));
    assert!(!king.contains(Square::A4));
    assert!(check(&certificate(&wall, witness)).is_ok());
}

#[test]
fn a_promoted_piece_takes_a_stopper_from_behind() {
    // The pawn on h5 becomes a queen, takes the pawn on a2, and then a5 runs. That a2 may take the queen is said first.
    let fen = "1k6/p1p1p1p1/P1P1P1P1/p1p1p2p/8/8/P1P1P3/4K3 b - - 0 1";
    let error = CheckError::StopperLeavesFile { stopper: Square::A2, target: Square::B3 };
    refuses(fen, Square::A2.into(), error);
    let line =
        "h5h4 e1d1 h4h3 d1e1 h3h2 e1d1 h2h1q d1d2 h1a1 d2d3 a1a2 d3e3 a2c2 e3f3 a5a4 f3g3 a4a3 g3h3 a3a2";
    assert_eq!(follow(fen, line, Square::A5), (Square::A2, Role::Pawn));
}

#[test]
fn a_stopper_stays_on_its_file() {
    // c3 takes b4, and nothing is in the way of the pawn on c5.
    let fen = "6k1/p1p1p1p1/P1P1P1P1/2p5/1p6/2P5/8/K7 w - - 0 1";
    let error = CheckError::StopperLeavesFile { stopper: Square::C3, target: Square::B4 };
    refuses(fen, Square::C3.into(), error);
    assert_eq!(follow(fen, "c3b4 c5c4 a1b1 c4c3", Square::C5), (Square::C3, Role::Pawn));
    // With nothing to take it is one.
    let fen = "6k1/p1p1p1p1/P1P1P1P1/2p5/8/2P5/8/K7 w - - 0 1";
    assert!(accepted(fen).stoppers.contains(Square::C3));
}

#[test]
fn a_stopper_that_can_be_taken_en_passant_is_none() {
    let fen = "1k6/p1p1p1p1/P1P1P1P1/2p5/2Pp4/8/8/4K3 b - c3 0 1";
    let error = CheckError::StopperCanBeCapturedEnPassant { stopper: Square::C4 };
    let witness = refuses(fen, Square::C4.into(), error);
    leaves(&witness, fen, "d4c3 e1e2 c5c4", Square::C5);
    // Without the pawn that takes it is one.
    let fen = "1k6/p1p1p1p1/P1P1P1P1/2p5/2P5/8/8/4K3 b - - 0 1";
    assert!(accepted(fen).stoppers.contains(Square::C4));
}

#[test]
fn a_stopper_and_what_it_holds_are_in_one_component() {
    // All pawns but a4 and a5 are frozen. Neither of these two reaches or attacks the other's square.
    let wall = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1");
    let two = squares([Square::A4, Square::A5]);
    let mut witness = least_witness(&wall, wall.board().pawns() & !two, two);
    assert_eq!(mover(&mut witness, Square::A5).reach.pawn, Bitboard::from(Square::A5));
    assert_eq!(witness.components(), 2);
    assert!(check(&certificate(&wall, witness.clone())).is_ok());
    mover(&mut witness, Square::A5).component = 2;
    mover(&mut witness, Square::H8).component = 2;
    let error = CheckError::ComponentsMeet { first: Square::A4, second: Square::A5 };
    assert_eq!(check(&certificate(&wall, witness)), Err(error));
}
