//! What is checked for each kind of evidence.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::format;

use super::examination::{Examination, Need, Refusal};
use super::subject::{Against, Evidence};
use crate::decision::MateLine;
use crate::one_ply::board_screen::{
    ConservativeLegalIndependenceProof, verify_conservative_legal_independence,
};
use crate::one_ply::position_proof::{PositionIndependenceProof, verify_position_independence};
use crate::one_ply::screen::{one_ply_claim, screen_input};
use crate::persistent::{self, PersistentCertificate, Proof};
use crate::position::{CanonicalTextError, Input, Position};
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::{DecompositionCertificate, DecompositionStatus};
use crate::structure::comparison::compare_decomposition;
use crate::structure::composition::CompositionCertificate;
use crate::structure::producers::certify_decomposition;

const AFTER_THE_NEXT_MOVE: &str = "anything after the next move";
const BOARD_HAS_STRUCTURE: &str = "whether a board has this structure";
const OUR_STRUCTURE: &str = "the structure is the one that this program makes of the board";

impl Evidence {
    /// Examines what was read: whether it holds together, and whether it belongs to what is given with it.
    ///
    /// The examination says what was checked and what was not. "Verified" claims no more than the list of what was
    /// checked.
    #[must_use]
    pub fn examine(&self, against: Against<'_>) -> Examination {
        examine(self, against)
    }
}

fn examine(evidence: &Evidence, against: Against<'_>) -> Examination {
    let mut report = Examination::new(evidence.kind());
    match evidence {
        Evidence::Decomposition(certificate) => examine_decomposition(certificate, against, &mut report),
        Evidence::Composition(composition) => examine_composition(composition, against, &mut report),
        Evidence::Binding(binding) => examine_binding(binding, against, &mut report),
        Evidence::BoardProof(proof) => examine_board_proof(proof, against, &mut report),
        Evidence::PositionProof(proof) => examine_position_proof(proof, against, &mut report),
        #[cfg(feature = "serde")]
        Evidence::Certification(said) => certification::examine(said, against, &mut report),
        Evidence::Persistent(certificate) => examine_persistent(certificate, against, &mut report),
        Evidence::Mate(line) => examine_line(line, against, &mut report),
        #[cfg(feature = "serde")]
        Evidence::Decisions(stated) => decisions::examine(stated, against, &mut report),
    }
    report
}

impl<'a> Against<'a> {
    /// The structural certificate that a record about `input` should name: the one given, or our own.
    fn structure(self, input: &Input) -> Cow<'a, DecompositionCertificate> {
        match self.certificate {
            Some(certificate) => Cow::Borrowed(certificate),
            None => Cow::Owned(certify_decomposition(input.board())),
        }
    }
}

/// Whether the certificate is consistent; its digest if it is.
fn check_validity(certificate: &DecompositionCertificate, report: &mut Examination) -> bool {
    match certificate.digest() {
        Ok(digest) => {
            report.fact("structural digest", digest);
            let (regions, pawns) = (certificate.components.len(), certificate.barrier.count());
            report.fact(
                "structure",
                match certificate.status {
                    DecompositionStatus::Strict => format!("{regions} regions, {pawns} locked pawns"),
                    DecompositionStatus::Rejected => "does not fall apart".to_owned(),
                },
            );
            report.check("the certificate is consistent in itself");
            true
        }
        Err(error) => {
            report.refuse(Refusal::new(error.code(), &error));
            false
        }
    }
}

/// Lists what differs from the board, or from the certificate's own barrier; on a board, a difference is refused.
fn compare(certificate: &DecompositionCertificate, input: Option<&Input>, report: &mut Examination) {
    let findings = compare_decomposition(certificate, input.map(Input::board));
    for finding in &findings {
        report.find(finding.code(), finding);
    }
    if input.is_none() {
        report.check("its regions and roots, against its own barrier");
        return;
    }
    report.check("its barrier, pieces, regions and roots, against the board");
    if let Some(finding) = findings.iter().find(|finding| finding.is_contradiction()) {
        report.refuse(Refusal::because(finding.code(), format!("{finding}")));
    }
}

