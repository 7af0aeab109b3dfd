//! Rows as Arrow record batches.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use shakmaty::Bitboard;

use crate::extra::{Extra, Value};
use crate::json::{square_name, write_hex};
use crate::row::{COLUMNS, Collect, Permanent, Row, SCHEMA, rejection_reason_name, status_name};

/// The schema of the record batches: `bitmesh.scan.v1`.
///
/// Numbers are signed because not every reader of Arrow and Parquet knows the
/// others; sets of squares are lists of names. The metadata names the schema.
#[must_use]
pub fn schema() -> SchemaRef {
    schema_with(&Extra::default())
}

/// The same where something is carried along: texts, and the offset as a number.
#[must_use]
pub fn schema_with(extra: &Extra) -> SchemaRef {
    let data_type = |column: &str| match column {
        "line" | "game" => DataType::Int64,
        "ply" | "active_components" | "persistent_components" => DataType::Int32,
        "barrier" | "frozen" => DataType::new_list(DataType::Utf8, false),
        "exact_sum" | "unwinnable_white" | "unwinnable_black" | "dead" => DataType::Boolean,
        _ => DataType::Utf8,
    };
    let field = |name| Field::new(name, data_type(name), name != "source");
    let metadata = [("schema".to_owned(), SCHEMA.to_owned())];
    let mut fields = COLUMNS.map(field).to_vec();
    fields.extend(extra.names().into_iter().map(|name| {
        let is_number = extra.offset && name == "offset";
        Field::new(name, if is_number { DataType::Int64 } else { DataType::Utf8 }, true)
    }));
    Arc::new(Schema::new_with_metadata(fields, metadata.into()))
}

/// Collects rows as Arrow record batches of [`schema`].
#[derive(Debug)]
pub struct Batches {
    schema: SchemaRef,
    source: StringBuilder,
    line: Int64Builder,
    game: Int64Builder,
    ply: Int32Builder,
    fen: StringBuilder,
    barrier: ListBuilder<StringBuilder>,
    status: StringBuilder,
    rejection_reason: StringBuilder,
    active_components: Int32Builder,
    one_ply: StringBuilder,
    frozen: ListBuilder<StringBuilder>,
    persistent_components: Int32Builder,
    exact_sum: BooleanBuilder,
    unwinnable_white: BooleanBuilder,
    unwinnable_black: BooleanBuilder,
    dead: BooleanBuilder,
    digest: StringBuilder,
    position_digest: StringBuilder,
    error_code: StringBuilder,
    error: StringBuilder,
    carried: Vec<Carrying>,
}

/// A column that is carried along.
#[derive(Debug)]
enum Carrying {
    Texts(StringBuilder),
    Numbers(Int64Builder),
}

impl Carrying {
    fn push(&mut self, value: &Value) {
        match (self, value) {
            (Self::Texts(texts), Value::Text(text)) => texts.append_value(text),
            (Self::Texts(texts), _) => texts.append_null(),
            (Self::Numbers(numbers), Value::Number(number)) => {
                numbers.append_value(i64::try_from(*number).unwrap_or(i64::MAX));
            }
            (Self::Numbers(numbers), _) => numbers.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Texts(texts) => Arc::new(texts.finish()),
            Self::Numbers(numbers) => Arc::new(numbers.finish()),
        }
    }
}

