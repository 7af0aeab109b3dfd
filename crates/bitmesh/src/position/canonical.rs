//! The canonical texts, written into one buffer and then appended at once.

use alloc::string::String;

use shakmaty::fen::Epd;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, EnPassantMode, Position as _, Square};

/// The longest placement: 64 pieces and 7 slashes.
const LONGEST_PLACEMENT: usize = 71;

/// Side to move, four castling rights, an en-passant square, the counters, and the blanks before them.
const LONGEST_FIELDS: usize = 2 + 5 + 3 + 4;

/// Room for a text and some zeros.
pub(crate) const ROOM: usize = (LONGEST_PLACEMENT + LONGEST_FIELDS).next_multiple_of(16);

/// Every length of a text is below this power of two, which the compiler needs to be told.
const LENGTHS: usize = 128;

/// Ranks are put down eight bytes at a time, whatever their length.
const WIDE_ROOM: usize = LENGTHS + 16;

/// Appends the placement field.
pub(super) fn write_placement(board: &Board, out: &mut String) {
    let mut text = CanonicalText::default();
    text.put_placement(board);
    out.push_str(text.as_str());
}

/// Appends placement, side to move, castling rights, and the en-passant square if a capture on it is legal.
pub(super) fn write_position(chess: &Chess, out: &mut String) {
    if is_standard(chess) {
        let mut text = CanonicalText::default();
        text.put_position(chess);
        out.push_str(text.as_str());
    } else {
        // Which rook is the outermost one is a matter for X-FEN.
        Epd::from_position(chess, EnPassantMode::Legal).append_to_string(out);
    }
}

/// Whether the castling rights are written as those of standard chess.
pub(crate) fn is_standard(chess: &Chess) -> bool {
    let castles = chess.castles();
    castles.mode() == CastlingMode::Standard || !castles.any()
}

/// A text of ASCII characters on the stack. It remembers the board that it was last about, and only the ranks that are
/// different are made anew: after a move, one or two.
#[derive(Clone, Debug)]
#[repr(align(16))]
pub(crate) struct CanonicalText {
    pieces: Pieces,
    /// What stands on each rank, a letter or zero for each file.
    letters: [u64; 8],
    ranks: [Rank; 8],
    bytes: [u8; WIDE_ROOM],
    length: usize,
}

/// About the empty board.
impl Default for CanonicalText {
    fn default() -> Self {
        let ranks = [Rank::of(0, 0); 8];
        Self { pieces: Pieces::default(), letters: [0; 8], ranks, bytes: [0; WIDE_ROOM], length: 0 }
    }
}

impl CanonicalText {
    pub(crate) fn as_str(&self) -> &str {
        let (text, length) = self.as_str_with_zeros();
        text.get(..length).unwrap_or_default()
    }

    /// The text with zeros after it, and its length. Always as much is looked at, which takes less time than to find out
    /// where to end.
    #[inline]
    pub(crate) fn as_str_with_zeros(&self) -> (&str, usize) {
        let (text, length) = self.with_zeros();
        // Only ASCII characters are ever put in.
        (core::str::from_utf8(text).unwrap_or_default(), length)
    }

    /// The text with zeros after it, and its length: room of a fixed size is copied in less time than a text.
    #[inline]
    pub(crate) fn with_zeros(&self) -> (&[u8; ROOM], usize) {
        let (text, _) = self.bytes.split_first_chunk().expect("there is wide room");
        (text, self.length)
    }

    /// Begins anew with the whole text of a position that [is standard](is_standard).
    pub(crate) fn be_of(&mut self, chess: &Chess) {
        self.put_position(chess);
        self.put(*b" 0 1");
    }

    fn put<const LENGTH: usize>(&mut self, text: [u8; LENGTH]) {
        self.bytes[self.length..self.length + LENGTH].copy_from_slice(&text);
        self.length += LENGTH;
    }

    /// Begins anew with all but the counters.
    fn put_position(&mut self, chess: &Chess) {
        self.put_placement(chess.board());
        self.put([b' ', chess.turn().fold_wb(b'w', b'b'), b' ']);
        let rights = chess.castles().castling_rights();
        let corners = [(Square::H1, b'K'), (Square::A1, b'Q'), (Square::H8, b'k'), (Square::A8, b'q')];
        for (rook, letter) in corners {
            if rights.contains(rook) {
                self.put([letter]);
            }
        }
        if rights.is_empty() {
            self.put([b'-']);
        }
        match chess.maybe_ep_square().and_then(|_| chess.ep_square(EnPassantMode::Legal)) {
            Some(square) => {
                let index = square.to_u32() as u8;
                self.put([b' ', b'a' + index % 8, b'1' + index / 8]);
            }
            None => self.put([b' ', b'-']),
        }
    }

