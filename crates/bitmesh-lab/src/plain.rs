//! The contract written down literally, one square at a time: slow, and plainly right.
//!
//! Tests compare the library with these functions, and the benchmarks measure it against them. They are never
//! shipped, share no code with the library, and take nothing from it but its types.

use bitmesh::shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};
use bitmesh::{
    ConservativeLegalIndependenceError, ConservativeLegalIndependenceProof, DecompositionCertificate,
    DecompositionCertificateDigest, DecompositionCertificateValidationError, DecompositionComponent,
    DecompositionRejectionReason, DecompositionStatus,
};
use sha2::{Digest as _, Sha256};

/// Section 1: union by rank with path compression.
#[derive(Debug)]
pub struct UnionFind {
    parent: [usize; 64],
    rank: [u32; 64],
}

impl Default for UnionFind {
    fn default() -> Self {
        Self::new()
    }
}

impl UnionFind {
    pub fn new() -> Self {
        Self { parent: std::array::from_fn(|square| square), rank: [0; 64] }
    }

    pub fn find(&mut self, square: usize) -> usize {
        if self.parent[square] != square {
            self.parent[square] = self.find(self.parent[square]);
        }
        self.parent[square]
    }

    pub fn union(&mut self, first: usize, second: usize) -> bool {
        let (first, second) = (self.find(first), self.find(second));
        if first == second {
            return false;
        }
        if self.rank[first] < self.rank[second] {
            self.parent[first] = second;
        } else if self.rank[first] > self.rank[second] {
            self.parent[second] = first;
        } else {
            self.parent[first] = second;
            self.rank[second] += 1;
        }
        true
    }
}

/// The square so many files east and ranks north, if it is on the board.
fn offset(square: usize, files: i32, ranks: i32) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn holds(squares: Bitboard, square: usize) -> bool {
    squares.0 >> square & 1 == 1
}

fn square(index: usize) -> Square {
    Square::new(index as u32)
}

/// Section 1: four passes over the pairs of free neighbours.
pub fn partition(barrier: Bitboard) -> UnionFind {
    let mut regions = UnionFind::new();
    for (files, ranks) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for from in 0..64 {
            if let Some(to) = offset(from, files, ranks)
                && !holds(barrier, from)
                && !holds(barrier, to)
            {
                regions.union(from, to);
            }
        }
    }
    regions
}

/// Section 1: pawns with something in front, or the edge, and nothing to capture.
pub fn locked_pawns(board: &Board) -> Bitboard {
    let mut locked = Bitboard::EMPTY;
    for from in 0..64 {
        let Some(Piece { color, role: Role::Pawn }) = board.piece_at(square(from)) else { continue };
        let north = color.fold_wb(1, -1);
        let blocked = offset(from, 0, north).is_none_or(|forward| board.piece_at(square(forward)).is_some());
        let captures = [-1, 1].into_iter().any(|files| {
            offset(from, files, north)
                .and_then(|target| board.color_at(square(target)))
                .is_some_and(|target| target != color)
        });
        if blocked && !captures {
            locked.add(square(from));
        }
    }
    locked
}

/// Section 1: regions that hold a piece outside the barrier.
pub fn find_subsystems(board: &Board) -> (bool, u8) {
    let barrier = locked_pawns(board);
    let mut regions = partition(barrier);
    let mut active = [false; 64];
    for from in 0..64 {
        if board.piece_at(square(from)).is_some() && !holds(barrier, from) {
            active[regions.find(from)] = true;
        }
    }
    let count = active.iter().filter(|&&active| active).count();
    (count > 1, count as u8)
}

/// Section 2: the certificate of a board.
pub fn certify(board: &Board) -> DecompositionCertificate {
    let barrier = locked_pawns(board);
    let mut regions = partition(barrier);
    let mut by_root: Vec<Option<DecompositionComponent>> = vec![None; 64];
    for from in (0..64).filter(|&from| !holds(barrier, from)) {
        let root = regions.find(from);
        let component = by_root[root].get_or_insert(DecompositionComponent {
            root: root as u8,
            mask: Bitboard::EMPTY,
            active_mask: Bitboard::EMPTY,
        });
        component.mask.add(square(from));
        if board.piece_at(square(from)).is_some() {
            component.active_mask.add(square(from));
        }
    }
    let components: Vec<_> =
        by_root.into_iter().flatten().filter(|component| !component.active_mask.is_empty()).collect();
    let rejection_reason = if barrier.is_empty() {
        Some(DecompositionRejectionReason::NoLockedBarrier)
    } else if components.len() < 2 {
        Some(DecompositionRejectionReason::LessThanTwoActiveComponents)
    } else {
        None
    };
    DecompositionCertificate {
        barrier,
        active_component_count: components.len() as u8,
        strict: rejection_reason.is_none(),
        status: match rejection_reason {
            None => DecompositionStatus::Strict,
            Some(_) => DecompositionStatus::Rejected,
        },
        rejection_reason,
        components,
    }
}

