//! The literal contract against the library, on random boards.

use bitmesh::shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use bitmesh::{
    DecompositionCertificate, UnionFind, certify_decomposition, find_subsystems, get_locked_pawns,
    partition_board, verify_conservative_legal_independence,
};
use proptest::prelude::*;

use bitmesh_lab::plain;
use bitmesh_lab::random::Rng;

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

/// Everything that the library says about a board, and about a certificate that is not its own.
fn compare(board: &Board, other: &DecompositionCertificate) {
    let plain = plain::certify(board);
    assert_eq!(get_locked_pawns(board), plain.barrier, "{board}");
    assert_eq!(find_subsystems(board), plain::find_subsystems(board), "{board}");
    let certificate = certify_decomposition(board);
    assert_eq!(certificate, plain, "{board}");
    assert_eq!(certificate.digest(), plain::digest(&plain), "{board}");
    for certificate in [&certificate, other] {
        let screened = verify_conservative_legal_independence(board, certificate);
        assert_eq!(screened, plain::screen(board, certificate), "{board}");
    }
}

/// A wall across the board or along a file, whole or with a gap, and pieces on the squares that it leaves.
fn walled_board(rng: &mut Rng) -> Board {
    let mut board = Board::empty();
    let (white, black) = (Color::White.pawn(), Color::Black.pawn());
    let square = |file: usize, rank: usize| Square::new((rank * 8 + file) as u32);
    match rng.below(3) {
        0 => {
            // Rams side by side on one rank could capture each other.
            let mut rank = 1 + rng.below(5);
            for file in 0..8 {
                board.set_piece_at(square(file, rank), white);
                board.set_piece_at(square(file, rank + 1), black);
                rank = if rank == 0 || rank < 5 && rng.below(2) == 0 { rank + 1 } else { rank - 1 };
            }
        }
        1 => {
            let file = rng.below(8);
            let half = rng.below(8);
            (0..8).for_each(|rank| {
                board.set_piece_at(square(file, rank), if rank < half { white } else { black })
            });
        }
        _ => {
            let rank = rng.below(7);
            for file in 0..8 {
                let second = if rng.below(16) == 0 { black } else { white };
                board.set_piece_at(square(file, rank), white);
                board.set_piece_at(square(file, rank + 1), second);
            }
        }
    }
    if rng.below(3) == 0 {
        board.discard_piece_at(Square::new(rng.below(64) as u32));
    }
    for _ in 0..2 + rng.below(8) {
        let square = Square::new(rng.below(64) as u32);
        let role = Role::ALL[rng.below(6)];
        if board.piece_at(square).is_none() {
            board.set_piece_at(square, Piece { color: Color::from_white(rng.below(2) == 0), role });
        }
    }
    board
}

fn scattered_board(rng: &mut Rng) -> Board {
    let mut board = Board::empty();
    let (pawns, pieces) = (rng.below(48), rng.below(16));
    for index in 0..pawns + pieces {
        let color = Color::from_white(rng.below(2) == 0);
        let role = if index < pawns { Role::Pawn } else { Role::ALL[rng.below(6)] };
        board.set_piece_at(Square::new(rng.below(64) as u32), Piece { color, role });
    }
    board
}

fn compare_many(count: u32) {
    let mut rng = Rng::new(1);
    let mut other = certify_decomposition(&"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse().unwrap());
    let mut strict = 0;
    for _ in 0..count {
        let board = if rng.below(3) == 0 { scattered_board(&mut rng) } else { walled_board(&mut rng) };
        compare(&board, &other);
        let certificate = certify_decomposition(&board);
        if certificate.strict {
            strict += 1;
            other = certificate;
        }
    }
    assert!(strict > count / 10, "only {strict} of {count} boards are strict");
}

#[test]
fn many_boards() {
    compare_many(if cfg!(debug_assertions) { 10_000 } else { 1_000_000 });
}

#[test]
#[ignore = "takes some minutes with --release"]
fn very_many_boards() {
    compare_many(30_000_000);
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
    fn any_board_with_any_certificate(board in any_board(), other in any_board()) {
        compare(&board, &plain::certify(&other));
    }
}