    /// Begins anew with a placement.
    fn put_placement(&mut self, board: &Board) {
        let pieces = Pieces::of(board);
        let different = pieces.difference(&self.pieces);
        self.pieces = pieces;
        for square in Bitboard(different) {
            let letter = u64::from(pieces.letter_at(square));
            let place = 8 * u32::from(square.file());
            let letters = &mut self.letters[usize::from(square.rank())];
            *letters = *letters & !(0xff << place) | letter << place;
        }
        let occupied = pieces.occupied().to_le_bytes();
        let mut rest = different;
        while rest != 0 {
            let rank = (rest.trailing_zeros() / 8) as usize;
            self.ranks[rank] = Rank::of(self.letters[rank], occupied[rank]);
            rest &= !(0xff << (8 * rank));
        }
        // Zeros after the text, whatever stood there: a rank is put down with zeros after it.
        self.bytes = [0; WIDE_ROOM];
        let mut end = 0;
        for &Rank { text, length } in self.ranks.iter().rev() {
            self.bytes[end % LENGTHS..][..8].copy_from_slice(&text.to_le_bytes());
            end += length;
            self.bytes[end % LENGTHS] = b'/';
            end += 1;
        }
        self.length = end;
        // Nothing follows the last rank.
        self.length -= 1;
    }
}

/// What stands on each square, as a number of four bits: an index into [`LETTERS`]. One set of squares for each bit.
#[derive(Clone, Copy, Debug, Default)]
struct Pieces([u64; 4]);

const LETTERS: [u8; 16] = *b"\0PNBRQK\0\0pnbrqk\0";

impl Pieces {
    fn of(board: &Board) -> Self {
        let (bishops, queens, kings) = (board.bishops(), board.queens(), board.kings());
        let bits = [
            board.pawns() | bishops | queens,
            board.knights() | bishops | kings,
            board.rooks() | queens | kings,
            board.black(),
        ];
        Self(bits.map(u64::from))
    }

    /// The squares on which something else stands.
    fn difference(&self, other: &Self) -> u64 {
        self.0.iter().zip(other.0).fold(0, |different, (one, other)| different | (one ^ other))
    }

    const fn occupied(&self) -> u64 {
        self.0[0] | self.0[1] | self.0[2]
    }

    /// Zero for an empty square.
    fn letter_at(&self, square: Square) -> u8 {
        let bit = |set: usize| (self.0[set] >> u32::from(square) & 1) << set;
        LETTERS[(bit(0) | bit(1) | bit(2) | bit(3)) as usize]
    }
}

/// The text of a rank.
#[derive(Clone, Copy, Debug)]
struct Rank {
    /// Its bytes, the first in the lowest.
    text: u64,
    length: usize,
}

impl Rank {
    /// No step depends on which files are empty: that is hard to foresee.
    const fn of(letters: u64, occupied: u8) -> Self {
        let Form { digits, near, far, length } = FORMS[occupied as usize];
        let text = digits
            | letters & !(near.files | far.files)
            | (letters & near.files) >> near.distance
            | (letters & far.files) >> far.distance;
        Self { text, length: length as usize }
    }
}

/// How the text of a rank is made from its letters, which depends on its empty files alone.
#[derive(Clone, Copy)]
struct Form {
    /// The numbers of empty files, where they stand in the text.
    digits: u64,
    /// Letters move towards the start where two or more files before them are empty. Of eight files, that is so twice
    /// at most.
    near: Shift,
    far: Shift,
    length: u8,
}

#[derive(Clone, Copy)]
struct Shift {
    /// A byte of ones for each file.
    files: u64,
    /// In bits.
    distance: u32,
}

/// One for each set of occupied files.
static FORMS: [Form; 256] = {
    let mut forms = [Form::of(0); 256];
    let mut occupied = 1;
    while occupied < 256 {
        forms[occupied] = Form::of(occupied as u8);
        occupied += 1;
    }
    forms
};

impl Form {
    const fn of(occupied: u8) -> Self {
        let none = Shift { files: 0, distance: 0 };
        let mut form = Self { digits: 0, near: none, far: none, length: 0 };
        let mut empty = 0;
        let mut file = 0;
        while file < 8 {
            if occupied >> file & 1 == 0 {
                empty += 1;
            } else {
                form.put_number(empty);
                empty = 0;
                let distance = 8 * (file - form.length as u32);
                if distance > 0 {
                    let shift = if form.near.distance == 0 || form.near.distance == distance {
                        &mut form.near
                    } else {
                        &mut form.far
                    };
                    assert!(shift.distance == 0 || shift.distance == distance, "two distances at most");
                    *shift = Shift { files: shift.files | 0xff << (8 * file), distance };
                }
                form.length += 1;
            }
            file += 1;
        }
        form.put_number(empty);
        form
    }

    /// The number of empty files before the next piece or the end, if there are any.
    const fn put_number(&mut self, empty: u8) {
        if empty > 0 {
            self.digits |= ((b'0' + empty) as u64) << (8 * self.length);
            self.length += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Color;
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
        assert_eq!(text, ["QQQQQQQQ"; 8].join("/"));
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
            let mut text = CanonicalText::default();
            for choice in choices {
                let legal = chess.legal_moves();
                if legal.is_empty() {
                    break;
                }
                chess.play_unchecked(legal[usize::from(choice) % legal.len()]);
                agrees(&chess);
                text.be_of(&chess);
                prop_assert_eq!(text.as_str(), expected(&chess) + " 0 1");
                let (bytes, length) = text.with_zeros();
                prop_assert_eq!(&bytes[..length], text.as_str().as_bytes());
                prop_assert!(bytes[length..].iter().all(|&byte| byte == 0));
            }
        }
    }
}
