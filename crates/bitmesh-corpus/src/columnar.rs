//! Positions out of a column of a Parquet file.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, BinaryArray, RecordBatch, StringArray};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

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
        // Without the schema that a writer may have left for Arrow there are two kinds of text, whatever it had in
        // memory: columns that say so are Utf8, other bytes are Binary.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
            .map_err(|error| corrupt(&error))?;
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
            if !matches!(field.data_type(), DataType::Utf8 | DataType::Binary) {
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
        let positions = Texts::of(&batch, self.position)?;
        let moves = self.moves.map(|column| Texts::of(&batch, column)).transpose()?;
        let mut cells = Cells::default();
        for row in 0..batch.num_rows() {
            cells.push(self.next, positions.cell(row), moves.as_ref().map(|moves| moves.cell(row)));
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

/// A column of texts, or of bytes that ought to be texts. Whether they are is asked cell by cell, when it is read.
enum Texts<'a> {
    Utf8(&'a StringArray),
    Binary(&'a BinaryArray),
}

impl<'a> Texts<'a> {
    fn of(batch: &'a RecordBatch, column: usize) -> Result<Self, Problem> {
        let array = batch.column(column);
        match array.data_type() {
            DataType::Utf8 => Ok(Self::Utf8(array.as_string())),
            DataType::Binary => Ok(Self::Binary(array.as_binary())),
            other => Err(corrupt(&format_args!("a column of text turned out to hold {other}"))),
        }
    }

    /// The bytes of a cell, none where it is null.
    fn cell(&self, row: usize) -> &'a [u8] {
        match *self {
            Self::Utf8(texts) if texts.is_valid(row) => texts.value(row).as_bytes(),
            Self::Binary(bytes) if bytes.is_valid(row) => bytes.value(row),
            _ => &[],
        }
    }
}

fn corrupt(error: &dyn std::fmt::Display) -> Problem {
    let words = error.to_string().replace('\n', " ");
    Problem::new("stream/corrupt", format!("corrupt Parquet data: {words}"))
}
