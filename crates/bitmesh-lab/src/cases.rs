//! Known positions, as tables with their answers. A file that is not a list of FENs has a heading; columns are
//! separated by tabs. The decision tables name their sources in `cases/decide/README.md`.

pub const BLOCKED: &str = include_str!("../cases/blocked.tsv");
pub const DEAD: &str = include_str!("../cases/dead.tsv");
pub const HELPMATES: &str = include_str!("../cases/helpmates.tsv");
pub const LICHESS_DEAD: &str = include_str!("../cases/lichess_dead.fen");
pub const MATE_POSSIBLE: &str = include_str!("../cases/mate_possible.tsv");
pub const WALL_EN_PASSANT: &str = include_str!("../cases/wall_en_passant.tsv");

/// Constructed positions in which a colour never gives mate and play can last very long.
pub const HARD: &str = include_str!("../../bitmesh/tests/cases/decide/hard.tsv");
pub const DECIDE_LICHESS: &str = include_str!("../cases/decide/lichess.tsv");
pub const DECIDE_CONSTRUCTED: &str = include_str!("../cases/decide/constructed.tsv");

/// Rows of a table with a heading.
pub fn table(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(1).filter(|line| !line.is_empty()).map(|line| line.split('\t').collect())
}
