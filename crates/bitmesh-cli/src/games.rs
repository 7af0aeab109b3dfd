//! Games of standard input for the commands that answer one input after the other.

use std::io::Read;
use std::num::NonZeroUsize;

use bitmesh_corpus::{Collect, Format, Inputs, Options, Row, Scan};

use crate::console::Failure;
use crate::lines::nothing_to_read;

/// Calls `each` with the number of every game and its last position, or with what kept it from being read to its end.
///
/// Games are read as `bitmesh scan` reads them, and one that is broken costs only itself. The number of the next move
/// is counted from the first position of the game.
pub(crate) fn for_each_game(
    input: impl Read + Send + 'static,
    mut each: impl FnMut(u64, Result<String, Failure>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut inputs = Inputs::new();
    inputs.add_reader("-", Box::new(input));
    let mut options = Options::default();
    options.format = Some(Format::Pgn);
    options.threads = NonZeroUsize::MIN;
    options.extra.without_digests = true;
    let failure = |error: bitmesh_corpus::ScanError| Failure::Input(error.to_string());
    let mut is_empty = true;
    for block in Scan::start(inputs, options, Ends::default).map_err(failure)? {
        for end in block.map_err(failure)?.rows {
            is_empty = false;
            let result = match end.problem {
                Some(problem) => Err(Failure::Input(problem)),
                None => Ok(end.text),
            };
            each(end.game, result)?;
        }
    }
    if is_empty { Err(nothing_to_read()) } else { Ok(()) }
}

/// Collects the ends of games.
#[derive(Debug, Default)]
struct Ends(Vec<End>);

/// How far a game could be read. What is wrong with the source itself is game 0.
#[derive(Debug)]
struct End {
    game: u64,
    /// Whether Black has the first move.
    black_begins: bool,
    text: String,
    problem: Option<String>,
}

impl Collect for Ends {
    type Block = Vec<End>;

    fn push(&mut self, row: &Row) {
        let game = row.place.game.unwrap_or_default();
        let text = row.finding.as_ref().map_or("", |finding| &finding.fen);
        if self.0.last().is_none_or(|last| last.game != game) {
            let black_begins = text.split(' ').nth(1) == Some("b");
            self.0.push(End { game, black_begins, text: String::new(), problem: None });
        }
        let Some(end) = self.0.last_mut() else { return };
        if let Some(problem) = &row.problem {
            let place = row.place.to_string();
            let separator = if place.is_empty() { "" } else { ": " };
            end.problem.get_or_insert_with(|| format!("{place}{separator}{problem}"));
        }
        // Rows have the canonical text, which counts no moves.
        let fields = text.strip_suffix(" 0 1").unwrap_or(text);
        let number = 1 + (row.place.ply.unwrap_or_default() + u32::from(end.black_begins)) / 2;
        end.text = format!("{fields} 0 {number}");
    }

    fn take(&mut self) -> Vec<End> {
        std::mem::take(&mut self.0)
    }
}
