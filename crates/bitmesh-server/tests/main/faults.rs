//! Requests that are wrong, cut off or hostile: a clear answer, and the server goes on.

use std::net::Shutdown;

use serde_json::json;

use crate::answers::WALL;
use crate::client::{TestServer, post};

fn status_of(server: &TestServer, request: impl AsRef<[u8]>) -> u16 {
    server.send(request).status
}

#[test]
fn a_body_that_says_it_is_huge_is_refused_at_once() {
    let server = TestServer::start();
    let answer = server.send(include_bytes!("../cases/http-hugebody.txt"));
    // The path is not one of ours; the length is refused on every path that reads a body.
    assert_eq!(answer.status, 404);
    for path in ["certify", "prove", "decide", "verify", "scan", "audit"] {
        let answer = server.send(format!(
            "POST /api/v1/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
             Content-Length: 99999999999\r\n\r\n"
        ));
        assert_eq!(answer.problem(), (413, "server/body-too-large".to_owned()), "{path}");
        assert!(answer.json()["limit"].as_u64().is_some());
    }
    server.assert_well();
}

#[test]
fn a_name_that_leads_here_by_a_trick_is_not_heard() {
    let server = TestServer::start();
    let answer = server.send(include_bytes!("../cases/http-rebind.txt"));
    assert_eq!(answer.problem(), (403, "server/host-not-allowed".to_owned()));
    let answer = server.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert_eq!(answer.problem(), (403, "server/host-not-allowed".to_owned()));
    assert!(answer.header("content-security-policy").is_some());
    let absolute = server.send("GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert_eq!(absolute.status, 403);
    server.assert_well();
}

#[test]
fn json_that_is_not_the_question_is_named() {
    let server = TestServer::start();
    let deep = "[".repeat(100_000);
    let deep_fen = format!("{{\"fen\":{}", "[".repeat(10_000));
    let twice = format!("{{\"fen\":\"{WALL}\",\"fen\":\"x\"}}");
    for body in [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "{\"fen\":1}",
        "{\"fen\":null}",
        "{\"fen\":\"a\",\"other\":1}",
        "{\"fen\":\"\\ud800\"}",
        "{\"fen\":\"a\"} {}",
        "fen=8/8/8/8/8/8/8/8",
        "\u{feff}{}",
        &deep,
        &deep_fen,
        &twice,
    ] {
        let answer = server.post("/api/v1/certify", "application/json", body);
        assert_eq!(answer.problem(), (400, "server/malformed-request".to_owned()), "{:.40}", body);
    }
    let answer = server.post("/api/v1/certify", "application/json", b"{\"fen\":\"\xff\"}");
    assert_eq!(answer.problem().0, 400);
    for positions in ["-1", "1.5", "4294967296", "\"1\"", "1e3"] {
        let body = format!("{{\"fen\":\"{WALL}\",\"positions\":{positions}}}");
        assert_eq!(server.post("/api/v1/prove", "application/json", body).problem().0, 400, "{positions}");
    }
    server.assert_well();
}

#[test]
fn another_type_of_body_is_refused_where_the_type_matters() {
    let server = TestServer::start();
    let body = json!({ "fen": WALL }).to_string();
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "",
        "application/json, text/plain",
    ] {
        let answer = server.post("/api/v1/certify", content_type, &body);
        assert_eq!(answer.problem(), (415, "server/unsupported-media-type".to_owned()), "{content_type}");
    }
    for content_type in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
        assert_eq!(server.post("/api/v1/certify", content_type, &body).status, 200, "{content_type}");
    }
}

#[test]
fn a_body_that_is_cut_off_costs_its_connection_only() {
    let server = TestServer::start();
    for path in ["certify", "prove", "decide", "verify", "scan", "audit"] {
        let mut client = server.connect();
        client
            .write(format!(
                "POST /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                 Content-Length: 100\r\n\r\n{{\"fen\":"
            ))
            .unwrap();
        client.stream.shutdown(Shutdown::Both).unwrap();
        drop(client);
        server.assert_well();
    }
}

#[test]
fn lengths_that_contradict_are_refused() {
    let server = TestServer::start();
    let start = "POST /api/v1/certify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for fields in [
        "Content-Length: -1",
        "Content-Length: abc",
        "Content-Length: 5\r\nContent-Length: 6",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: gzip",
    ] {
        let status = status_of(&server, format!("{start}{fields}\r\n\r\n{{}}"));
        assert!((400..500).contains(&status), "{fields}: {status}");
        server.assert_well();
    }
    // A chunk that does not say its length.
    let mut client = server.connect();
    client.write(format!("{start}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n")).unwrap();
    assert_eq!(client.read().unwrap().status, 400);
    server.assert_well();
}

#[test]
fn a_head_that_is_too_large_is_refused() {
    let server = TestServer::start();
    let long = "a".repeat(64 << 10);
    let many: String = (0..200).map(|number| format!("X-{number}: 1\r\n")).collect();
    for (request, expected) in [
        (format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: {long}\r\n\r\n"), 431),
        (format!("GET / HTTP/1.1\r\nHost: localhost\r\n{many}\r\n"), 431),
        (format!("GET /{long} HTTP/1.1\r\nHost: localhost\r\n\r\n"), 431),
    ] {
        let mut client = server.connect();
        // The server may close before it has taken all of it.
        let _ = client.write(&request);
        match client.read_head() {
            Ok(head) => assert_eq!(head.status, expected),
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
        server.assert_well();
    }
}

#[test]
fn what_is_not_http_is_refused() {
    let server = TestServer::start();
    for request in [
        "hello\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        "GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        let mut client = server.connect();
        client.write(request).unwrap();
        match client.read_head() {
            Ok(head) => assert_eq!(head.status, 400, "{request:?}"),
            Err(_) => assert!(client.is_closed(), "{request:?}"),
        }
        server.assert_well();
    }
}

#[test]
fn requests_one_after_the_other_are_answered_in_order() {
    let server = TestServer::start();
    let mut client = server.connect();
    let mut requests = Vec::new();
    for fen in [WALL, "nonsense", WALL] {
        let body = json!({ "fen": fen }).to_string();
        requests.extend(post("/api/v1/certify", "application/json", body.as_bytes()));
    }
    let get = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let all: Vec<u8> = get.iter().copied().chain(requests).collect();
    client.write(all).unwrap();
    assert_eq!(client.read().unwrap().text(), "ok\n");
    assert_eq!(client.read().unwrap().json()["verdict"], "accepted");
    // A position that is refused was read whole: the connection goes on.
    assert_eq!(client.read().unwrap().problem().0, 422);
    assert_eq!(client.read().unwrap().json()["verdict"], "accepted");
}

#[test]
fn an_upgrade_is_not_made() {
    let server = TestServer::start();
    let request =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    assert_eq!(server.send(request).text(), "ok\n");
    let connect = server.send("CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!((400..500).contains(&connect.status), "{connect:?}");
}
