//! `bitmesh audit`: games, one row each.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitmesh::decision::Effort;
use bitmesh_corpus::output::RowFormat;
use bitmesh_corpus::{
    Audit, AuditFinding, AuditOutput, Format, Inputs, Options, Scan, audit_columns, prepare_audit,
};

use crate::console::{Console, Failure, Outcome};
use crate::files::{keep_apart, target_of};

/// Find games whose result does not fit: wins on time by a side that could never have mated, moves
/// after the position was dead, claimed mates that are not mate.
///
/// GAMES are PGN files, packed or not, folders, or `-` for standard input. Every game gives one row
/// (schema `bitmesh.audit.v1`). How a game ended is read from its tags Result and Termination.
/// `undecided` claims nothing.
///
/// Exit codes: 0 all read, 2 something could not be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh audit games.pgn
  bitmesh audit --tags White,Black,Site -o audit.csv games.pgn.zst")]
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

    /// Write the rows to FILE; its name says how: .jsonl, .csv or .parquet.
    ///
    /// FILE gets its name when it is complete.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep the lines and certificates of all positions as files in DIR.
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Decide with N threads [default: one for each core].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(crate) fn run(args: &Args, console: &Console) -> Result<Outcome, Failure> {
    let is_file = |path: &&PathBuf| **path != Path::new("-");
    let files: Vec<&Path> = args.inputs.iter().filter(is_file).map(PathBuf::as_path).collect();
    let outputs: Vec<(&str, &Path)> = args.output.iter().map(|path| ("-o", path.as_path())).collect();
    keep_apart(&files, &outputs)?;
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

    let columns = audit_columns(&options);
    for (index, (name, _)) in columns.iter().enumerate() {
        if name == "schema" || columns[..index].iter().any(|(other, _)| other == name) {
            return Err(Failure::Input(format!("two columns of the rows would have the name {name}")));
        }
    }
    match &args.output {
        None => {
            let failure = |error| Failure::from(error);
            let output = AuditOutput::new(io::stdout(), RowFormat::JsonLines, columns).map_err(failure)?;
            let (summary, _) = audit(inputs, options, output, console, failure)?;
            Ok(summary.print(console))
        }
        Some(path) => {
            let form = RowFormat::of_name(&path.to_string_lossy()).ok_or_else(|| {
                Failure::Input(format!(
                    "cannot tell from {} how to write rows: name it .jsonl, .csv or .parquet",
                    path.display()
                ))
            })?;
            let failure = |error| Failure::Write { target: path.display().to_string(), error };
            // Rows go where a link points, and the link stays.
            let path = target_of(path);
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let mut builder = tempfile::Builder::new();
            builder.prefix(".bitmesh-");
            // The mode of any new file; the umask of the process applies.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let file = builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(failure)?;
            let output = AuditOutput::new(file, form, columns).map_err(failure)?;
            let (summary, file) = audit(inputs, options, output, console, failure)?;
            file.persist(&path).map_err(|error| failure(error.error))?;
            Ok(summary.print(console))
        }
    }
}

/// The numbers at the end.
#[derive(Default)]
struct Summary {
    games: u64,
    findings: BTreeMap<AuditFinding, u64>,
    has_failed: bool,
}

impl Summary {
    fn print(&self, console: &Console) -> Outcome {
        let findings = self.findings.iter().map(|(finding, count)| format!("{} {count}", finding.word()));
        let words: Vec<String> = std::iter::once(format!("{} games", self.games)).chain(findings).collect();
        console.complain(format_args!("audited: {}", words.join(", ")));
        if self.has_failed { Outcome::InputError } else { Outcome::Positive }
    }
}

/// Writes the rows of all games; the output is given back when it has ended.
fn audit<W: io::Write + Send>(
    inputs: Inputs,
    options: Options,
    mut output: AuditOutput<W>,
    console: &Console,
    failure: impl Fn(io::Error) -> Failure,
) -> Result<(Summary, W), Failure> {
    let mut summary = Summary::default();
    let lost = |error: bitmesh_corpus::ScanError| Failure::Input(error.to_string());
    for block in Scan::start(inputs, options, Audit::new).map_err(lost)? {
        let block = block.map_err(lost)?;
        output.write(&block.rows.rows).map_err(&failure)?;
        for (finding, count) in block.rows.findings {
            *summary.findings.entry(finding).or_default() += count;
        }
        summary.games += block.counts.games;
        summary.has_failed |= !block.counts.all_read();
        for remark in block.remarks.iter().filter(|remark| remark.is_error) {
            console.complain(format_args!("error: {remark} [{}]", remark.code));
        }
    }
    Ok((summary, output.finish().map_err(failure)?))
}
