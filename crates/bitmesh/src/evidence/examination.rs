//! The report of an examination.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::kind::EvidenceKind;

/// What an examination found out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Examination {
    kind: EvidenceKind,
    state: State,
    facts: Vec<Fact>,
    checked: Vec<&'static str>,
    not_checked: Vec<NotChecked>,
    findings: Vec<Finding>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum State {
    Verified,
    NothingClaimed,
    Refused(Refusal),
    Incomplete(Refusal),
}

/// How an examination ended.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum ExaminationOutcome {
    /// Everything that was checked holds.
    Verified,
    /// The same, but the evidence claims nothing: its prover or search has found nothing to claim.
    NothingClaimed,
    /// Something that was checked does not hold.
    Refused,
    /// Something that the check needs was not given.
    Incomplete,
}

impl ExaminationOutcome {
    /// The word that programs look for: `verified`, `nothing-claimed`, `refused`, `incomplete`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::NothingClaimed => "nothing-claimed",
            Self::Refused => "refused",
            Self::Incomplete => "incomplete",
        }
    }
}

/// Why evidence is refused, or cannot be judged.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Refusal {
    /// A stable name, for programs.
    pub code: &'static str,
    /// The reason with its causes, for people.
    pub message: String,
    /// Offset of the first byte that deviates, in a binary format.
    pub offset: Option<usize>,
    /// What else to give for a definite answer.
    pub need: Option<Need>,
}

/// Something that the evidence says, or that follows from it.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Fact {
    /// Its name: lower case, with blanks.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

/// Something that was found, whether it matters or not.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// A stable name, for programs.
    pub code: &'static str,
    /// What it is, for people.
    pub message: String,
}

/// Something that a reader might expect to have been checked, and that was not.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct NotChecked {
    /// What was not checked.
    pub what: &'static str,
    /// What else to give for the check.
    pub need: Option<Need>,
}

/// What an examination lacks.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Need {
    /// A position or a board.
    Position,
    /// A position, a board, or a structural certificate.
    PositionOrCertificate,
    /// The structural certificate of another producer.
    Certificate,
}

/// Longer messages are cut: some quote what was read.
const LONGEST_MESSAGE: usize = 2_000;

impl Refusal {
    /// The message of an error with those of its sources.
    pub(crate) fn new(code: &'static str, error: &dyn Error) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            message.push_str(": ");
            message.push_str(&error.to_string());
            source = error.source();
        }
        Self::because(code, message)
    }

    pub(crate) fn because(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: shortened(message.into()), offset: None, need: None }
    }

    pub(crate) fn at(self, offset: usize) -> Self {
        Self { offset: Some(offset), ..self }
    }

    pub(crate) fn needs(self, need: Need) -> Self {
        Self { need: Some(need), ..self }
    }
}

/// The message alone.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

pub(super) fn shortened(mut text: String) -> String {
    if text.len() > LONGEST_MESSAGE {
        let end = (0..=LONGEST_MESSAGE).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
        text.shrink_to_fit();
    }
    text
}

impl Examination {
    pub(super) const fn new(kind: EvidenceKind) -> Self {
        Self {
            kind,
            state: State::Verified,
            facts: Vec::new(),
            checked: Vec::new(),
            not_checked: Vec::new(),
            findings: Vec::new(),
        }
    }

    pub(super) fn refused(kind: EvidenceKind, refusal: Refusal) -> Self {
        Self { state: State::Refused(refusal), ..Self::new(kind) }
    }

    pub(crate) fn fact(&mut self, name: &'static str, value: impl ToString) {
        self.facts.push(Fact { name, value: value.to_string() });
    }

    pub(crate) fn check(&mut self, what: &'static str) {
        self.checked.push(what);
    }

    pub(crate) fn leave(&mut self, what: &'static str) {
        self.not_checked.push(NotChecked { what, need: None });
    }

    pub(crate) fn leave_without(&mut self, what: &'static str, need: Need) {
        self.not_checked.push(NotChecked { what, need: Some(need) });
    }

    pub(crate) fn find(&mut self, code: &'static str, message: impl ToString) {
        self.findings.push(Finding { code, message: message.to_string() });
    }

    /// Keeps the first refusal.
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        if self.state == State::Verified {
            self.state = State::Refused(refusal);
        }
    }

    /// Says that the evidence claims nothing.
    pub(crate) fn claims_nothing(&mut self) {
        if self.state == State::Verified {
            self.state = State::NothingClaimed;
        }
    }

    pub(crate) fn give_up(&mut self, refusal: Refusal) {
        if self.state == State::Verified {
            self.state = State::Incomplete(refusal);
        }
    }

    /// What it is evidence of.
    #[must_use]
    pub const fn kind(&self) -> EvidenceKind {
        self.kind
    }

    /// How it ended.
    #[must_use]
    pub const fn outcome(&self) -> ExaminationOutcome {
        match self.state {
            State::Verified => ExaminationOutcome::Verified,
            State::NothingClaimed => ExaminationOutcome::NothingClaimed,
            State::Refused(_) => ExaminationOutcome::Refused,
            State::Incomplete(_) => ExaminationOutcome::Incomplete,
        }
    }

    /// Why it is refused or cannot be judged, if that is so.
    #[must_use]
    pub const fn refusal(&self) -> Option<&Refusal> {
        match &self.state {
            State::Verified | State::NothingClaimed => None,
            State::Refused(refusal) | State::Incomplete(refusal) => Some(refusal),
        }
    }

    /// What the evidence says, and what follows from it.
    #[must_use]
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// What was checked.
    #[must_use]
    pub fn checked(&self) -> &[&'static str] {
        &self.checked
    }

    /// What was not checked.
    #[must_use]
    pub fn not_checked(&self) -> &[NotChecked] {
        &self.not_checked
    }

    /// What was found, above all in a certificate of another producer.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}
