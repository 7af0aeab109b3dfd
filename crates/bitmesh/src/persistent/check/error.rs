//! What a certificate can break.

use alloc::boxed::Box;

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Color, Role, Square};
use thiserror::Error;

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
    /// Rule 8: a frozen piece other than a pawn can step onto anything but a frozen piece of its own colour.
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
    /// Rule 9: a stopper is not a pawn, or it is frozen.
    #[error("stopper on {square} is not a pawn that can move")]
    StopperNotMoverPawn {
        /// The lowest such square.
        square: Square,
    },
    /// Rule 9: a stopper can leave its file as a pawn.
    #[error("stopper on {stopper} can come to {target} as a pawn, off its file")]
    StopperLeavesFile {
        /// Where the stopper stands.
        stopper: Square,
        /// The lowest square of its reach off the file.
        target: Square,
    },
    /// Rule 9: a stopper can be captured by an enemy mover that is not a pawn there.
    #[error("stopper on {stopper} can be captured on {target} by the piece that now stands on {mover}")]
    StopperCanBeCaptured {
        /// Where the stopper stands.
        stopper: Square,
        /// Where the enemy stands in the certified position.
        mover: Square,
        /// The lowest square where they can meet.
        target: Square,
    },
    /// Rule 9: a stopper can be captured en passant now.
    #[error("stopper on {stopper} can be captured en passant")]
    StopperCanBeCapturedEnPassant {
        /// The stopper.
        stopper: Square,
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
    /// A colour claimed not to have the material for mate has mated on the board.
    #[error("position is mate by {color:?} already")]
    MateOnBoard {
        /// The colour that has mated.
        color: Color,
    },
    /// The material of a colour does not exclude that it mates.
    #[error("material does not exclude mate by {color:?}")]
    MaterialMates {
        /// The colour that is claimed never to give mate.
        color: Color,
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
    /// Men are claimed to be at home in a position with a castling right or a legal en-passant capture.
    #[error("position has a castling right or an en-passant capture, and homes allow neither")]
    HomesWithRights,
    /// A home is empty, a king's, has a pawn on an end rank or a cap out of range, or shares squares with
    /// another one of its colour and role.
    #[error("home {home} is not one")]
    HomeInvalid {
        /// The number of the home.
        home: usize,
    },
    /// A state of an expansion with men at home may be mate by a colour that is claimed never to give one.
    #[error("state {number} may be mate by {color:?}")]
    MateInState {
        /// The number of the state in the order in which they are met.
        number: u32,
        /// The colour that may give mate.
        color: Color,
    },
    /// A step leads to a state for which the proof has no room.
    #[error("state {number} leads to a state outside")]
    OutsideStates {
        /// The number of the state that is left.
        number: u32,
    },
    /// More states are claimed than steps lead to.
    #[error("of {claimed} claimed states only {met} are met")]
    TooManyStates {
        /// The number of states claimed.
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
            Self::StopperNotMoverPawn { .. } => "persistent/stopper-not-mover-pawn",
            Self::StopperLeavesFile { .. } => "persistent/stopper-leaves-file",
            Self::StopperCanBeCaptured { .. } => "persistent/stopper-can-be-captured",
            Self::StopperCanBeCapturedEnPassant { .. } => "persistent/stopper-can-be-captured-en-passant",
            Self::ComponentOutOfOrder { .. } => "persistent/component-out-of-order",
            Self::ComponentsMeet { .. } => "persistent/components-meet",
            Self::ComponentsCastle { .. } => "persistent/components-castle",
            Self::ComponentsCaptureEnPassant { .. } => "persistent/components-capture-en-passant",
            Self::CheckPossible { .. } => "persistent/check-possible",
            Self::EnPassantPossible => "persistent/en-passant-possible",
            Self::MatePossible { .. } => "persistent/mate-possible",
            Self::MateOnBoard { .. } => "persistent/mate-on-board",
            Self::MaterialMates { .. } => "persistent/material-mates",
            Self::MateInExpansion { .. } => "persistent/mate-in-expansion",
            Self::OutsideExpansion { .. } => "persistent/outside-expansion",
            Self::ExpansionTooLarge { .. } => "persistent/expansion-too-large",
            Self::HomesWithRights => "persistent/homes-with-rights",
            Self::HomeInvalid { .. } => "persistent/home-invalid",
            Self::MateInState { .. } => "persistent/mate-in-state",
            Self::OutsideStates { .. } => "persistent/outside-states",
            Self::TooManyStates { .. } => "persistent/too-many-states",
            Self::Leaf { .. } => "persistent/leaf",
        }
    }
}

/// Fails with the lowest square of a set that should be empty.
pub(super) fn refuse(set: u64, error: impl FnOnce(Square) -> CheckError) -> Result<(), CheckError> {
    Bitboard(set).first().map_or(Ok(()), |square| Err(error(square)))
}
