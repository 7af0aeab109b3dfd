//! The attack on stoppers: a second reading of rule 9, forgers who leave out one of its conditions, and play.
//!
//! The rule is written again in [`stopping`](crate::stopping), on top of the plain reading of the other rules and
//! with none of the library's code. What it calls a witness is played out with every piece known by where it
//! started, whether the checker accepts it or not: a forger's witness must be refused, and now and then play shows
//! why.

use std::fmt;

use bitmesh::persistent::{Bound, Proof};
use bitmesh::persistent::{PersistentCertificate, check, prove_unwinnable};
use bitmesh::shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position as _, Rank, Role, Setup, Square};

use crate::games::random_plies;
use crate::generate::{finish, mutate, position};
use crate::oracle;
use crate::parts::{Part, Parts};
use crate::random::Rng;
use crate::rules::{self, Slip, breakers, piece_at};
use crate::session::Failure;
use crate::stopping::{Omission, Reaches, least_reaches, loose};
use crate::walk::{Ward, playout};

/// The largest witness with stoppers, by the procedure of the handbook, without one condition of rule 9.
pub fn largest(position: &Chess, omission: Omission) -> Option<Parts> {
    let board = position.board();
    let mut frozen = rules::start_of_frozen(position);
    let mut possible = board.pawns();
    let reaches = loop {
        let stoppers = possible & !frozen;
        let reaches = least_reaches(position, frozen, stoppers);
        let broken = breakers(position, frozen, &reaches, Slip::None);
        let loose = loose(position, stoppers, &reaches, omission);
        if broken.is_empty() && loose.is_empty() {
            break reaches;
        }
        if broken.any() {
            frozen &= !broken;
        } else {
            possible &= !loose;
        }
    };
    // Only those that keep a square out of some reach are named.
    let mut stoppers = possible & !frozen;
    for square in stoppers {
        let color = piece_at(position, square).color;
        let before = square.offset(color.fold_wb(8, -8));
        let pushed = reaches.iter().any(|(other, reach)| {
            piece_at(position, *other).color != color && before.is_some_and(|from| reach.pawn.contains(from))
        });
        if !pushed {
            stoppers.discard(square);
        }
    }
    if stoppers.is_empty() {
        return None;
    }
    let movers: Vec<Part> =
        reaches.into_iter().map(|(square, reach)| Part { square, component: 0, reach }).collect();
    let mut parts = Parts {
        position: position.clone(),
        unwinnable: ByColor::default(),
        material: false,
        frozen,
        stoppers,
        checks: ByColor::default(),
        en_passant: false,
        movers,
        expansion: None,
    };
    let classes = oracle::finest_components(&parts, Slip::None);
    for (part, class) in parts.movers.iter_mut().zip(classes) {
        part.component = class;
    }
    parts.renumber();
    (parts.checks, parts.en_passant, parts.unwinnable) = oracle::strongest(&parts, Slip::None);
    Some(parts)
}

/// What an attack on stoppers has done.
#[derive(Clone, Debug, Default)]
pub struct StopperTally {
    pub positions: u64,
    /// Witnesses with stoppers that keep all rules, and those of them that claim what no plain one does.
    pub witnesses: u64,
    pub claiming: u64,
    pub playouts: u64,
    pub plies: u64,
    /// Witnesses of forgers, and for each omission how many play has refuted.
    pub forged: [u64; Omission::ALL.len()],
    pub refuted: [u64; Omission::ALL.len()],
    /// One that was refuted for each.
    pub examples: [Option<String>; Omission::ALL.len()],
}

impl fmt::Display for StopperTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} positions, {} witnesses with stoppers ({} claim more than a plain one), {} playouts, {} plies",
            self.positions, self.witnesses, self.claiming, self.playouts, self.plies
        )?;
        for (index, omission) in Omission::ALL.into_iter().enumerate() {
            write!(
                f,
                "; without {omission:?}: {} forged, {} refuted",
                self.forged[index], self.refuted[index]
            )?;
        }
        Ok(())
    }
}

