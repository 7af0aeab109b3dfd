//! The three answers, and the decider that gives them.

use alloc::boxed::Box;
use alloc::vec::Vec;

use shakmaty::{ByColor, Chess, Color, Move, Position as _};

use super::evidence::{proof, proof_with_homes};
use super::line::{MateLine, is_encodable, replay};
use super::search::{Found, Manner, Search};
use super::weights::{UNIT, Weights};
use crate::persistent::{PersistentCertificate, never_mates, never_mates_with_stoppers};

/// Whether a colour can still give mate, with the evidence.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Decision {
    /// A line of legal moves that ends in mate by the colour. It need not be short, and says nothing about which side
    /// stands better.
    Winnable(MateLine),
    /// No line of legal moves ends in mate by the colour. The certificate claims so, and was checked.
    Unwinnable(PersistentCertificate),
    /// Neither was found. This claims nothing.
    Undecided {
        /// How far the search was allowed to go.
        bound: Effort,
    },
}

impl Decision {
    /// The answer without the evidence.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self {
            Self::Winnable(line) => Verdict::Winnable { plies: line.plies() },
            Self::Unwinnable(_) => Verdict::Unwinnable,
            Self::Undecided { bound } => Verdict::Undecided { bound: *bound },
        }
    }

    /// The bytes of the evidence, BMMATE or BMPERSIST; none for an undecided colour.
    #[must_use]
    pub fn canonical_payload(&self) -> Option<Vec<u8>> {
        match self {
            Self::Winnable(line) => Some(line.canonical_payload()),
            Self::Unwinnable(certificate) => Some(certificate.canonical_payload()),
            Self::Undecided { .. } => None,
        }
    }
}

/// Whether a colour can still give mate.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Verdict {
    /// A line of legal moves ends in mate by the colour.
    Winnable {
        /// The length of the line that was found. There may be shorter ones.
        plies: u16,
    },
    /// No line of legal moves does.
    Unwinnable,
    /// Neither was found. This claims nothing.
    Undecided {
        /// How far the search was allowed to go.
        bound: Effort,
    },
}

impl Verdict {
    /// One word: `winnable`, `unwinnable` or `undecided`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Winnable { .. } => "winnable",
            Self::Unwinnable => "unwinnable",
            Self::Undecided { .. } => "undecided",
        }
    }

    /// The length of the line that was found, if one was.
    #[must_use]
    pub const fn plies(self) -> Option<u16> {
        match self {
            Self::Winnable { plies } => Some(plies),
            Self::Unwinnable | Self::Undecided { .. } => None,
        }
    }
}

/// How many positions a decision may look at, for one colour.
///
/// The time is about a microsecond for each; an ordinary decision ends after fifteen. The memory of a search is at most
/// about 500 bytes for each position, and is kept for the next decision. Decisions that use the whole default bound were
/// measured to take 45 to 75 MB.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Effort {
    positions: u32,
}

impl Effort {
    /// Enough for almost all positions of real games.
    pub const QUICK: Self = Self::positions(2_000);

    /// The greatest bound.
    pub const MAXIMUM: Self = Self { positions: 1_000_000 };

    /// At most this many positions, and never more than [`MAXIMUM`](Self::MAXIMUM). With none, only what needs no search is decided.
    #[must_use]
    pub const fn positions(positions: u32) -> Self {
        if positions < Self::MAXIMUM.positions { Self { positions } } else { Self::MAXIMUM }
    }

    /// The number of positions.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.positions
    }
}

impl Default for Effort {
    fn default() -> Self {
        Self::positions(400_000)
    }
}

/// The kinds of search that take turns.
#[derive(Clone, Copy)]
enum Kind {
    /// Along the moves that lead to mate soonest in most positions. It comes first, and only once.
    Swift,
    /// Along the best moves.
    Dive,
    /// With a price for every ply, so that more lines are tried.
    Wide,
    /// With the other weights.
    Other,
}

