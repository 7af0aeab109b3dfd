//! The record of the one-ply screen of a position.

use super::compared::{AFTER_THE_NEXT_MOVE, check_structure, check_text};
use crate::evidence::examination::{Examination, Refusal};
use crate::evidence::subject::Against;
use crate::one_ply::position_proof::{PositionIndependenceProof, verify_position_independence};
use crate::position::Input;

pub(super) fn examine(proof: &PositionIndependenceProof, against: Against<'_>, report: &mut Examination) {
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
