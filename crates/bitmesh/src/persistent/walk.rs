//! The positions of an expansion, in the one order that their numbers mean.
//!
//! A certificate does not list positions: it tells at which of them to stop.
//! From the root, breadth first and with the moves of each position in a fixed
//! order, every position that is not a leaf leads to its successors, and each
//! gets its number when it is met for the first time. This belongs to what
//! must be trusted, with the legal moves of shakmaty.

use alloc::collections::VecDeque;

use hashbrown::HashTable;
use shakmaty::{Chess, Move, MoveList, Position as _, Role, Square};

/// What makes two positions the same: the board, whose turn it is, the rights to castle,
/// and the en-passant square if a legal move captures there.
///
/// Six kinds of pieces, rooks with a right to castle and empty squares are eight values, three bits a square.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Key {
    white: u64,
    kinds: [u64; 3],
    white_to_move: bool,
    en_passant: Option<Square>,
}

impl Key {
    fn new(position: &Chess) -> Self {
        let board = position.board();
        let castling = position.castles().castling_rights().0;
        let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| board.by_role(role).0);
        Self {
            white: board.white().0,
            kinds: [
                pawns | bishops | queens | castling,
                knights | bishops | kings | castling,
                rooks | queens | kings,
            ],
            white_to_move: position.turn().is_white(),
            en_passant: position.maybe_ep_square().and_then(|_| position.legal_ep_square()),
        }
    }

    /// The key after a legal move, where it follows from the squares alone.
    ///
    /// That is so for every move without a double step, a capture en passant or castling, if there is no right to castle.
    fn after(&self, played: Move) -> Option<Self> {
        let Move::Normal { role, from, to, promotion, .. } = played else { return None };
        if role == Role::Pawn && (u32::from(from)).abs_diff(u32::from(to)) == 16 {
            return None;
        }
        let (target, others) = (1 << u32::from(to), !(1 << u32::from(from) | 1 << u32::from(to)));
        // The roles are numbered as their planes are: a pawn is in the first, a knight in the second, a bishop in both.
        let arrived = promotion.unwrap_or(role) as u64;
        let with = |squares: u64, stands: bool| squares & others | if stands { target } else { 0 };
        let [first, second, third] = self.kinds;
        Some(Self {
            white: with(self.white, self.white_to_move),
            kinds: [
                with(first, arrived & 1 != 0),
                with(second, arrived & 2 != 0),
                with(third, arrived & 4 != 0),
            ],
            white_to_move: !self.white_to_move,
            en_passant: None,
        })
    }

    /// Spreads keys over a table; nothing else depends on it.
    fn hash(&self) -> u64 {
        let fold = |one: u64, two: u64| {
            let product = u128::from(one) * u128::from(two);
            product as u64 ^ (product >> 64) as u64
        };
        let [first, second, third] = self.kinds;
        let rest = u64::from(self.white_to_move) << 7 | self.en_passant.map_or(64, u64::from);
        let board = fold(self.white ^ 0x9e37_79b9_7f4a_7c15, first ^ 0xd1b5_4a32_d192_ed03)
            ^ fold(second ^ 0x8cb9_2ba7_2f3d_8dd7, third ^ 0xa076_1d64_78bd_642f);
        fold(board ^ rest, 0xe703_7ed1_a0b4_28db)
    }
}

/// The legal moves by the squares where they begin and end, then by the new role, knight first.
/// Castling ends on the square of the rook.
pub(super) fn moves_in_order(position: &Chess) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|played: &Move| (played.from(), played.to(), played.promotion()));
    moves
}

/// A walk over positions, each once.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    known: HashTable<Key>,
    waiting: VecDeque<Chess>,
}

impl Walk {
    /// A walk that begins at a position, number 0.
    pub(super) fn new(root: &Chess) -> Self {
        let mut walk = Self { known: HashTable::new(), waiting: VecDeque::new() };
        walk.meet(Key::new(root), || root.clone());
        walk
    }

    /// How many positions were met: the number of the next one that is new.
    pub(super) fn met(&self) -> u32 {
        self.known.len() as u32
    }

    /// The next position that was met, with its number.
    pub(super) fn next(&mut self) -> Option<(u32, Chess)> {
        let number = (self.known.len() - self.waiting.len()) as u32;
        self.waiting.pop_front().map(|position| (number, position))
    }

    /// Gives a number to what has this key, if it is new.
    fn meet(&mut self, key: Key, position: impl FnOnce() -> Chess) -> bool {
        let hash = key.hash();
        let is_new = self.known.find(hash, |known| *known == key).is_none();
        if is_new {
            self.known.insert_unique(hash, key, Key::hash);
            self.waiting.push_back(position());
        }
        is_new
    }

