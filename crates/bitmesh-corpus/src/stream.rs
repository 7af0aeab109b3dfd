//! Bytes from files and pipes, unpacked.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::ahead::Ahead;
use crate::problem::Problem;

/// How the bytes of a source are packed. Detected from the bytes, never from the name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, any number of members.
    Gzip,
    /// bzip2, any number of streams.
    Bzip2,
    /// Zstandard, any number of frames, skippable ones among them.
    Zstd,
    /// xz, any number of streams.
    Xz,
}

const GZIP: &[u8] = b"\x1f\x8b";
const BZIP2: &[u8] = b"BZh";
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The bytes after the first one of a skippable Zstandard frame; the first is 0x50 to 0x5f.
const ZSTD_SKIPPABLE: &[u8] = b"\x2a\x4d\x18";

const XZ: &[u8] = b"\xfd7zXZ\0";

/// How much memory the decoder of xz may take; what the strongest setting of the tool needs is a quarter of it.
const XZ_MEMORY_KIB: u32 = 256 << 10;

const RAW_BUFFER: usize = 1 << 16;

impl Compression {
    pub(crate) fn detect(start: &[u8]) -> Self {
        if start.starts_with(GZIP) {
            Self::Gzip
        } else if is_bzip2(start) {
            Self::Bzip2
        } else if start.starts_with(ZSTD) || is_skippable_frame(start) {
            Self::Zstd
        } else if start.starts_with(XZ) {
            Self::Xz
        } else {
            Self::None
        }
    }

    /// What the name of a file says.
    pub(crate) fn of_name(name: &str) -> Self {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension.to_ascii_lowercase().as_str() {
            "gz" => Self::Gzip,
            "bz2" => Self::Bzip2,
            "zst" => Self::Zstd,
            "xz" => Self::Xz,
            _ => Self::None,
        }
    }

    /// What it is called in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::Xz => "xz",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Zstd => "zstd",
        }
    }
}

/// `BZh`, the block size, and the mark of a block or of the end: `BZh9` alone might be text.
fn is_bzip2(start: &[u8]) -> bool {
    start.starts_with(BZIP2)
        && matches!(start.get(3), Some(b'1'..=b'9'))
        && matches!(start.get(4..6), Some(b"1A" | b"\x17\x72") | None)
}

fn is_skippable_frame(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, rest @ ..] if rest.starts_with(ZSTD_SKIPPABLE))
}

/// A source as it lies on disk: counts its bytes and remembers whether the system failed.
pub(crate) struct Raw {
    inner: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
    failed: Arc<AtomicBool>,
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Ok(count) => {
                self.read.fetch_add(count as u64, Ordering::Relaxed);
                Ok(count)
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::Interrupted {
                    self.failed.store(true, Ordering::Relaxed);
                }
                Err(error)
            }
        }
    }
}

type RawBuffer = BufReader<Raw>;

#[allow(clippy::large_enum_variant, reason = "one at a time exists, and it lives long")]
enum Decoder {
    Plain(RawBuffer),
    Gzip(Members<flate2::bufread::GzDecoder<RawBuffer>>),
    Bzip2(Members<bzip2::bufread::BzDecoder<RawBuffer>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, RawBuffer>>),
    Xz(Box<lzma_rust2::XzReader<RawBuffer>>),
    /// One of those, at work in a separate thread; at the end it says how many zero bytes followed.
    Ahead(Ahead<u64>),
}

/// The unpacked bytes of a source.
pub(crate) struct Stream {
    decoder: Decoder,
    compression: Compression,
    is_empty: bool,
    failed: Arc<AtomicBool>,
}

impl Stream {
    /// Looks at the first bytes and unpacks accordingly. Adds all that is read to `read`.
    pub(crate) fn new(source: Box<dyn Read + Send>, read: Arc<AtomicU64>) -> Result<Self, Problem> {
        let failed = Arc::new(AtomicBool::new(false));
        let raw = Raw { inner: source, read, failed: Arc::clone(&failed) };
        let mut buffer = BufReader::with_capacity(RAW_BUFFER, raw);
        let start = fill(&mut buffer).map_err(|error| read_problem(&error))?;
        let compression = Compression::detect(start);
        let is_empty = start.is_empty();
        let decoder = match compression {
            Compression::None => Decoder::Plain(buffer),
            Compression::Gzip => Decoder::Gzip(Members::new(buffer)),
            Compression::Bzip2 => Decoder::Bzip2(Members::new(buffer)),
            Compression::Zstd => match zstd::stream::read::Decoder::with_buffer(buffer) {
                Ok(decoder) => Decoder::Zstd(Box::new(decoder)),
                Err(error) => return Err(read_problem(&error)),
            },
            Compression::Xz => {
                Decoder::Xz(Box::new(lzma_rust2::XzReader::new_mem_limit(buffer, true, XZ_MEMORY_KIB)))
            }
        };
        Ok(Self { decoder, compression, is_empty, failed })
    }

