//! The producer of expansions with men at home: which men roam, and where.
//!
//! Any list of homes is sound, and bad ones only fail; so a few are tried.
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use alloc::vec;
use alloc::vec::Vec;

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, ByColor, Chess, Color, Position as _, Role};

use super::certificate::{PersistentCertificate, Proof};
use super::expand::Bound;
use super::homes::{Home, Homes, MAXIMUM_CAP, MAXIMUM_HOMES, Roaming};
use super::states::States;
use super::verdict::MAXIMUM_PIECES;
use crate::geometry::steps::{king_steps, officer_steps, pawn_attacks, pawn_pushes};

/// A certificate that a colour never gives mate, by an expansion with men at home, if one of a few lists of homes closes
/// within the bound.
///
/// A man at home is counted, not placed, so that many positions are one state. It helps where play can last very long
/// and few men matter: a king shut in while bishops roam, say. Each list is tried with at most that many states; a state costs a few
/// microseconds. Lists are given up early when a mate comes in sight or the states only multiply. [`check`](super::check()) accepts what is returned. With castling rights, with an en-passant
/// capture, or with more than 32 pieces there is none.
///
/// ```
/// use bitmesh::persistent::{Bound, check, prove_unwinnable_with_homes};
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let fen: Fen = "8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// let certificate = prove_unwinnable_with_homes(&position, Color::Black, Bound::nodes(2_000)).expect("closes");
/// assert!(check(&certificate)?.unwinnable.black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prove_unwinnable_with_homes(
    position: &Chess,
    color: Color,
    bound: Bound,
) -> Option<PersistentCertificate> {
    let rights = position.castles().any() || position.legal_ep_square().is_some();
    if rights || position.board().occupied().count() > MAXIMUM_PIECES {
        return None;
    }
    let mut lists = choices(position, color);
    for (states, share) in ROUNDS {
        let most = states.min(bound.get());
        let mut too_large: Vec<(Vec<Home>, u32)> = Vec::new();
        for homes in lists {
            let shape = |homes: &[Home]| homes.iter().map(|home| home.squares).collect::<Vec<_>>();
            let smaller = too_large.iter().find(|(other, _)| shape(other) == shape(&homes));
            if let Some(&(_, waiting)) = smaller {
                // With higher caps there are only more states.
                too_large.push((homes, waiting));
                continue;
            }
            match count_states(position, Homes(&homes), color, most) {
                Outcome::Closed { states, to_bare_king } => {
                    return Some(PersistentCertificate {
                        position: position.clone(),
                        unwinnable: ByColor::new_with(|other| other == color),
                        proof: Proof::Roaming(Roaming { homes, states, to_bare_king }),
                    });
                }
                Outcome::TooMany { waiting } => too_large.push((homes, waiting)),
                Outcome::Mate => {}
            }
        }
        if most == bound.get() {
            break;
        }
        lists = too_large
            .into_iter()
            .filter_map(|(homes, waiting)| (waiting <= most / share).then_some(homes))
            .collect();
    }
    None
}

/// In how many states each list is tried, round by round. A list goes on to the next round if at most one in so many of
/// its states still waits for its steps: where the end is near, few do.
const ROUNDS: [(u32, u32); 5] = [(250, 1), (1_000, 2), (4_000, 4), (20_000, 4), (u32::MAX, 1)];

enum Outcome {
    Closed { states: u32, to_bare_king: bool },
    Mate,
    TooMany { waiting: u32 },
}

fn count_states(position: &Chess, homes: Homes<'_>, color: Color, most: u32) -> Outcome {
    let mut states = States::new(homes.state(position));
    let mut to_bare_king = false;
    while let Some((_, state)) = states.next() {
        if state.turn != color && homes.may_be_mate(&state) {
            return Outcome::Mate;
        }
        if homes.has_bare_king(&state, color) {
            to_bare_king = true;
            continue;
        }
        for next in homes.successors(&state) {
            states.meet(next);
            if states.met() > most {
                return Outcome::TooMany { waiting: states.waiting() };
            }
        }
    }
    Outcome::Closed { states: states.met(), to_bare_king }
}

