//! For every rule and every claim a certificate that breaks it and nothing that is looked at before.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::fen::Fen;
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, Color, Position as _, Role, Square};

use super::super::certificate::{PersistentCertificate, Proof};
use super::super::expansion::{Expansion, Leaf, LeafProof};
use super::super::verdict::Coupling;
use super::super::witness::{Mover, Witness};
use super::{CheckError, check};
use crate::persistent::{Bound, prove, prove_within};

/// Two kings on their own sides of a wall of all pawns.
const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
/// The same wall; b4 can take a4 en passant.
const WALL_EN_PASSANT: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";
/// Nothing is frozen, and three pawns can move sooner or later.
const OPEN: &str = "8/8/8/1p6/kP6/2P5/8/6K1 w - - 0 1";
/// A rook that may still castle, boxed in by a walled-in bishop.
const BOXED_ROOK: &str = "4k3/8/8/8/8/p1p1p1p1/P1P1P1P1/RB2K3 w Q - 0 1";
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Divided, and White can check and mate with a bishop on the black side.
const BISHOP_AT_LARGE: &str = "4b3/5k1p/6pP/5pP1/p1pBpP2/PpPpP1K1/1P1P4/8 w - - 0 1";

fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap().into_setup();
    let mode = CastlingMode::detect(&setup);
    setup.position(mode).unwrap()
}

fn witness(certificate: &mut PersistentCertificate) -> &mut Witness {
    match &mut certificate.proof {
        Proof::Witness(witness) => witness,
        Proof::Expansion(expansion) => &mut expansion.root,
        Proof::Material | Proof::Roaming(_) => panic!("no witness"),
    }
}

fn mover(certificate: &mut PersistentCertificate, square: Square) -> &mut Mover {
    witness(certificate).movers.iter_mut().find(|mover| mover.square == square).unwrap()
}

/// A certificate that claims nothing, with these pieces frozen and all others everywhere else.
fn frozen(fen: &str, frozen: Bitboard) -> PersistentCertificate {
    let position = position(fen);
    let movers: Vec<Mover> = (position.board().occupied() & !frozen)
        .into_iter()
        .map(|square| {
            let role = position.board().role_at(square).unwrap();
            let reach = ByRole::new_with(|other| {
                let possible = other == role || role == Role::Pawn && other != Role::King;
                if possible { !frozen } else { Bitboard::EMPTY }
            });
            Mover { square, reach, component: 0 }
        })
        .collect();
    let witness = Witness { frozen, movers, ..Witness::EMPTY };
    PersistentCertificate { position, unwinnable: ByColor::default(), proof: Proof::Witness(witness) }
}

fn pawns(fen: &str) -> Bitboard {
    position(fen).board().pawns()
}

/// What the prover makes of the position, changed.
fn refuses(fen: &str, change: impl FnOnce(&mut PersistentCertificate), expected: CheckError) {
    let mut certificate = prove(&position(fen));
    assert!(check(&certificate).is_ok(), "{fen}");
    change(&mut certificate);
    assert_eq!(check(&certificate), Err(expected), "{fen}");
}

/// What the prover makes of the position with an expansion, changed.
fn refuses_expansion(fen: &str, change: impl FnOnce(&mut PersistentCertificate), expected: CheckError) {
    let mut certificate = prove_within(&position(fen), Bound::default());
    assert!(check(&certificate).is_ok(), "{fen}");
    change(&mut certificate);
    assert_eq!(check(&certificate), Err(expected), "{fen}");
}

fn expansion(certificate: &mut PersistentCertificate) -> &mut Expansion {
    match &mut certificate.proof {
        Proof::Expansion(expansion) => expansion,
        Proof::Witness(_) | Proof::Material | Proof::Roaming(_) => panic!("not an expansion"),
    }
}

