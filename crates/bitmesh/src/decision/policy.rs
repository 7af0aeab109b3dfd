//! Which move brings a mate nearer when both sides help: a sum of weights over cheap features.
//!
//! The policy only orders a search. No answer rests on it: with any weights the
//! search finds the same lines or none, and a line is replayed before it is
//! handed out.

use shakmaty::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, ray, rook_attacks,
};
use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square};

use super::layout::{SHARED, of_class, shared};
use super::weights::{Block, Weights};

/// How many features a move has at most in the block of its class, and in the shared one.
const OF_CLASS: usize = 7;

/// The features of a move, as places in the two blocks. Every move has [`OF_CLASS`] of the first kind, in which a
/// place may be [`UNUSED`], and one of the second.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Features {
    pub(super) of_class: [u16; OF_CLASS],
    pub(super) shared: u16,
}

/// A place whose weight is always zero.
pub(super) const UNUSED: u16 = of_class::END as u16;

/// The squares from which a rook on an empty board touches a king or a square beside him, by his square.
static ROOK_NEAR: [u64; 64] = near(false);
/// The same for a bishop.
static BISHOP_NEAR: [u64; 64] = near(true);

const fn near(diagonal: bool) -> [u64; 64] {
    let mut sets = [0; 64];
    let mut king: i32 = 0;
    while king < 64 {
        let (file, rank) = (king % 8, king / 8);
        let mut square = 0;
        while square < 64 {
            let (across, up) = (square % 8 - file, square / 8 - rank);
            let near = if diagonal {
                (across - up).abs() <= 2 || (across + up).abs() <= 2
            } else {
                across.abs() <= 1 || up.abs() <= 1
            };
            if near {
                sets[king as usize] |= 1 << square;
            }
            square += 1;
        }
        king += 1;
    }
    sets
}

/// A position as the policy sees it.
pub(super) struct View {
    winner: Color,
    winner_moves: bool,
    class: usize,
    /// The loser's king, the winner's king.
    prey: Square,
    king: Square,
    occupied: Bitboard,
    loser: Bitboard,
    loser_pawns: Bitboard,
    /// The squares beside the loser's king; those among them where he could go.
    zone: Bitboard,
    flights: Bitboard,
    /// What the winner attacks, seen through the loser's king; what the loser attacks, if the winner moves.
    attacked_by_winner: Bitboard,
    attacked_by_loser: Bitboard,
    /// Squares in front of the winner's pawns.
    way: Bitboard,
    /// Men of the winner that uncover a check when they leave the line.
    uncovers: Bitboard,
    phase: usize,
    /// Where the man stands that the side to move moved last time.
    last: Option<Square>,
    /// The corners where a winner with bishops alone gives mate.
    corners: Bitboard,
    rook_near: Bitboard,
    bishop_near: Bitboard,
}

/// Everything that the men of a colour attack.
fn attack_map(position: &Chess, color: Color, occupied: Bitboard) -> Bitboard {
    let board = position.board();
    let own = board.by_color(color);
    let pawns = board.pawns() & own;
    let mut attacked = match color {
        Color::White => pawns.shift(9) & !FILE_A | pawns.shift(7) & !FILE_H,
        Color::Black => pawns.shift(-7) & !FILE_A | pawns.shift(-9) & !FILE_H,
    };
    for square in board.knights() & own {
        attacked |= knight_attacks(square);
    }
    for square in (board.bishops() | board.queens()) & own {
        attacked |= bishop_attacks(square, occupied);
    }
    for square in (board.rooks() | board.queens()) & own {
        attacked |= rook_attacks(square, occupied);
    }
    for square in board.kings() & own {
        attacked |= king_attacks(square);
    }
    attacked
}

const FILE_A: Bitboard = Bitboard(0x0101_0101_0101_0101);
const FILE_H: Bitboard = Bitboard(0x8080_8080_8080_8080);

