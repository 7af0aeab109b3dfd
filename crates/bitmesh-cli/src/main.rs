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
mod document;
mod documents;
mod files;
mod hint;
mod lines;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use bitmesh_corpus::{Printable, is_obeyed};
use clap::Parser as _;

use crate::args::Cli;
use crate::console::{ColorChoice, Console, Failure};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return if error.use_stderr() { complain_of_usage(error) } else { print_help(&error) };
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

/// Help and version are results: failing to print them is an error, but a closed pipe is not.
fn print_help(help: &clap::Error) -> ExitCode {
    match help.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => match Failure::from(error) {
            Failure::ClosedPipe => ExitCode::SUCCESS,
            failure => {
                Console::from_environment(ColorChoice::Never).complain(format_args!("error: {failure}"));
                ExitCode::from(2)
            }
        },
    }
}

/// The message about a wrong command line quotes it, so what a terminal would obey is escaped.
fn complain_of_usage(mut error: clap::Error) -> ExitCode {
    let without_server = hint::without_server(&mut error);
    let is_plain = |argument: OsString| !argument.to_string_lossy().contains(is_obeyed);
    if env::args_os().all(is_plain) {
        let _ = error.print();
    } else {
        let message = error.to_string();
        let mut stderr = io::stderr();
        for line in message.lines() {
            let _ = writeln!(stderr, "{}", Printable(line));
        }
    }
    let torn_fen = hint::unquoted_fen(env::args_os().skip(1));
    if let Some(hint) = without_server.or(torn_fen.as_deref()) {
        let _ = writeln!(io::stderr(), "\n{hint}");
    }
    ExitCode::from(2)
}
