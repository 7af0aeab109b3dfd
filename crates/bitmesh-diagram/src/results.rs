//! Diagrams of the results of each layer.

use bitmesh::shakmaty::Board;
use bitmesh::{
    ConservativeLegalIndependenceError, DecompositionCertificate, DecompositionRejectionReason,
    certify_decomposition, verify_conservative_legal_independence,
};

use crate::diagram::{Arrow, Barrier, BarrierKind, Diagram, Region};

impl Diagram {
    /// The structure of a board: its locked pawns, and the regions if it falls apart.
    ///
    /// The title says how the structure was certified.
    ///
    /// ```
    /// use bitmesh_diagram::Diagram;
    ///
    /// let diagram = Diagram::structure(&"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?);
    /// assert_eq!(diagram.title, "Structure: strict, 2 regions");
    /// assert_eq!(diagram.barrier.squares.count(), 16);
    /// # Ok::<(), bitmesh::shakmaty::fen::ParseFenError>(())
    /// ```
    #[must_use]
    pub fn structure(board: &Board) -> Self {
        Self::of_certificate(board, &certify_decomposition(board))
    }

    fn of_certificate(board: &Board, certificate: &DecompositionCertificate) -> Self {
        let mut diagram = Self::new(board.clone());
        diagram.barrier = Barrier { kind: BarrierKind::LockedPawns, squares: certificate.barrier };
        diagram.title = match certificate.rejection_reason {
            None => format!("Structure: strict, {} regions", certificate.components.len()),
            Some(DecompositionRejectionReason::NoLockedBarrier) => {
                "Structure: rejected, no locked pawns".to_owned()
            }
            Some(DecompositionRejectionReason::LessThanTwoActiveComponents) => {
                "Structure: rejected, fewer than two regions with pieces".to_owned()
            }
        };
        if certificate.strict {
            let regions = certificate.components.iter();
            diagram.regions = regions.map(|component| Region { squares: component.mask }).collect();
        }
        diagram
    }

    /// The structure of a board and what the one-ply screen says about it.
    ///
    /// A refusal is drawn: an arrow for a move that crosses or breaks the barrier, a frame on a square
    /// that is not what the screen needs. It is the first failure of the screen alone.
    ///
    /// ```
    /// use bitmesh_diagram::Diagram;
    ///
    /// let diagram = Diagram::one_ply(&"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?);
    /// assert_eq!(diagram.title, "One ply: accepted, 2 regions");
    /// # Ok::<(), bitmesh::shakmaty::fen::ParseFenError>(())
    /// ```
    #[must_use]
    pub fn one_ply(board: &Board) -> Self {
        let certificate = certify_decomposition(board);
        let mut diagram = Self::of_certificate(board, &certificate);
        match verify_conservative_legal_independence(board, &certificate) {
            Ok(proof) => diagram.title = format!("One ply: accepted, {} regions", proof.component_count),
            Err(error) => {
                diagram.title = format!("One ply: refused, {error}");
                diagram.show_violation(&error);
            }
        }
        diagram
    }

    fn show_violation(&mut self, error: &ConservativeLegalIndependenceError) {
        use ConservativeLegalIndependenceError as Error;
        match *error {
            Error::BarrierSquareIsEmpty { square }
            | Error::BarrierSquareIsNotPawn { square, .. }
            | Error::BarrierPawnNotFrozen { square, forward_square: None }
            | Error::ActivePieceOutsideCertifiedComponent { square } => self.highlights.add(square),
            Error::BarrierPawnNotFrozen { square: from, forward_square: Some(to) }
            | Error::BarrierPawnCanCapture { square: from, target: to }
            | Error::BarrierPieceCanBeCaptured { attacker_square: from, barrier_square: to }
            | Error::PieceCanEnterUncertifiedFreeSquare { from, to, .. }
            | Error::PieceCanEnterOtherComponent { from, to, .. } => self.arrows.push(Arrow { from, to }),
            Error::ActiveMaskDoesNotMatchBoard { certificate_active, board_active } => {
                self.highlights |= certificate_active ^ board_active;
            }
            Error::InvalidDecompositionCertificate { .. } | Error::RequiresStrictDecomposition { .. } => {}
        }
    }
}
