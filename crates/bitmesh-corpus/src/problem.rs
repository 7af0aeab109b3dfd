//! What can be wrong with a line, a game, a row or a whole source, and what was merely forgiven.

use std::fmt;
use std::io;

use bitmesh::{Printable, ReadPositionError};

/// Why an input is not a position, as it stands in the last two columns of a row.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Problem {
    code: &'static str,
    message: String,
    is_missing: bool,
}

impl Problem {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: Printable(message.into()).to_string(), is_missing: false }
    }

    /// What the system said about a source.
    pub(crate) fn of_reading(code: &'static str, error: &io::Error) -> Self {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        Self { is_missing, ..Self::new(code, format!("cannot read: {error}")) }
    }

    /// Whether the source does not exist.
    pub(crate) const fn is_missing(&self) -> bool {
        self.is_missing
    }

    /// A stable name of the failure, for programs: `area/kebab-case`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The failure in words, on one line and [printable](Printable), whatever it quotes.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for Problem {}

impl From<ReadPositionError> for Problem {
    fn from(error: ReadPositionError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

/// Something that was read although it deviates from its format.
///
/// A notice is not a failure: the input counts as read, and the scan ends well.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Notice {
    /// Where it is.
    pub place: Place,
    /// A stable name, for programs: `area/kebab-case`.
    pub code: &'static str,
    /// What was done about it, on one line.
    pub message: String,
}

/// Where in a source something stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// Line of a text, or row of a Parquet file, counted from 1.
    pub line: Option<u64>,
    /// Game of a PGN file, counted from 1.
    pub game: Option<u64>,
    /// Half-moves played before the position; 0 is the position that the game starts from.
    pub ply: Option<u32>,
}

impl Place {
    pub(crate) const fn line(line: u64) -> Self {
        Self { line: Some(line), game: None, ply: None }
    }

    pub(crate) const fn game(game: u64) -> Self {
        Self { line: None, game: Some(game), ply: None }
    }

    pub(crate) const fn with_game(self, game: u64) -> Self {
        Self { game: Some(game), ..self }
    }

    pub(crate) const fn at_ply(self, ply: u32) -> Self {
        Self { ply: Some(ply), ..self }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [("line", self.line), ("game", self.game), ("ply", self.ply.map(u64::from))];
        let mut separator = "";
        for (name, number) in parts {
            if let Some(number) = number {
                write!(f, "{separator}{name} {number}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

/// Why a scan cannot start or continue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScanError {
    /// An input that was named cannot be opened.
    #[error("cannot read {name}: {error}")]
    Input {
        /// The input as it was named.
        name: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A folder that was named holds no file that a scan would read.
    #[error("{name} holds no file with the name {wanted}")]
    EmptyFolder {
        /// The folder as it was named.
        name: String,
        /// Of what kind, and the names of this kind.
        wanted: &'static str,
    },
    /// Standard input was named twice.
    #[error("standard input can be read once only")]
    StandardInputTwice,
    /// Evidence cannot be kept.
    #[error("cannot write {path}: {error}")]
    Evidence {
        /// The file.
        path: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A thread cannot be started.
    #[error("cannot start a thread: {error}")]
    Thread {
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A thread of the scan ended before its work was done.
    #[error("a thread ended before its work was done")]
    WorkerLost,
}

impl ScanError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Input { .. } => "scan/input",
            Self::EmptyFolder { .. } => "scan/empty-folder",
            Self::StandardInputTwice => "scan/standard-input-twice",
            Self::Evidence { .. } => "scan/evidence",
            Self::Thread { .. } => "scan/thread",
            Self::WorkerLost => "scan/worker-lost",
        }
    }
}
