//! The first look at a document: whether it is JSON in which no key occurs twice, and which schema it names.
//!
//! Where a key occurs twice, readers differ about which value counts, so that one would verify what another does not
//! see. Nothing of the document is kept. The limits on its parts are far above what any document of this library
//! needs.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The longest text, in bytes: more than a binding holds, with room to say so.
const LONGEST_TEXT: usize = 1 << 20;

/// The most keys of one object.
const MOST_KEYS: usize = 64;

/// What the first look found.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The text under the key `schema` of the whole document.
    pub(super) schema: Option<String>,
}

/// Why a text is not a document that can be read.
#[derive(Debug)]
pub(super) enum OutlineError {
    /// A key occurs twice in one object.
    Ambiguous(serde_json::Error),
    /// It is not JSON, or too large in some part.
    NotJson(serde_json::Error),
}

pub(super) fn outline(text: &[u8]) -> Result<Outline, OutlineError> {
    let twice = Cell::new(false);
    let mut outline = Outline::default();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let read = Once { twice: &twice, schema: Some(&mut outline.schema) }.deserialize(&mut reader);
    match read.and_then(|()| reader.end()) {
        Ok(()) => Ok(outline),
        Err(error) if twice.get() => Err(OutlineError::Ambiguous(error)),
        Err(error) => Err(OutlineError::NotJson(error)),
    }
}

/// A value in which no object names a key twice.
struct Once<'a> {
    twice: &'a Cell<bool>,
    /// Where the schema goes, at the top of the document.
    schema: Option<&'a mut Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Once<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        check_length(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while elements.next_element_seed(Once { twice: self.twice, schema: None })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { twice, mut schema } = self;
        let mut keys: Vec<Cow<'de, str>> = Vec::new();
        while let Some(key) = entries.next_key_seed(Text)? {
            check_length(&key)?;
            if keys.contains(&key) {
                twice.set(true);
                return Err(A::Error::custom(format_args!("the key `{key}` occurs twice")));
            }
            if keys.len() == MOST_KEYS {
                return Err(A::Error::custom(format_args!("an object has more than {MOST_KEYS} keys")));
            }
            match schema.as_deref_mut().filter(|_| key == "schema") {
                Some(schema) => *schema = entries.next_value_seed(Schema { twice })?,
                None => entries.next_value_seed(Once { twice, schema: None })?,
            }
            keys.push(key);
        }
        Ok(())
    }
}

fn check_length<E: Error>(text: &str) -> Result<(), E> {
    if text.len() > LONGEST_TEXT {
        return Err(E::custom(format_args!("a text has more than {LONGEST_TEXT} bytes")));
    }
    Ok(())
}

/// A text, borrowed from the input where it has no escapes.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        check_length(text)?;
        Ok(Cow::Owned(text.to_owned()))
    }
}

/// The schema, if it is a text.
struct Schema<'a> {
    twice: &'a Cell<bool>,
}

impl<'de> DeserializeSeed<'de> for Schema<'_> {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Anything but a text is not a schema, and is checked like every other value.
impl<'de> Visitor<'de> for Schema<'_> {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a schema")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        check_length(text)?;
        Ok(Some(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Self::Value, A::Error> {
        Once { twice: self.twice, schema: None }.visit_seq(elements).map(|()| None)
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
        Once { twice: self.twice, schema: None }.visit_map(entries).map(|()| None)
    }
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::ToString as _;

    use super::*;

    fn message(text: &str) -> String {
        match outline(text.as_bytes()) {
            Err(OutlineError::Ambiguous(error)) => format!("twice: {error}"),
            Err(OutlineError::NotJson(error)) => error.to_string(),
            Ok(found) => format!("{found:?}"),
        }
    }

    #[test]
    fn a_key_that_is_there_twice_is_named_at_every_depth() {
        for text in [
            r#"{"a":1,"a":1}"#,
            r#"[{"b":{"a":1,"c":[],"a":2}}]"#,
            r#"{"x":[[{"a":0,"\u0061":0}]]}"#,
            r#"{"schema":{"a":0,"a":0}}"#,
        ] {
            assert!(message(text).starts_with("twice: the key `a` occurs twice"), "{text}");
        }
        assert!(message(r#"{"schema":"x","schema":"y"}"#).starts_with("twice: the key `schema`"));
    }

    #[test]
    fn everything_else_passes() {
        let text = r#"{"a":{"a":[null,true,-1,1.5,18446744073709551615,"\u00e9"]},"b":{"a":1}}"#;
        assert!(outline(text.as_bytes()).is_ok_and(|found| found.schema.is_none()));
        assert!(message("{} {}").starts_with("trailing characters"));
        assert!(message("{").starts_with("EOF"));
    }

    #[test]
    fn the_schema_is_the_one_at_the_top() {
        let schema = |text: &str| outline(text.as_bytes()).unwrap().schema;
        assert_eq!(schema(r#"{"a":{"schema":"inner"},"schema":"outer"}"#).as_deref(), Some("outer"));
        assert_eq!(schema(r#"{"a":{"schema":"inner"}}"#), None);
        assert_eq!(schema(r#"[{"schema":"inner"}]"#), None);
        for other in ["null", "1", "-1", "1.5", "true", "[]", "{}"] {
            assert_eq!(schema(&format!(r#"{{"schema":{other}}}"#)), None);
        }
    }

    #[test]
    fn what_no_document_has_is_refused_before_it_fills_the_memory() {
        let keys = |count: usize| {
            let list: Vec<String> = (0..count).map(|key| format!("\"{key}\":0")).collect();
            format!("{{{}}}", list.join(","))
        };
        assert!(outline(keys(64).as_bytes()).is_ok());
        assert!(message(&keys(65)).starts_with("an object has more than 64 keys"));
        let text = |length: usize| format!("[\"{}\"]", "x".repeat(length));
        assert!(outline(text(1 << 20).as_bytes()).is_ok());
        assert!(message(&text((1 << 20) + 1)).starts_with("a text has more than 1048576 bytes"));
        assert!(message(&"[".repeat(200)).starts_with("recursion limit exceeded"));
    }
}
