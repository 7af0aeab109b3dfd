//! The paths of the API.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use bitmesh::decision::Effort;
use bitmesh::shakmaty::Color;
use bytes::Bytes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::answer::Form;
use crate::connections::Connection;
use crate::message::{BYTES, JSON, query, typed};
use crate::metrics::Now;
use crate::pool::Lane;
use crate::problem::Problem;
use crate::shared::Server;
use crate::{answer, body, openapi, page, picture, scan};

type Shared = State<Arc<Server>>;
type Outcome = Result<Response, Problem>;

/// The first routes are files of the page.
pub(crate) const PAGE_FILES: usize = 4;

/// Every path, as it is declared and counted.
pub(crate) const ROUTES: [&str; 17] = [
    "/",
    "/explorer.js",
    "/explorer.css",
    "/board.css",
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v1/openapi.json",
    "/api/v1/certify",
    "/api/v1/prove",
    "/api/v1/decide",
    "/api/v1/verify",
    "/api/v1/scan",
    "/api/v1/audit",
    "/api/v1/diagram.svg",
    "/api/v1/diagram.png",
    "/api/v1/diagram.json",
];

pub(crate) fn router(server: Arc<Server>) -> Router {
    let only_get = |route: MethodRouter<Arc<Server>>| {
        route.fallback(|| async { Problem::method_not_allowed("GET, HEAD") })
    };
    let only_post =
        |route: MethodRouter<Arc<Server>>| route.fallback(|| async { Problem::method_not_allowed("POST") });
    let mut router = Router::new();
    for path in &ROUTES[..PAGE_FILES] {
        router = router.route(
            path,
            only_get(get(move |headers: HeaderMap| async move {
                page::file(path, &headers).ok_or_else(Problem::not_found)
            })),
        );
    }
    router
        .route("/healthz", only_get(get(healthz)))
        .route("/readyz", only_get(get(readyz)))
        .route("/metrics", only_get(get(metrics)))
        .route("/api/v1/openapi.json", only_get(get(openapi)))
        .route("/api/v1/certify", only_post(post(certify)))
        .route("/api/v1/prove", only_post(post(prove)))
        .route("/api/v1/decide", only_post(post(decide)))
        .route("/api/v1/verify", only_post(post(verify)))
        .route("/api/v1/scan", only_post(post(scan::scan)))
        .route("/api/v1/audit", only_post(post(scan::audit)))
        .route("/api/v1/diagram.svg", only_get(get(diagram_svg)))
        .route("/api/v1/diagram.png", only_get(get(diagram_png)))
        .route("/api/v1/diagram.json", only_get(get(diagram_json)))
        .fallback(|| async { Problem::not_found() })
        .with_state(server)
}

async fn healthz() -> Response {
    typed("ok\n", "text/plain; charset=utf-8")
}

/// Ready as long as another long answer finds a place in the queue.
async fn readyz(State(server): Shared) -> Outcome {
    if server.is_stopping() {
        return Err(Problem::stopping());
    }
    if server.pool.waiting(Lane::Long) >= server.limits.queue {
        return Err(Problem::busy("the queue of long answers is full"));
    }
    Ok(typed("ready\n", "text/plain; charset=utf-8"))
}

async fn metrics(State(server): Shared) -> Outcome {
    let now = Now {
        connections: server.connections.count(),
        waiting_short: server.pool.waiting(Lane::Short),
        waiting_long: server.pool.waiting(Lane::Long),
        scans: server.scans_under_way(),
    };
    let text = server.metrics.text(now);
    let text = text.map_err(|error| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "server/internal", error.to_string())
    })?;
    Ok(typed(text, "application/openmetrics-text; version=1.0.0; charset=utf-8"))
}

