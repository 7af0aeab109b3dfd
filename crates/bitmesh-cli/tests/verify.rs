//! `bitmesh verify` on every format: what is verified, what is refused, and what is said about both.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use bitmesh::shakmaty::Board;
use bitmesh::{
    Against, CompositionCertificate, CompositionComponentValue, DecompositionCertificate, Input,
    PositionBinding, certify_conservative_legal_independence, certify_decomposition, certify_position,
    examine_evidence, persistent, read_position,
};
use serde_json::{Value, json};
use tempfile::TempDir;

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const DIGEST: &str = "7e300b3e0b7901942161a58eb284b87134be7f26484561f2bbc142d1010465bf";
/// Two walls with nothing between them.
const TWO_WALLS: &str = "n6k/p1p1p1p1/PpPpPpPp/1P1P1P1P/p1p1p1p1/PpPpPpPp/1P1P1P1P/B7";

struct Answer {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Answer {
    #[track_caller]
    fn is(self, code: i32, parts: &[&str]) -> Self {
        let (stdout, stderr) = (&self.stdout, &self.stderr);
        assert_eq!(self.code, code, "{stdout}{stderr}");
        for part in parts {
            assert!(stdout.contains(part) || stderr.contains(part), "no {part:?} in:\n{stdout}{stderr}");
        }
        self
    }

    #[track_caller]
    fn without(self, part: &str) -> Self {
        assert!(!self.stdout.contains(part), "{part:?} in:\n{}", self.stdout);
        self
    }

