//! Whole collections: files, folders and streams.

use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, RecordBatch, StructArray};
use arrow::datatypes::{Field, FieldRef, SchemaRef};
use arrow::error::ArrowError;
use bitmesh_corpus::{
    Batches, Block, Claim, Claims, Column, Counts, Format, Inputs, Options, Remark, Scan as Scanning,
    ScanError, Step, schema,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

use crate::bulk::to_threads;
use crate::errors::{bulk_error, scan_error};
use crate::interrupt::{PATIENCE, lock, wait};
use crate::rows::{Pieces, Rows};

/// Remarks that are kept; all are counted.
const REMARKS: usize = 1000;

/// A scan that is going on: an iterator of record batches and an Arrow stream.
#[pyclass(frozen, module = "bitmesh")]
pub(crate) struct Scan {
    state: Arc<Mutex<State>>,
    threads: usize,
}

struct State {
    /// Absent when there is nothing more to come.
    scanning: Option<Scanning<RecordBatch>>,
    counts: Counts,
    remarks: Vec<Remark>,
}

/// What came of waiting for rows.
enum Next {
    Rows(RecordBatch),
    Finished,
    Failed(ScanError),
}

impl State {
    /// Waits a little for the next rows.
    fn poll(&mut self) -> Option<Next> {
        let Some(scanning) = &mut self.scanning else { return Some(Next::Finished) };
        match scanning.step(PATIENCE) {
            Ok(Step::Waiting) => None,
            Ok(Step::Finished) => {
                self.scanning = None;
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
                self.scanning = None;
                Some(Next::Failed(error))
            }
        }
    }
}

impl Scan {
    fn next_rows(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        match wait(py, |_| lock(&self.state).poll())? {
            Next::Rows(rows) => Ok(Some(rows)),
            Next::Finished => Ok(None),
            Next::Failed(error) => Err(scan_error(&error)),
        }
    }

    fn field() -> FieldRef {
        let schema: SchemaRef = schema();
        let field = Field::new_struct("", schema.fields().clone(), false);
        Arc::new(field.with_metadata(schema.metadata().clone()))
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

    fn read_all(&self, py: Python<'_>) -> PyResult<Rows> {
        let mut pieces = Pieces::default();
        while let Some(rows) = self.next_rows(py)? {
            pieces.push(rows)?;
        }
        let joined = py.detach(|| pieces.join(self.threads));
        joined.map(Rows::new).map_err(|error| bulk_error(&error.to_string(), "bulk/arrow"))
    }

    fn stop(&self, py: Python<'_>) {
        py.detach(|| {
            if let Some(scanning) = &lock(&self.state).scanning {
                scanning.stop();
            }
        });
    }

    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = py.detach(|| serde_json::to_string(&lock(&self.state).counts).unwrap_or_default());
        py.import("json")?.call_method1("loads", (counts,))
    }

    #[getter]
    fn remarks(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| lock(&self.state).remarks.iter().map(ToString::to_string).collect())
    }

    #[getter]
    fn finished(&self, py: Python<'_>) -> bool {
        py.detach(|| lock(&self.state).scanning.is_none())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let rows = py.detach(|| lock(&self.state).counts.rows);
        let state = if self.finished(py) { "finished" } else { "under way" };
        format!("<Scan {state}, {rows} rows>")
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let state = Arc::clone(&self.state);
        let arrays = std::iter::from_fn(move || stream_next(&state));
        to_stream_pycapsule(py, Box::new(ArrayIterator::new(arrays, Self::field())), requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, schema().as_ref())
    }
}

/// The next rows for a consumer of the stream, which may or may not hold the GIL.
fn stream_next(state: &Mutex<State>) -> Option<Result<ArrayRef, ArrowError>> {
    let external =
        |error: Box<dyn std::error::Error + Send + Sync>| Some(Err(ArrowError::ExternalError(error)));
    let next = Python::attach(|py| {
        let next = wait(py, |_| lock(state).poll());
        if next.is_err() {
            // The stream cannot carry the exception: the signal is given again to whoever reads it.
            let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
        }
        next
    });
    match next {
        Ok(Next::Rows(rows)) => Some(Ok(Arc::new(StructArray::from(rows)))),
        Ok(Next::Finished) => None,
        Ok(Next::Failed(error)) => external(Box::new(error)),
        Err(_) => external("interrupted".into()),
    }
}

