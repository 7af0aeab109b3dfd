//! Which requests are answered at all, and what every answer tells a browser.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::problem::Problem;

/// Who may ask.
///
/// A stranger's page can make a browser ask a server on this machine, under a name of the stranger's that leads
/// here. Such a request carries that name, so a server on the loopback address answers only to its own names.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Names in lower case without a port; nothing if it answers to every name.
    hosts: Option<Vec<String>>,
    /// Pages of other servers that may ask.
    origins: Vec<String>,
}

impl Guard {
    /// `hosts` are allowed besides the names of the loopback address; without any, a server that listens elsewhere
    /// answers to every name.
    pub(crate) fn new(address: IpAddr, hosts: &[String], origins: &[String]) -> Self {
        let is_open = !address.is_loopback() && hosts.is_empty();
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let bound = match address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("[{address}]"),
        };
        let names = own.into_iter().chain([bound]).chain(hosts.iter().map(|host| host.to_ascii_lowercase()));
        Self { hosts: (!is_open).then(|| names.collect()), origins: origins.to_vec() }
    }

    /// Whether a request with these headers is answered; the origin to allow in the answer, if there is one.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<Option<HeaderValue>, Problem> {
        let text = |name| headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("\u{fffd}"));
        let host = text(header::HOST).unwrap_or_default();
        if headers.get_all(header::HOST).iter().count() > 1 || !self.hears(host) {
            let detail = "the server does not answer to this name; --host gives it another name";
            return Err(Problem::new(StatusCode::FORBIDDEN, "server/host-not-allowed", detail));
        }
        let Some(origin) = text(header::ORIGIN) else { return Ok(None) };
        let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if own.is_some_and(|own| own.eq_ignore_ascii_case(host)) {
            return Ok(None);
        }
        if self.origins.iter().any(|allowed| allowed == origin) {
            return Ok(headers.get(header::ORIGIN).cloned());
        }
        let detail = "pages of this origin may not ask; --origin allows an origin";
        Err(Problem::new(StatusCode::FORBIDDEN, "server/origin-not-allowed", detail))
    }

    fn hears(&self, host: &str) -> bool {
        let Some(hosts) = &self.hosts else { return true };
        let name = without_port(host).to_ascii_lowercase();
        hosts.contains(&name)
    }
}

/// The name of `name:port` and `[address]:port`.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port))
            if port.bytes().all(|byte| byte.is_ascii_digit())
                && (!name.contains(':') || name.ends_with(']')) =>
        {
            name
        }
        _ => host,
    }
}

/// Nothing but what comes from here, no inline code, and no frame around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds the headers that every answer has.
pub(crate) fn protect(headers: &mut HeaderMap) {
    let fixed: [(HeaderName, &'static str); 6] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

/// Lets the page of another origin read the answer.
pub(crate) fn allow_origin(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Content-Type"));
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("cross-origin"),
    );
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn asked(guard: &Guard, fields: &[(HeaderName, &'static str)]) -> Result<Option<HeaderValue>, u16> {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name, HeaderValue::from_static(value));
        }
        guard.check(&headers).map_err(|problem| {
            problem.document()["status"].as_u64().and_then(|status| status.try_into().ok()).unwrap()
        })
    }

    #[test]
    fn the_loopback_server_hears_its_own_names_only() {
        let guard = Guard::new(Ipv4Addr::LOCALHOST.into(), &["Chess.example".to_owned()], &[]);
        for host in [
            "localhost",
            "localhost:8000",
            "127.0.0.1:1",
            "[::1]:80",
            "[::1]",
            "LOCALHOST:9",
            "chess.example:443",
        ] {
            assert_eq!(asked(&guard, &[(header::HOST, host)]), Ok(None), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8000",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
            "::1",
            "localhost:80:80",
            "localhost:x",
        ] {
            assert_eq!(asked(&guard, &[(header::HOST, host)]), Err(403), "{host}");
        }
        assert_eq!(asked(&guard, &[]), Err(403), "no name at all");
        assert_eq!(asked(&guard, &[(header::HOST, "localhost"), (header::HOST, "evil.example")]), Err(403));
    }

    #[test]
    fn a_server_for_others_hears_every_name_unless_it_is_told_some() {
        let address = Ipv4Addr::UNSPECIFIED.into();
        assert_eq!(asked(&Guard::new(address, &[], &[]), &[(header::HOST, "any.example")]), Ok(None));
        let told = Guard::new(address, &["chess.example".to_owned()], &[]);
        assert_eq!(asked(&told, &[(header::HOST, "any.example")]), Err(403));
        assert_eq!(asked(&told, &[(header::HOST, "chess.example")]), Ok(None));
    }

    #[test]
    fn a_page_from_elsewhere_asks_only_if_it_is_named() {
        let origins = ["https://club.example".to_owned()];
        let guard = Guard::new(Ipv4Addr::LOCALHOST.into(), &[], &origins);
        let from = |origin| asked(&guard, &[(header::HOST, "localhost:8000"), (header::ORIGIN, origin)]);
        assert_eq!(from("http://localhost:8000"), Ok(None));
        assert_eq!(from("https://club.example"), Ok(Some(HeaderValue::from_static("https://club.example"))));
        for origin in [
            "http://localhost:8001",
            "http://evil.example:8000",
            "null",
            "https://club.example.evil.example",
            "http://club.example",
        ] {
            assert_eq!(from(origin), Err(403), "{origin}");
        }
    }
}
