//! From a move as it is written to a legal move.

use std::fmt;

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, File, Move, Position as _, Rank, Role, Square, attacks,
};

use crate::sight::{DIAGONAL_LINES, STRAIGHT_LINES, seeing};

/// Why a token is not a legal move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum SanProblem {
    /// It is not written as a move.
    Unreadable,
    /// No legal move is written so.
    Illegal,
    /// More than one legal move is.
    Ambiguous,
    /// It belongs to another variant: a piece dropped from the hand.
    Drop,
}

/// A move, or a turn that is passed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Played {
    Move(Move),
    Null,
}

/// How a move is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Spelling {
    /// As the standard would have it.
    Standard,
    /// With other signs: figurines, dashes, castling with zeros.
    Respelled,
    /// From square to square, as engines write it.
    Uci,
    /// With the whole square that the piece comes from, where the standard would leave it out.
    Long,
}

/// A token read as a move, and how it is written.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Resolved {
    pub(super) played: Played,
    pub(super) spelling: Spelling,
}

/// A move as nearly all are, and how long its token is.
pub(super) struct Usual {
    pub(super) played: Move,
    pub(super) length: usize,
}

/// Reads a token at the start of a text as [`resolve`] does, if it is a move such as `e4`, `exd5`, `Nf3`, `Nbxd2+`, legal,
/// and has a blank after it. Anything else is `None` and needs a closer look.
///
/// Which of these it is, nobody can foresee, and a processor that guesses wrong loses the time of a hundred instructions.
/// So there is a branch only where the answer is nearly always the same: the parts of the token are found by their places,
/// and all pieces are looked up in the same way.
#[inline]
pub(super) fn usual(chess: &Chess, text: &[u8]) -> Option<Usual> {
    let bytes = *text.first_chunk::<8>()?;
    let length = length_before_blank(bytes)?;
    let plain = length - usize::from(matches!(bytes[length - 1], b'+' | b'#'));
    // The target comes last, before it perhaps `x`, and before that the piece and where it comes from.
    let before_target = plain.checked_sub(2)?;
    let is_capture = before_target > 0 && bytes[before_target - 1] == b'x';
    let named = before_target - usize::from(is_capture);
    let kind = KINDS[usize::from(bytes[0])];
    let is_pawn = kind == Kind::Pawn;
    let from = match named {
        0 => 0,
        1 if is_pawn => bytes[0],
        1 => 0,
        _ => bytes[1],
    };
    let is_well_formed = if is_pawn { named == usize::from(is_capture) } else { matches!(named, 1 | 2) };
    let (to_file, to_rank) =
        (bytes[before_target].wrapping_sub(b'a'), bytes[before_target + 1].wrapping_sub(b'1'));
    if !is_well_formed | (to_file | to_rank > 7) {
        return None;
    }

    let (board, us) = (chess.board(), chess.turn());
    let occupied = board.occupied();
    let to = Square::new(u32::from(to_rank * 8 + to_file));
    // Of en passant and promotions there are few.
    let is_promotion = is_pawn & matches!(to_rank, 0 | 7);
    let own = board.by_color(us);
    if (is_capture != occupied.contains(to)) | own.contains(to) | is_promotion {
        return None;
    }
    let role = kind.role()?;
    let origins = ORIGINS[kind.origins(us, is_capture)][usize::from(to)];
    let pieces = own & board.by_role(role) & origins & NAMED[usize::from(from)];
    let seeing = seeing(to, pieces, occupied);
    let from = seeing.single_square()?;
    if !leaves_king_safe(chess, us, role, from, to) {
        return None;
    }
    let capture = role_on(board, to);
    Some(Usual { played: Move::Normal { role, from, capture, to, promotion: None }, length })
}

/// How many bytes come before the first blank.
#[inline]
fn length_before_blank(bytes: [u8; 8]) -> Option<usize> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(bytes);
    // The highest bit of the first byte below `!`; of bytes after it, perhaps.
    let blanks = word.wrapping_sub(EACH * 0x21) & !word & (EACH * 0x80);
    if blanks == 0 { None } else { Some(blanks.trailing_zeros() as usize / 8).filter(|&length| length > 0) }
}

