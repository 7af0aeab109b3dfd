//! Drawings of results show what the library found, and nothing that it did not prove.

use bitmesh::persistent::{CheckedCertificate, PersistentCertificate, Proof, check, prove};
use bitmesh::shakmaty::{Bitboard, Square};
use bitmesh::{certify_decomposition, read_position};
use bitmesh_diagram::{Arrow, BarrierKind, Diagram, ReachError};

use crate::samples::{self, WALL};

fn one_ply(text: &str) -> Diagram {
    Diagram::one_ply(&read_position(text).expect("a position or board").input)
}

fn arrow(from: Square, to: Square) -> Arrow {
    Arrow { from, to }
}

#[test]
fn structure_shows_the_certificate() {
    let board = samples::board("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7");
    let (diagram, certificate) = (Diagram::structure(&board), certify_decomposition(&board));
    assert_eq!(diagram.barrier.squares, certificate.barrier);
    assert_eq!(diagram.barrier.kind, BarrierKind::LockedPawns);
    let regions: Vec<_> = diagram.regions.iter().map(|region| region.squares).collect();
    let masks: Vec<_> = certificate.components.iter().map(|component| component.mask).collect();
    assert_eq!(regions, masks);
}

#[test]
fn a_board_that_does_not_fall_apart_has_no_regions() {
    for (placement, title) in [
        ("7k/8/8/8/8/8/8/K7", "Structure: rejected, no locked pawns"),
        ("7k/8/8/p7/P7/8/8/K7", "Structure: rejected, fewer than two regions with pieces"),
    ] {
        let diagram = Diagram::structure(&samples::board(placement));
        assert_eq!((diagram.title.as_str(), diagram.regions.len()), (title, 0));
    }
}

#[test]
fn one_ply_shows_every_violation() {
    let open = one_ply("3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3 w - - 0 1");
    assert_eq!(open.title, "One ply: refused, 2 violations");
    assert_eq!(open.arrows, [arrow(Square::D1, Square::A4), arrow(Square::D1, Square::G4)]);
    assert_eq!(open.regions.len(), 2);
}

#[test]
fn one_ply_of_a_position_sees_en_passant_and_that_of_a_board_does_not() {
    let position = one_ply("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1");
    // The same move takes one barrier pawn away and lifts another: two violations, one arrow.
    assert_eq!(position.title, "One ply: refused, 2 violations");
    assert_eq!(position.arrows, [arrow(Square::B4, Square::A3)]);
    assert_eq!(position.highlights, Bitboard::from_square(Square::A4));
    let board = one_ply("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7");
    assert_eq!(board.title, "One ply: accepted as a board, 2 regions");
    assert!(board.arrows.is_empty());
}

#[test]
fn one_ply_without_two_regions_screens_nothing() {
    let diagram = one_ply("7k/8/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!(diagram.title, "One ply: refused, no two regions with pieces");
    assert!(diagram.arrows.is_empty() && diagram.highlights.is_empty());
}

#[test]
fn persistent_regions_are_what_the_movers_reach() {
    let checked = samples::checked(WALL);
    let diagram = Diagram::persistent(&checked);
    let Proof::Witness(witness) = checked.certificate().proof() else { panic!("a witness") };
    assert_eq!(diagram.barrier.squares, witness.frozen());
    assert_eq!(diagram.barrier.kind, BarrierKind::FrozenPieces);
    assert_eq!(diagram.regions.len(), 2);
    for (mover, region) in witness.movers().iter().zip(&diagram.regions) {
        assert_eq!(mover.squares(), region.squares);
    }
}

#[test]
fn titles_name_what_was_proved() {
    for (fen, title) in [
        (WALL, "For ever: 2 regions, exact sum, dead position"),
        ("7K/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/k7 w - - 0 1", "For ever: no division proved"),
        (
            "8/6p1/1pk5/pP1p2p1/P2P2P1/2K5/8/8 b - - 0 45",
            "For ever: 2 regions, coupled by check, dead position",
        ),
        (
            "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1",
            "For ever: 2 regions, coupled by check, Black never mates",
        ),
    ] {
        let diagram = Diagram::persistent(&samples::checked(fen));
        assert_eq!(diagram.title, title, "{fen}");
    }
}

#[test]
fn a_certificate_that_the_checker_refuses_is_not_drawn() {
    let sound = prove(&samples::position("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1"));
    let bytes = sound.canonical_payload();
    let mut refused = 0;
    for (index, bit) in (0..bytes.len()).flat_map(|index| (0..8).map(move |bit| (index, bit))) {
        let mut changed = bytes.clone();
        changed[index] ^= 1 << bit;
        let Ok(certificate) = PersistentCertificate::decode(&changed) else { continue };
        if let Err(error) = check(&certificate) {
            assert_eq!(CheckedCertificate::new(certificate), Err(error));
            refused += 1;
        }
    }
    assert!(refused > 100, "only {refused} forgeries to refuse");
}

#[test]
fn a_reach_belongs_to_a_piece_that_moves() {
    let certificate = samples::checked("4k3/8/8/8/8/8/7P/4K3 w - - 0 1");
    let mut diagram = Diagram::persistent(&certificate);
    diagram.show_reach(&certificate, Square::H2).expect("the pawn moves");
    let reach = diagram.reach.expect("a reach");
    let file = Bitboard(0x8080_8080_8080_8000);
    assert_eq!((reach.square, reach.squares), (Square::H2, file));
    assert!((!reach.promoted & !reach.squares).is_empty(), "a queen goes everywhere");

    let error = diagram.show_reach(&certificate, Square::H3).expect_err("an empty square");
    assert_eq!(error, ReachError::NoPiece { square: Square::H3 });
    assert_eq!(error.code(), "diagram/reach-of-no-piece");
    let wall = samples::checked(WALL);
    let error = diagram.show_reach(&wall, Square::A4).expect_err("a frozen pawn");
    assert_eq!(error, ReachError::Frozen { square: Square::A4 });
    assert_eq!(error.code(), "diagram/reach-of-frozen-piece");
}
