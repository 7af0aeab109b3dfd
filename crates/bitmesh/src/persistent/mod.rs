//! Permanent independence: regions that never touch again, whatever both sides play.
//!
//! A *witness* names the pieces of a position that never move and are never
//! captured, and for every other piece the squares where it can ever stand.
//! When it satisfies eight rules it is an invariant of legal play; from it
//! follow regions that never touch, colours that can never give mate, and dead
//! positions. The handbook page `docs/permanent-independence.md` has the rules,
//! the proof and the bytes.
//!
//! [`analyze`] answers without allocating, and [`prove`] makes a certificate.
//! [`prove_within`] looks further where that leaves open who can give mate: it follows
//! the legal moves as far as a bound allows. [`check()`] verifies a certificate
//! of either kind without any code of the prover.
//!
//! ```
//! use bitmesh::persistent::{Coupling, PersistentCertificate, check, prove};
//! use shakmaty::{CastlingMode, Chess, fen::Fen};
//!
//! let fen: Fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
//! let position: Chess = fen.into_position(CastlingMode::Standard)?;
//!
//! let bytes = prove(&position).canonical_payload();
//! let conclusions = check(&PersistentCertificate::decode(&bytes)?)?;
//! assert!(conclusions.decomposed() && conclusions.dead());
//! assert_eq!(conclusions.coupling, Coupling::ExactSum);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! "Not proved" never means "not so": no claim is ever made that a position is alive.

pub(crate) mod certificate;
mod check;
mod checked;
mod expand;
pub(crate) mod expansion;
pub(crate) mod homes;
mod material;
mod prove;
mod quick;
mod retreat;
mod reversible;
mod roam;
#[cfg(test)]
mod roam_tests;
mod roaming;
mod single;
mod states;
pub(crate) mod verdict;
mod walk;
pub(crate) mod wire;
pub(crate) mod witness;
mod words;

pub use certificate::{PersistentCertificate, Proof};
pub use check::{CheckError, check};
pub use checked::{CheckedCertificate, PermanentRegion};
pub use expand::{Bound, prove_with_every_kind, prove_within};
pub use expansion::{Expansion, Leaf, LeafProof};
pub use homes::{Home, Roaming};
pub use prove::{analyze, prove};
pub use quick::is_plainly_open;
pub(crate) use retreat::checked_after_moves;
pub use retreat::prove_unwinnable_with_homes;
pub use reversible::keeps_outline;
pub(crate) use roaming::checked_with_homes;
pub(crate) use single::checked_as_searched;
pub use single::{never_mates, never_mates_with_stoppers, prove_unwinnable};
pub use verdict::{Conclusions, Coupling, Outline, PROOF_KIND};
pub use wire::DecodeError;
pub use witness::{Mover, Witness};
pub use words::Verdict;
