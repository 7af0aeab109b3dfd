//! What kind of collection a source is.

use std::fmt;
use std::str::FromStr;

use bitmesh::looks_like_placement;

use crate::stream::Compression;
use crate::table;

/// The kinds of collections that a scan reads.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Format {
    /// One FEN, EPD or bare placement a line.
    Lines,
    /// Games in Portable Game Notation.
    Pgn,
    /// A table with a delimiter that is detected, usually a comma.
    Csv,
    /// A table with tabs.
    Tsv,
    /// An Apache Parquet file.
    Parquet,
    /// One JSON object a line, with the position in a field.
    JsonLines,
    /// Blocks of lines as trainers of networks write them.
    Plain,
}

impl Format {
    /// The name of the format, as [`FromStr`] reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lines => "fen",
            Self::Pgn => "pgn",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Parquet => "parquet",
            Self::JsonLines => "jsonl",
            Self::Plain => "plain",
        }
    }

    /// What a record of this format is, in words.
    ///
    /// ```
    /// assert_eq!(bitmesh_corpus::Format::Pgn.describe(), "a game (PGN)");
    /// ```
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Lines => "a position (FEN)",
            Self::Pgn => "a game (PGN)",
            Self::Csv | Self::Tsv => "a row of a table",
            Self::Parquet => "a row of a Parquet file",
            Self::JsonLines => "a JSON object",
            Self::Plain => "a block of a network trainer",
        }
    }

    /// What the name of a file says, `.gz`, `.bz2`, `.zst` and `.xz` aside.
    ///
    /// ```
    /// use bitmesh_corpus::Format;
    ///
    /// assert_eq!(Format::of_name("lichess_db_puzzle.csv.zst"), Some(Format::Csv));
    /// assert_eq!(Format::of_name("notes.txt"), None);
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let unpacked = match Compression::of_name(name) {
            Compression::None => name,
            _ => name.rsplit_once('.').map_or(name, |(stem, _)| stem),
        };
        let (_, extension) = unpacked.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "fen" | "epd" => Some(Self::Lines),
            "pgn" => Some(Self::Pgn),
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            "parquet" | "pq" => Some(Self::Parquet),
            "jsonl" | "ndjson" | "json" => Some(Self::JsonLines),
            "plain" => Some(Self::Plain),
            _ => None,
        }
    }

    /// What the first lines of a text say by themselves.
    ///
    /// ```
    /// use bitmesh_corpus::Format;
    ///
    /// assert_eq!(Format::of_text(b"[Event \"?\"]\n"), Some(Format::Pgn));
    /// assert_eq!(Format::of_text(b"8/8/4k3/8/8/3K4/8/6N1 w - - 0 1\n"), Some(Format::Lines));
    /// assert_eq!(Format::of_text("\u{feff}1. e4 e5\n".as_bytes()), Some(Format::Pgn));
    /// assert_eq!(Format::of_text(b"anything else\n"), None);
    /// ```
    #[must_use]
    pub fn of_text(start: &[u8]) -> Option<Self> {
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        of_content(start, None, Hints::default())
    }

    /// What the first bytes of the text say, and where they say nothing, the name.
    ///
    /// Blank lines and lines that begin with `#` are passed over. Where a line begins with a position, only the name
    /// or the caller makes it a row of a table.
    pub(crate) fn detect(name: &str, start: &[u8], hints: Hints<'_>) -> Self {
        if start.starts_with(PARQUET_MAGIC) {
            return Self::Parquet;
        }
        let named = Self::of_name(name);
        of_content(start, named, hints).or(named).unwrap_or(Self::Lines)
    }
}

/// What the caller has said about tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hints<'a> {
    /// The column that a table would be read for.
    pub(crate) column: Option<&'a str>,
    /// Something that only a table has.
    pub(crate) is_table: bool,
}

/// The first and the last four bytes of a Parquet file.
pub(crate) const PARQUET_MAGIC: &[u8] = b"PAR1";

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not that of a [`Format`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{name} is not a format: fen, epd, pgn, csv, tsv, parquet, jsonl, plain")]
pub struct UnknownFormat {
    name: String,
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name.to_ascii_lowercase().as_str() {
            "fen" | "epd" => Ok(Self::Lines),
            "pgn" => Ok(Self::Pgn),
            "csv" => Ok(Self::Csv),
            "tsv" => Ok(Self::Tsv),
            "parquet" => Ok(Self::Parquet),
            "jsonl" | "ndjson" => Ok(Self::JsonLines),
            "plain" => Ok(Self::Plain),
            _ => Err(UnknownFormat { name: name.to_owned() }),
        }
    }
}

