//! Every row and every field of the published vectors.

use std::fmt::Debug;

use bitmesh::shakmaty::{Bitboard, Board};
use bitmesh::{
    CompositionCertificate, CompositionComponentValue, ConservativeLegalIndependenceError,
    DecompositionCertificate, DecompositionComponent, DecompositionRejectionReason, DecompositionStatus,
    certify_decomposition, find_subsystems, get_locked_pawns,
    position_bound_decomposition_certificate_digest, verify_conservative_legal_independence,
};
use serde_json::Value;

struct Row {
    place: String,
    value: Value,
}

impl Row {
    fn field(&self, name: &str) -> &Value {
        self.value.get(name).unwrap_or_else(|| panic!("{}: no field {name}", self.place))
    }

    fn text(&self, name: &str) -> &str {
        self.field(name).as_str().unwrap_or_else(|| panic!("{}: {name} is no text", self.place))
    }

    fn board(&self) -> Board {
        self.text("board").parse().unwrap()
    }

    fn expect(&self, name: &str, found: impl Into<Value>) {
        assert_eq!(*self.field(name), found.into(), "{}: {name}", self.place);
    }
}

fn rows(name: &'static str, text: &'static str, count: usize) -> Vec<Row> {
    let rows: Vec<Row> = text
        .lines()
        .enumerate()
        .map(|(index, line)| Row {
            place: format!("{name}:{}", index + 1),
            value: serde_json::from_str(line).unwrap(),
        })
        .collect();
    assert_eq!(rows.len(), count, "{name} lost rows");
    rows
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn mask_text(mask: Bitboard) -> String {
    format!("0x{:016x}", mask.0)
}

fn mask(value: &Value) -> Bitboard {
    Bitboard(u64::from_str_radix(value.as_str().unwrap().strip_prefix("0x").unwrap(), 16).unwrap())
}

fn outcome<T, E: Debug>(result: Result<T, E>) -> String {
    result.map_or_else(|error| format!("{error:?}"), |_| "Ok".to_owned())
}

/// The vectors write the two bitboards of this error in hexadecimal.
fn screen_outcome(board: &Board, certificate: &DecompositionCertificate) -> String {
    match verify_conservative_legal_independence(board, certificate) {
        Ok(proof) => {
            assert_eq!(proof.proof_kind, "bitmesh:conservative_legal_independence:v0");
            assert_eq!(proof.barrier, certificate.barrier);
            assert_eq!(proof.decomposition_digest, certificate.digest().unwrap());
            format!("Accepted {}", proof.component_count)
        }
        Err(ConservativeLegalIndependenceError::ActiveMaskDoesNotMatchBoard {
            certificate_active,
            board_active,
        }) => format!(
            "ActiveMaskDoesNotMatchBoard {{ certificate_active: {}, board_active: {} }}",
            mask_text(certificate_active),
            mask_text(board_active)
        ),
        Err(error) => format!("{error:?}"),
    }
}

#[test]
fn boards() {
    for row in rows("boards.jsonl", include_str!("../golden/boards.jsonl"), 1747) {
        let board = row.board();
        let certificate = certify_decomposition(&board);
        row.expect("locked", mask_text(get_locked_pawns(&board)));
        assert_eq!(certificate.barrier, get_locked_pawns(&board), "{}", row.place);
        row.expect("status", format!("{:?}", certificate.status));
        assert_eq!(certificate.strict, certificate.status == DecompositionStatus::Strict);
        row.expect("rejection_reason", format!("{:?}", certificate.rejection_reason));
        row.expect("active_component_count", certificate.active_component_count);
        let components: Vec<Value> = certificate.components.iter().map(component_value).collect();
        row.expect("components", components);
        row.expect("payload", hex(&certificate.canonical_payload().unwrap()));
        row.expect("digest", certificate.digest().unwrap().to_hex());
        let (several, count) = find_subsystems(&board);
        row.expect("find_subsystems", vec![Value::from(several), Value::from(count)]);
        row.expect("screen", screen_outcome(&board, &certificate));
    }
}

fn component_value(component: &DecompositionComponent) -> Value {
    serde_json::json!({
        "root": component.root,
        "mask": mask_text(component.mask),
        "active_mask": mask_text(component.active_mask),
    })
}

fn certificate_of(value: &Value) -> DecompositionCertificate {
    let component = |value: &Value| DecompositionComponent {
        root: value["root"].as_u64().unwrap().try_into().unwrap(),
        mask: mask(&value["mask"]),
        active_mask: mask(&value["active_mask"]),
    };
    DecompositionCertificate {
        barrier: mask(&value["barrier"]),
        components: value["components"].as_array().unwrap().iter().map(component).collect(),
        active_component_count: value["active_component_count"].as_u64().unwrap().try_into().unwrap(),
        strict: value["strict"].as_bool().unwrap(),
        status: match value["status"].as_str().unwrap() {
            "Strict" => DecompositionStatus::Strict,
            "Rejected" => DecompositionStatus::Rejected,
            other => panic!("status {other}"),
        },
        rejection_reason: match value["rejection_reason"].as_str().unwrap() {
            "None" => None,
            "Some(NoLockedBarrier)" => Some(DecompositionRejectionReason::NoLockedBarrier),
            "Some(LessThanTwoActiveComponents)" => {
                Some(DecompositionRejectionReason::LessThanTwoActiveComponents)
            }
            other => panic!("reason {other}"),
        },
    }
}

#[test]
fn certificates() {
    for row in rows("certificates.jsonl", include_str!("../golden/certificates.jsonl"), 1264) {
        let certificate = certificate_of(row.field("certificate"));
        row.expect("validate", outcome(certificate.validate()));
        row.expect("digest", certificate.digest().ok().map_or(Value::Null, |digest| digest.to_hex().into()));
        assert_eq!(certificate.canonical_payload().map(drop), certificate.validate(), "{}", row.place);
        let board = row.board();
        row.expect("screen", screen_outcome(&board, &certificate));
    }
}

#[test]
fn compositions() {
    for row in rows("compositions.jsonl", include_str!("../golden/compositions.jsonl"), 250) {
        let decomposition = certify_decomposition(&row.board());
        let value = |value: &Value| CompositionComponentValue {
            component_root: value["component_root"].as_u64().unwrap().try_into().unwrap(),
            value_digest: value["value_digest"].as_str().unwrap().to_owned(),
        };
        let composition = CompositionCertificate {
            decomposition_digest: row.text("decomposition_digest").parse().unwrap(),
            component_values: row.field("component_values").as_array().unwrap().iter().map(value).collect(),
            result_value_digest: row.text("result_value_digest").to_owned(),
        };
        row.expect("validate", outcome(composition.validate()));
        row.expect(
            "validate_against_decomposition",
            outcome(composition.validate_against_decomposition(&decomposition)),
        );
        let payload = composition.canonical_payload();
        row.expect("payload", payload.map_or(Value::Null, |payload| hex(&payload).into()));
        row.expect("digest", composition.digest().map_or(Value::Null, |digest| digest.to_hex().into()));
        let bound = position_bound_decomposition_certificate_digest(
            &decomposition,
            row.text("position_text"),
            row.text("position_namespace"),
        );
        row.expect("position_bound_digest", bound.unwrap().to_hex());
    }
}
