//! The structural certificate (layer 1), its validity, and BMDCERT v1.

use alloc::vec::Vec;

use shakmaty::{Bitboard, Square, attacks};
use thiserror::Error;

use crate::digest::DecompositionCertificateDigest;
use crate::geometry::shift;
use crate::payload::{Buffer, DecodeError, PayloadError, Reader, Sink, room_for};

/// The length of everything before the components.
const HEADER_LENGTH: usize = 22;

/// The length of a component.
const COMPONENT_LENGTH: usize = 17;

/// Every 2x2 block of squares holds squares of one component at most, because components do not touch.
const MOST_COMPONENTS: usize = 16;

const LONGEST_PAYLOAD: usize = HEADER_LENGTH + MOST_COMPONENTS * COMPONENT_LENGTH;

/// Room for the payload of one component at most.
pub(crate) type UsualPayload = Buffer<{ room_for(HEADER_LENGTH + COMPONENT_LENGTH) }>;

/// Whether a decomposition was found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DecompositionStatus {
    /// Two or more regions hold pieces outside a non-empty barrier.
    Strict,
    /// The board does not fall apart; the reason says why.
    Rejected,
}

/// Why a board does not fall apart.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DecompositionRejectionReason {
    /// No pawn is locked.
    NoLockedBarrier,
    /// Fewer than two regions hold pieces outside the barrier.
    LessThanTwoActiveComponents,
}

impl DecompositionStatus {
    /// The word that programs look for: `strict` or `rejected`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Rejected => "rejected",
        }
    }
}

impl DecompositionRejectionReason {
    /// The word that programs look for: `no_locked_barrier` or `less_than_two_active_components`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NoLockedBarrier => "no_locked_barrier",
            Self::LessThanTwoActiveComponents => "less_than_two_active_components",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::NoLockedBarrier => "no locked barrier",
            Self::LessThanTwoActiveComponents => "fewer than two active components",
        }
    }
}

/// A region that holds at least one piece outside the barrier.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DecompositionComponent {
    /// Index of the square that names the region, 0 (a1) to 63 (h8).
    pub root: u8,
    /// All squares of the region.
    pub mask: Bitboard,
    /// The occupied squares of the region.
    pub active_mask: Bitboard,
}

/// The structure of a board: a barrier, and the regions that it separates.
///
/// A valid certificate is consistent in itself. It does not name pieces, so one
/// certificate stands for every board with the same structure, and validity does
/// not say that the regions are those of any board: compare it with
/// [`certify_decomposition`](crate::certify_decomposition) of the board for that.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DecompositionCertificate {
    /// The locked pawns.
    pub barrier: Bitboard,
    /// Regions with pieces, by ascending root.
    pub components: Vec<DecompositionComponent>,
    /// Number of regions with pieces.
    pub active_component_count: u8,
    /// Whether the status is [`DecompositionStatus::Strict`].
    pub strict: bool,
    /// Whether the board falls apart.
    pub status: DecompositionStatus,
    /// Why it does not, if it does not.
    pub rejection_reason: Option<DecompositionRejectionReason>,
}