fn of_content(start: &[u8], named: Option<Format>, hints: Hints<'_>) -> Option<Format> {
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !matches!(line.first(), None | Some(b'#')));
    let line = lines.next()?;
    let next = String::from_utf8_lossy(lines.next().unwrap_or_default());
    match line {
        [b'{', rest @ ..] if is_object(rest) => return Some(Format::JsonLines),
        [b'[', next, ..] if next.is_ascii_alphanumeric() || *next == b' ' => return Some(Format::Pgn),
        [b'1', b'.', ..] | [b'%' | b'{' | b'*', ..] => return Some(Format::Pgn),
        _ => {}
    }
    let text = String::from_utf8_lossy(line);
    let table = |delimiter| if delimiter == b'\t' { Format::Tsv } else { Format::Csv };
    let first = |text: &str| {
        let end = text.find([' ', '\t', '_', '\u{a0}', ';', ',', '|']).unwrap_or(text.len());
        text[..end].to_owned()
    };
    if looks_like_placement(first(&text).trim_start_matches(['"', '\''])) {
        let says_table = hints.is_table || matches!(named, Some(Format::Csv | Format::Tsv));
        // A cell in quotes with something after it is not a line.
        let is_cell = text.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        let is_cell = is_cell.is_some_and(|(_, rest)| rest.trim_start().starts_with([',', ';', '\t', '|']));
        let delimiter = table::delimiter_of(&text, hints.column).filter(|_| says_table || is_cell);
        return Some(delimiter.map_or(Format::Lines, table));
    }
    match first(&text).as_str() {
        "fen" if looks_like_placement(&first(text["fen".len()..].trim_start())) => {
            let is_block = matches!(first(&next).as_str(), "move" | "score" | "ply" | "result" | "e");
            return Some(if is_block { Format::Plain } else { Format::Lines });
        }
        "position" | "startpos" if text.contains("fen") || text.contains("startpos") => {
            let words = text.split_whitespace().take(2).collect::<Vec<_>>();
            if matches!(words[..], ["position", "fen" | "startpos"] | ["startpos"] | ["startpos", "moves"]) {
                return Some(Format::Lines);
            }
        }
        _ => {}
    }
    let delimiter = table::delimiter_of(&text, hints.column);
    let delimiter = delimiter.or_else(|| table::delimiter_of_two(&text, &next).filter(|_| named.is_none()));
    delimiter.map(table)
}

/// Where a source that should hold games begins with something else: its first line that is neither blank nor a
/// comment, and its format. Lines with positions can be told from games, which may follow.
pub(crate) fn not_games(name: &str, start: &[u8]) -> Option<(u64, Format)> {
    if start.starts_with(PARQUET_MAGIC) {
        return Some((1, Format::Parquet));
    }
    let mut lines = (1..).zip(start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii));
    let mut told = lines.by_ref().filter(|(_, line)| !matches!(line.first(), None | Some(b'#')));
    let ((number, _), next) = (told.next()?, told.next());
    let format = of_content(start, Format::of_name(name), Hints::default())?;
    // Words before a game may look like a header.
    let is_tag = next.is_some_and(|(_, line)| line.starts_with(b"["));
    match format {
        Format::Pgn | Format::Lines => None,
        Format::Csv | Format::Tsv if is_tag => None,
        other => Some((number, other)),
    }
}

/// What to add to the message about a line that is not a position, if it shows what else it is.
///
/// ```
/// let said = bitmesh_corpus::not_a_position("[Event \"?\"]", "unexpected character");
/// assert_eq!(said, "this looks like a game (PGN), not a position (FEN): unexpected character");
/// assert_eq!(bitmesh_corpus::not_a_position("8/8", "too few ranks"), "too few ranks");
/// ```
#[must_use]
pub fn not_a_position(line: &str, error: impl fmt::Display) -> String {
    match Format::of_text(line.as_bytes()) {
        Some(format @ (Format::Pgn | Format::JsonLines | Format::Plain)) => {
            format!("this looks like {}, not {}: {error}", format.describe(), Format::Lines.describe())
        }
        _ => error.to_string(),
    }
}

/// Whether a line shows by itself what it is.
pub(crate) fn begins_with_record(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    let is_array = matches!(line, [b'[', next, ..] if next.is_ascii_whitespace());
    matches!(line, [b'[' | b'{' | b'%' | b'*', ..] | [b'1', b'.', ..]) && !is_array
        || line[..end].iter().filter(|&&byte| byte == b'/').count() == 7
}

