//! Positions out of a column of a Parquet file.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow::array::{Array as _, AsArray as _, StringArray};
use arrow::compute::{can_cast_types, cast};
use arrow::datatypes::DataType;
use arrow::record_batch::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use crate::problem::Problem;
use crate::table::{Cells, Column, MOVES_COLUMN, POSITION_COLUMNS, Wanted};

const ROWS_AT_ONCE: usize = 1024;

/// Hands out the rows of a Parquet file in portions.
pub(crate) struct ParquetReader {
    batches: ParquetRecordBatchReader,
    /// The columns among those that are read.
    position: usize,
    moves: Option<usize>,
    next: u64,
}

impl ParquetReader {
    /// # Errors
    ///
    /// When the file is no Parquet file or does not have the columns that are wanted.
    pub(crate) fn new(file: File, wanted: &Wanted) -> Result<Self, Problem> {
        guarded(|| Self::open(file, wanted))
    }

    fn open(file: File, wanted: &Wanted) -> Result<Self, Problem> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| corrupt(&error))?;
        let names: Vec<&str> = builder.schema().fields().iter().map(|field| field.name().as_str()).collect();
        let named = |name: &str| names.iter().position(|other| other.eq_ignore_ascii_case(name));
        let missing = |what: &dyn std::fmt::Display| {
            let found = names.join(", ");
            Problem::new("table/no-column", format!("no column {what}; the columns are: {found}"))
        };
        let position = match &wanted.column {
            Some(Column::Name(name)) => named(name).ok_or_else(|| missing(name))?,
            Some(Column::Number(number)) => {
                Some(*number - 1).filter(|&index| index < names.len()).ok_or_else(|| missing(number))?
            }
            None => POSITION_COLUMNS
                .iter()
                .find_map(|name| named(name))
                .ok_or_else(|| missing(&POSITION_COLUMNS[0]))?,
        };
        let moves = match wanted.first_move {
            true => Some(named(MOVES_COLUMN).ok_or_else(|| missing(&MOVES_COLUMN))?),
            false => None,
        };
        for index in std::iter::once(position).chain(moves) {
            let field = builder.schema().field(index);
            let is_text = matches!(
                field.data_type(),
                DataType::Utf8
                    | DataType::LargeUtf8
                    | DataType::Utf8View
                    | DataType::Binary
                    | DataType::LargeBinary
                    | DataType::BinaryView
                    | DataType::Dictionary(_, _)
            );
            if !is_text || !can_cast_types(field.data_type(), &DataType::Utf8) {
                let message = format!("column {} holds {}, not text", field.name(), field.data_type());
                return Err(Problem::new("table/no-text", message));
            }
        }
        let mask = ProjectionMask::roots(builder.parquet_schema(), std::iter::once(position).chain(moves));
        let batches = builder
            .with_projection(mask)
            .with_batch_size(ROWS_AT_ONCE)
            .build()
            .map_err(|error| corrupt(&error))?;
        // The columns that are read keep the order of the file.
        let rank = |index: usize| usize::from(moves.is_some_and(|other| other < index) || position < index);
        let is_same = moves == Some(position);
        let moves = moves.map(|index| if is_same { 0 } else { rank(index) });
        Ok(Self { batches, position: if is_same { 0 } else { rank(position) }, moves, next: 1 })
    }

    /// The next rows, or `None` behind the last one.
    ///
    /// # Errors
    ///
    /// When the file turns out to be damaged.
    pub(crate) fn next(&mut self) -> Result<Option<Cells>, Problem> {
        guarded(|| self.read())
    }

    fn read(&mut self) -> Result<Option<Cells>, Problem> {
        let Some(batch) = self.batches.next() else { return Ok(None) };
        let batch = batch.map_err(|error| corrupt(&error))?;
        let positions = texts(&batch, self.position)?;
        let moves = self.moves.map(|column| texts(&batch, column)).transpose()?;
        let mut cells = Cells::default();
        for row in 0..positions.len() {
            let cell = |column: &StringArray| {
                let is_there = column.is_valid(row);
                if is_there { column.value(row).as_bytes().to_vec() } else { Vec::new() }
            };
            cells.push(self.next, &cell(&positions), moves.as_ref().map(cell).as_deref());
            self.next += 1;
        }
        Ok(Some(cells))
    }
}

/// Some damage makes the decoder panic where it should return an error. The source is given up then, so that nobody
/// sees what a panic has left half done.
fn guarded<T>(read: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(corrupt(&"the decoder gave up")))
}

fn texts(batch: &RecordBatch, column: usize) -> Result<StringArray, Problem> {
    let array = cast(batch.column(column), &DataType::Utf8).map_err(|error| corrupt(&error))?;
    Ok(array.as_string().clone())
}

fn corrupt(error: &dyn std::fmt::Display) -> Problem {
    let words = error.to_string().replace('\n', " ");
    Problem::new("stream/corrupt", format!("corrupt Parquet data: {words}"))
}
