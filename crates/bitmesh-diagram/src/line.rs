//! Lines to mate: numbered arrows on one board, or a strip of small boards.

use bitmesh::decision::MateLine;
use bitmesh::shakmaty::{Bitboard, Board, Color, Move, Position as _, Square};

use crate::diagram::{Arrow, Diagram, NumberedArrow, Size, color_name};

/// Lines of more plies are drawn as a strip.
const MOST_ARROWS: usize = 4;

/// Plies that one board of a strip shows.
const PLIES_ON_A_BOARD: usize = 2;

/// Pixels of a small board on which each piece can be told.
const READABLE_BOARD: u32 = 240;

/// Why a line is not drawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a line of {plies} plies needs more than {} boards", Strip::MOST_BOARDS)]
pub struct LineTooLong {
    plies: u16,
}

impl LineTooLong {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "diagram/line-too-long"
    }
}

/// Small boards, one after the other, from the left to the right and from the top to the bottom.
///
/// ```
/// use bitmesh::decision::{Decision, decide};
/// use bitmesh::shakmaty::{Chess, Color};
/// use bitmesh_diagram::{Size, Strip, render_strip_svg};
///
/// let Decision::Winnable(line) = decide(&Chess::default(), Color::Black) else { panic!() };
/// let strip = Strip::of_line(&line, Color::White, Size::default())?;
/// assert_eq!(strip.boards.len(), usize::from(line.plies()).div_ceil(2) + 1);
/// assert!(render_strip_svg(&strip).starts_with("<svg "));
/// # Ok::<(), bitmesh_diagram::LineTooLong>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Strip {
    /// The boards; each is drawn with its own marks, all in the size of the first.
    pub boards: Vec<Diagram>,
    /// How many stand beside each other.
    pub columns: usize,
    /// The accessible name of the picture.
    pub title: String,
}

impl Strip {
    /// A picture has no more boards.
    pub const MOST_BOARDS: usize = 64;

    /// A size in which the pieces on all boards of a line can be told from each other: that of one board, or more.
    #[must_use]
    pub fn size_for(line: &MateLine) -> Size {
        let pixels = columns(boards(line)) as u32 * READABLE_BOARD;
        Size::new(pixels).unwrap_or(Size::MAX).max(Size::default())
    }

    /// A line to mate: two plies on each board, and the mate on the last one, its king in a frame.
    ///
    /// The picture has about the given size in its larger direction; the boards are small squares of it.
    ///
    /// # Errors
    ///
    /// When there would be more than [`Strip::MOST_BOARDS`] boards.
    pub fn of_line(line: &MateLine, orientation: Color, size: Size) -> Result<Self, LineTooLong> {
        let count = boards(line);
        if count > Self::MOST_BOARDS {
            return Err(LineTooLong { plies: line.plies() });
        }
        let columns = columns(count);
        let pixels = (size.pixels() / columns as u32).max(Size::MIN.pixels());
        let small = Size::new(pixels).unwrap_or(Size::MIN);
        let board = |board: &Board| {
            let mut diagram = Diagram::new(board.clone());
            diagram.orientation = orientation;
            diagram.size = small;
            diagram
        };
        let mut position = line.position().clone();
        let mut boards = Vec::with_capacity(count);
        for (index, moves) in line.moves().chunks(PLIES_ON_A_BOARD).enumerate() {
            let mut diagram = board(position.board());
            for (ply, &played) in moves.iter().enumerate() {
                diagram.moves.push(numbered(index * PLIES_ON_A_BOARD + ply, played));
                position.play_unchecked(played);
            }
            boards.push(diagram);
        }
        let mut last = board(position.board());
        last.highlights = king_of(position.board(), !line.winner());
        boards.push(last);
        Ok(Self { boards, columns, title: title(line) })
    }

    /// Everything that the boards show, in words.
    #[must_use]
    pub fn description(&self) -> String {
        let boards = self.boards.iter().enumerate();
        let words: Vec<String> =
            boards.map(|(index, board)| format!("Board {}: {}", index + 1, board.description())).collect();
        words.join(" ")
    }
}

impl Diagram {
    /// A line to mate as numbered arrows on its first position; none if it has more than four plies, for which
    /// [`Strip::of_line`] is made.
    #[must_use]
    pub fn of_line(line: &MateLine) -> Option<Self> {
        if line.moves().len() > MOST_ARROWS {
            return None;
        }
        let board = line.position().board();
        let mut diagram = Self::new(board.clone());
        diagram.title = title(line);
        diagram.moves = line.moves().iter().enumerate().map(|(ply, &played)| numbered(ply, played)).collect();
        if line.moves().is_empty() {
            diagram.highlights = king_of(board, !line.winner());
        }
        Some(diagram)
    }
}

/// How many boards a line takes.
fn boards(line: &MateLine) -> usize {
    line.moves().len().div_ceil(PLIES_ON_A_BOARD) + 1
}

/// How many of so many boards stand beside each other: the picture is as wide as high, or wider.
fn columns(count: usize) -> usize {
    (1..=count).find(|columns| columns * columns >= count).unwrap_or(1)
}

fn title(line: &MateLine) -> String {
    let winner = color_name(line.winner(), true);
    match line.plies() {
        0 => format!("{winner} has given mate"),
        1 => format!("Mate by {winner} after 1 ply, if both sides help: {line}"),
        plies => format!("Mate by {winner} after {plies} plies, if both sides help: {line}"),
    }
}

fn king_of(board: &Board, color: Color) -> Bitboard {
    board.kings() & board.by_color(color)
}

fn numbered(ply: usize, played: Move) -> NumberedArrow {
    let to = match played {
        // The king goes beside the rook, wherever that stands.
        Move::Castle { king, rook } => {
            let file = if rook > king { 6 } else { 2 };
            Square::new(u32::from(king.rank()) * 8 + file)
        }
        other => other.to(),
    };
    let from = played.from().unwrap_or(to);
    NumberedArrow { number: ply as u32 + 1, arrow: Arrow { from, to } }
}