/// The first reason why a certificate is not consistent in itself.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[allow(missing_docs, reason = "each field is named in the message of its variant")]
pub enum DecompositionCertificateValidationError {
    /// The flag and the status disagree.
    #[error("strict flag {strict} does not match status {}", status.word())]
    StrictStatusMismatch { strict: bool, status: DecompositionStatus },
    /// The declared number of components is not the length of the list.
    #[error("certificate declares {declared} active components but lists {actual}")]
    ActiveComponentCountMismatch { declared: u8, actual: usize },
    /// A strict certificate needs two components.
    #[error("strict certificate has {active_component_count} active components, needs at least 2")]
    StrictWithTooFewActiveComponents { active_component_count: usize },
    /// A strict certificate needs a barrier.
    #[error("strict certificate has an empty barrier")]
    StrictWithoutBarrier,
    /// A strict certificate has no reason for a rejection.
    #[error("strict certificate has rejection reason {}", rejection_reason.name())]
    StrictWithRejectionReason { rejection_reason: DecompositionRejectionReason },
    /// Rejected for lack of a barrier, but there is one.
    #[error("rejected for no locked barrier but the barrier is not empty")]
    NoLockedBarrierRejectionWithBarrier,
    /// Without a barrier there is at most one component.
    #[error("rejected for no locked barrier but lists {active_component_count} active components")]
    NoLockedBarrierRejectionWithMultipleActiveComponents { active_component_count: usize },
    /// Without a barrier the other reason comes first.
    #[error("rejected for fewer than two active components but the barrier is empty")]
    LessThanTwoActiveComponentsRejectionWithoutBarrier,
    /// Rejected for too few components, but there are enough.
    #[error("rejected for fewer than two active components but lists {active_component_count}")]
    LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents { active_component_count: usize },
    /// A rejection needs a reason.
    #[error("rejected certificate has no rejection reason")]
    RejectedWithoutRejectionReason,
    /// A component has no squares.
    #[error("component {component_index} has an empty mask")]
    EmptyComponentMask { component_index: usize },
    /// A component has no pieces.
    #[error("component {component_index} has no active squares")]
    ComponentWithoutActiveSquares { component_index: usize },
    /// A component and the barrier share a square.
    #[error("component {component_index} intersects the barrier")]
    ComponentIntersectsBarrier { component_index: usize },
    /// A piece of a component stands outside it.
    #[error("component {component_index} has active squares outside its mask")]
    ActiveMaskOutsideComponent { component_index: usize },
    /// The root is not one of the component's squares.
    #[error("component {component_index} has root {root} outside its mask")]
    ComponentRootOutsideMask { component_index: usize, root: u8 },
    /// Two components have the same root.
    #[error("components {first_component_index} and {second_component_index} share root {root}")]
    DuplicateComponentRoot { first_component_index: usize, second_component_index: usize, root: u8 },
    /// Two components share a square.
    #[error("components {first_component_index} and {second_component_index} overlap")]
    ComponentMasksOverlap { first_component_index: usize, second_component_index: usize },
    /// Squares of two components are neighbours.
    #[error(
        "components {first_component_index} and {second_component_index} touch at {first_square} and {second_square}"
    )]
    CrossComponentAdjacency {
        first_component_index: usize,
        second_component_index: usize,
        first_square: Square,
        second_square: Square,
    },
    /// A free neighbour of a component's square is in no component.
    #[error("component {component_index} holds {square} but not its free neighbour {omitted_square}")]
    StrictComponentMaskNotClosed { component_index: usize, square: Square, omitted_square: Square },
    /// The position text does not fit its 16-bit length.
    #[error("position text has {actual} bytes, at most {maximum} fit")]
    PositionContextTooLong { actual: usize, maximum: usize },
    /// The context text does not fit its 16-bit length.
    #[error("context text has {actual} bytes, at most {maximum} fit")]
    PositionContextNamespaceTooLong { actual: usize, maximum: usize },
}

