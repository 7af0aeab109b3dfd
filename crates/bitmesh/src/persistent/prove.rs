//! The producer: the largest set of frozen pieces and the least reaches around it.
//!
//! It starts from every piece that could be frozen, lets the others reach what
//! they can around those, drops each frozen piece that breaks a rule, and
//! repeats. Dropping only lets the others reach more, so the order does not
//! matter and the result is unique. Until the frozen set is settled the pieces
//! of one colour and role are grown as one set.
//!
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use alloc::vec::Vec;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingSide, Chess, Color, Position as _, Role, Square,
};

use super::certificate::{PersistentCertificate, Proof};
use super::quick::is_plainly_open;
use super::verdict::{Conclusions, Coupling, Field, MAXIMUM_PIECES, Outline, Range, bits};
use super::witness::{Mover, Witness};
use crate::geometry::steps::{
    bishop_steps, flood, king_steps, knight_steps, officer_steps, pawn_attacks, pawn_pushes, rook_steps,
};

const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// The rank from which a pawn may take two steps.
const fn home_rank(color: Color) -> u64 {
    match color {
        Color::White => 0xff << 8,
        Color::Black => 0xff << 48,
    }
}

/// What can be proved about a position, without allocating.
///
/// It is what [`prove`] puts into a certificate. A claim that is absent is
/// open, not refuted. In a position without frozen pieces, the ordinary case,
/// the answer takes a few dozen instructions.
///
/// ```
/// use bitmesh::persistent::analyze;
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let fen: Fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
/// let outline = analyze(&fen.into_position::<Chess>(CastlingMode::Standard)?);
/// assert_eq!((outline.frozen.count(), outline.components), (16, 2));
/// assert!(outline.dead());
///
/// assert!(!analyze(&Chess::default()).decomposed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn analyze(position: &Chess) -> Outline {
    if is_plainly_open(position.board()) {
        debug_assert_eq!(analyze_in_full(position), OPEN, "{position:?}");
        return OPEN;
    }
    analyze_in_full(position)
}

/// The answer for a position about which there is nothing to claim.
const OPEN: Outline = Outline {
    frozen: Bitboard::EMPTY,
    components: 1,
    coupling: Coupling::UNKNOWN,
    unwinnable: ByColor { black: false, white: false },
};

/// [`analyze`] without the quick look.
fn analyze_in_full(position: &Chess) -> Outline {
    let start = Start::new(position);
    let blockade = start.settle();
    if blockade.is_none() && !start.few_pieces() {
        return OPEN;
    }
    // Counting costs too much before there is something to claim.
    if position.board().occupied().count() > MAXIMUM_PIECES {
        return OPEN;
    }
    let blockade = blockade.unwrap_or_else(|| Blockade::open(&start));
    let Conclusions { components, coupling, unwinnable } = blockade.survey(&start, |_, _| ()).conclusions;
    Outline { frozen: Bitboard(blockade.frozen), components, coupling, unwinnable }
}

/// The certificate of everything that can be proved about a position with one witness.
///
/// It always exists, and may claim nothing. The witness is the largest one.
/// For boards with more than 32 pieces, which shakmaty accepts on request, it is
/// the one with nothing frozen.
///
/// ```
/// use bitmesh::persistent::{check, prove};
/// use shakmaty::Chess;
///
/// let certificate = prove(&Chess::default());
/// assert!(!check(&certificate)?.decomposed());
/// # Ok::<(), bitmesh::persistent::CheckError>(())
/// ```
#[must_use]
pub fn prove(position: &Chess) -> PersistentCertificate {
    let (witness, unwinnable) = largest_witness(position);
    PersistentCertificate { position: position.clone(), unwinnable, proof: Proof::Witness(witness) }
}

/// The witness of [`prove`], and the colours that it shows never to give mate.
pub(super) fn largest_witness(position: &Chess) -> (Witness, ByColor<bool>) {
    if position.board().occupied().count() > MAXIMUM_PIECES {
        return (trivial_witness(position), ByColor::default());
    }
    let start = Start::new(position);
    let blockade = start.settle().unwrap_or_else(|| Blockade::open(&start));
    blockade.witness(position.board(), &start)
}

