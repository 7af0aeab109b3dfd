//! Games, one row each: since when a side could not win, and whether the result fits.

use std::collections::BTreeMap;
use std::sync::Arc;

use bitmesh::decision::Verdict;
use shakmaty::{ByColor, Color};

use crate::carried::{Carried, Value};
use crate::options::Options;
use crate::problem::Problem;
use crate::row::{Collect, Row};

/// Name and version of the rows of an audit.
pub const AUDIT_SCHEMA: &str = "bitmesh.audit.v1";

/// The tags that say how a game ended. They are the first ones of the scan that is audited.
const TAGS: [&str; 2] = ["Result", "Termination"];

/// What an audit finds out about a game.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum AuditFinding {
    /// The result is a win on time for a side that could never have given mate (FIDE Laws, article 6.9).
    FlagFallShouldBeDraw,
    /// The game is said to have ended by mate, and its last position is not mate by the side that won.
    MateClaimedButNot,
    /// Moves were played after the position was dead (FIDE Laws, article 5.2.2).
    PlayedOnWhenDead,
    /// Something that the other findings need is undecided.
    Undecided,
    /// None of these.
    Fine,
}

impl AuditFinding {
    /// The finding in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::FlagFallShouldBeDraw => "flag-fall-should-be-draw",
            Self::MateClaimedButNot => "mate-claimed-but-not",
            Self::PlayedOnWhenDead => "played-on-when-dead",
            Self::Undecided => "undecided",
            Self::Fine => "fine",
        }
    }
}

/// What the tag Termination says, as far as it matters here.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Ending {
    Time,
    Mate,
    Other,
}

impl Ending {
    /// The usual words of servers: `Time forfeit`, `A won on time`, `B won by checkmate`.
    fn of(termination: &str) -> Self {
        let text = termination.to_ascii_lowercase();
        if text.contains("time forfeit") || text.contains("on time") || text.contains("forfeits by time") {
            Self::Time
        } else if text.contains("checkmate") || text.contains("mated") {
            Self::Mate
        } else {
            Self::Other
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Mate => "mate",
            Self::Other => "other",
        }
    }
}

/// Sets up a scan for an audit: games decided, with the tags that are needed and those that are asked for.
pub fn prepare_audit(options: &mut Options, tags: &[String]) {
    let is_known = |tag: &&String| !TAGS.iter().any(|known| known.eq_ignore_ascii_case(tag));
    options.extra.tags =
        TAGS.into_iter().map(str::to_owned).chain(tags.iter().filter(is_known).cloned()).collect();
    options.decide.get_or_insert_default();
}

/// The columns of every audit, in their order, and whether they hold numbers. The tags that are asked for follow.
const COLUMNS: [(&str, bool); 15] = [
    ("source", false),
    ("game", true),
    ("plies", true),
    ("result", false),
    ("termination", false),
    ("ended_by", false),
    ("decided_white", false),
    ("decided_black", false),
    ("unwinnable_white_since", true),
    ("unwinnable_black_since", true),
    ("dead_since", true),
    ("plies_after_dead", true),
    ("finding", false),
    ("error_code", false),
    ("error", false),
];

/// A value in a row of an audit; none where it does not apply.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AuditCell {
    /// A text.
    Text(Option<String>),
    /// A number.
    Number(Option<u64>),
}

/// The columns of an audit with these tags: their names, and whether they hold numbers.
#[must_use]
pub fn audit_columns(options: &Options) -> Vec<(String, bool)> {
    let fixed = COLUMNS.map(|(name, is_number)| (name.to_owned(), is_number));
    let tags = options.extra.tags.iter().skip(TAGS.len()).map(|tag| (tag.clone(), false));
    fixed.into_iter().chain(tags).collect()
}

/// The rows of a part of an audit, each with a cell for every [column](audit_columns), and how often each finding was made.
#[derive(Debug, Default)]
pub struct AuditBlock {
    /// One row a game.
    pub rows: Vec<Vec<AuditCell>>,
    /// The findings with their numbers.
    pub findings: BTreeMap<AuditFinding, u64>,
}

/// Collects the rows of a scan, [prepared](prepare_audit) for it, as one row a game.
#[derive(Debug, Default)]
pub struct Audit {
    block: AuditBlock,
    game: Option<Game>,
}

/// A game of which rows were taken.
#[derive(Debug)]
struct Game {
    source: Arc<str>,
    number: u64,
    carried: Vec<Carried>,
    last_ply: u32,
    verdicts: Option<ByColor<Verdict>>,
    /// The first ply from which each side could never give mate.
    since: ByColor<Option<u32>>,
    has_undecided: bool,
    problem: Option<Problem>,
}

