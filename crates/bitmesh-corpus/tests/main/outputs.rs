//! Files of rows: complete or not there, and gone on with after a kill.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use bitmesh_corpus::output::{
    Opened, OutputError, ParquetFile, ParquetStream, PartialFile, RowFormat, Sink, TextFile, TextStream,
    Unfinished,
};
use bitmesh_corpus::{Batches, Collect, Counts, Csv, Extra, Inputs, JsonLines, Options, Scan};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::support::{Report, scan_with};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

fn text() -> String {
    // Long comments: many blocks, few rows.
    let comment = "word ".repeat(100);
    let game = format!("[Event \"x, \\\"y\\\"\"]\n\n1. e4 {{{comment}}} e5 2. Nf3 Nc6 3. Bb5 Kd3 *\n\n");
    let games = game.repeat(1200);
    format!("[FEN \"{WALL}\"]\n\n1. Kb1 Kg8 *\n\n{games}")
}

fn description() -> Vec<String> {
    vec!["games.pgn".to_owned(), "all rows".to_owned()]
}

fn open(path: &Path, resume: bool, form: RowFormat) -> PartialFile {
    let unfinished = if resume { Unfinished::Resume } else { Unfinished::Restart };
    match PartialFile::open(path, &description(), unfinished, &form.header()).unwrap() {
        Opened::File(file) => file,
        Opened::Complete => panic!("{} is complete", path.display()),
    }
}

/// The rows of [`text`], collected in one block after the other.
fn collected<C: Collect>(without_digests: bool, collector: impl Fn(&Extra) -> C) -> Vec<C::Block> {
    let mut inputs = Inputs::new();
    inputs.add_reader("x.pgn", Box::new(std::io::Cursor::new(text())));
    let mut options = Options::default();
    options.extra.offset = true;
    options.extra.without_digests = without_digests;
    let extra = options.extra.clone();
    Scan::start(inputs, options, || collector(&extra)).unwrap().map(|block| block.unwrap().rows).collect()
}

#[test]
fn rows_without_digests_are_the_others_without_two_columns() {
    const DIGESTS: [&str; 2] = ["digest", "position_digest"];
    let objects = |without| {
        let text = collected(without, JsonLines::with_extra).concat();
        let lines = serde_json::Deserializer::from_slice(&text).into_iter();
        lines.collect::<Result<Vec<serde_json::Map<String, serde_json::Value>>, _>>().unwrap()
    };
    let mut all = objects(false);
    for object in &mut all {
        for digest in DIGESTS {
            assert!(object.shift_remove(digest).is_some());
        }
    }
    let slim = objects(true);
    assert!(slim.len() > 5000 && slim == all);
    let keys = |object: &serde_json::Map<_, _>| object.keys().cloned().collect::<Vec<String>>();
    assert!(slim.iter().all(|object| keys(object) == keys(&all[0])));

    let mut extra = Extra::default();
    (extra.offset, extra.without_digests) = (true, true);
    let header = Csv::header_with(&extra);
    let columns: Vec<&str> = header.trim().split(',').collect();
    assert_eq!(columns[..], keys(&slim[0])[1..]);
    let csv = String::from_utf8(collected(true, Csv::with_extra).concat()).unwrap();
    // The only text with a comma is the tag, which is not carried along.
    assert!(
        csv.lines().count() == slim.len() && csv.lines().all(|line| line.split(',').count() == columns.len())
    );

    let batches = collected(true, Batches::with_extra);
    let names: Vec<_> = batches[0].schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    assert_eq!(names, columns);
    let wide = collected(false, Batches::with_extra);
    assert_eq!(batches.len(), wide.len());
    for (batch, wide) in batches.iter().zip(&wide) {
        for name in &columns {
            assert_eq!(batch.column_by_name(name), wide.column_by_name(name), "{name}");
        }
    }
}

