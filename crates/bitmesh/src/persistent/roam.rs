//! A step from a state with men at home, and whether a state can be mate.
//!
//! `docs/permanent-independence.md` has the proof that a step covers every legal move and that the test for mate
//! overlooks none. Both belong to what must be trusted. What is not certain is taken to be possible.

use alloc::vec::Vec;

use shakmaty::attacks::{attacks, between, king_attacks, pawn_attacks, queen_attacks};
use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::homes::{Home, Homes, MAXIMUM_HOMES, Mode, State};
use crate::geometry::steps::{flood, officer_steps, pawn_pushes};

type Numbers = [u8; MAXIMUM_HOMES];

/// A man that moves, as far as a state knows it.
pub(super) struct Man {
    /// His home; none if he is placed.
    home: Option<usize>,
    role: Role,
    /// Where he may stand.
    sources: Bitboard,
}

/// A move as far as a state knows it.
struct Step {
    /// The home of the man that moves; none for a placed one.
    home: Option<usize>,
    role: Role,
    /// Where it may come from.
    sources: Bitboard,
    to: Square,
    /// The pawn that is taken en passant.
    passed: Option<Square>,
    /// The home of a man that a pawn takes there.
    struck: Option<usize>,
    /// The square that a double step passes.
    skipped: Option<Square>,
}

