//! The attack on single claims, whatever they rest on: a search in which both sides help looks for the mate that is
//! claimed never to come.
//!
//! The judge knows legal moves and nothing of proofs. Material, stoppers, expansions with mixed leaves and men at home
//! are produced, forged and judged; homes are also made up at random, because every list of them is sound if the
//! checker is. Claims that are forged for a colour that can mate show that the judge finds mates.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::fmt;

use bitmesh::persistent::{
    Bound, CheckError, Leaf, LeafProof, PersistentCertificate, Proof, check, never_mates_with_stoppers,
    prove, prove_unwinnable, prove_unwinnable_with_homes,
};
use bitmesh::shakmaty::fen::Epd;
use bitmesh::shakmaty::zobrist::Zobrist128;
use bitmesh::shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Piece,
    Position as _, PositionError, Role, Setup, Square,
};

use crate::cases::{DEAD, HARD, table};
use crate::generate::{finish, mutate, position};
use crate::random::Rng;
use crate::session::Failure;
use crate::walk::mating_distance;

/// What a search with both sides helping says of a colour.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Judgement {
    /// It mates in some line.
    Mates,
    /// All positions that can follow were seen, and none is mate by it.
    Never,
    /// Neither within the limit.
    Unknown,
}

/// Looks for a mate by a colour among at most this many positions, starting with those that look near to one.
pub fn judge(start: &Chess, color: Color, limit: usize) -> Judgement {
    let hash = |position: &Chess| position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal).0;
    let mut seen = HashSet::from([hash(start)]);
    let mut positions = vec![start.clone()];
    let mut queue = BinaryHeap::from([Reverse((0, 0_usize))]);
    let mut complete = true;
    while let Some(Reverse((_, index))) = queue.pop() {
        let here = positions[index].clone();
        let moves = here.legal_moves();
        if moves.is_empty() && here.is_check() && here.turn() != color {
            return Judgement::Mates;
        }
        for played in moves {
            let mut next = here.clone();
            next.play_unchecked(played);
            if seen.len() >= limit {
                complete = false;
                break;
            }
            if seen.insert(hash(&next)) {
                queue.push(Reverse((mating_distance(&next, color), positions.len())));
                positions.push(next);
            }
        }
    }
    if complete { Judgement::Never } else { Judgement::Unknown }
}

/// Looks at every position that can follow until the colour has nothing but its king, at most at so many.
///
/// A king gives no check and gets no man back, so that no mate by the colour comes after that. The positions are held in
/// 40 bytes each, and told apart by all of them.
pub fn judge_to_bare_king(start: &Chess, color: Color, limit: usize) -> Judgement {
    let mut seen = HashSet::from([packed(start)]);
    let mut open = vec![packed(start)];
    while let Some(here) = open.pop().map(unpacked) {
        if here.board().by_color(color).count() == 1 {
            continue;
        }
        let moves = here.legal_moves();
        if moves.is_empty() && here.is_check() && here.turn() != color {
            return Judgement::Mates;
        }
        for &played in &moves {
            let mut next = here.clone();
            next.play_unchecked(played);
            let next = packed(&next);
            if seen.insert(next) {
                open.push(next);
            }
        }
        if seen.len() > limit {
            return Judgement::Unknown;
        }
    }
    Judgement::Never
}

/// White's men, three planes of roles (a rook that may castle has all three bits), and turn and en-passant square.
type Packed = [u64; 5];

fn packed(position: &Chess) -> Packed {
    let board = position.board();
    let castling = position.castles().castling_rights().0;
    let planes = [0, 1, 2].map(|plane| {
        let roles = Role::ALL.into_iter().filter(|&role| u32::from(role) >> plane & 1 == 1);
        roles.fold(castling, |all, role| all | board.by_role(role).0)
    });
    let passed = position.legal_ep_square().map_or(64, u64::from);
    [board.white().0, planes[0], planes[1], planes[2], passed << 1 | u64::from(position.turn().is_white())]
}

