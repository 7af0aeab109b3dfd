//! Games, one row each: since when a side could not win, and whether the result fits.

use std::collections::BTreeMap;
use std::sync::Arc;

use bitmesh::decision::Verdict;
use bitmesh::{Input, PositionBoundDecompositionCertificateDigest};
use shakmaty::{ByColor, Color, Position as _};

use crate::audit_tags::{BLACK, ICC_RESULT, RESULT, TERMINATION, WHITE, after_needed, with_asked};
use crate::carried::{Carried, Value};
use crate::counts::Counts;
use crate::ending::{Ending, winner_on_time};
use crate::extra::{END_RESULT, ENDING, Extra};
use crate::options::Options;
use crate::problem::Problem;
use crate::row::{Collect, Row};

/// What an audit finds out about a game.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum AuditFinding {
    /// The result is a win on time for a side that could never have given mate (FIDE Laws, article 6.9).
    FlagFallShouldBeDraw,
    /// The result does not fit the board: the game is said to have ended by mate and its last position is not mate by
    /// the side that won, or that position is mate or stalemate and the result is another.
    MateClaimedButNot,
    /// Moves were played after the position was dead (FIDE Laws, article 5.2.2).
    PlayedOnWhenDead,
    /// Something that the other findings need is undecided, or it is not clear from the words who won on time.
    Undecided,
    /// None of these.
    Fine,
}

impl AuditFinding {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Self; 5] = [
        Self::FlagFallShouldBeDraw,
        Self::MateClaimedButNot,
        Self::PlayedOnWhenDead,
        Self::Undecided,
        Self::Fine,
    ];

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

/// Sets up a scan for an audit: games decided, with the tags that are needed and those that are asked for. Other
/// columns are not carried along, and of evidence, only that of a game's last position and of those since which a side
/// could not win is kept.
pub fn prepare_audit(options: &mut Options, tags: &[String]) {
    options.extra = Extra { tags: with_asked(tags), ending: true, ..Extra::default() };
    options.ends_of_games = true;
    options.decide.get_or_insert_default();
}

/// The columns of every audit, in their order, and whether they hold numbers. The tags that are asked for follow.
pub(crate) const COLUMNS: [(&str, bool); 17] = [
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
    ("fen", false),
    ("position_digest", false),
];

/// A value in a row of an audit; none where it does not apply.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AuditCell {
    /// A text.
    Text(Option<String>),
    /// A number.
    Number(Option<u64>),
}

/// Collects the rows of a scan, [prepared](prepare_audit) for it, as one row a game, with a cell for each column of an
/// [`AuditTable`](crate::AuditTable). What could not be read of a source itself is a row without a game.
#[derive(Debug, Default)]
pub struct Audit {
    rows: Vec<Vec<AuditCell>>,
    findings: BTreeMap<String, u64>,
    game: Option<Game>,
}

/// A game of which rows were taken.
#[derive(Debug)]
struct Game {
    source: Arc<str>,
    /// None for what is wrong with the source itself.
    number: Option<u64>,
    carried: Vec<Carried>,
    last_ply: u32,
    /// The last position, and the digest that names its evidence.
    last: Option<(String, Option<PositionBoundDecompositionCertificateDigest>)>,
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
        let ending = game.ending();
        let finding = game.finding(ending);
        if let Some(finding) = finding {
            *self.findings.entry(finding.word().to_owned()).or_default() += 1;
        }
        self.rows.push(game.cells(ending, finding));
    }
}

impl Collect for Audit {
    type Block = Vec<Vec<AuditCell>>;

    fn push(&mut self, row: &Row) {
        let number = row.place.game;
        if self.game.as_ref().is_none_or(|game| number.is_none() || game.number != number) {
            self.end_game();
        }
        let game = self.game.get_or_insert_with(|| Game {
            source: Arc::clone(&row.source),
            number,
            carried: row.carried.clone(),
            last_ply: 0,
            last: None,
            verdicts: None,
            since: ByColor::default(),
            has_undecided: false,
            problem: None,
        });
        game.take(row);
    }

