//! The checker: a witness against the rules, and the claims against the witness.
//!
//! It finds nothing. It reads the position, the frozen set, the reaches and the
//! claims, goes through them once, and refuses at the first rule that fails.
//! No code of the producer is used here; the geometry of single steps and the
//! predicates on a finished witness are, and belong to what must be trusted,
//! with the chess types and the en-passant and castling rights of shakmaty.

use alloc::boxed::Box;

use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, CastlingSide, Chess, Color, Position as _, Role, Square,
};
use thiserror::Error;

use super::expansion::Expansion;
use super::steps::{officer_steps, pawn_attacks, pawn_pushes};
use super::verdict::{Conclusions, Field, MAXIMUM_PIECES, Range};
use super::walk::{Walk, moves_in_order};
use super::witness::{PersistentCertificate, Proof, Witness};

/// The rule that a certificate breaks, and where. The rules are those of `docs/permanent-independence.md`.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum CheckError {
    /// The board has more than 32 pieces.
    #[error("board has {count} pieces, more than 32")]
    TooManyPieces {
        /// How many there are.
        count: usize,
    },
    /// The frozen set holds an empty square.
    #[error("frozen square {square} is empty")]
    FrozenSquareEmpty {
        /// The lowest such square.
        square: Square,
    },
    /// The movers are not the pieces outside the frozen set, in ascending order.
    #[error("list of movers deviates at {square}")]
    MoverMismatch {
        /// The first square that is missing, surplus or out of order.
        square: Square,
    },
    /// A reach names a role that the piece can never have.
    #[error("piece on {square} can never be a {role:?}")]
    ImpossibleRole {
        /// Where the piece stands.
        square: Square,
        /// The role.
        role: Role,
    },
    /// A mover's reach holds a frozen square.
    #[error("reach of the piece on {mover} holds the frozen square {square}")]
    ReachHoldsFrozen {
        /// Where the mover stands.
        mover: Square,
        /// The lowest such square.
        square: Square,
    },
    /// Rule 1: a mover does not stand in its reach.
    #[error("piece on {square} does not stand in its reach")]
    StartOutsideReach {
        /// Where the mover stands.
        square: Square,
    },
    /// Rule 2: a step leaves the reach.
    #[error("piece on {mover} can step as a {role:?} from its reach to {target}")]
    StepOutsideReach {
        /// Where the mover stands.
        mover: Square,
        /// Its role when it makes the step.
        role: Role,
        /// The lowest square outside the reach.
        target: Square,
    },
    /// Rule 3: a pawn can advance out of its reach.
    #[error("pawn on {mover} can advance from its reach to {target}")]
    AdvanceOutsideReach {
        /// Where the pawn stands.
        mover: Square,
        /// The lowest square outside the reach.
        target: Square,
    },
    /// Rule 3: a pawn can capture out of its reach.
    #[error("pawn on {mover} can capture from its reach on {target}")]
    CaptureOutsideReach {
        /// Where the pawn stands.
        mover: Square,
        /// The lowest square outside the reach.
        target: Square,
    },
    /// Rule 3: a pawn can capture en passant now, and the square is not in its reach.
    #[error("pawn on {mover} can capture en passant on {target}, outside its reach")]
    EnPassantOutsideReach {
        /// Where the pawn stands.
        mover: Square,
        /// The en-passant square.
        target: Square,
    },
    /// Rule 3: a pawn can promote on a square that is not in the reach of the new piece.
    #[error("pawn on {mover} can become a {role:?} on {target}, outside that reach")]
    PromotionOutsideReach {
        /// Where the pawn stands.
        mover: Square,
        /// The new role.
        role: Role,
        /// The lowest square outside the reach.
        target: Square,
    },
    /// Rule 4: a king's reach lacks the square where it castles to.
    #[error("king on {king} may castle to {target}, outside its reach")]
    CastlingKingOutsideReach {
        /// Where the king stands.
        king: Square,
        /// Where it castles to.
        target: Square,
    },
    /// Rule 4: a rook's reach lacks the square where it castles to.
    #[error("rook on {rook} may castle to {target}, outside its reach")]
    CastlingRookOutsideReach {
        /// Where the rook stands.
        rook: Square,
        /// Where it castles to.
        target: Square,
    },
    /// Rule 5: the square in front of a frozen pawn is not frozen.
    #[error("frozen pawn on {pawn} can push: no frozen piece in front of it")]
    FrozenPawnCanPush {
        /// The pawn.
        pawn: Square,
    },
    /// Rule 6: a frozen pawn attacks a frozen piece of the enemy.
    #[error("frozen pawn on {pawn} attacks a frozen piece of the enemy")]
    FrozenPawnAttacksFrozen {
        /// The pawn.
        pawn: Square,
    },
    /// Rule 6: a mover of the enemy can come onto a square that a frozen pawn attacks.
    #[error("frozen pawn on {pawn} can capture the piece that now stands on {mover}")]
    FrozenPawnCanCapture {
        /// The lowest such pawn.
        pawn: Square,
        /// Where the mover stands in the certified position.
        mover: Square,
    },
    /// Rule 6: a frozen pawn can capture en passant now.
    #[error("frozen pawn on {pawn} can capture en passant on {target}")]
    FrozenPawnCanCaptureEnPassant {
        /// The pawn.
        pawn: Square,
        /// The en-passant square.
        target: Square,
    },
    /// Rule 7: a mover of the enemy attacks a frozen piece.
    #[error("frozen piece on {frozen} can be captured by the piece that now stands on {mover}")]
    FrozenCanBeCaptured {
        /// The lowest such frozen piece.
        frozen: Square,
        /// Where the mover stands in the certified position.
        mover: Square,
    },
    /// Rule 7: the enemy's king attacks a frozen piece that no frozen piece protects.
    #[error("frozen piece on {frozen} can be captured by the king on {king}")]
    FrozenCanBeCapturedByKing {
        /// The lowest such frozen piece.
        frozen: Square,
        /// Where the king stands in the certified position.
        king: Square,
    },
    /// Rule 7: a frozen pawn can be captured en passant now.
    #[error("frozen pawn on {pawn} can be captured en passant")]
    FrozenCanBeCapturedEnPassant {
        /// The pawn.
        pawn: Square,
    },
    /// Rule 8: a frozen piece other than a pawn can step onto something else than a frozen piece of its own colour.
    #[error("frozen piece on {frozen} can step to {target}")]
    FrozenPieceCanMove {
        /// The frozen piece.
        frozen: Square,
        /// The lowest such target.
        target: Square,
    },
    /// Rule 8: a frozen rook may still castle.
    #[error("frozen rook on {rook} may still castle")]
    FrozenRookMayCastle {
        /// The rook.
        rook: Square,
    },
    /// Rule 8: a frozen king may still castle.
    #[error("frozen king on {king} may still castle")]
    FrozenKingMayCastle {
        /// The king.
        king: Square,
    },
    /// The components are not numbered in the order of their lowest movers.
    #[error("component {component} of the piece on {square} is out of order")]
    ComponentOutOfOrder {
        /// Where the mover stands.
        square: Square,
        /// The number it is given.
        component: u8,
    },
    /// Two movers of different components can meet.
    #[error("pieces on {first} and {second} are in different components and can meet")]
    ComponentsMeet {
        /// Where the lower mover stands.
        first: Square,
        /// Where the higher mover stands.
        second: Square,
    },
    /// A king and a rook of different components may castle together.
    #[error("king on {king} and rook on {rook} are in different components and may castle")]
    ComponentsCastle {
        /// Where the king stands.
        king: Square,
        /// Where the rook stands.
        rook: Square,
    },
    /// A pawn and the pawn that it can capture en passant now are in different components.
    #[error(
        "pawns on {capturer} and {victim} are in different components and one can capture the other en passant"
    )]
    ComponentsCaptureEnPassant {
        /// The pawn that can capture.
        capturer: Square,
        /// The pawn that can be captured.
        victim: Square,
    },
    /// A king claimed to be safe from check for ever can be attacked.
    #[error("king of {color:?} can be in check on {square}")]
    CheckPossible {
        /// The colour of the king.
        color: Color,
        /// The lowest square of its reach where it can be attacked.
        square: Square,
    },
    /// En-passant captures are claimed never to arise, and one can.
    #[error("an en-passant capture can arise")]
    EnPassantPossible,
    /// A colour claimed never to give mate has a mating square.
    #[error("mate by {color:?} is not excluded on {square}")]
    MatePossible {
        /// The colour that is claimed never to give mate.
        color: Color,
        /// The lowest square where the other king could be mated as far as the witness tells.
        square: Square,
    },
    /// An expansion holds a mate by a colour that is claimed never to give one.
    #[error("position {node} of the expansion is mate by {color:?}")]
    MateInExpansion {
        /// The number of the position.
        node: u32,
        /// The colour that gives mate.
        color: Color,
    },
    /// A legal move leads to a position for which the expansion has no room.
    #[error("{played} in position {node} of the expansion leads to a position outside")]
    OutsideExpansion {
        /// The number of the position where it is played.
        node: u32,
        /// The first such move in the order of the walk. Castling goes to the square of the rook.
        played: UciMove,
    },
    /// An expansion claims more positions than legal moves lead to, or a leaf beyond them.
    #[error("expansion of {claimed} positions has only {met}")]
    ExpansionTooLarge {
        /// The number of positions that it claims.
        claimed: u32,
        /// The number of those that are met.
        met: u32,
    },
    /// The witness of a leaf fails.
    #[error("witness of leaf {node} of the expansion fails")]
    Leaf {
        /// The number of the leaf.
        node: u32,
        /// The rule or verdict that fails there.
        #[source]
        error: Box<CheckError>,
    },
}

