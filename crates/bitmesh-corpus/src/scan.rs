//! The scan: sources in, rows out, in order, on all cores.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bitmesh::decision;
use bitmesh::{BoardOnly, Messages, Printable};
use shakmaty::{Board, ByColor, Chess, Color, Position as _};

use crate::blocks;
use crate::carried::Value;
use crate::claims::Claims;
use crate::counts::Counts;
use crate::deciding::{Decided, Deciding, Held};
use crate::evaluate::{Digests, Findings, Verdict, claims_nothing};
use crate::evidence::Evidence;
use crate::extra::Extra;
use crate::how::How;
use crate::inputs::{Inputs, Mark};
use crate::lines::{LineKind, read_line};
use crate::memory::{self, Memory};
use crate::objects::read_object;
use crate::options::Options;
use crate::problem::{Notice, Place, Problem, ScanError};
#[cfg(debug_assertions)]
use crate::row::Finding;
use crate::row::{Collect, Row};
use crate::source::{Portion, ReadAs, Sources, Work};
use crate::subject::Subject;
use crate::text::BLOCK;
use crate::visit::{Outcome, Part, Visit};

/// The rows of a portion, with everything that is to be known about it.
#[derive(Debug)]
pub struct Block<B> {
    /// The rows, as they were collected.
    pub rows: B,
    /// What was counted.
    pub counts: Counts,
    /// Errors and notices in words: one of each kind, with its count.
    pub remarks: Vec<Remark>,
    /// How far the scan has come with this block.
    pub mark: Mark,
}

/// An error or a notice about a source.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Remark {
    /// Name of the source.
    pub source: Arc<str>,
    /// Where in it.
    pub place: Place,
    /// Whether something could not be read.
    pub is_error: bool,
    /// A stable name, for programs.
    pub code: &'static str,
    /// What it is, on one line; the first one, if there are several.
    pub message: String,
    /// How many of this kind there are in the block.
    pub count: u64,
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = self.place.to_string();
        let separator = if place.is_empty() { "" } else { ", " };
        write!(f, "{}{separator}{place}", Printable(&self.source))?;
        if self.count > 1 {
            write!(f, " and {} more", self.count - 1)?;
        }
        write!(f, ": {}", Printable(&self.message))
    }
}

/// What came of waiting for a block.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one at a time exists, and it lives long")]
pub enum Step<B> {
    /// The next block.
    Block(Block<B>),
    /// Nothing yet.
    Waiting,
    /// All blocks have been given out.
    Finished,
}

/// How many kinds of remarks a block may have; there are fewer.
const REMARKS: usize = 100;

/// How many portions may be read, evaluated or waiting for their turn for each thread, and how many more.
const PORTIONS_PER_THREAD: usize = 2;
const MORE_PORTIONS: usize = 2;

/// A running scan.
///
/// Its threads read, evaluate and collect; the rows arrive as blocks in the order
/// of the sources, whatever the number of threads. Dropping it stops the threads.
///
/// ```
/// use std::path::Path;
///
/// use bitmesh_corpus::{Inputs, JsonLines, Options, Scan};
///
/// let mut inputs = Inputs::new();
/// let fen = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1\n";
/// inputs.add_reader("walls", Box::new(fen.as_bytes()));
/// let mut scan = Scan::start(inputs, Options::default(), JsonLines::new)?;
/// let mut text = Vec::new();
/// while let Some(block) = scan.next() {
///     text.extend(block?.rows);
/// }
/// let row: serde_json::Value = serde_json::from_slice(&text)?;
/// assert_eq!(row["line"], 1);
/// assert_eq!(row["dead"], true);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scan<B> {
    shared: Arc<Shared>,
    read_as: Arc<Mutex<Vec<ReadAs>>>,
    receiver: Receiver<Message<B>>,
    pending: BTreeMap<u64, Block<B>>,
    next: u64,
    used: Used<B>,
}

/// Blocks that are used up, for the threads to [reuse](Collect::reuse).
type Used<B> = Arc<Mutex<Vec<B>>>;

#[allow(clippy::large_enum_variant, reason = "one at a time exists, and it lives long")]
enum Message<B> {
    Block(u64, Box<Block<B>>),
    Failed(ScanError),
    /// A thread is panicking.
    Lost,
}

