//! A row of `bitmesh.scan.v1`: what a scan says about one position.

use std::sync::Arc;

use bitmesh::decision::Verdict;
use bitmesh::{
    DecompositionCertificateDigest, DecompositionRejectionReason, DecompositionStatus, OnePlyVerdict,
    PositionBoundDecompositionCertificateDigest,
};
use shakmaty::{Bitboard, ByColor};

use crate::carried::{Carried, Value};
use crate::counts::Counts;
use crate::problem::{Place, Problem};

/// Name and version of the rows.
pub const SCHEMA: &str = "bitmesh.scan.v1";

/// The columns that a scan with decisions has besides, after the others.
///
/// The first two are texts and not truth values, so that *undecided* is not read as *no*.
pub const DECISION_COLUMNS: [&str; 4] =
    ["decided_white", "decided_black", "mate_plies_white", "mate_plies_black"];

/// What a scan says about one position, board or failure.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Row {
    /// Name of the file or stream.
    pub source: Arc<str>,
    /// Where in it.
    pub place: Place,
    /// What was found out; absent if there is neither a position nor a board.
    pub finding: Option<Finding>,
    /// Whether each side can still give mate; present if decisions are wanted and there is a position.
    pub decided: Option<ByColor<Verdict>>,
    /// Why the input is not a position; absent if it is one, or does not claim to be one.
    pub problem: Option<Problem>,
    /// The columns that were [asked for](crate::Extra) and are carried along.
    pub carried: Vec<Carried>,
}

impl Row {
    /// A row of a source that says nothing yet.
    pub(crate) fn of(source: Arc<str>, carried: Vec<Carried>) -> Self {
        Self { source, place: Place::default(), finding: None, decided: None, problem: None, carried }
    }

    /// Puts verdicts into the row, and into its columns, which begin at this place among the carried ones.
    pub(crate) fn put_decisions(&mut self, slot: usize, verdicts: Option<ByColor<Verdict>>) {
        self.decided = verdicts;
        let sides = verdicts.map(|verdicts| [verdicts.white, verdicts.black]);
        for side in 0..2 {
            let verdict = sides.map(|sides| sides[side]);
            let text = verdict.map_or(Value::Nothing, |verdict| Value::Text(verdict.word().to_owned()));
            let plies = verdict.and_then(Verdict::plies);
            let number = plies.map_or(Value::Nothing, |plies| Value::Number(plies.into()));
            for (at, value) in [(slot + side, text), (slot + 2 + side, number)] {
                if let Some(carried) = self.carried.get_mut(at) {
                    carried.value = value;
                }
            }
        }
    }
}

/// What was found out about a position or a board.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// The canonical text: a FEN for a position, a placement for a board.
    pub fen: String,
    /// The locked pawns.
    pub barrier: Bitboard,
    /// Whether the structure falls apart.
    pub status: DecompositionStatus,
    /// Why it does not.
    pub rejection_reason: Option<DecompositionRejectionReason>,
    /// Number of regions that hold pieces.
    pub active_components: u8,
    /// `accepted`, or the code of the reason why the one-ply screen refuses: the screen of positions for a position,
    /// of boards for a board.
    pub one_ply: &'static str,
    /// What holds for ever; nothing can be said about a board.
    pub permanent: Option<Permanent>,
    /// SHA-256 of BMDCERT v1; absent if digests are [not wanted](crate::Extra::without_digests).
    pub digest: Option<DecompositionCertificateDigest>,
    /// SHA-256 of BMDPOSCERT v1 with the canonical text; absent as well.
    pub position_digest: Option<PositionBoundDecompositionCertificateDigest>,
}

/// What was proved about a position for all time. A claim that is absent is open, not refuted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Permanent {
    /// The pieces that never move and are never captured.
    pub frozen: Bitboard,
    /// Classes of pieces that never interact; fewer than two claims nothing.
    pub components: u8,
    /// Whether the components are an exact disjoint sum.
    pub exact_sum: bool,
    /// The sides that can never give mate.
    pub unwinnable: ByColor<bool>,
}

impl Permanent {
    /// Whether the position stays divided.
    #[must_use]
    pub const fn decomposed(&self) -> bool {
        self.components >= 2
    }

    /// Whether nothing follows: no division, and no side that cannot win.
    pub(crate) const fn claims_nothing(&self) -> bool {
        !self.decomposed() && !self.unwinnable.white && !self.unwinnable.black
    }

