//! What is asked of each kind of file.

use bitmesh::persistent::{self, PersistentCertificate};
use bitmesh::{
    CanonicalTextError, CompositionCertificate, ConservativeLegalIndependenceProof, DecompositionCertificate,
    DecompositionStatus, Input, Position, PositionBinding, PositionIndependenceProof, certify_decomposition,
    compare_decomposition, diagnose_independence, diagnose_position_independence,
    verify_conservative_legal_independence, verify_position_independence,
};
use serde_json::{Map, Value};

use super::report::{Refusal, Report};
use super::subject::{Certification, Subject};
use crate::commands::certify::Assessment;
use crate::console::Failure;
use crate::verdict::verdicts;

/// What the user gave to compare with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Against<'a> {
    pub(super) input: Option<&'a Input>,
    pub(super) certificate: Option<&'a DecompositionCertificate>,
}

impl Against<'_> {
    /// The structural certificate that a record about `input` should name: the one given, or our own.
    fn structure(self, input: &Input) -> DecompositionCertificate {
        self.certificate.cloned().unwrap_or_else(|| certify_decomposition(input.board()))
    }
}

const AFTER_THE_NEXT_MOVE: &str = "anything after the next move";

pub(super) fn examine(subject: &Subject, against: Against<'_>) -> Result<Report, Failure> {
    let mut report = Report::new(subject.format());
    match subject {
        Subject::Decomposition(certificate) => examine_decomposition(certificate, against, &mut report),
        Subject::Composition(composition) => examine_composition(composition, against, &mut report),
        Subject::Binding(binding) => examine_binding(binding, against, &mut report),
        Subject::BoardProof(proof) => examine_board_proof(proof, against, &mut report)?,
        Subject::PositionProof(proof) => examine_position_proof(proof, against, &mut report),
        Subject::Certification(document) => examine_certification(document, against, &mut report),
        Subject::Persistent(certificate) => examine_persistent(certificate, against, &mut report),
    }
    Ok(report)
}

/// Whether the certificate is consistent; its digest if it is.
fn check_validity(certificate: &DecompositionCertificate, report: &mut Report) -> bool {
    match certificate.digest() {
        Ok(digest) => {
            report.fact("structural digest", digest);
            report.fact(
                "structure",
                match certificate.status {
                    DecompositionStatus::Strict => format!(
                        "{} regions, {} locked pawns",
                        certificate.components.len(),
                        certificate.barrier.count()
                    ),
                    DecompositionStatus::Rejected => "does not fall apart".to_owned(),
                },
            );
            report.checked("the certificate is consistent in itself");
            true
        }
        Err(error) => {
            report.refuse(Refusal::new(error.code(), &error));
            false
        }
    }
}

/// Lists what differs from the board, or from the certificate's own barrier; on a board, a difference is refused.
fn compare(certificate: &DecompositionCertificate, input: Option<&Input>, report: &mut Report) {
    let findings = compare_decomposition(certificate, input.map(Input::board));
    for finding in &findings {
        report.finding(finding.code(), finding);
    }
    if input.is_none() {
        report.checked("its regions and roots, against its own barrier");
        return;
    }
    report.checked("its barrier, pieces, regions and roots, against the board");
    if let Some(finding) = findings.iter().find(|finding| finding.is_contradiction()) {
        report.refuse(Refusal::because(finding.code(), finding.to_string()));
    }
}

fn examine_decomposition(certificate: &DecompositionCertificate, against: Against<'_>, report: &mut Report) {
    if !check_validity(certificate, report) {
        return;
    }
    compare(certificate, against.input, report);
    let Some(input) = against.input else {
        report.not_checked("whether a board has this structure (give --fen)");
        return;
    };
    let (claim, screen) = first_violation(input, certificate);
    report.fact("one-ply screen", screen.unwrap_or("accepted"));
    report.fact(claim_name(screen), claim);
    report.not_checked(AFTER_THE_NEXT_MOVE);
}

/// The claim that fits the input, and the code of the first thing that stands against it.
fn first_violation(
    input: &Input,
    certificate: &DecompositionCertificate,
) -> (&'static str, Option<&'static str>) {
    match input {
        Input::Position(position) => (
            "bitmesh:position_independence:v1",
            diagnose_position_independence(position, certificate).first().map(|error| error.code()),
        ),
        Input::Board(board) => (
            "bitmesh:conservative_legal_independence:v0",
            diagnose_independence(board.board(), certificate).first().map(|error| error.code()),
        ),
    }
}

/// A claim is made only where nothing stands against it.
const fn claim_name(violation: Option<&str>) -> &'static str {
    match violation {
        None => "claim",
        Some(_) => "not claimed",
    }
}

