//! The same rows in the same order, whatever happens around them.

use std::collections::HashSet;
use std::io::Read;
use std::num::NonZeroUsize;

use bitmesh::Assessment;
use bitmesh_corpus::{Claim, Collect, Counts, Inputs, JsonLines, Mark, Options, Row, Scan};
use bitmesh_lab::games::random_ply;
use bitmesh_lab::random::Rng;
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position as _};

use crate::support::{Report, bzip2, gzip, scan_inputs, scan_with, zstd};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

/// Lines of random games with walls, comments and rubbish among them.
fn lines(count: usize) -> String {
    let mut rng = Rng::new(3);
    let mut text = String::new();
    let mut chess = Chess::default();
    for _ in 0..count {
        match rng.below(20) {
            0 => text.push_str("# comment\n"),
            1 => text.push_str("rubbish\n"),
            2 => text.push_str(&format!("{WALL}\n")),
            _ => {
                if chess.halfmoves() > 60 || random_ply(&mut chess, &mut rng).is_none() {
                    chess = Chess::default();
                }
                text.push_str(&format!("{}\n", Fen::from_position(&chess, EnPassantMode::Always)));
            }
        }
    }
    text
}

fn threads(count: usize) -> Options {
    let mut options = Options::default();
    options.threads = NonZeroUsize::new(count).unwrap();
    options
}

