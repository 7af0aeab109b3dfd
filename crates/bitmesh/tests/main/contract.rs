//! Names, fields and derives of the contract: a changed name fails to compile.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use bitmesh::shakmaty::{Bitboard, Board, Role, Square};
use bitmesh::*;

const ZERO: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn is_value<T: Clone + Debug + Eq>() {}
fn is_copy<T: Copy>() {}

#[test]
fn structs_are_built_by_literal() {
    let certificate = DecompositionCertificate {
        barrier: Bitboard::EMPTY,
        components: vec![DecompositionComponent {
            root: 0,
            mask: Bitboard::FULL,
            active_mask: Bitboard::from_square(Square::A1),
        }],
        active_component_count: 1,
        strict: false,
        status: DecompositionStatus::Rejected,
        rejection_reason: Some(DecompositionRejectionReason::NoLockedBarrier),
    };
    assert_eq!(certificate.validate(), Ok(()));
    let produced = certify_decomposition(&"8/8/8/8/8/8/8/N7".parse().unwrap());
    assert_eq!(DecompositionCertificate { components: produced.components.clone(), ..certificate }, produced);

    let digest = DecompositionCertificateDigest::from_hex(ZERO).unwrap();
    let composition = CompositionCertificate {
        decomposition_digest: digest,
        component_values: vec![CompositionComponentValue { component_root: 0, value_digest: "v".to_owned() }],
        result_value_digest: "r".to_owned(),
    };
    assert_eq!(composition.validate(), Ok(()));

    let proof = ConservativeLegalIndependenceProof {
        decomposition_digest: digest,
        component_count: 2,
        barrier: Bitboard::EMPTY,
        proof_kind: "bitmesh:conservative_legal_independence:v0",
    };
    assert_eq!(proof.clone(), proof);
}

#[test]
fn signatures() {
    let _: fn(Bitboard) -> UnionFind = partition_board;
    let _: fn(&Board) -> Bitboard = get_locked_pawns;
    let _: fn(&Board) -> (bool, u8) = find_subsystems;
    let _: fn(&Board) -> DecompositionCertificate = certify_decomposition;
    let _: fn(
        &Board,
        &DecompositionCertificate,
    ) -> Result<ConservativeLegalIndependenceProof, ConservativeLegalIndependenceError> =
        verify_conservative_legal_independence;
    let _: fn(&Board) -> Result<ConservativeLegalIndependenceProof, ConservativeLegalIndependenceError> =
        certify_conservative_legal_independence;
    let _: fn(
        &DecompositionCertificate,
        &str,
        &str,
    ) -> Result<
        PositionBoundDecompositionCertificateDigest,
        DecompositionCertificateValidationError,
    > = position_bound_decomposition_certificate_digest;
    let _: fn(&UnionFind, usize) -> bool = UnionFind::contains;
    let _: fn(&mut UnionFind, usize) -> usize = UnionFind::find;
    let _: fn(&mut UnionFind, usize, usize) -> bool = UnionFind::union;
    let _: fn(&mut UnionFind, usize, usize) -> bool = UnionFind::connected;
    let _: fn(Bitboard) -> UnionFind = UnionFind::with_mask;
    let _: UnionFind = UnionFind::default().clone();
}

#[test]
fn derives() {
    is_value::<DecompositionCertificate>();
    is_value::<DecompositionComponent>();
    is_value::<DecompositionStatus>();
    is_copy::<DecompositionStatus>();
    is_value::<DecompositionRejectionReason>();
    is_copy::<DecompositionRejectionReason>();
    is_value::<DecompositionCertificateValidationError>();
    is_copy::<DecompositionCertificateValidationError>();
    is_value::<ConservativeLegalIndependenceProof>();
    is_value::<ConservativeLegalIndependenceError>();
    is_value::<CompositionCertificate>();
    is_value::<CompositionComponentValue>();
    is_value::<CompositionCertificateValidationError>();
    is_value::<CertificateDigestParseError>();
}

