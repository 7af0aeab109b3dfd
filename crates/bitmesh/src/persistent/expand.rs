//! The producer of expansions: positions one after the other, until play cannot leave them.
//!
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use alloc::collections::VecDeque;

use shakmaty::{ByColor, Chess, Color, Move, Position as _};

use super::certificate::{PersistentCertificate, Proof};
use super::check::{CheckError, Closed, Guide, follow};
use super::expansion::{LeafProof, MAXIMUM_NODES};
use super::material::excluded_by_material;
use super::prove::{analyze, largest_witness, largest_witness_with_stoppers, shown_with_stoppers};
use super::reversible::keeps_outline;
use super::verdict::{Coupling, MAXIMUM_PIECES};
use super::witness::Witness;

/// How far [`prove_within`] looks: the number of positions that an expansion may hold.
///
/// The time is about one microsecond for each, the memory at most about 250 bytes.
/// By default it is 100,000.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bound {
    nodes: u32,
}

impl Bound {
    /// 100,000 positions.
    pub const DEFAULT: Self = Self::nodes(100_000);

    /// As many positions as the format holds, 262,144.
    pub const LARGEST: Self = Self { nodes: MAXIMUM_NODES };

    /// At most this many positions, and never more than [`LARGEST`](Self::LARGEST). With none, no expansion is made.
    #[must_use]
    pub const fn nodes(nodes: u32) -> Self {
        if nodes < MAXIMUM_NODES { Self { nodes } } else { Self::LARGEST }
    }

    /// The number of positions.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.nodes
    }
}

impl Default for Bound {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The certificate of everything that can be proved about a position, with an expansion if that proves more.
///
/// What [`prove`](super::prove()) finds with one witness stays. When that leaves open whether a
/// colour can give mate, the legal moves are followed until each line comes to
/// a position that a witness decides, or to one that was met before. A mate
/// that is met ends the search for its colour, and so does the bound for both.
/// All of it rests on plain witnesses; [`prove_with_every_kind`] adds the other kinds of proof.
/// A claim that is absent is open, not refuted.
///
/// ```
/// use bitmesh::persistent::{Bound, check, prove, prove_within};
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// // The king must take the pawn, and then two kings are left.
/// let fen: Fen = "k1K5/P7/8/8/8/8/8/8 b - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(!check(&prove(&position))?.dead());
/// assert!(check(&prove_within(&position, Bound::default()))?.dead());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prove_within(position: &Chess, bound: Bound) -> PersistentCertificate {
    let (witness, given) = largest_witness(position);
    let (unwinnable, proof, _) = plainly(position, witness, given, bound);
    PersistentCertificate { position: position.clone(), unwinnable, proof }
}

/// The certificate of [`prove_within`], or of more where the other kinds of proof show more.
///
/// They are material, stoppers, and an expansion whose leaves may rest on these. What [`prove_within`] claims is always claimed
/// here, and where nothing is added the certificate is the same, byte for byte.
///
/// ```
/// use bitmesh::persistent::{Bound, check, prove_with_every_kind, prove_within};
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let fen: Fen = "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(!check(&prove_within(&position, Bound::nodes(1_000)))?.dead());
/// assert!(check(&prove_with_every_kind(&position, Bound::nodes(1_000)))?.dead());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn prove_with_every_kind(position: &Chess, bound: Bound) -> PersistentCertificate {
    let (witness, given) = largest_witness(position);
    let (claims, proof, open) = plainly(position, witness.clone(), given, bound);
    let (unwinnable, proof) =
        with_other_kinds(position, &witness, claims, open, bound).unwrap_or((claims, proof));
    PersistentCertificate { position: position.clone(), unwinnable, proof }
}

/// What plain witnesses show, and the colours for which no mate was found.
fn plainly(
    position: &Chess,
    witness: Witness,
    given: ByColor<bool>,
    bound: Bound,
) -> (ByColor<bool>, Proof, ByColor<bool>) {
    if given.white && given.black || position.board().occupied().count() > MAXIMUM_PIECES {
        return (given, Proof::Witness(witness), ByColor::default());
    }
    match strongest_claims(position, given, bound) {
        (None, open) => (given, Proof::Witness(witness), open),
        (Some((claims, closed)), open) => (claims, closed.into_proof(witness), open),
    }
}

