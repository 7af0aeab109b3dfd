//! Everything about one input: each answer is computed once, on demand.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

use shakmaty::{Bitboard, Board, Chess, Piece, Square};
use thiserror::Error;

use crate::digest::{DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest};
use crate::one_ply::position_proof::PositionIndependenceError;
use crate::one_ply::screen::{OnePlyProof, diagnose_input, one_ply_claim, screen_input};
use crate::persistent::{
    Bound, CheckError, CheckedCertificate, Outline, PersistentCertificate, analyze, prove,
    prove_with_every_kind,
};
use crate::position::{
    BoardOnlyReason, Input, Note, Position, ReadPositionError, Reading, Reasons, read_position,
};
use crate::structure::binding::PositionBinding;
use crate::structure::certificate::{
    DecompositionCertificate, DecompositionCertificateValidationError, DecompositionComponent,
    DecompositionRejectionReason,
};
use crate::structure::producers::certify_decomposition;

/// Everything that this library says about one input.
///
/// Nothing is computed before it is asked for, and nothing twice. The type of each answer says what it claims and
/// where the claim ends.
///
/// ```
/// use bitmesh::{Assessment, OnePlyVerdict};
///
/// let wall = Assessment::read("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
/// assert_eq!(wall.verdict(), OnePlyVerdict::Accepted);
/// for region in wall.regions() {
///     let [(square, king)] = region.pieces().collect::<Vec<_>>()[..] else { panic!("a king alone") };
///     println!("{} squares around the {:?} on {square}", region.squares().count(), king.role);
/// }
/// assert!(wall.permanent()?.conclusions().dead());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Assessment {
    input: Input,
    notes: Vec<Note>,
    bound: Bound,
    structure: OnceCell<DecompositionCertificate>,
    binding: OnceCell<PositionBinding>,
    position_digest: OnceCell<PositionBoundDecompositionCertificateDigest>,
    violations: OnceCell<Vec<PositionIndependenceError>>,
    outline: OnceCell<Option<Outline>>,
    permanent: OnceCell<Result<CheckedCertificate, PermanentError>>,
    reaches: OnceCell<Result<CheckedCertificate, PermanentError>>,
}

impl Assessment {
    /// Assesses an input that was read already.
    #[must_use]
    pub const fn new(input: Input) -> Self {
        Self {
            input,
            notes: Vec::new(),
            bound: Bound::DEFAULT,
            structure: OnceCell::new(),
            binding: OnceCell::new(),
            position_digest: OnceCell::new(),
            violations: OnceCell::new(),
            outline: OnceCell::new(),
            permanent: OnceCell::new(),
            reaches: OnceCell::new(),
        }
    }

    /// Reads a text as [`read_position`] does and assesses what it says.
    ///
    /// # Errors
    ///
    /// When the text is neither a position nor a board.
    pub fn read(text: &str) -> Result<Self, ReadPositionError> {
        read_position(text).map(Self::from)
    }

    /// The same input with another certificate of its structure, from any producer.
    ///
    /// The certificate is not compared with the board here:
    /// [`compare_decomposition`](crate::compare_decomposition) does that.
    ///
    /// # Errors
    ///
    /// When the certificate is not valid.
    pub fn with_structure(
        self,
        certificate: DecompositionCertificate,
    ) -> Result<Self, DecompositionCertificateValidationError> {
        certificate.validate()?;
        Ok(Self {
            structure: OnceCell::from(certificate),
            binding: OnceCell::new(),
            position_digest: OnceCell::new(),
            violations: OnceCell::new(),
            ..self
        })
    }

    /// The same input with another number of positions to look at for [`permanent`](Self::permanent).
    #[must_use]
    pub fn within(self, bound: Bound) -> Self {
        Self { bound, permanent: OnceCell::new(), ..self }
    }

    /// The input.
    #[must_use]
    pub const fn input(&self) -> &Input {
        &self.input
    }

