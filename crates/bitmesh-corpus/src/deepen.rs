//! Layer 3 by every kind of proof, where the analysis leaves open who can give mate.

use bitmesh::persistent::Bound;

use crate::claims::Claim;
use crate::evaluate::Verdict;
use crate::subject::Subject;

impl Verdict {
    /// Adds what a certificate within a bound proves about mates, once the checker has accepted it. What is dead
    /// already stays as it is, and so does everything about components.
    #[inline(never)]
    pub(crate) fn deepen(&mut self, subject: Subject<'_>, bound: Bound) {
        let Some(permanent) = self.permanent.filter(|proved| !proved.dead()) else { return };
        let assessment = self.assessment(subject).within(bound);
        if let Ok(checked) = assessment.permanent() {
            let deeper = permanent.with_unwinnable(checked.conclusions().unwinnable);
            if deeper != permanent {
                self.is_deep = true;
                self.permanent = Some(deeper);
                self.claims = self.claims.with(Claim::Unwinnable);
                if deeper.dead() {
                    self.claims = self.claims.with(Claim::Dead);
                }
            }
        }
        self.keep_assessment(assessment);
    }
}
