//! The PNG: its size, and the colours of named squares.

use std::io::Cursor;

use bitmesh::shakmaty::{Board, Color, Square};
use bitmesh_diagram::{Arrow, Diagram, Size, render_png, render_svg};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::samples;

type Rgb = (u8, u8, u8);

const PLAIN_LIGHT: Rgb = (0xf3, 0xef, 0xe6);
const PLAIN_DARK: Rgb = (0xcd, 0xc6, 0xb6);
const BARRIER_LIGHT: Rgb = (0xa3, 0xa8, 0xaf);
const BARRIER_DARK: Rgb = (0x85, 0x8b, 0x94);
const FIRST_LIGHT: Rgb = (0x86, 0xb0, 0xf4);
const FIRST_DARK: Rgb = (0x56, 0x8a, 0xe0);
const SECOND_LIGHT: Rgb = (0xf6, 0xf0, 0x7c);
const SECOND_DARK: Rgb = (0xe8, 0xd0, 0x4a);
const ARROW: Rgb = (0xb3, 0x26, 0x1e);

struct Pixels {
    pixmap: Pixmap,
    square: u32,
    origin: u32,
    orientation: Color,
}

impl Pixels {
    fn of(diagram: &Diagram) -> Self {
        let pixmap = Pixmap::decode_png(&render_png(diagram).expect("a picture")).expect("a PNG");
        let size = diagram.size.pixels();
        let square = if diagram.coordinates { size * 10 / 88 } else { size / 8 };
        Self { pixmap, square, origin: (size - 8 * square) / 2, orientation: diagram.orientation }
    }

    /// The colour at a point of a square, in hundredths from its top left corner as it is seen.
    fn at(&self, square: Square, right: u32, down: u32) -> Rgb {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (column, row) = match self.orientation {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        let x = self.origin + column * self.square + right * self.square / 100;
        let y = self.origin + row * self.square + down * self.square / 100;
        let pixel = self.pixmap.pixel(x, y).expect("a point of the picture");
        (pixel.red(), pixel.green(), pixel.blue())
    }

    /// The ground, where no mark and no piece comes.
    fn ground(&self, square: Square) -> Rgb {
        self.at(square, 14, 86)
    }
}

fn brightness((red, green, blue): Rgb) -> u32 {
    (2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue)) / 10_000
}

#[test]
fn a_picture_has_the_size_that_was_asked_for() {
    for pixels in [64, 65, 100, 211, 528, 1001, 4096] {
        let mut diagram = samples::wall();
        diagram.size = Size::new(pixels).expect("a size");
        let pixmap = Pixmap::decode_png(&render_png(&diagram).expect("a picture")).expect("a PNG");
        assert_eq!((pixmap.width(), pixmap.height()), (pixels, pixels));
    }
}

#[test]
fn sizes_outside_the_bounds_are_refused() {
    for pixels in [0, 63, 4097, u32::MAX] {
        let error = Size::new(pixels).expect_err("out of bounds");
        assert_eq!(error.to_string(), format!("size {pixels} is not between 64 and 4096 pixels"));
        assert_eq!(error.code(), "diagram/size-out-of-range");
    }
}

#[test]
fn named_squares_have_their_colours_in_both_orientations() {
    for (orientation, coordinates) in
        [Color::White, Color::Black].into_iter().flat_map(|side| [(side, true), (side, false)])
    {
        let mut diagram = samples::wall();
        diagram.orientation = orientation;
        diagram.coordinates = coordinates;
        let pixels = Pixels::of(&diagram);
        for (square, expected) in [
            (Square::A1, FIRST_DARK),
            (Square::H1, FIRST_LIGHT),
            (Square::A3, FIRST_DARK),
            (Square::A8, SECOND_LIGHT),
            (Square::H8, SECOND_DARK),
            (Square::A4, BARRIER_LIGHT),
            (Square::B4, BARRIER_DARK),
        ] {
            assert_eq!(pixels.ground(square), expected, "{square}, {orientation} below");
        }
    }
}

#[test]
fn a1_is_dark_and_h1_is_light_whoever_is_below() {
    for orientation in [Color::White, Color::Black] {
        let mut diagram = Diagram::new(Board::new());
        diagram.orientation = orientation;
        let pixels = Pixels::of(&diagram);
        assert_eq!(pixels.ground(Square::A1), PLAIN_DARK);
        assert_eq!(pixels.ground(Square::H1), PLAIN_LIGHT);
        assert_eq!(pixels.ground(Square::H8), PLAIN_DARK);
    }
}

