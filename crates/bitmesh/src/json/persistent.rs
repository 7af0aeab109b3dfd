//! The document `bitmesh.persistent.v1`.

use alloc::borrow::Cow;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use shakmaty::{Bitboard, Board, ByColor, ByRole, Chess, Color, Piece, Position as _, Role};

use super::list::list;
use super::names::{ColorName, Name, RoleName, SquareSet};
use crate::digest::PersistentCertificateDigest;
use crate::persistent::certificate::{PersistentCertificate, Proof};
use crate::persistent::expansion::{Expansion, Leaf, LeafProof, MAXIMUM_NODES};
use crate::persistent::homes::{Home, MAXIMUM_HOMES, Roaming};
use crate::persistent::verdict::{Conclusions, Coupling, PROOF_KIND};
use crate::persistent::wire::{ExpansionKind, encoded_roles, expansion_kind};
use crate::persistent::witness::{Mover, Witness};
use crate::position::{FEN_CONTEXT, Input, Position, role_name};

const SCHEMA: &str = "bitmesh.persistent.v1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    #[serde(borrow)]
    schema: Cow<'a, str>,
    #[serde(borrow)]
    proof_kind: Cow<'a, str>,
    digest: PersistentCertificateDigest,
    #[serde(borrow)]
    position: Cow<'a, str>,
    claims: Claims,
    proof: ProofDocument,
}

#[derive(Clone, Copy, Eq, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claims {
    components: u8,
    decomposed: bool,
    coupling: CouplingDocument,
    unwinnable: ColorSet,
    dead: bool,
}

/// Not a tagged enum of serde, which would accept unknown fields here and keep all of them in memory.
#[derive(Clone, Copy, Eq, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CouplingDocument {
    kind: CouplingKind,
    colours: ColorSet,
}

#[derive(Clone, Copy, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CouplingKind {
    ExactSum,
    CoupledByCheck,
    CoupledByEnPassant,
}

/// Colours by their names, White first.
#[derive(Clone, Copy, Eq, PartialEq)]
struct ColorSet(ByColor<bool>);

/// The fields of every kind of proof. Which of them a kind has is for `ProofDocument::read` to say.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofDocument {
    kind: ProofName,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    frozen: Option<SquareSet>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    stoppers: Option<SquareSet>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    movers: Option<Movers>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    positions: Option<u32>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    leaves: Option<Leaves>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    homes: Option<Homes>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    states: Option<u32>,
}

#[derive(Clone, Copy, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ProofName {
    Witness,
    WitnessWithStoppers,
    Expansion,
    MixedExpansion,
    ExpansionWithHomes,
    Material,
    Roaming,
    RoamingToBareKing,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Homes(#[serde(deserialize_with = "list::<_, _, MAXIMUM_HOMES>")] Vec<HomeDocument>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HomeDocument {
    piece: String,
    squares: SquareSet,
    cap: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Leaves(#[serde(deserialize_with = "list::<_, _, { MAXIMUM_NODES as usize }>")] Vec<LeafDocument>);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeafDocument {
    number: u32,
    /// Null when the expansion has no such position.
    position: Option<String>,
    /// Only among leaves of several kinds.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    kind: Option<LeafKind>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    frozen: Option<SquareSet>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    stoppers: Option<SquareSet>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    movers: Option<Movers>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    homes: Option<Homes>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    states: Option<u32>,
}

#[derive(Clone, Copy, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LeafKind {
    Witness,
    WitnessWithStoppers,
    Material,
    Roaming,
    RoamingToBareKing,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Movers(#[serde(deserialize_with = "list::<_, _, 64>")] Vec<MoverDocument>);

/// A field that may be left out but is not null.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoverDocument {
    square: Name,
    piece: Letter,
    component: u8,
    reach: Reach,
}

/// A piece by its letter in FEN, or an empty text where none stands.
#[derive(Clone, Copy, Eq, PartialEq)]
struct Letter(Option<Piece>);

/// The squares of each role that is listed. There can be millions of these in one document.
#[derive(Clone, Copy, Default)]
struct Reach {
    squares: ByRole<Bitboard>,
    listed: ByRole<bool>,
}

impl Reach {
    /// Whether the role was not listed before.
    fn list(&mut self, role: Role, squares: Bitboard) -> bool {
        *self.squares.get_mut(role) = squares;
        !core::mem::replace(self.listed.get_mut(role), true)
    }
}

/// In the order of the document, which is that of the alphabet.
const ROLES: [Role; 6] = [Role::Bishop, Role::King, Role::Knight, Role::Pawn, Role::Queen, Role::Rook];

impl Serialize for ColorSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = [(self.0.white, ColorName::White), (self.0.black, ColorName::Black)];
        serializer.collect_seq(named.into_iter().filter_map(|(listed, name)| listed.then_some(name)))
    }
}