/// The colours that the largest witness with stoppers shows never to give mate; none where it has no stoppers.
pub(super) fn shown_with_stoppers(position: &Chess) -> ByColor<bool> {
    if position.board().occupied().count() > MAXIMUM_PIECES || !pawns_face(position.board()) {
        return ByColor::default();
    }
    let start = Start::new(position);
    let blockade = start.settle_with_stoppers();
    if blockade.stoppers == 0 {
        return ByColor::default();
    }
    blockade.survey(&start, |_, _| ()).conclusions.unwinnable
}

/// The largest witness with stoppers, and the colours that it shows never to give mate; none without stoppers.
pub(super) fn largest_witness_with_stoppers(position: &Chess) -> Option<(Witness, ByColor<bool>)> {
    if position.board().occupied().count() > MAXIMUM_PIECES || !pawns_face(position.board()) {
        return None;
    }
    let start = Start::new(position);
    let blockade = start.settle_with_stoppers();
    (blockade.stoppers != 0).then(|| blockade.witness(position.board(), &start))
}

/// The witness with the given frozen pieces and stoppers, and the least reaches around them.
#[cfg(test)]
pub(super) fn least_witness(position: &Chess, frozen: Bitboard, stoppers: Bitboard) -> Witness {
    let start = Start::new(position);
    let mut blockade = Blockade { frozen: frozen.0, stoppers: stoppers.0, reaches: ByColor::default() };
    assert_eq!(blockade.grow(&start), None, "frozen pieces break a rule");
    blockade.witness(position.board(), &start).0
}

/// Whether a pawn has an enemy pawn in front of it on its file.
fn pawns_face(board: &Board) -> bool {
    let mut ahead = (board.white() & board.pawns()).0 << 8;
    ahead |= ahead << 8;
    ahead |= ahead << 16;
    ahead |= ahead << 32;
    ahead & (board.black() & board.pawns()).0 != 0
}

impl Blockade {
    /// The blockade as a witness, with the colours that it shows never to give mate.
    fn witness(&self, board: &Board, start: &Start<'_>) -> (Witness, ByColor<bool>) {
        let mut movers = Vec::with_capacity((board.occupied().0 & !self.frozen).count_ones() as usize);
        let survey = self.survey(start, |square, reach| movers.push(Mover { square, reach, component: 0 }));
        for (mover, component) in movers.iter_mut().zip(survey.component) {
            mover.component = component;
        }
        let Conclusions { coupling, unwinnable, .. } = survey.conclusions;
        let (frozen, stoppers) = (Bitboard(self.frozen), Bitboard(self.stoppers));
        (Witness { frozen, stoppers, movers, coupling }, unwinnable)
    }
}

/// A witness from which nothing follows: every piece can go everywhere.
fn trivial_witness(position: &Chess) -> Witness {
    let everywhere = |role: Role| {
        ByRole::new_with(|reached| {
            let own = role == reached || role == Role::Pawn && reached != Role::King;
            if own { Bitboard::FULL } else { Bitboard::EMPTY }
        })
    };
    let movers = position
        .board()
        .clone()
        .into_iter()
        .map(|(square, piece)| Mover { square, reach: everywhere(piece.role), component: 0 })
        .collect();
    Witness { movers, ..Witness::EMPTY }
}

#[derive(Clone, Copy)]
struct Castling {
    color: Color,
    rook: u64,
    rook_to: u64,
    king_to: u64,
    /// Everything that must be empty.
    path: u64,
}

#[derive(Clone, Copy)]
struct EnPassant {
    square: u64,
    victim: u64,
    /// Pawns of the side to move that attack the square.
    capturers: u64,
}

/// The pieces of a position as the fixed point needs them.
struct Start<'a> {
    colors: ByColor<u64>,
    roles: ByRole<u64>,
    castles: &'a Castles,
    castling_rooks: u64,
    en_passant: Option<EnPassant>,
    turn: Color,
}

impl<'a> Start<'a> {
    #[inline]
    fn new(position: &'a Chess) -> Self {
        let board = position.board();
        let colors = ByColor { black: board.black().0, white: board.white().0 };
        let roles = ByRole {
            pawn: board.pawns().0,
            knight: board.knights().0,
            bishop: board.bishops().0,
            rook: board.rooks().0,
            queen: board.queens().0,
            king: board.kings().0,
        };
        let turn = position.turn();
        let en_passant = position.legal_ep_square().map(|square| {
            let square = bit(square);
            EnPassant {
                square,
                victim: pawn_pushes(!turn, square),
                capturers: pawn_attacks(!turn, square) & roles.pawn & *colors.get(turn),
            }
        });
        Self {
            colors,
            roles,
            castles: position.castles(),
            castling_rooks: position.castles().castling_rights().0,
            en_passant,
            turn,
        }
    }

