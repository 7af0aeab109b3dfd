//! The sources of a scan, and their records in portions.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::Read;
use std::iter::{Enumerate, Peekable};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;
use std::vec::IntoIter;

use memchr::memchr;

#[cfg(feature = "parquet")]
use crate::columnar::ParquetReader;
use crate::format::{Format, Hints, PARQUET_MAGIC, begins_with_record};
use crate::kind;
use crate::lines::{self, LineKind, LineReader, Lines};
use crate::pgn::{self, GameReader, Games};
use crate::problem::{Notice, Place, Problem, ScanError};
use crate::scan::Options;
use crate::stream::{Compression, Stream, empty_but_packed, read_problem};
use crate::table::{Cells, Column, TableReader, Wanted};
use crate::text::{BLOCK, LineEnds, Text};
use crate::visit::Part;
use crate::zip::{self, Member, MemberReader, is_zip};

/// What is to be scanned, in order.
#[derive(Default)]
pub struct Inputs {
    inputs: Vec<Input>,
    passed_over: BTreeMap<String, u64>,
}

struct Input {
    name: Arc<str>,
    kind: Kind,
}

enum Kind {
    File {
        path: PathBuf,
        size: u64,
        modified: Option<u128>,
    },
    Member {
        path: PathBuf,
        size: u64,
        modified: Option<u128>,
        member: Member,
    },
    Reader(Option<Box<dyn Read + Send>>),
    /// It is known not to be readable.
    Refused(Problem),
}

impl Inputs {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, all files of a zip archive, or all collections in a folder and its folders, in the order of their
    /// names.
    ///
    /// Of a folder, only files count that have the name of a collection (`.pgn`, `.fen`, `.epd`, `.csv`, `.tsv`,
    /// `.parquet`, `.jsonl`, `.ndjson`, `.plain`, each also with `.gz`, `.bz2`, `.zst` or `.xz`, and `.zip`); hidden
    /// ones do not, nor those whose path `skip` holds. The same goes for the files of an archive; if none of them has
    /// such a name, those with `.txt` or no extension are read. The others are [counted](Self::passed_over).
    ///
    /// # Errors
    ///
    /// When the file or folder cannot be read, or the folder holds no collection.
    pub fn add_path(&mut self, path: &Path, skip: &[PathBuf]) -> Result<(), ScanError> {
        let error = |error| ScanError::Input { name: path.display().to_string(), error };
        let metadata = fs::metadata(path).map_err(error)?;
        if !metadata.is_dir() {
            // Opened once here: a wrong permission should show before hours of work.
            let mut start = [0; 4];
            if metadata.is_file() {
                let read = File::open(path).and_then(|file| file.take(4).read(&mut start)).map_err(error)?;
                if is_zip(&start[..read]) {
                    self.push_archive(path, &metadata);
                    return Ok(());
                }
            }
            self.push_file(path.to_owned(), &metadata);
            return Ok(());
        }
        let before = self.inputs.len();
        self.add_folder(path, skip).map_err(error)?;
        if self.inputs.len() == before {
            return Err(ScanError::EmptyFolder { name: path.display().to_string() });
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path, skip: &[PathBuf]) -> std::io::Result<()> {
        let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if skip.contains(&path) {
                continue;
            }
            if name.starts_with('.') {
                self.pass_over("hidden");
                continue;
            }
            // Links to folders are not followed: they may lead in circles.
            if entry.file_type()?.is_dir() {
                self.add_folder(&path, skip)?;
                continue;
            }
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() && is_archive(&name) => {
                    self.push_archive(&path, &metadata)
                }
                Ok(metadata) if metadata.is_file() && is_collection(&name) => self.push_file(path, &metadata),
                Ok(metadata) if metadata.is_dir() => self.pass_over("link to a folder"),
                _ => self.pass_over(&extension_of(&name)),
            }
        }
        Ok(())
    }

    fn pass_over(&mut self, kind: &str) {
        *self.passed_over.entry(kind.to_owned()).or_default() += 1;
    }

    /// How many files of folders and archives were passed over, by their extension (`.txt`), `no extension`, `hidden`
    /// or `link to a folder`.
    #[must_use]
    pub const fn passed_over(&self) -> &BTreeMap<String, u64> {
        &self.passed_over
    }

    fn push_file(&mut self, path: PathBuf, metadata: &fs::Metadata) {
        let name = path.display().to_string().into();
        let modified = modified(metadata);
        self.inputs.push(Input { name, kind: Kind::File { path, size: metadata.len(), modified } });
    }

    fn push_archive(&mut self, path: &Path, metadata: &fs::Metadata) {
        let members = zip::members(path).and_then(|members| {
            if members.iter().any(|member| member.name == "[Content_Types].xml") {
                let message = "this is an Office document, which is not read; save its sheet as CSV";
                return Err(Problem::new("stream/unreadable-kind", message));
            }
            let base = |member: &Member| member.name.rsplit('/').next().unwrap_or_default().to_owned();
            let is_hidden = |member: &Member| {
                member.name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX")
            };
            let mut wanted: Vec<bool> =
                members.iter().map(|member| !is_hidden(member) && is_collection(&base(member))).collect();
            if !wanted.contains(&true) {
                let is_text =
                    |member: &Member| matches!(extension_of(&base(member)).as_str(), ".txt" | "no extension");
                wanted = members.iter().map(|member| !is_hidden(member) && is_text(member)).collect();
            }
            if !wanted.contains(&true) {
                let message = "the zip archive holds no file with the name of a collection";
                return Err(Problem::new("stream/empty-archive", message));
            }
            Ok(members.into_iter().zip(wanted).collect::<Vec<_>>())
        });
        let name = path.display().to_string();
        match members {
            Err(problem) => self.inputs.push(Input { name: name.into(), kind: Kind::Refused(problem) }),
            Ok(members) => {
                for (member, is_wanted) in members {
                    let base = member.name.rsplit('/').next().unwrap_or_default();
                    if !is_wanted {
                        let kind =
                            if base.starts_with('.') { "hidden".to_owned() } else { extension_of(base) };
                        self.pass_over(&kind);
                        continue;
                    }
                    let name = format!("{name}/{}", member.name).into();
                    let (size, modified) = (metadata.len(), modified(metadata));
                    let kind = Kind::Member { path: path.to_owned(), size, modified, member };
                    self.inputs.push(Input { name, kind });
                }
            }
        }
    }

    /// Adds a stream under a name.
    pub fn add_reader(&mut self, name: &str, reader: Box<dyn Read + Send>) {
        self.inputs.push(Input { name: name.into(), kind: Kind::Reader(Some(reader)) });
    }

    /// How many bytes all files have together; `None` if a stream is among them.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.inputs
            .iter()
            .map(|input| match &input.kind {
                Kind::File { size, .. } => Some(*size),
                Kind::Member { member, .. } => Some(member.packed),
                Kind::Refused(_) => Some(0),
                Kind::Reader(_) => None,
            })
            .sum()
    }

    /// Names, sizes and times: two scans with the same fingerprint read the same.
    #[must_use]
    pub fn fingerprint(&self) -> Vec<String> {
        let of_input = |input: &Input| match &input.kind {
            Kind::File { size, modified, .. } | Kind::Member { size, modified, .. } => {
                let modified = modified.unwrap_or_default();
                format!("{}, {size} bytes, modified {modified}", input.name)
            }
            Kind::Reader(_) => format!("{}, a stream", input.name),
            Kind::Refused(_) => format!("{}, not readable", input.name),
        };
        self.inputs.iter().map(of_input).collect()
    }
}

