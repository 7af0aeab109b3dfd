//! Arrow data, handed to the threads as it is.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, make_array};
use arrow_buffer::NullBuffer;
use arrow_cast::can_cast_types;
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use super::jobs::Positions;
use super::pool::Pool;
use crate::errors::{bulk_error, type_error};

pub(super) fn submit(py: Python<'_>, pool: &mut Pool, data: AnyArray, column: Option<&str>) -> PyResult<()> {
    let mut arrays = data.into_reader()?;
    let field = arrays.field();
    let index = match field.data_type() {
        DataType::Struct(fields) => {
            let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
            let index = choose_column(&names, column).ok_or_else(|| no_column(&names, column))?;
            check_text(&format!("column {}", names[index]), fields[index].data_type())?;
            Some(index)
        }
        data_type => {
            if column.is_some() {
                let message = "only a table has columns, not an array";
                return Err(type_error("column", message, "argument/no-columns"));
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
                let nulls = NullBuffer::union(parent.nulls(), parent.column(index).nulls());
                let data = parent.column(index).to_data().into_builder().nulls(nulls).build();
                make_array(data.map_err(|error| arrow_failure(&error))?)
            }
            None => array,
        };
        let mut start = 0;
        while start < array.len() {
            let count = pool.room().min(array.len() - start);
            pool.submit(py, Positions::Array(array.slice(start, count)))?;
            start += count;
        }
    }
    Ok(())
}

pub(super) fn arrow_failure(error: &ArrowError) -> PyErr {
    bulk_error(&format!("cannot read the Arrow data: {error}"), "bulk/arrow")
}

/// The place of the column that is named, or of `fen` or `epd` in any case, or of the only one there is.
pub(super) fn choose_column(names: &[&str], wanted: Option<&str>) -> Option<usize> {
    let named = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    let exactly = |wanted: &str| names.iter().position(|&name| name == wanted);
    match wanted {
        Some(wanted) => exactly(wanted).or_else(|| named(wanted)),
        None => named("fen").or_else(|| named("epd")).or_else(|| (names.len() == 1).then_some(0)),
    }
}

pub(super) fn no_column(names: &[&str], wanted: Option<&str>) -> PyErr {
    bulk_error(
        &format!("no column {}; the columns are: {}", wanted.unwrap_or("fen"), names.join(", ")),
        "bulk/no-column",
    )
}

fn check_text(what: &str, data_type: &DataType) -> PyResult<()> {
    if is_text(data_type) {
        return Ok(());
    }
    Err(bulk_error(&format!("{what} holds {data_type}, not text"), "bulk/no-text"))
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Dictionary(_, values) => can_cast_types(values, &DataType::Utf8) && is_text(values),
        DataType::RunEndEncoded(_, values) => is_text(values.data_type()),
        // There is a row for every position that is missing.
        DataType::Null => true,
        _ => false,
    }
}