impl CheckError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyPieces { .. } => "persistent/too-many-pieces",
            Self::FrozenSquareEmpty { .. } => "persistent/frozen-square-empty",
            Self::MoverMismatch { .. } => "persistent/mover-mismatch",
            Self::ImpossibleRole { .. } => "persistent/impossible-role",
            Self::ReachHoldsFrozen { .. } => "persistent/reach-holds-frozen",
            Self::StartOutsideReach { .. } => "persistent/start-outside-reach",
            Self::StepOutsideReach { .. } => "persistent/step-outside-reach",
            Self::AdvanceOutsideReach { .. } => "persistent/advance-outside-reach",
            Self::CaptureOutsideReach { .. } => "persistent/capture-outside-reach",
            Self::EnPassantOutsideReach { .. } => "persistent/en-passant-outside-reach",
            Self::PromotionOutsideReach { .. } => "persistent/promotion-outside-reach",
            Self::CastlingKingOutsideReach { .. } => "persistent/castling-king-outside-reach",
            Self::CastlingRookOutsideReach { .. } => "persistent/castling-rook-outside-reach",
            Self::FrozenPawnCanPush { .. } => "persistent/frozen-pawn-can-push",
            Self::FrozenPawnAttacksFrozen { .. } => "persistent/frozen-pawn-attacks-frozen",
            Self::FrozenPawnCanCapture { .. } => "persistent/frozen-pawn-can-capture",
            Self::FrozenPawnCanCaptureEnPassant { .. } => "persistent/frozen-pawn-can-capture-en-passant",
            Self::FrozenCanBeCaptured { .. } => "persistent/frozen-can-be-captured",
            Self::FrozenCanBeCapturedByKing { .. } => "persistent/frozen-can-be-captured-by-king",
            Self::FrozenCanBeCapturedEnPassant { .. } => "persistent/frozen-can-be-captured-en-passant",
            Self::FrozenPieceCanMove { .. } => "persistent/frozen-piece-can-move",
            Self::FrozenRookMayCastle { .. } => "persistent/frozen-rook-may-castle",
            Self::FrozenKingMayCastle { .. } => "persistent/frozen-king-may-castle",
            Self::ComponentOutOfOrder { .. } => "persistent/component-out-of-order",
            Self::ComponentsMeet { .. } => "persistent/components-meet",
            Self::ComponentsCastle { .. } => "persistent/components-castle",
            Self::ComponentsCaptureEnPassant { .. } => "persistent/components-capture-en-passant",
            Self::CheckPossible { .. } => "persistent/check-possible",
            Self::EnPassantPossible => "persistent/en-passant-possible",
            Self::MatePossible { .. } => "persistent/mate-possible",
            Self::MateInExpansion { .. } => "persistent/mate-in-expansion",
            Self::OutsideExpansion { .. } => "persistent/outside-expansion",
            Self::ExpansionTooLarge { .. } => "persistent/expansion-too-large",
            Self::Leaf { .. } => "persistent/leaf",
        }
    }
}