/// The witness of the first leaf.
fn leaf_witness(certificate: &mut PersistentCertificate) -> &mut Witness {
    match &mut expansion(certificate).leaves[0].proof {
        LeafProof::Witness(witness) => witness,
        LeafProof::Material | LeafProof::Roaming(_) => panic!("no witness"),
    }
}

fn rejects(certificate: &PersistentCertificate, expected: CheckError) {
    assert_eq!(check(certificate), Err(expected), "{certificate:?}");
}

#[test]
fn weaker_certificates_are_accepted() {
    let mut weak = prove(&position(WALL));
    weak.unwinnable = ByColor::default();
    witness(&mut weak).coupling = Coupling::UNKNOWN;
    witness(&mut weak).movers[1].component = 0;
    let conclusions = check(&weak).unwrap();
    assert!(!conclusions.decomposed() && !conclusions.dead());
    // A reach may be larger than it must be.
    let mut wide = prove(&position(WALL));
    mover(&mut wide, Square::A1).reach.king |= Bitboard::from(Square::A3) | Bitboard::from(Square::C3);
    witness(&mut wide).coupling = Coupling::UNKNOWN;
    assert!(check(&wide).unwrap().dead());
    assert!(check(&frozen(INITIAL, Bitboard::EMPTY)).is_ok());
}

#[test]
fn form() {
    refuses(
        WALL,
        |c| witness(c).frozen.add(Square::A2),
        CheckError::FrozenSquareEmpty { square: Square::A2 },
    );
    refuses(WALL, |c| witness(c).movers.truncate(1), CheckError::MoverMismatch { square: Square::H8 });
    refuses(
        WALL,
        |c| {
            let king = witness(c).movers[0].clone();
            witness(c).movers.push(king);
        },
        CheckError::MoverMismatch { square: Square::A1 },
    );
    refuses(WALL, |c| witness(c).movers.swap(0, 1), CheckError::MoverMismatch { square: Square::A1 });
    refuses(
        WALL,
        |c| mover(c, Square::A1).reach.queen.add(Square::A1),
        CheckError::ImpossibleRole { square: Square::A1, role: Role::Queen },
    );
    refuses(
        WALL,
        |c| mover(c, Square::A1).reach.pawn.add(Square::A2),
        CheckError::ImpossibleRole { square: Square::A1, role: Role::Pawn },
    );
    refuses(
        OPEN,
        |c| mover(c, Square::C3).reach.king.add(Square::A1),
        CheckError::ImpossibleRole { square: Square::C3, role: Role::King },
    );
    refuses(
        WALL,
        |c| mover(c, Square::A1).reach.king.add(Square::B3),
        CheckError::ReachHoldsFrozen { mover: Square::A1, square: Square::B3 },
    );
}

#[test]
fn rule_1_start() {
    refuses(
        WALL,
        |c| mover(c, Square::A1).reach.king.discard(Square::A1),
        CheckError::StartOutsideReach { square: Square::A1 },
    );
}

#[test]
fn rule_2_steps() {
    refuses(
        WALL,
        |c| mover(c, Square::A1).reach.king.discard(Square::H2),
        CheckError::StepOutsideReach { mover: Square::A1, role: Role::King, target: Square::H2 },
    );
    // Only the frozen pawns of the enemy bar a king.
    refuses(
        WALL,
        |c| mover(c, Square::H8).reach.king.discard(Square::B6),
        CheckError::StepOutsideReach { mover: Square::H8, role: Role::King, target: Square::B6 },
    );
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        refuses(
            OPEN,
            |c| mover(c, Square::C3).reach.get_mut(role).discard(Square::D4),
            CheckError::StepOutsideReach { mover: Square::C3, role, target: Square::D4 },
        );
    }
}

