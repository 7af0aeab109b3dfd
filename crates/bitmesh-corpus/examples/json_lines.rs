//! The rows of files as JSON lines, as `bitmesh scan` writes them, and nothing else.
//!
//! ```text
//! cargo run -p bitmesh-corpus --example json_lines -- [--claims] [--variations] FILE…
//! ```
//!
//! Built with `--profile checked` it compares every shortcut that the scan takes with the full evaluation, and panics
//! when one differs.

use std::io::Write as _;
use std::path::Path;

use bitmesh_corpus::{Claim, Inputs, JsonLines, Options, Scan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut inputs = Inputs::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--claims" => options.only = Some(Claim::ALL.into_iter().collect()),
            "--variations" => options.variations = true,
            path => inputs.add_path(Path::new(path), &[])?,
        }
    }
    let mut out = std::io::stdout().lock();
    let mut scan = Scan::start(inputs, options, JsonLines::new)?;
    while let Some(block) = scan.next() {
        let rows = block?.rows;
        out.write_all(&rows)?;
        scan.give_back(rows);
    }
    Ok(())
}
