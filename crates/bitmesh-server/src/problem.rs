//! Failures as `application/problem+json` (RFC 9457), each with a stable code.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bitmesh::ReadPositionError;
use serde_json::{Map, Value, json};

use crate::pool::PoolError;

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Problem(Box<Fields>);

#[derive(Clone, Debug)]
struct Fields {
    status: StatusCode,
    code: &'static str,
    detail: String,
    more: Map<String, Value>,
    retry_after: Option<u32>,
    allow: Option<&'static str>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self(Box::new(Fields { status, code, detail, more: Map::new(), retry_after: None, allow: None }))
    }

    /// The request is not what the path needs.
    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "server/malformed-request", detail)
    }

    /// The input was read and is not what the question needs.
    pub(crate) fn input(code: &'static str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "server/not-found",
            "there is nothing here; the API is described at /api/v1/openapi.json",
        )
    }

    pub(crate) fn method_not_allowed(allow: &'static str) -> Self {
        let detail = format!("this path answers {allow} only");
        let mut problem = Self::new(StatusCode::METHOD_NOT_ALLOWED, "server/method-not-allowed", detail);
        problem.0.allow = Some(allow);
        problem
    }

    pub(crate) fn body_too_large(most: u64) -> Self {
        let detail = format!("the body is larger than {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "server/body-too-large", detail).with("limit", most)
    }

    pub(crate) fn text_too_long(most: usize) -> Self {
        let detail = format!("the text of the position is longer than {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "server/text-too-long", detail).with("limit", most)
    }

    pub(crate) fn body_too_slow(seconds: u64) -> Self {
        let detail = format!("the body did not arrive within {seconds} seconds");
        Self::new(StatusCode::REQUEST_TIMEOUT, "server/body-too-slow", detail)
    }

    pub(crate) fn too_many_positions(most: u32) -> Self {
        let detail = format!("this server looks at {most} positions at most");
        Self::input("server/too-many-positions", detail).with("limit", most)
    }

    pub(crate) fn no_evidence() -> Self {
        Self::input("server/no-evidence", "nothing is proved, so there is no certificate")
    }

    pub(crate) fn time_over(seconds: u64) -> Self {
        let detail = format!("no answer within {seconds} seconds; this says nothing about the position");
        Self::new(StatusCode::GATEWAY_TIMEOUT, "server/time-over", detail)
    }

    /// Try again soon.
    pub(crate) fn busy(detail: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "server/busy", detail);
        problem.0.retry_after = Some(1);
        problem
    }

    pub(crate) fn stopping() -> Self {
        let mut problem =
            Self::new(StatusCode::SERVICE_UNAVAILABLE, "server/stopping", "the server is about to stop");
        problem.0.retry_after = Some(5);
        problem
    }

    /// With one more member.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.more.insert(name.to_owned(), value.into());
        self
    }

    pub(crate) fn document(&self) -> Value {
        let mut document = json!({
            "title": self.0.status.canonical_reason().unwrap_or("error"),
            "status": self.0.status.as_u16(),
            "code": self.0.code,
            "detail": self.0.detail,
        });
        if let Value::Object(members) = &mut document {
            members.extend(self.0.more.clone());
        }
        document
    }
}

/// A text that is neither a position nor a board: the problem stands at a field and a character.
impl From<ReadPositionError> for Problem {
    fn from(error: ReadPositionError) -> Self {
        Self::input(error.code(), error.to_string())
            .with("field", error.field().to_string())
            .with("offset", error.offset())
            .with("line", error.line())
            .with("column", error.column())
    }
}

impl From<PoolError> for Problem {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Busy => Self::busy("too many answers are under way"),
            PoolError::Stopped => Self::stopping(),
            PoolError::Panicked => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "server/internal",
                "the answer failed; please report the request",
            ),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut bytes = Vec::new();
        bitmesh_corpus::write_json(&mut bytes, &self.document()).expect("writing to memory does not fail");
        bytes.push(b'\n');
        let mut response = Response::new(Body::from(bytes));
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.0.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(methods) = self.0.allow {
            headers.insert(header::ALLOW, HeaderValue::from_static(methods));
        }
        response
    }
}
