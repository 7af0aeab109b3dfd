//! Best-first search for a mate that both sides help with, which is also an expansion.
//!
//! The cost of a line is the sum over its moves of how much worse than the best
//! one each scores (Levin tree search: minus the logarithm of the probability
//! under the policy, with a cap), and of a constant for each ply. A position
//! offers its best move, and the next best when that is taken, so moves are never
//! sorted. If the best move of a new position costs no more than what waits, it is
//! taken at once: a dive along good moves is a loop.
//!
//! Ties between moves go by their squares.

use alloc::collections::BinaryHeap;
use alloc::collections::binary_heap::PeekMut;
use alloc::vec::Vec;

use shakmaty::attacks::pawn_attacks;
use shakmaty::{Chess, Color, Move, Square};

use super::corner;
use super::policy::View;
use super::scene::{Code, Scene, WINNER};
use super::tally::{Moves, Score};
use super::weights::{UNIT, Weights};
use crate::persistent::{is_plainly_open, never_mates};

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
    /// Whether other moves than the best one of a position are looked for only when they are asked for. That is faster
    /// where most are not.
    pub(super) is_hasty: bool,
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

/// A move that a position offers: its score above, its code below.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Edge(u32);

impl Edge {
    const ZERO: i32 = 1 << 15;
    /// Less than any move: none goes from a1 to a1.
    const NONE: Self = Self(0);

    fn new(score: i32, code: Code) -> Self {
        let score = (score + Self::ZERO).clamp(0, u16::MAX.into()) as u32;
        Self(score << 15 | u32::from(code.0))
    }

    const fn score(self) -> u16 {
        (self.0 >> 15) as u16
    }

    const fn code(self) -> Code {
        Code(self.0 as u16 & 0x7fff)
    }
}

/// The best two moves of a position, or the best one if no other costs less than [`CAP`].
struct BestTwo {
    best: [Edge; 2],
    /// What a move must score to matter.
    least: i32,
    has_more: bool,
}

impl BestTwo {
    const NONE: Self = Self { best: [Edge::NONE; 2], least: i32::MIN, has_more: false };
}

impl Moves<Score<'_>> for BestTwo {
    #[inline]
    fn take(&mut self, played: Code, score: Score<'_>) {
        if score.sum < self.least {
            self.has_more = true;
            return;
        }
        let edge = Edge::new(score.sum, played);
        let [best, second] = self.best;
        self.has_more |= second != Edge::NONE;
        if edge > second {
            self.best = if edge > best { [edge, best] } else { [best, edge] };
            let [best, second] = self.best.map(|edge| i32::from(edge.score()));
            let least = second.max(best - CAP as i32) - Edge::ZERO;
            // The least scores are all kept as one.
            self.least = if least > -Edge::ZERO { least } else { i32::MIN };
        }
    }

    #[inline]
    fn wants(&self, at_most: i32) -> bool {
        at_most >= self.least
    }

    fn leave_out(&mut self) {
        self.has_more = true;
    }
}

