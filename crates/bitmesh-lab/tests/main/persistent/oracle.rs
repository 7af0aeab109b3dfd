//! The rules once more, square by square, as they stand in the handbook. Slow, and written without a look at the library.

use std::collections::BTreeMap;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingSide, Chess, Color, EnPassantMode, Piece, Position as _, Role,
    Square, attacks,
};

pub(super) type Reaches = BTreeMap<Square, ByRole<Bitboard>>;

pub(super) struct Naive {
    pub(super) frozen: Bitboard,
    pub(super) reaches: Reaches,
}

fn front(color: Color, square: Square) -> Option<Square> {
    square.offset(color.fold_wb(8, -8))
}

fn union(reach: &ByRole<Bitboard>) -> Bitboard {
    Role::ALL.into_iter().fold(Bitboard::EMPTY, |all, role| all | *reach.get(role))
}

/// Every square attacked from any square of the reach, with only the frozen pieces in the way.
fn attack(color: Color, reach: &ByRole<Bitboard>, frozen: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for role in Role::ALL {
        for square in *reach.get(role) {
            all |= attacks::attacks(square, Piece { color, role }, frozen);
        }
    }
    all
}

/// What the frozen pieces attack whatever stands elsewhere: of a line, the first square.
fn guarded(board: &Board, frozen: Bitboard, color: Color) -> Bitboard {
    (frozen & board.by_color(color))
        .into_iter()
        .filter_map(|square| Some(attacks::attacks(square, board.piece_at(square)?, Bitboard::FULL)))
        .fold(Bitboard::EMPTY, |all, attacked| all | attacked)
}

fn prey(board: &Board, reaches: &Reaches, of: Color) -> Bitboard {
    reaches
        .iter()
        .filter(|(square, _)| board.piece_at(**square).is_some_and(|p| p.color == of && p.role != Role::King))
        .fold(Bitboard::EMPTY, |all, (_, reach)| all | union(reach))
}

fn castlings(position: &Chess, frozen: Bitboard) -> Vec<(Square, Square, Square, Square)> {
    let mut found = Vec::new();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let (Some(king), Some(rook)) =
                (position.board().king_of(color), position.castles().rook(color, side))
                && (position.castles().path(color, side) & frozen).is_empty()
            {
                found.push((king, side.king_to(color), rook, side.rook_to(color)));
            }
        }
    }
    found
}

/// Everything that the rules 1 to 4 demand beyond the reaches as they are.
fn demanded(position: &Chess, frozen: Bitboard, reaches: &Reaches) -> Vec<(Square, Role, Square)> {
    let board = position.board();
    let mut demands = Vec::new();
    let preys = ByColor::new_with(|color| prey(board, reaches, color));
    let guards = ByColor::new_with(|color| guarded(board, frozen, color));
    let mut demand = |mover: Square, role: Role, square: Square| {
        if !reaches[&mover].get(role).contains(square) {
            demands.push((mover, role, square));
        }
    };
    for (&mover, reach) in reaches {
        let Some(piece) = board.piece_at(mover) else { continue };
        demand(mover, piece.role, mover);
        let barred = if piece.role == Role::King { *guards.get(!piece.color) } else { Bitboard::EMPTY };
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for from in *reach.get(role) {
                for to in attacks::attacks(from, role.of(piece.color), frozen)
                    & !frozen
                    & !barred
                    & !*reach.get(role)
                {
                    demand(mover, role, to);
                }
            }
        }
        let prey = *preys.get(!piece.color);
        for from in reach.pawn {
            if let Some(to) = front(piece.color, from)
                && !frozen.contains(to)
            {
                demand(mover, Role::Pawn, to);
            }
            for to in attacks::pawn_attacks(piece.color, from) & prey & !frozen {
                demand(mover, Role::Pawn, to);
            }
            if Bitboard::BACKRANKS.contains(from) {
                for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                    demand(mover, role, from);
                }
            }
        }
        if piece == position.turn().pawn()
            && let Some(to) = position.ep_square(EnPassantMode::Legal)
            && attacks::pawn_attacks(piece.color, mover).contains(to)
        {
            demand(mover, Role::Pawn, to);
        }
    }
    for (king, king_to, rook, rook_to) in castlings(position, frozen) {
        demand(king, Role::King, king_to);
        demand(rook, Role::Rook, rook_to);
    }
    demands
}

