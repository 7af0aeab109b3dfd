//! The moves of one game, played one after the other.

use memchr::memchr;
use shakmaty::{Chess, Move, Position as _};

use super::blank::is_blank;
use super::san::{self, Played, Resolved, Spelling, Usual};
use super::split;
use super::start;
use super::tags::{self, Tag, Tags};
use crate::format::Format;
use crate::how::How;
use crate::lines::shorten;
use crate::memory::Step;
use crate::problem::{Notice, Place, Problem};
use crate::subject::Subject;
use crate::visit::{Outcome, Visit};

/// Variations inside variations inside … : beyond this they are passed over.
const MAX_DEPTH: usize = 256;

/// One game as text.
pub(super) struct Game<'a> {
    pub(super) text: &'a [u8],
    /// How many lines of the source end before a text, and that text, which ends where the game begins.
    pub(super) before: Option<(u64, &'a [u8])>,
    /// Where the movetext begins, if there are tags before it and none of them says anything that matters here.
    pub(super) movetext: Option<usize>,
    /// Where it starts, if its own tags do not say it.
    pub(super) start: Option<&'a str>,
    pub(super) place: Place,
    /// Whether the source broke off at the end of the text.
    pub(super) cut: bool,
    /// The line with a position that breaks the game off, if it has no result.
    pub(super) torn_by: Option<&'a [u8]>,
}

impl Game<'_> {
    /// Hands on every position of the game, the start first, and what kept it from being read to its end.
    pub(super) fn read(&self, how: &How, visit: &mut impl Visit) -> Outcome {
        let place = self.place;
        if !how.extra.tags.is_empty() {
            self.carry_tags(how, visit);
        }
        let opening = match self.movetext {
            Some(at) => {
                let opening = Opening::plain(at);
                debug_assert_eq!(Ok(&opening), self.read_tags(how, visit).as_ref());
                opening
            }
            None => match self.read_tags(how, visit) {
                Ok(opening) => opening,
                Err(problem) => {
                    visit.problem(place, problem);
                    return Outcome::Failed;
                }
            },
        };
        let Opening { chess, at, at_line_start, has_tags } = opening;
        let mut replay = Replay {
            text: self.text,
            text_before: self.before,
            at,
            at_line_start,
            cut: self.cut,
            torn_by: self.torn_by,
            variations: how.variations,
            place,
            before: None,
            chess,
            ply: 0,
            lines: Vec::new(),
            started: false,
            is_followed: false,
            after_moves: at,
            result: false,
            end_result: b"",
            noticed: Noticed::default(),
            outcome: Outcome::Read,
            visit,
        };
        // Text without tags may not be a game at all: its start counts once something of it could be read.
        if has_tags {
            replay.start();
        }
        if let Err(problem) = replay.run() {
            replay.outcome = Outcome::Failed;
            let place = place.at_ply(replay.ply + 1);
            replay.visit.problem(place, problem);
        } else {
            if let Some(slot) = how.extra.ending_slot() {
                let comments = comments(&self.text[replay.after_moves..]);
                if !comments.is_empty() {
                    replay.visit.carry(slot, &comments);
                }
                replay.visit.carry(slot + 1, &String::from_utf8_lossy(replay.end_result));
            }
            replay.start();
        }
        replay.outcome
    }

    fn carry_tags(&self, how: &How, visit: &mut impl Visit) {
        for tag in Tags::new(self.text) {
            if let Tag::Pair { name, value } = tag {
                how.carry_tag(name, &tags::decode(value), visit);
            }
        }
    }

    fn read_tags(&self, how: &How, visit: &mut impl Visit) -> Result<Opening, Problem> {
        let mut tags = Tags::new(self.text);
        let chess = start::read(&mut tags, self.start, self.place, how, visit)?;
        let at = tags.end();
        let has_tags = self.text[..at].iter().any(|&byte| !is_blank(byte));
        Ok(Opening { chess, at, at_line_start: tags.ends_at_line_start(), has_tags })
    }
}

/// What is known of a game before its first move.
#[derive(Debug, Eq, PartialEq)]
struct Opening {
    chess: Chess,
    /// Where the movetext begins.
    at: usize,
    at_line_start: bool,
    has_tags: bool,
}

impl Opening {
    /// That of a game whose tags say nothing about its start, and stand on separate lines.
    fn plain(at: usize) -> Self {
        Self { chess: Chess::default(), at, at_line_start: true, has_tags: true }
    }
}

