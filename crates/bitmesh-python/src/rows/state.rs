//! Rows as a pickle keeps them: for every column the bytes that Arrow has in memory.

use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_buffer::Buffer;
use arrow_data::transform::MutableArrayData;
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bitmesh_corpus::{Extra, schema_with};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::errors::bulk_error;

/// What is kept of a column: its length, which values are there, its buffers, and the same of the columns inside it.
type Kept<'py> = (usize, Option<Bound<'py, PyBytes>>, Bound<'py, PyList>, Bound<'py, PyList>);

/// The rows, and no more than the rows: a slice does not keep what it was cut from. Rows without digests say so at the
/// end.
pub(super) fn of_batch<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    let columns = PyList::empty(py);
    for column in batch.columns() {
        let data = column.to_data();
        let mut whole = MutableArrayData::new(vec![&data], false, data.len());
        whole.extend(0, 0, data.len());
        columns.append(of_data(py, &whole.freeze())?)?;
    }
    let has_digests = batch.column_by_name("digest").is_some();
    let others = batch.schema_ref().fields().iter().skip(own_schema(has_digests).fields().len());
    let others: Vec<(&str, &str)> =
        others.map(|field| (field.name().as_str(), type_name(field.data_type()))).collect();
    if has_digests {
        (batch.num_rows(), columns, others).into_pyobject(py)
    } else {
        (batch.num_rows(), columns, others, has_digests).into_pyobject(py)
    }
}

/// The schema of the rows without other columns behind.
fn own_schema(has_digests: bool) -> SchemaRef {
    let mut extra = Extra::default();
    extra.without_digests = !has_digests;
    schema_with(&extra)
}

const fn type_name(data_type: &DataType) -> &'static str {
    match data_type {
        DataType::Int64 => "int64",
        DataType::Int32 => "int32",
        DataType::Boolean => "boolean",
        DataType::Binary => "binary",
        _ => "text",
    }
}

/// The schema of the rows with other columns behind.
fn schema_of(has_digests: bool, others: &[(String, String)]) -> PyResult<SchemaRef> {
    let rows = own_schema(has_digests);
    let mut fields = rows.fields().to_vec();
    for (name, kind) in others {
        let data_type = match kind.as_str() {
            "int64" => DataType::Int64,
            "int32" => DataType::Int32,
            "boolean" => DataType::Boolean,
            "binary" => DataType::Binary,
            "text" => DataType::Utf8,
            _ => return Err(unfit(&"a column of an unknown type")),
        };
        fields.push(Arc::new(Field::new(name, data_type, true)));
    }
    Ok(Arc::new(Schema::new_with_metadata(fields, rows.metadata().clone())))
}

fn of_data<'py>(py: Python<'py>, data: &ArrayData) -> PyResult<Kept<'py>> {
    let nulls = data.nulls().map(|nulls| PyBytes::new(py, nulls.buffer()));
    let buffers = PyList::new(py, data.buffers().iter().map(|buffer| PyBytes::new(py, buffer)))?;
    let children = PyList::empty(py);
    for child in data.child_data() {
        children.append(of_data(py, child)?)?;
    }
    Ok((data.len(), nulls, buffers, children))
}

/// Puts rows together again; whatever does not fit the schema is refused.
pub(super) fn to_batch(
    rows: usize,
    columns: &Bound<'_, PyList>,
    others: &[(String, String)],
    has_digests: bool,
) -> PyResult<RecordBatch> {
    let schema = schema_of(has_digests, others)?;
    let fields = schema.fields();
    if columns.len() != fields.len() {
        return Err(unfit(&format!("{} columns where there are {}", columns.len(), fields.len())));
    }
    let arrays = fields.iter().zip(columns).map(|(field, column)| {
        let data = to_data(field.data_type(), &column)?.build().map_err(|error| unfit(&error))?;
        Ok(make_array(data))
    });
    let arrays: Vec<ArrayRef> = arrays.collect::<PyResult<_>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, arrays, &options).map_err(|error| unfit(&error))
}

fn to_data(data_type: &DataType, column: &Bound<'_, PyAny>) -> PyResult<ArrayDataBuilder> {
    let (length, nulls, buffers, children): Kept<'_> = column.extract()?;
    let buffer = |bytes: &Bound<'_, PyBytes>| Buffer::from_slice_ref(bytes.as_bytes());
    let kept = nulls.as_ref().map_or(usize::MAX, |bits| bits.as_bytes().len().saturating_mul(8));
    if kept < length {
        return Err(unfit(&format_args!("{length} values, but null bits for only {kept}")));
    }
    let mut data = ArrayData::builder(data_type.clone()).len(length).align_buffers(true);
    data = data.null_bit_buffer(nulls.as_ref().map(buffer));
    for bytes in buffers {
        data = data.add_buffer(buffer(bytes.cast::<PyBytes>()?));
    }
    if let DataType::List(item) = data_type {
        for child in children {
            let child = to_data(item.data_type(), &child)?.build().map_err(|error| unfit(&error))?;
            data = data.add_child_data(child);
        }
    }
    Ok(data)
}

fn unfit(problem: &dyn std::fmt::Display) -> PyErr {
    bulk_error(&format!("the pickle does not hold rows: {problem}"), "bulk/pickle")
}
