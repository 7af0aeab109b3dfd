//! Games, one row each: since when a side could not win, and whether the result fits.

use std::collections::BTreeMap;
use std::sync::Arc;

use bitmesh::decision::Verdict;
use shakmaty::{ByColor, Color};

use crate::printable::write_json;
use serde_json::{Map, Value as Json, json};

use crate::carried::{Carried, Value};
use crate::problem::Problem;
use crate::row::{Collect, Row};
use crate::scan::Options;

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
    /// The game is said to have ended by mate, and its last position is none by the side that won.
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

/// Collects the rows of a scan, [prepared](prepare_audit) for it, as one JSON object a game.
#[derive(Debug, Default)]
pub struct Audit {
    text: Vec<u8>,
    findings: BTreeMap<AuditFinding, u64>,
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
        let document = game.document();
        if let Some(finding) = game.finding() {
            *self.findings.entry(finding).or_default() += 1;
        }
        write_json(&mut self.text, &document).expect("writing to memory does not fail");
        self.text.push(b'\n');
    }
}

impl Collect for Audit {
    /// The rows, and how often each finding was made.
    type Block = (Vec<u8>, BTreeMap<AuditFinding, u64>);

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
        (std::mem::take(&mut self.text), std::mem::take(&mut self.findings))
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
        Some(if ending == Ending::Time && of_winner == Some(Verdict::Unwinnable) {
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

    fn document(&self) -> Json {
        let text = |index| if self.tag(index).is_empty() { Json::Null } else { self.tag(index).into() };
        let dead_since = self.dead_since();
        let word = |color| self.verdicts.map(|verdicts| verdicts.get(color).word());
        let mut row = Map::new();
        let mut put = |name: &str, value: Json| drop(row.insert(name.to_owned(), value));
        put("schema", AUDIT_SCHEMA.into());
        put("source", (*self.source).into());
        put("game", self.number.into());
        put("plies", self.last_ply.into());
        put("result", text(0));
        put("termination", text(1));
        put("ended_by", Ending::of(self.tag(1)).word().into());
        put("decided_white", json!(word(Color::White)));
        put("decided_black", json!(word(Color::Black)));
        put("unwinnable_white_since", json!(self.since.white));
        put("unwinnable_black_since", json!(self.since.black));
        put("dead_since", json!(dead_since));
        put("plies_after_dead", json!(dead_since.map(|since| self.last_ply - since)));
        put("finding", json!(self.finding().map(AuditFinding::word)));
        put("error_code", json!(self.problem.as_ref().map(Problem::code)));
        put("error", json!(self.problem.as_ref().map(Problem::message)));
        let tags: Map<String, Json> = self.carried[self.carried.len().min(TAGS.len())..]
            .iter()
            .map(|Carried { name, value }| {
                let value = if let Value::Text(text) = value { text.as_str().into() } else { Json::Null };
                (name.to_string(), value)
            })
            .collect();
        put("tags", Json::Object(tags));
        Json::Object(row)
    }
}