/// The frozen pieces that break one of the rules 5 to 8, or may not be frozen at all.
fn broken(position: &Chess, frozen: Bitboard, reaches: &Reaches) -> Bitboard {
    let board = position.board();
    let ep = position.ep_square(EnPassantMode::Legal);
    let preys = ByColor::new_with(|color| prey(board, reaches, color));
    let attacks_of: Vec<(Piece, Bitboard)> = reaches
        .iter()
        .filter_map(|(mover, reach)| board.piece_at(*mover).map(|piece| (piece, reach)))
        .map(|(piece, reach)| (piece, attack(piece.color, reach, frozen)))
        .collect();
    let mut broken = Bitboard::EMPTY;
    for square in frozen {
        let Some(piece) = board.piece_at(square) else {
            broken.add(square);
            continue;
        };
        let own = frozen & board.by_color(piece.color);
        let enemies = frozen & board.by_color(!piece.color);
        let mut bad = position.castles().castling_rights().contains(square);
        if piece.role == Role::Pawn {
            let targets = attacks::pawn_attacks(piece.color, square);
            bad |= front(piece.color, square).is_none_or(|front| !frozen.contains(front));
            bad |= (targets & enemies).any() || (targets & *preys.get(!piece.color)).any();
            bad |= ep.is_some_and(|ep| piece.color == position.turn() && targets.contains(ep));
            bad |= ep.is_some_and(|ep| {
                piece.color != position.turn() && front(!position.turn(), ep) == Some(square)
            });
        } else if piece.role == Role::King {
            let barred = guarded(board, frozen, !piece.color);
            bad |= position.castles().has_color(piece.color);
            bad |= !attacks::king_attacks(square).is_subset(own | barred);
        } else {
            bad |= !attacks::attacks(square, piece, frozen).is_subset(own);
        }
        for (other, attacked) in &attacks_of {
            if other.color != piece.color && piece.role != Role::King && attacked.contains(square) {
                bad |= other.role != Role::King || !guarded(board, frozen, piece.color).contains(square);
            }
        }
        if bad {
            broken.add(square);
        }
    }
    broken
}

/// Whether frozen pieces and reaches satisfy all eight rules.
pub(super) fn holds(position: &Chess, frozen: Bitboard, reaches: &Reaches) -> bool {
    let movers = position.board().occupied() & !frozen;
    reaches.keys().copied().collect::<Bitboard>() == movers
        && frozen.is_subset(position.board().occupied())
        && reaches.values().all(|reach| (union(reach) & frozen).is_empty())
        && broken(position, frozen, reaches).is_empty()
        && demanded(position, frozen, reaches).is_empty()
}

/// The greatest frozen set with the least reaches, from the definition. No king that a pawn attacks, and
/// none that may castle, is in it.
pub(super) fn greatest(position: &Chess) -> Naive {
    let board = position.board();
    let by_pawns = Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, color| {
        all | guarded(board, board.by_piece(color.pawn()), color) & board.by_color(!color)
    });
    let may_castle = position.castles().castling_rights();
    let mut frozen = board.occupied() & !(board.kings() & by_pawns) & !may_castle;
    for color in Color::ALL {
        if position.castles().has_color(color) {
            frozen &= !board.by_piece(color.king());
        }
    }
    loop {
        let mut reaches: Reaches =
            (board.occupied() & !frozen).into_iter().map(|square| (square, ByRole::default())).collect();
        loop {
            let demands = demanded(position, frozen, &reaches);
            if demands.is_empty() {
                break;
            }
            for (mover, role, square) in demands {
                if let Some(reach) = reaches.get_mut(&mover) {
                    reach.get_mut(role).add(square);
                }
            }
        }
        match broken(position, frozen, &reaches) {
            Bitboard::EMPTY => return Naive { frozen, reaches },
            broken => frozen &= !broken,
        }
    }
}

fn places(squares: &[Square], movers: &[Bitboard]) -> bool {
    let Some((&first, rest)) = squares.split_first() else { return true };
    (0..movers.len()).any(|index| {
        let mut others = movers.to_vec();
        others.remove(index).contains(first) && places(rest, &others)
    })
}

