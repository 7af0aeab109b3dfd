//! The inputs of a scan: files, members of archives and streams, and how far a scan of them has come.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::UNIX_EPOCH;
use std::vec::IntoIter;

use crate::format::Format;
use crate::problem::{Problem, ScanError};
use crate::stream::{Stream, read_problem};
use crate::zip::{self, Member, MemberReader, is_zip};

/// What is to be scanned, in order.
#[derive(Default)]
pub struct Inputs {
    inputs: Vec<Input>,
    passed_over: BTreeMap<String, u64>,
    /// Of folders and archives, only files with the name of this format count.
    only: Option<Format>,
}

/// One of them.
pub(crate) struct Input {
    name: Arc<str>,
    kind: Kind,
}

enum Kind {
    File {
        path: PathBuf,
        size: u64,
        modified: Option<u128>,
        /// No pipe and no device.
        is_regular: bool,
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

    /// Nothing yet; of folders and archives, only files with the name of this format are going to count.
    #[must_use]
    pub fn of_format(format: Format) -> Self {
        Self { only: Some(format), ..Self::default() }
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
    /// When the file or folder cannot be read, or the folder holds no collection. A folder inside that cannot be read,
    /// and a link in it that leads nowhere, is an input that the scan reports.
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
            let wanted = match self.only {
                Some(Format::Pgn) => "of games (.pgn)",
                _ => "of a collection (.pgn, .fen, .epd, .csv, .tsv, .parquet)",
            };
            return Err(ScanError::EmptyFolder { name: path.display().to_string(), wanted });
        }
        Ok(())
    }

    /// Adds an input that could not be [added](Self::add_path): the scan reports it with an error row and continues
    /// without it.
    pub fn refuse_path(&mut self, path: &Path, error: &ScanError) {
        let problem = match error {
            ScanError::Input { error: cause, .. } => Problem::of_reading(error.code(), cause),
            other => Problem::new(other.code(), other.to_string()),
        };
        self.refuse(path, problem);
    }

    fn refuse(&mut self, path: &Path, problem: Problem) {
        self.inputs.push(Input { name: path.display().to_string().into(), kind: Kind::Refused(problem) });
    }

    /// Whether a file of a folder is wanted, as its name has it. `.json` is rarely a collection.
    fn is_wanted(&self, name: &str) -> bool {
        let named = Format::of_name(name).filter(|_| !name.to_ascii_lowercase().ends_with(".json"));
        named.is_some_and(|named| self.only.is_none_or(|only| only == named))
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
                if let Err(error) = self.add_folder(&path, skip) {
                    self.refuse(&path, read_problem(&error));
                }
                continue;
            }
            match fs::metadata(&path) {
                Err(error) if is_archive(&name) || self.is_wanted(&name) => {
                    self.refuse(&path, read_problem(&error));
                }
                Ok(metadata) if metadata.is_file() && is_archive(&name) => {
                    self.push_archive(&path, &metadata)
                }
                Ok(metadata) if metadata.is_file() && self.is_wanted(&name) => {
                    self.push_file(path, &metadata)
                }
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
        let kind = Kind::File {
            path,
            size: metadata.len(),
            modified: modified(metadata),
            is_regular: metadata.is_file(),
        };
        self.inputs.push(Input { name, kind });
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
                members.iter().map(|member| !is_hidden(member) && self.is_wanted(&base(member))).collect();
            if !wanted.contains(&true) {
                let is_text =
                    |member: &Member| matches!(extension_of(&base(member)).as_str(), ".txt" | "no extension");
                wanted = members.iter().map(|member| !is_hidden(member) && is_text(member)).collect();
            }
            if !wanted.contains(&true) {
                let message = match self.only {
                    Some(Format::Pgn) => "the zip archive holds no file with the name of games (.pgn)",
                    _ => "the zip archive holds no file with the name of a collection",
                };
                return Err(Problem::new("stream/empty-archive", message));
            }
            Ok(members.into_iter().zip(wanted).collect::<Vec<_>>())
        });
        let name = path.display().to_string();
        match members {
            Err(problem) => self.refuse(path, problem),
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

    pub(crate) fn into_inputs(self) -> IntoIter<Input> {
        self.inputs.into_iter()
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

/// An input, and its bytes or why there are none.
pub(crate) struct Opened {
    pub(crate) index: usize,
    pub(crate) name: Arc<str>,
    pub(crate) path: Option<PathBuf>,
    pub(crate) is_member: bool,
    pub(crate) stream: Result<Stream, Problem>,
}

impl Input {
    /// Whether it can be read whenever one likes.
    pub(crate) fn is_on_disk(&self) -> bool {
        match &self.kind {
            Kind::File { is_regular, .. } => *is_regular,
            Kind::Member { .. } | Kind::Refused(_) => true,
            Kind::Reader(_) => false,
        }
    }

    /// Opens it, and lets another thread unpack what is packed.
    pub(crate) fn open(self, index: usize, read: &Arc<AtomicU64>) -> Opened {
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
