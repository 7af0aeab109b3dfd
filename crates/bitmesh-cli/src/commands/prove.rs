//! `bitmesh prove`: layer 3 of one position.

use std::io::Write as _;
use std::path::PathBuf;

use bitmesh::Assessment;
use bitmesh::persistent::{Bound, CheckedCertificate, Leaf, LeafProof, Proof, Witness};
use bitmesh::shakmaty::{Bitboard, Board, Chess, Piece, Position as _, Square};
use bitmesh_diagram::{Diagram, render_text};

use crate::board_text::PieceArgs;
use crate::console::{Console, Failure, Outcome};
use crate::document;
use crate::files::{keep_apart, write_certificate};
use crate::hint;
use crate::lines::answer_each_line;

/// Prove what holds for ever, whatever both sides play.
///
/// Each line at the top begins with a verdict: `dead` (neither side can ever give mate),
/// `unwinnable white` or `unwinnable black` (that side never can), `sum` (the position is an exact
/// sum of games that never touch), `coupled` (the same, but a check in one can take away moves in
/// another), or `not-proved`, which claims nothing.
///
/// Every certificate is checked by an independent checker before anything is printed.
///
/// Exit codes: 0 something is proved, 1 not proved, 2 an input that is not a legal position.
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

    /// How many positions that can follow to look at, where the position alone leaves open who can give mate; 0 for none, at most 262144.
    ///
    /// An optimised build takes about a tenth of a second for 100,000.
    #[arg(long, value_name = "N", default_value_t = Bound::default().get())]
    positions: u32,

    #[command(flatten)]
    pieces: PieceArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    if let Some(path) = &args.out {
        keep_apart(&[], &[("--out", path)])?;
    }
    let largest = Bound::LARGEST.get();
    if args.positions > largest {
        console.complain(format_args!(
            "note: --positions {} is taken as {largest}, the most that a certificate holds",
            args.positions
        ));
    }
    if args.fen != "-" {
        let assessment = Assessment::read(&args.fen)
            .map_err(|error| Failure::Input(hint::not_a_position(&args.fen, &error)))?;
        return prove(args, console, "", assessment);
    }
    if args.out.is_some() {
        return Err(Failure::Input("--out holds one certificate: give one FEN instead of `-`".to_owned()));
    }
    answer_each_line(console, |console, place, line| {
        let assessment =
            Assessment::read(line).map_err(|error| Failure::Input(hint::not_a_position(line, &error)))?;
        prove(args, console, place, assessment)
    })
}

fn prove(
    args: &Args,
    console: &mut Console,
    place: &str,
    assessment: Assessment,
) -> Result<Outcome, Failure> {
    let assessment = assessment.within(Bound::nodes(args.positions));
    let checked = assessment.permanent().map_err(|error| Failure::Input(error.to_string()))?;
    hint::tell_notes(console, place, assessment.notes());
    let proved = checked.conclusions().prove_something();
    if let Some(path) = &args.out {
        if proved {
            let certificate = checked.certificate();
            write_certificate(path, certificate, &certificate.canonical_payload())?;
            console.complain(format_args!("certificate written to {}", path.display()));
        } else {
            console.complain(format_args!("nothing is proved, so {} is not written", path.display()));
        }
    }
    if args.json {
        document::write(&mut *console, &checked.document())?;
    } else {
        print_text(args, console, place, checked)?;
    }
    Ok(if proved { Outcome::Positive } else { Outcome::Negative })
}

fn print_text(
    args: &Args,
    console: &mut Console,
    place: &str,
    checked: &CheckedCertificate,
) -> Result<(), Failure> {
    let (certificate, conclusions) = (checked.certificate(), checked.conclusions());
    for verdict in checked.verdicts() {
        writeln!(console, "{}  {place}{}", verdict.word, verdict.meaning)?;
    }
    writeln!(console)?;
    let mut diagram = Diagram::persistent(checked);
    diagram.title.clear();
    console.write_all(render_text(&diagram, &args.pieces.style(console)).as_bytes())?;
    writeln!(console)?;
    let proof = certificate.proof();
    let witness = proof.witness();
    // Where an expansion decides, a witness without frozen pieces says nothing; other proofs have none.
    let shown = match proof {
        Proof::Witness(_) => true,
        _ => witness.frozen().any(),
    };
    if conclusions.prove_something() && shown {
        print_reaches(console, checked.board(), witness)?;
    }
    if let Some(ground) = ground(proof) {
        writeln!(console, "{:<12}{ground}", "by")?;
    }
    if let Some(end) = game_over(certificate.position()) {
        writeln!(console, "{:<12}{end}", "game over")?;
    }
    let position = bitmesh::Position::new(certificate.position().clone());
    writeln!(console, "{:<12}{}", "position", position.canonical_text())?;
    writeln!(console, "{:<12}{}", "claim", bitmesh::persistent::PROOF_KIND)?;
    writeln!(console, "{:<12}{}", "certificate", certificate.digest())?;
    Ok(())
}

/// What a proof rests on, where it is not a plain witness.
fn ground(proof: &Proof) -> Option<String> {
    match proof {
        Proof::Witness(witness) if witness.stoppers().is_empty() => None,
        Proof::Witness(witness) => {
            let squares: Vec<String> =
                witness.stoppers().into_iter().map(|square| square.to_string()).collect();
            Some(format!("pawns that no enemy pawn passes: {}", squares.join(" ")))
        }
        Proof::Expansion(expansion) => {
            let (positions, leaves) = (expansion.nodes(), expansion.leaves());
            let plain = |leaf: &Leaf| matches!(leaf.proof(), LeafProof::Witness(witness) if witness.stoppers().is_empty());
            let at_home = |leaf: &Leaf| matches!(leaf.proof(), LeafProof::Roaming(_));
            let by = if leaves.iter().all(plain) {
                "a witness"
            } else if leaves.iter().any(at_home) {
                "men at home, a witness or material"
            } else {
                "a witness or by material"
            };
            Some(format!("{positions} positions without a mate, {} of them decided by {by}", leaves.len()))
        }
        Proof::Material => Some("the material alone".to_owned()),
        Proof::Roaming(roaming) => {
            Some(format!("{} states with men at home, none of them a mate", roaming.states()))
        }
        _ => None,
    }
}

/// Why the game is over, so that neither side can mate any more.
fn game_over(chess: &Chess) -> Option<String> {
    let side = if chess.turn().is_white() { "White" } else { "Black" };
    if chess.is_checkmate() {
        Some(format!("{side} is mated"))
    } else if chess.is_stalemate() {
        Some(format!("{side} is stalemated"))
    } else {
        None
    }
}

/// Columns of one small board and the gap after it.
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
