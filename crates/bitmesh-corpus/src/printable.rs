//! JSON that a terminal shows.

use std::io;

use bitmesh::Printable;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Writes a value as JSON without the characters that a terminal would obey: see [`Printable`](bitmesh::Printable).
///
/// JSON lets DEL, C1 controls and signs of direction stand as they are; here they are escaped too.
///
/// ```
/// let mut out = Vec::new();
/// bitmesh_corpus::write_json(&mut out, "a\u{9b}b")?;
/// assert_eq!(out, br#""a\u009bb""#);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// When `out` cannot be written, or the value cannot be a JSON document.
pub fn write_json(out: impl io::Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, PrintableFormatter))?)
}

struct PrintableFormatter;

impl Formatter for PrintableFormatter {
    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        if text.bytes().all(|byte| byte < 0x7f) {
            // JSON has its own escapes for the controls below.
            return out.write_all(text.as_bytes());
        }
        for (plain, obeyed) in Printable(text).pieces() {
            out.write_all(plain.as_bytes())?;
            if let Some(character) = obeyed {
                write!(out, "\\u{:04x}", u32::from(character))?;
            }
        }
        Ok(())
    }
}
