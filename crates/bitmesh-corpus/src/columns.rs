//! The columns of a row: their names, kinds and values, once for every form in which rows are written.

use std::sync::Arc;

use bitmesh::{DecompositionRejectionReason, DecompositionStatus};
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

/// One line a column: its name, its kind and its value, of the row, what was found, and what was proved. The columns of a
/// group have a function that hands them out alone.
macro_rules! columns {
    (|$row:ident, $found:ident, $proved:ident| $(
        $(#[$about:meta])*
        $group:ident { $($name:literal: $kind:ident = $value:expr),+ $(,)? }
    )+) => {
        /// The columns of the rows, in their order.
        pub const COLUMNS: [&str; [$($($name),+),+].len()] = [$($($name),+),+];

        /// What the values of [`COLUMNS`] are.
        pub(crate) const KINDS: [Kind; COLUMNS.len()] = [$($(kind!($kind)),+),+];

        $(
            $(#[$about])*
            #[inline]
            #[allow(unused_variables, reason = "not every group needs all of it")]
            pub(crate) fn $group($row: &Row, cells: &mut impl Cells) {
                let $found: Option<&Finding> = $row.finding.as_ref();
                let $proved: Option<&Permanent> = $found.and_then(|found| found.permanent.as_ref());
                $(
                    cells.$kind(concat!(",\"", $name, "\":"), $value);
                )+
            }
        )+
    };
}

columns! { |row, found, proved|
    /// The same in all rows of a source.
    source_cells {
        "source": text = Some(&*row.source),
    }
    /// The same in all rows of a line or a game.
    record_cells {
        "line": count = row.place.line,
        "game": count = row.place.game,
    }
    /// Another one in each row.
    place_cells {
        "ply": small = row.place.ply,
        // A canonical text has nothing that any form would have to quote.
        "fen": code = found.map(|found| found.fen.as_str()),
    }
    /// Rows that [say](Said) the same have the same.
    verdict_cells {
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
    }
    /// Another one in each row; left out when it is not wanted.
    digest_cells {
        "digest": digest = found.and_then(|found| found.digest.as_ref()).map(|digest| digest.as_bytes()),
        "position_digest": digest =
            found.and_then(|found| found.position_digest.as_ref()).map(|digest| digest.as_bytes()),
    }
    /// Empty in most rows.
    problem_cells {
        "error_code": code = row.problem.as_ref().map(|problem| problem.code()),
        "error": text = row.problem.as_ref().map(|problem| problem.message()),
    }
}

/// Hands out all cells of a row.
#[cfg(feature = "parquet")]
#[inline]
pub(crate) fn each_cell(row: &Row, with_digests: bool, cells: &mut impl Cells) {
    source_cells(row, cells);
    record_cells(row, cells);
    place_cells(row, cells);
    verdict_cells(row, cells);
    if with_digests {
        digest_cells(row, cells);
    }
    problem_cells(row, cells);
    carried_cells(row, cells);
}

/// What is carried along.
#[inline]
pub(crate) fn carried_cells(row: &Row, cells: &mut impl Cells) {
    for carried in &row.carried {
        cells.carried(&carried.name, &carried.value);
    }
}

/// The [verdict cells](verdict_cells) of a row as text that is kept from the row before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said(Repeated<Option<Verdict>>);

impl Said {
    /// Appends the verdict cells, as they are written by a function.
    #[inline]
    pub(crate) fn put(&mut self, row: &Row, out: &mut Vec<u8>, write: impl Fn(&mut Vec<u8>)) {
        let is_same = |before: &Option<Verdict>| match (before, &row.finding) {
            (Some(verdict), Some(finding)) => verdict.is_of(finding),
            (None, None) => true,
            _ => false,
        };
        self.0.put_if_other(is_same, || row.finding.as_ref().map(Verdict::of), out, write);
    }
}

/// Everything that the verdict cells of a row with a finding depend on.
#[derive(Clone, Copy, Debug)]
struct Verdict {
    barrier: Bitboard,
    status: DecompositionStatus,
    rejection_reason: Option<DecompositionRejectionReason>,
    active_components: u8,
    one_ply: &'static str,
    permanent: Option<Permanent>,
}

impl Verdict {
    fn of(finding: &Finding) -> Self {
        // All fields are named, so that a new one is either a part of this or knowingly left out.
        let &Finding {
            fen: _,
            barrier,
            status,
            rejection_reason,
            active_components,
            one_ply,
            permanent,
            digest: _,
            position_digest: _,
        } = finding;
        Self { barrier, status, rejection_reason, active_components, one_ply, permanent }
    }

    /// True only if the cells are the same; two equal codes may lie in different places.
    #[inline]
    fn is_of(&self, finding: &Finding) -> bool {
        let &Self { barrier, status, rejection_reason, active_components, one_ply, permanent } = self;
        barrier == finding.barrier
            && status == finding.status
            && rejection_reason == finding.rejection_reason
            && active_components == finding.active_components
            && std::ptr::eq(one_ply, finding.one_ply)
            && permanent == finding.permanent
    }
}

/// Text that is the same in most rows, kept from the one before.
#[derive(Clone, Debug)]
pub(crate) struct Repeated<K> {
    /// What the text depends on.
    key: Option<K>,
    text: Vec<u8>,
}

impl<K> Default for Repeated<K> {
    fn default() -> Self {
        Self { key: None, text: Vec::new() }
    }
}

/// Where rows come from, as text that is kept from the row before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    source: Repeated<Arc<str>>,
    game: Repeated<(Arc<str>, Option<u64>)>,
}

impl Origin {
    /// Appends the cells of the [source](source_cells) and of the [record](record_cells), as they are written by two
    /// functions. A game has many rows, a line has one.
    #[inline]
    pub(crate) fn put(
        &mut self,
        row: &Row,
        out: &mut Vec<u8>,
        write_source: impl Fn(&mut Vec<u8>),
        write_record: impl Fn(&mut Vec<u8>),
    ) {
        if row.place.line.is_some() {
            self.source.put(&row.source, out, write_source);
            write_record(out);
            return;
        }
        let is_same = |(source, game): &(Arc<str>, Option<u64>)| {
            *game == row.place.game && Arc::ptr_eq(source, &row.source)
        };
        let key = || (Arc::clone(&row.source), row.place.game);
        self.game.put_if_other(is_same, key, out, |out| {
            write_source(out);
            write_record(out);
        });
    }
}

impl<K: Clone + PartialEq> Repeated<K> {
    /// Appends the text for a key, which `write` writes if it is another key than the last time.
    #[inline]
    pub(crate) fn put(&mut self, key: &K, out: &mut Vec<u8>, write: impl Fn(&mut Vec<u8>)) {
        self.put_if_other(|before| before == key, || key.clone(), out, write);
    }
}

impl<K> Repeated<K> {
    /// The same where it takes less time to compare keys than to make one.
    #[inline]
    fn put_if_other(
        &mut self,
        is_same: impl FnOnce(&K) -> bool,
        key: impl FnOnce() -> K,
        out: &mut Vec<u8>,
        write: impl Fn(&mut Vec<u8>),
    ) {
        if self.key.as_ref().is_some_and(is_same) {
            out.extend_from_slice(&self.text);
            debug_assert_eq!(self.text, {
                let mut text = Vec::new();
                write(&mut text);
                text
            });
        } else {
            self.text.clear();
            write(&mut self.text);
            out.extend_from_slice(&self.text);
            self.key = Some(key());
        }
    }
}
