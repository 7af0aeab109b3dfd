//! The positions of an expansion, in the one order that their numbers mean.
//!
//! A certificate does not list positions: it tells at which of them to stop.
//! From the root, breadth first and with the moves of each position in a fixed
//! order, every position that is not a leaf leads to its successors, and each
//! gets its number when it is met for the first time. This belongs to what
//! must be trusted, with the legal moves of shakmaty.

use alloc::collections::{BTreeSet, VecDeque};

use shakmaty::{Chess, Move, MoveList, Position as _, Role, Square};

/// What makes two positions the same: the board, whose turn it is, the rights to castle,
/// and the en-passant square if a legal move captures there.
///
/// Six kinds of pieces, rooks with a right to castle and empty squares are eight values, three bits a square.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Key {
    white: u64,
    kinds: [u64; 3],
    white_to_move: bool,
    en_passant: Option<Square>,
}

impl Key {
    fn new(position: &Chess) -> Self {
        let board = position.board();
        let castling = position.castles().castling_rights().0;
        let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| board.by_role(role).0);
        Self {
            white: board.white().0,
            kinds: [
                pawns | bishops | queens | castling,
                knights | bishops | kings | castling,
                rooks | queens | kings,
            ],
            white_to_move: position.turn().is_white(),
            en_passant: position.maybe_ep_square().and_then(|_| position.legal_ep_square()),
        }
    }
}

/// The legal moves by the squares where they begin and end, then by the new role, knight first.
/// Castling ends on the square of the rook.
pub(super) fn moves_in_order(position: &Chess) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|played: &Move| (played.from(), played.to(), played.promotion()));
    moves
}

/// A walk over positions, each once.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    known: BTreeSet<Key>,
    waiting: VecDeque<Chess>,
}

impl Walk {
    /// A walk that begins at a position, number 0.
    pub(super) fn new(root: &Chess) -> Self {
        let mut walk = Self { known: BTreeSet::new(), waiting: VecDeque::new() };
        walk.meet(root.clone());
        walk
    }

    /// How many positions were met: the number of the next one that is new.
    pub(super) fn met(&self) -> u32 {
        self.known.len() as u32
    }

    /// The next position that was met, with its number.
    pub(super) fn next(&mut self) -> Option<(u32, Chess)> {
        let number = (self.known.len() - self.waiting.len()) as u32;
        self.waiting.pop_front().map(|position| (number, position))
    }

    /// Meets a position, which gets a number if it is new.
    pub(super) fn meet(&mut self, position: Chess) {
        if self.known.insert(Key::new(&position)) {
            self.waiting.push_back(position);
        }
    }

    /// Meets what a legal move leads to.
    pub(super) fn meet_after(&mut self, position: &Chess, played: Move) {
        let mut after = position.clone();
        after.play_unchecked(played);
        self.meet(after);
    }
}
