//! From texts to documents: the library's answers, and nothing else.

use bitmesh::persistent::{Bound, Conclusions, Coupling, check, prove_within};
use bitmesh::{
    BOARD_CONTEXT, DecompositionRejectionReason, Input, PositionBinding, PositionIndependenceError, Reading,
    certify_decomposition, diagnose_independence, diagnose_position_independence,
};
use serde_json::{Value, json};

use crate::problem::Problem;

pub(crate) fn read(text: &str) -> Result<Reading, Problem> {
    Ok(bitmesh::read_position(text)?)
}

/// Everything that stands against one-ply independence.
pub(crate) fn violations(input: &Input) -> Vec<PositionIndependenceError> {
    let certificate = certify_decomposition(input.board());
    match input {
        Input::Position(position) => diagnose_position_independence(position, &certificate),
        Input::Board(board) => {
            let violations = diagnose_independence(board.board(), &certificate);
            violations.into_iter().map(PositionIndependenceError::Board).collect()
        }
    }
}

pub(crate) fn written(document: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    bitmesh_corpus::write_json(&mut bytes, document).expect("writing to memory does not fail");
    bytes.push(b'\n');
    bytes
}

/// What a question is answered with.
pub(crate) struct Answer {
    /// The JSON document of the command.
    pub(crate) document: Value,
    /// The bytes of the certificate and the ending of its file, if there is one.
    pub(crate) evidence: Option<(Vec<u8>, &'static str)>,
}

pub(crate) fn certify(fen: &str) -> Result<Answer, Problem> {
    let reading = read(fen)?;
    let input = &reading.input;
    let certificate = certify_decomposition(input.board());
    let digest = certificate.digest().expect("what certify_decomposition makes is valid");
    let binding = PositionBinding::of_input(digest, input);
    let violations = violations(input);
    let describe = |code: &str, message: String| json!({ "code": code, "message": message });
    let reasons: Vec<Value> = match input {
        Input::Position(_) => Vec::new(),
        Input::Board(board) => {
            board.reasons().iter().map(|reason| describe(reason.code(), reason.to_string())).collect()
        }
    };
    let regions = certificate.components.len();
    let summary = match certificate.rejection_reason {
        Some(DecompositionRejectionReason::NoLockedBarrier) => "no pawn is locked".to_owned(),
        Some(DecompositionRejectionReason::LessThanTwoActiveComponents) => match regions {
            0 => "the barrier leaves no piece outside it".to_owned(),
            _ => "all pieces outside the barrier are in one region".to_owned(),
        },
        None => match violations.first() {
            None => format!("{regions} regions; no next move of either side crosses or breaks the barrier"),
            Some(first) => format!("{regions} regions, but not independent: {first}"),
        },
    };
    let payload = certificate.canonical_payload().expect("what certify_decomposition makes is valid");
    let document = json!({
        "schema": "bitmesh.certify.v1",
        "verdict": match (certificate.strict, violations.is_empty()) {
            (false, _) => "rejected",
            (true, false) => "refused",
            (true, true) => "accepted",
        },
        "summary": summary,
        "input": if input.context() == BOARD_CONTEXT { "board" } else { "position" },
        "fen": binding.position(),
        "context": binding.context(),
        "claim": match input {
            Input::Position(_) => "bitmesh:position_independence:v1",
            Input::Board(_) => "bitmesh:conservative_legal_independence:v0",
        },
        "position_digest": binding.digest().to_hex(),
        "structural_digest": binding.decomposition_digest().to_hex(),
        "certificate": certificate,
        "one_ply": violations.first().map_or("accepted", |first| first.code()),
        "violations": violations.iter().map(|error| describe(error.code(), error.to_string())).collect::<Vec<_>>(),
        "not_a_position": reasons,
        "notes": reading.notes.iter().map(|note| describe(note.code(), note.to_string())).collect::<Vec<_>>(),
    });
    Ok(Answer { document, evidence: Some((payload, "bmdcert")) })
}

pub(crate) fn prove(fen: &str, positions: u32) -> Result<Answer, Problem> {
    let reading = read(fen)?;
    let Input::Position(position) = &reading.input else { return Err(not_a_position(&reading.input)) };
    let certificate = prove_within(position.chess(), Bound::nodes(positions));
    let conclusions = check(&certificate).map_err(|error| {
        Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.code(), error.to_string())
    })?;
    let verdicts = words(&conclusions);
    let is_proved = verdicts != ["not-proved"];
    let document = json!({
        "schema": "bitmesh.prove.v1",
        "verdicts": verdicts,
        "certificate": certificate,
    });
    Ok(Answer { document, evidence: is_proved.then(|| (certificate.canonical_payload(), "bmpersist")) })
}

fn words(conclusions: &Conclusions) -> Vec<&'static str> {
    let mut words = Vec::new();
    if conclusions.dead() {
        words.push("dead");
    } else if conclusions.unwinnable.white {
        words.push("unwinnable white");
    } else if conclusions.unwinnable.black {
        words.push("unwinnable black");
    }
    if conclusions.decomposed() {
        words.push(if conclusions.coupling == Coupling::ExactSum { "sum" } else { "coupled" });
    }
    if words.is_empty() {
        words.push("not-proved");
    }
    words
}

pub(crate) fn not_a_position(input: &Input) -> Problem {
    let reasons: Vec<String> = match input {
        Input::Position(_) => Vec::new(),
        Input::Board(board) => board.reasons().iter().map(ToString::to_string).collect(),
    };
    Problem::input(
        "server/not-a-position",
        format!("a claim for all time needs a legal position: {}", reasons.join("; ")),
    )
}
