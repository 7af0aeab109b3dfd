//! Tag pairs: `[Name "value"]`.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::blank::is_blank;

/// What stands in one pair of brackets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Tag<'a> {
    /// Name and value, the value with its backslashes.
    Pair { name: &'a [u8], value: &'a [u8] },
    /// No name and value, up to the end of the line.
    Broken { text: &'a [u8] },
}

/// The tags at the start of a text, past blank and escaped lines.
#[derive(Clone, Debug)]
pub(super) struct Tags<'a> {
    text: &'a [u8],
    at: usize,
    at_line_start: bool,
}

impl<'a> Tags<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, at_line_start: true }
    }

    /// Where the movetext begins, once there are no more tags.
    pub(super) const fn end(&self) -> usize {
        self.at
    }

    /// Whether the movetext begins at the start of a line.
    pub(super) const fn ends_at_line_start(&self) -> bool {
        self.at_line_start
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        loop {
            match *self.text.get(self.at)? {
                b'\n' => self.at_line_start = true,
                b'%' if self.at_line_start => {
                    self.at += memchr(b'\n', &self.text[self.at..]).unwrap_or(self.text.len() - self.at);
                    continue;
                }
                b'[' => break,
                byte if is_blank(byte) => {}
                _ => return None,
            }
            self.at += 1;
        }
        let rest = &self.text[self.at..];
        let (tag, length) = match usual_tag(rest) {
            Some(usual) => usual,
            None if is_tag_line(rest) => tag_at(rest),
            None => return None,
        };
        self.at_line_start = false;
        self.at += length;
        Some(tag)
    }
}

/// Reads a tag as nearly all are: one blank before the value, and no bracket, quote or backslash at its end that would
/// need a closer look.
fn usual_tag(text: &[u8]) -> Option<(Tag<'_>, usize)> {
    let [b'[', first, ..] = text else { return None };
    if !first.is_ascii_alphabetic() {
        return None;
    }
    let name_end = 1 + text[1..].iter().position(|byte| !byte.is_ascii_alphanumeric())?;
    let [b' ', b'"', ..] = text[name_end..] else { return None };
    let value_start = name_end + 2;
    let rest = &text[value_start..];
    let bracket = memchr2(b']', b'\n', rest)?;
    let value = rest[..bracket].strip_suffix(b"\"")?;
    if rest[bracket] == b'\n' || value.ends_with(b"\\") {
        return None;
    }
    Some((Tag::Pair { name: &text[1..name_end], value }, value_start + bracket + 1))
}

/// Whether a text begins with something that means to be a tag: a bracket, a letter, and on the same line a quote
/// or a bracket at the end.
pub(super) fn is_tag_line(text: &[u8]) -> bool {
    if usual_tag(text).is_some() {
        return true;
    }
    let Some(name) = name_of(text) else { return false };
    if name.is_empty() {
        return false;
    }
    let line = line_of(text);
    memchr(b'"', line).is_some() || line.trim_ascii_end().ends_with(b"]")
}

/// The name in a line that is one usual tag and nothing else.
pub(super) fn usual_line(line: &[u8]) -> Option<&[u8]> {
    match usual_tag(line)? {
        (Tag::Pair { name, .. }, length) if line[length..].iter().all(|&byte| is_blank(byte)) => Some(name),
        _ => None,
    }
}

/// Whether a tag of this name could say from where a game starts: `FEN`, `SetUp`, `Variant`, or begins like one of them.
pub(super) fn may_set_up(name: &[u8]) -> bool {
    let [first, second, ..] = *name else { return false };
    matches!([first | 0x20, second | 0x20], [b'f', b'e'] | [b's', b'e'] | [b'v', b'a'])
}

/// The name after the bracket that a text begins with.
pub(super) fn name_of(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"[")?;
    let rest = &rest[rest.iter().position(|&byte| byte != b' ' && byte != b'\t')?..];
    if !rest.first()?.is_ascii_alphabetic() {
        return None;
    }
    let end = rest.iter().position(|&byte| is_blank(byte) || matches!(byte, b'"' | b']' | b'['));
    Some(&rest[..end.unwrap_or(rest.len())])
}

fn line_of(text: &[u8]) -> &[u8] {
    &text[..memchr(b'\n', text).unwrap_or(text.len())]
}

/// Length of the tags that a line begins with, and of the blanks after them.
pub(super) fn length_of_tags(line: &[u8]) -> usize {
    let mut tags = Tags::new(line_of(line));
    while tags.next().is_some() {}
    tags.end()
}

/// Whether something follows the tags on their line.
pub(super) fn movetext_after(line: &[u8]) -> bool {
    length_of_tags(line) < line_of(line).trim_ascii_end().len()
}

/// Reads the tag that a text begins with, and says how long it is.
fn tag_at(text: &[u8]) -> (Tag<'_>, usize) {
    let line = line_of(text);
    let broken = (Tag::Broken { text: line.trim_ascii_end() }, line.len());
    let Some(name) = name_of(text) else { return broken };
    let name_end = name.as_ptr() as usize - text.as_ptr() as usize + name.len();
    let Some(quote) = line[name_end..].iter().position(|&byte| !is_blank(byte)) else { return broken };
    let value_start = name_end + quote + 1;
    if line[value_start - 1] != b'"' {
        return broken;
    }
    let closed =
        closing_quote(&line[value_start..], true).or_else(|| closing_quote(&line[value_start..], false));
    match closed {
        Some((quote, end)) => {
            (Tag::Pair { name, value: &line[value_start..value_start + quote] }, value_start + end)
        }
        None => broken,
    }
}