/// What the threads of a scan share.
struct Shared {
    options: Arc<Options>,
    how: How,
    sources: Mutex<Ordered>,
    /// Bytes read, as they lie on disk.
    read: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    /// Portions that were handed to a thread and have not come back.
    under_way: AtomicUsize,
    /// Portions that may still be handed out before one is taken.
    room: Gauge,
    seen: Option<Seen>,
    evidence: Option<Evidence>,
}

struct Ordered {
    sources: Sources,
    next: u64,
}

impl<B: Send + 'static> Scan<B> {
    /// Starts the threads. `collector` makes one collector for each of them.
    ///
    /// # Errors
    ///
    /// When the folder for certificates cannot be made or a thread cannot be started.
    pub fn start<C: Collect<Block = B>>(
        inputs: Inputs,
        options: Options,
        collector: impl Fn() -> C,
    ) -> Result<Self, ScanError> {
        let evidence = options.certificates.as_deref().map(Evidence::new).transpose()?;
        let options = Arc::new(options);
        let read = Arc::new(AtomicU64::new(0));
        // Rows take a hundred times the room of the moves that they come from.
        let games = if C::SMALL_BLOCKS && options.only.is_none() { BLOCK / 8 } else { usize::MAX };
        let sources = Sources::new(inputs, Arc::clone(&options), Arc::clone(&read), options.from, games);
        let (threads, how) = (options.threads.get(), options.how());
        let read_as = sources.read_as();
        let shared = Arc::new(Shared {
            sources: Mutex::new(Ordered { sources, next: 0 }),
            read,
            stop: Arc::default(),
            under_way: AtomicUsize::new(0),
            room: Gauge::new(PORTIONS_PER_THREAD * threads + MORE_PORTIONS),
            seen: options.unique.then(Seen::default),
            evidence,
            how,
            options,
        });
        let (sender, receiver) = channel();
        let used = Used::default();
        for _ in 0..threads {
            let worker = Worker {
                shared: Arc::clone(&shared),
                sender: sender.clone(),
                used: Arc::clone(&used),
                collector: collector(),
            };
            thread::Builder::new()
                .name("scan".to_owned())
                .spawn(move || worker.run())
                .map_err(|error| ScanError::Thread { error })?;
        }
        Ok(Self { shared, read_as, receiver, pending: BTreeMap::new(), next: 0, used })
    }

    /// Waits for the next block, but not longer than `patience`.
    ///
    /// # Errors
    ///
    /// When evidence cannot be kept or a thread is lost. Nothing comes after an error.
    pub fn step(&mut self, patience: Duration) -> Result<Step<B>, ScanError> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(block) = self.pending.remove(&self.next) {
                self.next += 1;
                self.shared.room.add(1);
                return Ok(Step::Block(block));
            }
            // A thread that waits for a slow source does not notice that it is to stop: it is not waited for.
            if self.is_stopped() && self.shared.under_way.load(Ordering::Acquire) == 0 {
                if let Ok(message) = self.receiver.try_recv() {
                    self.take(message)?;
                    continue;
                }
                return Ok(Step::Finished);
            }
            let wait = deadline.saturating_duration_since(Instant::now()).min(Duration::from_millis(50));
            match self.receiver.recv_timeout(wait) {
                Ok(message) => self.take(message)?,
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => return Ok(Step::Waiting),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if self.pending.is_empty() => return Ok(Step::Finished),
                Err(RecvTimeoutError::Disconnected) => return Err(ScanError::WorkerLost),
            }
        }
    }

    fn take(&mut self, message: Message<B>) -> Result<(), ScanError> {
        let error = match message {
            Message::Block(number, block) => {
                self.pending.insert(number, *block);
                return Ok(());
            }
            Message::Failed(error) => error,
            Message::Lost => ScanError::WorkerLost,
        };
        self.stop();
        Err(error)
    }
}

impl<B> Scan<B> {
    /// Takes the rows of a block back when they are used up: their room may serve for other rows. Nothing depends on
    /// it but time.
    pub fn give_back(&self, rows: B) {
        let mut used = lock(&self.used);
        // One for each thread to fill: what there is more of is not waited for.
        if used.len() < self.shared.options.threads.get() {
            used.push(rows);
        }
    }

    /// Ends the scan soon: what has been read is still evaluated and given out.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Release);
        self.shared.room.wake();
    }

    /// Setting this ends the scan as [`stop`](Self::stop) does; for signal handlers.
    #[must_use]
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.stop)
    }

    /// Whether the scan was told to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Acquire)
    }

    /// What the inputs were read as, so far and in their order.
    #[must_use]
    pub fn read_as(&self) -> Vec<ReadAs> {
        lock(&self.read_as).clone()
    }

    /// How many bytes of the sources have been read, packed as they are.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.shared.read.load(Ordering::Relaxed)
    }
}

