//! Files inside a zip archive.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive};

use crate::problem::Problem;

/// More members than any collection has; an archive with more is refused.
const MAX_MEMBERS: usize = 100_000;

/// How an archive with members begins, and one without.
const MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Whether some bytes are the start of a zip archive.
pub(crate) fn is_zip(start: &[u8]) -> bool {
    MAGIC.iter().any(|magic| start.starts_with(magic))
}

/// A file inside an archive, as the directory of the archive describes it.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Where its packed bytes are.
    start: u64,
    pub(crate) packed: u64,
    unpacked: u64,
    checksum: u32,
    method: CompressionMethod,
    is_encrypted: bool,
}

/// The members of an archive, folders aside.
///
/// # Errors
///
/// When the directory cannot be read, or members overlap: bytes that are unpacked many times over are a trap.
pub(crate) fn members(path: &Path) -> Result<Vec<Member>, Problem> {
    let corrupt =
        |error: &dyn fmt::Display| Problem::new("stream/corrupt", format!("corrupt zip archive: {error}"));
    let file = File::open(path).map_err(|error| crate::stream::read_problem(&error))?;
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(|error| corrupt(&error))?;
    let promised = archive.entries_hint();
    let mut members = Vec::new();
    let mut read = 0;
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(|error| corrupt(&error))? {
        read += 1;
        if entry.is_dir() {
            continue;
        }
        let place = archive.get_entry(entry.wayfinder()).map_err(|error| corrupt(&error))?;
        let (start, end) = place.compressed_data_range();
        members.push(Member {
            name: String::from_utf8_lossy(entry.file_path().as_ref()).into_owned(),
            start,
            packed: end - start,
            unpacked: entry.uncompressed_size_hint(),
            checksum: entry.crc32(),
            method: entry.compression_method(),
            is_encrypted: entry.flags().is_encrypted(),
        });
        if members.len() > MAX_MEMBERS {
            let message = format!("zip archive with more than {MAX_MEMBERS} files");
            return Err(Problem::new("stream/zip-members", message));
        }
    }
    if read != promised {
        return Err(corrupt(&format!("the directory promises {promised} entries and has {read}")));
    }
    let mut ranges: Vec<(u64, u64)> = members.iter().map(|member| (member.start, member.packed)).collect();
    ranges.sort_unstable();
    if ranges.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
        let message = "zip archive whose files overlap, as in a zip bomb";
        return Err(Problem::new("stream/zip-overlap", message));
    }
    Ok(members)
}

fn failed(code: &'static str, message: String) -> io::Error {
    io::Error::other(Problem::new(code, message))
}

/// Part of a file, which counts what is read of it.
struct Packed {
    file: io::Take<File>,
    read: Arc<AtomicU64>,
}

impl Read for Packed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

enum Decoder {
    Stored(BufReader<Packed>),
    Deflate(DeflateDecoder<BufReader<Packed>>),
    Bzip2(bzip2::bufread::BzDecoder<BufReader<Packed>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, BufReader<Packed>>>),
}

/// The bytes of a member: no more than the directory promises, and with the right checksum, or an error.
pub(crate) struct MemberReader {
    decoder: Decoder,
    left: u64,
    checksum: u32,
    crc: Crc,
    is_over: bool,
}

impl MemberReader {
    /// Opens a member. What is read of the archive is added to `read`.
    pub(crate) fn open(path: &Path, member: &Member, read: Arc<AtomicU64>) -> Result<Self, Problem> {
        if member.is_encrypted {
            return Err(Problem::new("stream/zip-encrypted", "the file is encrypted in its zip archive"));
        }
        let system = |error: io::Error| crate::stream::read_problem(&error);
        let mut file = File::open(path).map_err(system)?;
        file.seek(SeekFrom::Start(member.start)).map_err(system)?;
        let packed = BufReader::with_capacity(1 << 16, Packed { file: file.take(member.packed), read });
        let decoder = match member.method {
            CompressionMethod::STORE => Decoder::Stored(packed),
            CompressionMethod::DEFLATE => Decoder::Deflate(DeflateDecoder::new(packed)),
            CompressionMethod::BZIP2 => Decoder::Bzip2(bzip2::bufread::BzDecoder::new(packed)),
            CompressionMethod::ZSTD => {
                Decoder::Zstd(Box::new(zstd::stream::read::Decoder::with_buffer(packed).map_err(system)?))
            }
            method => {
                let message =
                    format!("the file is packed in its zip archive by a method that is not read: {method}");
                return Err(Problem::new("stream/zip-method", message));
            }
        };
        Ok(Self {
            decoder,
            left: member.unpacked,
            checksum: member.checksum,
            crc: Crc::new(),
            is_over: false,
        })
    }

    fn unpack(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = match &mut self.decoder {
            Decoder::Stored(reader) => reader.read(buffer),
            Decoder::Deflate(reader) => reader.read(buffer),
            Decoder::Bzip2(reader) => reader.read(buffer),
            Decoder::Zstd(reader) => reader.read(buffer),
        };
        result.map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            io::ErrorKind::UnexpectedEof => {
                failed("stream/truncated", "truncated zip data: what came before the cut was read".to_owned())
            }
            _ => failed("stream/corrupt", format!("corrupt zip data: {error}")),
        })
    }
}

impl Read for MemberReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over || buffer.is_empty() {
            return Ok(0);
        }
        let count = self.unpack(buffer)?;
        if count as u64 > self.left {
            self.is_over = true;
            return Err(failed(
                "stream/corrupt",
                "corrupt zip data: more than its directory promises".to_owned(),
            ));
        }
        self.left -= count as u64;
        self.crc.update(&buffer[..count]);
        if count == 0 {
            self.is_over = true;
            if self.left > 0 {
                let message = "truncated zip data: what came before the cut was read".to_owned();
                return Err(failed("stream/truncated", message));
            }
            if self.crc.sum() != self.checksum {
                return Err(failed(
                    "stream/corrupt",
                    "corrupt zip data: the checksum does not fit".to_owned(),
                ));
            }
        }
        Ok(count)
    }
}
