//! The bytes of certificates, BMPERSIST v1 (`docs/permanent-independence.md`).

use alloc::vec::Vec;
use core::num::NonZeroU32;

use sha2::{Digest as _, Sha256};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, Position as _, PositionErrorKinds, Role,
    Setup, Square,
};
use thiserror::Error;

use super::certificate::{PersistentCertificate, Proof};
use super::expansion::{Expansion, Leaf, LeafProof, MAXIMUM_NODES};
use super::homes::{Home, MAXIMUM_CAP, MAXIMUM_HOMES, Roaming};
use super::verdict::Coupling;
use super::witness::{Mover, Witness};
use crate::digest::{PersistentCertificateDigest, finish};
use crate::payload::{PayloadError, Reader, Sink};

const MAGIC: &str = "BMPERSIST";
const VERSION: u8 = 1;
const KIND_WITNESS: u8 = 1;
const KIND_EXPANSION: u8 = 2;
const KIND_MATERIAL: u8 = 4;
const KIND_STOPPERS: u8 = 5;
const KIND_MIXED_EXPANSION: u8 = 6;
const KIND_ROAMING: u8 = 7;
const KIND_ROAMING_TO_BARE_KING: u8 = 8;
const KIND_EXPANSION_WITH_HOMES: u8 = 9;
const NO_SQUARE: u8 = 64;

/// The roles that have homes, by their numbers in the format.
const AT_HOME: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// What a leaf takes at least: its number, its frozen pieces and its count of movers.
const SMALLEST_LEAF: usize = 4 + 8 + 1;
/// Where leaves are of several kinds: its number and its kind.
const SMALLEST_MIXED_LEAF: usize = 4 + 1;

/// The roles that each have a reach, in the order of the format.
const OFFICERS: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const OF_A_PAWN: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl PersistentCertificate {
    /// The bytes of the certificate, BMPERSIST v1 (`docs/permanent-independence.md`).
    #[must_use]
    pub fn canonical_payload(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512);
        self.put(&mut bytes);
        bytes
    }

    /// The SHA-256 of [`canonical_payload`](Self::canonical_payload).
    #[must_use]
    pub fn digest(&self) -> PersistentCertificateDigest {
        let mut hash = Sha256::new();
        self.put(&mut hash);
        finish(hash)
    }

    fn put(&self, sink: &mut impl Sink) {
        sink.put_header(MAGIC, VERSION);
        put_position(sink, &self.position);
        sink.put_u8(flags(self.unwinnable));
        match &self.proof {
            Proof::Witness(witness) => {
                sink.put_u8(if witness.stoppers.is_empty() { KIND_WITNESS } else { KIND_STOPPERS });
                put_witness(sink, self.position.board(), witness);
            }
            Proof::Expansion(expansion) => {
                let kind = expansion_kind(expansion);
                sink.put_u8(kind as u8);
                put_witness(sink, self.position.board(), &expansion.root);
                put_expansion(sink, expansion, kind != ExpansionKind::Plain);
            }
            Proof::Material => sink.put_u8(KIND_MATERIAL),
            Proof::Roaming(roaming) => {
                sink.put_u8(roaming_kind(roaming));
                put_roaming(sink, roaming);
            }
        }
    }

    /// Reads BMPERSIST v1, and only its canonical form: encoding the result gives the same bytes.
    ///
    /// # Errors
    ///
    /// The first deviation from the format, or what makes the position illegal.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        reader.header(MAGIC, VERSION)?;
        let position = read_position(&mut reader)?;
        let unwinnable = read_flags(&mut reader, "verdict")?;
        let offset = reader.offset();
        let proof = match reader.u8("proof kind")? {
            kind @ (KIND_WITNESS | KIND_STOPPERS) => {
                Proof::Witness(read_witness(&mut reader, position.board(), kind == KIND_STOPPERS)?)
            }
            kind @ (KIND_EXPANSION | KIND_MIXED_EXPANSION | KIND_EXPANSION_WITH_HOMES) => {
                let root = read_witness(&mut reader, position.board(), false)?;
                let expansion = read_expansion(&mut reader, root, kind)?;
                if expansion_kind(&expansion) as u8 != kind {
                    // With these leaves another kind of proof says the same.
                    return Err(PayloadError::InvalidElement { offset, element: "proof kind" }.into());
                }
                Proof::Expansion(expansion)
            }
            KIND_MATERIAL => Proof::Material,
            kind @ (KIND_ROAMING | KIND_ROAMING_TO_BARE_KING) => {
                let to_bare_king = kind == KIND_ROAMING_TO_BARE_KING;
                Proof::Roaming(read_roaming(&mut reader, to_bare_king, MAXIMUM_NODES)?)
            }
            _ => return Err(PayloadError::InvalidElement { offset, element: "proof kind" }.into()),
        };
        reader.finish()?;
        Ok(Self { position, unwinnable, proof })
    }
}

