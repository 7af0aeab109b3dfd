//! How records are to be read: the part of the options that readers need.

use bitmesh::Tolerances;

use crate::extra::Extra;
use crate::visit::Visit;

/// What is asked for while records are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct How {
    /// Whether the variations of games are played too.
    pub(crate) variations: bool,
    /// The field of a JSON object that holds the position.
    pub(crate) field: Option<String>,
    /// What is carried along.
    pub(crate) extra: Extra,
    /// What is forgiven in positions.
    pub(crate) tolerances: Tolerances,
}

impl How {
    /// Whether anything is carried along.
    pub(crate) const fn carries(&self) -> bool {
        !self.extra.is_empty()
    }

    /// Carries a column along that was asked for by this name, in any case.
    pub(crate) fn carry_column(&self, name: &str, text: &str, visit: &mut impl Visit) {
        for (index, wanted) in self.extra.columns.iter().enumerate() {
            if wanted.eq_ignore_ascii_case(name) {
                visit.carry(self.extra.tags.len() + index, text);
            }
        }
    }

    /// Carries a tag along that was asked for.
    pub(crate) fn carry_tag(&self, name: &[u8], text: &str, visit: &mut impl Visit) {
        for (index, wanted) in self.extra.tags.iter().enumerate() {
            if wanted.as_bytes().eq_ignore_ascii_case(name) {
                visit.carry(index, text);
            }
        }
    }

    /// Carries the text after a position along.
    pub(crate) fn carry_rest(&self, text: &str, visit: &mut impl Visit) {
        let text = text.trim();
        if let Some(slot) = self.extra.rest_slot().filter(|_| !matches!(text, "" | ";")) {
            visit.carry(slot, text);
        }
    }
}
