//! Material that cannot mate.

use bitmesh::persistent::{
    Bound, CheckError, PersistentCertificate, Proof, check, never_mates, prove_unwinnable,
};
use shakmaty::attacks::{between, king_attacks, knight_attacks, queen_attacks};
use shakmaty::{Bitboard, Chess, Color, Position as _, Square};

use super::{play, position};

/// A certificate that rests on material, whether it holds or not: the position, the verdict, kind 4.
fn forged(position: &Chess, color: Color) -> PersistentCertificate {
    let mut bytes = bitmesh::persistent::prove(position).canonical_payload();
    bytes.truncate(77);
    bytes.extend([color.fold_wb(1, 2), 4]);
    PersistentCertificate::decode(&bytes).expect("a certificate")
}

#[test]
fn too_little_for_mate() {
    for (fen, color) in [
        // Bishops of one shade against queens, rooks and bishops of that shade.
        ("7k/5q2/8/8/8/8/3r4/K1B5 w - - 0 1", Color::White),
        ("kq6/rr6/8/8/8/8/1B6/B1K1B1B1 b - - 0 1", Color::White),
        ("4k2b/8/8/8/8/3R4/1Q6/K1R5 w - - 0 1", Color::Black),
        ("r3k2r/8/8/8/8/8/8/2B1K3 b kq - 0 1", Color::White),
        // One knight against queens.
        ("7k/5q2/8/8/8/8/3q4/K1N5 w - - 0 1", Color::White),
        ("kn6/8/8/8/8/8/3Q4/K1QQ4 b - - 0 1", Color::Black),
        // In check from both bishops, as no game comes to it, but with a way out.
        ("8/8/8/8/8/2b1k1b1/8/R3KR2 w - - 0 1", Color::Black),
    ] {
        let start = position(fen);
        assert!(never_mates(&start, color), "{fen}");
        let certificate = prove_unwinnable(&start, color, Bound::nodes(1)).expect(fen);
        assert!(matches!(certificate.proof(), Proof::Material), "{fen}");
        assert!(*check(&certificate).expect(fen).unwinnable.get(color), "{fen}");
        let bytes = certificate.canonical_payload();
        assert_eq!(bytes.len(), 79);
        assert_eq!(PersistentCertificate::decode(&bytes).as_ref(), Ok(&certificate));
        let claims = certificate.claims();
        assert!(!claims.decomposed() && !claims.exact_sum());
    }
}

#[test]
fn one_piece_more_and_there_is_a_mate() {
    for (fen, mate) in [
        // A knight, a pawn, a bishop of the other shade on the king's side; two bishops; a knight against a rook.
        ("6nk/8/6KB/8/8/8/8/8 w - - 0 1", "h6g7"),
        ("7k/5K1p/8/8/8/8/8/2B5 w - - 0 1", "c1b2"),
        ("6bk/8/6K1/8/8/8/8/2B5 w - - 0 1", "c1b2"),
        ("7k/8/4B1K1/8/8/8/8/4B3 w - - 0 1", "e1c3"),
        ("6rk/8/7K/4N3/8/8/8/8 w - - 0 1", "e5f7"),
    ] {
        let mut after = position(fen);
        assert!(!never_mates(&after, Color::White), "{fen}");
        assert!(prove_unwinnable(&after, Color::White, Bound::nodes(5_000)).is_none(), "{fen}");
        let error = check(&forged(&after, Color::White)).expect_err(fen);
        assert_eq!(error, CheckError::MaterialMates { color: Color::White }, "{fen}");
        play(&mut after, mate);
        assert!(after.is_checkmate(), "{fen}");
    }
}

#[test]
fn mate_on_the_board_comes_first() {
    // What shakmaty calls insufficient, and is mate by two bishops at once.
    for fen in [
        "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1",
        "8/8/8/8/8/1k6/b1b5/RKR5 w - - 0 1",
        "5B2/7r/5K1k/7r/8/4B3/8/8 b - - 0 1",
    ] {
        let start = position(fen);
        let winner = !start.turn();
        assert!(start.is_checkmate() && start.has_insufficient_material(winner), "{fen}");
        assert!(!never_mates(&start, winner), "{fen}");
        assert!(prove_unwinnable(&start, winner, Bound::default()).is_none(), "{fen}");
        let error = check(&forged(&start, winner)).expect_err(fen);
        assert_eq!(error, CheckError::MateOnBoard { color: winner }, "{fen}");
        assert_eq!(error.code(), "persistent/mate-on-board");
        // The other colour's game is over: it never mates.
        let certificate = prove_unwinnable(&start, !winner, Bound::default()).expect(fen);
        assert!(*check(&certificate).expect(fen).unwinnable.get(!winner), "{fen}");
    }
}

/// The squares next to a king that neither the other king nor, in the second lemma, the knight attacks.
fn open_neighbours(king: Square, post: Square, attacked: Bitboard) -> Bitboard {
    king_attacks(king) & !king_attacks(post) & !Bitboard::from(post) & !attacked
}

#[test]
fn the_lemma_of_the_bishops_has_no_exception() {
    let mut patterns = 0;
    for king in Square::ALL {
        for post in Square::ALL.into_iter().filter(|&post| post.distance(king) > 1) {
            for beside in shakmaty::attacks::bishop_attacks(king, Bitboard::FULL) {
                // Beside the square that a diagonal check passes or comes from, next to the king, of the other shade.
                let own = king_attacks(king) & shakmaty::attacks::rook_attacks(beside, Bitboard::FULL);
                assert_eq!(own.count(), 2);
                let left = own & open_neighbours(king, post, Bitboard::EMPTY);
                assert!(left.any() && left.into_iter().all(|square| square.is_light() != king.is_light()));
                patterns += 1;
            }
        }
    }
    assert_eq!(patterns, 10_944);
}

#[test]
fn the_lemma_of_the_knight_has_no_exception() {
    let mut patterns = 0;
    for king in Square::ALL {
        for post in Square::ALL.into_iter().filter(|&post| post.distance(king) > 1) {
            for knight in knight_attacks(king).into_iter().filter(|&knight| knight != post) {
                // Queens must stand on all of them, and one of these is on a free line to the knight.
                let open = open_neighbours(king, post, knight_attacks(knight));
                let kings = Bitboard::from(king) | Bitboard::from(post);
                let sees = |queen: Square| {
                    queen_attacks(queen, Bitboard::EMPTY).contains(knight)
                        && (between(queen, knight) & kings).is_empty()
                };
                assert!(open.into_iter().any(sees), "king {king}, other king {post}, knight {knight}");
                patterns += 1;
            }
        }
    }
    assert_eq!(patterns, 18_448);
}
