//! The end of Python, and threads that are in this module when it comes.
//!
//! At its end Python stops every thread but one at the moment when it asks for the GIL, by unwinding its stack. Frames
//! of Rust cannot be unwound so, and the process is brought down. So an exit handler asks the calls of other threads to
//! leave and waits for them; a thread that gives up the GIL later does not ask for it again.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;

/// Whether calls are to leave, and whether they have had the time for it.
static ENDING: AtomicBool = AtomicBool::new(false);
static ENDED: AtomicBool = AtomicBool::new(false);

/// How many calls may ask for the GIL.
static STAYS: AtomicUsize = AtomicUsize::new(0);

/// How long the end of Python waits for calls that do not answer, because Python code in them does not.
const FAREWELL: Duration = Duration::from_secs(2);

/// The same for those that are about to stop for ever.
const LAST: Duration = Duration::from_millis(100);

thread_local! {
    /// Whether this thread ends Python. It may go on: other exit handlers come after ours.
    static ENDS_PYTHON: Cell<bool> = const { Cell::new(false) };
}

fn must_leave() -> bool {
    ENDING.load(Ordering::SeqCst) && !ENDS_PYTHON.get()
}

/// A stay in Python, or between two: the end of Python waits for it.
///
/// Python must be attached when it is dropped, and not be asked to run code afterwards.
pub(crate) struct Stay;

impl Stay {
    fn count() -> Self {
        STAYS.fetch_add(1, Ordering::SeqCst);
        Self
    }

    /// Begins a stay; nothing when Python is ending.
    pub(crate) fn begin() -> Option<Self> {
        let stay = Self::count();
        (!must_leave()).then_some(stay)
    }

    /// The same for a call of Python.
    ///
    /// # Errors
    ///
    /// `SystemExit` when Python is ending: it ends a thread without a word.
    pub(crate) fn enter() -> PyResult<Self> {
        Self::begin().ok_or_else(leaving)
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        // A process that was forked off has forgotten the stays of the other one.
        let _ = STAYS.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |stays| Some(stays.saturating_sub(1)));
    }
}

fn leaving() -> PyErr {
    PySystemExit::new_err(())
}

/// Whether a call may go on.
///
/// # Errors
///
/// `SystemExit` when Python is ending and this thread must not be in it.
pub(crate) fn check() -> PyResult<()> {
    if must_leave() { Err(leaving()) } else { Ok(()) }
}

/// Does something without the GIL, and asks for it again only while there is a Python.
pub(crate) fn detach<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    let _stay = Stay::count();
    py.detach(|| {
        let done = work();
        if ENDED.load(Ordering::SeqCst) && !ENDS_PYTHON.get() {
            drop(Stay);
            loop {
                thread::park();
            }
        }
        done
    })
}

fn wait_for_stays(patience: Duration) {
    let start = Instant::now();
    while STAYS.load(Ordering::SeqCst) > 0 && start.elapsed() < patience {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Called when Python ends: calls of other threads leave, and those that stay do not come back.
#[pyfunction]
fn end(py: Python<'_>) {
    ENDS_PYTHON.set(true);
    ENDING.store(true, Ordering::SeqCst);
    py.detach(|| {
        wait_for_stays(FAREWELL);
        ENDED.store(true, Ordering::SeqCst);
        wait_for_stays(LAST);
    });
}

/// Called in a process that was forked off: the calls of other threads are not in it.
#[pyfunction]
fn forget() {
    STAYS.store(0, Ordering::SeqCst);
}

/// Sees to it that all this is called.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(end, module)?,))?;
    let system = py.import("os")?;
    // Not every system can fork.
    if system.hasattr("register_at_fork")? {
        let arguments = pyo3::types::PyDict::new(py);
        arguments.set_item("after_in_child", wrap_pyfunction!(forget, module)?)?;
        system.call_method("register_at_fork", (), Some(&arguments))?;
    }
    Ok(())
}
