//! The sources of a scan, and their records in portions.

use std::collections::VecDeque;
#[cfg(feature = "parquet")]
use std::fs::File;
use std::iter::{Enumerate, Peekable};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::IntoIter;

use memchr::memchr;

#[cfg(feature = "parquet")]
use crate::columnar::ParquetReader;
use crate::format::{Format, Hints, PARQUET_MAGIC, begins_with_record, not_games};
use crate::inputs::{Input, Inputs, Mark, Opened};
use crate::kind;
use crate::lines::{self, LineKind, LineReader, Lines};
use crate::options::Options;
use crate::pgn::{self, GameReader, Games};
use crate::problem::{Notice, Place, Problem};
#[cfg(feature = "parquet")]
use crate::stream::read_problem;
use crate::stream::{Compression, empty_but_packed};
use crate::table::{Cells, Column, TableReader, Wanted};
use crate::text::{BLOCK, LineEnds, Text};
use crate::visit::Part;

/// What an input was read as.
#[derive(Clone, Debug, Eq, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct ReadAs {
    /// Name of the input.
    pub name: String,
    /// [Name](Format::name) of the format.
    pub format: &'static str,
    /// How it is packed, from the outside in: `plain`, `gzip`, `zip`, `zip, gzip`.
    pub packing: String,
}

/// Some records of one source.
pub(crate) struct Portion {
    pub(crate) source: Arc<str>,
    pub(crate) work: Work,
    /// Bytes of the source that it takes.
    pub(crate) bytes: u64,
    /// Records of the source up to this one have been written by an earlier run.
    pub(crate) done: u64,
    /// All of it has been; it is only there for what it tells about duplicates.
    pub(crate) known: bool,
    /// How far the scan has come with this portion.
    pub(crate) mark: Mark,
}

pub(crate) enum Work {
    Lines(Lines, LineKind),
    Games(Games),
    Cells(Cells),
    /// A record that is not read: it is longer than any, or not what it should be.
    Refused {
        place: Place,
        problem: Problem,
        bytes: u64,
    },
    /// The end of a source that could not be read to its end, or that something is to be said about.
    End {
        problem: Option<Problem>,
        notices: Vec<Notice>,
        skipped: Vec<(Part, u64)>,
        /// Bytes that were taken from a source that was given up.
        lost: u64,
    },
}

/// Opens one source after the other and hands out their records.
pub(crate) struct Sources {
    inputs: Peekable<Enumerate<IntoIter<Input>>>,
    /// The next inputs, opened already: what is packed of them is unpacked meanwhile.
    upcoming: VecDeque<Opened>,
    options: Arc<Options>,
    read: Arc<AtomicU64>,
    from: Mark,
    /// So much text of games makes a portion, or all that was read at once.
    games: usize,
    current: Option<Current>,
    read_as: Arc<Mutex<Vec<ReadAs>>>,
}

/// How many inputs are opened before their turn. Each of them takes a thread while it is unpacked, and little memory.
const OPEN_AHEAD: usize = 2;

struct Current {
    index: usize,
    name: Arc<str>,
    collection: Collection,
    done: u64,
    /// The record handed out last.
    last: u64,
    /// Bytes of it that portions have had.
    given: u64,
    /// Whether anything that is read or fails has been met.
    has_records: bool,
}

enum Collection {
    Lines(LineReader),
    Games(GameReader),
    Table(Box<TableReader>),
    #[cfg(feature = "parquet")]
    Parquet(ParquetReader),
    /// It could not be opened, or not be read on after so many bytes.
    Broken(Problem, u64),
    /// Everything has been handed out.
    Ended,
}

impl Sources {
    /// Begins after `from`. So many bytes of `games` make a portion, or all that were read at once.
    pub(crate) fn new(
        inputs: Inputs,
        options: Arc<Options>,
        read: Arc<AtomicU64>,
        from: Mark,
        games: usize,
    ) -> Self {
        let inputs = inputs.into_inputs().enumerate().peekable();
        let upcoming = VecDeque::new();
        Self { inputs, upcoming, options, read, from, games, current: None, read_as: Arc::default() }
    }

    /// What the sources were read as, so far.
    pub(crate) fn read_as(&self) -> Arc<Mutex<Vec<ReadAs>>> {
        Arc::clone(&self.read_as)
    }

