//! Rows in Parquet files.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;

use super::{Access, OutputError, PartialFile, Sink, beside, keep_mode};
use crate::arrow_rows::schema_with;
use crate::counts::Counts;
use crate::extra::Extra;
use crate::inputs::Mark;

/// A row group ends with this many rows, or when a part has been growing this long.
const ROWS_IN_A_GROUP: usize = 1 << 17;
const GROWING: Duration = Duration::from_secs(10);

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(Default::default()))
        .set_created_by(concat!("bitmesh ", env!("CARGO_PKG_VERSION")).to_owned())
        .build()
}

/// Rows as a Parquet file on a stream that cannot be resumed.
pub struct ParquetStream<W: Write + Send> {
    name: PathBuf,
    writer: ArrowWriter<W>,
    counts: Counts,
}

impl<W: Write + Send> ParquetStream<W> {
    /// `name` is for messages.
    ///
    /// # Errors
    ///
    /// When the start of the file cannot be written.
    pub fn new(name: &Path, writer: W) -> Result<Self, OutputError> {
        Self::with_extra(name, writer, &Extra::default())
    }

    /// The same where something is carried along.
    ///
    /// # Errors
    ///
    /// When the start of the file cannot be written.
    pub fn with_extra(name: &Path, writer: W, extra: &Extra) -> Result<Self, OutputError> {
        Self::with_schema(name, writer, schema_with(extra))
    }

    /// The same for batches of another schema.
    ///
    /// # Errors
    ///
    /// When the start of the file cannot be written.
    pub fn with_schema(name: &Path, writer: W, schema: SchemaRef) -> Result<Self, OutputError> {
        let writer = ArrowWriter::try_new(writer, schema, Some(properties()))
            .map_err(|error| encode_error(name, error))?;
        Ok(Self { name: name.to_owned(), writer, counts: Counts::default() })
    }
}

impl<W: Write + Send> Sink<RecordBatch> for ParquetStream<W> {
    fn write(&mut self, rows: &RecordBatch, counts: &Counts, _: Mark) -> Result<(), OutputError> {
        self.counts.add(counts);
        let mut write = || {
            self.writer.write(rows)?;
            if self.writer.in_progress_rows() >= ROWS_IN_A_GROUP { self.writer.flush() } else { Ok(()) }
        };
        write().map_err(|error| encode_error(&self.name, error))
    }

    fn finish(&mut self, _: bool) -> Result<(), OutputError> {
        self.writer.finish().map_err(|error| encode_error(&self.name, error))?;
        let flushed = self.writer.inner_mut().flush();
        flushed.map_err(|error| OutputError::write(&self.name, error))
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }
}

/// Says it as an error of the system, if it is one.
fn encode_error(path: &Path, error: ParquetError) -> OutputError {
    let path_text = path.display().to_string();
    match error {
        ParquetError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(error) => OutputError::write(path, *error),
            Err(source) => OutputError::Encode { path: path_text, message: source.to_string() },
        },
        other => OutputError::Encode { path: path_text, message: other.to_string() },
    }
}

/// Rows as a Parquet file that can be resumed.
pub struct ParquetFile {
    file: PartialFile,
    schema: SchemaRef,
    /// The part that grows; it is not in the file yet.
    part: Option<ArrowWriter<Vec<u8>>>,
    since: Instant,
    /// With the counts of the rows that are not in the file yet.
    counts: Counts,
    /// What the file does not have yet.
    pending: Counts,
    mark: Mark,
}

impl ParquetFile {
    /// Writes rows to a file that was [opened](PartialFile::open).
    #[must_use]
    pub fn new(file: PartialFile) -> Self {
        Self::with_extra(file, &Extra::default())
    }

    /// The same where something is carried along.
    #[must_use]
    pub fn with_extra(file: PartialFile, extra: &Extra) -> Self {
        Self::with_schema(file, schema_with(extra))
    }

    /// The same for batches of another schema.
    #[must_use]
    pub fn with_schema(file: PartialFile, schema: SchemaRef) -> Self {
        let (counts, mark) = (file.entry.counts.clone(), file.mark());
        Self { file, schema, part: None, since: Instant::now(), counts, pending: Counts::default(), mark }
    }

    fn encode_error(&self, error: ParquetError) -> OutputError {
        encode_error(&self.file.path, error)
    }

