//! `bitmesh serve`: the same documents as the other subcommands, and how it starts and stops.
#![cfg(feature = "serve")]
#![allow(clippy::print_stderr, reason = "a test that cannot run says so")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assert_cmd::cargo::CommandCargoExt as _;
use serde_json::{Value, json};

fn bitmesh() -> Command {
    Command::cargo_bin("bitmesh").unwrap()
}

/// The command as a server, ended when the test is over.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let mut command = bitmesh();
        command.args(["serve", "--listen", "0", "--log", "off", "--answer-time", "600"]).args(options);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim_end().strip_prefix("serving  http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("{line:?}")).parse().unwrap();
        Self { child, address }
    }

    /// Sends a body and gives back the status and the body of the answer.
    fn post(&self, path: &str, content_type: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(600))).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: {content_type}\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = str::from_utf8(&answer[..end]).unwrap();
        let status = head[9..12].parse().unwrap();
        let body = &answer[end + 4..];
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        (status, if is_chunked { unchunked(body) } else { body.to_vec() })
    }

    fn ask(&self, question: &str, document: &Value) -> (u16, Vec<u8>) {
        self.post(&format!("/api/v1/{question}"), "application/json", document.to_string().as_bytes())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let end = body.windows(2).position(|two| two == b"\r\n").unwrap();
        let length = usize::from_str_radix(str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            return whole;
        }
        whole.extend_from_slice(&body[end + 2..end + 2 + length]);
        body = &body[end + 2 + length + 2..];
    }
}

/// What the command prints for these arguments and this input.
fn printed(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = bitmesh()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    output.stdout
}

/// Positions of the cases: blocked, dead, hard to decide, and walls with en passant.
fn positions() -> Vec<&'static str> {
    let tables = [
        (include_str!("../../bitmesh-lab/cases/blocked.tsv"), 1, 1),
        (include_str!("../../bitmesh-lab/cases/dead.tsv"), 0, 12),
        (include_str!("../../bitmesh-lab/cases/wall_en_passant.tsv"), 0, 12),
        (include_str!("../../bitmesh/tests/cases/decide/hard.tsv"), 0, 12),
    ];
    let mut all = Vec::new();
    for (table, _, step) in tables {
        for line in table.lines().skip(1).step_by(step) {
            all.extend(line.split('\t').find(|cell| cell.matches('/').count() == 7 && !cell.contains("..")));
        }
    }
    assert!(all.len() > 80, "{}", all.len());
    all
}

/// One answer of the command for each line, without the number of the line.
fn lines(arguments: &[&str], positions: &[&str]) -> Vec<Value> {
    let output = printed(arguments, positions.join("\n").as_bytes());
    let lines = str::from_utf8(&output).unwrap().lines().map(|line| {
        let mut document: Value = serde_json::from_str(line).unwrap();
        document.as_object_mut().unwrap().remove("line");
        document
    });
    lines.collect()
}

#[test]
fn every_document_over_http_is_that_of_the_command() {
    let server = Server::start(&[]);
    let positions: Vec<_> = positions()
        .into_iter()
        .filter(|fen| bitmesh::read_position(fen).is_ok_and(|read| read.input.position().is_some()))
        .collect();
    for (question, arguments, options) in [
        ("certify", &["certify", "--json", "-"][..], json!({})),
        ("prove", &["prove", "--json", "--positions", "2000", "-"], json!({ "positions": 2000 })),
        ("decide", &["decide", "--json", "--effort", "5000", "-"], json!({ "effort": 5000 })),
    ] {
        let expected = lines(arguments, &positions);
        assert_eq!(expected.len(), positions.len(), "{question}");
        for (fen, expected) in positions.iter().zip(expected) {
            let mut asked = options.clone();
            asked["fen"] = json!(fen);
            let (status, body) = server.ask(question, &asked);
            assert_eq!(status, 200, "{question} {fen}");
            assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), expected, "{question} {fen}");
        }
    }
}

