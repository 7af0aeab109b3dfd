//! Waiting so that other threads of Python run and Ctrl-C is heard.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;

/// How long Python is not asked for signals.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Polls without the GIL until there is something, and asks for signals in between.
///
/// # Errors
///
/// What a signal handler raises, as a rule `KeyboardInterrupt`.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    mut poll: impl FnMut(Duration) -> Option<T> + Send,
) -> PyResult<T> {
    loop {
        py.check_signals()?;
        if let Some(value) = py.detach(|| poll(PATIENCE)) {
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

/// A lock that a panicking thread does not take away from the others.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
