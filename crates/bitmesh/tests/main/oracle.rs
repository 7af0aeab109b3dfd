//! The literal contract against the library, on random boards.

use bitmesh::shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use bitmesh::{
    UnionFind, certify_decomposition, find_subsystems, get_locked_pawns, partition_board,
    verify_conservative_legal_independence,
};
use proptest::prelude::*;

use crate::plain;

/// Boards with many pawns head-on, which is where barriers come from.
pub(crate) fn any_board() -> impl Strategy<Value = Board> {
    let piece = prop_oneof![
        6 => Just(None),
        3 => Just(Some(Color::White.pawn())),
        3 => Just(Some(Color::Black.pawn())),
        1 => (any::<bool>(), 0..5usize).prop_map(|(white, role)| Some(Piece {
            color: Color::from_white(white),
            role: [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King][role],
        })),
    ];
    let scattered = proptest::collection::vec(piece, 64);
    let wall = proptest::collection::vec(0..5i32, 8);
    (scattered, wall, any::<u64>(), any::<u64>()).prop_map(|(pieces, wall, keep, keep_too)| {
        let mut board = Board::empty();
        for (index, (square, piece)) in Square::ALL.into_iter().zip(pieces).enumerate() {
            if let Some(piece) = piece.filter(|_| (keep & keep_too) >> index & 1 == 1) {
                board.set_piece_at(square, piece);
            }
        }
        for (file, height) in wall.into_iter().enumerate().filter(|(file, _)| keep >> file & 3 != 0) {
            let white = Square::new((height * 8 + 8) as u32 + file as u32);
            board.set_piece_at(white, Color::White.pawn());
            board.set_piece_at(Square::new(u32::from(white) + 8), Color::Black.pawn());
        }
        board
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn roots_of_random_barriers(bits in any::<[u64; 3]>(), density in 0..4) {
        let barrier = Bitboard(match density {
            0 => bits[0] & bits[1] & bits[2],
            1 => bits[0] & bits[1],
            2 => bits[0],
            _ => bits[0] | bits[1],
        });
        let mut plain = plain::partition(barrier);
        let mut shipped = partition_board(barrier);
        for square in 0..64 {
            prop_assert_eq!(shipped.contains(square), barrier.0 >> square & 1 == 0);
            if shipped.contains(square) {
                prop_assert_eq!(shipped.find(square), plain.find(square));
            }
        }
    }

    #[test]
    fn unions_in_any_order(pairs in proptest::collection::vec((0..64usize, 0..64usize), 0..120)) {
        let (mut plain, mut shipped) = (plain::UnionFind::new(), UnionFind::new());
        for (first, second) in pairs {
            prop_assert_eq!(shipped.connected(first, second), plain.find(first) == plain.find(second));
            prop_assert_eq!(shipped.union(first, second), plain.union(first, second));
            prop_assert_eq!(shipped.find(first), plain.find(first));
        }
    }

    #[test]
    fn certificates_of_random_boards(board in any_board()) {
        let plain = plain::certify(&board);
        prop_assert_eq!(get_locked_pawns(&board), plain.barrier);
        prop_assert_eq!(find_subsystems(&board), plain::find_subsystems(&board));
        let certificate = certify_decomposition(&board);
        prop_assert_eq!(&certificate, &plain);
        prop_assert_eq!(certificate.canonical_payload(), plain::payload(&plain));
        prop_assert_eq!(certificate.digest(), plain::digest(&plain));
        prop_assert_eq!(
            verify_conservative_legal_independence(&board, &certificate),
            plain::screen(&board, &plain)
        );
    }
}
