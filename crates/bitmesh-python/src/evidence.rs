//! Evidence from elsewhere, examined by the library.

use bitmesh::{
    Against, BoardOnly, DecompositionCertificate, Evidence, Examination as Report, ExaminationOutcome, Input,
    PositionBinding, examine_evidence,
};
use bitmesh_diagram::escape_xml;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::arguments::{self, Optional, wrong_type};
use crate::binding::Binding;
use crate::certificates::{Certification, Decomposition};
use crate::composition::Composition;
use crate::decision::{Decision, Decisions, Line};
use crate::documents::{not_evidence, other_kind, read, to_json};
use crate::errors::{argument_error, certificate_error, mismatch_error, refused};
use crate::input::{Note, read_object};
use crate::interrupt::work;
use crate::persistent::Persistent;

/// The result of ``examine``: what was found out about evidence.
///
/// It is true in ``if`` when the evidence is verified. "Verified" claims no more than what
/// ``checked`` lists.
#[pyclass(frozen, eq, module = "bitmesh")]
pub(crate) struct Examination {
    report: Report,
    /// What was examined, and against what, so that a pickle of it says the same.
    given: Given,
}

impl PartialEq for Examination {
    fn eq(&self, other: &Self) -> bool {
        self.report == other.report
    }
}

#[derive(Clone)]
struct Given {
    evidence: Vec<u8>,
    /// The canonical text of a position or board.
    position: Option<String>,
    certificate: Option<Vec<u8>>,
}

#[pymethods]
impl Examination {
    /// ``verified``, ``refused``, ``nothing-claimed`` where an answer is undecided or not proved,
    /// or ``incomplete`` where a position is needed and was not given.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.report.outcome().word()
    }

    /// What kind of evidence it is, in words.
    #[getter]
    fn kind(&self) -> &'static str {
        self.report.kind().describe()
    }

    /// Why it is not verified, with a code; ``None`` if it is.
    #[getter]
    fn refusal(&self) -> Option<Note> {
        self.report.refusal().map(|refusal| Note::new(refusal.code.to_owned(), refusal.message.clone()))
    }

    /// The first byte of a binary format that deviates, counted from 0, where that is known.
    #[getter]
    fn offset(&self) -> Option<usize> {
        self.report.refusal().and_then(|refusal| refusal.offset)
    }

    /// What the evidence says, and what follows from it, by name.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for fact in self.report.facts() {
            facts.set_item(fact.name, &fact.value)?;
        }
        Ok(facts)
    }

    /// What was checked.
    #[getter]
    fn checked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.report.checked())
    }

    /// What was not checked.
    #[getter]
    fn not_checked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.report.not_checked().iter().map(|not| not.what))
    }

    /// What was found, above all in a certificate of another producer; a finding alone does not refuse it.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let note = |finding: &bitmesh::Finding| Note::new(finding.code.to_owned(), finding.message.clone());
        PyTuple::new(py, self.report.findings().iter().map(note))
    }

    /// The document ``bitmesh.verify.v1``.
    fn to_json(&self) -> PyResult<String> {
        to_json(&self.report)
    }

    fn __bool__(&self) -> bool {
        self.report.outcome() == ExaminationOutcome::Verified
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let examine = py.import("bitmesh")?.getattr("examine")?;
        let Given { evidence, position, certificate } = &slf.get().given;
        let certificate = certificate.as_deref().map(|bytes| PyBytes::new(py, bytes));
        (examine, (PyBytes::new(py, evidence), position, certificate)).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        match self.report.refusal() {
            None => format!("<Examination {}: {}>", self.outcome(), self.kind()),
            Some(refusal) => format!("<Examination {}: {} [{}]>", self.outcome(), self.kind(), refusal.code),
        }
    }

    fn _repr_html_(&self) -> String {
        let mut rows = String::new();
        let mut row = |name: &str, text: &str| {
            rows.push_str(&format!("<tr><th>{}</th><td>{}</td></tr>", escape_xml(name), escape_xml(text)));
        };
        row(self.outcome(), self.kind());
        if let Some(refusal) = self.report.refusal() {
            row("reason", &format!("{} [{}]", refusal.message, refusal.code));
        }
        self.report.facts().iter().for_each(|fact| row(fact.name, &fact.value));
        self.report.checked().iter().for_each(|what| row("checked", what));
        for finding in self.report.findings() {
            row("finding", &format!("{} [{}]", finding.message, finding.code));
        }
        self.report.not_checked().iter().for_each(|not| row("not checked", not.what));
        format!("<table><tbody>{rows}</tbody></table>")
    }
}

