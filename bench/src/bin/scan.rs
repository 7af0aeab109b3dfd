//! The scan against the simplest programs that read the same text, and its memory, into `docs/performance.md`.
//!
//! ```text
//! cargo run --release --bin scan                  the tables, into the page
//! cargo run --release --bin scan -- show FILE…    the first tables to the terminal, with games or FEN lines of files too
//! ```
//!
//! Games are replayed by `pgn-reader` and shakmaty with no analysis; FEN lines are read by shakmaty and certified by the
//! contract written down literally. Both have as many threads as the scan: each takes a copy of the text. What comes out
//! is compared before anything is timed.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Read;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

use bitmesh_bench::positions;
use bitmesh_bench::report::{self, Table};
use bitmesh_bench::{plain, random};
use bitmesh_corpus::{Claim, Counts, Format, Inputs, JsonLines, Options, Scan};
use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

/// At least this much is read in every turn, so that starting threads does not count.
const BYTES: usize = 40 << 20;
const TURNS: usize = 9;

/// So many different lines are read again and again.
const LINES: usize = 100_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        None => {
            let circumstances = report::circumstances();
            report::write_section("scan", &format!("{circumstances}\n\n{}", speed(&[])));
            let growth = report::growth_table(&["positions", "time", "for one", "peak memory"]);
            report::write_section("growth of a scan", &format!("{circumstances}\n\n{}", growth.text()));
        }
        Some((first, files)) if first == "show" => println!("{}", speed(files)),
        Some((number, _)) => println!("{}", measure(number.parse().expect("a number of positions"))),
    }
}

/// A text to be read.
struct Collection {
    name: String,
    format: Format,
    text: &'static [u8],
}

impl Collection {
    /// Repeats a text until it is long enough.
    fn new(name: String, format: Format, text: &[u8]) -> Self {
        assert!(!text.is_empty(), "{name} is empty");
        Self { name, format, text: text.repeat(BYTES / text.len() + 1).leak() }
    }

    fn of_file(path: &str) -> Self {
        let text = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let name = std::path::Path::new(path).file_name().unwrap_or_default().to_string_lossy();
        Self::new(name.into_owned(), Format::of_name(path).unwrap_or(Format::Lines), &text)
    }
}

fn collections(files: &[String]) -> Vec<Collection> {
    let mut games = String::new();
    for (index, score) in positions::scores().enumerate() {
        let tags = format!("[Event \"{index}\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]");
        writeln!(games, "{tags}\n\n{score} *\n").expect("memory does not fail");
    }
    let lines = |texts: Vec<String>| texts.join("\n") + "\n";
    let own = [
        Collection::new("well-known games".to_owned(), Format::Pgn, games.as_bytes()),
        Collection::new(
            positions::games().name.to_owned(),
            Format::Lines,
            lines(positions::games().texts).as_bytes(),
        ),
        Collection::new(
            positions::blocked().name.to_owned(),
            Format::Lines,
            lines(positions::blocked().texts).as_bytes(),
        ),
    ];
    own.into_iter().chain(files.iter().map(|path| Collection::of_file(path))).collect()
}

/// The tables of speed: one for games, one for lines.
fn speed(files: &[String]) -> String {
    let collections = collections(files);
    let games = table(&collections, Format::Pgn, "replayed by pgn-reader and shakmaty", "times as long");
    let lines = table(&collections, Format::Lines, "shakmaty and the plain contract", "times as fast");
    format!("{games}\n{lines}")
}

fn table(collections: &[Collection], format: Format, simplest_is: &str, ratio_is: &str) -> String {
    let mut table = Table::new(&[
        "",
        "threads",
        simplest_is,
        "scan, rows with a claim",
        ratio_is,
        "scan, all rows as JSON lines",
        ratio_is,
    ]);
    let all = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    for collection in collections.iter().filter(|collection| collection.format == format) {
        for threads in [NonZeroUsize::MIN, all] {
            let [simplest, claims, rows] = race(collection, threads);
            let ratio = |time: f64| {
                report::ratio(if format == Format::Pgn { time / simplest } else { simplest / time })
            };
            table.row(&[
                collection.name.clone(),
                threads.to_string(),
                report::time(simplest),
                report::time(claims),
                ratio(claims),
                report::time(rows),
                ratio(rows),
            ]);
        }
    }
    table.text().to_owned()
}

