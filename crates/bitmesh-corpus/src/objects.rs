//! JSON lines: one object a line, with a field that holds a position.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::how::How;
use crate::lines::{checked_text, line_content, read_text, shorten};
use crate::pgn;
use crate::problem::{Notice, Place, Problem};
use crate::shape::is_fen;
use crate::table::{MOVETEXT_COLUMNS, POSITION_COLUMNS};
use crate::visit::{Outcome, Part, Visit};

/// Reads one line: blank ones are skipped, anything else is an object with a position, or a problem.
pub(crate) fn read_object(line: &[u8], place: Place, how: &How, visit: &mut impl Visit) -> Outcome {
    let line = line_content(line, place, visit);
    if line.trim_ascii().is_empty() {
        return Outcome::Skipped(Part::Blank);
    }
    let mut read = || -> Result<Outcome, Problem> {
        let text = checked_text(line)?;
        let object = Object::parse(text, how)?;
        for (name, text) in &object.carried {
            how.carry_column(name, text, visit);
        }
        if object.is_repeated {
            return Err(Problem::new("json/repeated-key", "the object has the field of the position twice"));
        }
        match object.held {
            Held::Named(Some(fen)) => Ok(read_text(&fen, place, how, visit)),
            Held::Named(None) => Err(Problem::new("json/no-text", "the field of the position is not a text")),
            Held::Found(name, fen) => {
                let message =
                    format!("field {} is read as the position because of its contents", shorten(&name));
                visit.notice(Notice { place, code: "json/field-found", message });
                Ok(read_text(&fen, place, how, visit))
            }
            Held::Moves(name, moves) => {
                let message = format!("field {} holds a game", shorten(&name));
                visit.notice(Notice { place, code: "json/game-found", message });
                let place = place.with_game(place.line.unwrap_or_default());
                Ok(pgn::read_game(moves.as_bytes(), None, place, how, visit))
            }
            Held::Nothing => {
                let names = shorten(&object.names.join(", "));
                let message = format!("no field fen; the fields are: {names}");
                Err(Problem::new("json/no-fen", message))
            }
        }
    };
    read().unwrap_or_else(|problem| {
        visit.problem(place, problem);
        Outcome::Failed
    })
}

/// What is wanted of an object.
struct Object<'a> {
    names: Vec<Cow<'a, str>>,
    /// Fields that are carried along, as text.
    carried: Vec<(Cow<'a, str>, String)>,
    held: Held<'a>,
    is_repeated: bool,
}

/// Where the position is; what comes first counts most.
enum Held<'a> {
    /// In the field that is named for it; `None` if that is not a text.
    Named(Option<Cow<'a, str>>),
    /// In a field of another name.
    Found(Cow<'a, str>, Cow<'a, str>),
    /// Nowhere, but there are moves.
    Moves(Cow<'a, str>, Cow<'a, str>),
    Nothing,
}

impl<'a> Object<'a> {
    fn parse(text: &'a str, how: &How) -> Result<Self, Problem> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let object = Seed { how }.deserialize(&mut deserializer);
        let object = object.and_then(|object| deserializer.end().map(|()| object));
        object.map_err(|error| Problem::new("json/syntax", format!("not a JSON object: {error}")))
    }
}

struct Seed<'h> {
    how: &'h How,
}

impl<'a> DeserializeSeed<'a> for Seed<'_> {
    type Value = Object<'a>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Seed<'_> {
    type Value = Object<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut object =
            Object { names: Vec::new(), carried: Vec::new(), held: Held::Nothing, is_repeated: false };
        while let Some(Key(name)) = map.next_key()? {
            let is_one_of = |names: &[&str]| names.iter().any(|other| name.eq_ignore_ascii_case(other));
            let is_named = match &self.how.field {
                Some(field) => name.eq_ignore_ascii_case(field),
                None => is_one_of(&POSITION_COLUMNS),
            };
            let value = if self.how.extra.columns.iter().any(|wanted| wanted.eq_ignore_ascii_case(&name)) {
                match map.next_value()? {
                    Value::String(text) => {
                        object.carried.push((name.clone(), text.clone()));
                        Some(Cow::Owned(text))
                    }
                    Value::Null => None,
                    other => {
                        object.carried.push((name.clone(), other.to_string()));
                        None
                    }
                }
            } else {
                let Scalar(value) = map.next_value()?;
                value
            };
            if is_named {
                object.is_repeated |= matches!(object.held, Held::Named(_));
                object.held = Held::Named(value);
            } else if self.how.field.is_none()
                && let Some(value) = value
            {
                match object.held {
                    Held::Nothing | Held::Moves(..) if is_fen(&value) => {
                        object.held = Held::Found(name.clone(), value);
                    }
                    Held::Nothing if is_one_of(&MOVETEXT_COLUMNS) => {
                        object.held = Held::Moves(name.clone(), value);
                    }
                    _ => {}
                }
            }
            object.names.push(name);
        }
        Ok(object)
    }
}

/// A name, borrowed where it has no escapes.
struct Key<'a>(Cow<'a, str>);

impl<'a> serde::Deserialize<'a> for Key<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        let Scalar(text) = Scalar::deserialize(deserializer)?;
        Ok(Self(text.unwrap_or_default()))
    }
}

/// A text, or `None` for any other value.
struct Scalar<'a>(Option<Cow<'a, str>>);

impl<'a> serde::Deserialize<'a> for Scalar<'a> {
    fn deserialize<D: Deserializer<'a>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'a> Visitor<'a> for ScalarVisitor {
    type Value = Scalar<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<Self::Value, E> {
        Ok(Scalar(Some(Cow::Borrowed(text))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Scalar(Some(Cow::Owned(text.to_owned()))))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Scalar(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Scalar(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Scalar(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Scalar(None))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar(None))
    }

    fn visit_seq<S: serde::de::SeqAccess<'a>>(self, mut seq: S) -> Result<Self::Value, S::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar(None))
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar(None))
    }
}
