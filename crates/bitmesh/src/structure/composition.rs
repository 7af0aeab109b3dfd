//! Values of components and of their sum, bound to a decomposition: BMCOMPOSE v1.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};
use shakmaty::Bitboard;
use thiserror::Error;

use crate::digest::{CompositionCertificateDigest, DecompositionCertificateDigest, finish};
use crate::payload::{DecodeError, PayloadError, Reader, Sink, Text16};
use crate::structure::certificate::{
    DecompositionCertificate, DecompositionCertificateValidationError, DecompositionStatus,
};

/// The value computed for one component, named by a digest that its producer chose.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CompositionComponentValue {
    /// Root of the component in the decomposition.
    pub component_root: u8,
    /// Any text that names the value, 1 to 65,535 bytes.
    pub value_digest: String,
}

/// A claim that values of components add up to a result.
///
/// The certificate records which values belong together. Whether they are right, and
/// whether they add up, is for the producer of the values to show.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CompositionCertificate {
    /// Digest of the decomposition whose components are valued.
    pub decomposition_digest: DecompositionCertificateDigest,
    /// One value for each component.
    pub component_values: Vec<CompositionComponentValue>,
    /// Any text that names the sum, 1 to 65,535 bytes.
    pub result_value_digest: String,
}

/// The first reason why a composition is not valid.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[allow(missing_docs, reason = "each field is named in the message of its variant")]
pub enum CompositionCertificateValidationError {
    /// There are no values.
    #[error("composition has no component values")]
    EmptyComponentValues,
    /// The result has no name.
    #[error("result value digest is empty")]
    EmptyResultValueDigest,
    /// The result's name does not fit its 16-bit length.
    #[error("result value digest has {actual} bytes, at most {maximum} fit")]
    ResultValueDigestTooLong { actual: usize, maximum: usize },
    /// A value has no name.
    #[error("value digest of component root {component_root} is empty")]
    EmptyComponentValueDigest { component_root: u8 },
    /// A value's name does not fit its 16-bit length.
    #[error("value digest of component root {component_root} has {actual} bytes, at most {maximum} fit")]
    ComponentValueDigestTooLong { component_root: u8, actual: usize, maximum: usize },
    /// A component has two values.
    #[error("component root {component_root} has more than one value")]
    DuplicateComponentRoot { component_root: u8 },
    /// The decomposition is not consistent in itself.
    #[error("decomposition certificate is invalid")]
    InvalidDecompositionCertificate {
        #[source]
        error: DecompositionCertificateValidationError,
    },
    /// Only a strict decomposition has parts to compose.
    #[error("a strict decomposition is needed, this one is {}", status.word())]
    CompositionRequiresStrictDecomposition { status: DecompositionStatus },
    /// The composition is about another decomposition.
    #[error("composition is bound to decomposition {composition_digest}, not to {certificate_digest}")]
    DecompositionDigestMismatch {
        certificate_digest: DecompositionCertificateDigest,
        composition_digest: DecompositionCertificateDigest,
    },
    /// A component has no value.
    #[error("component root {component_root} has no value")]
    MissingComponentRoot { component_root: u8 },
    /// A value belongs to no component.
    #[error("component root {component_root} is not in the decomposition")]
    UnexpectedComponentRoot { component_root: u8 },
}

impl CompositionCertificateValidationError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyComponentValues => "composition/empty-component-values",
            Self::EmptyResultValueDigest => "composition/empty-result-value-digest",
            Self::ResultValueDigestTooLong { .. } => "composition/result-value-digest-too-long",
            Self::EmptyComponentValueDigest { .. } => "composition/empty-component-value-digest",
            Self::ComponentValueDigestTooLong { .. } => "composition/component-value-digest-too-long",
            Self::DuplicateComponentRoot { .. } => "composition/duplicate-component-root",
            Self::InvalidDecompositionCertificate { .. } => "composition/invalid-decomposition-certificate",
            Self::CompositionRequiresStrictDecomposition { .. } => {
                "composition/composition-requires-strict-decomposition"
            }
            Self::DecompositionDigestMismatch { .. } => "composition/decomposition-digest-mismatch",
            Self::MissingComponentRoot { .. } => "composition/missing-component-root",
            Self::UnexpectedComponentRoot { .. } => "composition/unexpected-component-root",
        }
    }
}