/// All squares in front of some pawns.
const fn front(pawns: u64, color: Color) -> u64 {
    match color {
        Color::White => {
            let mut squares = pawns << 8;
            squares |= squares << 8;
            squares |= squares << 16;
            squares | squares << 32
        }
        Color::Black => {
            let mut squares = pawns >> 8;
            squares |= squares >> 8;
            squares |= squares >> 16;
            squares | squares >> 32
        }
    }
}

/// 0 in a corner, 1 on an edge, 2 beside an edge, 3 inside.
fn place(square: Square) -> usize {
    const RIM: Bitboard = Bitboard(0xff81_8181_8181_81ff);
    const RING: Bitboard = Bitboard(0x007e_4242_4242_7e00);
    if Bitboard::CORNERS.contains(square) {
        0
    } else if RIM.contains(square) {
        1
    } else if RING.contains(square) {
        2
    } else {
        3
    }
}

/// 0 nearer, 1 as far, 2 farther.
const fn approach(before: usize, after: usize) -> usize {
    if after < before { 0 } else { (after > before) as usize + 1 }
}

fn distance(one: Square, other: Square) -> usize {
    one.distance(other) as usize
}

fn role_index(role: Role) -> usize {
    role as usize - 1
}

/// What the moves of one man have in common.
struct Origin {
    square: Square,
    distance: usize,
    /// The squares beside the loser's king that it attacks.
    covered: Bitboard,
    beside: usize,
    attacked: usize,
    in_way: usize,
    again: usize,
    /// What stands in the way of the man after its move, the loser's king thought away.
    occupied: Bitboard,
}

impl View {
    pub(super) fn new(position: &Chess, winner: Color, last: Option<Square>) -> Self {
        let board = position.board();
        let occupied = board.occupied();
        let own = board.by_color(winner);
        let loser = board.by_color(!winner);
        let prey = board.king_of(!winner).unwrap_or(Square::A1);
        let king = board.king_of(winner).unwrap_or(Square::A1);
        let winner_moves = position.turn() == winner;
        let attacked_by_winner = attack_map(position, winner, occupied.without(prey));
        let attacked_by_loser =
            if winner_moves { attack_map(position, !winner, occupied) } else { Bitboard::EMPTY };
        let zone = king_attacks(prey);
        let flights = zone & !loser & !attacked_by_winner;
        let strength = if (board.queens() & own).any() {
            0
        } else if (board.rooks() & own).any() {
            1
        } else if (board.pawns() & own).any() {
            2
        } else {
            3
        };
        let class = strength * 3
            + match loser.count() {
                1 => 0,
                2..=4 => 1,
                _ => 2,
            };
        let bishops = board.bishops() & own;
        let corners = if strength < 3 || bishops.is_empty() || (board.knights() & own).any() {
            Bitboard::CORNERS
        } else if bishops.is_subset(Bitboard::DARK_SQUARES) {
            Bitboard::CORNERS & Bitboard::DARK_SQUARES
        } else if bishops.is_subset(Bitboard::LIGHT_SQUARES) {
            Bitboard::CORNERS & Bitboard::LIGHT_SQUARES
        } else {
            Bitboard::CORNERS
        };
        let mut uncovers = Bitboard::EMPTY;
        if winner_moves {
            let straight = rook_attacks(prey, Bitboard::EMPTY) & (board.rooks() | board.queens());
            let diagonal = bishop_attacks(prey, Bitboard::EMPTY) & (board.bishops() | board.queens());
            for slider in (straight | diagonal) & own {
                let blockers = between(slider, prey) & occupied;
                if blockers.count() == 1 {
                    uncovers |= blockers & own;
                }
            }
        }
        let phase = (2 - place(prey).min(2)) * 4 + [0, 1, 2, 2, 3, 3, 3, 3, 3][flights.count()];
        Self {
            winner,
            winner_moves,
            class,
            prey,
            king,
            occupied,
            loser,
            loser_pawns: board.pawns() & loser,
            zone,
            flights,
            attacked_by_winner,
            attacked_by_loser,
            way: Bitboard(front((board.pawns() & own).0, winner)),
            uncovers,
            phase,
            last,
            corners,
            rook_near: Bitboard(ROOK_NEAR[prey as usize]),
            bishop_near: Bitboard(BISHOP_NEAR[prey as usize]),
        }
    }