fn unpacked([white, first, second, third, rest]: Packed) -> Chess {
    let mut setup = Setup { castling_rights: Bitboard(first & second & third), ..Setup::empty() };
    for square in Bitboard(first | second | third) {
        let bit = |plane: u64| (plane >> u32::from(square) & 1) as u32;
        let number = bit(first) | bit(second) << 1 | bit(third) << 2;
        let role = Role::ALL.into_iter().find(|&role| u32::from(role) == number).unwrap_or(Role::Rook);
        setup.board.set_piece_at(square, Piece { color: Color::from_white(bit(white) == 1), role });
    }
    setup.turn = Color::from_white(rest & 1 == 1);
    setup.ep_square = Square::try_from((rest >> 1) as u32).ok();
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .expect("a position that was reached by legal moves")
}

/// What claims rest on.
const GROUNDS: [&str; 8] = [
    "a witness",
    "stoppers",
    "an expansion",
    "a mixed expansion",
    "material",
    "homes",
    "homes to a bare king",
    "an expansion with homes",
];

const TO_BARE_KING: usize = 6;

fn ground(proof: &Proof) -> usize {
    match proof {
        Proof::Witness(witness) => usize::from(witness.stoppers().any()),
        Proof::Expansion(expansion) => {
            let plain = |leaf: &Leaf| matches!(leaf.proof(), LeafProof::Witness(witness) if witness.stoppers().is_empty());
            let at_home = |leaf: &Leaf| matches!(leaf.proof(), LeafProof::Roaming(_));
            match expansion.leaves() {
                leaves if leaves.iter().all(plain) => 2,
                leaves if leaves.iter().any(at_home) => 7,
                _ => 3,
            }
        }
        Proof::Material => 4,
        Proof::Roaming(roaming) if roaming.to_bare_king() => TO_BARE_KING,
        _ => 5,
    }
}

/// What an attack on claims has done.
#[derive(Clone, Debug, Default)]
pub struct ClaimTally {
    pub positions: u64,
    /// Claims by what they rest on, and those that a complete search confirms.
    pub claims: [u64; GROUNDS.len()],
    pub confirmed: [u64; GROUNDS.len()],
    /// Random lists of homes, those that the checker accepts, those of them that end at bare kings, and those confirmed.
    pub senseless: u64,
    pub senseless_accepted: u64,
    pub senseless_to_bare_king: u64,
    pub senseless_confirmed: u64,
    /// Expansions with random homes in every position after a move, those accepted, and those of them confirmed.
    pub senseless_leaves: u64,
    pub senseless_leaves_accepted: u64,
    pub senseless_leaves_confirmed: u64,
    /// Claims forged for the other colour, all refused, and those that the judge refutes.
    pub forged: u64,
    pub refuted: u64,
}

impl fmt::Display for ClaimTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions", self.positions)?;
        for (index, ground) in GROUNDS.into_iter().enumerate() {
            write!(f, "; {} by {ground} ({} confirmed)", self.claims[index], self.confirmed[index])?;
        }
        write!(
            f,
            "; {} senseless homes, {} accepted ({} to a bare king, {} confirmed); {} expansions with senseless homes in their leaves, {} accepted ({} confirmed); {} forged claims refused, {} of them refuted",
            self.senseless,
            self.senseless_accepted,
            self.senseless_to_bare_king,
            self.senseless_confirmed,
            self.senseless_leaves,
            self.senseless_leaves_accepted,
            self.senseless_leaves_confirmed,
            self.forged,
            self.refuted
        )
    }
}

/// An attack on claims: positions one after the other.
#[derive(Debug)]
pub struct ClaimSession {
    rng: Rng,
    /// For homes in leaves.
    of_leaves: Rng,
    /// Positions in which play can last long, and dead ones.
    cases: [Vec<Chess>; 2],
    /// How many positions the judge looks at.
    limit: usize,
    pub tally: ClaimTally,
}

impl ClaimSession {
    pub fn new(seed: u64, limit: usize) -> Self {
        let hard = table(HARD).filter_map(|row| position(&format!("{} 0 1", row[0])));
        let cases = [hard.collect(), table(DEAD).filter_map(|row| position(row[0])).collect()];
        Self { rng: Rng::new(seed), of_leaves: Rng::new(!seed), cases, limit, tally: ClaimTally::default() }
    }

