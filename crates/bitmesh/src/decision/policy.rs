//! The legal moves of a scene, each with a score: which brings a mate nearer when both sides help?
//!
//! A score is a sum of weights over cheap features. It only orders a search. No
//! answer rests on it: with any weights the search finds the same lines or none, and
//! a line is replayed before it is handed out.

use shakmaty::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, ray, rook_attacks,
};
use shakmaty::{Bitboard, Rank, Role, Square};

use super::layout::{greatest, of_class, shared};
use super::scene::{Code, Men, Scene, WINNER};
use super::tally::{Every, Moves, Tally};
use super::touching::{Sums, Touches, Touching, alike};

/// The squares from which a rook on an empty board touches a king or a square beside him, by his square.
static ROOK_NEAR: [u64; 64] = near(false);
/// The same for a bishop.
static BISHOP_NEAR: [u64; 64] = near(true);
/// The squares that a rook on an empty board attacks.
static ROOK_LINES: [u64; 64] = lines(false);
/// The same for a bishop.
static BISHOP_LINES: [u64; 64] = lines(true);
/// How many steps a king needs.
static DISTANCES: [[u8; 64]; 64] = distances();
/// Three times the distance after a move, and 0 if it was greater before, 1 if it was the same, 2 if it was less.
static APPROACHES: [[u8; 8]; 8] = approaches();
/// How many bits are set.
static COUNTS: [u8; 512] = counts();
/// 0 in a corner, 1 on an edge, 2 beside an edge, 3 inside.
static PLACES: [u8; 64] = places();

const fn near(diagonal: bool) -> [u64; 64] {
    let lines = lines(diagonal);
    let mut sets = [0; 64];
    let mut king = 0;
    while king < 64 {
        let zone = king_attacks(Square::new(king)).0 | 1 << king;
        let mut square = 0;
        while square < 64 {
            if lines[square] & zone != 0 {
                sets[king as usize] |= 1 << square;
            }
            square += 1;
        }
        king += 1;
    }
    sets
}

const fn lines(diagonal: bool) -> [u64; 64] {
    let mut sets = [0; 64];
    let mut square = 0;
    while square < 64 {
        let from = Square::new(square as u32);
        let attacks = if diagonal {
            bishop_attacks(from, Bitboard::EMPTY)
        } else {
            rook_attacks(from, Bitboard::EMPTY)
        };
        sets[square] = attacks.0;
        square += 1;
    }
    sets
}

const fn distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            let (across, up) = ((from % 8_usize).abs_diff(to % 8), (from / 8_usize).abs_diff(to / 8));
            table[from][to] = if across > up { across } else { up } as u8;
            to += 1;
        }
        from += 1;
    }
    table
}

const fn approaches() -> [[u8; 8]; 8] {
    let mut table = [[0; 8]; 8];
    let mut before = 0;
    while before < 8 {
        let mut after = 0;
        while after < 8 {
            let farther = (after > before) as usize + 1 - (after < before) as usize;
            table[before][after] = (after * 3 + farther) as u8;
            after += 1;
        }
        before += 1;
    }
    table
}

const fn counts() -> [u8; 512] {
    let mut table = [0; 512];
    let mut bits: usize = 0;
    while bits < 512 {
        table[bits] = bits.count_ones() as u8;
        bits += 1;
    }
    table
}

const fn places() -> [u8; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8_usize, square / 8);
        let across = if file < 7 - file { file } else { 7 - file };
        let up = if rank < 7 - rank { rank } else { 7 - rank };
        table[square] = match (across, up) {
            (0, 0) => 0,
            (0, _) | (_, 0) => 1,
            (1, _) | (_, 1) => 2,
            _ => 3,
        };
        square += 1;
    }
    table
}

fn distance(one: Square, other: Square) -> usize {
    DISTANCES[one as usize][other as usize].into()
}

fn place(square: Square) -> usize {
    PLACES[square as usize].into()
}

/// The distance after a move, and with it 0 nearer, 1 as far, 2 farther.
fn approach(before: usize, after: usize) -> usize {
    APPROACHES[before % 8][after % 8].into()
}

/// How many of these squares are a king's square or beside it.
#[inline]
fn count_beside(squares: Bitboard, king: Square) -> usize {
    // His nine squares come down to the corner: three bits of each of three bytes.
    let nine = squares.0.rotate_right((king as u32 + 64 - 9) % 64);
    COUNTS[(nine & 0o7 | nine >> 5 & 0o70 | nine >> 10 & 0o700) as usize].into()
}

const fn role_index(role: Role) -> usize {
    role as usize - 1
}

