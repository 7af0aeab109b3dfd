//! Canonical texts and digests of positions that follow one another.

use alloc::string::String;

use shakmaty::{Chess, Position as _};

use crate::digest::{DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest};
use crate::position::{CanonicalText, Position, is_standard};
use crate::structure::binding::digest_of_canonical_text;
use crate::structure::certificate::DecompositionCertificate;
use crate::structure::producers::{certify_after, certify_decomposition};

/// Finds out the structure, the canonical text and the digests of one position after the other.
///
/// The answers are those of an [`Assessment`](crate::Assessment). They take less time here: nothing is allocated, and
/// of the text only the ranks are written that were not there in the position before. Positions in the order of a game
/// gain most, but any order is right.
///
/// ```
/// use bitmesh::shakmaty::{Chess, Position as _, san::San};
/// use bitmesh::{Assessment, Identifier, Input};
///
/// let mut identifier = Identifier::default();
/// let mut chess = Chess::default();
/// for san in ["e4", "e5", "Nf3", "Nc6"] {
///     chess.play_unchecked(san.parse::<San>()?.to_move(&chess)?);
///     let identity = identifier.identify(&chess);
///     let assessment = Assessment::new(Input::Position(chess.clone().into()));
///     assert_eq!(identity.text, assessment.canonical_text());
///     assert_eq!(identity.position_digest, assessment.position_digest());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Identifier {
    structure: DecompositionCertificate,
    text: CanonicalText,
    /// The text where it is not that of standard chess.
    other_text: String,
}

/// What an [`Identifier`] finds out about a position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Identity<'a> {
    /// The structure of the board (layer 1).
    pub structure: &'a DecompositionCertificate,
    /// The [canonical text](Position::canonical_text).
    pub text: &'a str,
    /// The digest of the structure, shared by all boards that have it.
    pub structural_digest: DecompositionCertificateDigest,
    /// The digest of the structure bound to the text, which belongs to this position alone.
    pub position_digest: PositionBoundDecompositionCertificateDigest,
}

impl Default for Identifier {
    fn default() -> Self {
        Self {
            structure: certify_decomposition(&shakmaty::Board::empty()),
            text: CanonicalText::default(),
            other_text: String::new(),
        }
    }
}

impl Identifier {
    /// Identifies a position.
    pub fn identify(&mut self, chess: &Chess) -> Identity<'_> {
        let (structure, text) = self.describe(chess);
        let structural_digest = structure.digest_of_valid();
        let position_digest = digest_of_canonical_text(structural_digest, text);
        Identity { structure, text, structural_digest, position_digest }
    }

    /// The structure and the canonical text alone: nothing is hashed.
    pub fn describe(&mut self, chess: &Chess) -> (&DecompositionCertificate, &str) {
        certify_after(&mut self.structure, chess.board());
        let text = if is_standard(chess) {
            self.text.be_of(chess);
            self.text.as_str()
        } else {
            self.other_text.clear();
            Position::new(chess.clone()).write_canonical(&mut self.other_text);
            &self.other_text
        };
        (&self.structure, text)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;
    use crate::assessment::Assessment;
    use crate::position::Input;

    /// The usual start, walls, many regions, and castling that only the letters of files can name.
    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1",
        "4k3/p1p1p1p1/P1P1P1P1/8/8/p1p1p1p1/P1P1P1P1/4K3 w - - 0 1",
        "1rk1r3/8/8/8/8/8/2P5/1RRK3R w CHbe - 0 1",
    ];

    proptest! {
        #[test]
        fn any_order_gives_what_an_assessment_gives(plies in proptest::collection::vec(any::<(usize, usize)>(), 1..60)) {
            let start = |text: &str| text.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
            let mut games: Vec<Chess> = STARTS.map(start).into();
            let mut identifier = Identifier::default();
            for (game, choice) in plies {
                let chess = &mut games[game % STARTS.len()];
                let legal = chess.legal_moves();
                if !legal.is_empty() {
                    chess.play_unchecked(legal[choice % legal.len()]);
                }
                let assessment = Assessment::new(Input::Position(chess.clone().into()));
                let identity = identifier.identify(chess);
                prop_assert_eq!(identity.structure, assessment.structure());
                prop_assert_eq!(identity.text, assessment.canonical_text());
                prop_assert_eq!(identity.structural_digest, assessment.structural_digest());
                prop_assert_eq!(identity.position_digest, assessment.position_digest());
                prop_assert_eq!(identifier.describe(chess), (assessment.structure(), assessment.canonical_text()));
            }
        }
    }
}