async fn openapi() -> Response {
    typed(openapi::DOCUMENT, JSON)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Certify {
    fen: String,
}

async fn certify(State(server): Shared, request: Request) -> Outcome {
    let form = wanted(request.headers());
    let asked: Certify = server.read_json(request).await?;
    server.check_text(&asked.fen)?;
    server.answer(Lane::Short, move || answer::certify(&asked.fen, form)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prove {
    fen: String,
    positions: Option<u32>,
}

async fn prove(State(server): Shared, request: Request) -> Outcome {
    let form = wanted(request.headers());
    let asked: Prove = server.read_json(request).await?;
    server.check_text(&asked.fen)?;
    let positions = server.allowed(asked.positions, server.limits.positions)?;
    server.answer(Lane::Long, move || answer::prove(&asked.fen, positions, form)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decide {
    fen: String,
    r#for: Option<Winner>,
    effort: Option<u32>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    White,
    Black,
}

impl Winner {
    /// The sides that are asked about.
    const fn sides(only: Option<Self>) -> &'static [Color] {
        match only {
            None => &[Color::White, Color::Black],
            Some(Self::White) => &[Color::White],
            Some(Self::Black) => &[Color::Black],
        }
    }
}

/// Most positions are decided at once; the others wait for their turn among the long answers.
async fn decide(State(server): Shared, request: Request) -> Outcome {
    let form = wanted(request.headers());
    let asked: Decide = server.read_json(request).await?;
    server.check_text(&asked.fen)?;
    let effort = Effort::positions(server.allowed(asked.effort, server.limits.effort)?);
    let sides = Winner::sides(asked.r#for);
    if form == Form::Evidence && asked.r#for.is_none() {
        return Err(Problem::malformed("a certificate is for one colour: name it with `for`"));
    }
    let fen = Arc::<str>::from(asked.fen);
    let quick = Arc::clone(&fen);
    match server.compute(Lane::Short, move || answer::decide_quickly(&quick, sides, effort, form)).await? {
        Some(answer) => Ok(sent(answer)),
        None => server.answer(Lane::Long, move || answer::decide(&fen, sides, effort, form)).await,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Verify {
    fen: Option<String>,
    certificate: Option<String>,
}

/// The body is the certificate, unchanged from its file.
async fn verify(State(server): Shared, request: Request) -> Outcome {
    let asked: Verify = query(&request)?;
    if let Some(fen) = &asked.fen {
        server.check_text(fen)?;
    }
    let bytes = server.read_bytes(request).await?;
    let work = move || answer::verify(&bytes, asked.fen.as_deref(), asked.certificate.as_deref());
    server.answer(Lane::Long, work).await
}

async fn diagram_svg(State(server): Shared, request: Request) -> Outcome {
    let asked: picture::Asked = query(&request)?;
    server.check_text(&asked.fen)?;
    let svg = server.compute(Lane::Short, move || asked.svg()).await?;
    Ok(typed(svg, "image/svg+xml"))
}

async fn diagram_json(State(server): Shared, request: Request) -> Outcome {
    let asked: picture::Asked = query(&request)?;
    server.check_text(&asked.fen)?;
    server.answer(Lane::Short, move || asked.json()).await
}

async fn diagram_png(State(server): Shared, request: Request) -> Outcome {
    let asked: picture::Asked = query(&request)?;
    server.check_text(&asked.fen)?;
    let png = server.compute(Lane::Long, move || asked.png()).await?;
    Ok(typed(png, "image/png"))
}

impl Server {
    /// Reads a JSON body, and refuses fields that it does not know.
    async fn read_json<T: DeserializeOwned>(&self, request: Request) -> Result<T, Problem> {
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let media_type = content_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
        if !media_type.eq_ignore_ascii_case(JSON) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "server/unsupported-media-type",
                "the body must be sent with Content-Type: application/json",
            ));
        }
        let bytes = self.read_bytes(request).await?;
        serde_json::from_slice(&bytes).map_err(|error| Problem::malformed(format!("the body: {error}")))
    }

    async fn read_bytes(&self, request: Request) -> Result<Bytes, Problem> {
        let connection = request.extensions().get::<Connection>().cloned();
        let (head, body) = request.into_parts();
        let bytes = body::read(&head.headers, body, self.limits.body, self.limits.body_time).await?;
        if let Some(connection) = connection {
            connection.is_answering();
        }
        Ok(bytes)
    }

    fn check_text(&self, text: &str) -> Result<(), Problem> {
        if text.len() > self.limits.text {
            return Err(Problem::text_too_long(self.limits.text));
        }
        Ok(())
    }

    /// How many positions may be looked at: the number in the request, never silently less.
    fn allowed(&self, asked: Option<u32>, most: u32) -> Result<u32, Problem> {
        match asked {
            Some(asked) if asked > most => Err(Problem::too_many_positions(most)),
            Some(asked) => Ok(asked),
            None => Ok(most),
        }
    }

    /// Computes in a lane, within the time for one answer.
    async fn compute<T: Send + 'static>(
        &self,
        lane: Lane,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let time = self.limits.answer_time;
        let result = timeout(time, self.pool.run(lane, work)).await;
        result.map_err(|_| Problem::time_over(time.as_secs()))??
    }

    async fn answer(
        &self,
        lane: Lane,
        work: impl FnOnce() -> Result<answer::Answer, Problem> + Send + 'static,
    ) -> Outcome {
        self.compute(lane, work).await.map(sent)
    }
}

fn sent(answer: answer::Answer) -> Response {
    match answer {
        answer::Answer::Document(bytes) => typed(bytes, JSON),
        answer::Answer::Evidence(bytes, ending) => {
            let mut response = typed(bytes, BYTES);
            let name = format!("attachment; filename=\"position.{ending}\"");
            let name = HeaderValue::try_from(name).expect("an ending is letters");
            response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
            response
        }
    }
}

/// The form that a client accepts: a document, unless it says that it wants bytes.
fn wanted(headers: &HeaderMap) -> Form {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match accept.trim() {
        BYTES => Form::Evidence,
        _ => Form::Document,
    }
}