    /// Every castling that there is still a right to.
    fn castlings(&self) -> impl Iterator<Item = Castling> + use<'a> {
        let castles = self.castles;
        let colors = if castles.any() { &Color::ALL[..] } else { &[] };
        colors.iter().flat_map(move |&color| {
            CastlingSide::ALL.into_iter().filter_map(move |side| {
                castles.rook(color, side).map(|rook| Castling {
                    color,
                    rook: bit(rook),
                    rook_to: bit(side.rook_to(color)),
                    king_to: bit(side.king_to(color)),
                    path: castles.path(color, side).0,
                })
            })
        })
    }

    const fn occupied(&self) -> u64 {
        self.colors.black | self.colors.white
    }

    /// Whether one side has at most a knight, or bishops on squares of one colour.
    ///
    /// With nothing frozen all others can go everywhere together, and so give mate
    /// in a corner as far as a witness tells.
    fn few_pieces(&self) -> bool {
        let Self { colors: ByColor { black, white }, roles, .. } = *self;
        [black, white].into_iter().any(|own| {
            let men = own & !roles.king;
            let shade = Bitboard(men).is_subset(Bitboard::LIGHT_SQUARES)
                || Bitboard(men).is_subset(Bitboard::DARK_SQUARES);
            men & !roles.bishop == 0 && shade || men & !roles.knight == 0 && men.count_ones() == 1
        })
    }

    /// The frozen set and the reaches that belong to it; none when nothing is frozen.
    #[inline]
    fn settle(&self) -> Option<Blockade> {
        let frozen = self.supported(self.candidates());
        if frozen == 0 {
            return None;
        }
        let mut blockade = Blockade { frozen, stoppers: 0, reaches: ByColor::default() };
        while let Some(broken) = blockade.grow(self) {
            blockade.frozen = self.supported(blockade.frozen & !broken);
            if blockade.frozen == 0 {
                return None;
            }
        }
        Some(blockade)
    }

    /// The frozen set and the stoppers, and the reaches that belong to them.
    ///
    /// It starts with every pawn that is not frozen as a stopper, and drops those that break rule 9. A frozen piece
    /// that is dropped becomes a mover, and as a pawn a stopper: enemy pawns do not push onto it either way.
    /// When no stoppers are left, it stops half-way.
    fn settle_with_stoppers(&self) -> Blockade {
        let victim = self.en_passant.map_or(0, |en_passant| en_passant.victim);
        let mut possible = self.roles.pawn & !victim;
        let mut frozen = self.supported(self.candidates());
        let mut blockade = Blockade { frozen, stoppers: possible & !frozen, reaches: ByColor::default() };
        loop {
            let broken = blockade.grow(self);
            let loose = if broken.is_some() { 0 } else { blockade.loose_stoppers(self) };
            if let Some(broken) = broken {
                frozen = self.supported(frozen & !broken);
            } else if loose != 0 {
                possible &= !loose;
            } else {
                blockade.stoppers &= blockade.kept_out(self);
                return blockade;
            }
            blockade.frozen = frozen;
            blockade.stoppers = possible & !frozen;
            if blockade.stoppers == 0 {
                return blockade;
            }
        }
    }

    /// Pieces that break no rule with regard to what pawns attack on the board as it is.
    ///
    /// Whether the other piece is frozen or not, one of the rules 6 and 7 fails.
    #[inline]
    fn candidates(&self) -> u64 {
        let Self { colors: ByColor { black, white }, roles, .. } = *self;
        let non_kings = !roles.king;
        let mut open = self.castling_rooks;
        for (color, own, enemy) in [(Color::White, white, black), (Color::Black, black, white)] {
            let pawns = roles.pawn & own;
            let guarded = pawn_attacks(color, pawns);
            open |= guarded & enemy;
            // A king rarely has no step, even with everything frozen.
            let king = roles.king & enemy;
            if king_steps(king) & !(white | black | guarded | king_steps(roles.king & own)) != 0
                || self.castles.has_color(!color)
            {
                open |= king;
            }
            open |= pawn_attacks(!color, enemy & non_kings) & pawns;
        }
        if let Some(EnPassant { victim, capturers, .. }) = self.en_passant {
            open |= victim | capturers;
        }
        (white | black) & !open
    }

    /// What the frozen pieces of a colour attack for ever.
    #[inline]
    fn guarded(&self, frozen: u64, color: Color) -> u64 {
        let own = frozen & *self.colors.get(color);
        let roles = &self.roles;
        let mut guarded = pawn_attacks(color, own & roles.pawn);
        if own & !roles.pawn != 0 {
            guarded |= knight_steps(own & roles.knight)
                | rook_steps(own & (roles.rook | roles.queen))
                | bishop_steps(own & (roles.bishop | roles.queen))
                | king_steps(own & roles.king);
        }
        guarded
    }

    /// The largest subset in which every pawn is blocked by a frozen piece and
    /// every other piece attacks only frozen pieces of its own colour (rules 5 and 8).
    #[inline]
    fn supported(&self, mut frozen: u64) -> u64 {
        let Self { colors: ByColor { black, white }, roles, .. } = *self;
        loop {
            loop {
                let blocked =
                    white & pawn_pushes(Color::Black, frozen) | black & pawn_pushes(Color::White, frozen);
                let kept = frozen & (blocked | !roles.pawn);
                if kept == frozen {
                    break;
                }
                frozen = kept;
            }
            let officers = frozen & !roles.pawn;
            if officers == 0 {
                return frozen;
            }
            let moving = |open: u64| {
                roles.knight & knight_steps(open)
                    | (roles.rook | roles.queen) & rook_steps(open)
                    | (roles.bishop | roles.queen) & bishop_steps(open)
            };
            // What is frozen for neither colour is the common case; the enemy's frozen pieces come after it.
            let mut loose = officers & moving(!frozen);
            if loose == 0 {
                loose = officers & (white & moving(!(frozen & white)) | black & moving(!(frozen & black)));
            }
            if loose == 0 && officers & roles.king != 0 {
                for color in Color::ALL {
                    let own = *self.colors.get(color);
                    let open = !(frozen & own | self.guarded(frozen, !color));
                    loose |= officers & own & roles.king & king_steps(open);
                }
            }
            if loose == 0 {
                return frozen;
            }
            frozen &= !loose;
        }
    }
}

