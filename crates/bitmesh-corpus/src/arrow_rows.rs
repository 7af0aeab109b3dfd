//! Rows as Arrow record batches.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use shakmaty::Bitboard;

use crate::carried::Value;
use crate::columns::{Cells, Key, Kind, each_cell};
use crate::extra::Extra;
use crate::json::{square_name, write_hex};
use crate::row::{Collect, Row, SCHEMA};

/// The schema of the record batches: `bitmesh.scan.v1`.
///
/// Numbers are signed because not every reader of Arrow and Parquet knows the
/// others; sets of squares are lists of names. The metadata names the schema.
#[must_use]
pub fn schema() -> SchemaRef {
    schema_with(&Extra::default())
}

/// The same where something is carried along: texts, and the offset and the lengths of lines as numbers.
#[must_use]
pub fn schema_with(extra: &Extra) -> SchemaRef {
    let field = |(name, kind): (&str, Kind)| Field::new(name, data_type(kind), name != "source");
    let metadata = [("schema".to_owned(), SCHEMA.to_owned())];
    let fields: Vec<Field> = extra.all_columns().map(field).collect();
    Arc::new(Schema::new_with_metadata(fields, metadata.into()))
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Text | Kind::Code | Kind::Digest => DataType::Utf8,
        Kind::Count => DataType::Int64,
        Kind::Small => DataType::Int32,
        Kind::Flag => DataType::Boolean,
        Kind::Squares => DataType::new_list(DataType::Utf8, false),
    }
}

/// Collects rows as Arrow record batches of [`schema`].
#[derive(Debug)]
pub struct Batches {
    schema: SchemaRef,
    with_digests: bool,
    columns: Vec<Column>,
}

/// A column that is being filled.
#[derive(Debug)]
enum Column {
    Texts(StringBuilder),
    Counts(Int64Builder),
    Smalls(Int32Builder),
    Flags(BooleanBuilder),
    Squares(ListBuilder<StringBuilder>),
}

impl Column {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Text | Kind::Code | Kind::Digest => Self::Texts(StringBuilder::new()),
            Kind::Count => Self::Counts(Int64Builder::new()),
            Kind::Small => Self::Smalls(Int32Builder::new()),
            Kind::Flag => Self::Flags(BooleanBuilder::new()),
            Kind::Squares => {
                let item = Field::new_list_field(DataType::Utf8, false);
                Self::Squares(ListBuilder::new(StringBuilder::new()).with_field(item))
            }
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Texts(texts) => Arc::new(texts.finish()),
            Self::Counts(numbers) => Arc::new(numbers.finish()),
            Self::Smalls(numbers) => Arc::new(numbers.finish()),
            Self::Flags(flags) => Arc::new(flags.finish()),
            Self::Squares(squares) => Arc::new(squares.finish()),
        }
    }
}

impl Default for Batches {
    fn default() -> Self {
        Self::with_extra(&Extra::default())
    }
}

impl Batches {
    /// A collector without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same for rows with something carried along, whose batches are of [`schema_with`].
    #[must_use]
    pub fn with_extra(extra: &Extra) -> Self {
        let columns = extra.all_columns().map(|(_, kind)| Column::new(kind)).collect();
        Self { schema: schema_with(extra), with_digests: !extra.without_digests, columns }
    }
}

impl Collect for Batches {
    type Block = RecordBatch;

    fn push(&mut self, row: &Row) {
        let mut filling = Filling(self.columns.iter_mut());
        each_cell(row, self.with_digests, &mut filling);
        // A row that carries less than was promised has nothing in the rest.
        while !filling.0.as_slice().is_empty() {
            filling.carried("", &Value::Nothing);
        }
    }

    fn take(&mut self) -> RecordBatch {
        let columns = self.columns.iter_mut().map(Column::finish).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), columns).expect("the builders are those of the schema")
    }
}

/// Puts each cell into the next column. The columns are made for the kinds of the cells.
struct Filling<'a>(std::slice::IterMut<'a, Column>);

impl Cells for Filling<'_> {
    fn text(&mut self, _: Key, value: Option<&str>) {
        if let Some(Column::Texts(texts)) = self.0.next() {
            texts.append_option(value);
        }
    }

    fn code(&mut self, key: Key, value: Option<&str>) {
        self.text(key, value);
    }

    fn count(&mut self, _: Key, value: Option<u64>) {
        if let Some(Column::Counts(numbers)) = self.0.next() {
            numbers.append_option(value.map(|number| i64::try_from(number).unwrap_or(i64::MAX)));
        }
    }

    fn small(&mut self, _: Key, value: Option<u32>) {
        if let Some(Column::Smalls(numbers)) = self.0.next() {
            numbers.append_option(value.map(|number| i32::try_from(number).unwrap_or(i32::MAX)));
        }
    }

    fn flag(&mut self, _: Key, value: Option<bool>) {
        if let Some(Column::Flags(flags)) = self.0.next() {
            flags.append_option(value);
        }
    }

    fn squares(&mut self, _: Key, value: Option<Bitboard>) {
        if let Some(Column::Squares(squares)) = self.0.next() {
            append_squares(squares, value);
        }
    }

    fn digest(&mut self, _: Key, value: Option<&[u8; 32]>) {
        if let Some(Column::Texts(texts)) = self.0.next() {
            append_digest(texts, value);
        }
    }

    fn carried(&mut self, _: &str, value: &Value) {
        match (self.0.next(), value) {
            (Some(Column::Texts(texts)), Value::Text(text)) => texts.append_value(text),
            (Some(Column::Texts(texts)), _) => texts.append_null(),
            (Some(Column::Counts(numbers)), Value::Number(number)) => {
                numbers.append_value(i64::try_from(*number).unwrap_or(i64::MAX));
            }
            (Some(Column::Counts(numbers)), _) => numbers.append_null(),
            _ => {}
        }
    }
}

fn append_squares(list: &mut ListBuilder<StringBuilder>, squares: Option<Bitboard>) {
    for square in squares.unwrap_or_default() {
        let name = square_name(square);
        list.values().append_value(std::str::from_utf8(&name).expect("square names are ascii"));
    }
    list.append(squares.is_some());
}

fn append_digest(texts: &mut StringBuilder, digest: Option<&[u8; 32]>) {
    match digest {
        None => texts.append_null(),
        Some(bytes) => {
            let mut text = Vec::with_capacity(64);
            write_hex(&mut text, bytes);
            texts.append_value(std::str::from_utf8(&text).expect("hexadecimal digits are ascii"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::COLUMNS;
    use crate::row::tests::{accepted_row, error_row};

    #[test]
    fn a_batch_has_the_columns_of_the_schema() {
        let mut collector = Batches::new();
        collector.push(&accepted_row());
        collector.push(&error_row());
        let batch = collector.take();
        assert_eq!(batch.num_rows(), 2);
        let names: Vec<&str> =
            batch.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
        assert_eq!(names, COLUMNS);
        assert_eq!(batch.schema_ref().metadata()["schema"], SCHEMA);
        assert_eq!(collector.take().num_rows(), 0);
    }
}
