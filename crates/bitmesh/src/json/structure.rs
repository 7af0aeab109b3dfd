//! The documents of layer 1: `bitmesh.decomposition.v1`, `bitmesh.composition.v1`, `bitmesh.position_binding.v1`.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::Bitboard;

use super::check_digest;
use super::list::list;
use super::names::{Reason, StatusName, squares};
use crate::digest::{
    CompositionCertificateDigest, DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest,
};
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::{DecompositionCertificate, DecompositionComponent, DecompositionStatus};
use crate::structure::composition::{CompositionCertificate, CompositionComponentValue};

constant_text!(DecompositionSchema = "bitmesh.decomposition.v1");
constant_text!(CompositionSchema = "bitmesh.composition.v1");
constant_text!(BindingSchema = "bitmesh.position_binding.v1");

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DecompositionDocument {
    schema: DecompositionSchema,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<DecompositionCertificateDigest>,
    #[serde(with = "StatusName")]
    status: DecompositionStatus,
    strict: bool,
    rejection_reason: Option<Reason>,
    active_component_count: u8,
    #[serde(with = "squares")]
    barrier: Bitboard,
    #[serde(deserialize_with = "list::<_, _, 255>")]
    components: Vec<ComponentDocument>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentDocument {
    root: u8,
    #[serde(with = "squares")]
    mask: Bitboard,
    #[serde(with = "squares")]
    active_mask: Bitboard,
}

/// The document `bitmesh.decomposition.v1`, with the digest if the certificate is valid.
impl Serialize for DecompositionCertificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let component = |component: &DecompositionComponent| {
            let DecompositionComponent { root, mask, active_mask } = *component;
            ComponentDocument { root, mask, active_mask }
        };
        DecompositionDocument {
            schema: DecompositionSchema,
            digest: self.digest().ok(),
            status: self.status,
            strict: self.strict,
            rejection_reason: self.rejection_reason.map(Reason),
            active_component_count: self.active_component_count,
            barrier: self.barrier,
            components: self.components.iter().map(component).collect(),
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.decomposition.v1`. Without a digest the certificate may be invalid.
impl<'de> Deserialize<'de> for DecompositionCertificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = DecompositionDocument::deserialize(deserializer)?;
        let component = |ComponentDocument { root, mask, active_mask }| DecompositionComponent {
            root,
            mask,
            active_mask,
        };
        let certificate = Self {
            barrier: document.barrier,
            components: document.components.into_iter().map(component).collect(),
            active_component_count: document.active_component_count,
            strict: document.strict,
            status: document.status,
            rejection_reason: document.rejection_reason.map(|Reason(reason)| reason),
        };
        check_digest(document.digest, certificate.digest())?;
        Ok(certificate)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompositionDocument<'a> {
    schema: CompositionSchema,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<CompositionCertificateDigest>,
    decomposition_digest: DecompositionCertificateDigest,
    #[serde(borrow, deserialize_with = "list::<_, _, 256>")]
    component_values: Vec<ComponentValueDocument<'a>>,
    result_value_digest: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentValueDocument<'a> {
    component_root: u8,
    value_digest: Cow<'a, str>,
}

/// The document `bitmesh.composition.v1`, with the digest if the composition is valid.
impl Serialize for CompositionCertificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.component_values.iter().map(|value| ComponentValueDocument {
            component_root: value.component_root,
            value_digest: Cow::Borrowed(&value.value_digest),
        });
        CompositionDocument {
            schema: CompositionSchema,
            digest: self.digest().ok(),
            decomposition_digest: self.decomposition_digest,
            component_values: values.collect(),
            result_value_digest: Cow::Borrowed(&self.result_value_digest),
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.composition.v1`. Without a digest the composition may be invalid.
impl<'de> Deserialize<'de> for CompositionCertificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = CompositionDocument::deserialize(deserializer)?;
        let value = |value: ComponentValueDocument<'_>| CompositionComponentValue {
            component_root: value.component_root,
            value_digest: value.value_digest.into_owned(),
        };
        let composition = Self {
            decomposition_digest: document.decomposition_digest,
            component_values: document.component_values.into_iter().map(value).collect(),
            result_value_digest: document.result_value_digest.into_owned(),
        };
        check_digest(document.digest, composition.digest())?;
        Ok(composition)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BindingDocument<'a> {
    schema: BindingSchema,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<PositionBoundDecompositionCertificateDigest>,
    decomposition_digest: DecompositionCertificateDigest,
    position: Cow<'a, str>,
    context: Cow<'a, str>,
}

/// The document `bitmesh.position_binding.v1`, with its digest.
impl Serialize for PositionBinding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        BindingDocument {
            schema: BindingSchema,
            digest: Some(self.digest()),
            decomposition_digest: self.decomposition_digest(),
            position: Cow::Borrowed(self.position()),
            context: Cow::Borrowed(self.context()),
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.position_binding.v1`.
impl<'de> Deserialize<'de> for PositionBinding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = BindingDocument::deserialize(deserializer)?;
        let (position, context) = (document.position.into_owned(), document.context.into_owned());
        let binding =
            Self::new(document.decomposition_digest, position, context).map_err(D::Error::custom)?;
        check_digest(document.digest, Ok::<_, core::convert::Infallible>(binding.digest()))?;
        Ok(binding)
    }
}
