//! The one-ply screen (layer 2, version 0): no next move crosses or breaks the barrier.

use alloc::vec::Vec;
use core::convert::Infallible;
use core::ops::ControlFlow;

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};
use thiserror::Error;

use crate::digest::DecompositionCertificateDigest;
use crate::geometry::shift;
use crate::position::role_name;
use crate::structure::certificate::{
    DecompositionCertificate, DecompositionCertificateValidationError, DecompositionStatus,
};

/// Names the claim of [`ConservativeLegalIndependenceProof`].
pub(crate) const PROOF_KIND: &str = "bitmesh:conservative_legal_independence:v0";

/// The record that the screen accepted a board with a certificate.
///
/// It claims that no next move of either side, as far as a board without turn,
/// castling and en passant shows moves, leaves a region, enters the barrier or
/// lets a barrier pawn move. It ends there: it says nothing about the move after,
/// and nothing about en passant. For a position use the position form.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConservativeLegalIndependenceProof {
    /// The digest of the structural certificate.
    pub decomposition_digest: DecompositionCertificateDigest,
    /// Number of regions that hold pieces.
    pub component_count: u8,
    /// The locked pawns.
    pub barrier: Bitboard,
    /// `bitmesh:conservative_legal_independence:v0`.
    pub proof_kind: &'static str,
}

/// The first reason why the screen refuses a board with a certificate.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[allow(missing_docs, reason = "each field is named in the message of its variant")]
pub enum ConservativeLegalIndependenceError {
    /// The certificate is not consistent in itself.
    #[error("decomposition certificate is invalid")]
    InvalidDecompositionCertificate {
        #[source]
        error: DecompositionCertificateValidationError,
    },
    /// There is nothing to screen without two regions.
    #[error("a strict decomposition is needed, this one is {}", status.word())]
    RequiresStrictDecomposition { status: DecompositionStatus },
    /// A barrier square holds no piece.
    #[error("barrier square {square} is empty")]
    BarrierSquareIsEmpty { square: Square },
    /// A barrier square holds a piece other than a pawn.
    #[error("barrier square {square} holds a {}, not a pawn", role_name(*role))]
    BarrierSquareIsNotPawn { square: Square, role: Role },
    /// A barrier pawn has a square in front that is not in the barrier.
    #[error("barrier pawn on {square} is not frozen: the square in front is not in the barrier")]
    BarrierPawnNotFrozen { square: Square, forward_square: Option<Square> },
    /// A barrier pawn attacks an enemy piece.
    #[error("barrier pawn on {square} can capture on {target}")]
    BarrierPawnCanCapture { square: Square, target: Square },
    /// The pieces of the certificate are not those of the board.
    #[error("pieces outside the barrier are not the ones that the certificate lists")]
    ActiveMaskDoesNotMatchBoard { certificate_active: Bitboard, board_active: Bitboard },
    /// A piece outside the barrier is in no region.
    #[error("piece on {square} is outside every certified component")]
    ActivePieceOutsideCertifiedComponent { square: Square },
    /// A piece attacks a barrier pawn of the other colour.
    #[error("piece on {attacker_square} can capture the barrier pawn on {barrier_square}")]
    BarrierPieceCanBeCaptured { attacker_square: Square, barrier_square: Square },
    /// A piece can go to a free square that is in no region.
    #[error(
        "piece on {from} can go to {to}, which is in no certified component (from component {from_component})"
    )]
    PieceCanEnterUncertifiedFreeSquare { from: Square, to: Square, from_component: usize },
    /// A piece can go to another region.
    #[error("piece on {from} can go to {to}, from component {from_component} into component {to_component}")]
    PieceCanEnterOtherComponent { from: Square, to: Square, from_component: usize, to_component: usize },
}

impl ConservativeLegalIndependenceError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InvalidDecompositionCertificate { .. } => "independence/invalid-decomposition-certificate",
            Self::RequiresStrictDecomposition { .. } => "independence/requires-strict-decomposition",
            Self::BarrierSquareIsEmpty { .. } => "independence/barrier-square-is-empty",
            Self::BarrierSquareIsNotPawn { .. } => "independence/barrier-square-is-not-pawn",
            Self::BarrierPawnNotFrozen { .. } => "independence/barrier-pawn-not-frozen",
            Self::BarrierPawnCanCapture { .. } => "independence/barrier-pawn-can-capture",
            Self::ActiveMaskDoesNotMatchBoard { .. } => "independence/active-mask-does-not-match-board",
            Self::ActivePieceOutsideCertifiedComponent { .. } => {
                "independence/active-piece-outside-certified-component"
            }
            Self::BarrierPieceCanBeCaptured { .. } => "independence/barrier-piece-can-be-captured",
            Self::PieceCanEnterUncertifiedFreeSquare { .. } => {
                "independence/piece-can-enter-uncertified-free-square"
            }
            Self::PieceCanEnterOtherComponent { .. } => "independence/piece-can-enter-other-component",
        }
    }
}

