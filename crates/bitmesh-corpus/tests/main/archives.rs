//! Zip archives and xz, and what is no collection at all.

use std::io::Write as _;
use std::path::PathBuf;

use bitmesh_corpus::{Inputs, Options, Scan};
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::support::{Report, gzip, scan, scan_inputs};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

/// A zip archive with deflated files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in files {
        let (mut entry, config) =
            archive.new_file(name).compression_method(CompressionMethod::DEFLATE).start().unwrap();
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn in_folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().to_owned();
    (folder, path)
}

fn scan_archive(bytes: &[u8]) -> (Report, Inputs) {
    let (_folder, path) = in_folder(&[("a.zip", bytes)]);
    let mut inputs = Inputs::new();
    inputs.add_path(&path.join("a.zip"), &[]).unwrap();
    let mut again = Inputs::new();
    again.add_path(&path.join("a.zip"), &[]).unwrap();
    (scan_inputs(inputs, Options::default()), again)
}

#[test]
fn each_file_of_an_archive_is_an_input() {
    let line = format!("{WALL}\n");
    let archive = zip(&[
        ("games/x.pgn", b"1. e4 e5 *\n"),
        ("y.fen.gz", &gzip(line.as_bytes())),
        ("README.md", b"read me"),
        ("__MACOSX/y.fen", b"junk"),
        (".hidden.fen", b"junk"),
    ]);
    let (report, inputs) = scan_archive(&archive);
    assert!(report.counts.all_read(), "{:?}", report.remarks);
    assert_eq!(report.counts.positions, 4);
    assert!(report.rows[0].source.ends_with("a.zip/games/x.pgn"));
    assert_eq!(inputs.passed_over()[".md"], 1);
    assert_eq!(inputs.passed_over().values().sum::<u64>(), 3);
    // In a folder it counts as well, and without names of collections, texts are read.
    let (_folder, path) = in_folder(&[("a.zip", &zip(&[("list.txt", line.as_bytes()), ("x.png", b"junk")]))]);
    let mut inputs = Inputs::new();
    inputs.add_path(&path, &[]).unwrap();
    let mut scan = Scan::start(inputs, Options::default(), bitmesh_corpus::Rows::default).unwrap();
    assert_eq!(scan.by_ref().map(|block| block.unwrap().rows.len()).sum::<usize>(), 1);
    let read_as = scan.read_as();
    assert_eq!((read_as[0].format, read_as[0].packing.as_str()), ("fen", "zip"));
}

#[test]
fn a_damaged_archive_gives_what_came_before_and_an_error() {
    let lines = format!("{WALL}\n").repeat(1000);
    let good = zip(&[("x.fen", lines.as_bytes()), ("y.fen", lines.as_bytes())]);
    // A bit inside the first file.
    let mut flipped = good.clone();
    flipped[60] ^= 4;
    let (report, _) = scan_archive(&flipped);
    assert_eq!(report.error_codes().last().copied(), Some("stream/corrupt"), "{:?}", report.errors());
    assert!(report.counts.positions >= 1000, "the second file is whole");
    // The directory is gone.
    let (report, _) = scan_archive(&good[..good.len() - 40]);
    assert_eq!(report.error_codes(), ["stream/corrupt"]);
    // No file to read, and a document.
    assert_eq!(scan_archive(&zip(&[("x.png", b"junk")])).0.error_codes(), ["stream/empty-archive"]);
    let office = zip(&[("[Content_Types].xml", b"x"), ("xl/x.csv", b"x")]);
    assert_eq!(scan_archive(&office).0.error_codes(), ["stream/unreadable-kind"]);
}

