//! Diagrams by address.

use bitmesh::Assessment;
use bitmesh::shakmaty::{Bitboard, Board, Color, Square};
use bitmesh_corpus::Printable;
use bitmesh_diagram::{Arrow, Diagram, Layer, LayerError, Reach, Size, render_png, render_svg};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::answer::{self, Answer};
use crate::problem::Problem;

/// The parameters of the address: the options of `bitmesh draw` under their names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Asked {
    pub(crate) fen: String,
    #[serde(default, deserialize_with = "layer")]
    layer: Option<Layer>,
    reach: Option<String>,
    /// Arrows as in `a1-b1,c1-d1`.
    arrows: Option<String>,
    /// Squares as in `a1,b1`.
    highlights: Option<String>,
    title: Option<String>,
    size: Option<u32>,
    orientation: Option<Side>,
    coordinates: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Side {
    White,
    Black,
}

impl Asked {
    fn is_persistent(&self) -> bool {
        self.reach.is_some() || self.layer == Some(Layer::Persistent)
    }

    pub(crate) fn svg(&self) -> Result<Vec<u8>, Problem> {
        Ok(render_svg(&self.diagram()?).into_bytes())
    }

    pub(crate) fn png(&self) -> Result<Vec<u8>, Problem> {
        render_png(&self.diagram()?).map_err(|error| Problem::input(error.code(), error.to_string()))
    }

    /// The diagram as data, with the marks of each violation apart.
    pub(crate) fn json(&self) -> Result<Answer, Problem> {
        let assessment = answer::assess(&self.fen)?;
        let diagram = self.diagram_of(&assessment)?;
        let violations = match self.layer {
            Some(Layer::OnePly) => assessment.violations(),
            _ => &[],
        };
        let violations = violations.iter().map(|violation| {
            let mut marks = Diagram::new(Board::empty());
            marks.show_violation(violation);
            json!({
                "code": violation.code(),
                "message": violation.to_string(),
                "arrows": arrows(&marks.arrows),
                "highlights": squares(marks.highlights),
            })
        });
        let regions = diagram.regions.iter().enumerate().map(|(index, region)| {
            json!({ "letter": Diagram::region_label(index), "squares": squares(region.squares) })
        });
        // Where every piece can ever stand, so that a page need not ask for each.
        let mut reaches = Vec::new();
        if self.is_persistent() {
            let checked = assessment.reaches()?;
            let mut one = Diagram::new(Board::empty());
            for square in assessment.board().occupied() {
                if one.show_reach(checked, square).is_ok() {
                    reaches.extend(one.reach.map(reach_of));
                }
            }
        }
        Ok(Answer::document(&json!({
            "schema": "bitmesh.diagram.v1",
            "title": diagram.title,
            "board": diagram.board.to_string(),
            "orientation": if diagram.orientation.is_white() { "white" } else { "black" },
            "barrier": { "kind": diagram.barrier.kind.noun(), "squares": squares(diagram.barrier.squares) },
            "regions": regions.collect::<Vec<_>>(),
            "reach": diagram.reach.map(reach_of),
            "reaches": reaches,
            "arrows": arrows(&diagram.arrows),
            "asked": arrows(&diagram.asked),
            "highlights": squares(diagram.highlights),
            "violations": violations.collect::<Vec<_>>(),
        })))
    }

    fn diagram(&self) -> Result<Diagram, Problem> {
        self.diagram_of(&answer::assess(&self.fen)?)
    }

    fn diagram_of(&self, assessment: &Assessment) -> Result<Diagram, Problem> {
        let reach = self.reach.as_deref().map(square).transpose()?;
        let drawn = Diagram::of_layer(assessment, self.layer, reach, Layer::Structure);
        let mut diagram = drawn.map_err(|error| match error {
            LayerError::ReachNeedsPersistent => Problem::malformed("`reach` needs the layer persistent"),
            LayerError::NoCertificate(error) => error.into(),
            other => Problem::input(other.code(), other.to_string()),
        })?;
        if self.orientation == Some(Side::Black) {
            diagram.orientation = Color::Black;
        }
        if let Some(title) = &self.title {
            diagram.title = Printable(title).to_string();
        }
        if let Some(pixels) = self.size {
            diagram.size =
                Size::new(pixels).map_err(|error| Problem::input(error.code(), error.to_string()))?;
        }
        diagram.coordinates = self.coordinates.unwrap_or(true);
        diagram.asked.extend(list(self.arrows.as_deref()).map(arrow).collect::<Result<Vec<_>, _>>()?);
        for name in list(self.highlights.as_deref()) {
            diagram.highlights.add(square(name)?);
        }
        Ok(diagram)
    }
}

fn reach_of(reach: Reach) -> Value {
    json!({
        "square": reach.square.to_string(),
        "squares": squares(reach.squares),
        "promoted": squares(reach.promoted),
    })
}

fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

fn arrows(arrows: &[Arrow]) -> Vec<Value> {
    let arrow = |arrow: &Arrow| json!({ "from": arrow.from.to_string(), "to": arrow.to.to_string() });
    arrows.iter().map(arrow).collect()
}

/// More marks would hide the board.
const MOST_MARKS: usize = 64;

fn list(text: Option<&str>) -> impl Iterator<Item = &str> {
    text.into_iter().flat_map(|text| text.split(',')).filter(|part| !part.is_empty()).take(MOST_MARKS)
}

fn square(name: &str) -> Result<Square, Problem> {
    name.parse().map_err(|_| Problem::malformed(format!("{:?} is not a square", Printable(name).to_string())))
}

fn arrow(text: &str) -> Result<Arrow, Problem> {
    text.parse().map_err(|error| Problem::malformed(format!("{:?}: {error}", Printable(text).to_string())))
}

fn layer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Layer>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
}