fn modified(metadata: &fs::Metadata) -> Option<u128> {
    let since_epoch = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since_epoch.map(|duration| duration.as_nanos())
}

/// Whether a file of a folder is a collection, as its name has it. `.json` is rarely one.
fn is_collection(name: &str) -> bool {
    Format::of_name(name).is_some() && !name.to_ascii_lowercase().ends_with(".json")
}

fn is_archive(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".zip")
}

/// The extension of a name with its dot, or words for none.
fn extension_of(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => format!(".{}", extension.to_ascii_lowercase()),
        _ => "no extension".to_owned(),
    }
}

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

/// How far a scan has come: everything up to a record of a source.
#[derive(
    Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd, serde::Deserialize, serde::Serialize,
)]
pub struct Mark {
    /// Index of the source.
    pub source: usize,
    /// The last line, game or row of it that is done with; 0 is none.
    pub record: u64,
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
    /// A record that could not even be held in memory.
    TooLong {
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
    current: Option<Current>,
    read_as: Arc<Mutex<Vec<ReadAs>>>,
}

/// An input, and its bytes or why there are none.
struct Opened {
    index: usize,
    name: Arc<str>,
    path: Option<PathBuf>,
    is_member: bool,
    stream: Result<Stream, Problem>,
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
    /// Begins after `from`.
    pub(crate) fn new(inputs: Inputs, options: Arc<Options>, read: Arc<AtomicU64>, from: Mark) -> Self {
        let inputs = inputs.inputs.into_iter().enumerate().peekable();
        let upcoming = VecDeque::new();
        Self { inputs, upcoming, options, read, from, current: None, read_as: Arc::default() }
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
                let opened = open(opened, &self.options, &self.read_as);
                let collection = opened.unwrap_or_else(|problem| Collection::Broken(problem, 0));
                self.current = Some(Current { index, name, collection, done, last: 0, given: 0 });
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
                let end = self.collection.end(&self.name, self.given);
                self.collection = Collection::Ended;
                end?
            }
        };
        let bytes = match &work {
            Work::End { skipped, lost, .. } => lost + skipped.iter().map(|(_, bytes)| bytes).sum::<u64>(),
            _ => self.collection.consumed() - self.given,
        };
        self.given += bytes;
        let mark = match &work {
            Work::Lines(lines, _) => Mark { source: self.index, record: lines.first + lines.count - 1 },
            Work::Games(games) => Mark { source: self.index, record: games.first() + games.count() - 1 },
            Work::Cells(cells) => Mark { source: self.index, record: cells.last() },
            Work::TooLong { place, .. } => {
                Mark { source: self.index, record: place.line.or(place.game).unwrap_or(self.last) }
            }
            Work::End { .. } => Mark { source: self.index + 1, record: 0 },
        };
        self.last = mark.record;
        let known = mark <= from;
        Some(Portion { source: Arc::clone(&self.name), work, bytes, done: self.done, known, mark })
    }
}