/// What the first letter of a move says about it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Unknown,
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    const fn role(self) -> Option<Role> {
        match self {
            Self::Unknown => None,
            Self::Pawn => Some(Role::Pawn),
            Self::Knight => Some(Role::Knight),
            Self::Bishop => Some(Role::Bishop),
            Self::Rook => Some(Role::Rook),
            Self::Queen => Some(Role::Queen),
            Self::King => Some(Role::King),
        }
    }

    /// The index of its [`ORIGINS`].
    #[inline]
    const fn origins(self, us: Color, is_capture: bool) -> usize {
        match self {
            Self::Pawn => 2 * (is_capture as usize) + us as usize,
            officer => officer as usize + 2,
        }
    }
}

/// By the first letter.
static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Unknown; 256];
    let mut file = b'a';
    while file <= b'h' {
        kinds[file as usize] = Kind::Pawn;
        file += 1;
    }
    kinds[b'N' as usize] = Kind::Knight;
    kinds[b'B' as usize] = Kind::Bishop;
    kinds[b'R' as usize] = Kind::Rook;
    kinds[b'Q' as usize] = Kind::Queen;
    kinds[b'K' as usize] = Kind::King;
    kinds
};

/// The squares of a file or rank by its letter; all of them where none is named, and none where it is no such letter.
static NAMED: [Bitboard; 256] = {
    let mut named = [Bitboard::EMPTY; 256];
    named[0] = Bitboard::FULL;
    let mut index = 0;
    while index < 8 {
        named[b'a' as usize + index] = Bitboard(0x0101_0101_0101_0101 << index);
        named[b'1' as usize + index] = Bitboard(0xff << (8 * index));
        index += 1;
    }
    named
};

/// From where each square can be reached on an empty board: by pushes and captures of a pawn, Black's and White's, and by
/// knight, bishop, rook, queen and king. What stands between keeps a piece from it.
static ORIGINS: [[Bitboard; 64]; 9] = {
    let mut origins = [[Bitboard::EMPTY; 64]; 9];
    let mut index = 0;
    while index < 64 {
        let to = Square::new(index as u32);
        let square = 1u64 << index;
        let rank = index / 8;
        // Black's pawns come from above; a double step ends in the middle.
        origins[0][index] = Bitboard(square << 8 | if rank == 4 { square << 16 } else { 0 });
        origins[1][index] = Bitboard(square >> 8 | if rank == 3 { square >> 16 } else { 0 });
        origins[2][index] = attacks::pawn_attacks(Color::White, to);
        origins[3][index] = attacks::pawn_attacks(Color::Black, to);
        origins[4][index] = attacks::knight_attacks(to);
        origins[5][index] = DIAGONAL_LINES[index];
        origins[6][index] = STRAIGHT_LINES[index];
        origins[7][index] = Bitboard(DIAGONAL_LINES[index].0 | STRAIGHT_LINES[index].0);
        origins[8][index] = attacks::king_attacks(to);
        index += 1;
    }
    origins
};

/// What stands on a square: as [`Board::role_at`], without a branch.
#[inline]
fn role_on(board: &Board, square: Square) -> Option<Role> {
    const ROLES: [Option<Role>; 8] = {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        [None, Some(Pawn), Some(Knight), Some(Bishop), Some(Rook), Some(Queen), Some(King), None]
    };
    let bit = |set: Bitboard| set.0 >> u32::from(square) & 1;
    let (bishops, queens, kings) = (board.bishops(), board.queens(), board.kings());
    let number = bit(board.pawns() | bishops | queens)
        | bit(board.knights() | bishops | kings) << 1
        | bit(board.rooks() | queens | kings) << 2;
    ROLES[number as usize]
}

/// Reads a token in the position in which it is to be played.
pub(super) fn resolve(chess: &Chess, token: &[u8]) -> Result<Resolved, SanProblem> {
    let plain = strip_suffix(token);
    if let Some(san) = short(plain) {
        return Ok(Resolved { played: find(chess, san)?, spelling: Spelling::Standard });
    }
    if is_uci(plain) {
        return find_uci(chess, plain).map(|played| Resolved { played, spelling: Spelling::Uci });
    }
    if let Ok(san) = San::from_ascii(plain) {
        let played = find_long(chess, san)?;
        let spelling = if is_too_long(chess, san, played) { Spelling::Long } else { Spelling::Standard };
        return Ok(Resolved { played, spelling });
    }
    let tidy = tidy(plain).ok_or(SanProblem::Unreadable)?;
    let san = tidy.read().ok_or(SanProblem::Unreadable)?;
    let played = find_long(chess, san)?;
    Ok(Resolved { played, spelling: Spelling::Respelled })
}

