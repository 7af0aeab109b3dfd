//! What must hold when any bytes are scanned as a collection. Shared by the fuzz targets and the ordinary tests.

use std::io::{Cursor, Read};
use std::num::NonZeroUsize;

use bitmesh::read_position;
use bitmesh_corpus::{Counts, Format, Inputs, Options, Remark, Row, Rows, Scan};

/// Bytes as games.
pub fn scan_pgn(bytes: &[u8]) {
    for variations in [false, true] {
        let mut options = options(Some(Format::Pgn));
        options.variations = variations;
        scan_twice("games.pgn", bytes, &options);
    }
}

/// Bytes as a table with a detected delimiter, with tabs, and as one whose first moves are played.
pub fn scan_table(bytes: &[u8]) {
    for (format, first_move) in [(Format::Csv, false), (Format::Tsv, false), (Format::Csv, true)] {
        let mut options = options(Some(format));
        options.first_move = first_move;
        scan_twice("table", bytes, &options);
    }
}

/// Bytes of which nothing is known: packed or not, in any encoding, of any format.
///
/// What an unknown stream is taken for depends on its first piece, so it is scanned in one piece only.
pub fn scan_stream(bytes: &[u8]) {
    scan_once("collection", bytes, &options(None));
}

fn options(format: Option<Format>) -> Options {
    let mut options = Options::default();
    options.format = format;
    options.threads = NonZeroUsize::MIN;
    options
}

/// Bytes that arrive in pieces of a few.
struct Trickle {
    bytes: Cursor<Vec<u8>>,
    piece: usize,
}

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.piece = 1 + (self.piece * 5 + 3) % 11;
        let most = self.piece.min(buffer.len());
        self.bytes.read(&mut buffer[..most])
    }
}

/// All that a scan says.
#[derive(Debug, PartialEq)]
struct Said {
    rows: Vec<Row>,
    counts: Counts,
    remarks: Vec<Remark>,
}

fn scan(name: &str, reader: Box<dyn Read + Send>, options: &Options) -> Option<Said> {
    let mut inputs = Inputs::new();
    inputs.add_reader(name, reader);
    let mut said = Said { rows: Vec::new(), counts: Counts::default(), remarks: Vec::new() };
    for block in Scan::start(inputs, options.clone(), Rows::default).ok()? {
        // A scan may refuse its input; then it says why, with a code.
        let block = match block {
            Ok(block) => block,
            Err(error) => {
                assert!(error.code() != "scan/worker-lost", "{error}");
                assert!(!error.to_string().is_empty());
                return None;
            }
        };
        said.rows.extend(block.rows);
        said.counts.add(&block.counts);
        said.remarks.extend(block.remarks);
    }
    Some(said)
}

/// Nothing is lost or counted twice, and every row can be read again.
fn scan_once(name: &str, bytes: &[u8], options: &Options) -> Option<Said> {
    let said = scan(name, Box::new(Cursor::new(bytes.to_vec())), options)?;
    let counts = &said.counts;
    assert_eq!(counts.records, counts.read + counts.skipped + counts.failed, "{counts:?}");
    assert_eq!(
        counts.positions + counts.boards,
        counts.duplicates + counts.filtered + counts.rows - counts.error_rows,
        "{counts:?}"
    );
    assert_eq!(counts.rows, said.rows.len() as u64);
    assert!(counts.bytes_add_up(), "{counts:?}");
    for row in &said.rows {
        assert!(row.finding.is_some() || row.problem.is_some(), "{row:?}");
        if let Some(finding) = &row.finding {
            let again =
                read_position(&finding.fen).unwrap_or_else(|error| panic!("{}: {error}", finding.fen));
            assert_eq!(again.input.canonical_text(), finding.fen, "{row:?}");
        }
        if let Some(problem) = &row.problem {
            assert!(problem.code().contains('/') && !problem.to_string().is_empty());
        }
    }
    for remark in &said.remarks {
        assert!(!remark.to_string().contains(['\n', '\r', '\0', '\u{1b}']), "{remark:?}");
    }
    Some(said)
}

/// The same, and how the bytes arrive makes no difference.
fn scan_twice(name: &str, bytes: &[u8], options: &Options) {
    let Some(said) = scan_once(name, bytes, options) else { return };
    let trickle = Trickle { bytes: Cursor::new(bytes.to_vec()), piece: 0 };
    let slowly = scan(name, Box::new(trickle), options).expect("what was scanned once");
    assert_eq!(slowly.counts.broken_sources, said.counts.broken_sources);
    // How much comes out before the damage in packed data depends on the pieces.
    if said.counts.broken_sources == 0 {
        assert_eq!((slowly.rows, slowly.counts), (said.rows, said.counts));
    }
}
