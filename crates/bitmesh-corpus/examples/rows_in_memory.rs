//! Times a scan of a file of FENs that is in memory, with its rows as Arrow record batches.
//!
//! The yardstick for the Python package: `rows_in_memory FILE [RUNS]` prints the seconds of the fastest run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::io::Cursor;
use std::time::Instant;

use bitmesh_corpus::{Batches, Format, Inputs, Options, Scan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("a file is needed")?;
    let runs: usize = arguments.next().map_or(Ok(3), |runs| runs.parse())?;
    let text = std::fs::read(path)?;
    let lines = text.iter().filter(|&&byte| byte == b'\n').count();
    let mut fastest = f64::INFINITY;
    for _ in 0..runs {
        let mut inputs = Inputs::new();
        inputs.add_reader("memory", Box::new(Cursor::new(text.clone())));
        let mut options = Options::default();
        options.format = Some(Format::Lines);
        let start = Instant::now();
        let mut blocks = Vec::new();
        for block in Scan::start(inputs, options, Batches::new)? {
            blocks.push(block?.rows);
        }
        fastest = fastest.min(start.elapsed().as_secs_f64());
        let rows: usize = blocks.iter().map(arrow_array::RecordBatch::num_rows).sum();
        assert_eq!(rows, lines);
    }
    println!("{fastest}");
    Ok(())
}
