//! Data frames and series: only the column with the positions is taken out of them.
//!
//! A frame as a whole may have columns that Arrow cannot express, and a column of objects may hold boards.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use super::arrow_data::{choose_column, no_column};
use crate::errors::type_error;

/// Where positions come from.
pub(super) enum Source<'py> {
    /// Arrow data, and the column to take if it is a table and one was named.
    Arrow(AnyArray, Option<String>),
    /// Something to be iterated over, and whether it was a column of a table.
    Objects(Bound<'py, PyAny>, bool),
}

impl<'py> Source<'py> {
    pub(super) fn of(positions: &Bound<'py, PyAny>, column: Option<&str>) -> PyResult<Self> {
        match library(positions)?.as_str() {
            "pandas" | "polars" if positions.hasattr("columns")? => {
                Self::of_series(column_of_frame(positions, column)?, true, None)
            }
            "pandas" | "polars" => Self::of_series(positions.clone(), false, column),
            _ if has_arrow_data(positions)? => {
                Ok(Self::Arrow(positions.extract()?, column.map(str::to_owned)))
            }
            _ => Ok(Self::Objects(positions.clone(), false)),
        }
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
        if has_arrow_data(&series)? {
            return Ok(Self::Arrow(series.extract()?, None));
        }
        // Older versions of pandas export frames alone, and need pyarrow for it.
        let frame = series.call_method0("to_frame")?;
        match frame.extract() {
            Ok(data) => Ok(Self::Arrow(data, None)),
            Err(_) => Ok(Self::Objects(series, from_frame)),
        }
    }
}

fn has_arrow_data(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.hasattr("__arrow_c_stream__")? || object.hasattr("__arrow_c_array__")?)
}

/// The package that the class of an object comes from.
fn library(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let module = object.get_type().getattr("__module__")?;
    let module: String = module.extract().unwrap_or_default();
    Ok(module.split('.').next().unwrap_or_default().to_owned())
}

fn column_of_frame<'py>(frame: &Bound<'py, PyAny>, column: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    if frame.hasattr("collect")? {
        return Err(type_error(
            "positions",
            "a LazyFrame has no rows yet: give positions.collect()",
            "argument/lazy-frame",
        ));
    }
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
