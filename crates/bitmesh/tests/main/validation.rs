//! Each check of a certificate: one that passes, and the first failure when several apply.

use bitmesh::shakmaty::{Bitboard, Square};
use bitmesh::{
    DecompositionCertificate, DecompositionCertificateValidationError as Error, DecompositionComponent,
    DecompositionRejectionReason as Reason, DecompositionStatus as Status, certify_decomposition,
};

fn strict() -> DecompositionCertificate {
    certify_decomposition(&"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse().unwrap())
}

fn rejects(what: &str, change: impl FnOnce(&mut DecompositionCertificate), expected: Error) {
    let mut certificate = strict();
    assert_eq!(certificate.validate(), Ok(()));
    change(&mut certificate);
    assert_eq!(certificate.validate(), Err(expected), "{what}");
    assert_eq!(certificate.digest(), Err(expected), "{what}: no digest of an invalid certificate");
    assert_eq!(certificate.canonical_payload(), Err(expected), "{what}: no bytes either");
}

#[test]
fn header() {
    rejects(
        "flag against status",
        |c| c.strict = false,
        Error::StrictStatusMismatch { strict: false, status: Status::Strict },
    );
    rejects(
        "count against list",
        |c| c.active_component_count = 3,
        Error::ActiveComponentCountMismatch { declared: 3, actual: 2 },
    );
    rejects(
        "count that wrapped around",
        |c| c.components = (0..258).map(|_| c.components[0].clone()).collect(),
        Error::ActiveComponentCountMismatch { declared: 2, actual: 258 },
    );
    rejects(
        "strict with one component",
        |c| {
            c.components.pop();
            c.active_component_count = 1;
        },
        Error::StrictWithTooFewActiveComponents { active_component_count: 1 },
    );
    rejects("strict without barrier", |c| c.barrier = Bitboard::EMPTY, Error::StrictWithoutBarrier);
    rejects(
        "strict with a reason",
        |c| c.rejection_reason = Some(Reason::NoLockedBarrier),
        Error::StrictWithRejectionReason { rejection_reason: Reason::NoLockedBarrier },
    );
    let reject = |reason| {
        move |c: &mut DecompositionCertificate| {
            (c.strict, c.status, c.rejection_reason) = (false, Status::Rejected, reason);
        }
    };
    rejects("rejected without reason", reject(None), Error::RejectedWithoutRejectionReason);
    rejects(
        "no barrier, with a barrier",
        reject(Some(Reason::NoLockedBarrier)),
        Error::NoLockedBarrierRejectionWithBarrier,
    );
    rejects(
        "no barrier, two components",
        |c| {
            reject(Some(Reason::NoLockedBarrier))(c);
            c.barrier = Bitboard::EMPTY;
        },
        Error::NoLockedBarrierRejectionWithMultipleActiveComponents { active_component_count: 2 },
    );
    rejects(
        "too few components, without barrier",
        |c| {
            reject(Some(Reason::LessThanTwoActiveComponents))(c);
            c.barrier = Bitboard::EMPTY;
        },
        Error::LessThanTwoActiveComponentsRejectionWithoutBarrier,
    );
    rejects(
        "too few components, with two",
        reject(Some(Reason::LessThanTwoActiveComponents)),
        Error::LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents { active_component_count: 2 },
    );
}

#[test]
fn components() {
    rejects(
        "no squares",
        |c| c.components[1].mask = Bitboard::EMPTY,
        Error::EmptyComponentMask { component_index: 1 },
    );
    rejects(
        "no pieces",
        |c| c.components[0].active_mask = Bitboard::EMPTY,
        Error::ComponentWithoutActiveSquares { component_index: 0 },
    );
    rejects(
        "a barrier square",
        |c| c.components[0].mask.add(Square::A4),
        Error::ComponentIntersectsBarrier { component_index: 0 },
    );
    rejects(
        "a piece elsewhere",
        |c| c.components[0].active_mask.add(Square::A8),
        Error::ActiveMaskOutsideComponent { component_index: 0 },
    );
    for root in [63, 64, 255] {
        rejects(
            "root elsewhere or off the board",
            |c| c.components[0].root = root,
            Error::ComponentRootOutsideMask { component_index: 0, root },
        );
    }
    rejects(
        "the same component twice",
        |c| c.components[1] = c.components[0].clone(),
        Error::DuplicateComponentRoot {
            first_component_index: 0,
            second_component_index: 1,
            root: strict().components[0].root,
        },
    );
    rejects(
        "overlapping masks",
        |c| c.components[1].mask |= Bitboard::from_square(Square::C2),
        Error::ComponentMasksOverlap { first_component_index: 0, second_component_index: 1 },
    );
}

#[test]
fn neighbours() {
    rejects(
        "a component that leaves out a free neighbour",
        |c| c.components[0].mask.discard(Square::C1),
        Error::StrictComponentMaskNotClosed {
            component_index: 0,
            square: Square::B1,
            omitted_square: Square::C1,
        },
    );
    rejects(
        "components that touch",
        |c| {
            c.barrier = Bitboard::from_square(Square::H4);
            c.components = [(Square::A1, Square::B1), (Square::C1, Square::D1)]
                .map(|(first, second)| DecompositionComponent {
                    root: first.into(),
                    mask: Bitboard::from_iter([first, second]),
                    active_mask: first.into(),
                })
                .into();
        },
        Error::StrictComponentMaskNotClosed {
            component_index: 0,
            square: Square::A1,
            omitted_square: Square::A2,
        },
    );
    let mut touching = strict();
    touching.barrier = Bitboard::FULL ^ Bitboard::from_iter([Square::A1, Square::B2]);
    touching.components = [Square::A1, Square::B2]
        .map(|s| DecompositionComponent { root: s.into(), mask: s.into(), active_mask: s.into() })
        .into();
    assert_eq!(
        touching.validate(),
        Err(Error::CrossComponentAdjacency {
            first_component_index: 0,
            second_component_index: 1,
            first_square: Square::A1,
            second_square: Square::B2,
        })
    );
}

#[test]
fn a_disconnected_component_and_another_root_are_valid() {
    let mut certificate = strict();
    certificate.components[0].root = Square::H1.into();
    assert_eq!(certificate.validate(), Ok(()));
    assert_ne!(certificate.digest(), strict().digest());

    let corners = Bitboard::from_iter([Square::A1, Square::H8]);
    certificate.barrier = Bitboard::FULL ^ corners ^ Bitboard::from_square(Square::D4);
    certificate.components = [(Square::A1, corners), (Square::D4, Square::D4.into())]
        .map(|(s, mask)| DecompositionComponent { root: s.into(), mask, active_mask: s.into() })
        .into();
    assert_eq!(certificate.validate(), Ok(()));
}
