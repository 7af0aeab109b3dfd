//! Arrow data, handed to the threads as it is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::ArrowArrayStreamReader;
use arrow_array::types::{ArrowPrimitiveType, Float16Type, Float32Type, Float64Type};
use arrow_array::{Array as _, ArrayRef, PrimitiveArray, RecordBatchReader as _, make_array, new_null_array};
use arrow_buffer::NullBuffer;
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow as _;
use arrow_schema::{DataType, Fields};
use pyo3::prelude::*;

use super::jobs::Positions;
use super::pool::Pool;
use crate::ending::detach;
use crate::errors::{arrow_failure, bulk_error, column_error, type_error};

/// Data of another library.
pub(super) enum Data {
    /// Arrays of one type, one after the other; tables as arrays of structs.
    Arrays(Vec<ArrayRef>),
    /// The batches of a table.
    Stream(ArrowArrayStreamReader),
}

impl Data {
    /// Takes one array, or a record batch.
    pub(super) fn of_array(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::Arrays(vec![array(object)?]))
    }

    /// Takes the pieces of a column, of which there is at least one.
    pub(super) fn of_arrays(pieces: &Bound<'_, PyAny>) -> PyResult<Self> {
        let arrays = pieces.try_iter()?.map(|piece| array(&piece?));
        Ok(Self::Arrays(arrays.collect::<PyResult<_>>()?))
    }

    /// Takes the batches of a table.
    pub(super) fn of_stream(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        ArrowArrayStreamReader::from_pyarrow_bound(object).map(Self::Stream).map_err(|error| {
            let message = format!("cannot read the Arrow data: {error}; give a table, an array or a series");
            bulk_error(&message, "bulk/arrow")
        })
    }
}

fn array(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let data = ArrayData::from_pyarrow_bound(object);
    data.map(make_array)
        .map_err(|error| bulk_error(&format!("cannot read the Arrow data: {error}"), "bulk/arrow"))
}