    /// Lets another thread unpack what is packed, ahead of the reader.
    pub(crate) fn ahead(self) -> Result<Self, Problem> {
        if self.compression == Compression::None {
            return Ok(self);
        }
        let (compression, is_empty, failed) = (self.compression, self.is_empty, Arc::clone(&self.failed));
        let ahead = Ahead::new(self, Self::padding);
        let decoder = Decoder::Ahead(ahead.map_err(|error| read_problem(&error))?);
        Ok(Self { decoder, compression, is_empty, failed })
    }

    pub(crate) const fn compression(&self) -> Compression {
        self.compression
    }

    /// Whether the source has no bytes at all.
    pub(crate) const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Zero bytes that followed the last member, as tapes and some tools leave them.
    pub(crate) const fn padding(&self) -> u64 {
        match &self.decoder {
            Decoder::Gzip(members) => members.padding,
            Decoder::Bzip2(members) => members.padding,
            Decoder::Plain(_) | Decoder::Zstd(_) | Decoder::Xz(_) => 0,
            Decoder::Ahead(ahead) => match ahead.end() {
                Some(padding) => *padding,
                None => 0,
            },
        }
    }

    /// Puts an error of [`read`](Read::read) into words.
    pub(crate) fn problem(&self, error: &io::Error) -> Problem {
        if self.failed.load(Ordering::Relaxed) || self.compression == Compression::None {
            return read_problem(error);
        }
        let packing = self.compression.name();
        if error.kind() == io::ErrorKind::UnexpectedEof {
            truncated(packing)
        } else {
            Problem::new("stream/corrupt", format!("corrupt {packing} data: {error}"))
        }
    }
}

fn truncated(packing: &str) -> Problem {
    Problem::new("stream/truncated", format!("truncated {packing} data: what came before the cut was read"))
}

/// The problem of an empty file whose name promises packed data.
pub(crate) fn empty_but_packed(name: &str) -> Option<Problem> {
    match Compression::of_name(name) {
        Compression::None => None,
        packing => Some(truncated(packing.name())),
    }
}

pub(crate) fn read_problem(error: &io::Error) -> Problem {
    // A reader of ours has its own words.
    if let Some(problem) = error.get_ref().and_then(|error| error.downcast_ref::<Problem>()) {
        return problem.clone();
    }
    Problem::of_reading("stream/read", error)
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let result = match &mut self.decoder {
                Decoder::Plain(reader) => reader.read(buffer),
                Decoder::Gzip(members) => members.read(buffer),
                Decoder::Bzip2(members) => members.read(buffer),
                Decoder::Zstd(decoder) => decoder.read(buffer),
                Decoder::Xz(decoder) => decoder.read(buffer),
                Decoder::Ahead(ahead) => ahead.read(buffer),
            };
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

fn fill(reader: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match reader.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    reader.fill_buf()
}

/// A decoder that ends with its member and gives the reader back.
trait MemberDecoder: Read {
    const MAGIC: &'static [u8];

    fn start(reader: RawBuffer) -> Self;
    fn finish(self) -> RawBuffer;
}

impl MemberDecoder for flate2::bufread::GzDecoder<RawBuffer> {
    const MAGIC: &'static [u8] = GZIP;

    fn start(reader: RawBuffer) -> Self {
        Self::new(reader)
    }

    fn finish(self) -> RawBuffer {
        self.into_inner()
    }
}

impl MemberDecoder for bzip2::bufread::BzDecoder<RawBuffer> {
    const MAGIC: &'static [u8] = BZIP2;

    fn start(reader: RawBuffer) -> Self {
        Self::new(reader)
    }

    fn finish(self) -> RawBuffer {
        self.into_inner()
    }
}

/// Members one after the other; zero bytes between and after them are padding, anything else is damage.
struct Members<D> {
    /// `None` after the end and after an error.
    current: Option<D>,
    padding: u64,
}

impl<D: MemberDecoder> Members<D> {
    fn new(reader: RawBuffer) -> Self {
        Self { current: Some(D::start(reader)), padding: 0 }
    }

    /// The next member, or `None` at the end of the source.
    fn next(&mut self, mut reader: RawBuffer) -> io::Result<Option<D>> {
        loop {
            let ahead = fill(&mut reader)?;
            let Some(&first) = ahead.first() else { return Ok(None) };
            if first == 0 {
                let zeros = ahead.iter().take_while(|&&byte| byte == 0).count();
                self.padding += zeros as u64;
                reader.consume(zeros);
            } else if first == D::MAGIC[0] {
                return Ok(Some(D::start(reader)));
            } else {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "what follows the last member is neither padding nor another member",
                ));
            }
        }
    }
}

