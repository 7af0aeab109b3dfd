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

use crate::problem::{Notice, Place, Problem};
use crate::table::{Cells, Layout, SAMPLE, Sample, Wanted};

const ROWS_AT_ONCE: usize = 1024;

/// Hands out the rows of a Parquet file in portions.
pub(crate) struct ParquetReader {
    batches: ParquetRecordBatchReader,
    layout: Layout,
    /// The columns that are read, in the order of the file.
    columns: Vec<usize>,
    next: u64,
    games: u64,
}

type Builder = ParquetRecordBatchReaderBuilder<File>;

impl ParquetReader {
    /// # Errors
    ///
    /// When the file is no Parquet file or does not have the columns that are wanted.
    pub(crate) fn new(file: File, wanted: &Wanted) -> Result<Self, Problem> {
        guarded(|| Self::open(file, wanted))
    }

    fn open(file: File, wanted: &Wanted) -> Result<Self, Problem> {
        let again = file.try_clone().map_err(|error| corrupt(&error))?;
        let builder = builder(file)?;
        let fields = builder.schema().fields();
        let names: Vec<String> = fields.iter().map(|field| field.name().clone()).collect();
        let is_text = |index: usize| matches!(fields[index].data_type(), DataType::Utf8 | DataType::Binary);
        let texts: Vec<usize> = (0..names.len()).filter(|&index| is_text(index)).collect();
        let rows = sample(self::builder(again)?, &texts, names.len())?;
        let layout = Sample { names: &names, has_header: true, rows: &rows }.layout(wanted)?;
        let mut columns = layout.what.columns();
        columns.extend(layout.moves);
        if let Some(&index) = columns.iter().find(|&&index| !is_text(index)) {
            let field = &fields[index];
            let message = format!("column {} holds {}, not text", field.name(), field.data_type());
            return Err(Problem::new("table/no-text", message));
        }
        columns.sort_unstable();
        columns.dedup();
        let batches = project(builder, &columns, ROWS_AT_ONCE)?;
        Ok(Self { batches, layout, columns, next: 1, games: 0 })
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
        let texts: Vec<Texts<'_>> =
            (0..self.columns.len()).map(|column| Texts::of(&batch, column)).collect::<Result<_, _>>()?;
        let mut cells = Cells::default();
        if self.next == 1
            && let Some((code, message)) = self.layout.found.clone()
        {
            cells.notice(Notice { place: Place::line(1), code, message });
        }
        for row in 0..batch.num_rows() {
            let cell = |column: usize| match self.columns.binary_search(&column) {
                Ok(index) => texts[index].cell(row),
                Err(_) => &[],
            };
            self.layout.push(&mut cells, self.next, 0, &mut self.games, cell);
            self.next += 1;
        }
        Ok(Some(cells))
    }
}

fn builder(file: File) -> Result<Builder, Problem> {
    // Without the schema that a writer may have left for Arrow there are two kinds of text, whatever it had in
    // memory: columns that say so are Utf8, other bytes are Binary.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    Builder::try_new_with_options(file, options).map_err(|error| corrupt(&error))
}

fn project(builder: Builder, columns: &[usize], rows: usize) -> Result<ParquetRecordBatchReader, Problem> {
    let mask = ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
    let built = builder.with_projection(mask).with_batch_size(rows).build();
    built.map_err(|error| corrupt(&error))
}

/// The first rows, with the cells of the columns that hold text.
fn sample(builder: Builder, texts: &[usize], width: usize) -> Result<Vec<Vec<String>>, Problem> {
    let Some(batch) = project(builder.with_limit(SAMPLE), texts, SAMPLE)?.next() else {
        return Ok(Vec::new());
    };
    let batch = batch.map_err(|error| corrupt(&error))?;
    let mut rows = vec![vec![String::new(); width]; batch.num_rows()];
    for (index, &column) in texts.iter().enumerate() {
        let texts = Texts::of(&batch, index)?;
        for (number, row) in rows.iter_mut().enumerate() {
            row[column] = String::from_utf8_lossy(texts.cell(number)).into_owned();
        }
    }
    Ok(rows)
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