impl Homes<'_> {
    /// The placed men and the located one.
    fn known(self, state: &State) -> Board {
        let mut board = state.placed.clone();
        if let Some((index, square)) = state.located {
            board.set_piece_at(square, self.0[index].role.of(self.0[index].color));
        }
        board
    }

    /// Every square where a man may be at home.
    fn uncertain(self, numbers: &Numbers) -> Bitboard {
        let inhabited = self.0.iter().zip(numbers).filter(|&(_, &number)| number > 0);
        inhabited.fold(Bitboard::EMPTY, |all, (home, _)| all | home.squares)
    }

    /// Every square from which a man of a colour may attack a square when only `occupied` is in the way.
    fn attackers(
        self,
        board: &Board,
        numbers: &Numbers,
        color: Color,
        target: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let mut found = board.attacks_to(target, color, occupied);
        for (_, &Home { role, squares, .. }) in self.inhabited(numbers, color) {
            let from = match role {
                Role::Pawn => pawn_attacks(!color, target),
                officer => attacks(target, officer.of(color), occupied),
            };
            found |= from & squares & !board.occupied();
        }
        found
    }

    /// Every state that a legal move from a position of this state may lead to.
    pub(super) fn successors(self, state: &State) -> Vec<State> {
        self.successors_by(state, Self::alike)
    }

    /// The same, with the squares of a home that one of them stands for.
    pub(super) fn successors_by(
        self,
        state: &State,
        alike: fn(Self, &State, &Board, &Man) -> Bitboard,
    ) -> Vec<State> {
        let board = self.known(state);
        let mut found = Vec::new();
        for square in state.placed.by_color(state.turn) {
            let role = state.placed.role_at(square).unwrap_or(Role::King);
            let man = Man { home: None, role, sources: square.into() };
            self.steps(state, &board, &man, Bitboard::EMPTY, &mut found);
        }
        for (index, home) in self.inhabited(&state.numbers, state.turn) {
            let man = Man { home: Some(index), role: home.role, sources: home.squares & !board.occupied() };
            self.steps(state, &board, &man, alike(self, state, &board, &man), &mut found);
        }
        found
    }

    /// The steps of one man. Of those to squares that are alike, one stands for all.
    fn steps(self, state: &State, board: &Board, man: &Man, alike: Bitboard, found: &mut Vec<State>) {
        let Man { home, role, sources } = *man;
        let (own, occupied) = (state.turn, board.occupied());
        let barred = board.by_color(own) | board.kings();
        let step = |sources, to| Step { home, role, sources, to, passed: None, struck: None, skipped: None };
        if role != Role::Pawn {
            let from = |to| attacks(to, role.of(own), occupied) & sources;
            let within = match sources.single_square() {
                Some(square) => attacks(square, role.of(own), occupied),
                None => {
                    let steps = |set| officer_steps(role, set);
                    Bitboard(steps(flood(sources.0, !occupied.0, steps)))
                }
            };
            // One of the steps that are alike stands for all of them.
            let first = alike.into_iter().find(|&to| from(to).any());
            for to in (within & !barred & !alike).into_iter().chain(first) {
                let from = from(to);
                if from.any() {
                    self.play(state, board, &step(from, to), found);
                }
            }
            return;
        }
        let push = |squares: Bitboard| Bitboard(pawn_pushes(own, squares.0)) & !occupied;
        let back = |square: Square| Bitboard(pawn_pushes(!own, Bitboard::from(square).0));
        for to in push(sources) {
            self.play(state, board, &step(back(to), to), found);
        }
        let second = Bitboard::from_rank(own.relative_rank(shakmaty::Rank::Second));
        for to in push(push(sources & second)) {
            let skipped = back(to).first();
            let from = skipped.map_or(Bitboard::EMPTY, back);
            self.play(state, board, &Step { skipped, ..step(from, to) }, found);
        }
        for to in !barred {
            let from = pawn_attacks(!own, to) & sources;
            if from.is_empty() {
                continue;
            }
            if occupied.contains(to) {
                self.play(state, board, &step(from, to), found);
            } else if state.en_passant == Some(to) {
                let passed = back(to).first();
                self.play(state, board, &Step { passed, ..step(from, to) }, found);
            } else {
                for (index, prey) in self.inhabited(&state.numbers, !own) {
                    if prey.squares.contains(to) {
                        self.play(state, board, &Step { struck: Some(index), ..step(from, to) }, found);
                    }
                }
            }
        }
    }

    /// Squares such that all steps of an officer at home to them lead to one state: nothing is taken, the man stays in his
    /// home, and nobody gives check. Where a step may be illegal or uncover a check, there are none.
    fn alike(self, state: &State, board: &Board, man: &Man) -> Bitboard {
        let (own, enemy, occupied) = (state.turn, !state.turn, board.occupied());
        let (Some(index), Some(king), Some(target)) = (man.home, board.king_of(own), board.king_of(enemy))
        else {
            return Bitboard::EMPTY;
        };
        if man.role == Role::Pawn {
            return Bitboard::EMPTY;
        }
        let mut numbers = state.numbers;
        Self::remove(&mut numbers, index);
        // Where the man arrives he is only in the way of what attacks now.
        let uncertain = self.uncertain(&numbers);
        let sure = board.attacks_to(king, enemy, occupied);
        let others = self.attackers(board, &numbers, own, target, occupied);
        if sure.into_iter().any(|square| (between(square, king) & uncertain).is_empty())
            || others.into_iter().any(|square| (between(square, target) & man.sources).any())
        {
            return Bitboard::EMPTY;
        }
        self.0[index].squares & !occupied & !attacks(target, man.role.of(own), occupied)
    }

    /// The states after a step, unless it is illegal in every position.
    fn play(self, state: &State, board: &Board, step: &Step, found: &mut Vec<State>) {
        let (own, enemy) = (state.turn, !state.turn);
        let mut board = board.clone();
        let taken = step.passed.unwrap_or(step.to);
        let took = board.remove_piece_at(taken).is_some() || step.struck.is_some();
        let mut numbers = state.numbers;
        match step.home {
            Some(index) => Self::remove(&mut numbers, index),
            None => step.sources.into_iter().for_each(|square| board.discard_piece_at(square)),
        }
        if let Some(index) = step.struck {
            Self::remove(&mut numbers, index);
        }
        let promotes = step.role == Role::Pawn && Bitboard::BACKRANKS.contains(step.to);
        let promotions = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        for &role in if promotes { &promotions[..] } else { core::slice::from_ref(&step.role) } {
            let mut board = board.clone();
            board.set_piece_at(step.to, role.of(own));
            let (Some(king), Some(target)) = (board.king_of(own), board.king_of(enemy)) else { continue };
            let sure = board.attacks_to(king, enemy, board.occupied());
            if sure.any() {
                let uncertain = self.uncertain(&numbers);
                if sure.into_iter().any(|square| (between(square, king) & uncertain).is_empty()) {
                    continue;
                }
            }

            let opened = step.sources | step.passed.map_or(Bitboard::EMPTY, Bitboard::from);
            // Only a square on a line with the king can be opened.
            let lines = queen_attacks(target, Bitboard::EMPTY);
            let uncovers = (opened & lines).any() && {
                let others = self.attackers(&board, &numbers, own, target, board.occupied()).without(step.to);
                others.into_iter().any(|square| (between(square, target) & opened).any())
            };
            let mode = if uncovers {
                Mode::Loud
            } else if attacks(step.to, role.of(own), board.occupied()).contains(target) {
                Mode::Direct(step.to)
            } else {
                Mode::Quiet
            };
            let en_passant = step.skipped.filter(|&skipped| {
                let from = pawn_attacks(own, skipped);
                let pawns =
                    |home: &Home| if home.role == Role::Pawn { home.squares } else { Bitboard::EMPTY };
                (from & board.by_piece(enemy.pawn())).any()
                    || self.inhabited(&numbers, enemy).any(|(_, home)| (from & pawns(home)).any())
            });

            let mut next = State { placed: board, turn: enemy, numbers, mode, located: None, en_passant };
            if let Some((index, square)) = state.located
                && square != taken
            {
                next.placed.discard_piece_at(square);
                self.add(&mut next.numbers, index);
            }
            if let Some(index) = self.of(own, role, step.to) {
                next.placed.discard_piece_at(step.to);
                if mode != Mode::Quiet || took || en_passant.is_some() {
                    next.located = Some((index, step.to));
                } else {
                    self.add(&mut next.numbers, index);
                }
            }
            found.push(next);
        }
    }

    /// Whether a colour has nothing but its king in every position of this state.
    pub(super) fn has_bare_king(self, state: &State, color: Color) -> bool {
        let men = self.known(state).by_color(color);
        men.without(state.placed.kings()).is_empty() && self.inhabited(&state.numbers, color).next().is_none()
    }

    /// Whether the side to move may be mated in a position of this state.
    pub(super) fn may_be_mate(self, state: &State) -> bool {
        let (own, enemy, numbers) = (state.turn, !state.turn, &state.numbers);
        let board = self.known(state);
        let Some(king) = board.king_of(own) else { return true };
        let attacks_king = |board: &Board, square: Square| board.attacks_from(square).contains(king);
        let in_check = match state.mode {
            Mode::Quiet => false,
            Mode::Direct(square) => attacks_king(&board, square),
            Mode::Loud => self.attackers(&board, numbers, enemy, king, board.occupied()).any(),
        };
        if !in_check {
            return false;
        }

        // Flights that the enemy cannot attack: each must hold a man of the king's own that is at home.
        let mut to_fill = Bitboard::EMPTY;
        for flight in king_attacks(king) & !board.by_color(own) {
            let mut after = board.clone();
            after.discard_piece_at(flight);
            let occupied = after.occupied().without(king);
            if self.attackers(&after, numbers, enemy, flight, occupied).is_empty() {
                if board.occupied().contains(flight) {
                    return false;
                }
                to_fill.add(flight);
            }
        }
        if !self.can_fill(to_fill, numbers, own) {
            return false;
        }
        !state.placed.by_color(own).without(king).into_iter().any(|from| {
            self.sure_targets(state, &board, king, from).into_iter().any(|to| {
                let mut after = board.clone();
                let Some(piece) = after.remove_piece_at(from) else { return false };
                after.set_piece_at(to, piece);
                let attackers = self.attackers(&after, numbers, enemy, king, after.occupied());
                match state.mode {
                    Mode::Direct(square) => {
                        (square == to || !attacks_king(&after, square))
                            && !attackers.into_iter().any(|other| between(other, king).contains(from))
                    }
                    _ => attackers.is_empty(),
                }
            })
        })
    }

    /// Where a placed man can go under a possible check, wherever the men at home are.
    fn sure_targets(self, state: &State, board: &Board, king: Square, from: Square) -> Bitboard {
        let (own, occupied) = (state.turn, board.occupied());
        // The line of a direct check is empty, or there is none.
        let line = match state.mode {
            Mode::Direct(square) => between(square, king),
            _ => Bitboard::EMPTY,
        };
        let uncertain = self.uncertain(&state.numbers) & !line;
        let allowed = !board.by_color(own) & !board.kings();
        let Some(piece) = board.piece_at(from) else { return Bitboard::EMPTY };
        if piece.role == Role::Pawn {
            let push = |squares: Bitboard| Bitboard(pawn_pushes(own, squares.0)) & !occupied & !uncertain;
            let second = Bitboard::from_rank(own.relative_rank(shakmaty::Rank::Second));
            let one = push(from.into());
            let two = if second.contains(from) { push(one) } else { Bitboard::EMPTY };
            return (one | two | pawn_attacks(own, from) & occupied) & allowed;
        }
        let homes = self.inhabited(&state.numbers, own);
        let own_at_home = homes.fold(Bitboard::EMPTY, |all, (_, home)| all | home.squares) & !line;
        let sure = |to: &Square| {
            (between(from, *to) & uncertain).is_empty()
                && (occupied.contains(*to) || !own_at_home.contains(*to))
        };
        (attacks(from, piece, occupied) & allowed).into_iter().filter(sure).collect()
    }

    /// Whether each of at most eight squares can hold a different man at home: no part of them has too few men.
    fn can_fill(self, squares: Bitboard, numbers: &Numbers, color: Color) -> bool {
        squares.carry_rippler().all(|part| {
            let men: usize = self
                .inhabited(numbers, color)
                .filter(|(_, home)| (home.squares & part).any())
                .map(|(index, _)| usize::from(numbers[index]))
                .sum();
            men >= part.count()
        })
    }
}
