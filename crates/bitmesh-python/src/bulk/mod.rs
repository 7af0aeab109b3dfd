//! Many positions at once, over all cores and without the GIL.

mod arrow_data;
mod frames;
mod jobs;
mod objects;
mod pool;

use bitmesh::decision::Effort;
use bitmesh::persistent::Bound as Limit;
use pyo3::prelude::*;

use self::frames::Source;
use self::jobs::{Question, Task};
use self::pool::Pool;
use crate::arguments::{self, Optional};
use crate::ending::Stay;
use crate::errors::type_error;
use crate::rows::Rows;

/// Evaluate many positions on all cores: one row of ``bitmesh scan`` for each, in their order.
///
/// ``positions`` is a list, an iterator, or data of pyarrow, Polars, DuckDB or pandas: an
/// array, a series, or a table, of which ``column`` is taken, by default ``fen``, ``epd``,
/// or the only one. Items are texts, bytes and boards of python-chess. ``source`` fills the
/// column of that name, ``line`` counts the positions from 1. ``threads`` is the number of
/// cores by default. With ``certificates=True`` the rows have one more column,
/// ``certificate``: the bytes of BMDPOSCERT, for ``verify`` and ``Certification.from_bytes``.
///
/// ``help(bitmesh.RecordBatch)`` says what the columns mean.
///
/// What is missing (``None``, NaN, an empty text) or is not a position is a row with an error.
/// The index of pandas is not looked at, and rows do not keep it: to put a column of them
/// into a frame, write ``frame["dead"] = rows.to_pandas().dead.array``.
/// It takes about a microsecond for each position. Layer 3 comes from the analysis alone;
/// ``prove_many`` makes and checks certificates.
///
/// Raises BulkError when a table has no such column, a column is not text, or the rows do
/// not fit one record batch (some twenty million positions).
#[pyfunction]
#[pyo3(
    signature = (positions, *, column = None, source = None, threads = None, certificates = None),
    text_signature = "(positions, *, column=None, source='', threads=None, certificates=False)"
)]
pub(crate) fn certify_many(
    positions: &Bound<'_, PyAny>,
    column: Optional<'_, '_>,
    source: Optional<'_, '_>,
    threads: Optional<'_, '_>,
    certificates: Optional<'_, '_>,
) -> PyResult<Rows> {
    let certificates = arguments::flag("certificates", certificates, false)?;
    evaluate(positions, column, source, threads, Question::Certify, certificates)
}

/// The same rows as ``certify_many``, with layer 3 from checked certificates.
///
/// For each position a certificate is made and given to the checker, and only what that
/// accepts is claimed. Where one witness leaves open whether a side can give mate, up to
/// ``nodes`` positions are followed, by default 100,000 as in ``prove``: then a row may have
/// claims that ``certify_many`` does not find. It takes about a microsecond for each
/// position that is followed, so up to a tenth of a second for a row; with ``nodes=0``
/// nothing is followed, and a row takes microseconds.
///
/// With ``certificates=True`` the rows have one more column, ``certificate``: the bytes of
/// BMPERSIST, for ``verify`` and ``PersistentCertificate.from_bytes``, where something is
/// proved. The other arguments and the errors are those of ``certify_many``.
#[pyfunction]
#[pyo3(
    signature = (positions, *, nodes = None, column = None, source = None, threads = None, certificates = None),
    text_signature = "(positions, *, nodes=100000, column=None, source='', threads=None, certificates=False)"
)]
pub(crate) fn prove_many(
    positions: &Bound<'_, PyAny>,
    nodes: Optional<'_, '_>,
    column: Optional<'_, '_>,
    source: Optional<'_, '_>,
    threads: Optional<'_, '_>,
    certificates: Optional<'_, '_>,
) -> PyResult<Rows> {
    let nodes = arguments::count("nodes", nodes, Limit::default().get())?;
    let certificates = arguments::flag("certificates", certificates, false)?;
    evaluate(positions, column, source, threads, Question::Prove(nodes), certificates)
}

/// Decide for many positions whether each side can still give mate, over all cores.
///
/// The rows of ``certify_many`` with four more columns, as in ``scan`` with ``decide=True``:
/// ``decided_white`` and ``decided_black`` say ``winnable``, ``unwinnable`` or ``undecided``,
/// which is no claim; ``mate_plies_white`` and ``mate_plies_black`` say how long the lines are
/// that were found. Every position is decided for itself, as ``decide`` does it, with up to
/// ``effort`` positions looked at for each side, 1,000,000 at most. Where there is no position they are missing.
/// An ordinary position takes about fifty microseconds, the hardest some tenths of a second.
///
/// With ``evidence=True`` the rows have two more columns, ``evidence_white`` and
/// ``evidence_black``, for ``verify``: BMMATE for ``winnable``, BMPERSIST for
/// ``unwinnable``, missing for ``undecided``. The other arguments and the errors are those
/// of ``certify_many``.
#[pyfunction]
#[pyo3(
    signature = (positions, *, effort = None, column = None, source = None, threads = None, evidence = None),
    text_signature = "(positions, *, effort=400000, column=None, source='', threads=None, evidence=False)"
)]
pub(crate) fn decide_many(
    positions: &Bound<'_, PyAny>,
    effort: Optional<'_, '_>,
    column: Optional<'_, '_>,
    source: Optional<'_, '_>,
    threads: Optional<'_, '_>,
    evidence: Optional<'_, '_>,
) -> PyResult<Rows> {
    let effort = Effort::positions(arguments::count("effort", effort, Effort::default().get())?);
    let evidence = arguments::flag("evidence", evidence, false)?;
    evaluate(positions, column, source, threads, Question::Decide(effort), evidence)
}

fn evaluate(
    positions: &Bound<'_, PyAny>,
    column: Optional<'_, '_>,
    source: Optional<'_, '_>,
    threads: Optional<'_, '_>,
    question: Question,
    with_evidence: bool,
) -> PyResult<Rows> {
    let _stay = Stay::enter()?;
    let source = arguments::text("source", source)?.unwrap_or_default();
    let task = Task::new(source, question, with_evidence);
    let py = positions.py();
    let column = arguments::text("column", column)?;
    let column = column.as_deref();
    let mut pool = Pool::new(arguments::threads(threads)?, task);
    match Source::of(positions, column)? {
        Source::Arrow(data, of_table) => {
            arrow_data::submit(py, &mut pool, data, of_table.as_deref(), column.is_some())?;
        }
        Source::Objects(objects, has_columns) => {
            if column.is_some() && !has_columns {
                return Err(type_error("column", "only tables have columns", "argument/no-columns"));
            }
            objects::submit(&mut pool, &objects)?;
        }
    }
    pool.finish(py).map(Rows::new)
}
