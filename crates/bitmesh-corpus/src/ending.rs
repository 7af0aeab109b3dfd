//! How a game ended, from the words of its tags and of the comments at its end.
//!
//! Only words of a table count. A tag says little else than how the game ended, so that a phrase in it is enough. A
//! comment may be an annotator's prose: it counts when the whole of it is such a sentence, or what follows its last
//! comma, where engine matches put it.

use shakmaty::{ByColor, Color};

/// How a game ended, as far as it matters for an audit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ending {
    Time,
    Mate,
    Other,
}

/// Words of a tag that deny what is said, or name another end.
const OTHERWISE: [&str; 8] =
    ["not", "without", "never", "resign", "resigns", "resigned", "resignation", "agreement"];

/// Phrases of tags, in lower case.
const PHRASES: [(&str, Ending); 27] = [
    ("time forfeit", Ending::Time),
    ("time forfeiture", Ending::Time),
    ("on time", Ending::Time),
    ("by time", Ending::Time),
    ("out of time", Ending::Time),
    ("time out", Ending::Time),
    ("timeout", Ending::Time),
    ("timed out", Ending::Time),
    ("time limit", Ending::Time),
    ("time expired", Ending::Time),
    ("flag fall", Ending::Time),
    ("flag falls", Ending::Time),
    ("flag fell", Ending::Time),
    ("flagged", Ending::Time),
    ("by checkmate", Ending::Mate),
    ("by mate", Ending::Mate),
    ("checkmated", Ending::Mate),
    ("checkmates", Ending::Mate),
    ("is mated", Ending::Mate),
    ("was mated", Ending::Mate),
    ("white mated", Ending::Mate),
    ("black mated", Ending::Mate),
    ("white mates", Ending::Mate),
    ("black mates", Ending::Mate),
    ("is checkmate", Ending::Mate),
    ("gives mate", Ending::Mate),
    ("gives checkmate", Ending::Mate),
];

/// Sentences of comments, in lower case; `@` and `#` stand for the two sides.
const SENTENCES: [(&str, Ending); 41] = [
    // FICS, ICC.
    ("@ forfeits on time", Ending::Time),
    ("@ ran out of time", Ending::Time),
    ("both players ran out of time", Ending::Time),
    ("game drawn because both players ran out of time", Ending::Time),
    ("game drawn because @ ran out of time and # has no material to mate", Ending::Time),
    ("@ ran out of time and # has no material to mate", Ending::Time),
    ("@ checkmated", Ending::Mate),
    // Lichess.
    ("@ wins on time", Ending::Time),
    ("@ time out", Ending::Time),
    ("draw by time and insufficient material", Ending::Time),
    ("@ wins by checkmate", Ending::Mate),
    // Engine matches.
    ("@ loses on time", Ending::Time),
    ("draw by timeout", Ending::Time),
    ("@ mates", Ending::Mate),
    // Databases and programs.
    ("@ won on time", Ending::Time),
    ("@ lost on time", Ending::Time),
    ("@ forfeited on time", Ending::Time),
    ("@ forfeits by time", Ending::Time),
    ("@ wins by timeout", Ending::Time),
    ("@ won by timeout", Ending::Time),
    ("@ wins by time forfeit", Ending::Time),
    ("@ loses by time forfeit", Ending::Time),
    ("@ runs out of time", Ending::Time),
    ("@ timed out", Ending::Time),
    ("@ flagged", Ending::Time),
    ("@'s flag fell", Ending::Time),
    ("@'s flag falls", Ending::Time),
    ("@'s flag has fallen", Ending::Time),
    ("@ oversteps the time limit", Ending::Time),
    ("@ overstepped the time limit", Ending::Time),
    ("@ exceeded the time limit", Ending::Time),
    ("time forfeit", Ending::Time),
    ("on time", Ending::Time),
    ("won on time", Ending::Time),
    ("lost on time", Ending::Time),
    ("@ won by checkmate", Ending::Mate),
    ("@ is checkmated", Ending::Mate),
    ("@ is mated", Ending::Mate),
    ("@ checkmates", Ending::Mate),
    ("checkmate", Ending::Mate),
    ("mate", Ending::Mate),
];