/// Verifies a certificate and returns what it establishes.
///
/// Accepted claims hold in every position that legal moves can lead to, for
/// ever; they say nothing about best play, and a claim that is absent is open.
/// The certificate of [`prove`](super::prove()) is always accepted; so is one
/// with a weaker witness or fewer claims.
///
/// # Errors
///
/// The first rule or claim that fails: form of the witness, rules 5 to 8 on the
/// board as it is, castling, rules 1 to 3 mover by mover, rules 6 and 7 against
/// the reaches, components, coupling, verdicts.
///
/// ```
/// use bitmesh::persistent::{PersistentCertificate, check, prove};
/// use shakmaty::Chess;
///
/// let mut bytes = prove(&Chess::default()).canonical_payload();
/// bytes[77] = 1; // that White can never give mate
/// let error = check(&PersistentCertificate::decode(&bytes)?).unwrap_err();
/// assert_eq!(error.code(), "persistent/mate-possible");
/// # Ok::<(), bitmesh::persistent::DecodeError>(())
/// ```
pub fn check(certificate: &PersistentCertificate) -> Result<Conclusions, CheckError> {
    let (position, claims) = (certificate.position(), certificate.claims());
    let witness = certificate.proof().witness();
    let mut field = Field::EMPTY;
    check_witness(position, witness, &mut field)?;
    check_components(position, witness, &field)?;
    check_coupling(position, &claims, &field)?;
    match certificate.proof() {
        Proof::Witness(_) => check_verdicts(claims.unwinnable, &field)?,
        Proof::Expansion(expansion) => check_expansion(position, expansion, claims.unwinnable)?,
    }
    Ok(claims)
}

