//! Diagrams as SVG.
//!
//! Every picture is made of paths and uses alone: no text that would need a font, no style sheet, no
//! script, nothing from elsewhere. All coordinates are integers, so the same diagram gives the same
//! bytes on every machine.

use std::fmt::Write as _;

use bitmesh::shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::diagram::{Arrow, Diagram, Ground, NumberedArrow, printable};
use crate::glyphs;
use crate::layout::{Layout, UNIT};
use crate::line::Strip;
use crate::palette;
use crate::pieces;
use crate::xml::escape_xml;

/// The accessible name of a picture whose diagram has no title.
const UNTITLED: &str = "Chess position";

/// Draws a diagram as one SVG document.
///
/// The same diagram always gives the same bytes. The ids begin with a digest of the whole picture:
/// different drawings in one page cannot refer to each other's parts. Title and description
/// ([`Diagram::description`]) are there for screen readers; their text is escaped, and
/// characters that XML does not allow are replaced by U+FFFD.
///
/// ```
/// use bitmesh::shakmaty::Board;
/// use bitmesh_diagram::{Diagram, render_svg};
///
/// let mut diagram = Diagram::new(Board::new());
/// diagram.title = "<script>".to_owned();
/// let svg = render_svg(&diagram);
/// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"528\" height=\"528\""));
/// assert!(svg.contains("&lt;script&gt;</title>"));
/// ```
#[must_use]
pub fn render_svg(diagram: &Diagram) -> String {
    // The digest cannot be part of its own input: the first picture has none.
    let digest = fnv1a(document(diagram, "bm").as_bytes());
    document(diagram, &format!("bm{digest:016x}"))
}

/// Draws boards beside each other as one SVG document. Like [`render_svg`], it always gives the same bytes.
#[must_use]
pub fn render_strip_svg(strip: &Strip) -> String {
    let digest = fnv1a(strip_document(strip, "bm").as_bytes());
    strip_document(strip, &format!("bm{digest:016x}"))
}

/// Width and height of a strip in pixels.
pub(crate) fn strip_size(strip: &Strip) -> (u32, u32) {
    let side = strip.boards.first().map_or(0, |board| board.size.pixels());
    let columns = strip.columns.max(1).min(strip.boards.len().max(1));
    (side * columns as u32, side * strip.boards.len().div_ceil(columns) as u32)
}

fn strip_document(strip: &Strip, prefix: &str) -> String {
    let (width, height) = strip_size(strip);
    let mut out = String::new();
    write_head(&mut out, prefix, (width, height), &accessible_title(&strip.title), &strip.description());
    let _ = writeln!(out, "<path fill=\"{}\" d=\"M0 0h{width}v{height}h-{width}z\"/>", palette::PAPER);
    let side = strip.boards.first().map_or(0, |board| board.size.pixels());
    for (index, board) in strip.boards.iter().enumerate() {
        let (column, row) = (index % strip.columns.max(1), index / strip.columns.max(1));
        let mut diagram = board.clone();
        diagram.size = strip.boards[0].size;
        let prefix = format!("{prefix}-{}", index + 1);
        let picture = Picture { diagram: &diagram, layout: Layout::new(&diagram), prefix: &prefix };
        let _ = writeln!(out, "<g transform=\"translate({} {})\">", column as u32 * side, row as u32 * side);
        picture.write_board(&mut out);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// The start of a document, with its name and description for screen readers.
fn write_head(out: &mut String, prefix: &str, (width, height): (u32, u32), title: &str, description: &str) {
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"{prefix}-title {prefix}-desc\">"
    );
    let _ = writeln!(out, "<title id=\"{prefix}-title\">{}</title>", escape_xml(title));
    let _ = writeln!(out, "<desc id=\"{prefix}-desc\">{}</desc>", escape_xml(description));
}

/// The name of a picture for screen readers.
pub(crate) fn accessible_title(title: &str) -> String {
    let title = printable(title, char::REPLACEMENT_CHARACTER);
    if title.trim().is_empty() { UNTITLED.to_owned() } else { title }
}

/// FNV-1a with 64 bits: names of parts need no secrecy, only a spread.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn document(diagram: &Diagram, prefix: &str) -> String {
    let layout = Layout::new(diagram);
    let picture = Picture { diagram, layout, prefix };
    let mut out = String::new();
    picture.write(&mut out);
    out
}

