//! What a square sees, for few pieces on few lines: less than looking up all that it sees.

use shakmaty::{Bitboard, Board, Color, Square, attacks};

/// Those of the pieces that have nothing between them and the square; all of them are on a line with it.
#[inline]
pub(crate) fn seeing(square: Square, pieces: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut seeing = Bitboard::EMPTY;
    for piece in pieces {
        if (attacks::between(square, piece) & occupied).is_empty() {
            seeing.add(piece);
        }
    }
    seeing
}

/// The pieces of a colour that attack a square.
#[inline]
pub(crate) fn attackers(board: &Board, square: Square, by: Color) -> Bitboard {
    let steppers = (attacks::knight_attacks(square) & board.knights())
        | (attacks::pawn_attacks(!by, square) & board.pawns())
        | (attacks::king_attacks(square) & board.kings());
    let sliders = (board.rooks_and_queens() & STRAIGHT_LINES[usize::from(square)])
        | (board.bishops_and_queens() & DIAGONAL_LINES[usize::from(square)]);
    let own = board.by_color(by);
    (steppers & own) | seeing(square, sliders & own, board.occupied())
}

/// The other squares on the rank and the file of each square.
pub(crate) static STRAIGHT_LINES: [Bitboard; 64] = lines(true);

/// The other squares on the two diagonals of each square.
pub(crate) static DIAGONAL_LINES: [Bitboard; 64] = lines(false);

const fn lines(straight: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0i32;
    while square < 64 {
        let mut other = 0;
        let mut line = 0;
        while other < 64 {
            let (files, ranks) = (square % 8 - other % 8, square / 8 - other / 8);
            let is_on_line =
                if straight { files == 0 || ranks == 0 } else { files == ranks || files == -ranks };
            if is_on_line && other != square {
                line |= 1 << other;
            }
            other += 1;
        }
        table[square as usize] = Bitboard(line);
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position as _};

    use super::*;

    #[test]
    fn attackers_are_those_of_shakmaty() {
        let mut chess = Chess::default();
        let mut state = 3u64;
        for _ in 0..400 {
            let board = chess.board();
            for square in Square::ALL {
                for color in Color::ALL {
                    let expected = board.attacks_to(square, color, board.occupied());
                    assert_eq!(attackers(board, square, color), expected, "{square} in {board}");
                }
            }
            let legal = chess.legal_moves();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            match legal.len() {
                0 => chess = Chess::default(),
                count => chess.play_unchecked(legal[(state >> 33) as usize % count]),
            }
        }
    }
}
