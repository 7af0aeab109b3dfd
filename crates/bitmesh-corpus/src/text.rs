//! A window on the text of a source: bounded, decoded, and remembering how it ended.

use std::io::Read as _;

use memchr::memchr;

use crate::problem::Problem;
use crate::stream::Stream;

/// How much is read at once.
pub(crate) const BLOCK: usize = 1 << 16;

/// A read that gives less than this comes from a slow source, whose rows may be waited for.
const TRICKLE: usize = 1 << 12;

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of a source, as far as it has been read and not been consumed.
///
/// A byte order mark at the start is taken off; UTF-16 with such a mark becomes
/// UTF-8. Other bytes stay as they are, UTF-8 or not.
pub(crate) struct Text {
    stream: Stream,
    /// Text from `start` to `end`, and room after it.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// `None` until the first bytes are there.
    encoding: Option<Encoding>,
    ended: bool,
    problem: Option<Problem>,
    line_ends: LineEnds,
    /// The last byte is a carriage return whose meaning the next byte decides: it is not shown yet.
    held: bool,
    /// The last read gave little.
    trickles: bool,
    consumed: u64,
    edges: Edges,
}

/// What ends a line, besides LF and CR LF.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum LineEnds {
    /// Nothing else.
    #[default]
    Usual,
    /// A carriage return alone, which becomes LF.
    CarriageReturn,
    /// A zero byte, which becomes LF.
    Zero,
}

/// What was taken off or replaced, for the account at the end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Edges {
    /// Bytes of the byte order mark.
    pub(crate) mark: u64,
    /// Bytes of the end mark of old systems (^Z) and of the padding after it.
    pub(crate) end_mark: u64,
    /// Line ends that were replaced.
    pub(crate) line_ends: u64,
    /// Characters that stand for what is not UTF-16.
    pub(crate) replaced: u64,
}

enum Encoding {
    Bytes,
    Utf16(Utf16),
}

impl Text {
    pub(crate) fn new(stream: Stream) -> Self {
        Self {
            stream,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            encoding: None,
            ended: false,
            problem: None,
            line_ends: LineEnds::Usual,
            held: false,
            trickles: false,
            consumed: 0,
            edges: Edges::default(),
        }
    }

    /// What has been read and not been consumed.
    pub(crate) fn data(&self) -> &[u8] {
        &self.buffer[self.start..self.end - usize::from(self.held)]
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
        self.consumed += count as u64;
        debug_assert!(self.start <= self.end);
    }

    /// How many bytes of the text have been consumed.
    pub(crate) const fn consumed(&self) -> u64 {
        self.consumed
    }

    /// Where the next byte is in the unpacked source, its byte order mark included.
    pub(crate) const fn offset(&self) -> u64 {
        self.consumed + self.edges.mark
    }

    pub(crate) const fn edges(&self) -> Edges {
        self.edges
    }

    /// Says what else ends a line, of what is there and of what comes.
    pub(crate) fn set_line_ends(&mut self, line_ends: LineEnds) {
        self.line_ends = line_ends;
        self.replace_line_ends(self.start);
    }

    /// The line ends of a text in which no line feed is to be seen.
    pub(crate) fn other_line_ends(&self) -> LineEnds {
        let data = self.data();
        if data.contains(&b'\n') {
            LineEnds::Usual
        } else if data.contains(&b'\r') {
            LineEnds::CarriageReturn
        } else if data.contains(&0) {
            LineEnds::Zero
        } else {
            LineEnds::Usual
        }
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
        // What came slowly and is still there goes out before more is waited for.
        while !self.ended && self.data().len() < wanted && (!self.trickles || self.data().is_empty()) {
            self.read();
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
        let held = usize::from(std::mem::take(&mut self.held));
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
        self.trickles = count < TRICKLE;
        self.decode(before);
        if self.ended && self.problem.is_none() {
            self.take_off_end_mark();
        }
        self.replace_line_ends(before.saturating_sub(held).clamp(self.start, self.end));
        count
    }

    /// Old systems end a text with ^Z and fill the rest of the last block.
    fn take_off_end_mark(&mut self) {
        let data = &self.buffer[self.start..self.end];
        let is_padding = |byte: &u8| matches!(byte, 0x1a | 0 | b'\r' | b'\n' | b' ');
        let padding = data.iter().rev().take_while(|byte| is_padding(byte)).count();
        let tail = &data[data.len() - padding..];
        if let Some(mark) = tail.iter().position(|&byte| byte == 0x1a) {
            let length = padding - mark;
            self.end -= length;
            self.edges.end_mark += length as u64;
        }
    }

    /// Replaces the line ends in the text from an index on.
    fn replace_line_ends(&mut self, from: usize) {
        match self.line_ends {
            LineEnds::Usual => {}
            LineEnds::Zero => {
                for byte in &mut self.buffer[from..self.end] {
                    if *byte == 0 {
                        *byte = b'\n';
                        self.edges.line_ends += 1;
                    }
                }
            }
            LineEnds::CarriageReturn => {
                let mut at = from;
                while let Some(found) = memchr(b'\r', &self.buffer[at..self.end]) {
                    at += found + 1;
                    if at == self.end && !self.ended {
                        self.held = true;
                    } else if at == self.end || self.buffer[at] != b'\n' {
                        self.buffer[at - 1] = b'\n';
                        self.edges.line_ends += 1;
                    }
                }
            }
        }
    }

    /// Decodes what follows `before`; the first time, finds out how.
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
                self.edges.mark = 2;
                self.decode_utf16(0, 2);
            } else {
                if data.starts_with(UTF8_MARK) {
                    self.start = UTF8_MARK.len();
                    self.edges.mark = UTF8_MARK.len() as u64;
                }
                self.encoding = Some(Encoding::Bytes);
            }
        } else {
            self.decode_utf16(before, 0);
        }
    }

    /// Decodes what follows `before`, if it is UTF-16, but for a mark of so many bytes.
    fn decode_utf16(&mut self, before: usize, mark: usize) {
        if let Some(Encoding::Utf16(utf16)) = &mut self.encoding {
            let raw = self.buffer[before + mark..self.end].to_vec();
            self.buffer.truncate(before);
            self.edges.replaced += utf16.decode(&raw, self.ended, &mut self.buffer);
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

    /// Appends the text of `raw`; what is not UTF-16 becomes U+FFFD. Says how often that was so.
    fn decode(&mut self, raw: &[u8], last: bool, out: &mut Vec<u8>) -> u64 {
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
        let mut replaced = 0;
        if last && self.odd_byte.take().is_some() {
            units.push(0xfffd);
            replaced += 1;
        }
        for found in char::decode_utf16(units) {
            replaced += u64::from(found.is_err());
            let found = found.unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(found.encode_utf8(&mut [0; 4]).as_bytes());
        }
        replaced
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
