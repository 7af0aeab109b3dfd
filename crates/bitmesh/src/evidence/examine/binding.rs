//! BMDPOSCERT: a structure bound to a position.

use super::compared::{check_structure, check_text};
use crate::evidence::examination::Examination;
use crate::evidence::subject::Against;
use crate::structure::binding::PositionBinding;

pub(super) fn examine(binding: &PositionBinding, against: Against<'_>, report: &mut Examination) {
    report.fact("position digest", binding.digest());
    report.fact("structural digest", binding.decomposition_digest());
    if let Some(input) = check_text(binding, against, report) {
        check_structure(binding, &input, against, report);
        report.leave("whether a next move crosses or breaks the barrier (`bitmesh certify` does)");
    }
}
