//! The rules and conclusions of permanent independence a second time, square by square.
//!
//! Written from the definition for readability only, with shakmaty's attack tables and none of the
//! library's code, so that a slip in the fast sets of either shows as a difference.

use std::collections::{HashMap, VecDeque};

use bitmesh::persistent::PersistentCertificate;
use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{
    Bitboard, ByColor, ByRole, CastlingSide, Chess, Color, EnPassantMode, Piece, Position as _, Rank, Role,
    Square, attacks,
};

use crate::forge::{Growth, Part, Parts};
use crate::stoppers;

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

type Reach = ByRole<Bitboard>;

const OFFICERS: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

pub fn union(reach: &Reach) -> Bitboard {
    Role::ALL.into_iter().fold(Bitboard::EMPTY, |all, role| all | *reach.get(role))
}

/// Everything attacked from a reach, in the role that the piece has on each square.
fn attacked(color: Color, reach: &Reach, frozen: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for role in Role::ALL {
        for square in *reach.get(role) {
            all |= attacks::attacks(square, Piece { color, role }, frozen);
        }
    }
    all
}

/// Whether a frozen piece of a colour attacks a square whatever stands elsewhere.
fn guarded(position: &Chess, frozen: Bitboard, color: Color, square: Square) -> bool {
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

fn meet(position: &Chess, frozen: Bitboard, first: &Part, second: &Part) -> bool {
    let attack = |part: &Part| attacked(piece_at(position, part.square).color, &part.reach, frozen);
    let (here, there) = (union(&first.reach), union(&second.reach));
    (here & there | here & attack(second) | attack(first) & there).any()
}

/// Whether two movers belong together: they can meet, castle together, or one can take the other en passant now.
fn bound(parts: &Parts, first: &Part, second: &Part, slip: Slip) -> bool {
    let squares = [first.square, second.square];
    let both = |one: Square, other: Square| squares == [one, other] || squares == [other, one];
    let castles = Color::ALL.into_iter().any(|color| {
        CastlingSide::ALL.into_iter().any(|side| {
            let king = parts.position.board().king_of(color);
            let rook = parts.position.castles().rook(color, side);
            king.is_some_and(|king| rook.is_some_and(|rook| both(king, rook)))
        })
    });
    let takes = en_passant(&parts.position, slip)
        .is_some_and(|(_, capturers, victim)| capturers.into_iter().any(|capturer| both(capturer, victim)));
    let stops = |stopper: &Part, pawn: &Part| {
        let color = piece_at(&parts.position, stopper.square).color;
        let front = stopper.square.offset(color.fold_wb(8, -8));
        parts.stoppers.contains(stopper.square)
            && piece_at(&parts.position, pawn.square).color != color
            && front.is_some_and(|front| pawn.reach.pawn.contains(front))
    };
    let stopped = stops(first, second) || stops(second, first);
    castles && slip != Slip::CastleTogether
        || stopped && slip != Slip::Meet
        || takes && slip != Slip::TakeEnPassant
        || slip != Slip::Meet && meet(&parts.position, parts.frozen, first, second)
}

/// A class for each mover, as fine as the reaches allow.
pub fn finest_components(parts: &Parts, slip: Slip) -> Vec<u8> {
    let count = parts.movers.len();
    let mut class: Vec<u8> = (0..count as u8).collect();
    for first in 0..count {
        for second in 0..first {
            if class[first] != class[second]
                && bound(parts, &parts.movers[first], &parts.movers[second], slip)
            {
                let (from, to) = (class[first], class[second]);
                for other in &mut class {
                    if *other == from {
                        *other = to;
                    }
                }
            }
        }
    }
    class
}

/// Why a certificate is no proof, as far as the definition says.
pub fn judge(parts: &Parts) -> Result<(), &'static str> {
    if parts.material {
        return judge_material(&parts.position, parts.unwinnable);
    }
    judge_witness(parts)?;
    for (index, first) in parts.movers.iter().enumerate() {
        for second in &parts.movers[..index] {
            if first.component != second.component && bound(parts, first, second, Slip::None) {
                return Err("components meet");
            }
        }
    }
    for color in Color::ALL {
        if !parts.checks.get(color) && checks(parts, color).any() {
            return Err("check possible");
        }
    }
    if !parts.en_passant && (en_passant(&parts.position, Slip::None).is_some() || en_passant_later(parts)) {
        return Err("en passant possible");
    }
    match &parts.expansion {
        None => judge_mates(parts),
        Some(growth) => judge_expansion(parts, growth),
    }
}

