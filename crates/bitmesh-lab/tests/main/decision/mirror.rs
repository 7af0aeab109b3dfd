//! The sides are alike: a mirrored position has the mirrored answer, found in the same way.

use bitmesh::decision::{Decider, Effort};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position as _};

use super::{decided, position};

fn mirrored(position: &Chess) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.mirror();
    let mode = CastlingMode::detect(&setup);
    setup.position(mode).unwrap()
}

#[test]
fn mirrored_positions_have_mirrored_lines() {
    let fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1",
        "6bk/7p/5BpP/1p1p1pP1/1P1P1P2/8/6K1/8 b - - 19 10",
        "k1K5/P7/8/8/8/8/8/8 b - - 0 1",
        "8/8/8/4k3/8/2n5/PP6/K7 w - - 0 1",
        "8/5kp1/8/5pq1/8/7n/4K3/8 w - - 0 58",
    ];
    let mut decider = Decider::new(Effort::positions(20_000));
    for fen in fens {
        let one = position(fen);
        let other = mirrored(&one);
        for color in Color::ALL {
            let first = decided(&mut decider, &one, color);
            let looked_at = decider.looked_at();
            let second = decided(&mut decider, &other, !color);
            assert_eq!(first.verdict(), second.verdict(), "{fen}");
            assert_eq!(looked_at, decider.looked_at(), "{fen}, {color}");
            if let (
                bitmesh::decision::Decision::Winnable(first),
                bitmesh::decision::Decision::Winnable(second),
            ) = (first, second)
            {
                let turned: Vec<_> = second.moves().iter().map(|played| played.to_mirrored()).collect();
                assert_eq!(first.moves(), turned, "{fen}");
            }
        }
    }
}
