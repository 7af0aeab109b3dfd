//! BMPERSIST: what holds for ever.

use super::compared::check_position;
use crate::evidence::examination::{Examination, Refusal};
use crate::evidence::subject::Against;
use crate::persistent::{self, PersistentCertificate, Proof};
use crate::position::{Input, Position};

pub(super) fn examine(certificate: &PersistentCertificate, against: Against<'_>, report: &mut Examination) {
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
