//! The rules of layer 3 without stoppers, one square at a time, and what a forger may leave out of them.
//!
//! Written from the definition for readability only, with shakmaty's attack tables and none of the
//! library's code, so that a slip in the fast sets of either shows as a difference.

use bitmesh::shakmaty::{
    Bitboard, ByRole, CastlingSide, Chess, Color, Piece, Position as _, Rank, Role, Square, attacks,
};

/// A rule that a forger leaves out; the oracle itself leaves out none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Slip {
    None,
    Advance,
    PawnCapture,
    EnPassantMove,
    Promotion,
    Castling,
    KnightSteps,
    BishopSteps,
    KingSteps,
    FrozenPush,
    FrozenAttacksFrozen,
    FrozenPawnCaptures,
    FrozenPawnCapturesEnPassant,
    FrozenCapturedEnPassant,
    FrozenCaptured,
    FrozenCapturedByKing,
    FrozenOfficerMoves,
    FrozenKingMoves,
    FrozenKingCastles,
    FrozenRookCastles,
    Meet,
    CastleTogether,
    TakeEnPassant,
    Check,
    EnPassantLater,
    MateByKing,
    MateByBlocking,
    MateByPawn,
    /// The en-passant square of the position, altogether.
    EnPassant,
}

impl Slip {
    pub const ALL: [Self; 28] = [
        Self::Advance,
        Self::PawnCapture,
        Self::EnPassantMove,
        Self::Promotion,
        Self::Castling,
        Self::KnightSteps,
        Self::BishopSteps,
        Self::KingSteps,
        Self::FrozenPush,
        Self::FrozenAttacksFrozen,
        Self::FrozenPawnCaptures,
        Self::FrozenPawnCapturesEnPassant,
        Self::FrozenCapturedEnPassant,
        Self::FrozenCaptured,
        Self::FrozenCapturedByKing,
        Self::FrozenOfficerMoves,
        Self::FrozenKingMoves,
        Self::FrozenKingCastles,
        Self::FrozenRookCastles,
        Self::Meet,
        Self::CastleTogether,
        Self::TakeEnPassant,
        Self::Check,
        Self::EnPassantLater,
        Self::MateByKing,
        Self::MateByBlocking,
        Self::MateByPawn,
        Self::EnPassant,
    ];
}

pub type Reach = ByRole<Bitboard>;

const OFFICERS: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

pub fn union(reach: &Reach) -> Bitboard {
    Role::ALL.into_iter().fold(Bitboard::EMPTY, |all, role| all | *reach.get(role))
}

/// Everything attacked from a reach, in the role that the piece has on each square.
pub fn attacked(color: Color, reach: &Reach, frozen: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for role in Role::ALL {
        for square in *reach.get(role) {
            all |= attacks::attacks(square, Piece { color, role }, frozen);
        }
    }
    all
}

/// Whether a frozen piece of a colour attacks a square whatever stands elsewhere.
pub fn guarded(position: &Chess, frozen: Bitboard, color: Color, square: Square) -> bool {
    (frozen & position.board().by_color(color))
        .into_iter()
        .any(|guard| attacks::attacks(guard, piece_at(position, guard), Bitboard::FULL).contains(square))
}

pub fn piece_at(position: &Chess, square: Square) -> Piece {
    position.board().piece_at(square).unwrap_or(Color::White.pawn())
}

/// King, rook, their targets, for each castling that no frozen piece prevents.
pub fn castlings(position: &Chess, frozen: Bitboard) -> Vec<(Square, Square, Square, Square)> {
    let mut list = Vec::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let king = position.board().king_of(color);
            if let (Some(king), Some(rook)) = (king, position.castles().rook(color, side)) {
                let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
                let way = attacks::between(king, king_to).with(king_to)
                    | attacks::between(rook, rook_to).with(rook_to);
                if (way.without(king).without(rook) & frozen).is_empty() {
                    list.push((king, rook, king_to, rook_to));
                }
            }
        }
    }
    list
}

/// The en-passant square, when there is a legal capture, with the capturers and the victim.
pub fn en_passant(position: &Chess, slip: Slip) -> Option<(Square, Bitboard, Square)> {
    if slip == Slip::EnPassant {
        return None;
    }
    let square = position.legal_ep_square()?;
    let turn = position.turn();
    let victim = square.offset(turn.fold_wb(-8, 8))?;
    let capturers = attacks::pawn_attacks(!turn, square) & position.board().by_piece(turn.pawn());
    Some((square, capturers, victim))
}

/// The least reaches around a frozen set.
pub fn least_reaches(position: &Chess, frozen: Bitboard, slip: Slip) -> Vec<(Square, Reach)> {
    let movers = position.board().occupied() & !frozen;
    let seeds = movers.into_iter().map(|square| {
        let mut reach = ByRole::default();
        *reach.get_mut(piece_at(position, square).role) = Bitboard::from(square);
        (square, reach)
    });
    close(position, frozen, seeds.collect(), slip)
}

/// The least closed reaches that hold the given ones.
pub fn close(
    position: &Chess,
    frozen: Bitboard,
    mut reaches: Vec<(Square, Reach)>,
    slip: Slip,
) -> Vec<(Square, Reach)> {
    for (king, rook, king_to, rook_to) in castlings(position, frozen) {
        for (square, reach) in &mut reaches {
            if slip == Slip::Castling {
                continue;
            }
            if *square == king {
                reach.king.add(king_to);
            }
            if *square == rook {
                reach.rook.add(rook_to);
            }
        }
    }
    if let Some((target, capturers, _)) = en_passant(position, slip) {
        for (square, reach) in &mut reaches {
            if capturers.contains(*square) && slip != Slip::EnPassantMove {
                reach.pawn.add(target);
            }
        }
    }
    loop {
        let before = reaches.clone();
        for (square, reach) in &mut reaches {
            for (role, to) in exits(position, frozen, &before, *square, reach, slip) {
                reach.get_mut(role).add(to);
            }
        }
        if reaches == before {
            return reaches;
        }
    }
}

