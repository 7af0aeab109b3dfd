//! Rows as JSON lines.

use shakmaty::{Bitboard, Square};

use crate::carried::Value;
use crate::columns::{
    Cells, Key, Origin, Said, carried_cells, digest_cells, place_cells, problem_cells, record_cells,
    source_cells, verdict_cells,
};
use crate::extra::Extra;
use crate::printable::write_json;
use crate::row::{Collect, Row, SCHEMA, reuse};

/// Collects rows as JSON, one object a line.
///
/// Every object has the same keys in the same order: `schema` and the
/// [columns](crate::COLUMNS), and what is [carried along](crate::Extra). What does not apply is `null`.
#[derive(Clone, Debug, Default)]
pub struct JsonLines {
    rows: Vec<u8>,
    origin: Origin,
    verdict: Said,
    without_digests: bool,
}

impl JsonLines {
    /// A collector without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same for rows from which something may be left out.
    #[must_use]
    pub fn with_extra(extra: &Extra) -> Self {
        Self { without_digests: extra.without_digests, ..Self::default() }
    }
}

impl Collect for JsonLines {
    type Block = Vec<u8>;

    const SMALL_BLOCKS: bool = true;

    fn push(&mut self, row: &Row) {
        let out = &mut self.rows;
        let write_source = |out: &mut Vec<u8>| {
            out.extend_from_slice(b"{\"schema\":\"");
            out.extend_from_slice(SCHEMA.as_bytes());
            out.push(b'"');
            source_cells(row, &mut Members(out));
        };
        self.origin.put(row, out, write_source, |out| record_cells(row, &mut Members(out)));
        place_cells(row, &mut Members(out));
        self.verdict.put(row, out, |out| verdict_cells(row, &mut Members(out)));
        if !self.without_digests {
            digest_cells(row, &mut Members(out));
        }
        problem_cells(row, &mut Members(out));
        carried_cells(row, &mut Members(out));
        out.extend_from_slice(b"}\n");
    }

    fn take(&mut self) -> Vec<u8> {
        let next = Vec::with_capacity(self.rows.len());
        std::mem::replace(&mut self.rows, next)
    }

    fn reuse(&mut self, block: Vec<u8>) {
        reuse(&mut self.rows, block);
    }
}

/// Writes cells as members of an object.
struct Members<'a>(&'a mut Vec<u8>);

/// Room for a key and what has a fixed length after it.
const PIECE: usize = 96;

impl Members<'_> {
    #[inline]
    fn member<T>(&mut self, key: Key, value: Option<T>, write: impl FnOnce(&mut Vec<u8>, T)) {
        match value {
            None => self.put_fixed(key, *b"null"),
            Some(value) => {
                self.0.extend_from_slice(key.as_bytes());
                write(self.0, value);
            }
        }
    }

    /// A key and what follows it, put down at once: the length of both is known to the compiler.
    #[inline(always)]
    fn put_fixed<const LENGTH: usize>(&mut self, key: Key, value: [u8; LENGTH]) {
        let mut piece = [0; PIECE];
        let length = key.len() + LENGTH;
        piece[..key.len()].copy_from_slice(key.as_bytes());
        piece[key.len()..length].copy_from_slice(&value);
        self.0.extend_from_slice(&piece[..length]);
    }
}

