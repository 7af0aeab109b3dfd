//! The usual FEN, read fast.
//!
//! A FEN of six fields with single blanks, no en-passant square and castling rights of standard chess is read
//! without notes or locations. Whatever is not exactly that, or is no legal position, is left to the reader of the
//! library, which knows all the tolerances and says what is wrong. Both give the same position: tests compare them.

use core::num::NonZeroU32;

use bitmesh::{Placement, read_placement};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, FromSetup as _, Setup, Square};

/// Reads a line, its end aside, if it is the usual FEN of a legal position, and hands the position on.
///
/// It is handed on where it lies: moving it takes as long as finding out whether anything can be claimed about it.
#[inline]
pub(crate) fn read<T>(line: &[u8], hand_on: impl FnOnce(&Chess) -> T) -> Option<T> {
    let setup = read_setup(line)?;
    match &Chess::from_setup(setup, CastlingMode::Standard) {
        Ok(chess) => Some(hand_on(chess)),
        Err(_) => None,
    }
}

#[inline]
fn read_setup(line: &[u8]) -> Option<Setup> {
    let Placement { board, is_canonical: true, rest, .. } = read_placement(line)? else { return None };
    let (turn, rest) = match rest {
        [b' ', b'w', b' ', rest @ ..] => (Color::White, rest),
        [b' ', b'b', b' ', rest @ ..] => (Color::Black, rest),
        _ => return None,
    };
    let (castling_rights, rest) = read_castling(&board, rest)?;
    let rest = rest.strip_prefix(b" - ")?;
    let (halfmoves, rest) = read_number(rest)?;
    let (fullmoves, rest) = read_number(rest.strip_prefix(b" ")?)?;
    if !matches!(rest, [] | [b'\r']) {
        return None;
    }
    Some(Setup {
        board,
        promoted: Bitboard::EMPTY,
        pockets: None,
        turn,
        castling_rights,
        ep_square: None,
        remaining_checks: None,
        halfmoves,
        fullmoves: NonZeroU32::new(fullmoves)?,
    })
}

/// `-`, or some of `KQkq` in this order with king and rook where they belong.
fn read_castling<'a>(board: &Board, text: &'a [u8]) -> Option<(Bitboard, &'a [u8])> {
    if let Some(rest) = text.strip_prefix(b"-") {
        return Some((Bitboard::EMPTY, rest));
    }
    let corners = [
        (b'K', Color::White, Square::E1, Square::H1),
        (b'Q', Color::White, Square::E1, Square::A1),
        (b'k', Color::Black, Square::E8, Square::H8),
        (b'q', Color::Black, Square::E8, Square::A8),
    ];
    let mut rights = Bitboard::EMPTY;
    let mut rest = text;
    for (letter, color, king, rook) in corners {
        if let [first, tail @ ..] = rest
            && *first == letter
        {
            let own = board.by_color(color);
            if !(own & board.kings()).contains(king) || !(own & board.rooks()).contains(rook) {
                return None;
            }
            rights.add(rook);
            rest = tail;
        }
    }
    (rest.len() < text.len()).then_some((rights, rest))
}

/// A number of at most nine digits.
fn read_number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&digits) {
        return None;
    }
    let number = text[..digits].iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
    Some((number, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use bitmesh::{Input, read_position};
    use proptest::prelude::*;
    use shakmaty::Position as _;

    use super::*;

    /// What is read fast is read the same by the library, and without a word.
    fn agrees(line: &str) -> bool {
        let Some(chess) = read(line.as_bytes(), Chess::clone) else { return false };
        let reading = read_position(line.trim_end_matches('\r')).expect(line);
        assert_eq!(reading.notes, [], "{line}");
        let Input::Position(position) = reading.input else { panic!("{line}") };
        assert_eq!(*position.chess(), chess, "{line}");
        assert_eq!(chess.halfmoves(), reading.halfmove_clock, "{line}");
        assert_eq!(chess.fullmoves(), reading.fullmove_number, "{line}");
        true
    }

    #[test]
    fn the_usual_fen_is_read_fast() {
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - - 99 130\r",
            "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
            "k6K/8/8/8/8/8/8/8 w - - 0 1",
        ] {
            assert!(agrees(line), "{line}");
        }
    }

    #[test]
    fn anything_unusual_is_left_to_the_library() {
        for line in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w kqKQ - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w  - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4294967296",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1",
            "5k2/8/8/8/8/8/5kK1/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            "P6k/8/8/8/8/8/8/K6p w - - 0 1",
        ] {
            assert!(read(line.as_bytes(), |_| ()).is_none(), "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_read_two_ways(
            ranks in proptest::collection::vec("[1-8pnbrqkPNBRQK]{1,8}", 8),
            tail in "( [wb]| W)( -| K?Q?k?q?| [a-h]| )( -| [a-h][36])( [0-9]{1,2}){1,2}\r?",
        ) {
            agrees(&format!("{}{tail}", ranks.join("/")));
        }

        #[test]
        fn games_are_read_the_same_from_their_fens(choices in proptest::collection::vec(any::<u8>(), 0..120)) {
            let mut chess = Chess::default();
            for choice in choices {
                let legal = chess.legal_moves();
                if legal.is_empty() {
                    break;
                }
                chess.play_unchecked(legal[usize::from(choice) % legal.len()]);
                let fen = shakmaty::fen::Fen::from_position(&chess, shakmaty::EnPassantMode::Legal).to_string();
                prop_assert!(agrees(&fen) || chess.legal_ep_square().is_some(), "{fen}");
            }
        }
    }
}
