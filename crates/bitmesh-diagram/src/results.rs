//! Diagrams of the results of each layer.

use bitmesh::persistent::{CheckError, Conclusions, Coupling, PersistentCertificate, Proof, Witness, check};
use bitmesh::shakmaty::{Bitboard, Board, Color, Position as _, Role, Square};
use bitmesh::{
    ConservativeLegalIndependenceError as Error, DecompositionCertificate, DecompositionRejectionReason,
    Input, PositionIndependenceError, certify_decomposition, diagnose_independence,
    diagnose_position_independence,
};

use crate::diagram::{Arrow, Barrier, BarrierKind, Diagram, Reach, Region, color_name};

/// Why the reach of a piece cannot be shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReachError {
    /// Nothing stands on the square.
    #[error("no piece stands on {square}")]
    NoPiece {
        /// The empty square.
        square: Square,
    },
    /// The piece is frozen: it stays where it is.
    #[error("the piece on {square} is frozen: it never moves and is never captured")]
    Frozen {
        /// Where it stands.
        square: Square,
    },
    /// The certificate has no reaches for its position.
    #[error("the certificate holds no reaches for the pieces of its position")]
    NoWitness,
}

impl ReachError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoPiece { .. } => "diagram/reach-of-no-piece",
            Self::Frozen { .. } => "diagram/reach-of-frozen-piece",
            Self::NoWitness => "diagram/reach-without-witness",
        }
    }
}

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

    /// The structure of a position or board and everything that the one-ply screen holds against it.
    ///
    /// A move that crosses or breaks the barrier is an arrow, a square that is not what the screen needs has a
    /// frame; so has a pawn that is taken en passant. A board without a position is screened as far as
    /// boards go, which the title says: there nobody captures en passant.
    ///
    /// ```
    /// use bitmesh_diagram::{Arrow, Diagram};
    /// use bitmesh::shakmaty::Square;
    ///
    /// let quiet = bitmesh::read_position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
    /// assert_eq!(Diagram::one_ply(&quiet.input).title, "One ply: accepted, 2 regions");
    /// let open = bitmesh::read_position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1")?;
    /// let diagram = Diagram::one_ply(&open.input);
    /// assert_eq!(diagram.title, "One ply: refused, 2 violations");
    /// assert_eq!(diagram.arrows[0], Arrow { from: Square::B4, to: Square::A3 });
    /// # Ok::<(), bitmesh::ReadPositionError>(())
    /// ```
    #[must_use]
    pub fn one_ply(input: &Input) -> Self {
        let certificate = certify_decomposition(input.board());
        let mut diagram = Self::of_certificate(input.board(), &certificate);
        let (subject, violations) = match input {
            Input::Position(position) => ("", diagnose_position_independence(position, &certificate)),
            Input::Board(board) => {
                let violations = diagnose_independence(board.board(), &certificate);
                (" as a board", violations.into_iter().map(PositionIndependenceError::Board).collect())
            }
        };
        diagram.title = match &violations[..] {
            [] => format!("One ply: accepted{subject}, {} regions", diagram.regions.len()),
            // Nothing was screened.
            [PositionIndependenceError::Board(Error::RequiresStrictDecomposition { .. }), ..] => {
                format!("One ply: refused{subject}, no two regions with pieces")
            }
            [_] => format!("One ply: refused{subject}, 1 violation"),
            several => format!("One ply: refused{subject}, {} violations", several.len()),
        };
        for violation in &violations {
            diagram.show_violation(violation);
        }
        diagram
    }

    /// What a persistent certificate proves: the frozen pieces, and the regions if the position stays divided.
    ///
    /// The region of a component holds every square that one of its pieces can ever reach. The title names
    /// the conclusions; a conclusion that is not named was not proved.
    ///
    /// ```
    /// use bitmesh::shakmaty::{CastlingMode, Chess, fen::Fen};
    /// use bitmesh_diagram::Diagram;
    ///
    /// let fen: Fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
    /// let position: Chess = fen.into_position(CastlingMode::Standard)?;
    /// let diagram = Diagram::persistent(&bitmesh::persistent::prove(&position))?;
    /// assert_eq!(diagram.title, "For ever: 2 regions, exact sum, dead position");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What the checker holds against the certificate: only what is proved is drawn.
    pub fn persistent(certificate: &PersistentCertificate) -> Result<Self, CheckError> {
        let conclusions = check(certificate)?;
        let mut diagram = Self::new(certificate.position().board().clone());
        diagram.title = persistent_title(&conclusions);
        if let Some(witness) = witness(certificate) {
            diagram.barrier = Barrier { kind: BarrierKind::FrozenPieces, squares: witness.frozen() };
            if conclusions.decomposed() {
                diagram.regions = vec![Region::default(); usize::from(witness.components())];
                for mover in witness.movers() {
                    diagram.regions[usize::from(mover.component)].squares |= mover.squares();
                }
            }
        }
        Ok(diagram)
    }

    /// Marks every square that the piece on `square` can ever reach, by a certificate for the drawn position.
    ///
    /// It adds a mark and checks nothing; [`Diagram::persistent`] has checked the certificate.
    ///
    /// ```
    /// use bitmesh::shakmaty::{CastlingMode, Chess, Square, fen::Fen};
    /// use bitmesh_diagram::Diagram;
    ///
    /// let fen: Fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1".parse()?;
    /// let position: Chess = fen.into_position(CastlingMode::Standard)?;
    /// let certificate = bitmesh::persistent::prove(&position);
    /// let mut diagram = Diagram::persistent(&certificate)?;
    /// diagram.show_reach(&certificate, Square::A1)?;
    /// assert!(diagram.show_reach(&certificate, Square::A4).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When no piece stands there, or a frozen one.
    pub fn show_reach(
        &mut self,
        certificate: &PersistentCertificate,
        square: Square,
    ) -> Result<(), ReachError> {
        let Some(role) = certificate.position().board().role_at(square) else {
            return Err(ReachError::NoPiece { square });
        };
        let witness = witness(certificate).ok_or(ReachError::NoWitness)?;
        let mover = witness.movers().iter().find(|mover| mover.square == square);
        let mover = mover.ok_or(ReachError::Frozen { square })?;
        let promoted = Role::ALL.into_iter().filter(|&other| other != role);
        self.reach = Some(Reach {
            square,
            squares: *mover.reach.get(role),
            promoted: promoted.fold(Bitboard::EMPTY, |all, other| all | *mover.reach.get(other)),
        });
        Ok(())
    }

    /// Adds the marks of one violation: the arrow of a move that crosses or breaks the barrier, a frame around a square
    /// that is not what the screen needs.
    pub fn show_violation(&mut self, violation: &PositionIndependenceError) {
        match *violation {
            PositionIndependenceError::Board(ref error) => self.show_board_violation(error),
            PositionIndependenceError::BarrierPawnCanCaptureEnPassant {
                square: from,
                target,
                captured_square,
            }
            | PositionIndependenceError::BarrierPawnCanBeCapturedEnPassant {
                attacker_square: from,
                barrier_square: captured_square,
                target,
            } => {
                self.show_arrow(from, target);
                self.highlights.add(captured_square);
            }
            _ => {}
        }
    }

    fn show_board_violation(&mut self, error: &Error) {
        match *error {
            Error::BarrierSquareIsEmpty { square }
            | Error::BarrierSquareIsNotPawn { square, .. }
            | Error::BarrierPawnNotFrozen { square, forward_square: None }
            | Error::ActivePieceOutsideCertifiedComponent { square } => self.highlights.add(square),
            Error::BarrierPawnNotFrozen { square: from, forward_square: Some(to) }
            | Error::BarrierPawnCanCapture { square: from, target: to }
            | Error::BarrierPieceCanBeCaptured { attacker_square: from, barrier_square: to }
            | Error::PieceCanEnterUncertifiedFreeSquare { from, to, .. }
            | Error::PieceCanEnterOtherComponent { from, to, .. } => self.show_arrow(from, to),
            Error::ActiveMaskDoesNotMatchBoard { certificate_active, board_active } => {
                self.highlights |= certificate_active ^ board_active;
            }
            Error::InvalidDecompositionCertificate { .. } | Error::RequiresStrictDecomposition { .. } => {}
        }
    }

    fn show_arrow(&mut self, from: Square, to: Square) {
        let arrow = Arrow { from, to };
        if !self.arrows.contains(&arrow) {
            self.arrows.push(arrow);
        }
    }
}

fn witness(certificate: &PersistentCertificate) -> Option<&Witness> {
    match certificate.proof() {
        Proof::Witness(witness) => Some(witness),
        Proof::Expansion(expansion) => Some(expansion.root()),
        _ => None,
    }
}

fn persistent_title(conclusions: &Conclusions) -> String {
    let mut claims = Vec::new();
    if conclusions.decomposed() {
        claims.push(format!("{} regions", conclusions.components));
        claims.push(match conclusions.coupling {
            Coupling::ExactSum => "exact sum".to_owned(),
            Coupling::CoupledByCheck { .. } => "coupled by check".to_owned(),
            Coupling::CoupledByEnPassant { .. } => "coupled by en passant".to_owned(),
        });
    } else {
        claims.push("no division proved".to_owned());
    }
    if conclusions.dead() {
        claims.push("dead position".to_owned());
    } else {
        let never = Color::ALL.into_iter().filter(|&color| *conclusions.unwinnable.get(color));
        claims.extend(never.map(|color| format!("{} never mates", color_name(color, true))));
    }
    format!("For ever: {}", claims.join(", "))
}