    /// The next portion, or `None` after the last source.
    pub(crate) fn next(&mut self) -> Option<Portion> {
        loop {
            let Some(current) = &mut self.current else {
                let opened = self.next_opened()?;
                let (index, name) = (opened.index, Arc::clone(&opened.name));
                let done = match index.cmp(&self.from.source) {
                    std::cmp::Ordering::Less => u64::MAX,
                    std::cmp::Ordering::Equal => self.from.record,
                    std::cmp::Ordering::Greater => 0,
                };
                let opened = open(opened, &self.options, self.games, &self.read_as);
                let collection = opened.unwrap_or_else(|problem| Collection::Broken(problem, 0));
                self.current =
                    Some(Current { index, name, collection, done, last: 0, given: 0, has_records: false });
                continue;
            };
            match current.next(self.from) {
                Some(portion) if portion.known && !self.options.unique => {}
                Some(portion) => return Some(portion),
                None => self.current = None,
            }
        }
    }
}

impl Sources {
    /// The next input that is wanted, and the start of those after it.
    fn next_opened(&mut self) -> Option<Opened> {
        let next = match self.upcoming.pop_front() {
            Some(opened) => opened,
            None => {
                let (index, input) = self.next_input()?;
                input.open(index, &self.read)
            }
        };
        while self.upcoming.len() < OPEN_AHEAD
            // A pipe may have to wait for what comes before.
            && self.inputs.peek().is_some_and(|(_, input)| input.is_on_disk())
            && let Some((index, input)) = self.next_input()
        {
            self.upcoming.push_back(input.open(index, &self.read));
        }
        Some(next)
    }

    /// The next input that has not been dealt with by an earlier run.
    fn next_input(&mut self) -> Option<(usize, Input)> {
        let skipped = if self.options.unique { 0 } else { self.from.source };
        self.inputs.find(|(index, _)| *index >= skipped)
    }
}

impl Current {
    fn next(&mut self, from: Mark) -> Option<Portion> {
        let work = match self.collection.next() {
            Some(work) => work,
            None => {
                let end = self.collection.end(&self.name, self.given, self.has_records);
                self.collection = Collection::Ended;
                end?
            }
        };
        self.has_records = self.has_records || work.has_records();
        let bytes = match &work {
            Work::End { skipped, lost, .. } => lost + skipped.iter().map(|(_, bytes)| bytes).sum::<u64>(),
            _ => self.collection.consumed() - self.given,
        };
        self.given += bytes;
        let mark = match &work {
            Work::Lines(lines, _) => Mark { source: self.index, record: lines.first + lines.count - 1 },
            Work::Games(games) => Mark { source: self.index, record: games.first() + games.count() - 1 },
            Work::Cells(cells) => Mark { source: self.index, record: cells.last() },
            Work::Refused { place, .. } => {
                Mark { source: self.index, record: place.line.or(place.game).unwrap_or(self.last) }
            }
            Work::End { .. } => Mark { source: self.index + 1, record: 0 },
        };
        self.last = mark.record;
        let known = mark <= from;
        Some(Portion { source: Arc::clone(&self.name), work, bytes, done: self.done, known, mark })
    }
}

impl Work {
    /// Whether there is anything in it that is read or fails.
    fn has_records(&self) -> bool {
        match self {
            Self::Lines(lines, _) => lines.has_content(),
            Self::Cells(cells) => cells.has_rows(),
            Self::Games(_) | Self::Refused { .. } => true,
            Self::End { .. } => false,
        }
    }
}

impl Collection {
    fn next(&mut self) -> Option<Work> {
        match self {
            Self::Lines(reader) => {
                let kind = reader.kind();
                reader.next().map(|portion| match portion {
                    lines::Portion::Lines(lines) => Work::Lines(lines, kind),
                    lines::Portion::TooLong(place, problem, bytes) => Work::Refused { place, problem, bytes },
                })
            }
            Self::Games(reader) => reader.next().map(|portion| match portion {
                pgn::Portion::Games(games) => Work::Games(games),
                pgn::Portion::Refused(place, problem, bytes) => Work::Refused { place, problem, bytes },
            }),
            Self::Table(reader) => match reader.next() {
                Ok(cells) => cells.map(Work::Cells),
                Err(problem) => {
                    *self = Self::Broken(problem, reader.text().consumed());
                    None
                }
            },
            #[cfg(feature = "parquet")]
            Self::Parquet(reader) => match reader.next() {
                Ok(cells) => cells.map(Work::Cells),
                Err(problem) => {
                    *self = Self::Broken(problem, 0);
                    None
                }
            },
            Self::Broken(..) | Self::Ended => None,
        }
    }

