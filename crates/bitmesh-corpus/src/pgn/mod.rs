//! Games in Portable Game Notation: every position of every game.
//!
//! The tokens of the movetext are read here and not by `pgn-reader`, which silently passes over what it does
//! not understand: a move with a stray byte, or a figurine, would be lost, and the moves after it played by the wrong
//! side. Moves in standard notation are read in `san.rs`; whether one is legal is shakmaty's answer.

mod blank;
mod movetext;
mod san;
mod split;
mod start;
mod tags;

use std::collections::VecDeque;

use shakmaty::{Chess, Position as _};

use self::split::{Extent, Kind};
use crate::how::How;
use crate::problem::{Place, Problem};
use crate::text::{BLOCK, Text};
use crate::visit::{Outcome, Part, Visit};

/// The longest game that is read, comments and variations included.
const MAX_GAME: usize = 1 << 22;

/// Whole games of a source.
pub(crate) struct Games {
    bytes: Vec<u8>,
    games: Vec<Extent>,
    /// The number of the first one.
    first: u64,
    /// Bytes that belonged to no game and were taken before these.
    before: u64,
    /// Where the text of these games begins in the source.
    start: u64,
    /// How many lines end before it.
    lines: u64,
    /// Whether the source broke off inside the last one.
    cut: bool,
    /// The line with a position that follows them, if the last one was not over.
    next_line: Vec<u8>,
}

impl Games {
    pub(crate) const fn count(&self) -> u64 {
        self.games.len() as u64
    }

    pub(crate) const fn first(&self) -> u64 {
        self.first
    }

    /// Reads each game whose number is greater than `done`.
    pub(crate) fn visit(&self, done: u64, how: &How, visit: &mut impl Visit) {
        let mut end = 0;
        let mut gap = self.before;
        for (index, Extent { kind, text: game, movetext }) in self.games.iter().enumerate() {
            let number = self.first + index as u64;
            let place = Place::game(number);
            gap += (game.start - end) as u64;
            end = game.end;
            if number <= done {
                visit.known(game.len() as u64 + std::mem::take(&mut gap));
                continue;
            }
            between_games(place, std::mem::take(&mut gap), visit);
            if how.carries() {
                visit.begin(self.start + game.start as u64);
            }
            let cut = self.cut && index + 1 == self.games.len();
            let outcome = if game.len() > MAX_GAME {
                visit.problem(place, too_long());
                Outcome::Failed
            } else {
                // Tags that are carried along are read again.
                let movetext = movetext.filter(|_| how.extra.tags.is_empty()).map(|at| at - game.start);
                let text = &self.bytes[game.clone()];
                let before = Some((self.lines, &self.bytes[..game.start]));
                let torn_by = (*kind == Kind::TornGame).then(|| &self.next_line[..]);
                movetext::Game { text, before, movetext, start: None, place, cut, torn_by }.read(how, visit)
            };
            visit.record(place, outcome, game.len() as u64);
        }
        gap += (self.bytes.len() - end) as u64;
        if self.first + self.count() > done + 1 {
            between_games(Place::game(self.first + self.count() - 1), gap, visit);
        } else {
            visit.known(gap);
        }
    }
}

fn between_games(place: Place, bytes: u64, visit: &mut impl Visit) {
    if bytes > 0 {
        visit.skip(place, Part::BetweenGames, bytes);
    }
}

/// Reads the text of one game, which may have tags, from the start that is given for it.
pub(crate) fn read_game(
    text: &[u8],
    start: Option<&str>,
    place: Place,
    how: &How,
    visit: &mut impl Visit,
) -> Outcome {
    movetext::Game { text, before: None, movetext: None, start, place, cut: false, torn_by: None }
        .read(how, visit)
}

/// Whether a text begins like a game: with a tag, a numbered move, or two moves from the usual start.
pub(crate) fn looks_like_game(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with('[') {
        return tags::is_tag_line(text.as_bytes());
    }
    let without_number = |token: &'_ str| {
        let moves = token.trim_start_matches(|first: char| first.is_ascii_digit()).trim_start_matches('.');
        if moves.len() < token.len() && token.contains('.') { moves.to_owned() } else { token.to_owned() }
    };
    let is_numbered = text.starts_with("1.");
    let mut chess = Chess::default();
    let mut read = 0;
    for token in text.split_whitespace().map(without_number).filter(|token| !token.is_empty()).take(2) {
        match san::resolve(&chess, token.as_bytes()) {
            Ok(san::Resolved { played: san::Played::Move(played), .. }) => {
                chess.play_unchecked(played);
                read += 1;
            }
            // In another start position, the move may be legal.
            Err(san::SanProblem::Illegal) if is_numbered => read += 1,
            _ => break,
        }
    }
    read > usize::from(!is_numbered)
}

pub(crate) enum Portion {
    Games(Games),
    /// A game that is too long to be read, or positions where a game should be, and how long it is.
    Refused(Place, Problem, u64),
}