fn digest_type<T>(bytes: fn(&T) -> &[u8; 32], into: fn(T) -> [u8; 32], hex: fn(T) -> String)
where
    T: Clone + Copy + Debug + Display + Eq + Hash + Ord + FromStr<Err = CertificateDigestParseError>,
{
    let lower = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let digest: T = lower.parse().unwrap();
    assert_eq!(lower.to_uppercase().parse::<T>(), Ok(digest));
    assert_eq!(digest.to_string(), lower);
    assert_eq!(hex(digest), lower);
    assert_eq!(bytes(&digest), &into(digest));
    assert_eq!(bytes(&digest)[15], 0xff);
    assert!(ZERO.parse::<T>().unwrap() < digest);

    let too_long = format!("{lower}0");
    for (text, actual) in [("", 0), (&lower[1..], 63), (too_long.as_str(), 65), ("sha256:00", 9)] {
        assert_eq!(text.parse::<T>(), Err(CertificateDigestParseError::InvalidLength { actual }));
    }
    let bad = format!("{}g{}", &lower[..40], &lower[41..]);
    assert_eq!(bad.parse::<T>(), Err(CertificateDigestParseError::InvalidHexByte { index: 40, byte: b'g' }));
    let plus = format!("+{}", &lower[1..]);
    assert_eq!(plus.parse::<T>(), Err(CertificateDigestParseError::InvalidHexByte { index: 0, byte: b'+' }));
    let not_ascii = format!("{}é", &lower[..62]);
    assert_eq!(
        not_ascii.parse::<T>(),
        Err(CertificateDigestParseError::InvalidHexByte { index: 62, byte: 0xc3 })
    );
}

#[test]
fn digests() {
    use CompositionCertificateDigest as Composition;
    use DecompositionCertificateDigest as Decomposition;
    use PositionBoundDecompositionCertificateDigest as Bound;

    digest_type(Decomposition::as_bytes, Decomposition::into_bytes, Decomposition::to_hex);
    digest_type(Composition::as_bytes, Composition::into_bytes, Composition::to_hex);
    digest_type(Bound::as_bytes, Bound::into_bytes, Bound::to_hex);
    assert_eq!(Bound::from_hex("x"), Err(CertificateDigestParseError::InvalidLength { actual: 1 }));
}

/// No wildcard arm: a new or renamed variant of a frozen enum does not compile.
fn decomposition_fields(error: DecompositionCertificateValidationError) -> usize {
    use DecompositionCertificateValidationError::*;
    match error {
        StrictWithoutBarrier
        | NoLockedBarrierRejectionWithBarrier
        | LessThanTwoActiveComponentsRejectionWithoutBarrier
        | RejectedWithoutRejectionReason => 0,
        StrictWithTooFewActiveComponents { active_component_count: _ }
        | NoLockedBarrierRejectionWithMultipleActiveComponents { active_component_count: _ }
        | LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents { active_component_count: _ }
        | StrictWithRejectionReason { rejection_reason: _ }
        | EmptyComponentMask { component_index: _ }
        | ComponentWithoutActiveSquares { component_index: _ }
        | ComponentIntersectsBarrier { component_index: _ }
        | ActiveMaskOutsideComponent { component_index: _ } => 1,
        StrictStatusMismatch { strict: _, status: _ }
        | ActiveComponentCountMismatch { declared: _, actual: _ }
        | ComponentRootOutsideMask { component_index: _, root: _ }
        | ComponentMasksOverlap { first_component_index: _, second_component_index: _ }
        | PositionContextTooLong { actual: _, maximum: _ }
        | PositionContextNamespaceTooLong { actual: _, maximum: _ } => 2,
        DuplicateComponentRoot { first_component_index: _, second_component_index: _, root: _ }
        | StrictComponentMaskNotClosed { component_index: _, square: _, omitted_square: _ } => 3,
        CrossComponentAdjacency {
            first_component_index: _,
            second_component_index: _,
            first_square: _,
            second_square: _,
        } => 4,
    }
}

fn independence_fields(error: &ConservativeLegalIndependenceError) -> usize {
    use ConservativeLegalIndependenceError::*;
    match error {
        InvalidDecompositionCertificate { error: _ }
        | RequiresStrictDecomposition { status: _ }
        | BarrierSquareIsEmpty { square: _ }
        | ActivePieceOutsideCertifiedComponent { square: _ } => 1,
        BarrierSquareIsNotPawn { square: _, role: _ }
        | BarrierPawnNotFrozen { square: _, forward_square: _ }
        | BarrierPawnCanCapture { square: _, target: _ }
        | ActiveMaskDoesNotMatchBoard { certificate_active: _, board_active: _ }
        | BarrierPieceCanBeCaptured { attacker_square: _, barrier_square: _ } => 2,
        PieceCanEnterUncertifiedFreeSquare { from: _, to: _, from_component: _ } => 3,
        PieceCanEnterOtherComponent { from: _, to: _, from_component: _, to_component: _ } => 4,
    }
}

