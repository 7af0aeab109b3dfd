//! Positions and games in one text, for callers that answer one after the other.

use std::io::Read;
use std::sync::Arc;

use bitmesh::{Position, looks_like_utf16};
use shakmaty::{Chess, Color, Position as _};

use crate::format::Format;
use crate::how::How;
use crate::lines::{MAX_LINE, checked_text, too_long};
use crate::options::Options;
use crate::pgn::{GameReader, Portion};
use crate::problem::{Notice, Place, Problem};
use crate::stream::Stream;
use crate::subject::Subject;
use crate::text::Text;
use crate::visit::{Outcome, Part, Visit};

/// A line or a game of a text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Record {
    /// The line, or the game and the last ply that could be read.
    pub place: Place,
    /// The line without blanks around it, or the FEN of the last position of a game's main line, in which moves are
    /// counted from the first position; or why there is none.
    pub text: Result<String, Problem>,
    /// What was forgiven in a game.
    pub notices: Vec<Notice>,
}

/// Reads lines and games that follow each other in one text: every line that is neither blank nor a `#` comment, and
/// every game, is one record, in their order.
///
/// A line that begins like a game (a tag, `1.`, a comment in braces) begins games; they are told apart and read as in a
/// [`Scan`](crate::Scan). A line that begins with a placement, outside comments, ends them, and what follows it is lines
/// again. What cannot be read costs only itself. The text may be packed, and be UTF-16 with a byte order mark.
///
/// ```
/// use bitmesh_corpus::Records;
///
/// let text = "8/8/4k3/8/8/3K4/8/6N1 w - - 0 1\n[Event \"?\"]\n\n1. e4 e5 *\n\nno position";
/// let mut records = Records::new(Box::new(text.as_bytes()))?;
/// let mut place = || records.next().map(|record| record.map(|record| record.place.to_string()));
/// assert_eq!(place().transpose()?.as_deref(), Some("line 1"));
/// // After its result the game may go on, and these words are no moves.
/// assert_eq!(place().transpose()?.as_deref(), Some("game 1, ply 3"));
/// assert_eq!(place().transpose()?, None);
/// # Ok::<(), bitmesh_corpus::Problem>(())
/// ```
pub struct Records {
    games: GameReader,
    how: How,
    /// Whether what comes next is a game.
    in_games: bool,
    ended: bool,
}

impl Records {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// When the first bytes cannot be read, or are UTF-16 without a mark.
    pub fn new(source: Box<dyn Read + Send>) -> Result<Self, Problem> {
        let mut text = Text::new(Stream::new(source, Arc::default())?);
        // As much as tells a byte order mark, which is taken off.
        text.require(3);
        if looks_like_utf16(text.data()) {
            return Err(Problem::new("text/utf-16", "is UTF-16 without a byte order mark; save it as UTF-8"));
        }
        let how = Options::default().how();
        Ok(Self { games: GameReader::up_to_position(text), how, in_games: false, ended: false })
    }

    /// The next game, unless a position or nothing comes next.
    fn next_game(&mut self) -> Option<Record> {
        match self.games.next()? {
            Portion::Games(games) => {
                let mut end = End::default();
                games.visit(0, &self.how, &mut end);
                Some(end.record())
            }
            Portion::Refused(place, problem, _) => {
                Some(Record { place, text: Err(problem), notices: Vec::new() })
            }
        }
    }

    /// The next line with something in it, unless a game or nothing comes next.
    fn next_line(&mut self) -> Option<Record> {
        loop {
            let (number, line) = self.games.next_line(MAX_LINE)?;
            let content = line.trim_ascii();
            let is_blank = matches!(content.first(), None | Some(b'#'));
            if !is_blank && Format::of_text(content) == Some(Format::Pgn) {
                self.in_games = true;
                return None;
            }
            let text = match line.len() > MAX_LINE {
                true => Err(too_long(MAX_LINE)),
                false => checked_text(content).map(str::to_owned),
            };
            self.games.pass_line();
            if !is_blank {
                return Some(Record { place: Place::line(number), text, notices: Vec::new() });
            }
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let line = if self.in_games { None } else { self.next_line() };
        // After lines there may be games, and after games lines; then there is nothing more.
        let record = line.or_else(|| self.next_game()).or_else(|| {
            self.in_games = false;
            self.next_line().or_else(|| self.next_game())
        });
        self.ended = record.is_none();
        match record {
            Some(record) => Some(Ok(record)),
            None => self.games.text().problem().cloned().map(Err),
        }
    }
}

/// How far a game could be read.
#[derive(Default)]
struct End {
    place: Place,
    /// Whether Black has the first move.
    black_begins: bool,
    last: Option<Chess>,
    problem: Option<(Place, Problem)>,
    notices: Vec<Notice>,
}

impl End {
    fn record(self) -> Record {
        let Self { place, black_begins, last, problem, notices } = self;
        let (place, text) = match (problem, last) {
            (Some((place, problem)), _) => (place, Err(problem)),
            (None, None) => (place, Err(Problem::new("pgn/no-start-position", "the game has no position"))),
            (None, Some(chess)) => {
                // The canonical text counts no moves.
                let text = Position::new(chess).canonical_text();
                let fields = text.strip_suffix(" 0 1").unwrap_or(&text);
                let number = 1 + (place.ply.unwrap_or_default() + u32::from(black_begins)) / 2;
                (place, Ok(format!("{fields} 0 {number}")))
            }
        };
        Record { place, text, notices }
    }
}

impl Visit for End {
    fn subject(&mut self, place: Place, subject: Subject<'_>) {
        let Subject::Chess(chess) = subject else { return };
        if self.last.is_none() {
            self.black_begins = chess.turn() == Color::Black;
        }
        self.place = place;
        self.last = Some(chess.clone());
    }

    fn problem(&mut self, place: Place, problem: Problem) {
        self.problem.get_or_insert((place, problem));
    }

    fn notice(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    fn record(&mut self, place: Place, _: Outcome, _: u64) {
        self.place.game = place.game;
    }

    fn skip(&mut self, _: Place, _: Part, _: u64) {}

    fn known(&mut self, _: u64) {}

    fn lost(&mut self, _: u64) {}

    fn begin(&mut self, _: u64) {}

    fn carry(&mut self, _: usize, _: &str) {}

    fn broken(&mut self, _: bool) {}
}
