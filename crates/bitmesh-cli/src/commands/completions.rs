//! `bitmesh completions` and `bitmesh manual`: what shells and `man` need, from the arguments themselves.

use std::io::Write as _;
use std::path::PathBuf;

use bitmesh_corpus::Printable;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::console::{Console, Failure, Outcome};
use crate::files::write_whole;

/// Print a completion script for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  bitmesh completions bash > ~/.local/share/bash-completion/completions/bitmesh")]
pub(crate) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(
    args: &Args,
    mut command: clap::Command,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "bitmesh", &mut script);
    console.write_all(&script)?;
    Ok(Outcome::Positive)
}

/// Write a manual page for the command and each of its subcommands.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  bitmesh manual ~/.local/share/man/man1 && man bitmesh-scan")]
pub(crate) struct ManualArgs {
    /// An existing folder.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(crate) fn run_manual(
    args: &ManualArgs,
    mut command: clap::Command,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    command.build();
    let subcommands: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    for page in core::iter::once(command).chain(subcommands) {
        let man = Man::new(page);
        let mut text = Vec::new();
        man.render(&mut text)?;
        let path = args.folder.join(man.get_filename());
        write_whole(&path, &text)?;
        writeln!(console, "written {}", Printable(path.display()))?;
    }
    Ok(Outcome::Positive)
}
