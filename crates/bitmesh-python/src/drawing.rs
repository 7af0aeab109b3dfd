//! Pictures.

use std::fmt::Display;

use bitmesh::shakmaty::{Bitboard, Color, Square};
use bitmesh::{Input, persistent};
use bitmesh_diagram::{Arrow, Diagram, Pieces, Size, TextStyle, render_png, render_svg, render_text};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::certificates::Certification;
use crate::errors::{drawing_error, words};
use crate::input::{not_a_position, read_object};
use crate::persistent::Persistent;
use crate::squares::{to_color, to_square};

/// A board with its regions.
#[pyclass(frozen, module = "bitmesh")]
pub(crate) struct Drawing {
    diagram: Diagram,
}

#[pymethods]
impl Drawing {
    #[getter]
    fn title(&self) -> &str {
        &self.diagram.title
    }

    #[getter]
    fn description(&self) -> String {
        self.diagram.description()
    }

    fn svg(&self) -> String {
        render_svg(&self.diagram)
    }

    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let png = py.detach(|| render_png(&self.diagram));
        png.map(|bytes| PyBytes::new(py, &bytes))
            .map_err(|error| drawing_error(&words(&error), "diagram/png"))
    }

    #[pyo3(signature = (*, unicode = false, color = false, legend = true))]
    fn text(&self, unicode: bool, color: bool, legend: bool) -> String {
        let pieces = if unicode { Pieces::Figures } else { Pieces::Letters };
        render_text(&self.diagram, &TextStyle { pieces, color, cursor: false, legend })
    }

    fn __str__(&self) -> String {
        self.text(false, false, true)
    }

    fn __repr__(&self) -> String {
        format!("<Drawing {:?}>", self.diagram.title)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }
}

#[pyfunction]
#[pyo3(signature = (
    position, *, layer = None, reach = None, arrows = None, highlights = None, title = None, size = 528,
    orientation = None, coordinates = true,
))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn draw(
    position: &Bound<'_, PyAny>,
    layer: Option<&str>,
    reach: Option<&Bound<'_, PyAny>>,
    arrows: Option<&Bound<'_, PyAny>>,
    highlights: Option<&Bound<'_, PyAny>>,
    title: Option<String>,
    size: u32,
    orientation: Option<&Bound<'_, PyAny>>,
    coordinates: bool,
) -> PyResult<Drawing> {
    let reach = reach.map(to_square).transpose()?;
    let mut diagram = diagram(position, layer, reach)?;
    diagram.size = Size::new(size).map_err(|error| drawing_error(&error.to_string(), error.code()))?;
    diagram.orientation = orientation.map_or(Ok(Color::White), to_color)?;
    diagram.coordinates = coordinates;
    if let Some(title) = title {
        diagram.title = title;
    }
    if let Some(arrows) = arrows {
        for arrow in arrows.try_iter()? {
            diagram.arrows.push(to_arrow(&arrow?)?);
        }
    }
    if let Some(highlights) = highlights {
        let squares = highlights.try_iter()?.map(|square| to_square(&square?));
        diagram.highlights |= squares.collect::<PyResult<Bitboard>>()?;
    }
    Ok(Drawing { diagram })
}

fn diagram(object: &Bound<'_, PyAny>, layer: Option<&str>, reach: Option<Square>) -> PyResult<Diagram> {
    let certificate = object.cast::<Persistent>().ok();
    let certification = object.cast::<Certification>().ok();
    let input = match (certificate, certification) {
        (Some(certificate), _) => certificate.get().input(),
        (None, Some(certification)) => certification.get().input().clone(),
        (None, None) => read_object(object)?.input,
    };
    let default = match (reach, certificate, certification) {
        (Some(_), _, _) | (None, Some(_), _) => "persistent",
        (None, None, Some(_)) => "one-ply",
        (None, None, None) => "structure",
    };
    let layer = layer.unwrap_or(default);
    if reach.is_some() && layer != "persistent" {
        return Err(drawing_error("a reach needs the layer persistent", "diagram/reach-needs-persistent"));
    }
    match layer {
        "none" => Ok(Diagram::new(input.board().clone())),
        "structure" => Ok(Diagram::structure(input.board())),
        "one-ply" => Ok(Diagram::one_ply(&input)),
        "persistent" => {
            let made;
            let certificate = match (certificate, &input) {
                (Some(certificate), _) => certificate.get().certificate(),
                (None, Input::Position(position)) => {
                    made = persistent::prove(position.chess());
                    &made
                }
                (None, Input::Board(board)) => return Err(not_a_position(board)),
            };
            let checked = persistent::CheckedCertificate::new(certificate.clone())
                .map_err(|e| drawing_error(&words(&e), e.code()))?;
            let mut diagram = Diagram::persistent(&checked);
            if let Some(square) = reach {
                diagram
                    .show_reach(&checked, square)
                    .map_err(|error| drawing_error(&error.to_string(), error.code()))?;
            }
            Ok(diagram)
        }
        _ => Err(PyValueError::new_err(format!(
            "layer {layer:?} is none of \"none\", \"structure\", \"one-ply\", \"persistent\""
        ))),
    }
}

/// An arrow from a pair of squares, or from a text such as `a1-b1` or `a1b1`.
fn to_arrow(object: &Bound<'_, PyAny>) -> PyResult<Arrow> {
    if object.is_instance_of::<PyString>() {
        let text: String = object.extract()?;
        let no_arrow = |_: &dyn Display| PyValueError::new_err(format!("{text:?} is no arrow as in a1-b1"));
        let squares = text.split_once('-').or_else(|| text.split_at_checked(2));
        let (from, to) = squares.ok_or_else(|| no_arrow(&""))?;
        let square = |name: &str| name.parse::<Square>().map_err(|error| no_arrow(&error));
        return Ok(Arrow { from: square(from)?, to: square(to)? });
    }
    let (from, to) = object.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
    Ok(Arrow { from: to_square(&from)?, to: to_square(&to)? })
}
