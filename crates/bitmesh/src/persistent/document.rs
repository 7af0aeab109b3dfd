//! Reads the JSON document `bitmesh.persistent.v1`.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use shakmaty::{Bitboard, Board, ByColor, ByRole, Chess, Color, Piece, Position as _, Role};

use super::certificate::{PersistentCertificate, Proof};
use super::expansion::{Expansion, Leaf, LeafProof, MAXIMUM_NODES};
use super::verdict::{Coupling, PROOF_KIND};
use super::wire::is_mixed;
use super::witness::{Mover, Witness};
use super::written::{SCHEMA, canonical_text, leaf_positions};
use crate::digest::PersistentCertificateDigest;
use crate::json::{Name, SquareSet};
use crate::position::{FEN_CONTEXT, Input};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    #[serde(borrow)]
    schema: Cow<'a, str>,
    #[serde(borrow)]
    proof_kind: Cow<'a, str>,
    digest: PersistentCertificateDigest,
    position: Cow<'a, str>,
    claims: Claims,
    proof: ProofDocument,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    components: u8,
    decomposed: bool,
    coupling: CouplingDocument,
    unwinnable: Vec<ColorName>,
    dead: bool,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum CouplingDocument {
    ExactSum { colours: Vec<ColorName> },
    CoupledByCheck { colours: Vec<ColorName> },
    CoupledByEnPassant { colours: Vec<ColorName> },
}

