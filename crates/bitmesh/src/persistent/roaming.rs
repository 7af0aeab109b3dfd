//! The producer of expansions with men at home: which men roam, and where.
//!
//! Any list of homes is sound, and bad ones only fail; so a few are tried.
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use alloc::vec;
use alloc::vec::Vec;

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, ByColor, Chess, Color, Position as _, Role};

use super::check::{HomesWalk, Stopped};
use super::checked::CheckedCertificate;
use super::expand::Bound;
use super::homes::{Home, MAXIMUM_CAP, MAXIMUM_HOMES};
use super::verdict::MAXIMUM_PIECES;
use crate::geometry::steps::{flood, king_steps, officer_steps, pawn_attacks, pawn_pushes};

/// A certificate by men at home alone, which the checker walked while it was made.
pub(crate) fn checked_with_homes(position: &Chess, color: Color, bound: Bound) -> Option<CheckedCertificate> {
    let rights = position.castles().any() || position.legal_ep_square().is_some();
    if rights || position.board().occupied().count() > MAXIMUM_PIECES {
        return None;
    }
    let claim = ByColor::new_with(|other| other == color);
    let begin =
        |homes| Some(Trial { walk: HomesWalk::new(position, homes, claim, true).ok()?, met: 1, waiting: 1 });
    let mut trials: Vec<Trial> = choices(position, color).into_iter().filter_map(begin).collect();
    let patient = bound.get() > LOW;
    for Round { states, share, lists, more_lists } in ROUNDS {
        let most = states.min(bound.get());
        let mut too_large: Vec<Trial> = Vec::new();
        for mut trial in trials {
            if let Some(smaller) = too_large.iter().find(|other| other.shape().eq(trial.shape())) {
                // With higher caps there are only more states. They help where these come to a mate.
                (trial.met, trial.waiting) = (smaller.met, smaller.waiting);
                too_large.push(trial);
                continue;
            }
            match trial.walk.run(most) {
                Ok(()) => return CheckedCertificate::by_homes(trial.walk),
                Err(Stopped::TooMany { .. }) => {
                    (trial.met, trial.waiting) = (trial.walk.met(), trial.walk.waiting());
                    too_large.push(trial);
                }
                Err(Stopped::Mate { .. }) => {}
            }
        }
        if most == bound.get() {
            break;
        }
        let (share, lists) = if patient { (share.min(2), more_lists) } else { (share, lists) };
        too_large.retain(|trial| trial.waiting <= trial.met / share);
        too_large.sort_by_key(|trial| trial.waiting);
        too_large.truncate(lists);
        trials = too_large;
    }
    None
}

/// Lists are tried round by round. One goes on to the next round if not too many of its states still wait for their steps,
/// because few do where the end is near.
struct Round {
    /// How many states each list may have.
    states: u32,
    /// At most one of so many states may wait.
    share: u32,
    /// How many lists go on, those with the fewest states waiting first.
    lists: usize,
    /// The same with a high bound.
    more_lists: usize,
}

const ROUNDS: [Round; 6] = [
    Round { states: 250, share: 1, lists: 8, more_lists: 100 },
    Round { states: 1_000, share: 2, lists: 6, more_lists: 40 },
    Round { states: 4_000, share: 4, lists: 4, more_lists: 20 },
    Round { states: 20_000, share: 4, lists: 1, more_lists: 4 },
    Round { states: 64_000, share: 4, lists: 1, more_lists: 2 },
    Round { states: u32::MAX, share: 1, lists: 0, more_lists: 0 },
];

/// With a higher bound more lists go on, and with up to half of their states waiting.
const LOW: u32 = 20_000;

/// A list of homes with what its walk has come to, or that of a list with lower caps.
struct Trial {
    walk: HomesWalk,
    met: u32,
    waiting: u32,
}

impl Trial {
    fn shape(&self) -> impl Iterator<Item = Bitboard> {
        self.walk.homes().iter().map(|home| home.squares)
    }
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
    let reach = |role, from| flood(from, free, |set| officer_steps(role, set));
    for square in roamers {
        let Some(piece) = board.piece_at(square) else { continue };
        let here = Bitboard::from(square).0;
        match piece.role {
            Role::Pawn => *pawns.get_mut(piece.color) |= here,
            role => add(&mut regions, piece.color, role, reach(role, here)),
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
                    add(&mut regions, color, role, reach(role, Bitboard::from(square).0));
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
