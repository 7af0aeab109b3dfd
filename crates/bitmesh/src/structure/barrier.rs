//! Locked pawns: the barrier of layers 1 and 2.

use shakmaty::{Bitboard, Board, Color, Role};

use crate::geometry::shift;

/// The pawns of either colour that can neither push nor capture on this board.
///
/// A pawn is locked when the square in front of it is occupied by anything, or
/// lies off the board, and it attacks no enemy piece; an enemy king counts as a
/// piece. The claim is about this board alone: whose turn it is and en passant
/// play no part, and it says nothing about the board after the next capture.
///
/// ```
/// use bitmesh::{get_locked_pawns, shakmaty::{Bitboard, Board, Square}};
///
/// let ram: Board = "8/8/8/4p3/4P3/8/8/8".parse()?;
/// assert_eq!(get_locked_pawns(&ram), Bitboard::from_iter([Square::E4, Square::E5]));
/// # Ok::<(), bitmesh::shakmaty::fen::ParseFenError>(())
/// ```
#[must_use]
pub fn get_locked_pawns(board: &Board) -> Bitboard {
    let occupied = board.occupied().0;
    let of = |color: Color| board.by_color(color).0;
    let pawns = |color: Color| of(color) & board.by_role(Role::Pawn).0;

    let white_blocked = shift::south(occupied) | Bitboard::from_rank(shakmaty::Rank::Eighth).0;
    let white_capturing = shift::south_east(of(Color::Black)) | shift::south_west(of(Color::Black));
    let black_blocked = shift::north(occupied) | Bitboard::from_rank(shakmaty::Rank::First).0;
    let black_capturing = shift::north_east(of(Color::White)) | shift::north_west(of(Color::White));

    let white = pawns(Color::White) & white_blocked & !white_capturing;
    let black = pawns(Color::Black) & black_blocked & !black_capturing;
    Bitboard(white | black)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(board: &str) -> Bitboard {
        get_locked_pawns(&board.parse().unwrap())
    }

    #[test]
    fn anything_in_front_locks_a_pawn() {
        for blocker in ["p", "P", "n", "N", "k", "K"] {
            let board = std::format!("8/8/8/4{blocker}3/4P3/8/8/8");
            assert!(locked(&board).contains(shakmaty::Square::E4), "{blocker}");
        }
        assert!(locked("8/8/8/8/4P3/8/8/8").is_empty());
    }

    #[test]
    fn the_edge_of_the_board_locks_a_pawn() {
        assert_eq!(locked("P7/8/8/8/8/8/8/7p").count(), 2);
        assert!(locked("p7/8/8/8/8/8/8/7P").is_empty());
    }

    #[test]
    fn a_pawn_that_attacks_an_enemy_is_not_locked() {
        for target in ["p", "q", "k"] {
            assert!(!locked(&std::format!("8/8/8/3{target}p3/4P3/8/8/8")).contains(shakmaty::Square::E4));
        }
        assert!(locked("8/8/8/3Np3/4P3/8/8/8").contains(shakmaty::Square::E4));
    }

    #[test]
    fn attacks_do_not_wrap_around_the_edge() {
        // h4 would "attack" a6 and a5 if shifts wrapped.
        assert_eq!(locked("8/8/n7/n6p/7P/8/8/8").count(), 2);
    }
}