impl<B> Drop for Scan<B> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl<B: Send + 'static> Iterator for Scan<B> {
    type Item = Result<Block<B>, ScanError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.step(Duration::from_secs(1)) {
                Ok(Step::Block(block)) => return Some(Ok(block)),
                Ok(Step::Waiting) => {}
                Ok(Step::Finished) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// One thread that reads, evaluates and collects.
struct Worker<C: Collect> {
    shared: Arc<Shared>,
    sender: Sender<Message<C::Block>>,
    used: Used<C::Block>,
    collector: C,
}

impl<C: Collect> Drop for Worker<C> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.sender.send(Message::Lost);
        }
    }
}

impl<C: Collect> Worker<C> {
    fn run(mut self) {
        let options = &self.shared.options;
        let mut deciding = options.decide.map(|effort| Deciding::new(effort, options.certificates.is_some()));
        while let Some((number, portion)) = self.next_portion() {
            let used = lock(&self.used).pop();
            if let Some(block) = used {
                self.collector.reuse(block);
            }
            let mut visitor = Visitor::new(&self.shared, &portion, &mut self.collector, deciding.as_mut());
            let failure = visitor.read(&portion, number).err();
            let (mut counts, remarks) = visitor.finish();
            let message = match failure {
                None => {
                    let rows = self.collector.take();
                    self.collector.count(&mut counts);
                    Message::Block(number, Box::new(Block { rows, counts, remarks, mark: portion.mark }))
                }
                Some(error) => Message::Failed(error),
            };
            let sent = self.sender.send(message);
            self.shared.under_way.fetch_sub(1, Ordering::Release);
            if sent.is_err() {
                return;
            }
        }
    }

    /// Reads the next portion as soon as there is room for it.
    fn next_portion(&self) -> Option<(u64, Portion)> {
        let shared = &*self.shared;
        if !shared.room.take(&shared.stop) {
            return None;
        }
        let mut ordered = lock(&shared.sources);
        if shared.stop.load(Ordering::Acquire) {
            return None;
        }
        let portion = ordered.sources.next()?;
        if shared.stop.load(Ordering::Acquire) {
            return None;
        }
        shared.under_way.fetch_add(1, Ordering::AcqRel);
        let number = ordered.next;
        ordered.next += 1;
        Some((number, portion))
    }
}

/// What a portion holds, and what is done about it.
struct Visitor<'a, C> {
    shared: &'a Shared,
    collector: &'a mut C,
    /// The row that is being made; its finding may be that of a row before.
    row: Box<Row>,
    findings: Findings,
    waiting: Waiting,
    /// Whether only rows with a claim of the layers, or with an error, are given out.
    wants_claims: bool,
    memory: Memory,
    deciding: Option<&'a mut Deciding>,
    /// Whether the evidence about the position at hand is kept, where evidence is.
    keeps_evidence: bool,
    counts: Counts,
    remarks: Vec<Remark>,
    failure: Option<ScanError>,
}

impl<'a, C: Collect> Visitor<'a, C> {
    fn new(
        shared: &'a Shared,
        portion: &Portion,
        collector: &'a mut C,
        deciding: Option<&'a mut Deciding>,
    ) -> Self {
        Self {
            shared,
            collector,
            row: Box::new(Row::of(Arc::clone(&portion.source), shared.options.extra.carried())),
            findings: Findings::new(!shared.options.extra.without_digests),
            waiting: Waiting::new(portion, &shared.options.extra),
            // A decision or an expansion may claim what the analysis leaves open.
            wants_claims: shared.options.only.is_some()
                && shared.options.positions.is_none()
                && deciding.is_none(),
            memory: Memory::default(),
            deciding,
            keeps_evidence: true,
            counts: Counts::default(),
            remarks: Vec::new(),
            failure: None,
        }
    }

    fn finish(self) -> (Counts, Vec<Remark>) {
        (self.counts, self.remarks)
    }