impl DecompositionCertificateValidationError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::StrictStatusMismatch { .. } => "decomposition/strict-status-mismatch",
            Self::ActiveComponentCountMismatch { .. } => "decomposition/active-component-count-mismatch",
            Self::StrictWithTooFewActiveComponents { .. } => {
                "decomposition/strict-with-too-few-active-components"
            }
            Self::StrictWithoutBarrier => "decomposition/strict-without-barrier",
            Self::StrictWithRejectionReason { .. } => "decomposition/strict-with-rejection-reason",
            Self::NoLockedBarrierRejectionWithBarrier => {
                "decomposition/no-locked-barrier-rejection-with-barrier"
            }
            Self::NoLockedBarrierRejectionWithMultipleActiveComponents { .. } => {
                "decomposition/no-locked-barrier-rejection-with-multiple-active-components"
            }
            Self::LessThanTwoActiveComponentsRejectionWithoutBarrier => {
                "decomposition/less-than-two-active-components-rejection-without-barrier"
            }
            Self::LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents { .. } => {
                "decomposition/less-than-two-active-components-rejection-with-too-many-active-components"
            }
            Self::RejectedWithoutRejectionReason => "decomposition/rejected-without-rejection-reason",
            Self::EmptyComponentMask { .. } => "decomposition/empty-component-mask",
            Self::ComponentWithoutActiveSquares { .. } => "decomposition/component-without-active-squares",
            Self::ComponentIntersectsBarrier { .. } => "decomposition/component-intersects-barrier",
            Self::ActiveMaskOutsideComponent { .. } => "decomposition/active-mask-outside-component",
            Self::ComponentRootOutsideMask { .. } => "decomposition/component-root-outside-mask",
            Self::DuplicateComponentRoot { .. } => "decomposition/duplicate-component-root",
            Self::ComponentMasksOverlap { .. } => "decomposition/component-masks-overlap",
            Self::CrossComponentAdjacency { .. } => "decomposition/cross-component-adjacency",
            Self::StrictComponentMaskNotClosed { .. } => "decomposition/strict-component-mask-not-closed",
            Self::PositionContextTooLong { .. } => "decomposition/position-context-too-long",
            Self::PositionContextNamespaceTooLong { .. } => {
                "decomposition/position-context-namespace-too-long"
            }
        }
    }
}

impl DecodeError<DecompositionCertificateValidationError> {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Payload(error) => error.code(),
            Self::Invalid { error, .. } => error.code(),
        }
    }
}

/// Where BMDCERT v1 has the element that a failure is about; components are in the order of the payload.
const fn payload_offset(error: &DecompositionCertificateValidationError) -> usize {
    use DecompositionCertificateValidationError as Error;

    const STRICT: usize = 10;
    const REASON: usize = 11;
    const COUNT: usize = 12;
    const BARRIER: usize = 13;
    const COMPONENTS: usize = 22;
    const fn root(index: usize) -> usize {
        COMPONENTS + 17 * index
    }
    const fn mask(index: usize) -> usize {
        root(index) + 1
    }
    const fn active_mask(index: usize) -> usize {
        root(index) + 9
    }

    match *error {
        Error::StrictStatusMismatch { .. } => STRICT,
        Error::StrictWithRejectionReason { .. } | Error::RejectedWithoutRejectionReason => REASON,
        Error::ActiveComponentCountMismatch { .. }
        | Error::StrictWithTooFewActiveComponents { .. }
        | Error::NoLockedBarrierRejectionWithMultipleActiveComponents { .. }
        | Error::LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents { .. } => COUNT,
        Error::StrictWithoutBarrier
        | Error::NoLockedBarrierRejectionWithBarrier
        | Error::LessThanTwoActiveComponentsRejectionWithoutBarrier => BARRIER,
        Error::ComponentRootOutsideMask { component_index, .. } => root(component_index),
        Error::DuplicateComponentRoot { second_component_index, .. } => root(second_component_index),
        Error::EmptyComponentMask { component_index }
        | Error::ComponentIntersectsBarrier { component_index }
        | Error::StrictComponentMaskNotClosed { component_index, .. } => mask(component_index),
        Error::ComponentMasksOverlap { second_component_index, .. } => mask(second_component_index),
        Error::CrossComponentAdjacency { first_component_index, .. } => mask(first_component_index),
        Error::ComponentWithoutActiveSquares { component_index }
        | Error::ActiveMaskOutsideComponent { component_index } => active_mask(component_index),
        // These are about texts, which the payload does not have.
        Error::PositionContextTooLong { .. } | Error::PositionContextNamespaceTooLong { .. } => 0,
    }
}

impl DecompositionCertificate {
    /// The one place that derives count, flag, status and reason from barrier and components.
    pub(crate) fn from_components(barrier: Bitboard, components: Vec<DecompositionComponent>) -> Self {
        let rejection_reason = if barrier.is_empty() {
            Some(DecompositionRejectionReason::NoLockedBarrier)
        } else if components.len() < 2 {
            Some(DecompositionRejectionReason::LessThanTwoActiveComponents)
        } else {
            None
        };
        let strict = rejection_reason.is_none();
        Self {
            barrier,
            active_component_count: components.len() as u8,
            components,
            strict,
            status: if strict { DecompositionStatus::Strict } else { DecompositionStatus::Rejected },
            rejection_reason,
        }
    }

