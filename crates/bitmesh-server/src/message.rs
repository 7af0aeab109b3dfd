//! Requests and answers in parts that all paths need.

use axum::body::Body;
use axum::extract::{Query, Request};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// A body of bytes of one type.
pub(crate) fn typed(bytes: impl Into<Body>, content_type: &'static str) -> Response {
    let mut response = Response::new(bytes.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

pub(crate) const JSON: &str = "application/json";
pub(crate) const BYTES: &str = "application/octet-stream";

/// The part of the address after `?`.
pub(crate) fn query<T: DeserializeOwned>(request: &Request) -> Result<T, Problem> {
    Query::try_from_uri(request.uri())
        .map(|Query(asked)| asked)
        .map_err(|error| Problem::malformed(error.body_text()))
}
