//! Where one game ends and the next begins.
//!
//! Games are told apart without reading their moves:
//!
//! 1. A line that begins with a tag pair begins a game, once movetext of the game before has been seen. In a tag
//!    section it does so only after a blank line, and if its tag is `Event` or was there before.
//! 2. A line that begins with `1.` (and not `1..`) begins a game after a blank line or a result, if the game before
//!    has moves.
//! 3. A line that begins with the placement of a FEN is a position and not a part of any game.
//! 4. None of this holds inside a comment: when the nearest brace before the line is `{` and the nearest one after it
//!    is `}`. So a comment that is never closed ends with its game and not with the file.
//! 5. A line that begins with `#`, before a game or after its result, is a comment between games.

use std::cell::Cell;
use std::ops::Range;

use bitmesh::looks_like_placement;
use memchr::{memchr, memchr2, memrchr2};

use super::blank::is_blank;
use super::tags::{self, Tag};

/// How far a brace is looked for after a line that may begin a game.
const COMMENT_REACH: usize = 1 << 16;

/// What the lines hold that were told apart from others.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    Game,
    /// A game without a result that a position follows, and no blank line between them.
    TornGame,
    /// One line with a position.
    Position,
}

/// Where a game lies.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Extent {
    pub(crate) kind: Kind,
    pub(crate) text: Range<usize>,
    /// Where the movetext begins, if all lines before it are blank, escaped, or usual tags that say nothing about the start of
    /// the game, and there is such a tag. Then the tags need not be read again.
    pub(crate) movetext: Option<usize>,
}

impl Extent {
    /// The same in the text without so many bytes at its start, all of which lie before the game.
    pub(crate) fn without(self, bytes: usize) -> Self {
        let text = self.text.start - bytes..self.text.end - bytes;
        Self { kind: self.kind, text, movetext: self.movetext.map(|at| at - bytes) }
    }
}

/// Games at the start of some text.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Split {
    pub(crate) games: Vec<Extent>,
    /// Length of the text that is done with.
    pub(crate) consumed: usize,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum State {
    /// Nothing of a game has been seen yet.
    Between,
    Tags,
    Moves,
}

/// Splits text that begins with a game. The last game is only complete when `last` says that no more text follows.
pub(crate) fn split(data: &[u8], last: bool) -> Split {
    let mut split = Split::default();
    let mut splitter = Splitter::new(data, last, State::Between);
    splitter.run(|game| split.games.push(game));
    split.consumed = if last { data.len() } else { splitter.start };
    split
}

/// The first place in the rest of a game where another game begins; for a game that is too long to be read.
pub(crate) fn next_game(rest: &[u8], last: bool) -> Option<usize> {
    let mut splitter = Splitter::new(rest, last, State::Moves);
    let mut first = None;
    splitter.run(|game| first = first.or(Some(game.text.end)));
    first.filter(|&end| end < rest.len())
}

struct Splitter<'a> {
    data: &'a [u8],
    last: bool,
    /// The brace found last: no brace lies between where the search began and its index.
    brace: Cell<Option<(usize, Brace)>>,
    /// Where the present game begins.
    start: usize,
    state: State,
    /// Whether all tags of the present game so far are usual and say nothing about its start.
    plain_tags: bool,
    /// Where its movetext begins, if they are.
    movetext: Option<usize>,
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Brace {
    Open,
    Close,
    /// None as far as was looked.
    None,
}

/// The answer needs text that is not there yet.
struct Undecided;

impl<'a> Splitter<'a> {
    const fn new(data: &'a [u8], last: bool, state: State) -> Self {
        Self { data, last, brace: Cell::new(None), start: 0, state, plain_tags: true, movetext: None }
    }

