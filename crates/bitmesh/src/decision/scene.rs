//! A position as a search keeps it: seen from the winner's side, in forty bytes.
//!
//! The winner moves up the board, whichever colour that is, so that mirrored
//! positions are the same scene and are searched alike. Nothing here is trusted: a
//! line that a search finds is replayed with the rules of shakmaty, and a search
//! that ran dry is repeated with them.

use shakmaty::attacks::{between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup as _, Move, Position as _,
    PositionError, Role, Setup, Square,
};

/// The colour that the winner has in a scene.
pub(super) const WINNER: Color = Color::White;

/// What stands on a square, in the three planes of a scene.
const PAWN: u8 = 1;
const ROOK: u8 = 4;
const KING: u8 = 6;
/// A rook that may castle.
const CASTLING: u8 = 7;

const NO_EN_PASSANT: u8 = 64;

/// A move in fifteen bits: from, to (castling goes to the rook) and the new role.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Code(pub(super) u16);

impl Code {
    pub(super) const NONE: Self = Self(0);

    #[inline]
    pub(super) fn new(from: Square, to: Square) -> Self {
        Self(u16::from(from) | u16::from(to) << 6)
    }

    /// With a new role: 1 a knight, to 4 a queen.
    pub(super) const fn promoting(self, to: usize) -> Self {
        Self(self.0 | (to as u16) << 12)
    }

    pub(super) fn from(self) -> Square {
        Square::new(u32::from(self.0 & 63))
    }

    pub(super) fn to(self) -> Square {
        Square::new(u32::from(self.0 >> 6 & 63))
    }
}

/// A position. Two scenes are equal when what may be played from them is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Scene {
    /// Three bits for each square: what stands there.
    planes: [u64; 3],
    /// The winner's men.
    winner: u64,
    winner_moves: bool,
    /// Where a pawn can be taken in passing, if a legal move does so.
    en_passant: u8,
}

/// The men of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    pub(super) pawns: Bitboard,
    pub(super) knights: Bitboard,
    pub(super) bishops: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) queens: Bitboard,
    pub(super) kings: Bitboard,
    /// Rooks that may castle.
    pub(super) castling: Bitboard,
    pub(super) winner: Bitboard,
    pub(super) loser: Bitboard,
}

impl Men {
    /// Where the king of a side is.
    #[inline]
    pub(super) fn king(&self, side: Bitboard) -> Square {
        (self.kings & side).first().unwrap_or(Square::A1)
    }

    /// Whether one of these men attacks a square. Pawns among them move up the board or down.
    pub(super) fn attacked(&self, square: Square, by: Bitboard, up: bool, occupied: Bitboard) -> bool {
        let pawns = pawn_attacks(if up { !WINNER } else { WINNER }, square) & self.pawns;
        let steps = knight_attacks(square) & self.knights | king_attacks(square) & self.kings | pawns;
        (by & steps).any()
            || (by & (self.rooks | self.queens) & rook_attacks(square, occupied)).any()
            || (by & (self.bishops | self.queens) & bishop_attacks(square, occupied)).any()
    }
}

