//! How many dead positions are proved dead: by one witness, and by expansions of several sizes.
//!
//! ```text
//! cargo run --release -p bitmesh-lab --bin completeness            # the positions of the tests
//! cargo run --release -p bitmesh-lab --bin completeness -- --list  # and each that stays open
//! cargo run --release -p bitmesh-lab --bin completeness -- FILE…   # a FEN or EPD first on each line
//! ```
//!
//! Every certificate goes through its bytes and the checker before it counts.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bitmesh::persistent::{Bound, DecodeError, PersistentCertificate, Proof, check, prove, prove_within};
use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{CastlingMode, Chess, FromSetup, PositionError};

/// The sizes of expansions that are compared. The default is 100,000.
const BOUNDS: [u32; 4] = [1_000, 10_000, 100_000, 250_000];

fn main() -> ExitCode {
    let (flags, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let list = match &flags[..] {
        [] => false,
        [flag] if flag == "--list" => true,
        _ => {
            eprintln!("usage: completeness [--list] [FILE…]");
            return ExitCode::from(2);
        }
    };
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let paths: Vec<PathBuf> = if files.is_empty() {
        ["dead.tsv", "lichess_dead.fen"].map(|name| cases.join(name)).into()
    } else {
        files.into_iter().map(PathBuf::from).collect()
    };
    for path in paths {
        if let Err(error) = report(&path, list) {
            eprintln!("completeness: {}: {error}", path.display());
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// What one way of proving did to all positions.
#[derive(Default)]
struct Tally {
    dead: usize,
    proving: Duration,
    checking: Duration,
    /// Positions of each expansion that proved more than a witness.
    nodes: Vec<u32>,
    bytes: Vec<usize>,
}

impl Tally {
    fn count(&mut self, make: impl FnOnce() -> PersistentCertificate) -> Result<bool, String> {
        let start = Instant::now();
        let certificate = make();
        self.proving += start.elapsed();
        let bytes = certificate.canonical_payload();
        match PersistentCertificate::decode(&bytes) {
            Ok(decoded) if decoded == certificate => {}
            Ok(_) => return Err("certificate changes with its bytes".into()),
            // Some positions have more pieces of a kind than a game can make.
            Err(DecodeError::IllegalPosition { .. }) => {}
            Err(error) => return Err(error.to_string()),
        }
        let start = Instant::now();
        let conclusions = check(&certificate).map_err(|error| error.to_string())?;
        self.checking += start.elapsed();
        self.dead += usize::from(conclusions.dead());
        if conclusions.dead()
            && let Proof::Expansion(expansion) = certificate.proof()
        {
            self.nodes.push(expansion.nodes());
            self.bytes.push(bytes.len());
        }
        Ok(conclusions.dead())
    }

    fn print(mut self, name: &str, all: usize) {
        print!(
            "{name:<28}{:>6} of {all}  {:>5.1} %  prove {:>7.1} ms  check {:>7.1} ms",
            self.dead,
            100.0 * self.dead as f64 / all as f64,
            self.proving.as_secs_f64() * 1e3,
            self.checking.as_secs_f64() * 1e3,
        );
        self.nodes.sort_unstable();
        self.bytes.sort_unstable();
        if let (Some(nodes), Some(bytes)) = (self.nodes.last(), self.bytes.last()) {
            let (middle, count) = (self.nodes.len() / 2, self.nodes.len());
            print!(
                "  {count} expansions: positions median {} largest {nodes}, bytes median {} largest {bytes}",
                self.nodes[middle], self.bytes[middle]
            );
        }
        println!();
    }
}

fn report(path: &Path, list: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let lines: Vec<&str> =
        text.lines().filter_map(|line| line.split('\t').next()).filter(|line| line.contains('/')).collect();
    let positions: Vec<(&str, Chess)> =
        lines.into_iter().map(|line| Ok((line, read(line)?))).collect::<Result<_, String>>()?;
    println!("{}", path.display());

    let mut witness = Tally::default();
    for (fen, position) in &positions {
        witness.count(|| prove(position)).map_err(|error| format!("{fen}: {error}"))?;
    }
    let all_dead = witness.dead == positions.len();
    witness.print("one witness", positions.len());
    for nodes in BOUNDS {
        if all_dead {
            break;
        }
        let mut within = Tally::default();
        let mut open = Vec::new();
        for (fen, position) in &positions {
            let dead = within.count(|| prove_within(position, Bound::nodes(nodes)));
            if !dead.map_err(|error| format!("{fen}: {error}"))? {
                open.push(fen);
            }
        }
        within.print(&format!("within {nodes} positions"), positions.len());
        if list && BOUNDS.last() == Some(&nodes) {
            open.iter().for_each(|fen| println!("open  {fen}"));
        }
    }
    Ok(())
}

fn read(fen: &str) -> Result<Chess, String> {
    let setup = fen.parse::<Fen>().map_err(|error| format!("{fen}: {error}"))?.into_setup();
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| format!("{fen}: {error}"))
}