    /// Meets what a legal move leads to. True if it was not met before.
    pub(super) fn meet_after(&mut self, from: &Origin<'_>, played: Move) -> bool {
        let after = || {
            let mut after = from.position.clone();
            after.play_unchecked(played);
            after
        };
        match from.key.and_then(|key| key.after(played)) {
            Some(key) => self.meet(key, after),
            None => {
                let after = after();
                self.meet(Key::new(&after), || after)
            }
        }
    }
}

/// A position whose moves are followed.
pub(super) struct Origin<'a> {
    position: &'a Chess,
    /// Its key, unless there is a right to castle, which moves may end.
    key: Option<Key>,
}

impl<'a> Origin<'a> {
    pub(super) fn new(position: &'a Chess) -> Self {
        Self { position, key: position.castles().is_empty().then(|| Key::new(position)) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::string::{String, ToString};

    use shakmaty::fen::{Epd, Fen};
    use shakmaty::{CastlingMode, EnPassantMode};

    use crate::random::Random;

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
    }

    fn text(position: &Chess) -> String {
        Epd::from_position(position, EnPassantMode::Legal).to_string()
    }

    #[test]
    fn positions_are_the_same_when_their_text_is() {
        let mut random = Random::new(1);
        let mut keys: HashMap<String, Key> = HashMap::new();
        let mut texts: HashMap<u64, std::vec::Vec<(Key, String)>> = HashMap::new();
        for _ in 0..60 {
            let mut position = Chess::default();
            for _ in 0..100 {
                let (key, text) = (Key::new(&position), text(&position));
                assert_eq!(*keys.entry(text.clone()).or_insert(key), key, "{text}");
                let same = texts.entry(key.hash()).or_default();
                assert!(same.iter().all(|(other, of)| *other != key || *of == text), "{text}");
                same.push((key, text));
                if !random.play(&mut position) {
                    break;
                }
            }
        }
        // Hardly any two share a hash.
        assert!(keys.len() > 4000 && keys.len() - texts.len() < 3, "{} {}", keys.len(), texts.len());
    }

    #[test]
    fn the_key_after_a_move_is_that_of_the_position_after_it() {
        let mut random = Random::new(2);
        // Starts with everything; with pawns that promote and take en passant; with rights of Chess960.
        let starts = [
            Chess::default(),
            position("1n2k3/P6p/8/3pP3/1p6/8/P1P4P/4K3 w - d6 0 1"),
            position("1rk3r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"),
        ];
        let (mut derived, mut played_out) = (0, 0);
        for game in 0..90 {
            let mut from = starts[game % starts.len()].clone();
            for _ in 0..150 {
                for &played in &from.legal_moves() {
                    let mut after = from.clone();
                    after.play_unchecked(played);
                    match Origin::new(&from).key.and_then(|key| key.after(played)) {
                        Some(key) => {
                            assert_eq!(key, Key::new(&after), "{} {played}", text(&from));
                            derived += 1;
                        }
                        None => played_out += 1,
                    }
                }
                if !random.play(&mut from) {
                    break;
                }
            }
        }
        assert!(derived > 100_000 && played_out > 10_000, "{derived} {played_out}");
    }

    #[test]
    fn what_tells_positions_apart() {
        let different = [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        ];
        for (index, one) in different.iter().enumerate() {
            for other in &different[..index] {
                assert_ne!(Key::new(&position(one)), Key::new(&position(other)), "{one}, {other}");
            }
        }
        // The capturing pawn is pinned; no pawn could capture; the counters do not matter.
        for (one, other) in [
            (
                "8/8/6k1/p1p1p3/P1P1Pp1p/5P1P/2B5/4K3 b - e3 0 50",
                "8/8/6k1/p1p1p3/P1P1Pp1p/5P1P/2B5/4K3 b - - 0 50",
            ),
            ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 7 30"),
        ] {
            assert_eq!(Key::new(&position(one)), Key::new(&position(other)), "{one}");
        }
    }

    #[test]
    fn moves_are_in_the_order_of_their_squares() {
        let names = |fen: &str| {
            let position = position(fen);
            let moves: std::vec::Vec<String> = moves_in_order(&position)
                .iter()
                .map(|played| played.to_uci(CastlingMode::Chess960).to_string())
                .collect();
            moves.join(" ")
        };
        assert_eq!(
            names("1n6/P1k5/8/8/8/8/8/7K w - - 0 1"),
            "h1g1 h1g2 h1h2 a7a8n a7a8b a7a8r a7a8q a7b8n a7b8b a7b8r a7b8q"
        );
        let castling = names("6k1/8/8/8/8/3p1p1p/3P1P1P/R3K2R w KQ - 0 1");
        assert!(castling.ends_with("e1a1 e1d1 e1f1 e1h1 h1f1 h1g1"), "{castling}");
    }
}
