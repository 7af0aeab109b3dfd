//! Material: nothing but the board is looked at, and whether it is mate already.

use shakmaty::{ByColor, Chess, Color, Position as _};

use super::error::CheckError;
use crate::persistent::material::cannot_mate;

/// Each claimed colour has not mated already, and does not have the material to mate later.
pub(super) fn check_material(position: &Chess, unwinnable: ByColor<bool>) -> Result<(), CheckError> {
    // The lemmas speak of moves. What is on the board already need not come from one.
    let mate_by = position.is_checkmate().then_some(!position.turn());
    for color in [Color::White, Color::Black] {
        if !unwinnable.get(color) {
            continue;
        }
        if mate_by == Some(color) {
            return Err(CheckError::MateOnBoard { color });
        }
        if !cannot_mate(position.board(), color) {
            return Err(CheckError::MaterialMates { color });
        }
    }
    Ok(())
}
