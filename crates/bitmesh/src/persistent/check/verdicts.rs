//! Who can never give mate, by the predicates on a finished witness.

use shakmaty::{ByColor, Color};

use super::error::CheckError;
use crate::persistent::verdict::Field;

/// No claimed colour has a mating square.
pub(super) fn check_verdicts(unwinnable: ByColor<bool>, field: &Field) -> Result<(), CheckError> {
    for color in [Color::White, Color::Black] {
        if *unwinnable.get(color)
            && let Some(square) = field.mating_square(color)
        {
            return Err(CheckError::MatePossible { color, square });
        }
    }
    Ok(())
}
