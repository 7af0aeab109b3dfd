//! Files that appear only when they are complete, and that a killed scan can resume.
//!
//! Rows are written to `NAME.partial`. Beside it, `NAME.journal` records from time to time how long that file is and
//! how far the scan has come. To resume is to cut the rows back to the last such length, once a checksum has shown that
//! they are still those rows, and to scan from the mark that belongs to it: no row is lost and none is written twice.
//! When the scan is complete, the file gets its name and the journal is removed.
//!
//! A Parquet file can be read only once its footer is written. So the partial file is a series of small Parquet files,
//! each complete; at the end their row groups are moved into one file unchanged.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::Crc;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::counts::Counts;
use crate::csv::Csv;
use crate::extra::Extra;
use crate::inputs::Mark;

#[cfg(feature = "parquet")]
mod parquet_file;

#[cfg(feature = "parquet")]
pub use self::parquet_file::{ParquetFile, ParquetStream};

/// The forms in which rows are written.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum RowFormat {
    /// One JSON object a line.
    JsonLines,
    /// Comma-separated values with a header.
    Csv,
    /// An Apache Parquet file.
    Parquet,
}

impl RowFormat {
    /// What the name of a file says.
    ///
    /// ```
    /// use bitmesh_corpus::output::RowFormat;
    ///
    /// assert_eq!(RowFormat::of_name("rows.jsonl"), Some(RowFormat::JsonLines));
    /// assert_eq!(RowFormat::of_name("rows.xlsx"), None);
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// What stands in a file before all rows.
    #[must_use]
    pub fn header(self) -> String {
        match self {
            Self::Csv => Csv::header(),
            Self::JsonLines | Self::Parquet => String::new(),
        }
    }

    /// The same where something is carried along.
    #[must_use]
    pub fn header_with(self, extra: &Extra) -> String {
        match self {
            Self::Csv => Csv::header_with(extra),
            Self::JsonLines | Self::Parquet => String::new(),
        }
    }
}

/// Why rows cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The system refuses.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file or stream.
        path: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// Rows cannot be encoded, or encoded rows not be read again.
    #[error("cannot write {path}: {message}")]
    Encode {
        /// The file or stream.
        path: String,
        /// What went wrong.
        message: String,
    },
    /// The journal is that of another scan or audit.
    #[error(
        "cannot resume {path}: it was begun with other inputs or options ({difference}); give the same arguments, or begin again with --restart"
    )]
    OtherScan {
        /// The file.
        path: String,
        /// The first thing that differs.
        difference: String,
    },
    /// An interrupted scan has left rows at the place of the output, and the caller has not said whether to resume or
    /// to restart.
    #[error(
        "{path} has rows of an interrupted run in {partial}: continue with --resume, or throw them away with --restart"
    )]
    Begun {
        /// The file.
        path: String,
        /// Where the rows are.
        partial: String,
    },
    /// The rows of an interrupted scan are not those that it wrote.
    #[error("cannot resume {path}: it was changed since it was written; begin again with --restart")]
    Altered {
        /// The partial file.
        path: String,
    },
    /// What is at the place of the output, or of the work in progress, is no regular file: a folder, a pipe, a device.
    #[error("cannot write {path}: it is not a regular file")]
    NotAFile {
        /// The file.
        path: String,
    },
    /// A file with the name of the work in progress was not written by a scan.
    #[error(
        "cannot write {path}: the work in progress would replace {file}, which no scan has written; move it away, or choose another name"
    )]
    ForeignFile {
        /// The output.
        path: String,
        /// The file that would be lost.
        file: String,
    },
    /// The journal cannot be understood.
    #[error("cannot resume: {path} is damaged ({message}); begin again with --restart")]
    BadJournal {
        /// The journal.
        path: String,
        /// What is wrong with it.
        message: String,
    },
}

impl OutputError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Write { .. } => "output/write",
            Self::Encode { .. } => "output/encode",
            Self::OtherScan { .. } => "output/other-scan",
            Self::Begun { .. } => "output/begun",
            Self::Altered { .. } => "output/altered",
            Self::BadJournal { .. } => "output/bad-journal",
            Self::NotAFile { .. } => "output/not-a-file",
            Self::ForeignFile { .. } => "output/foreign-file",
        }
    }

    fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.display().to_string(), error }
    }
}

