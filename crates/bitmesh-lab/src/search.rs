//! Searches from a certified position: for mates with both sides helping, and to a fixed depth.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use bitmesh::shakmaty::zobrist::Zobrist128;
use bitmesh::shakmaty::{ByColor, Color, EnPassantMode, Move, Position as _};

use crate::walk::{Broken, Violation, Walk, Ward, mating_distance};

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Explored {
    /// Every reachable position was visited.
    pub complete: bool,
    pub positions: usize,
    /// The colours that can give mate, with a shortest known line.
    pub mates: ByColor<Option<Vec<Move>>>,
}

impl Explored {
    /// Whether a colour can never give mate, when that is known.
    pub fn unwinnable(&self, color: Color) -> Option<bool> {
        match self.mates.get(color) {
            Some(_) => Some(false),
            None => self.complete.then_some(true),
        }
    }
}

/// Visits reachable positions, at most `limit`, those first that look near to mate by `hunter`
/// (by either colour in turn when there is none), and holds the ward's claims against all of them.
///
/// Positions are told apart by 128-bit hashes. The search stops early when both colours have mated, or the hunter has.
pub fn explore(ward: &Ward, limit: usize, hunter: Option<Color>) -> Result<Explored, Violation> {
    let mut trail: Vec<(usize, Option<Move>)> = vec![(0, None)];
    let mut seen = HashSet::new();
    let mut queue = BinaryHeap::new();
    let mut walks = vec![Some(Walk::start(ward))];
    let mut mates = ByColor { black: None, white: None };
    let hash = |walk: &Walk| walk.position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0;
    if let Some(Some(walk)) = walks.first() {
        seen.insert(hash(walk));
    }
    queue.push(Reverse((0, 0usize)));
    let mut complete = true;
    while let Some(Reverse((_, index))) = queue.pop() {
        let Some(walk) = walks[index].take() else { continue };
        let moves = walk.position.legal_moves();
        let settled = walk
            .settle(ward, &moves)
            .and_then(|()| if ward.claims.decomposed() { walk.compare_sum(ward, &moves) } else { Ok(()) });
        settled.map_err(|broken| violation(ward, &trail, index, None, broken))?;
        let winner = !walk.position.turn();
        if moves.is_empty() && walk.position.is_check() && mates.get(winner).is_none() {
            *mates.get_mut(winner) = Some(line_to(&trail, index));
            let done = match hunter {
                Some(color) => color == winner,
                None => mates.white.is_some() && mates.black.is_some(),
            };
            if done {
                return Ok(Explored { complete: false, positions: seen.len(), mates });
            }
        }
        for &played in &moves {
            let mut next = walk.clone();
            next.play(ward, played).map_err(|broken| violation(ward, &trail, index, Some(played), broken))?;
            if !seen.contains(&hash(&next)) {
                if seen.len() >= limit {
                    complete = false;
                    continue;
                }
                seen.insert(hash(&next));
                let near = |color| mating_distance(&next.position, color);
                let distance = match hunter {
                    Some(color) => near(color),
                    None => near(Color::White).min(near(Color::Black)),
                };
                queue.push(Reverse((distance, walks.len())));
                trail.push((index, Some(played)));
                walks.push(Some(next));
            }
        }
    }
    Ok(Explored { complete, positions: seen.len(), mates })
}

fn violation(
    ward: &Ward,
    trail: &[(usize, Option<Move>)],
    index: usize,
    last: Option<Move>,
    broken: Broken,
) -> Violation {
    let mut line = line_to(trail, index);
    line.extend(last);
    Violation { broken, start: Box::new(ward.start.clone()), line }
}

fn line_to(trail: &[(usize, Option<Move>)], mut index: usize) -> Vec<Move> {
    let mut line = Vec::new();
    while let (before, Some(played)) = trail[index] {
        line.push(played);
        index = before;
    }
    line.reverse();
    line
}

/// Every line of `depth` moves, unless there are more than `limit`; how many moves were played, if all were.
pub fn exhaust(ward: &Ward, depth: usize, limit: u64) -> Result<Option<u64>, Violation> {
    let mut count = 0;
    let mut line = Vec::new();
    descend(ward, &Walk::start(ward), depth, limit, &mut count, &mut line)?;
    Ok((count <= limit).then_some(count))
}

fn descend(
    ward: &Ward,
    walk: &Walk,
    depth: usize,
    limit: u64,
    count: &mut u64,
    line: &mut Vec<Move>,
) -> Result<(), Violation> {
    let moves = walk.position.legal_moves();
    let violation = |broken, line: &[Move]| Violation {
        broken,
        start: Box::new(ward.start.clone()),
        line: line.to_vec(),
    };
    walk.settle(ward, &moves).map_err(|broken| violation(broken, line))?;
    if depth == 0 || *count > limit {
        return Ok(());
    }
    for &played in &moves {
        *count += 1;
        line.push(played);
        let mut next = walk.clone();
        next.play(ward, played).map_err(|broken| violation(broken, line))?;
        descend(ward, &next, depth - 1, limit, count, line)?;
        line.pop();
    }
    Ok(())
}