const BACK_RANKS: u64 = 0xff00_0000_0000_00ff;

fn lowest(set: u64) -> Option<Square> {
    Bitboard(set).first()
}

/// Fails with the lowest square of a set that should be empty.
fn refuse(set: u64, error: impl FnOnce(Square) -> CheckError) -> Result<(), CheckError> {
    lowest(set).map_or(Ok(()), |square| Err(error(square)))
}

/// A position and its frozen pieces, as the rules speak of them.
struct Scene<'a> {
    position: &'a Chess,
    board: &'a Board,
    frozen: u64,
    /// What the frozen pieces of each colour attack for ever.
    guarded: ByColor<u64>,
    /// An en-passant square with a legal capture. Without one the right ends with the next move.
    en_passant: Option<Square>,
}

impl Scene<'_> {
    fn frozen_of(&self, color: Color) -> u64 {
        self.frozen & self.board.by_color(color).0
    }

    fn frozen_pawns(&self, color: Color) -> u64 {
        self.frozen & self.board.by_piece(color.pawn()).0
    }

    /// What the frozen pieces of a colour attack for ever.
    fn guarded(&self, color: Color) -> u64 {
        *self.guarded.get(color)
    }

    /// The pawn that an en-passant capture now would remove.
    fn en_passant_victim(&self) -> u64 {
        self.en_passant.map_or(0, |square| pawn_pushes(!self.position.turn(), Bitboard::from(square).0))
    }
}

/// Rules 1 to 8; puts the sums of the witness into an empty field.
fn check_witness(position: &Chess, witness: &Witness, field: &mut Field) -> Result<(), CheckError> {
    let board = position.board();
    let scene = Scene {
        position,
        board,
        frozen: witness.frozen.0,
        guarded: ByColor::new_with(|color| guarded_for_ever(board, witness.frozen, color)),
        en_passant: position.legal_ep_square(),
    };
    check_form(&scene, witness)?;
    check_frozen_among_themselves(&scene)?;
    check_castling(&scene, witness)?;
    check_movers(&scene, witness, field)?;
    check_frozen_against_movers(&scene, witness, field)
}

/// What frozen pieces of a colour attack whatever stands elsewhere: only the first square of a line is sure.
fn guarded_for_ever(board: &Board, frozen: Bitboard, color: Color) -> u64 {
    let of = |role: Role| (frozen & board.by_piece(role.of(color))).0;
    let guarded = pawn_attacks(color, of(Role::Pawn));
    if frozen.is_subset(board.pawns()) {
        return guarded;
    }
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King]
        .into_iter()
        .fold(guarded, |all, role| all | officer_steps(role, of(role)))
}

