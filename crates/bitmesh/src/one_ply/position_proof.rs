//! The one-ply screen of a whole position: the board's screen, and what a board cannot show.

use alloc::string::String;
use alloc::vec::Vec;

use shakmaty::{Bitboard, Move, Position as _, Square};
use thiserror::Error;

use crate::digest::{DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest};
use crate::one_ply::board_screen::{
    ConservativeLegalIndependenceError, diagnose_independence, verify_conservative_legal_independence,
};
use crate::position::{FEN_CONTEXT, Position};
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::DecompositionCertificate;

/// Names the claim of [`PositionIndependenceProof`].
pub(crate) const PROOF_KIND: &str = "bitmesh:position_independence:v1";

/// The record that the screen accepted a position with a certificate.
///
/// It claims that no legal next move in this position, and none that the other side would have on this board,
/// leaves a region, enters the barrier, or moves or captures a barrier pawn; en passant and castling included. It
/// ends there: it says nothing about the move after.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PositionIndependenceProof {
    /// The canonical text of the position (`bitmesh:fen:v1`).
    pub position: String,
    /// The structural certificate bound to that text: SHA-256 of BMDPOSCERT v1.
    pub position_digest: PositionBoundDecompositionCertificateDigest,
    /// The digest of the structural certificate.
    pub decomposition_digest: DecompositionCertificateDigest,
    /// Number of regions that hold pieces.
    pub component_count: u8,
    /// The locked pawns.
    pub barrier: Bitboard,
    /// `bitmesh:position_independence:v1`.
    pub proof_kind: &'static str,
}

impl PositionIndependenceProof {
    /// The binding whose digest is [`position_digest`](Self::position_digest), as the fields give it.
    ///
    /// # Errors
    ///
    /// A position text of more than 65,535 bytes.
    pub fn binding(&self) -> Result<PositionBinding, crate::DecompositionCertificateValidationError> {
        PositionBinding::new(self.decomposition_digest, self.position.clone(), FEN_CONTEXT)
    }
}

/// The first reason why the screen refuses a position with a certificate.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum PositionIndependenceError {
    /// The board's own screen refuses.
    #[error(transparent)]
    Board(#[from] ConservativeLegalIndependenceError),
    /// A barrier pawn can capture en passant, which takes it out of the barrier.
    #[error("barrier pawn on {square} can capture en passant on {target}")]
    BarrierPawnCanCaptureEnPassant {
        /// The barrier pawn.
        square: Square,
        /// Where it goes.
        target: Square,
        /// The pawn that it takes.
        captured_square: Square,
    },
    /// A barrier pawn can be captured en passant.
    #[error("pawn on {attacker_square} can capture the barrier pawn on {barrier_square} en passant")]
    BarrierPawnCanBeCapturedEnPassant {
        /// The pawn that captures.
        attacker_square: Square,
        /// The barrier pawn.
        barrier_square: Square,
        /// Where the capturing pawn goes.
        target: Square,
    },
}

impl PositionIndependenceError {
    /// A stable name of the failure, for programs; that of the board's screen where it refuses.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Board(error) => error.code(),
            Self::BarrierPawnCanCaptureEnPassant { .. } => {
                "position-independence/barrier-pawn-can-capture-en-passant"
            }
            Self::BarrierPawnCanBeCapturedEnPassant { .. } => {
                "position-independence/barrier-pawn-can-be-captured-en-passant"
            }
        }
    }
}

/// Screens a position with its certificate: no next move of either side may cross or break the barrier.
///
/// The board is screened for both colours, whichever side is to move
/// ([`verify_conservative_legal_independence`]). Then comes what a board cannot show:
///
/// - *En passant.* Only the side to move has it, and only if it is legal (FIDE Laws, articles 3.7.3 and 3.9.2): a
///   capture that would leave the king in check is not legal, and the canonical text does not show it either. A
///   capture from or of the barrier is refused. Any other one stays in its region, because the pawn, the pawn that it takes and the
///   square where it goes are neighbours outside the barrier.
/// - *Castling.* The squares of king and rook and all between them and their targets are one row of neighbours
///   without barrier pawns while castling is possible, hence one region: nothing is left to check.
///
/// ```
/// let reading = bitmesh::read_position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
/// let position = reading.input.position().expect("a legal position");
/// let certificate = bitmesh::certify_decomposition(position.board());
/// let proof = bitmesh::verify_position_independence(position, &certificate)?;
/// assert_eq!(proof.proof_kind, "bitmesh:position_independence:v1");
/// assert_eq!(proof.position_digest, proof.binding()?.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first failure of the board's screen; then, capturing pawn by capturing pawn in ascending order, a capture from
/// the barrier before a capture of it.
pub fn verify_position_independence(
    position: &Position,
    certificate: &DecompositionCertificate,
) -> Result<PositionIndependenceProof, PositionIndependenceError> {
    let board_proof = verify_conservative_legal_independence(position.board(), certificate)?;
    if let Some(error) = en_passant_violations(position, certificate.barrier).next() {
        return Err(error);
    }
    let decomposition_digest = board_proof.decomposition_digest;
    let binding =
        PositionBinding::of_canonical_text(decomposition_digest, position.canonical_text(), FEN_CONTEXT);
    Ok(PositionIndependenceProof {
        position_digest: binding.digest(),
        position: binding.into_position(),
        decomposition_digest,
        component_count: board_proof.component_count,
        barrier: board_proof.barrier,
        proof_kind: PROOF_KIND,
    })
}

/// Every violation that the screen finds for a position with a certificate, in the order of the screen.
///
/// The first entry is the error of [`verify_position_independence`], and the list is empty exactly when that accepts.
/// See [`diagnose_independence`] for what is complete in it.
#[must_use]
pub fn diagnose_position_independence(
    position: &Position,
    certificate: &DecompositionCertificate,
) -> Vec<PositionIndependenceError> {
    let board = diagnose_independence(position.board(), certificate);
    // An invalid certificate cannot be screened, its barrier included.
    let measurable =
        !matches!(board[..], [ConservativeLegalIndependenceError::InvalidDecompositionCertificate { .. }]);
    let en_passant = measurable.then(|| en_passant_violations(position, certificate.barrier));
    board.into_iter().map(PositionIndependenceError::Board).chain(en_passant.into_iter().flatten()).collect()
}

fn en_passant_violations(
    position: &Position,
    barrier: Bitboard,
) -> impl Iterator<Item = PositionIndependenceError> {
    let mut captures: Vec<(Square, Square)> = position
        .chess()
        .en_passant_moves()
        .into_iter()
        .filter_map(|legal| match legal {
            Move::EnPassant { from, to } => Some((from, to)),
            _ => None,
        })
        .collect();
    captures.sort_unstable();
    captures.into_iter().flat_map(move |(from, target)| {
        let captured_square = Square::from_coords(target.file(), from.rank());
        let of_barrier = |square: Square| barrier.contains(square);
        [
            of_barrier(from).then_some(PositionIndependenceError::BarrierPawnCanCaptureEnPassant {
                square: from,
                target,
                captured_square,
            }),
            of_barrier(captured_square).then_some(
                PositionIndependenceError::BarrierPawnCanBeCapturedEnPassant {
                    attacker_square: from,
                    barrier_square: captured_square,
                    target,
                },
            ),
        ]
        .into_iter()
        .flatten()
    })
}