/// Why bytes are not a certificate.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum DecodeError {
    /// The bytes deviate from BMPERSIST v1.
    #[error("not a persistent certificate")]
    Payload {
        /// Where and how.
        #[from]
        #[source]
        error: PayloadError,
    },
    /// shakmaty does not accept the position.
    #[error("certified position is illegal ({kinds:?})")]
    IllegalPosition {
        /// Everything that is wrong with it.
        kinds: PositionErrorKinds,
    },
}

impl DecodeError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Payload { .. } => "persistent/payload",
            Self::IllegalPosition { .. } => "persistent/illegal-position",
        }
    }
}

pub(crate) fn put_position(sink: &mut impl Sink, position: &Chess) {
    let board = position.board();
    sink.put_u64(board.white().0);
    for role in Role::ALL {
        sink.put_u64(board.by_role(role).0);
    }
    sink.put_u8(position.turn().fold_wb(0, 1));
    sink.put_u64(position.castles().castling_rights().0);
    sink.put_u8(position.legal_ep_square().map_or(NO_SQUARE, u8::from));
}

pub(crate) fn read_position(reader: &mut Reader<'_>) -> Result<Chess, DecodeError> {
    let offset = reader.offset();
    let white = Bitboard(reader.u64("white pieces")?);
    let mut roles = ByRole::default();
    for role in Role::ALL {
        *roles.get_mut(role) = Bitboard(reader.u64("pieces of a role")?);
    }
    let occupied = Role::ALL.into_iter().fold(Bitboard::EMPTY, |all, role| all | *roles.get(role));
    let colors = ByColor { black: occupied & !white, white };
    let placement = PayloadError::InvalidElement { offset, element: "placement" };
    let board = Board::try_from_bitboards(roles, colors).map_err(|_| placement)?;

    let offset = reader.offset();
    let turn = match reader.u8("turn")? {
        0 => Color::White,
        1 => Color::Black,
        _ => return Err(PayloadError::InvalidElement { offset, element: "turn" }.into()),
    };
    let castling_rights = Bitboard(reader.u64("castling rights")?);
    let ep_offset = reader.offset();
    let ep_invalid = PayloadError::InvalidElement { offset: ep_offset, element: "en-passant square" };
    let ep_square = match reader.u8("en-passant square")? {
        NO_SQUARE => None,
        square => Some(Square::try_from(square).map_err(|_| ep_invalid)?),
    };

    let setup = Setup {
        board,
        promoted: Bitboard::EMPTY,
        pockets: None,
        turn,
        castling_rights,
        ep_square,
        remaining_checks: None,
        halfmoves: 0,
        fullmoves: NonZeroU32::MIN,
    };
    let mode = CastlingMode::detect(&setup);
    let position: Chess =
        setup.position(mode).map_err(|error| DecodeError::IllegalPosition { kinds: error.kinds() })?;
    // Without a legal capture the square would be a second encoding of the same position.
    if position.legal_ep_square() != ep_square {
        return Err(ep_invalid.into());
    }
    Ok(position)
}

fn flags(colors: ByColor<bool>) -> u8 {
    u8::from(colors.white) | u8::from(colors.black) << 1
}

fn unflags(byte: u8) -> ByColor<bool> {
    ByColor { black: byte & 2 != 0, white: byte & 1 != 0 }
}

