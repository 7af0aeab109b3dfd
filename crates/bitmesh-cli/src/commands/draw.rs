//! `bitmesh draw`: a position with its regions as a picture or as text.

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use bitmesh::decision::{Decision, MateLine, decide};
use bitmesh::shakmaty::{Color, Position as _, Square};
use bitmesh::{Assessment, Input, PermanentError};
use bitmesh_corpus::Printable;
use bitmesh_diagram::{
    Arrow, Diagram, Layer, LayerError, NotAnArrow, Size, Strip, render_png, render_strip_png,
    render_strip_svg, render_svg, render_text,
};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::board_text::PieceArgs;
use crate::console::{Console, Failure, Outcome};
use crate::files::write_whole;
use crate::hint;

/// More than any position or drawn board, so that a wrong file is refused and not read whole.
const LONGEST_INPUT: u64 = 64 * 1024;

/// Draw a position with its regions.
///
/// Without -o the board is written as text, with the letter of its region on each square and `#`
/// around the pieces that separate the regions. Regions are drawn when there are at least two.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A FEN, the placement alone, or a board drawn with letters, in one argument; `-` reads it from standard input.
    #[arg(value_name = "FEN")]
    fen: String,

    /// Write a picture: FILE ends in .svg or .png.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Which regions are drawn [default: for a picture the strongest layer that shows something, for text structure;
    /// with --reach persistent].
    #[arg(long, value_name = "LAYER", value_parser = layers())]
    layer: Option<Layer>,

    /// Draw a line that ends in mate by SIDE, if both sides help: numbered arrows when it is short, else a strip of
    /// boards. Text draws the position and names the moves.
    ///
    /// The line is the one that `decide` finds. Without one, nothing is drawn and the exit code is 1.
    #[arg(long, value_name = "SIDE", value_enum, conflicts_with_all = ["layer", "reach", "arrows", "highlights"])]
    mate: Option<Side>,

    /// Mark every square that the piece on SQUARE can ever reach (layer persistent).
    #[arg(long, value_name = "SQUARE")]
    reach: Option<Square>,

    /// Draw an arrow, as in a1-b1; may be repeated.
    #[arg(long = "arrow", value_name = "FROM-TO", value_parser = parse_arrow)]
    arrows: Vec<Arrow>,

    /// Put a frame around a square; may be repeated.
    #[arg(long = "highlight", value_name = "SQUARE")]
    highlights: Vec<Square>,

    /// The line above the text; the name and tooltip of a picture, which does not show it.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Width and height of a picture in pixels, 64 to 4096.
    #[arg(long, value_name = "PIXELS", value_parser = parse_size, default_value_t)]
    size: Size,

    /// The side at the bottom.
    #[arg(long, value_enum, default_value_t)]
    orientation: Side,

    /// Black at the bottom.
    #[arg(long, conflicts_with = "orientation")]
    flip: bool,

    /// Leave out the names of files and ranks.
    #[arg(long)]
    no_coordinates: bool,

    #[command(flatten)]
    pieces: PieceArgs,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Side {
    #[default]
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// The form of a picture.
#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
}

fn parse_size(text: &str) -> Result<Size, String> {
    let pixels: u32 = text.parse().map_err(|_| "not a whole number of pixels".to_owned())?;
    Size::new(pixels).map_err(|error| error.to_string())
}