    fn text(&self) -> Option<&Text> {
        match self {
            Self::Lines(reader) => Some(reader.text()),
            Self::Games(reader) => Some(reader.text()),
            Self::Table(reader) => Some(reader.text()),
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => None,
            Self::Broken(..) | Self::Ended => None,
        }
    }

    fn consumed(&self) -> u64 {
        match self {
            Self::Broken(_, consumed) => *consumed,
            _ => self.text().map_or(0, Text::consumed),
        }
    }

    /// What is to be said about the end of the source, if anything. Portions have had so many bytes of it.
    fn end(&self, name: &str, given: u64, has_records: bool) -> Option<Work> {
        if let Self::Broken(problem, consumed) = self {
            let (problem, lost) = (Some(problem.clone()), consumed.saturating_sub(given));
            return Some(Work::End { problem, notices: Vec::new(), skipped: Vec::new(), lost });
        }
        let mut notices = Vec::new();
        let mut notice = |count: u64, code, message: String| {
            if count > 0 {
                notices.push(Notice { place: Place::default(), code, message });
            }
        };
        let text = match (self, self.text()) {
            (_, Some(text)) => text,
            (Self::Ended, None) => return None,
            (_, None) => {
                notice(u64::from(!has_records), "stream/empty", "holds nothing to read".to_owned());
                let (skipped, lost) = (Vec::new(), 0);
                return (!has_records).then_some(Work::End { problem: None, notices, skipped, lost });
            }
        };
        let (stream, edges) = (text.stream(), text.edges());
        let (between, only_positions) = match self {
            Self::Games(reader) => (reader.between(), reader.only_positions()),
            _ => (0, None),
        };
        let (not_games, lost) = only_positions.unzip();
        let problem = text.problem().cloned().or(not_games);
        let problem = problem.or_else(|| empty_but_packed(name).filter(|_| stream.is_empty()));
        let is_empty = !has_records && problem.is_none();
        let words = if text.consumed() == 0 { "is empty" } else { "holds nothing to read" };
        notice(u64::from(is_empty), "stream/empty", words.to_owned());
        let padding = stream.padding();
        notice(
            padding,
            "stream/trailing-zeros",
            format!("trailing garbage: {padding} zero bytes after the packed data"),
        );
        let ends = edges.line_ends;
        notice(ends, "text/line-ends", format!("{ends} lines end with a carriage return or zero byte alone"));
        let replaced = edges.replaced;
        notice(
            replaced,
            "text/invalid-utf16",
            format!("{replaced} characters are not UTF-16 and were replaced"),
        );
        let skipped = [
            (Part::ByteOrderMark, edges.mark),
            (Part::EndMark, edges.end_mark),
            (Part::BetweenGames, between),
        ];
        let skipped: Vec<_> = skipped.into_iter().filter(|&(_, bytes)| bytes > 0).collect();
        let is_wanted = problem.is_some() || !notices.is_empty() || !skipped.is_empty();
        is_wanted.then_some(Work::End { problem, notices, skipped, lost: lost.unwrap_or_default() })
    }
}