const fn bit(square: Square) -> u64 {
    Bitboard::from_square(square).0
}

/// What officers of one colour can meet as their reach grows.
#[derive(Clone, Copy)]
struct Surroundings {
    color: Color,
    /// The squares that are not frozen.
    free: u64,
    /// The frozen pieces of the enemy without the king.
    target: u64,
    /// The pawns among them.
    frozen_pawns: u64,
}

impl Surroundings {
    /// Floods the reach of officers of one role, until it sees a frozen piece of the enemy
    /// that they attack, or a frozen pawn that attacks them.
    #[inline]
    fn flood_until_broken(self, reach: &mut u64, steps: impl Fn(u64) -> u64) -> Option<u64> {
        let Self { color, free, target, frozen_pawns } = self;
        if *reach == 0 {
            return None;
        }
        // Two steps for every look, which costs less than a look for every step.
        *reach |= steps(*reach) & free;
        loop {
            let nearer = *reach | steps(*reach) & free;
            let reached = steps(nearer);
            let broken = target & reached | frozen_pawns & pawn_attacks(color, nearer);
            let grown = nearer | reached & free;
            let settled = grown == *reach;
            *reach = grown;
            if broken != 0 {
                return Some(broken);
            }
            if settled {
                return None;
            }
        }
    }
}

/// A frozen set, with the squares that the movers of each colour and role reach together.
#[derive(Clone, Copy)]
struct Blockade {
    frozen: u64,
    /// Mover pawns onto whose squares no enemy pawn pushes (rule 9); in a plain witness there are none.
    stoppers: u64,
    reaches: ByColor<ByRole<u64>>,
}

/// What follows from a settled blockade.
struct Survey {
    conclusions: Conclusions,
    component: [u8; MAXIMUM_PIECES],
}

impl Blockade {
    /// The blockade in which nothing is frozen.
    fn open(start: &Start<'_>) -> Self {
        let mut blockade = Self { frozen: 0, stoppers: 0, reaches: ByColor::default() };
        // Nothing frozen, nothing broken.
        let broken = blockade.grow(start);
        debug_assert_eq!(broken, None);
        blockade
    }

