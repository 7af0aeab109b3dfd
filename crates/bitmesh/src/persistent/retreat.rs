//! The producer of expansions whose leaves may have men at home: a few forced moves first, and then regions to roam.
//!
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use shakmaty::{ByColor, Chess, Color, Position as _};

use super::certificate::{PersistentCertificate, Proof};
use super::check::Guide;
use super::checked::CheckedCertificate;
use super::expand::{Bound, includes, leaf_proof, shown_by_all};
use super::expansion::LeafProof;
use super::prove::largest_witness;
use super::roaming::checked_with_homes;
use super::verdict::MAXIMUM_PIECES;

/// A certificate that a colour never gives mate, by an expansion with men at home, if one of a few lists of homes closes
/// within the bound.
///
/// A man at home is counted, not placed, so that many positions are one state. It helps where play can last very long
/// and few men matter: a king shut in while bishops roam, say. Each list is tried with at most that many states; a state costs a few
/// microseconds. Lists are given up early when a mate comes in sight or the states only multiply. Where none closes and few moves
/// are possible, men at home are tried after these moves. [`check`](super::check()) accepts what is returned. With castling rights or an en-passant
/// capture men are placed until after a move, and with more than 32 pieces there is no certificate.
///
/// ```
/// use bitmesh::persistent::{Bound, check, prove_unwinnable_with_homes};
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let fen: Fen = "8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// let certificate = prove_unwinnable_with_homes(&position, Color::Black, Bound::nodes(2_000)).expect("closes");
/// assert!(check(&certificate)?.unwinnable.black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prove_unwinnable_with_homes(
    position: &Chess,
    color: Color,
    bound: Bound,
) -> Option<PersistentCertificate> {
    checked_with_homes(position, color, bound)
        .or_else(|| checked_after_moves(position, color, bound))
        .map(CheckedCertificate::into_certificate)
}

/// How many positions the moves may lead to. Men at home are looked for in each of them, which takes long.
const POSITIONS: u32 = 8;

/// A certificate that a colour never gives mate, by an expansion of a few positions in whose leaves men roam.
/// Each leaf has at most so many states.
pub(crate) fn checked_after_moves(
    position: &Chess,
    color: Color,
    bound: Bound,
) -> Option<CheckedCertificate> {
    if position.board().occupied().count() > MAXIMUM_PIECES || bound.get() == 0 {
        return None;
    }
    let claim = ByColor::new_with(|other| other == color);
    let (root, _) = largest_witness(position);
    let mut guide = Retreating { color, claim, bound };
    CheckedCertificate::by_expansion(position, root, claim, POSITIONS, &mut guide).ok()
}

/// Names as leaves the positions that a proof without moves settles, or one with men at home.
struct Retreating {
    color: Color,
    claim: ByColor<bool>,
    bound: Bound,
}

impl Guide for Retreating {
    type Ground = LeafProof;

    fn leaf(&mut self, number: u32, position: &Chess) -> Option<LeafProof> {
        if number == 0 || position.is_game_over() {
            return None;
        }
        if includes(shown_by_all(position, self.claim), self.claim) {
            return Some(leaf_proof(position, self.claim));
        }
        let checked = checked_with_homes(position, self.color, self.bound)?;
        match checked.certificate().proof() {
            Proof::Roaming(roaming) => Some(LeafProof::Roaming(roaming.clone())),
            _ => None,
        }
    }
}
