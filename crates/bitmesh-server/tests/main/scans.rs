//! Collections over HTTP: the same rows as from the library, as they come.

use std::fs;
use std::path::Path;
use std::time::Duration;

use bitmesh_corpus::{Inputs, JsonLines, Options, Scan};
use serde_json::{Value, json};

use crate::answers::WALL;
use crate::client::{TestServer, post, wait_until};
use crate::schema;

/// The rows of the library for the same bytes.
fn rows(bytes: &[u8]) -> Vec<u8> {
    let mut inputs = Inputs::new();
    inputs.add_reader("-", Box::new(std::io::Cursor::new(bytes.to_vec())));
    let scan = Scan::start(inputs, Options::default(), JsonLines::new).unwrap();
    scan.flat_map(|block| block.unwrap().rows).collect()
}

fn documents(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_collection_of_the_cases_gives_the_rows_of_the_library() {
    let server = TestServer::start();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitmesh-corpus/tests/cases");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let answer = server.post("/api/v1/scan?end=true", "application/octet-stream", &bytes);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-ndjson")));
        let text = answer.text();
        let (before, end) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
        let expected = rows(&bytes);
        assert_eq!(before, str::from_utf8(&expected).unwrap().trim_end(), "{}", path.display());
        let end: Value = serde_json::from_str(end).unwrap();
        schema::check("end", &end);
        documents(before).iter().for_each(|row| schema::check("row", row));
        assert_eq!(end["counts"]["rows"], before.lines().count());
        count += 1;
    }
    assert!(count >= 40, "{count}");
}

#[test]
fn options_mean_what_they_mean_for_the_command() {
    let server = TestServer::start();
    let lines = format!("{WALL}\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n{WALL}\n");
    let count = |query: &str| {
        let answer = server.post(&format!("/api/v1/scan{query}"), "text/plain", &lines);
        assert_eq!(answer.status, 200, "{query}");
        answer.text().lines().count()
    };
    assert_eq!(count(""), 3);
    assert_eq!(count("?only=dead"), 2);
    assert_eq!(count("?only=dead,strict&unique=true"), 1);
    assert_eq!(count("?format=fen&unique=true&end=true"), 3);
    let pgn = "[White \"Anna\"]\n[Black \"Béla\"]\n\n1. e4 *\n";
    let answer = server.post("/api/v1/scan?tags=White,Black,Site&offset=true", "text/plain", pgn);
    let rows = documents(answer.text());
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!(
            [&row["White"], &row["Black"], &row["Site"]],
            [&json!("Anna"), &json!("Béla"), &Value::Null]
        );
        assert_eq!(row["offset"], 0);
    }
    let deep = "8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1";
    let answer = server.post("/api/v1/scan?positions=10", "text/plain", deep);
    assert_eq!((answer.status, documents(answer.text()).len()), (200, 1));
    let answer = server.post("/api/v1/scan?decide=1000", "text/plain", pgn);
    for row in documents(answer.text()) {
        assert_eq!([&row["decided_white"], &row["decided_black"]], ["winnable", "winnable"]);
    }
    let answer = server.post("/api/v1/scan?decide=400001", "text/plain", deep);
    assert_eq!(answer.problem(), (422, "server/too-many-positions".to_owned()));
    let answer = server.post("/api/v1/scan?positions=100001", "text/plain", deep);
    assert_eq!(answer.problem(), (422, "server/too-many-positions".to_owned()));
    for query in [
        "?only=winnable",
        "?tags=fen",
        "?tags=White,White",
        "?format=parquett",
        "?only=alive",
        "?delimiter=ab",
        "?delimiter=%22",
        "?threads=9",
        "?certificates=/tmp",
        "?unique=yes",
    ] {
        let answer = server.post(&format!("/api/v1/scan{query}"), "text/plain", &lines);
        assert_eq!(answer.problem(), (400, "server/malformed-request".to_owned()), "{query}");
    }
}

#[test]
fn a_collection_has_its_size_and_scans_their_number() {
    let server = TestServer::with(|limits| {
        limits.scan_body = 100;
        limits.scans = 1;
    });
    let long = format!("{WALL}\n").repeat(3);
    let answer = server.post("/api/v1/scan", "text/plain", &long);
    assert_eq!(answer.problem(), (413, "server/body-too-large".to_owned()));

    // Where no length says so beforehand, the rows end with the error.
    let mut client = server.connect();
    client
        .write("POST /api/v1/scan?end=true HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    assert_eq!(client.read_head().unwrap().status, 200);
    let second = server.post("/api/v1/scan", "text/plain", WALL);
    assert_eq!(second.problem(), (503, "server/busy".to_owned()));
    client.write(format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len())).unwrap();
    let mut text = Vec::new();
    while let Some(chunk) = client.chunk().unwrap() {
        text.extend(chunk);
    }
    let documents = documents(str::from_utf8(&text).unwrap());
    let end = documents.last().unwrap();
    assert_eq!(end["counts"]["broken_sources"], 1, "{end}");
    assert!(end["remarks"][0]["message"].as_str().unwrap().contains("larger than 100 bytes"), "{end}");
}

