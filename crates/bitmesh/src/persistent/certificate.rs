//! A position, what is claimed about it, and why.

use shakmaty::{ByColor, Chess};

use super::expansion::Expansion;
use super::homes::Roaming;
use super::verdict::Conclusions;
use super::witness::Witness;

/// What a certificate rests on.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Proof {
    /// One witness for the position itself, perhaps with stoppers.
    Witness(Witness),
    /// A set of positions that play cannot leave, for the verdicts, and a witness for the rest.
    Expansion(Expansion),
    /// The material on the board excludes mate. There is nothing to add to the position.
    Material,
    /// An expansion in which men at home are counted, not placed.
    Roaming(Roaming),
}

impl Proof {
    /// The witness of the certified position, on which components rest; one without movers where the proof has none.
    #[must_use]
    pub const fn witness(&self) -> &Witness {
        const NONE: &Witness = &Witness::EMPTY;
        match self {
            Self::Witness(witness) => witness,
            Self::Expansion(expansion) => expansion.root(),
            Self::Material | Self::Roaming(_) => NONE,
        }
    }
}

/// A proof of permanent independence, or of less, about one position.
///
/// It carries the whole position, what is claimed, and why. It is evidence only
/// once [`check`](super::check()) has accepted it; decoding alone says that the
/// bytes are well formed and the position is legal, and nothing more.
///
/// Two certificates are equal when their payloads are: move counters and an
/// en-passant square without a legal capture do not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PersistentCertificate {
    pub(crate) position: Chess,
    pub(crate) unwinnable: ByColor<bool>,
    pub(crate) proof: Proof,
}

impl PersistentCertificate {
    /// The certified position.
    #[must_use]
    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// What the certificate rests on.
    #[must_use]
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }

    /// What the certificate claims. [`check`](super::check()) says whether it holds.
    #[must_use]
    pub fn claims(&self) -> Conclusions {
        let witness = self.proof.witness();
        Conclusions {
            components: witness.components(),
            coupling: witness.coupling,
            unwinnable: self.unwinnable,
        }
    }
}