/// A line that a variation has interrupted.
struct Line {
    before: Option<Chess>,
    chess: Chess,
    ply: u32,
}

/// What has been noticed about the game, to say each thing once.
#[derive(Default)]
struct Noticed {
    zero_byte: bool,
    spelling: bool,
    uci: bool,
    long: bool,
    null_move: bool,
    after_result: bool,
    text_after_result: bool,
    parenthesis: bool,
}

struct Replay<'a, V> {
    text: &'a [u8],
    text_before: Option<(u64, &'a [u8])>,
    at: usize,
    at_line_start: bool,
    cut: bool,
    torn_by: Option<&'a [u8]>,
    variations: bool,
    place: Place,
    /// The position before the last move: where a variation begins. Kept only for variations.
    before: Option<Chess>,
    chess: Chess,
    ply: u32,
    /// The lines that the present one is a variation of.
    lines: Vec<Line>,
    started: bool,
    /// Whether the position is the one handed on last, so that the next move follows it.
    is_followed: bool,
    /// Where the last move of the main line ends.
    after_moves: usize,
    result: bool,
    /// The last result of the main line, as it is written.
    end_result: &'a [u8],
    noticed: Noticed,
    outcome: Outcome,
    visit: &'a mut V,
}

impl<'a, V: Visit> Replay<'a, V> {
    fn start(&mut self) {
        if !self.started {
            self.started = true;
            self.hand_on(None);
        }
    }

    /// Hands on the position, and how it was reached: by a move from the one before, or in another way.
    #[inline]
    fn hand_on(&mut self, step: Option<Step>) {
        let place = self.place.at_ply(self.ply);
        match step {
            Some(step) if self.is_followed => self.visit.follow(place, &self.chess, step),
            _ => self.visit.subject(place, Subject::Chess(&self.chess)),
        }
        self.is_followed = true;
    }

    /// Goes to a position that is not reached by a move from the present one.
    fn jump_to(&mut self, chess: Chess) -> Chess {
        self.is_followed = false;
        std::mem::replace(&mut self.chess, chess)
    }

    fn notice(&mut self, code: &'static str, message: String) {
        let place = self.place.at_ply(self.ply);
        self.visit.notice(Notice { place, code, message });
    }

