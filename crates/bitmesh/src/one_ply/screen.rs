//! The screen that applies to an input: a position is screened as a position, a board as a board.

use alloc::vec::Vec;

use shakmaty::Bitboard;

use crate::digest::DecompositionCertificateDigest;
use crate::one_ply::board_screen::{
    self, ConservativeLegalIndependenceProof, diagnose_independence, verify_conservative_legal_independence,
};
use crate::one_ply::position_proof::{
    self, PositionIndependenceError, PositionIndependenceProof, diagnose_position_independence,
    verify_position_independence,
};
use crate::position::Input;
use crate::structure::certificate::DecompositionCertificate;

/// The record of the screen that applies to an input.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum OnePlyProof {
    /// Of a position: en passant and castling are seen.
    Position(PositionIndependenceProof),
    /// Of a board that is not a position: its claim is about boards, which have no en passant.
    Board(ConservativeLegalIndependenceProof),
}

impl OnePlyProof {
    /// The digest of the structural certificate.
    #[must_use]
    pub const fn decomposition_digest(&self) -> DecompositionCertificateDigest {
        match self {
            Self::Position(proof) => proof.decomposition_digest,
            Self::Board(proof) => proof.decomposition_digest,
        }
    }

    /// Number of regions that hold pieces.
    #[must_use]
    pub const fn component_count(&self) -> u8 {
        match self {
            Self::Position(proof) => proof.component_count,
            Self::Board(proof) => proof.component_count,
        }
    }

    /// The locked pawns.
    #[must_use]
    pub const fn barrier(&self) -> Bitboard {
        match self {
            Self::Position(proof) => proof.barrier,
            Self::Board(proof) => proof.barrier,
        }
    }

    /// The name of the claim, with its version.
    #[must_use]
    pub const fn proof_kind(&self) -> &'static str {
        match self {
            Self::Position(proof) => proof.proof_kind,
            Self::Board(proof) => proof.proof_kind,
        }
    }
}

/// The name of the claim that the screen of an input makes when it accepts.
#[must_use]
pub const fn one_ply_claim(input: &Input) -> &'static str {
    match input {
        Input::Position(_) => position_proof::PROOF_KIND,
        Input::Board(_) => board_screen::PROOF_KIND,
    }
}

/// Screens an input with a certificate of its structure, by the screen that applies to it.
///
/// A position goes through [`verify_position_independence`], a board that is not a position through
/// [`verify_conservative_legal_independence`]; these say what is claimed and where it ends.
///
/// ```
/// let read = |fen: &str| fen.parse::<bitmesh::Input>();
/// let (en_passant, board) = (
///     read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1")?,
///     read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7")?,
/// );
/// let structure = bitmesh::certify_decomposition(board.board());
/// assert!(bitmesh::screen_input(&board, &structure).is_ok());
/// assert!(bitmesh::screen_input(&en_passant, &structure).is_err());
/// # Ok::<(), bitmesh::ReadPositionError>(())
/// ```
///
/// # Errors
///
/// The first failure of the screen.
pub fn screen_input(
    input: &Input,
    certificate: &DecompositionCertificate,
) -> Result<OnePlyProof, PositionIndependenceError> {
    Ok(match input {
        Input::Position(position) => {
            OnePlyProof::Position(verify_position_independence(position, certificate)?)
        }
        Input::Board(board) => {
            OnePlyProof::Board(verify_conservative_legal_independence(board.board(), certificate)?)
        }
    })
}

/// Every violation that the screen of an input finds, in the order of the screen.
///
/// The first entry is the error of [`screen_input`], and the list is empty exactly when that accepts. See
/// [`diagnose_independence`] for what is complete in it.
#[must_use]
pub fn diagnose_input(
    input: &Input,
    certificate: &DecompositionCertificate,
) -> Vec<PositionIndependenceError> {
    match input {
        Input::Position(position) => diagnose_position_independence(position, certificate),
        Input::Board(board) => diagnose_independence(board.board(), certificate)
            .into_iter()
            .map(PositionIndependenceError::Board)
            .collect(),
    }
}