/// Where the rows of a scan go, block by block.
pub trait Sink<B> {
    /// Takes the rows of a block, what was counted for it, and how far the scan has come with it.
    ///
    /// # Errors
    ///
    /// When the rows cannot be written.
    fn write(&mut self, rows: &B, counts: &Counts, mark: Mark) -> Result<(), OutputError>;

    /// Uses the time in which there is nothing to write to make safe what was written.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn rest(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    /// Ends: completes what is written, or, of an interrupted scan, prepares it to be resumed.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn finish(&mut self, complete: bool) -> Result<(), OutputError>;

    /// Everything counted so far, by earlier runs too.
    fn counts(&self) -> &Counts;
}

/// A sink for rows that are brought into another form before they are written.
pub struct Encoded<S, F> {
    sink: S,
    encode: F,
}

impl<S, F> Encoded<S, F> {
    /// Writes to `sink` what `encode` makes of the rows.
    pub const fn new(sink: S, encode: F) -> Self {
        Self { sink, encode }
    }
}

impl<B, R, S: Sink<R>, F: FnMut(&B) -> R> Sink<B> for Encoded<S, F> {
    fn write(&mut self, rows: &B, counts: &Counts, mark: Mark) -> Result<(), OutputError> {
        self.sink.write(&(self.encode)(rows), counts, mark)
    }

    fn rest(&mut self) -> Result<(), OutputError> {
        self.sink.rest()
    }

    fn finish(&mut self, complete: bool) -> Result<(), OutputError> {
        self.sink.finish(complete)
    }

    fn counts(&self) -> &Counts {
        self.sink.counts()
    }
}

/// Rows as text on a stream that cannot be resumed: standard output, a pipe, a device.
pub struct TextStream<W> {
    name: PathBuf,
    writer: W,
    header: Option<String>,
    counts: Counts,
}

impl<W: Write> TextStream<W> {
    /// `name` is for messages.
    pub fn new(name: &Path, writer: W, format: RowFormat) -> Self {
        Self::with_extra(name, writer, format, &Extra::default())
    }

    /// The same where something is carried along.
    pub fn with_extra(name: &Path, writer: W, format: RowFormat, extra: &Extra) -> Self {
        Self::with_header(name, writer, format.header_with(extra))
    }

    /// The same with a header for other rows.
    pub fn with_header(name: &Path, writer: W, header: String) -> Self {
        Self { name: name.to_owned(), writer, header: Some(header), counts: Counts::default() }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(header) = self.header.take() {
            self.writer.write_all(header.as_bytes())?;
        }
        self.writer.write_all(bytes)
    }
}

impl<W: Write> Sink<Vec<u8>> for TextStream<W> {
    fn write(&mut self, rows: &Vec<u8>, counts: &Counts, _: Mark) -> Result<(), OutputError> {
        self.counts.add(counts);
        let result = self.put(rows).and_then(|()| if rows.is_empty() { Ok(()) } else { self.writer.flush() });
        result.map_err(|error| OutputError::write(&self.name, error))
    }

    fn finish(&mut self, _: bool) -> Result<(), OutputError> {
        let result = self.put(&[]).and_then(|()| self.writer.flush());
        result.map_err(|error| OutputError::write(&self.name, error))
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }
}

/// How often the journal says how far the scan has come.
const BETWEEN_ENTRIES: Duration = Duration::from_millis(500);

const JOURNAL_SCHEMA: &str = "bitmesh.scan-journal.v1";

/// What every version of a journal begins with.
const JOURNAL_START: &[u8] = b"{\"schema\":\"bitmesh.scan-journal.";

/// First line of a journal: which scan it belongs to.
#[derive(Deserialize, Serialize)]
struct Heading {
    schema: String,
    version: String,
    /// Inputs and options in words: all that decides about the rows.
    scan: Vec<String>,
}

/// Other lines of a journal.
#[derive(Clone, Default, Deserialize, Serialize)]
struct Entry {
    /// Length of the partial file.
    bytes: u64,
    /// CRC-32 of that much of it.
    crc32: u32,
    /// How far the scan had come then.
    mark: Mark,
    /// What it had counted.
    counts: Counts,
}