#[test]
fn arrows_turn_with_the_board() {
    let diagram = samples::wall_for_black();
    let pixels = Pixels::of(&diagram);
    // From the upper right corner one square to the left, so the head is at the right of b1.
    assert!(close(pixels.at(Square::A1, 10, 50), ARROW));
    assert!(close(pixels.at(Square::B1, 75, 50), ARROW));
    assert_eq!(pixels.at(Square::B1, 20, 50), FIRST_LIGHT);
    let mut upright = diagram;
    upright.orientation = Color::White;
    let pixels = Pixels::of(&upright);
    assert!(close(pixels.at(Square::A1, 90, 50), ARROW));
    assert!(close(pixels.at(Square::B1, 25, 50), ARROW));
}

#[test]
fn arrows_that_were_asked_for_have_another_colour_and_hide_no_piece() {
    const ASKED: Rgb = (0x0b, 0x57, 0xa4);
    let mut diagram = samples::wall();
    diagram.arrows.push(Arrow { from: Square::A1, to: Square::A3 });
    diagram.asked.push(Arrow { from: Square::H1, to: Square::H4 });
    diagram.asked.push(Arrow { from: Square::A1, to: Square::A3 });
    let pixels = Pixels::of(&diagram);
    assert!(close(pixels.at(Square::A2, 50, 50), ARROW), "a result stays one");
    assert!(close(pixels.at(Square::H2, 50, 50), ASKED));
    // The pawn on h3, in the middle of the shaft, and the one on h4, under the head.
    let plain = Pixels::of(&samples::wall());
    for square in [Square::H3, Square::H4] {
        let (found, pawn) = (pixels.at(square, 50, 55), plain.at(square, 50, 55));
        let apart = |a: u8, b: u8| i32::from(a.abs_diff(b));
        let distance = |a: Rgb, b: Rgb| apart(a.0, b.0) + apart(a.1, b.1) + apart(a.2, b.2);
        assert!(distance(found, pawn) < distance(found, ASKED), "{square}: {found:?} {pawn:?}");
    }
}

/// Arrows let a little of what is below them through.
fn close(found: Rgb, expected: Rgb) -> bool {
    let apart = |a: u8, b: u8| a.abs_diff(b) <= 16;
    apart(found.0, expected.0) && apart(found.1, expected.1) && apart(found.2, expected.2)
}

#[test]
fn white_and_black_pieces_differ_in_grey_at_every_size() {
    // In the middle of each figure, off its lines.
    let figures = [
        (Square::A1, (50, 58)),
        (Square::B1, (55, 62)),
        (Square::C1, (44, 48)),
        (Square::D1, (50, 62)),
        (Square::E1, (50, 58)),
        (Square::A2, (50, 35)),
    ];
    for pixels in [212, 423, 880, 3520] {
        let mut diagram = Diagram::new(Board::new());
        diagram.size = Size::new(pixels).expect("a size");
        let pixels = Pixels::of(&diagram);
        for (white, (right, down)) in figures {
            let black = white.flip_vertical();
            let [light, dark] = [white, black].map(|square| brightness(pixels.at(square, right, down)));
            assert!(light > 220 && dark < 80, "{white} {light}, {black} {dark}");
        }
    }
}

#[test]
fn marks_are_where_they_belong() {
    let diagram = samples::everything();
    let pixels = Pixels::of(&diagram);
    assert!(brightness(pixels.at(Square::A3, 50, 50)) < 60, "a dot on a square of the reach");
    assert!(brightness(pixels.at(Square::A5, 50, 50)) > 240, "an open dot after promotion");
    assert_eq!(pixels.at(Square::D4, 50, 6), (0x7a, 0x1f, 0xa2), "a frame on a highlighted square");
    assert_eq!(pixels.at(Square::D8, 50, 6), (0x7a, 0x1f, 0xa2), "a frame for an arrow without length");
    assert_eq!(pixels.at(Square::C1, 50, 94), (0x1d, 0x27, 0x33), "a frame around the piece of the reach");
}

#[test]
fn the_png_is_the_svg() {
    let diagram = samples::everything();
    let tree = Tree::from_str(&render_svg(&diagram), &Options::default()).expect("an SVG");
    let mut expected = Pixmap::new(528, 528).expect("room");
    resvg::render(&tree, Transform::identity(), &mut expected.as_mut());
    let found = Pixmap::decode_png(&render_png(&diagram).expect("a picture")).expect("a PNG");
    assert!(expected.pixels() == found.pixels());
}

#[test]
fn a_png_carries_its_title_and_description() {
    let mut diagram = samples::wall();
    diagram.title = "Mauer \u{2014} wall\0".to_owned();
    diagram.arrows.push(Arrow { from: Square::A1, to: Square::B1 });
    let bytes = render_png(&diagram).expect("a picture");
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let texts: Vec<_> = reader
        .info()
        .utf8_text
        .iter()
        .map(|chunk| (chunk.keyword.as_str(), chunk.get_text().expect("text")))
        .collect();
    assert_eq!(
        texts,
        [("Title", "Mauer \u{2014} wall\u{fffd}".to_owned()), ("Description", diagram.description())]
    );
}
