//! Bodies of requests, read within their bounds.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt as _;
use tokio::time::{Instant, timeout_at};

use crate::problem::Problem;

/// Refuses a body that states too large a length, before a byte of it is read.
pub(crate) fn check_length(headers: &HeaderMap, most: u64) -> Result<(), Problem> {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let length = length.map(str::parse::<u64>);
    match length {
        Some(Ok(length)) if length <= most => Ok(()),
        Some(_) => Err(Problem::body_too_large(most)),
        None => Ok(()),
    }
}

/// Reads a whole body.
pub(crate) async fn read(
    headers: &HeaderMap,
    mut body: Body,
    most: usize,
    time: Duration,
) -> Result<Bytes, Problem> {
    check_length(headers, most as u64)?;
    let deadline = Instant::now() + time;
    let mut whole = BytesMut::new();
    loop {
        let frame =
            timeout_at(deadline, body.frame()).await.map_err(|_| Problem::body_too_slow(time.as_secs()))?;
        let Some(frame) = frame else { return Ok(whole.freeze()) };
        let frame = frame.map_err(|_| Problem::malformed("the body was cut off"))?;
        // Trailers are not looked at.
        if let Ok(data) = frame.into_data() {
            if whole.len() + data.len() > most {
                return Err(Problem::body_too_large(most as u64));
            }
            whole.extend_from_slice(&data);
        }
    }
}