impl<'de> Deserialize<'de> for ColorSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names: Vec<ColorName> = list::<_, _, 8>(deserializer)?;
        let mut set = ByColor { black: false, white: false };
        for color in names.into_iter().map(Color::from) {
            if core::mem::replace(set.get_mut(color), true) {
                return Err(D::Error::custom("a colour is listed twice"));
            }
        }
        Ok(Self(set))
    }
}

impl Serialize for Letter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |piece| fmt::Write::write_char(f, piece.char()))
    }
}

impl<'de> Deserialize<'de> for Letter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'_, str>::deserialize(deserializer)?;
        let mut letters = text.chars();
        let piece = letters.next().map(Piece::from_char);
        match piece {
            None => Ok(Self(None)),
            Some(Some(piece)) if letters.next().is_none() => Ok(Self(Some(piece))),
            Some(_) => Err(D::Error::custom("a piece is one of the letters PNBRQKpnbrqk")),
        }
    }
}

impl Serialize for Reach {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for role in ROLES {
            if *self.listed.get(role) {
                map.serialize_entry(&role_name(role), &SquareSet(*self.squares.get(role)))?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Reach {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Roles;

        impl<'de> Visitor<'de> for Roles {
            type Value = Reach;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("squares by the role that a piece has there")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Reach, M::Error> {
                let mut reach = Reach::default();
                while let Some(name) = map.next_key::<RoleName>()? {
                    let SquareSet(squares) = map.next_value()?;
                    if !reach.list(name.into(), squares) {
                        return Err(M::Error::custom("a role is listed twice"));
                    }
                }
                Ok(reach)
            }
        }

        deserializer.deserialize_map(Roles)
    }
}

impl From<Coupling> for CouplingDocument {
    fn from(coupling: Coupling) -> Self {
        let kind = match coupling {
            Coupling::ExactSum => CouplingKind::ExactSum,
            Coupling::CoupledByCheck { .. } => CouplingKind::CoupledByCheck,
            Coupling::CoupledByEnPassant { .. } => CouplingKind::CoupledByEnPassant,
        };
        Self { kind, colours: ColorSet(coupling.checks()) }
    }
}

impl CouplingDocument {
    fn read<E: serde::de::Error>(self) -> Result<Coupling, E> {
        let ColorSet(colors) = self.colours;
        match self.kind {
            CouplingKind::ExactSum if colors.white || colors.black => {
                Err(E::custom("an exact sum lists no colours"))
            }
            CouplingKind::ExactSum => Ok(Coupling::ExactSum),
            CouplingKind::CoupledByCheck => Ok(Coupling::CoupledByCheck { colors }),
            CouplingKind::CoupledByEnPassant => Ok(Coupling::CoupledByEnPassant { colors }),
        }
    }
}

impl From<Conclusions> for Claims {
    fn from(conclusions: Conclusions) -> Self {
        Self {
            components: conclusions.components,
            decomposed: conclusions.decomposed(),
            coupling: conclusions.coupling.into(),
            unwinnable: ColorSet(conclusions.unwinnable),
            dead: conclusions.dead(),
        }
    }
}

impl Serialize for Coupling {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CouplingDocument::from(*self).serialize(serializer)
    }
}

impl Serialize for Conclusions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Claims::from(*self).serialize(serializer)
    }
}

fn canonical_text(position: &Chess) -> String {
    Position::new(position.clone()).canonical_text()
}

fn mover_documents(board: &Board, witness: &Witness, listed: impl Fn(&Mover, Role) -> bool) -> Movers {
    let document = |mover: &Mover| {
        let mut reach = Reach::default();
        for role in Role::ALL.into_iter().filter(|&role| listed(mover, role)) {
            reach.list(role, *mover.reach.get(role));
        }
        MoverDocument {
            square: Name(mover.square),
            piece: Letter(board.piece_at(mover.square)),
            component: mover.component,
            reach,
        }
    };
    Movers(witness.movers.iter().map(document).collect())
}

/// The movers, whose pieces must stand on the board.
fn read_movers<E: serde::de::Error>(board: &Board, documents: Vec<MoverDocument>) -> Result<Vec<Mover>, E> {
    let read = |MoverDocument { square: Name(square), piece, component, reach }| {
        if piece.0 != board.piece_at(square) {
            return Err(E::custom(format_args!("no piece {piece} on {square}")));
        }
        Ok(Mover { square, reach: reach.squares, component })
    };
    documents.into_iter().map(read).collect()
}