#[test]
fn rule_3_pawns() {
    refuses(
        OPEN,
        |c| mover(c, Square::C3).reach.pawn.discard(Square::C4),
        CheckError::AdvanceOutsideReach { mover: Square::C3, target: Square::C4 },
    );
    refuses(
        OPEN,
        |c| mover(c, Square::B5).reach.pawn.discard(Square::C4),
        CheckError::CaptureOutsideReach { mover: Square::B5, target: Square::C4 },
    );
    refuses(
        WALL_EN_PASSANT,
        |c| mover(c, Square::B4).reach.pawn.discard(Square::A3),
        CheckError::EnPassantOutsideReach { mover: Square::B4, target: Square::A3 },
    );
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        refuses(
            OPEN,
            |c| *mover(c, Square::C3).reach.get_mut(role) = Bitboard::EMPTY,
            CheckError::PromotionOutsideReach { mover: Square::C3, role, target: Square::A8 },
        );
    }
}

#[test]
fn rule_4_castling() {
    refuses(
        INITIAL,
        |c| mover(c, Square::E1).reach.king.discard(Square::C1),
        CheckError::CastlingKingOutsideReach { king: Square::E1, target: Square::C1 },
    );
    refuses(
        INITIAL,
        |c| mover(c, Square::H8).reach.rook.discard(Square::F8),
        CheckError::CastlingRookOutsideReach { rook: Square::H8, target: Square::F8 },
    );
    // Over a frozen piece there is no castling.
    assert!(check(&prove(&position(BOXED_ROOK))).is_ok());
}

#[test]
fn rule_5_pushes() {
    rejects(&frozen(OPEN, Square::C3.into()), CheckError::FrozenPawnCanPush { pawn: Square::C3 });
    // A mover in front is not enough.
    rejects(
        &frozen(WALL, pawns(WALL).without(Square::A5)),
        CheckError::FrozenPawnCanPush { pawn: Square::A4 },
    );
}

#[test]
fn rule_6_captures_by_frozen_pawns() {
    let cross = "4k3/8/8/3pp3/3PP3/8/8/4K3 w - - 0 1";
    rejects(&frozen(cross, pawns(cross)), CheckError::FrozenPawnAttacksFrozen { pawn: Square::D4 });
    rejects(
        &frozen(WALL_EN_PASSANT, pawns(WALL).without(Square::A4).without(Square::A5)),
        CheckError::FrozenPawnCanCaptureEnPassant { pawn: Square::B4, target: Square::A3 },
    );
    // The rook on a1 can never move, and the pawn on b2 takes it.
    let boxed = "4k3/8/8/8/8/p1p5/PpP5/RB2K3 w Q - 0 1";
    let mut certificate = frozen(boxed, pawns(boxed).with(Square::B1));
    mover(&mut certificate, Square::A1).reach.rook = Square::A1.into();
    rejects(&certificate, CheckError::FrozenPawnCanCapture { pawn: Square::B2, mover: Square::A1 });
}

#[test]
fn rule_7_captures_of_frozen_pieces() {
    rejects(
        &frozen(WALL, pawns(WALL)),
        CheckError::FrozenCanBeCapturedByKing { frozen: Square::A5, king: Square::A1 },
    );
    rejects(
        &frozen(WALL_EN_PASSANT, pawns(WALL)),
        CheckError::FrozenCanBeCapturedEnPassant { pawn: Square::A4 },
    );
    let knight = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6N w - - 0 1";
    let mut certificate = frozen(knight, pawns(knight));
    mover(&mut certificate, Square::A1).reach.king = Bitboard(0xffff);
    rejects(&certificate, CheckError::FrozenCanBeCaptured { frozen: Square::B4, mover: Square::H1 });
}

#[test]
fn rule_8_frozen_pieces() {
    let bishop = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6B w - - 0 1";
    rejects(
        &frozen(bishop, pawns(bishop).with(Square::H1)),
        CheckError::FrozenPieceCanMove { frozen: Square::H1, target: Square::G2 },
    );
    rejects(
        &frozen(BOXED_ROOK, pawns(BOXED_ROOK).with(Square::A1).with(Square::B1)),
        CheckError::FrozenRookMayCastle { rook: Square::A1 },
    );
}

