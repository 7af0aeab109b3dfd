//! `bitmesh prove`: layer 3 of one position.

use std::io::Write as _;
use std::path::PathBuf;

use bitmesh::persistent::{Bound, Conclusions, PersistentCertificate, Proof, Witness, check, prove_within};
use bitmesh::shakmaty::{Bitboard, Board, Piece, Position as _, Square};
use bitmesh::{Input, Reading};
use bitmesh_diagram::{Diagram, render_text};
use serde_json::{Value, json};

use crate::board_text::PieceArgs;
use crate::console::{Console, Failure, Outcome};
use crate::document;
use crate::files::{keep_apart, write_certificate};
use crate::hint;
use crate::lines::for_each_line;
use crate::verdict::{proves_something, verdicts};

/// Prove what stays so for ever, whatever both sides play.
///
/// Each line at the top begins with a verdict: `dead` (neither side can ever give mate),
/// `unwinnable white` or `unwinnable black` (that side never can), `sum` (the position is an exact
/// sum of games that never touch), `coupled` (the same, but a check in one can take away moves in
/// another), or `not-proved`, which is no claim at all.
///
/// Every certificate is checked by an independent checker before anything is printed.
///
/// Exit codes: 0 something is proved, 1 not proved, 2 an input that is no legal position.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh prove '1b1k4/8/1p1p1p1p/pP1PpP1P/P3P1K1/8/8/8 w - - 0 50'
  bitmesh prove --out dead.bmpersist '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1'
  bitmesh verify dead.bmpersist")]
pub(crate) struct Args {
    /// A FEN or EPD in one argument, or `-` for standard input, one on each line.
    #[arg(value_name = "FEN")]
    fen: String,

    /// Print one JSON document for each input (schema `bitmesh.prove.v1`).
    #[arg(long)]
    json: bool,

    /// Write the certificate, if anything is proved: BMPERSIST bytes, or JSON when FILE ends in .json.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// How many positions to look at where one witness leaves open who can give mate; 0 for none.
    ///
    /// Takes about a tenth of a second for 100,000.
    #[arg(long, value_name = "N", default_value_t = Bound::default().get())]
    positions: u32,

    #[command(flatten)]
    pieces: PieceArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    if let Some(path) = &args.out {
        keep_apart(&[], &[("--out", path)])?;
    }
    if args.fen != "-" {
        let reading = bitmesh::read_position(&args.fen).map_err(|error| Failure::Input(error.to_string()))?;
        return prove_reading(args, console, &reading);
    }
    if args.out.is_some() {
        return Err(Failure::Input("--out holds one certificate: give one FEN instead of `-`".to_owned()));
    }
    let mut outcome = Outcome::Positive;
    for_each_line(|number, line| {
        hint::refuse_drawing(number, &line)?;
        let answer = line
            .and_then(|line| bitmesh::read_position(line).map_err(|error| error.to_string()))
            .map(|reading| prove_reading(args, console, &reading));
        outcome = outcome.and(match answer {
            Ok(Ok(answered)) => answered,
            Ok(Err(Failure::Input(error))) | Err(error) => {
                console.complain(format_args!("error: standard input, line {number}: {error}"));
                Outcome::InputError
            }
            Ok(Err(failure)) => return Err(failure),
        });
        Ok(console.flush()?)
    })?;
    Ok(outcome)
}

fn prove_reading(args: &Args, console: &mut Console, reading: &Reading) -> Result<Outcome, Failure> {
    let Input::Position(position) = &reading.input else {
        return Err(Failure::Input(not_a_position(&reading.input)));
    };
    for note in &reading.notes {
        console.complain(format_args!("note: {note}"));
    }
    let certificate = prove_within(position.chess(), Bound::nodes(args.positions));
    // The prover is not trusted: what it made goes through the checker like anybody's.
    let conclusions = check(&certificate).map_err(|error| {
        Failure::Input(format!("the prover made a certificate that fails its check: {error}"))
    })?;
    if let Some(path) = &args.out {
        if proves_something(&conclusions) {
            write_certificate(path, &certificate, &certificate.canonical_payload())?;
            console.complain(format_args!("certificate written to {}", path.display()));
        } else {
            console.complain(format_args!("nothing is proved, so {} is not written", path.display()));
        }
    }
    if args.json {
        document::write(&mut *console, &document(&certificate, &conclusions))?;
    } else {
        print_text(args, console, &certificate, &conclusions)?;
    }
    Ok(if proves_something(&conclusions) { Outcome::Positive } else { Outcome::Negative })
}