impl Scene {
    /// A position from the side of the colour that is to give mate.
    pub(super) fn new(position: &Chess, winner: Color) -> Self {
        let turn = |squares: Bitboard| winner.fold_wb(squares, squares.flip_vertical()).0;
        let board = position.board();
        let castling = position.castles().castling_rights();
        let en_passant = position.maybe_ep_square().and_then(|_| position.legal_ep_square());
        let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| board.by_role(role));
        Self {
            planes: [
                turn(pawns | bishops | queens | castling),
                turn(knights | bishops | kings | castling),
                turn(rooks | queens | kings),
            ],
            winner: turn(board.by_color(winner)),
            winner_moves: position.turn() == winner,
            en_passant: en_passant
                .map_or(NO_EN_PASSANT, |square| winner.fold_wb(square, square.flip_vertical()).into()),
        }
    }

    /// The position, with the winner as White.
    pub(super) fn position(&self) -> Option<Chess> {
        let mut setup = Setup::empty();
        setup.board = self.board()?;
        setup.turn = if self.winner_moves { WINNER } else { !WINNER };
        setup.castling_rights = self.men().castling;
        setup.ep_square = self.en_passant();
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    /// The board, with the winner as White.
    pub(super) fn board(&self) -> Option<Board> {
        let men = self.men();
        let by_role = ByRole {
            pawn: men.pawns,
            knight: men.knights,
            bishop: men.bishops,
            rook: men.rooks,
            queen: men.queens,
            king: men.kings,
        };
        Board::try_from_bitboards(by_role, ByColor { white: men.winner, black: men.loser }).ok()
    }

    pub(super) const fn winner_moves(&self) -> bool {
        self.winner_moves
    }

    pub(super) fn en_passant(&self) -> Option<Square> {
        Square::try_from(self.en_passant).ok()
    }

    /// Whether the winner has nothing but his king.
    pub(super) const fn is_winner_bare(&self) -> bool {
        self.winner & self.winner.wrapping_sub(1) == 0
    }

    #[inline]
    pub(super) fn men(&self) -> Men {
        let [first, second, third] = self.planes;
        let castling = first & second & third;
        Men {
            pawns: Bitboard(first & !second & !third),
            knights: Bitboard(second & !first & !third),
            bishops: Bitboard(first & second & !third),
            rooks: Bitboard(third & !(first ^ second)),
            queens: Bitboard(first & third & !second),
            kings: Bitboard(second & third & !first),
            castling: Bitboard(castling),
            winner: Bitboard(self.winner),
            loser: Bitboard((first | second | third) & !self.winner),
        }
    }

    #[inline]
    fn at(&self, square: u32) -> u8 {
        let bit = |plane: usize| (self.planes[plane] >> square & 1) as u8;
        bit(0) | bit(1) << 1 | bit(2) << 2
    }

    /// What stands on a square: 0 nothing, 1 a pawn, to 6 a king.
    #[inline]
    pub(super) fn role_number(&self, square: Square) -> usize {
        match self.at(square as u32) {
            CASTLING => ROOK.into(),
            man => man.into(),
        }
    }

    #[inline]
    fn put(&mut self, square: u32, man: u8) {
        for (plane, bits) in self.planes.iter_mut().enumerate() {
            *bits |= u64::from(man >> plane & 1) << square;
        }
        self.winner |= u64::from(self.winner_moves) << square;
    }

    fn clear(&mut self, squares: u64) {
        for bits in &mut self.planes {
            *bits &= !squares;
        }
        self.winner &= !squares;
    }

    /// The scene after a legal move.
    #[inline]
    pub(super) fn after(&self, played: Code) -> Self {
        let mut after = *self;
        let (from, to) = (played.from() as u32, played.to() as u32);
        let (man, target) = (self.at(from), self.at(to));
        after.clear(1 << from | 1 << to);
        after.en_passant = NO_EN_PASSANT;
        match man {
            KING => {
                if target == CASTLING && (self.winner >> to & 1 != 0) == self.winner_moves {
                    let (king, rook) = if to > from { (6, 5) } else { (2, 3) };
                    after.put(from & 56 | king, KING);
                    after.put(from & 56 | rook, ROOK);
                } else {
                    after.put(to, KING);
                }
                let own = if self.winner_moves { self.winner } else { !self.winner };
                let rights = after.planes[0] & after.planes[1] & after.planes[2] & own;
                after.planes[0] &= !rights;
                after.planes[1] &= !rights;
            }
            CASTLING => after.put(to, ROOK),
            PAWN => {
                let promotion = (played.0 >> 12) as u8;
                after.put(to, if promotion == 0 { PAWN } else { promotion + 1 });
                if to == u32::from(self.en_passant) {
                    after.clear(1 << (from & 56 | to & 7));
                }
            }
            _ => after.put(to, man),
        }
        after.winner_moves = !self.winner_moves;
        if man == PAWN && from.abs_diff(to) == 16 {
            after.pass(Square::new(u32::midpoint(from, to)));
        }
        after
    }

    /// Notes where a pawn has just passed, if a legal move takes it there.
    #[inline]
    fn pass(&mut self, square: Square) {
        let men = self.men();
        let own = if self.winner_moves { men.winner } else { men.loser };
        let mover = if self.winner_moves { !WINNER } else { WINNER };
        let takers = pawn_attacks(mover, square) & men.pawns & own;
        if takers.into_iter().any(|from| self.may_take_in_passing(&men, from, square)) {
            self.en_passant = square.into();
        }
    }

    /// Whether a pawn's king is safe after it took another in passing.
    pub(super) fn may_take_in_passing(&self, men: &Men, from: Square, to: Square) -> bool {
        let (own, other) = if self.winner_moves { (men.winner, men.loser) } else { (men.loser, men.winner) };
        let taken = Square::from_coords(to.file(), from.rank());
        let occupied = (men.winner | men.loser).without(from).without(taken).with(to);
        !men.attacked(men.king(own), other.without(taken), !self.winner_moves, occupied)
    }

    /// A move in the position from which this scene was made, or one that a line leads to.
    pub(super) fn played(&self, code: Code, winner: Color) -> Move {
        let turn = |square: Square| winner.fold_wb(square, square.flip_vertical());
        let role = |man: u8| match man {
            0 => None,
            CASTLING => Some(Role::Rook),
            _ => Role::try_from(u32::from(man)).ok(),
        };
        let (from, to) = (code.from(), code.to());
        let (man, target) = (self.at(from as u32), self.at(to as u32));
        let own = (self.winner >> to as u32 & 1 != 0) == self.winner_moves;
        if man == KING && target == CASTLING && own {
            return Move::Castle { king: turn(from), rook: turn(to) };
        }
        if man == PAWN && target == 0 && from.file() != to.file() {
            return Move::EnPassant { from: turn(from), to: turn(to) };
        }
        Move::Normal {
            role: role(man).unwrap_or(Role::Pawn),
            from: turn(from),
            capture: role(target),
            to: turn(to),
            promotion: role((code.0 >> 12) as u8).and_then(|_| role((code.0 >> 12) as u8 + 1)),
        }
    }

    /// A hash of the scene.
    ///
    /// Two scenes with one key would be taken for one: a mate may be missed, and a search may close too early. Neither
    /// makes a false claim, because a certificate is made anew, with whole positions.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        let [first, second, third] = self.planes;
        let rest = u64::from(self.winner_moves) << 7 | u64::from(self.en_passant);
        let fold = |one: u64, two: u64| {
            let product = u128::from(one) * u128::from(two);
            product as u64 ^ (product >> 64) as u64
        };
        let spread = fold(self.winner ^ 0x9e37_79b9_7f4a_7c15, first ^ 0xd1b5_4a32_d192_ed03)
            ^ fold(second ^ 0x8cb9_2ba7_2f3d_8dd7, third ^ 0xa076_1d64_78bd_642f);
        fold(spread ^ rest, 0xe703_7ed1_a0b4_28db)
    }

    /// The moves of a king to where one of his rooks stands.
    pub(super) fn castling(&self, men: &Men, danger: Bitboard) -> impl Iterator<Item = Code> {
        let (own, other) = if self.winner_moves { (men.winner, men.loser) } else { (men.loser, men.winner) };
        let occupied = men.winner | men.loser;
        let king = men.king(own);
        let straight = (men.rooks | men.queens) & other;
        let may = move |rook: Square| {
            let (king_file, rook_file) = if rook > king {
                (shakmaty::File::G, shakmaty::File::F)
            } else {
                (shakmaty::File::C, shakmaty::File::D)
            };
            let king_to = Square::from_coords(king_file, king.rank());
            let rook_to = Square::from_coords(rook_file, king.rank());
            let path = between(king, king_to).with(king_to);
            let empty = path | between(rook, rook_to).with(rook_to);
            let rest = occupied.without(king).without(rook);
            (empty & rest).is_empty()
                && (path.without(king) & danger).is_empty()
                && (rook_attacks(king_to, rest.with(rook_to)) & straight).is_empty()
        };
        (men.castling & own).into_iter().filter(move |&rook| may(rook)).map(move |rook| Code::new(king, rook))
    }
}
