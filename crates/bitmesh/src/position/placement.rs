//! The placement field: where the pieces stand.

use shakmaty::{Bitboard, Board, ByColor, ByRole};

use crate::shift;

/// The pieces that a text begins with.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Placement<'a> {
    /// The pieces.
    pub board: Board,
    /// Whether the placement is written as in a canonical text: no two numbers stand side by side.
    pub is_canonical: bool,
    /// What follows the eighth rank: usually nothing, or a blank and the other fields of a FEN.
    pub rest: &'a [u8],
}

/// Reads the placement that a FEN, an EPD line or a bare placement begins with.
///
/// Eight ranks from the eighth to the first, divided by `/`; in each, letters for pieces and numbers from 1 to 8 for
/// empty squares make up eight squares. Numbers side by side are added up. These are exactly the placements that
/// [`read_position`](crate::read_position) accepts; here nothing in front of the placement is skipped, and what
/// follows it is not looked at. This is the fast way from a text to layers 1 and 2:
///
/// ```
/// let fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
/// let placement = bitmesh::read_placement(fen.as_bytes()).ok_or("no placement")?;
/// assert_eq!(placement.rest, b" w - - 0 1");
/// assert_eq!(bitmesh::find_subsystems(&placement.board), (true, 2));
/// # Ok::<(), &str>(())
/// ```
///
/// `None` means that the text begins otherwise; `read_position` says where and why.
#[must_use]
pub fn read_placement(text: &[u8]) -> Option<Placement<'_>> {
    let mut ranks = [0; 8];
    let mut rest = text;
    for (index, lanes) in ranks.iter_mut().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(b"/")?;
        }
        let mut files = 0;
        while files < 8 {
            let (&byte, behind) = rest.split_first()?;
            let symbol = SYMBOLS[usize::from(byte)];
            if symbol.files == 0 {
                return None;
            }
            *lanes |= symbol.lanes << files;
            files += symbol.files;
            rest = behind;
        }
        if files > 8 {
            return None;
        }
    }
    // Text goes from the eighth rank to the first, squares the other way.
    let ranks = ranks.map(u64::to_le_bytes);
    let squares = |lane: usize| u64::from_be_bytes(ranks.map(|lanes| lanes[lane]));

    let [pawn, knight, bishop, rook, queen, king] = core::array::from_fn(|lane| Bitboard(squares(lane)));
    let by_role = ByRole { pawn, knight, bishop, rook, queen, king };
    let occupied = pawn | knight | bishop | rook | queen | king;
    let white = Bitboard(squares(WHITE_LANE));
    let board = Board::try_from_bitboards(by_role, ByColor { black: occupied ^ white, white }).ok()?;
    let empty = !occupied.0;
    let is_canonical = squares(NUMBER_LANE) == empty & !shift::east(empty);
    Some(Placement { board, is_canonical, rest })
}

/// What a letter or number adds to its rank, which is kept as eight lanes of one bit for each file.
#[derive(Clone, Copy)]
struct Symbol {
    /// The lanes as they are on the a-file: one for each role, then white pieces, then starts of numbers.
    lanes: u64,
    /// How many squares it takes; none if it has no place in a rank.
    files: u32,
}

const WHITE_LANE: usize = 6;
const NUMBER_LANE: usize = 7;

static SYMBOLS: [Symbol; 256] = {
    let mut symbols = [Symbol { lanes: 0, files: 0 }; 256];
    let letters = *b"pnbrqk";
    let mut role = 0;
    while role < letters.len() {
        let lanes = 1 << (8 * role);
        let white = letters[role].to_ascii_uppercase();
        symbols[letters[role] as usize] = Symbol { lanes, files: 1 };
        symbols[white as usize] = Symbol { lanes: lanes | 1 << (8 * WHITE_LANE), files: 1 };
        role += 1;
    }
    let mut files = 1;
    while files <= 8 {
        symbols[b'0' as usize + files as usize] = Symbol { lanes: 1 << (8 * NUMBER_LANE), files };
        files += 1;
    }
    symbols
};
