//! The certificate and its bytes, BMPERSIST v1.

use alloc::vec::Vec;
use core::num::NonZeroU32;

use sha2::{Digest as _, Sha256};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, Position as _, PositionErrorKinds, Role,
    Setup, Square,
};
use thiserror::Error;

use super::expansion::{Expansion, put_expansion, read_expansion};
use super::verdict::{Conclusions, Coupling};
use crate::digest::PersistentCertificateDigest;
use crate::payload::{PayloadError, Reader, Sink};

const MAGIC: &str = "BMPERSIST";
const VERSION: u8 = 1;
const KIND_WITNESS: u8 = 1;
const KIND_EXPANSION: u8 = 2;
const NO_SQUARE: u8 = 64;

/// The roles that have a reach of their own, in the order of the format.
const OFFICERS: [Role; 5] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
const OF_A_PAWN: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A piece that is not claimed to be frozen, with every square where it can ever stand.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Mover {
    /// Where it stands in the certified position.
    pub square: Square,
    /// The squares where it can ever stand, by the role it has there. A piece
    /// other than a pawn has only its own role, a pawn every role but that of the king.
    pub reach: ByRole<Bitboard>,
    /// The number of its component. Components are numbered in the order of their lowest movers, from 0.
    pub component: u8,
}

impl Mover {
    /// The squares where it can ever stand, in whatever role.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        Role::ALL.into_iter().fold(Bitboard::EMPTY, |all, role| all | *self.reach.get(role))
    }
}

/// Frozen pieces and the reach of all the others.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Witness {
    pub(super) frozen: Bitboard,
    pub(super) movers: Vec<Mover>,
    pub(super) coupling: Coupling,
}

impl Witness {
    /// The pieces claimed never to move and never to be captured.
    #[must_use]
    pub const fn frozen(&self) -> Bitboard {
        self.frozen
    }

    /// All other pieces, in ascending order of their squares.
    #[must_use]
    pub fn movers(&self) -> &[Mover] {
        &self.movers
    }

    /// How the components are claimed to hang together.
    #[must_use]
    pub const fn coupling(&self) -> Coupling {
        self.coupling
    }

    /// The number of components.
    #[must_use]
    pub fn components(&self) -> u8 {
        self.movers.iter().map(|mover| mover.component.saturating_add(1)).max().unwrap_or(0)
    }
}

/// What a certificate rests on.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Proof {
    /// One witness for the position itself.
    Witness(Witness),
    /// A set of positions that play cannot leave, for the verdicts, and a witness for the rest.
    Expansion(Expansion),
}

impl Proof {
    /// The witness of the certified position.
    #[must_use]
    pub const fn witness(&self) -> &Witness {
        match self {
            Self::Witness(witness) => witness,
            Self::Expansion(expansion) => expansion.root(),
        }
    }
}

/// A proof of permanent independence, or of less, about one position.
///
/// It carries the whole position, what is claimed, and why. It is evidence only
/// once [`check`](super::check()) has accepted it; decoding alone says that the
/// bytes are well formed and the position is legal, and nothing more.
///
/// Two certificates are equal when their payloads are: move counters and an
/// en-passant square without a legal capture do not count.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PersistentCertificate {
    pub(super) position: Chess,
    pub(super) unwinnable: ByColor<bool>,
    pub(super) proof: Proof,
}

