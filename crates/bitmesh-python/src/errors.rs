//! Exceptions: the classes are in `bitmesh._errors`, here they are raised.

use std::error::Error;
use std::fmt::Write as _;

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

/// An instance of a class of `bitmesh._errors`.
fn exception(class: &str, message: &str, code: &str) -> PyErr {
    Python::attach(|py| {
        let build = || py.import("bitmesh._errors")?.getattr(class)?.call1((message, code));
        build().map_or_else(|error| error, PyErr::from_value)
    })
}

/// What was given is no position.
pub(crate) fn position_error(message: &str, code: &str) -> PyErr {
    exception("PositionError", message, code)
}

/// What was given is no certificate, or does not hold.
pub(crate) fn certificate_error(message: &str, code: &str) -> PyErr {
    exception("CertificateError", message, code)
}

/// A certificate is about something else.
pub(crate) fn mismatch_error(message: &str, code: &str) -> PyErr {
    exception("MismatchError", message, code)
}

/// Something cannot be drawn.
pub(crate) fn drawing_error(message: &str, code: &str) -> PyErr {
    exception("DrawingError", message, code)
}

/// Many positions cannot be evaluated as they were asked for.
pub(crate) fn bulk_error(message: &str, code: &str) -> PyErr {
    exception("BulkError", message, code)
}

/// A collection cannot be scanned.
pub(crate) fn scan_error(error: &bitmesh_corpus::ScanError) -> PyErr {
    exception("ScanError", &error.to_string(), error.code())
}
