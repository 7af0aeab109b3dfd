//! Portions of positions, and what is done with them.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::builder::BinaryBuilder;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{Array as _, ArrayRef, RecordBatch, RunArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use bitmesh::decision::{Decision, Effort};
use bitmesh::persistent::Bound;
use bitmesh::shakmaty::Color;
use bitmesh::{PositionBinding, certify_decomposition, read_position};
use bitmesh_corpus::{Batches, Collect as _, Depth, Extra, Texts, schema_with};

use crate::input::BoardError;

/// What is asked about every position.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Question {
    /// All layers, out of the analysis.
    Certify,
    /// All layers, the third out of checked certificates; so many positions may be followed.
    Prove(u32),
    /// All layers, and whether each side can still give mate.
    Decide(Effort),
}

/// What is done with every position.
#[derive(Clone)]
pub(super) struct Task {
    source: String,
    question: Question,
    with_evidence: bool,
}

impl Task {
    pub(super) fn new(source: String, question: Question, with_evidence: bool) -> Self {
        Self { source, question, with_evidence }
    }

    /// How many positions may be followed for each position; none takes long without that.
    pub(super) const fn nodes(&self) -> u32 {
        match self.question {
            Question::Certify => 0,
            Question::Prove(nodes) => nodes,
            // For each side.
            Question::Decide(effort) => effort.get().saturating_mul(2),
        }
    }

    fn texts(&self) -> Texts {
        let texts = Texts::new(&self.source);
        match self.question {
            Question::Certify => texts,
            Question::Prove(0) => texts.with_depth(Depth::Certificate),
            Question::Prove(nodes) => texts.with_depth(Depth::Expansion(Bound::nodes(nodes))),
            Question::Decide(effort) => texts.with_decisions(effort, self.with_evidence),
        }
    }

    fn extra(&self) -> Extra {
        let mut extra = Extra::default();
        extra.decisions = matches!(self.question, Question::Decide(_));
        extra
    }

    /// The names of the columns with the bytes of evidence.
    fn evidence_columns(&self) -> &'static [&'static str] {
        match self.question {
            _ if !self.with_evidence => &[],
            Question::Decide(_) => &["evidence_white", "evidence_black"],
            Question::Certify | Question::Prove(_) => &["certificate"],
        }
    }

    /// The schema of the rows.
    pub(super) fn schema(&self) -> SchemaRef {
        let rows = schema_with(&self.extra());
        let evidence =
            self.evidence_columns().iter().map(|name| Arc::new(Field::new(*name, DataType::Binary, true)));
        let fields: Vec<_> = rows.fields().iter().cloned().chain(evidence).collect();
        Arc::new(Schema::new_with_metadata(fields, rows.metadata().clone()))
    }
}

/// Texts one after the other, and boards that are none.
#[derive(Default)]
pub(super) struct Packed {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The places of the texts that boards were written as.
    boards: Vec<usize>,
    /// Why the item at a place has no text; such an item is an empty text besides.
    refused: Vec<(usize, BoardError)>,
}

impl Packed {
    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
    }

    pub(super) fn push_board(&mut self, text: &str) {
        self.boards.push(self.ends.len());
        self.push(text.as_bytes());
    }

    pub(super) fn refuse(&mut self, error: BoardError) {
        self.refused.push((self.ends.len(), error));
        self.push(&[]);
    }

    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }
}

/// The positions of a job.
pub(super) enum Positions {
    Packed(Packed),
    Array(ArrayRef),
}

