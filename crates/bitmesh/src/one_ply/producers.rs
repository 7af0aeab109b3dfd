//! From a board or a position to its proof: structure and screen at once.

use shakmaty::Board;

use crate::one_ply::board_screen::{
    ConservativeLegalIndependenceError, ConservativeLegalIndependenceProof,
    verify_conservative_legal_independence,
};
use crate::one_ply::position_proof::{
    PositionIndependenceError, PositionIndependenceProof, verify_position_independence,
};
use crate::position::Position;
use crate::structure::producers::certify_decomposition;

/// Certifies the structure of a board and screens it for one ply, both at once.
///
/// See [`verify_conservative_legal_independence`] for the claim and where it ends.
///
/// # Errors
///
/// The first failure of the screen; most boards fail because they are not strict.
pub fn certify_conservative_legal_independence(
    board: &Board,
) -> Result<ConservativeLegalIndependenceProof, ConservativeLegalIndependenceError> {
    verify_conservative_legal_independence(board, &certify_decomposition(board))
}

/// Certifies the structure of a position and screens the position for one ply, both at once.
///
/// See [`verify_position_independence`] for the claim and where it ends.
///
/// ```
/// use bitmesh::{Input, certify_position, read_position};
///
/// let read = |fen| match read_position(fen) {
///     Ok(reading) => reading.input.position().cloned(),
///     Err(_) => None,
/// };
/// let quiet = read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1").unwrap();
/// assert_eq!(certify_position(&quiet)?.component_count, 2);
///
/// // The same board, but White has just played a2-a4.
/// let broken = read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1").unwrap();
/// let error = certify_position(&broken).unwrap_err();
/// assert_eq!(error.to_string(), "barrier pawn on b4 can capture en passant on a3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first failure of the screen; most positions fail because they are not strict.
pub fn certify_position(position: &Position) -> Result<PositionIndependenceProof, PositionIndependenceError> {
    verify_position_independence(position, &certify_decomposition(position.board()))
}