    /// The position, for claims about all play: a board is not enough for them.
    ///
    /// ```
    /// use bitmesh::Assessment;
    ///
    /// let board = Assessment::read("7k/8/8/8/8/8/8/K7")?;
    /// assert_eq!(board.position().unwrap_err().code(), "persistent/not-a-position");
    /// assert!(Assessment::read("7k/8/8/8/8/8/8/K7 w - - 0 1")?.position().is_ok());
    /// # Ok::<(), bitmesh::ReadPositionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the input is not a position, with all reasons.
    pub fn position(&self) -> Result<&Position, PermanentError> {
        match &self.input {
            Input::Position(position) => Ok(position),
            Input::Board(board) => Err(PermanentError::NotAPosition { reasons: board.reasons().to_vec() }),
        }
    }

    /// What was forgiven in the text of the input, in the order of the text.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The pieces.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.input.board()
    }

    /// The canonical text of the input.
    #[must_use]
    pub fn canonical_text(&self) -> &str {
        self.binding().position()
    }

    /// The name of the rules by which the canonical text is written.
    #[must_use]
    pub const fn context(&self) -> &'static str {
        self.input.context()
    }

    /// Why the input is not a position; empty for a position.
    #[must_use]
    pub fn not_a_position(&self) -> &[BoardOnlyReason] {
        match &self.input {
            Input::Position(_) => &[],
            Input::Board(board) => board.reasons(),
        }
    }

    /// The structure of the board (layer 1).
    pub fn structure(&self) -> &DecompositionCertificate {
        self.structure.get_or_init(|| certify_decomposition(self.board()))
    }

    /// The digest of the structure, shared by all boards that have it.
    #[must_use]
    pub fn structural_digest(&self) -> DecompositionCertificateDigest {
        self.binding().decomposition_digest()
    }

    /// The structure bound to the canonical text of the input.
    pub fn binding(&self) -> &PositionBinding {
        // Both producers of `structure` leave only valid certificates.
        self.binding
            .get_or_init(|| PositionBinding::of_input(self.structure().digest_of_valid(), &self.input))
    }

    /// The digest of the binding, which belongs to this input alone.
    #[must_use]
    pub fn position_digest(&self) -> PositionBoundDecompositionCertificateDigest {
        *self.position_digest.get_or_init(|| self.binding().digest())
    }

    /// The locked pawns.
    #[must_use]
    pub fn barrier(&self) -> Bitboard {
        self.structure().barrier
    }

    /// The regions that hold pieces, by ascending root.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region<'_>> {
        self.structure().components.iter().map(|component| Region { board: self.board(), component })
    }

    /// The name of the claim of the one-ply screen that applies to the input. It is made only when the screen accepts.
    #[must_use]
    pub const fn claim(&self) -> &'static str {
        one_ply_claim(&self.input)
    }

    /// Every violation that the one-ply screen finds, in its order (layer 2).
    pub fn violations(&self) -> &[PositionIndependenceError] {
        self.violations.get_or_init(|| diagnose_input(&self.input, self.structure()))
    }

    /// The first violation that the screen finds.
    #[must_use]
    pub fn first_violation(&self) -> Option<&PositionIndependenceError> {
        self.violations().first()
    }

    /// What the one-ply screen says: `accepted`, or the code of the first violation.
    #[must_use]
    pub fn one_ply(&self) -> &'static str {
        self.first_violation().map_or(OnePlyVerdict::Accepted.word(), PositionIndependenceError::code)
    }

    /// What layers 1 and 2 say, in one word.
    #[must_use]
    pub fn verdict(&self) -> OnePlyVerdict {
        match (self.structure().strict, self.violations().is_empty()) {
            (false, _) => OnePlyVerdict::Rejected,
            (true, false) => OnePlyVerdict::Refused,
            (true, true) => OnePlyVerdict::Accepted,
        }
    }

    /// The verdict in a sentence, for people.
    #[must_use]
    pub fn summary(&self) -> String {
        let regions = self.structure().components.len();
        match self.structure().rejection_reason {
            Some(DecompositionRejectionReason::NoLockedBarrier) => "no pawn is locked".to_owned(),
            Some(DecompositionRejectionReason::LessThanTwoActiveComponents) => match regions {
                0 => "the barrier leaves no piece outside it".to_owned(),
                _ => "all pieces outside the barrier are in one region".to_owned(),
            },
            None => match self.first_violation() {
                None => {
                    format!("{regions} regions; no next move of either side crosses or breaks the barrier")
                }
                Some(first) => format!("{regions} regions, but not independent: {first}"),
            },
        }
    }

    /// The record of the screen, if it accepts.
    #[must_use]
    pub fn proof(&self) -> Option<OnePlyProof> {
        screen_input(&self.input, self.structure()).ok()
    }

    /// What layer 3 finds at a glance, without a certificate; none for a board that is not a position.
    #[must_use]
    pub fn outline(&self) -> Option<Outline> {
        *self.outline.get_or_init(|| self.input.position().map(|position| analyze(position.chess())))
    }

    /// The certificate of everything that layer 3 proves, after the checker has accepted it.
    ///
    /// It may prove nothing: ask its [conclusions](CheckedCertificate::conclusions).
    ///
    /// # Errors
    ///
    /// When the input is not a position; and when the checker refuses what the prover made, which would be a fault
    /// of this library.
    pub fn permanent(&self) -> Result<&CheckedCertificate, PermanentError> {
        let prove = || self.checked(|chess| prove_with_every_kind(chess, self.bound));
        self.permanent.get_or_init(prove).as_ref().map_err(Clone::clone)
    }

    /// The certificate of what one witness proves, after the checker has accepted it: what never moves, and where all
    /// the others can ever stand.
    ///
    /// It proves no more than [`permanent`](Self::permanent), which may rest on something else.
    ///
    /// # Errors
    ///
    /// As for [`permanent`](Self::permanent).
    pub fn reaches(&self) -> Result<&CheckedCertificate, PermanentError> {
        self.reaches.get_or_init(|| self.checked(prove)).as_ref().map_err(Clone::clone)
    }

    /// What a prover makes of the position, once the checker has accepted it.
    fn checked(
        &self,
        prove: impl FnOnce(&Chess) -> PersistentCertificate,
    ) -> Result<CheckedCertificate, PermanentError> {
        Ok(CheckedCertificate::new(prove(self.position()?.chess()))?)
    }
}

