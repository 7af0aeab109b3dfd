//! Measures the server: `cargo run --locked --release` in this folder, about ten minutes; with names (small, flood, slow,
//! memory) only these parts.
//!
//! Ratios are taken in one run, in turns, against a bare axum handler that returns the same bytes, so that they hold on
//! a busy machine too.

mod load;

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use bitmesh_server::{Bound, Options};
use serde_json::json;

use crate::load::{Client, Seen, get, load, post};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
/// Its proof and its decision look at as many positions as they may.
const HARD: &str = "8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1";
const ROUNDS: usize = 7;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let server = start_server();
    let ordinary = post("/api/v1/certify", &json!({ "fen": WALL }).to_string());
    if is_wanted("small") {
        small_answers(server, start_bare(document()), &ordinary);
    }
    if is_wanted("flood") {
        flood(server);
    }
    if is_wanted("slow") {
        slow_connections(server);
    }
    if is_wanted("memory") {
        memory(server, &ordinary);
    }
}

fn start_server() -> SocketAddr {
    let mut options = Options::default();
    options.address.set_port(0);
    let server = Bound::new(options).expect("an address");
    let address = server.address();
    thread::spawn(move || server.run(|| {}, std::future::pending()));
    address
}

/// The answer to the ordinary question, as the library gives it.
fn document() -> Vec<u8> {
    let assessment = bitmesh::Assessment::read(WALL).expect("a position");
    let mut bytes = serde_json::to_vec(&assessment.document(None)).expect("a document");
    bytes.push(b'\n');
    bytes
}

/// A handler that reads the question and returns the same bytes.
fn start_bare(bytes: Vec<u8>) -> SocketAddr {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let bytes: &'static [u8] = bytes.leak();
            let handler = move |_: axum::body::Bytes| async move { bytes };
            let router = axum::Router::new().route("/api/v1/certify", axum::routing::post(handler));
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("an address");
            sender.send(listener.local_addr().expect("an address")).expect("a listener");
            axum::serve(listener, router).await.expect("a server");
        });
    });
    receiver.recv().expect("the address of the bare server")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn micros(time: Duration) -> String {
    format!("{:.0} µs", time.as_secs_f64() * 1e6)
}

/// Requests a second and times, beside the bare handler and the cost of the call in the library.
fn small_answers(server: SocketAddr, bare: SocketAddr, request: &[u8]) {
    let began = Instant::now();
    let calls = 5_000;
    for _ in 0..calls {
        assert!(!document().is_empty());
    }
    println!("the call in the library: {}\n", micros(began.elapsed() / calls));
    println!(
        "| connections | requests a second | of the bare handler | p50 | p99 | p99 of the bare handler |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    for connections in [1, 16, 256] {
        let (mut rates, mut ratios) = (Vec::new(), Vec::new());
        let mut last = [Seen::default(), Seen::default()];
        for _ in 0..ROUNDS {
            let ours = load(server, request, connections, Duration::from_secs(1), usize::MAX);
            let theirs = load(bare, request, connections, Duration::from_secs(1), usize::MAX);
            assert_eq!((ours.other_statuses, theirs.other_statuses), (0, 0));
            rates.push(ours.per_second());
            ratios.push(ours.per_second() / theirs.per_second());
            last = [ours, theirs];
        }
        let [ours, theirs] = last;
        println!(
            "| {connections} | {:.0} | {:.2} | {} | {} | {} |",
            median(rates),
            median(ratios),
            micros(ours.quantile(0.5)),
            micros(ours.quantile(0.99)),
            micros(theirs.quantile(0.99))
        );
    }
    println!();
}

/// Times of short answers while others ask for the longest proofs that they may.
fn flood(server: SocketAddr) {
    let hard = post("/api/v1/prove", &json!({ "fen": HARD }).to_string());
    let questions = [
        ("/healthz", get("/healthz")),
        ("certify", post("/api/v1/certify", &json!({ "fen": WALL }).to_string())),
        (
            "decide",
            post(
                "/api/v1/decide",
                &json!({ "fen": "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3" })
                    .to_string(),
            ),
        ),
    ];
    println!("| | p99 alone | p99 under a flood of 32 connections | ratio (median of {ROUNDS}) |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, request) in questions {
        let (mut alone, mut flooded, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let calm = load(server, &request, 4, Duration::from_secs(1), usize::MAX);
            let stop = AtomicBool::new(false);
            let storm = thread::scope(|scope| {
                for _ in 0..32 {
                    scope.spawn(|| {
                        let mut client = Client::connect(server).expect("a connection");
                        while !stop.load(Ordering::Relaxed) {
                            let status = client.ask(&hard).expect("an answer");
                            assert!([200, 503, 504].contains(&status), "{status}");
                        }
                    });
                }
                thread::sleep(Duration::from_millis(300));
                let seen = load(server, &request, 4, Duration::from_secs(1), usize::MAX);
                stop.store(true, Ordering::Relaxed);
                seen
            });
            assert_eq!((calm.other_statuses, storm.other_statuses), (0, 0));
            let [before, during] = [calm, storm].map(|seen| seen.quantile(0.99).as_secs_f64());
            alone.push(before);
            flooded.push(during);
            ratios.push(during / before);
        }
        let time = |values| micros(Duration::from_secs_f64(median(values)));
        println!("| {name} | {} | {} | {:.1} |", time(alone), time(flooded), median(ratios));
    }
    println!();
}

/// Ten thousand connections that send a byte a second.
fn slow_connections(server: SocketAddr) {
    const MOST: usize = 10_000;
    let mut slow = Vec::new();
    let mut times = Vec::new();
    let health = |times: &mut Vec<Duration>| {
        let asked = Instant::now();
        let status = Client::connect(server).and_then(|mut client| client.ask(&get("/healthz")));
        assert_eq!(status.expect("an answer"), 200);
        times.push(asked.elapsed());
    };
    while slow.len() < MOST {
        for _ in 0..500 {
            slow.push(TcpStream::connect(server).expect("a connection"));
        }
        health(&mut times);
    }
    let head = b"GET /healthz HTTP/1.1\r\n";
    for byte in &head[..10] {
        let began = Instant::now();
        for stream in &mut slow {
            // The server has sent most of them away.
            let _ = stream.write_all(&[*byte]);
        }
        while began.elapsed() < Duration::from_secs(1) {
            health(&mut times);
            thread::sleep(Duration::from_millis(20));
        }
    }
    times.sort_unstable();
    println!(
        "{MOST} slow connections: all {} others were answered, in {} at the median and {} at most\n",
        times.len(),
        micros(times[times.len() / 2]),
        micros(times[times.len() - 1])
    );
}

/// Memory of this process, server and clients together, in kilobytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

fn memory(server: SocketAddr, request: &[u8]) {
    println!("| requests | memory of server and clients |");
    println!("| ---: | ---: |");
    for round in 1..=10 {
        let seen = load(server, request, 16, Duration::from_secs(600), 100_000);
        assert_eq!(seen.other_statuses, 0);
        drop(seen);
        println!("| {}00,000 | {} MB |", round, resident() / 1024);
    }
}
