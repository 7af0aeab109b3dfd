//! The whole truth about few men: whether White can still give mate, for every position with at most one man beside
//! each king, by retrograde search.
//!
//! A position is winnable when it is mate by White or a legal move leads to one that is. For each pair of men the
//! positions that are not yet known to be winnable are looked through again and again until nothing changes; what is
//! left is unwinnable. Moves come from the attack tables of shakmaty alone: nothing of the library under test is used.

use std::collections::HashMap;

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Piece, Role, Setup, Square, attacks};

/// The men beside the kings, White's first.
pub type Men = (Option<Role>, Option<Role>);

/// The roles that a pawn can become.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Where the kings and the men stand. The place of a man that is not there means nothing.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub turn: Color,
    pub kings: [Square; 2],
    pub men: [Square; 2],
}

/// The winnable positions of each pair of men that was looked through.
#[derive(Default)]
pub struct Truth {
    tables: HashMap<Men, Vec<u64>>,
}

/// How many positions of a pair of men are legal, and how many of them White can win.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Numbers {
    pub positions: u64,
    pub winnable: u64,
    /// How often the positions were looked through.
    pub rounds: u32,
}

const BOARDS: usize = 1 << 24;

impl Placement {
    fn index(self) -> usize {
        let turn = usize::from(self.turn.is_black());
        [self.kings[0], self.kings[1], self.men[0], self.men[1]]
            .into_iter()
            .fold(turn, |index, square| index << 6 | usize::from(square))
    }

    fn of_index(index: usize) -> Self {
        let square = |place: usize| Square::new((index >> (6 * place) & 63) as u32);
        let turn = Color::from_white(index < BOARDS);
        Self { turn, kings: [square(3), square(2)], men: [square(1), square(0)] }
    }

    /// The same with left and right exchanged, if White's king stands on the right.
    fn on_the_left(self) -> Self {
        if self.kings[0].file() < shakmaty::File::E {
            return self;
        }
        Self {
            turn: self.turn,
            kings: self.kings.map(Square::flip_horizontal),
            men: self.men.map(Square::flip_horizontal),
        }
    }

    /// The placements of these men with White's king on the left half, legal or not: left and right are alike.
    pub fn all(men: Men) -> impl Iterator<Item = Self> {
        let squares = |role: Option<Role>| if role.is_some() { 64 } else { 1 };
        let (first, second) = (squares(men.0), squares(men.1));
        (0..(2 * BOARDS) >> 12)
            .flat_map(move |kings| {
                (0..first)
                    .flat_map(move |one| (0..second).map(move |other| kings << 12 | one << 6 | other))
                    .map(Self::of_index)
            })
            .filter(|placement| placement.kings[0].file() < shakmaty::File::E)
    }

    fn occupied(self, men: Men) -> Bitboard {
        let mut occupied = Bitboard::from(self.kings[0]) | self.kings[1];
        occupied.extend(men.0.map(|_| self.men[0]));
        occupied.extend(men.1.map(|_| self.men[1]));
        occupied
    }

    fn man(men: Men, color: Color) -> Option<Role> {
        color.fold_wb(men.0, men.1)
    }

    /// Whether the king of a colour stands where the other side could take him.
    fn in_check(self, men: Men, color: Color) -> bool {
        let (own, other) = (color.fold_wb(0, 1), color.fold_wb(1, 0));
        let king = self.kings[own];
        let occupied = self.occupied(men);
        let by_man = Self::man(men, !color)
            .is_some_and(|role| attacks::attacks(self.men[other], role.of(!color), occupied).contains(king));
        by_man || attacks::king_attacks(self.kings[other]).contains(king)
    }

    /// Whether the men stand on different squares, pawns not on the first or last rank, and the side that has moved is
    /// not in check.
    pub fn is_legal(self, men: Men) -> bool {
        let count = 2 + usize::from(men.0.is_some()) + usize::from(men.1.is_some());
        let stands = |role: Option<Role>, square: Square| {
            role != Some(Role::Pawn) || !Bitboard::BACKRANKS.contains(square)
        };
        self.occupied(men).count() == count
            && stands(men.0, self.men[0])
            && stands(men.1, self.men[1])
            && !self.in_check(men, !self.turn)
    }

    /// The position for shakmaty, if it takes it.
    pub fn position(self, men: Men) -> Option<Chess> {
        let mut board = Board::empty();
        for color in Color::ALL {
            let side = color.fold_wb(0, 1);
            board.set_piece_at(self.kings[side], Role::King.of(color));
            if let Some(role) = Self::man(men, color) {
                board.set_piece_at(self.men[side], Piece { color, role });
            }
        }
        let setup = Setup { board, turn: self.turn, ..Setup::empty() };
        setup.position(CastlingMode::Standard).ok()
    }
}

