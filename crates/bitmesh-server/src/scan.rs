//! Whole collections: lines in, rows out as they come.

use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bitmesh::decision::Effort;
use bitmesh::persistent::Bound;
use bitmesh_corpus::{
    Claim, Column, Counts, Format, Inputs, JsonLines, Options, Remark, Scan, ScanError, Step,
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
    /// Ends the rows with one more line, which says that they are all and what was noticed.
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
        let within = |asked: Option<u32>, most: u32| match asked {
            Some(asked) if asked > most => Err(Problem::too_many_positions(most)),
            asked => Ok(asked),
        };
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
    check_length(request.headers(), server.limits.scan_body)?;
    let permit = Arc::clone(&server.scans).try_acquire_owned();
    let permit = permit.map_err(|_| Problem::busy("too many scans are under way"))?;
    if let Some(connection) = request.extensions().get::<Connection>() {
        connection.is_streaming();
    }

    let (pieces, reader) = mpsc::channel(4);
    let mut inputs = Inputs::new();
    inputs.add_reader(SOURCE, Box::new(Pieces { receiver: reader, current: Bytes::new() }));
    let scan = Scan::start(inputs, options, JsonLines::new).map_err(failed)?;

    let (rows, answer) = mpsc::channel(4);
    tokio::spawn(feed(
        request.into_body(),
        pieces,
        rows.clone(),
        server.limits.body_time,
        server.limits.scan_body,
    ));
    let run = Run { _permit: permit, scan, rows, server, end: asked.end };
    let thread = thread::Builder::new().name("scan-rows".to_owned());
    thread.spawn(move || run.run()).map_err(|error| failed(ScanError::Thread { error }))?;
    Ok(typed(Body::from_stream(Rows(answer)), "application/x-ndjson"))
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

/// The rows as the answer sends them.
struct Rows(mpsc::Receiver<io::Result<Bytes>>);

impl Stream for Rows {
    type Item = io::Result<Bytes>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// A scan under way, on its own thread.
///
/// The permit goes first: when the answer ends, there is room for the next scan.
struct Run {
    _permit: OwnedSemaphorePermit,
    scan: Scan<Vec<u8>>,
    rows: mpsc::Sender<io::Result<Bytes>>,
    server: Arc<Server>,
    end: bool,
}

/// How many remarks the last line holds.
const REMARKS: usize = 20;

impl Run {
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
                let _ = self.rows.blocking_send(Err(io::Error::other("the server stops")));
                return;
            }
            match self.scan.step(Duration::from_millis(50)) {
                Ok(Step::Block(block)) => {
                    counts.add(&block.counts);
                    remarks.extend(block.remarks.into_iter().take(REMARKS - remarks.len()));
                    if !block.rows.is_empty() && self.rows.blocking_send(Ok(block.rows.into())).is_err() {
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
            let _ = self.rows.blocking_send(Ok(line.into()));
        }
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
