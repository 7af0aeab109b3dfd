//! What the server allows, each with its default.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use bitmesh::decision::Effort;
use bitmesh::persistent::Bound;

/// The bounds of a server. Every one has its own status and code, see `docs/server.md`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a request's body, except for a scan.
    pub body: usize,
    /// Bytes of a collection that is scanned.
    pub scan_body: u64,
    /// Bytes of the text of one position.
    pub text: usize,
    /// Positions that one proof may look at.
    pub positions: u32,
    /// Positions that one decision may look at, for each colour.
    pub effort: u32,
    /// Time for one answer, waiting included.
    pub answer_time: Duration,
    /// Time for one scan.
    pub scan_time: Duration,
    /// Time for the head of a request.
    pub header_time: Duration,
    /// Time for the body of a request; for a scan, time between two pieces of it.
    pub body_time: Duration,
    /// Time that running answers get when the server is told to stop.
    pub stop_time: Duration,
    /// Threads that compute answers, apart from scans.
    pub workers: NonZeroUsize,
    /// Long answers that wait for a worker: proofs, verifications, decisions that take more than little effort, pictures
    /// as pixels. Short ones are bounded by the connections.
    pub queue: usize,
    /// Scans at once.
    pub scans: usize,
    /// Connections at once.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 1 << 20,
            scan_body: 64 << 20,
            text: 16 << 10,
            positions: Bound::default().get(),
            effort: Effort::default().get(),
            answer_time: Duration::from_secs(10),
            scan_time: Duration::from_secs(300),
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(10),
            stop_time: Duration::from_secs(10),
            workers: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            queue: 64,
            scans: 2,
            connections: 512,
        }
    }
}
