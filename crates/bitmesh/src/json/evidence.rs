//! Evidence from a JSON document, and the document `bitmesh.verify.v1` about it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::list::list;
use super::outline::{OutlineError, outline};
use crate::evidence::error::EvidenceError;
use crate::evidence::examination::{Examination, Fact, Finding, Refusal};
use crate::evidence::kind::EvidenceKind;
use crate::evidence::subject::Evidence;
use crate::persistent::PersistentCertificate;

/// Reads a document by its schema, after a first look has found that it says everything once.
pub(crate) fn read_evidence(text: &[u8]) -> Result<Evidence, EvidenceError> {
    let outline = outline(text).map_err(|error| match error {
        OutlineError::Ambiguous(error) => EvidenceError::AmbiguousJson { message: with_place(&error) },
        OutlineError::NotJson(error) => EvidenceError::NotJson { message: with_place(&error) },
    })?;
    let schema = outline.schema.unwrap_or_default();
    match schema.as_str() {
        "bitmesh.decomposition.v1" => read(EvidenceKind::Decomposition, text).map(Evidence::Decomposition),
        "bitmesh.composition.v1" => read(EvidenceKind::Composition, text).map(Evidence::Composition),
        "bitmesh.position_binding.v1" => read(EvidenceKind::Binding, text).map(Evidence::Binding),
        "bitmesh.conservative_legal_independence.v0" => {
            read(EvidenceKind::BoardProof, text).map(Evidence::BoardProof)
        }
        "bitmesh.position_independence.v1" => {
            read(EvidenceKind::PositionProof, text).map(Evidence::PositionProof)
        }
        "bitmesh.certify.v1" => {
            read(EvidenceKind::Certification, text).map(|said| Evidence::Certification(Box::new(said)))
        }
        "bitmesh.prove.v1" => read_proved(text).map(|proved| Evidence::Persistent(Box::new(proved))),
        "bitmesh.persistent.v1" => {
            read(EvidenceKind::Persistent, text).map(|proved| Evidence::Persistent(Box::new(proved)))
        }
        "bitmesh.decide.v1" => {
            read(EvidenceKind::Decisions, text).map(|stated| Evidence::Decisions(Box::new(stated)))
        }
        "bitmesh.mate.v1" => read(EvidenceKind::Mate, text).map(|line| Evidence::Mate(Box::new(line))),
        "" => Err(EvidenceError::NoSchema),
        other => Err(EvidenceError::UnknownSchema { schema: shortened(other) }),
    }
}

/// What is quoted from an input has this many characters at most.
const LONGEST_QUOTE: usize = 500;

fn shortened(words: impl fmt::Display) -> String {
    let words = words.to_string();
    match words.char_indices().nth(LONGEST_QUOTE) {
        None => words,
        Some((end, _)) => format!("{}…", &words[..end]),
    }
}

/// An error in words that are not too long, and where it is.
fn with_place(error: &serde_json::Error) -> String {
    let (words, place) = (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
    match words.strip_suffix(&place) {
        Some(words) => shortened(words) + &place,
        None => shortened(words),
    }
}

fn read<'de, T: Deserialize<'de>>(kind: EvidenceKind, text: &'de [u8]) -> Result<T, EvidenceError> {
    serde_json::from_slice(text)
        .map_err(|error| refused(kind, "verify/malformed-document", with_place(&error)))
}

fn refused(kind: EvidenceKind, code: &'static str, words: impl fmt::Display) -> EvidenceError {
    EvidenceError::Refused { kind, refusal: Refusal::because(code, words.to_string()) }
}

/// What `bitmesh prove --json` prints around its certificate are words for the claims in it.
fn read_proved(text: &[u8]) -> Result<PersistentCertificate, EvidenceError> {
    let kind = EvidenceKind::Persistent;
    let proved: Proved = read(kind, text)?;
    if let Some(name) = proved.surplus {
        let message = format!("the field `{name}` is unknown");
        return Err(refused(kind, "verify/other-field", message));
    }
    let certificate = proved.certificate.ok_or(EvidenceError::NoCertificate)?;
    let claimed = certificate.claims().verdicts();
    let words: Vec<&str> = claimed.iter().map(|verdict| verdict.word).collect();
    if proved.verdicts.is_none_or(|said| said != words) {
        let message =
            format!("the verdicts are not those of the certificate, which are {}", words.join(", "));
        return Err(refused(kind, "verify/other-verdict", message));
    }
    Ok(certificate)
}

/// The document `bitmesh.prove.v1`.
#[derive(Default)]
struct Proved {
    verdicts: Option<Vec<String>>,
    certificate: Option<PersistentCertificate>,
    /// The first field that does not belong there.
    surplus: Option<String>,
}

/// A position has fewer verdicts at a time than this.
const MOST_VERDICTS: usize = 16;

#[derive(Deserialize)]
#[serde(transparent)]
struct Words(#[serde(deserialize_with = "list::<_, _, MOST_VERDICTS>")] Vec<String>);

impl<'de> Deserialize<'de> for Proved {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Proved;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a proof in words, with its certificate")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Proved, A::Error> {
                let mut proved = Proved::default();
                while let Some(name) = entries.next_key::<Cow<'de, str>>()? {
                    match &*name {
                        "schema" => drop(entries.next_value::<IgnoredAny>()?),
                        "verdicts" => proved.verdicts = Some(entries.next_value::<Words>()?.0),
                        "certificate" => proved.certificate = Some(entries.next_value()?),
                        _ => {
                            entries.next_value::<IgnoredAny>()?;
                            proved.surplus.get_or_insert_with(|| name.into_owned());
                        }
                    }
                }
                Ok(proved)
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

#[derive(Serialize)]
struct VerifyDocument<'a> {
    schema: &'static str,
    verdict: &'static str,
    format: &'static str,
    refusal: Option<RefusalDocument<'a>>,
    facts: Facts<'a>,
    checked: &'a [&'static str],
    findings: Vec<FindingDocument<'a>>,
    not_checked: Vec<&'static str>,
}

#[derive(Serialize)]
struct RefusalDocument<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
}

#[derive(Serialize)]
struct FindingDocument<'a> {
    code: &'static str,
    message: &'a str,
}

impl<'a> FindingDocument<'a> {
    fn new(finding: &'a Finding) -> Self {
        Self { code: finding.code, message: &finding.message }
    }
}

/// Facts by their names, with `_` for blanks.
struct Facts<'a>(&'a [Fact]);

impl Serialize for Facts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for fact in self.0 {
            map.serialize_entry(&fact.name.replace([' ', '-'], "_"), &fact.value)?;
        }
        map.end()
    }
}

/// The JSON document `bitmesh.verify.v1`.
impl Serialize for Examination {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        VerifyDocument {
            schema: "bitmesh.verify.v1",
            verdict: self.outcome().word(),
            format: self.kind().describe(),
            refusal: self.refusal().map(|refusal| RefusalDocument {
                code: refusal.code,
                message: &refusal.message,
                offset: refusal.offset,
            }),
            facts: Facts(self.facts()),
            checked: self.checked(),
            findings: self.findings().iter().map(FindingDocument::new).collect(),
            not_checked: self.not_checked().iter().map(|not| not.what).collect(),
        }
        .serialize(serializer)
    }
}