/// Section 2: the first failure in the order of the contract.
pub fn validate(
    certificate: &DecompositionCertificate,
) -> Result<(), DecompositionCertificateValidationError> {
    use DecompositionCertificateValidationError as Error;

    let DecompositionCertificate {
        barrier, active_component_count, strict, status, rejection_reason, ..
    } = *certificate;
    let components = &certificate.components;
    if strict != (status == DecompositionStatus::Strict) {
        return Err(Error::StrictStatusMismatch { strict, status });
    }
    if usize::from(active_component_count) != components.len() {
        return Err(Error::ActiveComponentCountMismatch {
            declared: active_component_count,
            actual: components.len(),
        });
    }
    let active_component_count = components.len();
    if status == DecompositionStatus::Strict {
        if active_component_count < 2 {
            return Err(Error::StrictWithTooFewActiveComponents { active_component_count });
        }
        if barrier.is_empty() {
            return Err(Error::StrictWithoutBarrier);
        }
        if let Some(rejection_reason) = rejection_reason {
            return Err(Error::StrictWithRejectionReason { rejection_reason });
        }
    } else {
        match rejection_reason {
            None => return Err(Error::RejectedWithoutRejectionReason),
            Some(DecompositionRejectionReason::NoLockedBarrier) => {
                if !barrier.is_empty() {
                    return Err(Error::NoLockedBarrierRejectionWithBarrier);
                }
                if active_component_count > 1 {
                    return Err(Error::NoLockedBarrierRejectionWithMultipleActiveComponents {
                        active_component_count,
                    });
                }
            }
            Some(DecompositionRejectionReason::LessThanTwoActiveComponents) => {
                if barrier.is_empty() {
                    return Err(Error::LessThanTwoActiveComponentsRejectionWithoutBarrier);
                }
                if active_component_count > 1 {
                    return Err(Error::LessThanTwoActiveComponentsRejectionWithTooManyActiveComponents {
                        active_component_count,
                    });
                }
            }
        }
    }
    for (component_index, component) in components.iter().enumerate() {
        let DecompositionComponent { root, mask, active_mask } = *component;
        if mask.is_empty() {
            return Err(Error::EmptyComponentMask { component_index });
        }
        if active_mask.is_empty() {
            return Err(Error::ComponentWithoutActiveSquares { component_index });
        }
        if !(mask & barrier).is_empty() {
            return Err(Error::ComponentIntersectsBarrier { component_index });
        }
        if !(active_mask & !mask).is_empty() {
            return Err(Error::ActiveMaskOutsideComponent { component_index });
        }
        if root >= 64 || !holds(mask, usize::from(root)) {
            return Err(Error::ComponentRootOutsideMask { component_index, root });
        }
        for (first_component_index, other) in components[..component_index].iter().enumerate() {
            if other.root == root {
                return Err(Error::DuplicateComponentRoot {
                    first_component_index,
                    second_component_index: component_index,
                    root,
                });
            }
        }
        for (first_component_index, other) in components[..component_index].iter().enumerate() {
            if !(other.mask & mask).is_empty() {
                return Err(Error::ComponentMasksOverlap {
                    first_component_index,
                    second_component_index: component_index,
                });
            }
        }
    }
    for (component_index, component) in components.iter().enumerate() {
        for from in (0..64).filter(|&from| holds(component.mask, from)) {
            for (files, ranks) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let Some(to) = offset(from, files, ranks) else { continue };
                match component_of(certificate, to) {
                    Some(other) if other != component_index => {
                        return Err(Error::CrossComponentAdjacency {
                            first_component_index: component_index,
                            second_component_index: other,
                            first_square: square(from),
                            second_square: square(to),
                        });
                    }
                    None if strict && !holds(barrier, to) => {
                        return Err(Error::StrictComponentMaskNotClosed {
                            component_index,
                            square: square(from),
                            omitted_square: square(to),
                        });
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn component_of(certificate: &DecompositionCertificate, square: usize) -> Option<usize> {
    certificate.components.iter().position(|component| holds(component.mask, square))
}

/// Section 2: BMDCERT v1.
pub fn payload(
    certificate: &DecompositionCertificate,
) -> Result<Vec<u8>, DecompositionCertificateValidationError> {
    validate(certificate)?;
    let mut bytes = b"BMDCERT\0\x01".to_vec();
    bytes.push(if certificate.status == DecompositionStatus::Strict { 1 } else { 2 });
    bytes.push(u8::from(certificate.strict));
    bytes.push(match certificate.rejection_reason {
        None => 0,
        Some(DecompositionRejectionReason::NoLockedBarrier) => 1,
        Some(DecompositionRejectionReason::LessThanTwoActiveComponents) => 2,
    });
    bytes.push(certificate.active_component_count);
    bytes.extend(certificate.barrier.0.to_le_bytes());
    bytes.push(certificate.components.len() as u8);
    let mut components = certificate.components.clone();
    components.sort_by_key(|component| (component.root, component.mask, component.active_mask));
    for component in components {
        bytes.push(component.root);
        bytes.extend(component.mask.0.to_le_bytes());
        bytes.extend(component.active_mask.0.to_le_bytes());
    }
    Ok(bytes)
}

/// Section 2: the SHA-256 of the payload.
pub fn digest(
    certificate: &DecompositionCertificate,
) -> Result<DecompositionCertificateDigest, DecompositionCertificateValidationError> {
    payload(certificate).map(|bytes| <[u8; 32]>::from(Sha256::digest(bytes)).into())
}

/// Section 3: the first failure of the screen in the order of the contract.
pub fn screen(
    board: &Board,
    certificate: &DecompositionCertificate,
) -> Result<ConservativeLegalIndependenceProof, ConservativeLegalIndependenceError> {
    use ConservativeLegalIndependenceError as Error;

    let decomposition_digest =
        digest(certificate).map_err(|error| Error::InvalidDecompositionCertificate { error })?;
    if certificate.status != DecompositionStatus::Strict {
        return Err(Error::RequiresStrictDecomposition { status: certificate.status });
    }
    for from in (0..64).filter(|&from| holds(certificate.barrier, from)) {
        let Piece { color, role } =
            board.piece_at(square(from)).ok_or(Error::BarrierSquareIsEmpty { square: square(from) })?;
        if role != Role::Pawn {
            return Err(Error::BarrierSquareIsNotPawn { square: square(from), role });
        }
        if let Some(forward) = offset(from, 0, color.fold_wb(1, -1))
            && !holds(certificate.barrier, forward)
        {
            return Err(Error::BarrierPawnNotFrozen {
                square: square(from),
                forward_square: Some(square(forward)),
            });
        }
        if let Some(&target) = pawn_captures(board, color, from).first() {
            return Err(Error::BarrierPawnCanCapture { square: square(from), target: square(target) });
        }
    }
    let mut certificate_active = Bitboard::EMPTY;
    for component in &certificate.components {
        certificate_active |= component.active_mask;
    }
    let board_active = board.occupied() & !certificate.barrier;
    if certificate_active != board_active {
        return Err(Error::ActiveMaskDoesNotMatchBoard { certificate_active, board_active });
    }
    for from in (0..64).filter(|&from| holds(board_active, from)) {
        let from_component = component_of(certificate, from)
            .ok_or(Error::ActivePieceOutsideCertifiedComponent { square: square(from) })?;
        for to in destinations(board, from) {
            if holds(certificate.barrier, to) {
                return Err(Error::BarrierPieceCanBeCaptured {
                    attacker_square: square(from),
                    barrier_square: square(to),
                });
            }
            let (from, to_component, to) = (square(from), component_of(certificate, to), square(to));
            match to_component {
                None => return Err(Error::PieceCanEnterUncertifiedFreeSquare { from, to, from_component }),
                Some(to_component) if to_component != from_component => {
                    return Err(Error::PieceCanEnterOtherComponent {
                        from,
                        to,
                        from_component,
                        to_component,
                    });
                }
                Some(_) => {}
            }
        }
    }
    Ok(ConservativeLegalIndependenceProof {
        decomposition_digest,
        component_count: certificate.active_component_count,
        barrier: certificate.barrier,
        proof_kind: "bitmesh:conservative_legal_independence:v0",
    })
}

/// Enemy pieces that a pawn attacks, ascending.
fn pawn_captures(board: &Board, color: Color, from: usize) -> Vec<usize> {
    [-1, 1]
        .into_iter()
        .filter_map(|files| offset(from, files, color.fold_wb(1, -1)))
        .filter(|&to| board.color_at(square(to)).is_some_and(|target| target != color))
        .collect()
}

fn destinations(board: &Board, from: usize) -> Vec<usize> {
    let Some(piece) = board.piece_at(square(from)) else { return Vec::new() };
    if piece.role == Role::Pawn {
        let mut destinations = pawn_captures(board, piece.color, from);
        for steps in [1, 2] {
            match offset(from, 0, piece.color.fold_wb(steps, -steps)) {
                Some(to) if board.piece_at(square(to)).is_none() => destinations.push(to),
                _ => break,
            }
        }
        return destinations;
    }
    attacks::attacks(square(from), piece, board.occupied())
        .into_iter()
        .filter(|&to| board.color_at(to) != Some(piece.color))
        .map(usize::from)
        .collect()
}