impl Ending {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Mate => "mate",
            Self::Other => "other",
        }
    }

    pub(crate) fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Other { other() } else { self }
    }

    /// What a tag says: `Time forfeit`, `A won on time`, `B won by checkmate`.
    pub(crate) fn of_tag(text: &str) -> Self {
        let words = words(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        // A player may be called Checkmated, and still have won by resignation.
        let words = match words.iter().rposition(|&word| word == "won") {
            Some(at) if at > 0 => &words[at..],
            _ => &words[..],
        };
        if let ["mate" | "checkmate"] = words {
            return Self::Mate;
        }
        if words.iter().any(|word| OTHERWISE.contains(word)) {
            return Self::Other;
        }
        let is_there = |phrase: &str| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            let mut starts = words.windows(phrase.len()).enumerate();
            starts.any(|(at, window)| window == phrase && (at == 0 || words[at - 1] != "no"))
        };
        let found = PHRASES.iter().find(|(phrase, _)| is_there(phrase));
        found.map_or(Self::Other, |&(_, ending)| ending)
    }

    /// What one of the comments at the end of a game says, the last one first.
    pub(crate) fn of_comments(comments: &str) -> Self {
        comments.lines().rev().fold(Self::Other, |found, comment| found.or_else(|| Self::of_comment(comment)))
    }

    fn of_comment(comment: &str) -> Self {
        let mut text = comment;
        // Commands such as the clock stand in brackets.
        while let Some((_, rest)) = text.trim_start().strip_prefix('[').and_then(|text| text.split_once(']'))
        {
            text = rest;
        }
        let last = text.rsplit(',').next().unwrap_or(text);
        Self::of_sentence(text).or_else(|| Self::of_sentence(last))
    }

    fn of_sentence(text: &str) -> Self {
        let text = words(text).join(" ");
        let is_it = |sentence: &str| {
            [("white", "black"), ("black", "white")]
                .iter()
                .any(|(one, other)| sentence.replace('@', one).replace('#', other) == text)
        };
        let found = SENTENCES.iter().find(|(sentence, _)| is_it(sentence));
        found.map_or(Self::Other, |&(_, ending)| ending)
    }
}

/// Whom the words of a tag or comment let win on time, if they name a side: `White`, or the name of its player.
pub(crate) fn winner_on_time(text: &str, names: ByColor<&str>) -> Option<Color> {
    text.lines().rev().find_map(|line| {
        let words = words(line.rsplit(',').next().unwrap_or(line));
        let is_named = |color: Color| {
            let subject = |name: &[String]| {
                let after = words.strip_prefix(name)?.first()?;
                (!name.is_empty()).then_some(after.as_str())
            };
            let owner = format!("{}'s", color.fold_wb("white", "black"));
            if words.first() == Some(&owner) {
                return Some("flag");
            }
            subject(&[color.fold_wb("white", "black").to_owned()])
                .or_else(|| subject(&self::words(names.get(color))))
        };
        let found = |color| match is_named(color)? {
            "wins" | "won" => Some(color),
            "forfeits" | "forfeited" | "loses" | "lost" | "ran" | "runs" | "timed" | "time" | "flagged"
            | "flag" | "oversteps" | "overstepped" | "exceeded" => Some(!color),
            _ => None,
        };
        found(Color::White).or_else(|| found(Color::Black))
    })
}

