//! Rows of a scan into a file that appears only when it is complete, and that an interrupted scan can resume.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bitmesh_corpus::output::{
    Opened, OutputError, ParquetFile, PartialFile, RowFormat, Sink, TextFile, Unfinished,
};
use bitmesh_corpus::{
    Batches, Collect, Counts, Csv, Inputs, JsonLines, Options, Remark, Scan, ScanError, Step,
};
use pyo3::prelude::*;

use super::plan::Plan;
use super::reader::Raised;
use crate::ending::{self, detach};
use crate::errors::{argument_error, output_error, scan_error, scan_state_error};
use crate::interrupt::{PATIENCE, lock};

/// What became of writing.
pub(super) struct Written {
    /// With what earlier runs had counted.
    pub(super) counts: Counts,
    pub(super) remarks: Vec<Remark>,
    /// There was nothing left to resume.
    pub(super) was_complete: bool,
}

enum Failure {
    Scan(ScanError),
    Output(OutputError),
}

impl From<ScanError> for Failure {
    fn from(error: ScanError) -> Self {
        Self::Scan(error)
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Scan(error) => scan_error(&error),
            Failure::Output(error) => output_error(&error),
        }
    }
}

/// Writes all rows of a scan that has not started.
///
/// # Errors
///
/// When a source cannot be opened or the file cannot be written; and what a signal handler raises, or an error of its
/// own when `stop` is set: then the rows so far stay beside the file, ready to be resumed.
pub(super) fn write(
    py: Python<'_>,
    plan: Plan,
    path: &Path,
    form: RowFormat,
    unfinished: Unfinished,
    stop: &AtomicBool,
    most_remarks: usize,
) -> PyResult<Written> {
    // Rows go where a link points, and the link stays.
    let path: PathBuf = match path.is_symlink() {
        true => fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
        false => path.to_owned(),
    };
    if let Some(file) = plan.overwritten(py, &path)? {
        let message = format!("{} is one of the sources, and would be written over", file.display());
        return Err(argument_error("path", &message, "argument/output-is-input"));
    }
    let raised = Raised::clone(&plan.raised);
    let (inputs, mut options) = plan.into_inputs(Some(&path)).map_err(Failure::from)?;
    let description = options.describe(form, &inputs);
    let opened = PartialFile::open(&path, &description, unfinished, &form.header_with(&options.extra))
        .map_err(Failure::from)?;
    let file = match opened {
        Opened::File(file) => file,
        Opened::Complete => {
            return Ok(Written { counts: Counts::default(), remarks: Vec::new(), was_complete: true });
        }
    };
    options.from = file.mark();
    let (extra, until) = (options.extra.clone(), (stop, most_remarks, &raised));
    match form {
        RowFormat::Parquet => {
            let sink = ParquetFile::with_extra(file, &extra);
            run(py, inputs, options, || Batches::with_extra(&extra), sink, until)
        }
        RowFormat::Csv => run(py, inputs, options, || Csv::with_extra(&extra), TextFile::new(file), until),
        _ => run(py, inputs, options, || JsonLines::with_extra(&extra), TextFile::new(file), until),
    }
}

fn run<C: Collect>(
    py: Python<'_>,
    inputs: Inputs,
    options: Options,
    collector: impl Fn() -> C + Send,
    mut sink: impl Sink<C::Block> + Send,
    (stop, most_remarks, raised): (&AtomicBool, usize, &Raised),
) -> PyResult<Written> {
    let mut remarks = Vec::new();
    let mut scan = detach(py, || Scan::start(inputs, options, collector)).map_err(Failure::from)?;
    loop {
        let finished = detach(py, || -> Result<bool, Failure> {
            let step = scan.step(PATIENCE)?;
            // The rows of this step may say that the stream failed.
            if lock(raised).is_some() {
                return Ok(false);
            }
            match step {
                Step::Block(block) => {
                    let room = most_remarks.saturating_sub(remarks.len());
                    remarks.extend(block.remarks.into_iter().take(room));
                    sink.write(&block.rows, &block.counts, block.mark)?;
                    scan.give_back(block.rows);
                    Ok(false)
                }
                Step::Waiting => {
                    sink.rest()?;
                    Ok(false)
                }
                Step::Finished => Ok(true),
            }
        });
        let raised = lock(raised).take();
        let heard = raised.map_or_else(|| py.check_signals(), Err).and_then(|()| ending::check());
        let interruption = heard.and_then(|()| match stop.load(Ordering::Relaxed) {
            true => Err(scan_state_error("the scan was stopped: continue with resume=True", "scan/stopped")),
            false => Ok(()),
        });
        match (finished, interruption) {
            (Ok(true), Ok(())) => break,
            (Ok(_), Ok(())) => {}
            (Err(failure), _) => return Err(failure.into()),
            (Ok(_), Err(interruption)) => {
                // What is there is prepared to be resumed; the interruption is what counts.
                let _ = detach(py, || sink.finish(false));
                return Err(interruption);
            }
        }
    }
    detach(py, || sink.finish(true)).map_err(Failure::from)?;
    Ok(Written { counts: sink.counts().clone(), remarks, was_complete: false })
}