/// What each stage may look at. The last takes all that is left.
///
/// The kinds share what is looked at while a mate is likely to be near. Behind that nearly all that can be reached
/// must be seen, by whichever kind, and taking turns would only do so again: one kind goes on alone, and leaves enough
/// to another for what it is blind to.
const STAGES: [(Kind, u32); 8] = [
    (Kind::Swift, 200),
    (Kind::Wide, 600),
    (Kind::Other, 1_000),
    (Kind::Dive, 3_000),
    (Kind::Wide, 6_000),
    (Kind::Other, 10_000),
    (Kind::Dive, 220_000),
    (Kind::Other, u32::MAX),
];

/// After which stages men at home are counted instead of placed, and in how many states. Most positions that need it
/// need few. The second time they are also counted behind a few moves, if no more are possible.
const HOMES: [(usize, u32); 3] = [(3, 1_000), (5, 20_000), (6, 64_000)];

/// A tenth of a nat.
const PRICE_OF_A_PLY: u32 = UNIT / 10;

/// Decides one position after the other. It owns the memory that a search needs: keep one for each thread.
///
/// ```
/// use bitmesh::decision::{Decider, Effort, Verdict};
/// use shakmaty::{Chess, Color};
///
/// let mut decider = Decider::new(Effort::QUICK);
/// assert!(matches!(decider.verdict(&Chess::default(), Color::White), Verdict::Winnable { .. }));
/// ```
#[derive(Debug)]
pub struct Decider {
    effort: Effort,
    search: Search,
    swift: Manner,
    dive: Manner,
    wide: Manner,
    other: Manner,
    looked_at: u32,
}

/// What the search says. None of it is trusted.
enum Finding {
    /// The colour mates with these moves.
    Line(Vec<Move>),
    /// It never does: that was plain, or all positions were looked at.
    Never {
        plain: bool,
    },
    /// It never does, by a proof that was found on the way.
    Proved(Box<PersistentCertificate>),
    Nothing,
}

