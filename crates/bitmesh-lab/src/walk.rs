//! Legal play from a certified position, with every claim of the certificate held against it.

use std::fmt;

use bitmesh::persistent::{Conclusions, Mover, PersistentCertificate};
use bitmesh::shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingSide, Chess, Color, EnPassantMode, Move, MoveList,
    Position as _, Rank, Role, Square, attacks, fen::Fen,
};

use crate::random::Rng;

const EMPTY: u8 = 255;
const FROZEN: u8 = 254;

/// What a certificate claims, as the walker needs it.
#[derive(Clone, Debug)]
pub struct Ward {
    pub start: Chess,
    pub claims: Conclusions,
    frozen: Bitboard,
    movers: Vec<Mover>,
}

impl Ward {
    pub fn new(certificate: &PersistentCertificate) -> Self {
        let witness = certificate.proof().witness();
        Self {
            start: certificate.position().clone(),
            claims: certificate.claims(),
            frozen: witness.frozen(),
            movers: witness.movers().to_vec(),
        }
    }

    /// Whether there is anything that play could refute.
    pub fn claims_something(&self) -> bool {
        let Conclusions { unwinnable, .. } = self.claims;
        self.frozen.any() || self.claims.decomposed() || unwinnable.white || unwinnable.black
    }

    fn component(&self, owner: u8) -> Option<u8> {
        self.movers.get(usize::from(owner)).map(|mover| mover.component)
    }
}

/// A claim that legal play has refuted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Broken {
    FrozenMoved {
        square: Square,
    },
    FrozenCaptured {
        square: Square,
    },
    OutsideReach {
        mover: Square,
        role: Role,
        square: Square,
    },
    ComponentsMeet {
        first: Square,
        second: Square,
    },
    Check {
        color: Color,
    },
    EnPassant {
        square: Square,
    },
    Mate {
        winner: Color,
    },
    NotASum {
        component: u8,
        expected: Vec<Move>,
        found: Vec<Move>,
    },
    /// Not a claim, but the walker's book-keeping.
    Bookkeeping {
        square: Square,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FrozenMoved { square } => write!(f, "frozen piece on {square} moved"),
            Self::FrozenCaptured { square } => write!(f, "frozen piece on {square} was captured"),
            Self::OutsideReach { mover, role, square } => {
                write!(f, "piece that started on {mover} is a {role:?} on {square}, outside its reach")
            }
            Self::ComponentsMeet { first, second } => {
                write!(f, "pieces on {first} and {second} attack across components")
            }
            Self::Check { color } => write!(f, "{color:?} is in check"),
            Self::EnPassant { square } => write!(f, "en passant on {square} is legal"),
            Self::Mate { winner } => write!(f, "{winner:?} has given mate"),
            Self::NotASum { component, expected, found } => {
                write!(f, "component {component} alone has {expected:?}, the position has {found:?}")
            }
            Self::Bookkeeping { square } => write!(f, "walker lost the piece on {square}"),
        }
    }
}

/// A refuted claim with the way to it.
#[derive(Clone, Debug)]
pub struct Violation {
    pub broken: Broken,
    pub start: Box<Chess>,
    pub line: Vec<Move>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut position = (*self.start).clone();
        let mode = position.castles().mode();
        writeln!(f, "violation: {}", self.broken)?;
        writeln!(f, "position: {}", Fen::from_position(&position, EnPassantMode::Legal))?;
        write!(f, "line:")?;
        for &played in &self.line {
            write!(f, " {}", played.to_uci(mode))?;
            position.play_unchecked(played);
        }
        write!(f, "\nreached: {}", Fen::from_position(&position, EnPassantMode::Legal))
    }
}

/// A position in which every piece is known by where it started.
#[derive(Clone, Debug)]
pub struct Walk {
    pub position: Chess,
    owner: [u8; 64],
}

impl Walk {
    pub fn start(ward: &Ward) -> Self {
        let mut owner = [EMPTY; 64];
        for square in ward.frozen {
            owner[usize::from(square)] = FROZEN;
        }
        for (index, mover) in ward.movers.iter().enumerate() {
            owner[usize::from(mover.square)] = index as u8;
        }
        Self { position: ward.start.clone(), owner }
    }

    /// The component of the mover on a square.
    pub fn component(&self, ward: &Ward, square: Square) -> Option<u8> {
        ward.component(self.owner[usize::from(square)])
    }

    fn lift(&mut self, square: Square) -> u8 {
        core::mem::replace(&mut self.owner[usize::from(square)], EMPTY)
    }

    fn lay(&mut self, square: Square, owner: u8) {
        self.owner[usize::from(square)] = owner;
    }