/// The paths of a piece in a square of 100 by 100 units, halo first.
fn figure_paths(piece: Piece) -> String {
    let figure = pieces::figure(piece.role);
    let paint = pieces::paint(piece.color);
    format!(
        "<path fill=\"none\" stroke=\"{halo}\" stroke-width=\"9\" stroke-opacity=\".85\" d=\"{outline}\"/>\
         <path fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"4\" d=\"{outline}\"/>\
         <path fill=\"none\" stroke=\"{line}\" stroke-width=\"4\" d=\"{lines}\"/>",
        halo = paint.halo,
        fill = paint.fill,
        edge = paint.edge,
        line = paint.line,
        outline = figure.outline,
        lines = figure.lines,
    )
}

/// One piece as a picture.
pub(crate) fn figure_svg(piece: Piece) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\" stroke-linejoin=\"round\" \
         stroke-linecap=\"round\">{}</svg>",
        figure_paths(piece)
    )
}

struct Picture<'a> {
    diagram: &'a Diagram,
    layout: Layout,
    prefix: &'a str,
}

impl Picture<'_> {
    fn write(&self, out: &mut String) {
        let size = self.diagram.size.pixels();
        let title = accessible_title(&self.diagram.title);
        write_head(out, self.prefix, (size, size), &title, &self.diagram.description());
        self.write_board(out);
        out.push_str("</svg>\n");
    }

    /// The board with its marks, on paper of the size of the picture.
    fn write_board(&self, out: &mut String) {
        let Layout { size, square, origin, .. } = self.layout;
        self.definitions(out);
        let _ = writeln!(out, "<path fill=\"{}\" d=\"M0 0h{size}v{size}h-{size}z\"/>", palette::PAPER);
        let _ = writeln!(
            out,
            "<g transform=\"translate({origin} {origin}) scale({}.{:02})\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\">",
            square / UNIT,
            square % UNIT
        );
        self.grounds(out);
        self.hatching(out);
        self.outlines(out);
        self.frames(out);
        self.pieces(out);
        self.region_letters(out);
        self.reach(out);
        self.arrows(out);
        self.pieces_under_arrows(out);
        self.numbers(out);
        self.coordinates(out);
        out.push_str("</g>\n");
    }

    /// The pieces that stand on the board, once each.
    fn definitions(&self, out: &mut String) {
        out.push_str("<defs>\n");
        for color in [Color::White, Color::Black] {
            for role in Role::ALL {
                let piece = Piece { color, role };
                if self.diagram.board.by_piece(piece).is_empty() {
                    continue;
                }
                let _ = writeln!(out, "<g id=\"{}\">{}</g>", self.piece_id(piece), figure_paths(piece));
            }
        }
        out.push_str("</defs>\n");
    }

    fn piece_id(&self, piece: Piece) -> String {
        let color = if piece.color.is_white() { 'w' } else { 'b' };
        format!("{}-{color}{}", self.prefix, piece.role.char())
    }

    /// The coloured squares and the line around the board.
    fn grounds(&self, out: &mut String) {
        let side = 8 * UNIT;
        let _ = writeln!(
            out,
            "<path fill=\"none\" stroke=\"{}\" stroke-width=\"6\" d=\"M0 0h{side}v{side}h-{side}z\"/>",
            palette::FRAME
        );
        out.push_str("<g shape-rendering=\"crispEdges\">\n");
        let mut grounds = vec![Ground::Plain, Ground::Barrier];
        grounds.extend((0..self.diagram.regions.len()).map(Ground::Region));
        for ground in grounds {
            let squares = self.diagram.squares_of(ground);
            let colors = palette::picture(ground);
            for (half, fill) in
                [(Bitboard::LIGHT_SQUARES, colors.light), (Bitboard::DARK_SQUARES, colors.dark)]
            {
                let path: String =
                    (squares & half).into_iter().map(|square| self.rectangle(square)).collect();
                if !path.is_empty() {
                    let _ = writeln!(out, "<path fill=\"{fill}\" d=\"{path}\"/>");
                }
            }
        }
        out.push_str("</g>\n");
    }

    fn rectangle(&self, square: Square) -> String {
        let (x, y) = self.layout.corner(square);
        format!("M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z")
    }

    /// Diagonal lines on the barrier, which mark it in grey too.
    fn hatching(&self, out: &mut String) {
        let barrier = self.diagram.barrier;
        if barrier.squares.is_empty() {
            return;
        }
        let mut path = String::new();
        for square in barrier.squares {
            let (x, y) = self.layout.corner(square);
            // Bands between x + y = begin and x + y = end; none holds a corner of the square.
            for begin in (10..2 * UNIT).step_by(25) {
                let [(low, high), (next_low, next_high)] =
                    [begin, begin + 5].map(|sum| ((sum - UNIT).max(0), sum.min(UNIT)));
                let _ = write!(
                    path,
                    "M{} {}L{} {}L{} {}L{} {}z",
                    x + low,
                    y + high,
                    x + next_low,
                    y + next_high,
                    x + next_high,
                    y + next_low,
                    x + high,
                    y + low
                );
            }
        }
        let _ = writeln!(
            out,
            "<g><title>{} {}</title><path fill=\"{}\" d=\"{path}\"/></g>",
            barrier.squares.count(),
            barrier.kind.noun(),
            palette::picture(Ground::Barrier).ink,
        );
    }

    /// A line along the edge of each region, on its inner side.
    fn outlines(&self, out: &mut String) {
        const WIDTH: i32 = 5;
        for index in 0..self.diagram.regions.len() {
            let ground = Ground::Region(index);
            let squares = self.diagram.squares_of(ground);
            if squares.is_empty() {
                continue;
            }
            let mut path = String::new();
            for square in squares {
                let (column, row) = self.layout.cell(square);
                let (x, y) = self.layout.corner(square);
                let far = UNIT - WIDTH;
                let inside = |right: i32, down: i32| {
                    self.square_at(column + right, row + down)
                        .is_some_and(|neighbor| squares.contains(neighbor))
                };
                let mut strip = |left: i32, top: i32, width: i32, height: i32| {
                    let _ = write!(path, "M{} {}h{width}v{height}h-{width}z", x + left, y + top);
                };
                if !inside(0, -1) {
                    strip(0, 0, UNIT, WIDTH);
                }
                if !inside(0, 1) {
                    strip(0, far, UNIT, WIDTH);
                }
                if !inside(-1, 0) {
                    strip(0, 0, WIDTH, UNIT);
                }
                if !inside(1, 0) {
                    strip(far, 0, WIDTH, UNIT);
                }
                // Where two edges of the neighbours meet around a corner.
                for (right, down) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
                    if inside(right, 0) && inside(0, down) && !inside(right, down) {
                        let left = if right < 0 { 0 } else { far };
                        let top = if down < 0 { 0 } else { far };
                        strip(left, top, WIDTH, WIDTH);
                    }
                }
            }
            let _ = writeln!(
                out,
                "<g><title>Region {}</title><path fill=\"{}\" d=\"{path}\"/></g>",
                Diagram::region_label(index),
                palette::picture(ground).ink,
            );
        }
    }

    fn square_at(&self, column: i32, row: i32) -> Option<Square> {
        Square::ALL.into_iter().find(|&square| self.layout.cell(square) == (column, row))
    }

    /// Frames of highlighted squares, and of the piece whose reach is shown.
    fn frames(&self, out: &mut String) {
        let highlighted = self.diagram.framed();
        let mover = self.framed() & !highlighted;
        for (squares, color) in [(mover, palette::REACH), (highlighted, palette::HIGHLIGHT)] {
            if squares.is_empty() {
                continue;
            }
            let mut path = String::new();
            for square in squares {
                let (x, y) = self.layout.corner(square);
                let _ = write!(path, "M{} {}h88v88h-88z", x + 6, y + 6);
            }
            let _ = writeln!(
                out,
                "<path fill=\"none\" stroke=\"{}\" stroke-width=\"12\" d=\"{path}\"/>\
                 <path fill=\"none\" stroke=\"{color}\" stroke-width=\"8\" d=\"{path}\"/>",
                palette::CASING
            );
        }
    }

    /// The letter of each region: large in the middle of each of its parts, small beside its pieces.
    fn region_letters(&self, out: &mut String) {
        let arrows = self.diagram.distinct_arrows();
        let under_arrows: Bitboard = arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]).collect();
        let framed = self.framed();
        let mut occupied = self.diagram.board.occupied();
        if let Some(reach) = self.diagram.shown_reach() {
            occupied |= reach.squares | reach.promoted;
        }
        for index in 0..self.diagram.regions.len() {
            let squares = self.diagram.squares_of(Ground::Region(index));
            let label = Diagram::region_label(index);
            let colors = palette::picture(Ground::Region(index));
            for square in squares & occupied {
                let (x, y) = self.layout.corner(square);
                let inset = if framed.contains(square) { 14 } else { 8 };
                let (right, top) = (Anchor::Right(x + UNIT - inset), y + inset + 2);
                // The edge of a wide piece may lie below the letter.
                glyph_run(out, &label, right, top, 22, Pen { color: colors.light, width: 42 });
                glyph_run(out, &label, right, top, 22, Pen { color: colors.ink, width: 16 });
            }
            for part in parts(squares) {
                let free = part & !occupied;
                let best = most_inner(part, free & !under_arrows).or_else(|| most_inner(part, free));
                if let Some(square) = best {
                    let (x, y) = self.layout.corner(square);
                    glyph_run(
                        out,
                        &label,
                        Anchor::Middle(x + UNIT / 2),
                        y + 27,
                        46,
                        Pen { color: colors.ink, width: 16 },
                    );
                }
            }
        }
    }

    /// The squares that carry a frame of either kind.
    fn framed(&self) -> Bitboard {
        let mover = self.diagram.reach.map(|reach| Bitboard::from_square(reach.square)).unwrap_or_default();
        self.diagram.framed() | mover
    }

    fn pieces(&self, out: &mut String) {
        for (square, piece) in &self.diagram.board {
            let (x, y) = self.layout.corner(square);
            let id = self.piece_id(piece);
            let _ = writeln!(out, "<use href=\"#{id}\" transform=\"translate({x} {y})\"/>");
        }
    }

    /// Dots on the squares of a reach, open ones where only a promoted piece comes.
    fn reach(&self, out: &mut String) {
        let Some(reach) = self.diagram.shown_reach() else {
            return;
        };
        let standing = Bitboard::from_square(reach.square);
        for (squares, fill) in [(reach.squares, palette::REACH), (reach.promoted, palette::CASING)] {
            for square in squares & !standing {
                let (x, y) = self.layout.center(square);
                let occupied = self.diagram.board.occupied().contains(square);
                let (x, y, radius) = if occupied { (x + 31, y + 31, 10) } else { (x, y, 14) };
                let _ = writeln!(
                    out,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{}\"/><circle cx=\"{x}\" cy=\"{y}\" \
                     r=\"{radius}\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"5\"/>",
                    radius + 5,
                    palette::CASING,
                    palette::REACH
                );
            }
        }
    }

    fn arrows(&self, out: &mut String) {
        for arrow in self.diagram.drawn_arrows() {
            let Arrow { from, to } = arrow;
            let _ = writeln!(
                out,
                "<g opacity=\".95\"><title>{from} to {to}</title><path fill=\"{color}\" stroke=\"{casing}\" \
                 stroke-width=\"6\" paint-order=\"stroke\" d=\"{path}\"/></g>",
                color =
                    if self.diagram.arrows.contains(&arrow) { palette::ARROW } else { palette::ASKED_ARROW },
                casing = palette::CASING,
                path = self.arrow_path(arrow),
            );
        }
    }

    /// The pieces that an arrow hides, drawn again over it, a little transparent: all but the one that it starts from.
    fn pieces_under_arrows(&self, out: &mut String) {
        /// How far a shaft may pass by the middle of a square and hide its piece.
        const NEAR: f64 = 40.0;
        let arrows = self.diagram.drawn_arrows();
        let center = |square| {
            let (x, y) = self.layout.center(square);
            (f64::from(x), f64::from(y))
        };
        let hides = |arrow: &Arrow, square: Square| {
            let ((x0, y0), (x1, y1), (x, y)) = (center(arrow.from), center(arrow.to), center(square));
            let (dx, dy) = (x1 - x0, y1 - y0);
            let along = (((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            let (aside_x, aside_y) = (x - x0 - along * dx, y - y0 - along * dy);
            square != arrow.from && aside_x.hypot(aside_y) < NEAR
        };
        for (square, piece) in &self.diagram.board {
            if arrows.iter().any(|arrow| hides(arrow, square)) {
                let (x, y) = self.layout.corner(square);
                let _ = writeln!(
                    out,
                    "<g opacity=\".85\" transform=\"translate({x} {y})\">{}</g>",
                    figure_paths(piece)
                );
            }
        }
    }

    /// The numbers of moves, each in a disc on the middle of its arrow.
    fn numbers(&self, out: &mut String) {
        const HEIGHT: i32 = 22;
        for NumberedArrow { number, arrow } in &self.diagram.moves {
            let ((x0, y0), (x1, y1)) = (self.layout.center(arrow.from), self.layout.center(arrow.to));
            let (x, y) = ((x0 + x1) / 2, (y0 + y1) / 2);
            let number = number.to_string();
            let radius = 13 + 6 * number.len() as i32;
            let _ = writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"5\"/>",
                palette::CASING,
                palette::ASKED_ARROW
            );
            let pen = Pen { color: palette::ASKED_ARROW, width: 18 };
            glyph_run(out, &number, Anchor::Middle(x), y - HEIGHT / 2, HEIGHT, pen);
        }
    }

    /// The outline of an arrow between the middles of two different squares.
    fn arrow_path(&self, Arrow { from, to }: Arrow) -> String {
        const SHAFT: f64 = 7.0;
        const HEAD: f64 = 21.0;
        const HEAD_LENGTH: f64 = 36.0;
        const START: f64 = 14.0;
        const TIP: f64 = 6.0;
        let ((x0, y0), (x1, y1)) = (self.layout.center(from), self.layout.center(to));
        let (dx, dy) = (f64::from(x1 - x0), f64::from(y1 - y0));
        let length = (dx * dx + dy * dy).sqrt();
        let point = |along: f64, aside: f64| {
            let x = f64::from(x0) + (dx * along - dy * aside) / length;
            let y = f64::from(y0) + (dy * along + dx * aside) / length;
            format!("{} {}", x.round() as i32, y.round() as i32)
        };
        let (tip, neck) = (length - TIP, length - TIP - HEAD_LENGTH);
        format!(
            "M{}L{}L{}L{}L{}L{}L{}Z",
            point(START, -SHAFT),
            point(neck, -SHAFT),
            point(neck, -HEAD),
            point(tip, 0.0),
            point(neck, HEAD),
            point(neck, SHAFT),
            point(START, SHAFT),
        )
    }

    /// Ranks on the left, files below.
    fn coordinates(&self, out: &mut String) {
        if !self.diagram.coordinates {
            return;
        }
        const HEIGHT: i32 = 24;
        let margin = self.layout.origin * UNIT / self.layout.square;
        let pen = Pen { color: palette::FRAME, width: 14 };
        let rows = self.diagram.rows();
        for (row, squares) in rows.iter().enumerate() {
            let rank = squares[0].rank().char().to_string();
            let top = row as i32 * UNIT + (UNIT - HEIGHT) / 2;
            glyph_run(out, &rank, Anchor::Middle(-margin / 2), top, HEIGHT, pen);
        }
        for (column, square) in rows[7].iter().enumerate() {
            let file = square.file().char().to_string();
            let middle = column as i32 * UNIT + UNIT / 2;
            let top = 8 * UNIT + (margin - HEIGHT) / 2 - 1;
            glyph_run(out, &file, Anchor::Middle(middle), top, HEIGHT, pen);
        }
    }
}

#[derive(Clone, Copy)]
enum Anchor {
    Middle(i32),
    Right(i32),
}

#[derive(Clone, Copy)]
struct Pen {
    color: &'static str,
    /// In hundredths of the height of a glyph.
    width: i32,
}

/// Writes characters of a given height, in units, as strokes.
fn glyph_run(out: &mut String, text: &str, anchor: Anchor, top: i32, height: i32, pen: Pen) {
    const GAP: i32 = 22;
    let advance = (glyphs::WIDTH + GAP) * height / glyphs::HEIGHT;
    let width = advance * text.chars().count() as i32 - GAP * height / glyphs::HEIGHT;
    let mut left = match anchor {
        Anchor::Middle(middle) => middle - width / 2,
        Anchor::Right(right) => right - width,
    };
    for character in text.chars() {
        let _ = writeln!(
            out,
            "<path transform=\"translate({left} {top}) scale(.{height:02})\" fill=\"none\" stroke=\"{}\" \
             stroke-width=\"{}\" d=\"{}\"/>",
            pen.color,
            pen.width,
            glyphs::strokes(character)
        );
        left += advance;
    }
}

/// The parts of a set of squares that are connected along edges.
fn parts(mut squares: Bitboard) -> Vec<Bitboard> {
    let mut parts = Vec::new();
    while let Some(first) = squares.first() {
        let mut part = Bitboard::from_square(first);
        loop {
            let grown = (part | edge_neighbors(part)) & squares;
            if grown == part {
                break;
            }
            part = grown;
        }
        squares &= !part;
        parts.push(part);
    }
    parts
}

fn edge_neighbors(squares: Bitboard) -> Bitboard {
    squares.shift(8) | squares.shift(-8) | squares.shift(1) | squares.shift(-1)
}

/// The candidate that lies deepest in a part, and among equals nearest to its middle.
fn most_inner(part: Bitboard, candidates: Bitboard) -> Option<Square> {
    let count = part.count() as i32;
    let sum = |coordinate: fn(Square) -> i32| part.into_iter().map(coordinate).sum::<i32>();
    let (files, ranks) = (sum(|square| i32::from(square.file())), sum(|square| i32::from(square.rank())));
    let mut best = candidates;
    let mut inner = part;
    loop {
        // Squares whose four neighbours all belong to the part, again and again.
        let eroded = inner & !edge_neighbors(!inner);
        if (eroded & candidates).is_empty() || eroded == inner {
            break;
        }
        inner = eroded;
        best = eroded & candidates;
    }
    best.into_iter().min_by_key(|&square| {
        let file = i32::from(square.file()) * count - files;
        let rank = i32::from(square.rank()) * count - ranks;
        file * file + rank * rank
    })
}
