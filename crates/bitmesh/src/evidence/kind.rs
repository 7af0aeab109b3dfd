//! The kinds of evidence.

/// A kind of evidence: what it is about.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// The structure of a board.
    Decomposition,
    /// Values of components, and of their sum.
    Composition,
    /// A structure bound to a position.
    Binding,
    /// The record of the one-ply screen of a board.
    BoardProof,
    /// The record of the one-ply screen of a position.
    PositionProof,
    /// The answer about one input.
    Certification,
    /// Permanent independence.
    Persistent,
    /// A side that can give mate.
    Mate,
    /// Whether the sides of a position can give mate.
    Decisions,
}

impl EvidenceKind {
    /// What it is, for people, with the name of its format if it has bytes.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Decomposition => "BMDCERT v1, the structure of a board",
            Self::Composition => "BMCOMPOSE v1, values of components and their sum",
            Self::Binding => "BMDPOSCERT v1, a structure bound to a position",
            Self::BoardProof => "record of the one-ply screen of a board",
            Self::PositionProof => "record of the one-ply screen of a position",
            Self::Certification => "certification of one input",
            Self::Persistent => "BMPERSIST v1, permanent independence",
            Self::Mate => "BMMATE v1, a line of moves that ends in mate",
            Self::Decisions => "decisions about one position",
        }
    }
}
