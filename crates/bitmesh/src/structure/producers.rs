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

/// The same, with the components in a list that is there already.
pub(crate) fn certify_with_room(
    board: &Board,
    mut components: Vec<DecompositionComponent>,
) -> DecompositionCertificate {
    let barrier = get_locked_pawns(board);
    components.clear();
    certificate(barrier, regions(board, barrier), components)
}

/// The components come into an empty list.
#[inline]
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