/// Whether a token is written as engines write a move: `g1f3`, `e7e8q`, `0000`.
fn is_uci(token: &[u8]) -> bool {
    let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
    match token {
        b"0000" => true,
        [from @ .., file, rank, b'q' | b'r' | b'b' | b'n' | b'Q' | b'R' | b'B' | b'N'] => {
            is_square(from) && is_square(&[*file, *rank])
        }
        [from @ .., file, rank] => is_square(from) && is_square(&[*file, *rank]),
        _ => false,
    }
}

fn find_uci(chess: &Chess, token: &[u8]) -> Result<Played, SanProblem> {
    let token = token.to_ascii_lowercase();
    match UciMove::from_ascii(&token).map_err(|_| SanProblem::Unreadable)? {
        UciMove::Null => Ok(Played::Null),
        uci => uci.to_move(chess).map(Played::Move).map_err(|_| SanProblem::Illegal),
    }
}

/// Finds a move; with the whole square that it comes from, a missing or needless sign of capture changes nothing.
fn find_long(chess: &Chess, san: San) -> Result<Played, SanProblem> {
    let found = find(chess, san);
    match san {
        San::Normal { role, file: file @ Some(_), rank: rank @ Some(_), capture, to, promotion }
            if found == Err(SanProblem::Illegal) =>
        {
            find(chess, San::Normal { role, file, rank, capture: !capture, to, promotion })
        }
        _ => found,
    }
}

/// Whether a move has the whole square that it comes from, and the standard would not.
fn is_too_long(chess: &Chess, san: San, played: Played) -> bool {
    let is_whole = |san: San| matches!(san, San::Normal { file: Some(_), rank: Some(_), .. });
    match played {
        Played::Move(played) => is_whole(san) && !is_whole(San::from_move(chess, played)),
        Played::Null => false,
    }
}

/// Reads the forms that nearly all moves have: `e4`, `Nf3`, `Nxf3`, `exd5`.
#[inline]
fn short(token: &[u8]) -> Option<San> {
    let (role, file, capture, at) = match *token {
        [_, _] => (Role::Pawn, None, false, 0),
        [piece, _, _] => (piece_role(piece)?, None, false, 1),
        [file @ b'a'..=b'h', b'x', _, _] => (Role::Pawn, Some(File::new(u32::from(file - b'a'))), true, 2),
        [piece, b'x', _, _] => (piece_role(piece)?, None, true, 2),
        _ => return None,
    };
    let (to_file, to_rank) = (token[at].wrapping_sub(b'a'), token[at + 1].wrapping_sub(b'1'));
    if to_file > 7 || to_rank > 7 {
        return None;
    }
    let to = Square::new(u32::from(to_rank * 8 + to_file));
    Some(San::Normal { role, file, rank: None, capture, to, promotion: None })
}

