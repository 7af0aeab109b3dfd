//! `bitmesh certify`: layers 1 and 2 of one or many positions.

use std::io::Write as _;
use std::path::PathBuf;

use bitmesh::{Assessment, Input, OnePlyVerdict};
use bitmesh_corpus::Printable;
use bitmesh_diagram::{Diagram, render_text};

use crate::board_text::PieceArgs;
use crate::console::{Console, Failure, Outcome};
use crate::document;
use crate::files::{keep_apart, write_certificate};
use crate::hint;
use crate::lines::for_each_line;

/// Certify the structure of a position and screen its barrier for one ply.
///
/// The first word is the verdict: `accepted` (two or more regions, and no next move of either side
/// crosses or breaks the barrier), `refused` (regions, but a next move can), or `rejected` (the
/// board does not fall apart). It says nothing about later moves; `bitmesh prove` does.
///
/// Exit codes: 0 accepted, 1 refused or rejected, 2 an input that is neither a position nor a board.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh certify '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1'
  bitmesh certify --explain '4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1B/6K1/5B2 w - - 0 1'
  bitmesh certify --out wall.bmdcert '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1'
  bitmesh certify --json - < positions.fen")]
pub(crate) struct Args {
    /// A FEN or EPD in one argument, or `-` for standard input, one on each line.
    ///
    /// A placement alone is certified as a board: en passant and castling play no part then.
    #[arg(value_name = "FEN")]
    fen: String,

    /// Print one JSON document for each input (schema `bitmesh.certify.v1`).
    #[arg(long)]
    json: bool,

    /// List every violation, and what was forgiven in the input.
    #[arg(long)]
    explain: bool,

    /// Write the structural certificate, whatever the verdict: BMDCERT bytes, or JSON when FILE ends in .json.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the binding of that certificate to the position: BMDPOSCERT bytes, or JSON when FILE ends in .json.
    #[arg(short, long, value_name = "FILE")]
    binding: Option<PathBuf>,

    #[command(flatten)]
    pieces: PieceArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    if args.fen == "-" {
        if args.out.is_some() || args.binding.is_some() {
            return Err(Failure::Input("--out and --binding are for a single position".to_owned()));
        }
        return run_lines(args, console);
    }
    let outputs = [("--out", args.out.as_deref()), ("--binding", args.binding.as_deref())];
    let outputs: Vec<_> = outputs.into_iter().filter_map(|(option, path)| Some((option, path?))).collect();
    keep_apart(&[], &outputs)?;
    let assessment = Assessment::read(&args.fen)
        .map_err(|error| Failure::Input(hint::not_a_position(&args.fen, &error)))?;
    write(&assessment, args, console)?;
    print(&assessment, args, console, None)
}

fn write(assessment: &Assessment, args: &Args, console: &Console) -> Result<(), Failure> {
    if let Some(path) = &args.out {
        let structure = assessment.structure();
        let payload = structure
            .canonical_payload()
            .map_err(|error| Failure::Input(format!("the certificate is not valid: {error}")))?;
        write_certificate(path, structure, &payload)?;
        console.complain(format_args!("certificate written to {}", path.display()));
    }
    if let Some(path) = &args.binding {
        let binding = assessment.binding();
        write_certificate(path, binding, &binding.canonical_payload())?;
        console.complain(format_args!("binding written to {}", path.display()));
    }
    Ok(())
}

fn print(
    assessment: &Assessment,
    args: &Args,
    console: &mut Console,
    line: Option<u64>,
) -> Result<Outcome, Failure> {
    if args.json {
        document::write(&mut *console, &assessment.document(line))?;
    } else {
        print_text(assessment, args, console, line)?;
    }
    Ok(match assessment.verdict() {
        OnePlyVerdict::Accepted => Outcome::Positive,
        OnePlyVerdict::Refused | OnePlyVerdict::Rejected => Outcome::Negative,
    })
}

fn print_text(
    assessment: &Assessment,
    args: &Args,
    console: &mut Console,
    line: Option<u64>,
) -> Result<(), Failure> {
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    writeln!(console, "{}  {place}{}\n", assessment.verdict().word(), assessment.summary())?;

    let mut diagram = Diagram::structure_of(assessment);
    diagram.title.clear();
    console.write_all(render_text(&diagram, &args.pieces.style(console)).as_bytes())?;

    let (kind, end) = match assessment.input() {
        Input::Position(_) => ("position", "the next move of either side, en passant included"),
        Input::Board(_) => ("board", "the next move of either side on this board, en passant not examined"),
    };
    writeln!(console, "\n{kind:<18}{}", assessment.canonical_text())?;
    if !assessment.not_a_position().is_empty() {
        let reasons: Vec<String> = assessment.not_a_position().iter().map(ToString::to_string).collect();
        writeln!(console, "{:<18}{}", "not a position", reasons.join("; "))?;
    }
    let claim = if assessment.first_violation().is_none() { "claim" } else { "not claimed" };
    writeln!(console, "{claim:<18}{} ({end})", assessment.claim())?;
    writeln!(console, "{:<18}{}", format!("{kind} digest"), assessment.position_digest())?;
    writeln!(
        console,
        "{:<18}{} (shared by all boards with this structure)",
        "structural digest",
        assessment.structural_digest()
    )?;
    writeln!(console, "{:<18}{}", "one-ply screen", assessment.one_ply())?;
    if args.explain {
        for violation in assessment.violations() {
            writeln!(console, "  - {violation} [{}]", violation.code())?;
        }
        for note in assessment.notes() {
            writeln!(console, "{:<18}{} [{}]", "note", Printable(note), note.code())?;
        }
    }
    Ok(())
}

fn run_lines(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Positive;
    for_each_line(|number, line| {
        if let Ok(line) = &line {
            hint::refuse_drawing(number, line)?;
        }
        match line.and_then(|line| Assessment::read(line).map_err(|error| hint::not_a_position(line, &error)))
        {
            Ok(assessment) => {
                outcome = outcome.and(print(&assessment, args, console, Some(number))?);
                console.flush()?;
            }
            Err(error) => {
                console.complain(format_args!("error: standard input, line {number}: {error}"));
                outcome = Outcome::InputError;
            }
        }
        Ok(())
    })?;
    Ok(outcome)
}
