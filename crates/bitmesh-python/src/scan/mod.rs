//! Whole collections: files, folders and streams.

mod plan;
mod reader;
mod write;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use bitmesh::persistent::Bound as Limit;
use bitmesh_corpus::output::{RowFormat, Unfinished};
use bitmesh_corpus::{Block, Counts, Options, Remark, Scan as Scanning, ScanError, Step, schema_with};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

pub(crate) use self::plan::{Plan, to_names};
pub(crate) use self::reader::Raised;

use self::plan::{to_claims, to_column, to_delimiter, to_effort, to_format};
use crate::arguments::{self, Optional};
use crate::ending::{Stay, detach};
use crate::errors::{argument_error, bulk_error, scan_error, scan_state_error, warn};
use crate::interrupt::{PATIENCE, lock, wait};
use crate::rows::{Pieces, Rows, schema_capsule, stream_capsule};

const CLOSED: &str = "the with block of the scan has ended, and rows that it had not given out are gone";

const FORKED: &str = "the scan was started in another process, which has its threads: make a new one";

/// Remarks that are kept; all are counted.
const REMARKS: usize = 1000;

/// A scan of collections: an iterator of record batches, and an Arrow stream of all that are left.
///
/// It starts when the first rows are asked for, or when it is told to write them:
/// ``write_parquet``, ``write_jsonl`` and ``write_csv`` make a file that appears only when
/// it is complete, and can resume an interrupted scan. Memory does not grow with the
/// collection. In ``with`` its threads end with the block, and rows that were not given out
/// by then are gone; an object that is dropped stops them too.
#[pyclass(frozen, module = "bitmesh")]
pub(crate) struct Scan {
    state: Arc<Mutex<State>>,
    schema: SchemaRef,
    threads: usize,
    started_in: Arc<Process>,
}

/// The process that a scan has started in, 0 before it does.
type Process = AtomicU32;

struct State {
    stage: Stage,
    counts: Counts,
    remarks: Vec<Remark>,
    raised: Raised,
}

#[allow(clippy::large_enum_variant, reason = "one at a time exists, and it lives long")]
enum Stage {
    Waiting(Plan),
    Running(Scanning<RecordBatch>),
    /// Into a file, until all is written or this says to stop.
    Writing(Arc<AtomicBool>),
    Finished,
    /// Its block ended before it did.
    Closed,
}

/// What came of waiting for rows.
enum Next {
    Rows(RecordBatch),
    Finished,
    Failed(ScanError),
    Raised(PyErr),
    Closed,
}

impl State {
    /// Waits a little for the next rows.
    fn poll(&mut self) -> Option<Next> {
        if let Stage::Waiting(_) = self.stage
            && let Stage::Waiting(plan) = std::mem::replace(&mut self.stage, Stage::Finished)
        {
            match plan.start() {
                Ok(scanning) => self.stage = Stage::Running(scanning),
                Err(error) => return Some(Next::Failed(error)),
            }
        }
        let scanning = match &mut self.stage {
            Stage::Running(scanning) => scanning,
            Stage::Closed => return Some(Next::Closed),
            Stage::Waiting(_) | Stage::Writing(_) | Stage::Finished => return Some(Next::Finished),
        };
        let step = scanning.step(PATIENCE);
        // The rows of this step may say that the stream failed.
        if let Some(raised) = lock(&self.raised).take() {
            self.stage = Stage::Finished;
            return Some(Next::Raised(raised));
        }
        match step {
            Ok(Step::Waiting) => None,
            Ok(Step::Finished) => {
                self.stage = Stage::Finished;
                Some(Next::Finished)
            }
            Ok(Step::Block(Block { rows, counts, remarks, .. })) => {
                self.counts.add(&counts);
                let room = REMARKS.saturating_sub(self.remarks.len());
                self.remarks.extend(remarks.into_iter().take(room));
                // A portion may hold nothing that is wanted.
                (rows.num_rows() > 0).then_some(Next::Rows(rows))
            }
            Err(error) => {
                self.stage = Stage::Finished;
                Some(Next::Failed(error))
            }
        }
    }
}

/// A process that was forked off has no threads of a scan that was under way: it would wait for them for ever.
fn check_process(started_in: &Process) -> PyResult<()> {
    let here = std::process::id();
    match started_in.compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed) {
        Err(there) if there != here => Err(scan_state_error(FORKED, "scan/forked")),
        _ => Ok(()),
    }
}

