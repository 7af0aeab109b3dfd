//! One colour at a time: whether it can ever give mate.
//!
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use shakmaty::{ByColor, Chess, Color, Position as _};

use super::certificate::{PersistentCertificate, Proof};
use super::expand::{Bound, explore, shown_by_all};
use super::material::excluded_by_material;
use super::prove::{analyze, largest_witness, largest_witness_with_stoppers, shown_with_stoppers};
use super::verdict::MAXIMUM_PIECES;

/// Whether a colour never gives mate, as far as the position shows it without a move being played.
///
/// It looks at the material and at the largest witness, and allocates nothing. *Yes* holds for
/// every line of legal moves, and [`prove_unwinnable`] makes a certificate of it. *No* claims nothing.
///
/// ```
/// use bitmesh::persistent::never_mates;
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// // A bishop alone cannot mate, whatever Black has.
/// let fen: Fen = "7k/5q2/8/8/8/8/3r4/K1B5 w - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(never_mates(&position, Color::White));
/// assert!(!never_mates(&position, Color::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn never_mates(position: &Chess, color: Color) -> bool {
    excluded_by_material(position, color) || *analyze(position).unwinnable.get(color)
}

/// [`never_mates`], with stoppers as well: pawns that enemy pawns on their file never pass.
///
/// It costs some microseconds in every position with such pawns, where [`never_mates`] mostly takes a
/// fraction of one.
///
/// ```
/// use bitmesh::persistent::{never_mates, never_mates_with_stoppers};
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let fen: Fen = "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(!never_mates(&position, Color::White));
/// assert!(never_mates_with_stoppers(&position, Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn never_mates_with_stoppers(position: &Chess, color: Color) -> bool {
    never_mates(position, color) || *shown_with_stoppers(position).get(color)
}

/// A certificate that a colour never gives mate, if one is found within the bound.
///
/// It claims that colour, and the other where the same proof shows it. Grounds are tried in this order: a
/// witness, the material, a witness with stoppers, and an expansion within the bound whose leaves
/// rest on any of these. [`check`](super::check()) accepts what is returned. With more than 32 pieces there is none.
///
/// ```
/// use bitmesh::persistent::{Bound, check, prove_unwinnable};
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let fen: Fen = "7k/5q2/8/8/8/8/3r4/K1B5 w - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// let certificate = prove_unwinnable(&position, Color::White, Bound::default()).expect("material");
/// assert!(check(&certificate)?.unwinnable.white);
/// assert!(prove_unwinnable(&Chess::default(), Color::White, Bound::nodes(1_000)).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prove_unwinnable(position: &Chess, color: Color, bound: Bound) -> Option<PersistentCertificate> {
    let certificate =
        |unwinnable, proof| PersistentCertificate { position: position.clone(), unwinnable, proof };
    if position.board().occupied().count() > MAXIMUM_PIECES {
        return None;
    }
    let (root, shown) = largest_witness(position);
    if *shown.get(color) {
        return Some(certificate(shown, Proof::Witness(root)));
    }
    let excluded = ByColor::new_with(|color| excluded_by_material(position, color));
    if *excluded.get(color) {
        return Some(certificate(excluded, Proof::Material));
    }
    if let Some((witness, shown)) = largest_witness_with_stoppers(position)
        && *shown.get(color)
    {
        return Some(certificate(shown, Proof::Witness(witness)));
    }
    let claim = ByColor::new_with(|other| other == color);
    let closed = explore(position, claim, bound, |position| shown_by_all(position, claim)).ok()?;
    Some(certificate(claim, closed.into_proof(root, claim)))
}
