//! Many positions at once, over all cores and without the GIL.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use arrow::array::{Array, ArrayRef, AsArray as _, RecordBatch};
use arrow::compute::{can_cast_types, cast};
use arrow::datatypes::{DataType, Fields};
use arrow::error::ArrowError;
use bitmesh::persistent::Bound as Limit;
use bitmesh_corpus::{Batches, Collect as _, Depth, Texts};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use pyo3_arrow::input::AnyArray;

use crate::errors::bulk_error;
use crate::input::Boards;
use crate::interrupt::{aside, lock, lost, receive};
use crate::rows::{Pieces, Rows};

/// Positions of one job: few enough that Ctrl-C is heard soon and the memory of a job stays in the cache.
const JOB: usize = 2048;

/// The same where each position may take long.
const SLOW_JOB: usize = 16;

/// Jobs that are being made, evaluated or waiting for each thread, and how many more.
const JOBS_PER_THREAD: usize = 3;
const MORE_JOBS: usize = 2;

#[pyfunction]
#[pyo3(signature = (positions, *, column = None, source = "", threads = None))]
pub(crate) fn certify_many(
    positions: &Bound<'_, PyAny>,
    column: Option<&str>,
    source: &str,
    threads: Option<usize>,
) -> PyResult<Rows> {
    evaluate(positions, column, source, threads, Depth::Analysis)
}

#[pyfunction]
#[pyo3(signature = (positions, *, nodes = 0, column = None, source = "", threads = None))]
pub(crate) fn prove_many(
    positions: &Bound<'_, PyAny>,
    nodes: u32,
    column: Option<&str>,
    source: &str,
    threads: Option<usize>,
) -> PyResult<Rows> {
    let depth = match nodes {
        0 => Depth::Certificate,
        _ => Depth::Expansion(Limit::nodes(nodes)),
    };
    evaluate(positions, column, source, threads, depth)
}

/// A number of threads as it is given in Python.
pub(crate) fn to_threads(threads: Option<usize>) -> PyResult<NonZeroUsize> {
    match threads {
        None => Ok(thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)),
        Some(threads) => {
            NonZeroUsize::new(threads).ok_or_else(|| PyValueError::new_err("at least one thread is needed"))
        }
    }
}

fn evaluate(
    positions: &Bound<'_, PyAny>,
    column: Option<&str>,
    source: &str,
    threads: Option<usize>,
    depth: Depth,
) -> PyResult<Rows> {
    let py = positions.py();
    let job = if matches!(depth, Depth::Expansion(_)) { SLOW_JOB } else { JOB };
    let mut pool = Pool::start(to_threads(threads)?, &Texts::new(source).with_depth(depth), job)?;
    if positions.hasattr("__arrow_c_stream__")? || positions.hasattr("__arrow_c_array__")? {
        submit_arrow(py, &mut pool, positions.extract()?, column)?;
    } else if column.is_some() {
        return Err(PyTypeError::new_err("only Arrow data has columns"));
    } else {
        submit_objects(&mut pool, positions)?;
    }
    pool.finish(py).map(Rows::new)
}

/// Hands Arrow data to the threads as it is.
fn submit_arrow(py: Python<'_>, pool: &mut Pool, data: AnyArray, column: Option<&str>) -> PyResult<()> {
    let mut arrays = data.into_reader()?;
    let field = arrays.field();
    let index = match field.data_type() {
        DataType::Struct(fields) => Some(find_column(fields, column)?),
        data_type => {
            if column.is_some() {
                return Err(PyTypeError::new_err("only a table has columns, not an array"));
            }
            check_text("the array", data_type)?;
            None
        }
    };
    while let Some(array) = py.detach(|| arrays.next()) {
        let array = array.map_err(|error| arrow_failure(&error))?;
        let array = match index {
            // Rows that are null as a whole have no position either.
            Some(index) if array.null_count() == 0 => Arc::clone(array.as_struct().column(index)),
            Some(index) => {
                let parent = array.as_struct();
                let nulls = arrow::buffer::NullBuffer::union(parent.nulls(), parent.column(index).nulls());
                let data = parent.column(index).to_data().into_builder().nulls(nulls).build();
                arrow::array::make_array(data.map_err(|error| arrow_failure(&error))?)
            }
            None => array,
        };
        for start in (0..array.len()).step_by(pool.job) {
            let part = array.slice(start, pool.job.min(array.len() - start));
            pool.submit(py, Positions::Array(part))?;
        }
    }
    Ok(())
}