fn examine_decomposition(
    certificate: &DecompositionCertificate,
    against: Against<'_>,
    report: &mut Examination,
) {
    if !check_validity(certificate, report) {
        return;
    }
    compare(certificate, against.input, report);
    let Some(input) = against.input else {
        report.leave_without(BOARD_HAS_STRUCTURE, Need::Position);
        return;
    };
    match screen_input(input, certificate) {
        Ok(proof) => {
            report.fact("one-ply screen", "accepted");
            report.fact("claim", proof.proof_kind());
        }
        Err(error) => {
            report.fact("one-ply screen", error.code());
            report.fact("not claimed", one_ply_claim(input));
        }
    }
    report.leave(AFTER_THE_NEXT_MOVE);
}

fn examine_composition(composition: &CompositionCertificate, against: Against<'_>, report: &mut Examination) {
    match composition.digest() {
        Ok(digest) => report.fact("digest", digest),
        Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
    }
    report.fact("structural digest", composition.decomposition_digest);
    report.fact("values", composition.component_values.len());
    report.check("the composition is consistent in itself");
    report.leave("whether the values are right, and whether they add up to the result");
    let structure = match (against.certificate, against.input) {
        (Some(certificate), _) => Cow::Borrowed(certificate),
        (None, Some(input)) => Cow::Owned(certify_decomposition(input.board())),
        (None, None) => {
            return report.leave_without("whether every component has a value", Need::PositionOrCertificate);
        }
    };
    match composition.validate_against_decomposition(&structure) {
        Ok(()) => report.check("it values exactly the components of the structure"),
        Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
    }
    match (against.certificate, against.input) {
        (Some(_), Some(_)) => compare(&structure, against.input, report),
        (None, _) => report.check(OUR_STRUCTURE),
        (Some(_), None) => report.leave_without(BOARD_HAS_STRUCTURE, Need::Position),
    }
}

/// Compares the position of the evidence with the one that was given, by their canonical texts.
///
/// A board is the same board whether its text gave a side to move or not.
fn check_position(context: &str, text: &str, against: Against<'_>, report: &mut Examination) {
    let Some(expected) = against.input else { return };
    let canonical = expected.canonical_text();
    if expected.context() == context && canonical == text {
        report.check("the position is the one that was given");
    } else {
        report
            .refuse(Refusal::because("verify/other-position", format!("the position given is {canonical}")));
    }
}

/// Reads the text of a binding, and compares it with the input that was given.
fn check_text(binding: &PositionBinding, against: Against<'_>, report: &mut Examination) -> Option<Input> {
    report.fact("position", binding.position());
    report.fact("context", binding.context());
    match binding.read() {
        Ok(input) => {
            report.check("the position text is the canonical one of its context");
            check_position(binding.context(), binding.position(), against, report);
            Some(input)
        }
        Err(CanonicalTextError::UnknownContext) => {
            report.leave("the position text, whose context is not known to this program");
            if against.input.is_some() {
                report.refuse(Refusal::because(
                    "verify/other-context",
                    "the context is not known to this program, \
                     so that the position given cannot be compared with the text",
                ));
            }
            None
        }
        Err(error) => {
            report.refuse(Refusal::new(error.code(), &error));
            None
        }
    }
}

fn examine_binding(binding: &PositionBinding, against: Against<'_>, report: &mut Examination) {
    report.fact("position digest", binding.digest());
    report.fact("structural digest", binding.decomposition_digest());
    if let Some(input) = check_text(binding, against, report) {
        check_structure(binding, &input, against, report);
        report.leave("whether a next move crosses or breaks the barrier (`bitmesh certify` does)");
    }
}