fn open(
    opened: Opened,
    options: &Options,
    games: usize,
    read_as: &Mutex<Vec<ReadAs>>,
) -> Result<Collection, Problem> {
    let Opened { name, path, is_member, stream, .. } = opened;
    let stream = stream?;
    let mut packing = if is_member { vec!["zip"] } else { Vec::new() };
    let compression = stream.compression();
    if compression != Compression::None {
        packing.push(compression.name());
    }
    let mut text = Text::new(stream);
    read_first_line(&mut text);
    if let Some(kind) = kind::unreadable(opening(text.data()), &name).filter(|_| !is_parquet(text.data())) {
        return Err(Problem::new("stream/unreadable-kind", format!("this is {kind}, which is not read")));
    }
    if options.ends_of_games
        && let Some((line, other)) = not_games(&name, opening(text.data()))
    {
        let place = if other == Format::Parquet { String::new() } else { format!("line {line} is ") };
        let message =
            format!("{place}{}, not a game: an audit reads games (PGN); scan reads it", other.describe());
        return Err(Problem::new("stream/not-games", message));
    }
    let column = match &options.column {
        Some(Column::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let line_ends = if is_parquet(text.data()) { LineEnds::Usual } else { text.other_line_ends() };
    text.set_line_ends(line_ends);
    let format = options.format.unwrap_or_else(|| {
        let is_table = options.column.is_some() || options.delimiter.is_some() || options.first_move;
        Format::detect(&name, text.data(), Hints { column, is_table })
    });
    let packing = if packing.is_empty() { Compression::None.name().to_owned() } else { packing.join(", ") };
    let read = ReadAs { name: name.to_string(), format: format.name(), packing };
    read_as.lock().unwrap_or_else(PoisonError::into_inner).push(read);
    // A carriage return alone ends a line everywhere but in a game, whose tags may hold one.
    if line_ends == LineEnds::Usual && !matches!(format, Format::Pgn | Format::Parquet) {
        text.set_line_ends(LineEnds::CarriageReturn);
    }
    let wanted = Wanted {
        column: options.column.clone(),
        first_move: options.first_move,
        carried: options.extra.columns.clone(),
    };
    Ok(match format {
        Format::Lines => Collection::Lines(LineReader::new(text, LineKind::Positions)),
        Format::JsonLines => Collection::Lines(LineReader::new(text, LineKind::Objects)),
        Format::Plain => Collection::Lines(LineReader::new(text, LineKind::Blocks)),
        Format::Pgn => Collection::Games(GameReader::new(text, games)),
        Format::Csv => Collection::Table(Box::new(TableReader::new(text, options.delimiter, wanted))),
        Format::Tsv => {
            let delimiter = options.delimiter.or(Some(b'\t'));
            Collection::Table(Box::new(TableReader::new(text, delimiter, wanted)))
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let file = match path {
                Some(path) if compression == Compression::None && path.is_file() => {
                    File::open(path).map_err(|error| read_problem(&error))?
                }
                _ => spool(text)?,
            };
            Collection::Parquet(ParquetReader::new(file, &wanted)?)
        }
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => {
            let _ = path;
            return Err(Problem::new("stream/no-parquet", "this build does not read Parquet files"));
        }
    })
}

fn is_parquet(start: &[u8]) -> bool {
    start.starts_with(PARQUET_MAGIC)
}

/// The lines that [`read_first_line`] waits for, or what there is in their place: the same however a source arrives.
fn opening(data: &[u8]) -> &[u8] {
    const LONGEST: usize = 1 << 12;
    let mut end = 0;
    let mut told = 0;
    for line in data.split_inclusive(|&byte| byte == b'\n') {
        end += line.len();
        if !matches!(line.trim_ascii_start().first(), None | Some(b'#')) {
            told += 1;
            if told == 2 || begins_with_record(line) {
                break;
            }
        }
    }
    &data[..end.min(LONGEST)]
}

/// Reads until a line is there that may say what format it is, but not on and on.
fn read_first_line(text: &mut Text) {
    loop {
        let data = text.data();
        let mut lines = data.split_inclusive(|&byte| byte == b'\n');
        let tells = |line: &&[u8]| !matches!(line.trim_ascii_start().first(), None | Some(b'#'));
        // A header needs the row after it; a position and a game tell what they are.
        let first = lines.find(tells).filter(|line| memchr(b'\n', line).is_some());
        let whole = first.is_some_and(|line| {
            begins_with_record(line) || lines.find(tells).is_some_and(|line| memchr(b'\n', line).is_some())
        });
        if whole || data.len() >= BLOCK || text.ended() {
            return;
        }
        text.require(data.len() + 1);
    }
}

/// Copies a source that is not a file into one: the directory of a Parquet file is at its end.
#[cfg(feature = "parquet")]
fn spool(mut text: Text) -> Result<File, Problem> {
    use std::io::{Seek as _, Write as _};

    let failed = |error| Problem::new("stream/spool", format!("cannot keep a copy to read from: {error}"));
    let mut file = tempfile::tempfile().map_err(failed)?;
    loop {
        text.require(BLOCK);
        let data = text.data();
        if data.is_empty() {
            break;
        }
        file.write_all(data).map_err(failed)?;
        let length = data.len();
        text.consume(length);
    }
    if let Some(problem) = text.problem() {
        return Err(problem.clone());
    }
    file.rewind().map_err(failed)?;
    Ok(file)
}
