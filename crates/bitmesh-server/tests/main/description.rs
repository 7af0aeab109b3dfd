//! The description of the API and the API are the same.

use serde_json::Value;

use crate::client::TestServer;
use crate::schema::DESCRIPTION;

#[test]
fn every_described_path_answers_and_no_other_method_does() {
    let server = TestServer::start();
    assert_eq!(server.get("/api/v1/openapi.json").json(), *DESCRIPTION);
    for (path, methods) in DESCRIPTION["paths"].as_object().unwrap() {
        for method in ["get", "post", "put", "delete", "patch"] {
            let request = format!(
                "{} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
                method.to_uppercase()
            );
            let answer = server.send(request);
            if methods.get(method).is_some() {
                assert!(![404, 405].contains(&answer.status), "{method} {path}: {}", answer.status);
            } else {
                assert_eq!(
                    answer.problem(),
                    (405, "server/method-not-allowed".to_owned()),
                    "{method} {path}"
                );
                assert!(answer.header("allow").is_some());
            }
        }
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn walk(value: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                    let path = reference.strip_prefix('#').unwrap();
                    assert!(DESCRIPTION.pointer(path).is_some(), "{reference}");
                }
                members.values().for_each(walk);
            }
            Value::Array(elements) => elements.iter().for_each(walk),
            _ => {}
        }
    }
    walk(&DESCRIPTION);
}