fn read_flags(reader: &mut Reader<'_>, element: &'static str) -> Result<ByColor<bool>, PayloadError> {
    let offset = reader.offset();
    match reader.u8(element)? {
        byte if byte < 4 => Ok(unflags(byte)),
        _ => Err(PayloadError::InvalidElement { offset, element }),
    }
}

/// The roles whose reach a piece of this role is encoded with.
pub(crate) fn encoded_roles(role: Role) -> impl Iterator<Item = Role> {
    let own: &[Role] = match role {
        Role::Pawn => &OF_A_PAWN,
        officer => OFFICERS.iter().position(|&other| other == officer).map_or(&[], |at| &OFFICERS[at..=at]),
    };
    own.iter().copied()
}

fn put_witness(sink: &mut impl Sink, board: &Board, witness: &Witness) {
    sink.put_u64(witness.frozen.0);
    if witness.stoppers.any() {
        sink.put_u64(witness.stoppers.0);
    }
    sink.put_u8(flags(witness.coupling.checks()) | u8::from(witness.coupling.en_passant()) << 2);
    for mover in &witness.movers {
        sink.put_u8(mover.square.into());
        sink.put_u8(mover.component);
        for role in board.role_at(mover.square).into_iter().flat_map(encoded_roles) {
            sink.put_u64(mover.reach.get(role).0);
        }
    }
}

fn read_witness(
    reader: &mut Reader<'_>,
    board: &Board,
    with_stoppers: bool,
) -> Result<Witness, PayloadError> {
    let offset = reader.offset();
    let frozen = Bitboard(reader.u64("frozen pieces")?);
    if !frozen.is_subset(board.occupied()) {
        return Err(PayloadError::InvalidElement { offset, element: "frozen pieces" });
    }
    let offset = reader.offset();
    let stoppers = if with_stoppers { read_stoppers(reader)? } else { Bitboard::EMPTY };
    if !stoppers.is_subset(board.pawns() & !frozen) {
        return Err(PayloadError::InvalidElement { offset, element: "stoppers" });
    }
    let offset = reader.offset();
    let coupling = match reader.u8("coupling")? {
        byte if byte < 8 => Coupling::new(unflags(byte), byte & 4 != 0),
        _ => return Err(PayloadError::InvalidElement { offset, element: "coupling" }),
    };
    let mut movers = Vec::with_capacity((board.occupied() & !frozen).count());
    let mut components = 0;
    for (square, piece) in board.clone() {
        if frozen.contains(square) {
            continue;
        }
        let offset = reader.offset();
        if reader.u8("square of a mover")? != u8::from(square) {
            return Err(PayloadError::InvalidElement { offset, element: "square of a mover" });
        }
        let offset = reader.offset();
        let component = reader.u8("component")?;
        if component > components {
            return Err(PayloadError::InvalidElement { offset, element: "component" });
        }
        components = components.max(component + 1);
        let mut reach = ByRole::default();
        for role in encoded_roles(piece.role) {
            *reach.get_mut(role) = Bitboard(reader.u64("reach")?);
        }
        movers.push(Mover { square, reach, component });
    }
    Ok(Witness { frozen, stoppers, movers, coupling })
}

/// Without stoppers the plain kind of witness says the same.
fn read_stoppers(reader: &mut Reader<'_>) -> Result<Bitboard, PayloadError> {
    let offset = reader.offset();
    match reader.u64("stoppers")? {
        0 => Err(PayloadError::InvalidElement { offset, element: "stoppers" }),
        stoppers => Ok(Bitboard(stoppers)),
    }
}

fn put_roaming(sink: &mut impl Sink, roaming: &Roaming) {
    sink.put_u8(roaming.homes.len() as u8);
    for home in &roaming.homes {
        sink.put_u8(home.color.fold_wb(0, 1));
        sink.put_u8(AT_HOME.iter().position(|&role| role == home.role).map_or(u8::MAX, |role| role as u8));
        sink.put_u64(home.squares.0);
        sink.put_u8(home.cap);
    }
    sink.put_u32(roaming.states);
}

