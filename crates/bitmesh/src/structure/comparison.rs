//! Differences between a valid certificate and the one that this library makes of the board.

use alloc::vec::Vec;
use core::fmt;

use shakmaty::{Bitboard, Board, Square};

use crate::geometry::partition::partition_board;
use crate::geometry::shift::dilate;
use crate::structure::barrier::get_locked_pawns;
use crate::structure::certificate::DecompositionCertificate;

/// A difference between a valid certificate and the one that
/// [`certify_decomposition`](crate::certify_decomposition) makes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum DecompositionFinding {
    /// The barrier is not the set of locked pawns of the board.
    BarrierDiffers {
        /// The barrier of the certificate.
        certificate: Bitboard,
        /// The locked pawns of the board.
        board: Bitboard,
    },
    /// The pieces of the components are not the pieces that the board has outside the certificate's barrier.
    PiecesDiffer {
        /// The pieces of all components.
        certificate: Bitboard,
        /// The occupied squares outside the barrier.
        board: Bitboard,
    },
    /// A component consists of parts that no king's step joins.
    ComponentNotConnected {
        /// Which component, counted from 0.
        component_index: usize,
    },
    /// A connected component leaves out squares of its region.
    ComponentNotWholeRegion {
        /// Which component, counted from 0.
        component_index: usize,
        /// The squares that it leaves out.
        missing: Bitboard,
    },
    /// A component is named by another square than the root that the contract's union-find chooses.
    OtherRoot {
        /// Which component, counted from 0.
        component_index: usize,
        /// The root of the certificate.
        root: u8,
        /// The root that the contract's rule gives.
        expected: u8,
    },
}

impl DecompositionFinding {
    /// A stable name of the finding, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BarrierDiffers { .. } => "comparison/barrier-differs",
            Self::PiecesDiffer { .. } => "comparison/pieces-differ",
            Self::ComponentNotConnected { .. } => "comparison/component-not-connected",
            Self::ComponentNotWholeRegion { .. } => "comparison/component-not-whole-region",
            Self::OtherRoot { .. } => "comparison/other-root",
        }
    }

    /// Whether the structure itself differs from that of the board, and not only the name of a region.
    #[must_use]
    pub const fn is_contradiction(&self) -> bool {
        !matches!(self, Self::OtherRoot { .. })
    }
}

impl fmt::Display for DecompositionFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BarrierDiffers { certificate, board } => {
                write!(f, "barrier is not that of the board{}", Difference { certificate, board })
            }
            Self::PiecesDiffer { certificate, board } => {
                write!(f, "pieces are not those of the board{}", Difference { certificate, board })
            }
            Self::ComponentNotConnected { component_index } => {
                write!(f, "component {component_index} is not connected")
            }
            Self::ComponentNotWholeRegion { component_index, missing } => {
                write!(f, "component {component_index} leaves out {}", Squares(missing))
            }
            Self::OtherRoot { component_index, root, expected } => {
                write!(f, "component {component_index} has root {root}, the contract's rule gives {expected}")
            }
        }
    }
}

struct Squares(Bitboard);

impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .into_iter()
            .enumerate()
            .try_for_each(|(index, square)| write!(f, "{}{square}", if index == 0 { "" } else { " " }))
    }
}

struct Difference {
    certificate: Bitboard,
    board: Bitboard,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let only = |squares: Bitboard, place| (!squares.is_empty()).then_some((squares, place));
        let sides = [
            only(self.certificate & !self.board, "in the certificate"),
            only(self.board & !self.certificate, "on the board"),
        ];
        sides.into_iter().flatten().enumerate().try_for_each(|(index, (squares, place))| {
            let separator = if index == 0 { ": " } else { ", " };
            write!(f, "{separator}{} only {place}", Squares(squares))
        })
    }
}

/// Compares a valid certificate with its own barrier and, if there is one, with a board.
///
/// Validity in version 1 says that a certificate is consistent in itself. Three things are valid although
/// this library never makes them: a set of masks that the barrier does not give, a root that another producer
/// chose, and a component that is not connected. They are found here; so is a barrier or a piece that the board does
/// not have. Without findings for a board, the certificate is the one that
/// [`certify_decomposition`](crate::certify_decomposition) makes, up to the order of its list.
///
/// A certificate that is not [valid](DecompositionCertificate::validate) is compared as it is; the findings then
/// say nothing.
///
/// ```
/// let board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?;
/// let mut certificate = bitmesh::certify_decomposition(&board);
/// assert_eq!(bitmesh::compare_decomposition(&certificate, Some(&board)), []);
///
/// certificate.components[0].root = 0;
/// certificate.validate()?;
/// let findings = bitmesh::compare_decomposition(&certificate, Some(&board));
/// assert_eq!(findings[0].code(), "comparison/other-root");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn compare_decomposition(
    certificate: &DecompositionCertificate,
    board: Option<&Board>,
) -> Vec<DecompositionFinding> {
    let mut findings = Vec::new();
    let barrier = certificate.barrier;
    if let Some(board) = board {
        let locked = get_locked_pawns(board);
        if locked != barrier {
            findings.push(DecompositionFinding::BarrierDiffers { certificate: barrier, board: locked });
        }
        let (active, pieces) = (certificate.active(), board.occupied() & !barrier);
        if active != pieces {
            findings.push(DecompositionFinding::PiecesDiffer { certificate: active, board: pieces });
        }
    }
    let mut regions = partition_board(barrier);
    for (component_index, component) in certificate.components.iter().enumerate() {
        let Some(square) = (component.mask & !barrier).first() else { continue };
        let region = fill(square, !barrier);
        if fill(square, component.mask) != component.mask {
            findings.push(DecompositionFinding::ComponentNotConnected { component_index });
            continue;
        }
        if region != component.mask {
            let missing = region & !component.mask;
            findings.push(DecompositionFinding::ComponentNotWholeRegion { component_index, missing });
        }
        let expected = regions.find(usize::from(square)) as u8;
        if component.root != expected {
            let root = component.root;
            findings.push(DecompositionFinding::OtherRoot { component_index, root, expected });
        }
    }
    findings
}

/// All squares that a king could reach from `square` inside `free`.
fn fill(square: Square, free: Bitboard) -> Bitboard {
    let mut reached = Bitboard::from(square);
    loop {
        let wider = Bitboard(dilate(reached.0)) & free;
        if wider == reached {
            return reached;
        }
        reached = wider;
    }
}
