//! One examination for every front end.
//!
//! Two programs once answered differently about the same evidence, in seventeen ways. Each has its test here, with
//! the one right answer.

use bitmesh::decision::{Decider, Decisions, Effort};
use bitmesh::persistent::{CheckedCertificate, PersistentCertificate, prove};
use bitmesh::shakmaty::Color;
use bitmesh::{
    Against, Assessment, CompositionCertificate, CompositionComponentValue, DecompositionCertificate,
    Evidence, EvidenceError, EvidenceKind, Examination, ExaminationOutcome, Input, Need, Position,
    PositionBinding, certify_conservative_legal_independence, certify_decomposition, certify_position,
    examine_evidence,
};
use serde_json::{Value, json};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const BLACK_TO_MOVE: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - - 0 1";
const EN_PASSANT: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";
/// A board with a side to move that is not a position: there are no kings.
const NO_KINGS: &str = "8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8 w - - 0 1";

/// The first field.
fn placement(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

fn input(text: &str) -> Input {
    text.parse().expect(text)
}

fn wall() -> DecompositionCertificate {
    certify_decomposition(input(WALL).board())
}

fn position(text: &str) -> Position {
    text.parse().expect(text)
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("a document")
}

fn changed(document: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(document).expect("a document");
    change(&mut value);
    value.to_string()
}

fn examine(evidence: impl AsRef<[u8]>, fen: Option<&str>) -> Examination {
    let input = fen.map(input);
    examine_evidence(evidence.as_ref(), Against { input: input.as_ref(), certificate: None })
        .expect("a known form")
}

#[track_caller]
fn verified(evidence: impl AsRef<[u8]>, fen: Option<&str>) -> Examination {
    let examination = examine(evidence, fen);
    assert_eq!(examination.refusal(), None);
    assert_eq!(examination.outcome(), ExaminationOutcome::Verified);
    examination
}

#[track_caller]
fn refused(evidence: impl AsRef<[u8]>, fen: Option<&str>, code: &str) -> Examination {
    let examination = examine(evidence, fen);
    assert_eq!(examination.outcome(), ExaminationOutcome::Refused);
    assert_eq!(examination.refusal().map(|refusal| refusal.code), Some(code));
    examination
}

#[track_caller]
fn unknown(evidence: impl AsRef<[u8]>, code: &str) -> EvidenceError {
    let error = examine_evidence(evidence.as_ref(), Against::NOTHING).expect_err("not evidence");
    assert_eq!(error.code(), code, "{error}");
    error
}

fn fact<'a>(examination: &'a Examination, name: &str) -> Option<&'a str> {
    examination.facts().iter().find(|fact| fact.name == name).map(|fact| fact.value.as_str())
}

