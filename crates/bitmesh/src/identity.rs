//! Canonical texts and digests of positions that follow one another.

use alloc::string::String;

use shakmaty::{Chess, Position as _};

use crate::digest::{DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest};
use crate::payload::{Sink as _, Text16, sha256_of_each};
use crate::position::{CanonicalText, Position, is_standard};
use crate::structure::binding::{CanonicalPayload, digest_of_canonical_text, fill_in, put_canonical_text};
use crate::structure::certificate::{DecompositionCertificate, UsualPayload};
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

/// The messages whose SHA-256 are the digests of a position, still to be hashed.
///
/// Messages of several positions are hashed in less time [together](Self::digests) than one after the other.
///
/// ```
/// use bitmesh::shakmaty::{Chess, Position as _, san::San};
/// use bitmesh::{Identifier, Messages};
///
/// let mut identifier = Identifier::default();
/// let (mut of_start, mut of_next) = (Messages::default(), Messages::default());
/// let start = Chess::default();
/// let next = start.clone().play("e4".parse::<San>()?.to_move(&start)?)?;
/// identifier.describe_with(&start, &mut of_start);
/// let (_, text) = identifier.describe_with(&next, &mut of_next);
/// assert_eq!(text, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
///
/// let [digests, _] = Messages::digests([&mut of_start, &mut of_next]);
/// let identity = identifier.identify(&start);
/// assert_eq!(digests, (identity.structural_digest, identity.position_digest));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Messages {
    structure: UsualPayload,
    /// The digest of a structure whose payload is longer than usual.
    structural_digest: Option<DecompositionCertificateDigest>,
    /// With a hole for the digest of the structure until that is known.
    position: CanonicalPayload,
}

/// Those of an empty board and an empty text.
impl Default for Messages {
    fn default() -> Self {
        let mut messages = Self {
            structure: UsualPayload::new(),
            structural_digest: None,
            position: CanonicalPayload::new(),
        };
        messages.put(&certify_decomposition(&shakmaty::Board::empty()), |out| {
            out.put_text16(Text16::measured(""));
        });
        messages
    }
}

/// Of the structure, and of the structure bound to the text.
type Digests = (DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest);

impl Messages {
    /// `put_text` puts in the canonical text with its length.
    #[inline]
    fn put(&mut self, structure: &DecompositionCertificate, put_text: impl FnOnce(&mut CanonicalPayload)) {
        self.structure.clear();
        let is_usual = structure.put_usual(&mut self.structure);
        self.structure.close();
        self.structural_digest = (!is_usual).then(|| structure.digest_of_valid());
        self.position.clear();
        put_canonical_text(&mut self.position, put_text);
        self.position.close();
    }

    /// Of each position the digest of its structure, and the digest of that bound to its text, as
    /// [`identify`](Identifier::identify) finds them.
    #[must_use]
    pub fn digests<const COUNT: usize>(
        mut several: [&mut Self; COUNT],
    ) -> [(DecompositionCertificateDigest, PositionBoundDecompositionCertificateDigest); COUNT] {
        let hashed = sha256_of_each(several.each_ref().map(|messages| &messages.structure));
        let mut digests: [Digests; COUNT] = hashed.map(|digest| (digest.into(), [0; 32].into()));
        for (messages, (structural, _)) in several.iter_mut().zip(&mut digests) {
            *structural = messages.structural_digest.unwrap_or(*structural);
            fill_in(&mut messages.position, *structural);
        }
        let hashed = sha256_of_each(several.each_ref().map(|messages| &messages.position));
        for (digest, (_, position)) in hashed.into_iter().zip(&mut digests) {
            *position = digest.into();
        }
        digests
    }
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
        self.find_structure_and_text(chess);
        (&self.structure, self.text(chess))
    }

    /// The same, with the [messages](Messages) whose digests are still to be found out.
    pub fn describe_with(
        &mut self,
        chess: &Chess,
        messages: &mut Messages,
    ) -> (&DecompositionCertificate, &str) {
        self.find_structure_and_text(chess);
        if is_standard(chess) {
            let (text, length) = self.text.with_zeros();
            messages.put(&self.structure, |out| out.put_text16_with_zeros(text, length));
        } else {
            messages.put(&self.structure, |out| out.put_text16(Text16::measured(&self.other_text)));
        }
        (&self.structure, self.text(chess))
    }

    #[inline]
    fn find_structure_and_text(&mut self, chess: &Chess) {
        certify_after(&mut self.structure, chess.board());
        if is_standard(chess) {
            self.text.be_of(chess);
        } else {
            self.other_text.clear();
            Position::new(chess.clone()).write_canonical(&mut self.other_text);
        }
    }

    #[inline]
    fn text(&self, chess: &Chess) -> &str {
        if is_standard(chess) { self.text.as_str() } else { &self.other_text }
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

    fn starts() -> Vec<Chess> {
        let start = |text: &str| text.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        STARTS.map(start).into()
    }

    /// Plays a move in one of the games, if it is not over.
    fn play_in_one(games: &mut [Chess], game: usize, choice: usize) -> &Chess {
        let chess = &mut games[game % STARTS.len()];
        let legal = chess.legal_moves();
        if !legal.is_empty() {
            chess.play_unchecked(legal[choice % legal.len()]);
        }
        chess
    }

    proptest! {
        #[test]
        fn any_order_gives_what_an_assessment_gives(plies in proptest::collection::vec(any::<(usize, usize)>(), 1..60)) {
            let mut games = starts();
            let mut identifier = Identifier::default();
            for (game, choice) in plies {
                let chess = play_in_one(&mut games, game, choice);
                let assessment = Assessment::new(Input::Position(chess.clone().into()));
                let identity = identifier.identify(chess);
                prop_assert_eq!(identity.structure, assessment.structure());
                prop_assert_eq!(identity.text, assessment.canonical_text());
                prop_assert_eq!(identity.structural_digest, assessment.structural_digest());
                prop_assert_eq!(identity.position_digest, assessment.position_digest());
                prop_assert_eq!(identifier.describe(chess), (assessment.structure(), assessment.canonical_text()));
            }
        }

        #[test]
        fn digests_found_out_together_are_those_of_an_assessment(
            plies in proptest::collection::vec(any::<(usize, usize)>(), 1..60),
        ) {
            let mut games = starts();
            let mut identifier = Identifier::default();
            let (mut messages, mut expected) = (Vec::new(), Vec::new());
            for (game, choice) in plies {
                let chess = play_in_one(&mut games, game, choice);
                let assessment = Assessment::new(Input::Position(chess.clone().into()));
                let mut its = Messages::default();
                prop_assert_eq!(
                    identifier.describe_with(chess, &mut its),
                    (assessment.structure(), assessment.canonical_text())
                );
                messages.push(its);
                expected.push((assessment.structural_digest(), assessment.position_digest()));
            }
            let found: Vec<_> = messages.iter_mut().flat_map(|one| Messages::digests([one])).collect();
            prop_assert_eq!(&found, &expected);
            for (pair, expected) in messages.chunks_exact_mut(2).zip(expected.chunks(2)) {
                let [one, other] = pair else { unreachable!("pairs") };
                prop_assert_eq!(&Messages::digests([one, other])[..], expected);
            }
        }
    }
}