const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// All squares further up from some squares.
const fn above(squares: u64) -> u64 {
    let mut above = squares << 8;
    above |= above << 8;
    above |= above << 16;
    above | above << 32
}

const fn pawns_attack(pawns: u64, is_winner: bool) -> Bitboard {
    Bitboard(if is_winner {
        (pawns & NOT_FILE_A) << 7 | (pawns & NOT_FILE_H) << 9
    } else {
        (pawns & NOT_FILE_A) >> 9 | (pawns & NOT_FILE_H) >> 7
    })
}

/// The squares from which a pawn may go to some squares, or take on others.
const fn reaches(to: Bitboard, taken: u64, is_winner: bool) -> Bitboard {
    let pushed =
        if is_winner { to.0 >> 8 | (to.0 & 0xff << 24) >> 16 } else { to.0 << 8 | (to.0 & 0xff << 32) << 16 };
    Bitboard(pushed | pawns_attack(taken, !is_winner).0)
}

/// Everything that the men of a side attack.
#[inline]
fn attack_map(men: &Men, side: Bitboard, is_winner: bool, occupied: Bitboard) -> Bitboard {
    let mut attacked = pawns_attack((men.pawns & side).0, is_winner) | king_attacks(men.king(side));
    for square in men.knights & side {
        attacked |= knight_attacks(square);
    }
    for square in (men.bishops | men.queens) & side {
        attacked |= bishop_attacks(square, occupied);
    }
    for square in (men.rooks | men.queens) & side {
        attacked |= rook_attacks(square, occupied);
    }
    attacked
}

/// Men that alone stand between a square and a slider of a side.
#[inline]
fn screens(men: &Men, square: Square, side: Bitboard, occupied: Bitboard) -> Bitboard {
    let straight = Bitboard(ROOK_LINES[square as usize]) & (men.rooks | men.queens);
    let diagonal = Bitboard(BISHOP_LINES[square as usize]) & (men.bishops | men.queens);
    let mut screens = Bitboard::EMPTY;
    for slider in (straight | diagonal) & side {
        let men_between = between(slider, square) & occupied;
        if men_between.0 & men_between.0.wrapping_sub(1) == 0 {
            screens |= men_between;
        }
    }
    screens
}

/// A scene as the policy sees it.
pub(super) struct View {
    scene: Scene,
    men: Men,
    class: usize,
    occupied: Bitboard,
    /// The loser's king, the winner's king.
    prey: Square,
    king: Square,
    /// What the other side attacks, seen through the king.
    danger: Bitboard,
    /// When the winner moves, only beside the loser's king.
    attacked_by_winner: Bitboard,
    /// The squares beside the loser's king; those among them where he could go.
    zone: Bitboard,
    flights: Bitboard,
    flight_count: usize,
    /// Squares in front of the winner's pawns.
    way: Bitboard,
    phase: usize,
    /// Where the man stands that the side to move moved last time.
    last: Option<Square>,
}

impl View {
    #[inline]
    pub(super) fn new(scene: Scene, last: Option<Square>) -> Self {
        let men = scene.men();
        let occupied = men.winner | men.loser;
        let (prey, king) = (men.king(men.loser), men.king(men.winner));
        let winner_moves = scene.winner_moves();
        let (danger, attacked_by_winner);
        if winner_moves {
            // Only what is beside the loser's king counts.
            let near = (men.rooks | men.queens) & Bitboard(ROOK_NEAR[prey as usize])
                | (men.bishops | men.queens) & Bitboard(BISHOP_NEAR[prey as usize])
                | !(men.bishops | men.rooks | men.queens);
            attacked_by_winner = attack_map(&men, men.winner & near, true, occupied);
            danger = attack_map(&men, men.loser, false, occupied.without(king));
        } else {
            danger = attack_map(&men, men.winner, true, occupied.without(prey));
            attacked_by_winner = danger;
        }
        let zone = king_attacks(prey);
        let flights = zone & !men.loser & !attacked_by_winner;
        let flight_count = count_beside(flights, prey);
        let phase = (2 - place(prey).min(2)) * 4 + [0, 1, 2, 2, 3, 3, 3, 3, 3][flight_count];
        Self {
            scene,
            men,
            class: class(&men),
            occupied,
            prey,
            king,
            danger,
            attacked_by_winner,
            zone,
            flights,
            flight_count,
            way: Bitboard(above((men.pawns & men.winner).0)),
            phase,
            last,
        }
    }

    /// How many phases there are.
    pub(super) const PHASES: usize = 12;

    /// The place and the flights of the loser's king, below [`PHASES`](Self::PHASES).
    pub(super) const fn phase(&self) -> usize {
        self.phase
    }

