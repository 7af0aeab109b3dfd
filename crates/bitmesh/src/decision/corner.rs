//! How far a mate by bishops on squares of one shade is.
//!
//! They give mate only in a corner of their shade, with a man of the loser's on one
//! of the two squares of the other shade beside the king, and their own king near.

use shakmaty::attacks::{king_attacks, knight_attacks};
use shakmaty::{Bitboard, File, Rank, Square};

use super::scene::Men;

/// The moves of a knight from a square to a square.
static KNIGHT_MOVES: [[u8; 64]; 64] = knight_moves();

const fn knight_moves() -> [[u8; 64]; 64] {
    let mut moves = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut reached = 1_u64 << from;
        let mut count = 1;
        while reached != u64::MAX {
            let (mut square, mut next) = (0, reached);
            while square < 64 {
                if reached & 1 << square != 0 {
                    next |= knight_attacks(Square::new(square)).0;
                }
                square += 1;
            }
            let mut new = next & !reached;
            while new != 0 {
                moves[from][new.trailing_zeros() as usize] = count;
                new &= new - 1;
            }
            (reached, count) = (next, count + 1);
        }
        from += 1;
    }
    moves
}

/// Whether the winner has bishops on squares of one shade, and nothing else.
pub(super) fn applies(board: &Men) -> bool {
    let men = board.winner & !board.kings;
    men.any()
        && men.is_subset(board.bishops)
        && (men.is_subset(Bitboard::LIGHT_SQUARES) || men.is_subset(Bitboard::DARK_SQUARES))
}

/// About how many moves it takes to bring the loser's king into a corner, a man of his beside him and the winner's
/// king near: the least over both corners and both places of the man.
pub(super) fn distance(men: &Men) -> u32 {
    let bishops = men.bishops & men.winner;
    let (king, prey) = (men.king(men.winner), men.king(men.loser));
    if bishops.is_empty() {
        return 0;
    }
    let shade = if bishops.is_subset(Bitboard::DARK_SQUARES) {
        Bitboard::DARK_SQUARES
    } else {
        Bitboard::LIGHT_SQUARES
    };
    let mut least = 60;
    for corner in Bitboard::CORNERS & shade {
        let sides = king_attacks(corner) & !shade;
        for blocked in sides {
            let posts = king_attacks(sides.without(blocked).first().unwrap_or(corner))
                & !king_attacks(corner)
                & !Bitboard::from(corner);
            let post = posts.into_iter().map(|post| post.distance(king)).min().unwrap_or(0);
            least = least.min(prey.distance(corner) + post + blocker(men, shade, blocked));
        }
    }
    least
}

/// About how many moves it takes a man of the loser's to come to a square of the other shade.
fn blocker(men: &Men, shade: Bitboard, to: Square) -> u32 {
    let knight = |from: Square| u32::from(KNIGHT_MOVES[from as usize][to as usize]);
    // How many ranks a pawn of the loser's at a square has before it.
    let left = |square: Square| square.rank() as u32;
    let mut least = 40;
    for square in men.loser & men.knights {
        least = least.min(knight(square));
    }
    for square in men.loser & men.bishops & !shade {
        least = least.min(u32::from(square != to));
    }
    for square in men.loser & men.pawns {
        if square.file() == to.file() && left(to) > 0 && left(square) >= left(to) {
            least = least.min(left(square) - left(to));
        }
        let file: File = square.file();
        let promoted = Square::from_coords(file, Rank::First);
        let after = if shade.contains(promoted) { knight(promoted).min(9) } else { knight(promoted).min(1) };
        least = least.min(2 * left(square) + after);
    }
    least
}
