//! Moves after which layer 3 says what it said before.

use shakmaty::{Chess, Move, Position as _, Role};

use crate::geometry::steps::pawn_attacks;

/// Whether a legal move changes nothing that [`analyze`](super::analyze) says.
///
/// It is a *reversible* move: not of a pawn, no capture and no castling; it ends no castling right, the position before
/// it has no en-passant square, and if the king moves, no enemy pawn attacks the square that he leaves. The proof is in
/// `docs/permanent-independence.md`, under *Reversible moves*. A program that follows a game can keep the answer for
/// more than half of its moves.
///
/// `false` says nothing: the answer may change, but usually does not. A move that is not legal may get either answer.
///
/// ```
/// use bitmesh::persistent::{analyze, keeps_outline};
/// use shakmaty::{Chess, Position, san::San};
///
/// let mut position = Chess::default();
/// let knight = "Nf3".parse::<San>()?.to_move(&position)?;
/// assert!(keeps_outline(&position, knight));
/// let before = analyze(&position);
/// position.play_unchecked(knight);
/// assert_eq!(analyze(&position), before);
///
/// let pawn = "e5".parse::<San>()?.to_move(&position)?;
/// assert!(!keeps_outline(&position, pawn));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[inline]
pub fn keeps_outline(position: &Chess, played: Move) -> bool {
    let Move::Normal { role, from, capture: None, .. } = played else { return false };
    if position.maybe_ep_square().is_some() {
        return false;
    }
    match role {
        Role::Pawn => false,
        Role::Rook => !position.castles().castling_rights().contains(from),
        Role::King => {
            let turn = position.turn();
            let enemy_pawns = position.board().pawns().0 & position.board().by_color(!turn).0;
            !position.castles().has_color(turn) && pawn_attacks(turn, 1 << u32::from(from)) & enemy_pawns == 0
        }
        Role::Knight | Role::Bishop | Role::Queen => true,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;

    use super::*;

    fn keeps(fen: &str, uci: &str) -> bool {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let played = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
        keeps_outline(&position, played)
    }

    #[test]
    fn quiet_moves_of_officers_and_kings_are_reversible() {
        let fen = "4k3/1p6/8/2n1b3/8/8/R4PPP/1Q2K2R w K - 0 1";
        for uci in ["a2a4", "b1b3", "a2a1"] {
            assert!(keeps(fen, uci), "{uci}");
        }
        for uci in ["c5e4", "e5c7", "e8d7"] {
            assert!(keeps(&fen.replace(" w ", " b "), uci), "{uci}");
        }
    }

    #[test]
    fn pawns_captures_and_castling_are_not() {
        let fen = "4k3/1p6/8/2n1b3/8/8/R4PPP/1Q2K2R w K - 0 1";
        for uci in ["f2f3", "f2f4", "b1b7", "e1g1"] {
            assert!(!keeps(fen, uci), "{uci}");
        }
    }

    #[test]
    fn a_move_that_ends_a_castling_right_is_not() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1";
        assert!(!keeps(fen, "h1g1"));
        assert!(!keeps(fen, "e1d1"));
        assert!(keeps(fen, "a1b1"), "this rook has none");
        let black = fen.replace(" w ", " b ");
        assert!(!keeps(&black, "a8b8"));
        assert!(!keeps(&black, "e8d8"));
        assert!(keeps(&fen.replace(" w Kkq", " w kq"), "e1d1"), "only the other king has rights");
    }

    #[test]
    fn a_move_that_lets_en_passant_pass_is_not() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K2R w - d6 0 1";
        assert!(!keeps(fen, "h1h2"));
        assert!(keeps(&fen.replace("d6", "-"), "h1h2"));
    }

    #[test]
    fn a_king_that_leaves_the_guard_of_a_pawn_is_not() {
        let fen = "4k3/8/8/8/8/3p4/4K3/8 w - - 0 1";
        assert!(!keeps(fen, "e2e3"));
        assert!(keeps(&fen.replace("3p4", "5P2"), "e2e3"), "a pawn of his own");
        assert!(keeps(&fen.replace("3p4", "4p3"), "e2d1"), "the pawn in front of him attacks other squares");
    }
}