/// The quote that ends a value (a bracket follows it), and where the bracket ends.
///
/// Other quotes are part of the value, with a backslash before them or without.
fn closing_quote(value: &[u8], escapes: bool) -> Option<(usize, usize)> {
    let mut at = 0;
    loop {
        let found = at + memchr2(b'"', b'\\', &value[at..])?;
        if value[found] == b'\\' {
            at = found + 1 + usize::from(escapes && matches!(value.get(found + 1), Some(b'"' | b'\\')));
            continue;
        }
        let after = &value[found + 1..];
        let blanks = after.iter().take_while(|&&byte| is_blank(byte)).count();
        if after.get(blanks) == Some(&b']') {
            return Some((found, found + 1 + blanks + 1));
        }
        at = found + 1;
    }
}

/// The value without its backslashes, blanks and line ends at the ends taken off.
pub(super) fn decode(value: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(value);
    let trimmed = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    };
    if trimmed.contains('\\') {
        Cow::Owned(trimmed.replace("\\\"", "\"").replace("\\\\", "\\"))
    } else {
        trimmed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Vec<Tag<'_>> {
        Tags::new(text.as_bytes()).collect()
    }

    fn pair<'a>(name: &'a str, value: &'a str) -> Tag<'a> {
        Tag::Pair { name: name.as_bytes(), value: value.as_bytes() }
    }

    #[test]
    fn tags_stand_on_lines_of_their_own_or_together() {
        let expected = [pair("A", "1"), pair("B", "2")];
        for text in
            ["[A \"1\"]\n[B \"2\"]\n", " [ A \"1\" ]\t[B\"2\"]", "[A \"1\"]\n% no\n\n[B \"2\"]\n1. e4"]
        {
            assert_eq!(tags(text), expected, "{text}");
        }
    }

    #[test]
    fn quotes_and_brackets_inside_a_value_belong_to_it() {
        assert_eq!(tags(r#"[W "a \"b\" c"]"#), [pair("W", r#"a \"b\" c"#)]);
        assert_eq!(tags(r#"[W "a "b" c"]"#), [pair("W", r#"a "b" c"#)]);
        assert_eq!(tags(r#"[FEN "8/8[NNrp] b"]"#), [pair("FEN", "8/8[NNrp] b")]);
        assert_eq!(tags(r#"[Dir "C:\"]"#), [pair("Dir", r"C:\")]);
        assert_eq!(decode(br#"a \"b\" \\ c"#), r#"a "b" \ c"#);
    }

    #[test]
    fn anything_else_in_brackets_is_broken_and_ends_with_its_line() {
        for text in ["[Bad tag \"x\"]", "[Event \"x", "[FEN 8/8]", "[Event \"x\"", "[Event]"] {
            assert_eq!(tags(text), [Tag::Broken { text: text.as_bytes() }], "{text}");
            assert_eq!(tags(&format!("{text}\n[A \"1\"]")).len(), 2, "{text}");
        }
        for text in ["[%eval 1]", "[]", "[", "[1-0]", "[Event", "1. e4"] {
            assert_eq!(tags(text), [], "{text}");
        }
    }

    #[test]
    fn the_usual_way_agrees_with_the_thorough_one() {
        let texts = [
            "[A \"1\"]",
            "[A \"1\"] [B \"2\"]",
            "[A \"\"]\n",
            "[A \"a\\\\\"]",
            "[A \"a\\\"]\"]",
            "[A \"a]b\"]",
            "[A \"a\"b\"]",
            "[A \"a\n\"]",
            "[A_b \"1\"]",
            "[A  \"1\"]",
            "[A\"1\"]",
            "[A 1]",
            "[A \"1\" ]",
            "[A \"1",
        ];
        for text in texts {
            let text = text.as_bytes();
            if let Some(usual) = usual_tag(text) {
                assert_eq!(usual, tag_at(text));
                assert!(name_of(text).is_some_and(|name| !name.is_empty()));
            }
        }
        assert!(usual_tag(b"[Event \"Rated game\"]\r\n").is_some());
        assert!(usual_tag(b"[A \"a\\\"]\"]").is_none());
    }

    #[test]
    fn names_that_set_up_a_game_are_known_by_their_beginning() {
        for name in ["FEN", "Fen", "fen", "SetUp", "SETUP", "setup", "Variant", "variant"] {
            assert!(may_set_up(name.as_bytes()), "{name}");
        }
        for name in ["Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "F", ""] {
            assert!(!may_set_up(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn carriage_returns_in_a_value_do_no_harm() {
        let Tag::Pair { value, .. } = tags("[FEN \"8/8 w - - 0 15\r\"]\r\n")[0] else { panic!() };
        assert_eq!(decode(value), "8/8 w - - 0 15");
    }
}
