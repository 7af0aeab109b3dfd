//! The JSON document of decisions, `bitmesh.decide.v1`, both ways.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use shakmaty::{ByColor, Chess, Color};

use super::list::list;
use super::names::ColorName;
use crate::decision::{Decision, Decisions, Effort};
use crate::evidence::examination::Refusal;
use crate::persistent;
use crate::position::{FEN_CONTEXT, Input, Position};

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
    r#for: ColorName,
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
                r#for: color.into(),
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

/// Decisions as a document states them, `bitmesh.decide.v1`.
///
/// Reading replays a line, and checks nothing else of the evidence: [`check`](Self::check) does.
#[derive(Clone, Debug)]
pub struct StatedDecisions {
    /// Not to be handed out before it is checked.
    stated: Decisions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedDocument<'a> {
    #[serde(rename = "schema")]
    _schema: Schema,
    #[serde(borrow)]
    position: Cow<'a, str>,
    effort: u32,
    #[serde(borrow, deserialize_with = "list::<_, _, 2>")]
    decisions: Vec<StatedSide<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedSide<'a> {
    r#for: ColorName,
    verdict: VerdictName,
    plies: Option<u16>,
    /// Which kind of evidence it must be depends on the verdict, which may stand after it.
    #[serde(borrow)]
    evidence: Option<&'a RawValue>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VerdictName {
    Winnable,
    Unwinnable,
    Undecided,
}

impl StatedSide<'_> {
    fn read<E: serde::de::Error>(self, bound: Effort) -> Result<(Color, Decision), E> {
        let color = Color::from(self.r#for);
        let wrong = |what: &dyn fmt::Display| E::custom(format_args!("the decision for {color}: {what}"));
        let decision = match (self.verdict, self.evidence) {
            (VerdictName::Winnable, Some(line)) => {
                Decision::Winnable(serde_json::from_str(line.get()).map_err(|error| wrong(&error))?)
            }
            (VerdictName::Unwinnable, Some(certificate)) => {
                Decision::Unwinnable(serde_json::from_str(certificate.get()).map_err(|error| wrong(&error))?)
            }
            (VerdictName::Undecided, None) => Decision::Undecided { bound },
            (VerdictName::Winnable, None) => return Err(wrong(&"winnable without a line")),
            (VerdictName::Unwinnable, None) => return Err(wrong(&"unwinnable without a certificate")),
            (VerdictName::Undecided, Some(_)) => return Err(wrong(&"evidence for what is undecided")),
        };
        match (self.plies, decision.verdict().plies()) {
            (stated, plies) if stated == plies => Ok((color, decision)),
            (_, Some(plies)) => Err(wrong(&format_args!("the line has {plies} plies"))),
            (_, None) => Err(wrong(&"plies without a line")),
        }
    }
}

/// Reads the document `bitmesh.decide.v1`: one side or both, White first.
impl<'de> Deserialize<'de> for StatedDecisions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = StatedDocument::deserialize(deserializer)?;
        let position = match Input::from_canonical_text(FEN_CONTEXT, &document.position) {
            Ok(Input::Position(position)) => position,
            Ok(Input::Board(_)) => return Err(D::Error::custom("the position is a board only")),
            Err(error) => return Err(D::Error::custom(format_args!("position: {error}"))),
        };
        let effort = Effort::positions(document.effort);
        if effort.get() != document.effort {
            return Err(D::Error::custom(format_args!("an effort of more than {}", effort.get())));
        }
        match document.decisions[..] {
            [_]
            | [StatedSide { r#for: ColorName::White, .. }, StatedSide { r#for: ColorName::Black, .. }] => {}
            _ => return Err(D::Error::custom("not one decision for a side, White's first")),
        }
        let mut decisions = ByColor::default();
        for side in document.decisions {
            let (color, decision) = side.read(effort)?;
            *decisions.get_mut(color) = Some(decision);
        }
        Ok(Self { stated: Decisions::stated(position, effort, decisions) })
    }
}

impl StatedDecisions {
    /// The position that they are about.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.stated.position()
    }

    /// Checks all of it: each piece of evidence is about this position, and shows what is stated of its side.
    ///
    /// What is undecided stays so: it claims nothing.
    ///
    /// # Errors
    ///
    /// The first thing that does not hold.
    pub fn check(&self) -> Result<&Decisions, Refusal> {
        for (color, decision) in self.stated.iter() {
            match decision {
                Decision::Winnable(line) => {
                    self.check_position(color, line.position())?;
                    if line.winner() != color {
                        let message = format!("the line for {color} ends in mate by {}", line.winner());
                        return Err(Refusal::because("verify/other-verdict", message));
                    }
                }
                Decision::Unwinnable(certificate) => {
                    self.check_position(color, certificate.position())?;
                    let conclusions =
                        persistent::check(certificate).map_err(|error| Refusal::new(error.code(), &error))?;
                    if !conclusions.unwinnable.get(color) {
                        let message =
                            format!("the certificate does not show that {color} can never give mate");
                        return Err(Refusal::because("verify/other-verdict", message));
                    }
                }
                Decision::Undecided { .. } => {}
            }
        }
        Ok(&self.stated)
    }

    /// Canonical texts are equal when positions are, in all their parts.
    fn check_position(&self, color: Color, found: &Chess) -> Result<(), Refusal> {
        let found = Position::new(found.clone());
        if found == *self.position() {
            return Ok(());
        }
        let message = format!("the evidence for {color} is about the position {found}");
        Err(Refusal::because("verify/other-position", message))
    }
}
