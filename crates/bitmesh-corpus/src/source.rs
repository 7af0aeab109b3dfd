//! The sources of a scan, and their records in portions.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::UNIX_EPOCH;

use memchr::memchr;

#[cfg(feature = "parquet")]
use crate::columnar::ParquetReader;
use crate::format::Format;
use crate::lines::{self, LineReader, Lines};
use crate::pgn::{self, GameReader, Games};
use crate::problem::{Notice, Place, Problem, ScanError};
use crate::scan::Options;
use crate::stream::{Stream, empty_but_packed, read_problem};
use crate::table::{Cells, Column, TableReader, Wanted};
use crate::text::{BLOCK, Text};

/// What is to be scanned, in order.
#[derive(Default)]
pub struct Inputs(Vec<Input>);

struct Input {
    name: Arc<str>,
    kind: Kind,
}

enum Kind {
    File { path: PathBuf, size: u64, modified: Option<u128> },
    Reader(Option<Box<dyn Read + Send>>),
}

impl Inputs {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or all collections in a folder and its folders, in the order of their names.
    ///
    /// Of a folder, only files count that have the name of a collection (`.pgn`, `.fen`, `.epd`, `.csv`, `.tsv`,
    /// `.parquet`, each also with `.gz`, `.bz2` or `.zst`); hidden ones do not, nor those whose path `skip` holds.
    ///
    /// # Errors
    ///
    /// When the file or folder cannot be read, or the folder holds no collection.
    pub fn add_path(&mut self, path: &Path, skip: &[PathBuf]) -> Result<(), ScanError> {
        let error = |error| ScanError::Input { name: path.display().to_string(), error };
        let metadata = fs::metadata(path).map_err(error)?;
        if !metadata.is_dir() {
            // Opened once here: a wrong permission should show before hours of work.
            if metadata.is_file() {
                File::open(path).map_err(error)?;
            }
            self.push_file(path.to_owned(), &metadata);
            return Ok(());
        }
        let before = self.0.len();
        self.add_folder(path, skip).map_err(error)?;
        if self.0.len() == before {
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
            if name.starts_with('.') || skip.contains(&path) {
                continue;
            }
            // Links to folders are not followed: they may lead in circles.
            if entry.file_type()?.is_dir() {
                self.add_folder(&path, skip)?;
            } else if Format::of_name(&name).is_some()
                && let Ok(metadata) = fs::metadata(&path)
                && metadata.is_file()
            {
                self.push_file(path, &metadata);
            }
        }
        Ok(())
    }

    fn push_file(&mut self, path: PathBuf, metadata: &fs::Metadata) {
        let since_epoch = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = since_epoch.map(|duration| duration.as_nanos());
        let name = path.display().to_string().into();
        self.0.push(Input { name, kind: Kind::File { path, size: metadata.len(), modified } });
    }

    /// Adds a stream under a name.
    pub fn add_reader(&mut self, name: &str, reader: Box<dyn Read + Send>) {
        self.0.push(Input { name: name.into(), kind: Kind::Reader(Some(reader)) });
    }

    /// How many bytes all files have together; `None` if a stream is among them.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.0
            .iter()
            .map(|input| match input.kind {
                Kind::File { size, .. } => Some(size),
                Kind::Reader(_) => None,
            })
            .sum()
    }

    /// Names, sizes and times: two scans with the same fingerprint read the same.
    #[must_use]
    pub fn fingerprint(&self) -> Vec<String> {
        let of_input = |input: &Input| match &input.kind {
            Kind::File { size, modified, .. } => {
                let modified = modified.unwrap_or_default();
                format!("{}, {size} bytes, modified {modified}", input.name)
            }
            Kind::Reader(_) => format!("{}, a stream", input.name),
        };
        self.0.iter().map(of_input).collect()
    }
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
    /// Records of the source up to this one have been written by an earlier run.
    pub(crate) done: u64,
    /// All of it has been; it is only there for what it tells about duplicates.
    pub(crate) known: bool,
    /// How far the scan has come behind this portion.
    pub(crate) mark: Mark,
}

pub(crate) enum Work {
    Lines(Lines),
    Games(Games),
    Cells(Cells),
    /// A record that could not even be held in memory.
    TooLong {
        place: Place,
        problem: Problem,
    },
    /// The end of a source that could not be read to its end, or that something is to be said about.
    End {
        problem: Option<Problem>,
        notice: Option<Notice>,
    },
}

/// Opens one source after the other and hands out their records.
pub(crate) struct Sources {
    inputs: std::iter::Enumerate<std::vec::IntoIter<Input>>,
    options: Arc<Options>,
    read: Arc<AtomicU64>,
    from: Mark,
    current: Option<Current>,
}

struct Current {
    index: usize,
    name: Arc<str>,
    collection: Collection,
    done: u64,
    /// The record handed out last.
    last: u64,
}

enum Collection {
    Lines(LineReader),
    Games(GameReader),
    Table(Box<TableReader>),
    #[cfg(feature = "parquet")]
    Parquet(ParquetReader),
    /// It could not be opened.
    Broken(Problem),
    /// Everything has been handed out.
    Ended,
}

impl Sources {
    /// Begins behind `from`.
    pub(crate) fn new(inputs: Inputs, options: Arc<Options>, read: Arc<AtomicU64>, from: Mark) -> Self {
        Self { inputs: inputs.0.into_iter().enumerate(), options, read, from, current: None }
    }