    fn run(&mut self, mut game: impl FnMut(Extent)) {
        let mut line_start = 0;
        let mut after_blank = false;
        while line_start < self.data.len() {
            let rest = &self.data[line_start..];
            let length = match memchr(b'\n', rest) {
                Some(end) => end + 1,
                None if self.last => rest.len(),
                None => break,
            };
            let line = &rest[..length];
            let indent = line.iter().position(|&byte| !is_blank(byte));
            match indent {
                None => after_blank = true,
                Some(0) if line[0] == b'%' => {}
                Some(indent) => {
                    let is_position = placement(&line[indent..]).is_some();
                    let begins = if is_position || line[indent] == b'#' {
                        self.leaves_game(line_start, &line[indent..], is_position)
                    } else {
                        self.begins_game(line_start, &line[indent..], after_blank)
                    };
                    let Ok(begins) = begins else { break };
                    if begins && self.state != State::Between {
                        let is_torn = is_position
                            && !after_blank
                            && !ends_with_result(&self.data[self.start..line_start]);
                        game(self.end_game(line_start, if is_torn { Kind::TornGame } else { Kind::Game }));
                    }
                    if begins && is_position {
                        self.start = line_start;
                        game(self.end_game(line_start + length, Kind::Position));
                    }
                    if begins && (is_position || line[indent] == b'#') {
                        line_start += length;
                        after_blank = true;
                        continue;
                    }
                    if self.state == State::Between {
                        self.start = line_start;
                    }
                    self.pass_line(line_start + indent, &line[indent..]);
                    after_blank = false;
                }
            }
            line_start += length;
        }
        if self.state == State::Between {
            self.start = line_start;
        } else if self.last {
            game(self.end_game(self.data.len(), Kind::Game));
        }
    }

    /// What ends here; a game may begin.
    const fn end_game(&mut self, end: usize, kind: Kind) -> Extent {
        let game = Extent { kind, text: self.start..end, movetext: self.movetext };
        self.start = end;
        self.state = State::Between;
        self.plain_tags = true;
        self.movetext = None;
        game
    }

    fn begins_game(&self, line_start: usize, line: &[u8], after_blank: bool) -> Result<bool, Undecided> {
        match (self.state, line) {
            (State::Moves, [b'[', ..]) if tags::is_tag_line(line) => Ok(!self.in_comment(line_start, line)?),
            (State::Tags, [b'[', ..]) if after_blank && tags::is_tag_line(line) => {
                Ok(self.is_new_section(line_start, line))
            }
            (State::Moves, [b'1', b'.', next, ..]) if *next != b'.' => {
                let before = &self.data[self.start..line_start];
                Ok((after_blank || ends_with_result(before))
                    && !self.in_comment(line_start, line)?
                    && has_moves(before))
            }
            _ => Ok(false),
        }
    }

    /// Whether a line with a position or a `#` belongs to no game.
    fn leaves_game(&self, line_start: usize, line: &[u8], is_position: bool) -> Result<bool, Undecided> {
        if self.state == State::Between {
            return Ok(true);
        }
        let is_over = is_position || ends_with_result(&self.data[self.start..line_start]);
        Ok(is_over && !self.in_comment(line_start, line)?)
    }

    /// Goes past a line that is neither blank nor escaped, from its first letter on.
    fn pass_line(&mut self, start: usize, line: &[u8]) {
        if self.state == State::Moves {
            return;
        }
        if let Some(name) = tags::usual_line(line) {
            self.plain_tags &= !tags::may_set_up(name);
            self.state = State::Tags;
        } else if tags::is_tag_line(line) && !tags::movetext_after(line) {
            self.plain_tags = false;
            self.state = State::Tags;
        } else {
            // A bracket may begin tags with moves on the same line, and a percent sign an escaped line.
            if self.state == State::Tags && self.plain_tags && !matches!(line, [b'[' | b'%', ..]) {
                self.movetext = Some(start);
            }
            self.state = State::Moves;
        }
    }

