//! Rows of `bitmesh.scan.v1` as an Arrow record batch that Python libraries take without copies.

mod cells;
mod export;
mod html;
mod pieces;
mod state;

use std::sync::Mutex;

use arrow_array::{Array as _, RecordBatch, UInt64Array};
use arrow_schema::DataType;
use arrow_select::take::take_record_batch;
use pyo3::exceptions::{PyImportError, PyIndexError, PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice, PyTuple, PyType};

pub(crate) use self::export::{schema_capsule, stream_capsule};
pub(crate) use self::pieces::Pieces;

use self::cells::{Cells, Dictionaries, for_each_place};
use crate::arguments::{self, Optional};
use crate::ending::detach;
use crate::errors::{bulk_error, shown};
use crate::interrupt::lock;

/// Rows of ``bitmesh.scan.v1`` as an Arrow record batch.
///
/// pyarrow, Polars, DuckDB and pandas take it without a copy through the Arrow
/// PyCapsule interface: ``to_pandas()``, ``to_polars()``, ``to_pyarrow()``.
/// Without any of them it is a sequence of dictionaries: ``rows[0]``,
/// ``rows[-10:]``, ``for row in rows``. It can be compared and pickled.
/// ``polars.DataFrame(rows)`` sees the dictionaries and guesses types: call
/// ``rows.to_polars()``.
///
/// The columns; what is not known or does not apply is ``None``:
///
/// - ``source``, ``line``: where the position is from; ``game``, ``ply``: in games, the game
///   from 1 and the half-moves played, from 0;
/// - ``fen``: the canonical text, with counters ``0 1``; of a board alone, the placement;
/// - ``barrier``: the locked pawns; ``status``: ``strict`` where the board falls apart, else
///   ``rejected`` with a ``rejection_reason``; ``active_components``: regions with pieces;
/// - ``one_ply``: ``accepted`` if no next move crosses or breaks the barrier, else the code
///   of the first reason against it;
/// - ``frozen``: pieces that never move and are never captured; ``persistent_components``:
///   classes of pieces that never interact, fewer than 2 is not a claim; ``exact_sum``: they
///   are an exact disjoint sum of games;
/// - ``unwinnable_white``, ``unwinnable_black``: that side can never give mate; ``dead``:
///   neither can. False means open, not refuted;
/// - ``digest``, ``position_digest``: SHA-256 of the structure, and of it with the position;
/// - ``error_code``, ``error``: why there is no position, or why a game could not be read on.
#[pyclass(frozen, eq, module = "bitmesh", name = "RecordBatch", sequence)]
#[derive(PartialEq)]
pub(crate) struct Rows {
    batch: RecordBatch,
}

impl Rows {
    pub(crate) const fn new(batch: RecordBatch) -> Self {
        Self { batch }
    }

    fn row<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyDict>> {
        Dictionaries::new(py, &self.batch)?.get(place)
    }

    /// The rows that a slice names; without a copy if they stand one after the other.
    fn slice(&self, slice: &Bound<'_, PySlice>) -> PyResult<Self> {
        let rows = self.batch.num_rows();
        let length = isize::try_from(rows).map_err(|_| bulk_error("too many rows", "bulk/too-many-rows"))?;
        let chosen = slice.indices(length)?;
        let (start, step, count) = (chosen.start, chosen.step, chosen.slicelength);
        if step == 1 || count < 2 {
            // A place beyond the end is chosen only when nothing is.
            let start = usize::try_from(start).unwrap_or(0).min(rows);
            return Ok(Self::new(self.batch.slice(start, count)));
        }
        // A step beyond the rows ends the walk, it does not overflow.
        let place = |number: usize| (start + step * number as isize) as u64;
        let places = UInt64Array::from_iter_values((0..count).map(place));
        let taken = detach(slice.py(), || take_record_batch(&self.batch, &places));
        taken.map(Self::new).map_err(|error| bulk_error(&error.to_string(), "bulk/arrow"))
    }

    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let column = self.batch.column_by_name(name).ok_or_else(|| {
            let names = self.column_names().join(", ");
            PyKeyError::new_err(format!("there is no column {}; the columns are {names}", shown(name)))
        })?;
        let list = PyList::empty(py);
        let mut cells = Cells::new(name, column);
        for_each_place(py, 0..column.len(), |place| list.append(cells.get(py, place)?))?;
        Ok(list)
    }

    /// The place of the first row in a range that is equal to an object.
    fn find(
        &self,
        py: Python<'_>,
        object: &Bound<'_, PyAny>,
        places: std::ops::Range<usize>,
    ) -> PyResult<Option<usize>> {
        if !object.is_instance_of::<PyDict>() {
            return Ok(None);
        }
        let mut rows = Dictionaries::new(py, &self.batch)?;
        let mut found = None;
        for_each_place(py, places, |place| {
            if found.is_none() && rows.get(place)?.eq(object)? {
                found = Some(place);
            }
            Ok(())
        })?;
        Ok(found)
    }
}

