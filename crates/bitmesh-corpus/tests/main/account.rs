//! Every byte of an input belongs to a record, to a named part that is nothing to read, or to an error; and every
//! record is there, whatever was done to the text.

use bitmesh_corpus::{Format, Inputs, Mark, Options, Records, Row, Rows, Scan};
use proptest::prelude::*;

use crate::support::{Report, case_path, scan, scan_inputs, scan_with};

/// Makes sure that all of it is accounted for.
fn accounts(report: &Report, length: usize, what: &str) {
    let counts = &report.counts;
    assert!(counts.bytes_add_up(), "{what}: {counts:?}");
    if counts.broken_sources == 0 {
        assert_eq!(counts.bytes, length as u64, "{what}: {counts:?}");
    } else {
        assert!(counts.bytes <= length as u64, "{what}: {counts:?}");
    }
    // Whatever failed has a row, and whatever has a row failed or was read.
    assert!(counts.error_rows + counts.boards >= counts.failed.min(1), "{what}: {counts:?}");
    assert!(counts.failed == 0 || !report.errors().is_empty(), "{what}: {counts:?}");
}

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

/// Positions, boards that are none, and what is neither.
const LINES: [&str; 7] = [
    WALL,
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "k1K5/P7/8/8/8/8/8/8 b - - 0 1",
    "8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8 w - - 0 1",
    "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP/RNBQKBNR w KQkq - 0 1",
];

/// A collection of every format of text.
fn collections() -> Vec<(&'static str, String)> {
    let wall = WALL;
    vec![
        ("x.fen", format!("# comment\n\n{wall}\n{wall} gameid\r\n{wall} bm Kb1; id \"a;b\"\n\n{wall}")),
        ("x.epd", format!("{} bm Kb1;\n{wall}\n", wall.replace(" 0 1", ""))),
        ("x.pgn", "\n\n[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {a [b] (c} Kd8 (1... Kf7) *\n\n% x\n\n[Event \"b\"]\n\n1. e2e4 e5 2. Nf3 1-0\n\n\n1. d4 d5 *\n".to_owned()),
        ("x.csv", format!("# comment\nid,fen,note\n1,{wall},a\n\n2,{wall},\"b, \"\"c\"\"\nd\"\n3,{wall},e\n4,{wall},\"f\"\n")),
        ("x.tsv", format!("fen\tid\n{wall}\t1\n{wall}\t2\n")),
        ("y.csv", "id;movetext\n1;1. e4 e5 2. Nf3\n2;\"1. d4\nd5\"\n".to_owned()),
        ("z.csv", format!("1,2,\"a, b\",{wall}\n\n1,\"2\n2\",3,{wall}\r\n4,5,6,{wall}\n")),
        ("z.tsv", "id\tnote\tplacement\tturn\tcastling\n1\ta\t7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7\tw\t-\n2\t\"b\nc\"\t7k/8/8/8/8/8/8/K7\tb\t-\n".to_owned()),
        ("w.csv", format!("id|a|b|fen|moves\n1|2|3|{wall}|a1b1 h8g8\n2|\"3\"\"\n\"|4|{wall}|\n")),
        ("v.csv", "id,site,pgn\n1,x,1. e4 e5\n2,\"y\nz\",\"1. e4\nd5\"\n".to_owned()),
        ("x.jsonl", format!("{{\"fen\":\"{wall}\",\"a\":[1,{{\"b\":2}}]}}\n\n{{\"a\":1,\"fen\":\"{wall}\"}}\n")),
        ("x.plain", format!("fen {wall}\nmove a1b1\nscore 0\nply 1\nresult 0\ne\nfen {wall}\nmove a1b1\nscore 3\ne\n")),
        ("x.txt", format!("position startpos moves e2e4\nposition fen {wall} moves a1b1\n")),
    ]
}