    /// One more position.
    pub fn step(&mut self) -> Result<(), Failure> {
        let Some(start) = self.next() else { return Ok(()) };
        self.tally.positions += 1;
        for color in Color::ALL {
            let within = Bound::nodes(1 << (4 + self.rng.below(6)));
            let plain = prove_unwinnable(&start, color, within);
            let found = plain.or_else(|| prove_unwinnable_with_homes(&start, color, Bound::nodes(600)));
            if let Some(certificate) = found {
                self.attack(&certificate, color)?;
            }
        }
        let color = Color::from_white(self.rng.one_in(2));
        self.senseless_homes(&start, color)?;
        if self.tally.positions.is_multiple_of(4) { self.senseless_leaves(&start, color) } else { Ok(()) }
    }

    fn next(&mut self) -> Option<Chess> {
        let cases = &self.cases[self.rng.below(2)];
        match self.rng.below(3) {
            0 => few_men(&mut self.rng),
            1 => {
                let case = self.rng.pick(cases)?.clone();
                mutate(&case, &mut self.rng)
            }
            _ => {
                let mut position = self.rng.pick(cases)?.clone();
                for _ in 0..self.rng.below(12) {
                    let moves = position.legal_moves();
                    let &played = self.rng.pick(&moves)?;
                    position.play_unchecked(played);
                }
                Some(position)
            }
        }
    }

    fn attack(&mut self, certificate: &PersistentCertificate, color: Color) -> Result<(), Failure> {
        let start = certificate.position();
        let bytes = certificate.canonical_payload();
        let fails = |what: &str, certificate: &[u8]| {
            Err(Failure::Disagreement {
                what: what.to_owned(),
                position: Box::new(start.clone()),
                certificate: certificate.to_vec(),
            })
        };
        let at = ground(certificate.proof());
        self.tally.claims[at] += 1;
        if !check(certificate).is_ok_and(|conclusions| *conclusions.unwinnable.get(color)) {
            return fails("the producer's certificate is refused", &bytes);
        }
        let judgement = match judge(start, color, self.limit) {
            // What follows when the king is bare is most of what there is.
            Judgement::Unknown if at == TO_BARE_KING => judge_to_bare_king(start, color, 100 * self.limit),
            judgement => judgement,
        };
        match judgement {
            Judgement::Mates => return fails("a claim is false", &bytes),
            Judgement::Never => self.tally.confirmed[at] += 1,
            Judgement::Unknown => {}
        }
        // The same proof for the other colour.
        let mut forged = bytes;
        forged[77] = 3;
        let Ok(certificate) = PersistentCertificate::decode(&forged) else {
            return fails("a verdict cannot be read", &forged);
        };
        let judgement = judge(start, !color, self.limit);
        if check(&certificate).is_ok() {
            if judgement == Judgement::Mates {
                return fails("a forged claim is accepted and false", &forged);
            }
        } else {
            self.tally.forged += 1;
            self.tally.refuted += u64::from(judgement == Judgement::Mates);
        }
        Ok(())
    }

    /// Homes that have the right form and are otherwise random: what the checker accepts must be true.
    fn senseless_homes(&mut self, start: &Chess, color: Color) -> Result<(), Failure> {
        let mut certificate = None;
        let mut bytes = senseless(start, color, &mut self.rng);
        self.tally.senseless += 1;
        let states = bytes.len() - 4;
        // The checker tells how many states there are.
        for _ in 0..2 {
            let decoded = PersistentCertificate::decode(&bytes).map_err(|error| Failure::Disagreement {
                what: format!("homes cannot be read: {error}"),
                position: Box::new(start.clone()),
                certificate: bytes.clone(),
            })?;
            match check(&decoded) {
                Ok(_) => certificate = Some(decoded),
                Err(CheckError::TooManyStates { met, .. }) => {
                    bytes[states..].copy_from_slice(&met.to_le_bytes())
                }
                Err(_) => return Ok(()),
            }
        }
        let Some(certificate) = certificate else { return Ok(()) };
        self.tally.senseless_accepted += 1;
        self.tally.senseless_to_bare_king += u64::from(ground(certificate.proof()) == TO_BARE_KING);
        match judge(start, color, self.limit) {
            Judgement::Mates => Err(Failure::Disagreement {
                what: "a claim by homes is false".to_owned(),
                position: Box::new(start.clone()),
                certificate: bytes,
            }),
            judgement => {
                self.tally.senseless_confirmed += u64::from(judgement == Judgement::Never);
                Ok(())
            }
        }
    }