fn examine_composition(composition: &CompositionCertificate, against: Against<'_>, report: &mut Report) {
    match composition.digest() {
        Ok(digest) => report.fact("digest", digest),
        Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
    }
    report.fact("structural digest", composition.decomposition_digest);
    report.fact("values", composition.component_values.len());
    report.checked("the composition is consistent in itself");
    report.not_checked("whether the values are right, and whether they add up to the result");
    let structure = match (against.certificate, against.input) {
        (Some(certificate), _) => certificate.clone(),
        (None, Some(input)) => certify_decomposition(input.board()),
        (None, None) => {
            report.not_checked("whether every component has a value (give --certificate or --fen)");
            return;
        }
    };
    match composition.validate_against_decomposition(&structure) {
        Ok(()) => report.checked("it values exactly the components of the structure"),
        Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
    }
    match (against.certificate, against.input) {
        (Some(_), Some(_)) => compare(&structure, against.input, report),
        (None, _) => report.checked("the structure is the one that this program makes of the board"),
        (Some(_), None) => report.not_checked("whether a board has this structure (give --fen)"),
    }
}

/// Reads the text of a binding, and compares it with the input that was given.
fn check_text(binding: &PositionBinding, against: Against<'_>, report: &mut Report) -> Option<Input> {
    report.fact("position", binding.position());
    report.fact("context", binding.context());
    let input = match binding.read() {
        Ok(input) => {
            report.checked("the position text is the canonical one of its context");
            input
        }
        Err(CanonicalTextError::UnknownContext) => {
            report.not_checked("the position text, whose context is not known to this program");
            if against.input.is_some() {
                report.refuse(Refusal::because(
                    "verify/other-context",
                    "the context is not known to this program, so that --fen cannot be compared with the text",
                ));
            }
            return None;
        }
        Err(error) => {
            report.refuse(Refusal::new(error.code(), &error));
            return None;
        }
    };
    if let Some(expected) = against.input {
        if *expected == input {
            report.checked("the position is the one that was given");
        } else {
            let message = format!("the position given is {}", expected.canonical_text());
            report.refuse(Refusal::because("verify/other-position", message));
        }
    }
    Some(input)
}

fn examine_binding(binding: &PositionBinding, against: Against<'_>, report: &mut Report) {
    report.fact("position digest", binding.digest());
    report.fact("structural digest", binding.decomposition_digest());
    if let Some(input) = check_text(binding, against, report) {
        check_structure(binding, &input, against, report);
        report.not_checked("whether a next move crosses or breaks the barrier (`bitmesh certify` does)");
    }
}

/// Whether the binding names the structure of the board in its text.
fn check_structure(
    binding: &PositionBinding,
    input: &Input,
    against: Against<'_>,
    report: &mut Report,
) -> Option<DecompositionCertificate> {
    let structure = against.structure(input);
    if structure.digest() != Ok(binding.decomposition_digest()) {
        let message = match against.certificate {
            Some(_) => "it names another structural certificate than the one given",
            None => {
                "it does not name the structural certificate that this program makes of the board \
                 (give the certificate of another producer with --certificate)"
            }
        };
        report.refuse(Refusal::because("verify/other-structure", message));
        return None;
    }
    match against.certificate {
        Some(_) => compare(&structure, Some(input), report),
        None => report.checked("the structure is the one that this program makes of the board"),
    }
    Some(structure)
}

fn examine_board_proof(
    proof: &ConservativeLegalIndependenceProof,
    against: Against<'_>,
    report: &mut Report,
) -> Result<(), Failure> {
    let Some(input) = against.input else {
        return Err(Failure::Input("the record does not name its board: give it with --fen".to_owned()));
    };
    report.fact("claim", proof.proof_kind);
    report.fact("structural digest", proof.decomposition_digest);
    report.not_checked("en passant and castling: the claim is about the board alone");
    report.not_checked(AFTER_THE_NEXT_MOVE);
    match verify_conservative_legal_independence(input.board(), &against.structure(input)) {
        Ok(expected) if expected == *proof => {
            report.checked("the screen accepts the board, with this very record");
        }
        Ok(_) => report.refuse(Refusal::because(
            "verify/other-record",
            "the screen accepts the board, but its record is another one",
        )),
        Err(error) => report.refuse(Refusal::new(error.code(), &error)),
    }
    Ok(())
}

