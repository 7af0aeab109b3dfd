//! What `scan` and `audit` have in common: inputs, outputs that can be resumed, progress, and the numbers at the
//! end.

mod report;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bitmesh_corpus::output::{Opened, OutputError, PartialFile, RowFormat, Sink, Unfinished};
use bitmesh_corpus::{Collect, Inputs, Options, Scan, ScanError, Step};

pub(super) use self::report::{Finished, Rate, counted};
use self::report::{Progress, Remarks};
use crate::console::{Console, Failure};
use crate::files::{keep_apart, target_of};

/// Where the rows go, and how the work is done.
#[derive(Debug, clap::Args)]
pub(super) struct Work {
    /// Write rows to FILE; its name says how: .jsonl, .csv or .parquet.
    ///
    /// FILE gets its name when it is complete. Until then the rows are in FILE.partial.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Write rows as jsonl, csv or parquet, whatever FILE is called [default: jsonl].
    #[arg(long, value_name = "FORM", value_parser = parse_row_format)]
    to: Option<RowFormat>,

    /// Work with N threads [default: one for each core].
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(super) threads: Option<NonZeroUsize>,

    /// Continue an interrupted run where its output ends.
    #[arg(long, requires = "output")]
    resume: bool,

    /// Begin again, and throw away the rows that an interrupted run has left.
    #[arg(long, requires = "output", conflicts_with = "resume")]
    restart: bool,
}

/// More threads than any machine has cores; each takes a stack and a batch of rows.
const MOST_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse().ok().filter(|threads: &NonZeroUsize| threads.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("give 1 to {MOST_THREADS} threads"))
}

fn parse_row_format(text: &str) -> Result<RowFormat, String> {
    RowFormat::of_name(&format!(".{text}"))
        .ok_or_else(|| "rows are written as jsonl, csv or parquet".to_owned())
}

/// Where the rows go.
pub(super) enum Target {
    /// Standard output, a pipe or a device.
    Stream { name: PathBuf, form: RowFormat, writer: Box<dyn Write + Send> },
    /// A file that gets its name when it is complete.
    File { path: PathBuf, form: RowFormat },
}

