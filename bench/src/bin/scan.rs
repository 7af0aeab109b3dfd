//! The scan against the simplest programs that read the same files, in turns.
//!
//! `cargo run --release --bin scan -- FILE.pgn` replays the games with `pgn-reader` and shakmaty and no analysis;
//! `FILE.fen` reads every line with shakmaty and certifies the board by the contract written down literally. Both run
//! on as many threads as the scan: each takes its own copy of the file. Results are compared before anything is timed.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Instant;

use bitmesh_bench::plain;
use bitmesh_corpus::{Claim, Counts, Format, Inputs, JsonLines, Options, Scan};
use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

/// At least this much is read in every turn, so that starting threads does not count.
const BYTES: usize = 40 << 20;
const TURNS: usize = 9;

struct Plies(u64);

impl Visitor for Plies {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: pgn_reader::RawTag<'_>) -> ControlFlow<()> {
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
fn simplest(bytes: &[u8], format: Format) -> u64 {
    match format {
        Format::Pgn => {
            let mut plies = Plies(0);
            let read = Reader::new(std::io::Cursor::new(bytes)).visit_all_games(&mut plies);
            assert!(read.is_ok(), "the file is well-formed");
            plies.0
        }
        _ => {
            let positions = bytes.split(|&byte| byte == b'\n').filter_map(|line| {
                let chess: Chess = Fen::from_ascii(line).ok()?.into_position(CastlingMode::Standard).ok()?;
                std::hint::black_box(plain::certify(chess.board()));
                Some(())
            });
            positions.count() as u64
        }
    }
}

fn scan(bytes: &'static [u8], format: Format, threads: NonZeroUsize, all_rows: bool) -> Counts {
    let mut inputs = Inputs::new();
    inputs.add_reader("bench", Box::new(bytes));
    let mut options = Options::default();
    options.format = Some(format);
    options.threads = threads;
    options.only = (!all_rows).then(|| Claim::ALL.into_iter().collect());
    let mut counts = Counts::default();
    let Ok(blocks) = Scan::start(inputs, options, JsonLines::new) else { return counts };
    for block in blocks.flatten() {
        std::hint::black_box(&block.rows);
        counts.add(&block.counts);
    }
    counts
}

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: scan FILE.pgn|FILE.fen [THREADS]");
        std::process::exit(2);
    };
    let threads = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(NonZeroUsize::MIN);
    let format = Format::of_name(&path).unwrap_or(Format::Lines);
    let once = match std::fs::read(&path) {
        Ok(once) if !once.is_empty() => once,
        _ => {
            eprintln!("cannot read {path}");
            std::process::exit(2);
        }
    };
    let bytes: &'static [u8] = once.repeat(BYTES / once.len() + 1).leak();

    let positions = simplest(bytes, format);
    let counts = scan(bytes, format, threads, false);
    let (games, failed) = (counts.games, counts.failed);
    assert_eq!((counts.positions - games, failed), (positions, 0), "both read the same positions");

    let mut fastest = [f64::INFINITY; 3];
    for _ in 0..TURNS {
        let time = |slot: &mut f64, work: &dyn Fn()| {
            let began = Instant::now();
            work();
            *slot = slot.min(began.elapsed().as_secs_f64());
        };
        time(&mut fastest[0], &|| {
            std::thread::scope(|scope| {
                for _ in 0..threads.get() {
                    scope.spawn(|| std::hint::black_box(simplest(bytes, format)));
                }
            });
        });
        time(&mut fastest[1], &|| drop(scan(bytes, format, threads, false)));
        time(&mut fastest[2], &|| drop(scan(bytes, format, threads, true)));
    }
    // The simplest program has read the file once for each thread.
    fastest[0] /= threads.get() as f64;
    let nanoseconds = |seconds: f64| seconds * 1e9 / positions as f64;
    let what = if format == Format::Pgn { "replay" } else { "parse and plain certify" };
    println!("{positions} positions, {threads} threads, {} MB", bytes.len() >> 20);
    println!("{what}: {:.1} ns a position", nanoseconds(fastest[0]));
    for (name, seconds) in [("scan, rows with a claim", fastest[1]), ("scan, all rows as JSON", fastest[2])] {
        println!(
            "{name}: {:.1} ns a position, {:.2} times as long, {:.1} times as fast",
            nanoseconds(seconds),
            seconds / fastest[0],
            fastest[0] / seconds
        );
    }
}