#[test]
fn every_case_adds_up() {
    for folder in ["", "round2"] {
        for entry in std::fs::read_dir(case_path(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_text =
                ["gz", "zst", "parquet"].iter().all(|end| !name.ends_with(end)) && !name.contains("utf16");
            if path.is_file() && is_text {
                let bytes = std::fs::read(&path).unwrap();
                accounts(&scan(&name, bytes.clone()), bytes.len(), &name);
            }
        }
    }
}

#[test]
fn every_collection_adds_up_and_reads_all() {
    for (name, text) in collections() {
        let report = scan(name, text.clone());
        accounts(&report, text.len(), name);
        assert!(report.errors().is_empty(), "{name}: {:?}", report.errors());
        let marked = format!("\u{feff}{text}\x1a\0\0");
        let marked_report = scan(name, marked.clone());
        accounts(&marked_report, marked.len(), name);
        assert_eq!(marked_report.rows.len(), report.rows.len(), "{name}");
        assert_eq!(marked_report.counts.bytes_skipped["byte order mark"], 3);
        assert_eq!(marked_report.counts.bytes_skipped["end mark"], 3);
    }
}

/// What is done to a text.
#[derive(Clone, Debug)]
enum Change {
    Put(usize, u8),
    Insert(usize, u8),
    Remove(usize, usize),
    Repeat(usize, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let byte = prop::sample::select(&b"\"\n\r\0\x1a#,;\t|{}()[]%* 1.eK\xff/"[..]);
    let change = prop_oneof![
        (any::<usize>(), byte.clone()).prop_map(|(at, byte)| Change::Put(at, byte)),
        (any::<usize>(), byte).prop_map(|(at, byte)| Change::Insert(at, byte)),
        (any::<usize>(), 1..40usize).prop_map(|(at, length)| Change::Remove(at, length)),
        (any::<usize>(), 1..200usize).prop_map(|(at, length)| Change::Repeat(at, length)),
    ];
    prop::collection::vec(change, 1..6)
}

fn apply(text: &str, changes: &[Change]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for change in changes {
        let place = |at: usize| at % (bytes.len() + 1);
        match *change {
            Change::Put(at, byte) => {
                let at = place(at).min(bytes.len().saturating_sub(1));
                if let Some(place) = bytes.get_mut(at) {
                    *place = byte;
                }
            }
            Change::Insert(at, byte) => bytes.insert(place(at), byte),
            Change::Remove(at, length) => {
                let at = place(at);
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Change::Repeat(at, length) => {
                let at = place(at);
                let part = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    bytes
}

fn one_thread() -> Options {
    let mut options = Options::default();
    options.threads = std::num::NonZeroUsize::MIN;
    options
}

/// Games, lines with positions, and what lies between them.
const MIXED: [&str; 8] = [
    "1. e4 *\n",
    "[Event \"?\"]\n\n1. d4 d5\n\n",
    "1. c4\n",
    "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1\n",
    "8/8/4k3/8/8/3K4/8/6N1 w - -\n",
    "# a comment\n",
    "\n",
    "{a comment\n",
];

/// A reader that gives a few bytes at a time.
struct Trickle(std::io::Cursor<Vec<u8>>, usize);

impl std::io::Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(&mut buffer[..self.1])
    }
}

/// The rows of games, and after how many of them each mark stands.
fn marked_rows(text: &str, from: Mark, unique: bool) -> (Vec<Row>, Vec<(Mark, usize)>) {
    let mut options = one_thread();
    options.format = Some(Format::Pgn);
    (options.from, options.unique) = (from, unique);
    let mut inputs = Inputs::new();
    inputs.add_reader("x.pgn", Box::new(std::io::Cursor::new(text.as_bytes().to_vec())));
    let (mut rows, mut marks) = (Vec::new(), Vec::new());
    for block in Scan::start(inputs, options, Rows::default).unwrap() {
        let block = block.unwrap();
        assert!(block.counts.bytes_add_up(), "{text}: {:?}", block.counts);
        rows.extend(block.rows);
        marks.push((block.mark, rows.len()));
    }
    (rows, marks)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Lines with positions among games cost an error and nothing else, and whoever reads both misses none of them.
    #[test]
    fn positions_among_games_are_told_apart(parts in prop::collection::vec(0..MIXED.len(), 1..12), at_once in 1..40usize) {
        let text: String = parts.iter().map(|&part| MIXED[part]).collect();
        let mut options = one_thread();
        options.format = Some(Format::Pgn);
        let report = scan_with("x.pgn", text.clone(), options.clone());
        accounts(&report, text.len(), &text);
        let mut inputs = Inputs::new();
        let slowly = Trickle(std::io::Cursor::new(text.clone().into_bytes()), at_once);
        inputs.add_reader("x.pgn", Box::new(slowly));
        let slowly = scan_inputs(inputs, options);
        prop_assert_eq!(&slowly.rows, &report.rows);
        prop_assert_eq!(&slowly.counts, &report.counts);

        for unique in [false, true] {
            let (rows, marks) = marked_rows(&text, Mark::default(), unique);
            for (mark, before) in marks {
                prop_assert_eq!(&marked_rows(&text, mark, unique).0[..], &rows[before..], "{}", text);
            }
        }

        let records: Vec<_> =
            Records::new(Box::new(text.clone().into_bytes().leak() as &[u8])).unwrap().map(Result::unwrap).collect();
        let slowly = Trickle(std::io::Cursor::new(text.clone().into_bytes()), at_once);
        let slowly: Vec<_> = Records::new(Box::new(slowly)).unwrap().map(Result::unwrap).collect();
        prop_assert_eq!(&slowly, &records);
        if !text.contains('{') {
            let lines = records.iter().filter(|record| record.place.line.is_some());
            let lines: Vec<usize> = lines.map(|record| record.place.line.unwrap() as usize).collect();
            let positions: Vec<usize> =
                (1..).zip(text.lines()).filter(|(_, line)| line.contains("k3") || line.starts_with("7k")).map(|(line, _)| line).collect();
            // After a position, a game begins where its text shows it: here, always.
            prop_assert_eq!(lines, positions, "{}", text);
            let games = records.len() - records.iter().filter(|record| record.place.line.is_some()).count();
            let read = report.counts.read as usize;
            prop_assert!(games >= read, "{}: {} games and {} read", text, games, read);
        }
    }

    #[test]
    fn whatever_is_done_to_a_text_every_byte_is_accounted_for(which in 0..collections().len(), changes in changes(), variations in any::<bool>()) {
        let (name, text) = &collections()[which];
        let bytes = apply(text, &changes);
        let mut options = one_thread();
        options.variations = variations;
        accounts(&scan_with(name, bytes.clone(), options), bytes.len(), &format!("{name} {changes:?}"));
    }

    #[test]
    fn any_reader_accounts_for_any_text(which in 0..collections().len(), format in 0..6usize, changes in changes()) {
        let formats = [Format::Lines, Format::Pgn, Format::Csv, Format::Tsv, Format::JsonLines, Format::Plain];
        let (name, text) = &collections()[which];
        let bytes = apply(text, &changes);
        let mut options = one_thread();
        options.format = Some(formats[format]);
        accounts(&scan_with(name, bytes.clone(), options), bytes.len(), &format!("{name} {format} {changes:?}"));
    }

    /// What a row says does not depend on the rows before it and after it.
    #[test]
    fn rows_say_what_they_say_alone(lines in prop::collection::vec(0..LINES.len(), 1..12), digests in any::<bool>()) {
        let mut options = one_thread();
        options.extra.without_digests = !digests;
        let text: String = lines.iter().map(|&line| format!("{}\n", LINES[line])).collect();
        let together = scan_with("x.fen", text, options.clone());
        prop_assert_eq!(together.rows.len(), lines.len());
        for (row, &line) in together.rows.iter().zip(&lines) {
            let alone = scan_with("x.fen", format!("{}\n", LINES[line]), options.clone());
            let [alone] = &alone.rows[..] else { panic!("one row") };
            prop_assert_eq!(&row.finding, &alone.finding);
            prop_assert_eq!(&row.problem, &alone.problem);
        }
    }

    /// A quote that is put anywhere into a table costs no more rows than the quotes that were put, wherever the
    /// positions stand.
    #[test]
    fn a_stray_quote_costs_a_row_at_most(places in prop::collection::vec(any::<usize>(), 1..4), rows in 1..30usize, before in 0..5usize) {
        let notes = |row: usize| (0..before).map(|column| format!("note {row} {column},")).collect::<String>();
        let mut text: String = (0..rows).map(|row| format!("{}{WALL},{row}\n", notes(row))).collect();
        let header = format!("{}fen,id\n", (0..before).map(|column| format!("n{column},")).collect::<String>());
        text.insert_str(0, &header);
        for &place in &places {
            text.insert(header.len() + place % (text.len() - header.len()), '"');
        }
        let report = scan_with("x.csv", text.clone(), one_thread());
        let good = report.rows.iter().filter(|row| row.problem.is_none()).count();
        prop_assert!(good + places.len() >= rows, "{text}: {:?}", report.errors());
        prop_assert_eq!(report.rows.len(), rows, "{}: {:?}", text, report.errors());
    }
}

/// A line of fewer cells than the one where the position stands, inside a quote that is open.
#[test]
fn a_short_line_after_a_stray_quote_is_no_row() {
    for line in ["x", "", "x,y", "\"", ",", "x\"y"] {
        let text = format!("a,b,c,fen\n1,2,\"3\n{line}\n4,5,6,{WALL}\n");
        let report = scan_with("x.csv", text.clone(), one_thread());
        accounts(&report, text.len(), line);
        assert_eq!(report.counts.positions, 1, "{line}: {:?}", report.errors());
    }
}

#[test]
fn a_source_that_does_not_exist_is_counted_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.fen");
    let mut inputs = Inputs::new();
    for path in [&missing, folder.path()] {
        let error = inputs.add_path(path, &[]).unwrap_err();
        inputs.refuse_path(path, &error);
    }
    let counts = scan_inputs(inputs, Options::default()).counts;
    assert_eq!((counts.broken_sources, counts.missing_sources), (2, 1));

    // So is a file that goes away after it was found.
    std::fs::write(&missing, "8/8/8/8/8/8/8/K1k5\n").unwrap();
    let mut inputs = Inputs::new();
    inputs.add_path(&missing, &[]).unwrap();
    std::fs::remove_file(&missing).unwrap();
    let counts = scan_inputs(inputs, Options::default()).counts;
    assert_eq!((counts.broken_sources, counts.missing_sources, counts.records), (1, 1, 0));
}