/// An attack on stoppers: positions one after the other.
#[derive(Debug)]
pub struct StopperSession {
    rng: Rng,
    cases: Vec<Chess>,
    pub tally: StopperTally,
}

impl StopperSession {
    pub fn new(seed: u64) -> Self {
        let rows = crate::cases::HARD.lines().skip(1);
        let cases = rows.filter_map(|row| position(&format!("{} 0 1", row.split('\t').next()?))).collect();
        Self { rng: Rng::new(seed), cases, tally: StopperTally::default() }
    }

    /// One more position, with everything that is done to it. `forge` is how many forgers have a try.
    pub fn step(&mut self, games: usize, plies: usize) -> Result<(), Failure> {
        let Some(position) = self.next() else { return Ok(()) };
        self.tally.positions += 1;
        self.defend(&position, games, plies)?;
        let index = self.rng.below(Omission::ALL.len());
        self.forge(&position, index, games, plies)
    }

    fn next(&mut self) -> Option<Chess> {
        if self.rng.one_in(3) {
            let case = self.rng.pick(&self.cases)?.clone();
            let changed = if self.rng.one_in(4) { Some(case.clone()) } else { mutate(&case, &mut self.rng) };
            let mut position = changed?;
            let plies = self.rng.below(8);
            random_plies(&mut position, plies, &mut self.rng);
            return Some(position);
        }
        facing(&mut self.rng)
    }

    /// A witness that keeps all rules: accepted, and play does not refute it.
    fn defend(&mut self, position: &Chess, games: usize, plies: usize) -> Result<(), Failure> {
        let disagreement = |what: &str, certificate: Vec<u8>| Failure::Disagreement {
            what: what.to_owned(),
            position: Box::new(position.clone()),
            certificate,
        };
        let largest = largest(position, Omission::None);
        // What the library makes of it.
        for color in Color::ALL {
            let Some(certificate) = prove_unwinnable(position, color, Bound::nodes(1)) else { continue };
            let bytes = certificate.canonical_payload();
            if !check(&certificate).is_ok_and(|conclusions| *conclusions.unwinnable.get(color)) {
                return Err(disagreement("the library's own proof is refused", bytes));
            }
            let Proof::Witness(witness) = certificate.proof() else { continue };
            if witness.stoppers().any() {
                let known = largest.as_ref().map(|parts| (parts.frozen, parts.unwinnable));
                if known != Some((witness.frozen(), certificate.claims().unwinnable)) {
                    return Err(disagreement("the library finds another witness with stoppers", bytes));
                }
            }
        }
        let Some(parts) = largest else { return Ok(()) };
        self.tally.witnesses += 1;
        let bytes = parts.encode();
        let Ok(certificate) = PersistentCertificate::decode(&bytes) else {
            return Err(disagreement("a certificate that cannot be read", bytes));
        };
        if let Err(error) = check(&certificate) {
            return Err(disagreement(&format!("refused though it keeps the rules: {error}"), bytes));
        }
        let plain = bitmesh::persistent::analyze(position).unwinnable;
        let more = |color: Color| *parts.unwinnable.get(color) && !*plain.get(color);
        self.tally.claiming += u64::from(Color::ALL.into_iter().any(more));
        for color in Color::ALL.into_iter().filter(|&color| more(color)) {
            if prove_unwinnable(position, color, Bound::nodes(1)).is_none() {
                return Err(disagreement("the library does not prove what its checker accepts", bytes));
            }
        }
        let ward = Ward::new(&certificate);
        for _ in 0..games {
            self.tally.playouts += 1;
            match playout(&ward, plies, &mut self.rng) {
                Ok(trip) => self.tally.plies += trip.plies,
                Err(violation) => {
                    return Err(Failure::Refuted { violation: Box::new(violation), certificate: bytes });
                }
            }
        }
        Ok(())
    }

