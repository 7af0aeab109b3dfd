//! What a verification found out, as text and as JSON.

use std::error::Error;
use std::io::Write as _;

use bitmesh_corpus::Printable;
use serde_json::{Map, Value, json};

use crate::console::{Console, Failure, Outcome};
use crate::document;

/// Why a certificate is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: &'static str,
    pub(super) message: String,
    /// Offset of the first byte that deviates, in a binary format.
    pub(super) offset: Option<usize>,
}

impl Refusal {
    /// The message of an error with those of its sources.
    pub(super) fn new(code: &'static str, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            message = format!("{message}: {error}");
            source = error.source();
        }
        Self { code, message, offset: None }
    }

    pub(super) fn at(self, offset: usize) -> Self {
        Self { offset: Some(offset), ..self }
    }

    pub(super) fn because(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), offset: None }
    }
}

/// One thing that was found, whether it matters or not.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) code: &'static str,
    pub(super) message: String,
}

/// Everything about one file.
#[derive(Debug)]
pub(super) struct Report {
    /// What the file is.
    format: &'static str,
    refusal: Option<Refusal>,
    /// Names and values of what it says.
    facts: Vec<(&'static str, String)>,
    checked: Vec<String>,
    not_checked: Vec<String>,
    findings: Vec<Finding>,
}

impl Report {
    pub(super) const fn new(format: &'static str) -> Self {
        Self {
            format,
            refusal: None,
            facts: Vec::new(),
            checked: Vec::new(),
            not_checked: Vec::new(),
            findings: Vec::new(),
        }
    }

    pub(super) fn refused(format: &'static str, refusal: Refusal) -> Self {
        Self { refusal: Some(refusal), ..Self::new(format) }
    }

    pub(super) fn fact(&mut self, name: &'static str, value: impl ToString) {
        self.facts.push((name, value.to_string()));
    }

    pub(super) fn checked(&mut self, what: impl Into<String>) {
        self.checked.push(what.into());
    }

    pub(super) fn not_checked(&mut self, what: impl Into<String>) {
        self.not_checked.push(what.into());
    }

    pub(super) fn finding(&mut self, code: &'static str, message: impl ToString) {
        self.findings.push(Finding { code, message: message.to_string() });
    }

    /// Keeps the first refusal.
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.refusal.get_or_insert(refusal);
    }

    pub(super) const fn outcome(&self) -> Outcome {
        match self.refusal {
            None => Outcome::Positive,
            Some(_) => Outcome::Negative,
        }
    }

    const fn verdict(&self) -> &'static str {
        match self.refusal {
            None => "verified",
            Some(_) => "refused",
        }
    }

    pub(super) fn print(&self, as_json: bool, console: &mut Console) -> Result<(), Failure> {
        if as_json {
            document::write(&mut *console, &self.document())?;
            return Ok(());
        }
        match &self.refusal {
            None => writeln!(console, "verified  {}", self.format)?,
            Some(refusal) => {
                let message = Printable(&refusal.message);
                writeln!(console, "refused  {}: {message} [{}]", self.format, refusal.code)?;
            }
        }
        writeln!(console)?;
        for (name, value) in &self.facts {
            writeln!(console, "{name:<18}{}", Printable(value))?;
        }
        for what in &self.checked {
            writeln!(console, "{:<18}{}", "checked", Printable(what))?;
        }
        for finding in &self.findings {
            let message = Printable(&finding.message);
            writeln!(console, "{:<18}{message} [{}]", "finding", finding.code)?;
        }
        for what in &self.not_checked {
            writeln!(console, "{:<18}{}", "not checked", Printable(what))?;
        }
        Ok(())
    }

    fn document(&self) -> Value {
        let facts: Map<String, Value> =
            self.facts.iter().map(|(name, value)| (name.replace([' ', '-'], "_"), json!(value))).collect();
        let findings: Vec<Value> = self
            .findings
            .iter()
            .map(|finding| json!({ "code": finding.code, "message": finding.message }))
            .collect();
        let refusal = self.refusal.as_ref().map(|refusal| {
            let mut document = json!({ "code": refusal.code, "message": refusal.message });
            if let (Some(offset), Some(document)) = (refusal.offset, document.as_object_mut()) {
                document.insert("offset".to_owned(), json!(offset));
            }
            document
        });
        json!({
            "schema": "bitmesh.verify.v1",
            "verdict": self.verdict(),
            "format": self.format,
            "refusal": refusal,
            "facts": facts,
            "checked": self.checked,
            "findings": findings,
            "not_checked": self.not_checked,
        })
    }
}