impl Target {
    pub(super) fn new(work: &Work) -> Result<Self, Failure> {
        let Some(path) = &work.output else {
            let form = work.to.unwrap_or(RowFormat::JsonLines);
            let writer = Box::new(BufWriter::new(io::stdout()));
            return Ok(Self::Stream { name: "standard output".into(), form, writer });
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_other = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let form = work.to.or_else(|| RowFormat::of_name(&name));
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
        if work.resume {
            return Err(Failure::Input(format!("{} is not a file: nothing to resume", path.display())));
        }
        let file = File::create(path)
            .map_err(|error| Failure::Write { target: path.display().to_string(), error })?;
        Ok(Self::Stream { name: path.clone(), form, writer: Box::new(BufWriter::new(file)) })
    }

    /// Refuses outputs that are inputs or each other, work in progress included. `others` are outputs besides the rows.
    pub(super) fn keep_apart(
        &self,
        work: &Work,
        inputs: &[PathBuf],
        others: &[(&str, &Path)],
    ) -> Result<(), Failure> {
        let inputs: Vec<&Path> =
            inputs.iter().map(PathBuf::as_path).filter(|path| *path != Path::new("-")).collect();
        let progress = match self {
            Self::File { path, .. } => PartialFile::work_in_progress(path).to_vec(),
            Self::Stream { .. } => Vec::new(),
        };
        let mut outputs: Vec<(&str, &Path)> = Vec::new();
        outputs.extend(work.output.as_deref().map(|path| ("-o", path)));
        outputs.extend(others);
        outputs.extend(progress.iter().map(|path| ("the work in progress of -o", path.as_path())));
        keep_apart(&inputs, &outputs)
    }

    /// Adds the inputs that were named. What is not there or cannot be listed is left to the errors of the run, as long
    /// as something else can be read. An output in a folder that is read is not an input, nor is one of `others`.
    pub(super) fn find_inputs(
        &self,
        console: &Console,
        paths: &[PathBuf],
        mut inputs: Inputs,
        others: impl Iterator<Item = PathBuf>,
    ) -> Result<Inputs, Failure> {
        let mut skip: Vec<PathBuf> = others.collect();
        if let Self::File { path, .. } = self {
            skip.push(path.clone());
            skip.extend(PartialFile::work_in_progress(path));
        }
        let mut has_standard_input = false;
        let mut refused = Vec::new();
        for path in paths {
            if path == Path::new("-") {
                if std::mem::replace(&mut has_standard_input, true) {
                    return Err(scan_failure(ScanError::StandardInputTwice));
                }
                inputs.add_reader("-", Box::new(io::stdin()));
            } else if let Err(error) = inputs.add_path(path, &skip) {
                inputs.refuse_path(path, &error);
                refused.push(scan_failure(error));
            }
        }
        if refused.len() < paths.len() {
            return Ok(inputs);
        }
        let Some(last) = refused.pop() else { return Ok(inputs) };
        for failure in refused {
            console.complain(format_args!("error: {failure}"));
        }
        Err(last)
    }
}

/// Opens the output of a run, which `description` tells from others. `None` if it is complete.
pub(super) fn open(
    work: &Work,
    console: &Console,
    path: &Path,
    description: &[String],
    header: &str,
    options: &mut Options,
) -> Result<Option<PartialFile>, Failure> {
    let unfinished = match (work.resume, work.restart) {
        (true, _) => Unfinished::Resume,
        (_, true) => Unfinished::Restart,
        _ => Unfinished::Refuse,
    };
    let opened = PartialFile::open(path, description, unfinished, header);
    let file = match opened.map_err(output_failure)? {
        Opened::File(file) => file,
        Opened::Complete => {
            console.complain(format_args!("{} is complete: nothing to resume", path.display()));
            return Ok(None);
        }
    };
    options.from = file.mark();
    if work.resume && !file.is_resumed() {
        console.complain(format_args!("nothing to resume: the work starts from the beginning"));
    }
    Ok(Some(file))
}

fn scan_failure(error: ScanError) -> Failure {
    match error {
        ScanError::Input { name, error } => Failure::Read { source_name: name, error },
        ScanError::Evidence { path, error } => Failure::Write { target: path, error },
        other => Failure::Input(other.to_string()),
    }
}

pub(super) fn output_failure(error: OutputError) -> Failure {
    match error {
        OutputError::Write { error, .. } if error.kind() == io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        OutputError::Write { path, error } => Failure::Write { target: path, error },
        other => Failure::Input(other.to_string()),
    }
}

/// Reads everything and writes all rows, with progress on a terminal; then says what could not be read.
pub(super) fn run<C: Collect>(
    work: &Work,
    console: &Console,
    (inputs, options): (Inputs, Options),
    collector: impl Fn() -> C,
    mut sink: impl Sink<C::Block>,
) -> Result<Finished, Failure> {
    let began = Instant::now();
    let before = sink.counts().clone();
    let progress = Progress::new(inputs.size(), work.output.is_some());
    let passed_over = inputs.passed_over().clone();
    let mut scan = Scan::start(inputs, options, collector).map_err(scan_failure)?;
    let interrupted = stop_on_signal(scan.stop_flag())?;
    let mut remarks = Remarks::default();
    loop {
        match scan.step(Duration::from_millis(100)).map_err(scan_failure)? {
            Step::Block(block) => {
                remarks.add(block.remarks);
                sink.write(&block.rows, &block.counts, block.mark).map_err(output_failure)?;
                scan.give_back(block.rows);
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
    let (counts, read_as) = (sink.counts().clone(), scan.read_as());
    Ok(Finished { counts, before, seconds, complete, read_as, passed_over, output: work.output.clone() })
}

/// Lets the first signal end the run cleanly and the second one at once.
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