/// Screens a board with its certificate: no next move of either side may cross or break the barrier.
///
/// Both colours are screened, whichever side is to move. Castling, en passant and
/// counters play no part, so a barrier pawn that can capture en passant passes
/// here: the claim is about boards. Legality of moves (checks, pins) plays no part
/// either, which only refuses more.
///
/// ```
/// let board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?;
/// let certificate = bitmesh::certify_decomposition(&board);
/// let proof = bitmesh::verify_conservative_legal_independence(&board, &certificate)?;
/// assert_eq!(proof.component_count, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first failure: certificate, status, barrier squares ascending, piece sets,
/// pieces ascending with their destinations in the order of the contract.
pub fn verify_conservative_legal_independence(
    board: &Board,
    certificate: &DecompositionCertificate,
) -> Result<ConservativeLegalIndependenceProof, ConservativeLegalIndependenceError> {
    use ConservativeLegalIndependenceError as Error;

    certificate.validate().map_err(|error| Error::InvalidDecompositionCertificate { error })?;
    if !stays_divided(board, certificate)
        && let ControlFlow::Break(error) = screen(board, certificate, &mut ControlFlow::Break)
    {
        return Err(error);
    }
    Ok(ConservativeLegalIndependenceProof {
        decomposition_digest: certificate.digest_of_valid(),
        component_count: certificate.active_component_count,
        barrier: certificate.barrier,
        proof_kind: PROOF_KIND,
    })
}

/// Every violation that the screen finds for a board with a certificate, in the order of the screen.
///
/// The first entry is the error of [`verify_conservative_legal_independence`], and the list is empty exactly when
/// that accepts. An invalid certificate is the only entry, because it cannot be screened. Otherwise the list
/// is complete: each barrier pawn with each of its captures, each piece with each destination that is not allowed.
///
/// ```
/// let board = "3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3".parse()?;
/// let violations = bitmesh::diagnose_independence(&board, &bitmesh::certify_decomposition(&board));
/// let all: Vec<_> = violations.iter().map(|violation| violation.to_string()).collect();
/// assert_eq!(all, [
///     "piece on d1 can capture the barrier pawn on a4",
///     "piece on d1 can capture the barrier pawn on g4",
/// ]);
/// # Ok::<(), bitmesh::shakmaty::fen::ParseFenError>(())
/// ```
#[must_use]
pub fn diagnose_independence(
    board: &Board,
    certificate: &DecompositionCertificate,
) -> Vec<ConservativeLegalIndependenceError> {
    if let Err(error) = certificate.validate() {
        return alloc::vec![ConservativeLegalIndependenceError::InvalidDecompositionCertificate { error }];
    }
    let mut violations = Vec::new();
    let ControlFlow::Continue(()) = screen(board, certificate, &mut |violation| {
        violations.push(violation);
        ControlFlow::<Infallible>::Continue(())
    });
    violations
}

/// Whether [`screen`] has nothing to report, found with whole sets of squares.
///
/// Relies on a valid certificate.
fn stays_divided(board: &Board, certificate: &DecompositionCertificate) -> bool {
    let barrier = certificate.barrier;
    certificate.status == DecompositionStatus::Strict
        && barrier.is_subset(board.pawns())
        && Color::ALL.into_iter().all(|color| is_frozen(board, barrier, color))
        && certificate.active() == board.occupied() & !barrier
        && certificate
            .components
            .iter()
            .all(|component| destinations(board, component.active_mask).is_subset(component.mask))
}

/// Whether the barrier pawns of one colour have only barrier squares in front and nothing to capture.
fn is_frozen(board: &Board, barrier: Bitboard, color: Color) -> bool {
    let pawns = barrier & board.by_color(color);
    steps_forward(color, pawns).is_subset(barrier)
        && captures_forward(color, pawns).is_disjoint(board.by_color(!color))
}

/// Where the pieces of a set can go. Any pawn may go two steps: that only refuses more.
fn destinations(board: &Board, pieces: Bitboard) -> Bitboard {
    Color::ALL.into_iter().fold(Bitboard::EMPTY, |all, color| {
        let own = board.by_color(color);
        let pawns = pieces & own & board.pawns();
        let once = steps_forward(color, pawns) & !board.occupied();
        let twice = steps_forward(color, once) & !board.occupied();
        let captures = captures_forward(color, pawns) & board.by_color(!color);
        all | once | twice | captures | attacks_of_officers(board, pieces & own) & !own
    })
}