impl Scan {
    fn next_rows(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        let _stay = Stay::enter()?;
        check_process(&self.started_in)?;
        match wait(py, |_| lock(&self.state).poll())? {
            Next::Rows(rows) => Ok(Some(rows)),
            Next::Finished => Ok(None),
            Next::Failed(error) => Err(scan_error(&error)),
            Next::Raised(raised) => Err(raised),
            Next::Closed => Err(scan_state_error(CLOSED, "scan/closed")),
        }
    }

    fn write<'py>(
        &self,
        path: &Bound<'py, PyAny>,
        form: RowFormat,
        resume: Optional<'_, 'py>,
        restart: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = path.py();
        let _stay = Stay::enter()?;
        let path: PathBuf = path.extract().map_err(|_| arguments::no_path("path", "a path", path))?;
        let resume = arguments::flag("resume", resume, false)?;
        let restart = arguments::flag("restart", restart, false)?;
        let unfinished = match (resume, restart) {
            (true, true) => {
                let message = "resume and restart exclude each other";
                return Err(argument_error("restart", message, "argument/conflict"));
            }
            (true, false) => Unfinished::Resume,
            (false, true) => Unfinished::Restart,
            (false, false) => Unfinished::Refuse,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let plan = detach(py, || {
            let mut state = lock(&self.state);
            match std::mem::replace(&mut state.stage, Stage::Writing(Arc::clone(&stop))) {
                Stage::Waiting(plan) => Some(plan),
                other => {
                    state.stage = other;
                    None
                }
            }
        });
        let Some(plan) = plan else {
            // The rows that were given out would be missing.
            let message = "the scan has started already: make a new one to write its rows";
            return Err(scan_state_error(message, "scan/started"));
        };
        let written = write::write(py, plan, &path, form, unfinished, &stop, REMARKS);
        detach(py, || {
            let mut state = lock(&self.state);
            state.stage = Stage::Finished;
            if let Ok(written) = &written {
                state.counts = written.counts.clone();
                state.remarks.clone_from(&written.remarks);
            }
        });
        if written?.was_complete {
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let message = format!("{name} is complete: nothing was scanned, and it stays as it is");
            warn(py, &message)?;
        }
        self.counts(py)
    }
}

#[pymethods]
impl Scan {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Rows>> {
        Ok(self.next_rows(py)?.map(Rows::new))
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        let stage = detach(py, || {
            let stage = &mut lock(&self.state).stage;
            let ended = if matches!(stage, Stage::Finished) { Stage::Finished } else { Stage::Closed };
            std::mem::replace(stage, ended)
        });
        if let Stage::Writing(stop) = &stage {
            stop.store(true, Ordering::Relaxed);
        }
        // Streams of Python are let go here, the threads of the scan by themselves.
        drop(stage);
    }

    /// All rows that are left, in memory.
    ///
    /// Raises BulkError when they do not fit one record batch.
    fn read_all(&self, py: Python<'_>) -> PyResult<Rows> {
        let _stay = Stay::enter()?;
        let mut pieces = Pieces::new(Arc::clone(&self.schema));
        while let Some(rows) = self.next_rows(py)? {
            pieces.push(rows)?;
        }
        let joined = detach(py, || pieces.join(self.threads));
        joined.map(Rows::new).map_err(|error| bulk_error(&error.to_string(), "bulk/arrow"))
    }

