//! Lines of standard input for the commands that answer one input after the other.

use std::io::{self, BufRead, BufReader, Read, Write as _};

use crate::console::{Console, Failure, Outcome};
use crate::hint;

/// The longest line that is read, as in `bitmesh scan`.
const MAX_LINE: usize = 1 << 16;

fn failure(error: io::Error) -> Failure {
    Failure::Read { source_name: "standard input".to_owned(), error }
}

/// What there is to say when standard input ends before anything that could be answered.
pub(crate) fn nothing_to_read() -> Failure {
    Failure::Input("standard input holds nothing to read".to_owned())
}

/// Calls `each` with the number of every line of standard input that is neither blank nor a `#` comment, and with its
/// text or what is wrong with its bytes.
///
/// A bad line costs only itself, and no line is held in memory beyond the longest that is read.
pub(crate) fn for_each_line(
    mut each: impl FnMut(u64, Result<&str, String>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut input = BufReader::new(io::stdin());
    let mut line = Vec::new();
    let (mut number, mut is_empty) = (0, true);
    loop {
        line.clear();
        let limit = MAX_LINE as u64 + 2;
        if input.by_ref().take(limit).read_until(b'\n', &mut line).map_err(failure)? == 0 {
            return if is_empty { Err(nothing_to_read()) } else { Ok(()) };
        }
        number += 1;
        if number == 1 {
            hint::refuse_utf16(&line)?;
        }
        if line.last() != Some(&b'\n') && line.len() as u64 == limit {
            skip_line(&mut input).map_err(failure)?;
            is_empty = false;
            each(number, Err(format!("line too long: more than {MAX_LINE} bytes")))?;
            continue;
        }
        let text = line.trim_ascii();
        // A byte order mark before a position is for its reader to forgive.
        let content = text.strip_prefix("\u{feff}".as_bytes()).filter(|_| number == 1).unwrap_or(text);
        if matches!(content.first(), None | Some(b'#')) {
            continue;
        }
        is_empty = false;
        match str::from_utf8(text) {
            Ok(text) => each(number, Ok(text))?,
            Err(error) => {
                each(number, Err(format!("not UTF-8: bad byte at character {}", error.valid_up_to() + 1)))?;
            }
        }
    }
}

/// Answers every line of standard input, each with its place for the answer. A line that cannot be read as what it
/// should be costs only itself.
pub(crate) fn answer_each_line(
    console: &mut Console,
    mut answer: impl FnMut(&mut Console, &str, &str) -> Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::Positive;
    for_each_line(|number, line| {
        let place = format!("line {number}: ");
        let answered = match line {
            Ok(line) => {
                hint::refuse_drawing(number, line)?;
                answer(console, &place, line)
            }
            Err(error) => Err(Failure::Input(error)),
        };
        outcome = outcome.and(told_if_unreadable(console, &place, answered)?);
        Ok(console.flush()?)
    })?;
    Ok(outcome)
}

/// Tells what keeps a line or game of standard input from being read; the others are answered all the same.
pub(crate) fn told_if_unreadable(
    console: &Console,
    place: &str,
    answered: Result<Outcome, Failure>,
) -> Result<Outcome, Failure> {
    match answered {
        Err(Failure::Input(error)) => {
            console.complain(format_args!("error: standard input, {place}{error}"));
            Ok(Outcome::InputError)
        }
        answered => answered,
    }
}

/// Throws away the rest of a line in pieces.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    let mut piece = Vec::new();
    loop {
        piece.clear();
        let read = input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut piece)?;
        if read == 0 || piece.last() == Some(&b'\n') {
            return Ok(());
        }
    }
}
