//! Words on what was probably meant.

use std::ffi::OsString;

use crate::console::Failure;

/// What to say when a FEN was torn apart by the shell: the command line with quotes around it.
pub(crate) fn unquoted_fen(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let first = arguments.iter().position(|argument| is_placement(argument))?;
    let fields = arguments[first..].iter().enumerate().take_while(|&(index, text)| is_field(index, text));
    let count = fields.count();
    let fen = arguments[first..first + count].join(" ");
    (count > 1).then(|| format!("hint: a FEN is one argument: put it in quotes, as in '{fen}'"))
}

fn is_placement(text: &str) -> bool {
    text.matches('/').count() == 7
        && text.chars().all(|character| "/12345678pnbrqkPNBRQK~".contains(character))
}

fn is_field(index: usize, text: &str) -> bool {
    match index {
        0 => true,
        1 => matches!(text, "w" | "b"),
        2 => text == "-" || text.chars().all(|character| character.is_ascii_alphabetic()),
        3 => text == "-" || (text.len() == 2 && text.starts_with(|file| ('a'..='h').contains(&file))),
        4 | 5 => text.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// Whether a line is one rank of a board drawn with letters.
fn is_drawn(line: &str) -> bool {
    let squares = line.chars().filter(|character| !character.is_whitespace() && *character != '|');
    let squares: Vec<char> = squares.collect();
    // With or without the number of the rank in front.
    let rank = match squares.as_slice() {
        [number, rank @ ..] if rank.len() == 8 && ('1'..='8').contains(number) => rank,
        rank => rank,
    };
    rank.len() == 8 && rank.iter().all(|character| ".-pnbrqkPNBRQK".contains(*character))
}

/// Ends a run over lines whose first line is a rank of a drawn board: eight errors would say less than one.
pub(crate) fn refuse_drawing(number: u64, line: &Result<&str, String>) -> Result<(), Failure> {
    match line {
        Ok(line) if is_drawn(line) => Err(Failure::Input(format!(
            "standard input, line {number}, is a rank of a drawn board, and every line should be a FEN; \
             give a drawing as one argument, as in \"$(cat FILE)\""
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_drawn, unquoted_fen};

    #[test]
    fn a_torn_fen_is_put_together_and_nothing_else() {
        let hint = |line: &str| unquoted_fen(line.split(' ').map(Into::into));
        let said = hint("prove --json 7k/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
        assert!(said.ends_with("'7k/8/8/8/8/8/8/K7 w - - 0 1'"), "{said}");
        assert!(
            hint("draw 7k/8/8/8/8/8/8/K7 b KQ e3 --flip").unwrap().ends_with("'7k/8/8/8/8/8/8/K7 b KQ e3'")
        );
        for line in ["certify 7k/8/8/8/8/8/8/K7", "verify a/b/c w - -", "prove 7k/8/8/8/8/8/8/K7 --jsn"] {
            assert_eq!(hint(line), None, "{line}");
        }
    }

    #[test]
    fn ranks_are_drawings_and_fens_are_not() {
        for line in ["8 . . . . k . . .", "r n b q k b n r", "| . | . | . | . | . | . | . | K |", "........"]
        {
            assert!(is_drawn(line), "{line}");
        }
        for line in ["7k/8/8/8/8/8/8/K7 w - - 0 1", "a b c d e f g h", "", "8/8"] {
            assert!(!is_drawn(line), "{line}");
        }
    }
}