/// Examine evidence from elsewhere: what holds, what does not, and what was not checked.
///
/// ``evidence`` is the bytes of BMDCERT, BMDPOSCERT, BMCOMPOSE, BMPERSIST or BMMATE, their
/// hexadecimal digits, a JSON document of this program (text or bytes), or an object of
/// this package. ``position`` is the position or board that it is said to belong to, and
/// ``certificate`` the structural certificate that it names, if another program made it.
///
/// The examination is that of ``bitmesh verify``: evidence that does not hold gives an
/// examination that says why. Raises CertificateError when it is none of the forms.
#[pyfunction]
#[pyo3(signature = (evidence, position = None, certificate = None))]
pub(crate) fn examine(
    evidence: &Bound<'_, PyAny>,
    position: Optional<'_, '_>,
    certificate: Optional<'_, '_>,
) -> PyResult<Examination> {
    let input = position.map(|position| Ok::<_, PyErr>(read_object(position)?.input)).transpose()?;
    let certificate = certificate.map(structure).transpose()?;
    let given = Given {
        evidence: bytes_of("evidence", evidence)?,
        position: input.as_ref().map(Input::canonical_text),
        certificate: certificate.as_ref().and_then(|certificate| certificate.canonical_payload().ok()),
    };
    let report = report(evidence.py(), given.evidence.clone(), input, certificate)?;
    Ok(Examination { report, given })
}

/// Check evidence from elsewhere, and that it is about a position if one is given.
///
/// Evidence, position and certificate are those of ``examine``. The result holds: a
/// DecompositionCertificate, CompositionCertificate, PersistentCertificate, MateLine or
/// Decisions; a Certification for a binding, a proof record or an answer about one input; a
/// PositionBinding where the structure or the text is of another producer. What is
/// undecided or not proved comes back too, and claims nothing: ask the object. One Decision
/// gives its line or its certificate.
///
/// Raises CertificateError when it does not hold, or cannot be judged without a position,
/// and MismatchError when it is about something else.
#[pyfunction]
#[pyo3(signature = (evidence, position = None, *, certificate = None))]
pub(crate) fn verify<'py>(
    evidence: &Bound<'py, PyAny>,
    position: Optional<'_, 'py>,
    certificate: Optional<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = evidence.py();
    let input = position.map(|position| Ok::<_, PyErr>(read_object(position)?.input)).transpose()?;
    let certificate = certificate.map(structure).transpose()?;
    let bytes = bytes_of("evidence", evidence)?;
    let is_alone = input.is_none() && certificate.is_none();
    let report = report(py, bytes.clone(), input.clone(), certificate)?;
    if let Some(refusal) = report.refusal() {
        let is_about_something_else =
            || Ok::<_, PyErr>(self::report(py, bytes, None, None)?.outcome() == ExaminationOutcome::Verified);
        let names_another = ["verify/other-structure", "verify/other-record", "verify/other-position"];
        return Err(match names_another.contains(&refusal.code) || !is_alone && is_about_something_else()? {
            true => mismatch_error(&refusal.message, refusal.code),
            false => certificate_error(&refusal.message, refusal.code),
        });
    }
    if is_object(evidence) {
        return Ok(evidence.clone());
    }
    object(py, &read(&bytes)?, input.as_ref())
}

/// Whether it is an object of this package, which holds as it is.
fn is_object(evidence: &Bound<'_, PyAny>) -> bool {
    evidence.is_instance_of::<Decomposition>()
        || evidence.is_instance_of::<Certification>()
        || evidence.is_instance_of::<Composition>()
        || evidence.is_instance_of::<Persistent>()
        || evidence.is_instance_of::<Binding>()
        || evidence.is_instance_of::<Line>()
        || evidence.is_instance_of::<Decisions>()
}

