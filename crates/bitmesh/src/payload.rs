//! The only place that writes or reads the bytes of certificates.
//!
//! All integers are little-endian. A [`Sink`] cannot fail: everything with a
//! limit is checked before it gets here. A [`Reader`] names the element and the
//! offset at which an input stops being an encoding.

use alloc::vec::Vec;

use sha2::block_api::compress256;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// Why bytes are not the encoding of a certificate: the first deviation, with its offset.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum PayloadError {
    /// The input ends inside an element.
    #[error("input ends at byte {offset} inside {element}")]
    Truncated {
        /// Offset of the end of the input.
        offset: usize,
        /// The element that is cut off.
        element: &'static str,
    },
    /// The first bytes are not the magic of the format.
    #[error("bytes at offset 0 are not the magic {expected}")]
    WrongMagic {
        /// The name that the format begins with.
        expected: &'static str,
    },
    /// The version is not one that this release reads.
    #[error("version {version} at byte {offset} is not supported")]
    UnsupportedVersion {
        /// Offset of the version byte.
        offset: usize,
        /// The version found.
        version: u8,
    },
    /// A byte has a value that the format does not define, or that is not the canonical one.
    #[error("{element} at byte {offset} is invalid")]
    InvalidElement {
        /// Offset of the first byte of the element.
        offset: usize,
        /// The element.
        element: &'static str,
    },
    /// A text is not UTF-8.
    #[error("{element} at byte {offset} is not utf-8")]
    InvalidUtf8 {
        /// Offset of the first byte of the text.
        offset: usize,
        /// The element.
        element: &'static str,
    },
    /// A list is not in its canonical order, or has an element twice.
    #[error("{element} at byte {offset} is not in ascending order")]
    NotAscending {
        /// Offset of the first element out of order.
        offset: usize,
        /// The list.
        element: &'static str,
    },
    /// Bytes follow the encoding.
    #[error("{count} bytes follow the end of the certificate at byte {offset}")]
    TrailingBytes {
        /// Offset of the first such byte.
        offset: usize,
        /// How many there are.
        count: usize,
    },
}

impl PayloadError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Truncated { .. } => "payload/truncated",
            Self::WrongMagic { .. } => "payload/wrong-magic",
            Self::UnsupportedVersion { .. } => "payload/unsupported-version",
            Self::InvalidElement { .. } => "payload/invalid-element",
            Self::InvalidUtf8 { .. } => "payload/invalid-utf8",
            Self::NotAscending { .. } => "payload/not-ascending",
            Self::TrailingBytes { .. } => "payload/trailing-bytes",
        }
    }

    /// Offset of the first byte that deviates.
    #[must_use]
    pub const fn offset(&self) -> usize {
        match *self {
            Self::WrongMagic { .. } => 0,
            Self::Truncated { offset, .. }
            | Self::UnsupportedVersion { offset, .. }
            | Self::InvalidElement { offset, .. }
            | Self::InvalidUtf8 { offset, .. }
            | Self::NotAscending { offset, .. }
            | Self::TrailingBytes { offset, .. } => offset,
        }
    }
}

/// Why bytes are not the canonical payload of a valid certificate.
///
/// A certificate has exactly one payload. `E` is the error of its `validate`.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum DecodeError<E>
where
    E: core::error::Error + 'static,
{
    /// The bytes are not a payload of the format.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// The bytes have the form, but the certificate in them is not valid, so that it has no payload.
    #[error("invalid certificate, first seen at byte {offset}")]
    Invalid {
        /// Offset of the first byte of an element that is part of the failure.
        offset: usize,
        /// Why the certificate is not valid.
        #[source]
        error: E,
    },
}

impl<E: core::error::Error + 'static> DecodeError<E> {
    /// Offset of the first byte that deviates.
    #[must_use]
    pub const fn offset(&self) -> usize {
        match self {
            Self::Payload(error) => error.offset(),
            Self::Invalid { offset, .. } => *offset,
        }
    }
}

/// Where the bytes of a payload go: a growing vector, a stack buffer or a hash.
pub(crate) trait Sink {
    fn put(&mut self, bytes: &[u8]);

    #[inline(always)]
    fn put_u8(&mut self, value: u8) {
        self.put(&[value]);
    }

    #[inline(always)]
    fn put_u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    fn put_u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    #[inline(always)]
    fn put_u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    #[inline(always)]
    fn put_text16(&mut self, text: Text16<'_>) {
        self.put_u16(text.0.len() as u16);
        self.put(text.0);
    }

