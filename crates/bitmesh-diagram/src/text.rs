//! Diagrams as text for terminals, logs and mail.

use std::fmt::Write as _;

use bitmesh::shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::diagram::{Arrow, Diagram, Ground, printable, square_list};
use crate::palette;

/// How pieces are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Pieces {
    /// The letters of a FEN: capitals for White. ASCII, and aligned everywhere.
    #[default]
    Letters,
    /// Chess figures. The colour of a piece is not left to the filling of its
    /// figure: it is the colour of the text, or a letter `w` or `b` without colour.
    Figures,
}

/// What the reader of a text can display.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct TextStyle {
    /// How pieces are written.
    pub pieces: Pieces,
    /// Whether backgrounds and pieces are coloured with SGR sequences of 256 colours.
    pub color: bool,
    /// Whether the cursor can be moved to a column (CSI `G`).
    ///
    /// Figures then stay aligned on terminals that draw some of them two columns wide. Only for
    /// text that goes to a terminal as it is, from the first column.
    pub cursor: bool,
    /// Whether the lines below the board that explain its marks are written.
    pub legend: bool,
}

impl Default for TextStyle {
    /// Letters without colour, with the legend.
    fn default() -> Self {
        Self { pieces: Pieces::Letters, color: false, cursor: false, legend: true }
    }
}

/// Columns left of the board: the rank and two spaces.
const MARGIN: usize = 3;

/// Writes a diagram as lines of text, each ended by a newline.
///
/// A square is four columns wide (five with figures, six without colour): `*` when the drawn reach holds it (`+` when only
/// after a promotion), the piece or a point, the letter of its region, and `!` when it is highlighted.
/// A square of the barrier has `#` on both sides of its piece. Arrows and highlights are listed below.
///
/// Control characters of the title are replaced, so that a title cannot command the terminal.
///
/// ```
/// use bitmesh::shakmaty::{Bitboard, Board};
/// use bitmesh_diagram::{Diagram, Region, TextStyle, render_text};
///
/// let mut diagram = Diagram::new(Board::from_ascii_board_fen(b"7k/8/8/8/8/8/8/K7")?);
/// diagram.regions.push(Region { squares: Bitboard(0x3) });
/// let text = render_text(&diagram, &TextStyle::default());
/// assert!(text.contains("1   KA  .A  .   .   .   .   .   .\n"));
/// assert!(text.ends_with("A: 2 squares, Ka1\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn render_text(diagram: &Diagram, style: &TextStyle) -> String {
    let mut out = String::new();
    if !diagram.title.is_empty() {
        let _ = writeln!(out, "{}", printable(&diagram.title, replacement(style)));
    }
    for row in diagram.rows() {
        let mut line = Line::new(style);
        if diagram.coordinates {
            line.text(&format!("{}  ", row[0].rank().char()));
        }
        for square in row {
            cell(diagram, square, &mut line);
        }
        out.push_str(&line.finish());
        out.push('\n');
    }
    if diagram.coordinates {
        let before = " ".repeat(figure_column(style));
        let after = " ".repeat(cell_width(style) - figure_column(style) - 1);
        let bottom = diagram.rows()[7];
        let files = bottom.iter().map(|square| format!("{before}{}{after}", square.file().char()));
        let _ = writeln!(out, "{}{}", " ".repeat(MARGIN), files.collect::<String>().trim_end());
    }
    if style.legend {
        legend(diagram, style, &mut out);
    }
    out
}

/// Where the piece stands in its square.
const fn figure_column(style: &TextStyle) -> usize {
    match style.pieces {
        Pieces::Letters => 1,
        Pieces::Figures if style.color => 1,
        Pieces::Figures => 2,
    }
}

const fn cell_width(style: &TextStyle) -> usize {
    match style.pieces {
        Pieces::Letters => 4,
        Pieces::Figures if style.color => 5,
        Pieces::Figures => 6,
    }
}

fn cell(diagram: &Diagram, square: Square, line: &mut Line<'_>) {
    let style = line.style;
    let ground = diagram.ground(square);
    let piece = diagram.board.piece_at(square);
    let start = line.column;

    let reach = diagram.shown_reach();
    let before = match ground {
        Ground::Barrier => '#',
        _ if reach.is_some_and(|reach| reach.squares.contains(square)) => '*',
        _ if reach.is_some_and(|reach| reach.promoted.contains(square)) => '+',
        _ => ' ',
    };
    let mut after = match ground {
        Ground::Barrier => "#".to_owned(),
        Ground::Region(index) => Diagram::region_label(index),
        Ground::Plain => " ".to_owned(),
    };
    if diagram.framed().contains(square) && after.len() == 1 {
        after.push('!');
    }

    let grounds = palette::terminal(ground);
    let (background, ink) =
        if square.is_light() { (grounds.light, palette::BLACK) } else { (grounds.dark, palette::WHITE) };
    if style.color {
        line.sgr(&format!("48;5;{background};38;5;{ink}"));
    }
    let guarded = style.cursor && style.pieces == Pieces::Figures && piece.is_some();
    if guarded {
        // The whole square first: what is written over it leaves a column out.
        line.text(&" ".repeat(cell_width(style)));
        line.go_to(start);
    }
    line.text(&before.to_string());
    match (piece, style.pieces) {
        (None, _) => {
            line.text(&" ".repeat(figure_column(style) - 1));
            // Among letters the point tells an empty square of region B from a bishop.
            let needless = style.color && style.pieces == Pieces::Figures;
            line.text(if needless { " " } else { "." });
        }
        (Some(piece), Pieces::Letters) => line.piece(piece, &piece.char().to_string(), ink),
        (Some(piece), Pieces::Figures) => {
            if !style.color {
                line.text(if piece.color == Color::White { "w" } else { "b" });
            }
            line.piece(piece, figure(piece, style.color), ink);
        }
    }
    if style.pieces == Pieces::Figures {
        // A column to spare for terminals that draw the figure wide.
        if guarded {
            line.go_to(start + figure_column(style) + 2);
        } else {
            line.text(" ");
        }
    }
    line.text(&after);
    line.pad_to(start + cell_width(style));
    if style.color {
        line.sgr("0");
    }
}

