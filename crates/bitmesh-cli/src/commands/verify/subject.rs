//! What a file is: the binary formats by their magic, JSON documents by their schema.

use bitmesh::persistent::{self, PersistentCertificate};
use bitmesh::{
    CompositionCertificate, ConservativeLegalIndependenceProof, DecompositionCertificate, PositionBinding,
    PositionIndependenceProof,
};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::report::Refusal;
use crate::document;
use crate::verdict::verdicts;

/// A file that was read, before anything in it has been believed.
#[derive(Debug)]
pub(super) enum Subject {
    Decomposition(DecompositionCertificate),
    Composition(CompositionCertificate),
    Binding(PositionBinding),
    BoardProof(ConservativeLegalIndependenceProof),
    PositionProof(PositionIndependenceProof),
    Certification(Box<Certification>),
    Persistent(Box<PersistentCertificate>),
}

/// The document of `bitmesh certify --json`: what the rest follows from, and the whole of it.
#[derive(Debug)]
pub(super) struct Certification {
    pub(super) fen: String,
    pub(super) context: String,
    pub(super) certificate: DecompositionCertificate,
    pub(super) document: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Certification {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Map::deserialize(deserializer)?;
        Ok(Self {
            fen: field(&document, "fen")?,
            context: field(&document, "context")?,
            certificate: field(&document, "certificate")?,
            document,
        })
    }
}

fn field<T: DeserializeOwned, E: Error>(document: &Map<String, Value>, name: &'static str) -> Result<T, E> {
    let value = document.get(name).ok_or_else(|| E::missing_field(name))?;
    T::deserialize(value).map_err(|error| E::custom(format_args!("{name}: {error}")))
}

#[derive(Debug)]
pub(super) enum LoadError {
    /// The file says what it is, and is not.
    Refused { format: &'static str, refusal: Refusal },
    /// The file does not say that it is any of the formats.
    Unknown(String),
}

const DECOMPOSITION: &str = "BMDCERT v1, the structure of a board";
const COMPOSITION: &str = "BMCOMPOSE v1, values of components and their sum";
const BINDING: &str = "BMDPOSCERT v1, a structure bound to a position";
const BOARD_PROOF: &str = "record of the one-ply screen of a board";
const POSITION_PROOF: &str = "record of the one-ply screen of a position";
const CERTIFICATION: &str = "certification of one input";
const PERSISTENT: &str = "BMPERSIST v1, permanent independence";

impl Subject {
    pub(super) const fn format(&self) -> &'static str {
        match self {
            Self::Decomposition(_) => DECOMPOSITION,
            Self::Composition(_) => COMPOSITION,
            Self::Binding(_) => BINDING,
            Self::BoardProof(_) => BOARD_PROOF,
            Self::PositionProof(_) => POSITION_PROOF,
            Self::Certification(_) => CERTIFICATION,
            Self::Persistent(_) => PERSISTENT,
        }
    }

