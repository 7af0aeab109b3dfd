//! Values of columns as objects of Python.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, BinaryArray, BooleanArray, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::ending;

/// How long objects are made before other threads of Python run and signals are heard: twice as long as a thread waits
/// for the GIL before it asks for it (`sys.getswitchinterval()`). Only to a thread that has asked does Python hand over
/// the GIL. Given up earlier it is taken back at once, and the others begin to wait anew.
const BREATH: Duration = Duration::from_millis(10);

/// How many rows are made between two looks at the clock: cheap enough, and well within a breath.
const ROWS_A_LOOK: usize = 32;

/// Calls a function for each place of a range; other threads of Python run in between, and Ctrl-C is heard.
///
/// # Errors
///
/// Those of the function, and what a signal handler raises.
pub(super) fn for_each_place(
    py: Python<'_>,
    places: std::ops::Range<usize>,
    mut visit: impl FnMut(usize) -> PyResult<()>,
) -> PyResult<()> {
    let mut breathed = Instant::now();
    for (done, place) in places.enumerate() {
        if done % ROWS_A_LOOK == ROWS_A_LOOK - 1 && breathed.elapsed() >= BREATH {
            py.check_signals()?;
            ending::check()?;
            ending::detach(py, || ());
            breathed = Instant::now();
        }
        visit(place)?;
    }
    Ok(())
}

/// Texts that come again and again, each an object only once.
#[derive(Default)]
struct Shared<'py>(HashMap<String, Bound<'py, PyString>>);

/// How many different texts are remembered for a column.
const MOST_SHARED: usize = 256;

impl<'py> Shared<'py> {
    fn get(&mut self, py: Python<'py>, text: &str) -> Bound<'py, PyString> {
        if let Some(object) = self.0.get(text) {
            return object.clone();
        }
        let object = PyString::new(py, text);
        if self.0.len() < MOST_SHARED {
            self.0.insert(text.to_owned(), object.clone());
        }
        object
    }
}

enum Values<'a, 'py> {
    Int64(&'a Int64Array),
    Int32(&'a Int32Array),
    Boolean(&'a BooleanArray),
    Binary(&'a BinaryArray),
    /// Texts that are different in every row.
    Text(&'a StringArray),
    /// Texts out of a small number.
    Word(&'a StringArray, Shared<'py>),
    /// Lists of names of squares.
    Words(&'a ListArray, &'a StringArray, Shared<'py>),
}

/// A column, and what of it are objects already.
pub(super) struct Cells<'a, 'py> {
    column: &'a dyn Array,
    values: Values<'a, 'py>,
}

impl<'a, 'py> Cells<'a, 'py> {
    pub(super) fn new(name: &str, column: &'a dyn Array) -> Self {
        let values = match column.data_type() {
            DataType::Int64 => Values::Int64(column.as_primitive::<Int64Type>()),
            DataType::Int32 => Values::Int32(column.as_primitive::<Int32Type>()),
            DataType::Boolean => Values::Boolean(column.as_boolean()),
            DataType::Binary => Values::Binary(column.as_binary()),
            DataType::List(_) => {
                let lists = column.as_list::<i32>();
                Values::Words(lists, lists.values().as_string(), Shared::default())
            }
            _ if matches!(name, "fen" | "digest" | "position_digest" | "error") => {
                Values::Text(column.as_string())
            }
            _ => Values::Word(column.as_string(), Shared::default()),
        };
        Self { column, values }
    }

    pub(super) fn get(&mut self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        if self.column.is_null(place) {
            return Ok(py.None().into_bound(py));
        }
        Ok(match &mut self.values {
            Values::Int64(numbers) => numbers.value(place).into_pyobject(py)?.into_any(),
            Values::Int32(numbers) => numbers.value(place).into_pyobject(py)?.into_any(),
            Values::Boolean(answers) => answers.value(place).into_pyobject(py)?.to_owned().into_any(),
            Values::Binary(bytes) => PyBytes::new(py, bytes.value(place)).into_any(),
            Values::Text(texts) => PyString::new(py, texts.value(place)).into_any(),
            Values::Word(texts, shared) => shared.get(py, texts.value(place)).into_any(),
            Values::Words(lists, texts, shared) => {
                let offsets = lists.value_offsets();
                let places = offsets[place] as usize..offsets[place + 1] as usize;
                PyList::new(py, places.map(|place| shared.get(py, texts.value(place))))?.into_any()
            }
        })
    }
}

/// Rows as dictionaries, which share their keys.
pub(super) struct Dictionaries<'a, 'py> {
    py: Python<'py>,
    columns: Vec<(Bound<'py, PyString>, Cells<'a, 'py>)>,
    /// All keys, in order: copying it is faster than to begin with an empty one.
    template: Bound<'py, PyDict>,
}

impl<'a, 'py> Dictionaries<'a, 'py> {
    pub(super) fn new(py: Python<'py>, batch: &'a RecordBatch) -> PyResult<Self> {
        let template = PyDict::new(py);
        let mut columns = Vec::new();
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            let name = PyString::intern(py, field.name());
            template.set_item(&name, py.None())?;
            columns.push((name, Cells::new(field.name(), column)));
        }
        Ok(Self { py, columns, template })
    }

    pub(super) fn get(&mut self, place: usize) -> PyResult<Bound<'py, PyDict>> {
        let row = self.template.copy()?;
        for (name, cells) in &mut self.columns {
            row.set_item(&*name, cells.get(self.py, place)?)?;
        }
        Ok(row)
    }
}