/// Lists of homes that are worth a try, the likely ones first.
fn choices(position: &Chess, color: Color) -> Vec<Vec<Home>> {
    let board = position.board();
    let kings = board.kings().0;
    let near = king_steps(kings) | kings;
    let mut lists: Vec<Vec<Home>> = Vec::new();
    for roamers in roamers(position, color) {
        let regions = regions(position, roamers);
        // A man that comes near a king is better placed than counted.
        for zone in [0, near, king_steps(near) | near] {
            for (of_the_other, of_the_color) in [(0, 0), (0, MAXIMUM_CAP), (MAXIMUM_CAP, MAXIMUM_CAP)] {
                let home = |&(owner, role, squares): &(Color, Role, u64)| Home {
                    color: owner,
                    role,
                    squares: Bitboard(squares & !zone),
                    cap: if owner == color { of_the_color } else { of_the_other },
                };
                let homes: Vec<Home> = regions.iter().map(home).filter(|home| home.squares.any()).collect();
                if !homes.is_empty() && homes.len() <= MAXIMUM_HOMES && !lists.contains(&homes) {
                    lists.push(homes);
                }
            }
        }
    }
    lists
}

/// Sets of men that may be counted: bishops, all officers, queens, officers that can move, and those with pawns that can.
/// Of the officers that can move, also those of the colour alone.
fn roamers(position: &Chess, color: Color) -> Vec<Bitboard> {
    let board = position.board();
    let occupied = board.occupied();
    let officers = occupied & !board.pawns() & !board.kings();
    let mobile: Bitboard = officers
        .into_iter()
        .filter(|&square| {
            board
                .piece_at(square)
                .is_some_and(|piece| (attacks(square, piece, occupied) & !board.by_color(piece.color)).any())
        })
        .collect();
    let free = |color: Color| {
        let pawns = board.by_piece(color.pawn()).0;
        pawns & pawn_pushes(!color, !occupied.0)
    };
    let free = Bitboard(free(Color::White) | free(Color::Black));
    let mut sets = Vec::new();
    for set in [
        board.bishops(),
        officers,
        board.queens(),
        mobile,
        mobile | free,
        board.bishops() | free,
        officers | free,
        mobile & board.by_color(color),
        mobile & board.by_color(color) | free,
    ] {
        if set.any() && !sets.contains(&set) {
            sets.push(set);
        }
    }
    sets
}

/// Where the roamers can come to around all others but the kings: a region for each colour, role and part of the board.
fn regions(position: &Chess, roamers: Bitboard) -> Vec<(Color, Role, u64)> {
    let board = position.board();
    let free = !(board.occupied() & !roamers & !board.kings()).0;
    let mut pawns = ByColor { black: 0_u64, white: 0 };
    let mut regions: Vec<(Color, Role, u64)> = vec![];
    let add = |regions: &mut Vec<(Color, Role, u64)>, color, role, squares: u64| {
        if !regions.contains(&(color, role, squares)) {
            regions.push((color, role, squares));
        }
    };
    for square in roamers {
        let Some(piece) = board.piece_at(square) else { continue };
        let here = Bitboard::from(square).0;
        match piece.role {
            Role::Pawn => *pawns.get_mut(piece.color) |= here,
            role => add(&mut regions, piece.color, role, flood(role, here, free)),
        }
    }
    loop {
        let before = (pawns, regions.len());
        for color in Color::ALL {
            let prey = regions.iter().filter(|&&(owner, ..)| owner != color).map(|&(.., squares)| squares);
            let prey = prey.fold(*pawns.get(!color), |all, squares| all | squares);
            let own = *pawns.get(color);
            let own = own | (pawn_pushes(color, own) | pawn_attacks(color, own) & prey) & free;
            *pawns.get_mut(color) = own;
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                for square in Bitboard(own) & Bitboard::BACKRANKS {
                    add(&mut regions, color, role, flood(role, Bitboard::from(square).0, free));
                }
            }
        }
        if before == (pawns, regions.len()) {
            break;
        }
    }
    for color in Color::ALL {
        let squares = *pawns.get(color) & !Bitboard::BACKRANKS.0;
        if squares != 0 {
            regions.push((color, Role::Pawn, squares));
        }
    }
    regions
}

fn flood(role: Role, seed: u64, free: u64) -> u64 {
    let mut set = seed;
    loop {
        let grown = set | officer_steps(role, set) & free;
        if grown == set {
            return set;
        }
        set = grown;
    }
}