fn judge_mates(parts: &Parts) -> Result<(), &'static str> {
    let mate = |color| *parts.unwinnable.get(color) && mating_squares(parts, color, Slip::None).any();
    if Color::ALL.into_iter().any(mate) { Err("mate possible") } else { Ok(()) }
}

/// The form and the rules 1 to 8.
fn judge_witness(parts: &Parts) -> Result<(), &'static str> {
    let Parts { position, frozen, movers, .. } = parts;
    let (position, frozen) = (position, *frozen);
    let board = position.board();
    if !frozen.is_subset(board.occupied())
        || !(board.occupied() & !frozen).into_iter().eq(movers.iter().map(|part| part.square))
    {
        return Err("form");
    }
    for part in movers {
        let piece = piece_at(position, part.square);
        if !part.reach.get(piece.role).contains(part.square) {
            return Err("rule 1: start");
        }
        for role in Role::ALL {
            let possible = role == piece.role || piece.role == Role::Pawn && role != Role::King;
            if !possible && part.reach.get(role).any() {
                return Err("role");
            }
        }
        if (union(&part.reach) & frozen).any() {
            return Err("reach holds frozen");
        }
    }
    let reaches: Vec<(Square, Reach)> = movers.iter().map(|part| (part.square, part.reach)).collect();
    let closed = if parts.stoppers.is_empty() {
        reaches == close(position, frozen, reaches.clone(), Slip::None)
    } else {
        stoppers::keeps_rules(position, frozen, parts.stoppers, &reaches)
    };
    if !closed {
        return Err("rules 2 to 4 or 9: reach not closed, or a stopper is none");
    }
    if breakers(position, frozen, &reaches, Slip::None).any() {
        return Err("rules 5 to 8");
    }
    Ok(())
}

/// The lemmas on material, piece by piece.
fn judge_material(position: &Chess, unwinnable: ByColor<bool>) -> Result<(), &'static str> {
    let board = position.board();
    let men = |color: Color, role: Role| board.by_piece(Piece { color, role });
    for color in Color::ALL.into_iter().filter(|&color| *unwinnable.get(color)) {
        if position.legal_moves().is_empty() && position.is_check() && position.turn() != color {
            return Err("mate on the board");
        }
        let only = |color: Color, allowed: &[Role]| {
            Role::ALL.into_iter().all(|role| allowed.contains(&role) || men(color, role).is_empty())
        };
        let shades = [true, false].map(|light| board.bishops().into_iter().all(|at| at.is_light() == light));
        let bishops = only(color, &[Role::King, Role::Bishop])
            && only(!color, &[Role::King, Role::Bishop, Role::Rook, Role::Queen])
            && (shades[0] || shades[1]);
        let knight = only(color, &[Role::King, Role::Knight])
            && men(color, Role::Knight).count() == 1
            && only(!color, &[Role::King, Role::Queen]);
        if !bishops && !knight {
            return Err("material mates");
        }
    }
    Ok(())
}

/// The most positions that are walked: the largest that a certificate may claim.
const MOST: usize = 1 << 20;

/// What a position is remembered by: the text without counters, where the rights name the rooks.
fn name(position: &Chess) -> String {
    let text = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let rights = position.castles().castling_rights();
    text.split(' ').take(2).collect::<String>() + &format!("{:x} {:?}", rights.0, position.legal_ep_square())
}