    /// A magic text with its closing zero byte, and the version.
    #[inline(always)]
    fn put_header(&mut self, magic: &str, version: u8) {
        self.put(magic.as_bytes());
        self.put_u8(0);
        self.put_u8(version);
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// A payload on the stack, for formats whose length has a small limit.
///
/// Its room is that which [`room_for`] finds for the longest payload.
#[derive(Clone, Debug)]
pub(crate) struct Buffer<const ROOM: usize> {
    bytes: [u8; ROOM],
    length: usize,
}

/// What closes a message of SHA-256, at least: a bit, and the length in bits.
const CLOSE: usize = 1 + 8;

/// Whole blocks of SHA-256 for a payload and what closes the message.
pub(crate) const fn room_for(longest: usize) -> usize {
    (longest + CLOSE).next_multiple_of(64)
}

/// The state that SHA-256 begins with (FIPS 180-4, section 5.3.3).
const FIRST_STATE: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

impl<const ROOM: usize> Buffer<ROOM> {
    pub(crate) const fn new() -> Self {
        const { assert!(ROOM.is_multiple_of(64), "whole blocks") }
        Self { bytes: [0; ROOM], length: 0 }
    }

    /// Makes room for another payload.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.bytes = [0; ROOM];
        self.length = 0;
    }

    /// The SHA-256 of the payload; nothing may be put in after that.
    ///
    /// The message is closed where it lies, and its blocks are hashed at once: for the few blocks of a payload, feeding
    /// a hash with them takes much of the time of hashing.
    pub(crate) fn sha256(&mut self) -> [u8; 32] {
        self.close();
        let mut state = FIRST_STATE;
        compress256(&mut state, self.blocks());
        digest_of(state)
    }

    /// Closes the message: nothing may be put in after that, but [holes](Self::fill) can be filled.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        let end = 64 * self.block_count();
        // The rest of the last block is zeros.
        self.bytes[self.length] = 0x80;
        self.bytes[end - 8..end].copy_from_slice(&(8 * self.length as u64).to_be_bytes());
    }

    /// Puts in a text of ASCII characters that has zeros after it, with its length of 16 bits before it. All is copied,
    /// which takes less time than to copy the text alone; there must be room for it.
    #[inline(always)]
    pub(crate) fn put_text16_with_zeros<const SIZE: usize>(&mut self, text: &[u8; SIZE], length: usize) {
        debug_assert!(length <= SIZE && text[length..].iter().all(|&byte| byte == 0), "zeros after the text");
        self.put_u16(length as u16);
        self.bytes[self.length..][..SIZE].copy_from_slice(text);
        self.length += length;
    }

    /// Replaces what was put in at an offset, closed or not.
    #[inline]
    pub(crate) fn fill<const LENGTH: usize>(&mut self, offset: usize, bytes: [u8; LENGTH]) {
        debug_assert!(offset + LENGTH <= self.length, "a hole is inside the payload");
        self.bytes[offset..offset + LENGTH].copy_from_slice(&bytes);
    }

    const fn block_count(&self) -> usize {
        (self.length + CLOSE).div_ceil(64)
    }

    /// The blocks of the message, once it is closed.
    fn blocks(&self) -> &[[u8; 64]] {
        &self.bytes.as_chunks().0[..self.block_count()]
    }
}

/// The digest that a state stands for after the last block.
#[inline]
fn digest_of(state: [u32; 8]) -> [u8; 32] {
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    digest
}

/// The SHA-256 of several closed buffers.
///
/// Each step of SHA-256 waits for the one before, so that one message alone leaves the instructions for it idle half of
/// the time. Of messages side by side, a block each in turn, a processor works on two at once.
pub(crate) fn sha256_of_each<const ROOM: usize, const COUNT: usize>(
    closed: [&Buffer<ROOM>; COUNT],
) -> [[u8; 32]; COUNT] {
    let mut states = [FIRST_STATE; COUNT];
    let messages = closed.map(Buffer::blocks);
    for index in 0..ROOM / 64 {
        for (state, blocks) in states.iter_mut().zip(messages) {
            if let Some(block) = blocks.get(index) {
                compress256(state, core::slice::from_ref(block));
            }
        }
    }
    states.map(digest_of)
}

impl<const ROOM: usize> Sink for Buffer<ROOM> {
    // Where all is inlined, the places of elements of fixed length are known to the compiler.
    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }
}

impl Sink for Sha256 {
    fn put(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }
}

/// A text whose length is known to fit 16 bits, so that writing it cannot fail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text16<'a>(&'a [u8]);

/// A text of more than 65,535 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextTooLong {
    pub(crate) actual: usize,
    pub(crate) maximum: usize,
}

impl<'a> Text16<'a> {
    const MAXIMUM: usize = u16::MAX as usize;

    pub(crate) fn new(text: &'a str) -> Result<Self, TextTooLong> {
        match text.len() {
            0..=Self::MAXIMUM => Ok(Self(text.as_bytes())),
            actual => Err(TextTooLong { actual, maximum: Self::MAXIMUM }),
        }
    }