    fn take(&mut self) -> Self::Block {
        self.end_game();
        std::mem::take(&mut self.rows)
    }

    fn count(&mut self, counts: &mut Counts) {
        for (finding, count) in std::mem::take(&mut self.findings) {
            *counts.findings.entry(finding).or_default() += count;
        }
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
        // What stands after the moves of a very long game is known with its last part.
        if self.carried != row.carried {
            self.carried.clone_from(&row.carried);
        }
        if let Some(finding) = &row.finding {
            let (fen, digest) = self.last.get_or_insert_with(|| (String::new(), finding.position_digest));
            fen.clone_from(&finding.fen);
            *digest = finding.position_digest;
        }
        for color in Color::ALL {
            match verdicts.get(color) {
                Verdict::Unwinnable => {
                    self.since.get_mut(color).get_or_insert(ply);
                }
                Verdict::Undecided { .. } => self.has_undecided = true,
                // After a turn that was passed, a side may win that could not before.
                Verdict::Winnable { .. } => *self.since.get_mut(color) = None,
            }
        }
    }

    fn tag(&self, name: &str) -> &str {
        let carried = self.carried.iter().find(|carried| &*carried.name == name);
        carried.map_or("", text_of)
    }

    /// What stands after the moves. A tag of that name may have been asked for; this stands after all tags.
    fn after_moves(&self, name: &str) -> &str {
        let carried = self.carried.iter().rfind(|carried| &*carried.name == name);
        carried.map_or("", text_of)
    }

    /// The players, as the tags name them.
    fn names(&self) -> ByColor<&str> {
        ByColor { white: self.tag(WHITE), black: self.tag(BLACK) }
    }

    fn ending(&self) -> Ending {
        Ending::of_tag(self.tag(TERMINATION))
            .or_else(|| Ending::of_tag(self.tag(ICC_RESULT)))
            .or_else(|| Ending::of_comments(self.after_moves(ENDING), self.names()))
    }

    /// Whom the tag lets win, nobody in a draw; what stands after the moves counts where there is no such tag or it does
    /// not say.
    fn result(&self) -> Option<Option<Color>> {
        let tag = winner_by(self.tag(RESULT));
        if self.is_unfinished() { None } else { tag.or_else(|| winner_by(self.after_moves(END_RESULT))) }
    }

    /// Whether the tag says that the game has no result.
    fn is_unfinished(&self) -> bool {
        self.tag(RESULT).trim() == "*"
    }

    /// Whether another result than that of the tag stands after the moves.
    fn has_two_results(&self) -> bool {
        let other = winner_by(self.after_moves(END_RESULT));
        other.is_some() && other != self.result()
    }

    /// Who won on time by the words from which that is known.
    fn winner_in_words(&self) -> Option<Color> {
        let words = [self.tag(TERMINATION), self.tag(ICC_RESULT), self.after_moves(ENDING)];
        words.into_iter().find_map(|words| winner_on_time(words, self.names()))
    }

    fn dead_since(&self) -> Option<u32> {
        Some(self.since.white?.max(self.since.black?))
    }

    /// Whether the side to move of the last position, in which neither side can mate any more, is stalemated.
    fn is_stalemate(&self, verdicts: ByColor<Verdict>) -> bool {
        let ends = verdicts.iter().all(|&verdict| verdict == Verdict::Unwinnable);
        ends && self.last.as_ref().is_some_and(|(fen, _)| {
            let reading = bitmesh::read_position(fen).ok();
            reading.is_some_and(|reading| match reading.input {
                Input::Position(position) => position.chess().is_stalemate(),
                Input::Board(_) => false,
            })
        })
    }

