//! Rows of `bitmesh.scan.v1` as an Arrow record batch that Python libraries take without copies.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arrow::array::{Array, ArrayRef, AsArray as _, RecordBatch, StructArray};
use arrow::compute::concat;
use arrow::datatypes::{DataType, Field, Int32Type, Int64Type};
use arrow::error::ArrowError;
use bitmesh_corpus::schema;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule};

use crate::errors::bulk_error;
use crate::interrupt::lock;

/// A record batch with the schema of `bitmesh scan`.
#[pyclass(frozen, module = "bitmesh", name = "RecordBatch", sequence)]
pub(crate) struct Rows {
    batch: RecordBatch,
}

impl Rows {
    pub(crate) const fn new(batch: RecordBatch) -> Self {
        Self { batch }
    }

    fn field(&self) -> Arc<Field> {
        let schema = self.batch.schema_ref();
        let field = Field::new_struct("", schema.fields().clone(), false);
        Arc::new(field.with_metadata(schema.metadata().clone()))
    }

    fn array(&self) -> ArrayRef {
        Arc::new(StructArray::from(self.batch.clone()))
    }

    fn row<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyDict>> {
        let row = PyDict::new(py);
        for (field, column) in self.batch.schema_ref().fields().iter().zip(self.batch.columns()) {
            row.set_item(field.name(), cell(py, column, index)?)?;
        }
        Ok(row)
    }
}

#[pymethods]
impl Rows {
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect()
    }

    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let column = self.batch.column_by_name(name);
        let column = column.ok_or_else(|| PyKeyError::new_err(format!("there is no column {name}")))?;
        let list = PyList::empty(py);
        for index in 0..column.len() {
            list.append(cell(py, column, index)?)?;
        }
        Ok(list)
    }

    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for index in 0..self.batch.num_rows() {
            list.append(self.row(py, index)?)?;
        }
        Ok(list)
    }

    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("record_batch", (slf,))
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.batch.num_rows();
        let place = if index < 0 { index.checked_add_unsigned(rows) } else { Some(index) };
        match place.and_then(|place| usize::try_from(place).ok()).filter(|&place| place < rows) {
            Some(place) => self.row(py, place),
            None => Err(PyIndexError::new_err(format!("there are {rows} rows, none with index {index}"))),
        }
    }

    fn __iter__(slf: Bound<'_, Self>) -> RowIterator {
        RowIterator { rows: slf.unbind(), next: AtomicUsize::new(0) }
    }

    fn __repr__(&self) -> String {
        format!("<RecordBatch {}: {} rows>", bitmesh_corpus::SCHEMA, self.batch.num_rows())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        to_array_pycapsules(py, self.field(), &self.array(), requested_schema)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        let arrays = ArrayIterator::new(vec![Ok(self.array())], self.field());
        to_stream_pycapsule(py, Box::new(arrays), requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        to_schema_pycapsule(py, self.batch.schema_ref().as_ref())
    }
}

/// The rows of a record batch, one after the other.
#[pyclass(frozen, module = "bitmesh")]
pub(crate) struct RowIterator {
    rows: Py<Rows>,
    next: AtomicUsize,
}

#[pymethods]
impl RowIterator {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let rows = self.rows.get();
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        if index >= rows.batch.num_rows() {
            // It stays at its end, however often it is asked.
            self.next.store(rows.batch.num_rows(), Ordering::Relaxed);
            return Ok(None);
        }
        rows.row(py, index).map(Some)
    }
}

/// A value of one of the types that the schema has.
fn cell<'py>(py: Python<'py>, column: &ArrayRef, index: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(index) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match column.data_type() {
        DataType::Int64 => column.as_primitive::<Int64Type>().value(index).into_pyobject(py)?.into_any(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(index).into_pyobject(py)?.into_any(),
        DataType::Boolean => column.as_boolean().value(index).into_pyobject(py)?.to_owned().into_any(),
        DataType::List(_) => {
            let texts = column.as_list::<i32>().value(index);
            let texts = texts.as_string::<i32>();
            PyList::new(py, (0..texts.len()).map(|at| texts.value(at)))?.into_any()
        }
        _ => column.as_string::<i32>().value(index).into_pyobject(py)?.into_any(),
    })
}

/// How many bytes the texts of a column of one record batch can have.
const MAXIMUM_BYTES: usize = i32::MAX as usize;

/// Batches in order that are to become one.
#[derive(Default)]
pub(crate) struct Pieces {
    batches: Vec<RecordBatch>,
    /// Bytes of texts, column by column.
    bytes: Vec<usize>,
}

impl Pieces {
    /// # Errors
    ///
    /// When all of them do not fit one record batch.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> PyResult<()> {
        self.bytes.resize(batch.num_columns(), 0);
        for (total, column) in self.bytes.iter_mut().zip(batch.columns()) {
            *total += match column.data_type() {
                DataType::Utf8 => column.as_string::<i32>().value_data().len(),
                DataType::List(_) => column.as_list::<i32>().values().len(),
                _ => 0,
            };
            if *total > MAXIMUM_BYTES {
                return Err(bulk_error(
                    "the rows do not fit one record batch; give fewer positions at a time or scan a file",
                    "bulk/too-many-rows",
                ));
            }
        }
        self.batches.push(batch);
        Ok(())
    }

    /// Puts the batches together, one column a thread at a time.
    pub(crate) fn join(mut self, threads: usize) -> Result<RecordBatch, ArrowError> {
        if self.batches.len() < 2 {
            return Ok(self.batches.pop().unwrap_or_else(|| RecordBatch::new_empty(schema())));
        }
        let columns = self.batches[0].num_columns();
        let next = AtomicUsize::new(0);
        let joined = Mutex::new(vec![None; columns]);
        let join_columns = || -> Result<(), ArrowError> {
            loop {
                let column = next.fetch_add(1, Ordering::Relaxed);
                if column >= columns {
                    return Ok(());
                }
                let parts: Vec<&dyn Array> =
                    self.batches.iter().map(|batch| batch.column(column).as_ref()).collect();
                let whole = concat(&parts)?;
                lock(&joined)[column] = Some(whole);
            }
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads.min(columns)).map(|_| scope.spawn(join_columns)).collect();
            join_columns()?;
            helpers.into_iter().try_for_each(|helper| {
                let lost = |_| ArrowError::ComputeError("a thread was lost".to_owned());
                helper.join().map_err(lost)?
            })
        })?;
        let columns = joined.into_inner().unwrap_or_default().into_iter().flatten().collect();
        RecordBatch::try_new(self.batches[0].schema(), columns)
    }
}