/// What to do with the rows that an interrupted scan has left at an output.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unfinished {
    /// Leave them, and report an error.
    Refuse,
    /// Go on after them.
    Resume,
    /// Throw them away, and begin again.
    Restart,
}

/// What there is at the place of an output.
#[allow(clippy::large_enum_variant, reason = "one at a time exists, and it lives long")]
pub enum Opened {
    /// A file to write to, from the beginning or from where it was left.
    File(PartialFile),
    /// The complete output: there is nothing to resume.
    Complete,
}

/// A file that grows under another name until it is complete.
pub struct PartialFile {
    path: PathBuf,
    file: BufWriter<File>,
    journal: File,
    entry: Entry,
    entered: Entry,
    last: Instant,
    /// Ends of the parts that were entered, for files that consist of parts.
    parts: Vec<u64>,
    /// Of everything that was appended.
    crc: Crc,
}

fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    name.into()
}

impl PartialFile {
    /// The files that a scan leaves at an output when it is interrupted.
    #[must_use]
    pub fn names(path: &Path) -> [PathBuf; 2] {
        [beside(path, ".partial"), beside(path, ".journal")]
    }

    /// The same, and the file in which the parts of a Parquet file are joined: whatever a scan may write beside its
    /// output. None of them may be one of its inputs.
    #[must_use]
    pub fn work_in_progress(path: &Path) -> [PathBuf; 3] {
        let [partial, journal] = Self::names(path);
        [partial, journal, beside(path, ".joined")]
    }

    /// Opens the output of a scan, which `scan` describes: inputs and options, all that decides about the rows.
    ///
    /// `unfinished` says what to do with the rows of an interrupted scan; where there are none, the scan begins at the
    /// beginning. `header` is what a new file begins with.
    ///
    /// # Errors
    ///
    /// When the files cannot be written, or those that are there belong to another scan, were altered, or are to stay.
    /// What no scan has written is never touched, except for a complete file at `path`, which is replaced in the end.
    pub fn open(
        path: &Path,
        scan: &[String],
        unfinished: Unfinished,
        header: &str,
    ) -> Result<Opened, OutputError> {
        check_places(path)?;
        let [partial, journal] = Self::names(path);
        // An empty file has no row to lose.
        if unfinished == Unfinished::Refuse && fs::metadata(&partial).is_ok_and(|metadata| metadata.len() > 0)
        {
            return Err(OutputError::Begun {
                path: path.display().to_string(),
                partial: partial.display().to_string(),
            });
        }
        if unfinished == Unfinished::Resume {
            if partial.exists() && journal.exists() {
                if let Some(file) = Self::go_on(path, scan)? {
                    return Ok(Opened::File(file));
                }
            } else if path.exists() {
                return Ok(Opened::Complete);
            }
        }
        let heading = Heading {
            schema: JOURNAL_SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scan: scan.to_vec(),
        };
        // Report the user's path, not the temporary one.
        let create = |name: &Path| File::create(name).map_err(|error| OutputError::write(path, error));
        // The old journal must never be seen beside the new rows.
        let journal_file = create(&journal)?;
        let partial_file = create(&partial)?;
        keep_mode(path, &partial_file, Access::Own).map_err(|error| OutputError::write(path, error))?;
        let mut file = Self {
            path: path.to_owned(),
            file: BufWriter::new(partial_file),
            journal: journal_file,
            entry: Entry::default(),
            entered: Entry::default(),
            last: Instant::now(),
            parts: Vec::new(),
            crc: Crc::new(),
        };
        file.write_journal(&heading)?;
        file.append(header.as_bytes())?;
        file.enter()?;
        Ok(Opened::File(file))
    }