/// Scans from where the file is and ends without a word after some blocks, as a kill does.
fn run<C: Collect, S: Sink<C::Block>>(
    file: PartialFile,
    collector: fn() -> C,
    sink: fn(PartialFile) -> S,
    blocks: usize,
) -> Option<Counts> {
    let mut options = Options::default();
    options.threads = NonZeroUsize::new(2).unwrap();
    options.from = file.mark();
    let mut inputs = Inputs::new();
    inputs.add_reader("games.pgn", Box::new(std::io::Cursor::new(text().into_bytes())));
    let mut sink = sink(file);
    for (index, block) in Scan::start(inputs, options, collector).unwrap().enumerate() {
        if index == blocks {
            // Neither the end of the sink nor that of the file is run.
            std::mem::forget(sink);
            return None;
        }
        let block = block.unwrap();
        sink.write(&block.rows, &block.counts, block.mark).unwrap();
    }
    sink.finish(true).unwrap();
    Some(sink.counts().clone())
}

fn check_kills<C: Collect, S: Sink<C::Block>>(
    name: &str,
    form: RowFormat,
    collector: fn() -> C,
    sink: fn(PartialFile) -> S,
    read: fn(&Path) -> Vec<String>,
) {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join(format!("whole.{name}"));
    let counts = run(open(&whole, false, form), collector, sink, usize::MAX).unwrap();
    let right = read(&whole);
    assert_eq!(counts.rows, counts.positions + counts.error_rows);
    for blocks in 0..6 {
        let path = folder.path().join(format!("killed-{blocks}.{name}"));
        assert!(run(open(&path, false, form), collector, sink, blocks).is_none());
        // Killed twice, at different places.
        assert!(run(open(&path, true, form), collector, sink, 1).is_none());
        assert!(!path.exists());
        let [partial, journal] = PartialFile::names(&path);
        assert!(partial.exists() && journal.exists());
        // Rows behind the last entry, one of them torn, as if the system had been faster than the journal.
        let mut bytes = fs::read(&partial).unwrap();
        bytes.extend(b"{\"schema\":\"bitmesh.scan.v1\",\"source\":\"torn");
        fs::write(&partial, bytes).unwrap();
        let mut entries = fs::read(&journal).unwrap();
        entries.extend(b"{\"bytes\":17,\"ma");
        fs::write(&journal, entries).unwrap();

        let total = run(open(&path, true, form), collector, sink, usize::MAX).unwrap();
        assert!(read(&path) == right, "{name} killed after {blocks} blocks");
        assert_eq!(total, counts, "{name} killed after {blocks} blocks");
        assert!(!partial.exists() && !journal.exists());
        let again = PartialFile::open(&path, &description(), Unfinished::Resume, "").unwrap();
        assert!(matches!(again, Opened::Complete));
    }
}

fn read_lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn batches_of(path: &Path) -> Vec<RecordBatch> {
    let file = fs::File::open(path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    reader.map(Result::unwrap).collect()
}

/// A cell as text, empty where it is null.
fn show_cell(column: &dyn Array, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let items: Vec<String> = (0..items.len()).map(|item| show_cell(&items, item)).collect();
            format!("[{}]", items.join(", "))
        }
        other => panic!("no column holds {other}"),
    }
}

/// Each row as text, column by column.
fn read_parquet(path: &Path) -> Vec<String> {
    let show = |batch: &RecordBatch, row: usize| {
        let cells = batch.columns().iter().map(|column| show_cell(column, row));
        cells.collect::<Vec<_>>().join("\t")
    };
    let rows_of = |batch: RecordBatch| (0..batch.num_rows()).map(|row| show(&batch, row)).collect::<Vec<_>>();
    batches_of(path).into_iter().flat_map(rows_of).collect()
}

#[test]
fn no_kill_loses_or_doubles_a_row_of_json() {
    check_kills("jsonl", RowFormat::JsonLines, JsonLines::new, TextFile::new, read_lines);
}

#[test]
fn no_kill_loses_or_doubles_a_row_of_csv() {
    check_kills("csv", RowFormat::Csv, Csv::new, TextFile::new, read_lines);
}

