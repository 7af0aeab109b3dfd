//! What a drawing shows, whichever way it is drawn.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use bitmesh::shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use bitmesh::{is_obeyed, role_name};
use thiserror::Error;

/// Why squares of the board are closed to both sides.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum BarrierKind {
    /// Locked pawns: blocked, and with nothing to capture on this board.
    #[default]
    LockedPawns,
    /// Frozen pieces: they never move and are never captured.
    FrozenPieces,
}

impl BarrierKind {
    /// The kind in words, in the plural.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::LockedPawns => "locked pawns",
            Self::FrozenPieces => "frozen pieces",
        }
    }
}

/// The squares that separate the regions, and why they do.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Barrier {
    /// Why the squares are closed.
    pub kind: BarrierKind,
    /// The closed squares.
    pub squares: Bitboard,
}

/// One part of the board; its letter follows from its place in [`Diagram::regions`].
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Region {
    /// All squares of the region, empty ones too.
    pub squares: Bitboard,
}

/// Where one piece can ever stand.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Reach {
    /// Where the piece stands now.
    pub square: Square,
    /// Squares that it can reach in its present role.
    pub squares: Bitboard,
    /// Squares that it can reach after a promotion; those of `squares` are drawn as such.
    pub promoted: Bitboard,
}

/// An arrow from one square to another.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Arrow {
    /// Where it begins.
    pub from: Square,
    /// Where its head is. An arrow to its own square is drawn as a highlight.
    pub to: Square,
}

/// A text that is not an arrow.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Error)]
#[error("not two squares as in a1-b1")]
pub struct NotAnArrow;

/// Two squares, with or without a hyphen between them: `a1-b1`, `a1b1`.
///
/// ```
/// use bitmesh::shakmaty::Square;
/// use bitmesh_diagram::Arrow;
///
/// assert_eq!("a1-b1".parse(), Ok(Arrow { from: Square::A1, to: Square::B1 }));
/// assert!("a1-i9".parse::<Arrow>().is_err());
/// ```
impl FromStr for Arrow {
    type Err = NotAnArrow;

    fn from_str(text: &str) -> Result<Self, NotAnArrow> {
        let squares = text.split_once('-').or_else(|| text.split_at_checked(2));
        let (from, to) = squares.ok_or(NotAnArrow)?;
        let square = |name: &str| name.parse().map_err(|_| NotAnArrow);
        Ok(Self { from: square(from)?, to: square(to)? })
    }
}

/// An arrow with a number on it: a move of a line.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct NumberedArrow {
    /// Which move it is, from 1.
    pub number: u32,
    /// The move.
    pub arrow: Arrow,
}

/// Width and height of a picture in pixels.
///
/// ```
/// use bitmesh_diagram::Size;
///
/// assert_eq!(Size::new(800)?.pixels(), 800);
/// assert_eq!(Size::new(20).unwrap_err().to_string(), "size 20 is not between 64 and 4096 pixels");
/// # Ok::<(), bitmesh_diagram::SizeError>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Size(u32);

impl Size {
    /// The smallest picture that still shows which piece is which.
    pub const MIN: Self = Self(64);
    /// The largest picture: 64 MiB of pixels while it is rendered.
    pub const MAX: Self = Self(4096);

    /// A size in pixels.
    ///
    /// # Errors
    ///
    /// When `pixels` lies outside [`Size::MIN`] to [`Size::MAX`].
    pub const fn new(pixels: u32) -> Result<Self, SizeError> {
        if pixels < Self::MIN.0 || pixels > Self::MAX.0 {
            return Err(SizeError { pixels });
        }
        Ok(Self(pixels))
    }

    /// Pixels in each direction.
    #[must_use]
    pub const fn pixels(self) -> u32 {
        self.0
    }
}

impl Default for Size {
    /// 528 pixels: 60 for each square, the rest for the coordinates.
    fn default() -> Self {
        Self(528)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A size that no picture can have.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("size {pixels} is not between {} and {} pixels", Size::MIN.0, Size::MAX.0)]
pub struct SizeError {
    pixels: u32,
}

impl SizeError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "diagram/size-out-of-range"
    }
}

