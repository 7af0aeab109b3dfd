//! The threads of a bulk call. They start when there is more than one portion to evaluate.
//!
//! Not the threads of a scan, which take portions from its sources themselves: here the calling thread makes the
//! portions, since only that may touch Python's objects, and listens for Ctrl-C between them. The threads end with the
//! call, so that a fork leaves no pool behind whose threads are gone.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use pyo3::prelude::*;

use super::jobs::{Evaluator, Job, Positions, Task};
use crate::ending::{self, detach};
use crate::errors::{arrow_failure, bulk_error};
use crate::interrupt::{PATIENCE, aside, lock, lost, receive};
use crate::rows::Pieces;

/// Positions of one job: few enough that the memory of a job stays in the cache.
const JOB: usize = 2048;

/// The same where a position may take long: few at first, so that a short list keeps all threads busy.
const SLOW_JOB: usize = 4;
const LATER_SLOW_JOB: usize = 256;

/// So many slow jobs for each thread are small.
const SMALL_JOBS: usize = 16;

/// Jobs that are being made, evaluated or waiting for each thread, and how many more.
const JOBS_PER_THREAD: usize = 3;
const MORE_JOBS: usize = 2;

/// With so many nodes a position may take longer than the patience of somebody who presses Ctrl-C.
const LONG: u32 = 100_000;

enum Done {
    Rows(usize, RecordBatch),
    Failed(ArrowError),
    /// A thread is panicking.
    Lost,
}

/// Threads that evaluate, and what they have done so far. Dropping it stops them.
pub(super) struct Pool {
    threads: NonZeroUsize,
    task: Task,
    /// The first job, until it is known that there is another one.
    only: Option<Job>,
    started: usize,
    stop: Arc<AtomicBool>,
    jobs: Sender<Job>,
    queue: Arc<Mutex<Receiver<Job>>>,
    sender: Sender<Done>,
    done: Receiver<Done>,
    under_way: usize,
    next: usize,
    first: u64,
    early: BTreeMap<usize, RecordBatch>,
    pieces: Pieces,
    joined: usize,
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Pool {
    pub(super) fn new(threads: NonZeroUsize, task: Task) -> Self {
        let (jobs, queue) = channel();
        let (sender, done) = channel();
        Self {
            threads,
            only: None,
            started: 0,
            stop: Arc::new(AtomicBool::new(false)),
            jobs,
            queue: Arc::new(Mutex::new(queue)),
            sender,
            done,
            under_way: 0,
            next: 0,
            first: 1,
            early: BTreeMap::new(),
            pieces: Pieces::new(task.schema()),
            joined: 0,
            task,
        }
    }

    /// How many positions the next job may have.
    pub(super) fn room(&self) -> usize {
        match self.task.nodes() {
            0 => JOB,
            _ if self.next < SMALL_JOBS * self.threads.get() => SLOW_JOB,
            _ => LATER_SLOW_JOB,
        }
    }

    pub(super) fn submit(&mut self, py: Python<'_>, positions: Positions) -> PyResult<()> {
        py.check_signals()?;
        ending::check()?;
        let job = Job { number: self.next, first: self.first, positions };
        self.next += 1;
        self.first += job.positions.len() as u64;
        if job.number == 0 {
            self.only = Some(job);
            return Ok(());
        }
        if let Some(first) = self.only.take() {
            self.send(py, first)?;
        }
        self.send(py, job)
    }

    fn send(&mut self, py: Python<'_>, job: Job) -> PyResult<()> {
        while self.under_way >= JOBS_PER_THREAD * self.threads.get() + MORE_JOBS {
            self.receive(py)?;
        }
        self.under_way += 1;
        if self.started < self.threads.get().min(self.under_way) {
            self.start()?;
        }
        self.jobs.send(job).map_err(|_| lost())
    }

    fn start(&mut self) -> PyResult<()> {
        let worker = Worker {
            stop: Arc::clone(&self.stop),
            queue: Arc::clone(&self.queue),
            sender: self.sender.clone(),
            evaluator: Evaluator::new(&self.task),
        };
        thread::Builder::new()
            .name("bitmesh".to_owned())
            .spawn(move || worker.run())
            .map_err(|error| bulk_error(&format!("cannot start a thread: {error}"), "bulk/thread"))?;
        self.started += 1;
        Ok(())
    }

    fn receive(&mut self, py: Python<'_>) -> PyResult<()> {
        let done = receive(py, &mut self.done)?.unwrap_or(Done::Lost);
        self.under_way -= 1;
        match done {
            Done::Rows(number, batch) => self.early.insert(number, batch),
            Done::Failed(error) => return Err(arrow_failure(&error)),
            Done::Lost => return Err(lost()),
        };
        while let Some(batch) = self.early.remove(&self.joined) {
            self.pieces.push(batch)?;
            self.joined += 1;
        }
        Ok(())
    }

    pub(super) fn finish(mut self, py: Python<'_>) -> PyResult<RecordBatch> {
        if let Some(only) = self.only.take() {
            if self.task.nodes() <= LONG {
                return self.evaluate_here(py, &only);
            }
            self.send(py, only)?;
        }
        while self.under_way > 0 {
            self.receive(py)?;
        }
        let empty = Pieces::new(self.task.schema());
        let (pieces, threads) = (std::mem::replace(&mut self.pieces, empty), self.threads.get());
        if self.joined < 2 {
            return pieces.join(1).map_err(|error| arrow_failure(&error));
        }
        // Joining takes its time too.
        aside(py, move || pieces.join(threads))?.map_err(|error| arrow_failure(&error))
    }

    /// Evaluates a job without a thread, and hears signals meanwhile.
    fn evaluate_here(&self, py: Python<'_>, job: &Job) -> PyResult<RecordBatch> {
        let mut evaluator = Evaluator::new(&self.task);
        let mut interruption = None;
        let mut heard = Instant::now();
        let evaluated = detach(py, || {
            evaluator.evaluate(job, || {
                if heard.elapsed() < PATIENCE {
                    return true;
                }
                heard = Instant::now();
                interruption = ending::check().and_then(|()| Python::attach(|py| py.check_signals())).err();
                interruption.is_none()
            })
        });
        if let Some(interruption) = interruption {
            return Err(interruption);
        }
        evaluated.map_err(|error| arrow_failure(&error))?.ok_or_else(lost)
    }
}

struct Worker {
    stop: Arc<AtomicBool>,
    queue: Arc<Mutex<Receiver<Job>>>,
    sender: Sender<Done>,
    evaluator: Evaluator,
}

impl Drop for Worker {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.sender.send(Done::Lost);
        }
    }
}

impl Worker {
    fn run(mut self) {
        loop {
            let job = lock(&self.queue).recv();
            let Ok(job) = job else { return };
            let stop = &self.stop;
            let done = match self.evaluator.evaluate(&job, || !stop.load(Ordering::Relaxed)) {
                Ok(Some(batch)) => Done::Rows(job.number, batch),
                Ok(None) => return,
                Err(error) => Done::Failed(error),
            };
            if self.sender.send(done).is_err() {
                return;
            }
        }
    }
}
