//! `bitmesh decide`: whether each side can still give mate.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use bitmesh::decision::{Decider, Decision, Decisions, Effort};
use bitmesh::shakmaty::{Color, Position as _};
use bitmesh::{Input, Reading};
use bitmesh_corpus::{Problem, Record, Records};
use clap::ValueEnum;

use crate::console::{Console, Failure, Outcome};
use crate::document;
use crate::files::{keep_apart, write_certificate};
use crate::hint;
use crate::lines::{nothing_to_read, told_if_unreadable};

/// Decide for each side whether it can still give mate, if both sides help.
///
/// Every line at the top begins with a result: `winnable white` comes with a line of legal moves
/// that ends in mate by White, `unwinnable white` with a checked certificate that there is none, and
/// `undecided white` claims nothing: neither was found within the bound.
///
/// When a player's flag falls and the other side is unwinnable, the game is drawn (FIDE Laws,
/// article 6.9). When both sides are, the position is dead and the game is over (article 5.2.2).
///
/// Exit codes: 0 all that was asked is decided, 1 something is undecided, 2 an input that is not
/// a legal position.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh decide '8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1'
  bitmesh decide --for black --out line.bmmate '8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1'
  bitmesh verify line.bmmate
  bitmesh decide --json - < positions.fen
  bitmesh decide - < games.pgn")]
pub(crate) struct Args {
    /// A FEN or EPD in one argument, or `-` for standard input: one on each line, games (PGN), or both.
    ///
    /// Of each game, the last position of its main line is decided. Each result then names its line, or its game and ply.
    #[arg(value_name = "FEN")]
    fen: String,

    /// Decide for one side only.
    #[arg(long = "for", value_name = "SIDE", value_enum)]
    side: Option<Side>,

    /// How many positions to look at for each side; 0 for what needs no search.
    ///
    /// An optimised build takes about a second for a million. Ordinary positions need thirty.
    #[arg(long, value_name = "N", default_value_t = Effort::default().get())]
    effort: u32,

    /// Write the evidence for the side of --for: a line as BMMATE bytes, a certificate as BMPERSIST bytes, or either as JSON when FILE ends in .json.
    #[arg(short, long, value_name = "FILE", requires = "side")]
    out: Option<PathBuf>,

    /// Print one JSON document for each input (schema `bitmesh.decide.v1`).
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    /// The white pieces.
    White,
    /// The black pieces.
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    if let Some(path) = &args.out {
        keep_apart(&[], &[("--out", path)])?;
    }
    let mut decider = Decider::new(Effort::positions(args.effort));
    if args.fen != "-" {
        return answer_text(args, console, &mut decider, "", &args.fen);
    }
    if args.out.is_some() {
        return Err(Failure::Input(
            "--out holds one piece of evidence: give one FEN instead of `-`".to_owned(),
        ));
    }
    let failure = |problem: Problem| Failure::Input(format!("standard input: {problem}"));
    let mut outcome = None;
    for record in Records::new(Box::new(io::stdin())).map_err(failure)? {
        let Record { place, text, notices } = record.map_err(failure)?;
        if let (Some(line), Ok(text)) = (place.line, &text) {
            hint::refuse_drawing(line, text)?;
        }
        for notice in notices {
            console.complain(format_args!("note: standard input, {}: {}", notice.place, notice.message));
        }
        let place = format!("{place}: ");
        let answered = text
            .map_err(|problem| Failure::Input(problem.to_string()))
            .and_then(|text| answer_text(args, console, &mut decider, &place, &text));
        let answered = told_if_unreadable(console, &place, answered)?;
        outcome = Some(outcome.map_or(answered, |outcome: Outcome| outcome.and(answered)));
        console.flush()?;
    }
    outcome.ok_or_else(nothing_to_read)
}

/// Decides about one text, which stands at a place of standard input or in an argument.
fn answer_text(
    args: &Args,
    console: &mut Console,
    decider: &mut Decider,
    place: &str,
    text: &str,
) -> Result<Outcome, Failure> {
    let reading =
        bitmesh::read_position(text).map_err(|error| Failure::Input(hint::not_a_position(text, &error)))?;
    answer(args, console, decider, place, &reading)
}