    /// Reads a portion; when duplicates matter, first all of it, then what is new in it.
    fn read(&mut self, portion: &Portion, number: u64) -> Result<(), ScanError> {
        let how = &self.shared.how;
        if !portion.known {
            self.counts.bytes += portion.bytes;
        }
        match &self.shared.seen {
            None => portion.work.visit(portion.done, how, self),
            Some(seen) => {
                let mut items = Items(Vec::new());
                portion.work.visit(0, how, &mut items);
                let keys: Vec<Option<u128>> = items.0.iter().map(|item| seen.key(item)).collect();
                let new = seen.mark(number, &keys);
                for (item, is_new) in items.0.into_iter().zip(new) {
                    if portion.known {
                    } else if item.record() > portion.done {
                        self.replay(item, is_new);
                    } else if let Item::Record(_, _, bytes) | Item::Skip(_, _, bytes) = item {
                        self.known(bytes);
                    }
                }
            }
        }
        self.finish_waiting();
        match self.failure.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn replay(&mut self, item: Item, is_new: bool) {
        match item {
            Item::Chess(place, chess) if is_new => self.subject(place, Subject::Chess(&chess)),
            Item::Board(place, board, claims_more) if is_new => {
                self.subject(place, Subject::Board { board: &board, claims_more });
            }
            Item::Chess(..) => {
                self.counts.positions += 1;
                self.counts.duplicates += 1;
            }
            Item::Board(..) => {
                self.counts.boards += 1;
                self.counts.duplicates += 1;
            }
            Item::Problem(place, problem) => self.problem(place, problem),
            Item::Notice(notice) => self.notice(notice),
            Item::Record(place, outcome, bytes) => self.record(place, outcome, bytes),
            Item::Skip(place, part, bytes) => self.skip(place, part, bytes),
            Item::Begin(offset) => self.begin(offset),
            Item::Carry(slot, text) => self.carry(slot, &text),
            Item::Lost(bytes) => self.lost(bytes),
            Item::Broken { is_missing } => self.broken(is_missing),
        }
    }

    /// Counts what was found, and gives out the row if it is wanted.
    #[inline(never)]
    fn judge(&mut self, place: Place, subject: Subject<'_>, mut verdict: Verdict, decided: Option<&Decided>) {
        if let Some(bound) = self.shared.options.positions {
            verdict.deepen(subject, bound);
        }
        if verdict.claims != Claims::NONE {
            self.counts.claims(verdict.claims);
            if let Some(permanent) = &verdict.permanent {
                self.counts.unwinnable_white += u64::from(permanent.unwinnable.white);
                self.counts.unwinnable_black += u64::from(permanent.unwinnable.black);
            }
        }
        let mut claims = verdict.claims;
        if let (Some(decided), Subject::Chess(chess)) = (decided, subject) {
            let found = decided.claims(chess.turn());
            self.counts.decided(found);
            claims = claims.and(found);
        }
        let problem = subject.problem();
        if let Some(only) = self.shared.options.only
            && !claims.meets(only)
            && problem.is_none()
        {
            self.counts.filtered += 1;
            return;
        }
        self.give_out(place, subject, verdict, decided, problem);
    }

    /// Makes the row of a position or board that is wanted.
    #[inline(never)]
    fn give_out(
        &mut self,
        place: Place,
        subject: Subject<'_>,
        mut verdict: Verdict,
        decided: Option<&Decided>,
        problem: Option<Problem>,
    ) {
        if let Some(evidence) = &self.shared.evidence
            && self.failure.is_none()
            && self.keeps_evidence
        {
            let assessment = verdict.assessment(subject);
            self.failure = evidence.keep(&assessment, verdict.claims, verdict.is_deep).err();
            if let (Some(decided), Some(deciding), Subject::Chess(chess)) =
                (decided, self.deciding.as_deref_mut(), subject)
                && self.failure.is_none()
            {
                self.failure = evidence.keep_decided(chess, decided, deciding, &assessment).err();
            }
        }
        if let Subject::Chess(chess) = subject
            && self.waiting.is_possible
            && decided.is_none()
        {
            return self.give_out_later(place, chess, &verdict);
        }
        self.finish_waiting();
        if let Some(problem) = &problem {
            self.remark(place, true, problem.code(), problem.message());
        }
        self.row.place = place;
        self.findings.put(subject, &verdict, &mut self.row.finding);
        if let Some(decided) = decided {
            self.put_decisions(Some(decided.verdicts));
        }
        self.row.problem = problem;
        self.collector.push(&self.row);
        self.counts.rows += 1;
        if decided.is_some() {
            self.put_decisions(None);
        }
    }

    /// Makes a row all but its digests. They are found out together with those of the next row, if there is one.
    #[inline]
    fn give_out_later(&mut self, place: Place, chess: &Chess, verdict: &Verdict) {
        let number = usize::from(self.waiting.is_there);
        self.row.place = place;
        self.row.problem = None;
        let messages = &mut self.waiting.messages[number];
        self.findings.describe(chess, verdict, &mut self.row.finding, messages);
        #[cfg(debug_assertions)]
        {
            self.waiting.expected[number] = Some(self.findings.expected(Subject::Chess(chess), verdict));
        }
        self.counts.rows += 1;
        if !self.waiting.is_there {
            std::mem::swap(&mut self.row, &mut self.waiting.row);
            self.waiting.is_there = true;
            return;
        }
        self.waiting.is_there = false;
        let [first, second] = self.waiting.messages.each_mut();
        let digests = Messages::digests([first, second]);
        for (row, digests) in [&mut self.waiting.row, &mut self.row].into_iter().zip(digests) {
            put_digests(row, digests);
            self.collector.push(row);
        }
        #[cfg(debug_assertions)]
        assert_eq!([&self.waiting.row.finding, &self.row.finding], self.waiting.expected.each_ref());
    }

    /// Gives out the row that waits for another one, because none follows or that is not to wait.
    #[inline]
    fn finish_waiting(&mut self) {
        if !std::mem::take(&mut self.waiting.is_there) {
            return;
        }
        let [digests] = Messages::digests([&mut self.waiting.messages[0]]);
        put_digests(&mut self.waiting.row, digests);
        #[cfg(debug_assertions)]
        assert_eq!(self.waiting.row.finding, self.waiting.expected[0]);
        self.collector.push(&self.waiting.row);
    }

    /// Puts verdicts into the row and its columns.
    fn put_decisions(&mut self, verdicts: Option<ByColor<decision::Verdict>>) {
        match self.shared.options.extra.decision_slot() {
            Some(slot) => self.row.put_decisions(slot, verdicts),
            None => self.row.decided = verdicts,
        }
    }

    fn remark(&mut self, place: Place, is_error: bool, code: &'static str, message: &str) {
        let same = |remark: &&mut Remark| remark.is_error == is_error && remark.code == code;
        if let Some(remark) = self.remarks.iter_mut().find(same) {
            remark.count += 1;
        } else if self.remarks.len() < REMARKS {
            let source = Arc::clone(&self.row.source);
            self.remarks.push(Remark {
                source,
                place,
                is_error,
                code,
                message: message.to_owned(),
                count: 1,
            });
        }
    }
}

impl<C: Collect> Visitor<'_, C> {
    /// Takes a position or board at once.
    #[inline]
    fn take_subject(&mut self, place: Place, subject: Subject<'_>, decided: Option<&Decided>) {
        match subject {
            Subject::Chess(_) => self.counts.positions += 1,
            Subject::Board { .. } => self.counts.boards += 1,
        }
        let verdict = self.memory.begin(subject);
        self.judge(place, subject, verdict, decided);
    }

