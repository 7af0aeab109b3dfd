//! The lines from which the weights of the search are trained: how they are found, kept and read.

use bitmesh::decision::MateLine;
use bitmesh::decision::training::{Student, UNIT};
use bitmesh::shakmaty::{Chess, Position as _};

use crate::random::Rng;
use crate::training_positions::{Kind, draw};

/// The lines that the weights of the library are made from.
pub const LINES: &[u8] = include_bytes!("../training/lines.bin");

/// Adds the length of a line, as a little-endian u16, and its bytes, BMMATE v1.
fn add(bytes: &mut Vec<u8>, line: &MateLine) {
    let payload = line.canonical_payload();
    let length = u16::try_from(payload.len()).expect("a line of the search is short");
    bytes.extend(length.to_le_bytes());
    bytes.extend(payload);
}

/// Reads lines. Every one is replayed, and ends in mate.
///
/// # Errors
///
/// Where the first line stands that is not one, and what is wrong with it.
pub fn read(mut bytes: &[u8]) -> Result<Vec<MateLine>, String> {
    let mut lines = Vec::new();
    while !bytes.is_empty() {
        let line = bytes.split_first_chunk().and_then(|(length, rest)| {
            let (line, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
            bytes = rest;
            Some(MateLine::decode(line))
        });
        match line {
            Some(Ok(line)) => lines.push(line),
            Some(Err(error)) => return Err(format!("line {}: {error}", lines.len())),
            None => return Err(format!("line {} is cut short", lines.len())),
        }
    }
    Ok(lines)
}

/// From where the positions are drawn.
const SEED: u64 = 18;

/// How many bytes of lines are found with the first table, and with both.
const BYTES: [usize; 2] = [400_000, 500_000];

/// What a ply costs the wider search, in units of the weights: about three tenths of a nat.
const PRICE_OF_A_PLY: u32 = UNIT * 3 / 10;

/// How far the wider search goes. The ordinary search goes half as far.
const BOUND: u32 = 12_000;

/// Finds short lines with two tables, for positions in general and for a winner with minor pieces only, and gives their
/// bytes.
///
/// They begin at positions that are drawn at random, and at positions to which the ordinary search comes from there.
pub fn find(tables: [&[i16]; 2]) -> Vec<u8> {
    let mut rng = Rng::new(SEED);
    let mut bytes = Vec::new();
    for ((kind, table), enough) in [Kind::General, Kind::Minors].into_iter().zip(tables).zip(BYTES) {
        let mut ordinary = Student::new(table, 0);
        let mut wider = Student::new(table, PRICE_OF_A_PLY);
        while bytes.len() < enough {
            let (position, winner) = draw(kind, &mut rng);
            let Some(line) = ordinary.search(&position, winner, BOUND / 2) else { continue };
            let positions = positions(&line);
            // A long line has more to learn.
            let later = (0..(2 + positions.len() / 8).min(10)).filter_map(|_| rng.pick(&positions));
            for start in core::iter::once(&position).chain(later) {
                let found = wider.search(start, winner, BOUND);
                if let Some(line) = found.filter(|line| line.plies() > 0 && Kind::of(line) == kind) {
                    add(&mut bytes, &line);
                }
            }
        }
    }
    bytes
}

/// The positions of a line, without the mate.
fn positions(line: &MateLine) -> Vec<Chess> {
    let mut position = line.position().clone();
    let mut positions = Vec::new();
    for &played in line.moves() {
        positions.push(position.clone());
        position.play_unchecked(played);
    }
    positions
}