    /// Plays a legal move and holds the claims against where the pieces have come.
    pub fn play(&mut self, ward: &Ward, played: Move) -> Result<(), Broken> {
        let turn = self.position.turn();
        let arrivals = match played {
            Move::Normal { from, to, capture, .. } => {
                self.take(to, capture.is_some())?;
                self.shift(from, to)?;
                [Some(to), None]
            }
            Move::EnPassant { from, to } => {
                self.take(Square::from_coords(to.file(), from.rank()), true)?;
                self.shift(from, to)?;
                [Some(to), None]
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                let (king_owner, rook_owner) = (self.lift(king), self.lift(rook));
                if king_owner >= FROZEN {
                    return Err(Broken::FrozenMoved { square: king });
                }
                if rook_owner >= FROZEN {
                    return Err(Broken::FrozenMoved { square: rook });
                }
                self.lay(side.king_to(turn), king_owner);
                self.lay(side.rook_to(turn), rook_owner);
                [Some(side.king_to(turn)), Some(side.rook_to(turn))]
            }
            Move::Put { to, .. } => return Err(Broken::Bookkeeping { square: to }),
        };
        self.position.play_unchecked(played);
        arrivals.into_iter().flatten().try_for_each(|square| self.inspect(ward, square))
    }

    fn take(&mut self, square: Square, capture: bool) -> Result<(), Broken> {
        match (self.lift(square), capture) {
            (FROZEN, _) => Err(Broken::FrozenCaptured { square }),
            (EMPTY, true) | (0..FROZEN, false) => Err(Broken::Bookkeeping { square }),
            _ => Ok(()),
        }
    }

    fn shift(&mut self, from: Square, to: Square) -> Result<(), Broken> {
        match self.lift(from) {
            FROZEN => Err(Broken::FrozenMoved { square: from }),
            EMPTY => Err(Broken::Bookkeeping { square: from }),
            owner => {
                self.lay(to, owner);
                Ok(())
            }
        }
    }

    /// The claims about one piece where it stands: its reach, and the other components.
    fn inspect(&self, ward: &Ward, square: Square) -> Result<(), Broken> {
        let board = self.position.board();
        let owner = self.owner[usize::from(square)];
        let (Some(piece), Some(mover)) = (board.piece_at(square), ward.movers.get(usize::from(owner))) else {
            return Err(Broken::Bookkeeping { square });
        };
        if !mover.reach.get(piece.role).contains(square) {
            return Err(Broken::OutsideReach { mover: mover.square, role: piece.role, square });
        }
        if ward.claims.decomposed() {
            // Attacks as the definition means them: only frozen pieces block lines.
            let mut met = attacks::attacks(square, piece, ward.frozen) & board.occupied();
            for color in Color::ALL {
                met |= board.attacks_to(square, color, ward.frozen);
            }
            for other in met & !ward.frozen {
                if ward.component(self.owner[usize::from(other)]) != Some(mover.component) {
                    return Err(Broken::ComponentsMeet { first: square, second: other });
                }
            }
        }
        Ok(())
    }

    /// All claims about the position as it is. `moves` are its legal moves.
    pub fn settle(&self, ward: &Ward, moves: &MoveList) -> Result<(), Broken> {
        let turn = self.position.turn();
        let check = self.position.is_check();
        if check && !ward.claims.coupling.checks().get(turn) {
            return Err(Broken::Check { color: turn });
        }
        if check && moves.is_empty() && *ward.claims.unwinnable.get(!turn) {
            return Err(Broken::Mate { winner: !turn });
        }
        if !ward.claims.coupling.en_passant()
            && let Some(square) = self.position.legal_ep_square()
        {
            return Err(Broken::EnPassant { square });
        }
        Ok(())
    }

    /// That the legal moves are the disjoint union of those that each component has on
    /// a board with nothing but itself and the frozen pieces; in check, only the component that gives it has any.
    pub fn compare_sum(&self, ward: &Ward, moves: &MoveList) -> Result<(), Broken> {
        let movers = &ward.movers;
        let checkers = self.position.checkers();
        let mut left = moves.len();
        for component in 0..ward.claims.components {
            let mut members = Bitboard::EMPTY;
            for square in self.position.board().occupied() & !ward.frozen {
                let owner = usize::from(self.owner[usize::from(square)]);
                if movers.get(owner).is_some_and(|mover| mover.component == component) {
                    members.add(square);
                }
            }
            let mut alone = moves_alone(&self.position, members, ward.frozen);
            if !checkers.is_subset(members | ward.frozen) {
                // A check from elsewhere: nothing here can stop it.
                alone.clear();
            }
            let found: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|played| played.from().is_some_and(|from| members.contains(from)))
                .collect();
            left -= found.len();
            if alone.len() != found.len() || alone.iter().any(|played| !found.contains(played)) {
                return Err(Broken::NotASum { component, expected: alone, found });
            }
        }
        if left != 0 {
            // The rest belongs to no component.
            let frozen =
                moves.iter().filter_map(|played| played.from()).find(|&from| ward.frozen.contains(from));
            return Err(Broken::FrozenMoved { square: frozen.unwrap_or(Square::A1) });
        }
        Ok(())
    }
}