impl Audit {
    /// A collector without games.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn end_game(&mut self) {
        let Some(game) = self.game.take() else { return };
        if let Some(finding) = game.finding() {
            *self.block.findings.entry(finding).or_default() += 1;
        }
        self.block.rows.push(game.cells());
    }
}

impl Collect for Audit {
    type Block = AuditBlock;

    fn push(&mut self, row: &Row) {
        let Some(number) = row.place.game else { return };
        if self.game.as_ref().is_none_or(|game| game.number != number) {
            self.end_game();
        }
        let game = self.game.get_or_insert_with(|| Game {
            source: Arc::clone(&row.source),
            number,
            carried: row.carried.clone(),
            last_ply: 0,
            verdicts: None,
            since: ByColor::default(),
            has_undecided: false,
            problem: None,
        });
        game.take(row);
    }

    fn take(&mut self) -> Self::Block {
        self.end_game();
        std::mem::take(&mut self.block)
    }
}

impl Game {
    fn take(&mut self, row: &Row) {
        if let Some(problem) = &row.problem {
            self.problem.get_or_insert_with(|| problem.clone());
        }
        let (Some(verdicts), Some(ply)) = (row.decided, row.place.ply) else { return };
        self.last_ply = ply;
        self.verdicts = Some(verdicts);
        for color in Color::ALL {
            match verdicts.get(color) {
                Verdict::Unwinnable => {
                    self.since.get_mut(color).get_or_insert(ply);
                }
                Verdict::Undecided { .. } => self.has_undecided = true,
                Verdict::Winnable { .. } => {}
            }
        }
    }

    fn tag(&self, index: usize) -> &str {
        match self.carried.get(index).map(|carried| &carried.value) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    fn dead_since(&self) -> Option<u32> {
        Some(self.since.white?.max(self.since.black?))
    }

    /// The finding; none where the game could not be read to its end.
    fn finding(&self) -> Option<AuditFinding> {
        let verdicts = self.verdicts.filter(|_| self.problem.is_none())?;
        let winner = match self.tag(0) {
            "1-0" => Some(Color::White),
            "0-1" => Some(Color::Black),
            _ => None,
        };
        let ending = Ending::of(self.tag(1));
        let of_winner = winner.map(|winner| *verdicts.get(winner));
        let has_mated = |verdict| verdict == Verdict::Winnable { plies: 0 };
        // Mate on the board has ended the game before any flag fell (article 5.1.1).
        let is_mate = verdicts.iter().any(|&verdict| has_mated(verdict));
        Some(if ending == Ending::Time && of_winner == Some(Verdict::Unwinnable) && !is_mate {
            AuditFinding::FlagFallShouldBeDraw
        } else if ending == Ending::Mate && !of_winner.is_some_and(has_mated) {
            AuditFinding::MateClaimedButNot
        } else if self.dead_since().is_some_and(|since| since < self.last_ply) {
            AuditFinding::PlayedOnWhenDead
        } else if self.has_undecided {
            AuditFinding::Undecided
        } else {
            AuditFinding::Fine
        })
    }

    fn cells(&self) -> Vec<AuditCell> {
        let text = |text: &str| AuditCell::Text((!text.is_empty()).then(|| text.to_owned()));
        let number = |ply: Option<u32>| AuditCell::Number(ply.map(u64::from));
        let word = |color| text(self.verdicts.map_or("", |verdicts| verdicts.get(color).word()));
        let dead_since = self.dead_since();
        let mut cells = vec![
            text(&self.source),
            AuditCell::Number(Some(self.number)),
            number(Some(self.last_ply)),
            text(self.tag(0)),
            text(self.tag(1)),
            text(Ending::of(self.tag(1)).word()),
            word(Color::White),
            word(Color::Black),
            number(self.since.white),
            number(self.since.black),
            number(dead_since),
            number(dead_since.map(|since| self.last_ply - since)),
            text(self.finding().map_or("", AuditFinding::word)),
            text(self.problem.as_ref().map_or("", |problem| problem.code())),
            text(self.problem.as_ref().map_or("", |problem| problem.message())),
        ];
        debug_assert_eq!(cells.len(), COLUMNS.len());
        cells.extend((TAGS.len()..self.carried.len()).map(|index| text(self.tag(index))));
        cells
    }
}