#[pyfunction]
#[pyo3(signature = (
    *sources, format = None, column = None, delimiter = None, first_move = false, variations = false,
    only = None, unique = false, threads = None, certificates = None,
))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn scan(
    py: Python<'_>,
    sources: &Bound<'_, PyTuple>,
    format: Option<&str>,
    column: Option<&Bound<'_, PyAny>>,
    delimiter: Option<char>,
    first_move: bool,
    variations: bool,
    only: Option<Vec<String>>,
    unique: bool,
    threads: Option<usize>,
    certificates: Option<PathBuf>,
) -> PyResult<Scan> {
    if sources.is_empty() {
        return Err(PyTypeError::new_err("a file, folder or stream to scan is needed"));
    }
    let mut options = Options::default();
    let no_value = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    options.format = format.map(str::parse::<Format>).transpose().map_err(|error| no_value(&error))?;
    options.column = column.map(to_column).transpose()?;
    let delimiter = delimiter.map(|delimiter| u8::try_from(delimiter).ok().filter(u8::is_ascii));
    options.delimiter = match delimiter {
        Some(None) => return Err(PyValueError::new_err("a delimiter is an ASCII character")),
        Some(delimiter) => delimiter,
        None => None,
    };
    options.first_move = first_move;
    options.variations = variations;
    let claims =
        only.map(|names| names.iter().map(|name| name.parse::<Claim>()).collect::<Result<Claims, _>>());
    options.only = claims.transpose().map_err(|error| no_value(&error))?;
    options.unique = unique;
    options.threads = to_threads(threads)?;
    options.certificates = certificates;

    let mut inputs = Inputs::new();
    for source in sources {
        if source.hasattr("read")? {
            let name = source.getattr("name").and_then(|name| name.extract::<String>());
            let name = name.unwrap_or_else(|_| "stream".to_owned());
            inputs.add_reader(&name, Box::new(PythonReader { object: source.unbind() }));
        } else {
            let path: PathBuf = source.extract()?;
            inputs.add_path(&path, &[]).map_err(|error| scan_error(&error))?;
        }
    }
    let threads = options.threads.get();
    let scanning = py.detach(|| Scanning::start(inputs, options, Batches::new));
    let scanning = Some(scanning.map_err(|error| scan_error(&error))?);
    let state = State { scanning, counts: Counts::default(), remarks: Vec::new() };
    Ok(Scan { state: Arc::new(Mutex::new(state)), threads })
}

/// A column by its name, or by its place counted from 1.
fn to_column(object: &Bound<'_, PyAny>) -> PyResult<Column> {
    if let Ok(name) = object.extract::<String>() {
        return Ok(Column::Name(name));
    }
    match object.extract::<usize>()? {
        0 => Err(PyValueError::new_err("columns are counted from 1")),
        number => Ok(Column::Number(number)),
    }
}

/// A binary stream of Python, read by the threads of a scan.
struct PythonReader {
    object: Py<PyAny>,
}

/// Whether Python is ending, and how many threads are in it for a scan.
///
/// A thread that enters Python while it is taken down brings the whole process down.
static ENDING: AtomicBool = AtomicBool::new(false);
static READING: AtomicUsize = AtomicUsize::new(0);

/// How long the end of Python waits for streams that do not answer.
const FAREWELL: Duration = Duration::from_secs(2);

/// A thread's stay in Python.
struct Stay;

impl Stay {
    fn begin() -> io::Result<Self> {
        READING.fetch_add(1, Ordering::SeqCst);
        let stay = Self;
        if ENDING.load(Ordering::SeqCst) { Err(io::Error::other("python is ending")) } else { Ok(stay) }
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        READING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Called when Python ends: no thread of a scan enters it any more, and those inside have left.
#[pyfunction]
pub(crate) fn end(py: Python<'_>) {
    ENDING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let start = Instant::now();
        while READING.load(Ordering::SeqCst) > 0 && start.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

impl Read for PythonReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let _stay = Stay::begin()?;
        Python::attach(|py| {
            let mut read = || -> PyResult<usize> {
                let bytes = self.object.bind(py).call_method1("read", (buffer.len(),))?;
                let bytes = bytes.cast::<PyBytes>()?.as_bytes();
                let length = bytes.len().min(buffer.len());
                buffer[..length].copy_from_slice(&bytes[..length]);
                Ok(length)
            };
            read().map_err(|error| io::Error::other(error.to_string()))
        })
    }
}