    fn document(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

fn bitmesh(args: &[&str], stdin: &[u8]) -> Answer {
    let output = Command::cargo_bin("bitmesh").unwrap().args(args).write_stdin(stdin).output().unwrap();
    Answer {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Verifies bytes from standard input.
fn verify(bytes: impl AsRef<[u8]>, args: &[&str]) -> Answer {
    bitmesh(&[&["verify", "-"], args].concat(), bytes.as_ref())
}

fn board(placement: &str) -> Board {
    placement.split(' ').next().unwrap().parse().unwrap()
}

fn wall() -> DecompositionCertificate {
    certify_decomposition(&board(WALL))
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

fn changed(document: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(document).unwrap();
    change(&mut value);
    value.to_string()
}

fn file(directory: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path: PathBuf = directory.path().join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_decomposition_in_every_form() {
    let payload = wall().canonical_payload().unwrap();
    let hex: String = payload.iter().map(|byte| format!("{byte:02X}")).collect();
    let document = text(&wall());
    for form in [payload.clone(), format!("{hex}\n").into_bytes(), document.into_bytes()] {
        verify(&form, &[])
            .is(
                0,
                &[
                    "verified  BMDCERT v1, the structure of a board\n",
                    DIGEST,
                    "structure         2 regions, 16 locked pawns\n",
                    "checked           the certificate is consistent in itself\n",
                    "checked           its regions and roots, against its own barrier\n",
                    "not checked       whether a board has this structure (give --fen)\n",
                ],
            )
            .without("finding");
        verify(&form, &["--fen", WALL])
            .is(
                0,
                &[
                    "checked           its barrier, pieces, regions and roots, against the board\n",
                    "one-ply screen    accepted\n",
                    "claim             bitmesh:position_independence:v1\n",
                    "not checked       anything after the next move\n",
                ],
            )
            .without("finding");
    }
    let directory = TempDir::new().unwrap();
    bitmesh(&["verify", &file(&directory, "wall.bmdcert", payload)], b"").is(0, &["verified", DIGEST]);
}

#[test]
fn en_passant_is_seen_in_a_position_and_not_on_a_board() {
    let payload = wall().canonical_payload().unwrap();
    let en_passant = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";
    verify(&payload, &["--fen", en_passant]).is(
        0,
        &["verified", "one-ply screen    position-independence/barrier-pawn-can-capture-en-passant\n"],
    );
    verify(&payload, &["--fen", en_passant.split(' ').next().unwrap()]).is(
        0,
        &["one-ply screen    accepted\n", "claim             bitmesh:conservative_legal_independence:v0\n"],
    );
}

#[test]
fn what_is_valid_and_not_what_the_board_gives() {
    let mut root = wall();
    root.components[0].root = 0;
    verify(root.canonical_payload().unwrap(), &["--fen", WALL]).is(
        0,
        &[
            "verified",
            "finding           component 0 has root 0, the contract's rule gives",
            "[comparison/other-root]\n",
        ],
    );

    let walls = board(TWO_WALLS);
    let mut joined = certify_decomposition(&walls);
    let listed = joined.components.iter().fold(joined.barrier, |all, component| all | component.mask);
    joined.components[0].mask |= !listed;
    let joined = joined.canonical_payload().unwrap();
    let finding = "finding           component 0 is not connected [comparison/component-not-connected]\n";
    verify(&joined, &[]).is(0, &["verified", finding]);
    verify(&joined, &["--fen", TWO_WALLS])
        .is(1, &["refused  BMDCERT v1, the structure of a board: component 0 is not connected", finding]);

    let payload = wall().canonical_payload().unwrap();
    verify(payload, &["--fen", &WALL.replacen("7k", "6k1", 1)]).is(
        1,
        &["refused", "pieces are not those of the board: h8 only in the certificate, g8 only on the board"],
    );
}

#[test]
fn bytes_that_are_no_certificate_are_refused_with_their_offset() {
    let mut payload = wall().canonical_payload().unwrap();
    payload.push(0);
    verify(&payload, &[]).is(1, &["refused  BMDCERT v1", "at byte 56 [payload/trailing-bytes]\n"]);
    payload.truncate(30);
    verify(&payload, &[]).is(1, &["[payload/truncated]\n"]);
    let mut strict = wall().canonical_payload().unwrap();
    strict[11] = 1;
    let answer = verify(&strict, &["--json"]).is(1, &[]);
    assert_eq!(
        answer.document()["refusal"],
        json!({
            "code": "decomposition/strict-with-rejection-reason",
            "message": "invalid certificate, first seen at byte 11: \
                        strict certificate has rejection reason no locked barrier",
            "offset": 11,
        }),
    );
}

#[test]
fn documents_that_lie_are_refused() {
    let document = text(&wall());
    let lie = |change: fn(&mut Value)| verify(changed(&document, change), &[]);
    lie(|document| document["digest"] = json!("0".repeat(64)))
        .is(1, &["refused", "[verify/malformed-document]\n"]);
    lie(|document| document["surplus"] = json!(1)).is(1, &["unknown field `surplus`"]);
    lie(|document| {
        document.as_object_mut().unwrap().remove("digest");
        document["strict"] = json!(false);
    })
    .is(1, &["[decomposition/strict-status-mismatch]\n"]);
}

#[test]
fn bindings() {
    let reading = read_position(WALL).unwrap();
    let binding = PositionBinding::of_input(wall().digest().unwrap(), &reading.input);
    let payload = binding.canonical_payload();
    for form in [payload.clone(), text(&binding).into_bytes()] {
        verify(&form, &["--fen", WALL]).is(
            0,
            &[
                "verified  BMDPOSCERT v1, a structure bound to a position\n",
                &format!("position digest   {}\n", binding.digest()),
                &format!("structural digest {DIGEST}\n"),
                "checked           the position text is the canonical one of its context\n",
                "checked           the position is the one that was given\n",
                "checked           the structure is the one that this program makes of the board\n",
            ],
        );
        verify(&form, &["--fen", &WALL.replace(" w ", " b ")]).is(1, &["[verify/other-position]\n"]);
    }
    let bind = |position: &str, context: &str| {
        PositionBinding::new(wall().digest().unwrap(), position.to_owned(), context.to_owned())
            .unwrap()
            .canonical_payload()
    };
    verify(bind(&WALL.replace("0 1", "3 9"), "bitmesh:fen:v1"), &[])
        .is(1, &[&format!("the canonical text is {WALL} [canonical-text/not-canonical]\n")]);
    verify(bind(&format!("{WALL} x"), "bitmesh:fen:v1"), &[]).is(1, &["[canonical-text/unreadable]\n"]);
    verify(bind(WALL, "bitmesh:board:v1"), &[]).is(1, &["[canonical-text/wrong-context]\n"]);
    verify(bind(WALL, "elsewhere"), &[])
        .is(0, &["not checked       the position text, whose context is not known"]);
    verify(bind(WALL, "elsewhere"), &["--fen", WALL]).is(1, &["[verify/other-context]\n"]);
    verify(bind(TWO_WALLS, "bitmesh:board:v1"), &[]).is(1, &["[verify/other-structure]\n"]);
}

#[test]
fn a_certificate_of_another_producer() {
    let directory = TempDir::new().unwrap();
    let mut other = wall();
    other.components[0].root = 0;
    let path = file(&directory, "other.json", text(&other));
    let reading = read_position(WALL).unwrap();
    let binding = PositionBinding::of_input(other.digest().unwrap(), &reading.input).canonical_payload();
    verify(&binding, &[]).is(1, &["[verify/other-structure]\n"]);
    verify(&binding, &["--certificate", &path]).is(0, &["verified", "[comparison/other-root]\n"]);
    let own = file(&directory, "own.bmdcert", wall().canonical_payload().unwrap());
    verify(&binding, &["--certificate", &own]).is(1, &["[verify/other-structure]\n"]);
    let broken = file(&directory, "broken.bmdcert", b"BMDCERT\0");
    verify(&binding, &["--certificate", &broken]).is(2, &["--certificate", "input ends at byte 8"]);
    let wrong = file(&directory, "wrong.bmdposcert", &binding);
    verify(&binding, &["--certificate", &wrong]).is(2, &["is BMDPOSCERT v1"]);
}

#[test]
fn compositions() {
    let value =
        |component_root| CompositionComponentValue { component_root, value_digest: "star".to_owned() };
    let composition = CompositionCertificate {
        decomposition_digest: wall().digest().unwrap(),
        component_values: wall().components.iter().map(|component| value(component.root)).collect(),
        result_value_digest: "zero".to_owned(),
    };
    for form in [composition.canonical_payload().unwrap(), text(&composition).into_bytes()] {
        verify(&form, &[]).is(
            0,
            &[
                "verified  BMCOMPOSE v1, values of components and their sum\n",
                "not checked       whether the values are right, and whether they add up to the result\n",
                "not checked       whether every component has a value (give --certificate or --fen)\n",
            ],
        );
        verify(&form, &["--fen", WALL])
            .is(0, &["checked           it values exactly the components of the structure\n"]);
        verify(&form, &["--fen", TWO_WALLS]).is(1, &["[composition/decomposition-digest-mismatch]\n"]);
    }
    let mut one = composition;
    one.component_values.pop();
    let directory = TempDir::new().unwrap();
    let certificate = file(&directory, "wall.bmdcert", wall().canonical_payload().unwrap());
    verify(one.canonical_payload().unwrap(), &["--certificate", &certificate])
        .is(1, &["[composition/missing-component-root]\n"]);
    one.component_values.clear();
    verify(text(&one), &[]).is(1, &["[composition/empty-component-values]\n"]);
}

#[test]
fn proof_records() {
    let proof = text(&certify_conservative_legal_independence(&board(WALL)).unwrap());
    verify(&proof, &[]).is(2, &["the record does not name its board: give it with --fen"]);
    verify(&proof, &["--fen", WALL]).is(
        0,
        &[
            "verified  record of the one-ply screen of a board\n",
            "not checked       en passant and castling: the claim is about the board alone\n",
        ],
    );
    let queen = "3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3";
    verify(&proof, &["--fen", queen]).is(1, &["[independence/barrier-piece-can-be-captured]\n"]);
    verify(changed(&proof, |document| document["component_count"] = json!(3)), &["--fen", WALL])
        .is(1, &["[verify/other-record]\n"]);

    let Input::Position(position) = read_position(WALL).unwrap().input else { panic!("a position") };
    let proof = text(&certify_position(&position).unwrap());
    verify(&proof, &[]).is(
        0,
        &[
            "verified  record of the one-ply screen of a position\n",
            "checked           the screen accepts the position, with this very record\n",
            "not checked       anything after the next move\n",
        ],
    );
    verify(&proof, &["--fen", &WALL.replace(" w ", " b ")]).is(1, &["[verify/other-position]\n"]);
    verify(changed(&proof, |document| document["barrier"] = json!(["a4"])), &[])
        .is(1, &["[verify/other-record]\n"]);
    // Moved to a position that en passant breaks, with the digest that belongs to it.
    let en_passant = WALL.replace(" w - - ", " b - a3 ");
    let binding =
        PositionBinding::of_input(wall().digest().unwrap(), &read_position(&en_passant).unwrap().input);
    let forged = changed(&proof, |document| {
        document["position"] = json!(en_passant);
        document["position_digest"] = json!(binding.digest().to_hex());
    });
    verify(forged, &[]).is(1, &["[position-independence/barrier-pawn-can-capture-en-passant]\n"]);
}

#[test]
fn permanent_certificates() {
    let Input::Position(position) = read_position(WALL).unwrap().input else { panic!("a position") };
    let certificate = persistent::prove(position.chess());
    let payload = certificate.canonical_payload();
    for form in [payload.clone(), text(&certificate).into_bytes()] {
        verify(&form, &["--fen", WALL]).is(
            0,
            &[
                "verified  BMPERSIST v1, permanent independence\n",
                "dead              neither side can ever give mate (FIDE Laws, article 5.2.2)\n",
                "sum               2 components, an exact disjoint sum of games\n",
                "checked           the position is the one that was given\n",
                "checked           every rule of the witness, and every conclusion that it claims\n",
            ],
        );
        verify(&form, &["--fen", &WALL.replace(" w ", " b ")]).is(1, &["[verify/other-position]\n"]);
    }
    // Whatever bit is changed: the command accepts what the library accepts.
    for at in (0..payload.len()).step_by(7) {
        let mut changed = payload.clone();
        changed[at] ^= 1 << (at % 8);
        let accepted = persistent::PersistentCertificate::decode(&changed).is_ok_and(|certificate| {
            persistent::check(&certificate).is_ok() && certificate.position() == position.chess()
        });
        assert_eq!(verify(&changed, &["--fen", WALL]).code == 0, accepted, "byte {at}");
    }
    let lie = |change: fn(&mut Value)| verify(changed(&text(&certificate), change), &[]);
    lie(|document| document["digest"] = json!("0".repeat(64))).is(1, &["[verify/malformed-document]\n"]);
    lie(|document| document["claims"]["dead"] = json!(false)).is(1, &["the claims do not follow"]);
    lie(|document| document["proof"]["movers"][0]["piece"] = json!("Q")).is(1, &["no piece Q on a1"]);
}

#[test]
fn what_other_commands_print_and_write() {
    let directory = TempDir::new().unwrap();
    let place = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    for (input, verdict) in [
        (WALL, "accepted"),
        ("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1", "refused"),
        ("3kb3/8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/2BQK3 w - - 4 7", "refused"),
        ("7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7", "refused"),
        ("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7", "accepted"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rejected"),
    ] {
        let certified = bitmesh(&["certify", "--json", input], b"").stdout;
        verify(&certified, &["--fen", input]).is(
            0,
            &[
                "verified  certification of one input\n",
                &format!("verdict           {verdict}\n"),
                if verdict == "accepted" {
                    "\nclaim             bitmesh:"
                } else {
                    "\nnot claimed       bitmesh:"
                },
                "checked           every field is what `bitmesh certify` says about the position\n",
            ],
        );
        let lie = |change: fn(&mut Value)| verify(changed(&certified, change), &[]);
        lie(|document| {
            let other = if document["verdict"] == "accepted" { "refused" } else { "accepted" };
            document["verdict"] = json!(other);
        })
        .is(1, &["[verify/other-verdict]\n"]);
        lie(|document| document["position_digest"] = json!("0".repeat(64)))
            .is(1, &["[verify/other-position-digest]\n"]);
        lie(|document| document["one_ply"] = json!("independence/something"))
            .is(1, &["[verify/other-verdict]\n"]);
        lie(|document| document["claim"] = json!("bitmesh:persistent_independence:v1"))
            .is(1, &["[verify/other-verdict]\n"]);
        // No field can be changed, left out or added.
        let document: Value = serde_json::from_str(&certified).unwrap();
        for name in document.as_object().unwrap().keys().filter(|name| *name != "schema") {
            let lie = |value: Value| {
                let lie = changed(&certified, |document| document[name] = value);
                verify(lie, &[]).is(1, &["refused  certification of one input: "]);
            };
            for value in [json!("lie"), json!([{ "code": "a/b" }]), json!([7]), Value::Null] {
                lie(value);
            }
            let left_out = changed(&certified, |document| {
                document.as_object_mut().unwrap().remove(name);
            });
            verify(left_out, &[]).is(1, &["refused  certification of one input: ", name]);
        }
        lie(|document| document["surplus"] = json!(1))
            .is(1, &["`surplus` is unknown [verify/other-field]\n"]);
        lie(|document| document["line"] = json!(0)).is(1, &["`line` is malformed [verify/other-field]\n"]);
        lie(|document| document["line"] = json!(3)).is(0, &["verified"]);

        for (out, binding) in [("c.bmdcert", "b.bmdposcert"), ("c.json", "b.JSON")] {
            let (out, binding) = (place(out), place(binding));
            bitmesh(&["certify", "--out", &out, "--binding", &binding, input], b"")
                .is(i32::from(verdict != "accepted"), &["certificate written to", "binding written to"]);
            bitmesh(&["verify", &out, "--fen", input], b"")
                .is(0, &["verified  BMDCERT v1"])
                .without("finding");
            bitmesh(&["verify", &binding, "--fen", input, "--certificate", &out], b"")
                .is(0, &["verified  BMDPOSCERT v1"]);
        }
    }
    bitmesh(&["certify", "--out", &place("x"), "-"], b"")
        .is(2, &["--out and --binding are for a single position"]);

    let proved = bitmesh(&["prove", "--json", WALL], b"").stdout;
    verify(&proved, &["--fen", WALL]).is(0, &["verified  BMPERSIST v1"]);
    verify(changed(&proved, |document| document["surplus"] = json!(1)), &[]).is(1, &["`surplus` is unknown"]);
    for name in ["p.bmpersist", "p.json"] {
        let out = place(name);
        bitmesh(&["prove", "--out", &out, WALL], b"").is(0, &[]);
        bitmesh(&["verify", &out, "--fen", WALL], b"").is(0, &["verified  BMPERSIST v1"]);
    }
}

#[test]
fn files_that_are_nothing() {
    verify("", &[]).is(2, &["-: is empty"]);
    verify("hello", &[]).is(2, &["-: is neither a certificate of this program nor a JSON document"]);
    verify("BMX\0", &[]).is(2, &["no magic that this program knows"]);
    verify("{}", &[]).is(2, &["is a JSON document without a schema"]);
    verify(r#"{"schema": "other"}"#, &[]).is(2, &["is a JSON document with the schema `other`"]);
    verify("{", &[]).is(2, &["is not a JSON document"]);
    verify(wall().canonical_payload().unwrap(), &["--fen", "x"]).is(2, &["--fen: placement at character 1"]);
    bitmesh(&["verify", "no such file"], b"").is(2, &["cannot read no such file"]);
}

#[test]
fn text_in_another_shape_is_named() {
    let document = bitmesh(&["certify", "--json", WALL], b"").stdout;
    verify(format!("\u{feff}{document}"), &[]).is(0, &["verified  certification"]);
    verify(format!("[{document}]"), &[]).is(2, &["-: is a JSON array; give each of its documents by itself"]);
    let utf16: Vec<u8> = document.encode_utf16().flat_map(u16::to_le_bytes).collect();
    verify(&utf16, &[]).is(2, &["-: is UTF-16 text; save it as UTF-8"]);
}

#[test]
fn each_of_several_documents_is_verified() {
    let document = bitmesh(&["certify", "--json", WALL], b"").stdout;
    let lie = changed(&document, |document| document["position_digest"] = json!("0".repeat(64)));
    let both = format!("{document}\n{lie}\n");
    verify(&both, &[]).is(
        1,
        &[
            "verified  line 1: certification",
            "refused  line 3: certification",
            "[verify/other-position-digest]",
        ],
    );
    verify(format!("\u{feff}{document}{document}"), &[]).is(0, &["verified  line 1: ", "verified  line 2: "]);
    // What is not read costs only itself, and weighs more than a refusal.
    let broken = format!("{document}{{\"schema\":\n{both}");
    verify(&broken, &[]).is(
        2,
        &[
            "verified  line 1: ",
            "verified  line 3: ",
            "refused  line 5: ",
            "error: -, line 2: is not a JSON document: ",
        ],
    );
    let report = verify(&both, &["--json"]).is(1, &[]).stdout;
    let verdicts: Vec<Value> = report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&verdicts[0]["verdict"], &verdicts[1]["verdict"]), (&json!("verified"), &json!("refused")));
    assert_eq!(verdicts.len(), 2);
    let pretty: Value = serde_json::from_str(&document).unwrap();
    let pretty = serde_json::to_string_pretty(&pretty).unwrap();
    verify(&pretty, &[]).is(0, &["verified  certification"]);
    verify(format!("{pretty}\n{pretty}"), &[]).is(0, &["verified  line 1: ", "verified  line "]);
}

#[test]
fn a_json_report_is_the_document_of_the_library() {
    let payload = wall().canonical_payload().unwrap();
    let input = read_position(WALL).unwrap().input;
    let against = Against { input: Some(&input), certificate: None };
    let examination = examine_evidence(&payload, against).unwrap();
    let answer = verify(payload, &["--json", "--fen", WALL]).is(0, &[]);
    assert_eq!(answer.document(), serde_json::to_value(&examination).unwrap());
}

#[test]
fn decisions_as_the_command_prints_them() {
    let mated_by_white = "7k/R7/6K1/8/8/8/8/8 w - - 0 1";
    let document = bitmesh(&["decide", "--json", mated_by_white], b"").stdout;
    verify(&document, &["--fen", mated_by_white]).is(
        0,
        &[
            "verified  decisions about one position\n",
            "winnable white    1. Ra8#\n",
            "unwinnable black  Black can never give mate\n",
            "checked           the position is the one that was given\n",
            "checked           the line for White: it begins in this position, every move is legal",
            "checked           the certificate for Black: it is about this position, and every rule and claim",
        ],
    );
    verify(&document, &["--fen", WALL]).is(1, &["refused  decisions", "[verify/other-position]"]);
    let lie = changed(&document, |document| document["decisions"][1]["for"] = json!("white"));
    verify(lie, &[]).is(1, &["refused  decisions", "not one decision for a side"]);
}

/// What shows nothing does not look as if it had been shown, and not like a no either.
#[test]
fn an_answer_that_claims_nothing_is_said_to_claim_nothing() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let undecided = bitmesh(&["decide", "--effort", "0", "--json", start], b"").is(1, &[]).stdout;
    verify(&undecided, &[])
        .is(
            1,
            &[
                "nothing-claimed  decisions about one position: it holds together and claims nothing",
                "not checked       whether White can still give mate: it is undecided, which is not a no\n",
                "not checked       whether Black can still give mate: it is undecided, which is not a no\n",
            ],
        )
        .without("verified");
    assert_eq!(verify(&undecided, &["--json"]).is(1, &[]).document()["verdict"], "nothing-claimed");
    verify(&undecided, &["--fen", WALL]).is(1, &["refused  decisions", "[verify/other-position]"]);
    let not_proved = bitmesh(&["prove", "--positions", "0", "--json", start], b"").is(1, &[]).stdout;
    verify(&not_proved, &[]).is(1, &["nothing-claimed  BMPERSIST v1", "not-proved"]).without("verified");
}

#[test]
fn a_key_that_is_there_twice_is_refused_in_every_document() {
    let reading = read_position(WALL).unwrap();
    let Input::Position(position) = &reading.input else { panic!("a position") };
    let documents = [
        text(&wall()),
        text(&PositionBinding::of_input(wall().digest().unwrap(), &reading.input)),
        text(&certify_position(position).unwrap()),
        text(&certify_conservative_legal_independence(reading.input.board()).unwrap()),
        text(&persistent::prove(position.chess())),
        bitmesh(&["certify", "--json", WALL], b"").stdout,
        bitmesh(&["prove", "--json", WALL], b"").stdout,
        bitmesh(&["decide", "--json", WALL], b"").stdout,
    ];
    for document in documents {
        let keys: Vec<usize> = document.match_indices("\":").map(|(end, _)| end).collect();
        assert!(keys.len() > 3);
        for end in keys {
            let start = document[..end].rfind('"').unwrap();
            let key = &document[start + 1..end];
            // The first value is a lie that the second one hides.
            let twice = format!("{}\"{key}\":0,{}", &document[..start], &document[start..]);
            verify(twice, &["--fen", WALL]).is(2, &[&format!("the key `{key}` occurs twice")]);
        }
    }
}

#[test]
fn nothing_in_a_file_can_steer_a_terminal() {
    let evil = "x\u{1b}[2J\r\n\u{9b}31mverified\u{7f}";
    let bound = PositionBinding::new(wall().digest().unwrap(), evil.to_owned(), evil.to_owned()).unwrap();
    let documents = [
        text(&bound),
        json!({ "schema": evil }).to_string(),
        changed(&text(&wall()), |document| document[evil] = json!(1)),
        changed(&text(&wall()), |document| document["barrier"] = json!([evil])),
        format!("{{{key}:1,{key}:2}}", key = json!(evil)),
    ];
    for document in documents {
        let answer = verify(&document, &[]);
        let shown = answer.stdout + &answer.stderr;
        assert!(shown.contains("x\\u{1b}[2J\\r\\n\\u{9b}31mverified\\u{7f}"), "{shown}");
        assert!(!shown.contains(|character: char| character.is_control() && character != '\n'), "{shown:?}");
        let json = verify(&document, &["--json"]);
        assert!(!json.stdout.trim_end().contains(|character: char| character.is_ascii_control()));
    }
}
