//! `bitmesh draw`: a position with its regions as a picture or as text.

use std::borrow::Cow;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use bitmesh::decision::{Decision, MateLine, decide};
use bitmesh::shakmaty::{Color, Position as _, Square};
use bitmesh::{Against, Assessment, Evidence, Input, PermanentError, examine_evidence};
use bitmesh_corpus::Printable;
use bitmesh_diagram::{
    Arrow, Diagram, Layer, LayerError, NotAnArrow, Size, Strip, render_png, render_strip_png,
    render_strip_svg, render_svg, render_text,
};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::board_text::PieceArgs;
use crate::console::{Console, Failure, Outcome};
use crate::files::{read_evidence_file, write_whole};
use crate::{documents, hint};

/// More than any position or drawn board, so that a wrong file is refused and not read whole.
const LONGEST_INPUT: u64 = 64 * 1024;

/// Draw a position with its regions.
///
/// Without -o the board is written as text, with the letter of its region on each square and `#`
/// around the pieces that separate the regions. Regions are drawn when there are at least two.
///
/// Exit codes: 0 drawn, 1 there is no line to draw, 2 an input that cannot be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  bitmesh draw '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1'
  bitmesh draw '7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1' -o wall.svg
  bitmesh draw --mate white -o mate.png '8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1'
  bitmesh decide --for black --out line.bmmate '8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1'
  bitmesh draw --line line.bmmate -o line.svg")]
pub(crate) struct Args {
    /// A FEN, the placement alone, or a board drawn with letters, in one argument; `-` reads it from standard input.
    #[arg(value_name = "FEN", required_unless_present = "line", conflicts_with = "line")]
    fen: Option<String>,

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
    /// The line is the one that `decide` finds, or the one of --line. Without one, nothing is drawn and the exit code
    /// is 1.
    #[arg(long, value_name = "SIDE", value_enum, conflicts_with_all = ["layer", "reach", "arrows", "highlights"])]
    mate: Option<Side>,

    /// Draw the line to mate of FILE as --mate does, if it passes the checks of `verify`; `-` for standard input.
    ///
    /// FILE is a line that `decide` has written (BMMATE, or JSON) or its answer (`bitmesh.decide.v1`). If that has a
    /// line for each side, --mate says which.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["layer", "reach", "arrows", "highlights"])]
    line: Option<PathBuf>,

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

    /// Width and height of a picture in pixels, 64 to 4096 [default: 528, for a strip more if it has many boards].
    #[arg(long, value_name = "PIXELS", value_parser = parse_size)]
    size: Option<Size>,

    /// The side at the bottom.
    #[arg(long, value_name = "SIDE", value_enum, default_value_t)]
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
    let line = match (&args.line, args.mate) {
        (Some(path), side) => line_of_file(path, side, console)?,
        (None, Some(side)) => line_to_mate(args, side, console)?,
        (None, None) => return finish(&Drawing::Board(diagram(args, console)?), output, args, console),
    };
    match line {
        Some(line) => finish(&Drawing::of_line(args, &line)?, output, args, console),
        None => Ok(Outcome::Negative),
    }
}

/// Writes the picture, or the board as text.
fn finish(
    drawing: &Drawing,
    output: Option<(&PathBuf, Format)>,
    args: &Args,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let Some((path, format)) = output else {
        let text = render_text(drawing.first(), &args.pieces.style(console));
        console.write_all(text.as_bytes())?;
        return Ok(Outcome::Positive);
    };
    let bytes = match (drawing, format) {
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
            diagram.size = args.size.unwrap_or_default();
            diagram.coordinates = !args.no_coordinates;
            if let Some(title) = &args.title {
                diagram.title = Printable(title).to_string();
            }
            diagram
        };
        if let Some(diagram) = Diagram::of_line(line) {
            return Ok(Self::Board(finish(diagram)));
        }
        let mut strip =
            Strip::of_line(line, orientation(args), args.size.unwrap_or_else(|| Strip::size_for(line)))
                .map_err(input)?;
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
    let text = text(args)?;
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
    Ok(line_of(decide(position.chess(), side.into()), side.into(), console))
}