    /// The occupied squares of all components together.
    pub(crate) fn active(&self) -> Bitboard {
        self.components.iter().fold(Bitboard::EMPTY, |all, component| all | component.active_mask)
    }

    /// Checks that the certificate is consistent in itself.
    ///
    /// A certificate is valid when flag, status, count, reason and lists agree,
    /// the components are disjoint, no two of them touch, and, if it is strict,
    /// none leaves out a free neighbour. That is all: a valid certificate may have
    /// a component that is not connected, or a root that this producer would not choose.
    ///
    /// # Errors
    ///
    /// The first failure, in the order of the contract: header, then component by
    /// component in list order, then neighbours.
    pub fn validate(&self) -> Result<(), DecompositionCertificateValidationError> {
        self.check_header()?;
        if self.regions_are_consistent() {
            return Ok(());
        }
        self.check_components()?;
        self.check_neighbours()
    }

    /// What `check_components` and `check_neighbours` check, with whole sets of squares and without naming a failure.
    ///
    /// A mask is not empty because its active squares are not, and two components that share a root overlap.
    fn regions_are_consistent(&self) -> bool {
        let mut owned = Bitboard::EMPTY;
        for DecompositionComponent { root, mask, active_mask } in &self.components {
            let consistent = !active_mask.is_empty()
                && active_mask.is_subset(*mask)
                && mask.is_disjoint(self.barrier | owned)
                && *root < 64
                && mask.0 >> root & 1 == 1;
            if !consistent {
                return false;
            }
            owned |= *mask;
        }
        let allowed_around = if self.strict { self.barrier } else { !owned };
        self.components.iter().all(|component| {
            let around = Bitboard(shift::dilate(component.mask.0)) & !component.mask;
            around.is_subset(allowed_around)
        })
    }

    fn check_header(&self) -> Result<(), DecompositionCertificateValidationError> {
        use DecompositionCertificateValidationError as Error;
        use DecompositionRejectionReason as Reason;

        let (strict, status) = (self.strict, self.status);
        if strict != (status == DecompositionStatus::Strict) {
            return Err(Error::StrictStatusMismatch { strict, status });
        }
        let active_component_count = self.components.len();
        if usize::from(self.active_component_count) != active_component_count {
            let declared = self.active_component_count;
            return Err(Error::ActiveComponentCountMismatch { declared, actual: active_component_count });
        }
        let several = active_component_count >= 2;
        let barrier = !self.barrier.is_empty();
        match (status, self.rejection_reason) {
            (DecompositionStatus::Strict, _) if !several => {
                Err(Error::StrictWithTooFewActiveComponents { active_component_count })
            }
            (DecompositionStatus::Strict, _) if !barrier => Err(Error::StrictWithoutBarrier),
            (DecompositionStatus::Strict, Some(rejection_reason)) => {
                Err(Error::StrictWithRejectionReason { rejection_reason })
            }
            (DecompositionStatus::Rejected, None) => Err(Error::RejectedWithoutRejectionReason),
            (DecompositionStatus::Rejected, Some(Reason::NoLockedBarrier)) if barrier => {
                Err(Error::NoLockedBarrierRejectionWithBarrier)
            }
            (DecompositionStatus::Rejected, Some(Reason::NoLockedBarrier)) if several => {
                Err(Error::NoLockedBarrierRejectionWithMultipleActiveComponents { active_component_count })
            }
            (DecompositionStatus::Rejected, Some(Reason::LessThanTwoActiveComponents)) if !barrier => {
                Err(Error::LessThanTwoActiveComponentsRejectionWithoutBarrier)
            }
            (DecompositionStatus::Rejected, Some(Reason::LessThanTwoActiveComponents)) if several => {
                Err(Error::LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents {
                    active_component_count,
                })
            }
            _ => Ok(()),
        }
    }