    /// Takes a position that follows the one taken last.
    #[inline]
    fn take_following(&mut self, place: Place, chess: &Chess, step: memory::Step, decided: Option<&Decided>) {
        self.counts.positions += 1;
        self.memory.advance(chess, step);
        let verdict = self.memory.verdict(chess);
        self.judge(place, Subject::Chess(chess), verdict, decided);
    }

    #[inline(never)]
    fn follow_deciding(&mut self, place: Place, chess: &Chess, step: memory::Step) {
        if !self.hold(place, || Held::Position(place, chess.clone(), Some(step))) {
            let decided = self.deciding.as_deref_mut().map(|deciding| deciding.alone(chess));
            self.take_following(place, chess, step, decided.as_ref());
        }
    }

    /// Keeps what belongs to a game until its end is known, if decisions are wanted. Duplicates break games into
    /// single positions.
    fn hold(&mut self, place: Place, held: impl FnOnce() -> Held) -> bool {
        let is_whole = place.game.is_some() && self.shared.seen.is_none();
        let Some(deciding) = self.deciding.as_deref_mut().filter(|_| is_whole) else { return false };
        if deciding.hold(held()) {
            self.release();
        }
        true
    }

    /// Takes what was held.
    fn release(&mut self) {
        let Some(deciding) = self.deciding.as_deref_mut().filter(|deciding| deciding.is_holding()) else {
            return;
        };
        let released = deciding.release();
        let mut ends = if self.shared.options.ends_of_games { ends(&released) } else { Vec::new() };
        for (index, (held, decided)) in released.into_iter().enumerate() {
            if self.shared.options.ends_of_games {
                self.keeps_evidence = ends.pop_if(|end| *end == index).is_some();
            }
            match held {
                Held::Position(place, chess, Some(step)) => {
                    self.take_following(place, &chess, step, decided.as_ref());
                }
                Held::Position(place, chess, None) => {
                    self.take_subject(place, Subject::Chess(&chess), decided.as_ref());
                }
                Held::Problem(place, problem) => self.take_problem(place, problem),
                Held::Notice(notice) => self.take_notice(&notice),
            }
        }
    }

