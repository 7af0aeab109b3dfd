//! What is counted, for `/metrics`.

use std::fmt;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Answered {
    /// The route as it is declared, never the path in the request: a stranger must not make new series.
    route: &'static str,
    status: u16,
}

#[derive(Clone, Debug, EncodeLabelSet, Eq, Hash, PartialEq)]
struct Route {
    route: &'static str,
}

/// The counters of one server.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    answers: Family<Answered, Counter>,
    seconds: Family<Route, Histogram>,
    connections: Gauge,
    turned_away: Counter,
    waiting_short: Gauge,
    waiting_long: Gauge,
    scans: Gauge,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("bitmesh");
        // 100 µs to 26 s, each four times the one before.
        let seconds: Family<Route, Histogram> =
            Family::new_with_constructor(|| Histogram::new(exponential_buckets(1e-4, 4.0, 10)));
        let metrics = Self {
            answers: Family::default(),
            seconds,
            connections: Gauge::default(),
            turned_away: Counter::default(),
            waiting_short: Gauge::default(),
            waiting_long: Gauge::default(),
            scans: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("answers", "Answers by route and status", metrics.answers.clone());
        registry.register(
            "answer_seconds",
            "Time from the head of a request to the head of its answer",
            metrics.seconds.clone(),
        );
        registry.register("connections", "Open connections", metrics.connections.clone());
        registry.register(
            "connections_turned_away",
            "Connections that found no place",
            metrics.turned_away.clone(),
        );
        registry.register(
            "waiting_short",
            "Short answers that wait for a worker",
            metrics.waiting_short.clone(),
        );
        registry.register(
            "waiting_long",
            "Long answers that wait for a worker",
            metrics.waiting_long.clone(),
        );
        registry.register("scans", "Scans under way", metrics.scans.clone());
        Self { registry, ..metrics }
    }

    pub(crate) fn answered(&self, route: &'static str, status: u16, time: Duration) {
        self.answers.get_or_create(&Answered { route, status }).inc();
        self.seconds.get_or_create(&Route { route }).observe(time.as_secs_f64());
    }

    pub(crate) fn turned_away(&self) {
        self.turned_away.inc();
    }

    /// The text that is scraped.
    pub(crate) fn text(&self, now: Now) -> Result<String, fmt::Error> {
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        self.connections.set(number(now.connections));
        self.waiting_short.set(number(now.waiting_short));
        self.waiting_long.set(number(now.waiting_long));
        self.scans.set(number(now.scans));
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// What is measured only when it is scraped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub(crate) connections: usize,
    pub(crate) waiting_short: usize,
    pub(crate) waiting_long: usize,
    pub(crate) scans: usize,
}
