//! Diagrams of the results of each layer.

use bitmesh::persistent::{CheckedCertificate, Conclusions, Witness};
use bitmesh::shakmaty::{Bitboard, Board, Color, Role, Square};
use bitmesh::{
    Assessment, BoardOnly, ConservativeLegalIndependenceError as Error, DecompositionRejectionReason, Input,
    OnePlyVerdict, PositionIndependenceError,
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
    /// The structure of a board: its locked pawns, and the regions if it is strict.
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
        Self::structure_of(&Assessment::new(Input::Board(BoardOnly::new(board.clone()))))
    }

    /// The structure of an input that is being assessed, as [`structure`](Self::structure) draws it.
    #[must_use]
    pub fn structure_of(assessment: &Assessment) -> Self {
        let certificate = assessment.structure();
        let mut diagram = Self::new(assessment.board().clone());
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
            diagram.regions =
                assessment.regions().map(|region| Region { squares: region.squares() }).collect();
        }
        diagram
    }

    /// The structure of a position or board and every violation that the one-ply screen finds.
    ///
    /// A move that crosses or breaks the barrier is an arrow, a square that is not what the screen needs has a
    /// frame; so has a pawn that is taken en passant. A board that is not a position is screened as a board,
    /// without en passant, and the title says so.
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
        Self::one_ply_of(&Assessment::new(input.clone()))
    }

    /// The one-ply screen of an input that is being assessed, as [`one_ply`](Self::one_ply) draws it.
    #[must_use]
    pub fn one_ply_of(assessment: &Assessment) -> Self {
        let mut diagram = Self::structure_of(assessment);
        let subject = match assessment.input() {
            Input::Position(_) => "",
            Input::Board(_) => " as a board",
        };
        let violations = assessment.violations();
        diagram.title = match (assessment.verdict(), violations.len()) {
            (OnePlyVerdict::Accepted, _) => {
                format!("One ply: accepted{subject}, {} regions", diagram.regions.len())
            }
            // Nothing was screened.
            (OnePlyVerdict::Rejected, _) => {
                format!("One ply: refused{subject}, no two regions with pieces")
            }
            (OnePlyVerdict::Refused, 1) => format!("One ply: refused{subject}, 1 violation"),
            (OnePlyVerdict::Refused, count) => format!("One ply: refused{subject}, {count} violations"),
        };
        for violation in violations {
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
    /// use bitmesh::Assessment;
    /// use bitmesh_diagram::Diagram;
    ///
    /// let wall = Assessment::read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
    /// let diagram = Diagram::persistent(wall.permanent()?);
    /// assert_eq!(diagram.title, "For ever: 2 regions, exact sum, dead position");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn persistent(checked: &CheckedCertificate) -> Self {
        let mut diagram = Self::new(checked.board().clone());
        diagram.title = persistent_title(checked.conclusions());
        let frozen = checked.certificate().proof().witness().frozen();
        diagram.barrier = Barrier { kind: BarrierKind::FrozenPieces, squares: frozen };
        diagram.regions =
            checked.regions().into_iter().map(|region| Region { squares: region.squares }).collect();
        diagram
    }

    /// Marks every square that the piece on `square` can ever reach, by a certificate for the drawn position.
    ///
    /// ```
    /// use bitmesh::Assessment;
    /// use bitmesh::shakmaty::Square;
    /// use bitmesh_diagram::Diagram;
    ///
    /// let wall = Assessment::read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
    /// let checked = wall.permanent()?;
    /// let mut diagram = Diagram::persistent(checked);
    /// diagram.show_reach(checked, Square::A1)?;
    /// assert!(diagram.show_reach(checked, Square::A4).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When no piece stands there, or a frozen one.
    pub fn show_reach(&mut self, checked: &CheckedCertificate, square: Square) -> Result<(), ReachError> {
        let Some(role) = checked.board().role_at(square) else {
            return Err(ReachError::NoPiece { square });
        };
        let witness = witness(checked).ok_or(ReachError::NoWitness)?;
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

/// The witness, unless the proof has none: then it lists no piece at all.
fn witness(checked: &CheckedCertificate) -> Option<&Witness> {
    let witness = checked.certificate().proof().witness();
    (witness.frozen().any() || !witness.movers().is_empty()).then_some(witness)
}

fn persistent_title(conclusions: &Conclusions) -> String {
    let mut claims = Vec::new();
    if conclusions.decomposed() {
        claims.push(format!("{} regions", conclusions.components));
        claims.push(conclusions.coupling.word().replace('_', " "));
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
