//! Rows of an audit as JSON lines, CSV or Parquet.

use std::io::{self, Write};

use crate::audit::{AUDIT_SCHEMA, AuditCell};
use crate::csv::write_text;
use crate::json::{write_code, write_digits};
use crate::output::RowFormat;

/// Writes the rows of an audit, whose [columns](crate::audit_columns) are the same in every form.
pub struct AuditOutput<W: Write + Send> {
    columns: Vec<(String, bool)>,
    form: Form<W>,
}

enum Form<W: Write + Send> {
    Json(W),
    Csv(W),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet_form::Writer<W>>),
}

impl<W: Write + Send> AuditOutput<W> {
    /// Begins an output.
    ///
    /// # Errors
    ///
    /// When the beginning cannot be written, or the form is one that this build does not write.
    pub fn new(mut writer: W, form: RowFormat, columns: Vec<(String, bool)>) -> io::Result<Self> {
        let form = match form {
            RowFormat::JsonLines => Form::Json(writer),
            RowFormat::Csv => {
                let mut header = Vec::new();
                for (index, (name, _)) in columns.iter().enumerate() {
                    if index > 0 {
                        header.push(b',');
                    }
                    write_text(&mut header, name);
                }
                header.push(b'\n');
                writer.write_all(&header)?;
                Form::Csv(writer)
            }
            #[cfg(feature = "parquet")]
            RowFormat::Parquet => Form::Parquet(Box::new(parquet_form::begin(writer, &columns)?)),
            #[allow(unreachable_patterns, reason = "without Parquet there is another form")]
            _ => {
                return Err(io::Error::new(io::ErrorKind::Unsupported, "this build does not write the form"));
            }
        };
        Ok(Self { columns, form })
    }

    /// Writes rows.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn write(&mut self, rows: &[Vec<AuditCell>]) -> io::Result<()> {
        match &mut self.form {
            Form::Json(writer) => {
                let mut text = Vec::new();
                for row in rows {
                    text.extend_from_slice(b"{\"schema\":");
                    write_code(&mut text, AUDIT_SCHEMA);
                    for ((name, _), cell) in self.columns.iter().zip(row) {
                        text.push(b',');
                        crate::json::write_text(&mut text, name);
                        text.push(b':');
                        match cell {
                            AuditCell::Text(Some(value)) => crate::json::write_text(&mut text, value),
                            AuditCell::Number(Some(number)) => write_digits(&mut text, *number),
                            AuditCell::Text(None) | AuditCell::Number(None) => {
                                text.extend_from_slice(b"null")
                            }
                        }
                    }
                    text.extend_from_slice(b"}\n");
                }
                writer.write_all(&text)
            }
            Form::Csv(writer) => {
                let mut text = Vec::new();
                for row in rows {
                    for (index, cell) in row.iter().enumerate() {
                        if index > 0 {
                            text.push(b',');
                        }
                        match cell {
                            AuditCell::Text(Some(value)) => write_text(&mut text, value),
                            AuditCell::Number(Some(number)) => write_digits(&mut text, *number),
                            AuditCell::Text(None) | AuditCell::Number(None) => {}
                        }
                    }
                    text.push(b'\n');
                }
                writer.write_all(&text)
            }
            #[cfg(feature = "parquet")]
            Form::Parquet(writer) => parquet_form::write(writer, rows),
        }
    }

    /// Ends the output, and gives back where it went.
    ///
    /// # Errors
    ///
    /// When the end cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut writer = match self.form {
            Form::Json(writer) | Form::Csv(writer) => writer,
            #[cfg(feature = "parquet")]
            Form::Parquet(writer) => writer.into_inner().map_err(io::Error::other)?,
        };
        writer.flush()?;
        Ok(writer)
    }
}

#[cfg(feature = "parquet")]
mod parquet_form {
    use std::io::{self, Write};
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use arrow_schema::{DataType, Field, Schema};
    use parquet::arrow::ArrowWriter;

    use crate::audit::{AUDIT_SCHEMA, AuditCell};

    pub(super) struct Writer<W: Write + Send> {
        schema: Arc<Schema>,
        writer: ArrowWriter<W>,
    }

    impl<W: Write + Send> Writer<W> {
        pub(super) fn into_inner(self) -> parquet::errors::Result<W> {
            self.writer.into_inner()
        }
    }

    pub(super) fn begin<W: Write + Send>(writer: W, columns: &[(String, bool)]) -> io::Result<Writer<W>> {
        let field = |(name, is_number): &(String, bool)| {
            Field::new(name, if *is_number { DataType::Int64 } else { DataType::Utf8 }, true)
        };
        let metadata = [("schema".to_owned(), AUDIT_SCHEMA.to_owned())];
        let fields: Vec<Field> = columns.iter().map(field).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata.into()));
        let writer = ArrowWriter::try_new(writer, Arc::clone(&schema), None).map_err(io::Error::other)?;
        Ok(Writer { schema, writer })
    }

    pub(super) fn write<W: Write + Send>(to: &mut Writer<W>, rows: &[Vec<AuditCell>]) -> io::Result<()> {
        let column = |(index, field): (usize, &Arc<Field>)| -> ArrayRef {
            let cells = rows.iter().map(|row| row.get(index));
            if *field.data_type() == DataType::Int64 {
                Arc::new(Int64Array::from_iter(cells.map(|cell| match cell {
                    Some(AuditCell::Number(number)) => number.and_then(|number| i64::try_from(number).ok()),
                    _ => None,
                })))
            } else {
                Arc::new(StringArray::from_iter(cells.map(|cell| match cell {
                    Some(AuditCell::Text(text)) => text.as_deref(),
                    _ => None,
                })))
            }
        };
        let columns: Vec<ArrayRef> = to.schema.fields().iter().enumerate().map(column).collect();
        let batch = RecordBatch::try_new(Arc::clone(&to.schema), columns).map_err(io::Error::other)?;
        to.writer.write(&batch).map_err(io::Error::other)
    }
}