    /// Write all rows to a Parquet file, and return the counts.
    ///
    /// The file gets its name when it is complete. Until then the rows are in
    /// ``PATH.partial``, and ``PATH.journal`` says how far they go. After an interruption,
    /// a scan of the same sources with the same options continues with ``resume=True``, or
    /// begins again with ``restart=True``; without either it refuses to touch what is
    /// there. The command ``bitmesh scan`` can continue it too.
    ///
    /// A complete file at PATH is replaced. With ``resume=True`` it stays, whatever it is, and
    /// nothing is scanned: a warning says so, and the counts are 0.
    ///
    /// Raises ScanError when the file cannot be written, the rows that are there belong to
    /// another scan, or ``stop`` ended the scan: then it can be resumed.
    #[pyo3(
        signature = (path, *, resume = None, restart = None),
        text_signature = "($self, path, *, resume=False, restart=False)"
    )]
    fn write_parquet<'py>(
        &self,
        path: &Bound<'py, PyAny>,
        resume: Optional<'_, 'py>,
        restart: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.write(path, RowFormat::Parquet, resume, restart)
    }

    /// Write all rows to a file, one JSON object a line, as ``write_parquet`` does.
    #[pyo3(
        signature = (path, *, resume = None, restart = None),
        text_signature = "($self, path, *, resume=False, restart=False)"
    )]
    fn write_jsonl<'py>(
        &self,
        path: &Bound<'py, PyAny>,
        resume: Optional<'_, 'py>,
        restart: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.write(path, RowFormat::JsonLines, resume, restart)
    }

    /// Write all rows to a file of comma-separated values, as ``write_parquet`` does.
    #[pyo3(
        signature = (path, *, resume = None, restart = None),
        text_signature = "($self, path, *, resume=False, restart=False)"
    )]
    fn write_csv<'py>(
        &self,
        path: &Bound<'py, PyAny>,
        resume: Optional<'_, 'py>,
        restart: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.write(path, RowFormat::Csv, resume, restart)
    }

    /// End the scan soon: what has been read is still given out.
    ///
    /// From another thread it ends the writing of a file as well. That raises ScanError, and
    /// can be resumed.
    fn stop(&self, py: Python<'_>) {
        detach(py, || {
            let mut state = lock(&self.state);
            match &state.stage {
                Stage::Running(scanning) => scanning.stop(),
                Stage::Writing(stop) => stop.store(true, Ordering::Relaxed),
                Stage::Waiting(_) => state.stage = Stage::Finished,
                Stage::Finished | Stage::Closed => {}
            }
        });
    }

    /// What has been counted in the rows that were given out or written.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = detach(py, || serde_json::to_string(&lock(&self.state).counts).unwrap_or_default());
        py.import("json")?.call_method1("loads", (counts,))
    }

    /// Errors and notices about the sources in words, the first thousand. All are counted.
    #[getter]
    fn remarks(&self, py: Python<'_>) -> Vec<String> {
        detach(py, || lock(&self.state).remarks.iter().map(ToString::to_string).collect())
    }

    /// Whether there are no more rows to come.
    #[getter]
    fn finished(&self, py: Python<'_>) -> bool {
        detach(py, || matches!(lock(&self.state).stage, Stage::Finished | Stage::Closed))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (rows, state) = detach(py, || {
            let state = lock(&self.state);
            let words = match state.stage {
                Stage::Waiting(_) => "not started",
                Stage::Running(_) | Stage::Writing(_) => "under way",
                Stage::Finished | Stage::Closed => "finished",
            };
            (state.counts.rows, words)
        });
        format!("<Scan {state}, {rows} rows>")
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The rows have one schema, whatever is requested.
        let _ = requested_schema;
        let (state, process) = (Arc::clone(&self.state), Arc::clone(&self.started_in));
        let next = std::iter::from_fn(move || stream_next(&state, &process));
        stream_capsule(py, Arc::clone(&self.schema), next)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, self.schema.as_ref())
    }
}

/// The next rows for a consumer of the stream, which may or may not hold the GIL.
fn stream_next(state: &Mutex<State>, process: &Process) -> Option<Result<RecordBatch, ArrowError>> {
    let external =
        |error: Box<dyn std::error::Error + Send + Sync>| Some(Err(ArrowError::ExternalError(error)));
    let Some(_stay) = Stay::begin() else { return external("python is ending".into()) };
    let next = Python::attach(|py| {
        if check_process(process).is_err() {
            return Ok(None);
        }
        let next = wait(py, |_| lock(state).poll());
        if next.is_err() {
            // The stream cannot carry the exception: the signal is given again to whoever reads it.
            let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
        }
        next.map(Some)
    });
    match next {
        Ok(Some(Next::Rows(rows))) => Some(Ok(rows)),
        Ok(Some(Next::Finished)) => None,
        Ok(Some(Next::Failed(error))) => external(Box::new(error)),
        Ok(Some(Next::Raised(raised))) => external(raised.to_string().into()),
        Ok(Some(Next::Closed)) => external(CLOSED.into()),
        Ok(None) => external(FORKED.into()),
        Err(_) => external("interrupted".into()),
    }
}

