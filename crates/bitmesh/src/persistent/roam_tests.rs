//! The step and the test for mate against play: is every legal move covered, is every mate flagged, with any homes?
//!
//! What a state means is written here once more, from the handbook. To see that the attack can hit, what a step
//! returns or a state holds is weakened in one place at a time, and play must then find a move or a mate outside.

use std::string::{String, ToString};
use std::vec::Vec;

use shakmaty::fen::{Epd, Fen};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Position as _, Role, Setup, Square,
};

use crate::random::Random;

use super::homes::{Home, Homes, MANY, Mode, State};

const HARD: &str = include_str!("../../tests/cases/decide/hard.tsv");

/// Whether a position is one of those that a state stands for.
fn holds(homes: &[Home], state: &State, position: &Chess) -> bool {
    let board = position.board();
    let mut men = std::vec![0_u32; homes.len()];
    for (square, piece) in board.clone() {
        let located = state.located.filter(|&(_, at)| at == square);
        match (state.placed.piece_at(square), located) {
            (Some(placed), _) => {
                if placed != piece {
                    return false;
                }
            }
            (None, Some((home, _))) => {
                if homes[home].color != piece.color || homes[home].role != piece.role {
                    return false;
                }
            }
            (None, None) => {
                let at_home = |home: &Home| {
                    home.color == piece.color && home.role == piece.role && home.squares.contains(square)
                };
                match homes.iter().position(at_home) {
                    Some(home) => men[home] += 1,
                    None => return false,
                }
            }
        }
    }
    let missing = !state.placed.occupied().is_subset(board.occupied())
        || state.located.is_some_and(|(_, at)| board.piece_at(at).is_none());
    let too_many =
        men.iter().zip(state.numbers).any(|(&men, number)| number != MANY && men > u32::from(number));
    let other_check = match state.mode {
        Mode::Quiet => position.is_check(),
        Mode::Direct(square) => !position.checkers().without(square).is_empty(),
        Mode::Loud => false,
    };
    let passed_full = state.en_passant.is_some_and(|square| {
        let behind = square.offset(state.turn.fold_wb(8, -8));
        board.piece_at(square).is_some() || behind.is_none_or(|behind| board.piece_at(behind).is_some())
    });
    let other_right = position.legal_ep_square().is_some_and(|square| state.en_passant != Some(square));
    position.turn() == state.turn && !missing && !too_many && !other_check && !passed_full && !other_right
}

