//! Names that have been replaced.

use std::ffi::CStr;

use pyo3::exceptions::PyDeprecationWarning;
use pyo3::prelude::*;

/// Warns the caller that a name has been replaced.
///
/// # Errors
///
/// Where warnings are errors.
pub(crate) fn renamed(py: Python<'_>, message: &CStr) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyDeprecationWarning>(), message, 1)
}