/// Whether the binding names the structure of the board in its text.
fn check_structure<'a>(
    binding: &PositionBinding,
    input: &Input,
    against: Against<'a>,
    report: &mut Examination,
) -> Option<Cow<'a, DecompositionCertificate>> {
    let structure = against.structure(input);
    if structure.digest() != Ok(binding.decomposition_digest()) {
        let refusal = |message| Refusal::because("verify/other-structure", message);
        report.refuse(match against.certificate {
            Some(_) => refusal("it names another structural certificate than the one given"),
            None => {
                refusal("it does not name the structural certificate that this program makes of the board")
                    .needs(Need::Certificate)
            }
        });
        return None;
    }
    match against.certificate {
        Some(_) => compare(&structure, Some(input), report),
        None => report.check(OUR_STRUCTURE),
    }
    Some(structure)
}

fn examine_board_proof(
    proof: &ConservativeLegalIndependenceProof,
    against: Against<'_>,
    report: &mut Examination,
) {
    report.fact("claim", proof.proof_kind);
    report.fact("structural digest", proof.decomposition_digest);
    let Some(input) = against.input else {
        return report.give_up(
            Refusal::because("verify/board-needed", "the record does not name its board")
                .needs(Need::Position),
        );
    };
    report.leave("en passant and castling: the claim is about the board alone");
    report.leave(AFTER_THE_NEXT_MOVE);
    match verify_conservative_legal_independence(input.board(), &against.structure(input)) {
        Ok(expected) if expected == *proof => {
            report.check("the screen accepts the board, with this very record");
        }
        Ok(_) => report.refuse(Refusal::because(
            "verify/other-record",
            "the screen accepts the board, but its record is another one",
        )),
        Err(error) => report.refuse(Refusal::new(error.code(), &error)),
    }
}

fn examine_position_proof(proof: &PositionIndependenceProof, against: Against<'_>, report: &mut Examination) {
    report.fact("claim", proof.proof_kind);
    report.fact("position digest", proof.position_digest);
    report.fact("structural digest", proof.decomposition_digest);
    let binding = match proof.binding() {
        Ok(binding) => binding,
        Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
    };
    report.leave(AFTER_THE_NEXT_MOVE);
    let Some(input) = check_text(&binding, against, report) else { return };
    let Some(structure) = check_structure(&binding, &input, against, report) else { return };
    let Input::Position(position) = input else { return };
    match verify_position_independence(&position, &structure) {
        Ok(expected) if expected == *proof => {
            report.check("the screen accepts the position, with this very record");
        }
        Ok(_) => report.refuse(Refusal::because(
            "verify/other-record",
            "the screen accepts the position, but its record is another one",
        )),
        Err(error) => report.refuse(Refusal::new(error.code(), &error)),
    }
}

fn examine_persistent(certificate: &PersistentCertificate, against: Against<'_>, report: &mut Examination) {
    let position = Input::Position(Position::new(certificate.position().clone()));
    let text = position.canonical_text();
    report.fact("claim", persistent::PROOF_KIND);
    report.fact("digest", certificate.digest());
    report.fact("position", &text);
    check_position(position.context(), &text, against, report);
    match persistent::check(certificate) {
        Ok(conclusions) => {
            report.check(match certificate.proof() {
                Proof::Material => "the material, and that the position is not mate already",
                Proof::Roaming(_) => "every state that the homes lead to, and that none of them can be mate",
                _ => "every rule of the witness, and every conclusion that it claims",
            });
            for verdict in conclusions.verdicts() {
                report.fact(verdict.word, verdict.meaning);
            }
            if !conclusions.prove_something() {
                report.claims_nothing();
            }
            report.leave("best play: what is not claimed is open");
        }
        Err(error) => report.refuse(Refusal::new(error.code(), &error)),
    }
}

/// Reading a line replays it, so every line that was read ends in mate.
fn examine_line(line: &MateLine, against: Against<'_>, report: &mut Examination) {
    let position = Input::Position(Position::new(line.position().clone()));
    let text = position.canonical_text();
    report.fact("digest", line.digest());
    report.fact("position", &text);
    report.fact("winnable", line.winner());
    report.fact("plies", line.plies());
    report.fact("line", line);
    check_position(position.context(), &text, against, report);
    report.check("every move is legal, and the last one gives mate");
    report.leave("best play: both sides help in the line");
}

#[cfg(feature = "serde")]
mod decisions {
    //! The answers of `bitmesh decide`, with the evidence for each side.