impl PersistentCertificate {
    /// The certified position.
    #[must_use]
    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// What the certificate rests on.
    #[must_use]
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }

    /// What the certificate claims. [`check`](super::check()) tells whether it is so.
    #[must_use]
    pub fn claims(&self) -> Conclusions {
        let witness = self.proof.witness();
        Conclusions {
            components: witness.components(),
            coupling: witness.coupling,
            unwinnable: self.unwinnable,
        }
    }

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
        PersistentCertificateDigest::from_hash(hash)
    }

    fn put(&self, sink: &mut impl Sink) {
        sink.put_header(MAGIC, VERSION);
        put_position(sink, &self.position);
        sink.put_u8(flags(self.unwinnable));
        match &self.proof {
            Proof::Witness(witness) => {
                sink.put_u8(KIND_WITNESS);
                put_witness(sink, self.position.board(), witness);
            }
            Proof::Expansion(expansion) => {
                sink.put_u8(KIND_EXPANSION);
                put_witness(sink, self.position.board(), &expansion.root);
                put_expansion(sink, expansion);
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
            KIND_WITNESS => Proof::Witness(read_witness(&mut reader, position.board())?),
            KIND_EXPANSION => {
                let root = read_witness(&mut reader, position.board())?;
                Proof::Expansion(read_expansion(&mut reader, root)?)
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
    #[error("bytes are no persistent certificate")]
    Payload {
        /// Where and how.
        #[from]
        #[source]
        error: PayloadError,
    },
    /// The position is none that shakmaty accepts.
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

fn put_position(sink: &mut impl Sink, position: &Chess) {
    let board = position.board();
    sink.put_u64(board.white().0);
    for role in Role::ALL {
        sink.put_u64(board.by_role(role).0);
    }
    sink.put_u8(position.turn().fold_wb(0, 1));
    sink.put_u64(position.castles().castling_rights().0);
    sink.put_u8(position.legal_ep_square().map_or(NO_SQUARE, u8::from));
}

fn read_position(reader: &mut Reader<'_>) -> Result<Chess, DecodeError> {
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

fn flags(colours: ByColor<bool>) -> u8 {
    u8::from(colours.white) | u8::from(colours.black) << 1
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
fn encoded_roles(role: Role) -> impl Iterator<Item = Role> {
    let own: &[Role] = match role {
        Role::Pawn => &OF_A_PAWN,
        officer => OFFICERS.iter().position(|&other| other == officer).map_or(&[], |at| &OFFICERS[at..=at]),
    };
    own.iter().copied()
}

fn put_witness(sink: &mut impl Sink, board: &Board, witness: &Witness) {
    sink.put_u64(witness.frozen.0);
    sink.put_u8(flags(witness.coupling.checks()) | u8::from(witness.coupling.en_passant()) << 2);
    for mover in &witness.movers {
        sink.put_u8(mover.square.into());
        sink.put_u8(mover.component);
        for role in board.role_at(mover.square).into_iter().flat_map(encoded_roles) {
            sink.put_u64(mover.reach.get(role).0);
        }
    }
}

fn read_witness(reader: &mut Reader<'_>, board: &Board) -> Result<Witness, PayloadError> {
    let offset = reader.offset();
    let frozen = Bitboard(reader.u64("frozen pieces")?);
    if !frozen.is_subset(board.occupied()) {
        return Err(PayloadError::InvalidElement { offset, element: "frozen pieces" });
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
    Ok(Witness { frozen, movers, coupling })
}

#[cfg(feature = "serde")]
pub(super) mod json {
    use alloc::collections::BTreeMap;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    use serde::{Serialize, Serializer};
    use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position as _, Role};

    use super::{Mover, PersistentCertificate, Proof, Witness, encoded_roles};
    use crate::persistent::expansion::{Expansion, Leaf};
    use crate::persistent::verdict::{Conclusions, Coupling, PROOF_KIND};
    use crate::position::Position;

    const SCHEMA: &str = "bitmesh.persistent.v1";

    #[derive(Serialize)]
    struct Document {
        schema: &'static str,
        proof_kind: &'static str,
        digest: String,
        position: String,
        claims: Conclusions,
        proof: ProofDocument,
    }

    #[derive(Serialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum ProofDocument {
        Witness {
            #[serde(flatten)]
            witness: WitnessDocument,
        },
        Expansion {
            #[serde(flatten)]
            root: WitnessDocument,
            positions: u32,
            leaves: Vec<LeafDocument>,
        },
    }

    #[derive(Serialize)]
    struct WitnessDocument {
        frozen: Vec<String>,
        movers: Vec<MoverDocument>,
    }

    #[derive(Serialize)]
    struct LeafDocument {
        number: u32,
        /// Absent when the expansion has no such position.
        position: Option<String>,
        #[serde(flatten)]
        witness: WitnessDocument,
    }

    #[derive(Serialize)]
    struct MoverDocument {
        square: String,
        piece: String,
        component: u8,
        reach: BTreeMap<&'static str, Vec<String>>,
    }

    fn squares(set: Bitboard) -> Vec<String> {
        set.into_iter().map(|square| square.to_string()).collect()
    }

    fn colors(set: ByColor<bool>) -> Vec<&'static str> {
        [Color::White, Color::Black]
            .into_iter()
            .filter(|&color| *set.get(color))
            .map(|color| color.fold_wb("white", "black"))
            .collect()
    }

    const fn role_name(role: Role) -> &'static str {
        match role {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        }
    }

    impl Serialize for Coupling {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            #[derive(Serialize)]
            struct Fields {
                kind: &'static str,
                colours: Vec<&'static str>,
            }
            let kind = match self {
                Self::ExactSum => "exact_sum",
                Self::CoupledByCheck { .. } => "coupled_by_check",
                Self::CoupledByEnPassant { .. } => "coupled_by_en_passant",
            };
            Fields { kind, colours: colors(self.checks()) }.serialize(serializer)
        }
    }

    impl Serialize for Conclusions {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            #[derive(Serialize)]
            struct Fields {
                components: u8,
                decomposed: bool,
                coupling: Coupling,
                unwinnable: Vec<&'static str>,
                dead: bool,
            }
            Fields {
                components: self.components,
                decomposed: self.decomposed(),
                coupling: self.coupling,
                unwinnable: colors(self.unwinnable),
                dead: self.dead(),
            }
            .serialize(serializer)
        }
    }

    fn witness_document(
        board: &Board,
        witness: &Witness,
        listed: impl Fn(&Mover, Role) -> bool,
    ) -> WitnessDocument {
        let mover = |mover: &Mover| MoverDocument {
            square: mover.square.to_string(),
            piece: board.piece_at(mover.square).map(|piece| piece.char().to_string()).unwrap_or_default(),
            component: mover.component,
            reach: Role::ALL
                .into_iter()
                .filter(|&role| listed(mover, role))
                .map(|role| (role_name(role), squares(*mover.reach.get(role))))
                .collect(),
        };
        WitnessDocument {
            frozen: squares(witness.frozen),
            movers: witness.movers.iter().map(mover).collect(),
        }
    }

    /// With every role that the piece can have.
    fn root_document(board: &Board, witness: &Witness) -> WitnessDocument {
        witness_document(board, witness, |mover, role| {
            board.role_at(mover.square).is_some_and(|own| encoded_roles(own).any(|other| other == role))
        })
    }

    pub(in crate::persistent) fn canonical_text(position: &Chess) -> String {
        Position::new(position.clone()).canonical_text()
    }

    /// The positions of the leaves, played out from the certified position; none for a number that there is not.
    pub(in crate::persistent) fn leaf_positions(
        expansion: &Expansion,
        root: &Chess,
    ) -> impl Iterator<Item = Option<Chess>> {
        let mut positions = expansion.positions(root).zip(0..).peekable();
        expansion.leaves().iter().map(move |leaf| {
            while positions.next_if(|&(_, number)| number < leaf.node()).is_some() {}
            positions.next_if(|&(_, number)| number == leaf.node()).map(|(position, _)| position)
        })
    }

    fn leaf_documents(root: &Chess, expansion: &Expansion) -> Vec<LeafDocument> {
        let document = |(leaf, position): (&Leaf, Option<Chess>)| {
            let board = position.as_ref().map_or_else(Board::empty, |position| position.board().clone());
            LeafDocument {
                number: leaf.node(),
                position: position.as_ref().map(canonical_text),
                witness: witness_document(&board, leaf.witness(), |mover, role| mover.reach.get(role).any()),
            }
        };
        expansion.leaves().iter().zip(leaf_positions(expansion, root)).map(document).collect()
    }

    /// The JSON document `bitmesh.persistent.v1`: the same content as the payload, with its digest,
    /// and the positions of the leaves of an expansion.
    impl Serialize for PersistentCertificate {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let board = self.position.board();
            let proof = match &self.proof {
                Proof::Witness(witness) => ProofDocument::Witness { witness: root_document(board, witness) },
                Proof::Expansion(expansion) => ProofDocument::Expansion {
                    root: root_document(board, expansion.root()),
                    positions: expansion.nodes(),
                    leaves: leaf_documents(&self.position, expansion),
                },
            };
            Document {
                schema: SCHEMA,
                proof_kind: PROOF_KIND,
                digest: self.digest().to_hex(),
                position: canonical_text(&self.position),
                claims: self.claims(),
                proof,
            }
            .serialize(serializer)
        }
    }
}
