//! What a scan tells on standard error: progress, errors and notices, the numbers at the end.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bitmesh_corpus::{Counts, Printable, ReadAs, Remark};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::console::{Console, Failure};
use crate::files::write_whole;

/// How many kinds of errors are printed, and how many of notices; the counts include all of them.
const IN_WORDS: usize = 20;

/// How many kinds are kept, each for one input.
const KEPT: usize = 100_000;

/// Errors and notices, one of each kind for each input.
#[derive(Default)]
pub(super) struct Remarks {
    kinds: Vec<Remark>,
    known: HashMap<(Arc<str>, bool, &'static str), usize>,
}

impl Remarks {
    pub(super) fn add(&mut self, remarks: Vec<Remark>) {
        for remark in remarks {
            let key = (Arc::clone(&remark.source), remark.is_error, remark.code);
            if let Some(&index) = self.known.get(&key) {
                self.kinds[index].count += remark.count;
            } else if self.kinds.len() < KEPT {
                self.known.insert(key, self.kinds.len());
                self.kinds.push(remark);
            }
        }
    }

    /// Errors come first: notices must not hide them.
    pub(super) fn print(&self, console: &Console) {
        for (is_error, name) in [(true, "error"), (false, "notice")] {
            let kinds: Vec<&Remark> =
                self.kinds.iter().filter(|remark| remark.is_error == is_error).collect();
            for remark in kinds.iter().take(IN_WORDS) {
                console.complain(format_args!("{name}: {remark} [{}]", remark.code));
            }
            if let Some(more) = kinds.len().checked_sub(IN_WORDS).filter(|&more| more > 0) {
                console.complain(format_args!("{more} more kinds of {name}s are only counted"));
            }
        }
    }
}

/// A progress bar, if standard error is a terminal that no rows are printed on.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    pub(super) fn new(bytes: Option<u64>, rows_go_elsewhere: bool) -> Self {
        let watched = io::stderr().is_terminal() && (rows_go_elsewhere || !io::stdout().is_terminal());
        if !watched {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::stderr());
        let template = match bytes {
            Some(_) => "{wide_bar} {percent}%, {msg}, {eta} left",
            None => "{spinner} {bytes} read, {msg}, {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(Some(bar))
    }

    pub(super) fn update(&self, bytes: u64, counts: &Counts) {
        if let Some(bar) = &self.0 {
            bar.set_position(bytes);
            let done = counts.positions + counts.boards;
            let rate = done as f64 / bar.elapsed().as_secs_f64().max(0.001);
            let failed = match counts.failed {
                0 => String::new(),
                failed => format!(", {} failed", HumanCount(failed)),
            };
            bar.set_message(format!("{} positions, {}/s{failed}", HumanCount(done), HumanCount(rate as u64)));
        }
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// A number with its noun, in the singular for one.
fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The numbers at the end.
pub(super) struct Summary<'a> {
    pub(super) counts: &'a Counts,
    /// What earlier runs had counted.
    pub(super) before: &'a Counts,
    pub(super) seconds: f64,
    pub(super) complete: bool,
    /// Whether the scan decides for each side if it can still give mate.
    pub(super) decides: bool,
    /// The file that the rows go to.
    pub(super) output: Option<&'a Path>,
    /// What the inputs were read as, in this run.
    pub(super) read_as: &'a [ReadAs],
    /// Files of folders and archives that were passed over.
    pub(super) passed_over: &'a BTreeMap<String, u64>,
}

impl Summary<'_> {
    fn positions_per_second(&self) -> f64 {
        let evaluated = |counts: &Counts| counts.positions + counts.boards;
        (evaluated(self.counts) - evaluated(self.before)) as f64 / self.seconds.max(1e-6)
    }

    pub(super) fn print(&self, console: &Console) {
        let counts = self.counts;
        let seconds = Duration::from_secs_f64(self.seconds);
        let rate = HumanCount(self.positions_per_second() as u64);
        let time = if self.seconds < 60.0 {
            format!("{:.1} s", self.seconds)
        } else {
            HumanDuration(seconds).to_string()
        };
        console.complain(format_args!(
            "{}: {}, {}, {} in {time} ({rate} positions/s)",
            if self.complete { "scanned" } else { "interrupted" },
            counted(counts.positions, "position"),
            counted(counts.boards, "board"),
            counted(counts.games, "game")
        ));
        self.print_inputs(console);
        console.complain(format_args!(
            "records: {} = {} read + {} skipped + {} failed",
            counts.records, counts.read, counts.skipped, counts.failed
        ));
        self.print_bytes(console);
        console.complain(format_args!(
            "rows: {} = {} positions and boards - {} duplicates - {} filtered + {} errors",
            counts.rows,
            counts.positions + counts.boards,
            counts.duplicates,
            counts.filtered,
            counts.error_rows
        ));
        console.complain(format_args!(
            "claims: strict {}, accepted {}, persistent {}, unwinnable white {}, unwinnable black {}, dead {}",
            counts.strict,
            counts.accepted,
            counts.persistent,
            counts.unwinnable_white,
            counts.unwinnable_black,
            counts.dead
        ));
        if self.decides {
            console.complain(format_args!(
                "decisions: winnable {}, flag draws {}, undecided {}",
                counts.winnable, counts.flag_draw, counts.undecided
            ));
        }
        for (code, count) in &counts.notices {
            console.complain(format_args!("notices: {code} {count}"));
        }
        if counts.broken_sources > 0 {
            console.complain(format_args!(
                "{} could not be read to the end",
                counted(counts.broken_sources, "input")
            ));
        }
        if let (false, Some(path)) = (self.complete, self.output) {
            console.complain(format_args!(
                "{} is not complete: continue with --resume, or begin again with --restart",
                path.display()
            ));
        }
    }

    /// Says as what the inputs were read, a line for each kind.
    fn print_inputs(&self, console: &Console) {
        let mut kinds: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for input in self.read_as {
            kinds.entry((input.format, &input.packing)).or_default().push(&input.name);
        }
        for ((format, packing), names) in kinds {
            let packing = if packing == "plain" { String::new() } else { format!(" in {packing}") };
            let more = match names.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            console.complain(format_args!("read as {format}{packing}: {}{more}", Printable(names[0])));
        }
        if !self.passed_over.is_empty() {
            let kinds: Vec<String> =
                self.passed_over.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            let kinds = kinds.join(", ");
            console.complain(format_args!("files passed over: {}", Printable(kinds)));
        }
    }

    fn print_bytes(&self, console: &Console) {
        let counts = self.counts;
        if counts.bytes == 0 {
            return;
        }
        let parts: Vec<String> =
            counts.bytes_skipped.iter().map(|(part, sum)| format!(", {} {part}", HumanCount(*sum))).collect();
        console.complain(format_args!(
            "bytes: {} = {} read{} and {} failed",
            HumanCount(counts.bytes),
            HumanCount(counts.bytes_read),
            parts.concat(),
            HumanCount(counts.bytes_failed)
        ));
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let mut document = json!({
            "schema": "bitmesh.scan-summary.v1",
            "complete": self.complete,
            "seconds": self.seconds,
            "positions_per_second": self.positions_per_second(),
            "inputs": self.read_as,
            "passed_over": self.passed_over,
        });
        let numbers = serde_json::to_value(self.counts).map_err(io::Error::from)?;
        if let (Some(document), serde_json::Value::Object(numbers)) = (document.as_object_mut(), numbers) {
            document.extend(numbers);
        }
        let mut text = serde_json::to_vec_pretty(&document).map_err(io::Error::from)?;
        text.push(b'\n');
        write_whole(path, &text)
    }
}