#[test]
fn no_kill_loses_or_doubles_a_row_of_parquet() {
    check_kills("parquet", RowFormat::Parquet, Batches::new, ParquetFile::new, read_parquet);
}

/// Interrupted as Ctrl-C does it: the sink ends, but not complete.
#[test]
fn an_interrupted_parquet_file_is_made_of_parts_and_joined() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut blocks = 0;
    loop {
        let file = open(&path, blocks > 0, RowFormat::Parquet);
        let mut options = Options::default();
        options.from = file.mark();
        let mut inputs = Inputs::new();
        inputs.add_reader("games.pgn", Box::new(std::io::Cursor::new(text().into_bytes())));
        let mut sink = ParquetFile::new(file);
        let block = Scan::start(inputs, options, Batches::new).unwrap().next();
        let Some(block) = block else {
            sink.finish(true).unwrap();
            break;
        };
        let block = block.unwrap();
        sink.write(&block.rows, &block.counts, block.mark).unwrap();
        sink.finish(false).unwrap();
        blocks += 1;
    }
    assert!(blocks > 2);
    let groups = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(groups.metadata().num_row_groups(), blocks);
    assert_eq!(groups.schema().metadata()["schema"], "bitmesh.scan.v1");
    let whole = folder.path().join("whole.parquet");
    run(open(&whole, false, RowFormat::Parquet), Batches::new, ParquetFile::new, usize::MAX).unwrap();
    assert!(read_parquet(&path) == read_parquet(&whole));
}

#[test]
fn all_forms_hold_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    run(open(&path("r.jsonl"), false, RowFormat::JsonLines), JsonLines::new, TextFile::new, usize::MAX);
    run(open(&path("r.csv"), false, RowFormat::Csv), Csv::new, TextFile::new, usize::MAX);
    run(open(&path("r.parquet"), false, RowFormat::Parquet), Batches::new, ParquetFile::new, usize::MAX);

    let json = read_lines(&path("r.jsonl"));
    let csv = read_lines(&path("r.csv"));
    let parquet = read_parquet(&path("r.parquet"));
    assert_eq!(csv[0], bitmesh_corpus::COLUMNS.join(","));
    assert_eq!((json.len(), csv.len() - 1), (parquet.len(), parquet.len()));
    for ((json, csv), parquet) in json.iter().zip(&csv[1..]).zip(&parquet) {
        let json: serde_json::Value = serde_json::from_str(json).unwrap();
        let cells: Vec<&str> = parquet.split('\t').collect();
        let csv: Vec<&str> = csv.split(',').collect();
        for (index, column) in bitmesh_corpus::COLUMNS.into_iter().enumerate() {
            let (as_csv, as_parquet) = match &json[column] {
                serde_json::Value::Null => (String::new(), String::new()),
                serde_json::Value::String(text) => (text.clone(), text.clone()),
                serde_json::Value::Array(squares) => {
                    let names: Vec<&str> = squares.iter().map(|square| square.as_str().unwrap()).collect();
                    (names.join(" "), format!("[{}]", names.join(", ")))
                }
                other => (other.to_string(), other.to_string()),
            };
            assert_eq!(csv[index], as_csv, "{column}");
            assert_eq!(cells[index], as_parquet, "{column}");
        }
    }
}

#[test]
fn another_scan_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    assert!(run(open(&path, false, RowFormat::JsonLines), JsonLines::new, TextFile::new, 2).is_none());
    let other = vec!["games.pgn".to_owned(), "only dead".to_owned()];
    match PartialFile::open(&path, &other, Unfinished::Resume, "") {
        Err(error @ OutputError::OtherScan { .. }) => {
            assert_eq!(error.code(), "output/other-scan");
            assert!(error.to_string().contains("(then: all rows; now: only dead)"), "{error}");
        }
        _ => panic!("gone on with another scan"),
    }
    let [_, journal] = PartialFile::names(&path);
    let whole = fs::read(&journal).unwrap();
    for damage in [&b"rubbish\n"[..], b"\xff\xfe\n"] {
        fs::write(&journal, [&whole, damage].concat()).unwrap();
        let opened = PartialFile::open(&path, &description(), Unfinished::Resume, "");
        let Err(error @ OutputError::BadJournal { .. }) = opened else { panic!("gone on with rubbish") };
        assert!(error.to_string().ends_with("begin again with --restart"), "{error}");
    }
    assert!(PartialFile::open(&path, &description(), Unfinished::Restart, "").is_ok());
}