impl Collection {
    fn next(&mut self) -> Option<Work> {
        match self {
            Self::Lines(reader) => {
                let kind = reader.kind();
                reader.next().map(|portion| match portion {
                    lines::Portion::Lines(lines) => Work::Lines(lines, kind),
                    lines::Portion::TooLong(place, problem, bytes) => Work::TooLong { place, problem, bytes },
                })
            }
            Self::Games(reader) => reader.next().map(|portion| match portion {
                pgn::Portion::Games(games) => Work::Games(games),
                pgn::Portion::TooLong(place, problem, bytes) => Work::TooLong { place, problem, bytes },
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
    fn end(&self, name: &str, given: u64) -> Option<Work> {
        if let Self::Broken(problem, consumed) = self {
            let (problem, lost) = (Some(problem.clone()), consumed.saturating_sub(given));
            return Some(Work::End { problem, notices: Vec::new(), skipped: Vec::new(), lost });
        }
        let text = self.text()?;
        let (stream, edges) = (text.stream(), text.edges());
        let problem =
            text.problem().cloned().or_else(|| empty_but_packed(name).filter(|_| stream.is_empty()));
        let mut notices = Vec::new();
        let mut notice = |count: u64, code, message: String| {
            if count > 0 {
                notices.push(Notice { place: Place::default(), code, message });
            }
        };
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
        let between = match self {
            Self::Games(reader) => reader.between(),
            _ => 0,
        };
        let skipped = [
            (Part::ByteOrderMark, edges.mark),
            (Part::EndMark, edges.end_mark),
            (Part::BetweenGames, between),
        ];
        let skipped: Vec<_> = skipped.into_iter().filter(|&(_, bytes)| bytes > 0).collect();
        let is_wanted = problem.is_some() || !notices.is_empty() || !skipped.is_empty();
        is_wanted.then_some(Work::End { problem, notices, skipped, lost: 0 })
    }
}

impl Input {
    /// Whether it can be read whenever one likes.
    fn is_on_disk(&self) -> bool {
        match &self.kind {
            Kind::File { path, .. } => path.is_file(),
            Kind::Member { .. } | Kind::Refused(_) => true,
            Kind::Reader(_) => false,
        }
    }

    /// Opens it, and lets another thread unpack what is packed.
    fn open(self, index: usize, read: &Arc<AtomicU64>) -> Opened {
        let path = match &self.kind {
            Kind::File { path, .. } => Some(path.clone()),
            _ => None,
        };
        let is_member = matches!(self.kind, Kind::Member { .. });
        Opened { index, name: self.name, path, is_member, stream: self.kind.stream(read) }
    }
}

impl Kind {
    fn stream(self, read: &Arc<AtomicU64>) -> Result<Stream, Problem> {
        let stream = match self {
            Self::File { path, .. } => {
                let file = File::open(path).map_err(|error| read_problem(&error))?;
                Stream::new(Box::new(file), Arc::clone(read))?
            }
            Self::Member { path, member, .. } => {
                // The bytes of the archive are counted, not those that come out of it.
                let member = MemberReader::open(&path, &member, Arc::clone(read))?;
                Stream::new(Box::new(member), Arc::default())?
            }
            Self::Reader(reader) => {
                let reader = reader.unwrap_or_else(|| Box::new(std::io::empty()));
                Stream::new(reader, Arc::clone(read))?
            }
            Self::Refused(problem) => return Err(problem),
        };
        stream.ahead()
    }
}

fn open(opened: Opened, options: &Options, read_as: &Mutex<Vec<ReadAs>>) -> Result<Collection, Problem> {
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
        Format::Pgn => Collection::Games(GameReader::new(text)),
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
