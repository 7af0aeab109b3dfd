//! `bitmesh audit`: games, one row each.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitmesh::decision::Effort;
use bitmesh_corpus::{Audit, AuditFinding, Format, Inputs, Options, Scan, prepare_audit};

use crate::console::{Console, Failure, Outcome};
use crate::files::{keep_apart, write_whole};

/// Find games whose result does not fit: wins on time by a side that could never have mated, moves
/// after the position was dead, mates that are none.
///
/// GAMES are PGN files, packed or not, folders, or `-` for standard input. Every game gives one JSON
/// object on a line (schema `bitmesh.audit.v1`). How a game ended is read from its tags Result and
/// Termination. `undecided` is no claim.
///
/// Exit codes: 0 all read, 2 something could not be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh audit games.pgn
  bitmesh audit --tags White,Black,Site -o audit.jsonl games.pgn.zst")]
pub(crate) struct Args {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "GAMES", required = true)]
    inputs: Vec<PathBuf>,

    /// Tags that each row repeats.
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    tags: Vec<String>,

    /// How many positions to look at for each side of a position.
    #[arg(long, value_name = "N", default_value_t = Effort::default().get())]
    effort: u32,

    /// Write the rows to FILE when all are there.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep the lines and certificates of all positions as files in DIR.
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Decide with N threads [default: one for each core].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let is_file = |path: &&PathBuf| **path != Path::new("-");
    let files: Vec<&Path> = args.inputs.iter().filter(is_file).map(PathBuf::as_path).collect();
    if let Some(path) = &args.output {
        keep_apart(&files, &[("-o", path)])?;
    }
    let skip: Vec<PathBuf> = args.output.iter().chain(&args.certificates).cloned().collect();
    let mut inputs = Inputs::new();
    for path in &args.inputs {
        if path == Path::new("-") {
            inputs.add_reader("-", Box::new(io::stdin()));
        } else {
            inputs.add_path(path, &skip).map_err(|error| Failure::Input(error.to_string()))?;
        }
    }
    let mut options = Options::default();
    options.format = Some(Format::Pgn);
    options.decide = Some(Effort::positions(args.effort));
    options.certificates = args.certificates.clone();
    if let Some(threads) = args.threads {
        options.threads = threads;
    }
    prepare_audit(&mut options, &args.tags);
    options.extra.check().map_err(|error| Failure::Input(error.to_string()))?;

    let mut kept = Vec::new();
    let mut findings: BTreeMap<AuditFinding, u64> = BTreeMap::new();
    let (mut games, mut all_read) = (0, true);
    for block in
        Scan::start(inputs, options, Audit::new).map_err(|error| Failure::Input(error.to_string()))?
    {
        let block = block.map_err(|error| Failure::Input(error.to_string()))?;
        let (rows, found) = block.rows;
        if args.output.is_some() {
            kept.extend(rows);
        } else {
            console.write_all(&rows)?;
        }
        for (finding, count) in found {
            *findings.entry(finding).or_default() += count;
        }
        games += block.counts.games;
        all_read &= block.counts.all_read();
        for remark in block.remarks.iter().filter(|remark| remark.is_error) {
            console.complain(format_args!("error: {remark} [{}]", remark.code));
        }
    }
    if let Some(path) = &args.output {
        write_whole(path, &kept)?;
    }
    console.flush()?;
    let words: Vec<String> =
        findings.iter().map(|(finding, count)| format!("{} {count}", finding.word())).collect();
    console.complain(format_args!("audited: {games} games; {}", words.join(", ")));
    Ok(if all_read { Outcome::Positive } else { Outcome::InputError })
}
