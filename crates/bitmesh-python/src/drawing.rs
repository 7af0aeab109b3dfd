//! Pictures.

use std::hash::{Hash, Hasher};

use bitmesh::shakmaty::{Bitboard, Board, Color, Square};
use bitmesh::{Assessment, Input, PermanentError};
use bitmesh_diagram::{
    Arrow, Barrier, BarrierKind, Diagram, Layer, LayerError, Pieces, Reach, Region, Size, TextStyle,
    render_png, render_svg, render_text,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::arguments::{self, Optional, read_text, unknown_value, wrong_type};
use crate::certificates::{Certification, Decomposition};
use crate::decision::{Decisions, Line};
use crate::ending::detach;
use crate::errors::{argument_error, drawing_error, shown, words};
use crate::input::{not_a_position, read_object};
use crate::persistent::Persistent;
use crate::squares::{to_color, to_square};

/// A board with its regions, as ``draw`` gives it; notebooks show it as a picture.
#[pyclass(frozen, eq, hash, module = "bitmesh")]
#[derive(PartialEq)]
pub(crate) struct Drawing {
    diagram: Diagram,
}

impl Hash for Drawing {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.diagram.board, &self.diagram.title, self.diagram.highlights).hash(state);
    }
}

#[pymethods]
impl Drawing {
    /// The name of the picture, which is also the line above the text form.
    #[getter]
    fn title(&self) -> &str {
        &self.diagram.title
    }

    /// Everything that the picture shows, in words.
    #[getter]
    fn description(&self) -> String {
        self.diagram.description()
    }

    /// The picture as SVG.
    fn svg(&self) -> String {
        render_svg(&self.diagram)
    }

    /// The picture as PNG.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let png = detach(py, || render_png(&self.diagram));
        png.map(|bytes| PyBytes::new(py, &bytes))
            .map_err(|error| drawing_error(&words(&error), "diagram/png"))
    }

    /// The board as text.
    ///
    /// ``unicode`` shows figures instead of letters, ``color`` the colours of a terminal,
    /// ``legend`` the list of regions below.
    #[pyo3(
        signature = (*, unicode = None, color = None, legend = None),
        text_signature = "($self, *, unicode=False, color=False, legend=True)"
    )]
    fn text(
        &self,
        unicode: Optional<'_, '_>,
        color: Optional<'_, '_>,
        legend: Optional<'_, '_>,
    ) -> PyResult<String> {
        let figures = arguments::flag("unicode", unicode, false)?;
        let color = arguments::flag("color", color, false)?;
        let legend = arguments::flag("legend", legend, true)?;
        let pieces = if figures { Pieces::Figures } else { Pieces::Letters };
        Ok(render_text(&self.diagram, &TextStyle { pieces, color, cursor: false, legend }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = slf.get_type().getattr("_from_state")?;
        (restore, (state_of(&slf.get().diagram),)).into_pyobject(slf.py())
    }

    #[classmethod]
    fn _from_state(_: &Bound<'_, PyType>, state: State) -> PyResult<Self> {
        Ok(Self { diagram: of_state(state)? })
    }

    fn __str__(&self) -> String {
        render_text(&self.diagram, &TextStyle { legend: true, ..TextStyle::default() })
    }

    fn __repr__(&self) -> String {
        format!("<Drawing {:?}>", shown(&self.diagram.title))
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }
}

/// Draw a position with its regions.
///
/// ``layer`` says whose regions: ``none``, ``structure`` (the default), ``one-ply`` (of a
/// Certification: also what breaks it) or ``persistent`` (of a PersistentCertificate, and
/// with ``reach``: the regions that are never left). ``reach`` marks every square where the
/// piece on a square can ever stand. ``arrows`` are texts such as ``a1-b1``, pairs of
/// squares, moves and arrows of python-chess; ``highlights`` are squares. ``size`` is width
/// and height in pixels, 64 to 4096, 528 by default; ``orientation`` the colour below.
///
/// Raises DrawingError for a size or a reach that is not possible.
#[pyfunction]
#[pyo3(
    signature = (
        position, *, layer = None, reach = None, arrows = None, highlights = None, title = None, size = None,
        orientation = None, coordinates = None,
    ),
    text_signature = "(position, *, layer=None, reach=None, arrows=None, highlights=None, title=None, size=528, \
                      orientation=None, coordinates=True)"
)]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn draw(
    position: &Bound<'_, PyAny>,
    layer: Optional<'_, '_>,
    reach: Optional<'_, '_>,
    arrows: Optional<'_, '_>,
    highlights: Optional<'_, '_>,
    title: Optional<'_, '_>,
    size: Optional<'_, '_>,
    orientation: Optional<'_, '_>,
    coordinates: Optional<'_, '_>,
) -> PyResult<Drawing> {
    let reach = reach.map(|square| to_square("reach", square)).transpose()?;
    let mut diagram = diagram(position, arguments::choice("layer", layer)?, reach)?;
    if let Some(pixels) = arguments::pixels("size", size)? {
        diagram.size = Size::new(pixels).map_err(|error| drawing_error(&error.to_string(), error.code()))?;
    }
    diagram.orientation = orientation.map_or(Ok(Color::White), |color| to_color("orientation", color))?;
    diagram.coordinates = arguments::flag("coordinates", coordinates, true)?;
    if let Some(title) = arguments::text("title", title)? {
        diagram.title = title;
    }
    if let Some(arrows) = arrows {
        let items = arrows.try_iter().map_err(|_| wrong_type("arrows", "a collection of arrows", arrows))?;
        for arrow in items {
            diagram.asked.push(to_arrow(&arrow?)?);
        }
    }
    if let Some(highlights) = highlights {
        let items = highlights
            .try_iter()
            .map_err(|_| wrong_type("highlights", "a collection of squares", highlights))?;
        let squares = items.map(|square| to_square("highlights", &square?));
        diagram.highlights |= squares.collect::<PyResult<Bitboard>>()?;
    }
    Ok(Drawing { diagram })
}