#[test]
fn files_that_no_scan_has_written_stay() {
    for extension in ["partial", "journal", "joined"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let other = folder.path().join(format!("rows.csv.{extension}"));
        fs::write(&other, "mine\n").unwrap();
        for unfinished in [Unfinished::Refuse, Unfinished::Resume, Unfinished::Restart] {
            let Err(error) = PartialFile::open(&path, &description(), unfinished, "") else {
                panic!("{extension} is written over")
            };
            assert_eq!(error.code(), "output/foreign-file");
            assert!(error.to_string().contains(&other.display().to_string()), "{error}");
        }
        assert_eq!(fs::read(&other).unwrap(), b"mine\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // What a power failure leaves of a journal is one.
        if extension == "journal" {
            for rest in [&b""[..], b"\0\0\0", b"{\"schema\":\"bitm"] {
                fs::write(&other, rest).unwrap();
                assert!(PartialFile::open(&path, &description(), Unfinished::Refuse, "").is_ok());
            }
        }
    }
}

#[test]
fn an_output_that_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    for place in [&path, &PartialFile::names(&path)[0], &PartialFile::names(&path)[1]] {
        fs::create_dir(place).unwrap();
        for unfinished in [Unfinished::Refuse, Unfinished::Resume, Unfinished::Restart] {
            let Err(error) = PartialFile::open(&path, &description(), unfinished, "") else {
                panic!("{} is written", place.display())
            };
            assert_eq!(error.code(), "output/not-a-file");
        }
        fs::remove_dir(place).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn the_mode_of_a_replaced_file_stays() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    for given in [0o600, 0o664, 0o440] {
        for form in [RowFormat::JsonLines, RowFormat::Parquet] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("rows");
            fs::write(&path, "before").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(given)).unwrap();
            let file = open(&path, false, form);
            let [partial, _] = PartialFile::names(&path);
            assert_eq!(mode(&partial), given | 0o600);
            match form {
                RowFormat::Parquet => ParquetFile::new(file).finish(true).unwrap(),
                _ => TextFile::new(file).finish(true).unwrap(),
            }
            assert_eq!(mode(&path), given);
            assert_ne!(fs::read(&path).unwrap(), b"before");
        }
    }
}

#[test]
fn altered_rows_are_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let mut sink = TextFile::new(open(&path, false, RowFormat::JsonLines));
    sink.write(&b"one\ntwo\n".to_vec(), &Counts::default(), Default::default()).unwrap();
    sink.finish(false).unwrap();
    let [partial, _] = PartialFile::names(&path);
    let rows = fs::read(&partial).unwrap();
    let PartialLength(kept) = PartialLength::of(&path);
    assert!(kept > 0);
    for at in [0, kept / 2, kept - 1] {
        let mut altered = rows.clone();
        altered[at] ^= 1;
        fs::write(&partial, altered).unwrap();
        let Err(error) = PartialFile::open(&path, &description(), Unfinished::Resume, "") else {
            panic!("gone on with altered rows")
        };
        assert_eq!(error.code(), "output/altered");
    }
    // What comes behind the last entry is cut off anyway.
    fs::write(&partial, [&rows[..kept], b"rubbish"].concat()).unwrap();
    assert!(PartialFile::open(&path, &description(), Unfinished::Resume, "").is_ok());
}

/// Length of the rows that the last entry of the journal vouches for.
struct PartialLength(usize);