/// Keeps the notes of the reader.
impl From<Reading> for Assessment {
    fn from(reading: Reading) -> Self {
        Self { notes: reading.notes, ..Self::new(reading.input) }
    }
}

/// What layers 1 and 2 say about an input.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum OnePlyVerdict {
    /// Two or more regions, and no next move of either side crosses or breaks the barrier.
    Accepted,
    /// Two or more regions, but a next move can.
    Refused,
    /// The board does not fall apart.
    Rejected,
}

impl OnePlyVerdict {
    /// The word that programs look for: `accepted`, `refused`, `rejected`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Rejected => "rejected",
        }
    }
}

/// A region of an assessed board, with the pieces in it.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    board: &'a Board,
    component: &'a DecompositionComponent,
}

impl<'a> Region<'a> {
    /// Index of the square that names the region, 0 (a1) to 63 (h8).
    #[must_use]
    pub const fn root(&self) -> u8 {
        self.component.root
    }

    /// All its squares.
    #[must_use]
    pub const fn squares(&self) -> Bitboard {
        self.component.mask
    }

    /// Its squares that hold pieces.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.component.active_mask
    }

    /// The pieces in it, in ascending order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + use<'a> {
        let board = self.board;
        self.occupied().into_iter().filter_map(|square| Some((square, board.piece_at(square)?)))
    }
}

/// Why there is no checked certificate of layer 3.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum PermanentError {
    /// The input is a board, and a claim about all play needs a position.
    #[error("a claim for all time needs a legal position: {}", Reasons(reasons))]
    NotAPosition {
        /// Everything that keeps the board from being a position; never empty.
        reasons: Vec<BoardOnlyReason>,
    },
    /// The checker refuses what the prover made.
    #[error("the prover made a certificate that fails its check: {error}")]
    Refused {
        /// The rule that it breaks.
        #[from]
        error: CheckError,
    },
}

impl PermanentError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAPosition { .. } => "persistent/not-a-position",
            Self::Refused { error } => error.code(),
        }
    }
}