fn diagram(object: &Bound<'_, PyAny>, layer: Option<Layer>, reach: Option<Square>) -> PyResult<Diagram> {
    let alone = if let Ok(decomposition) = object.cast::<Decomposition>() {
        Some(decomposition.get().diagram())
    } else if let Ok(line) = object.cast::<Line>() {
        Some(line.get().diagram())
    } else {
        None
    };
    if let Some(diagram) = alone {
        let name = object.get_type().name()?;
        if layer.is_some() || reach.is_some() {
            let argument = if layer.is_some() { "layer" } else { "reach" };
            let message = format!("a {name} has one picture: give the position to choose another");
            return Err(argument_error(argument, &message, "argument/conflict"));
        }
        return Ok(diagram);
    }
    let certificate = object.cast::<Persistent>().ok();
    let certification = object.cast::<Certification>().ok();
    let input = match (certificate, certification) {
        (Some(certificate), _) => certificate.get().input(),
        (None, Some(certification)) => certification.get().input().clone(),
        (None, None) => match object.cast::<Decisions>() {
            Ok(decisions) => Input::Position(decisions.get().position().clone()),
            Err(_) => read_object(object)?.input,
        },
    };
    let assessment = Assessment::new(input);
    let default = match (reach, certificate, certification) {
        (Some(_), _, _) | (None, Some(_), _) => Layer::Persistent,
        (None, None, Some(_)) => Layer::OnePly,
        (None, None, None) => Layer::Structure,
    };
    let layer = layer.unwrap_or(default);
    let refused = |error: LayerError| match (&error, assessment.input()) {
        (LayerError::NoCertificate(PermanentError::NotAPosition { .. }), Input::Board(board)) => {
            not_a_position(board)
        }
        _ => drawing_error(&words(&error), error.code()),
    };
    match certificate {
        // It may prove more than one witness does.
        Some(certificate) if layer == Layer::Persistent => {
            let checked = certificate.get().checked();
            let mut diagram = Diagram::persistent(checked);
            if let Some(square) = reach {
                diagram.show_reach(checked, square).map_err(|error| refused(error.into()))?;
            }
            Ok(diagram)
        }
        _ => Diagram::of_layer(&assessment, Some(layer), reach, layer).map_err(refused),
    }
}

