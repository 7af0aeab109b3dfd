//! One server: what it shares, how it listens and how it stops.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use thiserror::Error;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tower::Service as _;

use crate::api::{self, ROUTES};
use crate::connections::{Connection, Seat};
use crate::guard::{allow_origin, protect};
use crate::options::Options;
use crate::shared::Server;

/// Why a server does not start or ends.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is taken, not allowed, or not one of this machine.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The system does not give threads or signals.
    #[error("cannot start: {error}")]
    Start {
        /// What the system said.
        #[from]
        error: io::Error,
    },
}

impl ServeError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Listen { .. } => "serve/cannot-listen",
            Self::Start { .. } => "serve/cannot-start",
        }
    }
}

/// A server that has its address and does not answer yet.
#[derive(Debug)]
pub struct Bound {
    listener: std::net::TcpListener,
    address: SocketAddr,
    options: Options,
}

impl Bound {
    /// Takes the address.
    ///
    /// # Errors
    ///
    /// When the server cannot listen at the address.
    pub fn new(options: Options) -> Result<Self, ServeError> {
        let listen = |error| ServeError::Listen { address: options.address, error };
        let listener = std::net::TcpListener::bind(options.address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        Ok(Self { listener, address, options })
    }

    /// The address that was taken: with the real port if port 0 was requested.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` completes or the process gets SIGTERM or SIGINT, and then ends what is under way.
    ///
    /// `ready` is called when these signals are heard and connections are taken.
    ///
    /// # Errors
    ///
    /// When the system does not give threads.
    pub fn run(self, ready: impl FnOnce(), stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().enable_all().thread_name("answer").build()?;
        let result = runtime.block_on(self.serve(ready, stop));
        // Threads that wait for a slow client are not waited for.
        runtime.shutdown_background();
        result
    }

    async fn serve(self, ready: impl FnOnce(), stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let listener = TcpListener::from_std(self.listener)?;
        let server = Arc::new(Server::new(&self.options, self.address.ip())?);
        let router = api::router(Arc::clone(&server));
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        let mut told = std::pin::pin!(told_to_stop()?);
        tracing::info!(address = %self.address, "listening");
        ready();
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => accept(&server, &router, &graceful, stream),
                    // No file handles left: the one that waited longest makes room.
                    Err(error) => {
                        tracing::warn!(%error, "cannot accept a connection");
                        server.connections.make_room();
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                },
                () = &mut stop => break,
                () = &mut told => break,
            }
        }
        drop(listener);
        server.stopping.send_replace(true);
        tracing::info!("stopping");
        let time = server.limits.stop_time;
        if tokio::time::timeout(time, graceful.shutdown()).await.is_err() {
            tracing::warn!(seconds = time.as_secs(), "answers were cut off");
        }
        Ok(())
    }
}

/// Completes when the process is told to end. From now on it does not end by itself.
#[cfg(unix)]
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Completes when the process is told to end.
#[cfg(not(unix))]
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// The largest head of a request, and the most fields in it.
const HEAD_BYTES: usize = 16 << 10;
const HEAD_FIELDS: usize = 64;

fn accept(server: &Arc<Server>, router: &Router, graceful: &GracefulShutdown, stream: TcpStream) {
    let Some(seat) = server.connections.seat() else {
        server.metrics.turned_away();
        tokio::spawn(turn_away(stream));
        return;
    };
    // Answers are written whole: waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let Seat { connection, .. } = &seat;
    let (connection, router, shared) = (connection.clone(), router.clone(), Arc::clone(server));
    let service = service_fn({
        let connection = connection.clone();
        move |request: hyper::Request<hyper::body::Incoming>| {
            let (router, server, connection) = (router.clone(), Arc::clone(&shared), connection.clone());
            async move {
                Ok::<_, std::convert::Infallible>(
                    handle(&server, router, connection, request.map(Body::new)).await,
                )
            }
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(server.limits.header_time)
        .max_headers(HEAD_FIELDS)
        .max_buf_size(HEAD_BYTES);
    let serving = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
    tokio::spawn(async move {
        tokio::select! {
            // What goes wrong on a connection is between it and its client.
            _ = serving => {}
            () = connection.must_give_way() => {}
        }
        drop(seat);
    });
}

/// Says that all places are taken, without reading a byte.
async fn turn_away(mut stream: TcpStream) {
    const ANSWER: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n\
        Content-Type: application/problem+json\r\nContent-Length: 118\r\n\r\n\
        {\"title\":\"Service Unavailable\",\"status\":503,\"code\":\"server/too-many-connections\",\"detail\":\"all places are taken\"}    \n";
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(ANSWER)).await;
}

/// Answers one request: whether it is allowed, its answer, and what is logged and counted about it.
async fn handle(
    server: &Server,
    mut router: Router,
    connection: Connection,
    mut request: hyper::Request<Body>,
) -> Response<Answered> {
    let began = Instant::now();
    let number = server.requests.fetch_add(1, Ordering::Relaxed) + 1;
    let method = request.method().clone();
    let route = ROUTES.iter().copied().find(|route| *route == request.uri().path()).unwrap_or("other");
    if method == Method::GET || method == Method::HEAD {
        connection.is_answering();
    }
    request.extensions_mut().insert(connection.clone());
    let mut response = match server.guard.check(request.headers()) {
        Err(problem) => problem.into_response(),
        Ok(origin) => {
            let mut response = if method == Method::OPTIONS && origin.is_some() {
                StatusCode::NO_CONTENT.into_response()
            } else {
                router.call(request).await.unwrap_or_else(|never| match never {})
            };
            protect(response.headers_mut());
            if let Some(origin) = origin {
                allow_origin(response.headers_mut(), origin);
            }
            response
        }
    };
    protect(response.headers_mut());
    response.headers_mut().insert(HeaderName::from_static("x-request-number"), number.into());
    let status = response.status();
    let time = began.elapsed();
    server.metrics.answered(route, status.as_u16(), time);
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    if status.is_client_error() || status.is_server_error() {
        tracing::info!(number, %method, route, status = status.as_u16(), micros, "refused");
    } else {
        tracing::debug!(number, %method, route, status = status.as_u16(), micros, "answered");
    }
    response.map(|body| Answered { body, connection })
}

/// A body that tells its connection when it is out.
struct Answered {
    body: Body,
    connection: Connection,
}

impl Drop for Answered {
    fn drop(&mut self) {
        self.connection.is_waiting();
    }
}

impl HttpBody for Answered {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
