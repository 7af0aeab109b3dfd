//! Texts that the caller has in memory, evaluated one by one.

use std::sync::Arc;

use bitmesh::decision::{Decider, Decision, Effort};
use bitmesh::persistent::{Bound, CheckError, PersistentCertificate, check, prove, prove_with_every_kind};
use shakmaty::{ByColor, Chess, Color};

use crate::evaluate::{Findings, evaluate};
use crate::extra::Extra;
use crate::how::How;
use crate::lines::{MAX_LINE, checked_text, read_text, too_long};
use crate::plain_fen;
use crate::problem::{Notice, Place, Problem};
use crate::row::{Collect, Permanent, Row};
use crate::subject::Subject;
use crate::visit::{Outcome, Part, Visit};

/// What the claims of layer 3 rest on.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Depth {
    /// The analysis alone, as in a scan.
    #[default]
    Analysis,
    /// A certificate that was made and checked; claims that do not pass the checker are not made.
    Certificate,
    /// The same, with every kind of proof, and expansions of that many positions where they prove more. What never moves
    /// and the components are those of the one witness.
    Expansion(Bound),
}

/// Evaluates texts without opening files or starting threads, for callers that do both.
///
/// Each text gives one row, the same that a [`Scan`](crate::Scan) gives for a cell of a table:
/// an empty text is a row with an error. Notices are not given, so text after a
/// position, which a scan passes over with a notice, is an error here.
///
/// ```
/// use bitmesh_corpus::{Rows, Collect as _, Texts};
///
/// let mut texts = Texts::new("notebook");
/// let mut rows = Rows::default();
/// texts.evaluate(1, b"7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1", &mut rows);
/// texts.evaluate(2, b"no position", &mut rows);
/// let rows = rows.take();
/// assert!(rows[0].finding.as_ref().is_some_and(|found| found.one_ply == "accepted"));
/// assert_eq!(rows[1].problem.as_ref().map(|problem| problem.code()), Some("position/unexpected-character"));
/// ```
#[derive(Clone, Debug)]
pub struct Texts {
    row: Row,
    findings: Findings,
    depth: Depth,
    certificate: Option<PersistentCertificate>,
    deciding: Option<Deciding>,
}

/// What decides, and the decisions of the last text where their evidence is wanted.
#[derive(Debug)]
struct Deciding {
    decider: Decider,
    keeps_evidence: bool,
    decisions: ByColor<Option<Decision>>,
}

impl Deciding {
    fn new(effort: Effort, keeps_evidence: bool) -> Self {
        Self { decider: Decider::new(effort), keeps_evidence, decisions: ByColor::default() }
    }
}

/// The memory of the searches is not shared: a copy has its own.
impl Clone for Deciding {
    fn clone(&self) -> Self {
        let decisions = self.decisions.clone();
        Self { decisions, ..Self::new(self.decider.effort(), self.keeps_evidence) }
    }
}

impl Texts {
    /// Evaluates texts of a source with this name.
    #[must_use]
    pub fn new(source: &str) -> Self {
        let row = Row::of(Arc::from(source), Vec::new());
        Self {
            row,
            findings: Findings::new(true),
            depth: Depth::default(),
            certificate: None,
            deciding: None,
        }
    }

