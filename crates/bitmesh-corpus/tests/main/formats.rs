//! Every format in every packing, and what becomes of damage.

use std::sync::Arc;

use arrow_array::builder::{PrimitiveDictionaryBuilder, StringDictionaryBuilder};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, Date32Array, FixedSizeBinaryArray, Int32Array, LargeBinaryArray,
    LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use bitmesh_corpus::{Column, Inputs, Options, Value};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use crate::support::{Report, bzip2, gzip, scan, scan_inputs, scan_with, zstd};

const FENS: [&str; 3] = [
    "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "k6K/8/8/8/8/8/8/8 w - - 0 1",
];

fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    parquet_with(columns, Compression::UNCOMPRESSED)
}

fn parquet_with(columns: Vec<(&str, ArrayRef)>, compression: Compression) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn texts(texts: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

/// The same three positions in every format.
fn collections() -> Vec<(&'static str, Vec<u8>)> {
    let lines = FENS.join("\n");
    let games: String = FENS.iter().map(|fen| format!("[FEN \"{fen}\"]\n\n*\n\n")).collect();
    let table = |delimiter: &str| {
        let rows = FENS.iter().enumerate();
        let rows: String = rows.map(|(id, fen)| format!("{id}{delimiter}{fen}{delimiter}x\n")).collect();
        format!("id{delimiter}FEN{delimiter}note\n{rows}")
    };
    let columns = vec![("id", Arc::new(Int32Array::from(vec![1, 2, 3])) as ArrayRef), ("FEN", texts(&FENS))];
    vec![
        ("x.fen", lines.clone().into_bytes()),
        ("x.epd", lines.replace(" 0 1", " hmvc 0; id \"x\";").into_bytes()),
        ("x.pgn", games.into_bytes()),
        ("x.csv", table(",").into_bytes()),
        ("x.tsv", table("\t").into_bytes()),
        ("x.parquet", parquet(columns)),
    ]
}

type Packing = fn(&[u8]) -> Vec<u8>;

fn packings() -> [(&'static str, Packing); 4] {
    [("", |bytes| bytes.to_vec()), (".gz", gzip), (".bz2", bzip2), (".zst", zstd)]
}

fn is_right(report: &Report, what: &str) {
    assert!(report.counts.all_read(), "{what}: {:?}", report.remarks);
    assert_eq!(report.fens(), FENS, "{what}");
}

#[test]
fn every_format_is_read_in_every_packing_from_files_and_streams() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in collections() {
        for (extension, pack) in packings() {
            let packed = pack(&bytes);
            let name = format!("{name}{extension}");
            let path = folder.path().join(&name);
            std::fs::write(&path, &packed).unwrap();
            let mut inputs = Inputs::new();
            inputs.add_path(&path, &[]).unwrap();
            is_right(&scan_inputs(inputs, Options::default()), &name);
            // Neither packing nor format is taken from the name alone.
            is_right(&scan("no name", packed), &name);
        }
    }
    let mut inputs = Inputs::new();
    inputs.add_path(folder.path(), &[]).unwrap();
    let report = scan_inputs(inputs, Options::default());
    assert_eq!(report.rows.len(), 3 * 6 * 4);
    let sources: Vec<_> = report.rows.iter().map(|row| &row.source).collect();
    assert!(sources.is_sorted());
}

#[test]
fn a_cut_in_any_text_keeps_what_came_before() {
    let lines: String = (0..40_000).map(|_| format!("{}\n", FENS[0])).collect();
    let games = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(20_000);
    let table = format!("fen\n{lines}");
    for (name, text) in [("x.fen", &lines), ("x.pgn", &games), ("x.csv", &table)] {
        for (extension, pack) in packings().into_iter().skip(1) {
            let name = format!("{name}{extension}");
            let whole = scan(&name, pack(text.as_bytes()));
            let mut packed = pack(text.as_bytes());
            packed.truncate(packed.len() * 2 / 3);
            let cut = scan(&name, packed);
            assert_eq!(cut.error_codes().last(), Some(&"stream/truncated"), "{name}");
            assert_eq!(cut.counts.broken_sources, 1, "{name}");
            let rows = cut.findings().len();
            assert!(rows < whole.rows.len(), "{name}");
            // Apart from the record at the cut, everything is as it would have been.
            assert!(cut.error_codes().len() <= 2, "{name}: {:?}", cut.error_codes());
            for (read, right) in cut.rows.iter().zip(&whole.rows).take(rows) {
                assert_eq!(read, right, "{name}");
            }
        }
    }
}

#[test]
fn a_token_at_a_cut_is_not_trusted() {
    // O-O could have become O-O-O, and the position of the line another one.
    let mut packed = zstd(b"1. e4 e5 *\n\n[Event \"2\"]\n\n1. d4 d5 2. N");
    packed.extend(&zstd(&[b'x'; 100])[..12]);
    let report = scan("x.pgn.zst", packed);
    assert_eq!(report.errors(), [("pgn/cut-off", 2, 3), ("stream/truncated", 0, 0)]);
    let mut packed = zstd(format!("{}\n{}", FENS[0], FENS[1]).as_bytes());
    packed.extend(&zstd(&[b'x'; 100])[..12]);
    let report = scan("x.fen.zst", packed);
    assert_eq!(report.fens(), [FENS[0]]);
    assert_eq!(report.errors(), [("line/cut-off", 2, 0), ("stream/truncated", 0, 0)]);
}

#[test]
fn an_empty_file_with_a_packed_name_is_truncated() {
    for name in ["x.fen.gz", "x.pgn.bz2", "x.csv.zst"] {
        assert_eq!(scan(name, "").error_codes(), ["stream/truncated"], "{name}");
    }
    for name in ["x.fen", "x.pgn", "x.csv", "x"] {
        assert!(scan(name, "").counts.all_read(), "{name}");
    }
}

#[test]
fn parquet_columns_of_every_kind_of_text_are_read() {
    let mut dictionary = StringDictionaryBuilder::<Int8Type>::new();
    FENS.iter().for_each(|fen| dictionary.append_value(fen));
    let bytes: Vec<&[u8]> = FENS.iter().map(|fen| fen.as_bytes()).collect();
    let kinds: [ArrayRef; 7] = [
        texts(&FENS),
        Arc::new(LargeStringArray::from(FENS.to_vec())),
        Arc::new(StringViewArray::from(FENS.to_vec())),
        Arc::new(BinaryArray::from(bytes.clone())),
        Arc::new(LargeBinaryArray::from(bytes.clone())),
        Arc::new(BinaryViewArray::from(bytes)),
        Arc::new(dictionary.finish()),
    ];
    for kind in kinds {
        is_right(&scan("x", parquet(vec![("fen", kind)])), "parquet");
    }
}

#[test]
fn parquet_columns_that_are_no_text_are_refused() {
    let mut dictionary = PrimitiveDictionaryBuilder::<Int8Type, Int32Type>::new();
    dictionary.append_value(1);
    let fixed = FixedSizeBinaryArray::try_from_iter([FENS[2].as_bytes()].into_iter()).unwrap();
    let kinds: [ArrayRef; 3] =
        [Arc::new(Int32Array::from(vec![1])), Arc::new(dictionary.finish()), Arc::new(fixed)];
    for kind in kinds {
        assert_eq!(scan("x", parquet(vec![("fen", kind)])).error_codes(), ["table/no-text"]);
    }
}

/// A cell that is no UTF-8 is an error of its row; those before and behind it are read.
#[test]
fn a_parquet_cell_of_other_bytes_costs_that_cell() {
    let cells: Vec<Option<&[u8]>> = vec![
        Some(FENS[0].as_bytes()),
        Some(b"k6K/8/8/8/8/8/8/8 w - - \xff 1"),
        None,
        Some(FENS[1].as_bytes()),
        Some(FENS[2].as_bytes()),
    ];
    let kinds: [ArrayRef; 3] = [
        Arc::new(BinaryArray::from(cells.clone())),
        Arc::new(LargeBinaryArray::from(cells.clone())),
        Arc::new(BinaryViewArray::from(cells)),
    ];
    for kind in kinds {
        let report = scan("x", parquet(vec![("fen", kind)]));
        assert_eq!(report.fens(), FENS);
        assert_eq!(report.errors(), [("line/invalid-utf8", 2, 0), ("table/empty-cell", 3, 0)]);
    }
    let moves: ArrayRef = Arc::new(BinaryArray::from(vec![b"a1\xffb1".as_slice(), b"e2e4", b"h8h7"]));
    let mut options = Options::default();
    options.first_move = true;
    let report = scan_with("x", parquet(vec![("fen", texts(&FENS)), ("moves", moves)]), options);
    assert_eq!(report.errors(), [("line/invalid-utf8", 1, 0)]);
    assert_eq!(report.fens().len(), 2);
}

#[test]
fn parquet_columns_are_chosen_by_name() {
    let file = parquet(vec![
        ("a", texts(&["x", "y", "z"])),
        ("Position", texts(&FENS)),
        ("b", texts(&["", "", ""])),
    ]);
    let mut options = Options::default();
    options.column = Some(Column::Name("position".to_owned()));
    is_right(&scan_with("x", file.clone(), options), "parquet");
    // Without a name, the content tells, and it is said which column was taken.
    let report = scan("x", file);
    is_right(&report, "parquet");
    assert!(report.remarks.iter().any(|remark| remark.message.contains("column Position")));
    let report = scan("x", parquet(vec![("a", texts(&["x"])), ("Position", texts(&["y"]))]));
    assert_eq!(report.error_codes(), ["table/no-column"]);
    assert!(report.rows[0].problem.as_ref().unwrap().message().contains("a, Position"));
    let report = scan("x", parquet(vec![("fen", Arc::new(Int32Array::from(vec![1])) as ArrayRef)]));
    assert_eq!(report.error_codes(), ["table/no-text"]);
}

#[test]
fn parquet_rows_are_counted_from_one_and_moves_played() {
    let fens = Arc::new(StringArray::from(vec![Some(FENS[0]), None, Some("rubbish")])) as ArrayRef;
    let moves = texts(&["a1b1 h8g8", "a1b1", "a1b1"]);
    for columns in
        [vec![("fen", fens.clone()), ("Moves", moves.clone())], vec![("Moves", moves), ("fen", fens)]]
    {
        let mut options = Options::default();
        options.first_move = true;
        let report = scan_with("x", parquet(columns), options);
        assert_eq!(report.fens(), ["7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/1K6 b - - 0 1"]);
        assert_eq!(report.errors(), [("table/empty-cell", 2, 0), ("position/unexpected-character", 3, 0)]);
    }
}

#[test]
fn damaged_parquet_is_an_error_and_no_more() {
    let file = parquet(vec![("fen", texts(&FENS.repeat(100)))]);
    let mut report = scan("x.parquet", file[..file.len() - 20].to_vec());
    assert_eq!(report.error_codes(), ["stream/corrupt"]);
    report = scan("x.parquet", "PAR1".as_bytes());
    assert_eq!(report.error_codes(), ["stream/corrupt"]);
    for index in (4..file.len()).step_by(7) {
        let mut damaged = file.clone();
        damaged[index] ^= 0x55;
        let report = scan("x.parquet", damaged);
        assert!(report.rows.len() <= 301);
    }
}

#[test]
fn parquet_pages_of_every_compression_are_read() {
    for compression in [
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::BROTLI(Default::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
    ] {
        let report = scan("x", parquet_with(vec![("fen", texts(&FENS))], compression));
        is_right(&report, &format!("{compression:?}"));
    }
}

#[test]
fn parquet_columns_are_carried_along_as_text() {
    let file = parquet(vec![
        ("rating", Arc::new(Int32Array::from(vec![Some(1500), None, Some(-3)])) as ArrayRef),
        ("day", Arc::new(Date32Array::from(vec![19_723, 0, -1])) as ArrayRef),
        ("FEN", texts(&FENS)),
    ]);
    let mut options = Options::default();
    options.extra.columns = vec!["Rating".to_owned(), "day".to_owned(), "other".to_owned()];
    let report = scan_with("x", file, options);
    is_right(&report, "parquet");
    let text = |text: &str| Value::Text(text.to_owned());
    let carried: Vec<Vec<Value>> = report
        .rows
        .iter()
        .map(|row| row.carried.iter().map(|carried| carried.value.clone()).collect())
        .collect();
    assert_eq!(
        carried,
        [
            [text("1500"), text("2024-01-01"), Value::Nothing],
            [Value::Nothing, text("1970-01-01"), Value::Nothing],
            [text("-3"), text("1969-12-31"), Value::Nothing],
        ]
    );
    assert_eq!(report.notice_codes(), ["table/column-not-there"]);
}

#[test]
fn parquet_games_are_one_a_row() {
    let games = parquet(vec![("Event", texts(&["a", "b"])), ("movetext", texts(&["1. e4 e5 *", "1. d4 *"]))]);
    let report = scan("x", games);
    assert_eq!((report.counts.games, report.counts.positions, report.plies()), (2, 5, vec![2, 1]));
    assert_eq!(report.rows[3].place.line, Some(2));
}