    /// Reads to the end of the text.
    ///
    /// # Errors
    ///
    /// What ends the game before its text does.
    fn run(&mut self) -> Result<(), Problem> {
        while let Some(&byte) = self.text.get(self.at) {
            let line_start = std::mem::replace(&mut self.at_line_start, false);
            match byte {
                b' ' | b'.' | b'!' | b'?' => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.at_line_start = true;
                }
                b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' => self.read_move()?,
                b'0'..=b'9' => self.read_number()?,
                b'{' => {
                    self.at = self.end_of_comment()?;
                    self.skip_blank();
                }
                b';' => self.skip_line(),
                b'%' if line_start => self.skip_line(),
                b'(' => self.begin_variation()?,
                b')' => self.end_variation(),
                b'$' => {
                    self.at += 1;
                    while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
                        self.at += 1;
                    }
                }
                b'*' => {
                    self.at += 1;
                    self.read_result(b"*", 0);
                }
                b'}' => {
                    return Err(Problem::new(
                        "pgn/unmatched-brace",
                        "a comment is closed that was not opened",
                    ));
                }
                0 => {
                    self.at += 1;
                    if !std::mem::replace(&mut self.noticed.zero_byte, true) {
                        self.notice("pgn/zero-byte", "zero byte read as a blank".to_owned());
                    }
                }
                byte if is_blank(byte) => {
                    self.at += 1;
                    self.at_line_start = line_start;
                }
                _ => self.read_other()?,
            }
        }
        if !self.lines.is_empty() {
            Err(unterminated_variation())
        } else if self.cut && !self.result {
            Err(Problem::new("pgn/cut-off", "the source broke off before the result of this game"))
        } else if let Some(message) = self
            .torn_by
            .filter(|_| !self.result)
            .and_then(|line| self.position_instead(line, self.text.len()))
        {
            Err(Problem::new("pgn/unreadable-move", message))
        } else {
            Ok(())
        }
    }

    /// The token that begins here.
    fn token(&self) -> Result<&'a [u8], Problem> {
        let rest = &self.text[self.at..];
        match rest.iter().position(|&byte| ends_token(byte)) {
            Some(length) => Ok(&rest[..length]),
            // The rest of the token is missing.
            None if self.cut => Err(Problem::new("pgn/cut-off", "the source broke off inside this token")),
            None => Ok(rest),
        }
    }

    /// Reads a move, which begins here.
    #[inline]
    fn read_move(&mut self) -> Result<(), Problem> {
        match san::usual(&self.chess, &self.text[self.at..]) {
            Some(Usual { played, length }) => {
                debug_assert_eq!(
                    self.token().ok().map(|token| san::resolve(&self.chess, token)),
                    Some(Ok(Resolved { played: Played::Move(played), spelling: Spelling::Standard }))
                );
                self.begin_move();
                self.play(played, length);
                Ok(())
            }
            None => self.read_any_move(),
        }
    }

    fn read_any_move(&mut self) -> Result<(), Problem> {
        let mut token = self.token()?;
        let mut length = token.len();
        // En passant is written `exd6e.p.` by some, and `exd6 e.p.` by others.
        if let [rest @ .., b'e'] = token
            && self.text[self.at + length..].starts_with(b".p")
        {
            token = rest;
            length += 2;
        }
        let resolved = match san::resolve(&self.chess, token) {
            Ok(resolved) => resolved,
            Err(_) if is_annotation(token) => {
                self.at += length;
                return Ok(());
            }
            Err(problem) => {
                let start = self.text[..self.at].iter().rposition(|&byte| is_blank(byte));
                let start = start.map_or(0, |blank| blank + 1);
                let message = self.position_instead(&self.text[start..], start).unwrap_or_else(|| {
                    let shown = String::from_utf8_lossy(token);
                    format!("{problem} {}", shorten(&shown))
                });
                return self.failed(Problem::new(problem.code(), message));
            }
        };
        if resolved.spelling != Spelling::Standard {
            self.tell_spelling(resolved.spelling, token);
        }
        self.begin_move();
        match resolved.played {
            Played::Move(played) => self.play(played, length),
            Played::Null => match self.chess.clone().swap_turn() {
                Ok(chess) => {
                    self.jump_to(chess);
                    if !std::mem::replace(&mut self.noticed.null_move, true) {
                        self.notice("pgn/null-move", "a turn is passed".to_owned());
                    }
                    self.end_move(length, None);
                }
                Err(_) => {
                    let message = "a turn cannot be passed in check";
                    return self.failed(Problem::new("pgn/illegal-null-move", message));
                }
            },
        }
        Ok(())
    }

    /// Does what comes before any move.
    #[inline]
    fn begin_move(&mut self) {
        if self.result && self.lines.is_empty() && !self.noticed.after_result {
            self.noticed.after_result = true;
            self.notice("pgn/moves-after-result", "moves follow the result; they are read".to_owned());
        }
        self.start();
        if self.variations {
            self.before = Some(self.chess.clone());
        }
    }

    /// Plays a legal move whose token has this length.
    #[inline]
    fn play(&mut self, played: Move, length: usize) {
        let step = Step::new(&self.chess, played);
        self.chess.play_unchecked(played);
        self.end_move(length, Some(step));
        if let Move::EnPassant { .. } = played {
            let rest = self.text[self.at..].trim_ascii_start();
            if let Some(mark) = rest.strip_prefix(b"e.p")
                && mark.first().is_none_or(|&byte| ends_token(byte))
            {
                self.at = self.text.len() - mark.len();
                self.skip_blank();
            }
        }
    }

    /// Does what comes after any move.
    #[inline]
    fn end_move(&mut self, length: usize, step: Option<Step>) {
        self.at += length;
        if self.lines.is_empty() {
            self.after_moves = self.at;
        }
        self.ply += 1;
        self.hand_on(step);
        self.skip_blank();
    }

    /// What to say of a move that cannot be read because a position stands in its place.
    #[cold]
    fn position_instead(&self, rest: &[u8], start: usize) -> Option<String> {
        let placement = split::placement(rest.trim_ascii_start())?;
        let line_ends = |text| memchr::memchr_iter(b'\n', text).count() as u64;
        let line = self
            .text_before
            .map(|(lines, before)| 1 + lines + line_ends(before) + line_ends(&self.text[..start]));
        let place = line.map_or_else(String::new, |line| format!(" in line {line}"));
        let found = Format::Lines.describe();
        Some(format!("{found}{place} where a move is expected: {}", shorten(placement)))
    }

    /// Tells once for each game that its moves are written in another way.
    #[cold]
    fn tell_spelling(&mut self, spelling: Spelling, token: &[u8]) {
        let (noticed, code, way) = match spelling {
            Spelling::Standard => return,
            Spelling::Respelled => {
                (&mut self.noticed.spelling, "pgn/spelling", "is not the standard way to write this move")
            }
            Spelling::Uci => (&mut self.noticed.uci, "pgn/uci-moves", "is read as a move in UCI notation"),
            Spelling::Long => {
                (&mut self.noticed.long, "pgn/long-algebraic", "is read as a move in long algebraic notation")
            }
        };
        if !std::mem::replace(noticed, true) {
            let shown = shorten(&String::from_utf8_lossy(token));
            self.notice(code, format!("{shown} {way}"));
        }
    }

    /// A move that cannot be played ends the game; in a variation it ends that variation.
    fn failed(&mut self, problem: Problem) -> Result<(), Problem> {
        let Some(line) = self.lines.pop() else { return Err(problem) };
        self.visit.problem(self.place.at_ply(self.ply + 1), problem);
        self.outcome = Outcome::Failed;
        self.at = self.end_of_variation()?;
        self.resume(line);
        Ok(())
    }

    /// Move numbers, results, and castling with zeros.
    fn read_number(&mut self) -> Result<(), Problem> {
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 4 && rest.starts_with(b"0000") && rest.get(4) != Some(&b'.') {
            return self.read_move();
        }
        if let Some(b'.' | b' ' | b'\n') = rest.get(digits) {
            self.at += digits;
            while let Some(b'.' | b' ') = self.text.get(self.at) {
                self.at += 1;
            }
            return Ok(());
        }
        let token = self.token()?;
        if self.reads_as_result(token) {
            return Ok(());
        }
        if token.starts_with(b"0") && token.get(digits).is_some_and(|byte| !byte.is_ascii_alphabetic()) {
            return self.read_move();
        } else {
            self.at += digits;
        }
        Ok(())
    }

    /// Reads the result that the token begins with; false if it begins with none.
    fn reads_as_result(&mut self, token: &'a [u8]) -> bool {
        let Some(length) = result_length(token) else { return false };
        self.at += length;
        self.read_result(&token[..length], token.len() - length);
        true
    }

    /// A result does not end the game: what follows it is read. Rubbish sticking to it is not.
    fn read_result(&mut self, result: &'a [u8], rubbish: usize) {
        // A result in a variation is the variation's.
        if self.lines.is_empty() {
            self.result = true;
            self.end_result = result;
        }
        if rubbish > 0 {
            let shown = shorten(&String::from_utf8_lossy(&self.text[self.at..self.at + rubbish]));
            self.at += rubbish;
            if !std::mem::replace(&mut self.noticed.text_after_result, true) {
                self.notice("pgn/text-after-result", format!("{shown} after the result is passed over"));
            }
        }
    }

    fn read_other(&mut self) -> Result<(), Problem> {
        let rest = &self.text[self.at..];
        for blank in ["\u{a0}", "\u{feff}", "…"] {
            if rest.starts_with(blank.as_bytes()) {
                self.at += blank.len();
                return Ok(());
            }
        }
        let token = self.token()?;
        if self.reads_as_result(token) {
            return Ok(());
        }
        if token.is_empty() {
            // A character that only ends tokens, such as a bracket.
            let shown = char::from(rest[0]);
            return Err(Problem::new("pgn/unreadable-text", format!("unreadable text {shown}")));
        }
        self.read_move()
    }

    /// Skips the one blank that nearly always comes.
    fn skip_blank(&mut self) {
        self.at += usize::from(self.text.get(self.at) == Some(&b' '));
    }

    fn skip_line(&mut self) {
        self.at += memchr(b'\n', &self.text[self.at..]).unwrap_or(self.text.len() - self.at);
    }

    fn end_of_comment(&self) -> Result<usize, Problem> {
        match memchr(b'}', &self.text[self.at..]) {
            Some(end) => Ok(self.at + end + 1),
            None => {
                let (opens, lost) = (self.at + 1, self.text.len() - self.at);
                let line = memchr::memchr_iter(b'\n', &self.text[..self.at]).count() + 1;
                let message = format!(
                    "a comment is never closed: it opens at byte {opens} of the game, line {line} of it, and takes the \
                     {lost} bytes to its end"
                );
                Err(Problem::new("pgn/unterminated-comment", message))
            }
        }
    }

    fn begin_variation(&mut self) -> Result<(), Problem> {
        self.at += 1;
        if self.variations && self.lines.len() >= MAX_DEPTH {
            let message = format!("a variation inside {MAX_DEPTH} others is passed over");
            self.notice("pgn/variation-too-deep", message);
        } else if self.variations {
            if let Some(before) = self.before.take() {
                let chess = self.jump_to(before.clone());
                self.lines.push(Line { before: Some(before), chess, ply: self.ply });
                self.ply -= 1;
                return Ok(());
            }
            self.notice(
                "pgn/variation-without-move",
                "a variation before any move is passed over".to_owned(),
            );
        }
        self.at = self.end_of_variation()?;
        Ok(())
    }

    fn end_variation(&mut self) {
        self.at += 1;
        match self.lines.pop() {
            Some(line) => self.resume(line),
            None => {
                if !std::mem::replace(&mut self.noticed.parenthesis, true) {
                    let message = "a variation is closed that was not opened";
                    self.notice("pgn/unmatched-parenthesis", message.to_owned());
                }
            }
        }
    }

    fn resume(&mut self, line: Line) {
        self.before = line.before;
        self.jump_to(line.chess);
        self.ply = line.ply;
    }

    /// Where the variation ends that the reader is in, nested ones passed over.
    fn end_of_variation(&mut self) -> Result<usize, Problem> {
        let mut depth = 0usize;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'{' => self.at = self.end_of_comment()?,
                b';' => self.skip_line(),
                b'\n' if self.text.get(self.at + 1) == Some(&b'%') => {
                    self.at += 1;
                    self.skip_line();
                }
                b'(' => {
                    depth += 1;
                    self.at += 1;
                }
                b')' if depth == 0 => return Ok(self.at + 1),
                b')' => {
                    depth -= 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
        Err(unterminated_variation())
    }
}