    /// The same with another basis for layer 3.
    #[must_use]
    pub fn with_depth(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    /// The same with decisions whether each side of a position can still give mate: the rows have the
    /// [columns of decisions](crate::DECISION_COLUMNS).
    #[must_use]
    pub fn with_decisions(mut self, effort: Effort, keeps_evidence: bool) -> Self {
        self.row.carried = Extra { decisions: true, ..Extra::default() }.carried();
        self.deciding = Some(Deciding::new(effort, keeps_evidence));
        self
    }

    /// Evaluates the text at a place, counted from 1, and pushes its row.
    pub fn evaluate(&mut self, line: u64, text: &[u8], collector: &mut impl Collect) {
        self.begin(line);
        self.read(text);
        collector.push(&self.row);
        self.row.finding = None;
    }

    /// Pushes the row of something that is not a text, and so not a position, with the caller's reason.
    pub fn refuse(&mut self, line: u64, code: &'static str, message: &str, collector: &mut impl Collect) {
        self.begin(line);
        self.row.problem = Some(Problem::new(code, message));
        collector.push(&self.row);
    }

    /// The certificate of the last text, for a depth that makes one; absent if it claims nothing or did not pass the
    /// checker.
    #[must_use]
    pub const fn certificate(&self) -> Option<&PersistentCertificate> {
        self.certificate.as_ref()
    }

    /// The decision about a side of the last text, with its evidence; absent where none was asked for or kept.
    #[must_use]
    pub fn decision(&self, color: Color) -> Option<&Decision> {
        self.deciding.as_ref()?.decisions.get(color).as_ref()
    }

    fn begin(&mut self, line: u64) {
        self.row.place = Place::line(line);
        self.row.finding = None;
        self.row.problem = None;
        self.certificate = None;
        if let Some(deciding) = &mut self.deciding {
            deciding.decisions = ByColor::default();
            self.row.put_decisions(0, None);
        }
    }

    fn decide(&mut self, chess: &Chess) {
        let Some(Deciding { decider, keeps_evidence, decisions }) = &mut self.deciding else { return };
        let verdicts = ByColor::new_with(|color| {
            if !*keeps_evidence {
                return decider.verdict(chess, color);
            }
            decisions.get_mut(color).insert(decider.decide(chess, color)).verdict()
        });
        self.row.put_decisions(0, Some(verdicts));
    }

    fn read(&mut self, text: &[u8]) {
        let place = self.row.place;
        if plain_fen::read(text, |chess| self.subject(place, Subject::Chess(chess))).is_some() {
            return;
        }
        if text.len() > MAX_LINE {
            return self.problem(self.row.place, too_long(MAX_LINE));
        }
        match checked_text(text) {
            Ok(text) if text.trim().is_empty() => {
                self.problem(self.row.place, crate::table::empty_cell());
            }
            Ok(text) => {
                read_text(text, self.row.place, &How::default(), self);
            }
            Err(problem) => self.problem(self.row.place, problem),
        }
    }
}

/// A text is one position, board or problem, so that the row is filled once.
impl Visit for Texts {
    fn subject(&mut self, _: Place, subject: Subject<'_>) {
        let mut verdict = evaluate(subject);
        let mut failure = None;
        let proved = match (self.depth, subject) {
            (Depth::Analysis, _) | (_, Subject::Board { .. }) => None,
            (Depth::Certificate, Subject::Chess(chess)) => Some(established(prove(chess))),
            (Depth::Expansion(bound), Subject::Chess(chess)) => Some(established_within(chess, bound)),
        };
        match proved {
            Some(Ok((certificate, permanent))) => {
                verdict.permanent = Some(permanent);
                let Permanent { unwinnable, .. } = permanent;
                let claims = permanent.decomposed() || unwinnable.white || unwinnable.black;
                self.certificate = claims.then_some(certificate);
            }
            Some(Err(error)) => {
                verdict.permanent = None;
                failure = Some(Problem::new(error.code(), error.to_string()));
            }
            None => {}
        }
        if let Subject::Chess(chess) = subject {
            self.decide(chess);
        }
        self.findings.put(subject, &verdict, &mut self.row.finding);
        self.row.problem = failure.or_else(|| subject.problem());
    }

    fn problem(&mut self, _: Place, problem: Problem) {
        self.row.problem = Some(problem);
    }

    fn notice(&mut self, _: Notice) {}

    fn record(&mut self, _: Place, _: Outcome, _: u64) {}

    fn skip(&mut self, _: Place, _: Part, _: u64) {}

