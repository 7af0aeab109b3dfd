//! The canonical texts, written into one buffer and then appended at once.

use alloc::string::String;

use shakmaty::fen::Epd;
use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, Position as _, Role, Square};

/// The longest placement: 64 pieces and 7 slashes.
const LONGEST_PLACEMENT: usize = 71;

/// Side to move, four castling rights, an en-passant square, and the blanks before them.
const LONGEST_FIELDS: usize = 2 + 5 + 3;

/// A text of ASCII characters that grows on the stack.
struct Buffer {
    bytes: [u8; LONGEST_PLACEMENT + LONGEST_FIELDS],
    length: usize,
}

impl Buffer {
    const fn new() -> Self {
        Self { bytes: [0; LONGEST_PLACEMENT + LONGEST_FIELDS], length: 0 }
    }

    const fn put(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    const fn put_square(&mut self, square: Square) {
        let index = square.to_u32() as u8;
        self.put(b'a' + index % 8);
        self.put(b'1' + index / 8);
    }

    fn append_to(&self, out: &mut String) {
        // Only ASCII characters are ever put in.
        out.push_str(core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default());
    }
}

/// Appends the placement field.
pub(super) fn write_placement(board: &Board, out: &mut String) {
    let mut buffer = Buffer::new();
    put_placement(board, &mut buffer);
    buffer.append_to(out);
}

/// Appends placement, side to move, castling rights, and the en-passant square if a capture on it is legal.
pub(super) fn write_position(chess: &Chess, out: &mut String) {
    let castles = chess.castles();
    if castles.mode() != CastlingMode::Standard && castles.any() {
        // Which rook is the outermost one is a matter for X-FEN.
        Epd::from_position(chess, EnPassantMode::Legal).append_to_string(out);
        return;
    }
    let mut buffer = Buffer::new();
    put_placement(chess.board(), &mut buffer);
    buffer.put(b' ');
    buffer.put(chess.turn().fold_wb(b'w', b'b'));
    buffer.put(b' ');
    let rights = castles.castling_rights();
    let corners = [(Square::H1, b'K'), (Square::A1, b'Q'), (Square::H8, b'k'), (Square::A8, b'q')];
    for (rook, letter) in corners {
        if rights.contains(rook) {
            buffer.put(letter);
        }
    }
    if rights.is_empty() {
        buffer.put(b'-');
    }
    buffer.put(b' ');
    match chess.maybe_ep_square().and_then(|_| chess.ep_square(EnPassantMode::Legal)) {
        Some(square) => buffer.put_square(square),
        None => buffer.put(b'-'),
    }
    buffer.append_to(out);
}

fn put_placement(board: &Board, buffer: &mut Buffer) {
    let mut letters = [0; 64];
    for (role, letter) in [
        (Role::Pawn, b'P'),
        (Role::Knight, b'N'),
        (Role::Bishop, b'B'),
        (Role::Rook, b'R'),
        (Role::Queen, b'Q'),
        (Role::King, b'K'),
    ] {
        for color in Color::ALL {
            let letter = color.fold_wb(letter, letter.to_ascii_lowercase());
            for square in board.by_role(role) & board.by_color(color) {
                letters[usize::from(square)] = letter;
            }
        }
    }
    for (index, rank) in letters.chunks_exact(8).rev().enumerate() {
        if index > 0 {
            buffer.put(b'/');
        }
        let mut empty = 0;
        for &letter in rank {
            if letter == 0 {
                empty += 1;
                continue;
            }
            if empty > 0 {
                buffer.put(b'0' + empty);
                empty = 0;
            }
            buffer.put(letter);
        }
        if empty > 0 {
            buffer.put(b'0' + empty);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::fen::Fen;

    use super::*;

    /// What shakmaty writes.
    fn expected(chess: &Chess) -> String {
        let mut text = String::new();
        Epd::from_position(chess, EnPassantMode::Legal).append_to_string(&mut text);
        text
    }

    fn agrees(chess: &Chess) {
        let (mut text, mut placement) = (String::new(), String::new());
        write_position(chess, &mut text);
        assert_eq!(text, expected(chess));
        write_placement(chess.board(), &mut placement);
        assert!(text.starts_with(&placement));
    }

    #[test]
    fn the_longest_texts_fit() {
        let mut full = Board::empty();
        for square in Square::ALL {
            full.set_piece_at(square, Color::White.queen());
        }
        let mut text = String::new();
        write_placement(&full, &mut text);
        assert_eq!(text.len(), LONGEST_PLACEMENT);
        agrees(&Chess::default());
    }

    #[test]
    fn castling_and_en_passant_are_written_as_by_shakmaty() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1",
            "8/8/8/8/k1pP3R/8/8/4K3 b - d3 0 1",
        ] {
            agrees(&fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap());
        }
        for fen in [
            "nrk2brq/pppppppp/8/8/8/8/PPPPPPPP/NRK2BRQ w GBgb - 0 1",
            "1rk1r3/8/8/8/8/8/2P5/1RRK3R w CHbe - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        ] {
            agrees(&fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap());
        }
    }

    proptest! {
        #[test]
        fn positions_of_games_are_written_as_by_shakmaty(choices in proptest::collection::vec(any::<u8>(), 0..150)) {
            let mut chess = Chess::default();
            for choice in choices {
                let legal = chess.legal_moves();
                if legal.is_empty() {
                    break;
                }
                chess.play_unchecked(legal[usize::from(choice) % legal.len()]);
                agrees(&chess);
            }
        }
    }
}
