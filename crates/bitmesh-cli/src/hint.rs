//! Hints for common command-line mistakes.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;

use bitmesh::{
    Note, Printable, looks_like_drawn_rank, looks_like_fen_field, looks_like_placement, looks_like_utf16,
};
use clap::error::{ContextKind, ContextValue};

use crate::console::{Console, Failure};

/// What to say when a FEN was torn apart by the shell: the command line with quotes around it.
pub(crate) fn unquoted_fen(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let first = arguments.iter().position(|argument| looks_like_placement(argument))?;
    let fields = arguments[first..].iter().enumerate();
    let fields = fields.take_while(|&(index, text)| looks_like_fen_field(index, text));
    let count = fields.count();
    let fen = arguments[first..first + count].join(" ");
    (count > 1).then(|| format!("hint: a FEN is one argument: put it in quotes, as in '{fen}'"))
}

/// What to say when a build without the server is asked for it. A subcommand with a similar name would mislead, so the
/// error loses that suggestion.
pub(crate) fn without_server(error: &mut clap::Error) -> Option<&'static str> {
    let named = error.get(ContextKind::InvalidSubcommand);
    if !matches!(named, Some(ContextValue::String(name)) if name == "serve") {
        return None;
    }
    error.remove(ContextKind::SuggestedSubcommand);
    Some(
        "hint: this command was built without the server; \
         `cargo install --locked --path crates/bitmesh-cli --features serve` installs one with it",
    )
}

/// What to add to the message about a text that is not a position: it may be the name of a file, or of the usual start.
pub(crate) fn not_a_position(text: &str, error: &dyn Display) -> String {
    let text = text.trim();
    if text == "startpos" {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        return format!("{error} (hint: startpos is a word of the UCI protocol; as a FEN it is '{start}')");
    }
    if !text.is_empty() && !text.contains('\n') && Path::new(text).is_file() {
        let text = Printable(text);
        return format!(
            "{error} (hint: {text} is a file: `bitmesh scan {text}` reads it, and `-` its lines as in `- < {text}`)"
        );
    }
    bitmesh_corpus::not_a_position(text, error)
}

/// Refuses text in UTF-16.
pub(crate) fn refuse_utf16(start: &[u8]) -> Result<(), Failure> {
    match looks_like_utf16(start) {
        true => Err(Failure::Input("standard input is UTF-16; save it as UTF-8".to_owned())),
        false => Ok(()),
    }
}

/// Ends a run over lines whose first line is a rank of a drawn board: eight errors would say less than one.
pub(crate) fn refuse_drawing(number: u64, line: &str) -> Result<(), Failure> {
    match looks_like_drawn_rank(line) {
        true => Err(Failure::Input(format!(
            "standard input, line {number}, is a rank of a drawn board, and every line should be a FEN; \
             give a drawing as one argument, as in \"$(cat FILE)\""
        ))),
        false => Ok(()),
    }
}

/// Says what was forgiven in a text, which stands at a place of standard input or in an argument.
pub(crate) fn tell_notes(console: &Console, place: &str, notes: &[Note]) {
    let source = if place.is_empty() { "" } else { "standard input, " };
    for note in notes {
        console.complain(format_args!("note: {source}{place}{note}"));
    }
}

#[cfg(test)]
mod tests {
    use bitmesh::looks_like_drawn_rank as is_drawn;

    use super::{unquoted_fen, without_server};

    #[test]
    fn the_server_is_named_where_it_was_left_out() {
        let command = clap::Command::new("bitmesh").subcommand(clap::Command::new("prove"));
        let mut serve = command.clone().try_get_matches_from(["bitmesh", "serve"]).unwrap_err();
        assert!(without_server(&mut serve).unwrap().contains("--features serve"));
        assert!(!serve.to_string().contains("prove"), "{serve}");
        let mut typo = command.try_get_matches_from(["bitmesh", "prove2"]).unwrap_err();
        assert_eq!(without_server(&mut typo), None);
        assert!(typo.to_string().contains("prove'"), "{typo}");
    }

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