    /// An expansion in which every move leads to a leaf with random homes: what the checker accepts must be true.
    fn senseless_leaves(&mut self, start: &Chess, color: Color) -> Result<(), Failure> {
        let mut after: Vec<Chess> = Vec::new();
        let mut moves = start.legal_moves();
        moves.sort_unstable_by_key(|played| (played.from(), played.to(), played.promotion()));
        for played in moves {
            let mut next = start.clone();
            next.play_unchecked(played);
            if !after.contains(&next) {
                after.push(next);
            }
        }
        if after.is_empty() || after.len() > 8 {
            return Ok(());
        }
        self.tally.senseless_leaves += 1;
        // Each leaf has several tries alone; the checker tells how many states there are.
        let mut leaves = Vec::new();
        for position in &after {
            let proof = (0..6).find_map(|_| {
                let mut bytes = senseless(position, color, &mut self.of_leaves);
                let met = match check(&PersistentCertificate::decode(&bytes).ok()?) {
                    Err(CheckError::TooManyStates { met, .. }) => met,
                    _ => return None,
                };
                let states = bytes.len() - 4;
                bytes[states..].copy_from_slice(&met.to_le_bytes());
                Some(bytes.split_off(78))
            });
            // What closes nowhere is forged: the homes of any other leaf, or one state.
            let forged = || {
                leaves.last().cloned().unwrap_or_else(|| {
                    let mut bytes = senseless(position, color, &mut Rng::new(1));
                    let states = bytes.len() - 4;
                    bytes[states..].copy_from_slice(&1_u32.to_le_bytes());
                    bytes.split_off(78)
                })
            };
            let proof = proof.unwrap_or_else(forged);
            leaves.push(proof);
        }
        let mut bytes = prove(start).canonical_payload();
        (bytes[77], bytes[78]) = (color.fold_wb(1, 2), 9);
        bytes.extend((after.len() as u32 + 1).to_le_bytes());
        bytes.extend((after.len() as u32).to_le_bytes());
        for (leaf, number) in leaves.iter().zip(1_u32..) {
            bytes.extend(number.to_le_bytes());
            bytes.extend(leaf);
        }
        let fails = |what: String| {
            Err(Failure::Disagreement { what, position: Box::new(start.clone()), certificate: bytes.clone() })
        };
        let certificate = match PersistentCertificate::decode(&bytes) {
            Ok(certificate) => certificate,
            Err(error) => return fails(format!("homes in leaves cannot be read: {error}")),
        };
        if check(&certificate).is_err() {
            return Ok(());
        }
        self.tally.senseless_leaves_accepted += 1;
        match judge(start, color, self.limit) {
            Judgement::Mates => fails("a claim by homes in leaves is false".to_owned()),
            judgement => {
                self.tally.senseless_leaves_confirmed += u64::from(judgement == Judgement::Never);
                Ok(())
            }
        }
    }
}

/// Proofs by men at home to bare kings, each held against every position that can follow until then.
#[derive(Debug)]
pub struct BareKingSession {
    claims: ClaimSession,
    /// How many positions are looked at for each.
    limit: usize,
    /// The claims that were looked at.
    seen: HashSet<String>,
    pub tally: BareKingTally,
}

/// What an attack on proofs to bare kings has done.
#[derive(Clone, Copy, Debug, Default)]
pub struct BareKingTally {
    /// Positions that were tried.
    pub tried: u64,
    /// Proofs that the producer made, each of another position and colour.
    pub claims: u64,
    /// Those in which every position was seen.
    pub confirmed: u64,
}

impl fmt::Display for BareKingTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tried, claims, confirmed } = self;
        write!(
            f,
            "{tried} positions tried, {claims} proofs, {confirmed} confirmed by every position that can follow"
        )
    }
}

