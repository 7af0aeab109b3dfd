//! The gate between what a text says and a position: every reason not to pass is named.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, File, PositionErrorKinds, Rank, Setup, Square,
};

use super::board_only::BoardOnly;
use super::error::{Fault, Field, ReadPositionProblem};
use super::input::{Input, Position};
use super::note::Note;

/// Castling rights as letters of the text, each with its offset.
pub(super) type CastlingText<'a> = (&'a str, usize);

/// What the fields of a text say, before it is checked that it fits together.
#[derive(Debug)]
pub(super) struct Loose<'a> {
    pub(super) board: Board,
    pub(super) board_offset: usize,
    pub(super) turn: Color,
    pub(super) turn_offset: usize,
    pub(super) castling: Option<CastlingText<'a>>,
    pub(super) ep_square: Option<(Square, usize)>,
    pub(super) halfmove_clock: u32,
    pub(super) fullmove_number: NonZeroU32,
    /// Whether a right without its rook is dropped.
    pub(super) odds_castling: bool,
}

impl Loose<'_> {
    /// Lets a legal position or a board pass and refuses contradictions.
    pub(super) fn pass(self, notes: &mut Vec<Note>) -> Result<Input, Fault> {
        check_kings(&self.board).map_err(|problem| Fault {
            problem,
            field: Field::Placement,
            offset: self.board_offset,
        })?;
        let (castling_rights, castling_mode) = match self.castling {
            Some(text) => castling_rights(&self.board, text, self.odds_castling, notes)?,
            None => (Bitboard::EMPTY, CastlingMode::Standard),
        };
        let setup = Setup {
            board: self.board.clone(),
            promoted: Bitboard::EMPTY,
            pockets: None,
            turn: self.turn,
            castling_rights,
            ep_square: self.ep_square.map(|(square, _)| square),
            remaining_checks: None,
            halfmoves: self.halfmove_clock,
            fullmoves: self.fullmove_number,
        };
        match setup.position::<Chess>(castling_mode) {
            Ok(chess) => {
                let position = Position::new(chess);
                if let Some((square, _)) = self.ep_square
                    && shakmaty::Position::legal_ep_square(position.chess()).is_none()
                {
                    notes.push(Note::EnPassantDropped { square });
                }
                Ok(Input::Position(position))
            }
            Err(error) => {
                if let Some((square, offset)) = self.ep_square {
                    check_en_passant(&self.board, self.turn, square).map_err(|problem| Fault {
                        problem,
                        field: Field::EnPassant,
                        offset,
                    })?;
                }
                check_waiting_king(&self.board, self.turn).map_err(|problem| Fault {
                    problem,
                    field: Field::SideToMove,
                    offset: self.turn_offset,
                })?;
                let is_impossible = error.kinds().contains(PositionErrorKinds::IMPOSSIBLE_CHECK);
                notes.push(Note::FieldsNotKept);
                Ok(Input::Board(BoardOnly::with_side_to_move(self.board, is_impossible)))
            }
        }
    }
}

fn check_kings(board: &Board) -> Result<(), ReadPositionProblem> {
    for color in Color::ALL {
        let count = (board.kings() & board.by_color(color)).count();
        if count > 1 {
            return Err(ReadPositionProblem::TooManyKings { color, count });
        }
    }
    Ok(())
}

/// Refuses a position in which the side to move could take the king.
fn check_waiting_king(board: &Board, turn: Color) -> Result<(), ReadPositionProblem> {
    let color = !turn;
    if let Some(king) = board.king_of(color)
        && let Some(attacker) = board.attacks_to(king, turn, board.occupied()).first()
    {
        return Err(ReadPositionProblem::OppositeCheck { color, king, attacker });
    }
    Ok(())
}

