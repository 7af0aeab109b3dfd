//! `bitmesh scan`: every position of whole collections.

use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use bitmesh::decision::Effort;
use bitmesh::persistent::Bound;
use bitmesh_corpus::output::{ParquetFile, ParquetStream, RowFormat, TextFile, TextStream};
use bitmesh_corpus::{Batches, Claim, Column, Csv, Format, Inputs, JsonLines, Options};
use serde_json::json;

use super::collection::{self, Finished, Rate, Target, Work, counted};
use crate::console::{Console, Failure, Outcome};
use crate::files::write_whole;

/// Evaluate every position of whole collections.
///
/// INPUT is a file, a folder, or `-` for standard input: FEN or EPD lines, games (PGN, every ply of
/// the main line), tables (CSV, TSV; the Lichess puzzle file as it is), Parquet, JSON lines or blocks of a
/// network trainer, each plain or as .gz, .bz2, .zst or .xz, or in a .zip. The format is detected from the
/// contents and the name. Every position gives one row of the schema `bitmesh.scan.v1`; what cannot be read
/// gives a row with an error, and the scan continues.
///
/// Exit codes: 0 all read, 2 something could not be read or the scan was interrupted.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh scan games.pgn.zst -o rows.parquet
  bitmesh scan --only dead,persistent --certificates evidence/ collection/ -o dead.jsonl
  bitmesh scan --resume games.pgn.zst -o rows.parquet
  zcat positions.fen.gz | bitmesh scan --only strict -")]
pub(crate) struct Args {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,

    /// Read every input as FORMAT: fen, epd, pgn, csv, tsv, parquet, jsonl or plain.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Column that holds the positions or games, by name or number; several for the fields of a FEN, as in
    /// pieces,turn [default: the one named fen or epd, else detected from the contents].
    #[arg(long, value_name = "COLUMN")]
    column: Option<Column>,

    /// Character between the cells of a table; `tab` for a tab [default: detected].
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    delimiter: Option<u8>,

    /// Play the first move of the column Moves first: the puzzle as it is shown, not the position before it.
    #[arg(long)]
    first_move: bool,

    /// Play the variations of games too, not only the main line.
    #[arg(long)]
    variations: bool,

    /// Drop castling rights whose rook is missing instead of refusing the position: games at odds.
    #[arg(long)]
    odds_castling: bool,

    /// Carry tags of games along, as columns of text after the others.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tags: Vec<String>,

    /// Carry columns of tables, fields of JSON objects and operations of EPD lines along.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,

    /// Carry along what follows the position in its line, in the column `rest`.
    #[arg(long)]
    rest: bool,

    /// Say where each record begins in the unpacked text, in bytes, in the column `offset`.
    #[arg(long)]
    offset: bool,

    /// Leave out the columns `digest` and `position_digest`: no position is hashed.
    #[arg(long, conflicts_with = "certificates")]
    no_digests: bool,

    /// Look at up to N positions that can follow for a proof that a side can never give mate, as `prove` does
    /// [default: none].
    ///
    /// This proves more positions dead and takes much longer; `--only dead` does not shorten it.
    #[arg(long, value_name = "N")]
    positions: Option<NonZeroU32>,

    #[command(flatten)]
    work: Work,

    /// Only rows with one of these claims: strict, accepted, persistent, unwinnable, dead; with --decide also winnable, flag-draw, undecided.
    ///
    /// Rows with an error are always written.
    #[arg(long, value_name = "CLAIMS", value_delimiter = ',')]
    only: Vec<Claim>,

    /// Decide for each side whether it can still give mate: columns decided_white, decided_black,
    /// mate_plies_white, mate_plies_black.
    ///
    /// EFFORT is how many positions to look at for each side, by default 400000. Games are decided
    /// from their end: an optimised build takes about a microsecond for a position of a game, and about fifty for
    /// a position on a line.
    #[arg(long, value_name = "EFFORT", num_args = 0..=1, require_equals = true)]
    decide: Option<Option<u32>>,

    /// Only one row for each position: the first.
    #[arg(long)]
    unique: bool,

    /// Keep the certificates of the rows as files in DIR.
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Write the summary to FILE as JSON (schema `bitmesh.scan-summary.v1`).
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("a delimiter is one ASCII character, or tab".to_owned()),
    }
}

/// Refuses claims that only decisions can make, unless there are decisions.
fn check_claims_are_decided(args: &Args) -> Result<(), Failure> {
    match args.only.iter().find(|claim| claim.needs_decisions() && args.decide.is_none()) {
        Some(claim) => Err(Failure::Input(format!("--only {claim} needs --decide"))),
        None => Ok(()),
    }
}