fn text(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

fn legal(setup: Setup) -> Option<Chess> {
    let position: Chess = setup.position(CastlingMode::Standard).ok()?;
    (position.legal_ep_square().is_none() && !position.castles().any()).then_some(position)
}

/// Kings with some men around them, or a position in which play goes on for long, a few moves later.
fn any_position(random: &mut Random) -> Option<Chess> {
    if random.below(3) == 0 {
        let rows: Vec<&str> = HARD.lines().skip(1).collect();
        let fen = random.pick(&rows).split('\t').next()?;
        let mut position: Chess =
            std::format!("{fen} 0 1").parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
        for _ in 0..random.below(12) {
            if !random.play(&mut position) {
                break;
            }
        }
        return legal(position.to_setup(EnPassantMode::Legal));
    }
    let mut board = Board::empty();
    // Few files, so that men meet.
    let (first, width) = (random.below(4), 3 + random.below(6));
    let mut put = |role: Role, color: Color, random: &mut Random| {
        let file = (first + random.below(width)).min(7);
        let rank = if role == Role::Pawn { 1 + random.below(6) } else { random.below(8) };
        let square = Square::new((8 * rank + file) as u32);
        if board.piece_at(square).is_none() {
            board.set_piece_at(square, role.of(color));
        }
    };
    for color in Color::ALL {
        put(Role::King, color, random);
    }
    for _ in 0..3 + random.below(10) {
        let roles = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let color = Color::from_white(random.below(2) == 0);
        put(*random.pick(&roles), color, random);
    }
    let turn = Color::from_white(random.below(2) == 0);
    legal(Setup { board, turn, ..Setup::empty() })
}

/// Homes without any sense, but of the right form.
fn any_homes(random: &mut Random) -> Vec<Home> {
    let mut homes: Vec<Home> = Vec::new();
    for _ in 0..1 + random.below(8) {
        let role = *random.pick(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
        let color = Color::from_white(random.below(2) == 0);
        let mut squares = match random.below(4) {
            0 => Bitboard(random.next()),
            1 => Bitboard(random.next() | random.next()),
            2 => Bitboard(random.next() & random.next()),
            _ => Bitboard::FULL,
        };
        if role == Role::Pawn {
            squares &= !Bitboard::BACKRANKS;
        }
        for other in homes.iter().filter(|other| (other.color, other.role) == (color, role)) {
            squares &= !other.squares;
        }
        if squares.any() {
            homes.push(Home { color, role, squares, cap: random.below(4) as u8 });
        }
    }
    homes
}

/// What an attack has met.
#[derive(Debug, Default)]
struct Met {
    games: u32,
    moves: u32,
    en_passant: u32,
    uncovered: u32,
    mates: u32,
    /// Steps for which another one stands.
    merged: u32,
    /// States that are said to leave a colour nothing but its king, and those that hold a position with more.
    bare: u32,
    not_bare: u32,
    /// Legal moves that no successor covers, and mates that the test does not flag, with the first of them.
    outside: u32,
    overlooked: u32,
    first: Option<String>,
}

type WeakStep = fn(&mut State);
type WeakTest = fn(&[Home], &mut State);

/// A place where the step, the test for mate or the look for bare kings is made weaker.
#[derive(Clone, Copy, Debug, Default)]
struct Weak {
    step: Option<WeakStep>,
    test: Option<WeakTest>,
    bare: Option<WeakTest>,
}

fn attack(games: u32, seed: u64, weak: Weak) -> Met {
    let mut random = Random::new(seed);
    let mut met = Met::default();
    // A weakness that was seen once is seen.
    while met.games < games && met.first.is_none() {
        let Some(mut position) = any_position(&mut random) else { continue };
        let list = any_homes(&mut random);
        let homes = Homes(&list);
        let mut state = homes.state(&position);
        assert!(holds(&list, &state, &position), "{}", text(&position));
        met.games += 1;
        for _ in 0..24 {
            let mut looked_at = state.clone();
            if let Some(weaken) = weak.bare {
                weaken(&list, &mut looked_at);
            }
            for color in Color::ALL.into_iter().filter(|&color| homes.has_bare_king(&looked_at, color)) {
                met.bare += 1;
                if position.board().by_color(color).count() > 1 {
                    met.not_bare += 1;
                    met.first
                        .get_or_insert_with(|| std::format!("{color:?} not bare in {}", text(&position)));
                }
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                if position.is_check() {
                    met.mates += 1;
                    let mut tested = state.clone();
                    if let Some(weaken) = weak.test {
                        weaken(&list, &mut tested);
                    }
                    if !homes.may_be_mate(&tested) {
                        met.overlooked += 1;
                        met.first.get_or_insert_with(|| std::format!("mate in {}", text(&position)));
                    }
                }
                break;
            }
            let mut successors = homes.successors(&state);
            let one_by_one = homes.successors_by(&state, |_, _, _, _| Bitboard::EMPTY);
            met.merged += (one_by_one.len() - successors.len()) as u32;
            let same = one_by_one.iter().all(|state| successors.contains(state))
                && successors.iter().all(|state| one_by_one.contains(state));
            assert!(same, "steps that are said to be alike are not, in {}", text(&position));
            if let Some(weaken) = weak.step {
                successors.iter_mut().for_each(weaken);
            }
            let chosen = random.below(moves.len());
            let mut next = None;
            for (index, &played) in moves.iter().enumerate() {
                let mut after = position.clone();
                after.play_unchecked(played);
                met.moves += 1;
                met.en_passant += u32::from(played.is_en_passant());
                let stray = played.to();
                met.uncovered += u32::from(after.checkers().into_iter().any(|square| square != stray));
                let covering: Vec<&State> =
                    successors.iter().filter(|state| holds(&list, state, &after)).collect();
                if covering.is_empty() {
                    met.outside += 1;
                    let played = played.to_uci(CastlingMode::Standard);
                    met.first.get_or_insert_with(|| std::format!("{played} in {}", text(&position)));
                } else if index == chosen {
                    next = Some(((*random.pick(&covering)).clone(), after));
                }
            }
            let Some(next) = next else { break };
            (state, position) = next;
        }
    }
    met
}

#[test]
fn every_move_is_covered_and_every_mate_flagged() {
    let games = std::env::var("BITMESH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let seed = std::env::var("BITMESH_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let met = attack(games, seed, Weak::default());
    assert_eq!((met.outside, met.overlooked, met.not_bare), (0, 0, 0), "{met:?}");
    assert!(met.moves > 20 * games && met.mates > 0, "{met:?}");
    assert!(met.merged > 50 * games, "{met:?}");
    assert!(met.en_passant > 0 && met.uncovered > 0 && met.bare > 0, "{met:?}");
}

/// Every home of one colour is empty in the numbers of the state.
fn empty(homes: &[Home], state: &mut State, color: Color) {
    for (home, number) in homes.iter().zip(&mut state.numbers) {
        if home.color == color {
            *number = 0;
        }
    }
}

#[test]
fn the_attack_sees_a_step_that_is_too_narrow() {
    let steps: [(&str, WeakStep); 5] = [
        ("uncovered checks", |state| {
            if state.mode == Mode::Loud {
                state.mode = Mode::Quiet;
            }
        }),
        ("direct checks", |state| {
            if matches!(state.mode, Mode::Direct(_)) {
                state.mode = Mode::Quiet;
            }
        }),
        ("the en-passant square", |state| state.en_passant = None),
        ("the located man", |state| state.located = None),
        ("the men at home", |state| {
            state.numbers.iter_mut().for_each(|number| *number = number.saturating_sub(1));
        }),
    ];
    for (what, step) in steps {
        let met = attack(2_000, 3, Weak { step: Some(step), ..Weak::default() });
        assert!(met.outside > 0, "{what}: {met:?}");
    }
}

#[test]
fn the_attack_sees_kings_that_are_not_bare() {
    let looks: [(&str, WeakTest); 3] = [
        ("men at home", |homes, state| Color::ALL.into_iter().for_each(|color| empty(homes, state, color))),
        ("the located man", |_, state| state.located = None),
        ("placed men", |_, state| {
            for square in state.placed.occupied() & !state.placed.kings() {
                state.placed.discard_piece_at(square);
            }
        }),
    ];
    for (what, bare) in looks {
        let met = attack(5_000, 7, Weak { bare: Some(bare), ..Weak::default() });
        assert!(met.not_bare > 0, "{what}: {met:?}");
    }
}

#[test]
fn the_attack_sees_a_test_that_is_too_narrow() {
    let tests: [(&str, WeakTest); 3] = [
        ("own men on flights", |homes, state| {
            let own = state.turn;
            empty(homes, state, own);
        }),
        ("enemies at home that attack", |homes, state| {
            let enemy = !state.turn;
            empty(homes, state, enemy);
        }),
        ("checks by others than the last man", |_, state| {
            if state.mode == Mode::Loud {
                state.mode = Mode::Quiet;
            }
        }),
    ];
    for (what, test) in tests {
        let met = attack(5_000, 5, Weak { test: Some(test), ..Weak::default() });
        assert!(met.overlooked > 0, "{what}: {met:?}");
    }
}
