//! Rule 9: pawns that no enemy pawn passes on their file.

use shakmaty::{Bitboard, Board, Role, Square};

use super::error::{CheckError, refuse};
use super::scene::Scene;
use crate::geometry::steps::pawn_pushes;
use crate::persistent::witness::{Mover, Witness};

/// Every stopper is a mover pawn that stays on its file as long as it is a pawn, and is never taken before it is
/// something else.
pub(super) fn check_stoppers(scene: &Scene<'_>, witness: &Witness) -> Result<(), CheckError> {
    let stoppers = witness.stoppers;
    let pawns = scene.board.pawns() & !witness.frozen;
    refuse((stoppers & !pawns).0, |square| CheckError::StopperNotMoverPawn { square })?;
    refuse(stoppers.0 & scene.en_passant_victim(), |stopper| CheckError::StopperCanBeCapturedEnPassant {
        stopper,
    })?;
    for stopper in witness.movers.iter().filter(|mover| stoppers.contains(mover.square)) {
        let square = stopper.square;
        let reach = stopper.reach.pawn;
        refuse((reach & !Bitboard::from_file(square.file())).0, |target| CheckError::StopperLeavesFile {
            stopper: square,
            target,
        })?;
        // An enemy pawn that could take it would be on a square where it can take: off its file.
        for enemy in &witness.movers {
            if scene.board.color_at(enemy.square) == scene.board.color_at(square) {
                continue;
            }
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
                refuse((reach & *enemy.reach.get(role)).0, |target| CheckError::StopperCanBeCaptured {
                    stopper: square,
                    mover: enemy.square,
                    target,
                })?;
            }
        }
    }
    Ok(())
}

/// Whether one of two movers is a stopper and the other an enemy pawn that can come to stand in front of it:
/// what is on the stopper's square decides whether that pawn can push.
pub(super) fn stops(board: &Board, stoppers: Bitboard, one: &Mover, other: &Mover) -> bool {
    let stops = |stopper: Square, pawn: &Mover| match board.color_at(stopper) {
        Some(color) if stoppers.contains(stopper) && board.color_at(pawn.square) == Some(!color) => {
            pawn_pushes(color, Bitboard::from(stopper).0) & pawn.reach.pawn.0 != 0
        }
        _ => false,
    };
    stops(one.square, other) || stops(other.square, one)
}