    /// What a man attacks of the loser's king and the squares beside him; of other squares it may leave out some.
    fn touches(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        let straight = |square| {
            if self.rook_near.contains(square) { rook_attacks(square, occupied) } else { Bitboard::EMPTY }
        };
        let diagonal = |square| {
            if self.bishop_near.contains(square) { bishop_attacks(square, occupied) } else { Bitboard::EMPTY }
        };
        match role {
            Role::Pawn => pawn_attacks(self.winner, square),
            Role::Knight => knight_attacks(square),
            Role::Bishop => diagonal(square),
            Role::Rook => straight(square),
            Role::Queen => diagonal(square) | straight(square),
            Role::King => king_attacks(square),
        }
    }

    fn origin(&self, square: Square, role: Role) -> Origin {
        let occupied = self.occupied.without(square).without(self.prey);
        let (target, covered) = if self.winner_moves {
            (self.prey, self.touches(role, square, self.occupied) & self.zone & !self.loser)
        } else {
            (if role == Role::King { self.king } else { self.prey }, Bitboard::EMPTY)
        };
        Origin {
            square,
            distance: distance(square, target),
            covered,
            beside: self.zone.contains(square).into(),
            attacked: self.attacked_by_winner.contains(square).into(),
            in_way: self.way.contains(square).into(),
            again: (self.last == Some(square)).into(),
            occupied,
        }
    }

    /// The score of each move, by the weights of its features.
    pub(super) fn scores(&self, moves: &[Move], weights: &Weights, mut take: impl FnMut(Move, i32)) {
        let (of_class, shared) = (weights.block(self.class), weights.block(SHARED));
        let weight = |block: &Block, place: u16| i32::from(block[usize::from(place) % block.len()]);
        self.features(moves, |played, features| {
            let Features { of_class: places, shared: place } = features;
            let sum: i32 = places.into_iter().map(|place| weight(of_class, place)).sum();
            take(played, sum + weight(shared, place));
        });
    }

    /// The features of each move.
    #[inline]
    pub(super) fn features(&self, moves: &[Move], mut take: impl FnMut(Move, Features)) {
        let Some(mut origin) = moves.first().and_then(|first| Some(self.origin(first.from()?, first.role())))
        else {
            return;
        };
        for &played in moves {
            let Some(from) = played.from() else { continue };
            if from != origin.square {
                origin = self.origin(from, played.role());
            }
            let features = if self.winner_moves {
                self.of_winner(&origin, played)
            } else {
                self.of_loser(&origin, played)
            };
            take(played, features);
        }
    }

    #[inline]
    fn of_winner(&self, origin: &Origin, played: Move) -> Features {
        let Played { role, to, capture, promotion, now } = Played::new(played);
        let touched = self.touches(now, to, origin.occupied);
        let uncovered = self.uncovers.contains(origin.square) && !ray(self.prey, origin.square).contains(to);
        let check = usize::from(uncovered || touched.contains(self.prey));
        let attacked = usize::from(self.attacked_by_loser.contains(to));
        let closed = (touched & self.flights).count();
        let (newly, left) = (closed.min(3), (self.flights.count() - closed).min(4));
        let opened = (origin.covered & !touched).count().min(3);
        let after = distance(to, self.prey);
        let pawn = if role == role_index(Role::Pawn) {
            let rank = self.winner.fold_wb(to.rank() as usize, 7 - to.rank() as usize);
            let ahead = Bitboard(front(Bitboard::from(to).0, self.winner));
            let blocked = usize::from((ahead & self.occupied).any());
            of_class::PAWN + (rank * 2 + blocked) * 2 + usize::from((ahead & self.loser_pawns).any())
        } else {
            UNUSED.into()
        };
        let of_class = [
            of_class::CHECK + ((role * 2 + check) * 2 + attacked) * 5 + left,
            of_class::COVER + (role * 4 + newly) * 4 + opened,
            of_class::CAPTURE + capture * 5 + promotion,
            of_class::DISTANCE + (role * 8 + after) * 3 + approach(origin.distance, after),
            of_class::WAY + role * 4 + origin.in_way * 2 + usize::from(self.way.contains(to)),
            of_class::AGAIN + (6 + role) * 2 + origin.again,
            pawn,
        ];
        let shared = shared::WINNER + ((self.phase * 6 + role) * 2 + check) * 4 + newly;
        Features { of_class: of_class.map(|place| place as u16), shared: shared as u16 }
    }

