//! Parts of a text that know where they start.

use alloc::vec::Vec;

use super::error::{Fault, Field, ReadPositionProblem};
use super::note::Note;
use super::operations::is_blank;

/// A part of the text and where it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    pub(super) offset: usize,
}

impl<'a> Part<'a> {
    pub(super) fn from(self, start: usize) -> Self {
        Self { text: &self.text[start..], offset: self.offset + start }
    }

    pub(super) fn upto(self, end: usize) -> Self {
        Self { text: &self.text[..end], ..self }
    }

    pub(super) fn trim(self, strip: impl Fn(char) -> bool) -> Self {
        let tail = self.text.trim_start_matches(&strip);
        let part = self.from(self.text.len() - tail.len());
        part.upto(tail.trim_end_matches(&strip).len())
    }

    pub(super) const fn end(self) -> usize {
        self.offset + self.text.len()
    }

    pub(super) fn fault(self, field: Field, index: usize, problem: ReadPositionProblem) -> Fault {
        Fault { problem, field, offset: self.offset + index }
    }
}

/// Adds a note that is said once, however often it applies.
pub(super) fn note_once(notes: &mut Vec<Note>, note: Note) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Takes off what stands around the text: byte order mark, blanks and line ends, quotes.
pub(super) fn peel<'a>(text: &'a str, notes: &mut Vec<Note>) -> Part<'a> {
    let mut part = Part { text, offset: 0 };
    if text.starts_with('\u{feff}') {
        notes.push(Note::ByteOrderMark);
        part = part.from('\u{feff}'.len_utf8());
    }
    part = trim_ends(part, notes);
    for quote in ['"', '\''] {
        if part.text.len() >= 2 && part.text.starts_with(quote) && part.text.ends_with(quote) {
            notes.push(Note::Quotes { quote });
            return trim_ends(part.from(1).upto(part.text.len() - 2), notes);
        }
    }
    part
}

fn trim_ends<'a>(part: Part<'a>, notes: &mut Vec<Note>) -> Part<'a> {
    let is_line_end = |found| matches!(found, '\r' | '\n');
    let trimmed = part.trim(|found| is_blank(found) || is_line_end(found));
    let before = &part.text[..trimmed.offset - part.offset];
    let after = &part.text[trimmed.end() - part.offset..];
    let skipped = |matches: fn(char) -> bool| before.contains(matches) || after.contains(matches);
    if skipped(is_line_end) {
        note_once(notes, Note::LineEnd);
    }
    if skipped(is_blank) {
        note_once(notes, Note::Blanks);
    }
    trimmed
}
