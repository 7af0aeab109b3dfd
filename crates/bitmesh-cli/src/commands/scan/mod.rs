//! `bitmesh scan`: every position of whole collections.

mod report;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bitmesh::decision::Effort;
use bitmesh::persistent::Bound;
use bitmesh_corpus::output::{
    Opened, OutputError, ParquetFile, ParquetStream, PartialFile, RowFormat, Sink, TextFile, TextStream,
    Unfinished,
};
use bitmesh_corpus::{
    Batches, Claim, Collect, Column, Csv, Format, Inputs, JsonLines, Options, Scan, ScanError, Step,
};

use self::report::{Progress, Remarks, Summary};
use crate::console::{Console, Failure, Outcome};
use crate::files::{keep_apart, target_of};

/// Evaluate every position of whole collections.
///
/// INPUT is a file, a folder, or `-` for standard input: FEN or EPD lines, games (PGN, every ply of
/// the main line), tables (CSV, TSV; the Lichess puzzle file as it is), Parquet, JSON lines or blocks of a
/// network trainer, each plain or as .gz, .bz2, .zst or .xz, or in a .zip. The format is detected from the
/// contents and the name. Every position gives one row of the schema `bitmesh.scan.v1`; what cannot be read
/// gives a row with an error, and the scan continues.
///
/// Exit codes: 0 all read, 2 something could not be read or the scan was interrupted.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh scan games.pgn.zst -o rows.parquet
  bitmesh scan --only dead,persistent --certificates evidence/ collection/ -o dead.jsonl
  bitmesh scan --resume games.pgn.zst -o rows.parquet
  zcat positions.fen.gz | bitmesh scan --only strict -")]
pub(crate) struct Args {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,

    /// Read every input as FORMAT: fen, epd, pgn, csv, tsv, parquet, jsonl or plain.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Column that holds the positions or games, by name or number; several for the fields of a FEN, as in
    /// pieces,turn [default: the one named fen or epd, else detected from the contents].
    #[arg(long, value_name = "COLUMN")]
    column: Option<Column>,

    /// Character between the cells of a table; `tab` for a tab [default: detected].
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    delimiter: Option<u8>,

    /// Play the first move of the column Moves first: the puzzle as it is shown, not the position before it.
    #[arg(long)]
    first_move: bool,

    /// Play the variations of games too, not only the main line.
    #[arg(long)]
    variations: bool,

    /// Drop castling rights whose rook is missing instead of refusing the position: games at odds.
    #[arg(long)]
    odds_castling: bool,

    /// Carry tags of games along, as columns of text after the others.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tags: Vec<String>,

    /// Carry columns of tables, fields of JSON objects and operations of EPD lines along.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,

    /// Carry along what follows the position in its line, in the column `rest`.
    #[arg(long)]
    rest: bool,

    /// Say where each record begins in the unpacked text, in bytes, in the column `offset`.
    #[arg(long)]
    offset: bool,

    /// Look at up to N positions that can follow for a proof that a side can never give mate, as `prove` does
    /// [default: none].
    ///
    /// This proves more positions dead and takes much longer; `--only dead` does not shorten it.
    #[arg(long, value_name = "N")]
    positions: Option<NonZeroU32>,

    /// Write rows to FILE; its name says how: .jsonl, .csv or .parquet.
    ///
    /// FILE gets its name when it is complete. Until then the rows are in FILE.partial.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write rows as jsonl, csv or parquet, whatever FILE is called [default: jsonl].
    #[arg(long, value_name = "FORM", value_parser = parse_row_format)]
    to: Option<RowFormat>,

    /// Only rows with one of these claims: strict, accepted, persistent, unwinnable, dead; with --decide also winnable, flag-draw, undecided.
    ///
    /// Rows with an error are always written.
    #[arg(long, value_name = "CLAIMS", value_delimiter = ',')]
    only: Vec<Claim>,