/// A comment that says how a game ended is not longer, and there are not more of them.
const LONGEST_COMMENT: usize = 200;
const MOST_COMMENTS: usize = 100;

/// The comments in a text that has been read without an error, one a line. Those of variations are left out.
fn comments(text: &[u8]) -> String {
    let mut comments = Vec::new();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(&byte) = text.get(at) {
        let rest = &text[at + 1..];
        at += 1;
        match byte {
            b'{' | b';' => {
                let end = if byte == b'{' { b'}' } else { b'\n' };
                let length = memchr(end, rest).unwrap_or(rest.len());
                if depth == 0 && length <= LONGEST_COMMENT && comments.len() < MOST_COMMENTS {
                    let words = String::from_utf8_lossy(&rest[..length]);
                    comments.push(words.split_whitespace().collect::<Vec<_>>().join(" "));
                }
                at += length + 1;
            }
            b'%' if at > 1 && text[at - 2] == b'\n' => at += memchr(b'\n', rest).unwrap_or(rest.len()),
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    comments.retain(|comment| !comment.is_empty());
    comments.join("\n")
}

fn unterminated_variation() -> Problem {
    Problem::new("pgn/unterminated-variation", "a variation is never closed")
}

#[inline]
fn ends_token(byte: u8) -> bool {
    const ENDS: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < table.len() {
            table[byte] = is_blank(byte as u8);
            byte += 1;
        }
        let marks = *b"{}()[]!?$;.*,";
        let mut index = 0;
        while index < marks.len() {
            table[marks[index] as usize] = true;
            index += 1;
        }
        table
    };
    ENDS[usize::from(byte)]
}

/// Length of the result that a token begins with; half a point alone is a draw too.
fn result_length(token: &[u8]) -> Option<usize> {
    if token == b"1/2" || token == "½".as_bytes() {
        return Some(token.len());
    }
    const DASHES: [&[u8]; 3] = [b"-", "\u{2013}".as_bytes(), "\u{2014}".as_bytes()];
    const SIDES: [(&[u8], &[u8]); 4] =
        [(b"1", b"0"), (b"0", b"1"), (b"1/2", b"1/2"), ("½".as_bytes(), "½".as_bytes())];
    for (white, black) in SIDES {
        let Some(rest) = token.strip_prefix(white) else { continue };
        for dash in DASHES {
            if let Some(rest) = rest.strip_prefix(dash)
                && let Some(rest) = rest.strip_prefix(black)
            {
                return Some(token.len() - rest.len());
            }
        }
    }
    None
}

/// Signs about a move or a position that books write after it and that are not moves.
fn is_annotation(token: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(token) else { return false };
    match text {
        "" | "N" | "D" | "TN" | "ep" => !text.is_empty(),
        "--" => false,
        _ => text.chars().all(|sign| "+-=/\\|~<>#^±∓⩲⩱∞⌓□⇆→↑⇄⊥⟳∆".contains(sign)),
    }
}
