//! Rule 9, on stoppers, one square at a time, and the conditions that a forger leaves out.

use bitmesh::shakmaty::{Bitboard, ByRole, Chess, Color, Position as _, Role, Square, attacks};

use crate::rules::{self, Slip, en_passant, exits, piece_at, union};

/// A condition of rule 9 that a forger leaves out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Omission {
    None,
    /// (a) It stays on its file.
    File,
    /// (b) The enemy's king does not come to it.
    King,
    /// (b) The enemy's other pieces do not come to it.
    Officers,
    /// (c) It cannot be taken en passant now.
    EnPassant,
    /// All of it: every pawn is a stopper.
    All,
}

impl Omission {
    pub const ALL: [Self; 5] = [Self::File, Self::King, Self::Officers, Self::EnPassant, Self::All];
}

pub type Reaches = Vec<(Square, ByRole<Bitboard>)>;

/// Whether a pawn can come to a square of its reach by a capture from its reach, as far as the reaches tell.
fn captured_into(position: &Chess, reaches: &Reaches, color: Color, pawn: Bitboard, to: Square) -> bool {
    (attacks::pawn_attacks(!color, to) & pawn).any()
        && reaches.iter().any(|(other, theirs)| {
            let piece = piece_at(position, *other);
            piece.color != color && piece.role != Role::King && union(theirs).contains(to)
        })
}

/// The least reaches around frozen pieces and stoppers.
pub fn least_reaches(position: &Chess, frozen: Bitboard, stoppers: Bitboard) -> Reaches {
    let board = position.board();
    let movers = board.occupied() & !frozen;
    let reaches: Reaches = movers
        .into_iter()
        .map(|square| {
            let mut reach = ByRole::default();
            *reach.get_mut(piece_at(position, square).role) = Bitboard::from(square);
            (square, reach)
        })
        .collect();
    close(position, frozen, stoppers, reaches)
}

/// The least closed reaches that hold the given ones.
fn close(position: &Chess, frozen: Bitboard, stoppers: Bitboard, mut reaches: Reaches) -> Reaches {
    let board = position.board();
    if let Some((target, capturers, _)) = en_passant(position, Slip::None) {
        for (square, reach) in &mut reaches {
            if capturers.contains(*square) {
                reach.pawn.add(target);
            }
        }
    }
    for (king, rook, king_to, rook_to) in rules::castlings(position, frozen) {
        for (square, reach) in &mut reaches {
            if *square == king {
                reach.king.add(king_to);
            }
            if *square == rook {
                reach.rook.add(rook_to);
            }
        }
    }
    loop {
        let before = reaches.clone();
        for (square, reach) in &mut reaches {
            let color = piece_at(position, *square).color;
            for (role, to) in exits(position, frozen, &before, *square, reach, Slip::None) {
                let stopped = role == Role::Pawn
                    && (stoppers & board.by_color(!color)).contains(to)
                    && !captured_into(position, &before, color, reach.pawn, to);
                if !stopped {
                    reach.get_mut(role).add(to);
                }
            }
        }
        if reaches == before {
            return reaches;
        }
    }
}

/// Whether reaches with stoppers keep the rules 2 to 4 and 9.
pub fn keeps_rules(
    position: &Chess,
    frozen: Bitboard,
    stoppers: Bitboard,
    reaches: &[(Square, ByRole<Bitboard>)],
) -> bool {
    let (pawns, reaches) = (position.board().pawns() & !frozen, reaches.to_vec());
    stoppers.is_subset(pawns)
        && close(position, frozen, stoppers, reaches.clone()) == reaches
        && loose(position, stoppers, &reaches, Omission::None).is_empty()
}

/// The stoppers that break rule 9, as far as the forger knows it.
pub fn loose(position: &Chess, stoppers: Bitboard, reaches: &Reaches, omission: Omission) -> Bitboard {
    let victim = en_passant(position, Slip::None).map(|(_, _, victim)| victim);
    let breaks = |square: Square| {
        let piece = piece_at(position, square);
        let Some((_, reach)) = reaches.iter().find(|(start, _)| *start == square) else { return true };
        let stays = reach.pawn.into_iter().all(|other| other.file() == square.file());
        let comes = |king: bool| {
            reaches.iter().any(|(other, theirs)| {
                let enemy = piece_at(position, *other);
                let there = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
                    .into_iter()
                    .fold(Bitboard::EMPTY, |all, role| all | *theirs.get(role));
                enemy.color != piece.color && (enemy.role == Role::King) == king && (there & reach.pawn).any()
            })
        };
        [
            (Omission::File, !stays),
            (Omission::King, comes(true)),
            (Omission::Officers, comes(false)),
            (Omission::EnPassant, victim == Some(square)),
        ]
        .into_iter()
        .any(|(condition, broken)| broken && omission != condition && omission != Omission::All)
    };
    stoppers.into_iter().filter(|&square| breaks(square)).collect()
}
