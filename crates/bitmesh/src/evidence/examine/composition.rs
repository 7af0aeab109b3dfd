//! BMCOMPOSE: values of components and their sum.

use alloc::borrow::Cow;

use super::compared::{BOARD_HAS_STRUCTURE, OUR_STRUCTURE, compare};
use crate::evidence::examination::{Examination, Need, Refusal};
use crate::evidence::subject::Against;
use crate::structure::composition::CompositionCertificate;
use crate::structure::producers::certify_decomposition;

pub(super) fn examine(composition: &CompositionCertificate, against: Against<'_>, report: &mut Examination) {
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
