//! The scan against the simplest programs that read the same text, and its memory, into `docs/performance.md`.
//!
//! ```text
//! cargo run --release --bin scan                  the tables, into the page
//! cargo run --release --bin scan -- show FILE…    the tables of speed to the terminal; of files, if some are given
//! cargo run --release --bin scan -- threads       what two threads gain, to the terminal
//! cargo run --release --bin scan -- count FILE…   instructions for one position, which needs valgrind and no idle machine
//! ```
//!
//! Games are replayed by `pgn-reader` and shakmaty with no analysis; FEN lines are read by shakmaty and certified by the
//! contract written down literally. Both have as many threads as the scan: each takes a copy of the text. What comes out
//! is compared before anything is timed.

use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::num::NonZeroUsize;
use std::process::Command;
use std::thread;
use std::time::Instant;

use bitmesh_bench::collections::{self, Collection};
use bitmesh_bench::measure::median;
use bitmesh_bench::report::{self, Table};
use bitmesh_bench::{random, simplest};
use bitmesh_corpus::{Claim, Counts, Format, Inputs, JsonLines, Options, Scan};

const TURNS: usize = 9;

/// At least so much is read under valgrind, which takes fifty times as long.
const COUNTED_BYTES: usize = 1 << 20;

const GAMES_OF_A_SMALL_FILE: usize = 20;

/// So many different lines are read again and again.
const LINES: usize = 100_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            let circumstances = report::circumstances();
            let section =
                |name, text: &str| report::write_section(name, &format!("{circumstances}\n\n{text}"));
            let collections = chosen(&[]);
            section("scan", &speed(&collections));
            section("limits of a scan", &limits(&collections));
            section("threads of a scan", &gain_of_threads());
            section("instructions of a scan", &instructions(&[]));
            let growth = report::growth_table(&["positions", "time", "for one", "peak memory"]);
            section("growth of a scan", growth.text());
        }
        ["show", ref files @ ..] => {
            let collections = chosen(files);
            println!("{}\n{}", speed(&collections), limits(&collections));
        }
        ["threads"] => println!("{}", gain_of_threads()),
        ["count", ref files @ ..] => println!("{}", instructions(files)),
        ["once", what, index, copies, ref files @ ..] => {
            let number = |text: &str| text.parse::<usize>().expect("a number");
            let collection = choose(files, number(index));
            println!("{}", once(what, collection.format, &collection.text.repeat(number(copies))));
        }
        [number] => println!("{}", measure(number.parse().expect("a number of positions"))),
        _ => panic!("what should be measured?"),
    }
}

/// One of the files, or of the collections of the repository if no files are given.
fn choose(files: &[&str], index: usize) -> Collection {
    if files.is_empty() { collections::own(index) } else { Collection::of_file(files[index]) }
}

fn chosen(files: &[&str]) -> Vec<Collection> {
    let count = if files.is_empty() { collections::OWN } else { files.len() };
    (0..count).map(|index| choose(files, index)).collect()
}

/// The tables of speed: one for games, one for lines.
fn speed(collections: &[Collection]) -> String {
    let games = table(collections, Format::Pgn, "replayed by pgn-reader and shakmaty", "times as long");
    let lines = table(collections, Format::Lines, "shakmaty and the plain contract", "times as fast");
    format!("{games}\n{lines}")
}

fn all_threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn table(collections: &[Collection], format: Format, simplest_is: &str, ratio_is: &str) -> String {
    let mut table = Table::new(&[
        "",
        "threads",
        simplest_is,
        "scan, rows with a claim",
        ratio_is,
        "by processor time",
        "scan, all rows as JSON lines",
        ratio_is,
        "by processor time",
    ]);
    for collection in collections.iter().filter(|collection| collection.format == format) {
        for threads in [NonZeroUsize::MIN, all_threads()] {
            let race = race(collection, threads);
            let ratio = |times: f64| report::ratio(if format == Format::Pgn { times } else { 1.0 / times });
            table.row(&[
                collection.name.clone(),
                threads.to_string(),
                report::time(race.times[0]),
                report::time(race.times[1]),
                ratio(race.ratios[1]),
                ratio(race.processor_ratios[1]),
                report::time(race.times[2]),
                ratio(race.ratios[2]),
                ratio(race.processor_ratios[2]),
            ]);
        }
    }
    table.text().to_owned()
}

/// What came of several turns of the simplest program, the scan that gives out rows with a claim, and the scan that
/// gives out all of them.
struct Race {
    /// Nanoseconds a position in the fastest turn of each.
    times: [f64; 3],
    /// Divided by the time of the simplest program in the same turn; the median of all turns.
    ratios: [f64; 3],
    /// The same of the time that processors have worked, which counts threads one after the other.
    processor_ratios: [f64; 3],
}