/// A proof of all that is claimed already and of more, on other grounds than plain witnesses.
/// `open` are the colours for which no mate is known.
fn with_other_kinds(
    position: &Chess,
    root: &Witness,
    claims: ByColor<bool>,
    open: ByColor<bool>,
    bound: Bound,
) -> Option<(ByColor<bool>, Proof)> {
    let more = |shown: ByColor<bool>| shown != claims && includes(shown, claims);
    if !more(ByColor::new_with(|color| *claims.get(color) || *open.get(color))) {
        return None;
    }
    let excluded = by_material(position);
    if more(excluded) && root.components() < 2 {
        return Some((excluded, Proof::Material));
    }
    if let Some((witness, shown)) = largest_witness_with_stoppers(position)
        && more(shown)
    {
        return Some((shown, Proof::Witness(witness)));
    }
    let both = ByColor { black: true, white: true };
    let goals = [both, ByColor { black: false, ..both }, ByColor { white: false, ..both }];
    for goal in goals.into_iter().filter(|&goal| more(goal)) {
        let possible = |color: Color| !goal.get(color) || *claims.get(color) || *open.get(color);
        if !Color::ALL.into_iter().all(possible) {
            continue;
        }
        if let Ok(closed) = explore(position, goal, bound, |position| shown_by_all(position, goal)) {
            return Some((goal, closed.into_proof(root.clone())));
        }
    }
    None
}

pub(super) fn by_material(position: &Chess) -> ByColor<bool> {
    ByColor::new_with(|color| excluded_by_material(position, color))
}

/// The colours that one proof without moves shows never to give mate: all of the goal if one proof covers it.
pub(super) fn shown_by_all(position: &Chess, goal: ByColor<bool>) -> ByColor<bool> {
    let shown = shown_without_stoppers(position, goal);
    if includes(shown, goal) { shown } else { shown_with_stoppers(position) }
}

/// [`shown_by_all`] with all grounds but stoppers.
pub(super) fn shown_without_stoppers(position: &Chess, goal: ByColor<bool>) -> ByColor<bool> {
    let shown = shown_by_witness(position);
    if includes(shown, goal) { shown } else { by_material(position) }
}

/// As many positions as a dead position often has. Beyond that, it pays to look for a mate first.
const SMALL: u32 = 2_000;

/// What a closed set shows, with the set.
type Shown = (ByColor<bool>, Closed<LeafProof>);

/// The search for the most claims that succeeds, if it has more than are given, and the colours for which no mate
/// was found.
fn strongest_claims(position: &Chess, given: ByColor<bool>, bound: Bound) -> (Option<Shown>, ByColor<bool>) {
    let mut claims = ByColor { black: true, white: true };
    let mut stage = Bound::nodes(SMALL.min(bound.nodes));
    loop {
        match explore(position, claims, stage, shown_by_witness) {
            Ok(closed) => return (Some((claims, closed)), claims),
            Err(NotClosed::Mate { by }) => *claims.get_mut(by) = false,
            Err(NotClosed::Bound { .. }) if stage != bound => {
                stage = bound;
                let mates = random_mates(position);
                claims = ByColor::new_with(|color| *claims.get(color) && !mates.get(color));
            }
            Err(NotClosed::Bound { leaf_of }) => {
                // Where one colour is given, only the other was left; where no position is a
                // leaf for one alone, one alone gets no further than both.
                let alone = !given.white && !given.black && claims.white && claims.black;
                let found = [Color::White, Color::Black]
                    .into_iter()
                    .filter(|&color| alone && *leaf_of.get(color))
                    .map(|color| ByColor::new_with(|other| other == color))
                    .find_map(|claims| {
                        Some((claims, explore(position, claims, bound, shown_by_witness).ok()?))
                    });
                return (found, claims);
            }
        }
        if (given.white || !claims.white) && (given.black || !claims.black) {
            return (None, claims);
        }
    }
}

/// The colours that a plain witness shows never to give mate.
fn shown_by_witness(position: &Chess) -> ByColor<bool> {
    analyze(position).unwinnable
}

