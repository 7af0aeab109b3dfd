//! Several JSON documents in one text, as commands print them with `--json` for several inputs.

use std::ops::Range;

/// Where the documents of a text lie and in which line each begins, if there are several; a line that is none counts
/// as one.
///
/// Documents need not be on a line each. A text that does not begin with a whole document holds one thing. Nothing is
/// kept of the text, whatever it holds.
pub(crate) fn several(text: &[u8]) -> Option<Documents<'_>> {
    let documents = Documents { text, at: 0, line: 1, only_lines: false };
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let end = start + end_of_object(&text[start..])?;
    // Text in UTF-16 is not JSON, and its line ends are others.
    if text[start..end].contains(&0) {
        return None;
    }
    text[end..].iter().any(|byte| !byte.is_ascii_whitespace()).then_some(documents)
}

/// Goes from one document to the next.
pub(crate) struct Documents<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
    /// Whether an object was met that has no end: the next ones are looked for in their lines alone.
    only_lines: bool,
}

impl Iterator for Documents<'_> {
    type Item = (u64, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let blank = self.text[self.at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        self.pass(blank);
        let rest = &self.text[self.at..];
        let line = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let whole = end_of_object(&rest[..line]).or_else(|| {
            let end = if self.only_lines { None } else { end_of_object(rest) };
            self.only_lines |= end.is_none() && rest[0] == b'{';
            end
        });
        let found = (self.line, self.at..self.at + whole.unwrap_or(line));
        self.pass(whole.unwrap_or(line));
        Some(found)
    }
}

impl Documents<'_> {
    fn pass(&mut self, length: usize) {
        let passed = &self.text[self.at..self.at + length];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.at += length;
    }
}

/// Where the JSON object ends with which a text begins: all its braces are closed. Whether it is one is for its reader
/// to say.
fn end_of_object(text: &[u8]) -> Option<usize> {
    if text.first() != Some(&b'{') {
        return None;
    }
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for (index, &byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            b'{' if !in_text => depth += 1,
            b'}' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::several;

    #[test]
    fn documents_are_told_apart_and_one_is_left_alone() {
        let told = |text: &str| {
            let parts = several(text.as_bytes()).into_iter().flatten();
            parts.map(|(line, part)| (line, text[part].to_owned())).collect::<Vec<_>>()
        };
        let is = |line, text: &str| (line, text.to_owned());
        assert_eq!(told("{\"a\": 1}\n\n{}\n"), [is(1, "{\"a\": 1}"), is(3, "{}")]);
        assert_eq!(told("\n{\n \"a\": [\n{}]}{}"), [is(2, "{\n \"a\": [\n{}]}"), is(4, "{}")]);
        assert_eq!(told(r#"{"}":"\"}{"}{}"#), [is(1, r#"{"}":"\"}{"}"#), is(1, "{}")]);
        // What is broken costs its line.
        let broken = "{}\n{\"a\":\n{} 7\n[]\n{\n{}";
        let parts =
            [is(1, "{}"), is(2, "{\"a\":"), is(3, "{}"), is(3, "7"), is(4, "[]"), is(5, "{"), is(6, "{}")];
        assert_eq!(told(broken), parts);
        for one in [
            "",
            "{}",
            " {\"a\": 1} \n",
            "[{}]\n{}",
            "BMMATE\0{}\n{}",
            "{\n{}\n{}",
            "{\"a\n{}\n",
            "7 {}",
            "{\0}\0\n\0",
        ] {
            assert!(told(one).is_empty(), "{one}");
        }
    }
}
