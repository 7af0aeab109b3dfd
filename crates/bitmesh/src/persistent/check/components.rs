//! What is claimed of components, and how they are coupled.

use shakmaty::{Bitboard, Chess, Color, Position as _};

use super::error::{CheckError, refuse};
use super::stoppers::stops;
use super::witness::for_each_castling_right;
use crate::geometry::steps::{pawn_attacks, pawn_pushes};
use crate::persistent::verdict::{Conclusions, Field};
use crate::persistent::witness::Witness;

/// Movers that can meet, castle together or capture each other en passant now are in one component.
pub(super) fn check_components(position: &Chess, witness: &Witness, field: &Field) -> Result<(), CheckError> {
    let mut components = 0;
    for mover in &witness.movers {
        if mover.component > components {
            return Err(CheckError::ComponentOutOfOrder { square: mover.square, component: mover.component });
        }
        components = components.max(mover.component + 1);
    }
    if components < 2 {
        return Ok(());
    }
    let component_of =
        |square| witness.movers.iter().find(|mover| mover.square == square).map(|mover| mover.component);
    for_each_castling_right(position, |_, _, king, rook| {
        if component_of(king) == component_of(rook) {
            Ok(())
        } else {
            Err(CheckError::ComponentsCastle { king, rook })
        }
    })?;
    if let Some(target) = position.legal_ep_square() {
        let turn = position.turn();
        let target = Bitboard::from(target).0;
        if let Some(victim) = Bitboard(pawn_pushes(!turn, target)).first() {
            let capturers = pawn_attacks(!turn, target) & position.board().by_piece(turn.pawn()).0;
            for capturer in Bitboard(capturers) {
                if component_of(capturer) != component_of(victim) {
                    return Err(CheckError::ComponentsCaptureEnPassant { capturer, victim });
                }
            }
        }
    }
    let ranges = witness.movers.iter().zip(field.movers);
    for (index, (second, range)) in ranges.clone().enumerate() {
        for (first, other) in ranges.clone().take(index) {
            let meet = range.meets(other) || stops(position.board(), witness.stoppers, first, second);
            if first.component != second.component && meet {
                return Err(CheckError::ComponentsMeet { first: first.square, second: second.square });
            }
        }
    }
    Ok(())
}

/// No check for a colour that is claimed to be safe, no en passant where it is claimed to be excluded.
pub(super) fn check_coupling(
    position: &Chess,
    claims: &Conclusions,
    field: &Field,
) -> Result<(), CheckError> {
    for color in [Color::White, Color::Black] {
        if !claims.coupling.checks().get(color) {
            refuse(field.checks_of(color), |square| CheckError::CheckPossible { color, square })?;
        }
    }
    let now = position.legal_ep_square().is_some();
    if !claims.coupling.en_passant() && (now || field.en_passant_possible()) {
        return Err(CheckError::EnPassantPossible);
    }
    Ok(())
}