    /// Grows all reaches around the frozen set as it is. As soon as frozen pieces
    /// are seen to break a rule it returns them; reaches only grow, so what they
    /// break now they would break in the end.
    fn grow(&mut self, start: &Start<'_>) -> Option<u64> {
        let movers = start.occupied() & !self.frozen;
        let free = !self.frozen;
        for color in Color::ALL {
            let own = movers & *start.colors.get(color);
            let reaches = self.reaches.get_mut(color);
            for role in Role::ALL {
                *reaches.get_mut(role) |= own & *start.roles.get(role);
            }
        }
        for castling in self.possible_castlings(start) {
            let reaches = self.reaches.get_mut(castling.color);
            reaches.rook |= castling.rook_to;
            reaches.king |= castling.king_to;
        }
        if let Some(en_passant) = start.en_passant {
            self.reaches.get_mut(start.turn).pawn |= en_passant.square;
        }

        loop {
            for color in Color::ALL {
                let target = self.frozen & *start.colors.get(!color) & !start.roles.king;
                let frozen_pawns = target & start.roles.pawn;
                let surroundings = Surroundings { color, free, target, frozen_pawns };
                let reaches = self.reaches.get_mut(color);
                // In the order in which a blockade is most often seen to fail.
                let broken = surroundings
                    .flood_until_broken(&mut reaches.queen, king_steps)
                    .or_else(|| surroundings.flood_until_broken(&mut reaches.rook, rook_steps))
                    .or_else(|| surroundings.flood_until_broken(&mut reaches.knight, knight_steps))
                    .or_else(|| surroundings.flood_until_broken(&mut reaches.bishop, bishop_steps));
                if broken.is_some() {
                    return broken;
                }
            }
            if !self.advance_pawns(start) {
                break;
            }
        }

        let mut broken = 0;
        for color in Color::ALL {
            let target = self.frozen & *start.colors.get(!color) & !start.roles.king;
            let guarded = start.guarded(self.frozen, !color);
            let reaches = self.reaches.get_mut(color);
            reaches.king = flood(reaches.king, free & !guarded, king_steps);
            broken |= target & !guarded & king_steps(reaches.king);
            // A frozen pawn that could take a mover pawn could also be taken by it.
            broken |= target & pawn_attacks(color, reaches.pawn);
        }
        (broken != 0).then_some(broken)
    }

