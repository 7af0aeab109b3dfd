//! Whole collections: lines in, rows out as they come.

use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bitmesh::decision::Effort;
use bitmesh::persistent::Bound;
use bitmesh_corpus::{
    Audit, AuditCell, AuditTable, Claim, Collect, Column, Counts, Format, Inputs, JsonLines, Options, Remark,
    Scan, ScanError, Step, prepare_audit,
};
use bytes::{Buf as _, Bytes};
use futures_core::Stream;
use http_body_util::BodyExt as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;

use crate::body::check_length;
use crate::connections::Connection;
use crate::limits::Limits;
use crate::message::{query, typed};
use crate::problem::Problem;
use crate::shared::Server;

/// The options of `bitmesh scan` that have a meaning for one stream.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Asked {
    format: Option<String>,
    column: Option<String>,
    delimiter: Option<char>,
    #[serde(default)]
    first_move: bool,
    #[serde(default)]
    variations: bool,
    only: Option<String>,
    #[serde(default)]
    unique: bool,
    #[serde(default)]
    odds_castling: bool,
    /// Names with commas between them.
    tags: Option<String>,
    columns: Option<String>,
    #[serde(default)]
    rest: bool,
    #[serde(default)]
    offset: bool,
    positions: Option<u32>,
    decide: Option<u32>,
    /// Ends the rows with one more line, which says that they are complete and what was noticed.
    #[serde(default)]
    end: bool,
}

impl Asked {
    fn options(&self, limits: &Limits) -> Result<Options, Problem> {
        let wrong = |error: &dyn std::fmt::Display| Problem::malformed(error.to_string());
        let mut options = Options::default();
        options.threads = NonZeroUsize::MIN;
        options.first_move = self.first_move;
        options.variations = self.variations;
        options.unique = self.unique;
        options.odds_castling = self.odds_castling;
        options.extra.tags = names(self.tags.as_deref());
        options.extra.columns = names(self.columns.as_deref());
        options.extra.rest = self.rest;
        options.extra.offset = self.offset;
        options.extra.check().map_err(|error| wrong(&error))?;
        options.positions = within(self.positions, limits.positions)?.map(Bound::nodes);
        options.decide = within(self.decide, limits.effort)?.map(Effort::positions);
        options.extra.decisions = options.decide.is_some();
        if let Some(name) = &self.format {
            options.format = Some(name.parse::<Format>().map_err(|error| wrong(&error))?);
        }
        if let Some(name) = &self.column {
            options.column = Some(name.parse::<Column>().map_err(|error| wrong(&error))?);
        }
        if let Some(delimiter) = self.delimiter {
            let byte =
                u8::try_from(delimiter).ok().filter(|byte| byte.is_ascii() && !b"\"\r\n".contains(byte));
            options.delimiter =
                Some(byte.ok_or_else(|| Problem::malformed("a delimiter is one ASCII character"))?);
        }
        if let Some(claims) = &self.only {
            let claims = claims.split(',').map(|name| name.parse::<Claim>().map_err(|error| wrong(&error)));
            let claims = claims.collect::<Result<Vec<_>, _>>()?;
            if let Some(claim) = claims.iter().find(|claim| claim.needs_decisions() && self.decide.is_none())
            {
                return Err(Problem::malformed(format!("`only={claim}` needs `decide`")));
            }
            options.only = Some(claims.into_iter().collect());
        }
        Ok(options)
    }
}

/// Rows grow with every name.
const MOST_NAMES: usize = 64;

fn names(list: Option<&str>) -> Vec<String> {
    let names = list.into_iter().flat_map(|list| list.split(',')).filter(|name| !name.is_empty());
    names.take(MOST_NAMES).map(str::to_owned).collect()
}

/// The name of the stream in rows: what the command calls standard input.
const SOURCE: &str = "-";

