//! What a decision needs of the proofs that a colour never gives mate.

use shakmaty::{Chess, Color};

use crate::persistent::{Bound, PersistentCertificate, check, prove_unwinnable, prove_unwinnable_with_homes};

/// A certificate that a colour never gives mate, accepted by the checker.
pub(super) fn proof(position: &Chess, winner: Color, positions: u32) -> Option<PersistentCertificate> {
    accepted(prove_unwinnable(position, winner, Bound::nodes(positions))?, winner)
}

/// The same by counting men at home.
pub(super) fn proof_with_homes(
    position: &Chess,
    winner: Color,
    states: u32,
) -> Option<PersistentCertificate> {
    accepted(prove_unwinnable_with_homes(position, winner, Bound::nodes(states))?, winner)
}

fn accepted(certificate: PersistentCertificate, winner: Color) -> Option<PersistentCertificate> {
    let conclusions = check(&certificate).ok()?;
    conclusions.unwinnable.get(winner).then_some(certificate)
}