/// The positions of the leaves, played out from the certified position; `None` for a number that the expansion does not have.
fn leaf_positions(expansion: &Expansion, root: &Chess) -> impl Iterator<Item = Option<Chess>> {
    let mut positions = expansion.positions(root).zip(0..).peekable();
    expansion.leaves().iter().map(move |leaf| {
        while positions.next_if(|&(_, number)| number < leaf.node()).is_some() {}
        positions.next_if(|&(_, number)| number == leaf.node()).map(|(position, _)| position)
    })
}

const fn leaf_kind(proof: &LeafProof) -> LeafKind {
    match proof {
        LeafProof::Witness(witness) if witness.stoppers.is_empty() => LeafKind::Witness,
        LeafProof::Witness(_) => LeafKind::WitnessWithStoppers,
        LeafProof::Material => LeafKind::Material,
        LeafProof::Roaming(roaming) if roaming.to_bare_king => LeafKind::RoamingToBareKing,
        LeafProof::Roaming(_) => LeafKind::Roaming,
    }
}

const fn expansion_name(kind: ExpansionKind) -> ProofName {
    match kind {
        ExpansionKind::Plain => ProofName::Expansion,
        ExpansionKind::Mixed => ProofName::MixedExpansion,
        ExpansionKind::WithHomes => ProofName::ExpansionWithHomes,
    }
}

/// The stoppers of a witness that has any.
fn stoppers(witness: &Witness) -> Option<SquareSet> {
    witness.stoppers.any().then_some(SquareSet(witness.stoppers))
}

impl LeafDocument {
    fn new(leaf: &Leaf, position: Option<Chess>, with_kind: bool) -> Self {
        let board = position.as_ref().map_or_else(Board::empty, |position| position.board().clone());
        let (witness, roaming) = match &leaf.proof {
            LeafProof::Witness(witness) => (Some(witness), None),
            LeafProof::Material => (None, None),
            LeafProof::Roaming(roaming) => (None, Some(roaming)),
        };
        Self {
            number: leaf.node(),
            position: position.as_ref().map(canonical_text),
            kind: with_kind.then(|| leaf_kind(&leaf.proof)),
            frozen: witness.map(|witness| SquareSet(witness.frozen)),
            stoppers: witness.and_then(stoppers),
            movers: witness
                .map(|witness| mover_documents(&board, witness, |mover, role| mover.reach.get(role).any())),
            homes: roaming.map(Homes::new),
            states: roaming.map(Roaming::states),
        }
    }

    /// The proof, without the movers of a witness: these are read when the position is known.
    fn proof<E: serde::de::Error>(&self, with_kind: bool) -> Result<LeafProof, E> {
        let kind = match self.kind {
            Some(kind) if with_kind => kind,
            None if !with_kind => LeafKind::Witness,
            _ => return Err(E::custom("a leaf tells its kind exactly when not all of them have one")),
        };
        let witness = |SquareSet(frozen), SquareSet(stoppers)| {
            LeafProof::Witness(Witness { frozen, stoppers, ..Witness::EMPTY })
        };
        let roaming = |homes: &Homes, states, to_bare_king| {
            Ok(LeafProof::Roaming(Roaming { homes: homes.read()?, states, to_bare_king }))
        };
        match (kind, self.frozen, self.stoppers, &self.movers, &self.homes, self.states) {
            (LeafKind::Witness, Some(frozen), None, Some(_), None, None) => {
                Ok(witness(frozen, SquareSet(Bitboard::EMPTY)))
            }
            (LeafKind::WitnessWithStoppers, Some(frozen), Some(stoppers), Some(_), None, None) => {
                Ok(witness(frozen, stoppers))
            }
            (LeafKind::Material, None, None, None, None, None) => Ok(LeafProof::Material),
            (LeafKind::Roaming, None, None, None, Some(homes), Some(states)) => roaming(homes, states, false),
            (LeafKind::RoamingToBareKing, None, None, None, Some(homes), Some(states)) => {
                roaming(homes, states, true)
            }
            _ => Err(E::custom("a leaf does not have the fields of its kind")),
        }
    }
}