/// The colours that give mate in one of a few random games: in most ordinary positions both do.
fn random_mates(root: &Chess) -> ByColor<bool> {
    const GAMES: usize = 64;
    const PLIES: usize = 200;
    let mut mates = ByColor { black: false, white: false };
    // Any numbers will do; the same ones every time make the same certificates.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..GAMES {
        let mut position = root.clone();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                *mates.get_mut(!position.turn()) |= position.is_check();
                break;
            }
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            position.play_unchecked(moves[random as usize % moves.len()]);
        }
        if mates.white && mates.black {
            break;
        }
    }
    mates
}

/// Names as leaves the positions that proofs without moves settle.
pub(super) struct Settling<F> {
    claims: ByColor<bool>,
    /// Tells the colours that never give mate as far as a leaf of the wanted kinds can show it.
    settled: F,
    /// For each position that waits: whether it is no leaf because the one that led to it is none.
    known_open: VecDeque<bool>,
    /// Whether the last position is none.
    open: bool,
    /// The colours for which alone some position would have been a leaf.
    leaf_of: ByColor<bool>,
}

impl<F: Fn(&Chess) -> ByColor<bool>> Settling<F> {
    pub(super) fn new(claims: ByColor<bool>, settled: F) -> Self {
        let known_open = VecDeque::from([false]);
        Self { claims, settled, known_open, open: false, leaf_of: ByColor::default() }
    }
}

impl<F: Fn(&Chess) -> ByColor<bool>> Guide for Settling<F> {
    type Ground = LeafProof;

    fn leaf(&mut self, number: u32, position: &Chess) -> Option<LeafProof> {
        self.open = self.known_open.pop_front().unwrap_or(false);
        if !self.open {
            let proved = (self.settled)(position);
            self.open = !includes(proved, self.claims);
            if number > 0 && !self.open {
                return Some(leaf_proof(position, self.claims));
            }
            self.leaf_of.white |= proved.white;
            self.leaf_of.black |= proved.black;
        }
        None
    }

    fn meets(&mut self, position: &Chess, played: Move) {
        self.known_open.push_back(self.open && keeps_outline(position, played));
    }
}

/// Why no closed set was found.
enum NotClosed {
    /// A mate was found.
    Mate { by: Color },
    /// There are more positions than the bound allows.
    Bound {
        /// The colours for which alone some position would have been a leaf.
        leaf_of: ByColor<bool>,
    },
}

/// Follows all moves from a position until the claims are settled everywhere.
/// `settled` tells the colours that never give mate as far as a leaf of the wanted kinds can show it.
fn explore(
    root: &Chess,
    claims: ByColor<bool>,
    bound: Bound,
    settled: impl Fn(&Chess) -> ByColor<bool>,
) -> Result<Closed<LeafProof>, NotClosed> {
    if bound.nodes == 0 {
        return Err(NotClosed::Bound { leaf_of: ByColor::default() });
    }
    let mut guide = Settling::new(claims, settled);
    follow(root, claims, bound.nodes, &mut guide).map_err(|error| match error {
        CheckError::MateInExpansion { color, .. } => NotClosed::Mate { by: color },
        _ => NotClosed::Bound { leaf_of: guide.leaf_of },
    })
}

/// Whether all of `claims` are among what is proved.
pub(super) const fn includes(proved: ByColor<bool>, claims: ByColor<bool>) -> bool {
    (proved.white || !claims.white) && (proved.black || !claims.black)
}

/// What a leaf rests on: a witness if that is enough, then material, then a witness with stoppers.
pub(super) fn leaf_proof(position: &Chess, claims: ByColor<bool>) -> LeafProof {
    let (witness, shown) = largest_witness(position);
    if includes(shown, claims) {
        return LeafProof::Witness(as_leaf(witness));
    }
    if includes(by_material(position), claims) {
        return LeafProof::Material;
    }
    let (witness, _) = largest_witness_with_stoppers(position).unwrap_or((witness, shown));
    LeafProof::Witness(as_leaf(witness))
}

/// A witness as a leaf carries it.
fn as_leaf(mut witness: Witness) -> Witness {
    for mover in &mut witness.movers {
        mover.component = 0;
    }
    witness.coupling = Coupling::UNKNOWN;
    witness
}
