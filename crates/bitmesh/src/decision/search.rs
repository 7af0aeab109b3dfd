//! Best-first search for a mate that both sides help with, which is also an expansion.
//!
//! The cost of a line is the sum over its moves of how much worse than the best
//! one each scores (Levin tree search: minus the logarithm of the probability
//! under the policy, with a cap), and of a constant for each ply. A position
//! offers its best move, and the next best when that is taken, so moves are never
//! sorted. If the best move of a new position costs no more than what waits, it is
//! taken at once: a dive along good moves is a loop.
//!
//! Ties between moves go by their squares with the board seen from the winner's
//! side, so that mirrored positions are searched alike.

use alloc::collections::BinaryHeap;
use alloc::collections::binary_heap::PeekMut;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square};

use super::corner;
use super::policy::View;
use super::weights::{UNIT, Weights};
use crate::persistent::never_mates;

/// No move costs more than three nats: a policy that is too sure of itself must not hide a move for good.
const CAP: u32 = 3 * UNIT;

/// What a step nearer to the corner is worth where bishops of one shade must give mate.
const CORNER_STEP: u32 = 300;

/// Positions that need a deeper look are rare among the first ones, and looking costs time.
const LOOK_AFTER: usize = 48;

/// Edges that a search keeps at most, for each position that it may look at. Few positions have more moves.
const EDGES: usize = 64;

/// Which moves a search prefers.
#[derive(Clone, Debug)]
pub(super) struct Manner {
    pub(super) weights: Weights,
    /// What each ply costs, in units of the weights.
    pub(super) per_ply: u32,
}

/// How a search ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Found {
    /// A position in which the winner has given mate.
    Mate(u32),
    /// Every position that can be reached was looked at, or is one from which the winner never mates.
    Closed,
    /// Neither, within the bound.
    Limit,
}

/// A move in fifteen bits: from, to (castling goes to the rook) and the new role.
///
/// Ranks are counted from the winner's side.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Code(u16);

impl Code {
    const NONE: Self = Self(0);

    fn new(played: Move, turned: u16) -> Self {
        let from = played.from().map_or(0, u16::from) ^ turned;
        let to = u16::from(played.to()) ^ turned;
        Self(from | to << 6 | played.promotion().map_or(0, |role| role as u16 - 1) << 12)
    }

    fn from(self, turned: u16) -> Square {
        Square::new(u32::from(self.0 & 63 ^ turned))
    }

    fn to(self, turned: u16) -> Square {
        Square::new(u32::from(self.0 >> 6 & 63 ^ turned))
    }

    /// The move, in the position that it was made for.
    fn played(self, position: &Chess, turned: u16) -> Move {
        let (from, to) = (self.from(turned), self.to(turned));
        let board = position.board();
        let role = board.role_at(from).unwrap_or(Role::Pawn);
        let capture = board.role_at(to);
        if role == Role::King && position.us().contains(to) {
            return Move::Castle { king: from, rook: to };
        }
        if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
            return Move::EnPassant { from, to };
        }
        let promotion = match self.0 >> 12 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => None,
        };
        Move::Normal { role, from, capture, to, promotion }
    }
}

/// A move that a position offers: its score above, its code below.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Edge(u32);

impl Edge {
    const ZERO: i32 = 1 << 15;

    fn new(score: i32, code: Code) -> Self {
        let score = (score + Self::ZERO).clamp(0, u16::MAX.into()) as u32;
        Self(score << 15 | u32::from(code.0))
    }

    const fn score(self) -> u32 {
        self.0 >> 15
    }

    const fn code(self) -> Code {
        Code(self.0 as u16 & 0x7fff)
    }
}

#[derive(Clone, Debug)]
struct Node {
    position: Chess,
    key: u64,
    /// The cost of the line to here, without the potential.
    spent: u32,
    parent: u32,
    /// Where its edges begin.
    first: u32,
    best: u32,
    edges: u16,
    potential: u16,
    played: Code,
}

const NO_PARENT: u32 = u32::MAX;

/// A node and its next move, ordered by cost; the least cost is the greatest, and then the newest node.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Waiting(u64);

impl Waiting {
    const MOST: u32 = (1 << 24) - 1;

    fn new(cost: u32, node: u32, edge: u8) -> Self {
        Self(u64::from(Self::MOST - cost.min(Self::MOST)) << 40 | u64::from(node) << 8 | u64::from(edge))
    }

