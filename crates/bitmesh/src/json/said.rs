//! The document `bitmesh.certify.v1`, read as a claim.

use alloc::borrow::{Cow, ToOwned as _};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::Remark;
use crate::assessment::Assessment;
use crate::evidence::examination::Refusal;
use crate::position::{Input, read_position};
use crate::structure::certificate::DecompositionCertificate;

/// The most remarks of one list: there are fewer violations on any board.
const MOST_REMARKS: usize = 4096;

/// The answer about an input, as a document states it. The rest of it must follow from the position and the certificate.
#[derive(Clone, Debug)]
pub struct Certification {
    pub(crate) fen: String,
    pub(crate) context: String,
    pub(crate) certificate: DecompositionCertificate,
    fields: Vec<(String, Said)>,
}

/// The value of a field, if some field can have such a value.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Said {
    Text(String),
    Number(u64),
    Remark(Remark),
    Remarks(Vec<Remark>),
    Other,
}

impl Certification {
    /// The position or board that it is about, as the document writes it.
    #[must_use]
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The context of that text.
    #[must_use]
    pub fn context(&self) -> &str {
        &self.context
    }

    /// The structural certificate in it, which may be invalid where it has no digest.
    #[must_use]
    pub const fn certificate(&self) -> &DecompositionCertificate {
        &self.certificate
    }

    /// Compares the document with the one that it should be, field by field.
    ///
    /// Notes and line are about the text that was read, which is not in the document: they must only be well-formed. The
    /// reasons why a board is not a position must be those of some text that gives this board.
    pub(crate) fn compare(&self, assessment: &Assessment) -> Result<(), Refusal> {
        let expected = assessment.fields();
        for (name, value) in &self.fields {
            let expected = expected.iter().find(|(known, _)| known == name).map(|(_, expected)| expected);
            let is_right = match name.as_str() {
                "notes" => matches!(value, Said::Remarks(_)),
                "line" => matches!(value, Said::Number(1..)),
                "not_a_position" => match value {
                    Said::Remarks(reasons) => are_reasons(reasons, assessment.input()),
                    _ => false,
                },
                _ => expected == Some(value),
            };
            if is_right {
                continue;
            }
            let code = match name.as_str() {
                "verdict" | "claim" | "one_ply" => "verify/other-verdict",
                "position_digest" => "verify/other-position-digest",
                _ => "verify/other-field",
            };
            let message = match (name.as_str(), expected) {
                ("notes" | "line", _) => format!("the field `{name}` is malformed"),
                (_, Some(expected)) => {
                    let expected = serde_json::to_string(expected).unwrap_or_default();
                    format!("the field `{name}` should be {expected}")
                }
                (_, None) => format!("the field `{name}` is unknown"),
            };
            return Err(Refusal::because(code, message));
        }
        let said = |name: &str| self.fields.iter().any(|(said, _)| said == name);
        match expected.iter().find(|(name, _)| !said(name)) {
            None => Ok(()),
            Some((name, _)) => {
                Err(Refusal::because("verify/other-field", format!("the field `{name}` is missing")))
            }
        }
    }
}

/// Whether some text that gives this input has these reasons not to be a position.
///
/// The canonical text of a board gives no side to move. A text that does has other reasons, and with an en-passant
/// square perhaps again others.
fn are_reasons(said: &[Remark], input: &Input) -> bool {
    let reasons = |input: &Input| match input {
        Input::Position(_) => Vec::new(),
        Input::Board(board) => Remark::all(board.reasons()),
    };
    if said == reasons(input) {
        return true;
    }
    let Input::Board(board) = input else { return false };
    let placement = board.canonical_text();
    let squares = ["-", "a", "b", "c", "d", "e", "f", "g", "h"];
    [('w', '6'), ('b', '3')].into_iter().any(|(side, rank)| {
        squares.iter().any(|&file| {
            let square = if file == "-" { file.to_owned() } else { format!("{file}{rank}") };
            let text = format!("{placement} {side} - {square} 0 1");
            read_position(&text).is_ok_and(|reading| said == reasons(&reading.input))
        })
    })
}

impl<'de> Deserialize<'de> for Certification {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Certification;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an answer about one input")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                let mut certificate = None;
                while let Some(name) = entries.next_key::<Cow<'de, str>>()? {
                    if name == "certificate" {
                        let read = entries.next_value::<DecompositionCertificate>();
                        certificate =
                            Some(read.map_err(|error| A::Error::custom(format_args!("{name}: {error}")))?);
                    } else {
                        fields.push((name.into_owned(), entries.next_value::<Said>()?));
                    }
                }
                let text = |wanted: &'static str| match fields.iter().find(|(name, _)| name == wanted) {
                    Some((_, Said::Text(text))) => Ok(text.clone()),
                    Some(_) => Err(A::Error::custom(format_args!("{wanted}: not a text"))),
                    None => Err(A::Error::missing_field(wanted)),
                };
                let (fen, context) = (text("fen")?, text("context")?);
                let certificate = certificate.ok_or_else(|| A::Error::missing_field("certificate"))?;
                Ok(Certification { fen, context, certificate, fields })
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

impl<'de> Deserialize<'de> for Said {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SaidVisitor)
    }
}

struct SaidVisitor;

impl<'de> Visitor<'de> for SaidVisitor {
    type Value = Said;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Said, E> {
        Ok(Said::Text(text.to_owned()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Said, E> {
        Ok(Said::Number(number))
    }

    fn visit_unit<E: Error>(self) -> Result<Said, E> {
        Ok(Said::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Said, E> {
        Ok(Said::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Said, E> {
        Ok(Said::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Said, E> {
        Ok(Said::Other)
    }

    /// A list of which every element is a remark; of any other list nothing is kept.
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Said, A::Error> {
        let mut remarks = Some(Vec::new());
        while let Some(element) = elements.next_element()? {
            let room = remarks.as_ref().is_some_and(|remarks| remarks.len() < MOST_REMARKS);
            match (&mut remarks, element) {
                (Some(remarks), Said::Remark(remark)) if room => remarks.push(remark),
                _ => remarks = None,
            }
        }
        Ok(remarks.map_or(Said::Other, Said::Remarks))
    }

    /// An object with a code and a message and nothing else is a remark.
    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Said, A::Error> {
        let (mut code, mut message, mut surplus) = (None, None, false);
        while let Some(name) = entries.next_key::<Cow<'de, str>>()? {
            match (&*name, entries.next_value()?) {
                ("code", Said::Text(text)) => code = Some(text),
                ("message", Said::Text(text)) => message = Some(text),
                _ => surplus = true,
            }
        }
        Ok(match (code, message, surplus) {
            (Some(code), Some(message), false) => Said::Remark(Remark { code: Cow::Owned(code), message }),
            _ => Said::Other,
        })
    }
}
