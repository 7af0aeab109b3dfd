//! From a question to the document that answers it.

use std::cell::RefCell;

use bitmesh::decision::{Decider, Decisions, Effort};
use bitmesh::persistent::{Bound, Coupling};
use bitmesh::shakmaty::{Bitboard, Color, Square};
use bitmesh::{Against, Assessment, Input, examine_evidence};
use bitmesh_diagram::{Diagram, Layer, LayerError, Size, render_svg};
use serde::Serialize;
use serde_json::json;

use crate::question::{Failure, Question};

pub(crate) fn answer(question: &Question) -> Result<Vec<u8>, Failure> {
    match question {
        Question::Analyze { text } => write(&glance(&assess(text)?)),
        Question::Certify { text } => write(&assess(text)?.document(None)),
        Question::Prove { text, positions } => {
            let bound = positions.map_or(Bound::DEFAULT, Bound::nodes);
            write(&assess(text)?.within(bound).permanent().map_err(|error| Failure::of(&error))?.document())
        }
        Question::Decide { text, side, effort } => {
            let sides = side.map_or(vec![Color::White, Color::Black], |side| vec![side.into()]);
            decide(text, &sides, effort.map_or(Effort::default(), Effort::positions))
        }
        Question::Verify { evidence, text } => {
            let about = text.as_deref().map(assess).transpose()?;
            let against = Against { input: about.as_ref().map(Assessment::input), certificate: None };
            write(&examine_evidence(evidence.as_bytes(), against).map_err(|error| Failure::of(&error))?)
        }
        Question::Draw { text, layer, reach, orientation, size, coordinates } => {
            let mut diagram = diagram(&assess(text)?, *layer, *reach)?;
            if let Some(side) = *orientation {
                diagram.orientation = side.into();
            }
            if let Some(pixels) = *size {
                diagram.size = Size::new(pixels)
                    .map_err(|error| Failure { code: error.code(), message: error.to_string() })?;
            }
            diagram.coordinates = coordinates.unwrap_or(true);
            write(&json!({ "svg": render_svg(&diagram) }))
        }
    }
}

fn write(document: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(document)
        .map_err(|error| Failure { code: "wasm/unwritable", message: error.to_string() })
}

fn assess(text: &str) -> Result<Assessment, Failure> {
    Assessment::read(text).map_err(|error| Failure::of(&error))
}

/// What all layers say at a glance. False is "not proved", which does not say that a claim is false.
#[derive(Serialize)]
struct Glance<'a> {
    position: &'a str,
    is_position: bool,
    one_ply: &'static str,
    regions: usize,
    components: u8,
    coupling: Option<&'static str>,
    unwinnable_white: bool,
    unwinnable_black: bool,
    dead: bool,
    barrier: Vec<String>,
    frozen: Vec<String>,
}

fn glance(assessment: &Assessment) -> Glance<'_> {
    let outline = assessment.outline();
    let unwinnable = outline.map_or(Default::default(), |outline| outline.unwinnable);
    Glance {
        position: assessment.canonical_text(),
        is_position: matches!(assessment.input(), Input::Position(_)),
        one_ply: assessment.verdict().word(),
        regions: assessment.structure().active_component_count.into(),
        components: outline.map_or(0, |outline| outline.components),
        coupling: outline.filter(|outline| outline.decomposed()).map(|outline| match outline.coupling {
            Coupling::ExactSum => "exact-sum",
            _ => "coupled",
        }),
        unwinnable_white: unwinnable.white,
        unwinnable_black: unwinnable.black,
        dead: unwinnable.white && unwinnable.black,
        barrier: squares(assessment.barrier()),
        frozen: outline.map_or(Vec::new(), |outline| squares(outline.frozen)),
    }
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

thread_local! {
    /// The memory of the searches, made when it is first needed.
    static DECIDER: RefCell<Option<Decider>> = const { RefCell::new(None) };
}

fn decide(text: &str, sides: &[Color], effort: Effort) -> Result<Vec<u8>, Failure> {
    let assessment = assess(text)?;
    let position = assessment.position().map_err(|error| Failure::of(&error))?;
    DECIDER.with_borrow_mut(|kept| {
        let mut decider =
            kept.take().filter(|kept| kept.effort() == effort).unwrap_or_else(|| Decider::new(effort));
        let document = write(&Decisions::of(&mut decider, position.clone(), sides));
        *kept = Some(decider);
        document
    })
}

fn diagram(assessment: &Assessment, layer: Option<Layer>, reach: Option<Square>) -> Result<Diagram, Failure> {
    let default = Layer::strongest(assessment);
    Diagram::of_layer(assessment, layer, reach, default).map_err(|error| match error {
        LayerError::ReachNeedsPersistent => Failure {
            code: "wasm/malformed-question",
            message: "`reach` needs the layer persistent".to_owned(),
        },
        other => Failure { code: other.code(), message: other.to_string() },
    })
}