    fn take_problem(&mut self, place: Place, problem: Problem) {
        self.finish_waiting();
        self.remark(place, true, problem.code(), problem.message());
        self.row.place = place;
        self.row.problem = Some(problem);
        // What is left there is about another row.
        let finding = self.row.finding.take();
        self.collector.push(&self.row);
        self.row.finding = finding;
        self.row.problem = None;
        self.counts.rows += 1;
        self.counts.error_rows += 1;
    }

    fn take_notice(&mut self, notice: &Notice) {
        self.counts.notice(notice.code);
        self.remark(notice.place, false, notice.code, &notice.message);
    }
}

/// A row that waits for the next one, so that the digests of both are found out together.
///
/// Digests do not depend on the order in which they are found out, and the order of the rows is the same: everything
/// that gives out another row, and the end, gives out this one first. A row that carries something along does not wait,
/// since that may change before the next row is made; neither does one with decisions.
struct Waiting {
    row: Box<Row>,
    is_there: bool,
    /// Whether rows wait at all.
    is_possible: bool,
    /// Of this row, and of the one that comes after it.
    messages: [Messages; 2],
    /// What the two rows must say when they are complete.
    #[cfg(debug_assertions)]
    expected: [Option<Finding>; 2],
}

impl Waiting {
    fn new(portion: &Portion, extra: &Extra) -> Self {
        Self {
            row: Box::new(Row::of(Arc::clone(&portion.source), extra.carried())),
            is_there: false,
            is_possible: extra.is_empty() && !extra.without_digests,
            messages: Default::default(),
            #[cfg(debug_assertions)]
            expected: [None, None],
        }
    }
}

#[inline]
fn put_digests(row: &mut Row, (digest, position_digest): Digests) {
    if let Some(finding) = &mut row.finding {
        finding.digest = Some(digest);
        finding.position_digest = Some(position_digest);
    }
}

/// Of positions in the order of a game, the last one and those since which a side cannot win; the first of them last.
fn ends(released: &[(Held, Option<Decided>)]) -> Vec<usize> {
    let is_lost = |decided: &Option<Decided>, color| {
        let verdicts = decided.as_ref().map(|decided| decided.verdicts);
        verdicts.is_some_and(|verdicts| *verdicts.get(color) == decision::Verdict::Unwinnable)
    };
    let first = |color| released.iter().position(|(_, decided)| is_lost(decided, color));
    let last = released.iter().rposition(|(_, decided)| decided.is_some());
    let mut ends: Vec<usize> = Color::ALL.into_iter().filter_map(first).chain(last).collect();
    ends.sort_unstable_by(|one, other| other.cmp(one));
    ends.dedup();
    ends
}