fn arrow_failure(error: &ArrowError) -> PyErr {
    bulk_error(&format!("cannot read the Arrow data: {error}"), "bulk/arrow")
}

/// The column of a table that is named, or `fen` or `epd` in any case, or the only one there is.
fn find_column(fields: &Fields, name: Option<&str>) -> PyResult<usize> {
    let named = |name: &str| fields.iter().position(|field| field.name().eq_ignore_ascii_case(name));
    let exactly = |name: &str| fields.iter().position(|field| field.name() == name);
    let found = match name {
        Some(name) => exactly(name).or_else(|| named(name)),
        None => named("fen").or_else(|| named("epd")).or_else(|| (fields.len() == 1).then_some(0)),
    };
    let Some(index) = found else {
        let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
        return Err(bulk_error(
            &format!("no column {}; the columns are: {}", name.unwrap_or("fen"), names.join(", ")),
            "bulk/no-column",
        ));
    };
    check_text(&format!("column {}", fields[index].name()), fields[index].data_type())?;
    Ok(index)
}

fn check_text(what: &str, data_type: &DataType) -> PyResult<()> {
    let is_text = match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Dictionary(_, values) => {
            can_cast_types(values, &DataType::Utf8) && check_text(what, values).is_ok()
        }
        DataType::RunEndEncoded(_, values) => check_text(what, values.data_type()).is_ok(),
        DataType::Null => true,
        _ => false,
    };
    if is_text {
        return Ok(());
    }
    Err(bulk_error(&format!("{what} holds {data_type}, not text"), "bulk/no-text"))
}

/// Hands on the texts and boards of a list or an iterator.
fn submit_objects(pool: &mut Pool, positions: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = positions.py();
    let boards = Boards::known(py)?;
    let is_single = positions.is_instance_of::<PyString>()
        || positions.is_instance_of::<PyBytes>()
        || boards.text(positions)?.is_some();
    if is_single {
        return Err(PyTypeError::new_err("a collection of positions is needed, not a single one"));
    }
    let mut packed = Packed::default();
    for (index, object) in positions.try_iter()?.enumerate() {
        push_object(&mut packed, &boards, &object?, index)?;
        if packed.ends.len() == pool.job {
            pool.submit(py, Positions::Packed(std::mem::take(&mut packed)))?;
        }
    }
    if !packed.ends.is_empty() {
        pool.submit(py, Positions::Packed(packed))?;
    }
    Ok(())
}

fn push_object<'py>(
    packed: &mut Packed,
    boards: &Boards<'py>,
    object: &Bound<'py, PyAny>,
    index: usize,
) -> PyResult<()> {
    if let Ok(text) = object.cast::<PyString>() {
        match text.encode_utf8() {
            Ok(bytes) => packed.push(bytes.as_bytes()),
            // A lone surrogate makes bytes that are no UTF-8: its row says so.
            Err(_) => {
                let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                packed.push(bytes.cast::<PyBytes>()?.as_bytes());
            }
        }
    } else if object.is_none() {
        packed.push(&[]);
    } else if let Ok(bytes) = object.cast::<PyBytes>() {
        packed.push(bytes.as_bytes());
    } else if let Some(text) = boards.text(object)? {
        packed.push(text.as_bytes());
    } else {
        return Err(PyTypeError::new_err(format!(
            "item {index} is no str and no chess.Board, but {}",
            object.get_type().name()?
        )));
    }
    Ok(())
}

/// Texts one behind the other.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Packed {
    fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }
}

/// The positions of a job.
enum Positions {
    Packed(Packed),
    Array(ArrayRef),
}

impl Positions {
    fn len(&self) -> usize {
        match self {
            Self::Packed(packed) => packed.ends.len(),
            Self::Array(array) => array.len(),
        }
    }

    /// Calls a function with each text; where there is none, with an empty one.
    fn for_each(&self, mut visit: impl FnMut(&[u8])) -> Result<(), ArrowError> {
        let array = match self {
            Self::Packed(Packed { bytes, ends }) => {
                let mut start = 0;
                for &end in ends {
                    visit(&bytes[start..end]);
                    start = end;
                }
                return Ok(());
            }
            Self::Array(array) => array,
        };
        macro_rules! visit_all {
            ($texts:expr, $bytes:expr) => {
                for text in $texts {
                    visit(text.map($bytes).unwrap_or_default());
                }
            };
        }
        match array.data_type() {
            DataType::Utf8 => visit_all!(array.as_string::<i32>(), str::as_bytes),
            DataType::LargeUtf8 => visit_all!(array.as_string::<i64>(), str::as_bytes),
            DataType::Utf8View => visit_all!(array.as_string_view(), str::as_bytes),
            DataType::Binary => visit_all!(array.as_binary::<i32>(), |bytes| bytes),
            DataType::LargeBinary => visit_all!(array.as_binary::<i64>(), |bytes| bytes),
            DataType::BinaryView => visit_all!(array.as_binary_view(), |bytes| bytes),
            _ => visit_all!(cast(array, &DataType::Utf8)?.as_string::<i32>(), str::as_bytes),
        }
        Ok(())
    }
}