    #[inline]
    fn of_loser(&self, origin: &Origin, played: Move) -> Features {
        let Played { role, to, capture, promotion, now } = Played::new(played);
        let check = usize::from(self.checks_winner(now, to));
        let (first, second, shared) = if role == role_index(Role::King) {
            let flights = if self.class < 9 {
                let open = !self.loser.without(origin.square) & !self.attacked_by_winner;
                (king_attacks(to) & open).count()
            } else {
                self.corners.into_iter().map(|corner| distance(corner, to)).min().unwrap_or(0)
            };
            let (place, nearer) = (place(to), approach(origin.distance, distance(to, self.king)));
            let first = of_class::KING + (flights * 4 + place) * 3 + nearer;
            (first, UNUSED.into(), shared::KING + self.phase * 12 + place * 3 + nearer)
        } else {
            let fills = usize::from(self.flights.contains(to)) * 2 + origin.beside;
            let after = distance(to, self.prey);
            let far = (role * 8 + after) * 3 + approach(origin.distance, after);
            let shared = shared::FILL + (self.phase * 6 + role) * 4 + fills;
            (of_class::FILL + role * 4 + fills, of_class::LOSER_DISTANCE + far, shared)
        };
        let attacked = usize::from(self.attacked_by_winner.contains(to));
        let of_class = [
            first,
            second,
            of_class::LOSER_CAPTURE + capture * 2 + check,
            if promotion == 0 { UNUSED.into() } else { of_class::LOSER_PROMOTION + promotion },
            of_class::ATTACKED + role * 4 + attacked * 2 + origin.attacked,
            of_class::LOSER_WAY + role * 4 + origin.in_way * 2 + usize::from(self.way.contains(to)),
            of_class::AGAIN + role * 2 + origin.again,
        ];
        Features { of_class: of_class.map(|place| place as u16), shared: shared as u16 }
    }

    /// Whether a man of the loser attacks the winner's king.
    fn checks_winner(&self, role: Role, square: Square) -> bool {
        let king = self.king;
        let straight = || king.file() == square.file() || king.rank() == square.rank();
        let diagonal = || {
            let (files, ranks) = (king.file().distance(square.file()), king.rank().distance(square.rank()));
            files == ranks
        };
        let open = || (between(king, square) & self.occupied).is_empty();
        match role {
            Role::Pawn => pawn_attacks(!self.winner, square).contains(king),
            Role::Knight => knight_attacks(square).contains(king),
            Role::Bishop => diagonal() && open(),
            Role::Rook => straight() && open(),
            Role::Queen => (straight() || diagonal()) && open(),
            Role::King => false,
        }
    }
}

/// A move in numbers.
struct Played {
    role: usize,
    /// Where the man stands after it.
    to: Square,
    /// 0 none, 1 a pawn, to 6.
    capture: usize,
    /// 0 none, 1 a knight, to 4.
    promotion: usize,
    now: Role,
}

impl Played {
    #[inline]
    fn new(played: Move) -> Self {
        let role = played.role();
        let to = match played {
            Move::Castle { king, rook } => Square::from_coords(
                if rook > king { shakmaty::File::G } else { shakmaty::File::C },
                king.rank(),
            ),
            _ => played.to(),
        };
        let promotion = played.promotion();
        Self {
            role: role_index(role),
            to,
            capture: played.capture().map_or(0, |role| role as usize),
            promotion: promotion.map_or(0, role_index),
            now: promotion.unwrap_or(role),
        }
    }
}