#[derive(Clone, Debug)]
struct Node {
    scene: Scene,
    key: u64,
    /// The cost of the line to here, without the potential.
    spent: u32,
    parent: u32,
    /// Where its edges begin.
    first: u32,
    best: u16,
    potential: u16,
    edges: u16,
    /// Whether it may have more edges than the two that are kept.
    has_more: bool,
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
#[derive(Debug)]
pub(super) struct Search {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    waiting: BinaryHeap<Waiting>,
    known: Keys,
    winner: Color,
}

impl Search {
    pub(super) const fn new() -> Self {
        Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            waiting: BinaryHeap::new(),
            known: Keys { places: Vec::new(), filled: 0 },
            winner: WINNER,
        }
    }

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
        self.winner = winner;
        let limit = limit as usize;
        if limit == 0 {
            return Found::Limit;
        }
        let scene = Scene::new(root, winner);
        let task = Task { manner, to_corner: corner::applies(&scene.men()) };
        let key = scene.key();
        self.known.insert(key);
        if self.add(&task, scene, Step { parent: NO_PARENT, played: Code::NONE, spent: 0, key }) {
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
            if edge > 0 && self.nodes[parent as usize].has_more {
                self.add_the_rest(&task, parent);
            }
            let node = &self.nodes[parent as usize];
            if u16::from(edge) >= node.edges {
                continue;
            }
            let played = self.edges[node.first as usize + usize::from(edge)].code();
            let spent = next.cost().saturating_sub(node.potential.into());
            let scene = node.scene.after(played);
            if let Some(sibling) = self.offer(&task, parent, edge + 1) {
                self.waiting.push(sibling);
            }
            let key = scene.key();
            if !self.known.insert(key) {
                continue;
            }
            let at = self.looked_at();
            if self.add(&task, scene, Step { parent, played, spent, key }) {
                return Found::Mate(at);
            }
            hand = self.offer(&task, at, 0);
            self.known.grow(&self.nodes);
        }
    }

    /// Adds a position that was met for the first time, with its moves. True if the winner has given mate.
    #[inline]
    fn add(&mut self, task: &Task<'_>, scene: Scene, step: Step) -> bool {
        let Step { parent, played, spent, key } = step;
        let first = self.edges.len();
        let mut best = 0;
        let mut potential = 0;
        let mut has_more = false;
        let mut mate = false;
        let leaf = scene.is_winner_bare()
            || self.nodes.len() >= LOOK_AFTER
                && !self.is_known_open(parent, played, &scene)
                && is_hopeless(&scene);
        if !leaf {
            let view = View::new(scene, self.last_to(parent));
            let score = Score::new(&task.manner.weights, view.class());
            if task.manner.is_hasty {
                let mut two = BestTwo::NONE;
                view.wanted(score, &mut two);
                self.edges.extend(two.best.into_iter().take_while(|&edge| edge != Edge::NONE));
                has_more = two.has_more;
            } else {
                self.add_edges(&view, score);
            }
            if self.edges.len() == first {
                mate = !scene.winner_moves() && view.is_check();
            } else {
                best = self.edges[first].score();
                if task.to_corner {
                    potential = (corner::distance(&scene.men()) * CORNER_STEP) as u16;
                }
            }
        }
        let edges = (self.edges.len() - first) as u16;
        let first = first as u32;
        self.nodes.push(Node { scene, key, spent, parent, first, best, potential, edges, has_more, played });
        mate
    }

    /// Adds all moves of a position, the best two first.
    fn add_edges(&mut self, view: &View, score: Score<'_>) {
        let edges = &mut self.edges;
        let first = edges.len();
        // The best two moves so far, and where they are.
        let (mut greatest, mut second) = ((Edge::NONE, first), (Edge::NONE, first));
        view.moves(score, |played, score| {
            let edge = Edge::new(score.sum, played);
            if edge > second.0 {
                second = (edge, edges.len());
                if edge > greatest.0 {
                    core::mem::swap(&mut greatest, &mut second);
                }
            }
            edges.push(edge);
        });
        if edges.len() > first {
            edges.swap(first, greatest.1);
        }
        if edges.len() > first + 1 {
            let at = if second.1 == first { greatest.1 } else { second.1 };
            edges.swap(first + 1, at);
        }
    }

    /// Keeps all edges of a node of which the best two were kept.
    #[cold]
    fn add_the_rest(&mut self, task: &Task<'_>, node: u32) {
        let Node { scene, parent, .. } = self.nodes[node as usize];
        let view = View::new(scene, self.last_to(parent));
        let first = self.edges.len();
        self.add_edges(&view, Score::new(&task.manner.weights, view.class()));
        let edges = (self.edges.len() - first) as u16;
        let node = &mut self.nodes[node as usize];
        (node.first, node.edges, node.has_more) = (first as u32, edges, false);
    }

    /// Whether a look at the position before has shown that this one is not hopeless.
    fn is_known_open(&self, parent: u32, played: Code, scene: &Scene) -> bool {
        parent != NO_PARENT
            && parent as usize >= LOOK_AFTER
            && keeps_outline(&self.nodes[parent as usize].scene, played, scene)
    }

    /// Where the move before the last one ended, which is the side's that moves now.
    fn last_to(&self, parent: u32) -> Option<Square> {
        let before = self.nodes.get(parent as usize)?;
        (before.parent != NO_PARENT).then(|| before.played.to())
    }

    /// The next best move of a node, brought to its place.
    #[inline]
    fn offer(&mut self, task: &Task<'_>, node: u32, edge: u8) -> Option<Waiting> {
        let Node { first, edges, best, spent, potential, has_more, .. } = self.nodes[node as usize];
        let cost = |worse: u32| spent + worse.min(CAP) + task.manner.per_ply + u32::from(potential);
        let at = usize::from(edge);
        if has_more && at >= usize::from(edges) {
            return Some(Waiting::new(cost(CAP), node, edge));
        }
        if at >= usize::from(edges) {
            return None;
        }
        let edges = &mut self.edges[first as usize..][..usize::from(edges)];
        if at > 1 {
            let mut greatest = at;
            for other in at + 1..edges.len() {
                if edges[other] > edges[greatest] {
                    greatest = other;
                }
            }
            edges.swap(at, greatest);
        }
        Some(Waiting::new(cost(u32::from(best - edges[at].score())), node, edge))
    }

    /// The moves that lead to a node.
    pub(super) fn line(&self, at: u32) -> Vec<Move> {
        let mut moves = Vec::with_capacity(self.path(at).count());
        moves.extend(self.path(at).map(|(before, after)| {
            self.nodes[before as usize].scene.played(self.nodes[after as usize].played, self.winner)
        }));
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

/// Whether the winner never mates, as far as the position shows it.
fn is_hopeless(scene: &Scene) -> bool {
    scene.board().is_some_and(|board| !is_plainly_open(&board))
        && scene.position().is_some_and(|position| never_mates(&position, WINNER))
}

/// [`keeps_outline`](crate::persistent::keeps_outline) of a move between two scenes: after it [`never_mates`] says what it
/// said before.
pub(super) fn keeps_outline(before: &Scene, played: Code, after: &Scene) -> bool {
    let (old, new) = (before.men(), after.men());
    let (side, others) = if before.winner_moves() { (WINNER, old.loser) } else { (!WINNER, old.winner) };
    let attacked = || (pawn_attacks(side, played.from()) & old.pawns & others).any();
    old.pawns == new.pawns
        && (old.winner | old.loser).count() == (new.winner | new.loser).count()
        && old.castling == new.castling
        && before.en_passant().is_none()
        && !(old.kings.contains(played.from()) && attacked())
}

/// What stays the same during a search.
struct Task<'a> {
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
#[derive(Debug)]
struct Keys {
    places: Vec<u64>,
    filled: usize,
}

impl Keys {
    /// Enough for most searches, and cleared in no time.
    const SMALLEST: usize = 128;

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
