//! The columns of a row: their names, kinds and values, once for every form in which rows are written.

use bitmesh::DecompositionRejectionReason;
use shakmaty::Bitboard;

use crate::carried::Value;
use crate::row::{Finding, Permanent, Row};

/// The name of a column as the key of an object: with quotes, the comma before it and the colon after it.
pub(crate) type Key = &'static str;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Text,
    /// A text of plain letters, digits and signs, which no form has to quote.
    Code,
    /// A number of any size.
    Count,
    /// A number that is never large.
    Small,
    Flag,
    Squares,
    /// SHA-256.
    Digest,
}

/// Takes the cells of a row, in the order of the columns. A cell without a value does not apply.
pub(crate) trait Cells {
    fn text(&mut self, key: Key, value: Option<&str>);
    fn code(&mut self, key: Key, value: Option<&str>);
    fn count(&mut self, key: Key, value: Option<u64>);
    fn small(&mut self, key: Key, value: Option<u32>);
    fn flag(&mut self, key: Key, value: Option<bool>);
    fn squares(&mut self, key: Key, value: Option<Bitboard>);
    fn digest(&mut self, key: Key, value: Option<&[u8; 32]>);
    /// A column that is carried along, after all others.
    fn carried(&mut self, name: &str, value: &Value);
}

/// The kind of the cells that a method of [`Cells`] takes.
macro_rules! kind {
    (text) => {
        Kind::Text
    };
    (code) => {
        Kind::Code
    };
    (count) => {
        Kind::Count
    };
    (small) => {
        Kind::Small
    };
    (flag) => {
        Kind::Flag
    };
    (squares) => {
        Kind::Squares
    };
    (digest) => {
        Kind::Digest
    };
}

/// One line a column: its name, its kind and its value, of the row, what was found, and what was proved.
macro_rules! columns {
    (|$row:ident, $found:ident, $proved:ident| $($name:literal: $kind:ident = $value:expr),+ $(,)?) => {
        /// The columns of the rows, in their order.
        pub const COLUMNS: [&str; [$($name),+].len()] = [$($name),+];

        /// What the values of [`COLUMNS`] are.
        pub(crate) const KINDS: [Kind; COLUMNS.len()] = [$(kind!($kind)),+];

        /// Hands out the cells of a row.
        #[inline]
        pub(crate) fn each_cell($row: &Row, cells: &mut impl Cells) {
            let $found: Option<&Finding> = $row.finding.as_ref();
            let $proved: Option<&Permanent> = $found.and_then(|found| found.permanent.as_ref());
            $(
                cells.$kind(concat!(",\"", $name, "\":"), $value);
            )+
            for carried in &$row.carried {
                cells.carried(&carried.name, &carried.value);
            }
        }
    };
}

columns! { |row, found, proved|
    "source": text = Some(&*row.source),
    "line": count = row.place.line,
    "game": count = row.place.game,
    "ply": small = row.place.ply,
    // A canonical text has nothing that any form would have to quote.
    "fen": code = found.map(|found| found.fen.as_str()),
    "barrier": squares = found.map(|found| found.barrier),
    "status": code = found.map(|found| found.status.word()),
    "rejection_reason": code =
        found.and_then(|found| found.rejection_reason).map(DecompositionRejectionReason::word),
    "active_components": small = found.map(|found| found.active_components.into()),
    "one_ply": code = found.map(|found| found.one_ply),
    "frozen": squares = proved.map(|proved| proved.frozen),
    "persistent_components": small = proved.map(|proved| proved.components.into()),
    "exact_sum": flag = proved.map(|proved| proved.exact_sum),
    "unwinnable_white": flag = proved.map(|proved| proved.unwinnable.white),
    "unwinnable_black": flag = proved.map(|proved| proved.unwinnable.black),
    "dead": flag = proved.map(Permanent::dead),
    "digest": digest = found.map(|found| found.digest.as_bytes()),
    "position_digest": digest = found.map(|found| found.position_digest.as_bytes()),
    "error_code": code = row.problem.as_ref().map(|problem| problem.code()),
    "error": text = row.problem.as_ref().map(|problem| problem.message()),
}