#[test]
fn rule_8_frozen_kings() {
    rejects(
        &frozen(WALL, pawns(WALL).with(Square::A1)),
        CheckError::FrozenPieceCanMove { frozen: Square::A1, target: Square::B1 },
    );
    // The king on h1 has no step: h2 attacks g1, and g3 protects h2.
    let boxed = "8/8/8/8/7k/5Bp1/6Pp/7K w - - 0 1";
    refuses(
        boxed,
        |c| mover(c, Square::F3).reach.bishop.discard(Square::A8),
        CheckError::StepOutsideReach { mover: Square::F3, role: Role::Bishop, target: Square::A8 },
    );
    rejects(
        &frozen(boxed, Bitboard::from(Square::H1).with(Square::G2).with(Square::G3)),
        CheckError::FrozenPieceCanMove { frozen: Square::H1, target: Square::G1 },
    );
    // Without g2 the pawn on g3 is not held.
    rejects(
        &frozen(boxed, Bitboard::from(Square::H1).with(Square::G3).with(Square::H2)),
        CheckError::FrozenPawnCanPush { pawn: Square::G3 },
    );
    // Every step of the king is closed, and castling takes him away.
    let castling = "4k3/8/8/8/8/1p1p1p1p/1P1P1P1P/3QKB1R w K - 0 1";
    rejects(
        &frozen(castling, pawns(castling) | Square::E1 | Square::D1 | Square::F1),
        CheckError::FrozenKingMayCastle { king: Square::E1 },
    );
}

#[test]
fn components() {
    refuses(
        WALL,
        |c| witness(c).movers[0].component = 1,
        CheckError::ComponentOutOfOrder { square: Square::A1, component: 1 },
    );
    refuses(
        WALL,
        |c| witness(c).movers[1].component = 255,
        CheckError::ComponentOutOfOrder { square: Square::H8, component: 255 },
    );
    refuses(
        OPEN,
        |c| witness(c).movers[1].component = 1,
        CheckError::ComponentsMeet { first: Square::G1, second: Square::C3 },
    );
    refuses(
        BOXED_ROOK,
        |c| {
            for (number, mover) in (0..).zip(&mut witness(c).movers) {
                mover.component = number;
            }
        },
        CheckError::ComponentsCastle { king: Square::E1, rook: Square::A1 },
    );
    refuses(
        WALL_EN_PASSANT,
        |c| mover(c, Square::B4).component = 1,
        CheckError::ComponentsCaptureEnPassant { capturer: Square::B4, victim: Square::A4 },
    );
}

#[test]
fn coupling() {
    refuses(
        BISHOP_AT_LARGE,
        |c| witness(c).coupling = Coupling::ExactSum,
        CheckError::CheckPossible { color: Color::Black, square: Square::A5 },
    );
    refuses(
        INITIAL,
        |c| {
            let colors = ByColor { black: true, white: true };
            witness(c).coupling = Coupling::CoupledByCheck { colors };
        },
        CheckError::EnPassantPossible,
    );
}

#[test]
fn verdicts() {
    for color in Color::ALL {
        refuses(
            INITIAL,
            |c| *c.unwinnable.get_mut(color) = true,
            CheckError::MatePossible { color, square: Square::A1 },
        );
    }
    refuses(
        BISHOP_AT_LARGE,
        |c| c.unwinnable.white = true,
        CheckError::MatePossible { color: Color::White, square: Square::H8 },
    );
}

/// The king must take the pawn, and then two kings are left.
const TWO_KINGS: &str = "k1K5/P7/8/8/8/8/8/8 b - - 0 1";
/// Twenty positions; a queen goes somewhere and it is stalemate.
const STALEMATES: &str = "k7/Pp6/1P6/8/8/8/6K1/6Q1 w - - 0 1";
/// Black never mates, White does.
const ONE_SIDE: &str = "7k/6q1/p4PPK/6PP/8/5P2/8/8 w - - 0 1";
/// Three of ten positions are leaves.
const LEAVES: &str = "6k1/p5P1/6PB/6P1/6p1/6pb/P5p1/6K1 b - - 0 1";