    /// Whether neither side can ever give mate.
    #[must_use]
    pub const fn dead(&self) -> bool {
        self.unwinnable.white && self.unwinnable.black
    }

    /// The same with what another proof shows about mates; components and what never moves stay as they are.
    pub(crate) const fn with_unwinnable(self, more: ByColor<bool>) -> Self {
        let known = self.unwinnable;
        Self {
            unwinnable: ByColor { white: known.white || more.white, black: known.black || more.black },
            ..self
        }
    }
}

/// What [`Finding::one_ply`] says when the screen accepts.
pub const ACCEPTED: &str = OnePlyVerdict::Accepted.word();

/// Takes the rows of a portion, in order, and makes a block of them.
///
/// Every thread of a scan has its own.
pub trait Collect: Send + 'static {
    /// What becomes of the rows.
    type Block: Send + 'static;

    /// Whether a block is best when it is small enough to stay near the processor, as text is. Columns gain from many
    /// rows at once.
    const SMALL_BLOCKS: bool = false;

    /// Takes one row.
    fn push(&mut self, row: &Row);

    /// Returns what was taken since the last time.
    fn take(&mut self) -> Self::Block;

    /// Adds what it has found out about that to the counts of the block. Called after [`take`](Self::take).
    fn count(&mut self, _: &mut Counts) {}

    /// Takes a block that is used up, perhaps of another thread, whose room may serve for the next one.
    fn reuse(&mut self, _: Self::Block) {}
}

/// Collects the rows themselves.
#[derive(Clone, Debug, Default)]
pub struct Rows(Vec<Row>);

impl Collect for Rows {
    type Block = Vec<Row>;

    fn push(&mut self, row: &Row) {
        self.0.push(row.clone());
    }

    fn take(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.0)
    }
}

/// The most room that text keeps for the next block: an unusual block leaves nothing behind.
const ROOM: usize = 1 << 22;

/// Makes the room of text that is used up that of the next text, of which there is none yet.
pub(crate) fn reuse(next: &mut Vec<u8>, mut used: Vec<u8>) {
    debug_assert!(next.is_empty());
    if used.capacity() <= ROOM {
        used.clear();
        *next = used;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row with everything in it.
    pub(crate) fn accepted_row() -> Row {
        let fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
        let board = bitmesh::read_position(fen).unwrap().input.board().clone();
        let certificate = bitmesh::certify_decomposition(&board);
        let position_digest =
            bitmesh::position_bound_decomposition_certificate_digest(&certificate, fen, bitmesh::FEN_CONTEXT);
        Row {
            source: "walls, \"old\".fen".into(),
            place: Place::line(12),
            finding: Some(Finding {
                fen: fen.to_owned(),
                barrier: certificate.barrier,
                status: certificate.status,
                rejection_reason: None,
                active_components: 2,
                one_ply: ACCEPTED,
                permanent: Some(Permanent {
                    frozen: board.pawns(),
                    components: 2,
                    exact_sum: true,
                    unwinnable: ByColor { black: true, white: true },
                }),
                digest: Some(certificate.digest().unwrap()),
                position_digest: Some(position_digest.unwrap()),
            }),
            decided: None,
            problem: None,
            carried: Vec::new(),
        }
    }

    /// What may be carried along.
    pub(crate) fn extra() -> crate::Extra {
        let tags = vec!["White".to_owned(), "Site, \"x\"".to_owned(), "Black".to_owned()];
        crate::Extra { tags, offset: true, ..Default::default() }
    }

    /// A row with something carried along.
    pub(crate) fn carrying_row() -> Row {
        let mut carried = extra().carried();
        carried[0].value = crate::Value::Text("Ko\u{9b}, \"K\"".to_owned());
        carried[1].value = crate::Value::Text(String::new());
        carried[3].value = crate::Value::Number(70_000_000_000);
        Row { carried, ..accepted_row() }
    }

    /// A row with nothing but an error.
    pub(crate) fn error_row() -> Row {
        Row {
            source: "games.pgn".into(),
            place: Place::game(3).at_ply(7),
            finding: None,
            decided: None,
            problem: Some(Problem::new("pgn/illegal-move", "illegal move Ke3, \"quoted\"")),
            carried: Vec::new(),
        }
    }
}
