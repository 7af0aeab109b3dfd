//! Draws the pictures of `docs/gallery.md`: `cargo run -p bitmesh-diagram --example gallery`.

use std::error::Error;
use std::fs;
use std::path::Path;

use bitmesh::decision::MateLine;
use bitmesh::shakmaty::uci::UciMove;
use bitmesh::shakmaty::{Color, Position as _, Square};
use bitmesh::{Assessment, Input};
use bitmesh_diagram::{Arrow, Diagram, Size, Strip, render_png, render_strip_svg, render_svg};

/// Where the pictures belong.
pub(crate) const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/gallery");

/// One picture of the gallery.
pub(crate) struct Picture {
    /// The name of its file without the ending.
    pub(crate) name: &'static str,
    /// What is drawn.
    pub(crate) fen: &'static str,
    shows: Shows,
}

/// What a picture shows of its position.
enum Shows {
    Pieces,
    Structure,
    StructureForBlack {
        from: Square,
        to: Square,
    },
    OnePly,
    Persistent,
    Reach(Square),
    /// A line to mate by this colour, as moves.
    Line(Color, &'static [&'static str]),
}

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

/// All pictures, in the order of the page.
pub(crate) const PICTURES: &[Picture] = &[
    Picture { name: "wall-structure", fen: WALL, shows: Shows::Structure },
    Picture {
        name: "wall-black-below",
        fen: WALL,
        shows: Shows::StructureForBlack { from: Square::A1, to: Square::B1 },
    },
    Picture { name: "board-alone", fen: "8/8/8/PPPPPPPP/PPPPPPPP/8/8/N6n", shows: Shows::Structure },
    Picture {
        name: "en-passant",
        fen: "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1",
        shows: Shows::OnePly,
    },
    Picture {
        name: "queen-breaks-the-wall",
        fen: "3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3 w - - 0 1",
        shows: Shows::OnePly,
    },
    Picture { name: "wall-for-ever", fen: WALL, shows: Shows::Persistent },
    Picture {
        name: "kings-on-the-far-side",
        fen: "7K/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/k7 w - - 0 1",
        shows: Shows::Persistent,
    },
    Picture {
        name: "bishop-on-light-squares",
        fen: "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K6B w - - 0 1",
        shows: Shows::Reach(Square::H1),
    },
    Picture {
        name: "real-game",
        fen: "8/6p1/1pk5/pP1p2p1/P2P2P1/2K5/8/8 b - - 0 45",
        shows: Shows::Persistent,
    },
    Picture {
        name: "played-on",
        fen: "1b1k4/8/1p1p1p1p/pP1PpP1P/P3P1K1/8/8/8 w - - 0 50",
        shows: Shows::Persistent,
    },
    Picture {
        name: "pawn-that-promotes",
        fen: "4k3/8/8/8/8/8/7P/4K3 w - - 0 1",
        shows: Shows::Reach(Square::H2),
    },
    Picture {
        name: "six-regions",
        fen: "3k4/1p4p1/bPp2pPb/n1P2P1n/N1p2p1N/BpP2PpB/1P4P1/3K4 w - - 0 1",
        shows: Shows::Persistent,
    },
    Picture {
        name: "one-side-can-win",
        fen: "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1",
        shows: Shows::Persistent,
    },
    Picture {
        name: "line-as-arrows",
        fen: "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
        shows: Shows::Line(Color::Black, &["g2g4", "d8h4"]),
    },
    Picture {
        name: "line-as-boards",
        fen: "8/8/8/8/1n6/3k4/P6P/1K6 w - - 0 1",
        shows: Shows::Line(Color::Black, &["b1a1", "d3d2", "h2h3", "d2c1", "h3h4", "b4c2"]),
    },
    Picture {
        name: "pieces",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        shows: Shows::Pieces,
    },
];

impl Picture {
    /// The picture as a file.
    pub(crate) fn svg(&self) -> Result<String, Box<dyn Error>> {
        if let Shows::Line(winner, moves) = self.shows {
            let line = self.line(winner, moves)?;
            if Diagram::of_line(&line).is_none() {
                return Ok(render_strip_svg(&Strip::of_line(&line, Color::White, Size::new(880)?)?));
            }
        }
        Ok(render_svg(&self.diagram()?))
    }

    fn line(&self, winner: Color, moves: &[&str]) -> Result<MateLine, Box<dyn Error>> {
        let Input::Position(start) = bitmesh::read_position(self.fen)?.input else {
            return Err("a board has no line".into());
        };
        let mut position = start.chess().clone();
        let mut line = Vec::new();
        for text in moves {
            let played = text.parse::<UciMove>()?.to_move(&position)?;
            position.play_unchecked(played);
            line.push(played);
        }
        Ok(MateLine::new(start.into_chess(), winner, line)?)
    }

    /// The drawing: 50 pixels for each square.
    pub(crate) fn diagram(&self) -> Result<Diagram, Box<dyn Error>> {
        let input = bitmesh::read_position(self.fen)?.input;
        let mut diagram = match self.shows {
            Shows::Pieces => {
                let mut diagram = Diagram::new(input.board().clone());
                diagram.title = "The pieces".to_owned();
                diagram
            }
            Shows::Structure => Diagram::structure(input.board()),
            Shows::StructureForBlack { from, to } => {
                let mut diagram = Diagram::structure(input.board());
                diagram.orientation = Color::Black;
                diagram.asked.push(Arrow { from, to });
                diagram
            }
            Shows::OnePly => Diagram::one_ply(&input),
            Shows::Persistent => persistent(input, None)?,
            Shows::Reach(square) => persistent(input, Some(square))?,
            Shows::Line(winner, moves) => {
                Diagram::of_line(&self.line(winner, moves)?).ok_or("a line for a strip")?
            }
        };
        diagram.size = Size::new(440)?;
        Ok(diagram)
    }
}

fn persistent(input: Input, reach: Option<Square>) -> Result<Diagram, Box<dyn Error>> {
    let assessment = Assessment::new(input);
    let checked = assessment.reaches()?;
    let mut diagram = Diagram::persistent(checked);
    if let Some(square) = reach {
        diagram.show_reach(checked, square)?;
    }
    Ok(diagram)
}

#[allow(dead_code, reason = "the tests take the pictures without the program")]
fn main() -> Result<(), Box<dyn Error>> {
    let directory = Path::new(DIRECTORY);
    for picture in PICTURES {
        fs::write(directory.join(picture.name).with_extension("svg"), picture.svg()?)?;
        if picture.name == "pieces" {
            fs::write(directory.join("pieces.png"), render_png(&picture.diagram()?)?)?;
        }
    }
    Ok(())
}
