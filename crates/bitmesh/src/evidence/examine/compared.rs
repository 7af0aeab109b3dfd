//! What evidence is compared with: the position or board that was given, and the structure of a board.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::format;

use crate::evidence::examination::{Examination, Need, Refusal};
use crate::evidence::subject::Against;
use crate::position::{CanonicalTextError, Input};
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::{DecompositionCertificate, DecompositionStatus};
use crate::structure::comparison::compare_decomposition;
use crate::structure::producers::certify_decomposition;

pub(super) const AFTER_THE_NEXT_MOVE: &str = "anything after the next move";
pub(super) const BOARD_HAS_STRUCTURE: &str = "whether a board has this structure";
pub(super) const OUR_STRUCTURE: &str = "the structure is the one that this program makes of the board";

impl<'a> Against<'a> {
    /// The structural certificate that a record about `input` should name: the one given, or our own.
    pub(super) fn structure(self, input: &Input) -> Cow<'a, DecompositionCertificate> {
        match self.certificate {
            Some(certificate) => Cow::Borrowed(certificate),
            None => Cow::Owned(certify_decomposition(input.board())),
        }
    }
}

/// Whether the certificate is consistent; its digest if it is.
pub(super) fn check_validity(certificate: &DecompositionCertificate, report: &mut Examination) -> bool {
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
pub(super) fn compare(
    certificate: &DecompositionCertificate,
    input: Option<&Input>,
    report: &mut Examination,
) {
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

/// Compares the position of the evidence with the one that was given, by their canonical texts.
///
/// A board is the same board whether its text gave a side to move or not.
pub(super) fn check_position(context: &str, text: &str, against: Against<'_>, report: &mut Examination) {
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
pub(super) fn check_text(
    binding: &PositionBinding,
    against: Against<'_>,
    report: &mut Examination,
) -> Option<Input> {
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

/// Whether the binding names the structure of the board in its text.
pub(super) fn check_structure<'a>(
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