    /// Decide for each side whether it can still give mate: columns decided_white, decided_black,
    /// mate_plies_white, mate_plies_black.
    ///
    /// EFFORT is how many positions to look at for each side, by default 400000. Games are decided
    /// from their end: an optimised build takes a few microseconds for a position of a game, and fifty for
    /// a position on a line.
    #[arg(long, value_name = "EFFORT", num_args = 0..=1, require_equals = true)]
    decide: Option<Option<u32>>,

    /// Only one row for each position: the first.
    #[arg(long)]
    unique: bool,

    /// Keep the certificates of the rows as files in DIR.
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Write the summary to FILE as JSON (schema `bitmesh.scan-summary.v1`).
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,

    /// Evaluate with N threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<NonZeroUsize>,

    /// Continue an interrupted scan where its output ends.
    #[arg(long, requires = "output")]
    resume: bool,

    /// Begin again, and throw away the rows that an interrupted scan has left.
    #[arg(long, requires = "output", conflicts_with = "resume")]
    restart: bool,
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("a delimiter is one ASCII character, or tab".to_owned()),
    }
}

/// More threads than any machine has cores; each takes a stack and a batch of rows.
const MOST_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("a scan has 1 to {MOST_THREADS} threads"))
}

fn parse_row_format(text: &str) -> Result<RowFormat, String> {
    RowFormat::of_name(&format!(".{text}"))
        .ok_or_else(|| "rows are written as jsonl, csv or parquet".to_owned())
}

/// Refuses outputs that are inputs or each other, work in progress included.
fn keep_files_apart(args: &Args, target: &Target) -> Result<(), Failure> {
    let inputs: Vec<&Path> =
        args.inputs.iter().map(PathBuf::as_path).filter(|path| *path != Path::new("-")).collect();
    let progress = match target {
        Target::File { path, .. } => PartialFile::names(path).to_vec(),
        Target::Stream { .. } => Vec::new(),
    };
    let mut outputs: Vec<(&str, &Path)> = Vec::new();
    outputs.extend(args.output.as_deref().map(|path| ("-o", path)));
    outputs.extend(args.summary.as_deref().map(|path| ("--summary", path)));
    outputs.extend(progress.iter().map(|path| ("the work in progress of -o", path.as_path())));
    keep_apart(&inputs, &outputs)
}

/// Refuses claims that only decisions can make, unless there are decisions.
fn check_claims_are_decided(args: &Args) -> Result<(), Failure> {
    match args.only.iter().find(|claim| claim.needs_decisions() && args.decide.is_none()) {
        Some(claim) => Err(Failure::Input(format!("--only {claim} needs --decide"))),
        None => Ok(()),
    }
}