impl Cells for Members<'_> {
    #[inline]
    fn text(&mut self, key: Key, value: Option<&str>) {
        self.member(key, value, write_text);
    }

    #[inline(always)]
    fn code(&mut self, key: Key, value: Option<&str>) {
        match value {
            None => self.put_fixed(key, *b"null"),
            Some(code) => {
                self.put_fixed(key, *b"\"");
                self.0.extend_from_slice(code.as_bytes());
                self.0.push(b'"');
            }
        }
    }

    #[inline]
    fn count(&mut self, key: Key, value: Option<u64>) {
        self.member(key, value, write_digits);
    }

    #[inline(always)]
    fn small(&mut self, key: Key, value: Option<u32>) {
        match value {
            Some(value @ 0..100_000_000) => {
                let (digits, length) = digits_of(value);
                self.put_fixed(key, digits);
                self.0.truncate(self.0.len() + length - digits.len());
            }
            _ => self.member(key, value.map(u64::from), write_digits),
        }
    }

    #[inline]
    fn flag(&mut self, key: Key, value: Option<bool>) {
        self.member(key, value, write_bool);
    }

    #[inline]
    fn squares(&mut self, key: Key, value: Option<Bitboard>) {
        self.member(key, value, write_squares);
    }

    #[inline(always)]
    fn digest(&mut self, key: Key, value: Option<&[u8; 32]>) {
        match value {
            None => self.put_fixed(key, *b"null"),
            Some(bytes) => {
                let mut text = [b'"'; 66];
                text[1..65].copy_from_slice(&hex(bytes));
                self.put_fixed(key, text);
            }
        }
    }

    fn carried(&mut self, name: &str, value: &Value) {
        self.0.push(b',');
        write_text(self.0, name);
        self.0.push(b':');
        match value {
            Value::Nothing => self.0.extend_from_slice(b"null"),
            Value::Text(text) => write_text(self.0, text),
            Value::Number(number) => write_digits(self.0, *number),
        }
    }
}

pub(crate) fn write_text(out: &mut Vec<u8>, text: &str) {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        write_code(out, text);
        return;
    }
    write_json(out, text).expect("writing text to memory does not fail");
}

pub(crate) fn write_code(out: &mut Vec<u8>, code: &str) {
    out.push(b'"');
    out.extend_from_slice(code.as_bytes());
    out.push(b'"');
}

