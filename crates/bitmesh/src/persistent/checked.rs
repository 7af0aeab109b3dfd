//! A certificate that the checker has accepted, as a type.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Board, ByColor, Chess, Position as _};

use super::certificate::PersistentCertificate;
use super::check::{CheckError, Guide, HomesWalk, check, check_invariant, follow};
use super::expansion::LeafProof;
use super::verdict::Conclusions;
use super::witness::Witness;
use super::words::Verdict;

/// A certificate with what the checker found that it establishes.
///
/// Only [`check`](super::check()) gives one, so that code which takes it need not check again and cannot forget to.
///
/// ```
/// use bitmesh::Position;
/// use bitmesh::persistent::{CheckedCertificate, prove};
///
/// let position: Position = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
/// let checked = CheckedCertificate::new(prove(position.chess()))?;
/// assert!(checked.conclusions().dead());
/// assert_eq!(checked.regions().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CheckedCertificate {
    certificate: PersistentCertificate,
    conclusions: Conclusions,
}

/// A region for ever: the squares that the pieces of one component can ever reach.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PermanentRegion {
    /// Every square where one of its pieces can ever stand.
    pub squares: Bitboard,
    /// Its pieces, where they stand in the certified position.
    pub pieces: Bitboard,
}

impl CheckedCertificate {
    /// Checks a certificate of any producer.
    ///
    /// # Errors
    ///
    /// The first rule that it breaks.
    pub fn new(certificate: PersistentCertificate) -> Result<Self, CheckError> {
        let conclusions = check(&certificate)?;
        Ok(Self { certificate, conclusions })
    }

    /// Makes an expansion of at most so many positions with the leaves that a guide names, and checks it on the way.
    ///
    /// The walk is that of [`check`](super::check()): each leaf must hold, and each other position be expanded.
    pub(super) fn by_expansion(
        position: &Chess,
        root: Witness,
        unwinnable: ByColor<bool>,
        most: u32,
        guide: &mut impl Guide<Ground = LeafProof>,
    ) -> Result<Self, CheckError> {
        let proof = follow(position, unwinnable, most, guide)?.into_proof(root);
        let certificate = PersistentCertificate { position: position.clone(), unwinnable, proof };
        let conclusions = certificate.claims();
        check_invariant(position, certificate.proof.witness(), &conclusions)?;
        Ok(Self { certificate, conclusions })
    }

    /// The certificate of a walk over states with men at home, if it has come to its end. It is that of [`check`](super::check()).
    pub(super) fn by_homes(walk: HomesWalk) -> Option<Self> {
        let certificate = walk.into_certificate()?;
        Some(Self { conclusions: certificate.claims(), certificate })
    }

    /// The certificate.
    #[must_use]
    pub const fn certificate(&self) -> &PersistentCertificate {
        &self.certificate
    }

    /// The certificate, by value.
    #[must_use]
    pub fn into_certificate(self) -> PersistentCertificate {
        self.certificate
    }

    /// What the certificate establishes.
    #[must_use]
    pub const fn conclusions(&self) -> &Conclusions {
        &self.conclusions
    }

    /// The pieces of the certified position.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.certificate.position().board()
    }

    /// What it establishes in words, strongest first.
    #[must_use]
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.conclusions.verdicts()
    }

    /// The regions of a position that stays divided, in the order of their components; none otherwise.
    #[must_use]
    pub fn regions(&self) -> Vec<PermanentRegion> {
        if !self.conclusions.decomposed() {
            return Vec::new();
        }
        let none = PermanentRegion { squares: Bitboard::EMPTY, pieces: Bitboard::EMPTY };
        let mut regions = alloc::vec![none; usize::from(self.conclusions.components)];
        for mover in self.certificate.proof().witness().movers() {
            if let Some(region) = regions.get_mut(usize::from(mover.component)) {
                region.squares |= mover.squares();
                region.pieces.add(mover.square);
            }
        }
        regions
    }
}

impl TryFrom<PersistentCertificate> for CheckedCertificate {
    type Error = CheckError;

    fn try_from(certificate: PersistentCertificate) -> Result<Self, CheckError> {
        Self::new(certificate)
    }
}
