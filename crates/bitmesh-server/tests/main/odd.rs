//! Every odd input of the cases, over HTTP: an answer or a problem with a code, never a failure of the server.

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
                assert!(answer.status == 200 || answer.problem().1 == "server/not-a-position", "{name}");
            }
        }
    }
    assert!(answered > 20, "{answered}");
    server.assert_well();
}
