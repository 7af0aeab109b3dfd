//! Whether pawns can divide a board at all, found faster than the regions.
//!
//! Layer 1 is strict when the locked pawns leave two regions with pieces. In a legal position no pawn stands on the first or
//! last rank, so a region can only be closed off by at least five locked pawns (at the edge of the board; more in the
//! middle), and all pieces but those inside are in one region.

use shakmaty::{Bitboard, Board};

/// Whether fewer than five pawns have anything in front of them.
///
/// No other pawn of a legal position is locked, so nothing is closed off.
#[inline]
pub(crate) fn too_few_are_blocked(board: &Board) -> bool {
    let occupied = board.occupied().0;
    let pawns = board.pawns().0;
    let white = pawns & board.white().0;
    has_less_than_five(white & occupied >> 8 | (pawns & !white) & occupied << 8)
}

/// Whether the squares without pawns are connected, and each pawn stands beside one of them.
///
/// Then the same is true when only some of the pawns are taken for a barrier: every other one joins its neighbour. So
/// there is one region whichever pawns are locked.
pub(crate) fn leave_one_region(pawns: Bitboard) -> bool {
    let free = !pawns.0;
    if pawns.0 & !dilate(free) != 0 {
        return false;
    }
    let mut region = free & free.wrapping_neg();
    loop {
        // When one step was needed there are most often more: two for one look.
        let grown = dilate(dilate(region) & free) & free;
        if grown == region {
            return region == free;
        }
        region = grown;
    }
}

/// Whether a set has fewer than five squares, for less than it takes to count them.
const fn has_less_than_five(squares: u64) -> bool {
    let mut rest = squares;
    let mut taken = 0;
    while taken < 4 {
        rest &= rest.wrapping_sub(1);
        taken += 1;
    }
    rest == 0
}

/// The squares with all their neighbours.
const fn dilate(squares: u64) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = FILE_A << 7;
    let row = squares | (squares & !FILE_H) << 1 | (squares & !FILE_A) >> 1;
    row | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use bitmesh::{find_subsystems, get_locked_pawns};
    use proptest::prelude::*;

    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Kings on the first and last rank, and pawns between them.
    fn pawns() -> impl Strategy<Value = Board> {
        let rams = proptest::collection::vec(0usize..7, 8);
        let others = any::<[u64; 3]>();
        (rams, others, any::<bool>()).prop_map(|(rams, others, dense)| {
            let inner = !0xff00_0000_0000_00ff_u64;
            let mut board = board("k7/8/8/8/8/8/8/7K");
            let mut put = |squares: u64, piece: shakmaty::Piece| {
                for square in Bitboard(squares & inner) {
                    board.set_piece_at(square, piece);
                }
            };
            let [one, two, three] = others;
            put(one & two & three, shakmaty::Color::White.pawn());
            put(one & two & !three, shakmaty::Color::Black.pawn());
            for (file, rank) in rams.into_iter().enumerate() {
                let white = 1u64 << (8 * rank + file);
                if dense || rank % 2 == 0 {
                    put(white, shakmaty::Color::White.pawn());
                    put(white << 8, shakmaty::Color::Black.pawn());
                }
            }
            board
        })
    }

    #[test]
    fn it_takes_five_to_close_off_a_region() {
        let five = board("4k3/8/NN6/PP6/NP6/pp6/nn6/4K3");
        assert_eq!((get_locked_pawns(&five).count(), find_subsystems(&five)), (5, (true, 2)));
        assert!(!too_few_are_blocked(&five));
        let four = board("4k3/8/1N6/1P6/NP6/pp6/nn6/4K3");
        assert_eq!(find_subsystems(&four), (false, 1));
        assert!(too_few_are_blocked(&four));
        assert!(!too_few_are_blocked(&board("4k3/8/8/8/pppp4/PPPP4/8/4K3")), "rams count twice");
    }

    #[test]
    fn a_wall_leaves_two_regions_and_a_gap_one() {
        let wall = board("k7/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/7K");
        assert!(!leave_one_region(wall.pawns()));
        let gap = board("k7/8/8/p1p1p3/PpPpPp2/1P1P1P2/8/7K");
        assert!(leave_one_region(gap.pawns()));
        let buried = Bitboard(0x0007_0707 << 8);
        assert!(!leave_one_region(buried), "a pawn without a free neighbour");
        assert!(leave_one_region(Bitboard::EMPTY));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn nothing_divided_is_passed_over(board in pawns()) {
            let divided = find_subsystems(&board).1 > 1;
            prop_assert!(!(divided && too_few_are_blocked(&board)));
            prop_assert!(!(divided && leave_one_region(board.pawns())));
        }
    }
}