#[test]
fn a_single_document_has_the_same_bytes() {
    let server = Server::start(&[]);
    let fen = "1b1k4/8/1p1p1p1p/pP1PpP1P/P3P1K1/8/8/8 w - - 0 50";
    for question in ["certify", "prove", "decide"] {
        let (_, body) = server.ask(question, &json!({ "fen": fen }));
        assert_eq!(body, printed(&[question, "--json", fen], b""), "{question}");
        let (status, report) = server.post("/api/v1/verify", "application/json", &body);
        let expected = printed(&["verify", "--json", "-"], &body);
        if expected.is_empty() {
            assert_eq!(status, 422, "{question}");
        } else {
            assert_eq!(report, expected, "{question}");
        }
    }
    let (_, rows) = server.post("/api/v1/scan", "text/plain", fen.as_bytes());
    assert_eq!(rows, printed(&["scan", "-"], fen.as_bytes()));
    let games = include_bytes!("../../../examples/collection/games.pgn");
    let (_, rows) = server.post("/api/v1/audit?effort=10000", "text/plain", games);
    assert_eq!(rows, printed(&["audit", "--effort", "10000", "-"], games));
}

#[test]
fn a_refused_text_has_the_words_of_the_command() {
    let server = Server::start(&[]);
    let fen = "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1";
    let (status, body) = server.ask("certify", &json!({ "fen": fen }));
    let problem: Value = serde_json::from_slice(&body).unwrap();
    let output = bitmesh().args(["certify", fen]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((status, output.status.code()), (422, Some(2)));
    assert_eq!(said.trim_end(), format!("bitmesh: error: {}", problem["detail"].as_str().unwrap()));
}

#[test]
fn an_address_that_cannot_be_had_is_one_line_and_exit_2() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for address in [taken.as_str(), "nonsense", "127.0.0.1", "99999", "chess.example:80"] {
        let output = bitmesh().args(["serve", "--listen", address]).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{address}: {said}");
        assert!(said.contains(address) && output.stdout.is_empty(), "{said}");
    }
}

#[test]
fn a_server_that_others_can_reach_says_so() {
    let mut command = bitmesh();
    command
        .args(["serve", "--listen", "0.0.0.0:0", "--log", "off"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.starts_with("bitmesh: warning: other machines can reach this server"), "{said}");
    assert!(address.starts_with("serving  http://127.0.0.1:"), "an address to go to: {address}");
}

#[cfg(unix)]
#[test]
fn it_ends_well_when_it_is_told_to() {
    for signal in ["-TERM", "-INT"] {
        let mut server = Server::start(&[]);
        let mut idle = TcpStream::connect(server.address).unwrap();
        idle.write_all(b"GET / HT").unwrap();
        let id = server.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = server.child.wait().unwrap();
        assert_eq!(status.code(), Some(0), "{signal}");
    }
}

#[test]
fn the_log_has_a_number_and_a_route_and_never_a_body() {
    let mut command = bitmesh();
    command.args(["serve", "--listen", "0", "--log", "json", "--log-answers"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address =
        address.trim_end().strip_prefix("serving  http://").unwrap().trim_end_matches('/').parse().unwrap();
    let mut server = Server { child, address };
    server.ask("certify", &json!({ "fen": "secret-text" }));
    server.ask("certify", &json!({ "fen": "8/8/8/8/8/8/8/8" }));
    server.child.kill().unwrap();
    let mut log = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(!log.contains("secret-text"), "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answers: Vec<_> = lines.iter().filter(|line| line["route"] == "/api/v1/certify").collect();
    assert_eq!(answers.iter().map(|line| &line["status"]).collect::<Vec<_>>(), [&json!(422), &json!(200)]);
    assert!(answers[0]["number"].as_u64() < answers[1]["number"].as_u64());
}

/// The fenced blocks of a page: their language and their text.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (language, after) = after.split_once('\n').unwrap();
        let (text, after) = after.split_once("\n```").unwrap();
        blocks.push((language, text));
        rest = after;
    }
    blocks
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_handbook_run() {
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("skipped: no curl");
        return;
    }
    let server = Server::start(&[]);
    let folder = tempfile::tempdir().unwrap();
    let page = include_str!("../../../docs/server.md");
    let blocks = blocks(page);
    let mut count = 0;
    for (index, (language, text)) in blocks.iter().enumerate() {
        if *language != "sh" {
            continue;
        }
        let script = text.replace("127.0.0.1:8630", &server.address.to_string());
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &script])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let Some(("text", expected)) = blocks.get(index + 1) else { panic!("{text} has no output") };
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), *expected, "{text}");
        assert!(output.status.success(), "{text}");
        count += 1;
    }
    assert!(count >= 5, "{count}");
}
