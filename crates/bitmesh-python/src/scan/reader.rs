//! Streams of Python, read by the threads of a scan.

use std::io::{self, Cursor, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments;
use crate::errors::{argument_error, type_error};

/// A binary stream of Python, read by the threads of a scan.
pub(super) struct PythonReader {
    /// Absent only while it is dropped.
    object: Option<Py<PyAny>>,
    /// What was read last. A stream may give more than was asked for.
    returned: Cursor<Vec<u8>>,
}

/// Lets the stream go at once, not when Python happens to be entered again.
impl Drop for PythonReader {
    fn drop(&mut self) {
        let object = self.object.take();
        if let Ok(_stay) = Stay::begin() {
            Python::attach(|_| drop(object));
        }
    }
}

impl PythonReader {
    /// # Errors
    ///
    /// A stream in text mode, which has decoded the bytes already.
    pub(super) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.getattr("closed").and_then(|closed| closed.is_truthy()).unwrap_or(false) {
            return Err(argument_error("sources", "the stream is closed", "argument/closed-stream"));
        }
        let text_streams = object.py().import("io")?.getattr("TextIOBase")?;
        // A wrapper around a text stream is none by its class, but it has its encoding.
        let is_text = object.is_instance(&text_streams)?
            || object.hasattr("encoding")? && object.call_method1("read", (0,))?.is_instance_of::<PyString>();
        if is_text {
            let message = "the stream is in text mode: give the path, or open it with open(path, \"rb\")";
            return Err(type_error("sources", message, "argument/text-stream"));
        }
        Ok(Self { object: Some(object.clone().unbind()), returned: Cursor::default() })
    }

    /// Asks the stream for bytes; it gives as many as it likes, and none at its end.
    fn ask(&self, length: usize) -> io::Result<Vec<u8>> {
        let _stay = Stay::begin()?;
        Python::attach(|py| {
            let Some(object) = &self.object else { return Ok(Vec::new()) };
            let read = || -> PyResult<Vec<u8>> {
                let returned = object.bind(py).call_method1("read", (length,))?;
                let message = "read() of the stream did not return bytes";
                let bytes = arguments::bytes(&returned)?.ok_or_else(|| PyTypeError::new_err(message))?;
                Ok(bytes.into_owned())
            };
            read().map_err(|error| io::Error::other(error.to_string()))
        })
    }
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
        let length = self.returned.read(buffer)?;
        if length > 0 {
            return Ok(length);
        }
        self.returned = Cursor::new(self.ask(buffer.len())?);
        self.returned.read(buffer)
    }
}