/// A board and everything that is drawn on it.
///
/// A diagram states nothing by itself: it shows the squares that it is given. The
/// constructors named after a layer fill it from the results of that layer.
///
/// ```
/// use bitmesh::shakmaty::{Bitboard, Board, Color};
/// use bitmesh_diagram::{Diagram, Region, TextStyle, render_text};
///
/// let mut diagram = Diagram::new(Board::from_ascii_board_fen(b"7k/8/8/8/8/8/8/K7")?);
/// diagram.title = "Two kings".to_owned();
/// diagram.orientation = Color::Black;
/// diagram.regions.push(Region { squares: Bitboard(0xff) });
/// let text = render_text(&diagram, &TextStyle::default());
/// assert!(text.starts_with("Two kings\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Diagram {
    /// The pieces.
    pub board: Board,
    /// The squares that separate the regions. They hide regions and reach.
    pub barrier: Barrier,
    /// The regions; a square in several of them is drawn in the first.
    pub regions: Vec<Region>,
    /// Where one piece can go.
    pub reach: Option<Reach>,
    /// Arrows, drawn in this order; the same arrow twice is drawn once.
    pub arrows: Vec<Arrow>,
    /// Arrows in a separate colour, drawn after the others: not part of a result, but added by the caller.
    pub asked: Vec<Arrow>,
    /// Moves of a line, drawn after the other arrows in the colour of those that were asked for.
    pub moves: Vec<NumberedArrow>,
    /// Squares with a frame.
    pub highlights: Bitboard,
    /// The side at the bottom.
    pub orientation: Color,
    /// Above the text form; the accessible name of a picture. May be empty.
    pub title: String,
    /// The size of a picture.
    pub size: Size,
    /// Whether files and ranks are named at the edge.
    pub coordinates: bool,
}

/// What a square belongs to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ground {
    Plain,
    Barrier,
    Region(usize),
}

impl Diagram {
    /// The bare board: White below, with coordinates, without a title.
    #[must_use]
    pub fn new(board: Board) -> Self {
        Self {
            board,
            barrier: Barrier::default(),
            regions: Vec::new(),
            reach: None,
            arrows: Vec::new(),
            asked: Vec::new(),
            moves: Vec::new(),
            highlights: Bitboard::EMPTY,
            orientation: Color::White,
            title: String::new(),
            size: Size::default(),
            coordinates: true,
        }
    }

