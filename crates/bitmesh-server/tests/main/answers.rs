//! What is answered to good questions.

use serde_json::{Value, json};

use crate::client::TestServer;
use crate::schema;

pub(crate) const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const OPEN_WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";

#[test]
fn certify_says_what_the_library_says() {
    let server = TestServer::start();
    let answer = server.ask("certify", &json!({ "fen": WALL }));
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let document = answer.json();
    schema::check("certify", &document);
    assert_eq!(document["verdict"], "accepted");
    assert_eq!(
        document["structural_digest"],
        "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf"
    );
    let refused = server.ask("certify", &json!({ "fen": OPEN_WALL })).json();
    schema::check("certify", &refused);
    assert_eq!(
        (&refused["verdict"], refused["violations"].as_array().unwrap().len()),
        (&json!("refused"), 2)
    );
}

#[test]
fn the_certificate_has_the_bytes_of_the_library() {
    let server = TestServer::start();
    let bytes = |question: &str, fen: &str| {
        let body = json!({ "fen": fen }).to_string();
        server.send(format!(
            "POST /api/v1/{question} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/octet-stream\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    };
    let input = bitmesh::read_position(WALL).unwrap().input;
    let structure = bytes("certify", WALL);
    assert_eq!(structure.header("content-disposition"), Some("attachment; filename=\"position.bmdcert\""));
    assert_eq!(structure.body, bitmesh::certify_decomposition(input.board()).canonical_payload().unwrap());
    let proof = bytes("prove", WALL);
    let chess = input.position().unwrap().chess().clone();
    assert_eq!(proof.body, bitmesh::persistent::prove(&chess).canonical_payload());
    let nothing = bytes("prove", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(nothing.problem(), (422, "server/no-evidence".to_owned()));
}

#[test]
fn prove_says_what_holds_for_ever() {
    let server = TestServer::start();
    let document = server.ask("prove", &json!({ "fen": WALL })).json();
    schema::check("prove", &document);
    assert_eq!(document["verdicts"], json!(["dead", "sum"]));
    let start = json!({ "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "positions": 0 });
    let nothing = server.ask("prove", &start).json();
    schema::check("prove", &nothing);
    assert_eq!(nothing["verdicts"], json!(["not-proved"]));
    let board = server.ask("prove", &json!({ "fen": "8/8/8/8/8/8/8/8" }));
    assert_eq!(board.problem(), (422, "persistent/not-a-position".to_owned()));
}

/// Black has only a king: White can mate, and Black never.
const ROOK: &str = "7k/8/8/8/8/8/8/RK6 w - - 0 1";

#[test]
fn decide_shows_a_line_or_a_certificate_for_each_colour() {
    let server = TestServer::start();
    let document = server.ask("decide", &json!({ "fen": ROOK })).json();
    schema::check("decide", &document);
    let [white, black] = [0, 1].map(|index| &document["decisions"][index]);
    assert_eq!((&white["for"], &white["verdict"]), (&json!("white"), &json!("winnable")));
    assert_eq!(white["plies"], white["evidence"]["moves"].as_array().unwrap().len());
    assert_eq!((&black["for"], &black["verdict"]), (&json!("black"), &json!("unwinnable")));
    assert_eq!(black["evidence"]["claims"]["unwinnable"], json!(["black"]));

    let only = server.ask("decide", &json!({ "fen": ROOK, "for": "black", "effort": 0 })).json();
    schema::check("decide", &only);
    assert_eq!((&only["decisions"][0], only["decisions"].as_array().unwrap().len()), (black, 1));
}

#[test]
fn a_decision_is_the_one_of_the_library_whatever_lane_it_took() {
    use bitmesh::decision::{Decider, Decision, Effort};
    use bitmesh::shakmaty::Color;
    let server = TestServer::start();
    let mut open = 0;
    let cases = include_str!("../../../bitmesh/tests/cases/decide/hard.tsv");
    for line in cases.lines().skip(1).step_by(20).chain([ROOK, WALL]) {
        let fen = line.split('\t').find(|cell| cell.contains('/')).unwrap();
        let Ok(reading) = bitmesh::read_position(fen) else { continue };
        let Some(position) = reading.input.position() else { continue };
        for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
            let effort = 5_000;
            let mut bounded = Decider::new(Effort::positions(effort));
            let expected = bounded.decide(position.chess(), color);
            let said = server.ask("decide", &json!({ "fen": fen, "for": name, "effort": effort })).json();
            let said = &said["decisions"][0];
            assert_eq!(said["verdict"], expected.verdict().word(), "{fen} {name}");
            match &expected {
                Decision::Winnable(line) => assert_eq!(said["evidence"], json!(line), "{fen}"),
                Decision::Unwinnable(proof) => assert_eq!(said["evidence"], json!(proof), "{fen}"),
                Decision::Undecided { .. } => open += 1,
            }
        }
    }
    assert!(open > 0, "some of the hard ones stay open with this effort");
}

#[test]
fn the_evidence_of_a_decision_has_its_bytes() {
    let server = TestServer::start();
    let evidence = |body: Value| {
        let body = body.to_string();
        server.send(format!(
            "POST /api/v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/octet-stream\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    };
    let line = evidence(json!({ "fen": ROOK, "for": "white" }));
    assert_eq!(line.header("content-disposition"), Some("attachment; filename=\"position.bmmate\""));
    let line = bitmesh::decision::MateLine::decode(&line.body).unwrap();
    assert_eq!(line.winner(), bitmesh::shakmaty::Color::White);
    let proof = evidence(json!({ "fen": ROOK, "for": "black" }));
    assert!(
        bitmesh::persistent::check(&bitmesh::persistent::PersistentCertificate::decode(&proof.body).unwrap())
            .is_ok()
    );
    assert_eq!(evidence(json!({ "fen": ROOK })).problem(), (400, "server/malformed-request".to_owned()));
}

#[test]
fn every_certificate_that_is_given_out_is_verified_and_a_changed_one_refused() {
    let server = TestServer::start();
    for (question, body) in [
        ("certify", json!({ "fen": WALL })),
        ("prove", json!({ "fen": WALL })),
        ("decide", json!({ "fen": ROOK, "for": "black" })),
    ] {
        let body = body.to_string();
        let evidence = server.send(format!(
            "POST /api/v1/{question} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/octet-stream\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ));
        let verify = |bytes: &[u8]| {
            let answer = server.post("/api/v1/verify", "application/octet-stream", bytes);
            let document = answer.json();
            schema::check("verify", &document);
            document
        };
        assert_eq!(verify(&evidence.body)["verdict"], "verified", "{question}");
        let hex: String = evidence.body.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(verify(hex.as_bytes())["verdict"], "verified", "{question}");
        let mut changed = evidence.body.clone();
        changed.push(0);
        let refused = verify(&changed);
        assert_eq!(refused["verdict"], "refused", "{question}");
        assert!(refused["refusal"]["code"].as_str().unwrap().contains('/'));
    }
    let document = server.ask("certify", &json!({ "fen": WALL })).body;
    let answer = server.post("/api/v1/verify", "application/json", &document).json();
    assert_eq!(answer["verdict"], "verified");
    for (question, body, verdict) in [
        ("decide", json!({ "fen": ROOK }), "verified"),
        (
            "decide",
            json!({ "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "effort": 0 }),
            "nothing-claimed",
        ),
        ("prove", json!({ "fen": WALL }), "verified"),
        (
            "prove",
            json!({ "fen": ROOK.replace("8/8/8/8/8", "8/8/q7/8/8"), "positions": 0 }),
            "nothing-claimed",
        ),
    ] {
        let answer = server.ask(question, &body).body;
        let report = server.post("/api/v1/verify", "application/json", &answer).json();
        schema::check("verify", &report);
        assert_eq!(report["verdict"], verdict, "{question} {body}");
    }
    let other =
        server.post(&format!("/api/v1/verify?fen={}", OPEN_WALL.replace(' ', "_")), "text/plain", &document);
    assert_eq!(other.json()["refusal"]["code"], "verify/other-position");
}

#[test]
fn what_verification_lacks_is_named() {
    let server = TestServer::start();
    let post = |query: &str, body: &[u8]| {
        server.post(&format!("/api/v1/verify{query}"), "application/octet-stream", body)
    };
    assert_eq!(post("", b"").problem(), (422, "verify/empty".to_owned()));
    for (body, detail) in [
        (&b""[..], "the body is empty"),
        (b"hello", "the body is neither a certificate of this program nor a JSON document"),
        (b"BMX\0", "the body begins with BM, but with no magic that this program knows"),
        (b"[{}]", "the body is a JSON array; give each of its documents by itself"),
    ] {
        assert_eq!(post("", body).json()["detail"], detail);
    }
    assert_eq!(post("", b"hello").problem(), (422, "verify/unknown-format".to_owned()));
    assert_eq!(
        post("", b"{\"schema\":\"a\",\"schema\":\"a\"}").problem(),
        (422, "verify/ambiguous-json".to_owned())
    );
    assert_eq!(post("?fen=x", b"BMDCERT\0").problem().0, 422);
    assert_eq!(post("?certificate=00", b"BMDCERT\0").problem().0, 422);
    assert_eq!(
        post("?file=/etc/passwd", b"BMDCERT\0").problem(),
        (400, "server/malformed-request".to_owned())
    );
    let input = bitmesh::read_position(WALL).unwrap().input;
    let structure = bitmesh::certify_decomposition(input.board());
    let record = bitmesh::verify_conservative_legal_independence(input.board(), &structure).unwrap();
    let record = serde_json::to_vec(&record).unwrap();
    let missing = post("", &record);
    assert_eq!(missing.status, 422, "{}", missing.text());
    let query = format!("?fen={}", WALL.replace(' ', "_"));
    assert_eq!(post(&query, &record).json()["verdict"], "verified");
    let hex: String =
        structure.canonical_payload().unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(post(&format!("{query}&certificate={hex}"), &record).json()["verdict"], "verified");
}

#[test]
fn a_diagram_is_that_of_the_library_in_every_form() {
    let server = TestServer::start();
    let fen = WALL.replace(' ', "%20");
    let svg = server.get(&format!("/api/v1/diagram.svg?fen={fen}&layer=structure"));
    assert_eq!((svg.status, svg.header("content-type")), (200, Some("image/svg+xml")));
    let diagram = bitmesh_diagram::Diagram::structure(bitmesh::read_position(WALL).unwrap().input.board());
    assert_eq!(svg.text(), bitmesh_diagram::render_svg(&diagram));

    let png =
        server.get(&format!("/api/v1/diagram.png?fen={fen}&layer=persistent&size=128&orientation=black"));
    assert_eq!((png.status, png.header("content-type")), (200, Some("image/png")));
    assert!(png.body.starts_with(b"\x89PNG\r\n"));

    let data = server.get(&format!("/api/v1/diagram.json?fen={fen}&reach=a1")).json();
    schema::check("diagram", &data);
    assert_eq!(data["reach"]["square"], "a1");
    assert_eq!(data["regions"].as_array().unwrap().len(), 2);
    let reaches = data["reaches"].as_array().unwrap();
    assert_eq!((reaches.len(), &reaches[0]), (2, &data["reach"]), "of both kings, and of no frozen pawn");

    let open = OPEN_WALL.replace(' ', "_");
    let data = server.get(&format!("/api/v1/diagram.json?fen={open}&layer=one-ply")).json();
    schema::check("diagram", &data);
    assert_eq!(data["violations"][0]["arrows"], json!([{ "from": "b4", "to": "a3" }]));
    assert_eq!(data["violations"][0]["highlights"], json!(["a4"]));
}

#[test]
fn what_a_diagram_cannot_show_is_a_problem() {
    let server = TestServer::start();
    let fen = WALL.replace(' ', "_");
    for (query, status, code) in [
        ("", 400, "server/malformed-request"),
        ("?fen=", 422, "position/empty"),
        (&format!("?fen={fen}&layer=other"), 400, "server/malformed-request"),
        (&format!("?fen={fen}&fen={fen}"), 400, "server/malformed-request"),
        (&format!("?fen={fen}&unknown=1"), 400, "server/malformed-request"),
        (&format!("?fen={fen}&reach=z9"), 400, "server/malformed-request"),
        (&format!("?fen={fen}&reach=a4"), 422, "diagram/reach-of-frozen-piece"),
        (&format!("?fen={fen}&reach=a8&layer=structure"), 400, "server/malformed-request"),
        (&format!("?fen={fen}&size=63"), 422, "diagram/size-out-of-range"),
        (&format!("?fen={fen}&arrows=a1"), 400, "server/malformed-request"),
        ("?fen=8/8/8/8/8/8/8/8&layer=persistent", 422, "persistent/not-a-position"),
    ] {
        let answer = server.get(&format!("/api/v1/diagram.svg{query}"));
        assert_eq!(answer.problem(), (status, code.to_owned()), "{query}");
    }
}

#[test]
fn what_is_typed_is_never_markup() {
    let server = TestServer::start();
    let request = include_str!("../cases/svg-xss.txt").trim();
    let query = request.replace(' ', "%20").replace('<', "%3C").replace('>', "%3E");
    let svg = server.get(&format!("/api/v1/diagram.svg?{query}"));
    assert_eq!(svg.status, 200);
    assert!(!svg.text().contains("<script") && svg.text().contains("&lt;script&gt;"), "{}", svg.text());

    let answer = server.ask("certify", &json!({ "fen": "<img src=x onerror=alert(1)>" }));
    assert_eq!(answer.problem().0, 422);
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
}

#[test]
fn an_error_of_a_position_names_its_place() {
    let server = TestServer::start();
    let fen = "rnbqkbnr/pppp2pp/5p2/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e5 0 1";
    let answer = server.ask("certify", &json!({ "fen": fen }));
    assert_eq!(answer.problem(), (422, "position/en-passant-rank".to_owned()));
    let document = answer.json();
    let place = ["field", "line", "column", "offset"].map(|name| document[name].clone());
    assert_eq!(place, [json!("en passant"), json!(1), json!(56), json!(55)]);
}

#[test]
fn the_page_and_its_parts_are_there_with_the_headers_that_protect_it() {
    let server = TestServer::start();
    for (path, content_type) in [
        ("/", "text/html; charset=utf-8"),
        ("/?fen=7k%2F8%2F8%2Fp1p1p1p1%2FPpPpPpPp%2F1P1P1P1P%2F8%2FK7_b_-_a3_0_1", "text/html; charset=utf-8"),
        ("/explorer.js", "text/javascript; charset=utf-8"),
        ("/explorer.css", "text/css; charset=utf-8"),
        ("/board.css", "text/css; charset=utf-8"),
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(content_type)), "{path}");
        assert_protected(&answer);
    }
    let page = server.get("/").text().to_owned();
    assert!(!page.contains("<style") && !page.contains("style=") && !page.contains("onclick"));
    // The only scripts are files from here.
    assert_eq!(
        page.matches("<script").count(),
        page.matches("<script type=\"module\" crossorigin src=\"./").count()
    );
    assert!(!page.contains("http:") && !page.contains("https:"), "nothing comes from elsewhere");
    for path in [
        "/index.html",
        "/../Cargo.toml",
        "/explorer.js/",
        "/etc/passwd",
        "/api",
        "/api/v1/",
        "/api/v2/certify",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.problem(), (404, "server/not-found".to_owned()), "{path}");
        assert_protected(&answer);
    }
}

fn assert_protected(answer: &crate::client::Response) {
    let policy = answer.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; "), "{policy}");
    assert!(!policy.contains("unsafe") && policy.ends_with("frame-ancestors 'none'"), "{policy}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("x-frame-options"), Some("DENY"));
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[test]
fn health_readiness_and_metrics_are_told() {
    let server = TestServer::start();
    server.assert_well();
    assert_eq!(server.get("/readyz").text(), "ready\n");
    server.ask("certify", &json!({ "fen": WALL }));
    server.get("/some/strange/path");
    let metrics = server.get("/metrics");
    assert_eq!(
        metrics.header("content-type").unwrap().split(';').next(),
        Some("application/openmetrics-text")
    );
    let text = metrics.text();
    assert!(text.contains("bitmesh_answers_total{route=\"/api/v1/certify\",status=\"200\"} 1\n"), "{text}");
    assert!(text.contains("bitmesh_answers_total{route=\"other\",status=\"404\"} 1\n"), "{text}");
    assert!(!text.contains("strange"), "a stranger makes no new series");
    assert!(text.contains("bitmesh_connections ") && text.ends_with("# EOF\n"), "{text}");
}

#[test]
fn numbers_of_requests_differ() {
    let server = TestServer::start();
    let number = || server.get("/healthz").header("x-request-number").unwrap().parse::<u64>().unwrap();
    assert!(number() < number());
}

#[test]
fn the_answer_to_head_has_no_body() {
    let server = TestServer::start();
    let mut client = server.connect();
    client.write("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let head = client.read_head().unwrap();
    assert_eq!(head.status, 200);
    client.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert_eq!(client.read().unwrap().text(), "ok\n", "nothing stands between the two answers");
}

#[test]
fn a_named_origin_may_ask_and_no_other() {
    let mut options = TestServer::options();
    options.origins = vec!["https://club.example".to_owned()];
    let server = TestServer::with_options(options);
    let from = |origin: &str, method: &str| {
        server.send(format!("{method} /healthz HTTP/1.1\r\nHost: localhost\r\nOrigin: {origin}\r\n\r\n"))
    };
    let allowed = from("https://club.example", "GET");
    assert_eq!(
        (allowed.status, allowed.header("access-control-allow-origin")),
        (200, Some("https://club.example"))
    );
    assert_eq!(from("https://club.example", "OPTIONS").status, 204);
    for method in ["GET", "OPTIONS"] {
        assert_eq!(
            from("https://evil.example", method).problem(),
            (403, "server/origin-not-allowed".to_owned())
        );
    }
}

#[test]
fn the_document_is_on_one_line() {
    let server = TestServer::start();
    let answer = server.ask("certify", &json!({ "fen": WALL }));
    assert_eq!(answer.text().matches('\n').count(), 1);
    assert!(answer.text().ends_with("}\n"));
    let _: Value = answer.json();
}
