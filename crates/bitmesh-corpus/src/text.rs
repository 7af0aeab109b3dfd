//! A window on the text of a source: bounded, decoded, and remembering how it ended.

use std::io::Read as _;

use crate::problem::Problem;
use crate::stream::Stream;

/// How much is read at once.
pub(crate) const BLOCK: usize = 1 << 16;

/// A read that gives less than this comes from a slow source, whose rows somebody may be waiting for.
const TRICKLE: usize = 1 << 12;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a source, as far as it has been read and not been consumed.
///
/// A byte order mark at the start is taken off; UTF-16 with such a mark becomes
/// UTF-8. Other bytes stay as they are, UTF-8 or not.
pub(crate) struct Text {
    stream: Stream,
    /// Text from `start` to `end`, and room behind it.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// `None` until the first bytes are there.
    encoding: Option<Encoding>,
    ended: bool,
    problem: Option<Problem>,
}

enum Encoding {
    Bytes,
    Utf16(Utf16),
}

impl Text {
    pub(crate) fn new(stream: Stream) -> Self {
        Self { stream, buffer: Vec::new(), start: 0, end: 0, encoding: None, ended: false, problem: None }
    }

    /// What has been read and not been consumed.
    pub(crate) fn data(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
        debug_assert!(self.start <= self.end);
    }

    /// Whether everything has been read, or nothing more can be.
    pub(crate) const fn ended(&self) -> bool {
        self.ended
    }

    /// Why reading stopped before the end of the source.
    pub(crate) const fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    pub(crate) const fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Reads until `wanted` bytes are there, the source ends, or it only trickles.
    pub(crate) fn fill(&mut self, wanted: usize) {
        while !self.ended && self.data().len() < wanted {
            if self.read() < TRICKLE && !self.data().is_empty() {
                break;
            }
        }
    }

    /// Reads until `wanted` bytes are there or the source ends.
    pub(crate) fn require(&mut self, wanted: usize) {
        while !self.ended && self.data().len() < wanted {
            self.read();
        }
    }

    /// Reads once and says how much came.
    fn read(&mut self) -> usize {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() < self.end + BLOCK {
            self.buffer.resize(self.end + BLOCK, 0);
        }
        let before = self.end;
        let count = match self.stream.read(&mut self.buffer[before..]) {
            Ok(0) => {
                self.ended = true;
                0
            }
            Ok(count) => count,
            Err(error) => {
                self.ended = true;
                self.problem = Some(self.stream.problem(&error));
                0
            }
        };
        self.end += count;
        self.decode(before);
        count
    }

    /// Decodes what lies behind `before`; the first time, finds out how.
    fn decode(&mut self, before: usize) {
        if self.encoding.is_none() {
            let data = self.data();
            if data.len() < UTF8_MARK.len() && !self.ended {
                return;
            }
            let utf16 = match data.get(..2) {
                Some(b"\xff\xfe") => Some(Utf16::new(u16::from_le_bytes)),
                Some(b"\xfe\xff") => Some(Utf16::new(u16::from_be_bytes)),
                _ => None,
            };
            if let Some(utf16) = utf16 {
                self.encoding = Some(Encoding::Utf16(utf16));
                self.decode_utf16(0, 2);
            } else {
                if data.starts_with(UTF8_MARK) {
                    self.start = UTF8_MARK.len();
                }
                self.encoding = Some(Encoding::Bytes);
            }
        } else {
            self.decode_utf16(before, 0);
        }
    }

    /// Decodes what lies behind `before`, if it is UTF-16, but for a mark of so many bytes.
    fn decode_utf16(&mut self, before: usize, mark: usize) {
        if let Some(Encoding::Utf16(utf16)) = &mut self.encoding {
            let raw = self.buffer[before + mark..self.end].to_vec();
            self.buffer.truncate(before);
            utf16.decode(&raw, self.ended, &mut self.buffer);
            self.end = self.buffer.len();
        }
    }
}

/// UTF-16 in pieces: keeps half a unit and half a pair until the rest comes.
struct Utf16 {
    unit: fn([u8; 2]) -> u16,
    odd_byte: Option<u8>,
    high: Option<u16>,
}

impl Utf16 {
    const fn new(unit: fn([u8; 2]) -> u16) -> Self {
        Self { unit, odd_byte: None, high: None }
    }

    /// Appends the text of `raw`; what is no UTF-16 becomes U+FFFD.
    fn decode(&mut self, raw: &[u8], last: bool, out: &mut Vec<u8>) {
        let unit = self.unit;
        let mut bytes = self.odd_byte.take().into_iter().chain(raw.iter().copied());
        let mut units: Vec<u16> = self.high.take().into_iter().collect();
        loop {
            match (bytes.next(), bytes.next()) {
                (Some(first), Some(second)) => units.push(unit([first, second])),
                (Some(first), None) => {
                    self.odd_byte = Some(first);
                    break;
                }
                _ => break,
            }
        }
        if !last && let Some(&high @ 0xd800..=0xdbff) = units.last() {
            self.high = Some(high);
            units.pop();
        }
        if last && self.odd_byte.take().is_some() {
            units.push(0xfffd);
        }
        for found in char::decode_utf16(units) {
            let found = found.unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::sync::Arc;

    use super::*;

    /// Gives a few bytes at a time, as a slow pipe does.
    struct Drops(Vec<u8>, usize);

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0.drain(..count);
            Ok(count)
        }
    }

    fn text_of(bytes: &[u8], at_once: usize) -> Vec<u8> {
        let source = Box::new(Drops(bytes.to_vec(), at_once));
        let mut text = Text::new(Stream::new(source, Arc::default()).unwrap());
        text.require(usize::MAX);
        assert!(text.problem().is_none());
        text.data().to_vec()
    }

    #[test]
    fn one_mark_at_the_start_is_taken_off() {
        for at_once in [1, 2, 3, 1000] {
            assert_eq!(text_of(b"\xef\xbb\xbfone", at_once), b"one");
            assert_eq!(text_of(b"\xef\xbb\xbf\xef\xbb\xbf", at_once), b"\xef\xbb\xbf");
            assert_eq!(text_of(b"\xef\xbb", at_once), b"\xef\xbb");
            assert_eq!(text_of(b"", at_once), b"");
        }
    }

    #[test]
    fn utf16_with_a_mark_becomes_utf8() {
        let text = "e4 \u{2658}f3 \u{1f980}\r\n";
        let little: Vec<u8> =
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        for at_once in [1, 2, 3, 5, 1000] {
            assert_eq!(text_of(&little, at_once), text.as_bytes());
            assert_eq!(text_of(&big, at_once), text.as_bytes());
        }
    }

    #[test]
    fn what_is_no_utf16_is_replaced() {
        assert_eq!(text_of(b"\xff\xfe\x00\xd8a\0", 1), "\u{fffd}a".as_bytes());
        assert_eq!(text_of(b"\xff\xfea\0b", 1000), "a\u{fffd}".as_bytes());
        assert_eq!(text_of(b"\xff\xfe\x00\xd8", 3), "\u{fffd}".as_bytes());
    }
}
