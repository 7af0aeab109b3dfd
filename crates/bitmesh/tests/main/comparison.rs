//! What is valid and yet not what the library makes of the board.

use bitmesh::shakmaty::{Bitboard, Board, Rank, Square};
use bitmesh::{
    DecompositionCertificate, DecompositionComponent, DecompositionFinding as Finding,
    DecompositionRejectionReason, DecompositionStatus, certify_decomposition, compare_decomposition,
};
use serde_json::Value;

fn board(placement: &str) -> Board {
    placement.parse().unwrap()
}

/// Two walls, and no piece between them.
const TWO_WALLS: &str = "n6k/p1p1p1p1/PpPpPpPp/1P1P1P1P/p1p1p1p1/PpPpPpPp/1P1P1P1P/B7";

fn findings(certificate: &DecompositionCertificate, board: &Board) -> Vec<Finding> {
    certificate.validate().unwrap();
    compare_decomposition(certificate, Some(board))
}

#[test]
fn golden_boards_have_no_findings_and_mutated_certificates_do() {
    let rows = |text: &'static str| text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let boards =
        rows(include_str!("../golden/boards.jsonl")).map(|row| board(row["board"].as_str().unwrap()));
    let certificates: Vec<_> = boards.map(|board| (certify_decomposition(&board), board)).collect();
    for (certificate, board) in &certificates {
        assert_eq!(findings(certificate, board), []);
        assert_eq!(compare_decomposition(certificate, None), []);
    }
    // The certificate of one board against the next: no findings exactly when it is the same certificate.
    for pair in certificates.windows(2) {
        let (certificate, (other, board)) = (&pair[0].0, &pair[1]);
        assert_eq!(findings(certificate, board).is_empty(), certificate == other, "{board}");
    }
}

#[test]
fn an_order_of_its_own_is_no_finding() {
    let board = board("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7");
    let mut certificate = certify_decomposition(&board);
    certificate.components.reverse();
    assert_eq!(findings(&certificate, &board), []);
}

#[test]
fn other_roots() {
    let board = board("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7");
    let mut certificate = certify_decomposition(&board);
    let expected = certificate.components[1].root;
    certificate.components[1].root = 63;
    let found = findings(&certificate, &board);
    assert_eq!(found, [Finding::OtherRoot { component_index: 1, root: 63, expected }]);
    assert!(!found[0].is_contradiction());
    assert_eq!(
        found[0].to_string(),
        format!("component 1 has root 63, the contract's rule gives {expected}")
    );
    assert_eq!(compare_decomposition(&certificate, None), found, "the barrier alone shows it");
}

#[test]
fn two_regions_as_one_component() {
    let board = board(TWO_WALLS);
    let mut certificate = certify_decomposition(&board);
    assert_eq!(certificate.components.len(), 2, "the region between the walls is not listed");
    let between = Bitboard::from_rank(Rank::Fourth) | Bitboard::from_rank(Rank::Fifth);
    certificate.components[0].mask |= between & !board.occupied();
    assert_eq!(findings(&certificate, &board), [Finding::ComponentNotConnected { component_index: 0 }]);
    assert!(findings(&certificate, &board)[0].is_contradiction());
}

#[test]
fn a_component_that_leaves_squares_out() {
    // A rejected certificate need not be closed.
    let board = board("8/8/8/8/8/p7/P7/7k");
    let mut certificate = certify_decomposition(&board);
    assert_eq!(certificate.status, DecompositionStatus::Rejected);
    let region = certificate.components[0].mask;
    certificate.components[0] = DecompositionComponent {
        root: 7,
        mask: Bitboard::from(Square::H1) | Square::H2,
        active_mask: Square::H1.into(),
    };
    let found = findings(&certificate, &board);
    let missing = region.without(Square::H1).without(Square::H2);
    assert_eq!(found[0], Finding::ComponentNotWholeRegion { component_index: 0, missing });
}

#[test]
fn another_board() {
    let certificate = certify_decomposition(&board("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7"));
    let found = findings(&certificate, &board("6k1/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7"));
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].to_string(),
        "pieces are not those of the board: h8 only in the certificate, g8 only on the board"
    );
    let found = findings(&certificate, &board("7k/8/8/2p1p1p1/1pPpPpPp/1P1P1P1P/8/K7"));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].to_string(), "barrier is not that of the board: a4 a5 only in the certificate");
}

#[test]
fn an_empty_board_has_an_empty_certificate() {
    let certificate = certify_decomposition(&Board::empty());
    assert_eq!(certificate.rejection_reason, Some(DecompositionRejectionReason::NoLockedBarrier));
    assert_eq!(findings(&certificate, &Board::empty()), []);
}
