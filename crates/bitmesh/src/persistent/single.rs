//! One colour at a time: whether it can ever give mate.
//!
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use shakmaty::{ByColor, Chess, Color, Position as _};

use super::certificate::{PersistentCertificate, Proof};
use super::checked::CheckedCertificate;
use super::expand::{Bound, Settling, by_material, shown_by_all, shown_without_stoppers};
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
    checked_unwinnable(position, color, bound).map(CheckedCertificate::into_certificate)
}

/// The certificate of [`prove_unwinnable`], with the checker's word. An expansion is checked while it is made.
fn checked_unwinnable(position: &Chess, color: Color, bound: Bound) -> Option<CheckedCertificate> {
    without_moves(position, color).or_else(|| by_expansion(position, color, bound, shown_by_all))
}

/// The same for a position in which a search has closed whose leaves are those of [`never_mates`]: the expansion then
/// has no more positions than the search had, and stoppers, which take long to look for, are not needed.
pub(crate) fn checked_as_searched(
    position: &Chess,
    color: Color,
    bound: Bound,
) -> Option<CheckedCertificate> {
    without_moves(position, color)
        .or_else(|| by_expansion(position, color, bound, shown_without_stoppers))
        .or_else(|| by_expansion(position, color, bound, shown_by_all))
}

fn without_moves(position: &Chess, color: Color) -> Option<CheckedCertificate> {
    let checked = |unwinnable, proof| {
        CheckedCertificate::new(PersistentCertificate { position: position.clone(), unwinnable, proof }).ok()
    };
    if position.board().occupied().count() > MAXIMUM_PIECES {
        return None;
    }
    let (root, shown) = largest_witness(position);
    if *shown.get(color) {
        return checked(shown, Proof::Witness(root));
    }
    let excluded = by_material(position);
    if *excluded.get(color) {
        return checked(excluded, Proof::Material);
    }
    let (witness, shown) = largest_witness_with_stoppers(position)?;
    if *shown.get(color) { checked(shown, Proof::Witness(witness)) } else { None }
}

/// `shown` tells the colours that a proof without moves shows never to give mate, given those that it is to show.
fn by_expansion(
    position: &Chess,
    color: Color,
    bound: Bound,
    shown: fn(&Chess, ByColor<bool>) -> ByColor<bool>,
) -> Option<CheckedCertificate> {
    if bound.get() == 0 || position.board().occupied().count() > MAXIMUM_PIECES {
        return None;
    }
    let claim = ByColor::new_with(|other| other == color);
    let (root, _) = largest_witness(position);
    let mut guide = Settling::new(claim, |position: &Chess| shown(position, claim));
    CheckedCertificate::by_expansion(position, root, claim, bound.get(), &mut guide).ok()
}