fn answer(
    args: &Args,
    console: &mut Console,
    decider: &mut Decider,
    place: &str,
    reading: &Reading,
) -> Result<Outcome, Failure> {
    let position = match &reading.input {
        Input::Position(position) => position,
        Input::Board(board) => {
            let reasons: Vec<String> = board.reasons().iter().map(ToString::to_string).collect();
            return Err(Failure::Input(format!("a decision needs a legal position: {}", reasons.join("; "))));
        }
    };
    hint::tell_notes(console, place, &reading.notes);
    let side = args.side.map(Color::from);
    let sides = side.as_ref().map_or(&[Color::White, Color::Black][..], std::slice::from_ref);
    let decisions = Decisions::of(decider, position.clone(), sides);
    if let (Some(path), Some(decision)) = (&args.out, side.and_then(|side| decisions.get(side))) {
        write_evidence(console, path, decision)?;
    }
    if args.json {
        document::write(&mut *console, &decisions)?;
    } else {
        print_text(console, place, &decisions)?;
    }
    Ok(if decisions.has_undecided() { Outcome::Negative } else { Outcome::Positive })
}

fn write_evidence(console: &Console, path: &Path, decision: &Decision) -> Result<(), Failure> {
    let what = match decision {
        Decision::Winnable(line) => {
            write_certificate(path, line, &line.canonical_payload())?;
            "line"
        }
        Decision::Unwinnable(certificate) => {
            write_certificate(path, certificate, &certificate.canonical_payload())?;
            "certificate"
        }
        Decision::Undecided { .. } => {
            console.complain(format_args!("undecided, so {} is not written", path.display()));
            return Ok(());
        }
    };
    console.complain(format_args!("{what} written to {}", path.display()));
    Ok(())
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn print_text(console: &mut Console, place: &str, decisions: &Decisions) -> Result<(), Failure> {
    for (color, decision) in decisions.iter() {
        write!(console, "{} {color}  {place}", decision.verdict().word())?;
        match decision {
            Decision::Winnable(line) if line.plies() == 0 => {
                writeln!(console, "{} has given mate", name(color))?;
            }
            Decision::Winnable(line) => {
                let plies = if line.plies() == 1 { "ply" } else { "plies" };
                writeln!(console, "mate after {} {plies}, if both sides help: {line}", line.plies())?;
            }
            Decision::Unwinnable(_) => {
                writeln!(console, "no series of legal moves ends in mate by {}", name(color))?;
            }
            Decision::Undecided { bound } => {
                let positions = bound.get();
                writeln!(console, "neither shown within {positions} positions; this claims nothing")?;
            }
        }
    }
    let chess = decisions.position().chess();
    if chess.is_checkmate() {
        let meaning = "mate: the game is over, whatever a flag does (FIDE Laws, article 5.1.1)";
        writeln!(console, "{:<12}{meaning}", "over")?;
    } else if chess.is_stalemate() {
        let meaning = "stalemate: the game is drawn (FIDE Laws, article 5.2.1)";
        writeln!(console, "{:<12}{meaning}", "over")?;
    } else if decisions.dead() == Some(true) {
        let meaning = "neither side can ever give mate: the game is over (FIDE Laws, article 5.2.2)";
        writeln!(console, "{:<12}{meaning}", "dead")?;
    } else {
        for flagged in [Color::White, Color::Black] {
            if decisions.flag_draw(flagged) == Some(true) {
                let meaning = "flag falls, the game is drawn (FIDE Laws, article 6.9)";
                writeln!(console, "{:<12}if {}'s {meaning}", "flag", name(flagged))?;
            }
        }
    }
    writeln!(console, "{:<12}{}", "position", decisions.position().canonical_text())?;
    for (color, decision) in decisions.iter() {
        let digest = match decision {
            Decision::Winnable(line) => line.digest().to_string(),
            Decision::Unwinnable(certificate) => certificate.digest().to_string(),
            Decision::Undecided { .. } => continue,
        };
        writeln!(console, "{:<12}{digest} ({color})", "evidence")?;
    }
    Ok(())
}