/// Lines with positions, one after the other.
#[derive(Clone, Copy)]
struct Positions {
    first_line: u64,
    last_line: u64,
    /// With the blank lines and comments between them and after them.
    bytes: u64,
}

impl Positions {
    /// What is wrong with them.
    fn describe(self) -> String {
        let Self { first_line, last_line, .. } = self;
        match last_line == first_line {
            true => format!("line {first_line} is a position (FEN), not a game"),
            false => format!("lines {first_line} to {last_line} are positions (FEN), not games"),
        }
    }
}

/// Whole games at the start of a text.
#[derive(Default)]
struct Ready {
    /// Where they lie in the text that was split, of which something may have been consumed.
    games: VecDeque<Extent>,
    /// The length of the text that is done with when all of them are.
    length: usize,
    /// Whether the source ended with this text.
    last: bool,
    /// How much of the text has been consumed.
    consumed: usize,
}

/// Hands out the games of a source in portions.
pub(crate) struct GameReader {
    text: Text,
    /// So much text makes a portion, or all games that were split at once.
    enough: usize,
    next: u64,
    /// Games at the start of the text that have been told apart and not handed out.
    ready: Ready,
    /// The bytes of a game that is too long: its rest is thrown away.
    overlong: Option<u64>,
    /// Bytes without a game that have been consumed since the last portion.
    between: u64,
    /// How many lines end in what has been consumed.
    lines: u64,
    /// Lines with positions that have been met and not been refused yet; more of them may follow.
    positions: Option<Positions>,
    /// Whether a line with a position ends the games, and is not refused.
    ends_at_position: bool,
}

impl GameReader {
    pub(crate) fn new(text: Text, enough: usize) -> Self {
        Self {
            text,
            enough,
            next: 1,
            ready: Ready::default(),
            overlong: None,
            between: 0,
            lines: 0,
            positions: None,
            ends_at_position: false,
        }
    }

    /// A reader that hands out one game after the other, up to a line with a position.
    pub(crate) fn up_to_position(text: Text) -> Self {
        Self { ends_at_position: true, ..Self::new(text, 1) }
    }

    /// The line that comes next, without its end, as far as it is not longer than that, and its number. No game of which
    /// something has been consumed goes on in it.
    pub(crate) fn next_line(&mut self, longest: usize) -> Option<(u64, &[u8])> {
        self.ready = Ready::default();
        loop {
            let data = self.text.data();
            let end = memchr::memchr(b'\n', data);
            if end.is_some() || data.len() > longest || self.text.ended() {
                break;
            }
            self.text.require(data.len() + 1);
        }
        let data = self.text.data();
        let end = memchr::memchr(b'\n', data).unwrap_or(data.len());
        (!data.is_empty()).then(|| (self.lines + 1, &data[..end.min(longest + 1)]))
    }

    /// Goes past the line that comes next.
    pub(crate) fn pass_line(&mut self) {
        self.ready = Ready::default();
        loop {
            let data = self.text.data();
            match memchr::memchr(b'\n', data) {
                Some(end) => return self.consume(end + 1),
                None => self.consume(data.len()),
            }
            if self.text.ended() {
                return;
            }
            self.text.require(1);
        }
    }

    pub(crate) const fn text(&self) -> &Text {
        &self.text
    }

    /// Bytes without a game that no portion has had.
    pub(crate) const fn between(&self) -> u64 {
        self.between
    }

    fn consume(&mut self, length: usize) {
        self.lines += memchr::memchr_iter(b'\n', &self.text.data()[..length]).count() as u64;
        self.text.consume(length);
    }

    pub(crate) fn next(&mut self) -> Option<Portion> {
        let mut wanted = BLOCK;
        loop {
            if self.pass_positions() {
                return None;
            }
            if let Some(portion) = self.next_ready() {
                return Some(portion);
            }
            self.text.fill(wanted);
            if self.overlong.is_some() {
                match self.pass_over() {
                    Some(bytes) => {
                        let place = Place::game(self.next);
                        self.next += 1;
                        return Some(Portion::Refused(place, too_long(), bytes));
                    }
                    None => continue,
                }
            }
            let (data, last) = (self.text.data(), self.text.ended());
            if data.is_empty() && last {
                let has_games = self.next > 1;
                return if has_games { self.refuse_positions() } else { None };
            }
            let split = split::split(data, last);
            if split.games.is_empty() {
                let pending = data.len() - split.consumed;
                self.pass_between(split.consumed);
                if pending > MAX_GAME {
                    if let Some(refused) = self.refuse_positions() {
                        return Some(refused);
                    }
                    // Its own tags must not be taken for the start of the next game.
                    let seen = end_of_decided(self.text.data());
                    self.consume(seen);
                    self.overlong = Some(seen as u64);
                    continue;
                }
                // Twice as much each time: a long game is not looked through again for every block.
                wanted = (pending + BLOCK).max(pending * 2).min(MAX_GAME + BLOCK);
                self.text.require(pending + 1);
                continue;
            }
            self.ready = Ready { games: split.games.into(), length: split.consumed, last, consumed: 0 };
            wanted = BLOCK;
        }
    }