/// The moves that the side to move has with some of its pieces when only these and the frozen ones
/// stand on the board: a separate move generator, slow and plain.
fn moves_alone(position: &Chess, members: Bitboard, frozen: Bitboard) -> Vec<Move> {
    let turn = position.turn();
    let (roles, colors) = position.board().clone().into_bitboards();
    let stage = members | frozen;
    let roles = ByRole::new_with(|role| *roles.get(role) & stage);
    let colors = ByColor::new_with(|color| *colors.get(color) & stage);
    let Ok(board) = Board::try_from_bitboards(roles, colors) else { return Vec::new() };
    let king = board.king_of(turn);
    if king.is_none() && position.is_check() {
        return Vec::new();
    }

    let occupied = board.occupied();
    let mut moves = Vec::new();
    for from in board.by_color(turn) & members {
        let Some(piece) = board.piece_at(from) else { continue };
        let mut normal = |to: Square, promotion| {
            moves.push(Move::Normal { role: piece.role, from, capture: board.role_at(to), to, promotion });
        };
        if piece.role != Role::Pawn {
            for to in attacks::attacks(from, piece, occupied) & !board.by_color(turn) {
                normal(to, None);
            }
            continue;
        }
        let mut advance = |to: Square| {
            if to.rank() == turn.relative_rank(Rank::Eighth) {
                for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                    normal(to, Some(role));
                }
            } else {
                normal(to, None);
            }
        };
        let forward = turn.fold_wb(8, -8);
        if let Some(to) = from.offset(forward).filter(|&to| !occupied.contains(to)) {
            advance(to);
            if from.rank() == turn.relative_rank(Rank::Second)
                && let Some(to) = to.offset(forward).filter(|&to| !occupied.contains(to))
            {
                advance(to);
            }
        }
        for to in attacks::pawn_attacks(turn, from) & board.by_color(!turn) {
            advance(to);
        }
        if let Some(to) = position.maybe_ep_square() {
            let victim = Square::from_coords(to.file(), from.rank());
            if attacks::pawn_attacks(turn, from).contains(to)
                && board.by_piece((!turn).pawn()).contains(victim)
            {
                moves.push(Move::EnPassant { from, to });
            }
        }
    }
    if let Some(king) = king {
        moves.retain(|&played| is_safe(&board, turn, king, played));
        castle(position, &board, king, &mut moves);
    }
    moves
}

fn is_safe(board: &Board, turn: Color, king: Square, played: Move) -> bool {
    let mut after = board.clone();
    let mut king = king;
    match played {
        Move::Normal { from, to, .. } => {
            if let Some(piece) = after.remove_piece_at(from) {
                after.set_piece_at(to, piece);
            }
            if from == king {
                king = to;
            }
        }
        Move::EnPassant { from, to } => {
            after.discard_piece_at(from);
            after.discard_piece_at(Square::from_coords(to.file(), from.rank()));
            after.set_piece_at(to, turn.pawn());
        }
        Move::Castle { .. } | Move::Put { .. } => return false,
    }
    after.attacks_to(king, !turn, after.occupied()).is_empty()
}

fn castle(position: &Chess, board: &Board, king: Square, moves: &mut Vec<Move>) {
    let turn = position.turn();
    for side in CastlingSide::ALL {
        let Some(rook) = position.castles().rook(turn, side) else { continue };
        if !board.by_piece(turn.rook()).contains(rook) {
            continue;
        }
        let (king_to, rook_to) = (side.king_to(turn), side.rook_to(turn));
        let others = board.occupied().without(king).without(rook);
        let king_way = (attacks::between(king, king_to)).with(king).with(king_to);
        let way = king_way | attacks::between(rook, rook_to).with(rook_to);
        let attacked = |square| board.attacks_to(square, !turn, board.occupied().without(king)).any();
        let lands_in_check = board.attacks_to(king_to, !turn, others.with(rook_to)).any();
        if (way & others).is_empty()
            && !king_way.without(king_to).into_iter().any(attacked)
            && !lands_in_check
        {
            moves.push(Move::Castle { king, rook });
        }
    }
}

/// How moves are chosen in a playout.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Policy {
    Uniform,
    /// Captures, promotions, en passant, double steps that allow it, castling.
    Wild,
    /// Both sides work towards mate by this colour.
    Helpmate(Color),
    /// Kings walk to where the board is crowded.
    March,
}

