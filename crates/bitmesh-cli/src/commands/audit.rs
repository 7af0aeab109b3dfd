//! `bitmesh audit`: games, one row each.

use std::path::PathBuf;

use bitmesh::decision::Effort;
use bitmesh_corpus::output::{Encoded, ParquetFile, ParquetStream, RowFormat, TextFile, TextStream};
use bitmesh_corpus::{Audit, AuditCell, AuditFinding, AuditTable, Format, Inputs, Options, prepare_audit};

use super::collection::{self, Finished, Rate, Target, Work, counted};
use crate::console::{Console, Failure, Outcome};

/// Find games whose result does not fit: wins on time by a side that could never have mated, moves
/// after the position was dead, results that contradict mate or its absence.
///
/// GAMES are PGN files, packed or not, folders and archives of them, or `-` for standard input. Every game gives
/// one row (schema `bitmesh.audit.v1`). How a game ended is read from its tags Result, Termination and ICCResult, and
/// from the comments after its last move. `undecided` claims nothing.
///
/// Exit codes: 0 all read, 2 something could not be read or the audit was interrupted.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh audit games.pgn
  bitmesh audit --tags White,Black,Site -o audit.csv games.pgn.zst
  bitmesh audit --resume --tags White,Black,Site -o audit.csv games.pgn.zst")]
pub(crate) struct Args {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "GAMES", required = true)]
    inputs: Vec<PathBuf>,

    /// Tags that each row repeats.
    #[arg(long, value_name = "TAGS", value_delimiter = ',')]
    tags: Vec<String>,

    /// How many positions to look at for each side of a position.
    #[arg(long, value_name = "N", default_value_t = Effort::default().get())]
    effort: u32,

    #[command(flatten)]
    work: Work,

    /// Keep evidence as files in DIR: lines and certificates for the last position of each game, and for those since
    /// which a side could not win. The column `position_digest` begins the names of those for the last position.
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, console: &Console) -> Result<Outcome, Failure> {
    let target = Target::new(&args.work)?;
    target.keep_apart(&args.work, &args.inputs, &[])?;
    let inputs = Inputs::of_format(Format::Pgn);
    let inputs = target.find_inputs(console, &args.inputs, inputs, args.certificates.iter().cloned())?;
    let mut options = Options::default();
    options.format = Some(Format::Pgn);
    options.decide = Some(Effort::positions(args.effort));
    options.certificates = args.certificates.clone();
    if let Some(threads) = args.work.threads {
        options.threads = threads;
    }
    prepare_audit(&mut options, &args.tags);
    let table = AuditTable::new(&options).map_err(|error| Failure::Input(error.to_string()))?;

    let batch = |rows: &Vec<Vec<AuditCell>>| table.batch(rows);
    let text = |form: RowFormat| {
        let table = &table;
        move |rows: &Vec<Vec<AuditCell>>| match form {
            RowFormat::Csv => table.csv(rows),
            _ => table.json_lines(rows),
        }
    };
    let work = &args.work;
    let finished = match target {
        Target::Stream { name, form: RowFormat::Parquet, writer } => {
            let sink = ParquetStream::with_schema(&name, writer, table.schema());
            let sink = Encoded::new(sink.map_err(collection::output_failure)?, batch);
            collection::run(work, console, (inputs, options), Audit::new, sink)
        }
        Target::Stream { name, form, writer } => {
            let sink = TextStream::with_header(&name, writer, table.header(form));
            collection::run(work, console, (inputs, options), Audit::new, Encoded::new(sink, text(form)))
        }
        Target::File { path, form } => {
            let (description, header) = (options.describe(form, &inputs), table.header(form));
            let opened = collection::open(work, console, &path, &description, &header, &mut options)?;
            let Some(file) = opened else { return Ok(Outcome::Positive) };
            let plan = (inputs, options);
            if form == RowFormat::Parquet {
                let sink = Encoded::new(ParquetFile::with_schema(file, table.schema()), batch);
                collection::run(work, console, plan, Audit::new, sink)
            } else {
                let sink = Encoded::new(TextFile::new(file), text(form));
                collection::run(work, console, plan, Audit::new, sink)
            }
        }
    }?;
    print(&finished, args, console);
    Ok(finished.outcome())
}

/// Prints the numbers at the end, and in whole sentences what was found.
fn print(finished: &Finished, args: &Args, console: &Console) {
    let counts = &finished.counts;
    console.complain(format_args!(
        "{}: {} in {}",
        if finished.complete { "audited" } else { "interrupted" },
        counted(counts.games, "game"),
        Rate(finished)
    ));
    finished.print_inputs(console);
    let number = |finding: AuditFinding| counts.findings.get(finding.word()).copied().unwrap_or_default();
    let parts: Vec<String> = AuditFinding::ALL
        .into_iter()
        .map(|finding| format!("{} {}", number(finding), finding.word()))
        .collect();
    console.complain(format_args!(
        "games: {} = {} + {} not read to the end",
        counts.games,
        parts.join(" + "),
        counts.failed
    ));
    for finding in AuditFinding::ALL {
        let number = number(finding);
        if let Some(sentence) = sentence(finding, number, args.effort).filter(|_| number > 0) {
            console.complain(format_args!("{sentence}"));
        }
    }
    finished.print_end(console);
}

/// What a finding means for so many games, in words that can be quoted.
fn sentence(finding: AuditFinding, number: u64, effort: u32) -> Option<String> {
    let games = counted(number, "game");
    let (was, has, is) = if number == 1 { ("was", "has", "is") } else { ("were", "have", "are") };
    Some(match finding {
        AuditFinding::FlagFallShouldBeDraw => format!(
            "{games} {was} scored as a win on time for a side that could not have given mate by any series of legal \
             moves: a draw by the FIDE Laws, article 6.9"
        ),
        AuditFinding::MateClaimedButNot => format!(
            "{games} {has} a result that does not fit the board: mate is claimed and not there, or mate or stalemate \
             is there and the result says otherwise"
        ),
        AuditFinding::PlayedOnWhenDead => format!(
            "{games} went on after neither side could give mate any more: over by the FIDE Laws, article 5.2.2"
        ),
        AuditFinding::Undecided => format!(
            "{games} {is} undecided after {} for each side: nothing is claimed",
            counted(effort.into(), "position")
        ),
        _ => return None,
    })
}
