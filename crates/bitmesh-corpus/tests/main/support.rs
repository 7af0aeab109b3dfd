//! Scans of bytes, for tests.
#![cfg_attr(not(feature = "parquet"), allow(dead_code))]

use std::io::Write as _;
use std::path::PathBuf;

use bitmesh_corpus::{Counts, Finding, Inputs, Options, Remark, Row, Rows, Scan};

/// All that a scan said.
pub(crate) struct Report {
    pub(crate) rows: Vec<Row>,
    pub(crate) counts: Counts,
    pub(crate) remarks: Vec<Remark>,
}

impl Report {
    /// The sums that the counts promise.
    fn check(self) -> Self {
        let counts = &self.counts;
        assert_eq!(counts.records, counts.read + counts.skipped + counts.failed);
        assert_eq!(
            counts.positions + counts.boards,
            counts.duplicates + counts.filtered + counts.rows - counts.error_rows
        );
        assert_eq!(counts.rows, self.rows.len() as u64);
        assert!(counts.bytes_add_up(), "{counts:?}");
        self
    }

    pub(crate) fn findings(&self) -> Vec<&Finding> {
        self.rows.iter().filter_map(|row| row.finding.as_ref()).collect()
    }

    pub(crate) fn fens(&self) -> Vec<&str> {
        self.findings().into_iter().map(|finding| finding.fen.as_str()).collect()
    }

    /// Codes of the errors with the line or game and the ply where they are.
    pub(crate) fn errors(&self) -> Vec<(&'static str, u64, u32)> {
        let errors = self.rows.iter().filter_map(|row| Some((row, row.problem.as_ref()?)));
        errors
            .map(|(row, problem)| {
                let place = row.place;
                (problem.code(), place.line.or(place.game).unwrap_or(0), place.ply.unwrap_or(0))
            })
            .collect()
    }

    pub(crate) fn error_codes(&self) -> Vec<&'static str> {
        self.errors().into_iter().map(|(code, ..)| code).collect()
    }

    pub(crate) fn notice_codes(&self) -> Vec<&'static str> {
        let notices = self.remarks.iter().filter(|remark| !remark.is_error);
        notices.flat_map(|remark| std::iter::repeat_n(remark.code, remark.count as usize)).collect()
    }

    /// The number of plies of each game.
    pub(crate) fn plies(&self) -> Vec<u32> {
        let mut plies: Vec<u32> = Vec::new();
        for row in self.rows.iter().filter(|row| row.finding.is_some()) {
            let (game, ply) = (row.place.game.unwrap() as usize, row.place.ply.unwrap());
            plies.resize(plies.len().max(game), 0);
            plies[game - 1] = plies[game - 1].max(ply);
        }
        plies
    }

    pub(crate) fn last_fen(&self) -> &str {
        self.fens().last().unwrap()
    }
}

pub(crate) fn scan(name: &str, bytes: impl Into<Vec<u8>>) -> Report {
    scan_with(name, bytes, Options::default())
}

pub(crate) fn scan_with(name: &str, bytes: impl Into<Vec<u8>>, options: Options) -> Report {
    let mut inputs = Inputs::new();
    inputs.add_reader(name, Box::new(std::io::Cursor::new(bytes.into())));
    scan_inputs(inputs, options)
}

pub(crate) fn scan_inputs(inputs: Inputs, options: Options) -> Report {
    let mut report = Report { rows: Vec::new(), counts: Counts::default(), remarks: Vec::new() };
    for block in Scan::start(inputs, options, Rows::default).unwrap() {
        let block = block.unwrap();
        report.rows.extend(block.rows);
        report.counts.add(&block.counts);
        report.remarks.extend(block.remarks);
    }
    report.check()
}

pub(crate) fn case_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name)
}

/// Scans one of the files under `tests/cases`.
pub(crate) fn case(name: &str) -> Report {
    case_with(name, Options::default())
}

pub(crate) fn case_with(name: &str, options: Options) -> Report {
    let mut inputs = Inputs::new();
    inputs.add_path(&case_path(name), &[]).unwrap();
    scan_inputs(inputs, options)
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}