#[test]
fn a_collection_that_is_cut_off_is_an_error_and_not_a_short_collection() {
    let server = TestServer::with(|limits| limits.body_time = Duration::from_secs(1));
    let mut client = server.connect();
    client
        .write(format!(
            "POST /api/v1/scan?end=true HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{WALL}\n"
        ))
        .unwrap();
    let answer = client.read().unwrap();
    let documents = documents(answer.text());
    let end = documents.last().unwrap();
    assert_eq!(
        (&end["counts"]["positions"], &end["counts"]["broken_sources"]),
        (&1.into(), &1.into()),
        "{end}"
    );
    assert!(end["remarks"][0]["message"].as_str().unwrap().contains("nothing came for 1 seconds"), "{end}");
}

#[test]
fn a_scan_that_takes_too_long_is_cut_off() {
    let server = TestServer::with(|limits| {
        limits.scan_time = Duration::from_secs(3);
    });
    let mut client = server.connect();
    client
        .write("POST /api/v1/scan HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        .unwrap();
    assert_eq!(client.read_head().unwrap().status, 200);
    assert!(client.chunk().is_err(), "no last chunk, so it is not taken for complete");
    server.assert_well();
}

#[test]
fn a_client_that_goes_away_frees_its_scan() {
    let server = TestServer::with(|limits| limits.scans = 1);
    for _ in 0..3 {
        let mut client = server.connect();
        client
            .write("POST /api/v1/scan HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            .unwrap();
        assert_eq!(client.read_head().unwrap().status, 200);
        drop(client);
        wait_until("the place is free again", || {
            server.post("/api/v1/scan", "text/plain", WALL).status == 200
        });
    }
}

#[test]
fn rows_come_while_the_collection_is_on_its_way() {
    let server = TestServer::start();
    let mut client = server.connect();
    client
        .write(
            "POST /api/v1/scan?format=fen HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        )
        .unwrap();
    assert_eq!(client.read_head().unwrap().status, 200);
    // The rows of the first piece may wait for the second.
    let line = format!("{WALL}\n");
    for _ in 0..2 {
        client.write(format!("{:x}\r\n{line}\r\n", line.len())).unwrap();
    }
    let mut rows = client.chunk().unwrap().unwrap();
    assert_eq!(documents(str::from_utf8(&rows).unwrap())[0]["line"], 1);
    client.write("0\r\n\r\n").unwrap();
    while let Some(more) = client.chunk().unwrap() {
        rows.extend(more);
    }
    assert_eq!(documents(str::from_utf8(&rows).unwrap()).len(), 2);
}

#[test]
fn an_audit_says_of_each_game_what_the_library_says() {
    let server = TestServer::start();
    let games = "[Result \"1-0\"]\n[Termination \"Time forfeit\"]\n[FEN \"7k/8/8/8/8/4K3/8/6B1 w - - 0 1\"]\n[SetUp \"1\"]\n\n\
                 1. Kd4 Kg7 1-0\n\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let answer = server.post("/api/v1/audit?end=true", "text/plain", games);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/x-ndjson")));
    let mut rows = documents(answer.text());
    schema::check("end", &rows.pop().unwrap());
    rows.iter().for_each(|row| schema::check("audit", row));

    let mut inputs = Inputs::new();
    inputs.add_reader("-", Box::new(games.as_bytes()));
    let mut options = Options::default();
    options.format = Some(bitmesh_corpus::Format::Pgn);
    bitmesh_corpus::prepare_audit(&mut options, &[]);
    let table = bitmesh_corpus::AuditTable::new(&options).unwrap();
    let mut expected = Vec::new();
    for block in Scan::start(inputs, options, bitmesh_corpus::Audit::new).unwrap() {
        expected.extend(table.json_lines(&block.unwrap().rows));
    }
    assert_eq!(rows, documents(str::from_utf8(&expected).unwrap()));
    assert_eq!(rows.len(), 2);

    let refused = server.post("/api/v1/audit?effort=400001", "text/plain", games);
    assert_eq!(refused.problem(), (422, "server/too-many-positions".to_owned()));
    let refused = server.post("/api/v1/audit?certificates=/tmp", "text/plain", games);
    assert_eq!(refused.problem(), (400, "server/malformed-request".to_owned()));
}

#[test]
fn two_scans_on_one_connection_follow_each_other() {
    let server = TestServer::start();
    let mut client = server.connect();
    for _ in 0..2 {
        client.write(post("/api/v1/scan", "text/plain", WALL.as_bytes())).unwrap();
        assert_eq!(documents(client.read().unwrap().text()).len(), 1);
    }
}