impl PartialLength {
    fn of(path: &Path) -> Self {
        let [_, journal] = PartialFile::names(path);
        let lines = read_lines(&journal);
        let entry: serde_json::Value = serde_json::from_str(lines.last().unwrap()).unwrap();
        Self(entry["bytes"].as_u64().unwrap().try_into().unwrap())
    }
}

#[test]
fn rows_of_an_interrupted_scan_are_only_thrown_away_when_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    assert!(run(open(&path, false, RowFormat::JsonLines), JsonLines::new, TextFile::new, 2).is_none());
    let [partial, _] = PartialFile::names(&path);
    fs::write(&partial, "rows\n").unwrap();
    let Err(error) = PartialFile::open(&path, &description(), Unfinished::Refuse, "") else {
        panic!("begun again")
    };
    assert_eq!(error.code(), "output/begun");
    assert!(error.to_string().contains("--resume") && error.to_string().contains("--restart"), "{error}");
    assert_eq!(fs::read(&partial).unwrap(), b"rows\n");
    open(&path, false, RowFormat::JsonLines);
    assert_eq!(fs::read(&partial).unwrap(), b"");
}

#[test]
fn without_resume_a_scan_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    assert!(run(open(&path, false, RowFormat::JsonLines), JsonLines::new, TextFile::new, 3).is_none());
    let counts = run(open(&path, false, RowFormat::JsonLines), JsonLines::new, TextFile::new, usize::MAX);
    assert_eq!(read_lines(&path).len() as u64, counts.unwrap().rows);
}

#[test]
fn an_empty_scan_gives_an_empty_file_of_its_form() {
    let report: Report = scan_with("x.fen", "", Options::default());
    assert_eq!(report.counts.rows, 0);
    let folder = tempfile::tempdir().unwrap();
    for (name, form, length) in [("r.jsonl", RowFormat::JsonLines, 0), ("r.csv", RowFormat::Csv, 1)] {
        let path = folder.path().join(name);
        TextFile::new(open(&path, false, form)).finish(true).unwrap();
        assert_eq!(read_lines(&path).len(), length, "{name}");
    }
    let path = folder.path().join("r.parquet");
    ParquetFile::new(open(&path, false, RowFormat::Parquet)).finish(true).unwrap();
    assert!(batches_of(&path).is_empty());
    let mut bytes = Vec::new();
    TextStream::new(Path::new("-"), &mut bytes, RowFormat::Csv).finish(true).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), RowFormat::Csv.header());
    let mut bytes = Vec::new();
    ParquetStream::new(Path::new("-"), &mut bytes).unwrap().finish(true).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn certificates_are_kept_under_the_digests_of_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::default();
    options.certificates = Some(folder.path().join("evidence"));
    let text = format!("{WALL}\n{WALL}\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    let report = scan_with("x.fen", text.as_bytes(), options.clone());
    let finding = report.findings()[0].clone();
    let kept = |name: String| fs::read(folder.path().join("evidence").join(name)).unwrap();

    let structure = kept(format!("{}.bmdcert", finding.digest.unwrap()));
    let board = bitmesh::read_position(WALL).unwrap().input.board().clone();
    assert_eq!(structure, bitmesh::certify_decomposition(&board).canonical_payload().unwrap());
    let permanent = kept(format!("{}.bmpersist", finding.position_digest.unwrap()));
    let certificate = bitmesh::persistent::PersistentCertificate::decode(&permanent).unwrap();
    assert!(bitmesh::persistent::check(&certificate).unwrap().dead());
    let binding = kept(format!("{}.bmdposcert", finding.position_digest.unwrap()));
    assert_eq!(bitmesh::PositionBinding::from_canonical_payload(&binding).unwrap().position(), WALL);
    assert_eq!(fs::read_dir(folder.path().join("evidence")).unwrap().count(), 3);

    // Nobody can write certificates into a file.
    fs::write(folder.path().join("file"), "").unwrap();
    options.certificates = Some(folder.path().join("file"));
    let failed = Scan::start(Inputs::new(), options, JsonLines::new);
    assert!(failed.is_err_and(|error| error.code() == "scan/evidence"));
}
