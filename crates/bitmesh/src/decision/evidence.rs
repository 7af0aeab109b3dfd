//! What a decision needs of the proofs that a colour never gives mate.

use shakmaty::{Chess, Color};

use crate::persistent::{
    Bound, CheckedCertificate, PersistentCertificate, checked_after_moves, checked_as_searched,
    checked_with_homes,
};

/// A certificate that a colour never gives mate, accepted by the checker.
pub(super) fn proof(position: &Chess, winner: Color, positions: u32) -> Option<PersistentCertificate> {
    accepted(checked_as_searched(position, winner, Bound::nodes(positions))?, winner)
}

/// The same by counting men at home, and perhaps behind a few moves.
pub(super) fn proof_with_homes(
    position: &Chess,
    winner: Color,
    states: u32,
    after_moves: bool,
) -> Option<PersistentCertificate> {
    let bound = Bound::nodes(states);
    let behind = || if after_moves { checked_after_moves(position, winner, bound) } else { None };
    accepted(checked_with_homes(position, winner, bound).or_else(behind)?, winner)
}

fn accepted(checked: CheckedCertificate, winner: Color) -> Option<PersistentCertificate> {
    checked.conclusions().unwinnable.get(winner).then(|| checked.into_certificate())
}
