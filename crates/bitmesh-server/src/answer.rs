//! From texts to documents and certificates: the library's answers, and nothing else.

use std::cell::RefCell;

use axum::http::StatusCode;
use bitmesh::decision::{Decider, Decision, Decisions, Effort, Verdict};
use bitmesh::persistent::Bound;
use bitmesh::shakmaty::Color;
use bitmesh::{
    Against, Assessment, Evidence, ExaminationOutcome, PermanentError, Position, examine_evidence,
};
use serde::Serialize;

use crate::problem::Problem;

/// What a question is answered with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Form {
    /// The JSON document of the command.
    Document,
    /// The bytes of the certificate.
    Evidence,
}

/// An answer in its form.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A JSON document on one line.
    Document(Vec<u8>),
    /// The bytes of a certificate, and the ending of its file.
    Evidence(Vec<u8>, &'static str),
}

impl Answer {
    pub(crate) fn document(document: &impl Serialize) -> Self {
        let mut bytes = Vec::new();
        bitmesh_corpus::write_json(&mut bytes, document).expect("writing to memory does not fail");
        bytes.push(b'\n');
        Self::Document(bytes)
    }
}

pub(crate) fn assess(text: &str) -> Result<Assessment, Problem> {
    Ok(Assessment::read(text)?)
}

pub(crate) fn certify(fen: &str, form: Form) -> Result<Answer, Problem> {
    let assessment = assess(fen)?;
    match form {
        Form::Document => Ok(Answer::document(&assessment.document(None))),
        Form::Evidence => {
            let payload = assessment.structure().canonical_payload();
            Ok(Answer::Evidence(payload.expect("what the library makes is valid"), "bmdcert"))
        }
    }
}

pub(crate) fn prove(fen: &str, positions: u32, form: Form) -> Result<Answer, Problem> {
    let assessment = assess(fen)?.within(Bound::nodes(positions));
    let checked = assessment.permanent()?;
    match form {
        Form::Document => Ok(Answer::document(&checked.document())),
        Form::Evidence if !checked.conclusions().prove_something() => Err(Problem::no_evidence()),
        Form::Evidence => Ok(Answer::Evidence(checked.certificate().canonical_payload(), "bmpersist")),
    }
}

/// A claim about all play needs a legal position; anything else is a fault of the library.
impl From<PermanentError> for Problem {
    fn from(error: PermanentError) -> Self {
        let status = match error {
            PermanentError::NotAPosition { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.code(), error.to_string())
    }
}

/// Examines a certificate, unchanged from its file, against a position and another producer's structural certificate.
pub(crate) fn verify(bytes: &[u8], fen: Option<&str>, certificate: Option<&str>) -> Result<Answer, Problem> {
    let input = fen.map(bitmesh::read_position).transpose()?.map(|reading| reading.input);
    let certificate = certificate.map(structure).transpose()?;
    let certificate = certificate.as_ref().and_then(Evidence::structure);
    let against = Against { input: input.as_ref(), certificate };
    let examination = examine_evidence(bytes, against)
        .map_err(|error| Problem::input(error.code(), format!("the body {error}")))?;
    match examination.refusal() {
        Some(missing) if examination.outcome() == ExaminationOutcome::Incomplete => {
            Err(Problem::input(missing.code, format!("{missing}: give it with `fen`")))
        }
        _ => Ok(Answer::document(&examination)),
    }
}

fn structure(hexadecimal: &str) -> Result<Evidence, Problem> {
    let refused =
        |code, reason: &dyn std::fmt::Display| Problem::input(code, format!("`certificate`: {reason}"));
    let evidence = Evidence::read(hexadecimal.as_bytes()).map_err(|error| refused(error.code(), &error))?;
    match evidence.structure().map(|certificate| certificate.validate()) {
        None => Err(Problem::malformed(format!("`certificate` is {}", evidence.kind().describe()))),
        Some(Err(error)) => Err(refused(error.code(), &error)),
        Some(Ok(())) => Ok(evidence),
    }
}

thread_local! {
    /// Finds out whether little effort is enough. Its memory is a megabyte.
    static QUICK: RefCell<Decider> = RefCell::new(Decider::new(Effort::QUICK));
    /// Decides what was decided with little effort, and so never needs more memory than that.
    static DECIDER: RefCell<Decider> = RefCell::new(Decider::new(Effort::default()));
}

/// Decides where little effort is enough; nothing where it takes more.
///
/// What is decided, and by which line or certificate, does not depend on how much more effort was allowed.
pub(crate) fn decide_quickly(
    fen: &str,
    sides: &[Color],
    effort: Effort,
    form: Form,
) -> Result<Option<Answer>, Problem> {
    if effort <= Effort::QUICK {
        return decide(fen, sides, effort, form).map(Some);
    }
    let position = position(fen)?;
    let is_open = |decider: &mut Decider| {
        let mut verdicts = sides.iter().map(|&side| decider.verdict(position.chess(), side));
        verdicts.any(|verdict| matches!(verdict, Verdict::Undecided { .. }))
    };
    if QUICK.with_borrow_mut(is_open) {
        return Ok(None);
    }
    DECIDER.with_borrow_mut(|decider| {
        if decider.effort() != effort {
            *decider = Decider::new(effort);
        }
        decided(&Decisions::of(decider, position, sides), form).map(Some)
    })
}

/// Decides with separate memory, which is freed afterwards.
pub(crate) fn decide(fen: &str, sides: &[Color], effort: Effort, form: Form) -> Result<Answer, Problem> {
    let position = position(fen)?;
    decided(&Decisions::of(&mut Decider::new(effort), position, sides), form)
}

fn decided(decisions: &Decisions, form: Form) -> Result<Answer, Problem> {
    if form == Form::Document {
        return Ok(Answer::document(decisions));
    }
    let mut all = decisions.iter();
    match (all.next(), all.next()) {
        (Some((_, Decision::Winnable(line))), None) => {
            Ok(Answer::Evidence(line.canonical_payload(), "bmmate"))
        }
        (Some((_, Decision::Unwinnable(proof))), None) => {
            Ok(Answer::Evidence(proof.canonical_payload(), "bmpersist"))
        }
        (_, None) => Err(Problem::no_evidence()),
        _ => Err(Problem::malformed("a certificate is for one colour: name it with `for`")),
    }
}

/// A legal position; a board is not enough.
fn position(fen: &str) -> Result<Position, Problem> {
    Ok(assess(fen)?.position()?.clone())
}