impl Decider {
    /// A decider whose every decision, for one colour, may look at this many positions.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        Self::with_weights(effort, Weights::SWIFT, Weights::GENERAL, Weights::MINORS)
    }

    pub(super) fn with_weights(effort: Effort, swift: Weights, general: Weights, minors: Weights) -> Self {
        Self {
            effort,
            search: Search::new(),
            swift: Manner { weights: swift, per_ply: 0, is_hasty: true },
            dive: Manner { weights: general.clone(), per_ply: 0, is_hasty: false },
            wide: Manner { weights: general, per_ply: PRICE_OF_A_PLY, is_hasty: false },
            other: Manner { weights: minors, per_ply: 0, is_hasty: false },
            looked_at: 0,
        }
    }

    /// The bound.
    #[must_use]
    pub const fn effort(&self) -> Effort {
        self.effort
    }

    /// How many positions the last decision for a colour looked at, all stages together.
    #[must_use]
    pub const fn looked_at(&self) -> u32 {
        self.looked_at
    }

    /// Decides whether a colour can still give mate, whichever side is to move.
    ///
    /// A board with more than 32 men, or one that a certificate cannot hold for another reason (shakmaty accepts
    /// such boards on request), is undecided.
    #[must_use]
    pub fn decide(&mut self, position: &Chess, winner: Color) -> Decision {
        let decision = match self.find(position, winner) {
            Finding::Line(moves) => {
                MateLine::new(position.clone(), winner, moves).ok().map(Decision::Winnable)
            }
            Finding::Never { .. } => proof(position, winner, self.proof_bound()).map(Decision::Unwinnable),
            Finding::Proved(certificate) => Some(Decision::Unwinnable(*certificate)),
            Finding::Nothing => None,
        };
        decision.unwrap_or(Decision::Undecided { bound: self.effort })
    }

    /// The answer of [`decide`](Self::decide) without evidence.
    ///
    /// The line is replayed all the same. A certificate is made and checked only where the search followed moves;
    /// what needs no search is what [`never_mates`] says.
    #[must_use]
    pub fn verdict(&mut self, position: &Chess, winner: Color) -> Verdict {
        let verdict = match self.find(position, winner) {
            Finding::Line(moves) => {
                replay(position, winner, &moves).ok().map(|plies| Verdict::Winnable { plies })
            }
            Finding::Never { plain } => (plain || proof(position, winner, self.proof_bound()).is_some())
                .then_some(Verdict::Unwinnable),
            Finding::Proved(_) => Some(Verdict::Unwinnable),
            Finding::Nothing => None,
        };
        verdict.unwrap_or(Verdict::Undecided { bound: self.effort })
    }

    /// Decides for both colours.
    #[must_use]
    pub fn both(&mut self, position: &Chess) -> ByColor<Decision> {
        ByColor { white: self.decide(position, Color::White), black: self.decide(position, Color::Black) }
    }

    /// A certificate may take more positions than the search, which stops at other leaves.
    const fn proof_bound(&self) -> u32 {
        self.looked_at.saturating_mul(2).saturating_add(100)
    }

    fn find(&mut self, position: &Chess, winner: Color) -> Finding {
        self.looked_at = 0;
        if !can_be_certified(position) {
            return Finding::Nothing;
        }
        if position.is_check() && position.is_checkmate() {
            return if position.turn() == winner {
                Finding::Never { plain: false }
            } else {
                Finding::Line(Vec::new())
            };
        }
        if never_mates(position, winner) {
            return Finding::Never { plain: true };
        }
        // A search notices a stalemate, too.
        if self.effort.positions == 0 && position.is_stalemate() {
            return Finding::Never { plain: false };
        }
        self.search(position, winner)
    }

    fn search(&mut self, position: &Chess, winner: Color) -> Finding {
        let board = position.board();
        let own = board.by_color(winner);
        let minors = ((board.queens() | board.rooks() | board.pawns()) & own).is_empty();
        for (stage, (kind, limit)) in STAGES.into_iter().enumerate() {
            let limit = limit.min(self.effort.positions - self.looked_at);
            if limit == 0 {
                break;
            }
            let manner = match kind {
                Kind::Swift => &self.swift,
                Kind::Wide => &self.wide,
                Kind::Dive if !minors => &self.dive,
                Kind::Other if minors => &self.dive,
                Kind::Dive | Kind::Other => &self.other,
            };
            let found = self.search.run(position, winner, manner, limit);
            self.looked_at += self.search.looked_at();
            match found {
                Found::Mate(at) => return Finding::Line(self.search.line(at)),
                Found::Closed => return Finding::Never { plain: false },
                Found::Limit if stage == 0 && never_mates_with_stoppers(position, winner) => {
                    return Finding::Never { plain: true };
                }
                Found::Limit => {}
            }
            let homes = HOMES.iter().position(|&(after, _)| after == stage);
            if let Some(time) = homes
                && let Some(certificate) = proof_with_homes(position, winner, HOMES[time].1, time == 1)
            {
                return Finding::Proved(Box::new(certificate));
            }
        }
        Finding::Nothing
    }
}

/// Whether evidence can hold a position. All that shakmaty accepts without being told to can be held.
fn can_be_certified(position: &Chess) -> bool {
    let board = position.board();
    let few = |color| {
        let own = board.by_color(color);
        [
            (board.pawns(), 8),
            (board.knights(), 2),
            (board.bishops(), 2),
            (board.rooks(), 2),
            (board.queens(), 1),
        ]
        .into_iter()
        .all(|(men, most)| (men & own).count() <= most)
    };
    // With no more men than at the start and no check there is nothing to let pass.
    !position.is_check() && Color::ALL.into_iter().all(few) || is_encodable(position)
}

/// Decides whether a colour can still give mate, with the default bound.
///
/// For more than one position, keep a [`Decider`].
#[must_use]
pub fn decide(position: &Chess, winner: Color) -> Decision {
    Decider::new(Effort::default()).decide(position, winner)
}
