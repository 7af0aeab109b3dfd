//! BMMATE: a line of moves that ends in mate.

use super::compared::check_position;
use crate::decision::MateLine;
use crate::evidence::examination::Examination;
use crate::evidence::subject::Against;
use crate::position::{Input, Position};

/// Reading a line replays it, so every line that was read ends in mate.
pub(super) fn examine(line: &MateLine, against: Against<'_>, report: &mut Examination) {
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
