//! Hand-made encodings with every byte, the published figures, and texts at the 16-bit limit.

use bitmesh::shakmaty::{Bitboard, Board, Square};
use bitmesh::{
    CompositionCertificate, CompositionCertificateValidationError, CompositionComponentValue,
    DecompositionCertificate, DecompositionCertificateValidationError, DecompositionComponent,
    DecompositionRejectionReason, DecompositionStatus, certify_conservative_legal_independence,
    certify_decomposition, position_bound_decomposition_certificate_digest,
};

fn double_wall() -> DecompositionCertificate {
    certify_decomposition(&"7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7".parse().unwrap())
}

fn split_wall() -> DecompositionCertificate {
    certify_decomposition(&"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse().unwrap())
}

#[test]
fn bmdcert_strict() {
    let certificate = DecompositionCertificate {
        barrier: Bitboard(0x0000_00ff_0000_0000),
        components: vec![
            DecompositionComponent {
                root: 63,
                mask: Bitboard(0xffff_ff00_0000_0000),
                active_mask: Bitboard::from_square(Square::H8),
            },
            DecompositionComponent {
                root: 0,
                mask: Bitboard(0x0000_0000_ffff_ffff),
                active_mask: Bitboard::from_square(Square::A1),
            },
        ],
        active_component_count: 2,
        strict: true,
        status: DecompositionStatus::Strict,
        rejection_reason: None,
    };
    #[rustfmt::skip]
    let expected = [
        b'B', b'M', b'D', b'C', b'E', b'R', b'T', 0,
        1, // version
        1, // strict status
        1, // strict
        0, // no reason
        2, // active components
        0, 0, 0, 0, 0xff, 0, 0, 0, // barrier
        2, // components
        0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
        63, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0x80,
    ];
    assert_eq!(certificate.canonical_payload().unwrap(), expected);

    let mut other_order = certificate.clone();
    other_order.components.reverse();
    assert_eq!(other_order.canonical_payload().unwrap(), expected);
    assert_eq!(other_order.digest(), certificate.digest());
}

#[test]
fn bmdcert_rejected() {
    let empty = certify_decomposition(&Board::empty());
    let mut expected = b"BMDCERT\0\x01\x02\x00\x01\x00".to_vec();
    expected.extend([0; 9]);
    assert_eq!(empty.canonical_payload().unwrap(), expected);

    let blocked = certify_decomposition(&"8/8/8/8/8/p7/P7/8".parse().unwrap());
    assert_eq!(blocked.rejection_reason, Some(DecompositionRejectionReason::LessThanTwoActiveComponents));
    let mut expected = b"BMDCERT\0\x01\x02\x00\x02\x00".to_vec();
    expected.extend([0, 1, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(blocked.canonical_payload().unwrap(), expected);
}

#[test]
fn bmcompose() {
    let composition = CompositionCertificate {
        decomposition_digest: [0xab; 32].into(),
        component_values: vec![
            CompositionComponentValue { component_root: 255, value_digest: "zz".to_owned() },
            CompositionComponentValue { component_root: 7, value_digest: "é".to_owned() },
        ],
        result_value_digest: "sum".to_owned(),
    };
    let mut expected = b"BMCOMPOSE\0\x01".to_vec();
    expected.extend([0xab; 32]);
    expected.extend([2, 0]);
    expected.extend([7, 2, 0, 0xc3, 0xa9]);
    expected.extend([255, 2, 0, b'z', b'z']);
    expected.extend([3, 0, b's', b'u', b'm']);
    assert_eq!(composition.canonical_payload().unwrap(), expected);
}

#[test]
fn published_figures() {
    let readme = certify_decomposition(&"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse().unwrap());
    assert_eq!(
        readme.digest().unwrap().to_hex(),
        "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf"
    );

    let wall = double_wall();
    let digest = wall.digest().unwrap();
    assert_eq!(digest.to_hex(), "cf721c7f1fb6fdf02de27735da2a9af56a55518f5c062d9653f41be0f447576e");
    let bound = position_bound_decomposition_certificate_digest(
        &wall,
        "8/8/8/PPPPPPPP/PPPPPPPP/8/8/N6n w - - 0 1",
        "bitmesh:test-fen",
    );
    assert_eq!(bound.unwrap().to_hex(), "a1d0a0c5e9a26ed5d5f96b9801b127d1a479b19dac11dfdcb2b520d59992c874");
    let composition = CompositionCertificate {
        decomposition_digest: digest,
        component_values: wall
            .components
            .iter()
            .map(|component| CompositionComponentValue {
                component_root: component.root,
                value_digest: format!("thermograph:component-{}", component.root),
            })
            .collect(),
        result_value_digest: "thermograph:sum-result".to_owned(),
    };
    assert_eq!(composition.validate_against_decomposition(&wall), Ok(()));
    assert_eq!(
        composition.digest().unwrap().to_hex(),
        "5fefeec7de17e312bae7661f6745b74fc1001d49ad447c0d6a1985ff70f7b525"
    );
}

/// A text of exactly `length` bytes that ends in a two-byte character.
fn text(length: usize) -> String {
    "x".repeat(length - 2) + "é"
}

#[test]
fn position_and_context_fill_sixteen_bits() {
    use DecompositionCertificateValidationError as Error;

    let (fits, too_long) = (text(65_535), text(65_536));
    let bind =
        |position, context| position_bound_decomposition_certificate_digest(&split_wall(), position, context);
    let all = [bind(&fits, "c"), bind("p", &fits), bind(&fits, &fits), bind("", "")];
    for (index, digest) in all.iter().enumerate() {
        assert!(digest.is_ok());
        assert!(all[..index].iter().all(|other| other != digest));
    }
    let position = Error::PositionContextTooLong { actual: 65_536, maximum: 65_535 };
    let context = Error::PositionContextNamespaceTooLong { actual: 65_536, maximum: 65_535 };
    assert_eq!(bind(&too_long, "c"), Err(position));
    assert_eq!(bind("p", &too_long), Err(context));
    assert_eq!(bind(&too_long, &too_long), Err(position), "position comes first");

    let mut invalid = split_wall();
    invalid.strict = false;
    let first = position_bound_decomposition_certificate_digest(&invalid, &too_long, &too_long);
    assert_eq!(first.map(drop), invalid.validate(), "certificate comes before the texts");
}

#[test]
fn value_digests_fill_sixteen_bits() {
    use CompositionCertificateValidationError as Error;

    let compose = |value: &str, result: &str| CompositionCertificate {
        decomposition_digest: [0; 32].into(),
        component_values: vec![CompositionComponentValue {
            component_root: 3,
            value_digest: value.to_owned(),
        }],
        result_value_digest: result.to_owned(),
    };
    let (fits, too_long) = (text(65_535), text(65_536));
    let payload = compose(&fits, &fits).canonical_payload().unwrap();
    assert_eq!(payload.len(), 11 + 32 + 2 + 1 + 2 * (2 + 65_535));
    assert_eq!(payload[46..48], [0xff, 0xff]);
    assert_eq!(
        compose(&too_long, "r").digest(),
        Err(Error::ComponentValueDigestTooLong { component_root: 3, actual: 65_536, maximum: 65_535 })
    );
    assert_eq!(
        compose(&too_long, &too_long).digest(),
        Err(Error::ResultValueDigestTooLong { actual: 65_536, maximum: 65_535 })
    );
}

#[test]
fn the_proof_names_the_certificate() {
    let board: Board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse().unwrap();
    let proof = certify_conservative_legal_independence(&board).unwrap();
    assert_eq!(proof.decomposition_digest, certify_decomposition(&board).digest().unwrap());
    assert_eq!((proof.component_count, proof.barrier.count()), (2, 16));
}

#[test]
fn bytes_do_not_depend_on_the_run() {
    let first = split_wall().canonical_payload().unwrap();
    for _ in 0..100 {
        assert_eq!(split_wall().canonical_payload().unwrap(), first);
    }
}