/// The line of a decision for a side; none, after saying why.
fn line_of(decision: Decision, side: Color, console: &Console) -> Option<MateLine> {
    let name = name(side);
    match decision {
        Decision::Winnable(line) => return Some(line),
        Decision::Unwinnable(_) => {
            console.complain(format_args!("nothing drawn: no series of legal moves ends in mate by {name}"));
        }
        Decision::Undecided { bound } => console.complain(format_args!(
            "nothing drawn: whether {name} can give mate was not shown within {} positions",
            bound.get()
        )),
    }
    None
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The line to mate in a file, by a side if one is asked for; none, after saying so, if the file is refused or holds
/// no such line.
fn line_of_file(path: &Path, side: Option<Side>, console: &Console) -> Result<Option<MateLine>, Failure> {
    let file = if path == Path::new("-") { Path::new("standard input") } else { path }.display();
    let bytes = read_evidence_file(path)?;
    let wrong = |error: &dyn std::fmt::Display| Failure::Input(format!("{file}: {error}"));
    if documents::several(&bytes).is_some() {
        return Err(wrong(&"holds several documents, and one line is drawn"));
    }
    let examination = examine_evidence(&bytes, Against::NOTHING).map_err(|error| wrong(&error))?;
    if let Some(refusal) = examination.refusal() {
        console.complain(format_args!("nothing drawn: {file} is refused: {refusal} [{}]", refusal.code));
        return Ok(None);
    }
    let evidence = Evidence::read(&bytes).map_err(|error| wrong(&error))?;
    let stated = match evidence {
        Evidence::Mate(line) if side.is_none_or(|side| line.winner() == side.into()) => {
            return Ok(Some(*line));
        }
        Evidence::Mate(line) => {
            let name = name(line.winner());
            console.complain(format_args!("nothing drawn: the line in {file} ends in mate by {name}"));
            return Ok(None);
        }
        Evidence::Decisions(stated) => stated,
        other => return Err(wrong(&format_args!("{} has no line to draw", other.kind().describe()))),
    };
    let decisions = stated.check().map_err(|refusal| wrong(&refusal))?;
    let wanted = |color| side.is_none_or(|side| Color::from(side) == color);
    let mut of_sides: Vec<(Color, &Decision)> =
        decisions.iter().filter(|&(color, _)| wanted(color)).collect();
    if of_sides.iter().any(|(_, decision)| matches!(decision, Decision::Winnable(_))) {
        of_sides.retain(|(_, decision)| matches!(decision, Decision::Winnable(_)));
    }
    match of_sides[..] {
        [(_, Decision::Winnable(_)), (_, Decision::Winnable(_))] => {
            Err(wrong(&"there is a line for each side: choose one with --mate"))
        }
        [] => {
            let name = if side == Some(Side::Black) { "Black" } else { "White" };
            console.complain(format_args!("nothing drawn: {file} does not say whether {name} can give mate"));
            Ok(None)
        }
        _ => Ok(of_sides.into_iter().find_map(|(color, decision)| line_of(decision.clone(), color, console))),
    }
}

fn orientation(args: &Args) -> Color {
    if args.flip { Color::Black } else { args.orientation.into() }
}

fn diagram(args: &Args, console: &Console) -> Result<Diagram, Failure> {
    let text = text(args)?;
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
    diagram.size = args.size.unwrap_or_default();
    diagram.coordinates = !args.no_coordinates;
    diagram.asked.extend(&args.arrows);
    diagram.highlights.extend(args.highlights.iter().copied());
    Ok(diagram)
}

/// The text of an argument, which is all of standard input for `-`.
fn text(args: &Args) -> Result<Cow<'_, str>, Failure> {
    let argument = args.fen.as_deref().unwrap_or_default();
    if argument != "-" {
        return Ok(argument.into());
    }
    let mut bytes = Vec::new();
    io::stdin()
        .take(LONGEST_INPUT)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::Read { source_name: "standard input".to_owned(), error })?;
    hint::refuse_utf16(&bytes)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        Failure::Input(format!("standard input is not UTF-8: bad byte at character {place}"))
    })?;
    Ok(text.into())
}

fn input(error: impl std::fmt::Display) -> Failure {
    Failure::Input(error.to_string())
}
