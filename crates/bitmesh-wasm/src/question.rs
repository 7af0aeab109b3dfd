//! Questions, and why one has no answer.

use bitmesh::ErrorCode;
use bitmesh::shakmaty::{Color, Square};
use bitmesh_diagram::Layer;
use serde::{Deserialize, Deserializer, de};
use serde_json::json;
use thiserror::Error;

/// What a caller asks, as JSON with the field `ask`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Question {
    /// All layers at a glance.
    Analyze {
        /// A FEN, an EPD line or a placement.
        text: String,
    },
    /// The document `bitmesh.certify.v1`.
    Certify {
        /// A FEN, an EPD line or a placement.
        text: String,
    },
    /// The document `bitmesh.prove.v1`.
    Prove {
        /// A FEN or an EPD line.
        text: String,
        /// The bound of an expansion.
        positions: Option<u32>,
    },
    /// The document `bitmesh.decide.v1`.
    Decide {
        /// A FEN or an EPD line.
        text: String,
        /// The side that wants to mate; both without it.
        side: Option<Side>,
        /// How many positions a search looks at.
        effort: Option<u32>,
    },
    /// The document `bitmesh.verify.v1`.
    Verify {
        /// Evidence as JSON or as hexadecimal digits.
        evidence: String,
        /// The position that it must be about.
        text: Option<String>,
    },
    /// A drawing as SVG.
    Draw {
        /// A FEN, an EPD line or a placement.
        text: String,
        /// Whose regions are drawn; the strongest that shows something without it.
        #[serde(default, deserialize_with = "layer")]
        layer: Option<Layer>,
        /// The piece whose reach is marked.
        #[serde(default, deserialize_with = "square")]
        reach: Option<Square>,
        /// The side at the bottom.
        orientation: Option<Side>,
        /// Width and height in pixels.
        size: Option<u32>,
        /// Whether files and ranks have their names.
        coordinates: Option<bool>,
    },
}

/// A colour by its name.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        Self::from_white(side == Side::White)
    }
}

fn layer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Layer>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(de::Error::custom)).transpose()
}

fn square<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Square>, D::Error> {
    let Some(name) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    name.parse().map(Some).map_err(|_| de::Error::custom("not a square"))
}

impl Question {
    /// Reads a question.
    ///
    /// # Errors
    ///
    /// When the bytes are not the JSON text of a question.
    pub fn read(bytes: &[u8]) -> Result<Self, Failure> {
        serde_json::from_slice(bytes)
            .map_err(|error| Failure { code: "wasm/malformed-question", message: error.to_string() })
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
#[error("{message}")]
pub struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn of(error: &impl ErrorCode) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }

    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The code and the message as JSON.
    pub(crate) fn document(&self) -> Vec<u8> {
        json!({ "code": self.code, "message": self.message }).to_string().into_bytes()
    }
}
