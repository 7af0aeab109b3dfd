//! What a run tells on standard error: progress, errors and notices, the numbers at the end.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bitmesh_corpus::{Counts, Printable, ReadAs, Remark};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::{Console, Outcome};

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
pub(in crate::commands) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// What a run has come to, when all its rows are written.
pub(in crate::commands) struct Finished {
    /// With what earlier runs had counted.
    pub(in crate::commands) counts: Counts,
    /// What earlier runs had counted.
    pub(super) before: Counts,
    pub(in crate::commands) seconds: f64,
    pub(in crate::commands) complete: bool,
    /// What the inputs were read as, in this run.
    pub(in crate::commands) read_as: Vec<ReadAs>,
    /// Files of folders and archives that were passed over.
    pub(in crate::commands) passed_over: BTreeMap<String, u64>,
    /// The file that the rows go to.
    pub(super) output: Option<PathBuf>,
}

/// How long it took, and how many positions that were a second.
pub(in crate::commands) struct Rate<'a>(pub(in crate::commands) &'a Finished);

impl fmt::Display for Rate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.seconds;
        if seconds < 60.0 {
            write!(f, "{seconds:.1} s")?;
        } else {
            write!(f, "{}", HumanDuration(Duration::from_secs_f64(seconds)))?;
        }
        write!(f, " ({} positions/s)", HumanCount(self.0.positions_per_second() as u64))
    }
}

impl Finished {
    pub(in crate::commands) fn outcome(&self) -> Outcome {
        if self.complete && self.counts.all_read() { Outcome::Positive } else { Outcome::InputError }
    }

    pub(in crate::commands) fn positions_per_second(&self) -> f64 {
        let evaluated = |counts: &Counts| counts.positions + counts.boards;
        (evaluated(&self.counts) - evaluated(&self.before)) as f64 / self.seconds.max(1e-6)
    }

    /// Says what the inputs were read as, a line for each kind.
    pub(in crate::commands) fn print_inputs(&self, console: &Console) {
        let mut kinds: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
        for input in &self.read_as {
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

    pub(in crate::commands) fn print_bytes(&self, console: &Console) {
        let counts = &self.counts;
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

    /// Prints what was noticed, what is missing, and how to continue.
    pub(in crate::commands) fn print_end(&self, console: &Console) {
        let is_empty = self.counts.read == 0 && self.counts.failed == 0 && self.counts.broken_sources == 0;
        if self.complete && is_empty {
            console.complain(format_args!("nothing to read: the input is empty"));
        }
        for (code, count) in &self.counts.notices {
            console.complain(format_args!("notices: {code} {count}"));
        }
        let missing = self.counts.missing_sources;
        let broken = self.counts.broken_sources - missing;
        if missing > 0 {
            let does = if missing == 1 { "does" } else { "do" };
            console.complain(format_args!("{} {does} not exist", counted(missing, "input")));
        }
        if broken > 0 {
            console
                .complain(format_args!("{} could not be read, or not to the end", counted(broken, "input")));
        }
        if let (false, Some(path)) = (self.complete, &self.output) {
            console.complain(format_args!(
                "{} is not complete: continue with --resume, or begin again with --restart",
                path.display()
            ));
        }
    }
}