fn examine_position_proof(proof: &PositionIndependenceProof, against: Against<'_>, report: &mut Report) {
    report.fact("claim", proof.proof_kind);
    report.fact("position digest", proof.position_digest);
    report.fact("structural digest", proof.decomposition_digest);
    let binding = match proof.binding() {
        Ok(binding) => binding,
        Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
    };
    report.not_checked(AFTER_THE_NEXT_MOVE);
    let Some(Input::Position(position)) = check_text(&binding, against, report) else { return };
    let input = Input::Position(position.clone());
    let Some(structure) = check_structure(&binding, &input, against, report) else { return };
    match verify_position_independence(&position, &structure) {
        Ok(expected) if expected == *proof => {
            report.checked("the screen accepts the position, with this very record");
        }
        Ok(_) => report.refuse(Refusal::because(
            "verify/other-record",
            "the screen accepts the position, but its record is another one",
        )),
        Err(error) => report.refuse(Refusal::new(error.code(), &error)),
    }
}

fn examine_certification(said: &Certification, against: Against<'_>, report: &mut Report) {
    if !check_validity(&said.certificate, report) {
        return;
    }
    let Ok(digest) = said.certificate.digest() else { return };
    let binding = match PositionBinding::new(digest, said.fen.clone(), said.context.clone()) {
        Ok(binding) => binding,
        Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
    };
    report.fact("position digest", binding.digest());
    let Some(input) = check_text(&binding, against, report) else {
        // Without the position, nothing in the document but its certificate can be made again.
        return report.refuse(Refusal::because(
            "verify/other-context",
            "the document of `bitmesh certify` has a context that is not known to this program",
        ));
    };
    compare(&said.certificate, Some(&input), report);
    let assessment = Assessment::of(&input, &[], said.certificate.clone(), binding);
    report.fact(claim_name(assessment.violation()), assessment.claim());
    report.fact("verdict", assessment.verdict());
    match compare_documents(&said.document, &assessment.document(None)) {
        Ok(()) => report.checked("every field is what `bitmesh certify` says about the position"),
        Err(refusal) => report.refuse(refusal),
    }
    report.not_checked("the notes and the line number, which tell how the position was once written");
    report.not_checked(AFTER_THE_NEXT_MOVE);
}

/// Compares a document of `bitmesh certify` with the one that it should be, field by field.
///
/// Notes and line tell of the text that was read, which is not in the document: they must be well-formed.
fn compare_documents(said: &Map<String, Value>, expected: &Value) -> Result<(), Refusal> {
    let is_text = |value: Option<&Value>| value.is_some_and(Value::is_string);
    let is_note = |note: &Value| {
        let fields = note.as_object().map_or(0, Map::len);
        fields == 2 && is_text(note.get("code")) && is_text(note.get("message"))
    };
    for (name, value) in said {
        let is_right = match name.as_str() {
            "notes" => value.as_array().is_some_and(|notes| notes.iter().all(is_note)),
            "line" => value.as_u64().is_some_and(|line| line > 0),
            // Read and validated already; its own digest may be left out.
            "certificate" => true,
            _ => expected.get(name).is_some_and(|expected| expected == value),
        };
        if is_right {
            continue;
        }
        let code = match name.as_str() {
            "verdict" | "claim" | "one_ply" => "verify/other-verdict",
            "position_digest" => "verify/other-position-digest",
            _ => "verify/other-field",
        };
        let message = match (name.as_str(), expected.get(name)) {
            ("notes" | "line", _) => format!("the field `{name}` is malformed"),
            (_, Some(expected)) => format!("the field `{name}` should be {expected}"),
            (_, None) => format!("the field `{name}` is unknown"),
        };
        return Err(Refusal::because(code, message));
    }
    let missing = expected.as_object().into_iter().flat_map(Map::keys).find(|name| !said.contains_key(*name));
    match missing {
        None => Ok(()),
        Some(name) => Err(Refusal::because("verify/other-field", format!("the field `{name}` is missing"))),
    }
}

fn examine_persistent(certificate: &PersistentCertificate, against: Against<'_>, report: &mut Report) {
    let position = Position::new(certificate.position().clone());
    report.fact("claim", persistent::PROOF_KIND);
    report.fact("digest", certificate.digest());
    report.fact("position", position.canonical_text());
    if let Some(expected) = against.input {
        if *expected == Input::Position(position) {
            report.checked("the position is the one that was given");
        } else {
            let message = format!("the position given is {}", expected.canonical_text());
            report.refuse(Refusal::because("verify/other-position", message));
        }
    }
    match persistent::check(certificate) {
        Ok(conclusions) => {
            report.checked("every rule of the witness, and every conclusion that it claims");
            for verdict in verdicts(&conclusions) {
                report.fact(verdict.word, verdict.meaning);
            }
            report.not_checked("best play: what is not claimed is open");
        }
        Err(error) => report.refuse(Refusal::new(error.code(), &error)),
    }
}
