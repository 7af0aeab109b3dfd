//! The judge of a certificate: rules and conclusions of permanent independence a second time, square by square.

use std::collections::{HashMap, VecDeque};

use bitmesh::persistent::PersistentCertificate;
use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{
    Bitboard, ByColor, CastlingSide, Chess, Color, EnPassantMode, Piece, Position as _, Rank, Role, Square,
    attacks,
};

use crate::parts::{Growth, Part, Parts};
use crate::rules::{
    Reach, Slip, attacked, breakers, close, en_passant, guarded, largest_frozen, piece_at, union,
};
use crate::stopping;

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

/// Why a certificate is not a proof by the definition.
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
        stopping::keeps_rules(position, frozen, parts.stoppers, &reaches)
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

/// Whether each square can have a different blocker, by trying all ways.
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