#[test]
fn a_role_that_a_reach_lists_twice_is_refused_at_any_place() {
    let document = text(&prove(position(WALL).chess()));
    assert!(document.contains(r#""reach":{"king":"#));
    let mut start = 0;
    while let Some(at) = document[start..].find(r#""reach":{"#) {
        let key = start + at + r#""reach":{"#.len();
        let twice = format!("{}\"king\":[],{}", &document[..key], &document[key..]);
        unknown(&twice, "verify/ambiguous-json");
        // Also where nobody has looked for double keys before.
        assert!(serde_json::from_str::<bitmesh::persistent::PersistentCertificate>(&twice).is_err());
        start = key;
    }
}

#[test]
fn the_binding_of_a_board_belongs_to_the_board_with_a_side_to_move() {
    let board = input(NO_KINGS);
    let digest = certify_decomposition(board.board()).digest().expect("valid");
    let binding = PositionBinding::of_input(digest, &board);
    for fen in [NO_KINGS, placement(NO_KINGS), &NO_KINGS.replace(" w ", " b ")] {
        verified(binding.canonical_payload(), Some(fen));
    }
    refused(
        binding.canonical_payload(),
        Some(&NO_KINGS.replace("8/8/8/p", "8/8/N7/p")),
        "verify/other-position",
    );
}

#[test]
fn an_answer_is_verified_as_it_was_given() {
    // The last board has an impossible check: which one it is depends on the side to move.
    for fen in [
        WALL,
        EN_PASSANT,
        NO_KINGS,
        "3k4/8/8/8/8/8/8/3KrN1r w - - 0 1",
        "1k6/8/8/8/8/8/8/K7",
        "8/8/8/8/8/5k2/4r3/r3KN2 w - - 0 1",
    ] {
        let assessment = Assessment::read(fen).expect(fen);
        let document = text(&assessment.document(None));
        let examination = verified(&document, Some(fen));
        assert_eq!(examination.kind(), EvidenceKind::Certification);
        assert_eq!(fact(&examination, "verdict"), Some(assessment.verdict().word()));
        verified(&document, None);
    }
    let document = text(&Assessment::read(NO_KINGS).expect("a board").document(None));
    for reasons in [
        json!([]),
        json!([{"code": "board/no-king", "message": "white has no king"}]),
        json!([{"code": "board/impossible-check", "message": "no move can have given this check"}]),
        json!("none"),
    ] {
        refused(
            changed(&document, |document| document["not_a_position"] = reasons),
            None,
            "verify/other-field",
        );
    }
}

#[test]
fn what_the_command_prints_is_evidence() {
    let proved = Assessment::read(WALL).expect("a position");
    let document = text(&proved.permanent().expect("a position").document());
    assert_eq!(verified(&document, Some(WALL)).kind(), EvidenceKind::Persistent);
    refused(&document, Some(BLACK_TO_MOVE), "verify/other-position");
    refused(changed(&document, |document| document["surplus"] = json!(1)), None, "verify/other-field");
    refused(
        changed(&document, |document| document["verdicts"] = json!(["dead"])),
        None,
        "verify/other-verdict",
    );
    refused(
        changed(&document, |document| drop(document.as_object_mut().expect("an object").remove("verdicts"))),
        None,
        "verify/other-verdict",
    );
    unknown(r#"{"schema":"bitmesh.prove.v1","verdicts":["dead"]}"#, "verify/no-certificate");
}

#[test]
fn the_record_of_a_board_is_verified_with_its_board() {
    let proof = certify_conservative_legal_independence(input(WALL).board()).expect("accepted");
    for fen in [WALL, EN_PASSANT, placement(WALL)] {
        verified(text(&proof), Some(fen));
    }
    let alone = examine(text(&proof), None);
    assert_eq!(alone.outcome(), ExaminationOutcome::Incomplete);
    let missing = alone.refusal().expect("a reason");
    assert_eq!((missing.code, missing.need), ("verify/board-needed", Some(Need::Position)));
    refused(
        changed(&text(&proof), |document| document["component_count"] = json!(3)),
        Some(WALL),
        "verify/other-record",
    );
    refused(
        text(&proof),
        Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "independence/requires-strict-decomposition",
    );
}

#[test]
fn every_form_of_the_same_evidence_says_the_same() {
    let payload = wall().canonical_payload().expect("valid");
    let hex: String = payload.iter().map(|byte| format!("{byte:02x}")).collect();
    let expected = verified(&payload, Some(WALL));
    for form in [
        hex.clone().into_bytes(),
        hex.to_uppercase().into_bytes(),
        format!(" \r\n{hex}\n").into_bytes(),
        hex.as_bytes().chunks(60).flat_map(|line| [line, b"\n"].concat()).collect(),
        text(&wall()).into_bytes(),
        format!("\n{}\n", text(&wall())).into_bytes(),
    ] {
        assert_eq!(verified(form, Some(WALL)), expected);
    }
}

#[test]
fn a_context_that_is_not_known_is_said_and_not_guessed() {
    let binding =
        PositionBinding::new(wall().digest().expect("valid"), WALL.to_owned(), "elsewhere".to_owned())
            .expect("short texts");
    let alone = verified(binding.canonical_payload(), None);
    assert!(alone.not_checked().iter().any(|not| not.what.contains("context is not known")));
    refused(binding.canonical_payload(), Some(WALL), "verify/other-context");
}

#[test]
fn a_binding_of_another_producer_is_examined_with_its_certificate() {
    let mut other = wall();
    other.components[0].root = 0;
    let binding = PositionBinding::of_input(other.digest().expect("valid"), &input(WALL));
    let payload = binding.canonical_payload();
    let alone = refused(&payload, None, "verify/other-structure");
    assert_eq!(alone.refusal().and_then(|refusal| refusal.need), Some(Need::Certificate));
    let with = |certificate| {
        examine_evidence(&payload, Against { input: None, certificate: Some(certificate) })
            .expect("a binding")
    };
    let examination = with(&other);
    assert_eq!(examination.outcome(), ExaminationOutcome::Verified);
    assert_eq!(examination.findings()[0].code, "comparison/other-root");
    assert_eq!(with(&wall()).refusal().map(|refusal| refusal.code), Some("verify/other-structure"));
}

#[test]
fn another_root_is_a_finding_and_is_not_lost() {
    let mut other = wall();
    other.components[0].root = 0;
    for fen in [None, Some(WALL)] {
        let examination = verified(other.canonical_payload().expect("valid"), fen);
        assert_eq!(examination.findings()[0].code, "comparison/other-root");
    }
}

#[test]
fn records_and_bindings_name_what_is_wrong_with_them() {
    let proof = text(&certify_position(&position(WALL)).expect("accepted"));
    verified(&proof, Some(WALL));
    for (field, value) in [("component_count", json!(3)), ("barrier", json!(["a4"]))] {
        let wrong = changed(&proof, |document| document[field] = value);
        refused(&wrong, None, "verify/other-record");
        refused(&wrong, Some(WALL), "verify/other-record");
        refused(&wrong, Some(BLACK_TO_MOVE), "verify/other-position");
    }
    // Another structure, properly bound.
    let start = input("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let other = certify_decomposition(start.board()).digest().expect("valid");
    let binding = PositionBinding::of_input(other, &input(WALL));
    let mut record = certify_position(&position(WALL)).expect("accepted");
    record.decomposition_digest = other;
    record.position_digest = binding.digest();
    for evidence in [text(&record), text(&binding)] {
        refused(&evidence, None, "verify/other-structure");
        refused(&evidence, Some(WALL), "verify/other-structure");
        refused(&evidence, Some(BLACK_TO_MOVE), "verify/other-position");
    }
    // The record of a position that the screen refuses.
    let mut forged = certify_position(&position(WALL)).expect("accepted");
    forged.position = EN_PASSANT.to_owned();
    forged.position_digest = forged.binding().expect("short texts").digest();
    refused(text(&forged), None, "position-independence/barrier-pawn-can-capture-en-passant");
    refused(text(&forged), Some(WALL), "verify/other-position");
}

#[test]
fn documents_that_lie_are_malformed() {
    let document = text(&wall());
    let zeros = "0".repeat(64);
    for (field, value) in [
        ("digest", json!(zeros)),
        ("status", json!("other")),
        ("strict", json!(1)),
        ("surplus", json!(0)),
        ("barrier", json!(["a4", "a4"])),
    ] {
        refused(changed(&document, |document| document[field] = value), None, "verify/malformed-document");
    }
    let persistent = text(&prove(position(WALL).chess()));
    // A coupling has these two fields and no more.
    refused(
        changed(&persistent, |document| document["claims"]["coupling"]["valid_for_moves"] = json!(3)),
        None,
        "verify/malformed-document",
    );
    refused(
        changed(&persistent, |document| document["claims"]["coupling"]["colours"] = json!(["white"])),
        None,
        "verify/malformed-document",
    );
    for (field, value) in
        [("positions", json!(1)), ("leaves", json!([])), ("stoppers", json!([])), ("other", Value::Null)]
    {
        refused(
            changed(&persistent, |document| document["proof"][field] = value),
            None,
            "verify/malformed-document",
        );
    }
}

#[test]
fn damaged_bytes_name_their_element() {
    let payload = prove(position(WALL).chess()).canonical_payload();
    let damage = |at: usize, byte: u8| {
        let mut damaged = payload.clone();
        damaged[at] = byte;
        damaged
    };
    let examination = refused(damage(67, 7), None, "payload/invalid-element");
    let refusal = examination.refusal().expect("a reason");
    assert_eq!(refusal.offset, Some(67));
    assert!(refusal.message.contains("turn at byte 67"), "{refusal}");
    refused(&payload[..100], None, "payload/truncated");
    refused(damage(10, 2), None, "payload/unsupported-version");
    let kings_side_by_side = {
        let mut bytes = payload;
        // Black's king from h8 to b1, next to White's.
        let kings = 59..67;
        let mut set = u64::from_le_bytes(bytes[kings.clone()].try_into().expect("eight bytes"));
        set = set & !(1 << 63) | 1 << 1;
        bytes[kings].copy_from_slice(&set.to_le_bytes());
        bytes
    };
    refused(kings_side_by_side, None, "persistent/illegal-position");
}

#[test]
fn a_byte_order_mark_before_a_text_does_not_matter() {
    let payload = wall().canonical_payload().expect("valid");
    let hex: String = payload.iter().map(|byte| format!("{byte:02x}")).collect();
    for text in [text(&wall()), hex] {
        verified(format!("\u{feff}{text}"), Some(WALL));
    }
    // Bytes are not a text.
    unknown([b"\xef\xbb\xbf", &payload[..]].concat(), "verify/unknown-format");
}

#[test]
fn what_is_not_evidence_has_a_code() {
    unknown("", "verify/empty");
    unknown(" \n", "verify/empty");
    unknown("hello", "verify/unknown-format");
    unknown("[]", "verify/json-array");
    unknown(format!(" [{}]", text(&wall())), "verify/json-array");
    for array in ["[ ]", "[\n{}]", "[[]]", "[\"a\"]", "[1]", "[-1, {}]"] {
        unknown(array, "verify/json-array");
    }
    for games in ["[Event \"?\"]\n\n1. e4 *\n", "[", "[ Event \"?\"]"] {
        unknown(games, "verify/unknown-format");
    }
    unknown("\u{feff}", "verify/empty");
    unknown("\u{feff}\u{feff}{}", "verify/unknown-format");
    for text in ["{}", "[]", "424d5800"] {
        let [little, big] = [u16::to_le_bytes, u16::to_be_bytes]
            .map(|bytes| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>());
        for (mark, bytes) in [(&b"\xff\xfe"[..], &little), (b"\xfe\xff", &big)] {
            unknown(bytes, "verify/utf-16");
            unknown([mark, bytes].concat(), "verify/utf-16");
        }
    }
    unknown("BMX\0", "verify/unknown-magic");
    unknown("424d5800", "verify/unknown-magic");
    // Digits of something else.
    unknown("0000", "verify/unknown-format");
    unknown("{", "verify/not-json");
    unknown("{} {}", "verify/not-json");
    unknown("{}", "verify/no-schema");
    unknown(r#"{"schema":7}"#, "verify/no-schema");
    unknown(r#"{"schema":"bitmesh.decomposition.v2"}"#, "verify/unknown-schema");
    let long = unknown(json!({ "schema": "x".repeat(100_000) }).to_string(), "verify/unknown-schema");
    assert!(long.to_string().len() < 1_000);
}

/// However deep it is, whatever stands before it, and however long what is quoted.
#[test]
fn what_is_no_document_is_named_with_its_line() {
    let key = "k".repeat(2_000);
    for (text, code, place) in [
        ("{\"a\":".repeat(200), "verify/not-json", "recursion limit exceeded at line 1 column 636"),
        (
            format!("\n \n{}", "{\"a\":\n".repeat(200)),
            "verify/not-json",
            "recursion limit exceeded at line 130 column 1",
        ),
        (
            format!("\u{feff}\r\n{{\n\"{key}\":1,\"{key}\":2}}\n"),
            "verify/ambiguous-json",
            "at line 3 column 4007",
        ),
        (format!("{{\"{}\":1}}", "k".repeat(2 << 20)), "verify/not-json", "at line 1 column "),
        ("\n{} {}".to_owned(), "verify/not-json", "at line 2 column 4"),
    ] {
        let said = unknown(text, code).to_string();
        assert!(said.contains(place) && said.len() < 1_000, "{said}");
    }
    let document = format!("\n\n{{\"schema\":\"bitmesh.mate.v1\",\n\"{key}\":1}}");
    let refused = Evidence::read(document.as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("unknown field") && refused.contains("at line 4 column 2002"), "{refused}");
    assert!(refused.len() < 1_000, "{refused}");
    // A form feed is no blank of JSON, but one around a text.
    unknown("\x0c\n{}", "verify/no-schema");
}

#[test]
fn a_composition_is_examined_against_what_there_is() {
    let value =
        |component_root| CompositionComponentValue { component_root, value_digest: "star".to_owned() };
    let composition = CompositionCertificate {
        decomposition_digest: wall().digest().expect("valid"),
        component_values: wall().components.iter().map(|component| value(component.root)).collect(),
        result_value_digest: "zero".to_owned(),
    };
    let payload = composition.canonical_payload().expect("valid");
    let alone = verified(&payload, None);
    assert_eq!(alone.not_checked().last().and_then(|not| not.need), Some(Need::PositionOrCertificate));
    verified(&payload, Some(WALL));
    refused(&payload, Some(&WALL.replacen("7k", "6k1", 1)), "composition/decomposition-digest-mismatch");
    let own = wall();
    let with =
        examine_evidence(&payload, Against { input: None, certificate: Some(&own) }).expect("a composition");
    assert_eq!(with.outcome(), ExaminationOutcome::Verified);
}

#[test]
fn evidence_can_be_read_without_being_examined() {
    let evidence = Evidence::read(&wall().canonical_payload().expect("valid")).expect("a certificate");
    assert_eq!(evidence.structure(), Some(&wall()));
    let answer = text(&Assessment::read(WALL).expect("a position").document(None));
    let evidence = Evidence::read(answer.as_bytes()).expect("an answer");
    assert_eq!(evidence.structure(), Some(&wall()));
    let proof = Evidence::read(&prove(position(WALL).chess()).canonical_payload()).expect("a certificate");
    assert_eq!((proof.kind(), proof.structure()), (EvidenceKind::Persistent, None));
}

#[test]
fn the_document_of_an_examination() {
    let examination = verified(wall().canonical_payload().expect("valid"), Some(WALL));
    assert_eq!(
        serde_json::to_value(&examination).expect("a document"),
        json!({
            "schema": "bitmesh.verify.v1",
            "verdict": "verified",
            "format": "BMDCERT v1, the structure of a board",
            "refusal": null,
            "facts": {
                "structural_digest": wall().digest().expect("valid").to_hex(),
                "structure": "2 regions, 16 locked pawns",
                "one_ply_screen": "accepted",
                "claim": "bitmesh:position_independence:v1",
            },
            "checked": [
                "the certificate is consistent in itself",
                "its barrier, pieces, regions and roots, against the board",
            ],
            "findings": [],
            "not_checked": ["anything after the next move"],
        })
    );
}

/// The one leaf that a small document names is the last of as many positions as there can be.
#[test]
fn a_small_document_with_many_positions_is_refused() {
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let mut document: Value = serde_json::to_value(prove(start.chess())).expect("a document");
    document["proof"]["kind"] = json!("expansion");
    document["proof"]["positions"] = json!(262_144);
    document["proof"]["leaves"] =
        json!([{ "number": 262_143, "position": null, "frozen": [], "movers": [] }]);
    refused(document.to_string(), None, "verify/malformed-document");
}

#[test]
fn what_was_checked_of_a_proof_depends_on_its_ground() {
    use bitmesh::persistent::{Bound, prove_unwinnable, prove_unwinnable_with_homes};

    let checked = |certificate: Option<PersistentCertificate>| {
        let bytes = certificate.expect("a proof").canonical_payload();
        let examination = examine_evidence(&bytes, Against::NOTHING).expect("evidence");
        assert_eq!(examination.outcome(), ExaminationOutcome::Verified);
        examination.checked().join("; ")
    };
    let material = position("7k/5q2/8/8/8/8/3q4/K1N5 w - - 0 1");
    let material = checked(prove_unwinnable(material.chess(), Color::White, Bound::nodes(1)));
    assert!(material.contains("the material, and that the position is not mate already"), "{material}");
    let bishops = position("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1");
    let homes = checked(prove_unwinnable_with_homes(bishops.chess(), Color::Black, Bound::nodes(1_000)));
    assert!(homes.contains("every state that the homes lead to"), "{homes}");
}

/// Each side can give mate.
const WITH_A_ROOK_EACH: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
/// Where the claims stand in the bytes of a certificate.
const CLAIMS: usize = 77;
/// White can give mate, Black has a bare king.
const ONE_SIDED: &str = "7k/R7/6K1/8/8/8/8/8 w - - 0 1";

fn decisions(fen: &str, effort: Effort, sides: &[Color]) -> String {
    text(&Decisions::of(&mut Decider::new(effort), position(fen), sides))
}

fn both(fen: &str) -> String {
    decisions(fen, Effort::QUICK, &[Color::White, Color::Black])
}

/// A position in which nothing is plain, so that no effort leaves both sides undecided.
fn nothing_decided() -> String {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    decisions(start, Effort::positions(0), &[Color::White, Color::Black])
}

#[test]
fn a_document_of_decisions_is_verified_as_it_was_given() {
    for fen in [ONE_SIDED, WALL, "8/8/8/4k3/8/2K5/3p4/6B1 w - - 0 1", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1"] {
        let document = both(fen);
        let examination = verified(&document, Some(fen));
        assert_eq!(examination.kind(), EvidenceKind::Decisions);
        assert_eq!(fact(&examination, "position"), Some(position(fen).canonical_text().as_str()));
        verified(&document, None);
        for color in [Color::White, Color::Black] {
            let alone = decisions(fen, Effort::QUICK, &[color]);
            let open = color.fold_wb("whether Black can", "whether White can");
            assert!(verified(&alone, None).not_checked().iter().any(|not| not.what.starts_with(open)));
        }
    }
    let examination = verified(both(ONE_SIDED), None);
    assert_eq!(fact(&examination, "winnable white"), Some("1. Ra8#"));
    assert_eq!(fact(&examination, "plies white"), Some("1"));
    assert_eq!(fact(&examination, "unwinnable black"), Some("Black can never give mate"));
    assert_eq!(fact(&examination, "dead"), None);
    assert!(fact(&verified(both(WALL), None), "dead").is_some());
    refused(both(WALL), Some(BLACK_TO_MOVE), "verify/other-position");
}

/// What is undecided is reported as a gap: never as a no, and never as if it had been shown.
#[test]
fn what_is_undecided_claims_nothing() {
    let examination = examine(nothing_decided(), None);
    assert_eq!(examination.outcome(), ExaminationOutcome::NothingClaimed);
    assert_eq!(examination.outcome().word(), "nothing-claimed");
    assert_eq!(examination.refusal(), None);
    for side in ["whether White can still give mate: it is undecided", "whether Black can still give mate"] {
        assert!(examination.not_checked().iter().any(|not| not.what.starts_with(side)), "{side}");
    }
    assert!(examination.facts().iter().all(|fact| fact.name == "position"), "{:?}", examination.facts());

    // One side is decided, and the other stays open.
    let mut half: Value = serde_json::from_str(&both(ONE_SIDED)).expect("a document");
    half["decisions"][0] = json!({"for": "white", "verdict": "undecided", "plies": null, "evidence": null});
    let examination = verified(half.to_string(), None);
    assert!(fact(&examination, "unwinnable black").is_some());
    assert!(examination.not_checked().iter().any(|not| not.what.contains("which is not a no")));
    assert!(!examination.facts().iter().any(|fact| fact.name.ends_with("white")));

    // The same goes for a proof that proves nothing.
    let start = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let nothing = prove(start.chess());
    let checked = CheckedCertificate::new(nothing.clone()).expect("accepted");
    for evidence in [text(&nothing), text(&checked.document())] {
        assert_eq!(examine(evidence, None).outcome(), ExaminationOutcome::NothingClaimed);
    }
    let refused_text = refused(nothing.canonical_payload(), Some(WALL), "verify/other-position");
    assert!(fact(&refused_text, "not-proved").is_some());
}

#[test]
fn a_document_of_decisions_that_lies_is_refused() {
    let document = both(ONE_SIDED);
    let with = |pointer: &str, value: Value| {
        changed(&document, |document| *document.pointer_mut(pointer).expect(pointer) = value)
    };
    let parsed: Value = serde_json::from_str(&document).expect("a document");
    let (line, certificate) = (&parsed["decisions"][0]["evidence"], &parsed["decisions"][1]["evidence"]);
    let elsewhere: Value = serde_json::from_str(&both("7k/R7/6K1/8/8/8/8/8 b - - 0 1")).expect("a document");

    // Texts that are not the position, or not the canonical one.
    refused(with("/position", json!(WALL)), None, "verify/other-position");
    for text in [ONE_SIDED.replace("0 1", "3 7"), placement(ONE_SIDED).to_owned(), String::new()] {
        refused(with("/position", json!(text)), None, "verify/malformed-document");
    }
    // The same pieces with the other side to move are another position.
    refused(
        with("/decisions/1/evidence", elsewhere["decisions"][1]["evidence"].clone()),
        None,
        "verify/other-position",
    );
    // Evidence of one side in the place of the other.
    let mut mates_black: Value = parsed.clone();
    mates_black["decisions"] = json!([parsed["decisions"][0].clone()]);
    mates_black["decisions"][0]["for"] = json!("black");
    refused(mates_black.to_string(), None, "verify/other-verdict");
    let mut never_white: Value = parsed.clone();
    never_white["decisions"] = json!([parsed["decisions"][1].clone()]);
    never_white["decisions"][0]["for"] = json!("white");
    refused(never_white.to_string(), None, "verify/other-verdict");
    // A certificate that holds, and claims nothing about the side.
    let nothing = text(&prove(position(ONE_SIDED).chess()));
    let nothing: Value = serde_json::from_str(&nothing).expect("a document");
    assert!(!nothing["claims"]["unwinnable"].as_array().expect("a list").contains(&json!("white")));
    let mut claims_nothing = never_white;
    claims_nothing["decisions"][0]["evidence"] = nothing;
    refused(claims_nothing.to_string(), None, "verify/other-verdict");
    // A certificate that claims more than it shows: its digest is right, its rules are not.
    let mut bytes = prove(position(WITH_A_ROOK_EACH).chess()).canonical_payload();
    bytes[CLAIMS] |= 3;
    let forged = PersistentCertificate::decode(&bytes).expect("readable");
    for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
        let mut document: Value =
            serde_json::from_str(&decisions(WITH_A_ROOK_EACH, Effort::positions(0), &[color]))
                .expect("a document");
        let forged = serde_json::to_value(&forged).expect("a document");
        document["decisions"] =
            json!([{"for": name, "verdict": "unwinnable", "plies": null, "evidence": forged}]);
        let examination = examine(document.to_string(), None);
        let code = examination.refusal().expect("a reason").code;
        assert!(code.starts_with("persistent/"), "{code}");
    }
    for plies in [json!(2), Value::Null] {
        refused(with("/decisions/0/plies", plies), None, "verify/malformed-document");
    }

    let malformed = |value: Value| refused(value.to_string(), None, "verify/malformed-document");
    let side = |index: usize, field: &str, value: Value| {
        let mut document = parsed.clone();
        document["decisions"][index][field] = value;
        malformed(document);
    };
    // Verdicts without their evidence, and evidence without its verdict.
    side(0, "evidence", Value::Null);
    side(1, "evidence", Value::Null);
    side(0, "verdict", json!("undecided"));
    side(1, "verdict", json!("undecided"));
    side(0, "verdict", json!("unwinnable"));
    side(1, "verdict", json!("winnable"));
    side(0, "verdict", json!("lost"));
    side(0, "evidence", certificate.clone());
    side(1, "evidence", line.clone());
    side(0, "evidence", json!([line]));
    side(0, "evidence", json!("1. Ra8#"));
    side(1, "plies", json!(1));
    side(0, "plies", json!(-1));
    side(0, "for", json!("black"));
    side(0, "for", json!("both"));
    side(0, "surplus", json!(0));
    // Damage within the evidence.
    for (pointer, value) in [
        ("/decisions/0/evidence/moves", json!([])),
        ("/decisions/0/evidence/moves/0", json!("a7b7")),
        ("/decisions/0/evidence/winner", json!("black")),
        ("/decisions/0/evidence/digest", json!("0".repeat(64))),
        ("/decisions/0/evidence/schema", json!("bitmesh.mate.v2")),
        ("/decisions/1/evidence/digest", json!("0".repeat(64))),
        ("/effort", json!(1_000_001)),
        ("/effort", json!(-1)),
        ("/effort", json!("2000")),
        ("/decisions", json!([])),
        ("/decisions", json!({})),
        ("/decisions", json!([parsed["decisions"][1], parsed["decisions"][0]])),
        ("/decisions", json!([parsed["decisions"][0], parsed["decisions"][0]])),
        ("/decisions", json!([parsed["decisions"][0], parsed["decisions"][1], parsed["decisions"][1]])),
    ] {
        refused(with(pointer, value), None, "verify/malformed-document");
    }
    for field in ["position", "effort", "decisions"] {
        let mut document = parsed.clone();
        document.as_object_mut().expect("an object").remove(field);
        malformed(document);
    }
    let mut surplus = parsed.clone();
    surplus["valid_for_moves"] = json!(3);
    malformed(surplus);
    // A key that stands twice, deep inside.
    let twice = document.replace(r#""winner":"white""#, r#""winner":"white","winner":"black""#);
    assert_ne!(twice, document);
    unknown(&twice, "verify/ambiguous-json");
}
