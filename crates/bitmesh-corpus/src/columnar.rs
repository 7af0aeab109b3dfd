//! Positions from a column of a Parquet file.

use std::fmt::Display;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, StringArray};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use crate::problem::{Notice, Place, Problem};
use crate::table::{At, Cells, Layout, SAMPLE, Sample, Wanted};

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
    /// When the file is not a Parquet file or does not have the columns that are wanted.
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
        let mut layout = Sample { names: &names, has_header: true, rows: &rows }.layout(wanted)?;
        let mut columns = layout.what.columns();
        columns.extend(layout.moves);
        if let Some(&index) = columns.iter().find(|&&index| !is_text(index)) {
            let field = &fields[index];
            let message = format!("column {} holds {}, not text", field.name(), field.data_type());
            return Err(Problem::new("table/no-text", message));
        }
        for carried in &mut layout.carried {
            let Some(index) = carried.filter(|&index| !is_carried(fields[index].data_type())) else {
                continue;
            };
            let field = &fields[index];
            let message =
                format!("column {} holds {} and is not carried along", field.name(), field.data_type());
            layout.told.push(("table/column-not-text", message));
            *carried = None;
        }
        columns.extend(layout.carried.iter().flatten());
        columns.sort_unstable();
        columns.dedup();
        let batches = project(builder, &columns, ROWS_AT_ONCE)?;
        Ok(Self { batches, layout, columns, next: 1, games: 0 })
    }

    /// The next rows, or `None` after the last one.
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
        for (code, message) in std::mem::take(&mut self.layout.told) {
            cells.notice(Notice { place: Place::line(1), code, message });
        }
        for row in 0..batch.num_rows() {
            let cell = |column: usize| match self.columns.binary_search(&column) {
                Ok(index) => texts[index].cell(row),
                Err(_) => &[],
            };
            let at = At { line: self.next, ..At::default() };
            self.layout.push(&mut cells, at, &mut self.games, cell);
            self.next += 1;
        }
        Ok(Some(cells))
    }
}

fn builder(file: File) -> Result<Builder, Problem> {
    // Without the schema that a writer may have left for Arrow there are two kinds of text, whatever the writer had
    // in memory: columns that say so are Utf8, other bytes are Binary.
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

/// Some damage makes the decoder panic where it should return an error. The source is given up then, so that
/// what a panic has left half done is never used.
fn guarded<T>(read: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(corrupt(&"the decoder gave up")))
}

/// A column of texts, of bytes that should be texts, or of values that are written as text. Whether bytes are texts
/// is checked cell by cell, when they are read.
enum Texts<'a> {
    Utf8(&'a StringArray),
    Binary(&'a BinaryArray),
    Words(Vec<String>),
}

/// Whether the cells of a column can be written as text.
fn is_carried(kind: &DataType) -> bool {
    kind.is_integer()
        || matches!(kind, DataType::Float32 | DataType::Float64 | DataType::Boolean | DataType::Date32)
        || matches!(kind, DataType::Utf8 | DataType::Binary | DataType::Timestamp(..))
}

impl<'a> Texts<'a> {
    fn of(batch: &'a RecordBatch, column: usize) -> Result<Self, Problem> {
        let array = batch.column(column);
        match array.data_type() {
            DataType::Utf8 => Ok(Self::Utf8(array.as_string())),
            DataType::Binary => Ok(Self::Binary(array.as_binary())),
            other => match words(array) {
                Some(words) => Ok(Self::Words(words)),
                None => Err(corrupt(&format_args!("a column of text turned out to hold {other}"))),
            },
        }
    }

    /// The bytes of a cell, none where it is null.
    fn cell(&self, row: usize) -> &[u8] {
        match self {
            Self::Utf8(texts) if texts.is_valid(row) => texts.value(row).as_bytes(),
            Self::Binary(bytes) if bytes.is_valid(row) => bytes.value(row),
            Self::Words(words) => words[row].as_bytes(),
            Self::Utf8(_) | Self::Binary(_) => &[],
        }
    }
}

/// Numbers, truth values and times as text, empty where there is none.
fn words(array: &ArrayRef) -> Option<Vec<String>> {
    fn numbers<T: ArrowPrimitiveType<Native: Display>>(array: &ArrayRef) -> Vec<String> {
        array
            .as_primitive::<T>()
            .iter()
            .map(|value| value.map_or_else(String::new, |value| value.to_string()))
            .collect()
    }
    let seconds = |of_one: i64| {
        let array = array.to_data();
        let values: &[i64] = &array.buffer::<i64>(0)[..array.len()];
        let words = values.iter().enumerate().map(|(row, &value)| {
            if array.is_null(row) { String::new() } else { date_and_time(value.div_euclid(of_one)) }
        });
        words.collect()
    };
    Some(match array.data_type() {
        DataType::Int8 => numbers::<Int8Type>(array),
        DataType::Int16 => numbers::<Int16Type>(array),
        DataType::Int32 => numbers::<Int32Type>(array),
        DataType::Int64 => numbers::<Int64Type>(array),
        DataType::UInt8 => numbers::<UInt8Type>(array),
        DataType::UInt16 => numbers::<UInt16Type>(array),
        DataType::UInt32 => numbers::<UInt32Type>(array),
        DataType::UInt64 => numbers::<UInt64Type>(array),
        DataType::Float32 => numbers::<Float32Type>(array),
        DataType::Float64 => numbers::<Float64Type>(array),
        DataType::Boolean => array
            .as_boolean()
            .iter()
            .map(|value| value.map_or_else(String::new, |value| value.to_string()))
            .collect(),
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().iter();
            days.map(|day| day.map_or_else(String::new, |day| date(day.into()))).collect()
        }
        DataType::Timestamp(TimeUnit::Second, _) => seconds(1),
        DataType::Timestamp(TimeUnit::Millisecond, _) => seconds(1_000),
        DataType::Timestamp(TimeUnit::Microsecond, _) => seconds(1_000_000),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => seconds(1_000_000_000),
        _ => return None,
    })
}

/// The day so many days after 1 January 1970, in the Gregorian calendar.
fn date(days: i64) -> String {
    // Years begin in March here, so that the day of a leap year is the last one.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

fn date_and_time(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    format!("{}T{:02}:{:02}:{:02}", date(days), second / 3600, second / 60 % 60, second % 60)
}

fn corrupt(error: &dyn std::fmt::Display) -> Problem {
    let words = error.to_string().replace('\n', " ");
    Problem::new("stream/corrupt", format!("corrupt Parquet data: {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (19_723, "2024-01-01"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
            (-719_468, "0000-03-01"),
        ] {
            assert_eq!(date(days), text);
        }
        assert_eq!(date_and_time(86_399), "1970-01-01T23:59:59");
        assert_eq!(date_and_time(-1), "1969-12-31T23:59:59");
    }
}
