//! Text from inputs, made safe to show to people.

use core::fmt::{self, Display, Write};

/// Shows a text without the characters that a terminal would obey instead of print.
///
/// Control characters (C0, DEL and C1), line and paragraph separators and the signs that turn the direction of text are
/// written as escapes: `\n`, `\t`, `\u{1b}`. Everything else stays as it is, backslashes too: it is a text for people,
/// not one to be read back. Doing it twice gives the same text as doing it once.
///
/// ```
/// use bitmesh::Printable;
///
/// assert_eq!(Printable("a\u{1b}[31m\nb").to_string(), r"a\u{1b}[31m\nb");
/// assert_eq!(Printable("Čigorin 1.e4").to_string(), "Čigorin 1.e4");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printable<T>(pub T);

impl<T: Display> Display for Printable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for (plain, obeyed) in Printable(text).pieces() {
            self.0.write_str(plain)?;
            if let Some(character) = obeyed {
                write!(self.0, "{}", character.escape_default())?;
            }
        }
        Ok(())
    }
}

impl<'a> Printable<&'a str> {
    /// The text in pieces: what can stand, and the character after it that cannot. For callers that escape in another way.
    pub fn pieces(self) -> impl Iterator<Item = (&'a str, Option<char>)> {
        self.0.split_inclusive(is_obeyed).map(|piece| match piece.char_indices().next_back() {
            Some((at, last)) if is_obeyed(last) => (&piece[..at], Some(last)),
            _ => (piece, None),
        })
    }
}

/// Whether a terminal may obey a character instead of printing it: see [`Printable`]. All of them are in the basic plane.
#[must_use]
pub fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::ToString as _;

    use super::Printable;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        for code in (0..0x20).chain(0x7f..0xa0).chain(0x2028..0x202f).chain(0x2066..0x206a) {
            let character = char::from_u32(code).unwrap();
            let shown = Printable(format!("a{character}b")).to_string();
            assert!(
                shown.starts_with("a\\") && shown.ends_with('b') && shown.is_ascii(),
                "{code:x}: {shown}"
            );
            assert_eq!(Printable(&shown).to_string(), shown);
        }
    }
}