/// Submits texts. An error says that the column was `named`, though it may have been taken out of its table already.
pub(super) fn submit(
    py: Python<'_>,
    pool: &mut Pool,
    data: Data,
    column: Option<&str>,
    named: bool,
) -> PyResult<()> {
    match data {
        Data::Stream(mut batches) => {
            let schema = batches.schema();
            let place = place_of_column(schema.fields(), column, named)?;
            let name = schema.field(place).name();
            // The reader panics when a stream fails and does not say why. It is not asked again.
            let mut next = || catch_unwind(AssertUnwindSafe(|| batches.next()));
            while let Some(batch) =
                detach(py, &mut next).map_err(|_| bulk_error("the Arrow stream failed", "bulk/arrow"))?
            {
                let batch = batch.map_err(|error| arrow_failure(&error))?;
                let texts = texts_of(batch.column(place), name, named)?;
                submit_array(py, pool, &texts)?;
            }
        }
        Data::Arrays(arrays) => {
            for array in arrays {
                match array.data_type() {
                    DataType::Struct(fields) => {
                        let place = place_of_column(fields, column, named)?;
                        let texts = column_of_struct(&array, place)?;
                        let texts = texts_of(&texts, fields[place].name(), named)?;
                        submit_array(py, pool, &texts)?;
                    }
                    data_type => {
                        if column.is_some() {
                            let message = "only a table has columns, not an array";
                            return Err(type_error("column", message, "argument/no-columns"));
                        }
                        check_text("", data_type, false)?;
                        submit_array(py, pool, &texts_of(&array, "", false)?)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A column of an array of structs. Rows that are null as a whole have no position either.
fn column_of_struct(array: &ArrayRef, place: usize) -> PyResult<ArrayRef> {
    let column = array.as_struct().column(place);
    if array.null_count() == 0 {
        return Ok(Arc::clone(column));
    }
    let nulls = NullBuffer::union(array.nulls(), column.nulls());
    let data = column.to_data().into_builder().nulls(nulls).build();
    Ok(make_array(data.map_err(|error| arrow_failure(&error))?))
}

fn submit_array(py: Python<'_>, pool: &mut Pool, array: &ArrayRef) -> PyResult<()> {
    let mut start = 0;
    while start < array.len() {
        let count = pool.room().min(array.len() - start);
        pool.submit(py, Positions::Array(array.slice(start, count)))?;
        start += count;
    }
    Ok(())
}

fn place_of_column(fields: &Fields, column: Option<&str>, named: bool) -> PyResult<usize> {
    let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
    let place = choose_column(&names, column).ok_or_else(|| no_column(&names, column))?;
    check_text(names[place], fields[place].data_type(), named)?;
    Ok(place)
}

/// The place of the column that is named, or of `fen` or `epd` in any case, or of the only one there is.
///
/// An index of pandas that has no name does not count where none is named.
pub(super) fn choose_column(names: &[&str], wanted: Option<&str>) -> Option<usize> {
    let named = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    let exactly = |wanted: &str| names.iter().position(|&name| name == wanted);
    match wanted {
        Some(wanted) => exactly(wanted).or_else(|| named(wanted)),
        None => named("fen").or_else(|| named("epd")).or_else(|| {
            let mut columns = (0..names.len()).filter(|&place| !is_index(names[place]));
            columns.next().filter(|_| columns.next().is_none())
        }),
    }
}

/// Whether a column of Arrow is an index of pandas without a name: `__index_level_0__`.
fn is_index(name: &str) -> bool {
    let level = name.strip_prefix("__index_level_").and_then(|rest| rest.strip_suffix("__"));
    level.is_some_and(|level| level.parse::<u32>().is_ok())
}

pub(super) fn no_column(names: &[&str], wanted: Option<&str>) -> PyErr {
    let wanted = start_of(wanted.unwrap_or("fen"));
    let message = format!("no column {wanted}; the columns are: {}", names.join(", "));
    column_error(&message, "bulk/no-column", true)
}

/// A name of any length as it stands in a message, which has other things to say too.
fn start_of(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// So many characters of a name are shown.
const LONGEST_NAME: usize = 60;

fn check_text(name: &str, data_type: &DataType, named: bool) -> PyResult<()> {
    if is_text(data_type) || data_type.is_floating() {
        return Ok(());
    }
    Err(no_text(name, data_type, named))
}

fn no_text(name: &str, data_type: &DataType, named: bool) -> PyErr {
    let what = if name.is_empty() { "the column".to_owned() } else { format!("column {}", start_of(name)) };
    column_error(&format!("{what} holds {data_type}, not text"), "bulk/no-text", named)
}

/// A column as it is evaluated: one of numbers is how pandas reads a column that is empty throughout.
fn texts_of(array: &ArrayRef, name: &str, named: bool) -> PyResult<ArrayRef> {
    let is_missing = match array.data_type() {
        DataType::Float16 => all_missing(array.as_primitive::<Float16Type>(), |number| number.is_nan()),
        DataType::Float32 => all_missing(array.as_primitive::<Float32Type>(), f32::is_nan),
        DataType::Float64 => all_missing(array.as_primitive::<Float64Type>(), f64::is_nan),
        _ => return Ok(Arc::clone(array)),
    };
    match is_missing {
        true => Ok(new_null_array(&DataType::Null, array.len())),
        false => Err(no_text(name, array.data_type(), named)),
    }
}

fn all_missing<T: ArrowPrimitiveType>(
    numbers: &PrimitiveArray<T>,
    is_nan: impl Fn(T::Native) -> bool,
) -> bool {
    numbers.iter().flatten().all(is_nan)
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Dictionary(_, values) => !matches!(**values, DataType::Dictionary(..)) && is_text(values),
        DataType::RunEndEncoded(_, values) => is_text(values.data_type()),
        // There is a row for every position that is missing.
        DataType::Null => true,
        _ => false,
    }
}