    /// Which block of weights belongs to the material.
    pub(super) const fn class(&self) -> usize {
        self.class
    }

    /// Whether the side to move is in check.
    pub(super) fn is_check(&self) -> bool {
        self.danger.contains(if self.scene.winner_moves() { self.king } else { self.prey })
    }

    /// Each legal move, with its features added to the tally.
    #[inline]
    pub(super) fn moves<T: Tally>(&self, tally: T, take: impl FnMut(Code, T)) {
        self.wanted(tally, &mut Every(take));
    }

    /// Each legal move that is wanted, with its features added to the tally.
    #[inline]
    pub(super) fn wanted<T: Tally>(&self, tally: T, moves: &mut impl Moves<T>) {
        if self.scene.winner_moves() {
            self.moves_of_winner(tally, moves);
        } else {
            self.moves_of_loser(tally, moves);
        }
    }

    /// Where the men of the side to move may go so that no check is left standing; the king is not bound by it.
    fn allowed(&self, own: Bitboard, other: Bitboard, king: Square) -> Bitboard {
        if !self.danger.contains(king) {
            return !own;
        }
        let men = &self.men;
        let pawn = pawn_attacks(if self.scene.winner_moves() { WINNER } else { !WINNER }, king);
        let checkers = other
            & (knight_attacks(king) & men.knights
                | pawn & men.pawns
                | rook_attacks(king, self.occupied) & (men.rooks | men.queens)
                | bishop_attacks(king, self.occupied) & (men.bishops | men.queens));
        match checkers.first() {
            Some(checker) if checkers.0 & (checkers.0 - 1) == 0 => between(king, checker).with(checker),
            _ => Bitboard::EMPTY,
        }
    }

    /// Where a pawn may go, without looking at checks; what it may take in passing is looked at.
    #[inline]
    fn pawn_targets(&self, from: Square, allowed: Bitboard, other: Bitboard) -> Bitboard {
        let empty = !self.occupied.0;
        let bit = 1_u64 << from as u32;
        let (up, pushes) = if self.scene.winner_moves() {
            let one = bit << 8 & empty;
            (WINNER, one | (one & 0xff << 16) << 8 & empty)
        } else {
            let one = bit >> 8 & empty;
            (!WINNER, one | (one & 0xff << 40) >> 8 & empty)
        };
        let attacked = pawn_attacks(up, from);
        let mut targets = (Bitboard(pushes) | attacked & other) & allowed;
        if let Some(passed) = self.scene.en_passant()
            && attacked.contains(passed)
            && self.scene.may_take_in_passing(&self.men, from, passed)
        {
            targets.add(passed);
        }
        targets
    }

    /// What a man of the winner's attacks of the loser's king and the squares beside him; of other squares it may leave
    /// out some.
    #[inline]
    fn touches(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = |square| {
            if Bitboard(ROOK_NEAR[self.prey as usize]).contains(square) {
                rook_attacks(square, occupied)
            } else {
                Bitboard::EMPTY
            }
        };
        let diagonal = |square| {
            if Bitboard(BISHOP_NEAR[self.prey as usize]).contains(square) {
                bishop_attacks(square, occupied)
            } else {
                Bitboard::EMPTY
            }
        };
        match role {
            Role::Pawn => pawn_attacks(WINNER, square),
            Role::Knight => knight_attacks(square),
            Role::Bishop => diagonal(square),
            Role::Rook => straight(square),
            Role::Queen => diagonal(square) | straight(square),
            Role::King => king_attacks(square),
        }
    }

