//! The operations of an EPD line, kept verbatim.

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::note::{Note, OperationProblem};

/// The longest name that the EPD standard allows.
const LONGEST_NAME: usize = 15;

/// One operation of an EPD line: a name and what follows it, character by character as in the text.
///
/// Moves and numbers in it are not checked; only `hmvc` and `fmvn` are read, as the counters of the position.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Operation {
    text: String,
    name_length: usize,
}

impl Operation {
    /// The whole operation without its semicolon and the blanks around it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the operation starts with, up to the first blank (`bm`, `id`, `hmvc`).
    #[must_use]
    pub fn opcode(&self) -> &str {
        &self.text[..self.name_length]
    }

    /// What follows the name, quotes included.
    #[must_use]
    pub fn operands(&self) -> &str {
        self.text[self.name_length..].trim_start_matches(is_blank)
    }

    /// The only operand as a number.
    pub(super) fn number(&self) -> Option<u32> {
        let digits = self.operands();
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    }
}

pub(super) const fn is_blank(found: char) -> bool {
    matches!(found, ' ' | '\t' | '\u{a0}')
}

/// Splits at semicolons that are not inside quotes. A backslash inside quotes includes the next character.
///
/// Semicolons with nothing between them are one note, however many they are.
pub(super) fn read_operations(text: &str, notes: &mut Vec<Note>) -> Vec<Operation> {
    let mut operations: Vec<Operation> = Vec::new();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut rest = text.trim_matches(is_blank);
    while !rest.is_empty() {
        let index = operations.len();
        let mut note = |problem| {
            let note = Note::Operation { index, problem };
            if notes.last() != Some(&note) {
                notes.push(note);
            }
        };
        let (piece, end) = match find_semicolon(rest) {
            End::Semicolon(at) => (&rest[..at], at + 1),
            End::Text => {
                note(OperationProblem::NoSemicolon);
                (rest, rest.len())
            }
            End::OpenQuote => {
                note(OperationProblem::OpenQuote);
                (rest, rest.len())
            }
        };
        let piece = piece.trim_matches(is_blank);
        rest = rest[end..].trim_start_matches(is_blank);
        if piece.is_empty() {
            note(OperationProblem::Empty);
            continue;
        }
        let name_length = piece.find(is_blank).unwrap_or(piece.len());
        let name = &piece[..name_length];
        let repeated = !names.insert(name);
        if !is_name(name) {
            note(OperationProblem::Name);
        } else if repeated {
            note(OperationProblem::Repeated);
        }
        operations.push(Operation { text: piece.to_owned(), name_length });
    }
    operations
}

/// Whether the EPD standard has an operation of this name.
pub(super) fn is_known_opcode(name: &str) -> bool {
    const NAMES: [&str; 25] = [
        "acd",
        "acn",
        "acs",
        "am",
        "bm",
        "ce",
        "dm",
        "draw_accept",
        "draw_claim",
        "draw_offer",
        "draw_reject",
        "eco",
        "fmvn",
        "hmvc",
        "id",
        "nic",
        "noop",
        "pm",
        "pv",
        "rc",
        "resign",
        "sm",
        "tcgs",
        "tcri",
        "tcsi",
    ];
    NAMES.contains(&name) || matches!(name.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}

fn is_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

enum End {
    Semicolon(usize),
    Text,
    OpenQuote,
}

fn find_semicolon(text: &str) -> End {
    let mut quoted = false;
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b';' if !quoted => return End::Semicolon(index),
            _ => {}
        }
    }
    if quoted { End::OpenQuote } else { End::Text }
}