const fn piece_role(letter: u8) -> Option<Role> {
    match letter {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

/// Takes off check and mate signs, however many.
#[inline]
fn strip_suffix(token: &[u8]) -> &[u8] {
    if !matches!(token, [.., b'+' | b'#']) {
        return token;
    }
    let length = token.iter().rposition(|&byte| !matches!(byte, b'+' | b'#')).map_or(0, |last| last + 1);
    &token[..length]
}

fn find(chess: &Chess, san: San) -> Result<Played, SanProblem> {
    match san {
        San::Normal { .. } => find_normal(chess, san).map(Played::Move),
        San::Castle(side) => {
            chess.castling_moves(side).first().copied().map(Played::Move).ok_or(SanProblem::Illegal)
        }
        San::Null => Ok(Played::Null),
        San::Put { .. } => Err(SanProblem::Drop),
    }
}

/// Finds the one legal move that is written so, without listing all legal moves.
///
/// The pieces that attack the target are the candidates; one of them is legal when its king is not attacked after
/// the move. En passant is left to shakmaty.
fn find_normal(chess: &Chess, san: San) -> Result<Move, SanProblem> {
    let San::Normal { role, file, rank, capture, to, promotion } = san else {
        return Err(SanProblem::Illegal);
    };
    let (board, us) = (chess.board(), chess.turn());
    let occupied = board.occupied();
    let captured = if occupied.contains(to) { board.role_at(to) } else { None };
    if role == Role::Pawn && capture && captured.is_none() {
        return san.to_move(chess).map_err(|error| match error {
            shakmaty::san::SanError::IllegalSan => SanProblem::Illegal,
            shakmaty::san::SanError::AmbiguousSan => SanProblem::Ambiguous,
        });
    }
    if capture != captured.is_some() || board.by_color(us).contains(to) {
        return Err(SanProblem::Illegal);
    }
    let may_promote = matches!(promotion, Some(Role::Knight | Role::Bishop | Role::Rook | Role::Queen));
    let pieces = board.by_color(us) & board.by_role(role);
    let mut candidates = if role == Role::Pawn {
        let last_rank = to.rank() == us.relative_rank(Rank::Eighth);
        if last_rank != may_promote || promotion.is_some() != may_promote {
            return Err(SanProblem::Illegal);
        }
        if capture { attacks::pawn_attacks(!us, to) } else { pushing_from(us, to, occupied) }
    } else {
        if promotion.is_some() {
            return Err(SanProblem::Illegal);
        }
        match role {
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => seeing(to, pieces & DIAGONAL_LINES[usize::from(to)], occupied),
            Role::Rook => seeing(to, pieces & STRAIGHT_LINES[usize::from(to)], occupied),
            Role::Queen => {
                let lines = STRAIGHT_LINES[usize::from(to)] | DIAGONAL_LINES[usize::from(to)];
                seeing(to, pieces & lines, occupied)
            }
            Role::King | Role::Pawn => attacks::king_attacks(to),
        }
    };
    candidates &= pieces;
    if let Some(file) = file {
        candidates &= Bitboard::from_file(file);
    }
    if let Some(rank) = rank {
        candidates &= Bitboard::from_rank(rank);
    }
    let mut found = None;
    for from in candidates {
        if leaves_king_safe(chess, us, role, from, to) && found.replace(from).is_some() {
            return Err(SanProblem::Ambiguous);
        }
    }
    let from = found.ok_or(SanProblem::Illegal)?;
    Ok(Move::Normal { role, from, capture: captured, to, promotion })
}

/// Where a pawn that steps onto a square can come from; the square itself is known to be empty.
fn pushing_from(us: Color, to: Square, occupied: Bitboard) -> Bitboard {
    let back = us.fold_wb(-8, 8);
    let Some(one) = to.offset(back) else { return Bitboard::EMPTY };
    if occupied.contains(one) || to.rank() != us.relative_rank(Rank::Fourth) {
        return Bitboard::from_square(one);
    }
    one.offset(back).map_or(Bitboard::EMPTY, Bitboard::from_square)
}

/// Whether the king is not attacked after a move that is neither castling nor en passant.
fn leaves_king_safe(chess: &Chess, us: Color, role: Role, from: Square, to: Square) -> bool {
    let board = chess.board();
    let king = if role == Role::King { Some(to) } else { board.king_of(us) };
    let Some(king) = king else { return false };
    let enemies = board.by_color(!us).without(to);
    let steppers = (attacks::knight_attacks(king) & board.knights())
        | (attacks::pawn_attacks(us, king) & board.pawns())
        | (attacks::king_attacks(king) & board.kings());
    if !(steppers & enemies).is_empty() {
        return false;
    }
    let straight = board.rooks_and_queens() & STRAIGHT_LINES[usize::from(king)];
    let diagonal = board.bishops_and_queens() & DIAGONAL_LINES[usize::from(king)];
    let occupied = board.occupied().without(from).with(to);
    is_seen_by_none(king, enemies & (straight | diagonal), occupied)
}

/// Whether each of the pieces, all of them on a line with the square, has something between.
///
/// How many there are, nobody can foresee, but more than two are rare.
#[inline]
fn is_seen_by_none(square: Square, mut pieces: Bitboard, occupied: Bitboard) -> bool {
    let mut is_seen = false;
    for _ in 0..2 {
        // Any square in place of none.
        let piece = Square::new(pieces.0.trailing_zeros() % 64);
        is_seen |= (attacks::between(square, piece) & occupied).is_empty() & pieces.any();
        pieces.0 &= pieces.0.wrapping_sub(1);
    }
    !is_seen && seeing(square, pieces, occupied).is_empty()
}

/// A move as shakmaty's reader wants it written.
struct Tidy {
    bytes: [u8; 8],
    length: usize,
}

impl Tidy {
    const fn new() -> Self {
        Self { bytes: [0; 8], length: 0 }
    }

    /// Nothing that is longer than the longest move can be one.
    fn push(&mut self, byte: u8) -> Option<()> {
        *self.bytes.get_mut(self.length)? = byte;
        self.length += 1;
        Some(())
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn read(&self) -> Option<San> {
        match self.as_slice() {
            b"OO" | b"oo" | b"00" => Some(San::Castle(CastlingSide::KingSide)),
            b"OOO" | b"ooo" | b"000" => Some(San::Castle(CastlingSide::QueenSide)),
            text => San::from_ascii(text).ok(),
        }
    }
}

/// Respells a move: figurines, dashes, castling with zeros, other signs of capture and promotion.
fn tidy(token: &[u8]) -> Option<Tidy> {
    let text = std::str::from_utf8(token).ok()?;
    if matches!(text, "null" | "pass" | "@@@@") {
        return tidy(b"Z0");
    }
    let text = text.strip_suffix("ep").unwrap_or(text);
    let mut tidy = Tidy::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let at_end = letters.peek().is_none();
        match letter {
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => {}
            '♔' | '♚' => tidy.push(b'K')?,
            '♕' | '♛' => tidy.push(b'Q')?,
            '♖' | '♜' => tidy.push(b'R')?,
            '♗' | '♝' => tidy.push(b'B')?,
            '♘' | '♞' => tidy.push(b'N')?,
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => {}
            ':' | 'X' | '×' => tidy.push(b'x')?,
            '/' | '=' => {}
            // The piece that a pawn becomes stands after the rank.
            'Q' | 'R' | 'B' | 'N' | 'q' | 'r' | 'b' | 'n' if at_end && ends_with_last_rank(&tidy) => {
                tidy.push(b'=')?;
                tidy.push(letter.to_ascii_uppercase() as u8)?;
            }
            letter if letter.is_ascii_graphic() => tidy.push(letter as u8)?,
            _ => return None,
        }
    }
    Some(tidy)
}

fn ends_with_last_rank(tidy: &Tidy) -> bool {
    matches!(tidy.as_slice(), [.., b'a'..=b'h', b'1' | b'8'])
}

impl fmt::Display for SanProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "unreadable move",
            Self::Illegal => "illegal move",
            Self::Ambiguous => "ambiguous move",
            Self::Drop => "move of another variant",
        })
    }
}