/// Frozen squares are occupied, and the movers are all the other pieces.
fn check_form(scene: &Scene<'_>, witness: &Witness) -> Result<(), CheckError> {
    let occupied = scene.board.occupied();
    if occupied.count() > MAXIMUM_PIECES {
        return Err(CheckError::TooManyPieces { count: occupied.count() });
    }
    refuse(scene.frozen & !occupied.0, |square| CheckError::FrozenSquareEmpty { square })?;
    let mut movers = witness.movers.iter().map(|mover| mover.square);
    for square in occupied & !witness.frozen {
        match movers.next() {
            Some(listed) if listed == square => {}
            Some(listed) => return Err(CheckError::MoverMismatch { square: listed.min(square) }),
            None => return Err(CheckError::MoverMismatch { square }),
        }
    }
    movers.next().map_or(Ok(()), |square| Err(CheckError::MoverMismatch { square }))
}

/// Rules 5 and 8, and the part of 6 and 7 that speaks of no reach.
fn check_frozen_among_themselves(scene: &Scene<'_>) -> Result<(), CheckError> {
    let board = scene.board;
    let rights = scene.position.castles().castling_rights().0;
    refuse(scene.frozen & rights, |rook| CheckError::FrozenRookMayCastle { rook })?;
    for color in Color::ALL {
        let king = board.kings().0 & scene.frozen_of(color);
        if king != 0 && scene.position.castles().has_color(color) {
            refuse(king, |king| CheckError::FrozenKingMayCastle { king })?;
        }
    }
    refuse(scene.frozen & scene.en_passant_victim(), |pawn| CheckError::FrozenCanBeCapturedEnPassant {
        pawn,
    })?;
    for color in Color::ALL {
        let pawns = scene.frozen_pawns(color);
        let blocked = pawn_pushes(!color, scene.frozen);
        refuse(pawns & !blocked, |pawn| CheckError::FrozenPawnCanPush { pawn })?;
        let attacking = pawn_attacks(!color, scene.frozen_of(!color));
        refuse(pawns & attacking, |pawn| CheckError::FrozenPawnAttacksFrozen { pawn })?;
    }
    if let Some(target) = scene.en_passant {
        let color = scene.position.turn();
        let capturing = scene.frozen_pawns(color) & pawn_attacks(!color, Bitboard::from(target).0);
        refuse(capturing, |pawn| CheckError::FrozenPawnCanCaptureEnPassant { pawn, target })?;
    }
    for square in Bitboard(scene.frozen & !board.pawns().0) {
        if let Some(piece) = board.piece_at(square) {
            let steps = officer_steps(piece.role, Bitboard::from(square).0);
            let forbidden = if piece.role == Role::King { scene.guarded(!piece.color) } else { 0 };
            let free = steps & !scene.frozen_of(piece.color) & !forbidden;
            refuse(free, |target| CheckError::FrozenPieceCanMove { frozen: square, target })?;
        }
    }
    Ok(())
}