    /// Castling over a frozen piece is never legal.
    fn possible_castlings<'a>(&self, start: &Start<'a>) -> impl Iterator<Item = Castling> + use<'a> {
        let frozen = self.frozen;
        start.castlings().filter(move |castling| castling.path & frozen == 0)
    }

    /// All that enemies of this colour's pawns can be captured on: every reach but that of the king.
    fn prey(&self, color: Color) -> u64 {
        let reaches = self.reaches.get(color);
        reaches.pawn | reaches.knight | reaches.bishop | reaches.rook | reaches.queen
    }

    /// Moves all pawns on as far as they come. True when one has promoted on a
    /// square that its new roles did not reach before.
    fn advance_pawns(&mut self, start: &Start<'_>) -> bool {
        let free = !self.frozen;
        loop {
            let mut changed = false;
            for color in Color::ALL {
                let old = self.reaches.get(color).pawn;
                if old == 0 {
                    continue;
                }
                let advance = self.advance(start, color);
                let pawns = pawn_closure(color, old, advance, free & self.prey(!color));
                self.reaches.get_mut(color).pawn = pawns;
                changed |= pawns != old;
            }
            if !changed {
                break;
            }
        }
        let mut promoted = false;
        for color in Color::ALL {
            let reaches = self.reaches.get_mut(color);
            let seeds = reaches.pawn & LAST_RANKS;
            promoted |= seeds & !(reaches.knight & reaches.bishop & reaches.rook & reaches.queen) != 0;
            reaches.knight |= seeds;
            reaches.bishop |= seeds;
            reaches.rook |= seeds;
            reaches.queen |= seeds;
        }
        promoted
    }

    /// The squares that pawns of this colour may push onto.
    const fn advance(&self, start: &Start<'_>, color: Color) -> u64 {
        let ByColor { black, white } = start.colors;
        let enemy = match color {
            Color::White => black,
            Color::Black => white,
        };
        !(self.frozen | self.stoppers & enemy)
    }

    /// The reach of one mover pawn as a pawn.
    fn pawn_reach(&self, start: &Start<'_>, color: Color, pawn: u64) -> u64 {
        let mut seeds = pawn;
        if let Some(en_passant) = start.en_passant
            && en_passant.capturers & pawn != 0
        {
            seeds |= en_passant.square;
        }
        pawn_closure(color, seeds, self.advance(start, color), self.prey(!color) & !self.frozen)
    }

    /// The stoppers that break rule 9, when all has grown.
    fn loose_stoppers(&self, start: &Start<'_>) -> u64 {
        let mut loose = 0;
        for color in Color::ALL {
            let enemy = self.reaches.get(!color);
            let takers = enemy.knight | enemy.bishop | enemy.rook | enemy.queen | enemy.king;
            for square in Bitboard(self.stoppers & *start.colors.get(color)) {
                let reach = self.pawn_reach(start, color, bit(square));
                if reach & (takers | !Bitboard::from_file(square.file()).0) != 0 {
                    loose |= bit(square);
                }
            }
        }
        loose
    }

    /// The movers, with the square in front of each stopper where an enemy pawn can stand before it: whether that
    /// pawn can push depends on the stopper, and so the two meet.
    fn with_what_stoppers_hold(&self, start: &Start<'_>, field: &Field) -> [Range; MAXIMUM_PIECES] {
        let mut movers = field.movers;
        if self.stoppers == 0 {
            return movers;
        }
        for (range, square) in movers.iter_mut().zip(Bitboard(start.occupied() & !self.frozen)) {
            let here = bit(square);
            if self.stoppers & here != 0 {
                let color = Color::from_white(start.colors.white & here != 0);
                range.attack |= pawn_pushes(color, here) & self.reaches.get(!color).pawn;
            }
        }
        movers
    }

    /// The stoppers onto whose squares an enemy pawn could push otherwise.
    fn kept_out(&self, start: &Start<'_>) -> u64 {
        let ByColor { black, white } = start.colors;
        let pushed_by = |color| pawn_pushes(color, self.reaches.get(color).pawn);
        white & pushed_by(Color::Black) | black & pushed_by(Color::White)
    }

    /// The reach of every mover on its own, and what follows from all of them.
    fn survey(&self, start: &Start<'_>, mut each: impl FnMut(Square, ByRole<Bitboard>)) -> Survey {
        let frozen = self.frozen;
        let free = !frozen;
        let frozen_of = start.colors.map(|own| own & frozen);
        let mut field = Field::EMPTY;
        for color in Color::ALL {
            let own = *frozen_of.get(color);
            field.put_frozen(color, own, start.guarded(frozen, color));
            if let Some(king) = Bitboard(own & start.roles.king).first() {
                field.put_frozen_king(color, king);
            }
        }
        let mut regions = Regions { free, known: ByRole::default() };
        let mut count = 0;
        let mut castling_groups = [0u32; 4];
        let mut en_passant_group = 0u32;
        for square in Bitboard(start.occupied() & free) {
            let here = bit(square);
            let color = Color::from_white(start.colors.white & here != 0);
            let index = count;
            count += 1;
            if start.roles.king & here != 0 {
                let reach = self.reaches.get(color).king;
                each(square, ByRole { king: Bitboard(reach), ..ByRole::default() });
                field.put_king(index, color, Range { reach, attack: king_steps(reach) });
                for (group, castling) in castling_groups.iter_mut().zip(start.castlings()) {
                    *group |= u32::from(castling.color == color) << index;
                }
            } else if start.roles.pawn & here != 0 {
                if let Some(en_passant) = start.en_passant {
                    en_passant_group |=
                        u32::from((en_passant.capturers | en_passant.victim) & here != 0) << index;
                }
                let pawn = self.pawn_reach(start, color, here);
                let promotions = pawn & LAST_RANKS;
                let reach = ByRole {
                    pawn: Bitboard(pawn),
                    knight: Bitboard(regions.around(Role::Knight, promotions)),
                    bishop: Bitboard(regions.around(Role::Bishop, promotions)),
                    rook: Bitboard(regions.around(Role::Rook, promotions)),
                    queen: Bitboard(regions.around(Role::Queen, promotions)),
                    king: Bitboard::EMPTY,
                };
                each(square, reach);
                let pawn_attack = pawn_attacks(color, pawn);
                let sums = field.sides.get_mut(color);
                sums.pawn_attack |= pawn_attack;
                let step = pawn_pushes(color, here & home_rank(color)) & free;
                sums.skipped |= step & pawn_pushes(!color, free);
                let range = Range {
                    reach: pawn | reach.knight.0 | reach.bishop.0 | reach.rook.0 | reach.queen.0,
                    attack: pawn_attack
                        | knight_steps(reach.knight.0)
                        | bishop_steps(reach.bishop.0)
                        | rook_steps(reach.rook.0)
                        | king_steps(reach.queen.0),
                };
                field.put_non_king(index, color, Role::Pawn, range);
            } else {
                let role = if start.roles.bishop & here != 0 {
                    Role::Bishop
                } else if start.roles.knight & here != 0 {
                    Role::Knight
                } else if start.roles.rook & here != 0 {
                    Role::Rook
                } else {
                    Role::Queen
                };
                let mut seeds = here;
                if start.castling_rooks & here != 0 {
                    for castling in self.possible_castlings(start).filter(|castling| castling.rook == here) {
                        seeds |= castling.rook_to;
                    }
                    for (group, castling) in castling_groups.iter_mut().zip(start.castlings()) {
                        *group |= u32::from(castling.rook == here) << index;
                    }
                }
                let reach = regions.around(role, seeds);
                let mut by_role = ByRole::default();
                *by_role.get_mut(role) = Bitboard(reach);
                each(square, by_role);
                field.put_non_king(index, color, role, Range { reach, attack: officer_steps(role, reach) });
            }
        }

        let meeting = self.with_what_stoppers_hold(start, &field);
        let (component, components) = components(&meeting[..count], castling_groups, en_passant_group);
        let coupling = if components < 2 {
            Coupling::UNKNOWN
        } else {
            let en_passant = start.en_passant.is_some() || field.en_passant_possible();
            Coupling::new(ByColor::new_with(|color| field.checks_of(color) != 0), en_passant)
        };
        let unwinnable = ByColor::new_with(|color| field.mating_square(color).is_none());
        Survey { conclusions: Conclusions { components, coupling, unwinnable }, component }
    }
}

