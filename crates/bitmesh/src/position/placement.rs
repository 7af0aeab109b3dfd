//! The placement field: where the pieces stand.

use shakmaty::{Bitboard, Board, ByColor, ByRole};

use crate::geometry::shift;

/// The pieces that a text begins with.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Placement<'a> {
    /// The pieces.
    pub board: Board,
    /// Whether the placement is written as in a canonical text: no two numbers stand side by side.
    pub is_canonical: bool,
    /// What follows it: usually nothing, or a blank and the other fields of a FEN.
    pub rest: &'a [u8],
}

/// Reads the placement that a FEN, an EPD line or a bare placement begins with.
///
/// Eight ranks from the eighth to the first, divided by `/`; in each, letters for pieces and numbers from 1 to 8 for
/// empty squares make up eight squares. Numbers side by side are added up. The placement ends before the first
/// character that has no place in one. These are exactly the placements that [`read_position`](crate::read_position)
/// accepts; here nothing before the placement is skipped, and what follows it is not looked at. This is the fast
/// way from a text to layers 1 and 2:
///
/// ```
/// let fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
/// let placement = bitmesh::read_placement(fen.as_bytes()).ok_or("no placement")?;
/// assert_eq!(placement.rest, b" w - - 0 1");
/// assert_eq!(bitmesh::find_subsystems(&placement.board), (true, 2));
/// # Ok::<(), &str>(())
/// ```
///
/// `None` means that the text does not begin with one; `read_position` says where and why.
#[must_use]
pub fn read_placement(text: &[u8]) -> Option<Placement<'_>> {
    // Each symbol is entered where it begins, whatever it is, and all checks come at the end: where the ranks of a text
    // end cannot be predicted, so branches would take as long again.
    let mut squares = [0u64; KINDS];
    let mut progress = 0u64;
    let mut length = 0;
    for &byte in &text[..text.len().min(LONGEST + 1)] {
        let symbol = SYMBOLS[usize::from(byte)];
        if symbol == NO_SYMBOL {
            break;
        }
        squares[kind(symbol)] |= 1 << (progress % 64);
        progress = progress.wrapping_add(symbol);
        length += 1;
    }
    let is_complete = progress % (1 << SHIFT_OF_KIND) == 64 + 7 * PROGRESS_OF_SLASH;
    if !is_complete || squares[SLASH] != BEHIND_EACH_RANK_BUT_THE_LAST {
        return None;
    }
    // Text goes from the eighth rank to the first, squares the other way.
    let [p, n, b, r, q, k, pawn, knight, bishop, rook, queen, king, numbers, ..] =
        squares.map(u64::swap_bytes);
    let board = Board::try_from_bitboards(
        ByRole {
            pawn: Bitboard(p | pawn),
            knight: Bitboard(n | knight),
            bishop: Bitboard(b | bishop),
            rook: Bitboard(r | rook),
            queen: Bitboard(q | queen),
            king: Bitboard(k | king),
        },
        ByColor {
            black: Bitboard(p | n | b | r | q | k),
            white: Bitboard(pawn | knight | bishop | rook | queen | king),
        },
    )
    .ok()?;
    let empty = !board.occupied().0;
    Some(Placement { board, is_canonical: numbers == empty & !shift::east(empty), rest: &text[length..] })
}

const LETTERS: &[u8; 12] = b"pnbrqkPNBRQK";
const NUMBER: usize = LETTERS.len();
const SLASH: usize = NUMBER + 1;
/// As many as the highest bits of a symbol can tell apart, so that an index needs no check.
const KINDS: usize = 16;

/// Slashes are counted in the same number as squares, of which so short a text has fewer.
const PROGRESS_OF_SLASH: u64 = 1 << 32;

/// 64 pieces and 7 slashes.
const LONGEST: usize = 71;

/// Slashes are entered at the square that follows them.
const BEHIND_EACH_RANK_BUT_THE_LAST: u64 = 0x0101_0101_0101_0100;

/// What each character means in a placement, in one number, which is read at once: in the highest bits its kind (an
/// index in `LETTERS`, `NUMBER` or `SLASH`), below them its progress: how many squares it takes, or
/// `PROGRESS_OF_SLASH`. Sums of progress do not reach the bits of the kind, whose sums mean nothing.
static SYMBOLS: [u64; 256] = {
    let mut symbols = [NO_SYMBOL; 256];
    let mut letter = 0;
    while letter < LETTERS.len() {
        symbols[LETTERS[letter] as usize] = symbol(letter, 1);
        letter += 1;
    }
    let mut number = 1;
    while number <= 8 {
        symbols[b'0' as usize + number] = symbol(NUMBER, number as u64);
        number += 1;
    }
    symbols[b'/' as usize] = symbol(SLASH, PROGRESS_OF_SLASH);
    symbols
};

/// A character that has no place in a placement.
const NO_SYMBOL: u64 = 0;

const SHIFT_OF_KIND: u32 = u64::BITS - KINDS.ilog2();

const fn symbol(kind: usize, progress: u64) -> u64 {
    (kind as u64) << SHIFT_OF_KIND | progress
}

const fn kind(symbol: u64) -> usize {
    (symbol >> SHIFT_OF_KIND) as usize
}