    #[inline]
    fn moves_of_winner<T: Tally>(&self, tally: T, moves: &mut impl Moves<T>) {
        let men = &self.men;
        let (own, other, king) = (men.winner, men.loser, self.king);
        let pinned = screens(men, king, other, self.occupied) & own;
        let uncovers = screens(men, self.prey, own, self.occupied) & own;
        let allowed = self.allowed(own, other, king);
        let touching = Touching::new(self.prey, self.flights, self.occupied);
        let mut man_moves = |square: Square, attacked: Bitboard, mut targets: Bitboard, kind: &Kind<T>| {
            if pinned.contains(square) {
                targets &= ray(king, square);
            }
            if targets.is_empty() {
                return;
            }
            let man = self.man_of_winner(kind.role, square, attacked, uncovers);
            let kept = if man.covered.is_empty() { Sums::NONE } else { self.kept(&man, kind.role) };
            let checks = kind.touches.prey | man.hidden;
            let mut busy = targets & (checks | other | kind.touches.flights.any() | kept.any());
            targets &= !busy;
            if busy.any() {
                let tally = man.start(tally);
                while let Some(to) = busy.first() {
                    // The moves that differ from this one only in where they lead.
                    let same = if other.contains(to) {
                        Bitboard::from(to)
                    } else {
                        let same =
                            kind.touches.flights.alike(to) & alike(checks, to) & alike(self.danger, to);
                        busy & !other & if man.covered.is_empty() { same } else { same & kept.alike(to) }
                    };
                    busy &= !same;
                    let mut tally = tally;
                    let closed = kind.touches.flights.at(to);
                    let opened = man.covered_count - kept.at(to);
                    self.effect(
                        &man,
                        closed,
                        opened,
                        checks.contains(to),
                        self.danger.contains(to),
                        &mut tally,
                    );
                    tally.of_class(of_class::CAPTURE + self.captured(to, other) * 5);
                    self.ways_of_winner(&man, square, same, tally, moves);
                }
            }
            for (targets, tally) in
                [targets & !self.danger, targets & self.danger].into_iter().zip(&kind.quiet)
            {
                if targets.any() {
                    self.ways_of_winner(&man, square, targets, self.start_quiet(&man, tally), moves);
                }
            }
        };
        let kind =
            |role: Role, touches: Touches| Kind { role, touches, quiet: self.quiet_of_winner(role, tally) };
        let queens = men.queens & own;
        if queens.any() {
            let kind = kind(Role::Queen, touching.queen());
            for square in queens {
                let attacked = bishop_attacks(square, self.occupied) | rook_attacks(square, self.occupied);
                man_moves(square, attacked, attacked & allowed, &kind);
            }
        }
        let rooks = men.rooks & own;
        if rooks.any() {
            let kind = kind(Role::Rook, touching.straight);
            for square in rooks {
                let attacked = rook_attacks(square, self.occupied);
                man_moves(square, attacked, attacked & allowed, &kind);
            }
        }
        let bishops = men.bishops & own;
        if bishops.any() {
            let kind = kind(Role::Bishop, touching.diagonal);
            for square in bishops {
                let attacked = bishop_attacks(square, self.occupied);
                man_moves(square, attacked, attacked & allowed, &kind);
            }
        }
        let knights = men.knights & own;
        if knights.any() {
            let kind = kind(Role::Knight, touching.knight);
            for square in knights {
                let attacked = knight_attacks(square);
                man_moves(square, attacked, attacked & allowed, &kind);
            }
        }
        let steps = king_attacks(king) & !own & !self.danger;
        if steps.any() {
            man_moves(king, king_attacks(king), steps, &kind(Role::King, touching.king));
        }
        let pawns = men.pawns & own;
        if pawns.any() {
            let quiet = self.quiet_of_winner(Role::Pawn, tally);
            let calm = quiet[0].greater(quiet[1]);
            let covering = pawns_attack((self.zone & !other).0, false);
            let marked = touching.pawn | Bitboard::from(Rank::Eighth);
            let busy = reaches(marked, other.0, true) | covering | uncovers;
            for square in pawns {
                if !busy.contains(square) && !moves.wants(calm.at_most(&self.greatest_of_pawn(square))) {
                    moves.leave_out();
                    continue;
                }
                let mut targets = self.pawn_targets(square, allowed, other);
                if pinned.contains(square) {
                    targets &= ray(king, square);
                }
                if targets.is_empty() {
                    continue;
                }
                let man = self.man_of_winner(Role::Pawn, square, pawn_attacks(WINNER, square), uncovers);
                // Every other square that it may touch is beside one that it covers.
                let near = if man.covered.any() { Bitboard::FULL } else { man.hidden | other | marked };
                for to in targets {
                    let is_quiet = !near.contains(to);
                    let mut tally = if is_quiet {
                        self.start_quiet(&man, &quiet[usize::from(self.danger.contains(to))])
                    } else {
                        man.start(tally)
                    };
                    let ahead = Bitboard(above(1 << to as u32));
                    let blocked = usize::from((ahead & self.occupied).any());
                    let faced = usize::from((ahead & men.pawns & other).any());
                    tally.of_class(of_class::PAWN + (to.rank() as usize * 2 + blocked) * 2 + faced);
                    if is_quiet {
                        self.way_of_winner(&man, to, &mut tally);
                        moves.take(Code::new(square, to), tally);
                    } else if to.rank() == Rank::Eighth {
                        for (promotion, now) in PROMOTIONS {
                            let mut tally = tally;
                            self.of_winner(&man, now, to, promotion, &mut tally);
                            moves.take(Code::new(square, to).promoting(promotion), tally);
                        }
                    } else {
                        self.of_winner(&man, Role::Pawn, to, 0, &mut tally);
                        moves.take(Code::new(square, to), tally);
                    }
                }
            }
        }
        if (men.castling & own).any() && !self.is_check() {
            for code in self.scene.castling(men, self.danger) {
                let man = self.man_of_winner(Role::King, king, king_attacks(king), uncovers);
                let mut tally = man.start(tally);
                self.of_winner(&man, Role::King, castled(code), 0, &mut tally);
                moves.take(code, tally);
            }
        }
    }