/// Who can never give mate, and whose king can never be in check.
pub(super) fn verdicts(position: &Chess, naive: &Naive) -> (ByColor<bool>, ByColor<bool>) {
    let (board, frozen) = (position.board(), naive.frozen);
    let mut unwinnable = ByColor::default();
    let mut safe = ByColor::default();
    for color in Color::ALL {
        let fixed = guarded(board, frozen, color);
        let frozen_king = |of: Color| frozen & board.by_piece(of.king());
        let (mut king, mut posts) = (frozen_king(!color), frozen_king(color));
        let (mut attackers, mut soldiers) = (Vec::new(), Vec::new());
        for (&square, reach) in &naive.reaches {
            match board.piece_at(square) {
                Some(piece) if piece.role == Role::King && piece.color == color => posts = union(reach),
                Some(piece) if piece.role == Role::King => king = union(reach),
                Some(piece) if piece.color == color => attackers.push((piece, *reach)),
                _ => soldiers.push(union(reach)),
            }
        }
        let all: Vec<Bitboard> =
            attackers.iter().map(|(piece, reach)| attack(piece.color, reach, frozen)).collect();
        let by_any = all.iter().fold(fixed, |any, attacked| any | *attacked);
        *safe.get_mut(!color) = (king & by_any).is_empty();

        // A mate on k, with all that is attacked by the checking piece and by the others.
        let mate = |k: Square, attacked: Bitboard| {
            posts.into_iter().any(|post| {
                let closed = attacked | attacks::king_attacks(post) | frozen & board.by_color(!color);
                let open = attacks::king_attacks(k) & !closed;
                let apart = post != k && !attacks::king_attacks(k).contains(post);
                apart && places(&open.into_iter().collect::<Vec<_>>(), &soldiers)
            })
        };
        let mating = |k: Square| {
            let by_checker = attackers.iter().enumerate().any(|(index, (piece, reach))| {
                let others = (0..all.len()).filter(|other| *other != index);
                let others = others.fold(fixed, |any, other| any | all[other]);
                if piece.role == Role::Pawn {
                    // Not followed square by square.
                    return all[index].contains(k) && mate(k, others | all[index]);
                }
                reach.get(piece.role).into_iter().any(|stand| {
                    let attacked = attacks::attacks(stand, *piece, frozen);
                    attacked.contains(k) && mate(k, others | attacked)
                })
            });
            by_checker || fixed.contains(k) && mate(k, by_any)
        };
        *unwinnable.get_mut(color) = !king.into_iter().any(mating);
    }
    (unwinnable, safe)
}

/// The classes of movers that can meet, by labels in the order of the lowest mover.
pub(super) fn components(position: &Chess, naive: &Naive) -> Vec<u8> {
    let board = position.board();
    let squares: Vec<Square> = naive.reaches.keys().copied().collect();
    let mut label: Vec<usize> = (0..squares.len()).collect();
    let rights = position.castles().castling_rights();
    for a in 0..squares.len() {
        for b in 0..squares.len() {
            let (one, two) = (&naive.reaches[&squares[a]], &naive.reaches[&squares[b]]);
            let (p, q) = (board.piece_at(squares[a]), board.piece_at(squares[b]));
            let (Some(p), Some(q)) = (p, q) else { continue };
            let castle = p.role == Role::King && p.color == q.color && rights.contains(squares[b]);
            let en_passant = position.ep_square(EnPassantMode::Legal).is_some_and(|ep| {
                p == position.turn().pawn()
                    && attacks::pawn_attacks(p.color, squares[a]).contains(ep)
                    && front(!p.color, ep) == Some(squares[b])
            });
            let meet = (union(one) & (union(two) | attack(q.color, two, naive.frozen))).any();
            if meet || castle || en_passant {
                let (from, to) = (label[b], label[a]);
                label.iter_mut().filter(|l| **l == from).for_each(|l| *l = to);
            }
        }
    }
    let mut order: Vec<usize> = Vec::new();
    label
        .iter()
        .map(|l| {
            let known = order.iter().position(|o| o == l);
            known.unwrap_or_else(|| {
                order.push(*l);
                order.len() - 1
            }) as u8
        })
        .collect()
}
