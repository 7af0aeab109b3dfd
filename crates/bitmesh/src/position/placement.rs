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
    /// What follows it: usually nothing, or a blank and the other fields of a FEN.
    pub rest: &'a [u8],
}

/// Reads the placement that a FEN, an EPD line or a bare placement begins with.
///
/// Eight ranks from the eighth to the first, divided by `/`; in each, letters for pieces and numbers from 1 to 8 for
/// empty squares make up eight squares. Numbers side by side are added up. The placement ends in front of the first
/// character that has no place in one. These are exactly the placements that [`read_position`](crate::read_position)
/// accepts; here nothing in front of the placement is skipped, and what follows it is not looked at. This is the fast
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
/// `None` means that the text begins otherwise; `read_position` says where and why.
#[must_use]
pub fn read_placement(text: &[u8]) -> Option<Placement<'_>> {
    // Each symbol is entered where it begins, whatever it is, and all checks come at the end: where the ranks of a text
    // end cannot be predicted, so branches would take as long again.
    let mut squares = [0u64; KINDS];
    let mut progress = 0;
    let mut length = 0;
    for &byte in text.iter().take(LONGEST + 1) {
        let symbol = SYMBOLS[usize::from(byte)];
        if symbol.progress == 0 {
            break;
        }
        squares[usize::from(symbol.kind) % KINDS] |= 1 << (progress % 64);
        progress += symbol.progress;
        length += 1;
    }
    if progress != 64 + 7 * PROGRESS_OF_SLASH || squares[SLASH] != BEHIND_EACH_RANK_BUT_THE_LAST {
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

/// What a character means in a placement.
#[derive(Clone, Copy)]
struct Symbol {
    /// The index of a letter in `LETTERS`, `NUMBER` or `SLASH`.
    kind: u8,
    /// How many squares it takes, or `PROGRESS_OF_SLASH`; 0 if it has no place in a placement.
    progress: u64,
}

const LETTERS: &[u8; 12] = b"pnbrqkPNBRQK";
const NUMBER: usize = LETTERS.len();
const SLASH: usize = NUMBER + 1;
/// The next power of two, for indices that need no check.
const KINDS: usize = 16;

/// Slashes are counted in the same number as squares, of which so short a text has fewer.
const PROGRESS_OF_SLASH: u64 = 1 << 32;

/// 64 pieces and 7 slashes.
const LONGEST: usize = 71;

/// Slashes are entered at the square that follows them.
const BEHIND_EACH_RANK_BUT_THE_LAST: u64 = 0x0101_0101_0101_0100;

static SYMBOLS: [Symbol; 256] = {
    let mut symbols = [Symbol { kind: 0, progress: 0 }; 256];
    let mut kind = 0;
    while kind < LETTERS.len() {
        symbols[LETTERS[kind] as usize] = Symbol { kind: kind as u8, progress: 1 };
        kind += 1;
    }
    let mut number = 1;
    while number <= 8 {
        symbols[b'0' as usize + number] = Symbol { kind: NUMBER as u8, progress: number as u64 };
        number += 1;
    }
    symbols[b'/' as usize] = Symbol { kind: SLASH as u8, progress: PROGRESS_OF_SLASH };
    symbols
};
