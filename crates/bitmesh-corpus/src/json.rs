//! Rows as JSON lines.

use shakmaty::{Bitboard, Square};

use crate::carried::Value;
use crate::columns::{Cells, Key, each_cell};
use crate::printable::write_json;
use crate::row::{Collect, Row, SCHEMA};

/// Collects rows as JSON, one object a line.
///
/// Every object has the same keys in the same order: `schema` and the
/// [columns](crate::COLUMNS), and what is [carried along](crate::Extra). What does not apply is `null`.
#[derive(Clone, Debug, Default)]
pub struct JsonLines(Vec<u8>);

impl JsonLines {
    /// A collector without rows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Collect for JsonLines {
    type Block = Vec<u8>;

    fn push(&mut self, row: &Row) {
        write_row(&mut self.0, row);
    }

    fn take(&mut self) -> Vec<u8> {
        let next = Vec::with_capacity(self.0.len());
        std::mem::replace(&mut self.0, next)
    }
}

fn write_row(out: &mut Vec<u8>, row: &Row) {
    out.extend_from_slice(b"{\"schema\":\"");
    out.extend_from_slice(SCHEMA.as_bytes());
    out.push(b'"');
    each_cell(row, &mut Members(out));
    out.extend_from_slice(b"}\n");
}

/// Writes cells as members of an object.
struct Members<'a>(&'a mut Vec<u8>);

impl Members<'_> {
    #[inline]
    fn member<T>(&mut self, key: Key, value: Option<T>, write: impl FnOnce(&mut Vec<u8>, T)) {
        self.0.extend_from_slice(key.as_bytes());
        match value {
            None => self.0.extend_from_slice(b"null"),
            Some(value) => write(self.0, value),
        }
    }
}

impl Cells for Members<'_> {
    #[inline]
    fn text(&mut self, key: Key, value: Option<&str>) {
        self.member(key, value, write_text);
    }

    #[inline]
    fn code(&mut self, key: Key, value: Option<&str>) {
        self.member(key, value, write_code);
    }

    #[inline]
    fn count(&mut self, key: Key, value: Option<u64>) {
        self.member(key, value, write_digits);
    }

    #[inline]
    fn small(&mut self, key: Key, value: Option<u32>) {
        self.member(key, value.map(u64::from), write_digits);
    }

    #[inline]
    fn flag(&mut self, key: Key, value: Option<bool>) {
        self.member(key, value, write_bool);
    }

    #[inline]
    fn squares(&mut self, key: Key, value: Option<Bitboard>) {
        self.member(key, value, write_squares);
    }

    #[inline]
    fn digest(&mut self, key: Key, value: Option<&[u8; 32]>) {
        self.member(key, value, |out, bytes| {
            out.push(b'"');
            write_hex(out, bytes);
            out.push(b'"');
        });
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

pub(crate) fn write_digits(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

pub(crate) fn write_hex(out: &mut Vec<u8>, bytes: &[u8; 32]) {
    let mut text = [0; 64];
    for (digits, bytes) in text.chunks_exact_mut(8).zip(bytes.chunks_exact(4)) {
        digits.copy_from_slice(&hex_digits([bytes[0], bytes[1], bytes[2], bytes[3]]));
    }
    out.extend_from_slice(&text);
}

/// The eight digits of four bytes, all at once.
const fn hex_digits(bytes: [u8; 4]) -> [u8; 8] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut digits = u32::from_be_bytes(bytes) as u64;
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff;
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff;
    digits = (digits | digits << 4) & (0x0f * EACH);
    let is_letter = (digits + 6 * EACH) >> 4 & EACH;
    (digits + b'0' as u64 * EACH + (b'a' - b'0' - 10) as u64 * is_letter).to_be_bytes()
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