    /// Whether a tag after a blank line belongs to another game than the tags before it.
    fn is_new_section(&self, line_start: usize, line: &[u8]) -> bool {
        let Some(name) = tags::name_of(line) else { return false };
        let mut before = tags::Tags::new(&self.data[self.start..line_start]);
        name.eq_ignore_ascii_case(b"Event")
            || before.any(|tag| match tag {
                Tag::Pair { name: other, .. } => other.eq_ignore_ascii_case(name),
                Tag::Broken { .. } => false,
            })
    }

    fn in_comment(&self, line_start: usize, line: &[u8]) -> Result<bool, Undecided> {
        // Braces may stand in the values of the tags themselves.
        let after = line_start + tags::length_of_tags(line);
        if self.next_brace(after)? != Brace::Close {
            return Ok(false);
        }
        let before = &self.data[self.start..line_start];
        Ok(memrchr2(b'{', b'}', before).is_some_and(|index| before[index] == b'{'))
    }

    fn next_brace(&self, from: usize) -> Result<Brace, Undecided> {
        if let Some((index, brace)) = self.brace.get()
            && from <= index
            && (brace != Brace::None || self.last || index - from >= COMMENT_REACH)
        {
            return Ok(brace);
        }
        let rest = &self.data[from..];
        let (index, brace) = match memchr2(b'{', b'}', rest) {
            Some(index) if rest[index] == b'{' => (index, Brace::Open),
            Some(index) => (index, Brace::Close),
            None if self.last || rest.len() >= COMMENT_REACH => (rest.len(), Brace::None),
            None => return Err(Undecided),
        };
        self.brace.set(Some((from + index, brace)));
        Ok(brace)
    }
}

/// The placement of a FEN with which a line begins; no movetext does.
#[inline]
pub(super) fn placement(line: &[u8]) -> Option<&str> {
    let is_part = |byte: &u8| matches!(byte, b'1'..=b'8' | b'/' | b'~') || b"pnbrqkPNBRQK".contains(byte);
    let length = line.iter().position(|byte| !is_part(byte)).unwrap_or(line.len());
    // The shortest one has fifteen signs, and movetext hardly ever so many.
    if length < 15 || line.get(length).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    str::from_utf8(&line[..length]).ok().filter(|text| looks_like_placement(text))
}

fn ends_with_result(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].iter().any(|result| text.ends_with(result))
}

