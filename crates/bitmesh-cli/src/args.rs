//! The command line, as types.

use clap::{CommandFactory as _, Parser, Subcommand};

#[cfg(feature = "serve")]
use crate::commands::serve;
use crate::commands::{audit, certify, completions, decide, draw, prove, scan, verify};
use crate::console::{ColorChoice, Console, Failure, Outcome};

/// Find out whether a chess position falls apart into regions that cannot touch
/// each other, and whether each side can still give mate; and keep the evidence.
///
/// Exit codes: 0 accepted, proved, decided, verified or all read; 1 a definite
/// negative, or undecided; 2 a usage or input error.
#[derive(Debug, Parser)]
#[command(name = "bitmesh", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// When to colour text output.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Certify(certify::Args),
    Prove(prove::Args),
    Decide(decide::Args),
    Audit(audit::Args),
    Verify(verify::Args),
    Draw(draw::Args),
    Scan(scan::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    Completions(completions::Args),
    Manual(completions::ManualArgs),
}

impl Command {
    pub(crate) fn run(self, console: &mut Console) -> Result<Outcome, Failure> {
        match self {
            Self::Certify(args) => certify::run(&args, console),
            Self::Prove(args) => prove::run(&args, console),
            Self::Audit(args) => audit::run(&args, console),
            Self::Decide(args) => decide::run(&args, console),
            Self::Verify(args) => verify::run(&args, console),
            Self::Draw(args) => draw::run(&args, console),
            Self::Scan(args) => scan::run(&args, console),
            #[cfg(feature = "serve")]
            Self::Serve(args) => serve::run(&args, console),
            Self::Completions(args) => completions::run(&args, Cli::command(), console),
            Self::Manual(args) => completions::run_manual(&args, Cli::command(), console),
        }
    }
}
