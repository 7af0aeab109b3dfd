//! `bitmesh certify`: layers 1 and 2 of one or many positions.

use std::io::Write as _;
use std::path::PathBuf;

use bitmesh::{
    BOARD_CONTEXT, DecompositionCertificate, DecompositionRejectionReason, Input, Note, PositionBinding,
    PositionIndependenceError, Reading, certify_decomposition, diagnose_independence,
    diagnose_position_independence,
};
use bitmesh_corpus::Printable;
use bitmesh_diagram::{Diagram, render_text};
use serde_json::{Value, json};

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
/// board does not fall apart). It says nothing about the time after the next move: that is what
/// `bitmesh prove` is for.
///
/// Exit codes: 0 accepted, 1 refused or rejected, 2 an input that is no position and no board.
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

    /// List everything that stands against acceptance, and what was forgiven in the input.
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
    let reading = bitmesh::read_position(&args.fen).map_err(|error| Failure::Input(error.to_string()))?;
    let assessment = Assessment::new(&reading);
    assessment.write(args, console)?;
    assessment.print(args, console, None)
}

/// The claim that a verdict is about.
const POSITION_CLAIM: &str = "bitmesh:position_independence:v1";
const BOARD_CLAIM: &str = "bitmesh:conservative_legal_independence:v0";

/// One input with everything that layers 1 and 2 say about it.
pub(super) struct Assessment<'a> {
    input: &'a Input,
    /// What was forgiven in the text of the input.
    notes: &'a [Note],
    certificate: DecompositionCertificate,
    binding: PositionBinding,
    /// All that the screen holds against it, in its order.
    violations: Vec<PositionIndependenceError>,
}

impl<'a> Assessment<'a> {
    fn new(reading: &'a Reading) -> Self {
        let certificate = certify_decomposition(reading.input.board());
        let digest = certificate.digest().expect("what certify_decomposition makes is valid");
        let binding = PositionBinding::of_input(digest, &reading.input);
        Self::of(&reading.input, &reading.notes, certificate, binding)
    }

    /// What is said about an input by a valid certificate of its structure, whoever made it.
    pub(super) fn of(
        input: &'a Input,
        notes: &'a [Note],
        certificate: DecompositionCertificate,
        binding: PositionBinding,
    ) -> Self {
        let violations = match input {
            Input::Position(position) => diagnose_position_independence(position, &certificate),
            Input::Board(board) => diagnose_independence(board.board(), &certificate)
                .into_iter()
                .map(PositionIndependenceError::Board)
                .collect(),
        };
        Self { input, notes, certificate, binding, violations }
    }

    fn write(&self, args: &Args, console: &Console) -> Result<(), Failure> {
        if let Some(path) = &args.out {
            let payload = self
                .certificate
                .canonical_payload()
                .map_err(|error| Failure::Input(format!("the certificate is not valid: {error}")))?;
            write_certificate(path, &self.certificate, &payload)?;
            console.complain(format_args!("certificate written to {}", path.display()));
        }
        if let Some(path) = &args.binding {
            write_certificate(path, &self.binding, &self.binding.canonical_payload())?;
            console.complain(format_args!("binding written to {}", path.display()));
        }
        Ok(())
    }