/// Rules 1, 2 and 3, mover by mover. Closed under single steps is closed under whole slides.
fn check_movers(scene: &Scene<'_>, witness: &Witness, field: &mut Field) -> Result<(), CheckError> {
    for color in Color::ALL {
        let own = scene.frozen_of(color);
        field.put_frozen(color, own, scene.guarded(color));
        if let Some(king) = lowest(own & scene.board.kings().0) {
            field.put_frozen_king(color, king);
        }
    }
    for (index, mover) in witness.movers.iter().enumerate() {
        let square = mover.square;
        let Some(piece) = scene.board.piece_at(square) else {
            return Err(CheckError::MoverMismatch { square });
        };
        let here = Bitboard::from(square);
        if (*mover.reach.get(piece.role) & here).is_empty() {
            return Err(CheckError::StartOutsideReach { square });
        }
        let squares = mover.squares().0;
        refuse(squares & scene.frozen, |frozen| CheckError::ReachHoldsFrozen {
            mover: square,
            square: frozen,
        })?;

        // A king can never go where a frozen piece of the enemy attacks: that piece never leaves.
        let forbidden = if piece.role == Role::King { scene.guarded(!piece.color) } else { 0 };
        let mut attack = 0;
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            let reach = mover.reach.get(role).0;
            if reach == 0 {
                continue;
            }
            let possible = role == piece.role || piece.role == Role::Pawn && role != Role::King;
            if !possible {
                return Err(CheckError::ImpossibleRole { square, role });
            }
            let steps = officer_steps(role, reach);
            attack |= steps;
            refuse(steps & !scene.frozen & !forbidden & !reach, |target| CheckError::StepOutsideReach {
                mover: square,
                role,
                target,
            })?;
        }

        let pawn = mover.reach.pawn.0;
        if piece.role != Role::Pawn {
            if pawn != 0 {
                return Err(CheckError::ImpossibleRole { square, role: Role::Pawn });
            }
        } else {
            let pushes = pawn_pushes(piece.color, pawn) & !scene.frozen;
            refuse(pushes & !pawn, |target| CheckError::AdvanceOutsideReach { mover: square, target })?;
            let promotions = pawn & BACK_RANKS;
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let missing = promotions & !mover.reach.get(role).0;
                refuse(missing, |target| CheckError::PromotionOutsideReach { mover: square, role, target })?;
            }
            let attacks = pawn_attacks(piece.color, pawn);
            attack |= attacks;
            if let Some(target) = scene.en_passant
                && piece.color == scene.position.turn()
                && shakmaty::attacks::pawn_attacks(piece.color, square).contains(target)
                && !mover.reach.pawn.contains(target)
            {
                return Err(CheckError::EnPassantOutsideReach { mover: square, target });
            }
            let camp = field.camps.get_mut(piece.color);
            camp.pawn_attack |= attacks;
            let home = Bitboard::from_rank(piece.color.relative_rank(shakmaty::Rank::Second));
            let over = pawn_pushes(piece.color, (here & home).0);
            let beyond = pawn_pushes(piece.color, over);
            if (over | beyond) & scene.frozen == 0 {
                camp.skipped |= over;
            }
        }

        let range = Range { reach: squares, attack };
        if piece.role == Role::King {
            field.put_king(index, piece.color, range);
        } else {
            field.put_soldier(index, piece.color, piece.role, range);
        }
    }

    // Captures by pawns need the reaches of the enemy, which are summed only now.
    for mover in &witness.movers {
        let pawn = mover.reach.pawn.0;
        if pawn == 0 {
            continue;
        }
        let color = scene.board.color_at(mover.square).unwrap_or(Color::White);
        let prey = field.camps.get(!color).army.reach;
        refuse(pawn_attacks(color, pawn) & prey & !scene.frozen & !pawn, |target| {
            CheckError::CaptureOutsideReach { mover: mover.square, target }
        })?;
    }
    Ok(())
}

/// Calls `each` with king, rook and side for every castling right.
fn for_each_castling_right(
    position: &Chess,
    mut each: impl FnMut(Color, CastlingSide, Square, Square) -> Result<(), CheckError>,
) -> Result<(), CheckError> {
    let castles = position.castles();
    if castles.is_empty() {
        return Ok(());
    }
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if let (Some(king), Some(rook)) = (position.board().king_of(color), castles.rook(color, side)) {
                each(color, side, king, rook)?;
            }
        }
    }
    Ok(())
}

/// Rule 4. Castling over a frozen piece is never legal.
fn check_castling(scene: &Scene<'_>, witness: &Witness) -> Result<(), CheckError> {
    for_each_castling_right(scene.position, |color, side, king, rook| {
        if scene.position.castles().path(color, side).0 & scene.frozen != 0 {
            return Ok(());
        }
        for mover in &witness.movers {
            let target = side.king_to(color);
            if mover.square == king && !mover.reach.king.contains(target) {
                return Err(CheckError::CastlingKingOutsideReach { king, target });
            }
            let target = side.rook_to(color);
            if mover.square == rook && !mover.reach.rook.contains(target) {
                return Err(CheckError::CastlingRookOutsideReach { rook, target });
            }
        }
        Ok(())
    })
}

/// Rules 6 and 7 against the reaches.
fn check_frozen_against_movers(
    scene: &Scene<'_>,
    witness: &Witness,
    field: &Field,
) -> Result<(), CheckError> {
    let kings = scene.board.kings();
    for (mover, range) in witness.movers.iter().zip(&field.movers) {
        let mover = mover.square;
        let color = Color::from_white(scene.board.white().contains(mover));
        let (target, target_pawns) = (scene.frozen_of(!color) & !kings.0, scene.frozen_pawns(!color));
        if kings.contains(mover) {
            let exposed = target & range.attack & !scene.guarded(!color);
            refuse(exposed, |frozen| CheckError::FrozenCanBeCapturedByKing { frozen, king: mover })?;
        } else {
            refuse(target & range.attack, |frozen| CheckError::FrozenCanBeCaptured { frozen, mover })?;
            let capturing = target_pawns & pawn_attacks(color, range.reach);
            refuse(capturing, |pawn| CheckError::FrozenPawnCanCapture { pawn, mover })?;
        }
    }
    Ok(())
}