impl DecodeError<CompositionCertificateValidationError> {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Payload(error) => error.code(),
            Self::Invalid { error, .. } => error.code(),
        }
    }
}

impl CompositionCertificate {
    /// Checks that the composition is consistent in itself.
    ///
    /// # Errors
    ///
    /// The first failure: no values, the result, then value by value in list order.
    pub fn validate(&self) -> Result<(), CompositionCertificateValidationError> {
        self.checked().map(drop)
    }

    /// Values by ascending root and the result, with every text known to fit.
    fn checked(&self) -> Result<CheckedComposition<'_>, CompositionCertificateValidationError> {
        use CompositionCertificateValidationError as Error;

        if self.component_values.is_empty() {
            return Err(Error::EmptyComponentValues);
        }
        if self.result_value_digest.is_empty() {
            return Err(Error::EmptyResultValueDigest);
        }
        let result = Text16::new(&self.result_value_digest).map_err(|error| {
            Error::ResultValueDigestTooLong { actual: error.actual, maximum: error.maximum }
        })?;
        let mut values: Vec<(u8, Text16<'_>)> = Vec::with_capacity(self.component_values.len());
        let mut seen = [false; 256];
        for value in &self.component_values {
            let component_root = value.component_root;
            if value.value_digest.is_empty() {
                return Err(Error::EmptyComponentValueDigest { component_root });
            }
            let text =
                Text16::new(&value.value_digest).map_err(|error| Error::ComponentValueDigestTooLong {
                    component_root,
                    actual: error.actual,
                    maximum: error.maximum,
                })?;
            if core::mem::replace(&mut seen[usize::from(component_root)], true) {
                return Err(Error::DuplicateComponentRoot { component_root });
            }
            values.push((component_root, text));
        }
        values.sort_unstable_by_key(|&(root, _)| root);
        Ok(CheckedComposition { decomposition: &self.decomposition_digest, values, result })
    }

    /// Checks the composition and that it values exactly the components of a strict decomposition.
    ///
    /// # Errors
    ///
    /// The composition's own failures first, then those of the decomposition, then
    /// a digest that is not the decomposition's, then missing and unexpected roots, each ascending.
    pub fn validate_against_decomposition(
        &self,
        certificate: &DecompositionCertificate,
    ) -> Result<(), CompositionCertificateValidationError> {
        use CompositionCertificateValidationError as Error;

        let checked = self.checked()?;
        let certificate_digest =
            certificate.digest().map_err(|error| Error::InvalidDecompositionCertificate { error })?;
        if certificate.status != DecompositionStatus::Strict {
            return Err(Error::CompositionRequiresStrictDecomposition { status: certificate.status });
        }
        if certificate_digest != self.decomposition_digest {
            let composition_digest = self.decomposition_digest;
            return Err(Error::DecompositionDigestMismatch { certificate_digest, composition_digest });
        }
        // Roots of a valid decomposition are squares of their masks.
        let roots: Bitboard =
            certificate.components.iter().map(|c| shakmaty::Square::new(u32::from(c.root))).collect();
        let valued = |root: u8| checked.values.binary_search_by_key(&root, |&(root, _)| root).is_ok();
        if let Some(missing) = roots.into_iter().map(u8::from).find(|&root| !valued(root)) {
            return Err(Error::MissingComponentRoot { component_root: missing });
        }
        let listed = |root: u8| root < 64 && roots.0 >> root & 1 == 1;
        match checked.values.iter().find(|&&(root, _)| !listed(root)) {
            Some(&(component_root, _)) => Err(Error::UnexpectedComponentRoot { component_root }),
            None => Ok(()),
        }
    }

