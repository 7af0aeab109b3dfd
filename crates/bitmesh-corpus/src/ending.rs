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

/// What a sentence says, of the side `@` where it names one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Said {
    /// The side won on time.
    Won,
    /// The side lost on time, or would have.
    Lost,
    /// Time ran out.
    Time,
    /// There was mate.
    Mate,
}

impl Said {
    const fn ending(self) -> Ending {
        match self {
            Self::Won | Self::Lost | Self::Time => Ending::Time,
            Self::Mate => Ending::Mate,
        }
    }
}

/// Sentences of comments, in lower case; `@` and `#` stand for the two sides.
const SENTENCES: [(&str, Said); 41] = [
    // FICS, ICC.
    ("@ forfeits on time", Said::Lost),
    ("@ ran out of time", Said::Lost),
    ("both players ran out of time", Said::Time),
    ("game drawn because both players ran out of time", Said::Time),
    ("game drawn because @ ran out of time and # has no material to mate", Said::Lost),
    ("@ ran out of time and # has no material to mate", Said::Lost),
    ("@ checkmated", Said::Mate),
    // Lichess.
    ("@ wins on time", Said::Won),
    ("@ time out", Said::Lost),
    ("draw by time and insufficient material", Said::Time),
    ("@ wins by checkmate", Said::Mate),
    // Engine matches.
    ("@ loses on time", Said::Lost),
    ("draw by timeout", Said::Time),
    ("@ mates", Said::Mate),
    // Databases and programs.
    ("@ won on time", Said::Won),
    ("@ lost on time", Said::Lost),
    ("@ forfeited on time", Said::Lost),
    ("@ forfeits by time", Said::Lost),
    ("@ wins by timeout", Said::Won),
    ("@ won by timeout", Said::Won),
    ("@ wins by time forfeit", Said::Won),
    ("@ loses by time forfeit", Said::Lost),
    ("@ runs out of time", Said::Lost),
    ("@ timed out", Said::Lost),
    ("@ flagged", Said::Lost),
    ("@'s flag fell", Said::Lost),
    ("@'s flag falls", Said::Lost),
    ("@'s flag has fallen", Said::Lost),
    ("@ oversteps the time limit", Said::Lost),
    ("@ overstepped the time limit", Said::Lost),
    ("@ exceeded the time limit", Said::Lost),
    ("time forfeit", Said::Time),
    ("on time", Said::Time),
    ("won on time", Said::Time),
    ("lost on time", Said::Time),
    ("@ won by checkmate", Said::Mate),
    ("@ is checkmated", Said::Mate),
    ("@ is mated", Said::Mate),
    ("@ checkmates", Said::Mate),
    ("checkmate", Said::Mate),
    ("mate", Said::Mate),
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

    /// What one of the comments at the end of a game says, the last one first, of the sides or of players of these names.
    pub(crate) fn of_comments(comments: &str, names: ByColor<&str>) -> Self {
        let of = |comment| Self::of_comment(comment, names);
        comments.lines().rev().fold(Self::Other, |found, comment| found.or_else(|| of(comment)))
    }

    fn of_comment(comment: &str, names: ByColor<&str>) -> Self {
        let mut text = comment;
        // Commands such as the clock stand in brackets.
        while let Some((_, rest)) = text.trim_start().strip_prefix('[').and_then(|text| text.split_once(']'))
        {
            text = rest;
        }
        let last = text.rsplit(',').next().unwrap_or(text);
        Self::of_sentence(text, names).or_else(|| Self::of_sentence(last, names))
    }

    fn of_sentence(text: &str, names: ByColor<&str>) -> Self {
        let text = words(text).join(" ");
        let [white, black] = [names.white, names.black].map(|name| words(name).join(" "));
        let sides = [("white", "black"), ("black", "white"), (&white, &black), (&black, &white)];
        let is_it = |sentence: &str| {
            // A game without names names nobody.
            let mut sides = sides.iter().filter(|(one, _)| !one.is_empty());
            // Names are put in last, whatever is in them.
            sides.any(|(one, other)| {
                let parts = sentence.split_inclusive(['@', '#']).map(|part| match part.strip_suffix('@') {
                    Some(before) => [before, one].concat(),
                    None => part
                        .strip_suffix('#')
                        .map_or_else(|| part.to_owned(), |before| [before, other].concat()),
                });
                parts.collect::<String>() == text
            })
        };
        let found = SENTENCES.iter().find(|(sentence, _)| is_it(sentence));
        found.map_or(Self::Other, |(_, said)| said.ending())
    }
}

