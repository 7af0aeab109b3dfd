//! The rules of a witness, one after the other.

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Position as _, Role, Square};

use super::error::{CheckError, refuse};
use super::scene::Scene;
use super::stoppers::check_stoppers;
use crate::geometry::steps::{officer_steps, pawn_attacks, pawn_pushes};
use crate::persistent::verdict::{Field, MAXIMUM_PIECES, Range};
use crate::persistent::witness::Witness;

const BACK_RANKS: u64 = 0xff00_0000_0000_00ff;

/// Rules 1 to 9; puts the sums of the witness into an empty field.
pub(super) fn check_witness(
    position: &Chess,
    witness: &Witness,
    field: &mut Field,
) -> Result<(), CheckError> {
    let scene = Scene::new(position, witness);
    check_form(&scene, witness)?;
    check_frozen_among_themselves(&scene)?;
    check_castling(&scene, witness)?;
    check_movers(&scene, witness, field)?;
    check_frozen_against_movers(&scene, witness, field)?;
    check_stoppers(&scene, witness)
}

/// Frozen squares are occupied, and the movers are all the other pieces.
fn check_form(scene: &Scene<'_>, witness: &Witness) -> Result<(), CheckError> {
    let occupied = scene.board.occupied();
    if occupied.count() > MAXIMUM_PIECES {
        return Err(CheckError::TooManyPieces { count: occupied.count() });
    }
    refuse(scene.frozen & !occupied.0, |square| CheckError::FrozenSquareEmpty { square })?;
    let mut movers = witness.movers.iter().map(|mover| mover.square);
    for square in occupied & !witness.frozen {
        match movers.next() {
            Some(listed) if listed == square => {}
            Some(listed) => return Err(CheckError::MoverMismatch { square: listed.min(square) }),
            None => return Err(CheckError::MoverMismatch { square }),
        }
    }
    movers.next().map_or(Ok(()), |square| Err(CheckError::MoverMismatch { square }))
}

/// Rules 5 and 8, and the part of 6 and 7 that speaks of no reach.
fn check_frozen_among_themselves(scene: &Scene<'_>) -> Result<(), CheckError> {
    let board = scene.board;
    let rights = scene.position.castles().castling_rights().0;
    refuse(scene.frozen & rights, |rook| CheckError::FrozenRookMayCastle { rook })?;
    for color in Color::ALL {
        let king = board.kings().0 & scene.frozen_of(color);
        if king != 0 && scene.position.castles().has_color(color) {
            refuse(king, |king| CheckError::FrozenKingMayCastle { king })?;
        }
    }
    refuse(scene.frozen & scene.en_passant_victim(), |pawn| CheckError::FrozenCanBeCapturedEnPassant {
        pawn,
    })?;
    for color in Color::ALL {
        let pawns = scene.frozen_pawns(color);
        let blocked = pawn_pushes(!color, scene.frozen);
        refuse(pawns & !blocked, |pawn| CheckError::FrozenPawnCanPush { pawn })?;
        let attacking = pawn_attacks(!color, scene.frozen_of(!color));
        refuse(pawns & attacking, |pawn| CheckError::FrozenPawnAttacksFrozen { pawn })?;
    }
    if let Some(target) = scene.en_passant {
        let color = scene.position.turn();
        let capturing = scene.frozen_pawns(color) & pawn_attacks(!color, Bitboard::from(target).0);
        refuse(capturing, |pawn| CheckError::FrozenPawnCanCaptureEnPassant { pawn, target })?;
    }
    for square in Bitboard(scene.frozen & !board.pawns().0) {
        if let Some(piece) = board.piece_at(square) {
            let steps = officer_steps(piece.role, Bitboard::from(square).0);
            let forbidden = if piece.role == Role::King { scene.guarded(!piece.color) } else { 0 };
            let free = steps & !scene.frozen_of(piece.color) & !forbidden;
            refuse(free, |target| CheckError::FrozenPieceCanMove { frozen: square, target })?;
        }
    }
    Ok(())
}

