//! The answers of `bitmesh decide`, with the evidence for each side.

use shakmaty::Color;

use super::compared::check_position;
use crate::decision::Decision;
use crate::evidence::examination::Examination;
use crate::evidence::subject::Against;
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