    /// The finding; none where the game could not be read to its end.
    fn finding(&self, ending: Ending) -> Option<AuditFinding> {
        let verdicts = self.verdicts.filter(|_| self.problem.is_none())?;
        let has_mated = |color: Color| *verdicts.get(color) == Verdict::Winnable { plies: 0 };
        let mater = Color::ALL.into_iter().find(|&color| has_mated(color));
        let result = self.result();
        let is_stalemate = self.is_stalemate(verdicts);
        // Mate and stalemate on the board end the game before any flag falls (articles 5.1.1 and 5.2.1).
        let fits_the_board = match (mater, result) {
            (Some(mater), Some(winner)) => winner == Some(mater),
            (None, Some(Some(_))) => ending != Ending::Mate && !is_stalemate,
            (None, _) => ending != Ending::Mate,
            (Some(_), None) => true,
        };
        let is_lost = |winner: Color| *verdicts.get(winner) == Verdict::Unwinnable;
        let is_on_time = ending == Ending::Time && mater.is_none() && !is_stalemate;
        // In doubt about who won on time, a game in which that matters is not judged.
        let matters = || Color::ALL.into_iter().any(is_lost);
        let is_doubtful = || match result {
            _ if self.has_two_results() => matters(),
            Some(Some(winner)) => self.winner_in_words().is_some_and(|other| other != winner),
            Some(None) => false,
            None => !self.is_unfinished() && matters(),
        };
        Some(if is_on_time && is_doubtful() {
            AuditFinding::Undecided
        } else if is_on_time && result.flatten().is_some_and(is_lost) {
            AuditFinding::FlagFallShouldBeDraw
        } else if !fits_the_board {
            AuditFinding::MateClaimedButNot
        } else if self.dead_since().is_some_and(|since| since < self.last_ply) {
            AuditFinding::PlayedOnWhenDead
        } else if self.has_undecided {
            AuditFinding::Undecided
        } else {
            AuditFinding::Fine
        })
    }

    fn cells(&self, ending: Ending, finding: Option<AuditFinding>) -> Vec<AuditCell> {
        let text = |text: &str| AuditCell::Text((!text.is_empty()).then(|| text.to_owned()));
        let number = |ply: Option<u32>| AuditCell::Number(ply.map(u64::from));
        let word = |color| text(self.verdicts.map_or("", |verdicts| verdicts.get(color).word()));
        let is_game = self.number.is_some();
        let dead_since = self.dead_since();
        let mut cells = vec![
            text(&self.source),
            AuditCell::Number(self.number),
            number(is_game.then_some(self.last_ply)),
            text(self.tag(RESULT)),
            text(self.tag(TERMINATION)),
            text(if is_game { ending.word() } else { "" }),
            word(Color::White),
            word(Color::Black),
            number(self.since.white),
            number(self.since.black),
            number(dead_since),
            number(dead_since.map(|since| self.last_ply - since)),
            text(finding.map_or("", AuditFinding::word)),
            text(self.problem.as_ref().map_or("", |problem| problem.code())),
            text(self.problem.as_ref().map_or("", |problem| problem.message())),
            text(self.last.as_ref().map_or("", |(fen, _)| fen)),
            AuditCell::Text(
                self.last.as_ref().and_then(|(_, digest)| digest.map(|digest| digest.to_string())),
            ),
        ];
        debug_assert_eq!(cells.len(), COLUMNS.len());
        // What stands after the moves comes after the tags, and has no column.
        let tags = self.carried.split_last_chunk::<2>().map_or(&[][..], |(tags, _)| tags);
        cells.extend(after_needed(tags).iter().map(|carried| text(text_of(carried))));
        cells
    }
}

/// Whom a result lets win, nobody in a draw; none if it is not one.
fn winner_by(result: &str) -> Option<Option<Color>> {
    let text: String = result.chars().filter(|character| !character.is_whitespace()).collect();
    let text = text.replace(['\u{2013}', '\u{2014}', '\u{2212}'], "-").replace('\u{bd}', "1/2");
    match text.as_str() {
        "1-0" => Some(Some(Color::White)),
        "0-1" => Some(Some(Color::Black)),
        "1/2-1/2" | "1/2" => Some(None),
        _ => None,
    }
}

fn text_of(carried: &Carried) -> &str {
    match &carried.value {
        Value::Text(text) => text,
        Value::Nothing | Value::Number(_) => "",
    }
}
