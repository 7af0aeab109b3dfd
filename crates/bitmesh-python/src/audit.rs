//! Games that ended otherwise than the Laws say.

use bitmesh::decision::Effort;
use bitmesh_corpus::{Audit, AuditCell, AuditTable, Format, Options, Scan, Step, prepare_audit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::arguments::{self, Optional};
use crate::ending::{Stay, detach};
use crate::errors::{argument_error, scan_error};
use crate::interrupt::{lock, wait};
use crate::scan::{Plan, Raised, to_names};

/// Audit games as the command ``bitmesh audit`` does: one dictionary for each game.
///
/// Each says since which ply a side could no longer give mate, how long the game went on
/// after the position was dead, and a ``finding``: ``flag-fall-should-be-draw``,
/// ``mate-claimed-but-not``, ``played-on-when-dead``, ``undecided`` or ``fine``. ``sources``
/// are PGN files, folders and binary streams, packed or not; ``tags`` of the games are
/// repeated in the rows. ``effort`` is that of ``decide``. ``certificates`` is a folder for
/// evidence: of each game, lines and certificates for the last position and for those since
/// which a side could not win.
///
/// The keys: ``source``, ``game``, ``plies``; the tags ``result`` and ``termination`` as they
/// are; ``ended_by``: ``time``, ``mate`` or ``other``, from a termination such as ``Time
/// forfeit``, ``NAME won on time`` or ``NAME won by checkmate``, or from the comment at the
/// end of the moves; ``decided_white`` and ``decided_black`` of the last position;
/// ``unwinnable_white_since``, ``unwinnable_black_since`` and ``dead_since``: the first ply
/// after which it was so, as far as was shown; ``plies_after_dead``; ``finding``;
/// ``error_code``, ``error``; ``fen`` and ``position_digest`` of the last position; the tags.
///
/// What cannot be read is a row with an error, and its ``finding`` is ``None``. Raises ScanError when a source cannot be
/// opened.
#[pyfunction]
#[pyo3(
    signature = (*sources, tags = None, effort = None, threads = None, certificates = None),
    text_signature = "(*sources, tags=None, effort=400000, threads=None, certificates=None)"
)]
pub(crate) fn audit<'py>(
    sources: &Bound<'py, PyTuple>,
    tags: Optional<'_, 'py>,
    effort: Optional<'_, 'py>,
    threads: Optional<'_, 'py>,
    certificates: Optional<'_, 'py>,
) -> PyResult<Bound<'py, PyList>> {
    let py = sources.py();
    let _stay = Stay::enter()?;
    let mut options = Options::default();
    options.format = Some(Format::Pgn);
    let effort = arguments::count("effort", effort, Effort::default().get())?;
    options.decide = Some(Effort::positions(effort));
    options.threads = arguments::threads(threads)?;
    options.certificates = arguments::path("certificates", certificates)?;
    prepare_audit(&mut options, &to_names("tags", tags)?);
    let Ok(table) = AuditTable::new(&options) else {
        let message = "two columns of the rows would have the same name";
        return Err(argument_error("tags", message, "argument/repeated-column"));
    };
    let names: Vec<_> = table.names().map(|name| PyString::intern(py, name)).collect();

    let plan = Plan::new(sources, options)?;
    let raised = Raised::clone(&plan.raised);
    let (inputs, options) = plan.into_inputs(None).map_err(|error| scan_error(&error))?;
    let scan = detach(py, || Scan::start(inputs, options, Audit::new));
    let mut scan = scan.map_err(|error| scan_error(&error))?;
    let list = PyList::empty(py);
    loop {
        let step = wait(py, |patience| match scan.step(patience) {
            Ok(Step::Waiting) => None,
            other => Some(other),
        })?;
        if let Some(raised) = lock(&raised).take() {
            return Err(raised);
        }
        let Step::Block(block) = step.map_err(|error| scan_error(&error))? else { return Ok(list) };
        for cells in block.rows {
            let row = PyDict::new(py);
            for (name, cell) in names.iter().zip(cells) {
                match cell {
                    AuditCell::Text(text) => row.set_item(name, text)?,
                    AuditCell::Number(number) => row.set_item(name, number)?,
                }
            }
            list.append(row)?;
        }
    }
}
