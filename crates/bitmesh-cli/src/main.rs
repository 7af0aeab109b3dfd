//! The command `bitmesh`: certify, prove, verify, draw and scan chess positions.
//!
//! Results go to standard output, everything else to standard error. The exit
//! code is 0 for accepted, proved or all read, 1 for a definite negative and 2
//! for a usage or input error.

#![forbid(unsafe_code)]

mod args;
mod board_text;
mod commands;
mod console;
mod files;
mod lines;
mod verdict;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::console::{Console, Failure};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are results; a closed pipe must not turn them into a failure.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let mut console = Console::from_environment(cli.color);
    let result = cli.command.run(&mut console).and_then(|outcome| {
        console.flush()?;
        Ok(outcome)
    });
    match result {
        Ok(outcome) => outcome.into(),
        Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            // What was already printed stays visible before the message.
            let _ = console.flush();
            console.complain(format_args!("error: {failure}"));
            ExitCode::from(2)
        }
    }
}