fn games() -> String {
    // Long comments: many blocks, few rows.
    let comment = "word ".repeat(100);
    let whole = format!("[Event \"x\"]\n\n1. e4 {{{comment}}} e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n");
    let illegal = "[Event \"y\"]\n\n1. d4 d5 2. Ke5 *\n\n";
    (whole + illegal).repeat(800)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The digests of two rows are found out together, and anything may stand between the two.
    #[test]
    fn every_row_has_its_own_digests_in_its_place(kinds in proptest::collection::vec(0..8usize, 0..60)) {
        const LINES: [&str; 8] = [
            WALL,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
            "rubbish",
            "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7",
            "8/8/8/8/8/8/8/K7 w - - 0 1",
            "# comment",
        ];
        let text: String = kinds.iter().map(|&kind| format!("{}\n", LINES[kind])).collect();
        let report = scan_with("x.fen", text.as_bytes(), threads(1));
        let written = (1u64..).zip(&kinds).filter(|&(_, &kind)| kind != 7);
        let expected = written.map(|(line, &kind)| (line, Assessment::read(LINES[kind]).ok()));
        let (rows, expected): (Vec<_>, Vec<_>) = (report.rows, expected.collect());
        prop_assert_eq!(rows.len(), expected.len());
        for (row, (line, assessment)) in rows.iter().zip(&expected) {
            prop_assert_eq!(row.place.line, Some(*line));
            let found = row.finding.as_ref().map(|found| (&*found.fen, found.digest, found.position_digest));
            let expected = assessment.as_ref().map(|its| {
                (its.canonical_text(), Some(its.structural_digest()), Some(its.position_digest()))
            });
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_rows() {
    for (name, text) in [("x.fen", lines(5000)), ("x.pgn", games())] {
        let one = scan_with(name, text.as_bytes(), threads(1));
        for count in [2, 3, 17] {
            let many = scan_with(name, text.as_bytes(), threads(count));
            assert!(one.rows == many.rows, "{name} with {count} threads");
            assert_eq!(one.counts, many.counts, "{name} with {count} threads");
            let mut options = threads(count);
            options.unique = true;
            let unique = scan_with(name, text.as_bytes(), options);
            assert!(unique.rows == first_of_each(&one.rows), "{name} with {count} threads");
        }
    }
}

/// Rows as JSON lines, in blocks as large as those of rows that become columns.
struct LargeBlocks(JsonLines);

impl Collect for LargeBlocks {
    type Block = Vec<u8>;

    fn push(&mut self, row: &Row) {
        self.0.push(row);
    }

    fn take(&mut self) -> Vec<u8> {
        self.0.take()
    }
}

/// All rows, what was counted, and how many blocks there were.
fn text<C: Collect<Block = Vec<u8>>>(
    text: &str,
    from: Mark,
    collector: impl Fn() -> C,
) -> (Vec<u8>, Counts, Vec<Mark>) {
    let mut inputs = Inputs::new();
    inputs.add_reader("x.pgn", Box::new(std::io::Cursor::new(text.to_owned())));
    let mut options = threads(2);
    options.from = from;
    let (mut rows, mut counts, mut marks) = (Vec::new(), Counts::default(), Vec::new());
    for block in Scan::start(inputs, options, collector).unwrap() {
        let block = block.unwrap();
        rows.extend(block.rows);
        counts.add(&block.counts);
        marks.push(block.mark);
    }
    (rows, counts, marks)
}

#[test]
fn small_blocks_give_the_same_rows_and_can_be_gone_on_from() {
    let games = "; before\n".to_owned() + &games() + "\n\n1. e4 e5 2. Ke2 *";
    let (rows, counts, marks) = text(&games, Mark::default(), JsonLines::new);
    let (large_rows, large_counts, large_marks) =
        text(&games, Mark::default(), || LargeBlocks(JsonLines::new()));
    assert!(rows == large_rows);
    assert_eq!(counts, large_counts);
    assert!(marks.len() > 4 * large_marks.len(), "{} and {}", marks.len(), large_marks.len());

    let from = marks[marks.len() / 2];
    let (rest, ..) = text(&games, from, JsonLines::new);
    assert!(!rest.is_empty() && rest.len() < rows.len() && rows.ends_with(&rest));
}

/// The rows without those that say again what an earlier one said.
fn first_of_each(rows: &[Row]) -> Vec<Row> {
    let mut seen = HashSet::new();
    let is_new = |row: &&Row| row.finding.as_ref().is_none_or(|finding| seen.insert(finding.fen.clone()));
    rows.iter().filter(is_new).cloned().collect()
}

#[test]
fn filters_keep_what_they_name_and_every_error() {
    let text = lines(4000);
    let all = scan_with("x.fen", text.as_bytes(), Options::default());
    for claim in Claim::ALL.into_iter().filter(|claim| !claim.needs_decisions()) {
        let mut options = Options::default();
        options.only = Some([claim].into_iter().collect());
        let some = scan_with("x.fen", text.as_bytes(), options);
        let wanted = |row: &&Row| {
            row.problem.is_some()
                || row.finding.as_ref().is_some_and(|finding| {
                    let permanent = finding.permanent.unwrap();
                    match claim {
                        Claim::Strict => finding.active_components > 1,
                        Claim::Accepted => finding.one_ply == "accepted",
                        Claim::Persistent => permanent.components > 1,
                        Claim::Unwinnable => permanent.unwinnable.white || permanent.unwinnable.black,
                        Claim::Dead => permanent.unwinnable.white && permanent.unwinnable.black,
                        _ => unreachable!(),
                    }
                })
        };
        let expected: Vec<Row> = all.rows.iter().filter(wanted).cloned().collect();
        assert!(some.rows == expected, "{claim}");
        assert!(expected.len() > 200 && expected.len() < all.rows.len(), "{claim}");
        assert_eq!((some.counts.strict, some.counts.dead), (all.counts.strict, all.counts.dead));
    }
}

/// A source that gives a few bytes at a time.
struct Drops<R>(R);

impl<R: Read> Read for Drops<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(997);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn a_slow_source_gives_the_same_rows() {
    for (name, text) in [
        ("x.fen", lines(3000)),
        ("x.pgn", games()),
        ("x.csv", "fen,n\n".to_owned() + &format!("{WALL},1\n").repeat(5000)),
    ] {
        let whole = scan_with(name, text.as_bytes(), Options::default());
        let mut inputs = Inputs::new();
        inputs.add_reader(name, Box::new(Drops(std::io::Cursor::new(text.into_bytes()))));
        let slow = scan_inputs(inputs, Options::default());
        assert!(whole.rows == slow.rows, "{name}");
        assert_eq!(whole.counts, slow.counts, "{name}");
    }
}

/// The report of a scan that ends after some blocks, and of one that begins there.
fn in_two_runs(sources: &[(&str, String)], options: &Options, blocks: usize) -> (Report, Mark) {
    let inputs = || {
        let mut inputs = Inputs::new();
        for (name, text) in sources {
            inputs.add_reader(name, Box::new(std::io::Cursor::new(text.clone().into_bytes())));
        }
        inputs
    };
    let mut rows = Vec::new();
    let mut counts = Counts::default();
    let mut mark = Mark::default();
    let first = Scan::start(inputs(), options.clone(), bitmesh_corpus::Rows::default).unwrap();
    for block in first.take(blocks) {
        let block = block.unwrap();
        rows.extend(block.rows);
        counts.add(&block.counts);
        mark = block.mark;
    }
    let mut options = options.clone();
    options.from = mark;
    let second = scan_inputs(inputs(), options);
    rows.extend(second.rows);
    counts.add(&second.counts);
    (Report { rows, counts, remarks: Vec::new() }, mark)
}

#[test]
fn a_scan_goes_on_where_another_one_ended() {
    let table = format!("n,fen\n{}", format!("1,{WALL}\n\n").repeat(2000));
    let overlong = format!("{}\n{WALL}\n", "x".repeat(300_000));
    let sources = [
        ("a.fen", lines(5000)),
        ("b.pgn", games()),
        ("c.csv", table),
        ("d.fen", overlong),
        ("e.fen", String::new()),
    ];
    for unique in [false, true] {
        let mut options = threads(2);
        options.unique = unique;
        let (whole, _) = in_two_runs(&sources, &options, 0);
        let mut marks = HashSet::new();
        for blocks in 0.. {
            let (parts, mark) = in_two_runs(&sources, &options, blocks);
            assert!(whole.rows == parts.rows, "unique {unique}, {blocks} blocks, {mark:?}");
            assert_eq!(whole.counts, parts.counts, "unique {unique}, {blocks} blocks");
            if !marks.insert((mark.source, mark.record)) {
                break;
            }
        }
        assert!(marks.len() > 10, "{}", marks.len());
    }
}

#[test]
fn a_scan_can_be_stopped_and_gives_whole_records() {
    let text = format!("{WALL}\n").repeat(200_000);
    let mut inputs = Inputs::new();
    inputs.add_reader("x.fen", Box::new(std::io::Cursor::new(text.into_bytes())));
    let mut scan = Scan::start(inputs, threads(2), JsonLines::new).unwrap();
    let first = scan.next().unwrap().unwrap();
    scan.stop();
    let mut rows = first.rows;
    let mut mark = first.mark;
    for block in scan {
        let block = block.unwrap();
        rows.extend(block.rows);
        mark = block.mark;
    }
    let text = String::from_utf8(rows).unwrap();
    assert!(text.ends_with("}\n"));
    assert_eq!(text.lines().count() as u64, mark.record);
    assert!(mark.record < 200_000);
}

/// A source that never says anything.
struct Silence(std::sync::mpsc::Receiver<()>);

impl Read for Silence {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        let _ = self.0.recv();
        Ok(0)
    }
}

#[test]
fn stopping_does_not_wait_for_a_silent_source() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut inputs = Inputs::new();
    inputs.add_reader("a.fen", Box::new(std::io::Cursor::new(format!("{WALL}\n").into_bytes())));
    inputs.add_reader("pipe", Box::new(Silence(receiver)));
    let mut scan = Scan::start(inputs, threads(2), JsonLines::new).unwrap();
    assert!(scan.next().is_some());
    scan.stop();
    assert!(scan.next().is_none());
    drop(sender);
}

#[test]
fn a_million_lines_are_a_million_rows() {
    const COUNT: usize = 1_000_000;
    let mut inputs = Inputs::new();
    let portion = format!("{WALL}\n").into_bytes();
    inputs.add_reader("x.fen", Box::new(Drops(std::io::Cursor::new(portion.repeat(COUNT)))));
    let mut counts = Counts::default();
    let mut newlines = 0;
    for block in Scan::start(inputs, threads(2), JsonLines::new).unwrap() {
        let block = block.unwrap();
        newlines += block.rows.iter().filter(|&&byte| byte == b'\n').count();
        counts.add(&block.counts);
        assert_eq!(block.mark.record, counts.records);
    }
    assert_eq!(newlines, COUNT);
    assert_eq!((counts.rows, counts.dead, counts.records), (COUNT as u64, COUNT as u64, COUNT as u64));
}

#[test]
fn files_that_are_unpacked_ahead_come_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let texts: Vec<String> = (1..=9).map(|count| lines(count * 40)).collect();
    for (index, text) in texts.iter().enumerate() {
        let (bytes, packing) = match index % 4 {
            0 => (gzip(text.as_bytes()), ".gz"),
            1 => (zstd(text.as_bytes()), ".zst"),
            2 => (text.as_bytes().to_vec(), ""),
            _ => (bzip2(text.as_bytes()), ".bz2"),
        };
        std::fs::write(folder.path().join(format!("{index}.fen{packing}")), bytes).unwrap();
    }
    // One of them ends too early, and what follows it is read all the same.
    let cut = gzip(lines(2000).as_bytes());
    std::fs::write(folder.path().join("4.fen.gz"), &cut[..cut.len() / 2]).unwrap();
    let scan = |count| {
        let mut inputs = Inputs::new();
        inputs.add_path(folder.path(), &[]).unwrap();
        scan_inputs(inputs, threads(count))
    };
    let one = scan(1);
    assert_eq!(one.counts.broken_sources, 1);
    let names: Vec<&str> = one.rows.iter().map(|row| &*row.source).collect();
    assert!(names.is_sorted(), "one file after the other");
    for (index, text) in texts.iter().enumerate().filter(|(index, _)| *index != 4) {
        let alone = scan_with("x.fen", text.as_bytes(), threads(1));
        let start = format!("{}.fen", index);
        let of_file = one
            .rows
            .iter()
            .filter(|row| row.source.rsplit(['/', '\\']).next().is_some_and(|name| name.starts_with(&start)));
        let said = |row: &Row| (row.place, row.finding.clone(), row.problem.clone());
        assert!(of_file.map(said).eq(alone.rows.iter().map(said)), "{index}");
    }
    for count in [2, 5] {
        let many = scan(count);
        assert!(one.rows == many.rows, "{count} threads");
        assert_eq!(one.counts, many.counts, "{count} threads");
    }
}