/// One item of a job.
enum Item<'a> {
    /// A text; an empty one where there is none.
    Text(&'a [u8]),
    /// What a board says of itself.
    Board(&'a [u8]),
    Refused(&'a BoardError),
}

impl Positions {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Packed(packed) => packed.len(),
            Self::Array(array) => array.len(),
        }
    }

    /// Calls a function with each item until it breaks off.
    fn for_each(
        &self,
        mut visit: impl FnMut(Item<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, ArrowError> {
        let array = match self {
            Self::Packed(Packed { bytes, ends, boards, refused }) => {
                let (mut start, mut refused) = (0, refused.iter().peekable());
                let mut boards = boards.iter().peekable();
                for (place, &end) in ends.iter().enumerate() {
                    let item = match refused.next_if(|(refused, _)| *refused == place) {
                        Some((_, error)) => Item::Refused(error),
                        None if boards.next_if_eq(&&place).is_some() => Item::Board(&bytes[start..end]),
                        None => Item::Text(&bytes[start..end]),
                    };
                    start = end;
                    if visit(item).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                return Ok(ControlFlow::Continue(()));
            }
            Self::Array(array) => array,
        };
        macro_rules! visit_all {
            ($texts:expr, $bytes:expr) => {
                for text in $texts {
                    if visit(Item::Text(text.map($bytes).unwrap_or_default())).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            };
        }
        match array.data_type() {
            DataType::Utf8 => visit_all!(array.as_string::<i32>(), str::as_bytes),
            DataType::LargeUtf8 => visit_all!(array.as_string::<i64>(), str::as_bytes),
            DataType::Utf8View => visit_all!(array.as_string_view(), str::as_bytes),
            DataType::Binary => visit_all!(array.as_binary::<i32>(), |bytes| bytes),
            DataType::LargeBinary => visit_all!(array.as_binary::<i64>(), |bytes| bytes),
            DataType::BinaryView => visit_all!(array.as_binary_view(), |bytes| bytes),
            // Texts that stand for several rows are written out for a job at a time.
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let whole = Self::Array(take(dictionary.values(), dictionary.keys(), None)?);
                return whole.for_each(visit);
            }
            DataType::RunEndEncoded(..) => return Self::Array(written_out(array)?).for_each(visit),
            _ => {
                for _ in 0..array.len() {
                    if visit(Item::Text(&[])).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The values of an array of runs, one for each row.
fn written_out(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    fn places<R: RunEndIndexType>(array: &ArrayRef) -> Option<(ArrayRef, UInt64Array)> {
        let runs = array.as_any().downcast_ref::<RunArray<R>>()?;
        let places = (0..runs.len()).map(|row| runs.get_physical_index(row) as u64);
        Some((Arc::clone(runs.values()), UInt64Array::from_iter_values(places)))
    }
    let found = places::<Int32Type>(array)
        .or_else(|| places::<Int64Type>(array))
        .or_else(|| places::<Int16Type>(array));
    let (values, places) =
        found.ok_or_else(|| ArrowError::InvalidArgumentError("runs without their ends".to_owned()))?;
    take(&values, &places, None)
}

pub(super) struct Job {
    pub(super) number: usize,
    /// The place of its first position, counted from 1.
    pub(super) first: u64,
    pub(super) positions: Positions,
}

/// Evaluates jobs one after the other.
pub(super) struct Evaluator {
    question: Question,
    schema: SchemaRef,
    texts: Texts,
    rows: Batches,
    /// One for each column of evidence.
    evidence: Vec<BinaryBuilder>,
}

impl Evaluator {
    pub(super) fn new(task: &Task) -> Self {
        Self {
            question: task.question,
            schema: task.schema(),
            texts: task.texts(),
            rows: Batches::with_extra(&task.extra()),
            evidence: task.evidence_columns().iter().map(|_| BinaryBuilder::new()).collect(),
        }
    }

    /// The rows of a job, or nothing when `go_on` has said no before one of them.
    pub(super) fn evaluate(
        &mut self,
        job: &Job,
        mut go_on: impl FnMut() -> bool,
    ) -> Result<Option<RecordBatch>, ArrowError> {
        let Self { question, texts, rows, evidence, .. } = self;
        let mut line = job.first;
        let visited = job.positions.for_each(|item| {
            if !go_on() {
                return ControlFlow::Break(());
            }
            match item {
                Item::Text(text) => texts.evaluate(line, text, rows),
                Item::Board(text) => match board_error(text) {
                    None => texts.evaluate(line, text, rows),
                    Some(error) => texts.refuse(line, error.code, &error.message, rows),
                },
                Item::Refused(error) => texts.refuse(line, error.code, &error.message, rows),
            }
            match (*question, &mut evidence[..]) {
                (Question::Prove(_), [certificates]) => {
                    certificates.append_option(texts.certificate().map(|proved| proved.canonical_payload()));
                }
                (Question::Decide(_), [white, black]) => {
                    white.append_option(texts.decision(Color::White).and_then(payload));
                    black.append_option(texts.decision(Color::Black).and_then(payload));
                }
                _ => {}
            }
            line += 1;
            ControlFlow::Continue(())
        })?;
        let batch = rows.take();
        if visited.is_break() {
            return Ok(None);
        }
        if let (Question::Certify, [bindings]) = (*question, &mut evidence[..]) {
            let fens = batch.column_by_name("fen").map(|column| column.as_string::<i32>());
            fens.into_iter().flatten().for_each(|fen| bindings.append_option(fen.and_then(binding)));
        }
        if evidence.is_empty() {
            return Ok(Some(batch));
        }
        let mut columns = batch.columns().to_vec();
        columns.extend(evidence.iter_mut().map(|bytes| -> ArrayRef { Arc::new(bytes.finish()) }));
        RecordBatch::try_new(Arc::clone(&self.schema), columns).map(Some)
    }
}

/// What is wrong with a board, said to somebody who has not seen its text.
fn board_error(text: &[u8]) -> Option<BoardError> {
    let text = std::str::from_utf8(text).ok()?;
    read_position(text).err().map(|error| BoardError::from(&error))
}

/// The bytes that show a decision: BMMATE or BMPERSIST.
fn payload(decision: &Decision) -> Option<Vec<u8>> {
    match decision {
        Decision::Winnable(line) => Some(line.canonical_payload()),
        Decision::Unwinnable(certificate) => Some(certificate.canonical_payload()),
        Decision::Undecided { .. } => None,
    }
}

/// BMDPOSCERT of a canonical text.
fn binding(text: &str) -> Option<Vec<u8>> {
    let input = read_position(text).ok()?.input;
    let digest = certify_decomposition(input.board()).digest().ok()?;
    Some(PositionBinding::of_input(digest, &input).canonical_payload())
}