/// The layers by their names, with what each of them shows.
fn layers() -> impl TypedValueParser<Value = Layer> {
    let values = Layer::ALL.map(|layer| PossibleValue::new(layer.word()).help(layer.describe()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Layer>())
}

fn parse_arrow(text: &str) -> Result<Arrow, String> {
    let arrow: Arrow = text.parse().map_err(|error: NotAnArrow| error.to_string())?;
    if arrow.from == arrow.to {
        return Err("an arrow leads to another square; --highlight puts a frame around one".to_owned());
    }
    Ok(arrow)
}

fn format_of(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => Err(Failure::Input(format!("the name {} does not end in .svg or .png", path.display()))),
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let output = match &args.output {
        Some(path) => Some((path, format_of(path)?)),
        None => None,
    };
    let drawing = match args.mate {
        Some(side) => match line_to_mate(args, side, console)? {
            Some(line) => Drawing::of_line(args, &line)?,
            None => return Ok(Outcome::Negative),
        },
        None => Drawing::Board(diagram(args, console)?),
    };
    let Some((path, format)) = output else {
        let text = render_text(drawing.first(), &args.pieces.style(console));
        console.write_all(text.as_bytes())?;
        return Ok(Outcome::Positive);
    };
    let bytes = match (&drawing, format) {
        (Drawing::Board(diagram), Format::Svg) => render_svg(diagram).into_bytes(),
        (Drawing::Board(diagram), Format::Png) => render_png(diagram).map_err(input)?,
        (Drawing::Strip(_, strip), Format::Svg) => render_strip_svg(strip).into_bytes(),
        (Drawing::Strip(_, strip), Format::Png) => render_strip_png(strip).map_err(input)?,
    };
    write_whole(path, &bytes)?;
    writeln!(console, "drawn {}", Printable(path.display()))?;
    Ok(Outcome::Positive)
}

/// What is drawn.
enum Drawing {
    Board(Diagram),
    /// Boards of a picture, and the one board of a text.
    Strip(Diagram, Strip),
}

impl Drawing {
    fn of_line(args: &Args, line: &MateLine) -> Result<Self, Failure> {
        let finish = |mut diagram: Diagram| {
            diagram.orientation = orientation(args);
            diagram.size = args.size;
            diagram.coordinates = !args.no_coordinates;
            if let Some(title) = &args.title {
                diagram.title = Printable(title).to_string();
            }
            diagram
        };
        if let Some(diagram) = Diagram::of_line(line) {
            return Ok(Self::Board(finish(diagram)));
        }
        let mut strip = Strip::of_line(line, orientation(args), args.size).map_err(input)?;
        let mut first = Diagram::new(line.position().board().clone());
        first.title.clone_from(&strip.title);
        let first = finish(first);
        strip.title.clone_from(&first.title);
        for board in &mut strip.boards {
            board.coordinates = !args.no_coordinates;
        }
        Ok(Self::Strip(first, strip))
    }

    const fn first(&self) -> &Diagram {
        match self {
            Self::Board(diagram) | Self::Strip(diagram, _) => diagram,
        }
    }
}

/// The line to mate by a side; none, after saying so, if there is none or none was found.
fn line_to_mate(args: &Args, side: Side, console: &Console) -> Result<Option<MateLine>, Failure> {
    let text = text(&args.fen)?;
    let reading =
        bitmesh::read_position(&text).map_err(|error| Failure::Input(hint::not_a_position(&text, &error)))?;
    for note in &reading.notes {
        console.complain(format_args!("note: {note}"));
    }
    let position = match &reading.input {
        Input::Position(position) => position,
        Input::Board(board) => {
            let reasons: Vec<String> = board.reasons().iter().map(ToString::to_string).collect();
            return Err(Failure::Input(format!("a decision needs a legal position: {}", reasons.join("; "))));
        }
    };
    let name = if side == Side::White { "White" } else { "Black" };
    match decide(position.chess(), side.into()) {
        Decision::Winnable(line) => return Ok(Some(line)),
        Decision::Unwinnable(_) => {
            console.complain(format_args!("nothing drawn: no series of legal moves ends in mate by {name}"));
        }
        Decision::Undecided { bound } => console.complain(format_args!(
            "nothing drawn: whether {name} can give mate was not shown within {} positions",
            bound.get()
        )),
    }
    Ok(None)
}

fn orientation(args: &Args) -> Color {
    if args.flip { Color::Black } else { args.orientation.into() }
}

fn diagram(args: &Args, console: &Console) -> Result<Diagram, Failure> {
    let text = text(&args.fen)?;
    let assessment =
        Assessment::read(&text).map_err(|error| Failure::Input(hint::not_a_position(&text, &error)))?;
    for note in assessment.notes() {
        console.complain(format_args!("note: {note}"));
    }
    let default = match &args.output {
        Some(_) => Layer::strongest(&assessment),
        None => Layer::Structure,
    };
    let mut diagram =
        Diagram::of_layer(&assessment, args.layer, args.reach, default).map_err(|error| match error {
            LayerError::ReachNeedsPersistent => {
                Failure::Input("--reach needs the layer persistent".to_owned())
            }
            LayerError::NoCertificate(PermanentError::NotAPosition { reasons }) => {
                let reasons: Vec<_> = reasons.iter().map(ToString::to_string).collect();
                let reasons = reasons.join(", ");
                Failure::Input(format!("the layer persistent needs a legal position: {reasons}"))
            }
            other => input(other),
        })?;
    // A title from the caller says what the picture is for.
    if args.output.is_some() && args.layer.is_none() && args.reach.is_none() && args.title.is_none() {
        console.complain(format_args!("layer {default}; --layer draws another one"));
    }
    diagram.orientation = orientation(args);
    if let Some(title) = &args.title {
        diagram.title = Printable(title).to_string();
    }
    diagram.size = args.size;
    diagram.coordinates = !args.no_coordinates;
    diagram.asked.extend(&args.arrows);
    diagram.highlights.extend(args.highlights.iter().copied());
    Ok(diagram)
}

/// The text of an argument, which is all of standard input for `-`.
fn text(argument: &str) -> Result<Cow<'_, str>, Failure> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let mut text = String::new();
    io::stdin()
        .take(LONGEST_INPUT)
        .read_to_string(&mut text)
        .map_err(|error| Failure::Read { source_name: "standard input".to_owned(), error })?;
    Ok(text.into())
}

fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}