/// Homes with at most so many states.
fn read_roaming(reader: &mut Reader<'_>, to_bare_king: bool, most: u32) -> Result<Roaming, PayloadError> {
    let offset = reader.offset();
    let count = usize::from(reader.u8("number of homes")?);
    if !(1..=MAXIMUM_HOMES).contains(&count) {
        return Err(PayloadError::InvalidElement { offset, element: "number of homes" });
    }
    let mut homes = Vec::with_capacity(count);
    for _ in 0..count {
        let offset = reader.offset();
        let color = match reader.u8("colour of a home")? {
            0 => Color::White,
            1 => Color::Black,
            _ => return Err(PayloadError::InvalidElement { offset, element: "colour of a home" }),
        };
        let offset = reader.offset();
        let role = AT_HOME.get(usize::from(reader.u8("role of a home")?));
        let role = *role.ok_or(PayloadError::InvalidElement { offset, element: "role of a home" })?;
        let squares = Bitboard(reader.u64("squares of a home")?);
        let offset = reader.offset();
        let cap = reader.u8("cap of a home")?;
        if cap > MAXIMUM_CAP {
            return Err(PayloadError::InvalidElement { offset, element: "cap of a home" });
        }
        homes.push(Home { color, role, squares, cap });
    }
    let offset = reader.offset();
    let states = reader.u32("number of states")?;
    if !(1..=most).contains(&states) {
        return Err(PayloadError::InvalidElement { offset, element: "number of states" });
    }
    Ok(Roaming { homes, states, to_bare_king })
}

/// The kinds of expansions. Which one it is follows from the leaves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ExpansionKind {
    /// All leaves are plain witnesses.
    Plain = KIND_EXPANSION as isize,
    /// Some leaf is none, so that each leaf tells its kind.
    Mixed = KIND_MIXED_EXPANSION as isize,
    /// Some leaf has men at home.
    WithHomes = KIND_EXPANSION_WITH_HOMES as isize,
}

pub(crate) fn expansion_kind(expansion: &Expansion) -> ExpansionKind {
    let leaves = || expansion.leaves.iter().map(|leaf| leaf_kind(&leaf.proof));
    if leaves().any(|kind| matches!(kind, KIND_ROAMING | KIND_ROAMING_TO_BARE_KING)) {
        ExpansionKind::WithHomes
    } else if leaves().any(|kind| kind != KIND_WITNESS) {
        ExpansionKind::Mixed
    } else {
        ExpansionKind::Plain
    }
}

const fn leaf_kind(proof: &LeafProof) -> u8 {
    match proof {
        LeafProof::Witness(witness) if witness.stoppers.is_empty() => KIND_WITNESS,
        LeafProof::Witness(_) => KIND_STOPPERS,
        LeafProof::Material => KIND_MATERIAL,
        LeafProof::Roaming(roaming) => roaming_kind(roaming),
    }
}

const fn roaming_kind(roaming: &Roaming) -> u8 {
    if roaming.to_bare_king { KIND_ROAMING_TO_BARE_KING } else { KIND_ROAMING }
}

fn put_expansion(sink: &mut impl Sink, expansion: &Expansion, with_kinds: bool) {
    sink.put_u32(expansion.nodes);
    sink.put_u32(expansion.leaves.len() as u32);
    for Leaf { node, proof } in &expansion.leaves {
        sink.put_u32(*node);
        if with_kinds {
            sink.put_u8(leaf_kind(proof));
        }
        match proof {
            LeafProof::Witness(witness) => put_leaf_witness(sink, witness),
            LeafProof::Material => {}
            LeafProof::Roaming(roaming) => put_roaming(sink, roaming),
        }
    }
}

fn put_leaf_witness(sink: &mut impl Sink, witness: &Witness) {
    sink.put_u64(witness.frozen.0);
    if witness.stoppers.any() {
        sink.put_u64(witness.stoppers.0);
    }
    sink.put_u8(witness.movers.len() as u8);
    for Mover { square, reach, .. } in &witness.movers {
        sink.put_u8((*square).into());
        let roles = || Role::ALL.into_iter().enumerate().filter(|&(_, role)| reach.get(role).any());
        sink.put_u8(roles().fold(0, |mask, (bit, _)| mask | 1 << bit));
        for (_, role) in roles() {
            sink.put_u64(reach.get(role).0);
        }
    }
}

