//! The producer of expansions: positions one after the other, until play cannot leave them.
//!
//! Nothing here is trusted: [`check`](super::check()) judges what comes out.

use alloc::vec::Vec;

use shakmaty::{ByColor, Chess, Color, Position as _};

use super::certificate::{PersistentCertificate, Proof};
use super::expansion::{Expansion, Leaf, MAXIMUM_NODES};
use super::prove::{analyze, largest_witness};
use super::verdict::{Coupling, MAXIMUM_PIECES};
use super::walk::{Walk, moves_in_order};
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
    /// At most this many positions, and never more than the format holds, 262,144.
    #[must_use]
    pub const fn nodes(nodes: u32) -> Self {
        Self { nodes: if nodes < MAXIMUM_NODES { nodes } else { MAXIMUM_NODES } }
    }

    /// The number of positions.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.nodes
    }
}

impl Default for Bound {
    fn default() -> Self {
        Self::nodes(100_000)
    }
}

/// The certificate of everything that can be proved about a position, with an expansion if that proves more.
///
/// What [`prove`](super::prove()) finds with one witness stays. When that leaves open whether a
/// colour can give mate, the legal moves are followed until each line comes to
/// a position that a witness decides, or to one that was met before. A mate
/// that is met ends the search for its colour, and so does the bound for both.
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
    let decided = given.white && given.black || position.board().occupied().count() > MAXIMUM_PIECES;
    let wider = if decided { None } else { widest(position, given, bound) };
    let (unwinnable, proof) = match wider {
        None => (given, Proof::Witness(witness)),
        Some((unwinnable, Closed { nodes, leaves })) => {
            let leaf = |(node, position)| Leaf { node, witness: leaf_witness(&position) };
            let leaves = leaves.into_iter().map(leaf).collect();
            (unwinnable, Proof::Expansion(Expansion { root: witness, nodes, leaves }))
        }
    };
    PersistentCertificate { position: position.clone(), unwinnable, proof }
}

/// As many positions as a dead position often has. Beyond, it is worth to look for a mate first.
const SMALL: u32 = 2_000;

/// The search for the most claims that succeeds, if it has more than are given.
fn widest(position: &Chess, given: ByColor<bool>, bound: Bound) -> Option<(ByColor<bool>, Closed)> {
    let mut claims = ByColor { black: true, white: true };
    let mut stage = Bound::nodes(SMALL.min(bound.nodes));
    loop {
        match close(position, claims, stage) {
            Ok(closed) => return Some((claims, closed)),
            Err(Open::Mate { by }) => *claims.get_mut(by) = false,
            Err(Open::Bound { .. }) if stage != bound => {
                stage = bound;
                let mates = random_mates(position);
                claims = ByColor::new_with(|color| *claims.get(color) && !mates.get(color));
            }
            Err(Open::Bound { leaf_of }) => {
                // Where one colour is given, the other is all that was left; where no position
                // is a leaf for one alone, one alone comes no further than both.
                let alone = !given.white && !given.black && claims.white && claims.black;
                return [Color::White, Color::Black]
                    .into_iter()
                    .filter(|&color| alone && *leaf_of.get(color))
                    .map(|color| ByColor::new_with(|other| other == color))
                    .find_map(|claims| Some((claims, close(position, claims, bound).ok()?)));
            }
        }
        if (given.white || !claims.white) && (given.black || !claims.black) {
            return None;
        }
    }
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

/// A set of positions that play cannot leave.
struct Closed {
    nodes: u32,
    leaves: Vec<(u32, Chess)>,
}

/// Why no closed set was found.
enum Open {
    /// A mate was met.
    Mate { by: Color },
    /// There are more positions than the bound allows.
    Bound {
        /// The colours for which alone some position would have been a leaf.
        leaf_of: ByColor<bool>,
    },
}

/// Follows all moves from a position until the claims are settled everywhere.
fn close(root: &Chess, claims: ByColor<bool>, bound: Bound) -> Result<Closed, Open> {
    let mut leaf_of = ByColor { black: false, white: false };
    let mut leaves = Vec::new();
    let mut walk = Walk::new(root);
    while let Some((node, position)) = walk.next() {
        let proved = analyze(&position).unwinnable;
        if node > 0 && (proved.white || !claims.white) && (proved.black || !claims.black) {
            leaves.push((node, position));
            continue;
        }
        leaf_of.white |= proved.white;
        leaf_of.black |= proved.black;
        let moves = moves_in_order(&position);
        let by = !position.turn();
        if moves.is_empty() && position.is_check() && *claims.get(by) {
            return Err(Open::Mate { by });
        }
        for played in moves {
            walk.meet_after(&position, played);
            if walk.met() > bound.nodes {
                return Err(Open::Bound { leaf_of });
            }
        }
    }
    Ok(Closed { nodes: walk.met(), leaves })
}

/// The witness of a position, as a leaf carries it.
fn leaf_witness(position: &Chess) -> Witness {
    let (mut witness, _) = largest_witness(position);
    for mover in &mut witness.movers {
        mover.component = 0;
    }
    witness.coupling = Coupling::UNKNOWN;
    witness
}
