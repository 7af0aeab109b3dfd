//! Kings without a step: shut in by their own pieces and by the guard of the enemy's, some of them attacked by a pawn.
//!
//! Of a king and a pawn that attacks him one can be frozen. The prover keeps the pawn; a witness that keeps the king is
//! one that it would not make. The pawn is a mover then, and must find no way on: what stands in front of it is frozen.
//! And every square beside the king is frozen of his own colour or guarded by frozen pieces of the other. Most of what
//! is found with such a pawn is mate: what could take it seldom leaves the rest in place.

use bitmesh::shakmaty::{Bitboard, Board, Chess, Color, Piece, Position as _, Role, Setup, Square, attacks};

use crate::generate::{finish, mutate};
use crate::random::Rng;

/// What frozen pieces of a colour guard whatever stands elsewhere.
fn guarded(board: &Board, frozen: Bitboard, by: Color) -> Bitboard {
    let first = |square: Square| match board.piece_at(square) {
        // Of a line only the first square is sure.
        Some(piece) => attacks::attacks(square, piece, Bitboard::FULL),
        None => Bitboard::EMPTY,
    };
    (frozen & board.by_color(by)).into_iter().fold(Bitboard::EMPTY, |all, square| all | first(square))
}

/// How many reasons there are why the king is not frozen, and what is frozen with him.
///
/// It looks at what stands there, not at what can come; so it is not a proof, and only steers the search.
fn reasons(board: &Board, king: Square, color: Color, pawn: Option<Square>) -> (usize, Bitboard) {
    let mut frozen = board.occupied();
    let mut passed = false;
    if let Some(pawn) = pawn {
        frozen &= !(attacks::pawn_attacks(!color, pawn) & board.by_color(color)).without(king);
        frozen.discard(pawn);
    }
    loop {
        let mut loose = Bitboard::EMPTY;
        for square in frozen.without(king) {
            let Some(piece) = board.piece_at(square) else { continue };
            let own = frozen & board.by_color(piece.color);
            let stays = match piece.role {
                Role::Pawn => {
                    let front = square.offset(piece.color.fold_wb(8, -8));
                    let prey = attacks::pawn_attacks(piece.color, square) & frozen & !own;
                    prey.is_empty() && front.is_some_and(|front| frozen.contains(front))
                }
                Role::King => {
                    let free = attacks::king_attacks(square) & !own;
                    free.is_subset(guarded(board, frozen, !piece.color))
                }
                _ => attacks::attacks(square, piece, frozen).is_subset(own),
            };
            if !stays {
                loose.add(square);
            }
        }
        if loose.is_empty() {
            break;
        }
        frozen &= !loose;
    }
    if let Some(pawn) = pawn {
        passed = pawn.offset(color.fold_wb(-8, 8)).is_none_or(|front| !frozen.contains(front));
    }
    let free =
        attacks::king_attacks(king) & !(frozen & board.by_color(color)) & !guarded(board, frozen, !color);
    let attackers = attacks::pawn_attacks(color, king) & board.by_piece((!color).pawn());
    let more = attackers.count() - usize::from(pawn.is_some());
    (free.count() + 3 * usize::from(passed) + 2 * more, frozen)
}

/// Builds a prison around a king by changes that leave fewer and fewer reasons; none if that does not end.
///
/// `attacked` asks for a pawn that attacks him.
pub fn build(attacked: bool, rng: &mut Rng) -> Option<Chess> {
    let color = Color::from_white(rng.one_in(2));
    let king = Square::new(rng.below(64) as u32);
    let around: Vec<Square> =
        (attacks::pawn_attacks(color, king) & !Bitboard::BACKRANKS).into_iter().collect();
    let pawn = if attacked { Some(*rng.pick(&around)?) } else { None };
    let mut board = Board::empty();
    board.set_piece_at(king, color.king());
    let mut kept = Bitboard::from(king);
    if let Some(pawn) = pawn {
        board.set_piece_at(pawn, (!color).pawn());
        kept.add(pawn);
    }
    let far: Vec<Square> =
        Square::ALL.into_iter().filter(|&at| at.distance(king) > 1 && !kept.contains(at)).collect();
    let other = rng.one_of(&far);
    board.set_piece_at(other, (!color).king());
    kept.add(other);
    let mut best = reasons(&board, king, color, pawn).0;
    for _ in 0..1500 {
        let mut changed = board.clone();
        for _ in 0..1 + rng.below(3) {
            let at = Square::new(rng.below(64) as u32);
            if kept.contains(at) || at.distance(king) > 2 && !rng.one_in(8) {
                continue;
            }
            let officer = Bitboard::BACKRANKS.contains(at) || rng.one_in(5);
            let role =
                if officer { rng.one_of(&[Role::Knight, Role::Bishop, Role::Rook]) } else { Role::Pawn };
            changed.discard_piece_at(at);
            if !rng.one_in(4) {
                changed.set_piece_at(at, Piece { color: Color::from_white(rng.one_in(2)), role });
            }
        }
        let (left, frozen) = reasons(&changed, king, color, pawn);
        if left == 0 {
            // What is not needed would only go for a walk.
            for square in changed.occupied() & !kept & !frozen {
                changed.discard_piece_at(square);
            }
            let turn = if attacked { color } else { Color::from_white(rng.one_in(2)) };
            if let Some(position) = finish(Setup { board: changed, turn, ..Setup::empty() }) {
                return Some(position);
            }
        } else if left <= best || left == best + 1 && rng.one_in(40) {
            (board, best) = (changed, left);
        }
    }
    None
}

/// A change of a position in which nothing that stands there speaks against it that a king stays where he is.
pub fn vary(position: &Chess, rng: &mut Rng) -> Option<Chess> {
    let varied = mutate(position, rng)?;
    let board = varied.board();
    let stays = Color::ALL.into_iter().any(|color| {
        board.king_of(color).is_some_and(|king| {
            let attackers = attacks::pawn_attacks(color, king) & board.by_piece((!color).pawn());
            reasons(board, king, color, attackers.first()).0 == 0
        })
    });
    (stays && (position.is_checkmate() || !varied.is_checkmate())).then_some(varied)
}