fn race(collection: &Collection, threads: NonZeroUsize) -> Race {
    let text = collection.repeated();
    let positions = simplest::read(collection.format, text);
    let counts = scan(collection.format, text, threads, false);
    assert_eq!(
        (counts.positions - if collection.format == Format::Pgn { counts.games } else { 0 }, counts.failed),
        (positions, 0),
        "both read the same positions"
    );

    // Each thread reads all of it.
    let copies = || {
        thread::scope(|scope| {
            for _ in 0..threads.get() {
                scope.spawn(|| black_box(simplest::read(collection.format, text)));
            }
        });
    };
    let time = |work: &dyn Fn(), share: usize| {
        let (start, worked) = (Instant::now(), report::processor_seconds());
        work();
        let for_one = 1e9 / (positions as f64 * share as f64);
        let time = start.elapsed().as_secs_f64() * for_one;
        (time, (report::processor_seconds() - worked) * for_one)
    };
    let turns: Vec<[(f64, f64); 3]> = (0..TURNS)
        .map(|_| {
            [
                time(&copies, threads.get()),
                time(&|| drop(scan(collection.format, text, threads, false)), 1),
                time(&|| drop(scan(collection.format, text, threads, true)), 1),
            ]
        })
        .collect();
    let over_turns = |value: &dyn Fn(&[(f64, f64); 3]) -> f64| turns.iter().map(value).collect::<Vec<_>>();
    let of_each = |value: &dyn Fn(usize) -> f64| [value(0), value(1), value(2)];
    Race {
        times: of_each(&|index| over_turns(&|turn| turn[index].0).into_iter().fold(f64::INFINITY, f64::min)),
        ratios: of_each(&|index| median(over_turns(&|turn| turn[index].0 / turn[0].0))),
        processor_ratios: of_each(&|index| median(over_turns(&|turn| turn[index].1 / turn[0].1))),
    }
}

/// What a scan cannot be faster than, and what becomes of it when the text is packed.
fn limits(collections: &[Collection]) -> String {
    let mut table = Table::new(&[
        "",
        "bytes a position",
        "counting line ends",
        "scan",
        "unpacking (Zstandard)",
        "scan of the packed text",
        "the same, all cores",
        "two packed texts at once, all cores",
    ]);
    for collection in collections {
        let text = collection.repeated();
        let packed: &'static [u8] = zstd::encode_all(text, 3).expect("memory does not fail").leak();
        let positions = scan(collection.format, text, all_threads(), false).positions as f64;
        let fastest = |work: &dyn Fn()| {
            let times = (0..TURNS).map(|_| {
                let start = Instant::now();
                work();
                start.elapsed().as_nanos() as f64 / positions
            });
            report::time(times.fold(f64::INFINITY, f64::min))
        };
        let one = NonZeroUsize::MIN;
        let unpack = || {
            let mut reader = zstd::Decoder::new(packed).expect("it was packed here");
            std::io::copy(&mut reader, &mut std::io::sink()).expect("it was packed here");
        };
        table.row(&[
            collection.name.clone(),
            format!("{:.1}", text.len() as f64 / positions),
            fastest(&|| {
                black_box(memchr::memchr_iter(b'\n', text).count());
            }),
            fastest(&|| drop(scan(collection.format, text, one, false))),
            fastest(&unpack),
            fastest(&|| drop(scan(collection.format, packed, one, false))),
            fastest(&|| drop(scan(collection.format, packed, all_threads(), false))),
            fastest(&|| drop(scan_all(&[packed, packed], collection.format, all_threads(), false))),
        ]);
    }
    table.text().to_owned()
}

