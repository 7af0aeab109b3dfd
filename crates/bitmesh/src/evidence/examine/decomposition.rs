//! BMDCERT: the structure of a board.

use super::compared::{AFTER_THE_NEXT_MOVE, BOARD_HAS_STRUCTURE, check_validity, compare};
use crate::evidence::examination::{Examination, Need};
use crate::evidence::subject::Against;
use crate::one_ply::screen::{one_ply_claim, screen_input};
use crate::structure::certificate::DecompositionCertificate;

pub(super) fn examine(
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
