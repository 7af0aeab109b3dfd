//! Every bound has its own status and code, and one client's excess leaves others fast.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::answers::WALL;
use crate::client::{FOREVER, PATIENCE, TestServer, post, wait_until};

/// A question whose proof looks at as many positions as it may; not more than a development build manages soon.
fn hard() -> Value {
    json!({ "fen": "8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", "positions": 20_000 })
}

/// How many proofs the server has answered.
fn proofs(server: &TestServer) -> usize {
    let metrics = server.get("/metrics");
    let lines = metrics.text().lines().filter(|line| line.starts_with("bitmesh_answers_total{"));
    let proofs = lines.filter(|line| line.contains(r#"route="/api/v1/prove""#));
    proofs.map(|line| line.rsplit(' ').next().unwrap().parse::<usize>().unwrap()).sum()
}

#[test]
fn a_body_and_a_text_have_their_size() {
    let server = TestServer::with(|limits| {
        limits.body = 1000;
        limits.text = 100;
    });
    let fen = |length: usize| json!({ "fen": "8".repeat(length) });
    assert_eq!(server.ask("certify", &fen(100)).status, 422, "just fits and is read");
    assert_eq!(server.ask("certify", &fen(101)).problem(), (413, "server/text-too-long".to_owned()));
    assert_eq!(server.ask("certify", &fen(1000)).problem(), (413, "server/body-too-large".to_owned()));
    // Without a length that says so beforehand.
    let chunk = format!("{:x}\r\n{}\r\n0\r\n\r\n", 1001, " ".repeat(1001));
    let answer = server.send(format!(
        "POST /api/v1/certify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n{chunk}"
    ));
    assert_eq!(answer.problem(), (413, "server/body-too-large".to_owned()));
    let long = format!("/api/v1/diagram.svg?fen={}", "8".repeat(101));
    assert_eq!(server.get(&long).problem(), (413, "server/text-too-long".to_owned()));
}

#[test]
fn more_positions_than_allowed_are_refused_and_not_quietly_fewer() {
    let server = TestServer::with(|limits| limits.positions = 50);
    let ask = |positions: u32| server.ask("prove", &json!({ "fen": WALL, "positions": positions }));
    assert_eq!(ask(50).status, 200);
    let refused = ask(51);
    assert_eq!(refused.problem(), (422, "server/too-many-positions".to_owned()));
    assert_eq!(refused.json()["limit"], 50);
}

#[test]
fn a_body_that_trickles_is_cut() {
    let server = TestServer::with(|limits| limits.body_time = Duration::from_secs(1));
    let mut client = server.connect();
    client
        .write("POST /api/v1/certify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
        .unwrap();
    for _ in 0..6 {
        if client.write(" ").is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(250));
    }
    assert_eq!(client.read().unwrap().problem(), (408, "server/body-too-slow".to_owned()));
    assert!(client.is_closed());
}

#[test]
fn a_head_that_trickles_is_cut() {
    let server = TestServer::with(|limits| limits.header_time = Duration::from_secs(1));
    let mut client = server.connect();
    client.write("GET / HTTP/1.1\r\n").unwrap();
    let began = Instant::now();
    while began.elapsed() < Duration::from_millis(1500) {
        if client.write("X").is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    let _ = client.read_head().map(|head| assert_eq!(head.status, 408));
    assert!(client.is_closed());

    // A connection that was good and then says nothing more.
    let mut idle = server.connect();
    idle.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert_eq!(idle.read().unwrap().text(), "ok\n");
    assert!(idle.is_closed());
}

#[test]
fn any_number_of_slow_connections_does_not_keep_others_out() {
    let server = TestServer::with(|limits| limits.connections = 8);
    let slow: Vec<_> = (0..50)
        .map(|_| {
            let mut client = server.connect();
            let _ = client.write("GET / HT");
            client
        })
        .collect();
    let bodies: Vec<_> = (0..50)
        .map(|_| {
            let mut client = server.connect();
            let _ = client.write("POST /api/v1/certify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{");
            client
        })
        .collect();
    for _ in 0..10 {
        server.assert_well();
    }
    let count = server.gauge("bitmesh_connections");
    assert!(count <= 8, "{count}");
    drop((slow, bodies));
}

#[test]
fn when_every_place_is_being_answered_a_newcomer_is_told_so() {
    let server = TestServer::with(|limits| {
        limits.connections = 1;
        limits.scans = 1;
    });
    let mut streaming = server.connect();
    streaming
        .write("POST /api/v1/scan HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    assert_eq!(streaming.read_head().unwrap().status, 200);
    let answer = server.connect().read().unwrap();
    assert_eq!(answer.problem(), (503, "server/too-many-connections".to_owned()));
    assert_eq!(answer.header("retry-after"), Some("1"));
    streaming.write("0\r\n\r\n").unwrap();
    assert_eq!(streaming.chunk().unwrap(), None);
    drop(streaming);
    wait_until("the place is free again", || {
        let mut client = server.connect();
        let asked = client.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        asked.and_then(|()| client.read()).is_ok_and(|answer| answer.status == 200)
    });
}

#[test]
fn a_flood_of_hard_positions_is_bounded_and_leaves_others_fast() {
    let server = TestServer::with(|limits| {
        limits.workers = NonZeroUsize::MIN;
        limits.queue = 2;
    });
    let body = hard().to_string();
    let request = post("/api/v1/prove", "application/json", body.as_bytes());
    let mut clients: Vec<_> = (0..12).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.write(&request).unwrap();
    }
    // One at work and two waiting: the others are told to come back.
    for _ in 0..5 {
        server.assert_well();
        assert_eq!(server.ask("certify", &json!({ "fen": WALL })).status, 200);
    }
    let answers: Vec<_> = clients.iter_mut().map(|client| client.read().unwrap()).collect();
    let busy: Vec<_> = answers.iter().filter(|answer| answer.status == 503).collect();
    assert!(!busy.is_empty() && busy.len() < answers.len(), "{} of {}", busy.len(), answers.len());
    for answer in busy {
        assert_eq!(answer.problem(), (503, "server/busy".to_owned()));
        assert_eq!(answer.header("retry-after"), Some("1"));
    }
    assert!(answers.iter().all(|answer| [200, 503].contains(&answer.status)));
}

#[test]
fn an_answer_that_takes_too_long_is_no_answer() {
    let server = TestServer::with(|limits| limits.answer_time = Duration::from_millis(1));
    let answer = server.ask("prove", &hard());
    assert_eq!(answer.problem(), (504, "server/time-over".to_owned()));
    server.assert_well();
}

#[test]
fn work_whose_client_has_gone_is_not_done() {
    let server = TestServer::with(|limits| {
        limits.workers = NonZeroUsize::MIN;
        limits.queue = 8;
    });
    let body = hard().to_string();
    let request = post("/api/v1/prove", "application/json", body.as_bytes());
    let mut clients: Vec<_> = (0..8).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.write(&request).unwrap();
    }
    let waiting = || server.gauge("bitmesh_waiting_long");
    let mut most = 0;
    wait_until("half of them wait", || {
        most = waiting();
        most >= 4
    });
    drop(clients);
    wait_until("nothing waits", || waiting() == 0);
    // The lane has one worker, so this one is answered after everything that was asked before.
    assert_eq!(server.ask("prove", &hard()).status, 200);
    let answered = proofs(&server);
    assert!((1..=8 - most + 1).contains(&answered), "{answered} answered, {most} had waited");
}

#[test]
fn stopping_ends_what_is_under_way_and_takes_nothing_new() {
    let mut server = TestServer::with(|limits| {
        limits.stop_time = FOREVER;
        limits.workers = NonZeroUsize::MIN;
    });
    let request = post("/api/v1/prove", "application/json", hard().to_string().as_bytes());
    let mut busy = [server.connect(), server.connect()];
    for client in &mut busy {
        client.write(&request).unwrap();
    }
    // There is one worker: when one waits, the other is at work.
    wait_until("one is at work", || server.gauge("bitmesh_waiting_long") == 1);
    server.tell_to_stop();
    for client in &mut busy {
        assert_eq!(client.read().unwrap().status, 200, "the answer arrives whole");
    }
    let address = server.address;
    server.join().unwrap();
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn stopping_does_not_wait_for_a_client_that_says_nothing() {
    let server = TestServer::with(|limits| limits.stop_time = Duration::from_secs(1));
    let mut silent = server.connect();
    silent.write("POST /api/v1/certify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{").unwrap();
    let mut scan = server.connect();
    scan.write("POST /api/v1/scan HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    assert_eq!(scan.read_head().unwrap().status, 200);
    let began = Instant::now();
    server.join().unwrap();
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
    assert!(scan.chunk().is_err(), "a scan that was cut off does not look complete");
}

#[test]
fn an_address_that_is_taken_is_named() {
    let server = TestServer::start();
    let mut options = bitmesh_server::Options::default();
    options.address = server.address;
    let error = bitmesh_server::Bound::new(options).unwrap_err();
    assert_eq!(error.code(), "serve/cannot-listen");
    assert!(error.to_string().starts_with(&format!("cannot listen at {}: ", server.address)), "{error}");
}
