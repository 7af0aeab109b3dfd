//! The reader of boards that `bitmesh draw` has printed, marks and letters of regions included.
//!
//! Eight lines begin with the number of their rank and two blanks; then each square takes four columns with pieces as
//! letters, six with figures and the letter of their side. A title stands before them, the letters of the files and
//! the legend after them; they are passed over. Colours are not read.

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

/// Columns of a square with a letter, and of one with a figure.
const WIDTHS: [usize; 2] = [4, 6];

/// Asks for the text form of a figure and takes no column.
const TEXT_FORM: char = '\u{fe0e}';

/// A board that was read, and whether it was seen from the side of Black.
pub(super) struct Rendering {
    pub(super) board: Board,
    pub(super) for_black: bool,
}

/// Reads a printed board; `None` if the text is not one.
pub(super) fn read_rendering(text: &str) -> Option<Rendering> {
    WIDTHS.into_iter().find_map(|width| read_width(text, width))
}

fn read_width(text: &str, width: usize) -> Option<Rendering> {
    let mut lines = text.lines();
    let first = lines.by_ref().find_map(|line| read_rank(line, width))?;
    let for_black = match first.0 {
        Rank::Eighth => false,
        Rank::First => true,
        _ => return None,
    };
    let mut board = Board::empty();
    let mut ranks: [Rank; 8] = Rank::ALL;
    if !for_black {
        ranks.reverse();
    }
    let mut next = Some(first);
    for rank in ranks {
        let (found, squares) = match next.take() {
            Some(first) => first,
            None => read_rank(lines.next()?, width)?,
        };
        if found != rank {
            return None;
        }
        for (index, piece) in squares.into_iter().enumerate() {
            let file = File::new(u32::try_from(if for_black { 7 - index } else { index }).ok()?);
            if let Some(piece) = piece {
                board.set_piece_at(Square::from_coords(file, rank), piece);
            }
        }
    }
    // Only the letters below say which side it is.
    let files = lines.next()?.split_whitespace().collect::<alloc::string::String>();
    let expected = if for_black { "hgfedcba" } else { "abcdefgh" };
    (files == expected).then_some(Rendering { board, for_black })
}

fn read_rank(line: &str, width: usize) -> Option<(Rank, [Option<Piece>; 8])> {
    let mut columns = line.chars().filter(|&found| found != TEXT_FORM);
    let rank = Rank::from_char(columns.next()?)?;
    if (columns.next(), columns.next()) != (Some(' '), Some(' ')) {
        return None;
    }
    let mut squares = [None; 8];
    for square in &mut squares {
        let mut cell = [' '; 6];
        for place in cell.iter_mut().take(width) {
            // Blanks at the end of a line may be gone.
            *place = columns.next().unwrap_or(' ');
        }
        *square = read_cell(&cell[..width])?;
    }
    columns.all(|found| found == ' ').then_some((rank, squares))
}

/// The piece of a square, if its mark, piece and region are as they are printed.
fn read_cell(cell: &[char]) -> Option<Option<Piece>> {
    let (&before, rest) = cell.split_first()?;
    let (piece, after) = match *rest {
        [letter, ref after @ ..] if after.len() == 2 => match Piece::from_char(letter) {
            Some(piece) => (Some(piece), after),
            None if letter == '.' => (None, after),
            None => return None,
        },
        [' ', '.', ' ', ref after @ ..] => (None, after),
        [side, found, ' ', ref after @ ..] => {
            let piece = figure(found)?;
            let color = if piece.color.is_white() { 'w' } else { 'b' };
            if side != color {
                return None;
            }
            (Some(piece), after)
        }
        _ => return None,
    };
    let is_mark = |found: &char| matches!(found, ' ' | '#' | '!') || found.is_ascii_uppercase();
    (matches!(before, ' ' | '#' | '*' | '+') && after.iter().all(is_mark)).then_some(piece)
}

fn figure(found: char) -> Option<Piece> {
    const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let index = u32::from(found).checked_sub(0x2654).filter(|&index| index < 12)? as usize;
    let color = if index < 6 { Color::White } else { Color::Black };
    Some(Piece { color, role: ROLES[index % 6] })
}