/// Refuses options that have no meaning for the format that is forced.
fn check_options_apply(args: &Args) -> Result<(), Failure> {
    let Some(format) = args.format else { return Ok(()) };
    let is_text_table = matches!(format, Format::Csv | Format::Tsv);
    let is_table = is_text_table || format == Format::Parquet;
    let has_columns = is_table || format == Format::JsonLines;
    let options = [
        ("--column", args.column.is_some(), has_columns, "tables"),
        ("--delimiter", args.delimiter.is_some(), is_text_table, "tables of text"),
        ("--first-move", args.first_move, is_table, "tables"),
        ("--variations", args.variations, format == Format::Pgn, "games"),
        ("--tags", !args.tags.is_empty(), format == Format::Pgn, "games"),
        ("--columns", !args.columns.is_empty(), format != Format::Pgn, "tables, lines and JSON lines"),
    ];
    for (option, is_given, applies, to) in options {
        if is_given && !applies {
            return Err(Failure::Input(format!("{option} is for {to}, and --format says {format}")));
        }
    }
    Ok(())
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    check_options_apply(args)?;
    check_claims_are_decided(args)?;
    let target = Target::new(args)?;
    keep_files_apart(args, &target)?;
    let inputs = find_inputs(args, &target)?;
    let mut options = Options::default();
    options.format = args.format;
    options.column = args.column.clone();
    options.delimiter = args.delimiter;
    options.first_move = args.first_move;
    options.variations = args.variations;
    options.odds_castling = args.odds_castling;
    options.extra.tags = args.tags.clone();
    options.extra.columns = args.columns.clone();
    options.extra.rest = args.rest;
    options.extra.offset = args.offset;
    options.decide = args.decide.map(|effort| effort.map_or_else(Effort::default, Effort::positions));
    options.extra.decisions = options.decide.is_some();
    options.extra.check().map_err(|error| Failure::Input(error.to_string()))?;
    options.positions = args.positions.map(|positions| Bound::nodes(positions.get()));
    options.only = (!args.only.is_empty()).then(|| args.only.iter().copied().collect());
    options.unique = args.unique;
    options.certificates = args.certificates.clone();
    if let Some(threads) = args.threads {
        options.threads = threads;
    }
    let scan = Plan { args, inputs, options };
    let extra = scan.options.extra.clone();
    let batches = || Batches::with_extra(&extra);
    match target {
        Target::Stream { name, form: RowFormat::Parquet, writer } => {
            let sink = ParquetStream::with_extra(&name, writer, &extra).map_err(output_failure)?;
            scan.run(batches, sink, console)
        }
        Target::Stream { name, form: RowFormat::Csv, writer } => {
            scan.run(Csv::new, TextStream::with_extra(&name, writer, RowFormat::Csv, &extra), console)
        }
        Target::Stream { name, form, writer } => {
            scan.run(JsonLines::new, TextStream::with_extra(&name, writer, form, &extra), console)
        }
        Target::File { path, form } => {
            let description = scan.options.describe(form, &scan.inputs);
            let unfinished = match (args.resume, args.restart) {
                (true, _) => Unfinished::Resume,
                (_, true) => Unfinished::Restart,
                _ => Unfinished::Refuse,
            };
            let opened = PartialFile::open(&path, &description, unfinished, &form.header_with(&extra));
            let file = match opened.map_err(output_failure)? {
                Opened::File(file) => file,
                Opened::Complete => {
                    console.complain(format_args!("{} is complete: nothing to resume", path.display()));
                    return Ok(Outcome::Positive);
                }
            };
            let mut scan = scan;
            scan.options.from = file.mark();
            if args.resume && !file.is_resumed() {
                console.complain(format_args!("nothing to resume: the scan starts from the beginning"));
            }
            match form {
                RowFormat::Parquet => scan.run(batches, ParquetFile::with_extra(file, &extra), console),
                RowFormat::Csv => scan.run(Csv::new, TextFile::new(file), console),
                _ => scan.run(JsonLines::new, TextFile::new(file), console),
            }
        }
    }
}

/// Where the rows go.
enum Target {
    /// Standard output, a pipe or a device.
    Stream { name: PathBuf, form: RowFormat, writer: Box<dyn Write + Send> },
    /// A file that gets its name when it is complete.
    File { path: PathBuf, form: RowFormat },
}

