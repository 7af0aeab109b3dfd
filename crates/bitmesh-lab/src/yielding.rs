//! Witnesses that the checker accepts and the prover would not make.
//!
//! Almost every piece is frozen at first, no reach is more than the square where its piece stands, each mover is a
//! component, and everything is claimed. Then the certificate gives way to what the checker demands, one demand at a
//! time and to nothing else, until it is accepted. Where a demand can be met in two ways chance decides, so that
//! other pieces stay frozen than those that the prover keeps: kings that a frozen pawn attacks, and their guards.
//! What is accepted is judged by play.

use std::fmt;

use bitmesh::persistent::{CheckError, PersistentCertificate, analyze, check, prove};
use bitmesh::shakmaty::{Bitboard, ByColor, ByRole, Chess, Color, Position as _, Role, Square, attacks};

use crate::generate::{Generator, blockade, neighbour};
use crate::oracle;
use crate::parts::{Part, Parts};
use crate::random::Rng;
use crate::search::explore;
use crate::session::Failure;
use crate::shut_in;
use crate::walk::{Trip, Ward, playout};

/// What the attack has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct YieldingTally {
    pub positions: u64,
    /// Accepted witnesses in which something is frozen, or that claim a colour.
    pub accepted: u64,
    /// Those with another frozen set than the prover's, or that claim of some colour what it does not.
    pub others: u64,
    /// Those of them that freeze a king, and those in which there is something to play.
    pub others_with_king: u64,
    pub others_played: u64,
    /// Those that freeze a piece that the prover does not, and of them those that freeze a king.
    pub beyond: u64,
    pub kings: u64,
    /// Those that claim of some colour what the prover does not.
    pub claiming: u64,
    pub demands: u64,
    pub playouts: u64,
    pub plies: u64,
    pub searched: u64,
}

impl fmt::Display for YieldingTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, accepted, others, beyond, kings, claiming, demands, .. } = self;
        write!(
            f,
            "{positions} positions, {demands} demands, {accepted} witnesses accepted, {others} unlike the prover's: \
             {} of them with a frozen king, {} not mate or stalemate, {beyond} with a frozen piece that the prover \
             leaves, {kings} with such a king, {claiming} with more claims; {} playouts, {} plies, {} positions searched",
            self.others_with_king, self.others_played, self.playouts, self.plies, self.searched
        )
    }
}

/// Almost everything frozen, and claimed.
fn boldest(position: &Chess, rng: &mut Rng) -> Parts {
    let board = position.board();
    // Some are movers at once: those that no pawn needs in front of it, or nothing would stay frozen.
    let needed: Bitboard = board
        .pawns()
        .into_iter()
        .filter_map(|pawn| pawn.offset(if board.white().contains(pawn) { 8 } else { -8 }))
        .collect();
    let some = rng.below(3);
    let loose: Bitboard = (board.occupied() & !needed).into_iter().filter(|_| rng.below(4) < some).collect();
    let mut parts = Parts {
        position: position.clone(),
        unwinnable: ByColor { black: true, white: true },
        material: false,
        frozen: board.occupied(),
        stoppers: Bitboard::EMPTY,
        checks: ByColor::default(),
        en_passant: false,
        movers: Vec::new(),
        expansion: None,
    };
    loose.into_iter().for_each(|square| thaw(&mut parts, square));
    parts
}

/// A frozen piece becomes a mover that stays where it is.
fn thaw(parts: &mut Parts, square: Square) {
    if !parts.frozen.contains(square) {
        return;
    }
    parts.frozen.discard(square);
    let mut reach: ByRole<Bitboard> = ByRole::default();
    reach.get_mut(parts.position.board().role_at(square).unwrap_or(Role::Pawn)).add(square);
    let at = parts.movers.partition_point(|part| part.square < square);
    let component = parts.movers.iter().map(|part| part.component + 1).max().unwrap_or(0);
    parts.movers.insert(at, Part { square, component, reach });
    parts.renumber();
}

