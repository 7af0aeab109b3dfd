//! What a scan has counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::claims::{Claim, Claims};
use crate::visit::{Outcome, Part};

/// Numbers of a scan, or of a part of it.
///
/// Three sums always hold:
///
/// - [`records`](Self::records) = [`read`](Self::read) + [`skipped`](Self::skipped) + [`failed`](Self::failed);
/// - [`bytes`](Self::bytes) = [`bytes_read`](Self::bytes_read) + [`bytes_failed`](Self::bytes_failed) + all of
///   [`bytes_skipped`](Self::bytes_skipped);
/// - [`positions`](Self::positions) + [`boards`](Self::boards) = [`duplicates`](Self::duplicates) +
///   [`filtered`](Self::filtered) + [`rows`](Self::rows) − [`error_rows`](Self::error_rows).
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Counts {
    /// Lines, games and table rows that were met.
    pub records: u64,
    /// Those that were read without an error.
    pub read: u64,
    /// Those that hold nothing to read: blank lines and comments.
    pub skipped: u64,
    /// Those with an error.
    pub failed: u64,
    /// Bytes of unpacked text that the sources have given, counted where they are taken from them. Parquet files
    /// have rows and no text, so they count nothing; UTF-16 counts as the UTF-8 that it becomes.
    pub bytes: u64,
    /// Bytes of records that were read without an error.
    pub bytes_read: u64,
    /// Bytes of records with an error, and of a source that was given up.
    pub bytes_failed: u64,
    /// Bytes of everything else by what it is: `blank`, `comment`, `header`, `between games`, `byte order mark`,
    /// `end mark`.
    pub bytes_skipped: BTreeMap<String, u64>,
    /// Games among the records.
    pub games: u64,
    /// Legal positions.
    pub positions: u64,
    /// Boards that are not a position.
    pub boards: u64,
    /// Positions and boards left out because they had come earlier.
    pub duplicates: u64,
    /// Positions and boards left out because they do not have a wanted claim.
    pub filtered: u64,
    /// Rows written.
    pub rows: u64,
    /// Rows that say only what went wrong. The row of a board with an error is not among them: the board counts in
    /// [`boards`](Self::boards).
    pub error_rows: u64,
    /// Sources that could not be read, or not to their end.
    pub broken_sources: u64,
    /// Those of them that do not exist.
    #[serde(default)]
    pub missing_sources: u64,
    /// Positions and boards, duplicates aside, that have a strict decomposition.
    pub strict: u64,
    /// Those that the one-ply screen accepts.
    pub accepted: u64,
    /// Those that stay divided for ever.
    pub persistent: u64,
    /// Those in which White can never give mate.
    pub unwinnable_white: u64,
    /// Those in which Black can never give mate.
    pub unwinnable_black: u64,
    /// Those in which neither can.
    pub dead: u64,
    /// Those decided, in which a side can still mate.
    #[serde(default)]
    pub winnable: u64,
    /// Those decided, in which a flag that falls draws.
    #[serde(default)]
    pub flag_draw: u64,
    /// Those in which a decision was wanted and not found.
    #[serde(default)]
    pub undecided: u64,
    /// Notices by code: what was read although it deviates from its format.
    pub notices: BTreeMap<String, u64>,
    /// Games by what an audit found out about them; those that could not be read have no finding.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub findings: BTreeMap<String, u64>,
}

impl Counts {
    /// Whether everything could be read.
    #[must_use]
    pub const fn all_read(&self) -> bool {
        self.failed == 0 && self.broken_sources == 0
    }

    /// Whether the sum over bytes holds.
    #[must_use]
    pub fn bytes_add_up(&self) -> bool {
        self.bytes == self.bytes_read + self.bytes_failed + self.bytes_skipped.values().sum::<u64>()
    }

    pub(crate) fn record(&mut self, outcome: Outcome, bytes: u64) {
        self.records += 1;
        match outcome {
            Outcome::Read => {
                self.read += 1;
                self.bytes_read += bytes;
            }
            Outcome::Skipped(part) => {
                self.skipped += 1;
                self.skip(part, bytes);
            }
            Outcome::Failed => {
                self.failed += 1;
                self.bytes_failed += bytes;
            }
        }
    }

    pub(crate) fn skip(&mut self, part: Part, bytes: u64) {
        match self.bytes_skipped.get_mut(part.name()) {
            Some(sum) => *sum += bytes,
            None => {
                self.bytes_skipped.insert(part.name().to_owned(), bytes);
            }
        }
    }

    pub(crate) fn claims(&mut self, claims: Claims) {
        self.strict += u64::from(claims.contains(Claim::Strict));
        self.accepted += u64::from(claims.contains(Claim::Accepted));
        self.persistent += u64::from(claims.contains(Claim::Persistent));
        self.dead += u64::from(claims.contains(Claim::Dead));
    }

    pub(crate) fn decided(&mut self, claims: Claims) {
        self.winnable += u64::from(claims.contains(Claim::Winnable));
        self.flag_draw += u64::from(claims.contains(Claim::FlagDraw));
        self.undecided += u64::from(claims.contains(Claim::Undecided));
    }

    pub(crate) fn notice(&mut self, code: &str) {
        match self.notices.get_mut(code) {
            Some(count) => *count += 1,
            None => {
                self.notices.insert(code.to_owned(), 1);
            }
        }
    }

    /// Adds the numbers of another part.
    pub fn add(&mut self, other: &Self) {
        // Every field by name: a new one cannot be forgotten.
        let Self {
            records,
            read,
            skipped,
            failed,
            bytes,
            bytes_read,
            bytes_failed,
            bytes_skipped,
            games,
            positions,
            boards,
            duplicates,
            filtered,
            rows,
            error_rows,
            broken_sources,
            missing_sources,
            strict,
            accepted,
            persistent,
            unwinnable_white,
            unwinnable_black,
            dead,
            winnable,
            flag_draw,
            undecided,
            notices,
            findings,
        } = other;
        self.records += records;
        self.read += read;
        self.skipped += skipped;
        self.failed += failed;
        self.bytes += bytes;
        self.bytes_read += bytes_read;
        self.bytes_failed += bytes_failed;
        for (part, sum) in bytes_skipped {
            *self.bytes_skipped.entry(part.clone()).or_default() += sum;
        }
        self.games += games;
        self.positions += positions;
        self.boards += boards;
        self.duplicates += duplicates;
        self.filtered += filtered;
        self.rows += rows;
        self.error_rows += error_rows;
        self.broken_sources += broken_sources;
        self.missing_sources += missing_sources;
        self.strict += strict;
        self.accepted += accepted;
        self.persistent += persistent;
        self.unwinnable_white += unwinnable_white;
        self.unwinnable_black += unwinnable_black;
        self.dead += dead;
        self.winnable += winnable;
        self.flag_draw += flag_draw;
        self.undecided += undecided;
        for (code, count) in notices {
            *self.notices.entry(code.clone()).or_default() += count;
        }
        for (finding, count) in findings {
            *self.findings.entry(finding.clone()).or_default() += count;
        }
    }
}