    fn check_components(&self) -> Result<(), DecompositionCertificateValidationError> {
        use DecompositionCertificateValidationError as Error;

        for (component_index, component) in self.components.iter().enumerate() {
            let DecompositionComponent { root, mask, active_mask } = *component;
            if mask.is_empty() {
                return Err(Error::EmptyComponentMask { component_index });
            }
            if active_mask.is_empty() {
                return Err(Error::ComponentWithoutActiveSquares { component_index });
            }
            if !mask.is_disjoint(self.barrier) {
                return Err(Error::ComponentIntersectsBarrier { component_index });
            }
            if !active_mask.is_subset(mask) {
                return Err(Error::ActiveMaskOutsideComponent { component_index });
            }
            if root >= 64 || mask.0 >> root & 1 == 0 {
                return Err(Error::ComponentRootOutsideMask { component_index, root });
            }
            let earlier = &self.components[..component_index];
            if let Some(first) = earlier.iter().position(|other| other.root == root) {
                return Err(Error::DuplicateComponentRoot {
                    first_component_index: first,
                    second_component_index: component_index,
                    root,
                });
            }
            if let Some(first) = earlier.iter().position(|other| !other.mask.is_disjoint(mask)) {
                return Err(Error::ComponentMasksOverlap {
                    first_component_index: first,
                    second_component_index: component_index,
                });
            }
        }
        Ok(())
    }

