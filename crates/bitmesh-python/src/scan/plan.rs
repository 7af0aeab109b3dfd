//! What a scan is asked to do, before it starts.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use bitmesh::decision::Effort;
use bitmesh_corpus::output::PartialFile;
use bitmesh_corpus::{Batches, Claim, Claims, Column, Format, Inputs, Options, Scan};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};

use super::reader::{PythonReader, Raised};
use crate::arguments::{self, Optional, unknown_value, wrong_type};
use crate::errors::{argument_error, range_error, scan_error, type_error};

enum Source {
    Path(PathBuf),
    /// `file` is what `os.fstat` says of it, if it is a file.
    Stream {
        name: String,
        reader: PythonReader,
        file: Option<Py<PyAny>>,
    },
}

/// Sources and options.
pub(crate) struct Plan {
    sources: Vec<Source>,
    pub(super) options: Options,
    /// Shared by the streams.
    pub(crate) raised: Raised,
}

impl Plan {
    /// # Errors
    ///
    /// Sources that cannot be opened.
    pub(crate) fn new(sources: &Bound<'_, PyTuple>, options: Options) -> PyResult<Self> {
        if sources.is_empty() {
            let message = "a file, folder or stream to scan is needed";
            return Err(type_error("sources", message, "argument/missing"));
        }
        let raised = Raised::default();
        let mut own = Vec::new();
        for source in sources {
            own.push(if source.hasattr("read")? {
                let name = source.getattr("name").and_then(|name| name.extract::<String>());
                let name = name.unwrap_or_else(|_| "stream".to_owned());
                let reader = PythonReader::new(&source, Raised::clone(&raised))?;
                // What has no descriptor raises this or that.
                let file = source.call_method0("fileno").and_then(|descriptor| {
                    source.py().import("os")?.call_method1("fstat", (descriptor,)).map(Bound::unbind)
                });
                Source::Stream { name, reader, file: file.ok() }
            } else {
                let path: PathBuf = source
                    .extract()
                    .map_err(|_| arguments::no_path("sources", "a path or a binary stream", &source))?;
                Inputs::new().add_path(&path, &[]).map_err(|error| scan_error(&error))?;
                Source::Path(path)
            });
        }
        Ok(Self { sources: own, options, raised })
    }

    /// The file among those of an output, its work in progress included, that is one of the sources too, by whatever
    /// name.
    pub(super) fn overwritten(&self, py: Python<'_>, path: &Path) -> PyResult<Option<PathBuf>> {
        let system = py.import("os")?;
        let same = system.getattr("path")?.getattr("samestat")?;
        let places = std::iter::once(path.to_owned()).chain(PartialFile::work_in_progress(path));
        for place in places.filter(|place| place.is_file()) {
            let file = system.call_method1("stat", (&place,))?;
            for source in &self.sources {
                let source = match source {
                    Source::Path(path) => system.call_method1("stat", (path,)).ok(),
                    Source::Stream { file, .. } => file.as_ref().map(|file| file.bind(py).clone()),
                };
                if let Some(source) = source
                    && same.call1((source, &file))?.is_truthy()?
                {
                    return Ok(Some(place));
                }
            }
        }
        Ok(None)
    }

    /// The sources as they are found now. An output in a folder that is scanned is not one of them.
    pub(crate) fn into_inputs(
        self,
        output: Option<&Path>,
    ) -> Result<(Inputs, Options), bitmesh_corpus::ScanError> {
        let mut skip: Vec<PathBuf> = self.options.certificates.iter().cloned().collect();
        if let Some(output) = output {
            skip.push(output.to_owned());
            skip.extend(PartialFile::work_in_progress(output));
        }
        let mut inputs = Inputs::new();
        for source in self.sources {
            match source {
                Source::Path(path) => inputs.add_path(&path, &skip)?,
                Source::Stream { name, reader, .. } => inputs.add_reader(&name, Box::new(reader)),
            }
        }
        Ok((inputs, self.options))
    }

    pub(super) fn start(self) -> Result<Scan<RecordBatch>, bitmesh_corpus::ScanError> {
        let (inputs, options) = self.into_inputs(None)?;
        let extra = options.extra.clone();
        Scan::start(inputs, options, || Batches::with_extra(&extra))
    }
}

/// A column by its name, or by its place counted from 1.
pub(super) fn to_column(object: &Bound<'_, PyAny>) -> PyResult<Column> {
    if let Some(name) = arguments::read_text("column", object)? {
        return Ok(Column::Name(name));
    }
    match arguments::number("column", "the name or the number of a column", object)? {
        Some(0) => Err(range_error("column", "columns are counted from 1")),
        Some(number) => Ok(Column::Number(number)),
        None => Err(range_error("column", "columns are counted from 1, and there are not that many")),
    }
}

pub(super) fn to_delimiter(text: &str) -> PyResult<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => {
            let message = format!("{text:?} is not one ASCII character; a tab is \"\\t\"");
            Err(argument_error("delimiter", &message, "argument/delimiter"))
        }
    }
}

/// A list of texts; a single text is not one, although Python can iterate over it.
fn to_texts(argument: &str, object: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if object.is_instance_of::<PyString>() {
        let message = format!("a list is needed, such as [{}], not a single text", object.repr()?);
        return Err(type_error(argument, &message, "argument/single-text"));
    }
    let texts = object.try_iter().map_err(|_| wrong_type(argument, "a list of texts", object))?;
    let texts = texts.map(|text| {
        let text = text?;
        arguments::read_text(argument, &text)?.ok_or_else(|| wrong_type(argument, "a list of texts", &text))
    });
    texts.collect()
}

/// Names of tags or columns that are carried along; none by default.
pub(crate) fn to_names(argument: &str, object: Optional<'_, '_>) -> PyResult<Vec<String>> {
    object.map_or_else(|| Ok(Vec::new()), |object| to_texts(argument, object))
}

pub(super) fn to_claims(object: &Bound<'_, PyAny>, decides: bool) -> PyResult<Claims> {
    let names = to_texts("only", object)?;
    if names.is_empty() {
        let message = "an empty list would keep no row: name claims, or leave it out";
        return Err(argument_error("only", message, "argument/empty"));
    }
    let claims = names.into_iter().map(|name| {
        let claim = name.parse::<Claim>().map_err(|error| unknown_value("only", &error))?;
        if claim.needs_decisions() && !decides {
            let message = format!("the claim {claim} needs decide=True");
            return Err(argument_error("only", &message, "argument/conflict"));
        }
        Ok(claim)
    });
    claims.collect()
}

/// Whether to decide, and how many positions to look at for it.
pub(super) fn to_effort(object: Optional<'_, '_>) -> PyResult<Option<Effort>> {
    let Some(object) = object else { return Ok(None) };
    if let Ok(answer) = object.cast::<PyBool>() {
        return Ok(answer.is_true().then(Effort::default));
    }
    Ok(Some(Effort::positions(arguments::count("decide", Some(object), 0)?)))
}

pub(super) fn to_format(format: Optional<'_, '_>) -> PyResult<Option<Format>> {
    arguments::choice("format", format)
}
