//! Every odd input of the cases, over HTTP: an answer or a problem with a code, never a failure of the server.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::client::TestServer;
use crate::schema;

#[test]
fn every_odd_text_is_answered_or_refused_with_a_code() {
    let server = TestServer::start();
    let mut answered = 0;
    for line in include_str!("../cases/odd.tsv").lines() {
        let (name, text) = line.split_once('\t').unwrap();
        for question in ["certify", "prove"] {
            let answer = server.ask(question, &json!({ "fen": text }));
            if answer.status == 200 {
                schema::check(question, &answer.json());
                answered += 1;
            } else {
                let (status, code) = answer.problem();
                assert!(status == 422 && code.contains('/'), "{name}: {status} {code}");
            }
            // The library says the same.
            let expected = bitmesh::read_position(text);
            if let Err(error) = expected {
                assert_eq!(answer.problem().1, error.code(), "{name}");
            } else {
                assert!(answer.status == 200 || answer.problem().1 == "persistent/not-a-position", "{name}");
            }
        }
    }
    assert!(answered > 20, "{answered}");
    server.assert_well();
}

#[test]
fn every_odd_file_is_read_or_refused_as_a_certificate() {
    let server = TestServer::start();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for folder in [
        "../bitmesh/tests/cases/inputs",
        "../bitmesh-corpus/tests/cases",
        "../bitmesh-lab/fuzz_corpus/decode_persistent",
    ] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if !path.is_file() {
                continue;
            }
            let answer = server.post("/api/v1/verify", "application/octet-stream", fs::read(&path).unwrap());
            if answer.status == 200 {
                schema::check("verify", &answer.json());
            } else {
                assert_eq!(answer.problem().0, 422, "{}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
    server.assert_well();
}