    /// Puts the part that grows into the file.
    fn close_part(&mut self) -> Result<(), OutputError> {
        if let Some(part) = self.part.take() {
            let bytes = part.into_inner().map_err(|error| self.encode_error(error))?;
            self.file.append(&bytes)?;
        }
        self.file.pass(&std::mem::take(&mut self.pending), self.mark);
        self.since = Instant::now();
        self.file.enter()
    }

    /// Moves the row groups of all parts into one file.
    fn join(&mut self, target: &Path) -> Result<(), OutputError> {
        let partial = beside(&self.file.path, ".partial");
        let read = |range: std::ops::Range<u64>| -> std::io::Result<Bytes> {
            let mut file = File::open(&partial)?;
            file.seek(SeekFrom::Start(range.start))?;
            let mut bytes = Vec::new();
            file.take(range.end - range.start).read_to_end(&mut bytes)?;
            Ok(bytes.into())
        };
        let out = File::create(target)
            .and_then(|out| keep_mode(&self.file.path, &out, Access::Own).map(|()| out))
            .map_err(|error| OutputError::write(&self.file.path, error))?;
        let Some(&first_end) = self.file.parts.first() else {
            let empty = ArrowWriter::try_new(&out, Arc::clone(&self.schema), Some(properties()))
                .and_then(ArrowWriter::close);
            return empty.map(drop).map_err(|error| encode_error(&self.file.path, error));
        };
        let first = read(0..first_end).map_err(|error| OutputError::write(&self.file.path, error))?;
        let join = || -> Result<(), ParquetError> {
            let first = SerializedFileReader::new(first)?;
            let description = first.metadata().file_metadata();
            let arrow: Option<Vec<KeyValue>> = description.key_value_metadata().cloned();
            let properties = properties().into_builder().set_key_value_metadata(arrow).build();
            let root = description.schema_descr().root_schema_ptr();
            let mut writer = SerializedFileWriter::new(&out, root, properties.into())?;
            let mut start = 0;
            for &end in &self.file.parts {
                let part = read(start..end)?;
                let reader = SerializedFileReader::new(part.clone())?;
                for group in reader.metadata().row_groups() {
                    let mut moved = writer.next_row_group()?;
                    for column in group.columns() {
                        let closed = ColumnCloseResult {
                            bytes_written: column.compressed_size() as u64,
                            rows_written: group.num_rows() as u64,
                            metadata: column.clone(),
                            bloom_filter: None,
                            column_index: None,
                            offset_index: None,
                        };
                        moved.append_column(&part, closed)?;
                    }
                    moved.close()?;
                }
                start = end;
            }
            writer.close()?;
            Ok(())
        };
        join().map_err(|error| encode_error(&self.file.path, error))?;
        out.sync_data().map_err(|error| OutputError::write(&self.file.path, error))
    }
}

impl Sink<RecordBatch> for ParquetFile {
    fn write(&mut self, rows: &RecordBatch, counts: &Counts, mark: Mark) -> Result<(), OutputError> {
        self.counts.add(counts);
        self.pending.add(counts);
        self.mark = mark;
        if rows.num_rows() > 0 {
            let part = match &mut self.part {
                Some(part) => part,
                none => {
                    let part = ArrowWriter::try_new(Vec::new(), Arc::clone(&self.schema), Some(properties()));
                    let path = beside(&self.file.path, ".partial");
                    none.insert(part.map_err(|error| encode_error(&path, error))?)
                }
            };
            if let Err(error) = part.write(rows) {
                return Err(self.encode_error(error));
            }
        }
        let rows = self.part.as_ref().map_or(0, ArrowWriter::in_progress_rows);
        if rows >= ROWS_IN_A_GROUP { self.close_part() } else { self.rest() }
    }

    fn rest(&mut self) -> Result<(), OutputError> {
        let has_grown = self.file.mark() < self.mark;
        if has_grown && self.since.elapsed() >= GROWING { self.close_part() } else { Ok(()) }
    }

    fn finish(&mut self, complete: bool) -> Result<(), OutputError> {
        self.close_part()?;
        if complete {
            let joined = beside(&self.file.path, ".joined");
            self.join(&joined)?;
            self.file.complete(&joined)?;
        }
        Ok(())
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }
}