impl Target {
    fn new(args: &Args) -> Result<Self, Failure> {
        let Some(path) = &args.output else {
            let form = args.to.unwrap_or(RowFormat::JsonLines);
            let writer = Box::new(BufWriter::new(io::stdout()));
            return Ok(Self::Stream { name: "standard output".into(), form, writer });
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_other = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let form = args.to.or_else(|| RowFormat::of_name(&name));
        let form = match form {
            Some(form) => form,
            None if is_other || !name.contains('.') => RowFormat::JsonLines,
            None => {
                let message = format!(
                    "cannot tell from {} how to write rows: name it .jsonl, .csv or .parquet, or say --to",
                    path.display()
                );
                return Err(Failure::Input(message));
            }
        };
        if !is_other {
            // Rows go where a link points, and the link stays.
            let path = if path.is_symlink() { target_of(path) } else { path.clone() };
            return Ok(Self::File { path, form });
        }
        if args.resume {
            return Err(Failure::Input(format!("{} is not a file: nothing to resume", path.display())));
        }
        let file = File::create(path)
            .map_err(|error| Failure::Write { target: path.display().to_string(), error })?;
        Ok(Self::Stream { name: path.clone(), form, writer: Box::new(BufWriter::new(file)) })
    }
}

fn find_inputs(args: &Args, target: &Target) -> Result<Inputs, Failure> {
    // An output in the folder that is scanned is not an input.
    let mut skip = Vec::new();
    if let Target::File { path, .. } = target {
        skip.push(path.clone());
        skip.extend(PartialFile::names(path));
    }
    skip.extend(args.summary.clone());
    skip.extend(args.certificates.clone());
    let mut inputs = Inputs::new();
    let mut has_standard_input = false;
    for path in &args.inputs {
        if path == Path::new("-") {
            if std::mem::replace(&mut has_standard_input, true) {
                return Err(scan_failure(ScanError::StandardInputTwice));
            }
            inputs.add_reader("-", Box::new(io::stdin()));
        } else {
            inputs.add_path(path, &skip).map_err(scan_failure)?;
        }
    }
    Ok(inputs)
}

fn scan_failure(error: ScanError) -> Failure {
    match error {
        ScanError::Input { name, error } => Failure::Read { source_name: name, error },
        ScanError::Evidence { path, error } => Failure::Write { target: path, error },
        other => Failure::Input(other.to_string()),
    }
}

fn output_failure(error: OutputError) -> Failure {
    match error {
        OutputError::Write { error, .. } if error.kind() == io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        OutputError::Write { path, error } => Failure::Write { target: path, error },
        other => Failure::Input(other.to_string()),
    }
}

/// A scan that is about to start.
struct Plan<'a> {
    args: &'a Args,
    inputs: Inputs,
    options: Options,
}

impl Plan<'_> {
    fn run<C: Collect>(
        self,
        collector: impl Fn() -> C,
        mut sink: impl Sink<C::Block>,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let began = Instant::now();
        let before = sink.counts().clone();
        let progress = Progress::new(self.inputs.size(), self.args.output.is_some());
        let passed_over = self.inputs.passed_over().clone();
        let mut scan = Scan::start(self.inputs, self.options, collector).map_err(scan_failure)?;
        let interrupted = stop_on_signal(scan.stop_flag())?;
        let mut remarks = Remarks::default();
        loop {
            match scan.step(Duration::from_millis(100)).map_err(scan_failure)? {
                Step::Block(block) => {
                    remarks.add(block.remarks);
                    sink.write(block.rows, &block.counts, block.mark).map_err(output_failure)?;
                }
                Step::Waiting => sink.rest().map_err(output_failure)?,
                Step::Finished => break,
            }
            progress.update(scan.bytes_read(), sink.counts());
        }
        let complete = !interrupted.load(Ordering::Acquire);
        sink.finish(complete).map_err(output_failure)?;
        progress.clear();
        let seconds = began.elapsed().as_secs_f64();
        remarks.print(console);
        let summary = Summary {
            counts: sink.counts(),
            before: &before,
            seconds,
            complete,
            decides: self.args.decide.is_some(),
            output: self.args.output.as_deref(),
            read_as: &scan.read_as(),
            passed_over: &passed_over,
        };
        summary.print(console);
        if let Some(path) = &self.args.summary {
            summary.write(path)?;
        }
        let is_good = complete && sink.counts().all_read();
        Ok(if is_good { Outcome::Positive } else { Outcome::InputError })
    }
}

/// Lets the first signal end the scan cleanly and the second one at once.
fn stop_on_signal(stop: Arc<AtomicBool>) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    let handler = move || {
        if flag.swap(true, Ordering::AcqRel) {
            std::process::exit(2);
        }
        stop.store(true, Ordering::Release);
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Input(format!("cannot listen for interruptions: {error}")))?;
    Ok(interrupted)
}