/// The expansion, whose leaves must state the positions that the moves lead to.
fn read_expansion<E: serde::de::Error>(
    position: &Chess,
    root: Witness,
    nodes: u32,
    documents: Vec<LeafDocument>,
    with_kinds: bool,
) -> Result<Expansion, E> {
    // The moves are played before the bytes are looked at.
    if nodes > MAXIMUM_NODES {
        return Err(E::custom("more positions than an expansion can have"));
    }
    // Where the leaves are decides which positions there are; what they rest on does not.
    let leaf = |document: &LeafDocument| Leaf { node: document.number, proof: LeafProof::Material };
    let places = Expansion { root: Witness::EMPTY, nodes, leaves: documents.iter().map(leaf).collect() };
    let mut expansion = Expansion { root, nodes, leaves: Vec::with_capacity(documents.len()) };
    for (document, found) in documents.into_iter().zip(leaf_positions(&places, position)) {
        let (node, mut proof) = (document.number, document.proof(with_kinds)?);
        if document.position != found.as_ref().map(canonical_text) {
            return Err(E::custom(format_args!("leaf {node} is another position")));
        }
        if let (LeafProof::Witness(witness), Some(Movers(movers))) = (&mut proof, document.movers) {
            let board = found.map_or_else(Board::empty, |found| found.board().clone());
            witness.movers = read_movers(&board, movers)?;
        }
        expansion.leaves.push(Leaf { node, proof });
    }
    Ok(expansion)
}

impl Homes {
    fn new(roaming: &Roaming) -> Self {
        Self(roaming.homes.iter().map(HomeDocument::new).collect())
    }

    fn read<E: serde::de::Error>(&self) -> Result<Vec<Home>, E> {
        self.0.iter().map(HomeDocument::read).collect()
    }
}

impl HomeDocument {
    fn new(home: &Home) -> Self {
        let piece = home.role.of(home.color).char().to_string();
        Self { piece, squares: SquareSet(home.squares), cap: home.cap }
    }

    fn read<E: serde::de::Error>(&self) -> Result<Home, E> {
        let mut letters = self.piece.chars();
        match (letters.next().and_then(Piece::from_char), letters.next()) {
            (Some(Piece { color, role }), None) if role != Role::King => {
                Ok(Home { color, role, squares: self.squares.0, cap: self.cap })
            }
            _ => Err(E::custom(format_args!("no piece {} has a home", self.piece))),
        }
    }
}

impl ProofDocument {
    fn new(position: &Chess, proof: &Proof) -> Self {
        let (kind, witness, expansion) = match proof {
            Proof::Witness(witness) if witness.stoppers.is_empty() => {
                (ProofName::Witness, Some(witness), None)
            }
            Proof::Witness(witness) => (ProofName::WitnessWithStoppers, Some(witness), None),
            Proof::Expansion(expansion) => {
                (expansion_name(expansion_kind(expansion)), Some(&expansion.root), Some(expansion))
            }
            Proof::Material => (ProofName::Material, None, None),
            Proof::Roaming(roaming) if roaming.to_bare_king => (ProofName::RoamingToBareKing, None, None),
            Proof::Roaming(_) => (ProofName::Roaming, None, None),
        };
        let roaming = match proof {
            Proof::Roaming(roaming) => Some(roaming),
            _ => None,
        };
        let board = position.board();
        // With every role that the piece can have.
        let listed = |mover: &Mover, role| {
            board.role_at(mover.square).is_some_and(|own| encoded_roles(own).any(|other| other == role))
        };
        let leaves = |expansion: &Expansion| {
            let positions = leaf_positions(expansion, position);
            let with_kinds = kind != ProofName::Expansion;
            let leaves = expansion.leaves().iter().zip(positions);
            Leaves(leaves.map(|(leaf, position)| LeafDocument::new(leaf, position, with_kinds)).collect())
        };
        Self {
            kind,
            frozen: witness.map(|witness| SquareSet(witness.frozen)),
            stoppers: witness.and_then(stoppers),
            movers: witness.map(|witness| mover_documents(board, witness, listed)),
            positions: expansion.map(Expansion::nodes),
            leaves: expansion.map(leaves),
            homes: roaming.map(Homes::new),
            states: roaming.map(Roaming::states),
        }
    }