impl<C: Collect> Visit for Visitor<'_, C> {
    #[inline]
    fn subject(&mut self, place: Place, subject: Subject<'_>) {
        let Subject::Chess(chess) = subject else {
            self.release();
            return self.take_subject(place, subject, None);
        };
        if !self.hold(place, || Held::Position(place, chess.clone(), None)) {
            let decided = self.deciding.as_deref_mut().map(|deciding| deciding.alone(chess));
            self.take_subject(place, subject, decided.as_ref());
        }
    }

    #[inline]
    fn open_board(&mut self, board: &Board) -> bool {
        if !self.wants_claims || !claims_nothing(board) {
            return false;
        }
        self.memory.forget();
        self.counts.positions += 1;
        self.counts.filtered += 1;
        true
    }

    #[inline]
    fn follow(&mut self, place: Place, chess: &Chess, step: memory::Step) {
        if self.deciding.is_some() {
            return self.follow_deciding(place, chess, step);
        }
        self.counts.positions += 1;
        let claims_nothing = self.memory.advance(chess, step);
        if claims_nothing && self.wants_claims {
            self.counts.filtered += 1;
            return;
        }
        let verdict = self.memory.verdict(chess);
        self.judge(place, Subject::Chess(chess), verdict, None);
    }

    fn problem(&mut self, place: Place, problem: Problem) {
        if self.deciding.as_deref().is_some_and(Deciding::is_holding) {
            self.hold(place, || Held::Problem(place, problem));
        } else {
            self.take_problem(place, problem);
        }
    }

    fn notice(&mut self, notice: Notice) {
        if self.deciding.as_deref().is_some_and(Deciding::is_holding) {
            self.hold(notice.place, || Held::Notice(notice));
        } else {
            self.take_notice(&notice);
        }
    }

    fn record(&mut self, place: Place, outcome: Outcome, bytes: u64) {
        self.release();
        self.counts.record(outcome, bytes);
        self.counts.games += u64::from(place.game.is_some());
    }

    fn skip(&mut self, _: Place, part: Part, bytes: u64) {
        self.counts.skip(part, bytes);
    }

    fn known(&mut self, bytes: u64) {
        self.counts.bytes -= bytes;
    }

    fn begin(&mut self, offset: u64) {
        for carried in &mut self.row.carried {
            carried.value = Value::Nothing;
        }
        let slot = self.shared.options.extra.offset_slot();
        if let Some(carried) = slot.and_then(|slot| self.row.carried.get_mut(slot)) {
            carried.value = Value::Number(offset);
        }
    }

    fn carry(&mut self, slot: usize, text: &str) {
        if let Some(carried) = self.row.carried.get_mut(slot)
            && carried.value == Value::Nothing
        {
            carried.value = Value::Text(text.to_owned());
        }
    }

    fn lost(&mut self, bytes: u64) {
        self.counts.bytes_failed += bytes;
    }

    fn broken(&mut self, is_missing: bool) {
        self.counts.broken_sources += 1;
        self.counts.missing_sources += u64::from(is_missing);
    }
}

impl Work {
    /// Hands on every record whose number is greater than `done`.
    fn visit(&self, done: u64, how: &How, visit: &mut impl Visit) {
        match self {
            Self::Lines(lines, LineKind::Positions) => {
                lines.visit(done, how, visit, |line, place, visit| read_line(line, place, how, visit));
            }
            Self::Lines(lines, LineKind::Objects) => {
                lines.visit(done, how, visit, |line, place, visit| read_object(line, place, how, visit));
            }
            Self::Lines(lines, LineKind::Blocks) => blocks::visit(lines, done, how, visit),
            Self::Games(games) => games.visit(done, how, visit),
            Self::Cells(cells) => cells.visit(done, how, visit),
            Self::Refused { place, problem, bytes } => {
                visit.problem(*place, problem.clone());
                visit.record(*place, Outcome::Failed, *bytes);
            }
            Self::End { problem, notices, skipped, lost } => {
                for notice in notices {
                    visit.notice(notice.clone());
                }
                for &(part, bytes) in skipped {
                    visit.skip(Place::default(), part, bytes);
                }
                visit.lost(*lost);
                if let Some(problem) = problem {
                    visit.problem(Place::default(), problem.clone());
                    visit.broken(problem.is_missing());
                }
            }
        }
    }
}

/// What was read, kept until it is known what of it is new.
struct Items(Vec<Item>);

enum Item {
    Chess(Place, Chess),
    Board(Place, BoardOnly, bool),
    Problem(Place, Problem),
    Notice(Notice),
    Record(Place, Outcome, u64),
    Skip(Place, Part, u64),
    /// A record begins, and what is carried along from it.
    Begin(u64),
    Carry(usize, String),
    Lost(u64),
    Broken {
        is_missing: bool,
    },
}

impl Item {
    /// The number of the line, game or row that it belongs to; beyond all of them for the end of a source.
    fn record(&self) -> u64 {
        let place = match self {
            Self::Chess(place, _)
            | Self::Board(place, ..)
            | Self::Problem(place, _)
            | Self::Record(place, ..)
            | Self::Skip(place, ..) => *place,
            Self::Notice(notice) => notice.place,
            Self::Broken { .. } | Self::Lost(_) | Self::Begin(_) | Self::Carry(..) => Place::default(),
        };
        place.line.or(place.game).unwrap_or(u64::MAX)
    }
}