impl BareKingSession {
    pub fn new(seed: u64, limit: usize) -> Self {
        let claims = ClaimSession::new(seed, 0);
        Self { claims, limit, seen: HashSet::new(), tally: BareKingTally::default() }
    }

    /// One more position. What the search saw of a proof that was made is printed by the caller, and none otherwise.
    pub fn step(&mut self) -> Result<Option<(String, Judgement)>, Failure> {
        let Some(start) = self.claims.next() else { return Ok(None) };
        self.tally.tried += 1;
        for color in Color::ALL {
            if never_mates_with_stoppers(&start, color) {
                continue;
            }
            let Some(certificate) = prove_unwinnable_with_homes(&start, color, Bound::nodes(600)) else {
                continue;
            };
            if ground(certificate.proof()) != TO_BARE_KING {
                continue;
            }
            let text = format!("{} for {color:?}", Epd::from_position(&start, EnPassantMode::Legal));
            if !self.seen.insert(text.clone()) {
                continue;
            }
            self.tally.claims += 1;
            let judgement = judge_to_bare_king(&start, color, self.limit);
            if judgement == Judgement::Mates {
                return Err(Failure::Disagreement {
                    what: "a claim by homes to a bare king is false".to_owned(),
                    position: Box::new(start),
                    certificate: certificate.canonical_payload(),
                });
            }
            self.tally.confirmed += u64::from(judgement == Judgement::Never);
            return Ok(Some((text, judgement)));
        }
        Ok(None)
    }
}

/// Kings and up to four men: material, and positions that a complete search decides.
fn few_men(rng: &mut Rng) -> Option<Chess> {
    let mut board = Board::empty();
    let mut put = |role: Role, color: Color, rng: &mut Rng| {
        let square = Square::new(rng.below(64) as u32);
        let end = Bitboard::BACKRANKS.contains(square);
        if board.piece_at(square).is_none() && !(end && role == Role::Pawn) {
            board.set_piece_at(square, role.of(color));
        }
    };
    for color in Color::ALL {
        put(Role::King, color, rng);
    }
    let minor = if rng.one_in(2) { Role::Bishop } else { Role::Knight };
    put(minor, Color::White, rng);
    for _ in 0..rng.below(4) {
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Queen];
        let role = *rng.pick(&roles)?;
        put(role, Color::from_white(rng.one_in(4)), rng);
    }
    let setup = Setup { board, turn: Color::from_white(rng.one_in(2)), ..Setup::empty() };
    finish(if rng.one_in(2) { setup.into_mirrored() } else { setup })
}

/// A certificate of some homes: where each kind of man that moves now might be, or anywhere.
fn senseless(start: &Chess, color: Color, rng: &mut Rng) -> Vec<u8> {
    let mut bytes = prove(start).canonical_payload();
    bytes.truncate(77);
    let kind = if rng.one_in(2) { 7 } else { 8 };
    bytes.extend([color.fold_wb(1, 2), kind, 0]);
    let mut count = 0;
    for owner in Color::ALL {
        for (number, role) in
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate()
        {
            let mut left = if role == Role::Pawn { !Bitboard::BACKRANKS } else { Bitboard::FULL };
            let near = ByColor::new_with(|color| start.board().king_of(color)).into_iter().flatten();
            if rng.one_in(2) {
                near.for_each(|king| left &= !bitmesh::shakmaty::attacks::king_attacks(king).with(king));
            }
            if rng.one_in(4) {
                left &= Bitboard(rng.bits() | rng.bits());
            }
            let parts =
                if rng.one_in(3) { [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES] } else { [left; 2] };
            for part in parts {
                let squares = left & part;
                left &= !part;
                if squares.any() && !rng.one_in(5) {
                    bytes.extend([owner.fold_wb(0, 1), number as u8]);
                    bytes.extend(squares.0.to_le_bytes());
                    bytes.push([0, 0, 1, 14][rng.below(4)]);
                    count += 1;
                }
            }
        }
    }
    if count == 0 {
        bytes.extend([0, 1]);
        bytes.extend(1_u64.to_le_bytes());
        bytes.push(0);
        count = 1;
    }
    bytes[79] = count;
    bytes.extend(3_000_u32.to_le_bytes());
    bytes
}