    /// How many of the squares that a man covers it covers from each square.
    #[inline]
    fn kept(&self, man: &Man, role: Role) -> Sums {
        let mut kept = Sums::NONE;
        for square in man.covered {
            kept.add(match role {
                Role::Pawn => pawn_attacks(!WINNER, square),
                Role::Knight => knight_attacks(square),
                Role::Bishop => bishop_attacks(square, man.occupied),
                Role::Rook => rook_attacks(square, man.occupied),
                Role::Queen => bishop_attacks(square, man.occupied) | rook_attacks(square, man.occupied),
                Role::King => king_attacks(square),
            });
        }
        kept
    }

    /// What the moves of the winner's men of a role have in common that touch nothing that counts and take nothing: to
    /// squares that are safe and to squares that are attacked.
    #[inline]
    fn quiet_of_winner<T: Tally>(&self, role: Role, tally: T) -> [T; 2] {
        let role = role_index(role);
        let mut tally = tally;
        tally.of_class(of_class::CAPTURE);
        tally.shared(shared::WINNER + (self.phase * 6 + role) * 8);
        [0, 1].map(|attacked| {
            let mut tally = tally;
            tally.of_class(of_class::CHECK + (role * 4 + attacked) * 5 + self.flight_count.min(4));
            tally
        })
    }

    /// The same for the quiet moves of one man.
    #[inline]
    fn start_quiet<T: Tally>(&self, man: &Man, tally: &T) -> T {
        let mut tally = man.start(*tally);
        tally.of_class(of_class::COVER + man.role * 16 + man.covered_count.min(3));
        tally
    }

    #[inline]
    fn man_of_winner(&self, role: Role, square: Square, attacked: Bitboard, uncovers: Bitboard) -> Man {
        let covered = attacked & self.zone & !self.men.loser;
        Man {
            role: role_index(role),
            distance: distance(square, self.prey),
            in_way: self.way.contains(square).into(),
            again: of_class::AGAIN + (6 + role_index(role)) * 2 + usize::from(self.last == Some(square)),
            covered,
            covered_count: if covered.any() { count_beside(covered, self.prey) } else { 0 },
            hidden: if uncovers.contains(square) { !ray(self.prey, square) } else { Bitboard::EMPTY },
            occupied: self.occupied.without(square).without(self.prey),
            beside: 0,
            attacked: 0,
        }
    }

    /// A move of the winner's that may touch the loser's king or take something.
    #[inline]
    fn of_winner<T: Tally>(&self, man: &Man, now: Role, to: Square, promotion: usize, tally: &mut T) {
        let touched = self.touches(now, to, man.occupied);
        let check = man.hidden.contains(to) || touched.contains(self.prey);
        let attacked = self.danger.contains(to);
        let closed = count_beside(touched & self.flights, self.prey);
        let opened = if man.covered.any() { count_beside(man.covered & !touched, self.prey) } else { 0 };
        self.effect(man, closed, opened, check, attacked, tally);
        tally.of_class(of_class::CAPTURE + self.captured(to, self.men.loser) * 5 + promotion);
        self.way_of_winner(man, to, tally);
    }

    /// The greatest weights of a pawn of the winner's that takes nothing and touches nothing that counts.
    #[inline]
    fn greatest_of_pawn(&self, square: Square) -> [usize; 5] {
        [
            of_class::AGAIN + 6 * 2 + usize::from(self.last == Some(square)),
            of_class::COVER,
            greatest::DISTANCE + distance(square, self.prey),
            greatest::WAY + usize::from(self.way.contains(square)),
            greatest::PAWN + square.rank() as usize,
        ]
    }

    /// What a move of the winner's does beside the loser's king: how many flights it closes, and how many squares it no
    /// longer covers.
    #[inline]
    fn effect<T: Tally>(
        &self,
        man: &Man,
        closed: usize,
        opened: usize,
        check: bool,
        attacked: bool,
        tally: &mut T,
    ) {
        let (role, check) = (man.role, usize::from(check));
        let (newly, left) = (closed.min(3), (self.flight_count - closed).min(4));
        tally.of_class(of_class::CHECK + ((role * 2 + check) * 2 + usize::from(attacked)) * 5 + left);
        tally.of_class(of_class::COVER + (role * 4 + newly) * 4 + opened.min(3));
        tally.shared(shared::WINNER + ((self.phase * 6 + role) * 2 + check) * 4 + newly);
    }

