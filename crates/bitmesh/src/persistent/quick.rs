//! A quick look that finds most positions for which layer 3 has nothing to say.
//!
//! [`analyze`](super::analyze) asks here first. *Yes* means that the largest witness freezes nothing and that no side is
//! short of pieces, so that there is nothing to claim; it comes from the board alone, castling rights and en passant can only
//! thaw more. *No* means that a closer look is needed.
//!
//! Every step drops only what cannot be frozen in the largest witness. Rules are those of
//! `docs/permanent-independence.md`.
//!
//! 1. A side with a pawn, a rook or a queen is not short of pieces.
//! 2. Begin with all pieces except those that an enemy pawn attacks, which cannot be frozen together with it and break
//!    rule 7 without it. A pawn needs something frozen in front of it (rule 5), so a pawn, a king or an officer that is
//!    left. An officer is dropped when it has a step onto a square where nothing can be frozen (rule 8), until none
//!    is. If officers are left, look closer.
//! 3. Now a king is frozen only if each of his steps is onto a pawn of his own that may be frozen or is guarded by the
//!    enemy (rule 8): by a pawn or the other king. If that may be so, look closer.
//! 4. Now only pawns can be frozen, and the one in front of a frozen pawn is frozen too. The last of such a column faces
//!    an enemy pawn: every frozen pawn stands in a column with a *ram*. A ram of which a pawn attacks or is attacked
//!    cannot be frozen (rules 6 and 7). If no ram is left, nothing is frozen.
//! 5. What may be frozen is thus part of a set *F₀*, the rams that are left with the pawns behind them. If the squares outside
//!    *F₀* are one region and each square of *F₀* has a neighbour in it, then the same holds for any part *F* of *F₀*. A queen
//!    reaches all of that region, because she steps like a king, and attacks every enemy pawn of *F*: rule 7 leaves
//!    none, and without them no ram. Likewise a rook or a knight when *F₀* is one ram, wherever it stands. Nothing is
//!    frozen. If there is no such piece, look closer.

use shakmaty::{Board, Color};

use crate::geometry::region::has_one_foot;
use crate::geometry::shift::{dilate, north, south};
use crate::geometry::steps::{bishop_steps, king_steps, knight_steps, pawn_attacks, rook_steps};

/// Whether the pieces alone show that [`analyze`](super::analyze) claims nothing about a legal position; `false` says
/// nothing.
///
/// `analyze` asks this first. It is for callers that have a board and would have to make a position from it. They must know
/// that the position is legal: about other boards, such as those without exactly one king a side, it says nothing.
///
/// ```
/// use bitmesh::persistent::is_plainly_open;
/// use bitmesh::shakmaty::Board;
///
/// assert!(is_plainly_open(&Board::new()));
/// let wall: Board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?;
/// assert!(!is_plainly_open(&wall));
/// # Ok::<(), bitmesh::shakmaty::fen::ParseFenError>(())
/// ```
#[must_use]
pub fn is_plainly_open(board: &Board) -> bool {
    let (white, black) = (board.white().0, board.black().0);
    let (pawns, kings) = (board.pawns().0, board.kings().0);
    let (knights, bishops) = (board.knights().0, board.bishops().0);
    let (straight, diagonal) = (board.rooks_and_queens().0, board.bishops_and_queens().0);

    let ample = pawns | straight;
    if white & ample == 0 || black & ample == 0 {
        return false;
    }

    let (white_pawns, black_pawns) = (white & pawns, black & pawns);
    // A ram is known by its white pawn. Pawns that attack a piece other than a king, an enemy pawn among them, are thawed.
    let white_thawed = pawn_attacks(Color::Black, black & !kings);
    let black_thawed = pawn_attacks(Color::White, white & !kings);
    let rams = white_pawns & south(black_pawns) & !(white_thawed | south(black_thawed));
    let queens = straight & diagonal;
    // Most blockades end here: step 5 would find no piece that could take the rams.
    let several = rams & rams.wrapping_sub(1) != 0;
    if several && queens == 0 {
        return false;
    }

    let white_guard = pawn_attacks(Color::White, white_pawns);
    let black_guard = pawn_attacks(Color::Black, black_pawns);
    let attacked = white_guard & black | black_guard & white;
    let mut officers = (knights | bishops | straight) & !attacked;
    let blocked = loop {
        let stoppers = pawns | kings | officers;
        let blocked = (white_pawns & south(stoppers) | black_pawns & north(stoppers)) & !attacked;
        if officers == 0 {
            break blocked;
        }
        let open = !(blocked | officers | kings);
        let moving =
            straight & rook_steps(open) | diagonal & bishop_steps(open) | knights & knight_steps(open);
        if officers & moving == 0 {
            return false;
        }
        officers &= !moving;
    };

    let (white_king, black_king) = (white & kings, black & kings);
    let (beside_white, beside_black) = (king_steps(white_king), king_steps(black_king));
    if beside_white & !(blocked & white | black_guard | beside_black) == 0
        || beside_black & !(blocked & black | white_guard | beside_white) == 0
    {
        return false;
    }

    if rams == 0 {
        return true;
    }
    let (mut white_columns, mut black_columns) = (rams, north(rams));
    loop {
        let longer_white = white_columns | south(white_columns) & white_pawns & !white_thawed;
        let longer_black = black_columns | north(black_columns) & black_pawns & !black_thawed;
        if longer_white == white_columns && longer_black == black_columns {
            break;
        }
        (white_columns, black_columns) = (longer_white, longer_black);
    }
    let columns = white_columns | black_columns;
    if queens != 0 && has_one_foot(!columns) && columns & !dilate(!columns) == 0 {
        return true;
    }
    !several && columns == rams | north(rams) && knights | straight != 0
}

