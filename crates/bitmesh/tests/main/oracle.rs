//! Plain versions, written from the contract one square at a time, against the shipped ones.

use bitmesh::shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use bitmesh::{UnionFind, certify_decomposition, find_subsystems, get_locked_pawns, partition_board};
use proptest::prelude::*;

/// The union-find of the contract without path compression: slow, and plainly right.
struct PlainUnionFind {
    parent: [usize; 64],
    rank: [u32; 64],
}

impl PlainUnionFind {
    fn new() -> Self {
        Self { parent: std::array::from_fn(|square| square), rank: [0; 64] }
    }

    fn find(&self, mut square: usize) -> usize {
        while self.parent[square] != square {
            square = self.parent[square];
        }
        square
    }

    fn union(&mut self, first: usize, second: usize) -> bool {
        let (first, second) = (self.find(first), self.find(second));
        if first == second {
            return false;
        }
        if self.rank[first] < self.rank[second] {
            self.parent[first] = second;
        } else if self.rank[first] > self.rank[second] {
            self.parent[second] = first;
        } else {
            self.parent[first] = second;
            self.rank[second] += 1;
        }
        true
    }
}

fn plain_partition(barrier: Bitboard) -> PlainUnionFind {
    let mut regions = PlainUnionFind::new();
    for (east, north) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for rank in 0..8i32 {
            for file in 0..8i32 {
                let (to_file, to_rank) = (file + east, rank + north);
                if !(0..8).contains(&to_file) || !(0..8).contains(&to_rank) {
                    continue;
                }
                let (from, to) = ((rank * 8 + file) as usize, (to_rank * 8 + to_file) as usize);
                if barrier.0 >> from & 1 == 0 && barrier.0 >> to & 1 == 0 {
                    regions.union(from, to);
                }
            }
        }
    }
    regions
}

fn plain_locked_pawns(board: &Board) -> Bitboard {
    let is_locked = |square: Square| {
        let Some(Piece { color, role: Role::Pawn }) = board.piece_at(square) else { return false };
        let step = color.fold_wb(1, -1);
        let at = |files: i32| {
            let (file, rank) = (i32::from(square.file()) + files, i32::from(square.rank()) + step);
            let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
            on_board.then(|| board.piece_at(Square::new((rank * 8 + file) as u32)))
        };
        let blocked = at(0).is_none_or(|piece| piece.is_some());
        let captures = [-1, 1].iter().any(|&f| at(f).flatten().is_some_and(|piece| piece.color != color));
        blocked && !captures
    };
    Square::ALL.into_iter().filter(|&square| is_locked(square)).collect()
}

/// Components with pieces as (root, mask, pieces), by ascending root.
fn plain_components(board: &Board, barrier: Bitboard) -> Vec<(u8, Bitboard, Bitboard)> {
    let regions = plain_partition(barrier);
    (0..64)
        .filter_map(|root| {
            let mask: Bitboard =
                (!barrier).into_iter().filter(|&s| regions.find(usize::from(s)) == root).collect();
            let active = mask & board.occupied();
            (!active.is_empty()).then_some((root as u8, mask, active))
        })
        .collect()
}

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
        let plain = plain_partition(barrier);
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
        let (mut plain, mut shipped) = (PlainUnionFind::new(), UnionFind::new());
        for (first, second) in pairs {
            prop_assert_eq!(shipped.connected(first, second), plain.find(first) == plain.find(second));
            prop_assert_eq!(shipped.union(first, second), plain.union(first, second));
            prop_assert_eq!(shipped.find(first), plain.find(first));
        }
    }

    #[test]
    fn certificates_of_random_boards(board in any_board()) {
        let barrier = plain_locked_pawns(&board);
        prop_assert_eq!(get_locked_pawns(&board), barrier);
        let components = plain_components(&board, barrier);
        let certificate = certify_decomposition(&board);
        prop_assert_eq!(certificate.barrier, barrier);
        let found: Vec<_> = certificate.components.iter().map(|c| (c.root, c.mask, c.active_mask)).collect();
        prop_assert_eq!(&found, &components);
        prop_assert_eq!(certificate.strict, !barrier.is_empty() && components.len() >= 2);
        prop_assert_eq!(certificate.validate(), Ok(()));
        prop_assert_eq!(find_subsystems(&board), (components.len() > 1, components.len() as u8));
    }
}