/// Reads castling rights as X-FEN or Shredder-FEN and finds the rook of each.
///
/// The caller has made sure that every letter is one of `KQkqA-Ha-h` and that no side has two kings.
fn castling_rights(
    board: &Board,
    (text, start): CastlingText<'_>,
    at_odds: bool,
    notes: &mut Vec<Note>,
) -> Result<(Bitboard, CastlingMode), Fault> {
    let mut found = Bitboard::EMPTY;
    // One bit for each right, in the order KQkq.
    let mut seen = 0u8;
    let mut ordered = true;
    let mut mode = CastlingMode::Standard;
    for (index, right) in text.char_indices() {
        let fault = |problem| Fault { problem, field: Field::Castling, offset: start + index };
        let color = Color::from_white(right.is_ascii_uppercase());
        let back_rank = color.backrank();
        let Some(king) = board.king_of(color).filter(|king| king.rank() == back_rank) else {
            return Err(fault(ReadPositionProblem::CastlingWithoutKing { right, color }));
        };
        let rooks = board.rooks() & board.by_color(color) & back_rank;
        let letter = right.to_ascii_lowercase();
        let (side, rook) = match letter {
            'k' => (CastlingSide::KingSide, rooks.last().filter(|rook| rook.file() > king.file())),
            'q' => (CastlingSide::QueenSide, rooks.first().filter(|rook| rook.file() < king.file())),
            _ => {
                let square = File::from_char(letter).map(|file| Square::from_coords(file, back_rank));
                let side =
                    CastlingSide::from_king_side(square.is_some_and(|square| square.file() > king.file()));
                (side, square.filter(|&square| rooks.contains(square)))
            }
        };
        let Some(rook) = rook else {
            if at_odds && king.file() == File::E && matches!(letter, 'k' | 'q' | 'a' | 'h') {
                notes.push(Note::CastlingDropped { right });
                continue;
            }
            let file = match letter {
                'k' => (king.file() == File::E).then_some(File::H),
                'q' => (king.file() == File::E).then_some(File::A),
                _ => File::from_char(letter),
            };
            let expected = file.map(|file| Square::from_coords(file, back_rank));
            return Err(fault(ReadPositionProblem::CastlingWithoutRook { right, color, side, expected }));
        };
        if found.contains(rook) {
            return Err(fault(ReadPositionProblem::DuplicateCastlingRight { right }));
        }
        let place = 1 << (2 * u8::from(color.is_black()) + u8::from(side.is_queen_side()));
        if seen & place != 0 {
            return Err(fault(ReadPositionProblem::ConflictingCastlingRight { right, color, side }));
        }
        let corner = if side.is_king_side() { File::H } else { File::A };
        if king.file() != File::E || rook.file() != corner {
            mode = CastlingMode::Chess960;
            if king.file() == File::E && matches!(letter, 'k' | 'q') {
                notes.push(Note::CastlingRook { right, rook });
            }
        }
        found.add(rook);
        ordered &= seen < place;
        seen |= place;
    }
    if !ordered {
        notes.push(Note::CastlingOrder);
    }
    Ok((found, mode))
}

/// Checks that a double step of the side that is not to move can have passed the square.
fn check_en_passant(board: &Board, turn: Color, square: Square) -> Result<(), ReadPositionProblem> {
    let rank = turn.relative_rank(Rank::Sixth);
    if square.rank() != rank {
        let other = Square::from_coords(square.file(), rank);
        let suggestion = check_en_passant(board, turn, other).is_ok().then_some(other);
        return Err(ReadPositionProblem::EnPassantRank { square, turn, suggestion });
    }
    let color = !turn;
    let pawn = Square::from_coords(square.file(), turn.relative_rank(Rank::Fifth));
    let origin = Square::from_coords(square.file(), turn.relative_rank(Rank::Seventh));
    if !(board.pawns() & board.by_color(color)).contains(pawn) {
        return Err(ReadPositionProblem::EnPassantWithoutPawn { square, pawn, color });
    }
    match [square, origin].into_iter().find(|&passed| board.occupied().contains(passed)) {
        Some(occupied) => Err(ReadPositionProblem::EnPassantBlocked { square, occupied }),
        None => Ok(()),
    }
}
