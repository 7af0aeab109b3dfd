//! The usual FEN, read fast.
//!
//! A FEN of six fields with single blanks, no en-passant square and castling rights of standard chess is read
//! without notes or locations. Anything else, and pieces that are not a legal position, are left to the reader of the
//! library, which knows all the tolerances and says what is wrong. Both give the same position: tests compare them.

use core::num::NonZeroU32;

use bitmesh::{Placement, read_placement};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, FromSetup as _, Setup, Square};

use crate::claims::Claims;
use crate::evaluate::evaluate;
use crate::problem::Place;
use crate::sight;
use crate::subject::Subject;
use crate::visit::Visit;

/// Reads a line, its end aside, if it is the usual FEN of a legal position, and hands the position on.
///
/// Most positions need not even be built: when the pieces alone show that they are legal and that nothing is claimed, that
/// may be all that is wanted.
#[inline]
pub(crate) fn visit(line: &[u8], place: Place, visit: &mut impl Visit) -> bool {
    let Some(fields) = read_fields(line) else { return false };
    if is_surely_legal(&fields.board, fields.turn) && visit.open_board(&fields.board) {
        debug_assert_eq!(
            hand_on(fields, |chess| evaluate(Subject::Chess(chess)).claims),
            Some(Claims::NONE),
            "{}",
            String::from_utf8_lossy(line)
        );
        return true;
    }
    hand_on(fields, |chess| visit.subject(place, Subject::Chess(chess))).is_some()
}

/// The same for callers that want every position.
#[inline]
pub(crate) fn read<T>(line: &[u8], with: impl FnOnce(&Chess) -> T) -> Option<T> {
    hand_on(read_fields(line)?, with)
}

/// It is handed on where it lies: moving it takes as long as finding out whether anything can be claimed about it.
#[inline]
fn hand_on<T>(fields: Fields, with: impl FnOnce(&Chess) -> T) -> Option<T> {
    match &Chess::from_setup(fields.into_setup(), CastlingMode::Standard) {
        Ok(chess) => Some(with(chess)),
        Err(_) => None,
    }
}

/// Whether pieces are plainly those of a legal position without an en-passant square; castling rights are looked at
/// elsewhere. `false` says nothing.
///
/// It is legal when each side has one king, no more pawns and pieces of each kind than it starts with, no pawn stands
/// on the first or last rank, the side that has moved is not in check, and the other by one piece at most.
fn is_surely_legal(board: &Board, turn: Color) -> bool {
    let at_most = |squares: Bitboard, count: usize| {
        (0..count).fold(squares.0, |rest, _| rest & rest.wrapping_sub(1)) == 0
    };
    let of = |color: Color| {
        let own = board.by_color(color);
        let king = board.kings() & own;
        let bishops = board.bishops() & own;
        let is_usual = king.0.is_power_of_two()
            && at_most(board.queens() & own, 1)
            && at_most(bishops & Bitboard::LIGHT_SQUARES, 1)
            && at_most(bishops & Bitboard::DARK_SQUARES, 1)
            && at_most(board.rooks() & own, 2)
            && at_most(board.knights() & own, 2)
            && at_most(board.pawns() & own, 8);
        is_usual.then_some(king)
    };
    let (Some(own), Some(enemy)) = (of(turn), of(!turn)) else { return false };
    let (Some(own), Some(enemy)) = (own.first(), enemy.first()) else { return false };
    (board.pawns() & Bitboard::BACKRANKS).is_empty()
        && sight::attackers(board, enemy, turn).is_empty()
        && at_most(sight::attackers(board, own, !turn), 1)
}

/// What the six fields say.
struct Fields {
    board: Board,
    turn: Color,
    castling_rights: Bitboard,
    halfmoves: u32,
    fullmoves: NonZeroU32,
}

impl Fields {
    fn into_setup(self) -> Setup {
        Setup {
            board: self.board,
            promoted: Bitboard::EMPTY,
            pockets: None,
            turn: self.turn,
            castling_rights: self.castling_rights,
            ep_square: None,
            remaining_checks: None,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }
}

#[inline]
fn read_fields(line: &[u8]) -> Option<Fields> {
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
    Some(Fields { board, turn, castling_rights, halfmoves, fullmoves: NonZeroU32::new(fullmoves)? })
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
    let (mut number, mut length) = (0, 0);
    while let Some(byte) = text.get(length)
        && byte.is_ascii_digit()
    {
        if length == 9 {
            return None;
        }
        number = number * 10 + u32::from(byte - b'0');
        length += 1;
    }
    (length > 0).then(|| (number, &text[length..]))
}

#[cfg(test)]
mod tests {
    use bitmesh::{Input, read_position};
    use bitmesh_lab::games::random_ply;
    use bitmesh_lab::random::Rng;
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