    pub(super) fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let text = bytes.trim_ascii();
        if bytes.starts_with(b"BM") {
            Self::load_payload(bytes)
        } else if let Some(payload) = unhex(text) {
            Self::load_payload(&payload)
        } else if text.starts_with(b"{") {
            Self::load_json(text)
        } else if text.is_empty() {
            Err(LoadError::Unknown("the file is empty".to_owned()))
        } else {
            Err(LoadError::Unknown("neither a certificate of this program nor a JSON document".to_owned()))
        }
    }

    fn load_payload(bytes: &[u8]) -> Result<Self, LoadError> {
        let refused = |format, offset, code, error: &dyn std::error::Error| LoadError::Refused {
            format,
            refusal: Refusal::new(code, error).at(offset),
        };
        match bytes.split(|&byte| byte == 0).next() {
            Some(b"BMDCERT") => DecompositionCertificate::from_canonical_payload(bytes)
                .map(Self::Decomposition)
                .map_err(|error| refused(DECOMPOSITION, error.offset(), error.code(), &error)),
            Some(b"BMCOMPOSE") => CompositionCertificate::from_canonical_payload(bytes)
                .map(Self::Composition)
                .map_err(|error| refused(COMPOSITION, error.offset(), error.code(), &error)),
            Some(b"BMDPOSCERT") => PositionBinding::from_canonical_payload(bytes)
                .map(Self::Binding)
                .map_err(|error| refused(BINDING, error.offset(), error.code(), &error)),
            Some(b"BMPERSIST") => PersistentCertificate::decode(bytes)
                .map(|certificate| Self::Persistent(Box::new(certificate)))
                .map_err(|error| LoadError::Refused {
                    format: PERSISTENT,
                    refusal: match &error {
                        persistent::DecodeError::Payload { error: payload } => {
                            Refusal::new(payload.code(), &error).at(payload.offset())
                        }
                        _ => Refusal::new(error.code(), &error),
                    },
                }),
            _ => Err(LoadError::Unknown(
                "begins with BM, but with no magic that this program knows".to_owned(),
            )),
        }
    }

    fn load_json(text: &[u8]) -> Result<Self, LoadError> {
        let document = document::parse(text).map_err(|error| match error.is_data() {
            true => LoadError::Unknown(format!("is an ambiguous JSON document: {error}")),
            false => LoadError::Unknown(format!("is no JSON document: {error}")),
        })?;
        let schema = document.get("schema").and_then(Value::as_str).unwrap_or_default().to_owned();
        match schema.as_str() {
            "bitmesh.decomposition.v1" => from_document(DECOMPOSITION, document).map(Self::Decomposition),
            "bitmesh.composition.v1" => from_document(COMPOSITION, document).map(Self::Composition),
            "bitmesh.position_binding.v1" => from_document(BINDING, document).map(Self::Binding),
            "bitmesh.conservative_legal_independence.v0" => {
                from_document(BOARD_PROOF, document).map(Self::BoardProof)
            }
            "bitmesh.position_independence.v1" => {
                from_document(POSITION_PROOF, document).map(Self::PositionProof)
            }
            "bitmesh.certify.v1" => from_document(CERTIFICATION, document).map(Self::Certification),
            "bitmesh.prove.v1" => from_prove_document(document),
            "bitmesh.persistent.v1" => {
                from_document(PERSISTENT, document).map(|certificate| Self::Persistent(Box::new(certificate)))
            }
            "" => Err(LoadError::Unknown("is a JSON document without a schema".to_owned())),
            other => Err(LoadError::Unknown(format!("is a JSON document with the schema `{other}`"))),
        }
    }
}

/// What `bitmesh prove --json` prints around its certificate are words for the claims in it.
fn from_prove_document(mut document: Value) -> Result<Subject, LoadError> {
    let mut names = document.as_object().into_iter().flat_map(Map::keys);
    if let Some(name) = names.find(|name| !["schema", "verdicts", "certificate"].contains(&name.as_str())) {
        return Err(LoadError::Refused {
            format: PERSISTENT,
            refusal: Refusal::because("verify/other-field", format!("the field `{name}` is unknown")),
        });
    }
    let Some(certificate) = document.get_mut("certificate").map(Value::take) else {
        return Err(LoadError::Unknown("is a document without a certificate".to_owned()));
    };
    let certificate: PersistentCertificate = from_document(PERSISTENT, certificate)?;
    let claimed = verdicts(&certificate.claims());
    let words: Vec<&str> = claimed.iter().map(|verdict| verdict.word).collect();
    if document.get("verdicts") != Some(&serde_json::json!(words)) {
        let message =
            format!("the verdicts are not those of the certificate, which are {}", words.join(", "));
        return Err(LoadError::Refused {
            format: PERSISTENT,
            refusal: Refusal::because("verify/other-verdict", message),
        });
    }
    Ok(Subject::Persistent(Box::new(certificate)))
}

fn from_document<T: DeserializeOwned>(format: &'static str, document: Value) -> Result<T, LoadError> {
    serde_json::from_value(document).map_err(|error| LoadError::Refused {
        format,
        refusal: Refusal::new("verify/malformed-document", &error),
    })
}

/// The bytes of a text of hexadecimal digits.
fn unhex(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_empty() || !text.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    text.chunks_exact(2).map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8)).collect()
}