    /// Takes the fields of the kind; one that is missing is named, and so is one too many.
    fn read<E: serde::de::Error>(mut self, position: &Chess, coupling: Coupling) -> Result<Proof, E> {
        let kind = self.kind;
        let proof = match kind {
            ProofName::Witness => Proof::Witness(self.take_witness(position, Bitboard::EMPTY, coupling)?),
            ProofName::WitnessWithStoppers => {
                let SquareSet(stoppers) = self.stoppers.take().ok_or_else(|| E::missing_field("stoppers"))?;
                if stoppers.is_empty() {
                    return Err(E::custom("a witness with stoppers has none"));
                }
                Proof::Witness(self.take_witness(position, stoppers, coupling)?)
            }
            ProofName::Expansion | ProofName::MixedExpansion | ProofName::ExpansionWithHomes => {
                let with_kinds = kind != ProofName::Expansion;
                let root = self.take_witness(position, Bitboard::EMPTY, coupling)?;
                let nodes = self.positions.take().ok_or_else(|| E::missing_field("positions"))?;
                let Leaves(leaves) = self.leaves.take().ok_or_else(|| E::missing_field("leaves"))?;
                let expansion = read_expansion(position, root, nodes, leaves, with_kinds)?;
                if expansion_name(expansion_kind(&expansion)) != kind {
                    return Err(E::custom("the kind of an expansion is not that of its leaves"));
                }
                Proof::Expansion(expansion)
            }
            ProofName::Material | ProofName::Roaming | ProofName::RoamingToBareKing
                if coupling != Coupling::UNKNOWN =>
            {
                return Err(E::custom("this kind of proof says nothing about components"));
            }
            ProofName::Material => Proof::Material,
            ProofName::Roaming | ProofName::RoamingToBareKing => {
                let homes = self.homes.take().ok_or_else(|| E::missing_field("homes"))?.read()?;
                let states = self.states.take().ok_or_else(|| E::missing_field("states"))?;
                Proof::Roaming(Roaming { homes, states, to_bare_king: kind == ProofName::RoamingToBareKing })
            }
        };
        let Self { kind: _, frozen, stoppers, movers, positions, leaves, homes, states } = self;
        let surplus = [
            ("frozen", frozen.is_some()),
            ("stoppers", stoppers.is_some()),
            ("movers", movers.is_some()),
            ("positions", positions.is_some()),
            ("leaves", leaves.is_some()),
            ("homes", homes.is_some()),
            ("states", states.is_some()),
        ];
        match surplus.into_iter().find(|(_, stands)| *stands) {
            Some((name, _)) => Err(E::custom(format_args!("unknown field `{name}` for this kind of proof"))),
            None => Ok(proof),
        }
    }

    fn take_witness<E: serde::de::Error>(
        &mut self,
        position: &Chess,
        stoppers: Bitboard,
        coupling: Coupling,
    ) -> Result<Witness, E> {
        let SquareSet(frozen) = self.frozen.take().ok_or_else(|| E::missing_field("frozen"))?;
        let Movers(movers) = self.movers.take().ok_or_else(|| E::missing_field("movers"))?;
        Ok(Witness { frozen, stoppers, movers: read_movers(position.board(), movers)?, coupling })
    }
}

/// The JSON document `bitmesh.persistent.v1`: the same content as the payload, with its digest,
/// and the positions of the leaves of an expansion.
impl Serialize for PersistentCertificate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Document {
            schema: Cow::Borrowed(SCHEMA),
            proof_kind: Cow::Borrowed(PROOF_KIND),
            digest: self.digest(),
            position: Cow::Owned(canonical_text(&self.position)),
            claims: self.claims().into(),
            proof: ProofDocument::new(&self.position, &self.proof),
        }
        .serialize(serializer)
    }
}

/// Reads the document `bitmesh.persistent.v1`, whose digest must belong to it. What was read is a claim until
/// [`check`](crate::persistent::check()) has accepted it.
impl<'de> Deserialize<'de> for PersistentCertificate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let document = Document::deserialize(deserializer)?;
        for (found, expected) in [(&document.schema, SCHEMA), (&document.proof_kind, PROOF_KIND)] {
            if found != expected {
                return Err(D::Error::custom(format_args!("`{found}` instead of `{expected}`")));
            }
        }
        let position = match Input::from_canonical_text(FEN_CONTEXT, &document.position) {
            Ok(Input::Position(position)) => position.into_chess(),
            Ok(Input::Board(_)) => return Err(D::Error::custom("the position is a board only")),
            Err(error) => return Err(D::Error::custom(format_args!("position: {error}"))),
        };
        let coupling = document.claims.coupling.read()?;
        let proof = document.proof.read(&position, coupling)?;
        let ColorSet(unwinnable) = document.claims.unwinnable;
        let certificate = Self { position, unwinnable, proof };
        // What the bytes cannot hold is refused with the error that the bytes would give.
        let decoded = Self::decode(&certificate.canonical_payload()).map_err(D::Error::custom)?;
        if decoded != certificate {
            return Err(D::Error::custom("the document holds what the certificate cannot hold"));
        }
        if document.claims != Claims::from(certificate.claims()) {
            return Err(D::Error::custom("the claims do not follow from the rest of the document"));
        }
        match certificate.digest() {
            digest if digest == document.digest => Ok(certificate),
            digest => Err(D::Error::custom(format_args!("digest {} instead of {digest}", document.digest))),
        }
    }
}
