//! A position and its frozen pieces, as the rules speak of them.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position as _, Role, Square};

use crate::geometry::steps::{officer_steps, pawn_attacks, pawn_pushes};
use crate::persistent::witness::Witness;

/// A position and its frozen pieces, as the rules speak of them.
pub(super) struct Scene<'a> {
    pub(super) position: &'a Chess,
    pub(super) board: &'a Board,
    pub(super) frozen: u64,
    /// Mover pawns onto whose squares no enemy pawn pushes.
    pub(super) stoppers: u64,
    /// What the frozen pieces of each colour attack for ever.
    guarded: ByColor<u64>,
    /// An en-passant square with a legal capture. Without one the right ends with the next move.
    pub(super) en_passant: Option<Square>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(position: &'a Chess, witness: &Witness) -> Self {
        let board = position.board();
        Self {
            position,
            board,
            frozen: witness.frozen.0,
            stoppers: witness.stoppers.0,
            guarded: ByColor::new_with(|color| guarded_for_ever(board, witness.frozen, color)),
            en_passant: position.legal_ep_square(),
        }
    }

    pub(super) fn frozen_of(&self, color: Color) -> u64 {
        self.frozen & self.board.by_color(color).0
    }

    pub(super) fn frozen_pawns(&self, color: Color) -> u64 {
        self.frozen & self.board.by_piece(color.pawn()).0
    }

    /// What the frozen pieces of a colour attack for ever.
    pub(super) fn guarded(&self, color: Color) -> u64 {
        *self.guarded.get(color)
    }

    /// The pawn that an en-passant capture now would remove.
    pub(super) fn en_passant_victim(&self) -> u64 {
        self.en_passant.map_or(0, |square| pawn_pushes(!self.position.turn(), Bitboard::from(square).0))
    }
}

/// What frozen pieces of a colour attack whatever stands elsewhere: only the first square of a line is sure.
fn guarded_for_ever(board: &Board, frozen: Bitboard, color: Color) -> u64 {
    let of = |role: Role| (frozen & board.by_piece(role.of(color))).0;
    let guarded = pawn_attacks(color, of(Role::Pawn));
    if frozen.is_subset(board.pawns()) {
        return guarded;
    }
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
        .into_iter()
        .fold(guarded, |all, role| all | officer_steps(role, of(role)))
}