fn composition_fields(error: &CompositionCertificateValidationError) -> usize {
    use CompositionCertificateValidationError::*;
    match error {
        EmptyComponentValues | EmptyResultValueDigest => 0,
        EmptyComponentValueDigest { component_root: _ }
        | DuplicateComponentRoot { component_root: _ }
        | InvalidDecompositionCertificate { error: _ }
        | CompositionRequiresStrictDecomposition { status: _ }
        | MissingComponentRoot { component_root: _ }
        | UnexpectedComponentRoot { component_root: _ } => 1,
        ResultValueDigestTooLong { actual: _, maximum: _ }
        | DecompositionDigestMismatch { certificate_digest: _, composition_digest: _ } => 2,
        ComponentValueDigestTooLong { component_root: _, actual: _, maximum: _ } => 3,
    }
}

fn describes(error: &dyn Error, code: &str, message: &str, source: Option<&str>) {
    assert_eq!(error.to_string(), message);
    assert_eq!(error.source().map(ToString::to_string).as_deref(), source);
    let (area, variant) = code.split_once('/').unwrap();
    assert!(
        [area, variant].iter().all(|part| part.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')),
        "{code}"
    );
}

#[test]
fn errors_describe_themselves() {
    use {
        CompositionCertificateValidationError as Composition,
        ConservativeLegalIndependenceError as Independence,
        DecompositionCertificateValidationError as Decomposition,
    };

    let error = Decomposition::CrossComponentAdjacency {
        first_component_index: 0,
        second_component_index: 1,
        first_square: Square::C2,
        second_square: Square::D3,
    };
    assert_eq!(decomposition_fields(error), 4);
    describes(&error, error.code(), "components 0 and 1 touch at c2 and d3", None);

    let error = Independence::BarrierPawnCanCapture { square: Square::D4, target: Square::E5 };
    assert_eq!(independence_fields(&error), 2);
    assert_eq!(error.code(), "independence/barrier-pawn-can-capture");
    describes(&error, error.code(), "barrier pawn on d4 can capture on e5", None);
    let error = Independence::BarrierSquareIsNotPawn { square: Square::D4, role: Role::Queen };
    describes(&error, error.code(), "barrier square d4 holds a queen, not a pawn", None);
    let error = Independence::InvalidDecompositionCertificate { error: Decomposition::StrictWithoutBarrier };
    describes(
        &error,
        error.code(),
        "decomposition certificate is invalid",
        Some("strict certificate has an empty barrier"),
    );

    let error = Composition::ComponentValueDigestTooLong { component_root: 9, actual: 70000, maximum: 65535 };
    assert_eq!(composition_fields(&error), 3);
    describes(
        &error,
        error.code(),
        "value digest of component root 9 has 70000 bytes, at most 65535 fit",
        None,
    );
    let error = CertificateDigestParseError::InvalidHexByte { index: 3, byte: b'x' };
    describes(&error, error.code(), "byte 0x78 at index 3 is not a hexadecimal digit", None);
}

mod panics {
    use bitmesh::UnionFind;
    use bitmesh::shakmaty::{Bitboard, Square};

    fn only_a1() -> UnionFind {
        UnionFind::with_mask(Bitboard::from_square(Square::A1))
    }

    #[test]
    fn contains_never_panics() {
        assert!(only_a1().contains(0));
        for outside in [1, 63, 64, 65, usize::MAX] {
            assert!(!only_a1().contains(outside));
        }
        assert!(!UnionFind::new().contains(64));
    }

    #[test]
    #[should_panic(expected = "square index 1 is outside the active domain")]
    fn find_outside_the_domain() {
        only_a1().find(1);
    }

    #[test]
    #[should_panic(expected = "square index 64 is outside the active domain")]
    fn union_outside_the_board() {
        UnionFind::new().union(0, 64);
    }

    #[test]
    #[should_panic(expected = "square index 7 is outside the active domain")]
    fn connected_outside_the_domain() {
        only_a1().connected(7, 0);
    }
}
