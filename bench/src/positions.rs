//! The positions that everything is measured on, each set read from the repository.

use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::san::San;
use bitmesh::shakmaty::{Board, CastlingMode, Chess, EnPassantMode, Position};

/// Positions of one kind.
#[derive(Debug)]
pub struct Set {
    /// What the positions are, for tables.
    pub name: &'static str,
    /// As text: a whole FEN for positions, a placement for constructed boards.
    pub texts: Vec<String>,
    /// The pieces of each.
    pub boards: Vec<Board>,
    /// The positions themselves; empty for constructed boards, which are none.
    pub positions: Vec<Chess>,
}

impl Set {
    fn of_positions(name: &'static str, positions: Vec<Chess>) -> Self {
        let text = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
        Self {
            name,
            texts: positions.iter().map(text).collect(),
            boards: positions.iter().map(|position| position.board().clone()).collect(),
            positions,
        }
    }

    fn of_boards(name: &'static str, boards: Vec<Board>) -> Self {
        Self {
            name,
            texts: boards.iter().map(|board| board.board_fen().to_string()).collect(),
            boards,
            positions: Vec::new(),
        }
    }
}

/// Every position of the games in `positions/games.txt`, the start included once a game.
///
/// # Panics
///
/// When a move is not legal.
#[must_use]
pub fn games() -> Set {
    Set::of_positions("positions of games", scores().flat_map(play).collect())
}

/// The moves of the games in `positions/games.txt`, one game a line.
pub fn scores() -> impl Iterator<Item = &'static str> {
    include_str!("../positions/games.txt").lines().filter(|line| !line.starts_with('#'))
}

fn play(score: &str) -> Vec<Chess> {
    let mut position = Chess::default();
    let mut positions = vec![position.clone()];
    for token in score.split_whitespace() {
        let san = token.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        let san: San = san.parse().unwrap_or_else(|_| panic!("{token} in {score} is no move"));
        let legal = san.to_move(&position).unwrap_or_else(|error| panic!("{token} in {score}: {error}"));
        position.play_unchecked(legal);
        positions.push(position.clone());
    }
    positions
}

/// Positions of games that have just become dead by a blockade: every fifth of the 4,500 that the tests use.
///
/// # Panics
///
/// When a line is not a legal position.
#[must_use]
pub fn blocked() -> Set {
    let lines = bitmesh_lab::cases::LICHESS_DEAD;
    let read = |line: &str| {
        let fen: Fen = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        fen.into_position(CastlingMode::Standard).unwrap_or_else(|error| panic!("{line}: {error}"))
    };
    Set::of_positions("blocked positions", lines.lines().step_by(5).map(read).collect())
}

/// The boards of the golden vectors that are strict: walls that real games do not have.
///
/// # Panics
///
/// When a row does not hold a board.
#[must_use]
pub fn walls() -> Set {
    let rows = include_str!("../../crates/bitmesh/tests/golden/boards.jsonl").lines();
    let rows = rows.map(|row| serde_json::from_str::<serde_json::Value>(row).expect("a row is json"));
    let boards = rows
        .filter(|row| row["status"] == "Strict")
        .map(|row| row["board"].as_str().expect("a row has a board").parse().expect("a board"))
        .collect();
    Set::of_boards("constructed walls", boards)
}
