//! What the requests share.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use tokio::sync::{Semaphore, watch};

use crate::connections::Connections;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::options::Options;
use crate::pool::Pool;

/// The state of one server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) limits: Limits,
    pub(crate) pool: Pool,
    pub(crate) metrics: Metrics,
    pub(crate) connections: Arc<Connections>,
    pub(crate) scans: Arc<Semaphore>,
    /// Turns true when the server is told to stop.
    pub(crate) stopping: watch::Sender<bool>,
    pub(crate) guard: Guard,
    /// How many requests there were.
    pub(crate) requests: AtomicU64,
}

impl Server {
    pub(crate) fn new(options: &Options, address: IpAddr) -> io::Result<Self> {
        let limits = options.limits;
        let longest = limits.answer_time + limits.body_time;
        Ok(Self {
            limits,
            // A connection has one question at a time: no more short answers than connections can wait.
            pool: Pool::new(limits.workers.get(), limits.connections, limits.queue)?,
            metrics: Metrics::new(),
            connections: Connections::new(limits.connections, longest),
            scans: Arc::new(Semaphore::new(limits.scans)),
            stopping: watch::Sender::new(false),
            guard: Guard::new(address, &options.hosts, &options.origins),
            requests: AtomicU64::new(0),
        })
    }

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    pub(crate) fn scans_under_way(&self) -> usize {
        self.limits.scans - self.scans.available_permits()
    }
}