/// Rules 1, 2 and 3, mover by mover. Closed under single steps is closed under whole slides.
fn check_movers(scene: &Scene<'_>, witness: &Witness, field: &mut Field) -> Result<(), CheckError> {
    for color in Color::ALL {
        let own = scene.frozen_of(color);
        field.put_frozen(color, own, scene.guarded(color));
        if let Some(king) = Bitboard(own & scene.board.kings().0).first() {
            field.put_frozen_king(color, king);
        }
    }
    for (index, mover) in witness.movers.iter().enumerate() {
        let square = mover.square;
        let Some(piece) = scene.board.piece_at(square) else {
            return Err(CheckError::MoverMismatch { square });
        };
        let here = Bitboard::from(square);
        if (*mover.reach.get(piece.role) & here).is_empty() {
            return Err(CheckError::StartOutsideReach { square });
        }
        let squares = mover.squares().0;
        refuse(squares & scene.frozen, |frozen| CheckError::ReachHoldsFrozen {
            mover: square,
            square: frozen,
        })?;

        // A king can never go where a frozen piece of the enemy attacks: that piece never leaves.
        let forbidden = if piece.role == Role::King { scene.guarded(!piece.color) } else { 0 };
        let mut attack = 0;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let reach = mover.reach.get(role).0;
            if reach == 0 {
                continue;
            }
            let possible = role == piece.role || piece.role == Role::Pawn && role != Role::King;
            if !possible {
                return Err(CheckError::ImpossibleRole { square, role });
            }
            let steps = officer_steps(role, reach);
            attack |= steps;
            refuse(steps & !scene.frozen & !forbidden & !reach, |target| CheckError::StepOutsideReach {
                mover: square,
                role,
                target,
            })?;
        }

        let pawn = mover.reach.pawn.0;
        if piece.role != Role::Pawn {
            if pawn != 0 {
                return Err(CheckError::ImpossibleRole { square, role: Role::Pawn });
            }
        } else {
            let stopped = scene.stoppers & scene.board.by_color(!piece.color).0;
            let pushes = pawn_pushes(piece.color, pawn) & !scene.frozen & !stopped;
            refuse(pushes & !pawn, |target| CheckError::AdvanceOutsideReach { mover: square, target })?;
            let promotions = pawn & BACK_RANKS;
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let missing = promotions & !mover.reach.get(role).0;
                refuse(missing, |target| CheckError::PromotionOutsideReach { mover: square, role, target })?;
            }
            let attacks = pawn_attacks(piece.color, pawn);
            attack |= attacks;
            if let Some(target) = scene.en_passant
                && piece.color == scene.position.turn()
                && shakmaty::attacks::pawn_attacks(piece.color, square).contains(target)
                && !mover.reach.pawn.contains(target)
            {
                return Err(CheckError::EnPassantOutsideReach { mover: square, target });
            }
            let sums = field.sides.get_mut(piece.color);
            sums.pawn_attack |= attacks;
            let home = Bitboard::from_rank(piece.color.relative_rank(shakmaty::Rank::Second));
            let over = pawn_pushes(piece.color, (here & home).0);
            let beyond = pawn_pushes(piece.color, over);
            if (over | beyond) & scene.frozen == 0 {
                sums.skipped |= over;
            }
        }

        let range = Range { reach: squares, attack };
        if piece.role == Role::King {
            field.put_king(index, piece.color, range);
        } else {
            field.put_non_king(index, piece.color, piece.role, range);
        }
    }

    // Captures by pawns need the reaches of the enemy, which are summed only now.
    for mover in &witness.movers {
        let pawn = mover.reach.pawn.0;
        if pawn == 0 {
            continue;
        }
        let color = scene.board.color_at(mover.square).unwrap_or(Color::White);
        let prey = field.sides.get(!color).non_king.reach;
        refuse(pawn_attacks(color, pawn) & prey & !scene.frozen & !pawn, |target| {
            CheckError::CaptureOutsideReach { mover: mover.square, target }
        })?;
    }
    Ok(())
}

/// Calls `each` with king, rook and side for every castling right.
pub(super) fn for_each_castling_right(
    position: &Chess,
    mut each: impl FnMut(Color, CastlingSide, Square, Square) -> Result<(), CheckError>,
) -> Result<(), CheckError> {
    let castles = position.castles();
    if castles.is_empty() {
        return Ok(());
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let (Some(king), Some(rook)) = (position.board().king_of(color), castles.rook(color, side)) {
                each(color, side, king, rook)?;
            }
        }
    }
    Ok(())
}

/// Rule 4. Castling over a frozen piece is never legal.
fn check_castling(scene: &Scene<'_>, witness: &Witness) -> Result<(), CheckError> {
    for_each_castling_right(scene.position, |color, side, king, rook| {
        if scene.position.castles().path(color, side).0 & scene.frozen != 0 {
            return Ok(());
        }
        for mover in &witness.movers {
            let target = side.king_to(color);
            if mover.square == king && !mover.reach.king.contains(target) {
                return Err(CheckError::CastlingKingOutsideReach { king, target });
            }
            let target = side.rook_to(color);
            if mover.square == rook && !mover.reach.rook.contains(target) {
                return Err(CheckError::CastlingRookOutsideReach { rook, target });
            }
        }
        Ok(())
    })
}

/// Rules 6 and 7 against the reaches.
fn check_frozen_against_movers(
    scene: &Scene<'_>,
    witness: &Witness,
    field: &Field,
) -> Result<(), CheckError> {
    let kings = scene.board.kings();
    for (mover, range) in witness.movers.iter().zip(&field.movers) {
        let mover = mover.square;
        let color = Color::from_white(scene.board.white().contains(mover));
        let (target, target_pawns) = (scene.frozen_of(!color) & !kings.0, scene.frozen_pawns(!color));
        if kings.contains(mover) {
            let exposed = target & range.attack & !scene.guarded(!color);
            refuse(exposed, |frozen| CheckError::FrozenCanBeCapturedByKing { frozen, king: mover })?;
        } else {
            refuse(target & range.attack, |frozen| CheckError::FrozenCanBeCaptured { frozen, mover })?;
            let capturing = target_pawns & pawn_attacks(color, range.reach);
            refuse(capturing, |pawn| CheckError::FrozenPawnCanCapture { pawn, mover })?;
        }
    }
    Ok(())
}