#[pymethods]
impl Rows {
    /// How many rows there are; ``len()`` says the same.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    /// The names of the columns, in their order.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// The values of a column, as objects of Python.
    ///
    /// Raises KeyError when no column has the name.
    #[pyo3(name = "column")]
    fn column_of<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        self.column(name.py(), &arguments::needed_text("name", name)?)
    }

    /// The rows as dictionaries.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut rows = Dictionaries::new(py, &self.batch)?;
        for_each_place(py, 0..self.batch.num_rows(), |place| list.append(rows.get(place)?))?;
        Ok(list)
    }

    /// The same as ``pyarrow.RecordBatch``, without a copy. Needs pyarrow.
    fn to_pyarrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("record_batch", (slf,))
    }

    /// The same as ``pandas.DataFrame``. Needs pandas, and is faster with pyarrow.
    ///
    /// Claims are of type ``boolean`` and numbers of type ``Int32`` or ``Int64``, which
    /// have a missing value: ``frame[frame.dead]`` works as it is.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let pandas = py.import("pandas")?;
        let types = [
            (DataType::Boolean, "bool_", "BooleanDtype"),
            (DataType::Int32, "int32", "Int32Dtype"),
            (DataType::Int64, "int64", "Int64Dtype"),
        ];
        match py.import("pyarrow") {
            Ok(pyarrow) => {
                let mapping = PyDict::new(py);
                for (_, arrow, pandas_name) in &types {
                    mapping.set_item(pyarrow.call_method0(*arrow)?, pandas.call_method0(*pandas_name)?)?;
                }
                let options = PyDict::new(py);
                options.set_item("types_mapper", mapping.getattr("get")?)?;
                Self::to_pyarrow(slf)?.call_method("to_pandas", (), Some(&options))
            }
            Err(error) if error.is_instance_of::<PyImportError>(py) => {
                let this = slf.get();
                let (columns, dtypes) = (PyDict::new(py), PyDict::new(py));
                for field in this.batch.schema_ref().fields() {
                    columns.set_item(field.name(), this.column(py, field.name())?)?;
                    if let Some((_, _, name)) = types.iter().find(|(known, ..)| known == field.data_type()) {
                        dtypes.set_item(field.name(), pandas.call_method0(*name)?)?;
                    }
                }
                pandas.call_method1("DataFrame", (columns,))?.call_method1("astype", (dtypes,))
            }
            Err(error) => Err(error),
        }
    }

    /// The same as ``polars.DataFrame``, through Arrow. Needs Polars.
    ///
    /// ``polars.DataFrame(rows)`` is something else: it takes a sequence of dictionaries and
    /// guesses the types from the first hundred.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let stream = Stream { batch: slf.get().batch.clone() };
        slf.py().import("polars")?.call_method1("DataFrame", (stream,))
    }

    /// The place of the first row that is equal to a dictionary.
    ///
    /// Raises ValueError when there is none.
    #[pyo3(signature = (value, start = None, stop = None), text_signature = "($self, value, start=0, stop=None)")]
    fn index(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        start: Optional<'_, '_>,
        stop: Optional<'_, '_>,
    ) -> PyResult<usize> {
        let rows = self.batch.num_rows();
        let place = |argument: &str, object: &Bound<'_, PyAny>| {
            let number: isize = match arguments::number(argument, "an int", object)? {
                Some(number) => number,
                None if object.lt(0)? => isize::MIN,
                None => isize::MAX,
            };
            Ok::<_, PyErr>(match usize::try_from(number) {
                Ok(number) => number.min(rows),
                Err(_) => rows.saturating_sub(number.unsigned_abs()),
            })
        };
        let start = start.map_or(Ok(0), |start| place("start", start))?;
        let stop = stop.map_or(Ok(rows), |stop| place("stop", stop))?;
        let found = self.find(py, value, start..stop)?;
        found.ok_or_else(|| PyValueError::new_err("there is no such row"))
    }

    /// How many rows are equal to a dictionary.
    fn count(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<usize> {
        let (mut count, mut start) = (0, 0);
        while let Some(place) = self.find(py, value, start..self.batch.num_rows())? {
            (count, start) = (count + 1, place + 1);
        }
        Ok(count)
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if let Ok(slice) = index.cast::<PySlice>() {
            return Ok(this.slice(slice)?.into_pyobject(py)?.into_any());
        }
        let rows = this.batch.num_rows();
        let none = || PyIndexError::new_err(format!("there are {rows} rows, none with this index"));
        let index =
            index.extract::<isize>().map_err(|error| match error.is_instance_of::<PyOverflowError>(py) {
                true => none(),
                false => PyTypeError::new_err(
                    "a row is found by an int, rows by a slice; column(name) gives columns",
                ),
            })?;
        let place = if index < 0 { index.checked_add_unsigned(rows) } else { Some(index) };
        match place.and_then(|place| usize::try_from(place).ok()).filter(|&place| place < rows) {
            Some(place) => Ok(this.row(py, place)?.into_any()),
            None => Err(none()),
        }
    }

    fn __iter__(slf: Bound<'_, Self>) -> RowIterator {
        RowIterator::new(slf, false)
    }

    fn __reversed__(slf: Bound<'_, Self>) -> RowIterator {
        RowIterator::new(slf, true)
    }

    fn __contains__(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.find(py, value, 0..self.batch.num_rows())?.is_some())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let read = slf.get_type().getattr("_from_state")?;
        (read, state::of_batch(slf.py(), &slf.get().batch)?).into_pyobject(slf.py())
    }

    #[classmethod]
    #[pyo3(signature = (rows, columns, others, digests = true))]
    fn _from_state(
        _: &Bound<'_, PyType>,
        rows: usize,
        columns: &Bound<'_, PyList>,
        others: Vec<(String, String)>,
        digests: bool,
    ) -> PyResult<Self> {
        state::to_batch(rows, columns, &others, digests).map(Self::new)
    }

    fn __repr__(&self) -> String {
        format!("<RecordBatch {}: {} rows>", bitmesh_corpus::SCHEMA, self.batch.num_rows())
    }

    fn _repr_html_(&self) -> String {
        html::table(&self.batch)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        // The rows have one schema, whatever is requested.
        let _ = requested_schema;
        export::array_capsules(py, &self.batch)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        export::batch_capsule(py, &self.batch)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        export::schema_capsule(py, self.batch.schema_ref())
    }
}