    /// Consumes text in which no game is.
    fn pass_between(&mut self, length: usize) {
        self.consume(length);
        match &mut self.positions {
            Some(positions) => positions.bytes += length as u64,
            None => self.between += length as u64,
        }
    }

    /// Goes past the lines with positions that come next, those that are ready, or says that one of them ends the games.
    fn pass_positions(&mut self) -> bool {
        while let Some(next) = self.ready.games.front().filter(|next| next.kind == Kind::Position) {
            let Extent { text, .. } = next.clone().without(self.ready.consumed);
            self.pass_between(text.start);
            if self.ends_at_position {
                self.ready = Ready::default();
                return true;
            }
            let line = self.lines + 1;
            let before = std::mem::take(&mut self.between);
            let positions = Positions { first_line: line, last_line: line, bytes: before };
            self.positions.get_or_insert(positions).last_line = line;
            self.pass_between(text.len());
            self.ready.consumed += text.end;
            self.ready.games.pop_front();
            if self.ready.games.is_empty() {
                let rest = self.ready.length - self.ready.consumed;
                self.ready = Ready::default();
                self.pass_between(rest);
            }
        }
        false
    }

    /// The error for the lines with positions that have been met.
    fn refuse_positions(&mut self) -> Option<Portion> {
        let positions = self.positions.take()?;
        let place = Place::game(self.next);
        self.next += 1;
        let problem = Problem::new("pgn/not-a-game", positions.describe());
        Some(Portion::Refused(place, problem, positions.bytes))
    }

    /// At the end of a source without any game: what is wrong with the positions in it, and their bytes.
    pub(crate) fn only_positions(&self) -> Option<(Problem, u64)> {
        let positions = self.positions?;
        let message = format!("{}; scan and decide read positions", positions.describe());
        Some((Problem::new("stream/not-games", message), positions.bytes))
    }

    /// A portion of the games that are ready, if there are any, or what comes before them.
    fn next_ready(&mut self) -> Option<Portion> {
        if let Some(game) = self.ready.games.front()
            && self.positions.is_some()
        {
            // What lies between counts as theirs, however the text has arrived.
            let between = game.text.start - self.ready.consumed;
            self.ready.consumed += between;
            self.pass_between(between);
            return self.refuse_positions();
        }
        let Ready { games: ready, length, last, consumed } = &mut self.ready;
        let mut games = Vec::new();
        let mut end = *consumed;
        while ready.front().is_some_and(|next| next.kind != Kind::Position)
            && let Some(game) = ready.pop_front()
        {
            end = game.text.end;
            let is_enough = end - *consumed >= self.enough || game.kind == Kind::TornGame;
            games.push(game.without(*consumed));
            if is_enough {
                break;
            }
        }
        if games.is_empty() {
            return None;
        }
        if ready.is_empty() {
            end = *length;
        }
        let taken = end - *consumed;
        *consumed = end;
        let next_line = match games.last() {
            Some(Extent { kind: Kind::TornGame, .. }) => {
                let rest = &self.text.data()[taken..];
                rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())].to_vec()
            }
            _ => Vec::new(),
        };
        let games = Games {
            next_line,
            bytes: self.text.data()[..taken].to_vec(),
            cut: ready.is_empty() && *last && self.text.problem().is_some(),
            first: self.next,
            before: std::mem::take(&mut self.between),
            start: self.text.offset(),
            lines: self.lines,
            games,
        };
        self.next += games.count();
        self.consume(taken);
        Some(Portion::Games(games))
    }

    /// Throws away what belongs to the game that is too long; at its end, says how long it was.
    fn pass_over(&mut self) -> Option<u64> {
        let (data, last) = (self.text.data(), self.text.ended());
        let next = split::next_game(data, last);
        let length = match next {
            Some(start) => start,
            None if last => data.len(),
            None if data.len() >= 2 * BLOCK => end_of_decided(data),
            None => 0,
        };
        let is_over = next.is_some() || last;
        let wanted = (data.len() + BLOCK).max(3 * BLOCK);
        self.consume(length);
        let bytes = self.overlong.take().unwrap_or_default() + length as u64;
        if is_over {
            return Some(bytes);
        }
        self.overlong = Some(bytes);
        self.text.require(wanted - length);
        None
    }
}

/// Where the part of the text ends in which no game begins, if none was found: the last line may be unfinished, and a
/// block after a line may be needed to decide about it.
fn end_of_decided(data: &[u8]) -> usize {
    let end = data.len().saturating_sub(BLOCK);
    memchr::memrchr(b'\n', &data[..end]).map_or(end, |newline| newline + 1)
}

fn too_long() -> Problem {
    Problem::new("pgn/game-too-long", format!("game too long: more than {MAX_GAME} bytes"))
}
