//! Waiting so that other threads of Python run and Ctrl-C is heard.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::ending::{self, Stay, detach};
use crate::errors::bulk_error;

/// How long Python is not asked for signals.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Polls without the GIL until there is something, and asks for signals in between.
///
/// # Errors
///
/// What a signal handler raises, as a rule `KeyboardInterrupt`; and `SystemExit` at the end of Python.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    mut poll: impl FnMut(Duration) -> Option<T> + Send,
) -> PyResult<T> {
    let _stay = Stay::enter()?;
    loop {
        py.check_signals()?;
        ending::check()?;
        if let Some(value) = detach(py, || poll(PATIENCE)) {
            return Ok(value);
        }
    }
}

/// Waits for what a thread sends; nothing when all senders are gone.
///
/// # Errors
///
/// What a signal handler raises.
pub(crate) fn receive<T: Send>(py: Python<'_>, receiver: &mut Receiver<T>) -> PyResult<Option<T>> {
    // Moved as a whole, because a receiver may be handed to another thread but not shared with it.
    wait(py, move |patience| match receiver.recv_timeout(patience) {
        Ok(value) => Some(Some(value)),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(None),
    })
}

/// Does something in a thread of its own, so that Ctrl-C need not wait for it.
///
/// # Errors
///
/// What a signal handler raises, and when there is no thread to be had or it is lost.
pub(crate) fn aside<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    thread::Builder::new()
        .name("bitmesh".to_owned())
        .spawn(move || sender.send(work()))
        .map_err(|error| bulk_error(&format!("cannot start a thread: {error}"), "bulk/thread"))?;
    receive(py, &mut receiver)?.ok_or_else(lost)
}

/// A thread ended before its work was done.
pub(crate) fn lost() -> PyErr {
    bulk_error("a thread ended before its work was done", "bulk/worker-lost")
}

/// A lock that a panicking thread does not take away from the others.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work of so many nodes is over before it is worth to let another thread of Python run.
const SHORT: u32 = 50;

/// So many positions are followed within the patience of somebody who presses Ctrl-C.
pub(crate) const AT_ONCE: u32 = 10_000;

/// Does work that grows with a number of nodes: the shortest in one go, longer work while other threads of Python
/// run, and the longest so that Ctrl-C is heard.
///
/// To give up the GIL and to wait for it again takes longer than a proof by one witness.
pub(crate) fn work<T: Send + 'static>(
    py: Python<'_>,
    nodes: u32,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if nodes <= SHORT {
        Ok(work())
    } else if nodes <= AT_ONCE {
        Ok(detach(py, work))
    } else {
        aside(py, work)
    }
}