#[test]
fn an_expansion_of_another_size() {
    refuses_expansion(
        TWO_KINGS,
        |c| expansion(c).nodes = 1,
        CheckError::OutsideExpansion { node: 0, played: "a8a7".parse().unwrap() },
    );
    refuses_expansion(
        TWO_KINGS,
        |c| expansion(c).nodes = 3,
        CheckError::ExpansionTooLarge { claimed: 3, met: 2 },
    );
    refuses_expansion(
        STALEMATES,
        |c| expansion(c).nodes = 19,
        CheckError::OutsideExpansion { node: 0, played: "g2h3".parse().unwrap() },
    );
}

#[test]
fn leaves_of_an_expansion() {
    // Without the leaf the two kings walk on.
    refuses_expansion(
        TWO_KINGS,
        |c| expansion(c).leaves.clear(),
        CheckError::OutsideExpansion { node: 1, played: "c8c7".parse().unwrap() },
    );
    // A leaf for another position than its own.
    let mut certificate = prove_within(&position(LEAVES), Bound::default());
    let numbers: Vec<u32> = expansion(&mut certificate).leaves.iter().map(|leaf| leaf.node).collect();
    assert_eq!(numbers.len(), 3);
    expansion(&mut certificate).leaves[0].node -= 1;
    let Err(CheckError::Leaf { node, error }) = check(&certificate) else { panic!("accepted") };
    assert_eq!((node, error.code()), (numbers[0] - 1, "persistent/frozen-square-empty"));
    // A leaf whose witness breaks a rule, or does not lead to the claim.
    refuses_expansion(
        TWO_KINGS,
        |c| leaf_witness(c).movers[0].reach.king.discard(Square::D4),
        CheckError::Leaf {
            node: 1,
            error: Box::new(CheckError::StepOutsideReach {
                mover: Square::A7,
                role: Role::King,
                target: Square::D4,
            }),
        },
    );
    let mut certificate = prove_within(&position(STALEMATES), Bound::default());
    let second = expansion(&mut certificate).positions(&position(STALEMATES)).nth(1).unwrap();
    let witness = witness(&mut prove(&second)).clone();
    expansion(&mut certificate).leaves.push(Leaf { node: 1, proof: LeafProof::Witness(witness) });
    let error = Box::new(CheckError::MatePossible { color: Color::White, square: Square::A1 });
    rejects(&certificate, CheckError::Leaf { node: 1, error });
    // Numbers beyond the set are not positions.
    refuses_expansion(
        STALEMATES,
        |c| {
            let witness = expansion(c).root.clone();
            expansion(c).leaves.push(Leaf { node: 40, proof: LeafProof::Witness(witness) });
        },
        CheckError::ExpansionTooLarge { claimed: 20, met: 20 },
    );
}

#[test]
fn mates_in_an_expansion() {
    let mut certificate = prove_within(&position(ONE_SIDE), Bound::default());
    assert!(check(&certificate).is_ok_and(|claims| claims.unwinnable.black && !claims.unwinnable.white));
    certificate.unwinnable.white = true;
    let Err(CheckError::MateInExpansion { node, color: Color::White }) = check(&certificate) else {
        panic!("accepted")
    };
    let position = expansion(&mut certificate).positions(&position(ONE_SIDE)).nth(node as usize).unwrap();
    assert!(position.is_checkmate() && position.turn() == Color::Black);
}

#[test]
fn the_witness_of_an_expansion_is_checked() {
    refuses_expansion(
        STALEMATES,
        |c| witness(c).movers[0].reach.queen = Bitboard::EMPTY,
        CheckError::StartOutsideReach { square: Square::G1 },
    );
    refuses_expansion(STALEMATES, |c| witness(c).coupling = Coupling::ExactSum, {
        CheckError::CheckPossible { color: Color::White, square: Square::A1 }
    });
}