    /// Goes on with what is there; `None` if not even its beginning was entered.
    fn go_on(path: &Path, scan: &[String]) -> Result<Option<Self>, OutputError> {
        let [partial_path, journal_path] = Self::names(path);
        let bad =
            |message: String| OutputError::BadJournal { path: journal_path.display().to_string(), message };
        let update = |path: &Path| {
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(path)
                .map_err(|error| OutputError::write(path, error))
        };
        let mut journal = update(&journal_path)?;
        let mut partial = update(&partial_path)?;
        let length = partial.metadata().map_err(|error| OutputError::write(&partial_path, error))?.len();

        let mut lines = BufReader::new(&journal);
        let mut line = String::new();
        // A line without its end was being written when the scan ended.
        let mut next = |line: &mut String| -> Result<bool, OutputError> {
            line.clear();
            lines.read_line(line).map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => bad(error.to_string()),
                _ => OutputError::write(&journal_path, error),
            })?;
            Ok(line.ends_with('\n'))
        };
        if !next(&mut line)? {
            return Ok(None);
        }
        let heading: Heading = serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?;
        if heading.schema != JOURNAL_SCHEMA {
            return Err(bad(format!("schema {} is not {JOURNAL_SCHEMA}", heading.schema)));
        }
        check_same_scan(path, &heading, scan)?;
        let mut kept = line.len() as u64;
        let mut last: Option<Entry> = None;
        let mut parts = Vec::new();
        while next(&mut line)? {
            let entry: Entry = serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?;
            if entry.bytes > length {
                break;
            }
            kept += line.len() as u64;
            if parts.last().is_none_or(|&end| end < entry.bytes) && entry.bytes > 0 {
                parts.push(entry.bytes);
            }
            last = Some(entry);
        }
        let Some(entry) = last else { return Ok(None) };
        let crc =
            crc_of(&mut partial, entry.bytes).map_err(|error| OutputError::write(&partial_path, error))?;
        if crc.sum() != entry.crc32 {
            return Err(OutputError::Altered { path: partial_path.display().to_string() });
        }
        let cut = |file: &mut File, length: u64| {
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))
        };
        cut(&mut journal, kept).map_err(|error| OutputError::write(&journal_path, error))?;
        cut(&mut partial, entry.bytes).map_err(|error| OutputError::write(&partial_path, error))?;
        Ok(Some(Self {
            path: path.to_owned(),
            file: BufWriter::new(partial),
            journal,
            entered: entry.clone(),
            entry,
            last: Instant::now(),
            parts,
            crc,
        }))
    }

    /// How far the resumed scan had come.
    #[must_use]
    pub const fn mark(&self) -> Mark {
        self.entry.mark
    }

    /// Whether rows or marks of an earlier run are there.
    #[must_use]
    pub fn is_resumed(&self) -> bool {
        self.entry.mark > Mark::default()
    }

    fn failed(&self, error: io::Error) -> OutputError {
        OutputError::write(&self.path, error)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(bytes).map_err(|error| self.failed(error))?;
        self.entry.bytes += bytes.len() as u64;
        self.crc.update(bytes);
        self.entry.crc32 = self.crc.sum();
        Ok(())
    }

    fn pass(&mut self, counts: &Counts, mark: Mark) {
        self.entry.counts.add(counts);
        self.entry.mark = mark;
    }

    fn is_time_to_enter(&self) -> bool {
        self.entered.mark < self.entry.mark && self.last.elapsed() >= BETWEEN_ENTRIES
    }

    /// Writes down how far the scan has come, once the rows up to there are safe.
    fn enter(&mut self) -> Result<(), OutputError> {
        let synced = self.file.flush().and_then(|()| self.file.get_ref().sync_data());
        synced.map_err(|error| self.failed(error))?;
        if self.entered.bytes < self.entry.bytes {
            self.parts.push(self.entry.bytes);
        }
        self.write_journal(&self.entry.clone())?;
        self.entered = self.entry.clone();
        self.last = Instant::now();
        Ok(())
    }

    fn write_journal(&mut self, line: &impl Serialize) -> Result<(), OutputError> {
        let failed = |error| OutputError::write(&self.path, error);
        let mut text = serde_json::to_vec(line).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        self.journal.write_all(&text).map_err(failed)
    }

    /// Gives the file its name; the file that is there is replaced, and its mode stays.
    fn complete(&mut self, finished: &Path) -> Result<(), OutputError> {
        let [partial, journal] = Self::names(&self.path);
        let file = if finished == partial { self.file.get_ref().try_clone() } else { File::open(finished) };
        file.and_then(|file| keep_mode(&self.path, &file, Access::Same))
            .map_err(|error| OutputError::write(&self.path, error))?;
        fs::rename(finished, &self.path).map_err(|error| OutputError::write(&self.path, error))?;
        // The rows are complete; what is left of the work in progress does no harm.
        if finished != partial {
            let _ = fs::remove_file(partial);
        }
        let _ = fs::remove_file(journal);
        Ok(())
    }
}

