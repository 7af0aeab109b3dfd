//! Decisions along games: whether each side can still give mate, with as few searches as possible.
//!
//! What can no longer be won stays so, and a line from a later position is also one from every earlier one, after the
//! moves of the game in between. So a game is decided from its end: if the last position can be won, all can. Which positions are
//! looked at follows from the game alone, so that threads and portions change nothing.

use std::sync::Arc;

use bitmesh::decision::{Decider, Decision, Effort, MateLine, Verdict};
use bitmesh::persistent::PersistentCertificate;
use shakmaty::{ByColor, Chess, Color, Move};

use crate::claims::{Claim, Claims};
use crate::memory::Step;
use crate::problem::{Notice, Place, Problem};

/// A game with more positions is decided in parts, so that memory stays small.
const MOST_HELD: usize = 4096;

/// The verdicts about a position, with the way to their evidence.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    pub(crate) verdicts: ByColor<Verdict>,
    /// The lines of a game, and which of its positions this is.
    lines: Option<(Arc<Lines>, usize)>,
}

/// The lines that were found for a part of a game.
#[derive(Debug)]
struct Lines {
    /// The moves between its positions.
    moves: Vec<Move>,
    /// For each side the last position that can be won, and the line from there.
    tails: ByColor<Option<(usize, MateLine)>>,
}

impl Decided {
    /// What follows, for the side to move.
    pub(crate) fn claims(&self, turn: Color) -> Claims {
        let ByColor { black, white } = &self.verdicts;
        let any = |test: fn(&Verdict) -> bool| test(white) || test(black);
        let is_lost = |verdict: &Verdict| *verdict == Verdict::Unwinnable;
        Claims::NONE
            .with_if(Claim::Unwinnable, any(is_lost))
            .with_if(Claim::Dead, is_lost(white) && is_lost(black))
            .with_if(Claim::Winnable, any(|verdict| verdict.plies().is_some()))
            .with_if(Claim::FlagDraw, is_lost(self.verdicts.get(!turn)))
            .with_if(Claim::Undecided, any(|verdict| matches!(verdict, Verdict::Undecided { .. })))
    }
}

/// What waits until the end of its game is known.
pub(crate) enum Held {
    Position(Place, Chess, Option<Step>),
    Problem(Place, Problem),
    Notice(Notice),
}

/// A thread's decider, and the game that it is about.
pub(crate) struct Deciding {
    decider: Decider,
    /// Whether the evidence is wanted too.
    keeps_lines: bool,
    held: Vec<Held>,
}

impl Deciding {
    pub(crate) fn new(effort: Effort, keeps_lines: bool) -> Self {
        Self { decider: Decider::new(effort), keeps_lines, held: Vec::new() }
    }

    /// Keeps something until the end of its game. True when so much is held that it must be released.
    pub(crate) fn hold(&mut self, held: Held) -> bool {
        self.held.push(held);
        self.held.len() >= MOST_HELD
    }

    pub(crate) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Everything that was held, in order, each position with what was decided.
    pub(crate) fn release(&mut self) -> Vec<(Held, Option<Decided>)> {
        let held = std::mem::take(&mut self.held);
        let mut decided = Vec::with_capacity(held.len());
        let mut chain: Vec<&Chess> = Vec::new();
        let mut moves = Vec::new();
        for held in &held {
            let Held::Position(_, chess, step) = held else { continue };
            match step {
                Some(step) if !chain.is_empty() => moves.push(step.played()),
                _ => {
                    decided.append(&mut self.decide(&std::mem::take(&mut chain), std::mem::take(&mut moves)))
                }
            }
            chain.push(chess);
        }
        decided.append(&mut self.decide(&chain, moves));
        let mut decided = decided.into_iter();
        held.into_iter()
            .map(|held| {
                let of_it = if matches!(held, Held::Position(..)) { decided.next() } else { None };
                (held, of_it)
            })
            .collect()
    }

    /// Decides a single position.
    pub(crate) fn alone(&mut self, chess: &Chess) -> Decided {
        let decided = self.decide(&[chess], Vec::new()).pop();
        decided.expect("one position has one answer")
    }

    /// The line that is the evidence for a side that can still mate: that of its game, with the moves before it.
    pub(crate) fn line(&mut self, chess: &Chess, decided: &Decided, color: Color) -> Option<MateLine> {
        let of_game = decided.lines.as_ref().and_then(|(lines, at)| {
            let (end, tail) = lines.tails.get(color).as_ref()?;
            MateLine::after(lines.moves.get(*at..*end)?, chess, tail).ok()
        });
        // A line of a game can become too long to be written down.
        of_game.or_else(|| match self.decider.decide(chess, color) {
            Decision::Winnable(line) => Some(line),
            Decision::Unwinnable(_) | Decision::Undecided { .. } => None,
        })
    }

    /// A certificate that a side can never give mate.
    pub(crate) fn certificate(&mut self, chess: &Chess, color: Color) -> Option<PersistentCertificate> {
        match self.decider.decide(chess, color) {
            Decision::Unwinnable(certificate) => Some(certificate),
            Decision::Winnable(_) | Decision::Undecided { .. } => None,
        }
    }

