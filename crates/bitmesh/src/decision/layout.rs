//! Where the features of the policy are in a table of weights.

/// A feature belongs to the material of the position, or is shared by all.
pub const CLASSES: usize = 12;

/// Where the features of one kind begin in the block of a class. Their sizes are the differences.
pub mod of_class {
    /// The winner moves: role × gives check × may be taken × flights left.
    pub const CHECK: usize = 0;
    /// The winner moves: role × flights newly covered × squares no longer covered.
    pub const COVER: usize = CHECK + 6 * 2 * 2 * 5;
    /// The winner moves: captured role × promotion.
    pub const CAPTURE: usize = COVER + 6 * 4 * 4;
    /// The winner moves: role × distance to the loser's king × nearer, equal, farther.
    pub const DISTANCE: usize = CAPTURE + 7 * 5;
    /// The winner moves a pawn: rank × something in front × a pawn of the loser in front.
    pub const PAWN: usize = DISTANCE + 6 * 8 * 3;
    /// The winner moves: role × leaves × enters the way of the winner's pawns.
    pub const WAY: usize = PAWN + 8 * 2 * 2;
    /// The loser's king moves: flights there × place × nearer, equal, farther from the other king.
    pub const KING: usize = WAY + 6 * 4;
    /// Another man of the loser moves: role × fills a flight × leaves the king's side.
    pub const FILL: usize = KING + 9 * 4 * 3;
    /// The loser moves: captured role × gives check.
    pub const LOSER_CAPTURE: usize = FILL + 6 * 4;
    /// The loser moves: promotion.
    pub const LOSER_PROMOTION: usize = LOSER_CAPTURE + 7 * 2;
    /// The loser moves: role × to an attacked square × from one.
    pub const ATTACKED: usize = LOSER_PROMOTION + 5;
    /// The loser moves: role × leaves × enters the way of the winner's pawns.
    pub const LOSER_WAY: usize = ATTACKED + 6 * 4;
    /// Another man of the loser moves: role × distance to the own king × nearer, equal, farther.
    pub const LOSER_DISTANCE: usize = LOSER_WAY + 6 * 4;
    /// Either moves: who × role × the man that moved last time.
    pub const AGAIN: usize = LOSER_DISTANCE + 6 * 8 * 3;
    /// How many there are.
    pub const END: usize = AGAIN + 2 * 6 * 2;
}

/// Where the greatest weights of some kinds are, behind the features of a class.
pub(super) mod greatest {
    /// The winner moves: role × distance to the loser's king before.
    pub(in crate::decision) const DISTANCE: usize = super::of_class::END;
    /// The winner moves: role × leaves the way of the winner's pawns.
    pub(in crate::decision) const WAY: usize = DISTANCE + 6 * 8;
    /// The winner moves a pawn and does not promote it: rank before.
    pub(in crate::decision) const PAWN: usize = WAY + 6 * 2;
    /// Another man of the loser than the king moves: role × distance to the own king before.
    pub(in crate::decision) const LOSER_DISTANCE: usize = PAWN + 8;
    /// The loser moves: role × leaves the way of the winner's pawns.
    pub(in crate::decision) const LOSER_WAY: usize = LOSER_DISTANCE + 6 * 8;
    /// The loser moves: role × from an attacked square.
    pub(in crate::decision) const ATTACKED: usize = LOSER_WAY + 6 * 2;
    pub(in crate::decision) const END: usize = ATTACKED + 6 * 2;
}

/// The same for the features that do not depend on the material; they begin with the place and flights of the loser's king.
pub(super) mod shared {
    /// The winner moves: phase × role × gives check × flights newly covered.
    pub(in crate::decision) const WINNER: usize = 0;
    /// The loser's king moves: phase × place × nearer, equal, farther from the other king.
    pub(in crate::decision) const KING: usize = WINNER + 12 * 6 * 2 * 4;
    /// Another man of the loser moves: phase × role × fills a flight × leaves the king's side.
    pub(in crate::decision) const FILL: usize = KING + 12 * 4 * 3;
    pub(in crate::decision) const END: usize = FILL + 12 * 6 * 4;
}

/// The features of one class, of all classes, and the number of blocks of weights.
pub const CLASS_LENGTH: usize = of_class::END;
pub(super) const SHARED_LENGTH: usize = shared::END;
pub(super) const BLOCKS: usize = CLASSES + 1;
/// The last block is the shared one.
pub(super) const SHARED: usize = CLASSES;
