//! Streams of Python, read by the threads of a scan.

use std::io::{self, Cursor, Read};
use std::sync::{Arc, Mutex};

use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments;
use crate::ending::Stay;
use crate::errors::{argument_error, type_error};
use crate::interrupt::lock;

/// A binary stream of Python, read by the threads of a scan.
pub(super) struct PythonReader {
    /// Absent only while it is dropped.
    object: Option<Py<PyAny>>,
    /// What was read last. A stream may give more than was asked for.
    returned: Cursor<Vec<u8>>,
    raised: Raised,
}

/// What a stream raised that is no `Exception`, such as `KeyboardInterrupt`: it ends the scan, and is raised again.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// Lets the stream go at once, not when Python happens to be entered again.
impl Drop for PythonReader {
    fn drop(&mut self) {
        let object = self.object.take();
        if let Some(_stay) = Stay::begin() {
            Python::attach(|_| drop(object));
        }
    }
}

impl PythonReader {
    /// # Errors
    ///
    /// A stream in text mode, which has decoded the bytes already.
    pub(super) fn new(object: &Bound<'_, PyAny>, raised: Raised) -> PyResult<Self> {
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
        Ok(Self { object: Some(object.clone().unbind()), returned: Cursor::default(), raised })
    }

    /// Asks the stream for bytes; it gives as many as it likes, and none at its end.
    fn ask(&self, length: usize) -> io::Result<Vec<u8>> {
        // A thread that enters Python while it is taken down brings the whole process down.
        let _stay = Stay::begin().ok_or_else(|| io::Error::other("python is ending"))?;
        Python::attach(|py| {
            let Some(object) = &self.object else { return Ok(Vec::new()) };
            let read = || -> PyResult<Vec<u8>> {
                let returned = object.bind(py).call_method1("read", (length,))?;
                let message = "read() of the stream did not return bytes";
                let bytes = arguments::bytes(&returned)?.ok_or_else(|| PyTypeError::new_err(message))?;
                Ok(bytes.into_owned())
            };
            read().map_err(|error| {
                let message = io::Error::other(error.to_string());
                // Ctrl-C and sys.exit() are not about the stream.
                if !error.is_instance_of::<PyException>(py) {
                    lock(&self.raised).get_or_insert(error);
                }
                message
            })
        })
    }
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