    pub(super) fn verdict(&self) -> &'static str {
        match (self.certificate.strict, self.violations.is_empty()) {
            (false, _) => "rejected",
            (true, false) => "refused",
            (true, true) => "accepted",
        }
    }

    /// The code of the first thing that the screen holds against it.
    pub(super) fn violation(&self) -> Option<&'static str> {
        self.violations.first().map(|first| first.code())
    }

    fn outcome(&self) -> Outcome {
        if self.violations.is_empty() { Outcome::Positive } else { Outcome::Negative }
    }

    pub(super) const fn claim(&self) -> &'static str {
        match self.input {
            Input::Position(_) => POSITION_CLAIM,
            Input::Board(_) => BOARD_CLAIM,
        }
    }

    fn summary(&self) -> String {
        let regions = self.certificate.components.len();
        match self.certificate.rejection_reason {
            Some(DecompositionRejectionReason::NoLockedBarrier) => "no pawn is locked".to_owned(),
            Some(DecompositionRejectionReason::LessThanTwoActiveComponents) => match regions {
                0 => "the barrier leaves no piece outside it".to_owned(),
                _ => "all pieces outside the barrier are in one region".to_owned(),
            },
            None => match self.violations.first() {
                None => {
                    format!("{regions} regions; no next move of either side crosses or breaks the barrier")
                }
                Some(first) => format!("{regions} regions, but not independent: {first}"),
            },
        }
    }

    fn print(&self, args: &Args, console: &mut Console, line: Option<u64>) -> Result<Outcome, Failure> {
        if args.json {
            document::write(&mut *console, &self.document(line))?;
        } else {
            self.print_text(args, console, line)?;
        }
        Ok(self.outcome())
    }

    fn print_text(&self, args: &Args, console: &mut Console, line: Option<u64>) -> Result<(), Failure> {
        let place = line.map_or_else(String::new, |line| format!("line {line}: "));
        writeln!(console, "{}  {place}{}\n", self.verdict(), self.summary())?;

        let mut diagram = Diagram::structure(self.input.board());
        diagram.title.clear();
        console.write_all(render_text(&diagram, &args.pieces.style(console)).as_bytes())?;

        let input = self.input;
        writeln!(console)?;
        let kind = if input.position().is_some() { "position" } else { "board" };
        writeln!(console, "{kind:<18}{}", self.binding.position())?;
        if let Input::Board(board) = input {
            let reasons: Vec<String> = board.reasons().iter().map(ToString::to_string).collect();
            writeln!(console, "{:<18}{}", "no position", reasons.join("; "))?;
        }
        let end = match input {
            Input::Position(_) => "the next move of either side, en passant included",
            Input::Board(_) => "the next move of either side on this board, en passant not seen",
        };
        let claim = if self.violations.is_empty() { "claim" } else { "not claimed" };
        writeln!(console, "{claim:<18}{} ({end})", self.claim())?;
        writeln!(console, "{:<18}{}", format!("{kind} digest"), self.binding.digest())?;
        writeln!(
            console,
            "{:<18}{} (shared by all boards with this structure)",
            "structural digest",
            self.binding.decomposition_digest()
        )?;
        let screen = self.violation().unwrap_or("accepted");
        writeln!(console, "{:<18}{screen}", "one-ply screen")?;
        if args.explain {
            self.explain(console)?;
        }
        Ok(())
    }

    fn explain(&self, console: &mut Console) -> Result<(), Failure> {
        for violation in &self.violations {
            writeln!(console, "  - {violation} [{}]", violation.code())?;
        }
        for note in self.notes {
            writeln!(console, "{:<18}{} [{}]", "note", Printable(note), note.code())?;
        }
        Ok(())
    }

    pub(super) fn document(&self, line: Option<u64>) -> Value {
        let input = self.input;
        let describe = |code: &str, message: String| json!({ "code": code, "message": message });
        let reasons: Vec<Value> = match input {
            Input::Position(_) => Vec::new(),
            Input::Board(board) => {
                board.reasons().iter().map(|reason| describe(reason.code(), reason.to_string())).collect()
            }
        };
        let violations: Vec<Value> =
            self.violations.iter().map(|error| describe(error.code(), error.to_string())).collect();
        let notes: Vec<Value> =
            self.notes.iter().map(|note| describe(note.code(), note.to_string())).collect();
        let mut document = json!({
            "schema": "bitmesh.certify.v1",
            "verdict": self.verdict(),
            "summary": self.summary(),
            "input": if input.context() == BOARD_CONTEXT { "board" } else { "position" },
            "fen": self.binding.position(),
            "context": self.binding.context(),
            "claim": self.claim(),
            "position_digest": self.binding.digest().to_hex(),
            "structural_digest": self.binding.decomposition_digest().to_hex(),
            "certificate": self.certificate,
            "one_ply": self.violation().unwrap_or("accepted"),
            "violations": violations,
            "not_a_position": reasons,
            "notes": notes,
        });
        if let (Some(line), Some(document)) = (line, document.as_object_mut()) {
            document.insert("line".to_owned(), line.into());
        }
        document
    }
}

fn run_lines(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Positive;
    for_each_line(|number, line| {
        hint::refuse_drawing(number, &line)?;
        let reading = line.and_then(|line| bitmesh::read_position(line).map_err(|error| error.to_string()));
        match reading {
            Ok(reading) => {
                outcome = outcome.and(Assessment::new(&reading).print(args, console, Some(number))?);
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