    /// Moves of one man that differ only in where they lead.
    #[inline]
    fn ways_of_winner<T: Tally>(
        &self,
        man: &Man,
        square: Square,
        targets: Bitboard,
        tally: T,
        moves: &mut impl Moves<T>,
    ) {
        if !moves.wants(tally.at_most(&man.greatest_of_winner())) {
            moves.leave_out();
            return;
        }
        for to in targets {
            let mut tally = tally;
            self.way_of_winner(man, to, &mut tally);
            moves.take(Code::new(square, to), tally);
        }
    }

    #[inline]
    fn way_of_winner<T: Tally>(&self, man: &Man, to: Square, tally: &mut T) {
        let after = distance(to, self.prey);
        tally.of_class(of_class::DISTANCE + man.role * 24 + approach(man.distance, after));
        tally.of_class(of_class::WAY + man.role * 4 + man.in_way * 2 + usize::from(self.way.contains(to)));
    }

    /// 0 nothing, 1 a pawn, to 5 a queen.
    #[inline]
    fn captured(&self, to: Square, other: Bitboard) -> usize {
        if !other.contains(to) {
            return 0;
        }
        self.scene.role_number(to)
    }

    #[inline]
    fn moves_of_loser<T: Tally>(&self, tally: T, moves: &mut impl Moves<T>) {
        let men = &self.men;
        let (own, other, prey) = (men.loser, men.winner, self.prey);
        let pinned = screens(men, prey, other, self.occupied) & own;
        let allowed = self.allowed(own, other, prey);
        let checks = Checks {
            straight: rook_attacks(self.king, self.occupied),
            diagonal: bishop_attacks(self.king, self.occupied),
            king: self.king,
        };
        let mut man_moves = |role: Role, square: Square, mut targets: Bitboard, quiet: &[T; 2]| {
            if pinned.contains(square) {
                targets &= ray(prey, square);
            }
            if targets.is_empty() {
                return;
            }
            let man = self.man_of_loser(role, square);
            let checks = checks.by(role);
            let busy = targets & (checks | other | self.flights);
            if busy.any() {
                let tally = man.start(tally);
                for to in busy {
                    let mut tally = tally;
                    self.of_loser(&man, to, checks, &mut tally);
                    moves.take(Code::new(square, to), tally);
                }
            }
            let targets = targets & !busy;
            if targets.any() {
                self.quiet_moves_of_loser(&man, square, targets, &quiet[man.beside], moves);
            }
        };
        let queens = men.queens & own;
        if queens.any() {
            let quiet = self.quiet_of_loser(Role::Queen, tally);
            for square in queens {
                let attacked = bishop_attacks(square, self.occupied) | rook_attacks(square, self.occupied);
                man_moves(Role::Queen, square, attacked & allowed, &quiet);
            }
        }
        let rooks = men.rooks & own;
        if rooks.any() {
            let quiet = self.quiet_of_loser(Role::Rook, tally);
            for square in rooks {
                man_moves(Role::Rook, square, rook_attacks(square, self.occupied) & allowed, &quiet);
            }
        }
        let bishops = men.bishops & own;
        if bishops.any() {
            let quiet = self.quiet_of_loser(Role::Bishop, tally);
            for square in bishops {
                man_moves(Role::Bishop, square, bishop_attacks(square, self.occupied) & allowed, &quiet);
            }
        }
        let knights = men.knights & own;
        if knights.any() {
            let quiet = self.quiet_of_loser(Role::Knight, tally);
            for square in knights {
                man_moves(Role::Knight, square, knight_attacks(square) & allowed, &quiet);
            }
        }
        let pawns = men.pawns & own;
        if pawns.any() {
            let quiet = self.quiet_of_loser(Role::Pawn, tally);
            let checks_of_pawn = checks.by(Role::Pawn);
            let marked = checks_of_pawn | self.flights | Bitboard::from(Rank::First);
            let busy = reaches(marked, other.0, false);
            let marked = marked | other;
            for square in pawns {
                let man = self.man_of_loser(Role::Pawn, square);
                let start = man.start(quiet[man.beside]);
                if !busy.contains(square) && !moves.wants(start.at_most(&man.greatest_of_loser())) {
                    moves.leave_out();
                    continue;
                }
                let mut targets = self.pawn_targets(square, allowed, other);
                if pinned.contains(square) {
                    targets &= ray(prey, square);
                }
                for to in targets & !marked {
                    let mut tally = start;
                    self.way_of_loser(&man, to, &mut tally);
                    moves.take(Code::new(square, to), tally);
                }
                for to in targets & marked {
                    let tally = man.start(tally);
                    if to.rank() == Rank::First {
                        for (promotion, now) in PROMOTIONS {
                            let mut tally = tally;
                            tally.of_class(of_class::LOSER_PROMOTION + promotion);
                            self.of_loser(&man, to, checks.by(now), &mut tally);
                            moves.take(Code::new(square, to).promoting(promotion), tally);
                        }
                    } else {
                        let mut tally = tally;
                        self.of_loser(&man, to, checks_of_pawn, &mut tally);
                        moves.take(Code::new(square, to), tally);
                    }
                }
            }
        }
        let steps = king_attacks(prey) & !own & !self.danger;
        let castles = (men.castling & own).any() && !self.is_check();
        if steps.any() || castles {
            let man = self.man_of_loser(Role::King, prey);
            let tally = man.start(tally);
            for to in steps {
                let mut tally = tally;
                self.of_prey(&man, to, &mut tally);
                moves.take(Code::new(prey, to), tally);
            }
            if castles {
                for code in self.scene.castling(men, self.danger) {
                    let mut tally = tally;
                    self.of_prey(&man, castled(code), &mut tally);
                    moves.take(code, tally);
                }
            }
        }
    }