    /// Whether a side has more pieces of a kind than it starts with.
    fn has_promoted(chess: &Chess) -> bool {
        Color::ALL.into_iter().any(|color| {
            let own = chess.board().by_color(color);
            let count = |squares: Bitboard| (squares & own).count();
            let bishops = chess.board().bishops();
            count(chess.board().queens()) > 1
                || count(chess.board().rooks()) > 2
                || count(chess.board().knights()) > 2
                || count(bishops & Bitboard::LIGHT_SQUARES) > 1
                || count(bishops & Bitboard::DARK_SQUARES) > 1
        })
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

    /// Whether a set-up without castling rights is taken for surely legal; if so, it is.
    fn surely_legal(placement: &str, turn: Color) -> bool {
        let setup = Setup { board: placement.parse().unwrap(), turn, ..Setup::empty() };
        let sure = is_surely_legal(&setup.board, turn);
        let legal = Chess::from_setup(setup, CastlingMode::Standard).is_ok();
        assert!(legal || !sure, "{placement}, {turn} to move");
        sure
    }

    #[test]
    fn what_is_surely_legal_has_usual_pieces_and_at_most_one_check() {
        let white = |placement| surely_legal(placement, Color::White);
        assert!(white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
        assert!(white("4k3/8/8/8/8/8/8/4K3"));
        assert!(white("4k3/8/8/8/8/8/4r3/4K3"), "one check");
        for placement in [
            "8/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/3KK3",
            "4k3/8/8/8/8/8/3K4/4K3",
            "4k3/8/8/8/8/8/8/P3K3",
            "4k2p/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/QQ2K3",
            "4k3/8/8/8/8/8/8/B1B1K3",
            "4k3/8/8/8/8/8/NNN5/4K3",
            "4k3/8/8/8/8/8/RRR5/4K3",
            "4k3/8/8/8/8/P7/PPPPPPPP/4K3",
            "4k3/8/8/8/8/8/4R3/4K3",
            "4k3/3P4/8/8/8/8/8/4K3",
            "8/8/8/8/8/8/4k3/4K3",
            "4k3/8/8/8/7b/8/4r3/4K3",
        ] {
            assert!(!white(placement), "{placement}");
        }
    }

    /// Any pieces, few of them, so that some positions are legal.
    fn placement() -> impl Strategy<Value = Board> {
        let piece = (0u32..64, 0usize..6, any::<bool>());
        (proptest::collection::vec(piece, 0..24), 0u32..64, 0u32..64).prop_map(|(pieces, white, black)| {
            let mut board = Board::empty();
            for (square, role, is_white) in pieces {
                // Kings are rare.
                let role = if role == 5 && square % 7 > 0 { 0 } else { role };
                let piece = shakmaty::Role::ALL[role].of(Color::from_white(is_white));
                board.set_piece_at(Square::new(square), piece);
            }
            board.set_piece_at(Square::new(white), Color::White.king());
            board.set_piece_at(Square::new(black), Color::Black.king());
            board
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn what_is_surely_legal_is_legal(board in placement(), white in any::<bool>()) {
            let setup = Setup { board, turn: Color::from_white(white), ..Setup::empty() };
            let sure = is_surely_legal(&setup.board, setup.turn);
            let legal = Chess::from_setup(setup.clone(), CastlingMode::Standard).is_ok();
            prop_assert!(legal || !sure, "{:?}", setup);
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
        fn games_are_read_the_same_from_their_fens(seed in any::<u64>(), plies in 0..120) {
            let (mut chess, mut rng) = (Chess::default(), Rng::new(seed));
            for _ in 0..plies {
                if random_ply(&mut chess, &mut rng).is_none() {
                    break;
                }
                let fen = shakmaty::fen::Fen::from_position(&chess, shakmaty::EnPassantMode::Legal).to_string();
                prop_assert!(agrees(&fen) || chess.legal_ep_square().is_some(), "{fen}");
                if let Some(fields) = read_fields(fen.as_bytes()) {
                    let sure = is_surely_legal(&fields.board, fields.turn);
                    prop_assert!(sure || chess.checkers().more_than_one() || has_promoted(&chess), "{fen}");
                }
            }
        }
    }
}
