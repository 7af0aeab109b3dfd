//! Makes the weights of the search for a mate from the lines of `training/lines.bin` and by play.
//!
//! ```text
//! cargo run --release -p bitmesh-lab --bin train_weights              compares with the tables of the library
//! cargo run --release -p bitmesh-lab --bin train_weights -- write     writes them anew
//! cargo run --release -p bitmesh-lab --bin train_weights -- measure   says how far decisions with the library's tables go
//! cargo run --release -p bitmesh-lab --bin train_weights -- lines     finds lines with the library's tables, and writes them
//! ```

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::path::Path;
use std::process::ExitCode;

use bitmesh::decision::training::{LENGTH, SHIPPED};
use bitmesh::decision::{Decider, Effort, Verdict};
use bitmesh::shakmaty::{CastlingMode, Chess, Color, fen::Fen};
use bitmesh_lab::cases::{DECIDE_CONSTRUCTED, DECIDE_LICHESS, table};
use bitmesh_lab::train::{bytes, train};
use bitmesh_lab::training_lines::{LINES, find, read};
use bitmesh_lab::training_play::POSITIONS;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        None => return make(false),
        Some("write") => return make(true),
        Some("measure") => {
            measure("lichess.tsv", DECIDE_LICHESS);
            measure("constructed.tsv", DECIDE_CONSTRUCTED);
        }
        Some("lines") => {
            let [general, minors, _] = SHIPPED.map(weights);
            write("training/lines.bin", &find([&general, &minors]));
        }
        Some(other) => {
            println!("{other}: neither write nor measure nor lines");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Trains, and compares or writes what comes of it.
fn make(anew: bool) -> ExitCode {
    let lines = read(LINES).unwrap_or_else(|error| panic!("{error}"));
    let tables = train(&lines, POSITIONS, |line| println!("{line}")).map(|table| bytes(&table));
    if anew {
        for (name, table) in ["general", "minors", "swift"].into_iter().zip(&tables) {
            write(&format!("../bitmesh/src/decision/{name}.weights"), table);
        }
        return ExitCode::SUCCESS;
    }
    let same = tables.iter().zip(SHIPPED).all(|(table, shipped)| table == shipped);
    println!("{}", if same { "the same as in the library" } else { "not the same as in the library" });
    if same { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn weights(table: &[u8; 2 * LENGTH]) -> Vec<i16> {
    table.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

fn write(path: &str, bytes: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Decides positions with known answers.
fn measure(name: &str, text: &str) {
    let mut decider = Decider::new(Effort::default());
    let mut looked_at: Vec<u32> = Vec::new();
    let (mut undecided, mut wrong) = (0, 0);
    for row in table(text) {
        let fen: Fen = row[1].parse().unwrap_or_else(|error| panic!("{}: {error}", row[1]));
        // Some have too much material.
        let Ok(position) = fen.into_position::<Chess>(CastlingMode::Standard) else { continue };
        for (color, truth) in [(Color::White, row[0].starts_with('W')), (Color::Black, row[0].ends_with('B'))]
        {
            match decider.verdict(&position, color) {
                Verdict::Undecided { .. } => undecided += 1,
                Verdict::Winnable { .. } => wrong += usize::from(!truth),
                Verdict::Unwinnable => wrong += usize::from(truth),
            }
            looked_at.push(decider.looked_at());
        }
    }
    let mean = looked_at.iter().map(|&count| f64::from(count)).sum::<f64>() / looked_at.len() as f64;
    let most = looked_at.iter().max().copied().unwrap_or_default();
    println!(
        "{name}: {mean:.2} positions a side in the mean, {most} at most; {undecided} undecided, {wrong} wrong"
    );
}
