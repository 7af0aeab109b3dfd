//! Material that cannot mate: a property of the board.
//!
//! `docs/permanent-independence.md` has the two lemmas. The predicate belongs to what must be trusted.

use shakmaty::{Bitboard, Board, Chess, Color, Position as _};

/// Whether no move of this colour, from here or from anywhere that play leads to, is mate, by what stands on the board.
///
/// - The colour has a king and bishops on squares of one shade (perhaps none); the other side has no pawn, no
///   knight, and no bishop on a square of the other shade.
/// - Or it has a king and one knight; the other side has a king and queens.
///
/// It looks at moves to come: a position can be mate already, by two bishops at once, which no move can have given.
/// Such positions must be excluded before anything is claimed.
pub(super) const fn cannot_mate(board: &Board, color: Color) -> bool {
    let kings = board.kings().0;
    let own = board.by_color(color).0 & !kings;
    let other = board.by_color(match color {
        Color::White => Color::Black,
        Color::Black => Color::White,
    });
    let other = other.0 & !kings;
    let (knights, bishops) = (board.knights().0, board.bishops().0);

    let all_bishops = own | other & bishops;
    let one_shade =
        all_bishops & Bitboard::LIGHT_SQUARES.0 == 0 || all_bishops & Bitboard::DARK_SQUARES.0 == 0;
    if own & !bishops == 0 && one_shade && other & (board.pawns().0 | knights) == 0 {
        return true;
    }
    own & !knights == 0 && own.count_ones() == 1 && other & !board.queens().0 == 0
}

/// Whether a colour has not mated already, and never will by what stands on the board.
pub(super) fn excluded_by_material(position: &Chess, color: Color) -> bool {
    cannot_mate(position.board(), color) && !(position.turn() != color && position.is_checkmate())
}