/// Refuses options that have no meaning for the format that is forced.
fn check_options_apply(args: &Args) -> Result<(), Failure> {
    let Some(format) = args.format else { return Ok(()) };
    let is_text_table = matches!(format, Format::Csv | Format::Tsv);
    let is_table = is_text_table || format == Format::Parquet;
    let has_columns = is_table || format == Format::JsonLines;
    let options = [
        ("--column", args.column.is_some(), has_columns, "tables"),
        ("--delimiter", args.delimiter.is_some(), is_text_table, "tables of text"),
        ("--first-move", args.first_move, is_table, "tables"),
        ("--variations", args.variations, format == Format::Pgn, "games"),
        ("--tags", !args.tags.is_empty(), format == Format::Pgn, "games"),
        ("--columns", !args.columns.is_empty(), format != Format::Pgn, "tables, lines and JSON lines"),
    ];
    for (option, is_given, applies, to) in options {
        if is_given && !applies {
            return Err(Failure::Input(format!("{option} is for {to}, and --format says {format}")));
        }
    }
    Ok(())
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    check_options_apply(args)?;
    check_claims_are_decided(args)?;
    let target = Target::new(&args.work)?;
    let others: Vec<(&str, &Path)> = args.summary.iter().map(|path| ("--summary", path.as_path())).collect();
    target.keep_apart(&args.work, &args.inputs, &others)?;
    let others = args.summary.iter().chain(&args.certificates).cloned();
    let inputs = target.find_inputs(console, &args.inputs, Inputs::new(), others)?;
    let mut options = Options::default();
    options.format = args.format;
    options.column = args.column.clone();
    options.delimiter = args.delimiter;
    options.first_move = args.first_move;
    options.variations = args.variations;
    options.odds_castling = args.odds_castling;
    options.extra.tags = args.tags.clone();
    options.extra.columns = args.columns.clone();
    options.extra.rest = args.rest;
    options.extra.offset = args.offset;
    options.extra.without_digests = args.no_digests;
    options.decide = args.decide.map(|effort| effort.map_or_else(Effort::default, Effort::positions));
    options.extra.decisions = options.decide.is_some();
    options.extra.check().map_err(|error| Failure::Input(error.to_string()))?;
    options.positions = args.positions.map(|positions| Bound::nodes(positions.get()));
    options.only = (!args.only.is_empty()).then(|| args.only.iter().copied().collect());
    options.unique = args.unique;
    options.certificates = args.certificates.clone();
    if let Some(threads) = args.work.threads {
        options.threads = threads;
    }
    let extra = options.extra.clone();
    let (work, batches) = (&args.work, || Batches::with_extra(&extra));
    let (csv, json) = (|| Csv::with_extra(&extra), || JsonLines::with_extra(&extra));
    let finished = match target {
        Target::Stream { name, form: RowFormat::Parquet, writer } => {
            let sink =
                ParquetStream::with_extra(&name, writer, &extra).map_err(collection::output_failure)?;
            collection::run(work, console, (inputs, options), batches, sink)
        }
        Target::Stream { name, form: RowFormat::Csv, writer } => {
            let sink = TextStream::with_extra(&name, writer, RowFormat::Csv, &extra);
            collection::run(work, console, (inputs, options), csv, sink)
        }
        Target::Stream { name, form, writer } => {
            let sink = TextStream::with_extra(&name, writer, form, &extra);
            collection::run(work, console, (inputs, options), json, sink)
        }
        Target::File { path, form } => {
            let (description, header) = (options.describe(form, &inputs), form.header_with(&extra));
            let opened = collection::open(work, console, &path, &description, &header, &mut options)?;
            let Some(file) = opened else { return Ok(Outcome::Positive) };
            let plan = (inputs, options);
            match form {
                RowFormat::Parquet => {
                    collection::run(work, console, plan, batches, ParquetFile::with_extra(file, &extra))
                }
                RowFormat::Csv => collection::run(work, console, plan, csv, TextFile::new(file)),
                _ => collection::run(work, console, plan, json, TextFile::new(file)),
            }
        }
    }?;
    print(&finished, args, console);
    if let Some(path) = &args.summary {
        write_summary(&finished, path)?;
    }
    Ok(finished.outcome())
}

/// Prints the numbers at the end.
fn print(finished: &Finished, args: &Args, console: &Console) {
    let counts = &finished.counts;
    console.complain(format_args!(
        "{}: {}, {}, {} in {}",
        if finished.complete { "scanned" } else { "interrupted" },
        counted(counts.positions, "position"),
        counted(counts.boards, "board"),
        counted(counts.games, "game"),
        Rate(finished)
    ));
    finished.print_inputs(console);
    console.complain(format_args!(
        "records: {} = {} read + {} skipped + {} failed",
        counts.records, counts.read, counts.skipped, counts.failed
    ));
    finished.print_bytes(console);
    console.complain(format_args!(
        "rows: {} = {} positions and boards - {} duplicates - {} filtered + {} errors",
        counts.rows,
        counts.positions + counts.boards,
        counts.duplicates,
        counts.filtered,
        counts.error_rows
    ));
    console.complain(format_args!(
        "claims: strict {}, accepted {}, persistent {}, unwinnable white {}, unwinnable black {}, dead {}",
        counts.strict,
        counts.accepted,
        counts.persistent,
        counts.unwinnable_white,
        counts.unwinnable_black,
        counts.dead
    ));
    if args.decide.is_some() {
        console.complain(format_args!(
            "decisions: winnable {}, flag draws {}, undecided {}",
            counts.winnable, counts.flag_draw, counts.undecided
        ));
    }
    finished.print_end(console);
}

fn write_summary(finished: &Finished, path: &Path) -> Result<(), Failure> {
    let mut document = json!({
        "schema": "bitmesh.scan-summary.v1",
        "complete": finished.complete,
        "seconds": finished.seconds,
        "positions_per_second": finished.positions_per_second(),
        "inputs": finished.read_as,
        "passed_over": finished.passed_over,
    });
    let numbers = serde_json::to_value(&finished.counts).map_err(io::Error::from)?;
    if let (Some(document), serde_json::Value::Object(numbers)) = (document.as_object_mut(), numbers) {
        document.extend(numbers);
    }
    let mut text = serde_json::to_vec_pretty(&document).map_err(io::Error::from)?;
    text.push(b'\n');
    write_whole(path, &text)
}