impl Default for Batches {
    fn default() -> Self {
        let squares = || {
            let item = Field::new_list_field(DataType::Utf8, false);
            ListBuilder::new(StringBuilder::new()).with_field(item)
        };
        Self {
            schema: schema(),
            source: StringBuilder::new(),
            line: Int64Builder::new(),
            game: Int64Builder::new(),
            ply: Int32Builder::new(),
            fen: StringBuilder::new(),
            barrier: squares(),
            status: StringBuilder::new(),
            rejection_reason: StringBuilder::new(),
            active_components: Int32Builder::new(),
            one_ply: StringBuilder::new(),
            frozen: squares(),
            persistent_components: Int32Builder::new(),
            exact_sum: BooleanBuilder::new(),
            unwinnable_white: BooleanBuilder::new(),
            unwinnable_black: BooleanBuilder::new(),
            dead: BooleanBuilder::new(),
            digest: StringBuilder::new(),
            position_digest: StringBuilder::new(),
            error_code: StringBuilder::new(),
            error: StringBuilder::new(),
            carried: Vec::new(),
        }
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
        let schema = schema_with(extra);
        let carried = schema.fields()[COLUMNS.len()..].iter().map(|field| match field.data_type() {
            DataType::Int64 => Carrying::Numbers(Int64Builder::new()),
            _ => Carrying::Texts(StringBuilder::new()),
        });
        let carried = carried.collect();
        Self { schema, carried, ..Self::default() }
    }

    fn push_permanent(&mut self, permanent: Option<&Permanent>) {
        append_squares(&mut self.frozen, permanent.map(|proved| proved.frozen));
        self.persistent_components.append_option(permanent.map(|proved| proved.components.into()));
        self.exact_sum.append_option(permanent.map(|proved| proved.exact_sum));
        self.unwinnable_white.append_option(permanent.map(|proved| proved.unwinnable.white));
        self.unwinnable_black.append_option(permanent.map(|proved| proved.unwinnable.black));
        self.dead.append_option(permanent.map(Permanent::dead));
    }
}

impl Collect for Batches {
    type Block = RecordBatch;

    fn push(&mut self, row: &Row) {
        // Nobody has 2^63 lines.
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        self.source.append_value(&row.source);
        self.line.append_option(row.place.line.map(number));
        self.game.append_option(row.place.game.map(number));
        self.ply.append_option(row.place.ply.map(|ply| i32::try_from(ply).unwrap_or(i32::MAX)));
        let finding = row.finding.as_ref();
        self.fen.append_option(finding.map(|found| &found.fen));
        append_squares(&mut self.barrier, finding.map(|found| found.barrier));
        self.status.append_option(finding.map(|found| status_name(found.status)));
        let reason = finding.and_then(|found| found.rejection_reason);
        self.rejection_reason.append_option(reason.map(rejection_reason_name));
        self.active_components.append_option(finding.map(|found| found.active_components.into()));
        self.one_ply.append_option(finding.map(|found| found.one_ply));
        self.push_permanent(finding.and_then(|found| found.permanent.as_ref()));
        append_digest(&mut self.digest, finding.map(|found| found.digest.as_bytes()));
        append_digest(&mut self.position_digest, finding.map(|found| found.position_digest.as_bytes()));
        self.error_code.append_option(row.problem.as_ref().map(|problem| problem.code()));
        self.error.append_option(row.problem.as_ref().map(|problem| problem.message()));
        let mut values = row.carried.iter().map(|carried| &carried.value);
        for column in &mut self.carried {
            column.push(values.next().unwrap_or(&Value::Nothing));
        }
    }

    fn take(&mut self) -> RecordBatch {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.source.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.game.finish()),
            Arc::new(self.ply.finish()),
            Arc::new(self.fen.finish()),
            Arc::new(self.barrier.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.rejection_reason.finish()),
            Arc::new(self.active_components.finish()),
            Arc::new(self.one_ply.finish()),
            Arc::new(self.frozen.finish()),
            Arc::new(self.persistent_components.finish()),
            Arc::new(self.exact_sum.finish()),
            Arc::new(self.unwinnable_white.finish()),
            Arc::new(self.unwinnable_black.finish()),
            Arc::new(self.dead.finish()),
            Arc::new(self.digest.finish()),
            Arc::new(self.position_digest.finish()),
            Arc::new(self.error_code.finish()),
            Arc::new(self.error.finish()),
        ];
        columns.extend(self.carried.iter_mut().map(Carrying::finish));
        RecordBatch::try_new(Arc::clone(&self.schema), columns).expect("the builders are those of the schema")
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
