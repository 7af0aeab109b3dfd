//! Who is connected, and who goes first when there is no room.
//!
//! A client that keeps a connection and says nothing holds a place. When all places are taken, the
//! connection that has waited longest for its request gives way to the next one, so no number of
//! slow clients keeps others out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// One client's connection, as its requests see it.
#[derive(Clone, Debug)]
pub(crate) struct Connection(Arc<Place>);

#[derive(Debug)]
struct Place {
    state: Mutex<State>,
    give_way: Notify,
}

#[derive(Clone, Copy, Debug)]
struct State {
    phase: Phase,
    since: Instant,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Phase {
    /// Its request is not complete.
    Waiting,
    /// It is being answered.
    Answering,
    /// A long answer with its own bound.
    Streaming,
}

impl Connection {
    fn new() -> Self {
        let state = State { phase: Phase::Waiting, since: Instant::now() };
        Self(Arc::new(Place { state: Mutex::new(state), give_way: Notify::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, phase: Phase) {
        *self.state() = State { phase, since: Instant::now() };
    }

    /// The request is complete.
    pub(crate) fn is_answering(&self) {
        self.enter(Phase::Answering);
    }

    /// The answer takes as long as its own bound allows.
    pub(crate) fn is_streaming(&self) {
        self.enter(Phase::Streaming);
    }

    /// The answer is out.
    pub(crate) fn is_waiting(&self) {
        self.enter(Phase::Waiting);
    }

    /// Waits until the connection must give way.
    pub(crate) async fn must_give_way(&self) {
        self.0.give_way.notified().await;
    }

    /// Since when it could give way; nothing while it is answered within its time.
    fn idle_since(&self, longest_answer: Duration) -> Option<Instant> {
        let state = *self.state();
        match state.phase {
            Phase::Waiting => Some(state.since),
            // A client that does not read its answer holds a place too.
            Phase::Answering => (state.since.elapsed() > longest_answer).then_some(state.since),
            Phase::Streaming => None,
        }
    }
}

/// All connections.
#[derive(Debug)]
pub(crate) struct Connections {
    open: Mutex<Open>,
    most: usize,
    longest_answer: Duration,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    connections: HashMap<u64, Connection>,
}

/// The place of a connection, free again when this is dropped.
pub(crate) struct Seat {
    all: Arc<Connections>,
    id: u64,
    pub(crate) connection: Connection,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.all.lock().connections.remove(&self.id);
    }
}

impl Connections {
    pub(crate) fn new(most: usize, longest_answer: Duration) -> Arc<Self> {
        Arc::new(Self { open: Mutex::default(), most: most.max(1), longest_answer })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().connections.len()
    }

    /// A place for a new connection; nothing when all others are being answered.
    pub(crate) fn seat(self: &Arc<Self>) -> Option<Seat> {
        let mut open = self.lock();
        if open.connections.len() >= self.most && !self.send_one_away(&mut open) {
            return None;
        }
        let id = open.next;
        open.next += 1;
        let connection = Connection::new();
        open.connections.insert(id, connection.clone());
        Some(Seat { all: Arc::clone(self), id, connection })
    }

    /// Frees the place of the connection that has waited longest.
    pub(crate) fn make_room(&self) -> bool {
        self.send_one_away(&mut self.lock())
    }

    fn send_one_away(&self, open: &mut Open) -> bool {
        let idle = open.connections.iter().filter_map(|(&id, connection)| {
            connection.idle_since(self.longest_answer).map(|since| (since, id))
        });
        let Some((_, id)) = idle.min() else { return false };
        if let Some(connection) = open.connections.remove(&id) {
            connection.0.give_way.notify_one();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn gave_way(seat: &Seat) -> bool {
        use std::pin::pin;
        use std::task::{Context, Poll, Waker};
        let mut waiting = pin!(seat.connection.must_give_way());
        let mut context = Context::from_waker(Waker::noop());
        matches!(waiting.as_mut().poll(&mut context), Poll::Ready(()))
    }

    #[test]
    fn the_one_that_waited_longest_gives_way() {
        let all = Connections::new(2, LONG);
        let first = all.seat().unwrap();
        let second = all.seat().unwrap();
        assert!(!gave_way(&first) && !gave_way(&second));
        let third = all.seat().unwrap();
        assert!(gave_way(&first) && !gave_way(&second) && !gave_way(&third));
        assert_eq!(all.count(), 2);
        drop(first);
        assert_eq!(all.count(), 2, "its place was given away already");
        drop(second);
        assert_eq!(all.count(), 1);
    }

    #[test]
    fn an_answer_under_way_is_not_cut_for_a_newcomer() {
        let all = Connections::new(1, LONG);
        let busy = all.seat().unwrap();
        busy.connection.is_answering();
        assert!(all.seat().is_none() && !gave_way(&busy));
        busy.connection.is_streaming();
        assert!(all.seat().is_none());
        busy.connection.is_waiting();
        assert!(all.seat().is_some() && gave_way(&busy));
    }

    #[test]
    fn a_client_that_does_not_take_its_answer_gives_way_after_a_time() {
        let all = Connections::new(1, Duration::ZERO);
        let deaf = all.seat().unwrap();
        deaf.connection.is_answering();
        std::thread::sleep(Duration::from_millis(2));
        assert!(all.seat().is_some() && gave_way(&deaf));
    }
}