#[derive(Clone, Copy, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
enum ColorName {
    White,
    Black,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum ProofDocument {
    Witness {
        frozen: SquareSet,
        movers: Vec<MoverDocument>,
    },
    WitnessWithStoppers {
        frozen: SquareSet,
        stoppers: SquareSet,
        movers: Vec<MoverDocument>,
    },
    Expansion {
        frozen: SquareSet,
        movers: Vec<MoverDocument>,
        positions: u32,
        leaves: Vec<LeafDocument>,
    },
    MixedExpansion {
        frozen: SquareSet,
        movers: Vec<MoverDocument>,
        positions: u32,
        leaves: Vec<LeafDocument>,
    },
    Material {},
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LeafDocument {
    number: u32,
    position: Option<String>,
    /// Only among leaves of several kinds.
    kind: Option<LeafKind>,
    frozen: Option<SquareSet>,
    stoppers: Option<SquareSet>,
    movers: Option<Vec<MoverDocument>>,
}

#[derive(Clone, Copy, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
enum LeafKind {
    Witness,
    WitnessWithStoppers,
    Material,
}

impl LeafDocument {
    /// The proof, without the movers of a witness: these are read when the position is known.
    fn proof<E: serde::de::Error>(&self, mixed: bool) -> Result<LeafProof, E> {
        let Self { kind, frozen, stoppers, movers, .. } = self;
        let kind = match kind {
            Some(kind) if mixed => *kind,
            None if !mixed => LeafKind::Witness,
            _ => return Err(E::custom("a leaf tells its kind exactly when the expansion is mixed")),
        };
        let witness = |stoppers: &SquareSet, frozen: &SquareSet| {
            LeafProof::Witness(Witness { frozen: frozen.0, stoppers: stoppers.0, ..Witness::EMPTY })
        };
        match (kind, frozen, stoppers, movers) {
            (LeafKind::Witness, Some(frozen), None, Some(_)) => {
                Ok(witness(&SquareSet(Bitboard::EMPTY), frozen))
            }
            (LeafKind::WitnessWithStoppers, Some(frozen), Some(stoppers), Some(_)) => {
                Ok(witness(stoppers, frozen))
            }
            (LeafKind::Material, None, None, None) => Ok(LeafProof::Material),
            _ => Err(E::custom("a leaf has not the fields of its kind")),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoverDocument {
    square: Name,
    piece: String,
    component: u8,
    reach: BTreeMap<RoleName, SquareSet>,
}

#[derive(Clone, Copy, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "snake_case")]
enum RoleName {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Pawn => Self::Pawn,
            RoleName::Knight => Self::Knight,
            RoleName::Bishop => Self::Bishop,
            RoleName::Rook => Self::Rook,
            RoleName::Queen => Self::Queen,
            RoleName::King => Self::King,
        }
    }
}

fn colors<E: serde::de::Error>(names: &[ColorName]) -> Result<ByColor<bool>, E> {
    let color = |name: ColorName| match name {
        ColorName::White => Color::White,
        ColorName::Black => Color::Black,
    };
    let mut set = ByColor { black: false, white: false };
    for &name in names {
        if core::mem::replace(set.get_mut(color(name)), true) {
            return Err(E::custom("a colour is listed twice"));
        }
    }
    Ok(set)
}

impl CouplingDocument {
    fn read<E: serde::de::Error>(&self) -> Result<Coupling, E> {
        match self {
            Self::ExactSum { colours } if colours.is_empty() => Ok(Coupling::ExactSum),
            Self::ExactSum { .. } => Err(E::custom("an exact sum is coupled by nobody's checks")),
            Self::CoupledByCheck { colours } => Ok(Coupling::CoupledByCheck { colours: colors(colours)? }),
            Self::CoupledByEnPassant { colours } => {
                Ok(Coupling::CoupledByEnPassant { colours: colors(colours)? })
            }
        }
    }
}

/// The movers, whose pieces must stand on the board.
fn read_movers<E: serde::de::Error>(board: &Board, documents: Vec<MoverDocument>) -> Result<Vec<Mover>, E> {
    let read = |MoverDocument { square: Name(square), piece, component, reach }| {
        let found = board.piece_at(square);
        if !piece.chars().eq(found.map(Piece::char)) {
            return Err(E::custom(format_args!("no piece {piece} on {square}")));
        }
        let mut sets = ByRole::<Bitboard>::default();
        for (role, SquareSet(set)) in reach {
            *sets.get_mut(role.into()) = set;
        }
        Ok(Mover { square, reach: sets, component })
    };
    documents.into_iter().map(read).collect()
}

/// The expansion, whose leaves must state the positions that the moves lead to.
fn read_expansion<E: serde::de::Error>(
    position: &Chess,
    root: Witness,
    nodes: u32,
    documents: Vec<LeafDocument>,
    mixed: bool,
) -> Result<Expansion, E> {
    // The moves are played before the bytes are looked at.
    if nodes > MAXIMUM_NODES {
        return Err(E::custom("more positions than an expansion can have"));
    }
    let mut expansion = Expansion { root, nodes, leaves: Vec::with_capacity(documents.len()) };
    let mut stated = Vec::with_capacity(documents.len());
    for document in documents {
        expansion.leaves.push(Leaf { node: document.number, proof: document.proof(mixed)? });
        stated.push((document.position, document.movers));
    }
    // Where the leaves are decides which positions there are; their witnesses do not.
    let found: Vec<_> = leaf_positions(&expansion, position).collect();
    for ((leaf, (text, movers)), found) in expansion.leaves.iter_mut().zip(stated).zip(found) {
        if text != found.as_ref().map(canonical_text) {
            return Err(E::custom(format_args!("leaf {} is another position", leaf.node)));
        }
        let board = found.map_or_else(Board::empty, |found| found.board().clone());
        if let (LeafProof::Witness(witness), Some(movers)) = (&mut leaf.proof, movers) {
            witness.movers = read_movers(&board, movers)?;
        }
    }
    Ok(expansion)
}

/// Reads the document `bitmesh.persistent.v1`, whose digest must belong to it. What was read is a claim until
/// [`check`](super::check()) has accepted it.
impl<'de> Deserialize<'de> for PersistentCertificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        for (found, expected) in [(&document.schema, SCHEMA), (&document.proof_kind, PROOF_KIND)] {
            if found != expected {
                return Err(D::Error::custom(format_args!("`{found}` in the place of `{expected}`")));
            }
        }
        let position = match Input::from_canonical_text(FEN_CONTEXT, &document.position) {
            Ok(Input::Position(position)) => position.into_chess(),
            Ok(Input::Board(_)) => return Err(D::Error::custom("the position is a board only")),
            Err(error) => return Err(D::Error::custom(format_args!("position: {error}"))),
        };
        let coupling = document.claims.coupling.read()?;
        let witness = |SquareSet(frozen), SquareSet(stoppers), movers| {
            Ok(Witness { frozen, stoppers, movers: read_movers(position.board(), movers)?, coupling })
        };
        let none = SquareSet(Bitboard::EMPTY);
        let proof = match document.proof {
            ProofDocument::Witness { frozen, movers } => Proof::Witness(witness(frozen, none, movers)?),
            ProofDocument::WitnessWithStoppers { stoppers: SquareSet(Bitboard::EMPTY), .. } => {
                return Err(D::Error::custom("a witness with stoppers has none"));
            }
            ProofDocument::WitnessWithStoppers { frozen, stoppers, movers } => {
                Proof::Witness(witness(frozen, stoppers, movers)?)
            }
            ProofDocument::Expansion { frozen, movers, positions, leaves } => {
                let root = witness(frozen, none, movers)?;
                Proof::Expansion(read_expansion(&position, root, positions, leaves, false)?)
            }
            ProofDocument::MixedExpansion { frozen, movers, positions, leaves } => {
                let root = witness(frozen, none, movers)?;
                let expansion = read_expansion(&position, root, positions, leaves, true)?;
                if !is_mixed(&expansion) {
                    return Err(D::Error::custom("a mixed expansion has only plain witnesses"));
                }
                Proof::Expansion(expansion)
            }
            ProofDocument::Material {} => Proof::Material,
        };
        if matches!(proof, Proof::Material) && coupling != Coupling::UNKNOWN {
            return Err(D::Error::custom("material says nothing about components"));
        }
        let certificate = Self { position, unwinnable: colors(&document.claims.unwinnable)?, proof };
        // Whatever the bytes cannot hold is refused as it would be in the bytes.
        let decoded = Self::decode(&certificate.canonical_payload()).map_err(D::Error::custom)?;
        if decoded != certificate {
            return Err(D::Error::custom("the document holds what the certificate cannot hold"));
        }
        let claims = certificate.claims();
        let stated = (document.claims.components, document.claims.decomposed, document.claims.dead);
        if stated != (claims.components, claims.decomposed(), claims.dead()) {
            return Err(D::Error::custom("the claims do not follow from the rest of the document"));
        }
        match certificate.digest() {
            digest if digest == document.digest => Ok(certificate),
            digest => {
                Err(D::Error::custom(format_args!("digest {} in the place of {digest}", document.digest)))
            }
        }
    }
}