impl<D: MemberDecoder> Read for Members<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(mut decoder) = self.current.take() {
            match decoder.read(buffer) {
                Ok(0) => self.current = self.next(decoder.finish())?,
                Ok(count) => {
                    self.current = Some(decoder);
                    return Ok(count);
                }
                Err(error) => {
                    if error.kind() == io::ErrorKind::Interrupted {
                        self.current = Some(decoder);
                    }
                    return Err(error);
                }
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ::zstd::encode_all(bytes, 1).unwrap()
    }

    /// What came out before the end or the error, the code of the error, and the zero bytes that followed; the same
    /// whether another thread unpacks or not.
    fn read_all(bytes: Vec<u8>) -> (Vec<u8>, Option<&'static str>, u64) {
        let open = || Stream::new(Box::new(io::Cursor::new(bytes.clone())), Arc::default()).unwrap();
        let all = read_to_end(open());
        assert_eq!(read_to_end(open().ahead().unwrap()), all);
        all
    }

    fn read_to_end(mut stream: Stream) -> (Vec<u8>, Option<&'static str>, u64) {
        let mut text = Vec::new();
        // As much at once as the thread does: of a piece with damage in it nothing may come.
        let mut buffer = [0; 1 << 16];
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return (text, None, stream.padding()),
                Ok(count) => text.extend_from_slice(&buffer[..count]),
                Err(error) => return (text, Some(stream.problem(&error).code()), stream.padding()),
            }
        }
    }

    /// Bytes that no packing makes much smaller.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 1u64;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    #[test]
    fn members_and_frames_follow_each_other() {
        let (first, second) = (noise(70_000), noise(100));
        let whole = [first.clone(), second.clone()].concat();
        for pack in [gzip, bzip2, zstd, |bytes: &[u8]| bytes.to_vec()] {
            let packed = [pack(&first), pack(&second)].concat();
            assert_eq!(read_all(packed), (whole.clone(), None, 0));
        }
    }

    #[test]
    fn skippable_frames_are_skipped_wherever_they_stand() {
        let skippable = [&b"\x53\x2a\x4d\x18\x04\0\0\0"[..], b"meta"].concat();
        let packed = [skippable.clone(), zstd(b"one "), skippable.clone(), zstd(b"two"), skippable].concat();
        assert_eq!(read_all(packed), (b"one two".to_vec(), None, 0));
    }

    #[test]
    fn zeros_between_and_behind_members_are_padding() {
        for pack in [gzip, bzip2] {
            let packed = [pack(b"one "), vec![0; 512], pack(b"two"), vec![0; 16]].concat();
            assert_eq!(read_all(packed), (b"one two".to_vec(), None, 528));
        }
    }

    #[test]
    fn other_bytes_behind_a_member_are_damage() {
        for pack in [gzip, bzip2, zstd] {
            let packed = [pack(b"one"), b"what is this?".to_vec()].concat();
            assert_eq!(read_all(packed), (b"one".to_vec(), Some("stream/corrupt"), 0));
        }
    }

    #[test]
    fn a_cut_keeps_what_came_before_it() {
        let text = noise(400_000);
        for pack in [gzip, bzip2, zstd] {
            let mut packed = pack(&text);
            packed.truncate(packed.len() - 9);
            let (read, code, _) = read_all(packed);
            assert_eq!(code, Some("stream/truncated"));
            assert!(text.starts_with(&read));
        }
        let mut packed = [gzip(b"whole"), gzip(&text)].concat();
        packed.truncate(200_000);
        let (read, code, _) = read_all(packed);
        assert_eq!(code, Some("stream/truncated"));
        assert!(read.len() > 100_000 && [b"whole", &text[..]].concat().starts_with(&read));
    }

    #[test]
    fn a_flipped_bit_is_found_by_the_checksum() {
        for pack in [gzip, bzip2] {
            let mut packed = pack(&noise(5000));
            let middle = packed.len() / 2;
            packed[middle] ^= 1;
            assert_eq!(read_all(packed).1, Some("stream/corrupt"));
        }
    }

    #[test]
    fn text_that_begins_like_a_magic_is_text() {
        for text in [&b"BZh"[..], b"BZh9 is a mark", b"P*M", b"", b"\x1f"] {
            assert_eq!(read_all(text.to_vec()), (text.to_vec(), None, 0));
        }
    }
}
