//! The documents of one answered input: `bitmesh.certify.v1` and `bitmesh.prove.v1`.

use alloc::borrow::ToOwned as _;
use alloc::vec;
use alloc::vec::Vec;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::Remark;
use super::said::Said;
use crate::assessment::Assessment;
use crate::persistent::{CheckedCertificate, PersistentCertificate};
use crate::position::Input;

/// The document `bitmesh.certify.v1`: its fields in their order, with the certificate in its place.
struct CertifyDocument<'a> {
    assessment: &'a Assessment,
    line: Option<u64>,
}

/// The field before the certificate.
const BEFORE_THE_CERTIFICATE: &str = "structural_digest";

impl Serialize for CertifyDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.assessment.fields() {
            map.serialize_entry(name, &value)?;
            if name == BEFORE_THE_CERTIFICATE {
                map.serialize_entry("certificate", self.assessment.structure())?;
            }
        }
        if let Some(line) = self.line {
            map.serialize_entry("line", &line)?;
        }
        map.end()
    }
}

impl Assessment {
    /// The JSON document `bitmesh.certify.v1`: what layers 1 and 2 say about the input, with the number of its line if
    /// it has one.
    ///
    /// ```
    /// let wall = bitmesh::Assessment::read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
    /// let document = serde_json::to_value(wall.document(None))?;
    /// assert_eq!(document["schema"], "bitmesh.certify.v1");
    /// assert_eq!(document["verdict"], "accepted");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn document(&self, line: Option<u64>) -> impl Serialize + use<'_> {
        CertifyDocument { assessment: self, line }
    }

    /// Every field of the document but the certificate and the line, in order.
    pub(super) fn fields(&self) -> Vec<(&'static str, Said)> {
        let text = |text: &str| Said::Text(text.to_owned());
        let input = match self.input() {
            Input::Position(_) => "position",
            Input::Board(_) => "board",
        };
        vec![
            ("schema", text("bitmesh.certify.v1")),
            ("verdict", text(self.verdict().word())),
            ("summary", Said::Text(self.summary())),
            ("input", text(input)),
            ("fen", text(self.canonical_text())),
            ("context", text(self.context())),
            ("claim", text(self.claim())),
            ("position_digest", Said::Text(self.position_digest().to_hex())),
            (BEFORE_THE_CERTIFICATE, Said::Text(self.structural_digest().to_hex())),
            ("one_ply", text(self.one_ply())),
            ("violations", Said::Remarks(Remark::all(self.violations()))),
            ("not_a_position", Said::Remarks(Remark::all(self.not_a_position()))),
            ("notes", Said::Remarks(Remark::all(self.notes()))),
        ]
    }
}

#[derive(Serialize)]
struct Proved<'a> {
    schema: &'static str,
    verdicts: Vec<&'static str>,
    certificate: &'a PersistentCertificate,
}

impl CheckedCertificate {
    /// The JSON document `bitmesh.prove.v1`: the verdict words, and the certificate that they follow from.
    #[must_use]
    pub fn document(&self) -> impl Serialize + use<'_> {
        Proved {
            schema: "bitmesh.prove.v1",
            verdicts: self.verdicts().into_iter().map(|verdict| verdict.word).collect(),
            certificate: self.certificate(),
        }
    }
}