    /// What the moves of the loser's men of a role have in common that take nothing, fill no flight and give no check: of
    /// men that are not beside their king, and of men that are.
    #[inline]
    fn quiet_of_loser<T: Tally>(&self, role: Role, tally: T) -> [T; 2] {
        let role = role_index(role);
        let mut tally = tally;
        tally.of_class(of_class::LOSER_CAPTURE);
        [0, 1].map(|beside| {
            let mut tally = tally;
            tally.of_class(of_class::FILL + role * 4 + beside);
            tally.shared(shared::FILL + (self.phase * 6 + role) * 4 + beside);
            tally
        })
    }

    #[inline]
    fn quiet_moves_of_loser<T: Tally>(
        &self,
        man: &Man,
        square: Square,
        targets: Bitboard,
        quiet: &T,
        moves: &mut impl Moves<T>,
    ) {
        let tally = man.start(*quiet);
        if !moves.wants(tally.at_most(&man.greatest_of_loser())) {
            moves.leave_out();
            return;
        }
        for to in targets {
            let mut tally = tally;
            self.way_of_loser(man, to, &mut tally);
            moves.take(Code::new(square, to), tally);
        }
    }

    #[inline]
    fn man_of_loser(&self, role: Role, square: Square) -> Man {
        let target = if role == Role::King { self.king } else { self.prey };
        Man {
            role: role_index(role),
            distance: distance(square, target),
            in_way: self.way.contains(square).into(),
            again: of_class::AGAIN + role_index(role) * 2 + usize::from(self.last == Some(square)),
            covered: Bitboard::EMPTY,
            covered_count: 0,
            hidden: Bitboard::EMPTY,
            occupied: Bitboard::EMPTY,
            beside: self.zone.contains(square).into(),
            attacked: self.attacked_by_winner.contains(square).into(),
        }
    }

    /// A move of the loser's, not by his king.
    #[inline]
    fn of_loser<T: Tally>(&self, man: &Man, to: Square, checks: Bitboard, tally: &mut T) {
        let capture = self.captured(to, self.men.winner);
        tally.of_class(of_class::LOSER_CAPTURE + capture * 2 + usize::from(checks.contains(to)));
        let fills = usize::from(self.flights.contains(to)) * 2 + man.beside;
        tally.of_class(of_class::FILL + man.role * 4 + fills);
        tally.shared(shared::FILL + (self.phase * 6 + man.role) * 4 + fills);
        self.way_of_loser(man, to, tally);
    }

    #[inline]
    fn way_of_loser<T: Tally>(&self, man: &Man, to: Square, tally: &mut T) {
        let after = distance(to, self.prey);
        let attacked = usize::from(self.attacked_by_winner.contains(to));
        let far = man.role * 24 + approach(man.distance, after);
        tally.of_class(of_class::LOSER_DISTANCE + far);
        tally.of_class(of_class::ATTACKED + man.role * 4 + attacked * 2 + man.attacked);
        tally.of_class(
            of_class::LOSER_WAY + man.role * 4 + man.in_way * 2 + usize::from(self.way.contains(to)),
        );
    }