/// Scan collections as the command ``bitmesh scan`` does: FEN, EPD, PGN, CSV, TSV, Parquet, packed or not.
///
/// ``sources`` are files, folders and binary streams. ``format`` is ``fen``, ``epd``,
/// ``pgn``, ``csv``, ``tsv``, ``parquet``, ``jsonl`` (JSON lines) or ``plain`` (blocks of network
/// trainers), and detected by default. ``column`` names the
/// column of a table or gives its number from 1; ``delimiter`` is the character between its
/// cells; ``first_move`` plays the first move of the column ``Moves`` first; ``variations``
/// plays those of games too; ``odds_castling`` drops castling rights without their rook.
///
/// With ``nodes``, up to that many positions are followed where it may prove a position dead,
/// as in ``prove``, which takes much longer. With ``decide=True``, or a number of positions
/// to look at, each side of each position is decided, as in ``decide``: four more columns.
///
/// ``only`` is a list of claims (``strict``, ``accepted``, ``persistent``, ``unwinnable``,
/// ``dead``; with ``decide`` also ``winnable``, ``flag-draw``, ``undecided``) and keeps rows
/// with at least one of them, and rows with errors; ``unique`` keeps the first row of each
/// position. ``tags`` of games and ``columns`` of tables are carried along by their names,
/// ``rest`` what follows a position in its line, ``offset`` where its record begins.
/// ``digests=False`` leaves out the columns ``digest`` and ``position_digest``, which takes less
/// time. ``certificates`` is a folder for the evidence of what is given out.
///
/// Raises ScanError when a source cannot be opened.
#[pyfunction]
#[pyo3(
    signature = (
        *sources, format = None, column = None, delimiter = None, first_move = None, variations = None,
        only = None, unique = None, threads = None, certificates = None, odds_castling = None, nodes = None,
        decide = None, tags = None, columns = None, rest = None, offset = None, digests = None,
    ),
    text_signature = "(*sources, format=None, column=None, delimiter=None, first_move=False, variations=False, \
                      only=None, unique=False, threads=None, certificates=None, odds_castling=False, nodes=0, \
                      decide=False, tags=None, columns=None, rest=False, offset=False, digests=True)"
)]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn scan(
    sources: &Bound<'_, PyTuple>,
    format: Optional<'_, '_>,
    column: Optional<'_, '_>,
    delimiter: Optional<'_, '_>,
    first_move: Optional<'_, '_>,
    variations: Optional<'_, '_>,
    only: Optional<'_, '_>,
    unique: Optional<'_, '_>,
    threads: Optional<'_, '_>,
    certificates: Optional<'_, '_>,
    odds_castling: Optional<'_, '_>,
    nodes: Optional<'_, '_>,
    decide: Optional<'_, '_>,
    tags: Optional<'_, '_>,
    columns: Optional<'_, '_>,
    rest: Optional<'_, '_>,
    offset: Optional<'_, '_>,
    digests: Optional<'_, '_>,
) -> PyResult<Scan> {
    let mut options = Options::default();
    options.format = to_format(format)?;
    options.column = column.map(to_column).transpose()?;
    options.delimiter =
        arguments::text("delimiter", delimiter)?.map(|text| to_delimiter(&text)).transpose()?;
    options.first_move = arguments::flag("first_move", first_move, false)?;
    options.variations = arguments::flag("variations", variations, false)?;
    options.odds_castling = arguments::flag("odds_castling", odds_castling, false)?;
    let nodes = arguments::count("nodes", nodes, 0)?;
    options.positions = (nodes > 0).then(|| Limit::nodes(nodes));
    options.decide = to_effort(decide)?;
    options.extra.decisions = options.decide.is_some();
    options.extra.tags = to_names("tags", tags)?;
    options.extra.columns = to_names("columns", columns)?;
    options.extra.rest = arguments::flag("rest", rest, false)?;
    options.extra.offset = arguments::flag("offset", offset, false)?;
    options.extra.without_digests = !arguments::flag("digests", digests, true)?;
    options.extra.check().map_err(|error| {
        let argument = if columns.is_some() { "columns" } else { "tags" };
        argument_error(argument, &error.to_string(), "argument/repeated-column")
    })?;
    options.only = only.map(|only| to_claims(only, options.decide.is_some())).transpose()?;
    options.unique = arguments::flag("unique", unique, false)?;
    options.threads = arguments::threads(threads)?;
    options.certificates = arguments::path("certificates", certificates)?;
    let threads = options.threads.get();
    let schema = schema_with(&options.extra);
    let plan = Plan::new(sources, options)?;
    let raised = Raised::clone(&plan.raised);
    let stage = Stage::Waiting(plan);
    let state = State { stage, counts: Counts::default(), remarks: Vec::new(), raised };
    Ok(Scan { state: Arc::new(Mutex::new(state)), schema, threads, started_in: Arc::default() })
}
