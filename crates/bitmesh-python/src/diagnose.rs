//! Everything that the screen holds against a position.

use bitmesh::{certify_decomposition, diagnose_input};
use pyo3::prelude::*;

use crate::arguments::{Optional, wrong_type};
use crate::certificates::Decomposition;
use crate::input::read_object;
use crate::violation::Violation;

/// Everything that the one-ply screen holds against a position; empty if it accepts.
///
/// With a certificate, the position is screened by that one instead of its own.
///
/// Raises PositionError when the position cannot be read.
#[pyfunction]
#[pyo3(signature = (position, certificate = None))]
pub(crate) fn diagnose(
    position: &Bound<'_, PyAny>,
    certificate: Optional<'_, '_>,
) -> PyResult<Vec<Violation>> {
    let input = read_object(position)?.input;
    let found = match certificate {
        Some(object) => {
            let certificate = object
                .cast::<Decomposition>()
                .map_err(|_| wrong_type("certificate", "a DecompositionCertificate", object))?;
            diagnose_input(&input, certificate.get().certificate())
        }
        None => diagnose_input(&input, &certify_decomposition(input.board())),
    };
    Ok(found.iter().map(Violation::from).collect())
}
