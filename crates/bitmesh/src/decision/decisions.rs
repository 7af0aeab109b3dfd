//! The answers about one position, together.

use shakmaty::{ByColor, Color, Position as _};

use super::decider::{Decider, Decision, Effort};
use crate::position::Position;

/// What was decided about one position, for one side or for both.
///
/// ```
/// use bitmesh::Position;
/// use bitmesh::decision::{Decider, Decisions, Effort, Verdict};
/// use bitmesh::shakmaty::Color;
///
/// let position: Position = "7k/R7/6K1/8/8/8/8/8 w - - 0 1".parse()?;
/// let decisions = Decisions::of(&mut Decider::new(Effort::QUICK), position, &[Color::White, Color::Black]);
/// assert_eq!(decisions.get(Color::White).unwrap().verdict(), Verdict::Winnable { plies: 1 });
/// assert_eq!(decisions.flag_draw(Color::White), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decisions {
    position: Position,
    effort: Effort,
    decisions: ByColor<Option<Decision>>,
}

impl Decisions {
    /// Decides for the sides that are asked about.
    #[must_use]
    pub fn of(decider: &mut Decider, position: Position, sides: &[Color]) -> Self {
        let decisions = ByColor::new_with(|color| {
            sides.contains(&color).then(|| decider.decide(position.chess(), color))
        });
        Self { effort: decider.effort(), decisions, position }
    }

    /// Decisions from elsewhere, whose evidence has not been checked.
    #[cfg(feature = "serde")]
    pub(crate) const fn stated(
        position: Position,
        effort: Effort,
        decisions: ByColor<Option<Decision>>,
    ) -> Self {
        Self { position, effort, decisions }
    }

    /// The position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The bound of each decision.
    #[must_use]
    pub const fn effort(&self) -> Effort {
        self.effort
    }

    /// The decision for a side, if it was asked for.
    #[must_use]
    pub const fn get(&self, color: Color) -> Option<&Decision> {
        match color {
            Color::White => self.decisions.white.as_ref(),
            Color::Black => self.decisions.black.as_ref(),
        }
    }

    /// The decisions that were asked for, White's first.
    pub fn iter(&self) -> impl Iterator<Item = (Color, &Decision)> {
        [Color::White, Color::Black].into_iter().filter_map(|color| Some((color, self.get(color)?)))
    }

    /// Whether the game is drawn when this side's flag falls, because the other side can never mate (FIDE Laws of
    /// Chess, article 6.9). None when that is not known.
    ///
    /// A mate on the board has ended the game (article 5.1.1): no flag makes it a draw.
    #[must_use]
    pub fn flag_draw(&self, flagged: Color) -> Option<bool> {
        match self.get(!flagged)? {
            Decision::Unwinnable(_) if self.position.chess().is_checkmate() => Some(false),
            Decision::Winnable(_) => Some(false),
            Decision::Unwinnable(_) => Some(true),
            Decision::Undecided { .. } => None,
        }
    }

    /// Whether neither side can ever give mate (FIDE Laws of Chess, article 5.2.2). None when that is not known.
    #[must_use]
    pub fn dead(&self) -> Option<bool> {
        match (self.flag_draw(Color::White), self.flag_draw(Color::Black)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// Whether something that was asked for is undecided.
    #[must_use]
    pub fn has_undecided(&self) -> bool {
        self.iter().any(|(_, decision)| matches!(decision, Decision::Undecided { .. }))
    }
}
