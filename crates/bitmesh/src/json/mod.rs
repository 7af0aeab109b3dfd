//! JSON forms of certificates, bindings, proofs and violations, both ways.
//!
//! Bitboards are lists of squares, digests are lower-case hexadecimal, and every document has a `schema`. Fields that
//! a schema does not have are refused, and so is a digest that does not belong to the rest of its document: what is
//! read is what was meant. Whether it is true is for `validate`, `verify_*` and `check` to say.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::code::ErrorCode;

/// A text that a document has to have word for word.
macro_rules! constant_text {
    ($name:ident = $text:expr) => {
        struct $name;

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($text)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match <alloc::borrow::Cow<'_, str> as serde::Deserialize>::deserialize(deserializer)? {
                    text if text == $text => Ok(Self),
                    text => Err(serde::de::Error::custom(format_args!("`{text}` instead of `{}`", $text))),
                }
            }
        }
    };
}

mod assessment;
mod decision;
mod evidence;
mod list;
mod mate;
mod names;
mod one_ply;
mod outline;
mod persistent;
mod said;
mod structure;
mod violation;

pub use self::decision::StatedDecisions;
pub(crate) use self::evidence::read_evidence;
pub use self::said::Certification;

/// Refuses a digest that does not belong to the rest of its document; a document may leave it out.
fn check_digest<T, E>(stated: Option<T>, computed: Result<T, impl core::error::Error>) -> Result<(), E>
where
    T: PartialEq + core::fmt::Display,
    E: serde::de::Error,
{
    match (stated, computed) {
        (None, _) => Ok(()),
        (Some(stated), Ok(computed)) if stated == computed => Ok(()),
        (Some(stated), Ok(computed)) => Err(E::custom(format_args!("digest {stated} instead of {computed}"))),
        (Some(_), Err(error)) => Err(E::custom(format_args!("a digest of what has none: {error}"))),
    }
}

/// Something with a code and words for people.
#[derive(Clone, Debug, Eq, PartialEq, serde::Serialize)]
struct Remark {
    code: Cow<'static, str>,
    message: String,
}

impl Remark {
    fn all<'a, T: ErrorCode + 'a>(coded: impl IntoIterator<Item = &'a T>) -> Vec<Self> {
        let remark = |coded: &T| Self { code: Cow::Borrowed(coded.code()), message: coded.to_string() };
        coded.into_iter().map(remark).collect()
    }
}
