//! Where squares are in a picture.

use bitmesh::shakmaty::{Color, Square};

use crate::diagram::Diagram;

/// Units of a square in the drawing; a scale turns them into pixels.
pub(crate) const UNIT: i32 = 100;

/// The squares are a whole number of pixels wide, so that their edges are sharp; what remains of
/// the size is the margin, which holds the coordinates.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Layout {
    /// Width and height of the picture in pixels.
    pub(crate) size: i32,
    /// Width of a square in pixels.
    pub(crate) square: i32,
    /// Distance of the board from the left and from the top in pixels.
    pub(crate) origin: i32,
    orientation: Color,
}

impl Layout {
    pub(crate) fn new(diagram: &Diagram) -> Self {
        let size = diagram.size.pixels() as i32;
        // With coordinates, both margins together take four fifths of a square.
        let square = if diagram.coordinates { size * 10 / 88 } else { size / 8 };
        Self { size, square, origin: (size - 8 * square) / 2, orientation: diagram.orientation }
    }

    /// Column and row of a square as it is seen, from the top left.
    pub(crate) fn cell(&self, square: Square) -> (i32, i32) {
        let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
        match self.orientation {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        }
    }

    /// The top left corner of a square in units.
    pub(crate) fn corner(&self, square: Square) -> (i32, i32) {
        let (column, row) = self.cell(square);
        (column * UNIT, row * UNIT)
    }

    /// The centre of a square in units.
    pub(crate) fn center(&self, square: Square) -> (i32, i32) {
        let (x, y) = self.corner(square);
        (x + UNIT / 2, y + UNIT / 2)
    }
}