/// Movers that can meet, castle together or capture each other en passant now are in one component.
fn check_components(position: &Chess, witness: &Witness, field: &Field) -> Result<(), CheckError> {
    let mut components = 0;
    for mover in &witness.movers {
        if mover.component > components {
            return Err(CheckError::ComponentOutOfOrder { square: mover.square, component: mover.component });
        }
        components = components.max(mover.component + 1);
    }
    if components < 2 {
        return Ok(());
    }
    let component_of =
        |square| witness.movers.iter().find(|mover| mover.square == square).map(|mover| mover.component);
    for_each_castling_right(position, |_, _, king, rook| {
        if component_of(king) == component_of(rook) {
            Ok(())
        } else {
            Err(CheckError::ComponentsCastle { king, rook })
        }
    })?;
    if let Some(target) = position.legal_ep_square() {
        let turn = position.turn();
        let target = Bitboard::from(target).0;
        if let Some(victim) = lowest(pawn_pushes(!turn, target)) {
            let capturers = pawn_attacks(!turn, target) & position.board().by_piece(turn.pawn()).0;
            for capturer in Bitboard(capturers) {
                if component_of(capturer) != component_of(victim) {
                    return Err(CheckError::ComponentsCaptureEnPassant { capturer, victim });
                }
            }
        }
    }
    let ranges = witness.movers.iter().zip(field.movers);
    for (index, (second, range)) in ranges.clone().enumerate() {
        for (first, other) in ranges.clone().take(index) {
            if first.component != second.component && range.meets(other) {
                return Err(CheckError::ComponentsMeet { first: first.square, second: second.square });
            }
        }
    }
    Ok(())
}

/// No check for a colour that is claimed to be safe, no en passant where it is claimed to be excluded.
fn check_coupling(position: &Chess, claims: &Conclusions, field: &Field) -> Result<(), CheckError> {
    for color in [Color::White, Color::Black] {
        if !claims.coupling.checks().get(color) {
            refuse(field.checks_of(color), |square| CheckError::CheckPossible { color, square })?;
        }
    }
    let now = position.legal_ep_square().is_some();
    if !claims.coupling.en_passant() && (now || field.en_passant_possible()) {
        return Err(CheckError::EnPassantPossible);
    }
    Ok(())
}

fn check_verdicts(unwinnable: ByColor<bool>, field: &Field) -> Result<(), CheckError> {
    for color in [Color::White, Color::Black] {
        if *unwinnable.get(color)
            && let Some(square) = field.mating_square(color)
        {
            return Err(CheckError::MatePossible { color, square });
        }
    }
    Ok(())
}

/// Every legal move of a position that is no leaf leads to a position of the set, none of
/// these is mate, and the witnesses of the leaves hold.
fn check_expansion(root: &Chess, expansion: &Expansion, unwinnable: ByColor<bool>) -> Result<(), CheckError> {
    let mut walk = Walk::new(root);
    let mut leaves = expansion.leaves.iter().peekable();
    while let Some((node, position)) = walk.next() {
        if let Some(leaf) = leaves.next_if(|leaf| leaf.node == node) {
            let mut field = Field::EMPTY;
            check_witness(&position, &leaf.witness, &mut field)
                .and_then(|()| check_verdicts(unwinnable, &field))
                .map_err(|error| CheckError::Leaf { node, error: Box::new(error) })?;
            continue;
        }
        let moves = moves_in_order(&position);
        let color = !position.turn();
        if moves.is_empty() && position.is_check() && *unwinnable.get(color) {
            return Err(CheckError::MateInExpansion { node, color });
        }
        for played in moves {
            walk.meet_after(&position, played);
            if walk.met() > expansion.nodes {
                let played = played.to_uci(CastlingMode::Chess960);
                return Err(CheckError::OutsideExpansion { node, played });
            }
        }
    }
    let met = walk.met();
    if met < expansion.nodes || leaves.next().is_some() {
        return Err(CheckError::ExpansionTooLarge { claimed: expansion.nodes, met });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
