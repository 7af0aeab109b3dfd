//! What a decision needs of the proofs that a colour never gives mate.

use shakmaty::{Chess, Color};

use crate::persistent::{Bound, PersistentCertificate, check, prove_unwinnable};

/// A certificate that a colour never gives mate, accepted by the checker.
pub(super) fn proof(position: &Chess, winner: Color, positions: u32) -> Option<PersistentCertificate> {
    let certificate = prove_unwinnable(position, winner, Bound::nodes(positions))?;
    let conclusions = check(&certificate).ok()?;
    conclusions.unwinnable.get(winner).then_some(certificate)
}