/// Evidence in a form that the library reads.
fn bytes_of(argument: &str, evidence: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(decisions) = evidence.cast::<Decisions>() {
        return decisions.get().to_json().map(String::into_bytes);
    }
    if let Ok(decision) = evidence.cast::<Decision>() {
        let message = "the decision is undecided: there is no evidence";
        return decision.get().payload().ok_or_else(|| certificate_error(message, "verify/undecided"));
    }
    if is_object(evidence) {
        let payload = evidence.call_method0("to_bytes")?;
        return Ok(payload.cast::<PyBytes>()?.as_bytes().to_vec());
    }
    if let Some(bytes) = arguments::bytes(evidence)? {
        return Ok(bytes.into_owned());
    }
    if let Ok(text) = evidence.cast::<PyString>() {
        // A lone surrogate is in no evidence.
        return Ok(text.to_string_lossy().into_owned().into_bytes());
    }
    Err(wrong_type(argument, "bytes, a str or a certificate", evidence))
}

/// The report of the library, made so that other threads of Python run and Ctrl-C is heard where it takes long.
fn report(
    py: Python<'_>,
    bytes: Vec<u8>,
    input: Option<Input>,
    certificate: Option<DecompositionCertificate>,
) -> PyResult<Report> {
    // A position of an expansion takes some bytes.
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let is_small = length < 4096;
    let examined = work(py, if is_small { 0 } else { length }, move || {
        let against = Against { input: input.as_ref(), certificate: certificate.as_ref() };
        examine_evidence(&bytes, against)
    })?;
    examined.map_err(|error| not_evidence(&error))
}

/// The structural certificate of another producer.
fn structure(object: &Bound<'_, PyAny>) -> PyResult<DecompositionCertificate> {
    if let Ok(certificate) = object.cast::<Decomposition>() {
        return Ok(certificate.get().certificate().clone());
    }
    let evidence = read(&bytes_of("certificate", object)?)?;
    let Some(certificate) = evidence.structure() else {
        let message = format!("not a structural certificate, but {}", evidence.kind().describe());
        return Err(argument_error("certificate", &message, "argument/certificate"));
    };
    certificate.validate().map_err(|error| refused(&error))?;
    Ok(certificate.clone())
}

/// The object that verified evidence stands for.
fn object<'py>(py: Python<'py>, evidence: &Evidence, input: Option<&Input>) -> PyResult<Bound<'py, PyAny>> {
    match evidence {
        Evidence::Decomposition(certificate) => {
            Ok(Decomposition::new(certificate.clone())?.into_pyobject(py)?.into_any())
        }
        Evidence::Composition(certificate) => {
            Ok(Composition::checked(certificate.clone())?.into_pyobject(py)?.into_any())
        }
        Evidence::Persistent(certificate) => {
            Ok(Persistent::new(py, certificate.as_ref().clone())?.into_pyobject(py)?.into_any())
        }
        Evidence::Binding(binding) => of_binding(py, binding.clone()),
        Evidence::PositionProof(proof) => {
            let binding = proof.binding().map_err(|error| refused(&error))?;
            of_binding(py, binding)
        }
        // The record is about pieces on a board, whatever position was given with it.
        Evidence::BoardProof(_) => {
            let Some(input) = input else { return Err(other_kind(evidence.kind())) };
            let board = Input::Board(BoardOnly::new(input.board().clone()));
            Ok(Certification::new(board).into_pyobject(py)?.into_any())
        }
        Evidence::Certification(said) => {
            let digest = said.certificate().digest();
            let digest = digest.map_err(|error| refused(&error))?;
            let binding = PositionBinding::new(digest, said.fen().to_owned(), said.context().to_owned());
            of_binding(py, binding.map_err(|error| refused(&error))?)
        }
        Evidence::Mate(line) => Ok(Line::new(line.as_ref().clone()).into_pyobject(py)?.into_any()),
        Evidence::Decisions(stated) => {
            let decisions = stated.check();
            let decisions = decisions.map_err(|refusal| certificate_error(&refusal.message, refusal.code))?;
            Ok(Decisions::new(decisions.clone()).into_pyobject(py)?.into_any())
        }
        _ => Err(other_kind(evidence.kind())),
    }
}

/// The certification of a position that names our structure; otherwise the binding as it is.
fn of_binding(py: Python<'_>, binding: PositionBinding) -> PyResult<Bound<'_, PyAny>> {
    if let Ok(input) = binding.read() {
        let certification = Certification::new(input);
        if *certification.binding() == binding {
            return Ok(certification.into_pyobject(py)?.into_any());
        }
    }
    Ok(Binding::new(binding).into_pyobject(py)?.into_any())
}