impl SanProblem {
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "pgn/unreadable-move",
            Self::Illegal => "pgn/illegal-move",
            Self::Ambiguous => "pgn/ambiguous-move",
            Self::Drop => "pgn/other-variant",
        }
    }
}

#[cfg(test)]
mod tests {
    use bitmesh_lab::games::random_ply;
    use bitmesh_lab::random::Rng;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::san::SanError;

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
    }

    fn played(fen: &str, token: &str) -> Result<(Played, bool), SanProblem> {
        let resolved = resolve(&position(fen), token.as_bytes())?;
        Ok((resolved.played, resolved.spelling == Spelling::Standard))
    }

    /// Every way to write something that shakmaty's reader takes for a move.
    fn all_sans() -> Vec<San> {
        let mut sans = vec![San::Castle(CastlingSide::KingSide), San::Castle(CastlingSide::QueenSide)];
        let files = std::iter::once(None).chain(shakmaty::File::ALL.map(Some));
        for role in Role::ALL {
            for to in Square::ALL {
                for file in files.clone() {
                    for capture in [false, true] {
                        let promotions = [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King)];
                        for promotion in promotions {
                            sans.push(San::Normal { role, file, rank: None, capture, to, promotion });
                        }
                    }
                }
            }
        }
        for role in [Role::Knight, Role::Queen, Role::Rook, Role::Pawn] {
            for to in Square::ALL {
                for rank in Rank::ALL {
                    let rank = Some(rank);
                    for capture in [false, true] {
                        sans.push(San::Normal { role, file: None, rank, capture, to, promotion: None });
                    }
                }
            }
        }
        sans
    }

    #[test]
    fn the_short_way_agrees_with_the_list_of_legal_moves() {
        let mut chess = Chess::default();
        let sans = all_sans();
        let mut rng = Rng::new(7);
        for _ in 0..80 {
            for &san in &sans {
                let expected = san.to_move(&chess).map(Played::Move).map_err(|error| match error {
                    SanError::IllegalSan => SanProblem::Illegal,
                    SanError::AmbiguousSan => SanProblem::Ambiguous,
                });
                assert_eq!(find(&chess, san), expected, "{san} in {chess:?}");
            }
            if chess.is_insufficient_material() || random_ply(&mut chess, &mut rng).is_none() {
                chess = Chess::default();
            }
        }
    }

    #[test]
    fn the_usual_forms_are_read_as_by_shakmaty() {
        let letters = b"abhix189NKZ0";
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..4 {
            let longer: Vec<Vec<u8>> = texts
                .iter()
                .flat_map(|text| letters.iter().map(|&letter| [&text[..], &[letter]].concat()))
                .collect();
            texts.extend(longer);
        }
        let mut read = 0;
        for text in texts {
            if let Some(san) = short(&text) {
                assert_eq!(San::from_ascii(&text).ok(), Some(san), "{}", String::from_utf8_lossy(&text));
                read += 1;
            }
        }
        assert!(read > 50);
    }

    /// What is read in the usual way is what the way for any move reads, and that is nearly every move.
    #[test]
    fn the_usual_way_agrees_with_the_one_for_any_move() {
        let sans: Vec<String> = all_sans().iter().map(ToString::to_string).collect();
        let mut rng = Rng::new(11);
        let mut found = 0;
        for _ in 0..2 {
            let mut chess = Chess::default();
            for _ in 0..60 {
                let mut agrees = |token: &str| {
                    let usual = usual(&chess, format!("{token} 1-0  *  ").as_bytes());
                    let Some(Usual { played, length }) = usual else { return false };
                    let expected = Resolved { played: Played::Move(played), spelling: Spelling::Standard };
                    assert_eq!(resolve(&chess, token.as_bytes()), Ok(expected), "{token} in {chess:?}");
                    assert_eq!(length, token.len());
                    found += 1;
                    true
                };
                for san in &sans {
                    agrees(san);
                    agrees(&format!("{san}+"));
                }
                for played in chess.legal_moves() {
                    let san = San::from_move(&chess, played);
                    let is_normal = matches!(played, Move::Normal { promotion: None, .. });
                    let is_whole = matches!(san, San::Normal { file: Some(_), rank: Some(_), .. });
                    let is_pinned_twin = find(&chess, san).is_ok() && !agrees(&san.to_string());
                    assert!(
                        !is_normal || is_whole || !is_pinned_twin || has_pinned_twin(&chess, played),
                        "{san}"
                    );
                }
                if random_ply(&mut chess, &mut rng).is_none() {
                    break;
                }
            }
        }
        assert!(found > 10_000);
        for text in
            ["e4", "e4 ", "e4.5678 ", "e4! 5678", "e4\u{7f}5678 ", " e4 5678 ", "        ", "e4 .....\u{80}"]
        {
            let read = usual(&Chess::default(), text.as_bytes()).map(|usual| usual.length);
            assert_eq!(read, text.starts_with("e4 ....").then_some(2), "{text}");
        }
    }

    /// Whether another piece of this kind attacks the target as well, but may not leave its place.
    fn has_pinned_twin(chess: &Chess, played: Move) -> bool {
        let attackers = chess.board().attacks_to(played.to(), chess.turn(), chess.board().occupied());
        (attackers & chess.board().by_role(played.role())).more_than_one()
    }

    #[test]
    fn pins_and_checks_decide_between_candidates() {
        // The knight on d2 is pinned.
        let fen = "4k3/8/8/8/3q4/8/3N4/3K2N1 w - - 0 1";
        assert!(matches!(
            played(fen, "Nf3"),
            Ok((Played::Move(Move::Normal { from: Square::G1, .. }), true))
        ));
        assert_eq!(played(fen, "Ndf3"), Err(SanProblem::Illegal));
        assert_eq!(played("4k3/8/8/8/8/8/3N4/4K1N1 w - - 0 1", "Nf3"), Err(SanProblem::Ambiguous));
        assert_eq!(played("4k3/8/8/8/8/8/4r3/4KN2 w - - 0 1", "Ng3"), Err(SanProblem::Illegal));
        assert!(played("4k3/8/8/8/8/8/4r3/4KN2 w - - 0 1", "Kxe2").is_ok());
    }

    #[test]
    fn other_spellings_are_respelled() {
        let fen = "r3k2r/P5P1/8/3pP3/8/2N5/8/R3K2R w KQkq d6 0 1";
        for (token, standard) in [
            ("0-0", "O-O"),
            ("0-0-0", "O-O-O"),
            ("o-o", "O-O"),
            ("O\u{2013}O", "O-O"),
            ("OO", "O-O"),
            ("0-0+", "O-O"),
            ("\u{2658}xd5", "Nxd5"),
            ("\u{265e}b5", "Nb5"),
            ("\u{2658}\u{fe0e}b5", "Nb5"),
            ("Nc3-b5", "Nc3b5"),
            ("Nc3:d5", "Nc3xd5"),
            ("e5-e6", "e6"),
            ("g8Q", "g8=Q"),
            ("g7-g8=Q", "g7g8=Q"),
            ("g8/N", "g8=N"),
            ("gxh8q", "gxh8=Q"),
            ("exd6ep", "exd6"),
        ] {
            let expected = played(fen, standard).expect(standard);
            assert_eq!(played(fen, token), Ok((expected.0, false)), "{token}");
        }
        assert_eq!(played(fen, "e6++"), played(fen, "e6"));
        assert!(played(fen, "--").is_ok() && played(fen, "Z0").is_ok() && played(fen, "null").is_ok());
    }

    #[test]
    fn moves_from_square_to_square_are_read() {
        let fen = "r3k2r/P5P1/8/3pP3/8/2N5/8/R3K2R w KQkq d6 0 1";
        for (token, san, spelling) in [
            ("e1g1", "O-O", Spelling::Uci),
            ("e1a1", "O-O-O", Spelling::Uci),
            ("c3d5", "Nxd5", Spelling::Uci),
            ("e5d6", "exd6", Spelling::Uci),
            ("g7h8q", "gxh8=Q", Spelling::Uci),
            ("g7g8N", "g8=N", Spelling::Uci),
            ("c3b5+", "Nb5", Spelling::Uci),
            ("Nc3b5", "Nb5", Spelling::Long),
            ("Nc3xd5", "Nxd5", Spelling::Long),
            ("Nc3d5", "Nxd5", Spelling::Long),
            ("e5xd6", "exd6", Spelling::Long),
            ("Ke1-d1", "Kd1", Spelling::Respelled),
            ("Nc3-d5", "Nxd5", Spelling::Respelled),
        ] {
            let resolved = resolve(&position(fen), token.as_bytes()).unwrap_or_else(|_| panic!("{token}"));
            assert_eq!(Ok((resolved.played, true)), played(fen, san), "{token}");
            assert_eq!(resolved.spelling, spelling, "{token}");
        }
        assert_eq!(played(fen, "0000"), Ok((Played::Null, false)));
        for token in ["e1e3", "g7g8", "c3c4", "Nc3c4", "d5d4", "e5xe6", "Nxb5", "Nd5"] {
            let allowed = token == "e5xe6";
            assert_eq!(played(fen, token).is_ok(), allowed, "{token}");
        }
        // The standard needs the whole square of one of three queens.
        let fen = "8/7k/8/Q7/8/8/8/Q1Q3K1 w - - 0 1";
        assert_eq!(resolve(&position(fen), b"Qa1c3").unwrap().spelling, Spelling::Standard);
    }

    #[test]
    fn what_is_no_move_is_not_made_one() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for token in
            ["", "x", "e9", "Sf3", "resigns", "Ra1xa8=QQQQ", "e2\0e4", "\u{fffd}", "\u{2658}", "i3", "=="]
        {
            assert_eq!(played(fen, token), Err(SanProblem::Unreadable), "{token}");
        }
        assert_eq!(played(fen, "N@h3"), Err(SanProblem::Drop));
        assert_eq!(played(fen, "Rxa7"), Err(SanProblem::Illegal));
        assert_eq!(played(fen, "Ra8"), Err(SanProblem::Illegal));
    }
}