    /// Relies on disjoint masks.
    fn check_neighbours(&self) -> Result<(), DecompositionCertificateValidationError> {
        use DecompositionCertificateValidationError as Error;

        let owner = |square: Square| self.components.iter().position(|other| other.mask.contains(square));
        for (component_index, component) in self.components.iter().enumerate() {
            for square in component.mask {
                // Ascending squares are the neighbour order of the contract.
                for neighbour in attacks::king_attacks(square) & !component.mask {
                    match owner(neighbour) {
                        Some(other) => {
                            return Err(Error::CrossComponentAdjacency {
                                first_component_index: component_index,
                                second_component_index: other,
                                first_square: square,
                                second_square: neighbour,
                            });
                        }
                        None if self.strict && !self.barrier.contains(neighbour) => {
                            return Err(Error::StrictComponentMaskNotClosed {
                                component_index,
                                square,
                                omitted_square: neighbour,
                            });
                        }
                        None => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// The bytes of BMDCERT v1.
    ///
    /// # Errors
    ///
    /// When the certificate is not [valid](Self::validate): no invalid certificate has bytes.
    pub fn canonical_payload(&self) -> Result<Vec<u8>, DecompositionCertificateValidationError> {
        self.validate()?;
        let mut payload = Vec::with_capacity(HEADER_LENGTH + COMPONENT_LENGTH * self.components.len());
        self.write(&mut payload);
        Ok(payload)
    }

    /// The SHA-256 of [the payload](Self::canonical_payload).
    ///
    /// # Errors
    ///
    /// When the certificate is not [valid](Self::validate): no invalid certificate has a digest.
    pub fn digest(&self) -> Result<DecompositionCertificateDigest, DecompositionCertificateValidationError> {
        self.validate()?;
        Ok(self.digest_of_valid())
    }

    pub(crate) fn digest_of_valid(&self) -> DecompositionCertificateDigest {
        // One block is cleared faster than room for all that there can be.
        let mut block = Buffer::new();
        if self.put_usual(&mut block) {
            return block.sha256().into();
        }
        let mut payload = Buffer::<{ room_for(LONGEST_PAYLOAD) }>::new();
        self.write(&mut payload);
        payload.sha256().into()
    }

    /// Puts the payload of a valid certificate into an empty buffer, if it fits: that of one component at most. It is
    /// one block of the hash.
    #[inline(always)]
    pub(crate) fn put_usual(&self, payload: &mut UsualPayload) -> bool {
        match &self.components[..] {
            [] => self.write_header(payload),
            [component] => {
                self.write_header(payload);
                component.write(payload);
            }
            _ => return false,
        }
        true
    }

    /// Reads the bytes of BMDCERT v1, and nothing else.
    ///
    /// The bytes are the [payload](Self::canonical_payload) of what is read.
    ///
    /// ```
    /// use bitmesh::DecompositionCertificate;
    ///
    /// let board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse()?;
    /// let certificate = bitmesh::certify_decomposition(&board);
    /// let mut payload = certificate.canonical_payload()?;
    /// assert_eq!(DecompositionCertificate::from_canonical_payload(&payload)?, certificate);
    ///
    /// payload.push(0);
    /// let error = DecompositionCertificate::from_canonical_payload(&payload).unwrap_err();
    /// assert_eq!(error.code(), "payload/trailing-bytes");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first element that is not of the format, then trailing bytes, then why the certificate is not
    /// [valid](Self::validate).
    pub fn from_canonical_payload(
        payload: &[u8],
    ) -> Result<Self, DecodeError<DecompositionCertificateValidationError>> {
        let mut reader = Reader::new(payload);
        let certificate = Self::read(&mut reader)?;
        reader.finish()?;
        match certificate.validate() {
            Ok(()) => Ok(certificate),
            Err(error) => Err(DecodeError::Invalid { offset: payload_offset(&error), error }),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, PayloadError> {
        reader.header("BMDCERT", 1)?;
        let status = reader.choice("status", |value| match value {
            1 => Some(DecompositionStatus::Strict),
            2 => Some(DecompositionStatus::Rejected),
            _ => None,
        })?;
        let strict = reader.choice("strict flag", |value| match value {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        })?;
        let rejection_reason = reader.choice("rejection reason", |value| match value {
            0 => Some(None),
            1 => Some(Some(DecompositionRejectionReason::NoLockedBarrier)),
            2 => Some(Some(DecompositionRejectionReason::LessThanTwoActiveComponents)),
            _ => None,
        })?;
        let active_component_count = reader.u8("active component count")?;
        let barrier = Bitboard(reader.u64("barrier")?);
        let count = usize::from(reader.u8("number of components")?);
        let mut components: Vec<DecompositionComponent> = Vec::with_capacity(count);
        for _ in 0..count {
            let offset = reader.offset();
            let root = reader.u8("component root")?;
            // Two equal roots are refused as such by the validation.
            if components.last().is_some_and(|earlier| earlier.root > root) {
                return Err(PayloadError::NotAscending { offset, element: "component root" });
            }
            let mask = Bitboard(reader.u64("component mask")?);
            let active_mask = Bitboard(reader.u64("active mask")?);
            components.push(DecompositionComponent { root, mask, active_mask });
        }
        Ok(Self { barrier, components, active_component_count, strict, status, rejection_reason })
    }

    /// Relies on validity: few components, all roots different squares.
    fn write(&self, out: &mut impl Sink) {
        self.write_header(out);
        let roots: Bitboard =
            self.components.iter().map(|component| Square::new(component.root.into())).collect();
        for root in roots {
            for component in self.components.iter().filter(|component| component.root == u8::from(root)) {
                component.write(out);
            }
        }
    }

    /// All but the components.
    #[inline(always)]
    fn write_header(&self, out: &mut impl Sink) {
        out.put_header("BMDCERT", 1);
        out.put_u8(match self.status {
            DecompositionStatus::Strict => 1,
            DecompositionStatus::Rejected => 2,
        });
        out.put_u8(u8::from(self.strict));
        out.put_u8(match self.rejection_reason {
            None => 0,
            Some(DecompositionRejectionReason::NoLockedBarrier) => 1,
            Some(DecompositionRejectionReason::LessThanTwoActiveComponents) => 2,
        });
        out.put_u8(self.active_component_count);
        out.put_u64(self.barrier.0);
        out.put_u8(self.active_component_count);
    }
}

impl DecompositionComponent {
    #[inline(always)]
    fn write(&self, out: &mut impl Sink) {
        out.put_u8(self.root);
        out.put_u64(self.mask.0);
        out.put_u64(self.active_mask.0);
    }
}
