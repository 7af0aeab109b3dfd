//! The checker: a witness against the rules, and the claims against the witness.
//!
//! It finds nothing. It reads the position, the frozen set, the reaches and the
//! claims, goes through them once, and refuses at the first rule that fails.
//! No code of the producer is used here; the geometry of single steps and the
//! predicates on a finished witness are, and belong to what must be trusted,
//! with the chess types and the en-passant and castling rights of shakmaty.

mod components;
mod error;
mod expansion;
mod homes;
mod material;
mod scene;
mod stoppers;
mod verdicts;
mod witness;

use shakmaty::Chess;

use super::certificate::{PersistentCertificate, Proof};
use super::verdict::{Conclusions, Field};
use super::witness::Witness;
use components::{check_components, check_coupling};
pub use error::CheckError;
use expansion::check_expansion;
pub(super) use expansion::{Closed, Guide, follow};
use homes::check_homes;
pub(super) use homes::{HomesWalk, Stopped};
use material::check_material;
use verdicts::check_verdicts;
use witness::check_witness;

/// Verifies a certificate and returns what it establishes.
///
/// Accepted claims hold in every position that legal moves can lead to, for
/// ever; they say nothing about best play, and a claim that is absent is open.
/// The certificate of [`prove`](super::prove()) is always accepted; so is one
/// with a weaker witness or fewer claims.
///
/// # Errors
///
/// The first rule or claim that fails: form of the witness, rules 5 to 8 on the
/// board as it is, castling, rules 1 to 3 mover by mover, rules 6 and 7 against
/// the reaches, components, coupling, verdicts.
///
/// ```
/// use bitmesh::persistent::{PersistentCertificate, check, prove};
/// use shakmaty::Chess;
///
/// let mut bytes = prove(&Chess::default()).canonical_payload();
/// bytes[77] = 1; // that White can never give mate
/// let error = check(&PersistentCertificate::decode(&bytes)?).unwrap_err();
/// assert_eq!(error.code(), "persistent/mate-possible");
/// # Ok::<(), bitmesh::persistent::DecodeError>(())
/// ```
pub fn check(certificate: &PersistentCertificate) -> Result<Conclusions, CheckError> {
    let (position, claims) = (certificate.position(), certificate.claims());
    match certificate.proof() {
        Proof::Witness(witness) => {
            let field = check_invariant(position, witness, &claims)?;
            check_verdicts(claims.unwinnable, &field)?;
        }
        Proof::Expansion(expansion) => {
            check_invariant(position, expansion.root(), &claims)?;
            check_expansion(position, expansion, claims.unwinnable)?;
        }
        Proof::Material => check_material(position, claims.unwinnable)?,
        Proof::Roaming(roaming) => check_homes(position, roaming, claims.unwinnable)?,
    }
    Ok(claims)
}

/// The rules of a witness, and what is claimed of components.
pub(super) fn check_invariant(
    position: &Chess,
    witness: &Witness,
    claims: &Conclusions,
) -> Result<Field, CheckError> {
    let mut field = Field::EMPTY;
    check_witness(position, witness, &mut field)?;
    check_components(position, witness, &field)?;
    check_coupling(position, claims, &field)?;
    Ok(field)
}

#[cfg(test)]
mod stopper_tests;
#[cfg(test)]
mod tests;