    use shakmaty::Color;

    use super::{Against, Examination, check_position};
    use crate::decision::Decision;
    use crate::json::StatedDecisions;
    use crate::position::FEN_CONTEXT;

    pub(super) fn examine(stated: &StatedDecisions, against: Against<'_>, report: &mut Examination) {
        let text = stated.position().canonical_text();
        report.fact("position", &text);
        let decisions = match stated.check() {
            Ok(decisions) => decisions,
            Err(refusal) => return report.refuse(refusal),
        };
        check_position(FEN_CONTEXT, &text, against, report);
        if decisions.dead() == Some(true) {
            report.fact("dead", "neither side can ever give mate (FIDE Laws, article 5.2.2)");
        }
        let mut is_decided = false;
        for color in [Color::White, Color::Black] {
            match decisions.get(color) {
                None => report.leave(color.fold_wb(
                    "whether White can still give mate: the document does not speak of it",
                    "whether Black can still give mate: the document does not speak of it",
                )),
                Some(Decision::Undecided { .. }) => report.leave(color.fold_wb(
                    "whether White can still give mate: it is undecided, which is not a no",
                    "whether Black can still give mate: it is undecided, which is not a no",
                )),
                Some(decision) => {
                    is_decided = true;
                    tell(color, decision, report);
                }
            }
        }
        report.leave("the effort, which says how far the search was allowed to go");
        if !is_decided {
            report.claims_nothing();
        }
    }

    /// What the evidence for a side has shown.
    fn tell(color: Color, decision: &Decision, report: &mut Examination) {
        match decision {
            Decision::Winnable(line) => {
                report.fact(color.fold_wb("winnable white", "winnable black"), line);
                report.fact(color.fold_wb("plies white", "plies black"), line.plies());
                report.fact(color.fold_wb("evidence white", "evidence black"), line.digest());
                report.check(color.fold_wb(
                    "the line for White: it begins in this position, every move is legal, and the last one gives mate",
                    "the line for Black: it begins in this position, every move is legal, and the last one gives mate",
                ));
                report.leave(color.fold_wb(
                    "best play: both sides help in the line for White",
                    "best play: both sides help in the line for Black",
                ));
            }
            Decision::Unwinnable(certificate) => {
                report.fact(
                    color.fold_wb("unwinnable white", "unwinnable black"),
                    color.fold_wb("White can never give mate", "Black can never give mate"),
                );
                report.fact(color.fold_wb("evidence white", "evidence black"), certificate.digest());
                report.check(color.fold_wb(
                    "the certificate for White: it is about this position, and every rule and claim of it holds",
                    "the certificate for Black: it is about this position, and every rule and claim of it holds",
                ));
            }
            Decision::Undecided { .. } => {}
        }
    }
}

#[cfg(feature = "serde")]
mod certification {
    //! The answer about an input, made again from its position and its certificate.

    use super::{AFTER_THE_NEXT_MOVE, Against, Examination, Refusal, check_text, check_validity, compare};
    use crate::assessment::{Assessment, OnePlyVerdict};
    use crate::json::Certification;
    use crate::structure::binding::PositionBinding;

    pub(super) fn examine(said: &Certification, against: Against<'_>, report: &mut Examination) {
        if !check_validity(&said.certificate, report) {
            return;
        }
        let digest = said.certificate.digest_of_valid();
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
        let assessment = match Assessment::new(input).with_structure(said.certificate.clone()) {
            Ok(assessment) => assessment,
            Err(error) => return report.refuse(Refusal::new(error.code(), &error)),
        };
        let verdict = assessment.verdict();
        let claim = if verdict == OnePlyVerdict::Accepted { "claim" } else { "not claimed" };
        report.fact(claim, assessment.claim());
        report.fact("verdict", verdict.word());
        match said.compare(&assessment) {
            Ok(()) => report.check("every field is what `bitmesh certify` says about the position"),
            Err(refusal) => report.refuse(refusal),
        }
        report.leave("the notes and the line number, which tell how the position was once written");
        report.leave(AFTER_THE_NEXT_MOVE);
    }
}
