//! JSON documents: what they look like, that they come back, and what they refuse.

use bitmesh::shakmaty::{Bitboard, Role, Square};
use bitmesh::{
    CompositionCertificate, CompositionComponentValue, ConservativeLegalIndependenceError as Screen,
    ConservativeLegalIndependenceProof, DecompositionCertificate,
    DecompositionCertificateValidationError as Invalid, DecompositionRejectionReason, DecompositionStatus,
    PositionBinding, PositionIndependenceError, PositionIndependenceProof, certify_decomposition,
    certify_position, diagnose_independence, persistent, read_position,
    verify_conservative_legal_independence,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_str, json, to_string, to_value};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const DIGEST: &str = "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf";

fn wall() -> DecompositionCertificate {
    certify_decomposition(&WALL.split(' ').next().unwrap().parse().unwrap())
}

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = to_string(value).unwrap();
    assert_eq!(from_str::<T>(&text).unwrap(), *value, "{text}");
    assert_eq!(serde_json::from_value::<T>(to_value(value).unwrap()).unwrap(), *value, "{text}");
}

/// The change is noticed, with this at the start of the message.
#[track_caller]
fn refuses<T: Serialize + DeserializeOwned + std::fmt::Debug>(
    value: &T,
    change: impl FnOnce(&mut Value),
    message: &str,
) {
    let mut document = to_value(value).unwrap();
    change(&mut document);
    let error = from_str::<T>(&document.to_string()).unwrap_err().to_string();
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn decompositions() {
    let rejected = certify_decomposition(&"8/8/8/8/8/p7/P7/8".parse().unwrap());
    assert_eq!(
        to_value(&rejected).unwrap(),
        json!({
            "schema": "bitmesh.decomposition.v1",
            "digest": rejected.digest().unwrap().to_hex(),
            "status": "rejected",
            "strict": false,
            "rejection_reason": "less_than_two_active_components",
            "active_component_count": 0,
            "barrier": ["a2", "a3"],
            "components": [],
        }),
    );
    let document = to_value(wall()).unwrap();
    assert_eq!(document["digest"], DIGEST);
    assert_eq!(document["rejection_reason"], Value::Null);
    assert_eq!(document["components"][0]["active_mask"], json!(["a1"]));
    comes_back(&rejected);
    comes_back(&wall());

    let mut invalid = wall();
    invalid.components[1].root = 200;
    assert_eq!(to_value(&invalid).unwrap().get("digest"), None, "no digest of an invalid certificate");
    comes_back(&invalid);
}

#[test]
fn decompositions_that_are_refused() {
    let wall = wall();
    let other = "0".repeat(64);
    refuses(
        &wall,
        |document| document["schema"] = json!("bitmesh.decomposition.v2"),
        "`bitmesh.decomposition.v2` in",
    );
    refuses(&wall, |document| document["extra"] = json!(1), "unknown field `extra`");
    refuses(
        &wall,
        |document| drop(document.as_object_mut().unwrap().remove("strict")),
        "missing field `strict`",
    );
    refuses(
        &wall,
        |document| document["digest"] = json!(other),
        &format!("digest {other} instead of {DIGEST}"),
    );
    refuses(&wall, |document| document["digest"] = json!("7e"), "digest has 2 characters");
    refuses(
        &wall,
        |document| document["strict"] = json!(false),
        "a digest of what has none: strict flag false",
    );
    refuses(&wall, |document| document["barrier"] = json!(["a4", "a4"]), "square a4 is listed twice");
    refuses(&wall, |document| document["barrier"] = json!(["i4"]), "`i4` is not a square");
    refuses(&wall, |document| document["barrier"] = json!(255), "invalid type");
    refuses(&wall, |document| document["status"] = json!("Strict"), "unknown variant `Strict`");
    refuses(&wall, |document| document["components"][0]["root"] = json!(256), "invalid value");

    // The order of a list of squares says nothing, and upper-case digits are digits.
    let mut document = to_value(&wall).unwrap();
    document["barrier"].as_array_mut().unwrap().reverse();
    document["digest"] = json!(DIGEST.to_uppercase());
    assert_eq!(from_str::<DecompositionCertificate>(&document.to_string()).unwrap(), wall);
}

#[test]
fn compositions_and_bindings() {
    let composition = CompositionCertificate {
        decomposition_digest: wall().digest().unwrap(),
        component_values: vec![CompositionComponentValue {
            component_root: 8,
            value_digest: "é\"".to_owned(),
        }],
        result_value_digest: "zero".to_owned(),
    };
    assert_eq!(
        to_value(&composition).unwrap(),
        json!({
            "schema": "bitmesh.composition.v1",
            "digest": composition.digest().unwrap().to_hex(),
            "decomposition_digest": DIGEST,
            "component_values": [{"component_root": 8, "value_digest": "é\""}],
            "result_value_digest": "zero",
        }),
    );
    comes_back(&composition);
    refuses(&composition, |document| document["result_value_digest"] = json!("one"), "digest ");
    refuses(&composition, |document| document["component_values"][0]["x"] = json!(1), "unknown field `x`");

    let reading = read_position(WALL).unwrap();
    let binding = PositionBinding::of_input(wall().digest().unwrap(), &reading.input);
    assert_eq!(
        to_value(&binding).unwrap(),
        json!({
            "schema": "bitmesh.position_binding.v1",
            "digest": binding.digest().to_hex(),
            "decomposition_digest": DIGEST,
            "position": WALL,
            "context": "bitmesh:fen:v1",
        }),
    );
    comes_back(&binding);
    refuses(&binding, |document| document["context"] = json!("bitmesh:board:v1"), "digest ");
    refuses(
        &binding,
        |document| document["position"] = json!("x".repeat(65_536)),
        "position text has 65536 bytes",
    );
}

#[test]
fn proofs() {
    let reading = read_position(WALL).unwrap();
    let board: ConservativeLegalIndependenceProof =
        verify_conservative_legal_independence(reading.input.board(), &wall()).unwrap();
    let document = to_value(&board).unwrap();
    assert_eq!(document["schema"], "bitmesh.conservative_legal_independence.v0");
    assert_eq!(document["proof_kind"], "bitmesh:conservative_legal_independence:v0");
    assert_eq!(document["decomposition_digest"], DIGEST);
    comes_back(&board);
    refuses(
        &board,
        |document| document["proof_kind"] = json!("bitmesh:position_independence:v1"),
        "`bitmesh:position",
    );

    let position: PositionIndependenceProof = certify_position(reading.input.position().unwrap()).unwrap();
    let document = to_value(&position).unwrap();
    assert_eq!(document["schema"], "bitmesh.position_independence.v1");
    assert_eq!(document["proof_kind"], "bitmesh:position_independence:v1");
    assert_eq!(document["position"], WALL);
    assert_eq!(document["position_digest"], position.position_digest.to_hex());
    comes_back(&position);
    refuses(&position, |document| document["position"] = json!(WALL.replace(" w ", " b ")), "digest ");
    refuses(&position, |document| document["decomposition_digest"] = json!("1".repeat(64)), "digest ");
    refuses(
        &position,
        |document| drop(document.as_object_mut().unwrap().remove("position_digest")),
        "missing field",
    );
}

#[test]
fn permanent_certificates() {
    for fen in [
        WALL,
        "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1",
        "r3k2r/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
        "8/7p/6pP/6P1/6P1/2k3PK/6PP/8 w - - 0 1",
    ] {
        let reading = read_position(fen).unwrap();
        comes_back(&persistent::prove(reading.input.position().unwrap().chess()));
    }
    let certificate = persistent::prove(read_position(WALL).unwrap().input.position().unwrap().chess());
    let refuse = |change: fn(&mut Value), message| refuses(&certificate, change, message);
    refuse(
        |document| document["schema"] = json!("bitmesh.persistent.v2"),
        "`bitmesh.persistent.v2` instead of",
    );
    refuse(|document| document["proof_kind"] = json!("x"), "`x` instead of");
    refuse(
        |document| document["position"] = json!(WALL.replace("0 1", "0 2")),
        "position: the canonical text is",
    );
    refuse(|document| document["position"] = json!(WALL.replace(" w ", " b ")), "digest ");
    refuse(|document| document["digest"] = json!("0".repeat(64)), "digest 0000");
    refuse(|document| document["claims"]["dead"] = json!(false), "the claims do not follow");
    refuse(|document| document["claims"]["components"] = json!(7), "the claims do not follow");
    refuse(
        |document| document["claims"]["unwinnable"] = json!(["white", "white"]),
        "a colour is listed twice",
    );
    refuse(|document| document["claims"]["coupling"]["colours"] = json!(["white"]), "an exact sum");
    refuse(|document| document["proof"]["kind"] = json!("word of honour"), "unknown variant");
    refuse(|document| document["proof"]["movers"][0]["piece"] = json!("k"), "no piece k on a1");
    refuse(|document| document["proof"]["movers"][0]["component"] = json!(3), "not a persistent certificate");
    refuse(
        |document| document["proof"]["movers"][0]["reach"]["queen"] = json!(["a1"]),
        "the document holds what",
    );
    refuse(|document| document["proof"]["frozen"] = json!(["e1"]), "not a persistent certificate");
    refuse(|document| document["proof"]["surplus"] = json!(1), "unknown field `surplus`");
}

/// One failure of each kind.
fn failures() -> Vec<Screen> {
    use Square::{A1, B2};

    let status = DecompositionStatus::Rejected;
    let invalid = [
        Invalid::StrictStatusMismatch { strict: true, status },
        Invalid::ActiveComponentCountMismatch { declared: 1, actual: 2 },
        Invalid::StrictWithTooFewActiveComponents { active_component_count: 1 },
        Invalid::StrictWithoutBarrier,
        Invalid::StrictWithRejectionReason {
            rejection_reason: DecompositionRejectionReason::NoLockedBarrier,
        },
        Invalid::NoLockedBarrierRejectionWithBarrier,
        Invalid::NoLockedBarrierRejectionWithMultipleActiveComponents { active_component_count: 3 },
        Invalid::LessThanTwoActiveComponentsRejectionWithoutBarrier,
        Invalid::LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents {
            active_component_count: 3,
        },
        Invalid::RejectedWithoutRejectionReason,
        Invalid::EmptyComponentMask { component_index: 1 },
        Invalid::ComponentWithoutActiveSquares { component_index: 1 },
        Invalid::ComponentIntersectsBarrier { component_index: 1 },
        Invalid::ActiveMaskOutsideComponent { component_index: 1 },
        Invalid::ComponentRootOutsideMask { component_index: 1, root: 255 },
        Invalid::DuplicateComponentRoot { first_component_index: 0, second_component_index: 1, root: 3 },
        Invalid::ComponentMasksOverlap { first_component_index: 0, second_component_index: 1 },
        Invalid::CrossComponentAdjacency {
            first_component_index: 0,
            second_component_index: 1,
            first_square: A1,
            second_square: B2,
        },
        Invalid::StrictComponentMaskNotClosed { component_index: 0, square: A1, omitted_square: B2 },
        Invalid::PositionContextTooLong { actual: 65_536, maximum: 65_535 },
        Invalid::PositionContextNamespaceTooLong { actual: 65_536, maximum: 65_535 },
    ];
    let mut failures: Vec<_> =
        invalid.into_iter().map(|error| Screen::InvalidDecompositionCertificate { error }).collect();
    failures.extend([
        Screen::RequiresStrictDecomposition { status },
        Screen::BarrierSquareIsEmpty { square: A1 },
        Screen::BarrierSquareIsNotPawn { square: A1, role: Role::Knight },
        Screen::BarrierPawnNotFrozen { square: A1, forward_square: Some(B2) },
        Screen::BarrierPawnNotFrozen { square: A1, forward_square: None },
        Screen::BarrierPawnCanCapture { square: A1, target: B2 },
        Screen::ActiveMaskDoesNotMatchBoard {
            certificate_active: Bitboard::FULL,
            board_active: Bitboard::EMPTY,
        },
        Screen::ActivePieceOutsideCertifiedComponent { square: A1 },
        Screen::BarrierPieceCanBeCaptured { attacker_square: A1, barrier_square: B2 },
        Screen::PieceCanEnterUncertifiedFreeSquare { from: A1, to: B2, from_component: 0 },
        Screen::PieceCanEnterOtherComponent { from: A1, to: B2, from_component: 0, to_component: 1 },
    ]);
    failures
}

#[test]
fn violations() {
    for failure in failures() {
        let document = to_value(&failure).unwrap();
        assert_eq!(document["code"], failure.code());
        assert_eq!(document["message"], failure.to_string());
        if let Screen::InvalidDecompositionCertificate { error } = failure {
            assert_eq!(document["error"]["code"], error.code());
            comes_back(&error);
        }
        comes_back(&failure);
        comes_back(&PositionIndependenceError::Board(failure));
    }
    for failure in [
        PositionIndependenceError::BarrierPawnCanCaptureEnPassant {
            square: Square::B4,
            target: Square::A3,
            captured_square: Square::A4,
        },
        PositionIndependenceError::BarrierPawnCanBeCapturedEnPassant {
            attacker_square: Square::B4,
            barrier_square: Square::A4,
            target: Square::A3,
        },
    ] {
        let document = to_value(&failure).unwrap();
        assert_eq!(document["code"], failure.code());
        assert_eq!(document["message"], failure.to_string());
        comes_back(&failure);
    }
    assert_eq!(
        to_value(Screen::BarrierPawnCanCapture { square: Square::B4, target: Square::C3 }).unwrap(),
        json!({
            "code": "independence/barrier-pawn-can-capture",
            "square": "b4",
            "target": "c3",
            "message": "barrier pawn on b4 can capture on c3",
        }),
    );
    let unknown = json!({"code": "independence/something-else", "square": "a1"});
    assert!(from_str::<Screen>(&unknown.to_string()).is_err());
    assert!(from_str::<PositionIndependenceError>(&unknown.to_string()).is_err());
}

#[test]
fn every_golden_row_comes_back() {
    let mut count = 0;
    for line in include_str!("../golden/boards.jsonl").lines() {
        let row: Value = from_str(line).unwrap();
        let board = row["board"].as_str().unwrap().parse().unwrap();
        let certificate = certify_decomposition(&board);
        assert_eq!(to_value(&certificate).unwrap()["digest"], row["digest"]);
        comes_back(&certificate);
        comes_back(&diagnose_independence(&board, &certificate));
        count += 1;
    }
    assert!(count > 500, "only {count} rows");
}
