//! From a board to its certificate.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board};

use crate::geometry::region::Regions;
use crate::geometry::root::root;
use crate::structure::barrier::get_locked_pawns;
use crate::structure::certificate::{DecompositionCertificate, DecompositionComponent};

/// Whether more than one region of the board holds pieces outside the barrier, and how many do.
///
/// Layer 1 without evidence: the barrier is the locked pawns, regions are the
/// 8-connected components of the other squares. It claims nothing about moves.
///
/// ```
/// let board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?;
/// assert_eq!(bitmesh::find_subsystems(&board), (true, 2));
/// # Ok::<(), bitmesh::shakmaty::fen::ParseFenError>(())
/// ```
#[must_use]
#[inline]
pub fn find_subsystems(board: &Board) -> (bool, u8) {
    let count = regions(board, get_locked_pawns(board)).count_quickly();
    (count > 1, count)
}

fn regions(board: &Board, barrier: Bitboard) -> Regions {
    Regions::new(!barrier.0, (board.occupied() & !barrier).0)
}

/// Certifies the structure of a board: its locked pawns and the regions that hold other pieces.
///
/// The claim is about geometry alone, and about this board alone. Whether a piece
/// can cross or break the barrier with its next move is the screen's question
/// ([`verify_conservative_legal_independence`](crate::verify_conservative_legal_independence)).
///
/// ```
/// let board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?;
/// let certificate = bitmesh::certify_decomposition(&board);
/// assert!(certificate.strict);
/// assert_eq!(
///     certificate.digest()?.to_hex(),
///     "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn certify_decomposition(board: &Board) -> DecompositionCertificate {
    let barrier = get_locked_pawns(board);
    let regions = regions(board, barrier);
    let components = Vec::with_capacity(regions.at_most());
    certificate(barrier, regions, components)
}

/// Makes the certificate of any board, `before`, that of this one. The components stay where they are, and nothing is
/// allocated if there is room for them.
///
/// The regions and their roots depend on the barrier alone, and a board says only which of them hold pieces. So if the
/// barrier is that of the board before, and all other squares are one region, just the occupied squares are new.
pub(crate) fn certify_after(before: &mut DecompositionCertificate, board: &Board) {
    let barrier = get_locked_pawns(board);
    let active = board.occupied() & !barrier;
    if let [component] = &mut before.components[..]
        && before.barrier == barrier
        && component.mask == !barrier
        && active.any()
    {
        component.active_mask = active;
    } else {
        let mut components = core::mem::take(&mut before.components);
        components.clear();
        *before = certificate(barrier, regions(board, barrier), components);
    }
    debug_assert_eq!(*before, certify_decomposition(board));
}

/// The components come into an empty list.
#[inline(always)]
fn certificate(
    barrier: Bitboard,
    regions: Regions,
    mut components: Vec<DecompositionComponent>,
) -> DecompositionCertificate {
    for region in regions {
        components.push(DecompositionComponent {
            root: root(&region),
            mask: Bitboard(region.squares),
            active_mask: Bitboard(region.pieces),
        });
    }
    components.sort_unstable_by_key(|component| component.root);
    DecompositionCertificate::from_components(barrier, components)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{Chess, Color, Position as _, Square};

    use super::*;

    proptest! {
        #[test]
        fn a_certificate_after_another_is_that_of_the_board(
            boards in proptest::collection::vec((any::<[u64; 3]>(), 0..4), 1..40),
        ) {
            let mut certificate = certify_decomposition(&Board::empty());
            let mut pawns = Bitboard::EMPTY;
            for ([white, black, others], change) in boards {
                // The same pawns with other pieces, none at all, or other pawns.
                if change == 0 {
                    pawns = Bitboard(white & black & !0xff00_0000_0000_00ff);
                }
                let mut board = Board::empty();
                for square in pawns {
                    let color = Color::from_white(white >> u32::from(square) & 1 == others & 1);
                    board.set_piece_at(square, color.pawn());
                }
                for square in Bitboard(others & white & black) & !pawns {
                    if change < 3 {
                        board.set_piece_at(square, Color::from_white(change == 1).knight());
                    }
                }
                certify_after(&mut certificate, &board);
                prop_assert_eq!(&certificate, &certify_decomposition(&board));
            }
        }

        #[test]
        fn a_certificate_after_a_move_is_that_of_the_board(choices in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut chess = Chess::default();
            let mut certificate = certify_decomposition(chess.board());
            for choice in choices {
                let legal = chess.legal_moves();
                if legal.is_empty() {
                    break;
                }
                chess.play_unchecked(legal[usize::from(choice) % legal.len()]);
                certify_after(&mut certificate, chess.board());
                prop_assert_eq!(&certificate, &certify_decomposition(chess.board()));
            }
        }
    }

    #[test]
    fn a_board_without_pieces_has_no_components_after_one_with_them() {
        let mut board = Board::empty();
        board.set_piece_at(Square::E4, Color::White.king());
        let mut certificate = certify_decomposition(&board);
        assert_eq!(certificate.components.len(), 1);
        certify_after(&mut certificate, &Board::empty());
        assert!(certificate.components.is_empty());
    }
}