/// The size that the directory gives for the only file of an archive.
fn set_unpacked_size(archive: &mut [u8], size: u32) {
    let at = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    archive[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
}

#[test]
fn a_file_gives_no_more_than_its_directory_promises() {
    let lines = format!("{WALL}\n").repeat(100_000);
    let mut bomb = zip(&[("x.fen", lines.as_bytes())]);
    assert!(bomb.len() * 100 < lines.len());
    set_unpacked_size(&mut bomb, 1000);
    let (report, _) = scan_archive(&bomb);
    assert_eq!(report.error_codes().last().copied(), Some("stream/corrupt"));
    assert!(report.counts.bytes < 200_000, "{:?}", report.counts);
    let mut short = zip(&[("x.fen", lines.as_bytes())]);
    set_unpacked_size(&mut short, 10_000_000);
    assert_eq!(scan_archive(&short).0.error_codes().last().copied(), Some("stream/truncated"));
}

#[test]
fn files_that_overlap_are_refused() {
    let lines = format!("{WALL}\n").repeat(10);
    let mut archive = zip(&[("x.fen", lines.as_bytes()), ("y.fen", lines.as_bytes())]);
    // The second entry of the directory points to the first file.
    let at = archive.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    archive[at + 42..at + 46].copy_from_slice(&0u32.to_le_bytes());
    assert_eq!(scan_archive(&archive).0.error_codes(), ["stream/zip-overlap"]);
}

#[test]
fn an_archive_in_a_stream_is_named() {
    let report = scan("-", zip(&[("x.fen", WALL.as_bytes())]));
    assert_eq!(report.error_codes(), ["stream/unreadable-kind"]);
    assert!(report.rows[0].problem.as_ref().unwrap().message().contains("zip archive"));
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

#[test]
fn xz_is_read_stream_after_stream() {
    let lines = format!("{WALL}\n");
    let packed = [xz(lines.as_bytes()), xz(lines.repeat(3).as_bytes())].concat();
    let report = scan("x.fen.xz", packed.clone());
    assert!(report.counts.all_read(), "{:?}", report.remarks);
    assert_eq!(report.counts.positions, 4);
    // A cut, and a flipped bit.
    let long: String =
        (0..20_000u32).map(|number| format!("{WALL} {}\n", number.wrapping_mul(2_654_435_761))).collect();
    let mut packed = xz(long.as_bytes());
    packed.truncate(packed.len() - 9);
    let report = scan("x.fen.xz", packed);
    assert_eq!(report.error_codes().last().copied(), Some("stream/truncated"));
    assert!(report.counts.positions > 10_000);
    let mut packed = xz(long.as_bytes());
    let middle = packed.len() / 2;
    packed[middle] ^= 1;
    assert_eq!(scan("x.fen.xz", packed).error_codes().last().copied(), Some("stream/corrupt"));
}

#[test]
fn what_no_reader_knows_is_named_once() {
    for (name, bytes, word) in [
        ("x.7z", &b"7z\xbc\xaf\x27\x1c\0\x04junk\njunk\njunk"[..], "7z"),
        ("x.pgn", b"Rar!\x1a\x07\x01\0junk\n\n", "RAR"),
        ("x.png", b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        ("games.pgn", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n", "Git LFS"),
        ("x.cbh", b"\0\0\x2c\0\x2e\x01\0\0\0\0\0", "ChessBase"),
        ("x.json", b"[\n{\"fen\":\"x\"}\n]\n", "JSON array"),
        ("x.pgn.gz", &gzip(b"<!DOCTYPE html><html>\n<p>404</p>\n"), "web page"),
    ] {
        let report = scan(name, bytes);
        assert_eq!(report.error_codes(), ["stream/unreadable-kind"], "{name}");
        assert!(report.rows[0].problem.as_ref().unwrap().message().contains(word), "{name}");
        assert_eq!(report.counts.broken_sources, 1);
    }
}

#[test]
fn files_of_a_folder_that_are_passed_over_are_counted() {
    let (_folder, path) = in_folder(&[
        ("x.fen", b""),
        ("a.txt", b""),
        ("b.TXT", b""),
        ("LICENSE", b""),
        (".x", b""),
        ("y.json", b""),
    ]);
    let mut inputs = Inputs::new();
    inputs.add_path(&path, &[]).unwrap();
    let passed: Vec<_> = inputs.passed_over().iter().map(|(kind, &count)| (kind.as_str(), count)).collect();
    assert_eq!(passed, [(".json", 1), (".txt", 2), ("hidden", 1), ("no extension", 1)]);
}

/// A source that gives so many bytes at a time.
struct Pieces(std::io::Cursor<Vec<u8>>, usize);

impl std::io::Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.1.min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn a_source_is_taken_for_the_same_however_it_arrives() {
    let binary: Vec<u8> =
        (0..6000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for bytes in [
        [&b"text first\n"[..], &[0; 5000]].concat(),
        [&b"text and zeros"[..], &[0; 50], b"\nmore\n"].concat(),
        b"[\n{\"fen\":\"x\"}\n]\n".to_vec(),
        format!("id,x\n1,{WALL}\n").into_bytes(),
        format!("{WALL}\r{WALL}\r").into_bytes(),
        binary,
    ] {
        let scan_in = |size: usize| {
            let mut inputs = Inputs::new();
            inputs.add_reader("x", Box::new(Pieces(std::io::Cursor::new(bytes.clone()), size)));
            let report = scan_inputs(inputs, Options::default());
            (report.error_codes(), report.counts)
        };
        let whole = scan_in(1 << 20);
        for size in [1, 3, 11, 100, 4097] {
            assert_eq!(scan_in(size), whole, "{size} bytes at a time");
        }
    }
}