/// Everything that pawns reach by pushes over squares where they may advance and by captures of prey.
fn pawn_closure(color: Color, seeds: u64, advance: u64, prey: u64) -> u64 {
    flood(seeds, u64::MAX, |set| pawn_pushes(color, set) & advance | pawn_attacks(color, set) & prey)
}

/// Regions of officers: steps can be retraced, so pieces with a square in common have the whole region.
struct Regions {
    free: u64,
    /// The connected region found last for each role.
    known: ByRole<u64>,
}

impl Regions {
    /// The regions that hold the seeds, which are free squares.
    #[inline]
    fn around(&mut self, role: Role, mut seeds: u64) -> u64 {
        let mut all = 0;
        while seeds != 0 {
            let seed = seeds & seeds.wrapping_neg();
            let known = self.known.get_mut(role);
            if seed & *known == 0 {
                *known = flood(seed, self.free, |set| officer_steps(role, set));
            }
            all |= *known;
            seeds &= !*known;
        }
        all
    }
}

/// The component of each mover, numbered by their lowest movers, and how many there are.
fn components(movers: &[Range], castling: [u32; 4], en_passant: u32) -> ([u8; MAXIMUM_PIECES], u8) {
    let mut component = [0; MAXIMUM_PIECES];
    let mut number = 0;
    let mut left = u32::MAX.checked_shr(32 - movers.len() as u32).unwrap_or(0);
    while left != 0 {
        let first = left & left.wrapping_neg();
        let (mut members, mut whole) = (first, movers[first.trailing_zeros() as usize]);
        left &= !first;
        loop {
            let mut joining = 0;
            for index in bits(left) {
                if whole.meets(movers[index]) {
                    joining |= 1 << index;
                }
            }
            for group in castling.into_iter().chain([en_passant]) {
                if group & members != 0 {
                    joining |= group & left;
                }
            }
            if joining == 0 {
                break;
            }
            for index in bits(joining) {
                whole.reach |= movers[index].reach;
                whole.attack |= movers[index].attack;
            }
            members |= joining;
            left &= !joining;
        }
        for index in bits(members) {
            component[index] = number;
        }
        number += 1;
    }
    (component, number)
}