    /// The bytes of BMCOMPOSE v1.
    ///
    /// # Errors
    ///
    /// When the composition is not [valid](Self::validate).
    pub fn canonical_payload(&self) -> Result<Vec<u8>, CompositionCertificateValidationError> {
        let mut payload = Vec::new();
        self.checked()?.write(&mut payload);
        Ok(payload)
    }

    /// Reads the bytes of BMCOMPOSE v1, and nothing else.
    ///
    /// The bytes are the [payload](Self::canonical_payload) of what is read.
    ///
    /// # Errors
    ///
    /// The first element that is not of the format, then trailing bytes, then why the composition is not
    /// [valid](Self::validate).
    pub fn from_canonical_payload(
        payload: &[u8],
    ) -> Result<Self, DecodeError<CompositionCertificateValidationError>> {
        let mut reader = Reader::new(payload);
        let composition = Self::read(&mut reader)?;
        reader.finish()?;
        match composition.validate() {
            Ok(()) => Ok(composition),
            Err(error) => Err(DecodeError::Invalid { offset: composition.payload_offset(&error), error }),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, PayloadError> {
        reader.header("BMCOMPOSE", 1)?;
        let decomposition_digest = reader.array::<32>("decomposition digest")?.into();
        let count = reader.u16("number of values")?;
        let mut component_values: Vec<CompositionComponentValue> = Vec::new();
        for _ in 0..count {
            let offset = reader.offset();
            let component_root = reader.u8("component root")?;
            // Two equal roots are refused as such by the validation.
            if component_values.last().is_some_and(|earlier| earlier.component_root > component_root) {
                return Err(PayloadError::NotAscending { offset, element: "component root" });
            }
            let value_digest = reader.text16("value digest")?.to_owned();
            component_values.push(CompositionComponentValue { component_root, value_digest });
        }
        let result_value_digest = reader.text16("result value digest")?.to_owned();
        Ok(Self { decomposition_digest, component_values, result_value_digest })
    }

    /// Where BMCOMPOSE v1 has the element that a failure is about; values are in the order of the payload.
    fn payload_offset(&self, error: &CompositionCertificateValidationError) -> usize {
        use CompositionCertificateValidationError as Error;

        const COUNT: usize = 43;
        const VALUES: usize = COUNT + 2;
        let value = |index: usize| {
            let earlier = &self.component_values[..index];
            VALUES + earlier.iter().map(|value| 3 + value.value_digest.len()).sum::<usize>()
        };
        let find = |root: u8| move |value: &CompositionComponentValue| value.component_root == root;
        let values = || self.component_values.iter();
        match *error {
            Error::EmptyComponentValueDigest { component_root } => {
                let empty = |value: &CompositionComponentValue| value.value_digest.is_empty();
                values().position(|value| find(component_root)(value) && empty(value)).map_or(0, value)
            }
            Error::DuplicateComponentRoot { component_root } => {
                values().position(find(component_root)).map_or(0, |first| value(first + 1))
            }
            Error::EmptyResultValueDigest => value(self.component_values.len()),
            _ => COUNT,
        }
    }

    /// The SHA-256 of [the payload](Self::canonical_payload).
    ///
    /// # Errors
    ///
    /// When the composition is not [valid](Self::validate).
    pub fn digest(&self) -> Result<CompositionCertificateDigest, CompositionCertificateValidationError> {
        let mut hash = Sha256::new();
        self.checked()?.write(&mut hash);
        Ok(finish(hash))
    }
}

struct CheckedComposition<'a> {
    decomposition: &'a DecompositionCertificateDigest,
    /// Roots differ, so there are at most 256.
    values: Vec<(u8, Text16<'a>)>,
    result: Text16<'a>,
}

impl CheckedComposition<'_> {
    fn write(&self, out: &mut impl Sink) {
        out.put_header("BMCOMPOSE", 1);
        out.put(self.decomposition.as_bytes());
        out.put_u16(self.values.len() as u16);
        for &(root, text) in &self.values {
            out.put_u8(root);
            out.put_text16(text);
        }
        out.put_text16(self.result);
    }
}