fn read_expansion(reader: &mut Reader<'_>, root: Witness, kind: u8) -> Result<Expansion, PayloadError> {
    let (with_kinds, with_homes) = (kind != KIND_EXPANSION, kind == KIND_EXPANSION_WITH_HOMES);
    let offset = reader.offset();
    let nodes = reader.u32("number of positions")?;
    if !(1..=MAXIMUM_NODES).contains(&nodes) {
        return Err(PayloadError::InvalidElement { offset, element: "number of positions" });
    }
    let offset = reader.offset();
    let count = reader.u32("number of leaves")? as usize;
    if count > reader.remaining() / if with_kinds { SMALLEST_MIXED_LEAF } else { SMALLEST_LEAF } {
        return Err(PayloadError::InvalidElement { offset, element: "number of leaves" });
    }
    let mut leaves = Vec::with_capacity(count);
    let mut previous = 0;
    // What is left for the states of leaves: checking plays positions and states alike.
    let mut states_left = MAXIMUM_NODES - nodes;
    for _ in 0..count {
        let offset = reader.offset();
        let node = reader.u32("leaf")?;
        if node <= previous {
            return Err(PayloadError::NotAscending { offset, element: "leaf" });
        }
        if node >= nodes {
            return Err(PayloadError::InvalidElement { offset, element: "leaf" });
        }
        previous = node;
        let offset = reader.offset();
        let proof = match if with_kinds { reader.u8("kind of a leaf")? } else { KIND_WITNESS } {
            kind @ (KIND_WITNESS | KIND_STOPPERS) => {
                LeafProof::Witness(read_leaf_witness(reader, kind == KIND_STOPPERS)?)
            }
            KIND_MATERIAL => LeafProof::Material,
            kind @ (KIND_ROAMING | KIND_ROAMING_TO_BARE_KING) if with_homes => {
                let roaming = read_roaming(reader, kind == KIND_ROAMING_TO_BARE_KING, states_left)?;
                states_left -= roaming.states;
                LeafProof::Roaming(roaming)
            }
            _ => return Err(PayloadError::InvalidElement { offset, element: "kind of a leaf" }),
        };
        leaves.push(Leaf { node, proof });
    }
    Ok(Expansion { root, nodes, leaves })
}

fn read_leaf_witness(reader: &mut Reader<'_>, with_stoppers: bool) -> Result<Witness, PayloadError> {
    let frozen = Bitboard(reader.u64("frozen pieces")?);
    let stoppers = if with_stoppers { read_stoppers(reader)? } else { Bitboard::EMPTY };
    let offset = reader.offset();
    let count = usize::from(reader.u8("number of movers")?);
    if count > Square::ALL.len() {
        return Err(PayloadError::InvalidElement { offset, element: "number of movers" });
    }
    let mut movers: Vec<Mover> = Vec::with_capacity(count);
    for _ in 0..count {
        let offset = reader.offset();
        let square = Square::try_from(reader.u8("square of a mover")?)
            .map_err(|_| PayloadError::InvalidElement { offset, element: "square of a mover" })?;
        if movers.last().is_some_and(|mover| mover.square >= square) {
            return Err(PayloadError::NotAscending { offset, element: "square of a mover" });
        }
        let offset = reader.offset();
        let mask = reader.u8("roles of a mover")?;
        if mask == 0 || mask >> Role::ALL.len() != 0 {
            return Err(PayloadError::InvalidElement { offset, element: "roles of a mover" });
        }
        let mut reach = ByRole::default();
        for (bit, role) in Role::ALL.into_iter().enumerate() {
            if mask & 1 << bit != 0 {
                let offset = reader.offset();
                let squares = Bitboard(reader.u64("reach")?);
                if squares.is_empty() {
                    return Err(PayloadError::InvalidElement { offset, element: "reach" });
                }
                *reach.get_mut(role) = squares;
            }
        }
        movers.push(Mover { square, reach, component: 0 });
    }
    Ok(Witness { frozen, stoppers, movers, coupling: Coupling::UNKNOWN })
}
