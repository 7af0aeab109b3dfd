//! Blocks of lines as trainers of networks write them (`.plain`): `fen …`, `move …`, `score …`, `ply …`, `result …`, `e`.

use memchr::memchr;

use crate::how::How;
use crate::lines::{Lines, checked_text, line_content, read_text};
use crate::problem::{Notice, Place, Problem};
use crate::visit::{Outcome, Part, Visit};

/// A block as far as it has been seen.
#[derive(Default)]
struct Block<'a> {
    line: u64,
    bytes: u64,
    /// Where it begins in the text.
    start: u64,
    /// All of its lines.
    lines: Vec<&'a [u8]>,
    fen: Option<&'a [u8]>,
    /// Its last line may be unfinished.
    cut: bool,
}

/// Reads each block whose first line is greater than `done`.
pub(crate) fn visit(lines: &Lines, done: u64, how: &How, visit: &mut impl Visit) {
    let mut open: Option<Block<'_>> = None;
    let mut rest = &lines.bytes[..];
    let mut number = lines.first;
    while !rest.is_empty() {
        let length = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (whole, tail) = rest.split_at(length);
        rest = tail;
        let place = Place::line(number);
        let line = line_content(whole.strip_suffix(b"\n").unwrap_or(whole), place, visit);
        let line = line.trim_ascii();
        let fen = line.strip_prefix(b"fen ").or_else(|| line.strip_prefix(b"fen\t"));
        let between = match line {
            [] => Some(Part::Blank),
            [b'#', ..] => Some(Part::Comment),
            _ => None,
        };
        if let (None, Some(part)) = (&open, between) {
            if number > done {
                visit.record(place, Outcome::Skipped(part), length as u64);
            } else {
                visit.known(length as u64);
            }
            number += 1;
            continue;
        }
        if fen.is_some() && open.as_ref().is_some_and(|block| block.fen.is_some()) {
            finish(open.take(), false, done, how, visit);
        }
        let block = open.get_or_insert_with(|| Block {
            line: number,
            start: lines.start + (lines.bytes.len() - rest.len() - length) as u64,
            ..Block::default()
        });
        block.bytes += length as u64;
        block.fen = block.fen.or(fen);
        if how.carries() {
            block.lines.push(line);
        }
        block.cut = lines.cut && rest.is_empty();
        if line == b"e" && !block.cut {
            finish(open.take(), true, done, how, visit);
        }
        number += 1;
    }
    finish(open.take(), false, done, how, visit);
}

fn finish(block: Option<Block<'_>>, has_end: bool, done: u64, how: &How, visit: &mut impl Visit) {
    let Some(block) = block else { return };
    if block.line <= done {
        return visit.known(block.bytes);
    }
    let place = Place::line(block.line);
    if how.carries() {
        visit.begin(block.start);
        for line in &block.lines {
            let line = String::from_utf8_lossy(line);
            let (name, text) = line.split_once([' ', '\t']).unwrap_or((&line, ""));
            how.carry_column(name, text.trim(), visit);
        }
    }
    let text = match block.fen {
        _ if block.cut => Err(Problem::new("line/cut-off", "the source broke off inside this block")),
        None => Err(Problem::new("plain/no-fen", "the block has no line that begins with fen")),
        Some(fen) => checked_text(fen.trim_ascii()),
    };
    let outcome = match text {
        Ok(text) => {
            if !has_end {
                let message = "the block does not end with a line e".to_owned();
                visit.notice(Notice { place, code: "plain/no-end", message });
            }
            read_text(text, place, how, visit)
        }
        Err(problem) => {
            visit.problem(place, problem);
            Outcome::Failed
        }
    };
    visit.record(place, outcome, block.bytes);
}