/// One square is demanded. An officer that gets it can move further, and what is demanded of it then is given at once.
fn grow(parts: &mut Parts, mover: Square, role: Role, target: Square) {
    let (frozen, color) = (parts.frozen, parts.position.board().color_at(mover).unwrap_or(Color::White));
    let Some(part) = parts.movers.iter_mut().find(|part| part.square == mover) else { return };
    let reach = part.reach.get_mut(role);
    reach.add(target);
    // A king stops where frozen pieces guard, so he moves square by square.
    let mut waiting = if matches!(role, Role::Pawn | Role::King) { Vec::new() } else { vec![target] };
    while let Some(from) = waiting.pop() {
        for to in attacks::attacks(from, role.of(color), frozen) & !frozen & !*reach {
            reach.add(to);
            waiting.push(to);
        }
    }
}

fn join(parts: &mut Parts, first: Square, second: Square) {
    let of = |square| parts.movers.iter().find(|part| part.square == square).map(|part| part.component);
    if let (Some(from), Some(to)) = (of(first), of(second)) {
        for part in parts.movers.iter_mut().filter(|part| part.component == from) {
            part.component = to;
        }
        parts.renumber();
    }
}

/// Gives way to one demand; false if it is none that a witness can meet.
fn give_way(parts: &mut Parts, demand: &CheckError, rng: &mut Rng) -> bool {
    use CheckError as E;
    let board = parts.position.board().clone();
    match *demand {
        E::StepOutsideReach { mover, role, target } | E::PromotionOutsideReach { mover, role, target } => {
            grow(parts, mover, role, target);
        }
        E::AdvanceOutsideReach { mover, target }
        | E::CaptureOutsideReach { mover, target }
        | E::EnPassantOutsideReach { mover, target } => grow(parts, mover, Role::Pawn, target),
        E::CastlingKingOutsideReach { king, target } => grow(parts, king, Role::King, target),
        E::CastlingRookOutsideReach { rook, target } => grow(parts, rook, Role::Rook, target),
        E::FrozenPawnAttacksFrozen { pawn } => {
            let color = board.color_at(pawn).unwrap_or(Color::White);
            let attacked = attacks::pawn_attacks(color, pawn) & parts.frozen & board.by_color(!color);
            // The pawn, or what it attacks: only a king can stay frozen in place of the pawn.
            if (attacked & board.kings()).any() && !rng.one_in(4) || rng.one_in(8) {
                thaw(parts, pawn);
            } else {
                attacked.into_iter().for_each(|square| thaw(parts, square));
            }
        }
        E::FrozenPawnCanPush { pawn }
        | E::FrozenPawnCanCapture { pawn, .. }
        | E::FrozenPawnCanCaptureEnPassant { pawn, .. }
        | E::FrozenCanBeCapturedEnPassant { pawn } => thaw(parts, pawn),
        E::FrozenCanBeCaptured { frozen, .. }
        | E::FrozenCanBeCapturedByKing { frozen, .. }
        | E::FrozenPieceCanMove { frozen, .. } => thaw(parts, frozen),
        E::FrozenRookMayCastle { rook } => thaw(parts, rook),
        E::FrozenKingMayCastle { king } => thaw(parts, king),
        E::ComponentsMeet { first, second } => join(parts, first, second),
        E::ComponentsCastle { king, rook } => join(parts, king, rook),
        E::ComponentsCaptureEnPassant { capturer, victim } => join(parts, capturer, victim),
        E::CheckPossible { color, .. } => *parts.checks.get_mut(color) = true,
        E::EnPassantPossible => parts.en_passant = true,
        E::MatePossible { color, .. } => *parts.unwinnable.get_mut(color) = false,
        _ => return false,
    }
    true
}

/// The attack: positions one after the other.
#[derive(Debug)]
pub struct YieldingSession {
    rng: Rng,
    generator: Generator,
    /// Positions in which the checker has accepted what the prover does not make.
    ///
    /// Those with something to play, and mates.
    kept: [Vec<Chess>; 2],
    pub tally: YieldingTally,
}

