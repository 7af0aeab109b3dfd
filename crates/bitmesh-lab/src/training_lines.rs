//! The lines from which the weights of the search are trained: how they are found, kept and read.

use bitmesh::decision::MateLine;
use bitmesh::decision::training::{Student, UNIT};
use bitmesh::shakmaty::{Chess, Color, File, Position as _, Rank, Role, Setup, Square};

use crate::generate::finish;
use crate::random::Rng;

/// What the winner has where a line begins.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    General,
    /// Minor pieces only.
    Minors,
}

impl Kind {
    pub fn of(line: &MateLine) -> Self {
        let board = line.position().board();
        let others = board.queens() | board.rooks() | board.pawns();
        if (others & board.by_color(line.winner())).is_empty() { Self::Minors } else { Self::General }
    }
}

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

/// A legal position, not over, and the colour that is to give mate.
fn draw(kind: Kind, rng: &mut Rng) -> (Chess, Color) {
    loop {
        let winner = Color::from_white(rng.one_in(2));
        if let Some(position) = finish(setup(kind, winner, rng))
            && !position.is_game_over()
        {
            return (position, winner);
        }
    }
}

fn setup(kind: Kind, winner: Color, rng: &mut Rng) -> Setup {
    let mut setup = Setup::empty();
    setup.turn = Color::from_white(rng.one_in(2));
    // How full the board is.
    let share = [10, 25, 45, 70, 95][rng.below(5)];
    for color in Color::ALL {
        let lone = kind == Kind::Minors && color == winner;
        put(&mut setup, color, Role::King, if rng.chance(60) { 0..3 } else { 0..8 }, rng);
        for file in File::ALL {
            let pawns = if lone { 6 } else { share };
            if rng.chance(pawns * 4 / 5) {
                let ahead = [1, 1, 1, 2, 2, 3, 3, 4, 5][rng.below(9)];
                let rank = Rank::new(color.fold_wb(ahead, 7 - ahead));
                let square = Square::from_coords(file, rank);
                if setup.board.piece_at(square).is_none() {
                    setup.board.set_piece_at(square, Role::Pawn.of(color));
                }
            }
        }
        for (role, most, percent) in [
            (Role::Knight, 2, share / 2),
            (Role::Bishop, 2, share / 2),
            (Role::Rook, 2, share * 2 / 3),
            (Role::Queen, 1, 20 + share / 3),
        ] {
            for _ in 0..most {
                let minor = matches!(role, Role::Knight | Role::Bishop);
                if lone && !minor {
                    continue;
                }
                if rng.chance(if lone { 40 } else { percent }) {
                    put(&mut setup, color, role, 0..8, rng);
                }
            }
        }
    }
    setup
}

/// Puts a piece on a free square of some ranks, counted from the colour's side.
fn put(setup: &mut Setup, color: Color, role: Role, ranks: std::ops::Range<u32>, rng: &mut Rng) {
    for _ in 0..20 {
        let rank = ranks.start + rng.below((ranks.end - ranks.start) as usize) as u32;
        let rank = Rank::new(color.fold_wb(rank, 7 - rank));
        let square = Square::from_coords(File::new(rng.below(8) as u32), rank);
        if setup.board.piece_at(square).is_none() {
            setup.board.set_piece_at(square, role.of(color));
            return;
        }
    }
}
