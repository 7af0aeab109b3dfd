//! Draws the pictures of `docs/gallery.md`: `cargo run -p bitmesh-diagram --example gallery`.

use std::error::Error;
use std::fs;
use std::path::Path;

use bitmesh::shakmaty::{Color, Square};
use bitmesh::{Assessment, Input};
use bitmesh_diagram::{Arrow, Diagram, Size, render_png, render_svg};

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
    StructureForBlack { from: Square, to: Square },
    OnePly,
    Persistent,
    Reach(Square),
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
        name: "pieces",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        shows: Shows::Pieces,
    },
];

impl Picture {
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
        let diagram = picture.diagram()?;
        fs::write(directory.join(picture.name).with_extension("svg"), render_svg(&diagram))?;
        if picture.name == "pieces" {
            fs::write(directory.join("pieces.png"), render_png(&diagram)?)?;
        }
    }
    Ok(())
}
