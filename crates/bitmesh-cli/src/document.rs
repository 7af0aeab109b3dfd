//! JSON documents: read where they say everything once, written so that a terminal shows them.

use std::fmt;
use std::io::{self, Write};

use bitmesh_corpus::write_json;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads a JSON document in which no object names a key twice, at any depth.
///
/// Where a key stands twice, readers differ about which value counts, so that one would verify what another does not
/// see.
pub(crate) fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(text).map(|Once(value)| value)
}

/// Writes a JSON document on one line.
pub(crate) fn write(mut out: impl Write, document: &impl Serialize) -> io::Result<()> {
    write_json(&mut out, document)?;
    out.write_all(b"\n")
}

struct Once(Value);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OnceVisitor).map(Self)
    }
}

struct OnceVisitor;

impl<'de> Visitor<'de> for OnceVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Once(element)) = elements.next_element()? {
            list.push(element);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` is there twice")));
            }
            let Once(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_key_that_is_there_twice_is_named_at_every_depth() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":[],"a":2}}]"#, r#"{"x":[[{"a":0,"\u0061":0}]]}"#]
        {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("the key `a` is there twice"), "{error}");
        }
    }

    #[test]
    fn everything_else_is_read_as_usual() {
        let text = r#"{"a":{"a":[null,true,-1,1.5,18446744073709551615,"\u00e9"]},"b":{"a":1}}"#;
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<serde_json::Value>(text).unwrap());
        assert!(parse(b"{} {}").is_err());
    }
}
