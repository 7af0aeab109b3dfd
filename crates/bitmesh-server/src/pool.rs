//! A bounded pool for work that takes the processor.
//!
//! The threads that answer never compute. There are two lanes, each with its own threads and its own
//! queue, so a flood of long answers does not slow down short ones. Work whose
//! client has gone leaves the queue at once.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use thiserror::Error;
use tokio::sync::oneshot;

/// How long the work takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Lane {
    /// Well below a millisecond.
    Short,
    /// Up to the bound on positions.
    Long,
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
pub(crate) enum PoolError {
    /// The queue of the lane is full.
    #[error("the server is busy")]
    Busy,
    /// The work panicked. The worker continues.
    #[error("the answer failed")]
    Panicked,
    /// The pool was stopped before the work began.
    #[error("the server is stopping")]
    Stopped,
}

/// Threads in two lanes. Dropping it stops them when the work at hand is done.
#[derive(Debug)]
pub(crate) struct Pool {
    short: Arc<Queue>,
    long: Arc<Queue>,
    next: AtomicU64,
    threads: Vec<JoinHandle<()>>,
}

type Work = Box<dyn FnOnce() + Send>;

struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    most: usize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<(u64, Work)>,
    stopped: bool,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("waiting", &self.lock().waiting.len()).finish_non_exhaustive()
    }
}

impl Queue {
    fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), changed: Condvar::new(), most })
    }

    /// Every change under the lock is one step, so a panic elsewhere leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, id: u64, work: Work) -> Result<(), PoolError> {
        let mut state = self.lock();
        if state.stopped {
            return Err(PoolError::Stopped);
        }
        if state.waiting.len() >= self.most {
            return Err(PoolError::Busy);
        }
        state.waiting.push_back((id, work));
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    fn remove(&self, id: u64) {
        let mut state = self.lock();
        let place = state.waiting.iter().position(|&(other, _)| other == id);
        let removed = place.and_then(|place| state.waiting.remove(place));
        drop(state);
        drop(removed);
    }

    fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        drop(waiting);
        self.changed.notify_all();
    }

    fn work(&self) {
        let mut state = self.lock();
        loop {
            if let Some((_, work)) = state.waiting.pop_front() {
                drop(state);
                work();
                state = self.lock();
            } else if state.stopped {
                return;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Takes work out of the queue when the client that waits for it has gone.
struct Waiting<'a> {
    queue: &'a Queue,
    id: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.queue.remove(self.id);
    }
}

impl Pool {
    /// Starts `workers` threads for short work and one fewer, but at least one, for long work.
    ///
    /// As many may wait as the arguments say, in the queue of each lane.
    pub(crate) fn new(workers: usize, most_short: usize, most_long: usize) -> std::io::Result<Self> {
        let (short, long) = (Queue::new(most_short), Queue::new(most_long));
        let lanes = [(&short, "short", workers), (&long, "long", workers.saturating_sub(1).max(1))];
        let mut threads = Vec::new();
        for (queue, name, count) in lanes {
            for _ in 0..count {
                let queue = Arc::clone(queue);
                let thread = thread::Builder::new().name(format!("answer-{name}"));
                threads.push(thread.spawn(move || queue.work())?);
            }
        }
        Ok(Self { short, long, next: AtomicU64::new(0), threads })
    }

    /// Runs `work` on a thread of the lane and waits for its result.
    ///
    /// Dropping the future takes the work out of the queue if it has not begun.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let queue = self.queue(lane);
        let (sender, receiver) = oneshot::channel();
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let work = move || {
            if sender.is_closed() {
                return;
            }
            // The worker's own state is not touched by the work, so a panic leaves nothing half done.
            let result = catch_unwind(AssertUnwindSafe(work)).map_err(|_| PoolError::Panicked);
            let _ = sender.send(result);
        };
        queue.add(id, Box::new(work))?;
        let _waiting = Waiting { queue, id };
        receiver.await.unwrap_or(Err(PoolError::Stopped))
    }

    /// How many wait in a lane.
    pub(crate) fn waiting(&self, lane: Lane) -> usize {
        self.queue(lane).lock().waiting.len()
    }

    fn queue(&self, lane: Lane) -> &Queue {
        match lane {
            Lane::Short => &self.short,
            Lane::Long => &self.long,
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.short.stop();
        self.long.stop();
        for thread in self.threads.drain(..) {
            // The panic has been reported already.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    /// Keeps the only long worker at work until the sender is dropped.
    fn hold(pool: &Arc<Pool>) -> (mpsc::Sender<()>, tokio::task::JoinHandle<Result<(), PoolError>>) {
        let (release, wait) = mpsc::channel();
        let (begun, has_begun) = mpsc::channel();
        let pool = Arc::clone(pool);
        let task = tokio::spawn(async move {
            pool.run(Lane::Long, move || {
                begun.send(()).unwrap();
                let _ = wait.recv();
            })
            .await
        });
        has_begun.recv().unwrap();
        (release, task)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn long_work_does_not_hold_short_work_and_a_full_queue_refuses() {
        let pool = Arc::new(Pool::new(1, 1, 1).unwrap());
        let (release, held) = hold(&pool);
        assert_eq!(pool.run(Lane::Short, || 7).await, Ok(7));

        let queued = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.run(Lane::Long, || 8).await }
        });
        while pool.waiting(Lane::Long) == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(Lane::Long, || 9).await, Err(PoolError::Busy));
        drop(release);
        assert_eq!(held.await.unwrap(), Ok(()));
        assert_eq!(queued.await.unwrap(), Ok(8));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn work_whose_client_has_gone_is_never_begun() {
        let pool = Arc::new(Pool::new(1, 1, 1).unwrap());
        let (release, held) = hold(&pool);
        let (begun, has_begun) = mpsc::channel();
        let impatient = pool.run(Lane::Long, move || begun.send(()));
        assert!(tokio::time::timeout(Duration::from_millis(20), impatient).await.is_err());
        assert_eq!(pool.waiting(Lane::Long), 0, "its place in the queue is free at once");
        drop(release);
        assert_eq!(held.await.unwrap(), Ok(()));
        assert!(has_begun.recv().is_err());
    }

    #[tokio::test]
    async fn a_panic_costs_one_answer_only() {
        let pool = Pool::new(1, 4, 4).unwrap();
        assert_eq!(pool.run(Lane::Short, || panic!("on purpose")).await, Err::<(), _>(PoolError::Panicked));
        assert_eq!(pool.run(Lane::Short, || 3).await, Ok(3));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn stopping_refuses_what_has_not_begun() {
        let pool = Arc::new(Pool::new(1, 4, 4).unwrap());
        let (release, held) = hold(&pool);
        let queued = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.run(Lane::Long, || 8).await }
        });
        while pool.waiting(Lane::Long) == 0 {
            tokio::task::yield_now().await;
        }
        pool.long.stop();
        assert_eq!(queued.await.unwrap(), Err(PoolError::Stopped));
        drop(release);
        assert_eq!(held.await.unwrap(), Ok(()), "what was running is finished");
        assert_eq!(pool.run(Lane::Long, || 1).await, Err(PoolError::Stopped));
    }
}