struct Job {
    number: usize,
    /// The place of its first position, counted from 1.
    first: u64,
    positions: Positions,
}

enum Done {
    Rows(usize, RecordBatch),
    Failed(ArrowError),
    /// A thread is panicking.
    Lost,
}

/// Threads that evaluate, and what they have done so far. Dropping it stops them.
struct Pool {
    threads: NonZeroUsize,
    /// Positions of one job.
    job: usize,
    stop: Arc<AtomicBool>,
    jobs: Sender<Job>,
    done: Receiver<Done>,
    under_way: usize,
    next: usize,
    first: u64,
    early: BTreeMap<usize, RecordBatch>,
    pieces: Pieces,
    joined: usize,
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Pool {
    fn start(threads: NonZeroUsize, texts: &Texts, job: usize) -> PyResult<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (jobs, queue) = channel();
        let (sender, done) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..threads.get() {
            let worker = Worker {
                stop: Arc::clone(&stop),
                queue: Arc::clone(&queue),
                sender: sender.clone(),
                texts: texts.clone(),
            };
            thread::Builder::new()
                .name("bitmesh".to_owned())
                .spawn(move || worker.run())
                .map_err(|error| bulk_error(&format!("cannot start a thread: {error}"), "bulk/thread"))?;
        }
        Ok(Self {
            threads,
            job,
            stop,
            jobs,
            done,
            under_way: 0,
            next: 0,
            first: 1,
            early: BTreeMap::new(),
            pieces: Pieces::default(),
            joined: 0,
        })
    }

    fn submit(&mut self, py: Python<'_>, positions: Positions) -> PyResult<()> {
        py.check_signals()?;
        while self.under_way >= JOBS_PER_THREAD * self.threads.get() + MORE_JOBS {
            self.receive(py)?;
        }
        let (number, first) = (self.next, self.first);
        self.next += 1;
        self.first += positions.len() as u64;
        self.under_way += 1;
        self.jobs.send(Job { number, first, positions }).map_err(|_| lost())
    }

    fn receive(&mut self, py: Python<'_>) -> PyResult<()> {
        let done = receive(py, &mut self.done)?.unwrap_or(Done::Lost);
        self.under_way -= 1;
        match done {
            Done::Rows(number, batch) => self.early.insert(number, batch),
            Done::Failed(error) => return Err(arrow_failure(&error)),
            Done::Lost => return Err(lost()),
        };
        while let Some(batch) = self.early.remove(&self.joined) {
            self.pieces.push(batch)?;
            self.joined += 1;
        }
        Ok(())
    }

    fn finish(mut self, py: Python<'_>) -> PyResult<RecordBatch> {
        while self.under_way > 0 {
            self.receive(py)?;
        }
        let (pieces, threads) = (std::mem::take(&mut self.pieces), self.threads.get());
        // Joining takes its time too.
        aside(py, move || pieces.join(threads))?.map_err(|error| arrow_failure(&error))
    }
}

struct Worker {
    stop: Arc<AtomicBool>,
    queue: Arc<Mutex<Receiver<Job>>>,
    sender: Sender<Done>,
    texts: Texts,
}

impl Drop for Worker {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.sender.send(Done::Lost);
        }
    }
}

impl Worker {
    fn run(mut self) {
        let mut rows = Batches::new();
        loop {
            let job = lock(&self.queue).recv();
            let Ok(Job { number, first, positions }) = job else { return };
            let mut line = first;
            let evaluated = positions.for_each(|text| {
                if !self.stop.load(Ordering::Relaxed) {
                    self.texts.evaluate(line, text, &mut rows);
                }
                line += 1;
            });
            let batch = rows.take();
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let done = match evaluated {
                Ok(()) => Done::Rows(number, batch),
                Err(error) => Done::Failed(error),
            };
            if self.sender.send(done).is_err() {
                return;
            }
        }
    }
}