/// An arrow from a text such as `a1-b1` or `a1b1`, a pair of squares, a `chess.Move` or a `chess.svg.Arrow`.
fn to_arrow(object: &Bound<'_, PyAny>) -> PyResult<Arrow> {
    let square = |object: &Bound<'_, PyAny>| to_square("arrows", object);
    if let Some(text) = read_text("arrows", object)? {
        let no_arrow =
            || unknown_value("arrows", &format_args!("{:?} is not an arrow such as a1-b1", shown(&text)));
        return text.parse().map_err(|_| no_arrow());
    }
    for (from, to) in [("from_square", "to_square"), ("tail", "head")] {
        if object.hasattr(from)? && object.hasattr(to)? {
            return Ok(Arrow { from: square(&object.getattr(from)?)?, to: square(&object.getattr(to)?)? });
        }
    }
    let (from, to) = object
        .extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()
        .map_err(|_| wrong_type("arrows", "a pair of squares, a text, a move or an arrow", object))?;
    Ok(Arrow { from: square(&from)?, to: square(&to)? })
}

/// A reach as numbers: where the piece stands, where it can go, and where after a promotion.
type ReachState = (u8, u64, u64);

/// Arrows as pairs of numbers of squares.
type ArrowsState = Vec<(u8, u8)>;

/// A diagram as a pickle keeps it: the placement, whether the barrier is of frozen pieces, its squares, the regions,
/// the reach, the arrows, those that were asked for, the highlights, whether White is below, the title, the size,
/// the coordinates.
type State =
    (String, bool, u64, Vec<u64>, Option<ReachState>, ArrowsState, ArrowsState, u64, bool, String, u32, bool);

fn state_of(diagram: &Diagram) -> State {
    let Diagram { board, barrier, regions, reach, arrows, asked, highlights, .. } = diagram;
    let Diagram { orientation, title, size, coordinates, .. } = diagram;
    let squares =
        |arrows: &[Arrow]| arrows.iter().map(|arrow| (arrow.from.into(), arrow.to.into())).collect();
    (
        board.board_fen().to_string(),
        barrier.kind == BarrierKind::FrozenPieces,
        barrier.squares.0,
        regions.iter().map(|region| region.squares.0).collect(),
        reach.map(|Reach { square, squares, promoted }| (square.into(), squares.0, promoted.0)),
        squares(arrows),
        squares(asked),
        highlights.0,
        orientation.is_white(),
        title.clone(),
        size.pixels(),
        *coordinates,
    )
}

fn of_state(state: State) -> PyResult<Diagram> {
    let (
        placement,
        frozen,
        barrier,
        regions,
        reach,
        arrows,
        asked,
        highlights,
        white,
        title,
        size,
        coordinates,
    ) = state;
    let unfit = || drawing_error("the pickle does not hold a drawing", "diagram/pickle");
    let square = |number: u8| Square::try_from(number).map_err(|_| unfit());
    let board = Board::from_ascii_board_fen(placement.as_bytes()).map_err(|_| unfit())?;
    let mut diagram = Diagram::new(board);
    let kind = if frozen { BarrierKind::FrozenPieces } else { BarrierKind::LockedPawns };
    diagram.barrier = Barrier { kind, squares: Bitboard(barrier) };
    diagram.regions = regions.into_iter().map(|squares| Region { squares: Bitboard(squares) }).collect();
    if let Some((place, squares, promoted)) = reach {
        let (squares, promoted) = (Bitboard(squares), Bitboard(promoted));
        diagram.reach = Some(Reach { square: square(place)?, squares, promoted });
    }
    let arrow = |(from, to)| Ok::<_, PyErr>(Arrow { from: square(from)?, to: square(to)? });
    diagram.arrows = arrows.into_iter().map(arrow).collect::<PyResult<_>>()?;
    diagram.asked = asked.into_iter().map(arrow).collect::<PyResult<_>>()?;
    diagram.highlights = Bitboard(highlights);
    diagram.orientation = Color::from_white(white);
    diagram.title = title;
    diagram.size = Size::new(size).map_err(|_| unfit())?;
    diagram.coordinates = coordinates;
    Ok(diagram)
}
