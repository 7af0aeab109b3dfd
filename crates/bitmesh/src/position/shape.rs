//! Guesses at what a text is meant to be, for callers that choose a reader or give a hint.
//!
//! None of them says that a text can be read.

/// Whether a text has the shape of the placement field of a FEN: eight parts of pieces and digits. It need not be a
/// good one.
///
/// ```
/// assert!(bitmesh::looks_like_placement("8/8/8/8/8/8/8/KQRBNP"));
/// assert!(!bitmesh::looks_like_placement("8/8/8/8/8/8/8"));
/// assert!(!bitmesh::looks_like_placement("a/b/c/d/e/f/g/h"));
/// ```
#[must_use]
pub fn looks_like_placement(text: &str) -> bool {
    let is_part = |byte: u8| matches!(byte, b'1'..=b'8' | b'/' | b'~') || b"pnbrqkPNBRQK".contains(&byte);
    text.bytes().filter(|&byte| byte == b'/').count() == 7 && text.bytes().all(is_part)
}

/// Whether the input begins like text in UTF-16: with a byte order mark, or with a letter or sign of ASCII in two bytes.
///
/// ```
/// assert!(bitmesh::looks_like_utf16(b"\xff\xfe8\0/\0"));
/// assert!(bitmesh::looks_like_utf16(b"8\0/\0"));
/// assert!(!bitmesh::looks_like_utf16(b"8/8"));
/// assert!(!bitmesh::looks_like_utf16(b"\x01\0\0\0"));
/// ```
#[must_use]
pub const fn looks_like_utf16(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [0, letter, ..] | [letter, 0, ..] => letter.is_ascii_graphic() || letter.is_ascii_whitespace(),
        _ => false,
    }
}

/// Whether a text has the shape of a field of a FEN, counted from 0: placement, side to move, castling, en passant and
/// the two counters.
///
/// ```
/// let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1";
/// assert!(fen.split(' ').enumerate().all(|(index, field)| bitmesh::looks_like_fen_field(index, field)));
/// assert!(!bitmesh::looks_like_fen_field(1, "white"));
/// ```
#[must_use]
pub fn looks_like_fen_field(index: usize, text: &str) -> bool {
    match index {
        0 => looks_like_placement(text),
        1 => matches!(text, "w" | "b"),
        2 => text == "-" || text.chars().all(|character| character.is_ascii_alphabetic()),
        3 => text == "-" || (text.len() == 2 && text.starts_with(|file| ('a'..='h').contains(&file))),
        4 | 5 => text == "-" || text.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

/// Whether a line has the shape of one rank of a board drawn with letters.
///
/// ```
/// for line in ["8 . . . . k . . .", "r n b q k b n r", "| . | . | . | . | . | . | . | K |", "........"] {
///     assert!(bitmesh::looks_like_drawn_rank(line));
/// }
/// assert!(!bitmesh::looks_like_drawn_rank("a b c d e f g h"));
/// ```
#[must_use]
pub fn looks_like_drawn_rank(line: &str) -> bool {
    let squares = || line.chars().filter(|character| !character.is_whitespace() && *character != '|');
    // With or without the number of the rank in front.
    let numbered =
        squares().count() == 9 && squares().next().is_some_and(|first| ('1'..='8').contains(&first));
    let mut rank = squares().skip(usize::from(numbered));
    rank.clone().count() == 8 && rank.all(|character| ".-pnbrqkPNBRQK".contains(character))
}