#[cfg(test)]
mod tests {
    use std::format;

    use shakmaty::{Bitboard, Role, Square};

    use super::*;
    use crate::geometry::steps::officer_steps;

    fn is_open(board: &str) -> bool {
        is_plainly_open(&board.parse().unwrap_or_else(|error| panic!("{board}: {error}")))
    }

    #[test]
    fn the_start_and_usual_positions_are_open() {
        for board in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R",
            "8/5pk1/6p1/8/3R4/6P1/5PK1/3r4",
        ] {
            assert!(is_open(board), "{board}");
        }
    }

    #[test]
    fn a_side_short_of_pieces_needs_a_closer_look() {
        assert!(is_open("4k3/7r/8/8/8/8/P7/4K3"));
        assert!(!is_open("4k3/7n/8/8/8/8/P7/4K3"));
        assert!(!is_open("4k3/7b/8/8/8/8/P7/4K3"));
        assert!(!is_open("4k3/8/8/8/8/8/P7/4K3"));
    }

    #[test]
    fn an_officer_walled_in_needs_a_closer_look() {
        assert!(!is_open("4k3/7r/8/8/8/1p6/1P6/B3K3"));
        assert!(is_open("4k3/7r/8/8/1p6/8/1P6/B3K3"), "the pawn in the bishop's way goes");
        assert!(is_open("4k3/7r/8/8/8/1pp5/1P6/B3K3"), "the pawn in the bishop's way is taken");
        assert!(!is_open("4k3/7r/8/8/8/p1p5/P1P5/RB2K3"), "the bishop holds the rook");
        assert!(is_open("4k3/7r/8/8/8/p7/P7/RN2K3"), "the knight goes, and then the rook");
    }

    #[test]
    fn a_king_without_a_free_step_needs_a_closer_look() {
        assert!(!is_open("4k3/7r/8/8/8/p7/P1p5/K6Q"), "a2 is his own, b1 and b2 are guarded");
        assert!(is_open("4k3/7r/8/8/8/p7/P7/K6Q"), "b1 is free");
        assert!(is_open("4k3/7r/8/8/p7/8/P1p5/K6Q"), "a2 goes");
        assert!(!is_open("7r/8/8/8/8/p7/P1k5/K6Q"), "the other king guards b1 and b2");
        assert!(is_open("7r/8/8/8/8/p7/P2k4/K6Q"), "the other king is too far away");
    }

    #[test]
    fn columns_without_a_ram_come_apart() {
        assert!(is_open("4k3/8/8/8/p1p5/8/P1P5/4K3"), "no two pawns face each other");
        assert!(is_open("4k3/8/8/1pp5/1PP5/8/8/R3K3"), "the pawns attack each other");
        assert!(!is_open("4k3/8/8/1p1p4/1P1P4/8/8/R3K3"), "two rams and no queen");
    }

    #[test]
    fn a_queen_outside_one_region_takes_all_rams() {
        assert!(is_open("4k3/8/8/1p1p4/1P1P4/8/8/Q3K3"));
        let wall = "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/Q3K3";
        assert!(!is_open(wall), "she stays on her side");
    }

    #[test]
    fn rook_and_knight_take_a_single_ram_and_a_bishop_may_not() {
        for officer in ["R", "N", "Q"] {
            assert!(is_open(&format!("4k3/8/8/1p6/1P6/8/8/{officer}3K3")), "{officer}");
        }
        assert!(!is_open("4k3/8/8/1p6/1P6/8/8/B3K3"));
        assert!(!is_open("4k3/8/8/1p6/1P6/1P6/8/R3K3"), "a ram with a pawn behind it");
    }

    /// What step 5 says of a single ram.
    #[test]
    fn both_pawns_of_any_ram_are_attacked_from_everywhere() {
        for white in Square::ALL.into_iter().filter(|square| (1..6).contains(&u32::from(square.rank()))) {
            let ram = Bitboard::from(white).0 | north(Bitboard::from(white).0);
            for role in [Role::Rook, Role::Knight, Role::Queen] {
                for start in Bitboard(!ram) {
                    let mut reach = Bitboard::from(start).0;
                    loop {
                        let grown = reach | officer_steps(role, reach) & !ram;
                        if grown == reach {
                            break;
                        }
                        reach = grown;
                    }
                    assert_eq!(officer_steps(role, reach) & ram, ram, "{role:?} on {start}, ram on {white}");
                }
            }
        }
    }
}