/// The figure, one column wide by the standard, for the pawn too: U+FE0E asks
/// for the text form of the only figure that is also an emoji.
const fn figure(piece: Piece, filled: bool) -> &'static str {
    match (piece.role, filled || piece.color.is_black()) {
        (Role::King, false) => "\u{2654}",
        (Role::Queen, false) => "\u{2655}",
        (Role::Rook, false) => "\u{2656}",
        (Role::Bishop, false) => "\u{2657}",
        (Role::Knight, false) => "\u{2658}",
        (Role::Pawn, false) => "\u{2659}\u{fe0e}",
        (Role::King, true) => "\u{265a}",
        (Role::Queen, true) => "\u{265b}",
        (Role::Rook, true) => "\u{265c}",
        (Role::Bishop, true) => "\u{265d}",
        (Role::Knight, true) => "\u{265e}",
        (Role::Pawn, true) => "\u{265f}\u{fe0e}",
    }
}

/// One line that knows in which column it is.
struct Line<'a> {
    style: &'a TextStyle,
    out: String,
    column: usize,
}

impl<'a> Line<'a> {
    const fn new(style: &'a TextStyle) -> Self {
        Self { style, out: String::new(), column: 0 }
    }

    /// Text of one column for each character.
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    /// A piece, which counts as one column; after it the other marks continue in their colour.
    fn piece(&mut self, piece: Piece, text: &str, ink: u8) {
        if self.style.color {
            let color = if piece.color == Color::White { palette::WHITE } else { palette::BLACK };
            self.sgr(&format!("1;38;5;{color}"));
        }
        self.out.push_str(text);
        self.column += 1;
        if self.style.color {
            self.sgr(&format!("22;38;5;{ink}"));
        }
    }

    fn sgr(&mut self, codes: &str) {
        let _ = write!(self.out, "\x1b[{codes}m");
    }

    fn go_to(&mut self, column: usize) {
        let _ = write!(self.out, "\x1b[{}G", column + 1);
        self.column = column;
    }

    fn pad_to(&mut self, column: usize) {
        while self.column < column {
            self.out.push(' ');
            self.column += 1;
        }
    }

    /// The line; spaces at its end stay only where they carry colour.
    fn finish(self) -> String {
        if self.style.color { self.out } else { self.out.trim_end().to_owned() }
    }
}

fn legend(diagram: &Diagram, style: &TextStyle, out: &mut String) {
    let barrier = diagram.barrier;
    if barrier.squares.any() {
        let _ = writeln!(out, "#: {} {}", barrier.squares.count(), barrier.kind.noun());
    }
    for index in 0..diagram.regions.len() {
        let region = diagram.squares_of(Ground::Region(index));
        let pieces = diagram.board.occupied() & region;
        let label = Diagram::region_label(index);
        let key = if style.color {
            let ground = palette::terminal(Ground::Region(index));
            format!("\x1b[48;5;{};38;5;{}m{label}\x1b[0m", ground.dark, palette::WHITE)
        } else {
            label
        };
        let squares = count_squares(region);
        let _ = writeln!(out, "{key}: {squares}, {}", short_pieces(diagram, pieces));
    }
    if let Some(reach) = diagram.shown_reach() {
        let piece = short_pieces(diagram, Bitboard::from_square(reach.square));
        let _ = writeln!(out, "*: reach of {piece}, {}", count_squares(reach.squares));
        if reach.promoted.any() {
            let _ = writeln!(out, "+: after promotion, {} more", reach.promoted.count());
        }
    }
    if diagram.framed().any() {
        let _ = writeln!(out, "!: {}", square_list(diagram.framed()));
    }
    let arrows = diagram.distinct_arrows();
    if !arrows.is_empty() {
        let list = arrows.iter().map(|Arrow { from, to }| format!("{from}-{to}"));
        let _ = writeln!(out, "arrows: {}", list.collect::<Vec<_>>().join(" "));
    }
    if !diagram.moves.is_empty() {
        let moves = diagram.moves.iter();
        let list = moves.map(|numbered| {
            let Arrow { from, to } = numbered.arrow;
            format!("{} {from}-{to}", numbered.number)
        });
        let _ = writeln!(out, "moves: {}", list.collect::<Vec<_>>().join(", "));
    }
}

/// What is printed in place of a character that is not printed.
const fn replacement(style: &TextStyle) -> char {
    match style.pieces {
        Pieces::Letters => '?',
        Pieces::Figures => char::REPLACEMENT_CHARACTER,
    }
}

fn count_squares(squares: Bitboard) -> String {
    match squares.count() {
        1 => "1 square".to_owned(),
        count => format!("{count} squares"),
    }
}

/// Pieces as in `Ka1 nb6`: the letter of the FEN and the square.
fn short_pieces(diagram: &Diagram, squares: Bitboard) -> String {
    let words = squares.into_iter().map(|square| match diagram.board.piece_at(square) {
        Some(piece) => format!("{}{square}", piece.char()),
        None => square.to_string(),
    });
    let words: Vec<_> = words.collect();
    if words.is_empty() { "no pieces".to_owned() } else { words.join(" ") }
}