    /// A move of the loser's king.
    #[inline]
    fn of_prey<T: Tally>(&self, man: &Man, to: Square, tally: &mut T) {
        let role = role_index(Role::King);
        let flights = if self.class < 9 {
            let open = !self.men.loser.without(self.prey) & !self.attacked_by_winner;
            count_beside(king_attacks(to) & open, to)
        } else {
            corners(&self.men).into_iter().map(|corner| distance(corner, to)).min().unwrap_or(0)
        };
        let attacked = usize::from(self.attacked_by_winner.contains(to));
        let capture = self.captured(to, self.men.winner);
        let after = distance(to, self.king);
        let near = place(to) * 3 + approach(man.distance, after) - 3 * after;
        tally.of_class(of_class::KING + flights * 12 + near);
        tally.of_class(of_class::LOSER_CAPTURE + capture * 2);
        tally.of_class(of_class::ATTACKED + role * 4 + attacked * 2 + man.attacked);
        tally.of_class(of_class::LOSER_WAY + role * 4 + man.in_way * 2 + usize::from(self.way.contains(to)));
        tally.shared(shared::KING + self.phase * 12 + near);
    }
}

const PROMOTIONS: [(usize, Role); 4] =
    [(1, Role::Knight), (2, Role::Bishop), (3, Role::Rook), (4, Role::Queen)];

/// Where a king arrives that castles.
fn castled(code: Code) -> Square {
    let (king, rook) = (code.from(), code.to());
    Square::from_coords(if rook > king { shakmaty::File::G } else { shakmaty::File::C }, king.rank())
}

/// The material: the strongest man of the winner, and how many men the loser has.
fn class(men: &Men) -> usize {
    let strength = if (men.queens & men.winner).any() {
        0
    } else if (men.rooks & men.winner).any() {
        1
    } else if (men.pawns & men.winner).any() {
        2
    } else {
        3
    };
    let loser = men.loser.without(men.king(men.loser)).0;
    let loser = if loser == 0 {
        0
    } else if at_most(loser, 3) {
        1
    } else {
        2
    };
    strength * 3 + loser
}

const fn at_most(mut squares: u64, most: usize) -> bool {
    let mut dropped = 0;
    while dropped < most {
        squares &= squares.wrapping_sub(1);
        dropped += 1;
    }
    squares == 0
}

/// The corners where a winner with minor pieces gives mate.
fn corners(men: &Men) -> Bitboard {
    let bishops = men.bishops & men.winner;
    if bishops.is_empty() || (men.knights & men.winner).any() {
        Bitboard::CORNERS
    } else if bishops.is_subset(Bitboard::DARK_SQUARES) {
        Bitboard::CORNERS & Bitboard::DARK_SQUARES
    } else if bishops.is_subset(Bitboard::LIGHT_SQUARES) {
        Bitboard::CORNERS & Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::CORNERS
    }
}

/// The squares from which men of the loser's attack the winner's king.
struct Checks {
    straight: Bitboard,
    diagonal: Bitboard,
    king: Square,
}

impl Checks {
    fn by(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => pawn_attacks(WINNER, self.king),
            Role::Knight => knight_attacks(self.king),
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.straight | self.diagonal,
            Role::King => Bitboard::EMPTY,
        }
    }
}

/// What the winner's men of a role have in common.
struct Kind<T> {
    role: Role,
    touches: Touches,
    quiet: [T; 2],
}

/// What the moves of one man have in common.
struct Man {
    role: usize,
    /// To the loser's king; of himself to the winner's.
    distance: usize,
    in_way: usize,
    /// The feature of the man that moved last time.
    again: usize,
    /// The squares beside the loser's king that it covers.
    covered: Bitboard,
    covered_count: usize,
    /// Where it goes to uncover a check.
    hidden: Bitboard,
    /// What stands in the way of the man after its move, the loser's king thought away.
    occupied: Bitboard,
    /// A man of the loser's beside his king, and one that is attacked.
    beside: usize,
    attacked: usize,
}

impl Man {
    #[inline]
    fn start<T: Tally>(&self, mut tally: T) -> T {
        tally.of_class(self.again);
        tally
    }

    /// The greatest weights of what a quiet move of the winner's depends on.
    #[inline]
    fn greatest_of_winner(&self) -> [usize; 2] {
        [greatest::DISTANCE + self.role * 8 + self.distance, greatest::WAY + self.role * 2 + self.in_way]
    }

    /// The same for a move of the loser's, not by his king.
    #[inline]
    fn greatest_of_loser(&self) -> [usize; 3] {
        [
            greatest::LOSER_DISTANCE + self.role * 8 + self.distance,
            greatest::LOSER_WAY + self.role * 2 + self.in_way,
            greatest::ATTACKED + self.role * 2 + self.attacked,
        ]
    }
}