    /// The next portion, or `None` behind the last source.
    pub(crate) fn next(&mut self) -> Option<Portion> {
        loop {
            let Some(current) = &mut self.current else {
                let (index, input) = self.inputs.next()?;
                if index < self.from.source && !self.options.unique {
                    continue;
                }
                let done = match index.cmp(&self.from.source) {
                    std::cmp::Ordering::Less => u64::MAX,
                    std::cmp::Ordering::Equal => self.from.record,
                    std::cmp::Ordering::Greater => 0,
                };
                let name = Arc::clone(&input.name);
                let collection = open(input, &self.options, &self.read).unwrap_or_else(Collection::Broken);
                self.current = Some(Current { index, name, collection, done, last: 0 });
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

impl Current {
    fn next(&mut self, from: Mark) -> Option<Portion> {
        let work = match self.collection.next() {
            Some(work) => work,
            None => {
                let end = self.collection.end(&self.name);
                self.collection = Collection::Ended;
                end?
            }
        };
        let mark = match &work {
            Work::Lines(lines) => Mark { source: self.index, record: lines.first + lines.count - 1 },
            Work::Games(games) => Mark { source: self.index, record: games.first() + games.count() - 1 },
            Work::Cells(cells) => Mark { source: self.index, record: cells.last() },
            Work::TooLong { place, .. } => {
                Mark { source: self.index, record: place.line.or(place.game).unwrap_or(self.last) }
            }
            Work::End { .. } => Mark { source: self.index + 1, record: 0 },
        };
        self.last = mark.record;
        let known = mark <= from;
        Some(Portion { source: Arc::clone(&self.name), work, done: self.done, known, mark })
    }
}

impl Collection {
    fn next(&mut self) -> Option<Work> {
        match self {
            Self::Lines(reader) => reader.next().map(|portion| match portion {
                lines::Portion::Lines(lines) => Work::Lines(lines),
                lines::Portion::TooLong(place, problem) => Work::TooLong { place, problem },
            }),
            Self::Games(reader) => reader.next().map(|portion| match portion {
                pgn::Portion::Games(games) => Work::Games(games),
                pgn::Portion::TooLong(place, problem) => Work::TooLong { place, problem },
            }),
            Self::Table(reader) => match reader.next() {
                Ok(cells) => cells.map(Work::Cells),
                Err(problem) => {
                    *self = Self::Broken(problem);
                    None
                }
            },
            #[cfg(feature = "parquet")]
            Self::Parquet(reader) => match reader.next() {
                Ok(cells) => cells.map(Work::Cells),
                Err(problem) => {
                    *self = Self::Broken(problem);
                    None
                }
            },
            Self::Broken(_) | Self::Ended => None,
        }
    }

    /// What is to be said about the end of the source, if anything.
    fn end(&self, name: &str) -> Option<Work> {
        let text = match self {
            Self::Lines(reader) => reader.text(),
            Self::Games(reader) => reader.text(),
            Self::Table(reader) => reader.text(),
            Self::Broken(problem) => return Some(Work::End { problem: Some(problem.clone()), notice: None }),
            Self::Ended => return None,
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => return None,
        };
        let stream = text.stream();
        let problem =
            text.problem().cloned().or_else(|| empty_but_packed(name).filter(|_| stream.is_empty()));
        let notice = (stream.padding() > 0).then(|| Notice {
            place: Place::default(),
            code: "stream/trailing-zeros",
            message: format!("trailing garbage: {} zero bytes behind the packed data", stream.padding()),
        });
        (problem.is_some() || notice.is_some()).then_some(Work::End { problem, notice })
    }
}

fn open(input: Input, options: &Options, read: &Arc<AtomicU64>) -> Result<Collection, Problem> {
    let path = match &input.kind {
        Kind::File { path, .. } => Some(path.clone()),
        Kind::Reader(_) => None,
    };
    let source: Box<dyn Read + Send> = match input.kind {
        Kind::File { path, .. } => Box::new(File::open(path).map_err(|error| read_problem(&error))?),
        Kind::Reader(reader) => reader.unwrap_or_else(|| Box::new(std::io::empty())),
    };
    let stream = Stream::new(source, Arc::clone(read))?;
    let compression = stream.compression();
    let mut text = Text::new(stream);
    let column = match &options.column {
        Some(Column::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let format = options.format.unwrap_or_else(|| {
        read_first_line(&mut text);
        Format::detect(&input.name, text.data(), column)
    });
    let wanted = Wanted { column: options.column.clone(), first_move: options.first_move };
    Ok(match format {
        Format::Lines => Collection::Lines(LineReader::new(text)),
        Format::Pgn => Collection::Games(GameReader::new(text)),
        Format::Csv => Collection::Table(Box::new(TableReader::new(text, options.delimiter, wanted))),
        Format::Tsv => {
            let delimiter = options.delimiter.or(Some(b'\t'));
            Collection::Table(Box::new(TableReader::new(text, delimiter, wanted)))
        }
        #[cfg(feature = "parquet")]
        Format::Parquet => {
            let file = match path {
                Some(path) if compression == crate::stream::Compression::None && path.is_file() => {
                    File::open(path).map_err(|error| read_problem(&error))?
                }
                _ => spool(text)?,
            };
            Collection::Parquet(ParquetReader::new(file, &wanted)?)
        }
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => {
            let _ = (path, compression);
            return Err(Problem::new("stream/no-parquet", "this build does not read Parquet files"));
        }
    })
}

/// Reads until a line is there that may say what format it is, but not on and on.
fn read_first_line(text: &mut Text) {
    loop {
        let data = text.data();
        let mut lines = data.split_inclusive(|&byte| byte == b'\n');
        let tells = |line: &&[u8]| !matches!(line.trim_ascii_start().first(), None | Some(b'#'));
        let whole = lines.find(tells).is_some_and(|line| memchr(b'\n', line).is_some());
        if whole || data.len() >= BLOCK || text.ended() {
            return;
        }
        text.require(data.len() + 1);
    }
}

/// Puts a source that is no file into one: the directory of a Parquet file is at its end.
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