/// The positions of an expansion in the order of their numbers, up to one more than it claims.
pub fn positions(parts: &Parts) -> Vec<Chess> {
    let Some(growth) = &parts.expansion else { return Vec::new() };
    let most = MOST.min(growth.nodes as usize + 64);
    let mut list = vec![parts.position.clone()];
    let mut numbers = HashMap::from([(name(&parts.position), 0usize)]);
    let mut waiting = VecDeque::from([0usize]);
    while let Some(number) = waiting.pop_front() {
        if growth.leaves.iter().any(|leaf| leaf.node as usize == number) {
            continue;
        }
        let position = list[number].clone();
        let mut moves = position.legal_moves().to_vec();
        moves.sort_by_key(|played| {
            let new_role = played.promotion().map_or(0, |role| match role {
                Role::Knight => 1,
                Role::Bishop => 2,
                Role::Rook => 3,
                _ => 4,
            });
            (played.from().map(u8::from), u8::from(played.to()), new_role)
        });
        for played in moves {
            let mut after = position.clone();
            after.play_unchecked(played);
            if list.len() > most {
                return list;
            }
            if let std::collections::hash_map::Entry::Vacant(e) = numbers.entry(name(&after)) {
                e.insert(list.len());
                waiting.push_back(list.len());
                list.push(after);
            }
        }
    }
    list
}

fn judge_expansion(parts: &Parts, growth: &Growth) -> Result<(), &'static str> {
    let list = positions(parts);
    if list.len() != growth.nodes as usize || list.len() > MOST {
        return Err("size of the expansion");
    }
    let mut previous = 0;
    for leaf in &growth.leaves {
        let Some(position) = list.get(leaf.node as usize).filter(|_| leaf.node > previous) else {
            return Err("leaf without a position");
        };
        previous = leaf.node;
        let here = Parts {
            position: position.clone(),
            material: leaf.material,
            frozen: leaf.frozen,
            stoppers: leaf.stoppers,
            movers: leaf.movers.clone(),
            expansion: None,
            ..parts.clone()
        };
        if here.material {
            judge_material(&here.position, here.unwinnable)?;
        } else {
            judge_witness(&here)?;
            judge_mates(&here)?;
        }
    }
    for (number, position) in list.iter().enumerate() {
        let leaf = growth.leaves.iter().any(|leaf| leaf.node as usize == number);
        if !leaf && position.is_checkmate() && *parts.unwinnable.get(!position.turn()) {
            return Err("mate in the expansion");
        }
    }
    Ok(())
}

/// Whether a certificate of one plain witness says exactly what the definition gives: what differs, if anything.
pub fn compare(certificate: &PersistentCertificate) -> Result<(), String> {
    let parts = Parts::of(certificate);
    judge(&parts).map_err(|rule| format!("oracle refuses the producer: {rule}"))?;
    let mut best = parts.clone();
    best.frozen = largest_frozen(&parts.position, Slip::None);
    best.regrow(Slip::None);
    if best.frozen != parts.frozen {
        return Err(format!("largest frozen set is {:?}", best.frozen));
    }
    if best.movers != parts.movers {
        return Err("reaches or components are not the least and finest".into());
    }
    let (checks, en_passant, unwinnable) = strongest(&parts, Slip::None);
    if unwinnable != parts.unwinnable {
        return Err(format!("oracle finds unwinnable {unwinnable:?}"));
    }
    if certificate.claims().decomposed() && (checks, en_passant) != (parts.checks, parts.en_passant) {
        return Err(format!("oracle finds checks {checks:?}, en passant {en_passant}"));
    }
    Ok(())
}

/// The finest claims that the reaches of a witness allow: checks, en passant, unwinnable.
pub fn strongest(parts: &Parts, slip: Slip) -> (ByColor<bool>, bool, ByColor<bool>) {
    let checks = ByColor::new_with(|color| slip != Slip::Check && checks(parts, color).any());
    let later = slip != Slip::EnPassantLater && en_passant_later(parts);
    let en_passant = en_passant(&parts.position, slip).is_some() || later;
    let unwinnable = ByColor::new_with(|color| mating_squares(parts, color, slip).is_empty());
    (checks, en_passant, unwinnable)
}

fn soldiers(parts: &Parts, color: Color) -> impl Iterator<Item = &Part> {
    parts.movers.iter().filter(move |part| {
        let piece = piece_at(&parts.position, part.square);
        piece.color == color && piece.role != Role::King
    })
}

fn king_reach(parts: &Parts, color: Color) -> Bitboard {
    let king = |part: &&Part| piece_at(&parts.position, part.square) == color.king();
    let frozen = parts.frozen & parts.position.board().by_piece(color.king());
    parts.movers.iter().find(king).map_or(frozen, |part| part.reach.king)
}

