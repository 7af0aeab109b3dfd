//! Where a game starts: the tags FEN, SetUp and Variant.

use bitmesh::{Input, read_position_with};
use shakmaty::Chess;

use super::tags::{self, Tag, Tags};
use crate::how::How;
use crate::lines::{shorten, tell_notes};
use crate::problem::{Notice, Place, Problem};
use crate::visit::Visit;

/// The tags that matter, as far as they were given.
#[derive(Default)]
struct Given {
    fen: Option<Result<String, Problem>>,
    set_up: Option<String>,
    variant: Option<String>,
}

/// Reads the tags of a game, says where its movetext begins, and from which position it starts.
///
/// # Errors
///
/// When the tags name a start that cannot be determined, or another variant: no game ever falls back to the
/// usual start because its own is bad.
pub(super) fn read(
    tags: &mut Tags<'_>,
    start: Option<&str>,
    place: Place,
    how: &How,
    visit: &mut impl Visit,
) -> Result<Chess, Problem> {
    let mut given = Given::default();
    for tag in tags {
        match tag {
            Tag::Pair { name: [b'F' | b'f' | b'S' | b's' | b'V' | b'v', ..], .. } | Tag::Broken { .. } => {
                given.take(tag, place, visit);
            }
            Tag::Pair { .. } => {}
        }
    }
    if let (None, Some(start)) = (&given.fen, start) {
        given.fen = Some(Ok(start.trim().to_owned()));
    }
    given.start(place, how, visit)
}

impl Given {
    fn take(&mut self, tag: Tag<'_>, place: Place, visit: &mut impl Visit) {
        let mut notice = |code, message: String| visit.notice(Notice { place, code, message });
        let (name, value) = match tag {
            Tag::Pair { name, value } => (name, value),
            Tag::Broken { text } => {
                let shown = String::from_utf8_lossy(text);
                let shown = shorten(&shown);
                if tags::name_of(text).is_some_and(|name| name.eq_ignore_ascii_case(b"FEN")) {
                    let message = format!("FEN tag cannot be read: {shown}");
                    self.fen = Some(Err(Problem::new("pgn/bad-fen-tag", message)));
                } else {
                    notice("pgn/bad-tag", format!("tag passed over: {shown}"));
                }
                return;
            }
        };
        let known = ["FEN", "SetUp", "Variant"];
        let Some(known) = known.into_iter().find(|known| name.eq_ignore_ascii_case(known.as_bytes())) else {
            return;
        };
        if name != known.as_bytes() {
            let message = format!("tag {} read as {known}", String::from_utf8_lossy(name));
            notice("pgn/tag-case", message);
        }
        let value = tags::decode(value).into_owned();
        match known {
            "FEN" => match &self.fen {
                None => self.fen = Some(Ok(value)),
                Some(Ok(before)) if *before == value => {
                    notice(
                        "pgn/repeated-fen-tag",
                        "the FEN tag is given twice with the same value".to_owned(),
                    );
                }
                Some(Ok(_)) => {
                    let message = "two FEN tags with different positions";
                    self.fen = Some(Err(Problem::new("pgn/two-fen-tags", message)));
                }
                Some(Err(_)) => {}
            },
            "SetUp" => self.set_up = Some(value),
            _ => self.variant = Some(value),
        }
    }

    fn start(self, place: Place, how: &How, visit: &mut impl Visit) -> Result<Chess, Problem> {
        let chess960 = match self.variant.as_deref().map(Variant::of_name) {
            None | Some(Variant::Standard) => false,
            Some(Variant::Chess960) => true,
            Some(Variant::Other) => {
                let name = self.variant.unwrap_or_default();
                let message = format!("variant {} is not supported", shorten(&name));
                return Err(Problem::new("pgn/other-variant", message));
            }
        };
        let no_start = |message: &str| Err(Problem::new("pgn/no-start-position", message));
        let Some(fen) = self.fen else {
            return if chess960 {
                no_start("no start position: a Chess960 game without a FEN tag")
            } else {
                Ok(Chess::default())
            };
        };
        let fen = fen?;
        if self.set_up.as_deref() == Some("0") && !chess960 {
            let message =
                "SetUp \"0\" says that the game starts as usual: the FEN tag is not used".to_owned();
            visit.notice(Notice { place, code: "pgn/setup-zero", message });
            return Ok(Chess::default());
        }
        if matches!(fen.as_str(), "" | "?" | "-") {
            return no_start("no start position: the FEN tag is not filled in");
        }
        let bad = |why: String| Problem::new("pgn/bad-fen-tag", format!("FEN tag: {why}"));
        match read_position_with(&fen, how.tolerances) {
            Ok(reading) => match &reading.input {
                Input::Position(position) => {
                    tell_notes(&fen, &reading, place.at_ply(0), visit);
                    Ok(position.chess().clone())
                }
                Input::Board(board) => {
                    let why = board.reasons().first().map(ToString::to_string).unwrap_or_default();
                    Err(bad(format!("not a legal position: {why}")))
                }
            },
            Err(error) if error.code() == "position/pocket" => {
                Err(Problem::new("pgn/other-variant", format!("FEN tag: {error}")))
            }
            Err(error) => Err(bad(error.to_string())),
        }
    }
}

enum Variant {
    Standard,
    Chess960,
    Other,
}

impl Variant {
    fn of_name(name: &str) -> Self {
        let letters: String = name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        match letters.as_str() {
            "" | "standard" | "standardchess" | "chess" | "normal" | "normalchess" | "orthodox"
            | "orthodoxchess" | "orthochess" | "classical" | "classicalchess" | "classic" | "regular"
            | "regularchess" | "western" | "westernchess" | "international" | "internationalchess"
            | "fide" | "fidechess" | "fromposition" | "position" | "setup" | "setupposition"
            | "customposition" | "none" => Self::Standard,
            "chess960"
            | "960"
            | "c960"
            | "chess960freestyle"
            | "freestylechess960"
            | "doublechess960"
            | "fischer"
            | "fischerandom"
            | "fischerrandom"
            | "fischerandomchess"
            | "fischerrandomchess"
            | "fischerandomchess960"
            | "fischerrandomchess960"
            | "doublefischerrandom"
            | "doublefischerandom"
            | "frc"
            | "dfrc"
            | "frcchess"
            | "chess9lx"
            | "9lx"
            | "wildfr"
            | "freestyle"
            | "freestylechess" => Self::Chess960,
            _ => Self::Other,
        }
    }
}
