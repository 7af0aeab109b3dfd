//! Certifies the board of one FEN: layers 1 and 2 in their board-only form.
//!
//! ```text
//! cargo run --example certify_fen -- '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1'
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::process::ExitCode;

use bitmesh::{certify_decomposition, read_position, verify_conservative_legal_independence};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(fen), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: certify_fen FEN (one argument: quote it)");
        return ExitCode::from(2);
    };
    match report(&fen) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("certify_fen: cannot read '{fen}': {error}");
            ExitCode::from(2)
        }
    }
}

fn report(fen: &str) -> Result<String, Box<dyn std::error::Error>> {
    let reading = read_position(fen)?;
    let board = reading.input.board();
    let certificate = certify_decomposition(board);
    let barrier: Vec<String> = certificate.barrier.into_iter().map(|square| square.to_string()).collect();
    let screen = match verify_conservative_legal_independence(board, &certificate) {
        Ok(proof) => format!("accepted\nproof_kind: {}", proof.proof_kind),
        Err(error) => format!("refused\nreason: {} ({})", error, error.code()),
    };
    Ok(format!(
        "status: {:?}\ncomponents: {}\nbarrier: {}\nstructural_digest: {}\none_ply_screen: {screen}",
        certificate.status,
        certificate.active_component_count,
        barrier.join(" "),
        certificate.digest()?,
    ))
}
