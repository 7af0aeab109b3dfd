//! The positions from which the weights of the search are trained. They are made up: none is from a game that people
//! played.

use bitmesh::decision::MateLine;
use bitmesh::shakmaty::{Chess, Color, File, Move, Position as _, Rank, Role, Setup, Square};

use crate::generate::finish;
use crate::random::Rng;

/// What the winner has.
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

/// A legal position, not over, and the colour that is to give mate.
pub fn draw(kind: Kind, rng: &mut Rng) -> (Chess, Color) {
    loop {
        let winner = Color::from_white(rng.one_in(2));
        if let Some(position) = finish(setup(kind, winner, rng))
            && !position.is_game_over()
        {
            return (position, winner);
        }
    }
}

/// The same from a game of random moves in which kings castle and seldom walk.
pub fn played(rng: &mut Rng) -> (Chess, Color) {
    loop {
        let mut position = Chess::default();
        for _ in 0..rng.one_of(&[6, 12, 20, 30, 45, 60, 90, 120, 160]) + rng.below(10) {
            let Some(played) = ply(&position, rng) else { break };
            position.play_unchecked(played);
        }
        let winner = Color::from_white(rng.one_in(2));
        let own = position.board().by_color(winner);
        if !position.is_game_over() && (position.board().kings() & own) != own {
            return (position, winner);
        }
    }
}

fn ply(position: &Chess, rng: &mut Rng) -> Option<Move> {
    let legal = position.legal_moves();
    let castling = legal.iter().find(|played| played.is_castle());
    if let Some(&castling) = castling
        && rng.chance(60)
    {
        return Some(castling);
    }
    let mut played = *rng.pick(&legal)?;
    for _ in 0..3 {
        if played.role() == Role::King {
            played = *rng.pick(&legal)?;
        }
    }
    Some(played)
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