/// What all threads gain over one: for a large packed file, whose text is one stream, and for many small files, of which
/// each thread takes one after the other.
fn gain_of_threads() -> String {
    let mut table = Table::new(&["", "rows", "one thread", "all cores", "times as fast"]);
    let collection = collections::own(1);
    let folder = std::env::temp_dir().join(format!("bitmesh-bench-{}", std::process::id()));
    let (large, small) = (folder.join("large.pgn.zst"), folder.join("small"));
    fs::create_dir_all(&small).expect("the folder for temporary files can be written to");
    let text = collection.repeated();
    fs::write(&large, zstd::encode_all(text, 3).expect("memory does not fail")).expect("there is room");
    // Games begin with their first tag.
    let starts: Vec<usize> =
        memchr::memmem::find_iter(text, "[Event ").step_by(GAMES_OF_A_SMALL_FILE).collect();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(text.len());
        fs::write(small.join(format!("{number:06}.pgn")), &text[start..end]).expect("there is room");
    }
    let files = format!("{} files of {} kB", starts.len(), text.len() / starts.len() / 1000);
    for (name, path) in [("one packed file".to_owned(), &large), (files, &small)] {
        for all_rows in [false, true] {
            let scan = |threads| {
                let mut inputs = Inputs::new();
                inputs.add_path(path, &[]).expect("it was written here");
                scan_inputs(inputs, Options::default(), Format::Pgn, threads, all_rows)
            };
            let time = |threads| {
                let start = Instant::now();
                let positions = scan(threads).positions as f64;
                start.elapsed().as_nanos() as f64 / positions
            };
            let turns: Vec<[f64; 2]> =
                (0..TURNS).map(|_| [time(NonZeroUsize::MIN), time(all_threads())]).collect();
            let fastest = |index: usize| turns.iter().map(|turn| turn[index]).fold(f64::INFINITY, f64::min);
            table.row(&[
                name.clone(),
                if all_rows { "all, as JSON lines" } else { "with a claim" }.to_owned(),
                report::time(fastest(0)),
                report::time(fastest(1)),
                report::ratio(median(turns.iter().map(|turn| turn[0] / turn[1]).collect())),
            ]);
        }
    }
    fs::remove_dir_all(&folder).expect("they were written here");
    table.text().to_owned()
}

/// Instructions for one position, of the simplest program and of a scan that gives out rows with a claim.
fn instructions(files: &[&str]) -> String {
    let mut table = Table::new(&["", "simplest program", "scan, rows with a claim", "times as many"]);
    for (index, collection) in chosen(files).iter().enumerate() {
        // What is done once, whatever there is to read, is in both runs.
        let copies = COUNTED_BYTES / collection.text.len() + 1;
        let positions = simplest::read(collection.format, &collection.text) as f64 * copies as f64;
        let count =
            |what: &str| (run(what, index, 2 * copies, files) - run(what, index, copies, files)) / positions;
        let (simplest, scan) = (count("simplest"), count("scan"));
        table.row(&[
            collection.name.clone(),
            format!("{simplest:.0}"),
            format!("{scan:.0}"),
            report::ratio(scan / simplest),
        ]);
    }
    table.text().to_owned()
}

/// Instructions of this very program when it reads a collection so many times.
fn run(what: &str, index: usize, copies: usize, files: &[&str]) -> f64 {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["once", what, &index.to_string(), &copies.to_string()])
        .args(files)
        .output()
        .expect("valgrind is installed");
    report::collected_instructions(&String::from_utf8_lossy(&output.stderr))
}

fn once(what: &str, format: Format, text: &[u8]) -> u64 {
    let mut options = Options::default();
    options.extra.without_digests = what == "rows without digests";
    match what {
        "simplest" => simplest::read(format, text),
        _ => {
            let mut inputs = Inputs::new();
            inputs.add_reader("bench", Box::new(std::io::Cursor::new(text.to_vec())));
            scan_inputs(inputs, options, format, NonZeroUsize::MIN, what.starts_with("rows")).positions
        }
    }
}

fn scan(format: Format, text: &'static [u8], threads: NonZeroUsize, all_rows: bool) -> Counts {
    scan_all(&[text], format, threads, all_rows)
}

fn scan_all(texts: &[&'static [u8]], format: Format, threads: NonZeroUsize, all_rows: bool) -> Counts {
    let mut inputs = Inputs::new();
    for &text in texts {
        inputs.add_reader("bench", Box::new(text));
    }
    scan_inputs(inputs, Options::default(), format, threads, all_rows)
}

fn scan_inputs(
    inputs: Inputs,
    mut options: Options,
    format: Format,
    threads: NonZeroUsize,
    all_rows: bool,
) -> Counts {
    let collector = JsonLines::with_extra(&options.extra);
    options.format = Some(format);
    options.threads = threads;
    options.only = (!all_rows).then(|| Claim::ALL.into_iter().collect());
    let mut counts = Counts::default();
    let mut scan = Scan::start(inputs, options, || collector.clone()).expect("a scan without files starts");
    while let Some(block) = scan.next() {
        let block = block.expect("nothing is written that could fail");
        black_box(&block.rows);
        counts.add(&block.counts);
        scan.give_back(block.rows);
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

    let start = Instant::now();
    let mut inputs = Inputs::new();
    inputs.add_reader("bench", repeated);
    let counts = scan_inputs(inputs, Options::default(), Format::Lines, all_threads(), true);
    let nanoseconds = start.elapsed().as_nanos() as f64;
    assert_eq!((counts.positions, counts.rows, counts.failed), (number, number, 0));
    let for_one = report::time(nanoseconds / number as f64);
    format!("{number}\t{}\t{for_one}\t{}", report::time(nanoseconds), report::peak_memory())
}