/// Everything that the pieces of a set other than pawns attack; of a king, its own square too.
fn attacks_of_officers(board: &Board, pieces: Bitboard) -> Bitboard {
    let mut attacked = Bitboard(shift::dilate((pieces & board.kings()).0));
    for knight in pieces & board.knights() {
        attacked |= attacks::knight_attacks(knight);
    }
    for slider in pieces & board.bishops_and_queens() {
        attacked |= attacks::bishop_attacks(slider, board.occupied());
    }
    for slider in pieces & board.rooks_and_queens() {
        attacked |= attacks::rook_attacks(slider, board.occupied());
    }
    attacked
}

fn steps_forward(color: Color, pawns: Bitboard) -> Bitboard {
    Bitboard(color.fold_wb(shift::north(pawns.0), shift::south(pawns.0)))
}

fn captures_forward(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = steps_forward(color, pawns).0;
    Bitboard(shift::east(ahead) | shift::west(ahead))
}

/// Hands every violation to `report`, in the order of the contract, until `report` stops it.
///
/// Relies on a valid certificate.
fn screen<B>(
    board: &Board,
    certificate: &DecompositionCertificate,
    report: &mut impl FnMut(ConservativeLegalIndependenceError) -> ControlFlow<B>,
) -> ControlFlow<B> {
    use ConservativeLegalIndependenceError as Error;

    if certificate.status != DecompositionStatus::Strict {
        report(Error::RequiresStrictDecomposition { status: certificate.status })?;
    }
    for square in certificate.barrier {
        screen_barrier_square(board, certificate.barrier, square, report)?;
    }
    let (certificate_active, board_active) = (certificate.active(), board.occupied() & !certificate.barrier);
    if certificate_active != board_active {
        report(Error::ActiveMaskDoesNotMatchBoard { certificate_active, board_active })?;
    }
    for square in board_active {
        screen_piece(board, certificate, square, report)?;
    }
    ControlFlow::Continue(())
}

fn screen_barrier_square<B>(
    board: &Board,
    barrier: Bitboard,
    square: Square,
    report: &mut impl FnMut(ConservativeLegalIndependenceError) -> ControlFlow<B>,
) -> ControlFlow<B> {
    use ConservativeLegalIndependenceError as Error;

    let color = match board.piece_at(square) {
        None => return report(Error::BarrierSquareIsEmpty { square }),
        Some(Piece { role: Role::Pawn, color }) => color,
        Some(Piece { role, .. }) => return report(Error::BarrierSquareIsNotPawn { square, role }),
    };
    if let Some(forward) = forward(color, square)
        && !barrier.contains(forward)
    {
        report(Error::BarrierPawnNotFrozen { square, forward_square: Some(forward) })?;
    }
    for target in attacks::pawn_attacks(color, square) & board.by_color(!color) {
        report(Error::BarrierPawnCanCapture { square, target })?;
    }
    ControlFlow::Continue(())
}

fn screen_piece<B>(
    board: &Board,
    certificate: &DecompositionCertificate,
    from: Square,
    report: &mut impl FnMut(ConservativeLegalIndependenceError) -> ControlFlow<B>,
) -> ControlFlow<B> {
    use ConservativeLegalIndependenceError as Error;

    let component_of = |square| certificate.components.iter().position(|c| c.mask.contains(square));
    let Some(from_component) = component_of(from) else {
        return report(Error::ActivePieceOutsideCertifiedComponent { square: from });
    };
    let check = |to: Square| {
        if certificate.barrier.contains(to) {
            return report(Error::BarrierPieceCanBeCaptured { attacker_square: from, barrier_square: to });
        }
        match component_of(to) {
            None => report(Error::PieceCanEnterUncertifiedFreeSquare { from, to, from_component }),
            Some(to_component) if to_component != from_component => {
                report(Error::PieceCanEnterOtherComponent { from, to, from_component, to_component })
            }
            Some(_) => ControlFlow::Continue(()),
        }
    };
    let Some(piece) = board.piece_at(from) else { return ControlFlow::Continue(()) };
    let enemies = board.by_color(!piece.color);
    if piece.role == Role::Pawn {
        let captures = attacks::pawn_attacks(piece.color, from) & enemies;
        captures.into_iter().chain(pawn_steps(board, piece.color, from)).try_for_each(check)
    } else {
        (board.attacks_from(from) & !board.by_color(piece.color)).into_iter().try_for_each(check)
    }
}

/// The square in front of a pawn, if it is on the board.
fn forward(color: Color, square: Square) -> Option<Square> {
    square.offset(color.fold_wb(8, -8))
}

/// One step, then two, as long as the squares are empty. Any pawn may go two steps: that only refuses more.
fn pawn_steps(board: &Board, color: Color, from: Square) -> impl Iterator<Item = Square> {
    let occupied = board.occupied();
    core::iter::successors(forward(color, from), move |&square| forward(color, square))
        .take(2)
        .take_while(move |&square| !occupied.contains(square))
}
