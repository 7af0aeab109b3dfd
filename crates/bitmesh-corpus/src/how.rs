//! How records are to be read: the part of the options that readers need.

use bitmesh::Tolerances;

use crate::scan::Options;
use crate::table::Column;

/// What is asked for while records are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct How {
    /// Whether the variations of games are played too.
    pub(crate) variations: bool,
    /// The field of a JSON object that holds the position.
    pub(crate) field: Option<String>,
    /// What is forgiven in positions.
    pub(crate) tolerances: Tolerances,
}

impl How {
    pub(crate) fn new(options: &Options) -> Self {
        let mut tolerances = Tolerances::default();
        tolerances.text_after = true;
        tolerances.odds_castling = options.odds_castling;
        let field = match &options.column {
            Some(Column::Name(name)) => Some(name.clone()),
            _ => None,
        };
        Self { variations: options.variations, field, tolerances }
    }
}