    fn known(&mut self, _: u64) {}

    fn lost(&mut self, _: u64) {}

    fn begin(&mut self, _: u64) {}

    fn carry(&mut self, _: usize, _: &str) {}

    fn broken(&mut self, _: bool) {}
}

/// A certificate, and what it establishes once the checker has accepted it.
fn established(certificate: PersistentCertificate) -> Result<(PersistentCertificate, Permanent), CheckError> {
    let conclusions = check(&certificate)?;
    let permanent = Permanent {
        frozen: certificate.proof().witness().frozen(),
        components: conclusions.components,
        exact_sum: conclusions.exact_sum(),
        unwinnable: conclusions.unwinnable,
    };
    Ok((certificate, permanent))
}

/// The certificate of every kind of proof, with what it and the one witness establish together: a proof by material has
/// no witness, and says nothing about components.
fn established_within(chess: &Chess, bound: Bound) -> Result<(PersistentCertificate, Permanent), CheckError> {
    let (plain, shown) = established(prove(chess))?;
    if shown.dead() {
        return Ok((plain, shown));
    }
    let (certificate, more) = established(prove_with_every_kind(chess, bound))?;
    Ok((certificate, shown.with_unwinnable(more.unwinnable)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carried::Value;
    use crate::row::Rows;

    const TEXTS: [&str; 8] = [
        "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1",
        "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "k1K5/P7/8/8/8/8/8/8 b - - 0 1",
        "",
        "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];

    fn rows(depth: Depth) -> Vec<Row> {
        let mut texts = Texts::new("texts").with_depth(depth);
        let mut rows = Rows::default();
        for (text, line) in TEXTS.iter().zip(1..) {
            texts.evaluate(line, text.as_bytes(), &mut rows);
        }
        rows.take()
    }

    #[test]
    fn every_text_is_one_row() {
        let rows = rows(Depth::Analysis);
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                let finding = row.finding.as_ref();
                (
                    row.place.line,
                    finding.map(|found| found.one_ply),
                    finding.and_then(|found| found.permanent).map(|proved| proved.dead()),
                    row.problem.as_ref().map(Problem::code),
                )
            })
            .collect();
        let not_strict = Some("independence/requires-strict-decomposition");
        assert_eq!(told[0], (Some(1), Some("accepted"), Some(true), None));
        assert_eq!(told[2], (Some(3), not_strict, Some(false), None));
        assert_eq!(told[3], (Some(4), Some("independence/barrier-pawn-not-frozen"), None, None));
        assert_eq!(told[4], (Some(5), not_strict, None, Some("board/no-king")));
        assert_eq!(told[6], (Some(7), None, None, Some("table/empty-cell")));
        assert_eq!(told[7].3, Some("position/rank-length"));
    }

    #[test]
    fn certificates_say_what_the_analysis_says() {
        assert_eq!(rows(Depth::Certificate), rows(Depth::Analysis));
    }

    #[test]
    fn the_certificate_is_that_of_the_last_text() {
        let mut texts = Texts::new("texts").with_depth(Depth::Certificate);
        let mut rows = Rows::default();
        texts.evaluate(1, TEXTS[0].as_bytes(), &mut rows);
        let certificate = texts.certificate().expect("a position has one");
        assert!(check(certificate).is_ok_and(|conclusions| conclusions.dead()));
        texts.evaluate(2, TEXTS[3].as_bytes(), &mut rows);
        assert!(texts.certificate().is_none(), "a board has none");
        texts.evaluate(3, TEXTS[2].as_bytes(), &mut rows);
        assert!(texts.certificate().is_none(), "nothing is proved");
        texts.evaluate(3, TEXTS[0].as_bytes(), &mut rows);
        assert!(texts.certificate().is_some());
        texts.refuse(4, "position/variant", "another game", &mut rows);
        assert!(texts.certificate().is_none());
        let row = rows.take().pop().expect("a row was pushed");
        assert_eq!((row.place, row.finding), (Place::line(4), None));
        assert_eq!(row.problem.map(|problem| problem.code()), Some("position/variant"));
        let mut texts = Texts::new("texts");
        texts.evaluate(1, TEXTS[0].as_bytes(), &mut rows);
        assert!(texts.certificate().is_none(), "the analysis makes none");
    }

    #[test]
    fn decisions_are_those_of_the_decider() {
        let effort = Effort::positions(2000);
        for keeps_evidence in [false, true] {
            let mut texts = Texts::new("texts").with_decisions(effort, keeps_evidence);
            let mut rows = Rows::default();
            let mut decided = 0;
            for (text, line) in TEXTS.iter().zip(1..) {
                texts.evaluate(line, text.as_bytes(), &mut rows);
                let row = rows.take().pop().expect("a row was pushed");
                let position = bitmesh::read_position(text)
                    .ok()
                    .and_then(|read| read.input.position().map(|position| position.chess().clone()));
                let decisions = position.map(|chess| Decider::new(effort).both(&chess));
                let verdicts =
                    decisions.as_ref().map(|both| ByColor::new_with(|color| both.get(color).verdict()));
                assert_eq!(row.decided, verdicts, "{text}");
                for color in [Color::White, Color::Black] {
                    let expected = decisions.as_ref().map(|both| both.get(color)).filter(|_| keeps_evidence);
                    assert_eq!(texts.decision(color), expected, "{text}");
                }
                let words = verdicts.map(|verdicts| [verdicts.white.word(), verdicts.black.word()]);
                for side in 0..2 {
                    let value = words.map_or(Value::Nothing, |words| Value::Text(words[side].to_owned()));
                    assert_eq!(row.carried[side].value, value, "{text}");
                }
                decided += usize::from(row.decided.is_some());
            }
            assert_eq!(decided, 4);
            texts.refuse(9, "position/variant", "another game", &mut rows);
            let row = rows.take().pop().expect("a row was pushed");
            assert!(
                row.decided.is_none() && row.carried.iter().all(|carried| carried.value == Value::Nothing)
            );
            assert!(texts.decision(Color::White).is_none());
        }
    }

    #[test]
    fn an_expansion_proves_more() {
        let dead = |depth| {
            let finding = rows(depth)[5].finding.clone();
            finding.and_then(|found| found.permanent).map(|proved| proved.dead())
        };
        assert_eq!(dead(Depth::Certificate), Some(false));
        assert_eq!(dead(Depth::Expansion(Bound::nodes(100))), Some(true));
    }

    /// Material, stoppers and an expansion, as for one position.
    #[test]
    fn an_expansion_has_every_kind_of_proof() {
        for text in [
            "8/8/8/8/7b/4k3/1Q6/K7 w - - 0 1",
            "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1",
            TEXTS[5],
        ] {
            let bound = Bound::nodes(1000);
            let mut texts = Texts::new("texts").with_depth(Depth::Expansion(bound));
            let mut rows = Rows::default();
            texts.evaluate(1, text.as_bytes(), &mut rows);
            let found = rows.take().pop().and_then(|row| row.finding).expect("a position has a finding");
            let position = bitmesh::read_position(text).expect("a position").input;
            let expected = bitmesh::Assessment::new(position.clone()).within(bound).permanent().cloned();
            let expected = expected.expect("the checker accepts it");
            let permanent = found.permanent.expect("it was checked");
            assert_eq!(permanent.unwinnable, expected.conclusions().unwinnable, "{text}");
            assert!(permanent.unwinnable.white || permanent.unwinnable.black, "{text}");
            assert_eq!(texts.certificate(), Some(expected.certificate()), "{text}");
            let outline = bitmesh::Assessment::new(position).outline().expect("it is a position");
            assert_eq!(permanent.frozen, outline.frozen, "{text}");
        }
    }
}
