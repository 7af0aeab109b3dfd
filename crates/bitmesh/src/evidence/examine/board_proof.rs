//! The record of the one-ply screen of a board.

use super::compared::AFTER_THE_NEXT_MOVE;
use crate::evidence::examination::{Examination, Need, Refusal};
use crate::evidence::subject::Against;
use crate::one_ply::board_screen::{
    ConservativeLegalIndependenceProof, verify_conservative_legal_independence,
};

pub(super) fn examine(
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
