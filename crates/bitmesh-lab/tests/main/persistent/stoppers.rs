//! Pawns that face each other and never pass.

use bitmesh::persistent::{
    Bound, PersistentCertificate, Proof, Witness, analyze, check, never_mates, never_mates_with_stoppers,
    prove, prove_unwinnable,
};
use shakmaty::{Bitboard, Color, Square};

use super::position;

/// White's king can take the black pawns on the fifth rank. The black king takes nothing, and no black pawn passes the
/// white ones on the second rank. The other pawns are frozen.
const FILES: &str = "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1";

fn witness(certificate: &PersistentCertificate) -> &Witness {
    let Proof::Witness(witness) = certificate.proof() else { panic!("not a witness") };
    witness
}

/// What is proved of a colour with one witness, checked.
fn shown(fen: &str, color: Color) -> Option<PersistentCertificate> {
    let start = position(fen);
    let certificate = prove_unwinnable(&start, color, Bound::nodes(1))?;
    assert!(*check(&certificate).expect(fen).unwinnable.get(color), "{fen}");
    assert_eq!(
        PersistentCertificate::decode(&certificate.canonical_payload()).as_ref(),
        Ok(&certificate),
        "{fen}"
    );
    Some(certificate)
}

#[test]
fn pawns_that_never_pass() {
    for color in Color::ALL {
        let certificate = shown(FILES, color).expect("stoppers");
        let witness = witness(&certificate);
        let stoppers = [Square::A2, Square::C2, Square::E2, Square::G2].into_iter().collect::<Bitboard>();
        assert_eq!(witness.stoppers(), stoppers);
        assert!(witness.stoppers().is_disjoint(witness.frozen()));
        assert_eq!(certificate.canonical_payload()[78], 5);
    }
    let start = position(FILES);
    assert!(!never_mates(&start, Color::White) && never_mates_with_stoppers(&start, Color::White));
    // What one plain witness shows is as it was.
    assert!(!analyze(&start).dead() && !prove(&start).claims().dead());
}
