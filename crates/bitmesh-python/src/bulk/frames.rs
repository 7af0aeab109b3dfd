//! Data frames and series: only the column with the positions is taken out of them.
//!
//! A frame as a whole may have columns that Arrow cannot express, and a column of objects may hold boards.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use super::arrow_data::{Data, choose_column, no_column};
use crate::errors::{bulk_error, type_error};

/// Where positions come from.
pub(super) enum Source<'py> {
    /// Arrow data, and the column to take if it is a table and one was named.
    Arrow(Data, Option<String>),
    /// Something to be iterated over, and whether it was a column of a table.
    Objects(Bound<'py, PyAny>, bool),
}

impl<'py> Source<'py> {
    pub(super) fn of(positions: &Bound<'py, PyAny>, column: Option<&str>) -> PyResult<Self> {
        let library = library(positions)?;
        if matches!(library.as_str(), "pandas" | "polars") {
            // The class is asked: a lazy frame would begin to work, or warn that it has to.
            let class = positions.get_type();
            if class.hasattr("collect")? {
                let message = "a LazyFrame has no rows yet: give positions.collect()";
                return Err(type_error("positions", message, "argument/lazy-frame"));
            }
            if class.hasattr("columns")? && (class.hasattr("iloc")? || class.hasattr("to_series")?) {
                return Self::of_series(column_of_frame(positions, column)?, true, None);
            }
            if class.hasattr("to_frame")? {
                return Self::of_series(positions.clone(), false, column);
            }
            // Arrays of pandas, which have no Arrow form of their own.
            return Ok(Self::Objects(positions.clone(), false));
        }
        let named = column.map(str::to_owned);
        if library == "pyarrow" && positions.hasattr("chunks")? {
            return Ok(Self::Arrow(Self::of_chunks(positions)?, named));
        }
        if positions.hasattr("__arrow_c_array__")? {
            Ok(Self::Arrow(Data::of_array(positions)?, named))
        } else if positions.hasattr("__arrow_c_stream__")? {
            Ok(Self::Arrow(Self::of_stream(positions, &library)?, named))
        } else {
            Ok(Self::Objects(positions.clone(), false))
        }
    }

    /// The pieces of a chunked array of pyarrow.
    fn of_chunks(positions: &Bound<'py, PyAny>) -> PyResult<Data> {
        let pieces = positions.getattr("chunks")?;
        if pieces.len()? > 0 {
            return Data::of_arrays(&pieces);
        }
        // An empty array of the type says what the column would hold.
        let nothing = PyList::empty(positions.py());
        let pyarrow = positions.py().import("pyarrow")?;
        let empty = pyarrow.call_method1("array", (nothing, positions.getattr("type")?))?;
        Data::of_array(&empty)
    }

    /// A stream. That of a library which is not known may hold structs that are null as a whole, and a reader of batches
    /// loses that: where pyarrow is installed, it gives the arrays as they are.
    fn of_stream(positions: &Bound<'py, PyAny>, library: &str) -> PyResult<Data> {
        let gives_batches = matches!(library, "pyarrow" | "duckdb" | "bitmesh" | "_bitmesh" | "_duckdb");
        if !gives_batches && let Ok(pyarrow) = positions.py().import("pyarrow") {
            match pyarrow.call_method1("chunked_array", (positions,)) {
                Ok(chunked) => return Self::of_chunks(&chunked),
                // Older versions do not take streams.
                Err(error) if error.is_instance_of::<PyTypeError>(positions.py()) => {}
                Err(error) => {
                    return Err(bulk_error(&format!("cannot read the Arrow data: {error}"), "bulk/arrow"));
                }
            }
        }
        Data::of_stream(positions)
    }

    /// A series is Arrow data unless it holds objects of Python or nothing at all.
    fn of_series(series: Bound<'py, PyAny>, from_frame: bool, column: Option<&str>) -> PyResult<Self> {
        let data_type = series.getattr("dtype").and_then(|dtype| dtype.str().map(|text| text.to_string()));
        // Polars gives buffers to a column that is null throughout, where Arrow knows none.
        let is_listed = |name: String| name.eq_ignore_ascii_case("object") || name == "Null";
        if data_type.is_ok_and(is_listed) {
            return Ok(Self::Objects(series, from_frame));
        }
        if column.is_some() {
            return Err(type_error(
                "column",
                "only a table has columns, not a series",
                "argument/no-columns",
            ));
        }
        // A table of one column, which all versions export; pandas needs pyarrow for it.
        match frame_of_series(&series).and_then(|frame| Data::of_stream(&frame)) {
            Ok(data) => Ok(Self::Arrow(data, None)),
            Err(_) => Ok(Self::Objects(series, from_frame)),
        }
    }
}

/// The frame that has a series as its only column.
///
/// The index of pandas is no part of it: in Arrow it would be a column like any other. The values are not copied.
fn frame_of_series<'py>(series: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !series.get_type().hasattr("array")? {
        return series.call_method0("to_frame");
    }
    let py = series.py();
    let options = PyDict::new(py);
    options.set_item("copy", false)?;
    let name = series.getattr("name")?;
    // Arrow wants a text.
    options.set_item("name", if name.is_none() { PyString::new(py, "") } else { name.str()? })?;
    let values = series.getattr("array")?;
    py.import("pandas")?.call_method("Series", (values,), Some(&options))?.call_method0("to_frame")
}

/// The package that the class of an object comes from, or that of a data frame or an array that it is derived from.
fn library(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut own = None;
    for class in object.get_type().mro() {
        let module: String = class.getattr("__module__")?.extract().unwrap_or_default();
        let package = module.split('.').next().unwrap_or_default().to_owned();
        if matches!(package.as_str(), "pandas" | "polars" | "pyarrow") {
            return Ok(package);
        }
        own.get_or_insert(package);
    }
    Ok(own.unwrap_or_default())
}

fn column_of_frame<'py>(frame: &Bound<'py, PyAny>, column: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let names = frame.getattr("columns")?.try_iter()?;
    let names: Vec<String> =
        names.map(|name| Ok(name?.str()?.to_string_lossy().into_owned())).collect::<PyResult<_>>()?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let place = choose_column(&names, column).ok_or_else(|| no_column(&names, column))?;
    // By its place, because names of pandas may be the same or no text.
    match frame.getattr("iloc") {
        Ok(by_place) => by_place.get_item((pyo3::types::PySlice::full(frame.py()), place)),
        Err(_) => frame.call_method1("to_series", (place,)),
    }
    .map_err(|error| match error.is_instance_of::<PyTypeError>(frame.py()) {
        true => type_error("positions", &error.to_string(), "argument/frame"),
        false => error,
    })
}
