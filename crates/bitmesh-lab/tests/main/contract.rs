//! The library against the contract written plainly, on any certificate and on the published vectors.

use std::fs;
use std::path::Path;

use bitmesh::shakmaty::{Bitboard, Board, Square};
use bitmesh::{
    DecompositionCertificate, DecompositionComponent, DecompositionRejectionReason as Reason,
    DecompositionStatus as Status, certify_decomposition, verify_conservative_legal_independence,
};
use bitmesh_lab::plain;
use proptest::prelude::*;
use serde_json::Value;

use crate::oracle::any_board;

fn any_certificate() -> impl Strategy<Value = DecompositionCertificate> {
    let mask = || any::<(u64, u64)>().prop_map(|(a, b)| Bitboard(a & b));
    let component = (any::<u8>(), mask(), mask())
        .prop_map(|(root, mask, active_mask)| DecompositionComponent { root, mask, active_mask });
    let reason = prop_oneof![
        Just(None),
        Just(Some(Reason::NoLockedBarrier)),
        Just(Some(Reason::LessThanTwoActiveComponents)),
    ];
    (mask(), proptest::collection::vec(component, 0..5), 0..5u8, any::<bool>(), any::<bool>(), reason)
        .prop_map(|(barrier, components, active_component_count, strict, status, rejection_reason)| {
            let status = if status { Status::Strict } else { Status::Rejected };
            DecompositionCertificate {
                barrier,
                components,
                active_component_count,
                strict,
                status,
                rejection_reason,
            }
        })
}

proptest! {
    #[test]
    fn arbitrary_certificates(certificate in any_certificate(), board in any_board()) {
        prop_assert_eq!(certificate.validate(), plain::validate(&certificate));
        prop_assert_eq!(certificate.digest().map(drop), certificate.validate());
        prop_assert_eq!(
            verify_conservative_legal_independence(&board, &certificate),
            plain::screen(&board, &certificate)
        );
    }

    #[test]
    fn mutations_of_true_certificates(
        board in any_board(),
        other in any_board(),
        square in 0..64u32,
        index in 0..4usize,
    ) {
        let mut certificate = certify_decomposition(&board);
        prop_assert_eq!(
            verify_conservative_legal_independence(&other, &certificate),
            plain::screen(&other, &certificate)
        );
        let square = Square::new(square);
        certificate.barrier.toggle(square);
        if let Some(component) = certificate.components.get_mut(index) {
            component.mask.toggle(square);
        }
        prop_assert_eq!(certificate.validate(), plain::validate(&certificate));
        prop_assert_eq!(certificate.canonical_payload(), plain::payload(&certificate));
        prop_assert_eq!(
            verify_conservative_legal_independence(&board, &certificate),
            plain::screen(&board, &certificate)
        );
    }

    #[test]
    fn an_accepted_board_keeps_every_piece_in_its_region(board in any_board()) {
        let certificate = certify_decomposition(&board);
        if verify_conservative_legal_independence(&board, &certificate).is_err() {
            return Ok(());
        }
        for component in &certificate.components {
            for square in component.active_mask {
                let color = board.color_at(square).unwrap();
                let reach = board.attacks_from(square) & !board.by_color(color);
                if !board.pawns().contains(square) {
                    prop_assert!(reach.is_subset(component.mask));
                }
            }
        }
        let no_pieces: Board = Board::empty();
        prop_assert!(verify_conservative_legal_independence(&no_pieces, &certificate).is_err());
    }
}

/// The published vectors.
fn golden(file: &str, count: usize) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitmesh/tests/golden").join(file);
    let text = fs::read_to_string(path).expect(file);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(rows.len(), count, "{file} lost rows");
    rows
}

fn board_of(row: &Value) -> Board {
    row["board"].as_str().expect("a board").parse().expect("a board")
}

fn certificate_of(value: &Value) -> DecompositionCertificate {
    let byte = |value: &Value| u8::try_from(value.as_u64().expect("a number")).expect("a byte");
    let mask = |value: &Value| {
        let digits = value.as_str().and_then(|text| text.strip_prefix("0x")).expect("a mask");
        Bitboard(u64::from_str_radix(digits, 16).expect(digits))
    };
    let component = |value: &Value| DecompositionComponent {
        root: byte(&value["root"]),
        mask: mask(&value["mask"]),
        active_mask: mask(&value["active_mask"]),
    };
    DecompositionCertificate {
        barrier: mask(&value["barrier"]),
        components: value["components"].as_array().expect("a list").iter().map(component).collect(),
        active_component_count: byte(&value["active_component_count"]),
        strict: value["strict"].as_bool().expect("a truth value"),
        status: if value["status"] == "Strict" { Status::Strict } else { Status::Rejected },
        rejection_reason: match value["rejection_reason"].as_str() {
            Some("None") => None,
            Some("Some(NoLockedBarrier)") => Some(Reason::NoLockedBarrier),
            Some("Some(LessThanTwoActiveComponents)") => Some(Reason::LessThanTwoActiveComponents),
            other => panic!("reason {other:?}"),
        },
    }
}

#[test]
fn published_boards() {
    for row in golden("boards.jsonl", 1747) {
        let board = board_of(&row);
        assert_eq!(certify_decomposition(&board), plain::certify(&board), "{row}");
    }
}

#[test]
fn published_certificates() {
    for row in golden("certificates.jsonl", 1264) {
        let (board, certificate) = (board_of(&row), certificate_of(&row["certificate"]));
        assert_eq!(certificate.validate(), plain::validate(&certificate), "{row}");
        assert_eq!(
            verify_conservative_legal_independence(&board, &certificate),
            plain::screen(&board, &certificate),
            "{row}"
        );
    }
}