/// Whether there is anything like a move outside comments.
fn has_moves(game: &[u8]) -> bool {
    let mut rest = game;
    let mut at_line_start = true;
    while let [first, tail @ ..] = rest {
        let skipped = match first {
            b'{' => memchr(b'}', tail),
            b';' => memchr(b'\n', tail),
            b'%' if at_line_start => memchr(b'\n', tail),
            b'[' if at_line_start && tags::is_tag_line(rest) => Some(tags::length_of_tags(rest) - 1),
            b'a'..=b'h' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'O' | b'P' => return true,
            _ => Some(0),
        };
        at_line_start = *first == b'\n' || at_line_start && is_blank(*first);
        rest = skipped.map_or(&[], |length| &tail[length..]);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<&str> {
        let whole = split(text.as_bytes(), true);
        assert_eq!(whole.consumed, text.len());
        let games: Vec<&str> = whole.games.into_iter().map(|game| text[game.text].trim()).collect();
        for cut in 0..=text.len() {
            assert_eq!(in_two_steps(text, cut), games, "cut at {cut}");
        }
        games
    }

    /// What comes of it when the text arrives in two pieces.
    fn in_two_steps(text: &str, cut: usize) -> Vec<&str> {
        let first = split(&text.as_bytes()[..cut], false);
        let tail = &text[first.consumed..];
        let second = split(tail.as_bytes(), true);
        let first = first.games.into_iter().map(|game| text[game.text].trim());
        first.chain(second.games.into_iter().map(|game| tail[game.text].trim())).collect()
    }

    /// Where the movetext of a single game begins, by what the splitter has seen of its tags.
    fn movetext(text: &str) -> Option<&str> {
        let split = split(text.as_bytes(), true);
        assert_eq!(split.games.len(), 1, "{text}");
        split.games[0].movetext.map(|start| &text[start..])
    }

    #[test]
    fn the_movetext_after_plain_tags_is_known() {
        for (text, expected) in [
            ("[A \"1\"]\n[Site \"2\"]\n\n1. e4 *", Some("1. e4 *")),
            ("[A \"1\"]\r\n\r\n  {c} 1. e4 *", Some("{c} 1. e4 *")),
            ("[A \"1\"]\n% [FEN \"x\"]\n*", Some("*")),
            ("\n\n[A \"1\"]\n\n\n\t1. e4\n", Some("1. e4\n")),
            ("[A \"1\"]\n", None),
            ("1. e4 *", None),
            ("[A \"1\"]\n[fen \"x\"]\n\n*", None),
            ("[SetUp \"0\"]\n\n*", None),
            ("[A \"1\"] 1. e4 *", None),
            ("[A \"1\"]\n[B \"2\"] 1. e4 *", None),
            ("[A \"1\"] [B \"2\"]\n1. e4 *", None),
            ("[A \"1\"]\n[Bad tag \"x\"]\n\n*", None),
            ("[A \"1\"]\n [%eval 1] e4 *", None),
            ("[A \"1\"]\n %x\n e4 *", None),
        ] {
            assert_eq!(movetext(text), expected, "{text}");
        }
    }

    #[test]
    fn tags_begin_a_game_once_there_are_moves() {
        assert_eq!(games("[A \"1\"]\n[B \"2\"]\n\n1. e4\n\n[A \"3\"]\n1. d4\n[A \"4\"]\n\n").len(), 3);
        assert_eq!(games("\n\n  \n[A \"1\"]\n\n[B \"2\"]\n\n1. e4 *\n").len(), 1);
        assert_eq!(
            games("[A \"1\"]\r\n\r\n1. e4\r\n\r\n[A \"3\"]\r\n\r\n*"),
            ["[A \"1\"]\r\n\r\n1. e4", "[A \"3\"]\r\n\r\n*"]
        );
        assert_eq!(
            games("[A \"1\"] [B \"2\"] 1. e4 *\n[A \"1\"] *"),
            ["[A \"1\"] [B \"2\"] 1. e4 *", "[A \"1\"] *"]
        );
    }

    #[test]
    fn a_section_of_tags_without_moves_is_a_game() {
        assert_eq!(games("[Event \"1\"]\n[FEN \"a\"]\n\n[Event \"2\"]\n\n*").len(), 2);
        assert_eq!(games("[FEN \"a\"]\n\n[Fen \"b\"]\n\n*").len(), 2);
        assert_eq!(games("[FEN \"a\"]\n[FEN \"b\"]\n\n*").len(), 1);
    }

    #[test]
    fn a_bad_tag_does_not_end_a_section() {
        assert_eq!(games("[A \"1\"]\n[Bad tag \"x\"]\n[B \"2\n[C]\n[D \"4\"\n\n1. e4 *").len(), 1);
    }

    #[test]
    fn games_without_tags_begin_with_their_first_move() {
        assert_eq!(games("1. e4 e5 1-0\n1. d4 d5 0-1\n\n\n1. c4 *\n").len(), 3);
        assert_eq!(games("1. e4 e5\n\n1. d4 d5\n").len(), 2);
        assert_eq!(games("{ one } 1. e4 e5\n\n1. d4 d5\n").len(), 2);
    }

    #[test]
    fn a_blank_line_alone_ends_no_game() {
        assert_eq!(games("1. e4 e5\n\n2. Nf3 Nc6 *\n\n{ the end }\n").len(), 1);
        assert_eq!(games("[Event \"1\"]\n\n{ a preface }\n\n1. e4 e5 *").len(), 1);
        assert_eq!(games("1. e4\n1... e5 *\n").len(), 1);
        assert_eq!(games("1. e4 e5 1-0 2. Nf3 *").len(), 1);
    }

    #[test]
    fn lines_in_comments_begin_nothing() {
        assert_eq!(games("1. e4 { as in\n[Event \"x\"]\n\n1. d4 } e5 *").len(), 1);
        assert_eq!(games("1. e4 { as in\n\n1. d4 1-0\n1. c4 } e5 *").len(), 1);
        assert_eq!(games("1. e4 {[%eval 0.1]\n[%clk 1:00]} e5 *").len(), 1);
    }

    #[test]
    fn an_open_comment_ends_with_its_game() {
        assert_eq!(games("1. e4 { never closed\n\n[Event \"2\"]\n\n1. d4 *").len(), 2);
        assert_eq!(games("1. e4 { never closed\n\n[Event \"2\"]\n\n1. d4 {closed} *").len(), 2);
        assert_eq!(games("1. e4 closed } e5 *\n[Event \"2\"]\n\n1. d4 } *").len(), 2);
        assert_eq!(games("1. e4 *\n[Event \"a}b\"]\n\n1. d4 *").len(), 2);
    }

    #[test]
    fn escaped_lines_are_not_there() {
        assert_eq!(games("% 1. a4\n[Event \"1\"]\n% [Event \"0\"]\n\n1. e4\n% [Event \"2\"]\ne5 *").len(), 1);
    }

    /// What is told apart, with a letter for its kind.
    fn kinds(text: &str) -> String {
        let parts = split(text.as_bytes(), true).games.into_iter();
        parts
            .map(|part| match part.kind {
                Kind::Game => 'g',
                Kind::TornGame => 't',
                Kind::Position => 'p',
            })
            .collect()
    }

    #[test]
    fn positions_belong_to_no_game() {
        const FEN: &str = "8/8/8/8/8/8/8/K6k w - - 0 1";
        for (text, expected) in [
            ("1. e4 *\nFEN\n1. d4 *\n", "gpg"),
            ("FEN\n[A \"1\"]\n\n1. e4\n\n FEN\r\nFEN", "pgpp"),
            ("FEN bm Kb2; id \"x\";\n\n\nFEN\n", "pp"),
            // Without a result and a blank line, the game was not over.
            ("1. e4\nFEN\n2. d4 *\n", "tpg"),
            ("[A \"1\"]\nFEN\n", "tp"),
            ("[A \"1\"]\n\nFEN\n", "gp"),
            // In a comment, and in one that is never closed.
            ("1. e4 {see\nFEN\nand} e5 *\n", "g"),
            ("1. e4 {see\n\nFEN\n1. d4 {closed} *\n", "gpg"),
            ("1. e4 ; FEN\n e5 *", "g"),
            ("% FEN\n1. e4 *", "g"),
            ("1. e4 FEN *", "g"),
            // A comment between games.
            ("# x\nFEN\n# y\n1. e4 *\n# FEN\n\n1. d4 *", "pgg"),
            ("1. e4 *\n# x\nFEN", "gp"),
            ("1. e4\n# x\n2. d4 *", "g"),
            ("1. e4 {see\n# x\nand} *", "g"),
        ] {
            let text = text.replace("FEN", FEN);
            assert_eq!(kinds(&text), expected, "{text}");
            // The same in two pieces.
            games(&text);
        }
    }

    #[test]
    fn what_looks_like_the_start_of_a_position_is_movetext() {
        for line in ["1/2-1/2", "R8b3 e5", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/8x", "b4 b5 b6", "1. e4"] {
            assert_eq!(placement(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn what_is_left_of_an_overlong_game_is_passed_over() {
        assert_eq!(next_game(b"e4 e5 2. Nf3\n[Event \"2\"]\n", false), None);
        assert_eq!(next_game(b"e4 e5 2. Nf3\n[Event \"2\"]\n", true), Some(13));
        assert_eq!(next_game(b"e4 e5 2. Nf3\n", true), None);
    }
}