/// Refuses places that hold anything but a regular file, and work in progress that no scan has left there.
fn check_places(path: &Path) -> Result<(), OutputError> {
    let not_a_file = |path: &Path| OutputError::NotAFile { path: path.display().to_string() };
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(not_a_file(path));
    }
    let [_, journal] = PartialFile::names(path);
    let has_journal =
        fs::symlink_metadata(&journal).is_ok_and(|found| found.is_file()) && is_journal(&journal);
    for place in PartialFile::work_in_progress(path) {
        let Ok(found) = fs::symlink_metadata(&place) else { continue };
        if !found.is_file() {
            return Err(not_a_file(&place));
        }
        // Rows have their journal, which was there before them.
        if found.len() > 0 && !has_journal {
            return Err(OutputError::ForeignFile {
                path: path.display().to_string(),
                file: place.display().to_string(),
            });
        }
    }
    Ok(())
}

/// Whether a file is a journal, or what is left of one after a power failure: nothing, its beginning, or zero bytes.
fn is_journal(path: &Path) -> bool {
    let mut start = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(JOURNAL_START.len() as u64).read_to_end(&mut start));
    read.is_ok() && (JOURNAL_START.starts_with(&start) || start.iter().all(|&byte| byte == 0))
}

/// How much of a mode is taken over.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Access {
    /// All of it, but its owner can read and write.
    Own,
    /// All of it.
    Same,
}

/// Gives a file the mode of the one that it is going to replace, if there is one: what nobody else might read before,
/// nobody else may read now.
fn keep_mode(path: &Path, file: &File, access: Access) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(before) = fs::metadata(path) {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = before.permissions().mode() & 0o7777;
        let mode = if access == Access::Own { mode & 0o777 | 0o600 } else { mode };
        // Not every file system can change it.
        if file.metadata()?.permissions().mode() & 0o7777 == mode {
            return Ok(());
        }
        return file.set_permissions(fs::Permissions::from_mode(mode));
    }
    // Elsewhere the mode says only whether a file may be written, and one that may not is not replaced.
    let _ = (path, file, access);
    Ok(())
}

/// CRC-32 of the first bytes of a file.
fn crc_of(file: &mut File, length: u64) -> io::Result<Crc> {
    file.seek(SeekFrom::Start(0))?;
    let mut crc = Crc::new();
    let mut rest = BufReader::with_capacity(1 << 16, file.take(length));
    loop {
        let piece = rest.fill_buf()?;
        if piece.is_empty() {
            return Ok(crc);
        }
        crc.update(piece);
        let used = piece.len();
        rest.consume(used);
    }
}

fn check_same_scan(path: &Path, heading: &Heading, scan: &[String]) -> Result<(), OutputError> {
    let other =
        |difference: String| Err(OutputError::OtherScan { path: path.display().to_string(), difference });
    if heading.version != env!("CARGO_PKG_VERSION") {
        return other(format!("version {}", heading.version));
    }
    let differing = heading.scan.iter().zip(scan).find(|(before, now)| before != now);
    match differing {
        Some((before, now)) => other(format!("then: {before}; now: {now}")),
        None if heading.scan.len() != scan.len() => other("another number of inputs".to_owned()),
        None => Ok(()),
    }
}

/// Rows as text in a file that can be resumed.
pub struct TextFile(PartialFile);

impl TextFile {
    /// Writes rows to a file that was [opened](PartialFile::open).
    #[must_use]
    pub const fn new(file: PartialFile) -> Self {
        Self(file)
    }
}

impl Sink<Vec<u8>> for TextFile {
    fn write(&mut self, rows: &Vec<u8>, counts: &Counts, mark: Mark) -> Result<(), OutputError> {
        self.0.append(rows)?;
        self.0.pass(counts, mark);
        self.rest()
    }

    fn rest(&mut self) -> Result<(), OutputError> {
        if self.0.is_time_to_enter() { self.0.enter() } else { Ok(()) }
    }

    fn finish(&mut self, complete: bool) -> Result<(), OutputError> {
        self.0.enter()?;
        if complete {
            let [partial, _] = PartialFile::names(&self.0.path);
            self.0.complete(&partial)?;
        }
        Ok(())
    }

    fn counts(&self) -> &Counts {
        &self.0.entry.counts
    }
}