pub(crate) async fn scan(State(server): State<Arc<Server>>, request: Request) -> Result<Response, Problem> {
    let asked: Asked = query(&request)?;
    let options = asked.options(&server.limits)?;
    stream(server, request, options, asked.end, JsonLines::new, |rows| rows)
}

/// The options of `bitmesh audit` that have a meaning for one stream.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedOfAudit {
    tags: Option<String>,
    effort: Option<u32>,
    #[serde(default)]
    end: bool,
}

pub(crate) async fn audit(State(server): State<Arc<Server>>, request: Request) -> Result<Response, Problem> {
    let asked: AskedOfAudit = query(&request)?;
    let mut options = Options::default();
    options.threads = NonZeroUsize::MIN;
    options.format = Some(Format::Pgn);
    options.decide =
        within(asked.effort.or(Some(server.limits.effort)), server.limits.effort)?.map(Effort::positions);
    prepare_audit(&mut options, &names(asked.tags.as_deref()));
    let table = AuditTable::new(&options).map_err(|error| Problem::malformed(error.to_string()))?;
    let bytes = move |rows: Vec<Vec<AuditCell>>| table.json_lines(&rows);
    stream(server, request, options, asked.end, Audit::new, bytes)
}

/// The number in the request, never silently less.
fn within(asked: Option<u32>, most: u32) -> Result<Option<u32>, Problem> {
    match asked {
        Some(asked) if asked > most => Err(Problem::too_many_positions(most)),
        asked => Ok(asked),
    }
}

/// Answers with the rows of a scan of the body, as they come.
fn stream<C: Collect>(
    server: Arc<Server>,
    request: Request,
    options: Options,
    end: bool,
    collector: impl Fn() -> C,
    bytes: impl Fn(C::Block) -> Vec<u8> + Send + 'static,
) -> Result<Response, Problem> {
    check_length(request.headers(), server.limits.scan_body)?;
    let permit = Arc::clone(&server.scans).try_acquire_owned();
    let permit = permit.map_err(|_| Problem::busy("too many scans are under way"))?;
    if let Some(connection) = request.extensions().get::<Connection>() {
        connection.is_streaming();
    }

    let (pieces, reader) = mpsc::channel(4);
    let mut inputs = Inputs::new();
    inputs.add_reader(SOURCE, Box::new(Pieces { receiver: reader, current: Bytes::new() }));
    let scan = Scan::start(inputs, options, collector).map_err(failed)?;

    let (rows, answer) = mpsc::channel(4);
    let limits = server.limits;
    tokio::spawn(feed(request.into_body(), pieces, rows.clone(), limits.body_time, limits.scan_body));
    let run = Run { _permit: permit, scan, bytes, rows, server, end };
    let thread = thread::Builder::new().name("scan-rows".to_owned());
    thread.spawn(move || run.run()).map_err(|error| failed(ScanError::Thread { error }))?;
    Ok(typed(Body::from_stream(Rows { receiver: answer, is_whole: false }), "application/x-ndjson"))
}

fn failed(error: ScanError) -> Problem {
    Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error.code(), error.to_string())
}

/// Brings the body to the scan, piece by piece, until the client has gone.
async fn feed(
    mut body: Body,
    pieces: mpsc::Sender<io::Result<Bytes>>,
    rows: mpsc::Sender<io::Result<Bytes>>,
    patience: Duration,
    most: u64,
) {
    let mut read = 0;
    let next = async {
        loop {
            let piece = match timeout(patience, body.frame()).await {
                Err(_) => Err(io::Error::other(format!("nothing came for {} seconds", patience.as_secs()))),
                Ok(None) => return,
                Ok(Some(Err(_))) => Err(io::Error::other("the body was cut off")),
                Ok(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => Ok(data),
                    // Trailers are not looked at.
                    Err(_) => continue,
                },
            };
            let piece = piece.and_then(|data| {
                read += data.len() as u64;
                if read > most {
                    return Err(io::Error::other(format!("the body is larger than {most} bytes")));
                }
                Ok(data)
            });
            let is_last = piece.is_err();
            if pieces.send(piece).await.is_err() || is_last {
                return;
            }
        }
    };
    tokio::select! {
        () = next => {}
        () = rows.closed() => {}
    }
}