/// The squares of the king's reach that an enemy, mover or frozen, attacks.
fn checks(parts: &Parts, color: Color) -> Bitboard {
    let mut attack = Bitboard::EMPTY;
    for part in soldiers(parts, !color) {
        attack |= attacked(!color, &part.reach, parts.frozen);
    }
    let givers = parts.position.board().by_color(!color) & !parts.position.board().kings();
    for square in parts.frozen & givers {
        attack |= attacks::attacks(square, piece_at(&parts.position, square), parts.frozen);
    }
    attack & king_reach(parts, color)
}

fn en_passant_later(parts: &Parts) -> bool {
    Color::ALL.into_iter().any(|color| {
        soldiers(parts, color).any(|part| {
            let piece = piece_at(&parts.position, part.square);
            let forward = color.fold_wb(8, -8);
            let over = part.square.offset(forward);
            let beyond = over.and_then(|over| over.offset(forward));
            let (Some(over), Some(beyond)) = (over, beyond) else { return false };
            piece.role == Role::Pawn
                && part.square.rank() == color.relative_rank(Rank::Second)
                && !parts.frozen.contains(over)
                && !parts.frozen.contains(beyond)
                && soldiers(parts, !color).any(|enemy| {
                    let from = attacks::pawn_attacks(color, over);
                    (from & enemy.reach.pawn).any()
                })
        })
    })
}

/// The squares where the other king could be mated by `color` as far as the reaches tell:
/// one piece that gives check from one square, the king on one square, all others everywhere at once.
fn mating_squares(parts: &Parts, color: Color, slip: Slip) -> Bitboard {
    let frozen = parts.frozen;
    let board = parts.position.board();
    let mut blockers: Vec<Bitboard> = soldiers(parts, !color).map(|part| union(&part.reach)).collect();
    if slip == Slip::MateByBlocking {
        blockers.clear();
    }
    let mut found = Bitboard::EMPTY;
    let attacks_of: Vec<Bitboard> =
        soldiers(parts, color).map(|part| attacked(color, &part.reach, frozen)).collect();
    let everything = attacks_of.iter().fold(Bitboard::EMPTY, |all, &attack| all | attack);
    for king in checks(parts, !color) {
        // What the piece that gives check attacks, with what all the others do.
        let mut checkers = Vec::new();
        let pawns = frozen & board.by_piece(color.pawn());
        if (attacks::pawn_attacks(!color, king) & pawns).any() {
            checkers.push(everything);
        }
        for (index, part) in soldiers(parts, color).enumerate() {
            let others = attacks_of.iter().enumerate().filter(|&(other, _)| other != index);
            let others = others.fold(Bitboard::EMPTY, |all, (_, &attack)| all | attack);
            let piece = piece_at(&parts.position, part.square);
            if piece.role == Role::Pawn {
                if slip != Slip::MateByPawn && attacks_of[index].contains(king) {
                    checkers.push(everything);
                }
                continue;
            }
            for stand in *part.reach.get(piece.role) {
                let attack = attacks::attacks(stand, piece, frozen);
                if attack.contains(king) {
                    checkers.push(others | attack);
                }
            }
        }
        let around = attacks::king_attacks(king);
        let posts = king_reach(parts, color) & !around.with(king);
        let mate = checkers.into_iter().any(|attack| {
            posts.into_iter().any(|post| {
                let closed = |square: &Square| {
                    attack.contains(*square)
                        || slip != Slip::MateByKing && attacks::king_attacks(post).contains(*square)
                        || guarded(&parts.position, frozen, color, *square)
                        || (frozen & board.by_color(!color)).contains(*square)
                };
                let open: Vec<Square> = around.into_iter().filter(|square| !closed(square)).collect();
                can_stand(&open, &blockers, &mut vec![false; blockers.len()])
            })
        });
        if mate {
            found.add(king);
        }
    }
    found
}

/// Whether each square can have a blocker of its own, by trying all ways.
fn can_stand(squares: &[Square], blockers: &[Bitboard], used: &mut Vec<bool>) -> bool {
    let Some((first, rest)) = squares.split_first() else { return true };
    (0..blockers.len()).any(|index| {
        if used[index] || !blockers[index].contains(*first) {
            return false;
        }
        used[index] = true;
        let found = can_stand(rest, blockers, used);
        used[index] = false;
        found
    })
}
