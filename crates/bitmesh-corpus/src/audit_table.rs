//! Rows of an audit as JSON lines, CSV or Arrow record batches.

use crate::audit::{AuditCell, COLUMNS};
use crate::audit_tags::{AUDIT_SCHEMA, asked};
use crate::csv::write_text;
use crate::extra::RepeatedColumn;
use crate::json::{write_code, write_digits};
use crate::options::Options;
use crate::output::RowFormat;

/// The columns of the rows of an audit, and the rows in every form.
#[derive(Clone, Debug)]
pub struct AuditTable {
    /// Names, and whether they hold numbers.
    columns: Vec<(String, bool)>,
}

impl AuditTable {
    /// The table of an audit with options that were [prepared](crate::prepare_audit) for it.
    ///
    /// # Errors
    ///
    /// When two columns would have the same name.
    pub fn new(options: &Options) -> Result<Self, RepeatedColumn> {
        let fixed = COLUMNS.into_iter().map(|(name, is_number)| (name.to_owned(), is_number));
        let tags = asked(&options.extra).iter().map(|tag| (tag.clone(), false));
        let columns: Vec<(String, bool)> = fixed.chain(tags).collect();
        for (index, (name, _)) in columns.iter().enumerate() {
            if name == "schema" || columns[..index].iter().any(|(other, _)| other == name) {
                return Err(RepeatedColumn::new(name));
            }
        }
        Ok(Self { columns })
    }

    /// The names of the columns, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// What stands in a file of this form before all rows.
    #[must_use]
    pub fn header(&self, form: RowFormat) -> String {
        if form != RowFormat::Csv {
            return String::new();
        }
        let mut header = Vec::new();
        for (index, (name, _)) in self.columns.iter().enumerate() {
            if index > 0 {
                header.push(b',');
            }
            write_text(&mut header, name);
        }
        header.push(b'\n');
        String::from_utf8_lossy(&header).into_owned()
    }

    /// The rows as JSON, one object a line.
    #[must_use]
    pub fn json_lines(&self, rows: &[Vec<AuditCell>]) -> Vec<u8> {
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
                    AuditCell::Text(None) | AuditCell::Number(None) => text.extend_from_slice(b"null"),
                }
            }
            text.extend_from_slice(b"}\n");
        }
        text
    }

    /// The rows as comma-separated values, without the header.
    #[must_use]
    pub fn csv(&self, rows: &[Vec<AuditCell>]) -> Vec<u8> {
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
        text
    }
}

#[cfg(feature = "parquet")]
mod arrow {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    use arrow_schema::{DataType, Field, Schema, SchemaRef};

    use super::AuditTable;
    use crate::audit::AuditCell;
    use crate::audit_tags::AUDIT_SCHEMA;

    impl AuditTable {
        /// The schema of [`batch`](Self::batch). The metadata names the schema of the rows.
        #[must_use]
        pub fn schema(&self) -> SchemaRef {
            let field = |(name, is_number): &(String, bool)| {
                Field::new(name, if *is_number { DataType::Int64 } else { DataType::Utf8 }, true)
            };
            let metadata = [("schema".to_owned(), AUDIT_SCHEMA.to_owned())];
            let fields: Vec<Field> = self.columns.iter().map(field).collect();
            Arc::new(Schema::new_with_metadata(fields, metadata.into()))
        }

        /// The rows as a record batch.
        ///
        /// # Panics
        ///
        /// Never, for any rows: what does not fit its column is null.
        #[must_use]
        pub fn batch(&self, rows: &[Vec<AuditCell>]) -> RecordBatch {
            let column = |(index, (_, is_number)): (usize, &(String, bool))| -> ArrayRef {
                let cells = rows.iter().map(|row| row.get(index));
                if *is_number {
                    Arc::new(Int64Array::from_iter(cells.map(|cell| match cell {
                        Some(AuditCell::Number(number)) => {
                            number.and_then(|number| i64::try_from(number).ok())
                        }
                        _ => None,
                    })))
                } else {
                    Arc::new(StringArray::from_iter(cells.map(|cell| match cell {
                        Some(AuditCell::Text(text)) => text.as_deref(),
                        _ => None,
                    })))
                }
            };
            let columns: Vec<ArrayRef> = self.columns.iter().enumerate().map(column).collect();
            RecordBatch::try_new(self.schema(), columns).expect("columns are of the types of their schema")
        }
    }
}
