//! What kind of collection a source is.

use std::fmt;
use std::str::FromStr;

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
    /// A table with a delimiter that is found out, usually a comma.
    Csv,
    /// A table with tabs.
    Tsv,
    /// An Apache Parquet file.
    Parquet,
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
        }
    }

    /// What the name of a file says, `.gz`, `.bz2` and `.zst` aside.
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
            _ => None,
        }
    }

    /// What the first bytes of the text say, and where they say nothing, the name.
    ///
    /// Blank lines and lines that begin with `#` are passed over. `column` is the
    /// name of the column that a table would be read for.
    pub(crate) fn detect(name: &str, start: &[u8], column: Option<&str>) -> Self {
        if start.starts_with(PARQUET_MAGIC) {
            return Self::Parquet;
        }
        of_content(start, column).or_else(|| Self::of_name(name)).unwrap_or(Self::Lines)
    }
}

/// The first and the last four bytes of a Parquet file.
pub(crate) const PARQUET_MAGIC: &[u8] = b"PAR1";

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is none of a [`Format`].
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{name} is no format: fen, epd, pgn, csv, tsv, parquet")]
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
            _ => Err(UnknownFormat { name: name.to_owned() }),
        }
    }
}

fn of_content(start: &[u8], column: Option<&str>) -> Option<Format> {
    let line = start
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !matches!(line.first(), None | Some(b'#')))?;
    match line {
        [b'[', next, ..] if next.is_ascii_alphanumeric() || *next == b' ' => return Some(Format::Pgn),
        [b'1', b'.', ..] | [b'%' | b'{' | b'*', ..] => return Some(Format::Pgn),
        _ => {}
    }
    let text = String::from_utf8_lossy(line);
    if let Some(delimiter) = table::delimiter_of(&text, column) {
        return Some(if delimiter == b'\t' { Format::Tsv } else { Format::Csv });
    }
    let first = text.split([' ', '\t', '_', '\u{a0}', ';']).next().unwrap_or_default();
    is_placement(first.trim_start_matches(['"', '\''])).then_some(Format::Lines)
}

/// Whether a text has the shape of the placement field of a FEN. It need not be a good one.
pub(crate) fn is_placement(text: &str) -> bool {
    let is_part = |byte: u8| matches!(byte, b'1'..=b'8' | b'/') || b"pnbrqkPNBRQK".contains(&byte);
    text.bytes().filter(|&byte| byte == b'/').count() == 7 && text.bytes().all(is_part)
}

/// Whether a text has the shape of a FEN: a placement and a side to move, three to five more fields.
pub(crate) fn is_fen(text: &str) -> bool {
    let mut fields = text.split_ascii_whitespace();
    fields.next().is_some_and(is_placement)
        && matches!(fields.next(), Some("w" | "b"))
        && (2..=4).contains(&fields.clone().count())
        && fields.skip(2).all(|counter| counter == "-" || counter.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

    fn detect(name: &str, start: &str) -> Format {
        Format::detect(name, start.as_bytes(), None)
    }

    #[test]
    fn content_decides_before_the_name() {
        assert_eq!(detect("x.csv", &format!("# comment\n\n{WALL}\n")), Format::Lines);
        assert_eq!(detect("x.txt", "[Event \"?\"]\n"), Format::Pgn);
        assert_eq!(detect("x.fen", "\n1. e4 e5 *\n"), Format::Pgn);
        assert_eq!(detect("x.fen", &format!("id,FEN\n1,{WALL}\n")), Format::Csv);
        assert_eq!(detect("", &format!("1,{WALL},a2a4\n")), Format::Csv);
        assert_eq!(detect("", &format!("1\t{WALL}\ta2a4\n")), Format::Tsv);
        assert_eq!(detect("", "name;FEN\nwall;8/8\n"), Format::Csv);
        assert_eq!(detect("x.pgn", "PAR1\x15"), Format::Parquet);
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
    fn names_are_read_back() {
        for format in [Format::Lines, Format::Pgn, Format::Csv, Format::Tsv, Format::Parquet] {
            assert_eq!(format.name().parse(), Ok(format));
        }
        assert!("json".parse::<Format>().is_err());
    }
}