impl Truth {
    /// Looks through a pair of men, and before it those that captures and promotions lead to.
    pub fn of(&mut self, men: Men) -> Numbers {
        for role in PROMOTIONS {
            if men.0 == Some(Role::Pawn) {
                self.need((Some(role), men.1));
            }
            if men.1 == Some(Role::Pawn) {
                self.need((men.0, Some(role)));
            }
        }
        if men.1.is_some() {
            self.need((men.0, None));
        }
        self.tables.insert(men, vec![0; 2 * BOARDS / 64]);
        let mut open: Vec<u32> = Placement::all(men)
            .filter(|placement| placement.is_legal(men))
            .map(|placement| placement.index() as u32)
            .collect();
        let positions = open.len() as u64;
        let mut rounds = 0;
        loop {
            rounds += 1;
            let before = open.len();
            open.retain(|&index| {
                let wins = self.wins(men, Placement::of_index(index as usize), None);
                if wins && let Some(table) = self.tables.get_mut(&men) {
                    table[index as usize / 64] |= 1 << (index % 64);
                }
                !wins
            });
            if open.len() == before {
                return Numbers { positions, winnable: positions - before as u64, rounds };
            }
        }
    }

    fn need(&mut self, men: Men) {
        if !self.tables.contains_key(&men) {
            self.of(men);
        }
    }

    /// Whether White can still give mate in a legal position of men that were looked through.
    pub fn is_winnable(&self, men: Men, placement: Placement) -> bool {
        let mut index = placement.on_the_left().index();
        // Men that are not there have one place.
        if men.0.is_none() {
            index &= !(63 << 6);
        }
        if men.1.is_none() {
            index &= !63;
        }
        self.tables.get(&men).is_some_and(|table| table[index / 64] >> (index % 64) & 1 == 1)
    }

    /// Whether a position is mate by White or leads to one that is known to be winnable. `passed` is the square that a
    /// pawn has just passed.
    fn wins(&self, men: Men, placement: Placement, passed: Option<Square>) -> bool {
        let mut has_move = false;
        let wins = self.any_move(men, placement, passed, |men, after, passed| {
            has_move = true;
            match passed {
                // A pawn that can be taken in passing has more moves against it than the table knows.
                Some(_) => self.wins(men, after, passed),
                None => self.is_winnable(men, after),
            }
        });
        wins || !has_move && placement.turn.is_black() && placement.in_check(men, Color::Black)
    }

    /// Whether something holds after one of the legal moves.
    fn any_move(
        &self,
        men: Men,
        from: Placement,
        passed: Option<Square>,
        mut holds: impl FnMut(Men, Placement, Option<Square>) -> bool,
    ) -> bool {
        let color = from.turn;
        let (own, other) = (color.fold_wb(0, 1), color.fold_wb(1, 0));
        let occupied = from.occupied(men);
        let (role, prey) = (Placement::man(men, color), Placement::man(men, !color));
        let own_squares =
            Bitboard::from_iter([from.kings[own]].into_iter().chain(role.map(|_| from.men[own])));
        let enemy = occupied & !own_squares;
        let mut after = |men: Men, mut to: Placement, taken: Option<Square>, passed: Option<Square>| {
            let mut men = men;
            if taken.is_some_and(|taken| prey.is_some() && taken == from.men[other]) {
                *color.fold_wb(&mut men.1, &mut men.0) = None;
                to.men[other] = Square::A1;
            }
            to.turn = !color;
            !to.in_check(men, color) && holds(men, to, passed)
        };
        for square in
            attacks::king_attacks(from.kings[own]) & !own_squares & !Bitboard::from(from.kings[other])
        {
            let mut to = from;
            to.kings[own] = square;
            if after(men, to, Some(square), None) {
                return true;
            }
        }
        let Some(role) = role else { return false };
        let start = from.men[own];
        let moved = |square: Square| {
            let mut to = from;
            to.men[own] = square;
            to
        };
        if role != Role::Pawn {
            let squares = attacks::attacks(start, role.of(color), occupied);
            return (squares & !own_squares & !Bitboard::from(from.kings[other]))
                .into_iter()
                .any(|square| after(men, moved(square), Some(square), None));
        }
        let mut arrive = |square: Square, taken: Option<Square>, passed: Option<Square>| {
            if !Bitboard::BACKRANKS.contains(square) {
                return after(men, moved(square), taken, passed);
            }
            PROMOTIONS.into_iter().any(|role| {
                let mut men = men;
                *color.fold_wb(&mut men.0, &mut men.1) = Some(role);
                after(men, moved(square), taken, None)
            })
        };
        let ahead = |square: Square| square.offset(color.fold_wb(8, -8));
        if let Some(one) = ahead(start).filter(|&one| !occupied.contains(one)) {
            if arrive(one, None, None) {
                return true;
            }
            let is_home = start.rank() == color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh);
            if is_home && let Some(two) = ahead(one).filter(|&two| !occupied.contains(two)) {
                let can_be_taken =
                    prey == Some(Role::Pawn) && attacks::pawn_attacks(color, one).contains(from.men[other]);
                if arrive(two, None, can_be_taken.then_some(one)) {
                    return true;
                }
            }
        }
        let targets = attacks::pawn_attacks(color, start);
        (targets & enemy & !Bitboard::from(from.kings[other]))
            .into_iter()
            .any(|square| arrive(square, Some(square), None))
            || passed
                .is_some_and(|passed| targets.contains(passed) && arrive(passed, Some(from.men[other]), None))
    }
}
