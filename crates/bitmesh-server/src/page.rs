//! The explorer: its built files, in the program.

use std::hash::{DefaultHasher, Hasher as _};
use std::io::Write as _;
use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// One file as it is sent.
struct File {
    path: &'static str,
    content_type: &'static str,
    plain: Bytes,
    packed: Bytes,
    tag: HeaderValue,
}

impl File {
    fn new(path: &'static str, content_type: &'static str, plain: Bytes) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&plain).and_then(|()| encoder.finish());
        let packed = packed.expect("writing to memory does not fail").into();
        let mut hasher = DefaultHasher::new();
        hasher.write(&plain);
        let tag = format!("\"{:016x}\"", hasher.finish());
        let tag = tag.try_into().expect("digits and quotes are a header");
        Self { path, content_type, plain, packed, tag }
    }
}

static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let fixed =
        |path, content_type, bytes: &'static [u8]| File::new(path, content_type, Bytes::from_static(bytes));
    vec![
        fixed("/", "text/html; charset=utf-8", include_bytes!("../page/dist/index.html")),
        fixed("/explorer.js", "text/javascript; charset=utf-8", include_bytes!("../page/dist/explorer.js")),
        fixed("/explorer.css", "text/css; charset=utf-8", include_bytes!("../page/dist/explorer.css")),
        // Colours and pieces of the diagrams, so that the page cannot differ from them.
        File::new("/board.css", "text/css; charset=utf-8", bitmesh_diagram::board_css().into()),
    ]
});

/// The file of a path, packed if the browser says that it unpacks.
pub(crate) fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let file = FILES.iter().find(|file| file.path == path)?;
    let says = |name, word: &str| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values
            .flat_map(|value| value.split(','))
            .any(|part| part.split(';').next().unwrap_or_default().trim() == word)
    };
    let tag = file.tag.to_str().unwrap_or_default();
    let mut response = if says(header::IF_NONE_MATCH, tag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else if says(header::ACCEPT_ENCODING, "gzip") {
        let mut response = Response::new(Body::from(file.packed.clone()));
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
    } else {
        Response::new(Body::from(file.plain.clone()))
    };
    let own = [
        (header::CONTENT_TYPE, HeaderValue::from_static(file.content_type)),
        (header::ETAG, file.tag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("Accept-Encoding")),
    ];
    response.headers_mut().extend(own);
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a browser loads before the page works, as it goes over the wire.
    #[test]
    fn the_page_is_small() {
        let packed: usize = FILES.iter().map(|file| file.packed.len()).sum();
        assert!(packed < 300_000, "{packed} bytes");
    }

    #[test]
    fn a_file_comes_packed_plain_or_not_again() {
        let ask = |name: header::HeaderName, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.try_into().unwrap());
            file("/", &headers).unwrap()
        };
        let plain = ask(header::ACCEPT_ENCODING, "br");
        assert_eq!(plain.headers().get(header::CONTENT_ENCODING), None);
        assert_eq!(
            ask(header::ACCEPT_ENCODING, "br, gzip;q=0.8").headers()[header::CONTENT_ENCODING],
            "gzip"
        );
        let tag = plain.headers()[header::ETAG].to_str().unwrap();
        assert_eq!(ask(header::IF_NONE_MATCH, tag).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(ask(header::IF_NONE_MATCH, "\"0\"").status(), StatusCode::OK);
        for path in ["", "/explorer.js.map", "/../Cargo.toml", "//", "/index.html/"] {
            assert!(file(path, &HeaderMap::new()).is_none(), "{path}");
        }
    }
}
