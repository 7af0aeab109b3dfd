//! A server on a free port, and a client that sends exactly the bytes that it is told to.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bitmesh_server::{Bound, Limits, Options, ServeError};
use serde_json::Value;
use tokio::sync::oneshot;

/// Longer than anything here takes on a slow and busy machine, so that a hanging server fails a test and does not hold
/// it. Nothing else is measured in time: limits that a test is not about are set to `FOREVER`.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// A limit that is not met as long as a test waits.
pub(crate) const FOREVER: Duration = Duration::from_secs(3600);

pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl TestServer {
    pub(crate) fn start() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Limits)) -> Self {
        let mut options = Self::options();
        change(&mut options.limits);
        Self::with_options(options)
    }

    /// Options with limits of time that are never met.
    pub(crate) fn options() -> Options {
        let mut options = Options::default();
        let limits = &mut options.limits;
        let times =
            [&mut limits.answer_time, &mut limits.scan_time, &mut limits.header_time, &mut limits.body_time];
        times.into_iter().for_each(|time| *time = FOREVER);
        options
    }

    pub(crate) fn with_options(mut options: Options) -> Self {
        options.address.set_port(0);
        let server = Bound::new(options).unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            server.run(|| {}, async {
                let _ = stopped.await;
            })
        });
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Tells the server to stop.
    pub(crate) fn tell_to_stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until the server has stopped.
    pub(crate) fn join(mut self) -> Result<(), ServeError> {
        self.tell_to_stop();
        self.thread.take().unwrap().join().unwrap()
    }

    pub(crate) fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Client { stream, rest: Vec::new() }
    }

    pub(crate) fn send(&self, bytes: impl AsRef<[u8]>) -> Response {
        let mut client = self.connect();
        client.write(bytes).unwrap();
        client.read().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }

    pub(crate) fn post(&self, path: &str, content_type: &str, body: impl AsRef<[u8]>) -> Response {
        self.send(post(path, content_type, body.as_ref()))
    }

    pub(crate) fn ask(&self, question: &str, document: &Value) -> Response {
        self.post(&format!("/api/v1/{question}"), "application/json", document.to_string())
    }

    /// A number of `/metrics` that has no labels.
    pub(crate) fn gauge(&self, name: &str) -> usize {
        let metrics = self.get("/metrics");
        let mut lines = metrics.text().lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
        value.unwrap_or_else(|| panic!("{name} in {metrics:?}"))
    }

    /// The server still answers.
    pub(crate) fn assert_well(&self) {
        let answer = self.get("/healthz");
        assert_eq!((answer.status, answer.text()), (200, "ok\n"));
    }
}

/// Asks until the answer is yes.
///
/// # Panics
///
/// When it never becomes so.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "it never became true that {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.tell_to_stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(crate) fn post(path: &str, content_type: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    request.extend_from_slice(body);
    request
}

pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    rest: Vec<u8>,
}

impl Client {
    pub(crate) fn write(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.stream.write_all(bytes.as_ref())
    }

    /// Whether the server closes the connection, with or without an answer before.
    pub(crate) fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        match self.stream.read_to_end(&mut rest) {
            Ok(_) => true,
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }

    fn more(&mut self) -> io::Result<()> {
        let mut piece = [0; 4096];
        match self.stream.read(&mut piece)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            count => {
                self.rest.extend_from_slice(&piece[..count]);
                Ok(())
            }
        }
    }

    fn take(&mut self, count: usize) -> io::Result<Vec<u8>> {
        while self.rest.len() < count {
            self.more()?;
        }
        let rest = self.rest.split_off(count);
        Ok(std::mem::replace(&mut self.rest, rest))
    }

    pub(crate) fn line(&mut self) -> io::Result<String> {
        loop {
            if let Some(end) = self.rest.windows(2).position(|pair| pair == b"\r\n") {
                let line = self.take(end + 2)?;
                return Ok(String::from_utf8(line[..end].to_vec()).unwrap());
            }
            self.more()?;
        }
    }

    pub(crate) fn read_head(&mut self) -> io::Result<Response> {
        let status = self.line()?;
        let status =
            status.strip_prefix("HTTP/1.1 ").unwrap_or_else(|| panic!("{status:?}"))[..3].parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Ok(Response { status, headers, body: Vec::new() });
            }
            let (name, value) = line.split_once(": ").unwrap();
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
    }

    /// One chunk of a chunked body; nothing after the last.
    pub(crate) fn chunk(&mut self) -> io::Result<Option<Vec<u8>>> {
        let length = usize::from_str_radix(&self.line()?, 16).unwrap();
        let chunk = self.take(length)?;
        assert_eq!(self.line()?, "");
        Ok((length > 0).then_some(chunk))
    }

    pub(crate) fn read(&mut self) -> io::Result<Response> {
        let mut response = self.read_head()?;
        if response.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = self.chunk()? {
                response.body.extend(chunk);
            }
        } else if let Some(length) = response.header("content-length") {
            response.body = self.take(length.parse().unwrap())?;
        }
        Ok(response)
    }
}

#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The status and the code of a problem, which is one by its type and its form.
    pub(crate) fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let document = self.json();
        crate::schema::check("problem", &document);
        assert_eq!(document["status"], self.status);
        (self.status, document["code"].as_str().unwrap().to_owned())
    }
}