/// The words of a text in lower case. What may be part of a player's name separates nothing.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace('\u{2019}', "'");
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '\'');
    let words = text.split(|character| !is_part(character));
    words.filter(|word| word.contains(char::is_alphanumeric)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_servers_are_understood() {
        for text in [
            "Time forfeit",
            "time forfeit",
            "Anna won on time",
            "anna_1 won on time",
            "Game drawn by timeout vs insufficient material",
            "White forfeits on time",
            "Black ran out of time and White has no material to mate",
            "White's flag fell",
            "Time limit",
        ] {
            assert_eq!(Ending::of_tag(text), Ending::Time, "{text}");
        }
        for text in ["Anna won by checkmate", "White checkmated", "Checkmate", "mate", "Black is mated"] {
            assert_eq!(Ending::of_tag(text), Ending::Mate, "{text}");
        }
        for text in [
            "",
            "Normal",
            "normal",
            "Abandoned",
            "abandoned",
            "adjudication",
            "death",
            "emergency",
            "rules infraction",
            "unterminated",
            "Unterminated",
            "Anna won by resignation",
            "Anna won - game abandoned",
            "Game drawn by agreement",
            "Game drawn by stalemate",
            "White is stalemated",
            "Game drawn by repetition",
            "Game drawn by insufficient material",
            "Game drawn by 50-move rule",
            "Neither player has mating material",
            "White resigns",
            "Checkmated won by resignation",
            "white_mated won by resignation",
            "Flagged won by resignation",
            "sometimeouts won by resignation",
            "Won by resignation, no timeout",
            "timed out player resigned",
            "Adjudicated: no timeout",
            "Anna won, Ben did not lose on time",
        ] {
            assert_eq!(Ending::of_tag(text), Ending::Other, "{text}");
        }
    }

    #[test]
    fn words_name_who_won_on_time() {
        let names = ByColor { white: "Bishop, Anna", black: "rook_7" };
        for (text, winner) in [
            ("Time forfeit", None),
            ("Bishop, Anna won on time", None),
            ("rook_7 won on time", Some(Color::Black)),
            ("Rook_7 forfeits on time", Some(Color::White)),
            ("White forfeits on time", Some(Color::Black)),
            ("Black wins on time.", Some(Color::Black)),
            ("White's flag fell", Some(Color::Black)),
            ("Black ran out of time and White has no material to mate", Some(Color::White)),
            ("+0.3/12 1s, White loses on time", Some(Color::Black)),
            ("White wins on time\nannotated by a friend", Some(Color::White)),
            ("White could have won on time", None),
        ] {
            assert_eq!(winner_on_time(text, names), winner, "{text}");
        }
        assert_eq!(winner_on_time("won on time", ByColor { white: "", black: "" }), None);
    }

    #[test]
    fn comments_count_when_they_are_such_a_sentence() {
        for text in [
            "Black forfeits on time",
            " White wins on time. ",
            "White Forfeits On Time",
            "Game drawn because Black ran out of time and White has no material to mate",
            "Black ran out of time and White has no material to mate",
            "+3.21/18 0.5s, White loses on time",
            "[%clk 0:00:00] Black's flag fell",
            "Black\u{2019}s flag fell!",
            "[%eval 0.3] [%clk 0:00:01] White lost on time",
            "won on time",
        ] {
            assert_eq!(Ending::of_comments(text), Ending::Time, "{text}");
        }
        for text in
            ["White wins by checkmate.", "Black checkmated", "+M1/5 0.1s, White mates", "checkmate", "Mate."]
        {
            assert_eq!(Ending::of_comments(text), Ending::Mate, "{text}");
        }
        for text in [
            "",
            "White resigns",
            "Neither player has mating material",
            "Game drawn by stalemate",
            "Game drawn because White ran out of time and White has no material to mate",
            "White could have won on time",
            "and here White wins on time in most games",
            "Not 41. Qb7 because White wins on time anyway",
            "Black resigns before White mates in three",
            "[%clk 0:00:01]",
            "[",
        ] {
            assert_eq!(Ending::of_comments(text), Ending::Other, "{text}");
        }
    }

    #[test]
    fn the_last_comment_that_says_something_counts() {
        let comments = "[%clk 0:00:04]\nWhite wins by checkmate.\nannotated by a friend";
        assert_eq!(Ending::of_comments(comments), Ending::Mate);
        assert_eq!(Ending::of_comments("Black mates\nBlack forfeits on time"), Ending::Time);
    }

    #[test]
    fn no_sentence_or_phrase_stands_twice() {
        let sentences = SENTENCES.iter().map(|(text, _)| text);
        let phrases = PHRASES.iter().map(|(text, _)| text);
        for texts in [sentences.collect::<Vec<_>>(), phrases.collect()] {
            let mut once = texts.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), texts.len());
        }
    }
}
