//! Batches that become one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::concat::concat;
use pyo3::prelude::*;

use crate::errors::bulk_error;
use crate::interrupt::lock;

/// How many bytes the texts of a column of one record batch can have.
const MAXIMUM_BYTES: usize = i32::MAX as usize;

/// Batches in order that are to become one.
pub(crate) struct Pieces {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    /// Bytes of texts, column by column.
    bytes: Vec<usize>,
}

impl Pieces {
    pub(crate) const fn new(schema: SchemaRef) -> Self {
        Self { schema, batches: Vec::new(), bytes: Vec::new() }
    }

    /// # Errors
    ///
    /// When all of them do not fit one record batch.
    pub(crate) fn push(&mut self, batch: RecordBatch) -> PyResult<()> {
        self.bytes.resize(batch.num_columns(), 0);
        for (total, column) in self.bytes.iter_mut().zip(batch.columns()) {
            *total += match column.data_type() {
                DataType::Utf8 => column.as_string::<i32>().value_data().len(),
                DataType::Binary => column.as_binary::<i32>().value_data().len(),
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
            return Ok(self.batches.pop().unwrap_or_else(|| RecordBatch::new_empty(self.schema)));
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