    /// Decides positions, each of which follows from the one before by a move.
    fn decide(&mut self, positions: &[&Chess], moves: Vec<Move>) -> Vec<Decided> {
        let mut tails = ByColor::<Option<(usize, MateLine)>>::default();
        let sides = ByColor::new_with(|color| {
            along(positions.len(), |at| {
                if !self.keeps_lines {
                    return self.decider.verdict(positions[at], color);
                }
                let decision = self.decider.decide(positions[at], color);
                let verdict = decision.verdict();
                if let Decision::Winnable(line) = decision
                    && tails.get(color).as_ref().is_none_or(|&(end, _)| end < at)
                {
                    *tails.get_mut(color) = Some((at, line));
                }
                verdict
            })
        });
        let lines = self.keeps_lines.then(|| Arc::new(Lines { moves, tails }));
        (0..positions.len())
            .map(|at| Decided {
                verdicts: ByColor { white: sides.white[at], black: sides.black[at] },
                lines: lines.as_ref().map(|lines| (Arc::clone(lines), at)),
            })
            .collect()
    }
}

/// The verdicts for one side about positions, each of which follows from the one before by a move.
fn along(count: usize, mut ask: impl FnMut(usize) -> Verdict) -> Vec<Verdict> {
    let Some(last) = count.checked_sub(1) else { return Vec::new() };
    let mut known = vec![None; count];
    let mut ask = |at: usize, known: &mut [Option<Verdict>]| match known[at] {
        Some(verdict) => verdict,
        None => *known[at].insert(ask(at)),
    };
    // Back in growing steps to a position that can be won.
    let (mut won, mut open, mut at, mut step) = (None, count, last, 1);
    loop {
        if ask(at, &mut known).plies().is_some() {
            won = Some(at);
            break;
        }
        open = at;
        if at == 0 {
            break;
        }
        at = at.saturating_sub(step);
        step *= 2;
    }
    // Then by halves to the last one.
    while let Some(before) = won
        && before + 1 < open
    {
        let middle = before.midpoint(open);
        if ask(middle, &mut known).plies().is_some() {
            won = Some(middle);
        } else {
            open = middle;
        }
    }
    // From there on it is lost; where that is not shown, each position is searched.
    let mut lost = false;
    for at in open..count {
        if lost {
            known[at] = Some(Verdict::Unwinnable);
            continue;
        }
        let verdict = ask(at, &mut known);
        lost = verdict == Verdict::Unwinnable;
        if verdict.plies().is_some() {
            won = Some(at);
        }
    }
    // A line from a later position is one from an earlier.
    let ending = won.and_then(|end| Some((end, known[end]?.plies()?)));
    (0..count)
        .map(|at| match ending {
            Some((end, plies)) if at <= end => {
                let before = u16::try_from(end - at).ok();
                match before.and_then(|before| plies.checked_add(before)) {
                    Some(plies) => Verdict::Winnable { plies },
                    None => ask(at, &mut known),
                }
            }
            _ => ask(at, &mut known),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Verdict = Verdict::Undecided { bound: Effort::QUICK };

    /// Answers for positions of which those before `won` can be won and those from `lost` on cannot; how many are asked.
    fn asked(count: usize, won: usize, lost: usize) -> (Vec<Verdict>, usize) {
        let mut questions = 0;
        let verdicts = along(count, |at| {
            questions += 1;
            match at {
                at if at < won => Verdict::Winnable { plies: 7 },
                at if at >= lost => Verdict::Unwinnable,
                _ => OPEN,
            }
        });
        (verdicts, questions)
    }

    #[test]
    fn the_last_line_serves_all_positions_before_it() {
        let (verdicts, questions) = asked(100, 100, 100);
        assert_eq!(questions, 1);
        assert_eq!((verdicts[99].plies(), verdicts[0].plies()), (Some(7), Some(106)));
    }

    #[test]
    fn every_border_is_found_with_few_questions() {
        for won in 0..=100 {
            let (verdicts, questions) = asked(100, won, won);
            for (at, verdict) in verdicts.iter().enumerate() {
                let expected = (at < won).then(|| 7 + (won - 1 - at) as u16);
                assert_eq!(verdict.plies(), expected, "{won} {at}");
                assert!(at < won || *verdict == Verdict::Unwinnable);
            }
            assert!(questions <= 14, "{won}: {questions}");
        }
    }

    #[test]
    fn undecided_is_never_filled_in() {
        for won in 0..=20 {
            for lost in won..=20 {
                let (verdicts, _) = asked(20, won, lost);
                for (at, verdict) in verdicts.iter().enumerate() {
                    match at {
                        at if at < won => assert!(verdict.plies().is_some(), "{won} {lost} {at}"),
                        at if at >= lost => assert_eq!(*verdict, Verdict::Unwinnable, "{won} {lost} {at}"),
                        _ => assert_eq!(*verdict, OPEN, "{won} {lost} {at}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_too_long_to_be_counted_is_looked_for_anew() {
        let verdicts = along(70_000, |at| Verdict::Winnable { plies: if at == 0 { 3 } else { 10 } });
        assert_eq!(verdicts[0], Verdict::Winnable { plies: 3 });
        assert_eq!(verdicts[69_999], Verdict::Winnable { plies: 10 });
    }

    #[test]
    fn no_positions_have_no_answers() {
        assert_eq!(along(0, |_| OPEN), []);
    }
}