impl Visit for Items {
    fn subject(&mut self, place: Place, subject: Subject<'_>) {
        self.0.push(match subject {
            Subject::Chess(chess) => Item::Chess(place, chess.clone()),
            Subject::Board { board, claims_more } => Item::Board(place, board.clone(), claims_more),
        });
    }

    fn problem(&mut self, place: Place, problem: Problem) {
        self.0.push(Item::Problem(place, problem));
    }

    fn notice(&mut self, notice: Notice) {
        self.0.push(Item::Notice(notice));
    }

    fn record(&mut self, place: Place, outcome: Outcome, bytes: u64) {
        self.0.push(Item::Record(place, outcome, bytes));
    }

    fn skip(&mut self, place: Place, part: Part, bytes: u64) {
        self.0.push(Item::Skip(place, part, bytes));
    }

    fn known(&mut self, _: u64) {}

    fn begin(&mut self, offset: u64) {
        self.0.push(Item::Begin(offset));
    }

    fn carry(&mut self, slot: usize, text: &str) {
        self.0.push(Item::Carry(slot, text.to_owned()));
    }

    fn lost(&mut self, bytes: u64) {
        self.0.push(Item::Lost(bytes));
    }

    fn broken(&mut self, is_missing: bool) {
        self.0.push(Item::Broken { is_missing });
    }
}

/// The positions that were there before, as 128 bits each of two keyed hashes.
///
/// The keys are random, so that two positions that look the same cannot be
/// prepared; that two do by chance has the probability 10⁻²⁵ for a hundred million positions.
#[derive(Default)]
struct Seen {
    keys: [RandomState; 2],
    set: Mutex<Numbered>,
    turn: Condvar,
}

#[derive(Default)]
struct Numbered {
    set: HashSet<u128, FoldKey>,
    /// The portion whose turn it is.
    next: u64,
}

/// The keys are hashes already.
#[derive(Clone, Default)]
struct FoldKey(u64);

impl std::hash::BuildHasher for FoldKey {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        Self(0)
    }
}

impl std::hash::Hasher for FoldKey {
    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers of 128 bits are hashed");
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Seen {
    fn key(&self, item: &Item) -> Option<u128> {
        let hash = |state: &RandomState| match item {
            // Equal positions have one canonical text.
            Item::Chess(_, chess) => Some(state.hash_one((0u8, chess))),
            Item::Board(_, board, _) => Some(state.hash_one((1u8, board.board()))),
            Item::Problem(..)
            | Item::Notice(_)
            | Item::Record(..)
            | Item::Skip(..)
            | Item::Begin(_)
            | Item::Carry(..)
            | Item::Lost(_)
            | Item::Broken { .. } => None,
        };
        let [high, low] = &self.keys;
        Some(u128::from(hash(high)?) << 64 | u128::from(hash(low)?))
    }

    /// Says of each key whether it is new. Portions take their turns, so that the first one in the sources counts.
    fn mark(&self, number: u64, keys: &[Option<u128>]) -> Vec<bool> {
        let mut numbered = lock(&self.set);
        while numbered.next != number {
            numbered = self.turn.wait(numbered).unwrap_or_else(PoisonError::into_inner);
        }
        let new = keys.iter().map(|key| key.is_some_and(|key| numbered.set.insert(key))).collect();
        numbered.next += 1;
        self.turn.notify_all();
        new
    }
}

/// A number that threads take from and wait for while it is zero.
struct Gauge {
    value: Mutex<usize>,
    changed: Condvar,
}

impl Gauge {
    const fn new(value: usize) -> Self {
        Self { value: Mutex::new(value), changed: Condvar::new() }
    }

    fn add(&self, count: usize) {
        *lock(&self.value) += count;
        self.changed.notify_all();
    }

    fn wake(&self) {
        self.changed.notify_all();
    }

    /// Takes one, or nothing when it is time to stop.
    fn take(&self, stop: &AtomicBool) -> bool {
        let mut value = lock(&self.value);
        loop {
            if stop.load(Ordering::Acquire) {
                return false;
            }
            if let Some(less) = value.checked_sub(1) {
                *value = less;
                return true;
            }
            // A signal handler that sets the flag cannot wake this thread.
            let waited = self.changed.wait_timeout(value, Duration::from_millis(50));
            value = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A thread that panicked has left nothing half done: every change under these locks is one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