/// Where a piece can get from its reach in one move without its being in the reach (rules 2 and 3).
pub fn exits(
    position: &Chess,
    frozen: Bitboard,
    reaches: &[(Square, Reach)],
    start: Square,
    reach: &Reach,
    slip: Slip,
) -> Vec<(Role, Square)> {
    let color = piece_at(position, start).color;
    let mut missing = Vec::new();
    for role in OFFICERS {
        let left_out = match role {
            Role::Knight => Slip::KnightSteps,
            Role::Bishop => Slip::BishopSteps,
            Role::King => Slip::KingSteps,
            _ => Slip::None,
        };
        if slip == left_out && slip != Slip::None {
            continue;
        }
        for from in *reach.get(role) {
            for to in attacks::attacks(from, Piece { color, role }, frozen) & !frozen {
                let illegal = role == Role::King && guarded(position, frozen, !color, to);
                if !illegal && !reach.get(role).contains(to) {
                    missing.push((role, to));
                }
            }
        }
    }
    for from in reach.pawn {
        // No pawn is ever on its own first rank; a reach that says so is held to the same.
        if matches!(from.rank(), Rank::First | Rank::Eighth) && slip != Slip::Promotion {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                if !reach.get(role).contains(from) {
                    missing.push((role, from));
                }
            }
        }
        if let Some(to) = from.offset(color.fold_wb(8, -8))
            && !frozen.contains(to)
            && !reach.pawn.contains(to)
            && slip != Slip::Advance
        {
            missing.push((Role::Pawn, to));
        }
        for to in attacks::pawn_attacks(color, from) & !frozen {
            let prey = reaches.iter().any(|(other, theirs)| {
                let piece = piece_at(position, *other);
                piece.color != color && piece.role != Role::King && union(theirs).contains(to)
            });
            if prey && !reach.pawn.contains(to) && slip != Slip::PawnCapture {
                missing.push((Role::Pawn, to));
            }
        }
    }
    missing
}

/// The frozen pieces that break one of the rules 5 to 8.
pub fn breakers(position: &Chess, frozen: Bitboard, reaches: &[(Square, Reach)], slip: Slip) -> Bitboard {
    let board = position.board();
    let mut broken = Bitboard::EMPTY;
    for square in frozen {
        let piece = piece_at(position, square);
        let mut breaks = false;
        let mut breaks_if = |broken: bool, rule: Slip| breaks |= broken && slip != rule;
        breaks_if(position.castles().castling_rights().contains(square), Slip::FrozenRookCastles);
        if piece.role == Role::Pawn {
            let front = square.offset(piece.color.fold_wb(8, -8));
            breaks_if(front.is_none_or(|front| !frozen.contains(front)), Slip::FrozenPush);
            let diagonals = attacks::pawn_attacks(piece.color, square);
            let facing = frozen & board.by_color(!piece.color);
            breaks_if((diagonals & facing).any(), Slip::FrozenAttacksFrozen);
            let prey = reaches.iter().any(|(other, reach)| {
                let other = piece_at(position, *other);
                other.color != piece.color && other.role != Role::King && (diagonals & union(reach)).any()
            });
            breaks_if(prey, Slip::FrozenPawnCaptures);
        } else {
            let mut targets = attacks::attacks(square, piece, frozen);
            let mut rule = Slip::FrozenOfficerMoves;
            if piece.role == Role::King {
                breaks_if(position.castles().has_color(piece.color), Slip::FrozenKingCastles);
                rule = Slip::FrozenKingMoves;
                targets = targets
                    .into_iter()
                    .filter(|&target| !guarded(position, frozen, !piece.color, target))
                    .collect();
            }
            breaks_if(!targets.is_subset(frozen & board.by_color(piece.color)), rule);
        }
        if let Some((_, capturers, victim)) = en_passant(position, slip) {
            breaks_if(capturers.contains(square), Slip::FrozenPawnCapturesEnPassant);
            breaks_if(victim == square, Slip::FrozenCapturedEnPassant);
        }
        if piece.role != Role::King {
            for (other, reach) in reaches {
                let other = piece_at(position, *other);
                if other.color != piece.color && attacked(other.color, reach, frozen).contains(square) {
                    if other.role == Role::King {
                        let free = !guarded(position, frozen, piece.color, square);
                        breaks_if(free, Slip::FrozenCapturedByKing);
                    } else {
                        breaks_if(true, Slip::FrozenCaptured);
                    }
                }
            }
        }
        if breaks {
            broken.add(square);
        }
    }
    broken
}

/// What the procedure of the definition starts from.
pub fn start_of_frozen(position: &Chess) -> Bitboard {
    // Of a king and a pawn that attacks him the pawn is kept.
    let board = position.board();
    let mut frozen = board.occupied();
    for color in Color::ALL {
        if let Some(king) = board.king_of(color)
            && (attacks::pawn_attacks(color, king) & board.by_piece((!color).pawn())).any()
        {
            frozen.discard(king);
        }
    }
    frozen
}

/// The largest frozen set, by the procedure of the definition.
pub fn largest_frozen(position: &Chess, slip: Slip) -> Bitboard {
    let mut frozen = start_of_frozen(position);
    loop {
        let broken = breakers(position, frozen, &least_reaches(position, frozen, slip), slip);
        if broken.is_empty() {
            return frozen;
        }
        frozen &= !broken;
    }
}
