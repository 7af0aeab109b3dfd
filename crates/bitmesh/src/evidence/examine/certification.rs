//! The answer about an input, made again from its position and its certificate.

use super::compared::{AFTER_THE_NEXT_MOVE, check_text, check_validity, compare};
use crate::assessment::{Assessment, OnePlyVerdict};
use crate::evidence::examination::{Examination, Refusal};
use crate::evidence::subject::Against;
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