    const fn cost(self) -> u32 {
        Self::MOST - (self.0 >> 40) as u32
    }

    const fn node(self) -> u32 {
        (self.0 >> 8) as u32
    }

    const fn edge(self) -> u8 {
        self.0 as u8
    }
}

/// The memory of a search.
#[derive(Debug, Default)]
pub(super) struct Search {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    waiting: BinaryHeap<Waiting>,
    known: Keys,
    turned: u16,
}

impl Search {
    /// How many positions the last search looked at.
    pub(super) fn looked_at(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Searches until a mate by the winner, the end of all lines, or as many positions as the limit allows.
    pub(super) fn run(&mut self, root: &Chess, winner: Color, manner: &Manner, limit: u32) -> Found {
        self.nodes.clear();
        self.edges.clear();
        self.waiting.clear();
        self.known.clear();
        self.turned = winner.fold_wb(0, 56);
        let limit = limit as usize;
        if limit == 0 {
            return Found::Limit;
        }
        let task = Task { winner, manner, to_corner: corner::applies(root, winner) };
        let key = key_of(root);
        self.known.insert(key);
        let start = Step { parent: NO_PARENT, played: Code::NONE, spent: 0, key };
        if self.add(&task, root.clone(), start) {
            return Found::Mate(0);
        }
        let mut hand = self.offer(&task, 0, 0);
        loop {
            let next = match (hand.take(), self.waiting.peek_mut()) {
                (Some(held), Some(mut top)) if *top > held => core::mem::replace(&mut *top, held),
                (Some(held), _) => held,
                (None, Some(top)) => PeekMut::pop(top),
                (None, None) => return Found::Closed,
            };
            if self.nodes.len() >= limit || self.edges.len() > EDGES * limit {
                return Found::Limit;
            }
            let (parent, edge) = (next.node(), next.edge());
            let node = &self.nodes[parent as usize];
            let played = self.edges[node.first as usize + usize::from(edge)].code();
            let spent = next.cost().saturating_sub(node.potential.into());
            let mut position = node.position.clone();
            position.play_unchecked(played.played(&position, self.turned));
            if let Some(sibling) = self.offer(&task, parent, edge + 1) {
                self.waiting.push(sibling);
            }
            let key = key_of(&position);
            if !self.known.insert(key) {
                continue;
            }
            let at = self.looked_at();
            if self.add(&task, position, Step { parent, played, spent, key }) {
                return Found::Mate(at);
            }
            hand = self.offer(&task, at, 0);
            self.known.grow(&self.nodes);
        }
    }

    /// Adds a position that was met for the first time, with its moves. True if the winner has given mate.
    #[inline]
    fn add(&mut self, task: &Task<'_>, position: Chess, step: Step) -> bool {
        let Step { parent, played, spent, key } = step;
        let winner = task.winner;
        let first = self.edges.len();
        let moves = position.legal_moves();
        let mate = moves.is_empty() && position.turn() != winner && position.is_check();
        let leaf = moves.is_empty()
            || position.board().by_color(winner).count() == 1
            || self.nodes.len() >= LOOK_AFTER && never_mates(&position, winner);
        let mut best = 0;
        let mut potential = 0;
        if !leaf {
            let view = View::new(&position, winner, self.last_to(parent));
            let turned = self.turned;
            let mut best_at = first;
            let mut greatest = Edge(0);
            let edges = &mut self.edges;
            view.scores(&moves, &task.manner.weights, |played, score| {
                let edge = Edge::new(score, Code::new(played, turned));
                if edge >= greatest {
                    (greatest, best_at) = (edge, edges.len());
                }
                edges.push(edge);
            });
            edges.swap(first, best_at);
            best = greatest.score();
            if task.to_corner {
                potential = (corner::distance(&position, winner) * CORNER_STEP) as u16;
            }
        }
        let edges = (self.edges.len() - first) as u16;
        let first = first as u32;
        self.nodes.push(Node { position, key, spent, parent, first, best, edges, potential, played });
        mate
    }

    /// Where the move before the last one ended, which is the side's that moves now.
    fn last_to(&self, parent: u32) -> Option<Square> {
        let before = self.nodes.get(parent as usize)?;
        (before.parent != NO_PARENT).then(|| before.played.to(self.turned))
    }

    /// The next best move of a node, brought to its place.
    #[inline]
    fn offer(&mut self, task: &Task<'_>, node: u32, edge: u8) -> Option<Waiting> {
        let Node { first, edges, best, spent, potential, .. } = self.nodes[node as usize];
        let at = usize::from(edge);
        if at >= usize::from(edges) {
            return None;
        }
        let edges = &mut self.edges[first as usize..][..usize::from(edges)];
        if at > 0 {
            let mut greatest = at;
            for other in at + 1..edges.len() {
                if edges[other] > edges[greatest] {
                    greatest = other;
                }
            }
            edges.swap(at, greatest);
        }
        let worse = (best - edges[at].score()).min(CAP);
        Some(Waiting::new(spent + worse + task.manner.per_ply + u32::from(potential), node, edge))
    }

    /// The moves that lead to a node.
    pub(super) fn line(&self, at: u32) -> Vec<Move> {
        let mut moves: Vec<Move> = self
            .path(at)
            .map(|(before, after)| {
                self.nodes[after as usize].played.played(&self.nodes[before as usize].position, self.turned)
            })
            .collect();
        moves.reverse();
        moves
    }

    /// Each node on the way to one, from its end, with the one before.
    fn path(&self, at: u32) -> impl Iterator<Item = (u32, u32)> {
        let mut after = at;
        core::iter::from_fn(move || {
            let before = self.nodes[after as usize].parent;
            let step = (before, after);
            after = before;
            (before != NO_PARENT).then_some(step)
        })
    }
}

/// What stays the same during a search.
struct Task<'a> {
    winner: Color,
    manner: &'a Manner,
    to_corner: bool,
}