impl Policy {
    pub fn random(rng: &mut Rng) -> Self {
        match rng.below(8) {
            0 => Self::Uniform,
            1..=3 => Self::Wild,
            4 => Self::March,
            5 => Self::Helpmate(Color::White),
            6 => Self::Helpmate(Color::Black),
            _ => Self::Wild,
        }
    }

    /// One of the legal moves, of which there is at least one.
    pub fn choose(self, position: &Chess, moves: &MoveList, rng: &mut Rng) -> Move {
        if self == Self::Uniform || rng.one_in(6) {
            return moves[rng.below(moves.len())];
        }
        let weights: Vec<u32> = moves.iter().map(|&played| self.weight(position, played, rng)).collect();
        moves[rng.weighted(&weights)]
    }

    fn weight(self, position: &Chess, played: Move, rng: &mut Rng) -> u32 {
        let board = position.board();
        match self {
            Self::Uniform => 1,
            Self::Wild => {
                let mut weight = 1;
                if played.is_capture() {
                    weight += 7;
                }
                if played.is_promotion() {
                    weight += 6;
                }
                if played.is_en_passant() {
                    weight += 100;
                }
                if played.is_castle() {
                    weight += 20;
                }
                if played.role() == Role::Pawn {
                    weight += 2;
                    if let Some(from) = played.from() {
                        let steps = (i32::from(from) - i32::from(played.to())).abs();
                        let beside = attacks::king_attacks(played.to())
                            & Bitboard::from_rank(played.to().rank())
                            & board.by_piece((!position.turn()).pawn());
                        if steps == 16 && beside.any() {
                            weight += 40;
                        }
                    }
                }
                weight
            }
            Self::March => {
                if played.role() == Role::King {
                    2 + 3 * (attacks::king_attacks(played.to()) & board.occupied()).count() as u32
                } else {
                    1
                }
            }
            Self::Helpmate(winner) => {
                let mut after = position.clone();
                after.play_unchecked(played);
                let near = 8 - mating_distance(&after, winner).min(8);
                // Steep, so that most of the weight is on the best few.
                1 + (near * near * near) / (1 + rng.below(3) as u32)
            }
        }
    }
}

/// How far from mate by `winner` a position looks: the free flights of the other king and whether he is in check.
pub fn mating_distance(position: &Chess, winner: Color) -> u32 {
    let board = position.board();
    let Some(king) = board.king_of(!winner) else { return 8 };
    let occupied = board.occupied().without(king);
    let around = attacks::king_attacks(king) & !board.by_color(!winner);
    let flights = around.into_iter().filter(|&flight| board.attacks_to(flight, winner, occupied).is_empty());
    let check = board.attacks_to(king, winner, board.occupied()).any();
    flights.count() as u32 + u32::from(!check)
}

/// What a playout has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trip {
    pub plies: u64,
    pub captures: u64,
    pub promotions: u64,
    pub en_passant: u64,
    pub castlings: u64,
    pub checks: u64,
    pub sums: u64,
    pub mates: u64,
}

/// One random game of at most `plies` moves, checked after each.
pub fn playout(ward: &Ward, plies: usize, rng: &mut Rng) -> Result<Trip, Violation> {
    let mut walk = Walk::start(ward);
    let mut line = Vec::new();
    let mut trip = Trip::default();
    let mut policy = Policy::random(rng);
    let violation = |broken, line: &[Move]| Violation {
        broken,
        start: Box::new(ward.start.clone()),
        line: line.to_vec(),
    };
    loop {
        let moves = walk.position.legal_moves();
        walk.settle(ward, &moves).map_err(|broken| violation(broken, &line))?;
        if ward.claims.decomposed() && (line.is_empty() || rng.one_in(4)) {
            trip.sums += 1;
            walk.compare_sum(ward, &moves).map_err(|broken| violation(broken, &line))?;
        }
        let check = walk.position.is_check();
        trip.checks += u64::from(check);
        if moves.is_empty() {
            trip.mates += u64::from(check);
            return Ok(trip);
        }
        if line.len() >= plies {
            return Ok(trip);
        }
        if rng.one_in(24) {
            policy = Policy::random(rng);
        }
        let played = policy.choose(&walk.position, &moves, rng);
        line.push(played);
        trip.plies += 1;
        trip.captures += u64::from(played.is_capture());
        trip.promotions += u64::from(played.is_promotion());
        trip.en_passant += u64::from(played.is_en_passant());
        trip.castlings += u64::from(played.is_castle());
        walk.play(ward, played).map_err(|broken| violation(broken, &line))?;
    }
}
