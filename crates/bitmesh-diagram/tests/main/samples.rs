//! Diagrams that the tests draw.

use bitmesh::persistent::{CheckedCertificate, prove};
use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Square};
use bitmesh_diagram::{Arrow, Diagram, Reach, Region};

/// Sixteen locked pawns, a king on each side.
pub(crate) const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";

pub(crate) fn board(text: &str) -> Board {
    Board::from_ascii_board_fen(text.as_bytes()).expect("a placement")
}

pub(crate) fn position(text: &str) -> Chess {
    let fen: Fen = text.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a legal position")
}

pub(crate) fn checked(text: &str) -> CheckedCertificate {
    CheckedCertificate::new(prove(&position(text))).expect("a sound certificate")
}

pub(crate) fn wall() -> Diagram {
    Diagram::structure(&board("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7"))
}

/// The wall as the drawing case has it: Black below, an arrow a1-b1.
pub(crate) fn wall_for_black() -> Diagram {
    let mut diagram = wall();
    diagram.orientation = Color::Black;
    diagram.arrows.push(Arrow { from: Square::A1, to: Square::B1 });
    diagram
}

pub(crate) fn wall_for_ever() -> Diagram {
    let certificate = checked(WALL);
    let mut diagram = Diagram::persistent(&certificate);
    diagram.show_reach(&certificate, Square::A1).expect("the king moves");
    diagram
}

/// Every kind of mark and every piece at once, on squares that mean nothing.
pub(crate) fn everything() -> Diagram {
    let mut diagram = Diagram::new(Board::new());
    diagram.title = "Everything & more".to_owned();
    diagram.barrier.squares = [Square::A2, Square::B2, Square::A7, Square::B7].into_iter().collect();
    diagram.regions =
        (0..7).map(|file| Region { squares: Bitboard(0x0101_0101_0101_0101 << file) }).collect();
    diagram.reach = Some(Reach {
        square: Square::C1,
        squares: Bitboard(0x00ff_0000) | Bitboard::from_square(Square::C1),
        promoted: Bitboard(0x00ff_0000_0000) | Bitboard::from_square(Square::B8),
    });
    diagram.arrows = vec![
        Arrow { from: Square::G1, to: Square::F3 },
        Arrow { from: Square::E2, to: Square::E4 },
        Arrow { from: Square::E2, to: Square::E4 },
        Arrow { from: Square::D8, to: Square::D8 },
    ];
    diagram.highlights = Bitboard::from_square(Square::D4);
    diagram
}