/// Rows for a library that would take a sequence for a sequence before it asks for Arrow data.
#[pyclass(frozen, module = "bitmesh")]
struct Stream {
    batch: RecordBatch,
}

#[pymethods]
impl Stream {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Optional<'_, 'py>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The rows have one schema, whatever is requested.
        let _ = requested_schema;
        export::batch_capsule(py, &self.batch)
    }
}

/// How many rows are made at a time where all are asked for one by one.
const AHEAD: usize = 64;

/// The rows of a record batch, one after the other.
#[pyclass(frozen, module = "bitmesh")]
pub(crate) struct RowIterator {
    rows: Py<Rows>,
    backwards: bool,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    /// How many rows have been made.
    made: usize,
    /// Those that have not been given out, the next one last.
    ready: Vec<Py<PyDict>>,
}

impl RowIterator {
    fn new(rows: Bound<'_, Rows>, backwards: bool) -> Self {
        Self { rows: rows.unbind(), backwards, progress: Mutex::default() }
    }
}

#[pymethods]
impl RowIterator {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        let batch = &self.rows.get().batch;
        let places = {
            let mut progress = lock(&self.progress);
            if let Some(row) = progress.ready.pop() {
                return Ok(Some(row));
            }
            let start = progress.made;
            progress.made = (start + AHEAD).min(batch.num_rows());
            start..progress.made
        };
        // Without the lock: making objects may run code of Python, and that may ask for a row.
        let mut rows = Dictionaries::new(py, batch)?;
        let mut made = Vec::with_capacity(places.len());
        for number in places.rev() {
            let place = if self.backwards { batch.num_rows() - 1 - number } else { number };
            made.push(rows.get(place)?.unbind());
        }
        let next = made.pop();
        lock(&self.progress).ready.append(&mut made);
        Ok(next)
    }
}
