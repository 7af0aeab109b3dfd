//! Collections of games and of lines, to be read again and again.

use std::fmt::Write as _;
use std::path::Path;

use bitmesh_corpus::Format;

use crate::{positions, tournament};

/// At least this much is read in every turn, so that starting threads does not count.
const BYTES: usize = 40 << 20;

const TOURNAMENT_GAMES: usize = 2000;

/// A text to be read.
#[derive(Debug)]
pub struct Collection {
    /// What it is, for tables.
    pub name: String,
    /// Games or lines.
    pub format: Format,
    /// Once.
    pub text: Vec<u8>,
}

impl Collection {
    fn new(name: &str, format: Format, text: String) -> Self {
        Self { name: name.to_owned(), format, text: text.into_bytes() }
    }

    /// The content of a file, unpacked if it is packed with Zstandard.
    ///
    /// # Panics
    ///
    /// When it cannot be read, or is empty.
    #[must_use]
    pub fn of_file(path: &str) -> Self {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let text = match path.strip_suffix(".zst") {
            Some(_) => zstd::decode_all(&bytes[..]).unwrap_or_else(|error| panic!("{path}: {error}")),
            None => bytes,
        };
        assert!(!text.is_empty(), "{path} is empty");
        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let format = Format::of_name(path.trim_end_matches(".zst")).unwrap_or(Format::Lines);
        Self { name, format, text }
    }

    /// The text again and again, until it is long enough to be timed.
    #[must_use]
    pub fn repeated(&self) -> &'static [u8] {
        self.text.repeat(BYTES / self.text.len() + 1).leak()
    }
}

/// The collections of the repository, by number: each is made when it is asked for.
///
/// # Panics
///
/// When there is none of this number.
#[must_use]
pub fn own(number: usize) -> Collection {
    let lines = |set: positions::Set| Collection::new(set.name, Format::Lines, set.texts.join("\n") + "\n");
    match number {
        0 => Collection::new("well-known games", Format::Pgn, well_known_games()),
        1 => {
            let games = tournament::games(TOURNAMENT_GAMES);
            Collection::new("games like those of tournaments", Format::Pgn, games)
        }
        2 => lines(positions::games()),
        3 => lines(positions::blocked()),
        _ => panic!("no collection {number}"),
    }
}

/// How many there are.
pub const OWN: usize = 4;

fn well_known_games() -> String {
    let mut games = String::new();
    for (index, score) in positions::scores().enumerate() {
        let tags = format!("[Event \"{index}\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]");
        writeln!(games, "{tags}\n\n{score} *\n").expect("memory does not fail");
    }
    games
}