/// The body as the scan reads it.
struct Pieces {
    receiver: mpsc::Receiver<io::Result<Bytes>>,
    current: Bytes,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() {
            match self.receiver.blocking_recv() {
                Some(piece) => self.current = piece?,
                None => return Ok(0),
            }
        }
        let count = buffer.len().min(self.current.len());
        self.current.copy_to_slice(&mut buffer[..count]);
        Ok(count)
    }
}

/// The rows as the answer sends them. An empty piece says that they are complete.
struct Rows {
    receiver: mpsc::Receiver<io::Result<Bytes>>,
    is_whole: bool,
}

impl Stream for Rows {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.is_whole {
            return Poll::Ready(None);
        }
        self.receiver.poll_recv(context).map(|piece| match piece {
            Some(Ok(piece)) if piece.is_empty() => {
                self.is_whole = true;
                None
            }
            // The thread of the scan is gone without a message: what came is not complete.
            None => Some(Err(io::Error::other("the scan ended early"))),
            piece => piece,
        })
    }
}

/// A scan under way, on its own thread. When its answer ends, there is room for the next one.
struct Run<B, F> {
    _permit: OwnedSemaphorePermit,
    scan: Scan<B>,
    bytes: F,
    rows: mpsc::Sender<io::Result<Bytes>>,
    server: Arc<Server>,
    end: bool,
}

/// How many remarks the last line holds.
const REMARKS: usize = 20;

impl<B: Send + 'static, F: Fn(B) -> Vec<u8>> Run<B, F> {
    fn run(mut self) {
        let deadline = Instant::now() + self.server.limits.scan_time;
        let mut counts = Counts::default();
        let mut remarks = Vec::new();
        loop {
            if self.rows.is_closed() {
                return;
            }
            // Cut off without its last piece, the answer cannot be taken for a whole one.
            if Instant::now() >= deadline {
                let _ = self.rows.blocking_send(Err(io::Error::other("the time for a scan is over")));
                return;
            }
            if self.server.is_stopping() {
                let _ = self.rows.blocking_send(Err(io::Error::other("the server is stopping")));
                return;
            }
            match self.scan.step(Duration::from_millis(50)) {
                Ok(Step::Block(block)) => {
                    counts.add(&block.counts);
                    remarks.extend(block.remarks.into_iter().take(REMARKS - remarks.len()));
                    let bytes = (self.bytes)(block.rows);
                    if !bytes.is_empty() && self.rows.blocking_send(Ok(bytes.into())).is_err() {
                        return;
                    }
                }
                Ok(Step::Waiting) => {}
                Ok(Step::Finished) => break,
                Err(error) => {
                    let _ = self.rows.blocking_send(Err(io::Error::other(error)));
                    return;
                }
            }
        }
        if self.end {
            let mut line = Vec::new();
            let document = end(&counts, &remarks);
            bitmesh_corpus::write_json(&mut line, &document).expect("writing to memory does not fail");
            line.push(b'\n');
            if self.rows.blocking_send(Ok(line.into())).is_err() {
                return;
            }
        }
        let Self { _permit: permit, rows, .. } = self;
        drop(permit);
        let _ = rows.blocking_send(Ok(Bytes::new()));
    }
}

fn end(counts: &Counts, remarks: &[Remark]) -> Value {
    let remark = |remark: &Remark| {
        json!({
            "kind": if remark.is_error { "error" } else { "notice" },
            "code": remark.code,
            "message": remark.message,
            "count": remark.count,
            "line": remark.place.line,
            "game": remark.place.game,
            "ply": remark.place.ply,
        })
    };
    json!({
        "schema": "bitmesh.scan-end.v1",
        "counts": counts,
        "remarks": remarks.iter().map(remark).collect::<Vec<_>>(),
    })
}