fn not_a_position(input: &Input) -> String {
    let reasons: Vec<String> = match input {
        Input::Position(_) => Vec::new(),
        Input::Board(board) => board.reasons().iter().map(ToString::to_string).collect(),
    };
    format!("a claim for all time needs a legal position: {}", reasons.join("; "))
}

fn document(certificate: &PersistentCertificate, conclusions: &Conclusions) -> Value {
    let words: Vec<&str> = verdicts(conclusions).iter().map(|verdict| verdict.word).collect();
    json!({
        "schema": "bitmesh.prove.v1",
        "verdicts": words,
        "certificate": certificate,
    })
}

fn print_text(
    args: &Args,
    console: &mut Console,
    certificate: &PersistentCertificate,
    conclusions: &Conclusions,
) -> Result<(), Failure> {
    for verdict in verdicts(conclusions) {
        writeln!(console, "{}  {}", verdict.word, verdict.meaning)?;
    }
    writeln!(console)?;
    let mut diagram = Diagram::persistent(certificate)
        .map_err(|error| Failure::Input(format!("cannot draw the certificate: {error}")))?;
    diagram.title.clear();
    console.write_all(render_text(&diagram, &args.pieces.style(console)).as_bytes())?;
    writeln!(console)?;
    let witness = certificate.proof().witness();
    let expansion = match certificate.proof() {
        Proof::Expansion(expansion) => Some(expansion),
        _ => None,
    };
    // Where an expansion decides, a witness without frozen pieces says nothing.
    if proves_something(conclusions) && (expansion.is_none() || witness.frozen().any()) {
        print_reaches(console, certificate.position().board(), witness)?;
    }
    if let Some(expansion) = expansion {
        let (positions, leaves) = (expansion.nodes(), expansion.leaves().len());
        writeln!(
            console,
            "{:<12}{positions} positions without a mate, {leaves} of them decided by a witness",
            "by"
        )?;
    }
    let position = bitmesh::Position::new(certificate.position().clone());
    writeln!(console, "{:<12}{}", "position", position.canonical_text())?;
    writeln!(console, "{:<12}{}", "claim", bitmesh::persistent::PROOF_KIND)?;
    writeln!(console, "{:<12}{}", "certificate", certificate.digest())?;
    Ok(())
}

/// Columns of one small board and the gap behind it.
const BOARD_WIDTH: usize = 8 + 4;
const BOARDS_IN_A_ROW: usize = 6;

/// A small board for each mover: where it stands, where it can ever stand, and what is frozen.
fn print_reaches(console: &mut Console, board: &Board, witness: &Witness) -> Result<(), Failure> {
    writeln!(console, "where each piece can ever stand (o), and what never moves (#):\n")?;
    for row in witness.movers().chunks(BOARDS_IN_A_ROW) {
        let headings = row.iter().map(|mover| {
            let piece = board.piece_at(mover.square).map_or('?', Piece::char);
            format!("{piece}{} ({})", mover.square, Diagram::region_label(mover.component.into()))
        });
        print_row(console, headings)?;
        for rank in (0..8u32).rev() {
            print_row(
                console,
                row.iter().map(|mover| {
                    let mark = |file: u32| {
                        let square = Square::new(rank * 8 + file);
                        let has = |set: Bitboard| set.contains(square);
                        match () {
                            () if square == mover.square => board.piece_at(square).map_or('?', Piece::char),
                            () if has(witness.frozen()) => '#',
                            () if has(mover.squares()) => 'o',
                            () => '.',
                        }
                    };
                    (0..8).map(mark).collect::<String>()
                }),
            )?;
        }
        writeln!(console)?;
    }
    Ok(())
}

fn print_row(console: &mut Console, cells: impl Iterator<Item = String>) -> Result<(), Failure> {
    let line: String = cells.map(|cell| format!("{cell:<BOARD_WIDTH$}")).collect();
    Ok(writeln!(console, "{}", line.trim_end())?)
}