fn write_bool(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

pub(crate) fn write_digits(out: &mut Vec<u8>, number: u64) {
    match number {
        0..100_000_000 => {
            let (digits, length) = digits_of(number as u32);
            out.extend_from_slice(&digits);
            out.truncate(out.len() + length - digits.len());
        }
        _ => {
            write_digits(out, number / 100_000_000);
            let rest = eight_digits((number % 100_000_000) as u32);
            out.extend_from_slice(&(rest | 0x3030_3030_3030_3030).to_le_bytes());
        }
    }
}

/// A number below 10⁸ with something after its digits, and how many digits it has.
#[inline(always)]
const fn digits_of(number: u32) -> ([u8; 8], usize) {
    let digits = eight_digits(number);
    // Zero has a digit, too.
    let zeros = (digits | 1 << 56).trailing_zeros() / 8;
    let text = (digits | 0x3030_3030_3030_3030) >> (8 * zeros);
    (text.to_le_bytes(), 8 - zeros as usize)
}

/// The digits of a number below 10⁸, zeros before it included: a byte each, the first in the lowest.
const fn eight_digits(number: u32) -> u64 {
    const EACH: u64 = 0x0000_0001_0000_0001;
    let fours = (number / 10_000) as u64 | ((number % 10_000) as u64) << 32;
    // A hundredth of each number below 10,000, and the rest.
    let hundreds = (fours * 10_486) >> 20 & (0x7f * EACH);
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    // A tenth of each number below 100, and the rest.
    let tens = (twos * 103) >> 10 & 0x000f_000f_000f_000f;
    tens | (twos - 10 * tens) << 8
}

pub(crate) fn write_hex(out: &mut Vec<u8>, bytes: &[u8; 32]) {
    out.extend_from_slice(&hex(bytes));
}

/// Both digits of all bytes side by side, without a table: processors do this for many bytes at once.
#[inline(always)]
fn hex(bytes: &[u8; 32]) -> [u8; 64] {
    let mut text = [0; 64];
    for (digits, &byte) in text.as_chunks_mut().0.iter_mut().zip(bytes) {
        // Both in one number, the first in its lower half: as numbers, and then as characters.
        let numbers = (u16::from(byte) >> 4 | u16::from(byte) << 8) & 0x0f0f;
        let letters = (numbers + 0x0606) >> 4 & 0x0101;
        *digits = (numbers + 0x3030 + u16::from(b'a' - b'0' - 10) * letters).to_le_bytes();
    }
    text
}

pub(crate) const fn square_name(square: Square) -> [u8; 2] {
    let index = square.to_u32() as u8;
    [b'a' + index % 8, b'1' + index / 8]
}

fn write_squares(out: &mut Vec<u8>, squares: Bitboard) {
    out.push(b'[');
    for (index, square) in squares.into_iter().enumerate() {
        let [file, rank] = square_name(square);
        let name: &[u8] =
            if index == 0 { &[b'"', file, rank, b'"'] } else { &[b',', b'"', file, rank, b'"'] };
        out.extend_from_slice(name);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::tests::{accepted_row, carrying_row, error_row};

    #[test]
    fn every_object_has_every_key_in_order() {
        let mut collector = JsonLines::new();
        for row in [accepted_row(), error_row()] {
            collector.push(&row);
            let block = collector.take();
            let object: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&block).unwrap();
            let keys: Vec<&str> = object.keys().map(String::as_str).collect();
            assert_eq!(keys[0], "schema");
            assert_eq!(keys[1..], crate::COLUMNS);
            assert_eq!(block.last(), Some(&b'\n'));
        }
        assert_eq!(collector.take(), b"");
    }

    #[test]
    fn what_is_carried_along_comes_last() {
        let mut collector = JsonLines::new();
        collector.push(&carrying_row());
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&collector.take()).unwrap();
        let last: Vec<_> = object.iter().skip(1 + crate::COLUMNS.len()).collect();
        let expected = [
            ("White", serde_json::json!("Ko\u{9b}, \"K\"")),
            ("Site, \"x\"", serde_json::json!("")),
            ("Black", serde_json::Value::Null),
            ("offset", serde_json::json!(70_000_000_000u64)),
        ];
        assert_eq!(last.len(), expected.len());
        for ((name, value), (expected_name, expected)) in last.into_iter().zip(&expected) {
            assert_eq!((name.as_str(), value), (*expected_name, expected));
        }
    }

    #[test]
    fn a_text_is_read_back_and_steers_no_terminal() {
        for text in ["é\u{7f}\u{9b}31m\u{202e}\"\\\n", "plain", "\u{1b}", "日本"] {
            let mut out = Vec::new();
            write_text(&mut out, text);
            assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
            assert!(!String::from_utf8(out).unwrap().contains(crate::is_obeyed));
        }
    }

    #[test]
    fn hex_is_as_the_library_writes_it() {
        for first in 0..=u8::MAX {
            let bytes: [u8; 32] = std::array::from_fn(|index| first.wrapping_mul(index as u8 + 1));
            let mut out = Vec::new();
            write_hex(&mut out, &bytes);
            let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn a_plain_text_is_written_as_any_other() {
        for text in ["", "games.pgn", "a b~!#[]", "a\\b", "a\"b", "\u{7f}"] {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            write_text(&mut one, text);
            write_json(&mut other, text).unwrap();
            assert_eq!(one, other);
        }
    }

    #[test]
    fn numbers_are_written_as_by_the_standard_library() {
        let powers = (0..20).map(|exponent| 10u64.pow(exponent));
        let around = powers.flat_map(|power| [power - 1, power, power + 1, 7 * (power / 9)]);
        let below_ten_thousand = (0..10_000).flat_map(|number| [number, number * 10_000 + 9_999 - number]);
        for number in around.chain(below_ten_thousand).chain([u64::MAX]) {
            let mut out = Vec::new();
            write_digits(&mut out, number);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }

    #[test]
    fn numbers_and_squares_are_written_as_they_are() {
        let mut out = Vec::new();
        for number in [0, 9, 10, 4_294_967_296, u64::MAX] {
            write_digits(&mut out, number);
            out.push(b' ');
        }
        write_squares(&mut out, Bitboard::from_iter([Square::A1, Square::H8]));
        write_squares(&mut out, Bitboard::EMPTY);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            format!("0 9 10 4294967296 {} [\"a1\",\"h8\"][]", u64::MAX)
        );
    }
}
