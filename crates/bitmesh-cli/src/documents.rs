//! Several JSON documents in one text, as commands print them with `--json` for several inputs.

use std::ops::Range;

use serde::de::IgnoredAny;

/// Where each document of a text lies and in which line it begins, if there are several; a line that is none counts as
/// one.
///
/// Documents need not be on a line each. A text that does not begin with a whole document holds one thing.
pub(crate) fn split(text: &[u8]) -> Vec<(u64, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while let Some(blank) = text[at..].iter().position(|byte| !byte.is_ascii_whitespace()) {
        line += line_ends(&text[at..at + blank]);
        at += blank;
        let mut values = serde_json::Deserializer::from_slice(&text[at..]).into_iter::<IgnoredAny>();
        let end = match values.next() {
            Some(Ok(_)) if text[at] == b'{' => at + values.byte_offset(),
            _ if found.is_empty() => return Vec::new(),
            _ => line_end(&text[at..]).map_or(text.len(), |end| at + end),
        };
        found.push((line, at..end));
        line += line_ends(&text[at..end]);
        at = end;
    }
    if found.len() > 1 { found } else { Vec::new() }
}

fn line_ends(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

fn line_end(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| byte == b'\n')
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn documents_are_told_apart_and_one_is_left_alone() {
        let told = |text: &str| {
            let parts = split(text.as_bytes()).into_iter();
            parts.map(|(line, part)| (line, text[part].to_owned())).collect::<Vec<_>>()
        };
        let is = |line, text: &str| (line, text.to_owned());
        assert_eq!(told("{\"a\": 1}\n\n{}\n"), [is(1, "{\"a\": 1}"), is(3, "{}")]);
        assert_eq!(told("\n{\n \"a\": [\n1]}{}"), [is(2, "{\n \"a\": [\n1]}"), is(4, "{}")]);
        assert_eq!(
            told("{}\n{\"a\":\n{} 7\n[]"),
            [is(1, "{}"), is(2, "{\"a\":"), is(3, "{}"), is(3, "7"), is(4, "[]")]
        );
        for one in ["", "{}", " {\"a\": 1} \n", "[{}]\n{}", "BMMATE\0{}\n{}", "{\n{}\n{}", "7 {}"] {
            assert!(told(one).is_empty(), "{one}");
        }
    }
}