    /// A witness without one condition: refused, unless it is one with the condition too.
    fn forge(&mut self, position: &Chess, index: usize, games: usize, plies: usize) -> Result<(), Failure> {
        let omission = Omission::ALL[index];
        let Some(parts) = largest(position, omission) else { return Ok(()) };
        let reaches: Reaches = parts.movers.iter().map(|part| (part.square, part.reach)).collect();
        if loose(position, parts.stoppers, &reaches, Omission::None).is_empty() {
            return Ok(());
        }
        self.tally.forged[index] += 1;
        let bytes = parts.encode();
        let Ok(certificate) = PersistentCertificate::decode(&bytes) else { return Ok(()) };
        if check(&certificate).is_ok() {
            return Err(Failure::Disagreement {
                what: format!("accepted without {omission:?}"),
                position: Box::new(position.clone()),
                certificate: bytes,
            });
        }
        let ward = Ward::new(&certificate);
        for _ in 0..games {
            if let Err(violation) = playout(&ward, plies, &mut self.rng) {
                self.tally.refuted[index] += 1;
                self.tally.examples[index].get_or_insert_with(|| {
                    format!("stoppers {}, frozen {}\n{violation}", list(parts.stoppers), list(parts.frozen))
                });
                break;
            }
        }
        Ok(())
    }
}

fn list(squares: Bitboard) -> String {
    squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
}

/// A wall on every other file with one king above it and the other below, where pawns face each other.
fn facing(rng: &mut Rng) -> Option<Chess> {
    let mut board = Board::empty();
    let square = |rank: u32, file: u32| Square::new(8 * rank + file);
    for file in [0, 2, 4, 6].map(|file| file + u32::from(rng.one_in(8))) {
        board.set_piece_at(square(5, file), Color::White.pawn());
        board.set_piece_at(square(6, file), Color::Black.pawn());
    }
    for file in 0..8 {
        if rng.one_in(2) {
            continue;
        }
        let low = 1 + rng.below(4) as u32;
        let high = (low + 1 + rng.below(5) as u32).min(4);
        if high > low {
            board.set_piece_at(square(low, file), Color::White.pawn());
            board.set_piece_at(square(high, file), Color::Black.pawn());
            // Another pawn behind one of them.
            if low > 1 && rng.one_in(2) {
                board.set_piece_at(square(low - 1, file), Color::White.pawn());
            }
            if high < 4 && rng.one_in(2) {
                board.set_piece_at(square(high + 1, file), Color::Black.pawn());
            }
        }
        // Now and then one alone, which may come to another file.
        if rng.one_in(8) {
            board
                .set_piece_at(square(1 + rng.below(4) as u32, file), Color::from_white(rng.one_in(2)).pawn());
        }
    }
    for _ in 0..rng.below(5).saturating_sub(2) {
        let role = [Role::Knight, Role::Bishop, Role::Rook][rng.below(3)];
        let at = Square::new(rng.below(64) as u32);
        if board.piece_at(at).is_none() {
            board.set_piece_at(at, role.of(Color::from_white(rng.one_in(2))));
        }
    }
    let mut stand = |ranks: Bitboard, color: Color, rng: &mut Rng| {
        let empty: Vec<Square> = (ranks & !board.occupied()).into_iter().collect();
        board.set_piece_at(*rng.pick(&empty)?, color.king());
        Some(())
    };
    stand(Bitboard::from_rank(Rank::Eighth), Color::Black, rng)?;
    let below = if rng.one_in(6) { Bitboard::from_rank(Rank::Eighth) } else { Bitboard(0xffff_ffff) };
    stand(below, Color::White, rng)?;
    let mut setup = Setup { board, turn: Color::from_white(rng.one_in(2)), ..Setup::empty() };
    if rng.one_in(2) {
        setup = setup.into_mirrored();
    }
    // A double step may just have been played, where a pawn can take it.
    let fourth = Bitboard::from_rank((!setup.turn).relative_rank(Rank::Fourth));
    let stepped = fourth & setup.board.by_piece((!setup.turn).pawn());
    for pawn in stepped {
        let passed = pawn.offset(setup.turn.fold_wb(8, -8));
        let right = Setup { ep_square: passed, ..setup.clone() };
        if let Some(position) = finish(right)
            && position.legal_ep_square().is_some()
        {
            return Some(position);
        }
    }
    finish(setup)
}