    /// A text whose length was looked at before.
    pub(crate) const fn measured(text: &'a str) -> Self {
        debug_assert!(text.len() <= Self::MAXIMUM);
        Self(text.as_bytes())
    }

    pub(crate) const fn len(self) -> usize {
        self.0.len()
    }
}

/// Reads elements one after the other; every failure carries its offset.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(crate) const fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) const fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    pub(crate) fn take(&mut self, count: usize, element: &'static str) -> Result<&'a [u8], PayloadError> {
        match self.bytes[self.offset..].get(..count) {
            Some(bytes) => {
                self.offset += count;
                Ok(bytes)
            }
            None => Err(PayloadError::Truncated { offset: self.bytes.len(), element }),
        }
    }

    pub(crate) fn array<const N: usize>(&mut self, element: &'static str) -> Result<[u8; N], PayloadError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N, element)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self, element: &'static str) -> Result<u8, PayloadError> {
        self.array(element).map(u8::from_le_bytes)
    }

    /// A byte of which only some values have a meaning.
    pub(crate) fn choice<T>(
        &mut self,
        element: &'static str,
        meaning: impl FnOnce(u8) -> Option<T>,
    ) -> Result<T, PayloadError> {
        let offset = self.offset;
        meaning(self.u8(element)?).ok_or(PayloadError::InvalidElement { offset, element })
    }

    pub(crate) fn u16(&mut self, element: &'static str) -> Result<u16, PayloadError> {
        self.array(element).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, element: &'static str) -> Result<u32, PayloadError> {
        self.array(element).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self, element: &'static str) -> Result<u64, PayloadError> {
        self.array(element).map(u64::from_le_bytes)
    }

    /// Reads the magic with its zero byte and the version, which must be `version`.
    pub(crate) fn header(&mut self, magic: &'static str, version: u8) -> Result<(), PayloadError> {
        let wrong = PayloadError::WrongMagic { expected: magic };
        let found = self.take(magic.len() + 1, "magic").map_err(|_| wrong)?;
        if found.strip_suffix(&[0]) != Some(magic.as_bytes()) {
            return Err(wrong);
        }
        let offset = self.offset;
        match self.u8("version")? {
            found if found == version => Ok(()),
            version => Err(PayloadError::UnsupportedVersion { offset, version }),
        }
    }

    /// A u16 length and that many bytes of UTF-8.
    pub(crate) fn text16(&mut self, element: &'static str) -> Result<&'a str, PayloadError> {
        let length = self.u16(element)?;
        let offset = self.offset;
        let bytes = self.take(usize::from(length), element)?;
        core::str::from_utf8(bytes).map_err(|_| PayloadError::InvalidUtf8 { offset, element })
    }

    /// Refuses anything after the last element.
    pub(crate) fn finish(self) -> Result<(), PayloadError> {
        match self.remaining() {
            0 => Ok(()),
            count => Err(PayloadError::TrailingBytes { offset: self.offset, count }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_hashed_as_by_a_hash_that_is_fed() {
        const LONGEST: usize = 183;
        for length in 0..=LONGEST {
            let payload: Vec<u8> = (0..length).map(|index| (index * index + length) as u8).collect();
            let mut buffer = Buffer::<{ room_for(LONGEST) }>::new();
            buffer.put(&payload);
            assert_eq!(buffer.sha256(), <[u8; 32]>::from(Sha256::digest(&payload)), "{length} bytes");
        }
    }

    #[test]
    fn closed_buffers_are_hashed_side_by_side_with_their_holes_filled() {
        const LONGEST: usize = 183;
        type Room = Buffer<{ room_for(LONGEST) }>;
        let payload = |length: usize| -> Vec<u8> {
            (0..length).map(|index| (3 * index * index + length) as u8).collect()
        };
        let closed = |length: usize| {
            let mut buffer = Room::new();
            buffer.put(&payload(length));
            buffer.fill(7, [0xee; 32]);
            buffer.close();
            buffer.fill::<32>(7, payload(length)[7..39].try_into().unwrap());
            buffer
        };
        let expected = |length: usize| <[u8; 32]>::from(Sha256::digest(payload(length)));
        for one in 40..=LONGEST {
            assert_eq!(sha256_of_each([&closed(one)]), [expected(one)], "{one} bytes");
            for other in [40, 54, 55, 56, 118, 119, 120, LONGEST] {
                let third = 40 + (one + other) % 144;
                let found = sha256_of_each([&closed(one), &closed(other), &closed(third)]);
                assert_eq!(found, [one, other, third].map(expected), "{one}, {other}, {third} bytes");
            }
        }
    }
}
