//! Rows for other libraries, through the Arrow PyCapsule interface.
//!
//! What a consumer would like the schema to be is not looked at, as the interface allows: the rows have one schema.

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array as _, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::errors::bulk_error;

fn failure(error: &ArrowError) -> PyErr {
    bulk_error(&format!("cannot export the rows: {error}"), "bulk/arrow")
}

/// What `__arrow_c_schema__` gives.
pub(crate) fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let exported = FFI_ArrowSchema::try_from(schema).map_err(|error| failure(&error))?;
    PyCapsule::new(py, exported, Some(c"arrow_schema".to_owned()))
}

/// What `__arrow_c_array__` gives.
pub(super) fn array_capsules<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    let schema = schema_capsule(py, batch.schema_ref())?;
    let exported = FFI_ArrowArray::new(&StructArray::from(batch.clone()).to_data());
    let array = PyCapsule::new(py, exported, Some(c"arrow_array".to_owned()))?;
    PyTuple::new(py, [schema, array])
}

/// What `__arrow_c_stream__` gives.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    schema: SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
) -> PyResult<Bound<'py, PyCapsule>> {
    let exported = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new(batches, schema)));
    PyCapsule::new(py, exported, Some(c"arrow_array_stream".to_owned()))
}

/// The same for one record batch.
pub(super) fn batch_capsule<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    stream_capsule(py, batch.schema(), std::iter::once(Ok(batch.clone())))
}
