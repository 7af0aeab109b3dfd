//! The JSON document of decisions, `bitmesh.decide.v1`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};
use shakmaty::Color;

use crate::decision::{Decision, Decisions};

constant_text!(Schema = "bitmesh.decide.v1");

#[derive(Serialize)]
struct Document<'a> {
    schema: Schema,
    position: String,
    effort: u32,
    decisions: Vec<Side<'a>>,
}

#[derive(Serialize)]
struct Side<'a> {
    r#for: &'static str,
    verdict: &'static str,
    plies: Option<u16>,
    evidence: Evidence<'a>,
}

/// The document of the line or of the certificate, or `null`.
struct Evidence<'a>(&'a Decision);

impl Serialize for Evidence<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Decision::Winnable(line) => line.serialize(serializer),
            Decision::Unwinnable(certificate) => certificate.serialize(serializer),
            Decision::Undecided { .. } => serializer.serialize_none(),
        }
    }
}

/// The document `bitmesh.decide.v1`, White first.
impl Serialize for Decisions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let side = |(color, decision): (Color, _)| {
            let decision: &Decision = decision;
            let verdict = decision.verdict();
            Side {
                r#for: color.fold_wb("white", "black"),
                verdict: verdict.word(),
                plies: verdict.plies(),
                evidence: Evidence(decision),
            }
        };
        Document {
            schema: Schema,
            position: self.position().canonical_text(),
            effort: self.effort().get(),
            decisions: self.iter().map(side).collect(),
        }
        .serialize(serializer)
    }
}
