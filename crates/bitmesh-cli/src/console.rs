//! Where results and messages go, and how a run can end.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::process::ExitCode;

use bitmesh_corpus::Printable;
use clap::ValueEnum;
use thiserror::Error;

/// When to colour what is printed.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// Only on a terminal, and not when NO_COLOR is set.
    #[default]
    Auto,
    /// Always, also into files and pipes.
    Always,
    /// Never.
    Never,
}

/// How a run ended that did what it was asked to do.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    /// Accepted, proved, drawn, or all read.
    Positive,
    /// A definite negative: rejected, refused, not proved.
    Negative,
    /// Some of the inputs could not be read; the others were answered.
    InputError,
}

impl Outcome {
    /// The outcome of both: an input error weighs more than a negative.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::InputError, _) | (_, Self::InputError) => Self::InputError,
            (Self::Negative, _) | (_, Self::Negative) => Self::Negative,
            (Self::Positive, Self::Positive) => Self::Positive,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Positive => Self::SUCCESS,
            Outcome::Negative => Self::from(1),
            Outcome::InputError => Self::from(2),
        }
    }
}

/// Why a run could not do what it was asked to do.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// The reader closed the pipe; exit quietly.
    #[error("closed pipe")]
    ClosedPipe,
    /// Writing results failed.
    #[error("cannot write {target}: {error}")]
    Write {
        /// A path, or `standard output`.
        target: String,
        /// What the system said.
        error: io::Error,
    },
    /// Reading an input failed.
    #[error("cannot read {source_name}: {error}")]
    Read {
        /// A path, or `standard input`.
        source_name: String,
        /// What the system said.
        error: io::Error,
    },
    /// The input is not what the command needs.
    #[error("{0}")]
    Input(String),
}

impl From<io::Error> for Failure {
    /// An error of writing to standard output.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Write { target: "standard output".to_owned(), error }
        }
    }
}

/// Standard output and standard error of one run.
pub(crate) struct Console {
    out: BufWriter<io::Stdout>,
    color: bool,
    interactive: bool,
}

impl Console {
    pub(crate) fn from_environment(choice: ColorChoice) -> Self {
        let terminal = io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let color = match choice {
            ColorChoice::Auto => terminal && !no_color && !dumb,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        Self { out: BufWriter::new(io::stdout()), color, interactive: terminal }
    }

    /// Whether text on standard output may carry colour.
    pub(crate) const fn color(&self) -> bool {
        self.color
    }

    /// Whether standard output is a terminal.
    pub(crate) const fn interactive(&self) -> bool {
        self.interactive
    }

    /// Prints a warning, an error or progress on standard error.
    ///
    /// Messages quote names and inputs, so every one is made printable here. A failure to write
    /// to standard error is ignored.
    pub(crate) fn complain(&self, message: fmt::Arguments<'_>) {
        let _ = writeln!(io::stderr(), "bitmesh: {}", Printable(message));
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