    /// The letter of the region with this index: `A` to `Z`, then `A2` to `Z2` and so on.
    ///
    /// ```
    /// use bitmesh_diagram::Diagram;
    ///
    /// assert_eq!([0, 25, 26].map(Diagram::region_label), ["A", "Z", "A2"]);
    /// ```
    #[must_use]
    pub fn region_label(index: usize) -> String {
        let letter = char::from(b'A' + (index % 26) as u8);
        match index / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{}", round + 1),
        }
    }

    pub(crate) fn ground(&self, square: Square) -> Ground {
        if self.barrier.squares.contains(square) {
            return Ground::Barrier;
        }
        match self.regions.iter().position(|region| region.squares.contains(square)) {
            Some(index) => Ground::Region(index),
            None => Ground::Plain,
        }
    }

    /// The squares of one ground, as they are seen: nothing below the barrier, every square in one region.
    pub(crate) fn squares_of(&self, ground: Ground) -> Bitboard {
        Square::ALL.into_iter().filter(|&square| self.ground(square) == ground).collect()
    }

    /// The reach as it is seen: nothing on the barrier, promotion only where it adds a square.
    pub(crate) fn shown_reach(&self) -> Option<Reach> {
        let reach = self.reach?;
        let open = !self.barrier.squares;
        Some(Reach {
            square: reach.square,
            squares: reach.squares & open,
            promoted: reach.promoted & open & !reach.squares,
        })
    }

    /// The arrows that are drawn as arrows, each once.
    pub(crate) fn distinct_arrows(&self) -> Vec<Arrow> {
        let mut distinct = Vec::new();
        for &arrow in self.arrows.iter().chain(&self.asked) {
            if arrow.from != arrow.to && !distinct.contains(&arrow) {
                distinct.push(arrow);
            }
        }
        distinct
    }

    /// All arrows that have a length, moves of a line too.
    pub(crate) fn drawn_arrows(&self) -> Vec<Arrow> {
        let mut arrows = self.distinct_arrows();
        arrows
            .extend(self.moves.iter().map(|numbered| numbered.arrow).filter(|arrow| arrow.from != arrow.to));
        arrows
    }

    /// The squares with a frame, those of arrows without a length too.
    pub(crate) fn framed(&self) -> Bitboard {
        let points = self
            .arrows
            .iter()
            .chain(&self.asked)
            .filter(|arrow| arrow.from == arrow.to)
            .map(|arrow| arrow.from);
        self.highlights | points.collect::<Bitboard>()
    }

    /// The squares from the top left to the bottom right corner, as they are seen.
    pub(crate) fn rows(&self) -> [[Square; 8]; 8] {
        let index = |row: usize, column: usize| match self.orientation {
            Color::White => 8 * (7 - row) + column,
            Color::Black => 8 * row + (7 - column),
        };
        std::array::from_fn(|row| std::array::from_fn(|column| Square::ALL[index(row, column)]))
    }

    /// Everything that the drawing shows, in words.
    ///
    /// It is the description of pictures for readers who do not see them.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = String::new();
        for color in [Color::White, Color::Black] {
            let pieces = self.board.by_color(color);
            let _ = write!(text, "{}: {}. ", color_name(color, true), piece_list(&self.board, pieces));
        }
        let _ = write!(text, "{} is at the bottom.", color_name(self.orientation, true));
        if self.barrier.squares.any() {
            let kind = match self.barrier.kind {
                BarrierKind::LockedPawns => "Locked pawns",
                BarrierKind::FrozenPieces => "Frozen pieces",
            };
            let _ = write!(text, " {kind}: {}.", square_list(self.barrier.squares));
        }
        for index in 0..self.regions.len() {
            let label = Self::region_label(index);
            let squares = self.squares_of(Ground::Region(index));
            let _ = write!(text, " Region {label}: {}.", square_list(squares));
        }
        if let Some(reach) = self.shown_reach() {
            let _ = write!(text, " Reach of {}", self.standing(reach.square));
            let _ = write!(text, ": {}", square_list(reach.squares));
            if reach.promoted.any() {
                let _ = write!(text, "; after promotion {}", square_list(reach.promoted));
            }
            text.push('.');
        }
        if self.framed().any() {
            let _ = write!(text, " Highlighted: {}.", square_list(self.framed()));
        }
        for Arrow { from, to } in self.distinct_arrows() {
            let _ = write!(text, " Arrow from {from} to {to}.");
        }
        for NumberedArrow { number, arrow: Arrow { from, to } } in &self.moves {
            let _ = write!(text, " Move {number} from {from} to {to}.");
        }
        text
    }

    fn standing(&self, square: Square) -> String {
        match self.board.piece_at(square) {
            Some(Piece { color, role }) => {
                format!("the {} {} {square}", color_name(color, false), role_name(role))
            }
            None => format!("{square}"),
        }
    }
}

/// Text on one line, without characters that command a terminal or that XML does not allow.
pub(crate) fn printable(text: &str, replacement: char) -> String {
    let replace = |character: char| match character {
        '\t' | '\n' | '\r' => ' ',
        '\u{fffe}' | '\u{ffff}' => replacement,
        _ if is_obeyed(character) => replacement,
        _ => character,
    };
    text.chars().map(replace).collect()
}

pub(crate) const fn color_name(color: Color, sentence_start: bool) -> &'static str {
    match (color, sentence_start) {
        (Color::White, true) => "White",
        (Color::Black, true) => "Black",
        (Color::White, false) => "white",
        (Color::Black, false) => "black",
    }
}

/// Squares in ascending order, or `none`.
pub(crate) fn square_list(squares: Bitboard) -> String {
    if squares.is_empty() {
        return "none".to_owned();
    }
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

/// The pieces on some squares, kings first, or `no pieces`.
fn piece_list(board: &Board, squares: Bitboard) -> String {
    let mut words = Vec::new();
    for role in [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
        let standing = board.by_role(role) & squares;
        if standing.any() {
            let plural = if standing.more_than_one() { "s" } else { "" };
            words.push(format!("{}{plural} {}", role_name(role), square_list(standing)));
        }
    }
    if words.is_empty() { "no pieces".to_owned() } else { words.join(", ") }
}