impl YieldingSession {
    pub fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed),
            generator: Generator::new(),
            kept: [Vec::new(), Vec::new()],
            tally: YieldingTally::default(),
        }
    }

    /// One more position, with a few witnesses.
    pub fn step(&mut self, games: usize, plies: usize, search: usize) -> Result<(), Failure> {
        let Some(position) = self.position() else { return Ok(()) };
        // The library's own answer only steers which positions are tried: most others melt.
        if analyze(&position).frozen.is_empty() && !position.is_check() && !self.rng.one_in(16) {
            return Ok(());
        }
        self.tally.positions += 1;
        // Another start makes another witness; one that is unlike the prover's is enough.
        for _ in 0..6 {
            let Some(certificate) = self.yielding(&position)? else { return Ok(()) };
            let ward = Ward::new(&certificate);
            if !ward.claims_something() {
                return Ok(());
            }
            self.judge(&certificate, &ward, games, plies, search)?;
            if self.count(&position, &certificate) {
                self.keep(position);
                return Ok(());
            }
        }
        Ok(())
    }

    fn position(&mut self) -> Option<Chess> {
        let rng = &mut self.rng;
        match rng.below(16) {
            0 => Some(self.generator.next(rng).1),
            1 | 2 => Some(blockade(rng)),
            3 => Some(neighbour(rng)),
            4 | 5 => shut_in::build(true, rng),
            6 | 7 => shut_in::build(false, rng),
            _ => {
                let which = rng.below(2);
                let known = rng.pick(&self.kept[which])?;
                (0..8).find_map(|_| shut_in::vary(known, rng))
            }
        }
    }

    /// Its neighbours are tried next.
    fn keep(&mut self, position: Chess) {
        let kept = &mut self.kept[usize::from(position.is_checkmate())];
        if kept.len() < 512 {
            kept.push(position);
        } else {
            let at = self.rng.below(512);
            kept[at] = position;
        }
    }

    /// A witness that has given way until the checker accepts it; none where nothing stays frozen.
    fn yielding(&mut self, position: &Chess) -> Result<Option<PersistentCertificate>, Failure> {
        let mut parts = boldest(position, &mut self.rng);
        loop {
            if parts.frozen.is_empty() {
                return Ok(None);
            }
            let bytes = parts.encode();
            let Ok(certificate) = PersistentCertificate::decode(&bytes) else { return Ok(None) };
            let Err(demand) = check(&certificate) else { return Ok(Some(certificate)) };
            self.tally.demands += 1;
            if !give_way(&mut parts, &demand, &mut self.rng) || parts.encode() == bytes {
                return Err(Failure::Disagreement {
                    what: format!("a demand that cannot be met: {demand}"),
                    position: Box::new(position.clone()),
                    certificate: bytes,
                });
            }
        }
    }

    /// Counts what is unlike the prover's witness; whether anything is.
    fn count(&mut self, position: &Chess, certificate: &PersistentCertificate) -> bool {
        let usual = prove(position);
        let (found, proved) = (certificate.proof().witness().frozen(), usual.proof().witness().frozen());
        let more = found & !proved;
        let claims = Color::ALL.into_iter().any(|color| {
            *certificate.claims().unwinnable.get(color) && !*usual.claims().unwinnable.get(color)
        });
        self.tally.accepted += 1;
        let other = found != proved || claims;
        let kings = position.board().kings();
        self.tally.others += u64::from(other);
        self.tally.others_with_king += u64::from(other && (found & kings).any());
        self.tally.others_played += u64::from(other && !position.legal_moves().is_empty());
        self.tally.beyond += u64::from(more.any());
        self.tally.kings += u64::from((more & kings).any());
        self.tally.claiming += u64::from(claims);
        other
    }

    fn judge(
        &mut self,
        certificate: &PersistentCertificate,
        ward: &Ward,
        games: usize,
        plies: usize,
        search: usize,
    ) -> Result<(), Failure> {
        let bytes = certificate.canonical_payload();
        let refuted =
            |violation| Failure::Refuted { violation: Box::new(violation), certificate: bytes.clone() };
        oracle::judge(&Parts::of(certificate)).map_err(|rule| Failure::Disagreement {
            what: format!("checker accepts against the oracle: {rule}"),
            position: Box::new(certificate.position().clone()),
            certificate: bytes.clone(),
        })?;
        for _ in 0..games {
            let Trip { plies, .. } = playout(ward, plies, &mut self.rng).map_err(refuted)?;
            self.tally.playouts += 1;
            self.tally.plies += plies;
        }
        for color in Color::ALL.into_iter().filter(|&color| *ward.claims.unwinnable.get(color)) {
            self.tally.searched += explore(ward, search, Some(color)).map_err(refuted)?.positions as u64;
        }
        Ok(())
    }
}
