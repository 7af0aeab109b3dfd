//! Clients that ask as fast as they are answered.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A request as bytes, with the field that keeps the connection.
pub(crate) fn post(path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

pub(crate) fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").into_bytes()
}

/// One connection that is used again and again.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Self { stream, buffer: Vec::new() })
    }

    /// Sends a request and reads its answer; the status.
    pub(crate) fn ask(&mut self, request: &[u8]) -> io::Result<u16> {
        self.stream.write_all(request)?;
        self.buffer.clear();
        let mut piece = [0; 16 << 10];
        loop {
            let count = self.stream.read(&mut piece)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.buffer.extend_from_slice(&piece[..count]);
            if let Some(whole) = self.whole() {
                return whole;
            }
        }
    }

    fn whole(&self) -> Option<io::Result<u16>> {
        let end = self.buffer.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = str::from_utf8(&self.buffer[..end]).unwrap_or_default();
        let field = |line: &str| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        };
        let Some(length) = head.lines().find_map(field) else {
            return Some(Err(io::Error::other("an answer without a length")));
        };
        let status = head.get(9..12).and_then(|status| status.parse().ok()).unwrap_or(0);
        (self.buffer.len() >= end + 4 + length).then_some(Ok(status))
    }
}

/// What a number of clients saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) answers: usize,
    pub(crate) other_statuses: usize,
    pub(crate) seconds: f64,
    latencies: Vec<Duration>,
}

impl Seen {
    pub(crate) fn per_second(&self) -> f64 {
        self.answers as f64 / self.seconds
    }

    /// The time below which this part of the answers came.
    pub(crate) fn quantile(&self, part: f64) -> Duration {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        sorted
            .get(((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    }

    fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.other_statuses += other.other_statuses;
        self.seconds = self.seconds.max(other.seconds);
        self.latencies.extend(other.latencies);
    }
}

/// Asks over so many connections at once, for a time or until so many answers have come.
pub(crate) fn load(
    address: SocketAddr,
    request: &[u8],
    connections: usize,
    time: Duration,
    most: usize,
) -> Seen {
    let stop = AtomicBool::new(false);
    let mut seen = Seen::default();
    thread::scope(|scope| {
        let clients: Vec<_> = (0..connections)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Seen::default();
                    let mut client = Client::connect(address).expect("a connection");
                    let began = Instant::now();
                    while !stop.load(Ordering::Relaxed) && mine.answers < most / connections {
                        let asked = Instant::now();
                        let status = client.ask(request).expect("an answer");
                        mine.latencies.push(asked.elapsed());
                        mine.answers += 1;
                        mine.other_statuses += usize::from(status != 200);
                    }
                    mine.seconds = began.elapsed().as_secs_f64();
                    mine
                })
            })
            .collect();
        let began = Instant::now();
        while began.elapsed() < time && clients.iter().any(|client| !client.is_finished()) {
            thread::sleep(Duration::from_millis(5));
        }
        stop.store(true, Ordering::Relaxed);
        for client in clients {
            seen.add(client.join().expect("a client that ends well"));
        }
    });
    seen
}
