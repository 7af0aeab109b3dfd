//! What is asked of each kind of evidence: a file for each.

mod binding;
mod board_proof;
#[cfg(feature = "serde")]
mod certification;
mod compared;
mod composition;
#[cfg(feature = "serde")]
mod decisions;
mod decomposition;
mod mate;
mod persistent;
mod position_proof;

use super::examination::Examination;
use super::subject::{Against, Evidence};

impl Evidence {
    /// Examines what was read: whether it holds together, and whether it belongs to what is given with it.
    ///
    /// The examination says what was checked and what was not. "Verified" claims no more than the list of what was
    /// checked.
    #[must_use]
    pub fn examine(&self, against: Against<'_>) -> Examination {
        examine(self, against)
    }
}

fn examine(evidence: &Evidence, against: Against<'_>) -> Examination {
    let mut report = Examination::new(evidence.kind());
    match evidence {
        Evidence::Decomposition(certificate) => decomposition::examine(certificate, against, &mut report),
        Evidence::Composition(composition) => composition::examine(composition, against, &mut report),
        Evidence::Binding(binding) => binding::examine(binding, against, &mut report),
        Evidence::BoardProof(proof) => board_proof::examine(proof, against, &mut report),
        Evidence::PositionProof(proof) => position_proof::examine(proof, against, &mut report),
        #[cfg(feature = "serde")]
        Evidence::Certification(said) => certification::examine(said, against, &mut report),
        Evidence::Persistent(certificate) => persistent::examine(certificate, against, &mut report),
        Evidence::Mate(line) => mate::examine(line, against, &mut report),
        #[cfg(feature = "serde")]
        Evidence::Decisions(stated) => decisions::examine(stated, against, &mut report),
    }
    report
}
