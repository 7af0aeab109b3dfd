//! Exceptions: the classes are in `bitmesh._errors`, here they are raised.

use std::error::Error;
use std::ffi::CString;
use std::fmt::Write as _;

use bitmesh::ErrorCode;
use bitmesh_corpus::Printable;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

/// An error and what caused it, in one line.
pub(crate) fn words(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        // Writing to a string cannot fail.
        let _ = write!(words, ": {cause}");
        source = cause.source();
    }
    words
}

/// How many characters of a message are kept from its beginning and from its end.
const HEAD: usize = 300;
const TAIL: usize = 100;

/// A text of bounded length, without characters that a terminal obeys.
///
/// A message quotes what was given, and that may have any size.
pub(crate) fn shown(text: &str) -> String {
    // A character has four bytes at most.
    if text.len() <= HEAD + TAIL || text.chars().count() <= HEAD + TAIL {
        return Printable(text).to_string();
    }
    let after = |count| text.char_indices().nth(count).map_or(text.len(), |(index, _)| index);
    let before = text.char_indices().rev().nth(TAIL - 1).map_or(0, |(index, _)| index);
    format!("{} … {}", Printable(&text[..after(HEAD)]), Printable(&text[before..]))
}

/// An instance of a class of `bitmesh._errors`.
fn exception(class: &str, message: &str, code: &str, argument: Option<&str>) -> PyErr {
    Python::attach(|py| {
        let build = || py.import("bitmesh._errors")?.getattr(class)?.call1((shown(message), code, argument));
        build().map_or_else(|error| error, PyErr::from_value)
    })
}

/// What was given is not a position.
pub(crate) fn position_error(message: &str, code: &str) -> PyErr {
    exception("PositionError", message, code, None)
}

/// What was given is not a certificate, or does not hold.
pub(crate) fn certificate_error(message: &str, code: &str) -> PyErr {
    exception("CertificateError", message, code, None)
}

/// An error of the library about evidence, with its causes and its code.
pub(crate) fn refused<E: Error + ErrorCode>(error: &E) -> PyErr {
    certificate_error(&words(error), error.code())
}

/// A certificate is about something else.
pub(crate) fn mismatch_error(message: &str, code: &str) -> PyErr {
    exception("MismatchError", message, code, None)
}

/// Something cannot be drawn.
pub(crate) fn drawing_error(message: &str, code: &str) -> PyErr {
    exception("DrawingError", message, code, None)
}

/// Many positions cannot be evaluated as they were asked for.
pub(crate) fn bulk_error(message: &str, code: &str) -> PyErr {
    exception("BulkError", message, code, None)
}

/// The same about a column, which an argument names or could have named.
pub(crate) fn column_error(message: &str, code: &str, named: bool) -> PyErr {
    exception("BulkError", message, code, named.then_some("column"))
}

/// Arrow data cannot be read.
pub(crate) fn arrow_failure(error: &arrow_schema::ArrowError) -> PyErr {
    bulk_error(&format!("cannot read the Arrow data: {error}"), "bulk/arrow")
}

/// A collection cannot be scanned.
pub(crate) fn scan_error(error: &bitmesh_corpus::ScanError) -> PyErr {
    exception("ScanError", &error.to_string(), error.code(), None)
}

/// A scan is past the point where this could be done, or has been ended.
pub(crate) fn scan_state_error(message: &str, code: &str) -> PyErr {
    exception("ScanError", message, code, None)
}

/// Warns the caller.
///
/// # Errors
///
/// Where warnings are errors.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    // What is shown has no control characters, and so no zero byte.
    let message = CString::new(shown(message)).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}

/// The rows of a scan cannot be written.
pub(crate) fn output_error(error: &bitmesh_corpus::output::OutputError) -> PyErr {
    exception("ScanError", &in_python(error.to_string()), error.code(), None)
}

/// What the command says last, and the same for a caller in Python. A path before it may hold any text.
const ADVICE: [(&str, &str); 2] = [
    (
        "continue with --resume, or throw them away with --restart",
        "continue with resume=True, or throw them away with restart=True",
    ),
    ("begin again with --restart", "begin again with restart=True"),
];

fn in_python(message: String) -> String {
    for (of_command, of_python) in ADVICE {
        if let Some(problem) = message.strip_suffix(of_command) {
            return format!("{problem}{of_python}");
        }
    }
    message
}

/// An argument has a value that it cannot have.
pub(crate) fn argument_error(argument: &str, message: &str, code: &str) -> PyErr {
    exception("ArgumentError", &format!("{argument}: {message}"), code, Some(argument))
}

/// A number does not fit its argument.
pub(crate) fn range_error(argument: &str, message: &str) -> PyErr {
    let message = format!("{argument}: {message}");
    exception("ArgumentRangeError", &message, "argument/out-of-range", Some(argument))
}

/// An argument has a type that it cannot have.
pub(crate) fn type_error(argument: &str, message: &str, code: &str) -> PyErr {
    exception("ArgumentTypeError", &format!("{argument}: {message}"), code, Some(argument))
}