/// Whom the words of a tag or comment let win on time, if they name a side: `White`, or the name of its player.
pub(crate) fn winner_on_time(text: &str, names: ByColor<&str>) -> Option<Color> {
    text.lines().rev().find_map(|line| {
        let words = words(line.rsplit(',').next().unwrap_or(line));
        let found = |color: Color| {
            let side = color.fold_wb("white", "black");
            let after = |name: &[String]| words.strip_prefix(name).filter(|_| !name.is_empty())?.first();
            let said = match after(&[format!("{side}'s")]) {
                Some(next) => said_of_side("@'s", next),
                None => {
                    let name = || self::words(names.get(color));
                    said_of_side("@", after(&[side.to_owned()]).or_else(|| after(&name()))?)
                }
            };
            match said? {
                Said::Won => Some(color),
                Said::Lost => Some(!color),
                Said::Time | Said::Mate => None,
            }
        };
        found(Color::White).or_else(|| found(Color::Black))
    })
}

/// How a side fared on time by the sentences that begin with this subject and this next word.
fn said_of_side(subject: &str, next: &str) -> Option<Said> {
    SENTENCES.iter().find_map(|&(sentence, said)| {
        let mut words = sentence.split(' ');
        let begins = words.next() == Some(subject) && words.next() == Some(next);
        (begins && matches!(said, Said::Won | Said::Lost)).then_some(said)
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

    const NAMES: ByColor<&str> = ByColor { white: "Anna B.", black: "Guest1" };

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
    fn every_sentence_about_a_side_says_who_won_on_time() {
        let names = ByColor { white: "", black: "" };
        for (sentence, said) in SENTENCES {
            let text = sentence.replace('@', "white").replace('#', "black");
            let winner = match said {
                _ if !sentence.starts_with('@') => None,
                Said::Won => Some(Color::White),
                Said::Lost => Some(Color::Black),
                // What follows "white won" does not matter here: only words about time are asked.
                Said::Time | Said::Mate => continue,
            };
            assert_eq!(winner_on_time(&text, names), winner, "{text}");
            let is_about_a_side = matches!(said, Said::Won | Said::Lost);
            assert!(!is_about_a_side || sentence.contains('@'), "{sentence}");
        }
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
            assert_eq!(Ending::of_comments(text, NAMES), Ending::Time, "{text}");
        }
        for text in
            ["White wins by checkmate.", "Black checkmated", "+M1/5 0.1s, White mates", "checkmate", "Mate."]
        {
            assert_eq!(Ending::of_comments(text, NAMES), Ending::Mate, "{text}");
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
            assert_eq!(Ending::of_comments(text, NAMES), Ending::Other, "{text}");
        }
    }

    /// FICS and the programs that play there write the names of the players.
    #[test]
    fn players_are_sides_in_comments() {
        for text in [
            "Guest1 forfeits on time",
            "Anna B. ran out of time and Guest1 has no material to mate",
            "guest1's flag fell",
        ] {
            assert_eq!(Ending::of_comments(text, NAMES), Ending::Time, "{text}");
        }
        assert_eq!(Ending::of_comments("Anna B. checkmated", NAMES), Ending::Mate);
        for text in [
            "Guest2 forfeits on time",
            "Anna forfeits on time",
            "Guest1 resigns",
            "Guest1 ran out of time and White has no material to mate",
        ] {
            assert_eq!(Ending::of_comments(text, NAMES), Ending::Other, "{text}");
        }
        let nobody = ByColor { white: "?", black: "" };
        assert_eq!(Ending::of_comments("forfeits on time", nobody), Ending::Other);
        // A name may hold the signs of the table.
        let odd = ByColor { white: "#@1", black: "on time" };
        assert_eq!(Ending::of_comments("#@1 forfeits on time", odd), Ending::Time);
        assert_eq!(Ending::of_comments("on time forfeits on time", odd), Ending::Time);
    }

    #[test]
    fn the_last_comment_that_says_something_counts() {
        let comments = "[%clk 0:00:04]\nWhite wins by checkmate.\nannotated by a friend";
        assert_eq!(Ending::of_comments(comments, NAMES), Ending::Mate);
        assert_eq!(Ending::of_comments("Black mates\nBlack forfeits on time", NAMES), Ending::Time);
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