/// Nanoseconds a position: the simplest program, the scan that gives out rows with a claim, and the scan that gives out
/// all of them. They take turns, and the fastest of all turns counts.
fn race(collection: &Collection, threads: NonZeroUsize) -> [f64; 3] {
    let positions = simplest(collection);
    let counts = scan(collection, threads, false);
    assert_eq!(
        (counts.positions - counts.games, counts.failed),
        (positions, 0),
        "both read the same positions"
    );

    let copies = || {
        thread::scope(|scope| {
            for _ in 0..threads.get() {
                scope.spawn(|| black_box(simplest(collection)));
            }
        });
    };
    let mut fastest = [f64::INFINITY; 3];
    for _ in 0..TURNS {
        let time = |work: &dyn Fn()| {
            let start = Instant::now();
            work();
            start.elapsed().as_nanos() as f64 / positions as f64
        };
        let times = [
            // Each thread has read all of it.
            time(&copies) / threads.get() as f64,
            time(&|| drop(scan(collection, threads, false))),
            time(&|| drop(scan(collection, threads, true))),
        ];
        for (fastest, time) in fastest.iter_mut().zip(times) {
            *fastest = fastest.min(time);
        }
    }
    fastest
}

struct Plies(u64);

impl Visitor for Plies {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(
        &mut self,
        start: &mut Option<Chess>,
        name: &[u8],
        value: pgn_reader::RawTag<'_>,
    ) -> ControlFlow<()> {
        if name == b"FEN" {
            *start = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, chess: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(chess) {
            Ok(played) => {
                chess.play_unchecked(played);
                self.0 += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, chess: Chess) {
        std::hint::black_box(chess);
    }
}

/// Positions that the simplest program comes by.
fn simplest(collection: &Collection) -> u64 {
    match collection.format {
        Format::Pgn => {
            let mut plies = Plies(0);
            let read = Reader::new(std::io::Cursor::new(collection.text)).visit_all_games(&mut plies);
            assert!(read.is_ok(), "the file is well-formed");
            plies.0
        }
        _ => {
            let positions = collection.text.split(|&byte| byte == b'\n').filter_map(|line| {
                let chess: Chess = Fen::from_ascii(line).ok()?.into_position(CastlingMode::Standard).ok()?;
                black_box(plain::certify(chess.board()));
                Some(())
            });
            positions.count() as u64
        }
    }
}

fn scan(collection: &Collection, threads: NonZeroUsize, all_rows: bool) -> Counts {
    scan_reader(Box::new(collection.text), collection.format, threads, all_rows)
}

fn scan_reader(
    reader: Box<dyn Read + Send>,
    format: Format,
    threads: NonZeroUsize,
    all_rows: bool,
) -> Counts {
    let mut inputs = Inputs::new();
    inputs.add_reader("bench", reader);
    let mut options = Options::default();
    options.format = Some(format);
    options.threads = threads;
    options.only = (!all_rows).then(|| Claim::ALL.into_iter().collect());
    let mut counts = Counts::default();
    for block in Scan::start(inputs, options, JsonLines::new).expect("a scan without files starts") {
        let block = block.expect("nothing is written that could fail");
        black_box(&block.rows);
        counts.add(&block.counts);
    }
    counts
}

/// One row of the table of growth, its cells divided by tabs.
fn measure(number: u64) -> String {
    let mut lines = String::new();
    let mut games = random::Games::new();
    (0..LINES).for_each(|_| games.write_next(&mut lines));
    let lines: &'static [u8] = lines.into_bytes().leak();
    let rounds = number / LINES as u64;
    let rest = lines.split_inclusive(|&byte| byte == b'\n').take((number % LINES as u64) as usize);
    let rest = &lines[..rest.map(<[u8]>::len).sum()];
    let repeated =
        (0..rounds).fold(Box::new(rest) as Box<dyn Read + Send>, |tail, _| Box::new(lines.chain(tail)));

    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let start = Instant::now();
    let counts = scan_reader(repeated, Format::Lines, threads, true);
    let nanoseconds = start.elapsed().as_nanos() as f64;
    assert_eq!((counts.positions, counts.rows, counts.failed), (number, number, 0));
    let for_one = report::time(nanoseconds / number as f64);
    format!("{number}\t{}\t{for_one}\t{}", report::time(nanoseconds), report::peak_memory())
}
