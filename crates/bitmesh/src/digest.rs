//! SHA-256 digests, one type for each kind of evidence.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// Why a text is not the hexadecimal form of a digest.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub enum CertificateDigestParseError {
    /// The text does not have 64 bytes.
    #[error("digest has {actual} characters, expected 64 hexadecimal digits")]
    InvalidLength {
        /// Length of the text in bytes.
        actual: usize,
    },
    /// A byte is not a hexadecimal digit.
    #[error("byte 0x{byte:02x} at index {index} is not a hexadecimal digit")]
    InvalidHexByte {
        /// Index of the first such byte.
        index: usize,
        /// The byte itself.
        byte: u8,
    },
}

impl CertificateDigestParseError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InvalidLength { .. } => "digest/invalid-length",
            Self::InvalidHexByte { .. } => "digest/invalid-hex-byte",
        }
    }
}

fn hex_value(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|value| value as u8)
}

fn parse_hex(text: &str) -> Result<[u8; 32], CertificateDigestParseError> {
    let text = text.as_bytes();
    if text.len() != 64 {
        return Err(CertificateDigestParseError::InvalidLength { actual: text.len() });
    }
    let value = |index: usize| {
        let byte = text[index];
        hex_value(byte).ok_or(CertificateDigestParseError::InvalidHexByte { index, byte })
    };
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = value(2 * index)? << 4 | value(2 * index + 1)?;
    }
    Ok(bytes)
}

/// The digest of what a hash was fed with.
pub(crate) fn finish<D: From<[u8; 32]>>(hash: Sha256) -> D {
    <[u8; 32]>::from(hash.finalize()).into()
}

macro_rules! digest_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        ///
        /// Read from hexadecimal digits of either case, always printed in lower case.
        ///
        /// ```
        #[doc = concat!("let text = \"7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf\";")]
        #[doc = concat!("let digest = bitmesh::", stringify!($name), "::from_hex(&text.to_uppercase())?;")]
        /// assert_eq!(digest.to_string(), text);
        /// # Ok::<(), bitmesh::CertificateDigestParseError>(())
        /// ```
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The 32 bytes of the digest.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// The 32 bytes of the digest, by value.
            #[must_use]
            pub const fn into_bytes(self) -> [u8; 32] {
                self.0
            }

            /// Reads 64 hexadecimal digits of either case.
            ///
            /// # Errors
            ///
            /// A wrong length comes first, then the first byte that is not a digit.
            pub fn from_hex(text: &str) -> Result<Self, CertificateDigestParseError> {
                parse_hex(text).map(Self)
            }

            /// The digest as 64 lower-case hexadecimal digits.
            #[must_use]
            pub fn to_hex(self) -> String {
                alloc::format!("{self}")
            }
        }

        impl From<[u8; 32]> for $name {
            fn from(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl FromStr for $name {
            type Err = CertificateDigestParseError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::from_hex(text)
            }
        }
    };
}

digest_type! {
    /// Digest of a [`DecompositionCertificate`](crate::DecompositionCertificate): SHA-256 of BMDCERT v1.
    ///
    /// It is shared by all boards with the same structure; it does not name pieces.
    DecompositionCertificateDigest
}

digest_type! {
    /// Digest of a [`CompositionCertificate`](crate::CompositionCertificate): SHA-256 of BMCOMPOSE v1.
    CompositionCertificateDigest
}

digest_type! {
    /// Digest of a decomposition bound to a position text and a context: SHA-256 of BMDPOSCERT v1.
    PositionBoundDecompositionCertificateDigest
}

digest_type! {
    /// Digest of a persistent-independence certificate: SHA-256 of BMPERSIST v1.
    PersistentCertificateDigest
}

digest_type! {
    /// Digest of a [`MateLine`](crate::decision::MateLine): SHA-256 of BMMATE v1.
    MateLineDigest
}