/// Whether this text can follow the brace of a JSON object: a name and a colon. A comment of a game does not.
fn is_object(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    let Some(name) = rest.strip_prefix(b"\"") else { return false };
    let end = name.iter().position(|&byte| byte == b'"');
    end.is_some_and(|end| name[end + 1..].trim_ascii_start().starts_with(b":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

    fn detect(name: &str, start: &str) -> Format {
        Format::detect(name, start.as_bytes(), Hints::default())
    }

    #[test]
    fn content_decides_before_the_name() {
        assert_eq!(detect("x.csv", &format!("# comment\n\n{WALL}\n")), Format::Lines);
        assert_eq!(detect("x.txt", "[Event \"?\"]\n"), Format::Pgn);
        assert_eq!(detect("x.fen", "\n1. e4 e5 *\n"), Format::Pgn);
        assert_eq!(detect("x.fen", &format!("id,FEN\n1,{WALL}\n")), Format::Csv);
        assert_eq!(detect("", &format!("1,{WALL},a2a4\n")), Format::Csv);
        assert_eq!(detect("", &format!("position,eval\n{WALL},3\n")), Format::Csv);
        assert_eq!(detect("x.txt", "{\"fen\": \"8/8\"}\n"), Format::JsonLines);
        assert_eq!(detect("x.txt", "{ \"quoted\" comment } 1. e4 *\n"), Format::Pgn);
        assert_eq!(detect("x.txt", &format!("fen {WALL}\nmove a1b1\n")), Format::Plain);
        assert_eq!(detect("x.csv", &format!("fen {WALL}\nfen {WALL}\n")), Format::Lines);
        assert_eq!(detect("x.csv", "position startpos moves e2e4\n"), Format::Lines);
        assert_eq!(detect("", &format!("1\t{WALL}\ta2a4\n")), Format::Tsv);
        assert_eq!(detect("", "name;FEN\nwall;8/8\n"), Format::Csv);
        assert_eq!(detect("x.pgn", "PAR1\x15"), Format::Parquet);
    }

    #[test]
    fn what_is_not_games_is_told_with_its_line() {
        let told = |name: &str, start: &str| not_games(name, start.as_bytes());
        let object = format!("{{\"fen\": \"{WALL}\"}}\n");
        assert_eq!(told("x.fen", &format!("# walls\n\n{WALL}\n")), None);
        assert_eq!(told("x.csv", &format!("# walls\n\n{WALL},3\n")), Some((3, Format::Csv)));
        assert_eq!(told("", &object), Some((1, Format::JsonLines)));
        assert_eq!(told("", &format!("fen {WALL}\nmove a1b1\n")), Some((1, Format::Plain)));
        assert_eq!(told("", &format!("fen,eval\n{WALL},3\n")), Some((1, Format::Csv)));
        assert_eq!(told("", "PAR1\x15"), Some((1, Format::Parquet)));
        for games in [
            "",
            "[Event \"?\"]\n",
            "1. e4 e5\n",
            "e4 e5\n",
            "{A comment} 1. e4\n",
            "Games; with a pgn; of mine\n[Event \"?\"]\n",
            "# comment\n% escaped\n1. e4\n",
        ] {
            assert_eq!(told("x.pgn", games), None, "{games}");
        }
    }

    #[test]
    fn the_name_decides_where_the_content_says_nothing() {
        assert_eq!(detect("x.pgn", ""), Format::Pgn);
        assert_eq!(detect("x.csv.gz", "what,ever\n"), Format::Csv);
        assert_eq!(detect("x", "what ever\n"), Format::Lines);
    }

    #[test]
    fn delimiters_inside_a_fen_or_epd_line_make_no_table() {
        let tabs = WALL.replace(' ', "\t");
        let underscores = WALL.replace(' ', "_");
        let epd = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - bm Kb1; id \"a, b\"; c0 \"FEN;fen\";";
        for line in [&tabs, &underscores, epd, &format!("{WALL};"), &format!("\"{WALL}\"")] {
            assert_eq!(detect("x.csv", line), Format::Lines, "{line}");
        }
    }

    #[test]
    fn a_line_that_begins_with_a_position_is_a_row_only_where_the_name_says_so() {
        for tail in [";0.5", ", White to play", "|25", ";\"note", ",3,\"a\""] {
            let line = format!("{WALL}{tail}\n");
            for name in ["x.epd", "x.fen", "x.txt", "-", ""] {
                assert_eq!(detect(name, &line), Format::Lines, "{name} {line}");
            }
            assert_eq!(detect("x.csv", &line), Format::Csv, "{line}");
            let hints = Hints { is_table: true, ..Hints::default() };
            assert_eq!(Format::detect("", line.as_bytes(), hints), Format::Csv);
        }
        assert_eq!(detect("", &format!("\"{WALL}\",3\n")), Format::Csv);
    }

    #[test]
    fn names_are_read_back() {
        let formats = [Format::Lines, Format::Pgn, Format::Csv, Format::Tsv, Format::Parquet];
        for format in formats.into_iter().chain([Format::JsonLines, Format::Plain]) {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("json".parse::<Format>().is_err());
    }
}