/// How a position was met.
struct Step {
    parent: u32,
    played: Code,
    spent: u32,
    key: u64,
}

/// A set of 64-bit keys with open places.
#[derive(Debug, Default)]
struct Keys {
    places: Vec<u64>,
    filled: usize,
}

impl Keys {
    const SMALLEST: usize = 512;

    fn clear(&mut self) {
        self.filled = 0;
        self.places.clear();
        self.places.resize(Self::SMALLEST, 0);
    }

    /// Adds a key. False if it is there already.
    #[inline]
    fn insert(&mut self, key: u64) -> bool {
        // Zero is an open place.
        let key = key.max(1);
        let mask = self.places.len() - 1;
        let mut at = (key >> 8) as usize & mask;
        loop {
            match self.places[at] {
                0 => {
                    self.places[at] = key;
                    self.filled += 1;
                    return true;
                }
                found if found == key => return false,
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self, nodes: &[Node]) {
        if self.filled * 2 < self.places.len() {
            return;
        }
        let twice = self.places.len() * 2;
        self.filled = 0;
        self.places.clear();
        self.places.resize(twice, 0);
        for node in nodes {
            self.insert(node.key);
        }
    }
}

/// The hash of what makes two positions the same: board, turn, castling rights, and the en-passant square if a legal
/// move captures there.
///
/// Two positions with one key would be taken for one: a mate may be missed, and a search may close too early. Neither
/// makes a false claim, because a certificate is made anew, with whole positions.
fn key_of(position: &Chess) -> u64 {
    let board = position.board();
    let castling = position.castles().castling_rights().0;
    let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| board.by_role(role).0);
    // Three bits a square; a rook that may castle is a separate kind.
    let first = pawns | bishops | queens | castling;
    let second = knights | bishops | kings | castling;
    let third = rooks | queens | kings;
    let en_passant = position.maybe_ep_square().and_then(|_| position.legal_ep_square());
    let rest = u64::from(position.turn().is_white()) << 7 | en_passant.map_or(64, u64::from);
    let fold = |one: u64, two: u64| {
        let product = u128::from(one) * u128::from(two);
        product as u64 ^ (product >> 64) as u64
    };
    let white: Bitboard = board.white();
    let spread = fold(white.0 ^ 0x9e37_79b9_7f4a_7c15, first ^ 0xd1b5_4a32_d192_ed03)
        ^ fold(second ^ 0x8cb9_2ba7_2f3d_8dd7, third ^ 0xa076_1d64_78bd_642f);
    fold(spread ^ rest, 0xe703_7ed1_a0b4_28db)
}
