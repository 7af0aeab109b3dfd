//! One answer for every front end: the assessment says what the functions of the layers say.

use bitmesh::persistent::{
    Bound, CheckedCertificate, PersistentCertificate, Proof, analyze, check, prove, prove_with_every_kind,
    prove_within,
};
use bitmesh::shakmaty::Board;
use bitmesh::{
    Assessment, BoardOnly, ErrorCode, Input, Note, OnePlyProof, OnePlyVerdict, PermanentError, Position,
    PositionBinding, certify_decomposition, certify_position, diagnose_position_independence, read_position,
};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const EN_PASSANT: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const NO_KINGS: &str = "8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8 w - - 0 1";

/// The first field.
fn placement(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

fn read(text: &str) -> Assessment {
    Assessment::read(text).expect(text)
}

#[test]
fn the_verdict_is_that_of_the_screen_that_applies() {
    for (text, verdict, claim) in [
        (WALL, OnePlyVerdict::Accepted, "bitmesh:position_independence:v1"),
        (EN_PASSANT, OnePlyVerdict::Refused, "bitmesh:position_independence:v1"),
        (START, OnePlyVerdict::Rejected, "bitmesh:position_independence:v1"),
        // The board of the same position: nobody captures en passant there.
        (placement(EN_PASSANT), OnePlyVerdict::Accepted, "bitmesh:conservative_legal_independence:v0"),
        (
            "7n/8/8/PPPPPPPP/PPPPPPPP/8/8/N7",
            OnePlyVerdict::Refused,
            "bitmesh:conservative_legal_independence:v0",
        ),
    ] {
        let assessment = read(text);
        assert_eq!((assessment.verdict(), assessment.claim()), (verdict, claim), "{text}");
        assert_eq!(assessment.proof().is_some(), verdict == OnePlyVerdict::Accepted, "{text}");
        assert_eq!(assessment.first_violation(), assessment.violations().first(), "{text}");
        assert_eq!(assessment.violations().is_empty(), verdict == OnePlyVerdict::Accepted, "{text}");
    }
}

#[test]
fn each_answer_is_that_of_its_layer() {
    for text in [WALL, EN_PASSANT, START] {
        let (assessment, position) = (read(text), text.parse::<Position>().expect(text));
        let structure = certify_decomposition(position.board());
        let input = Input::Position(position.clone());
        let binding = PositionBinding::of_input(structure.digest().expect("valid"), &input);
        assert_eq!(assessment.structure(), &structure);
        assert_eq!(assessment.structural_digest(), structure.digest().expect("valid"));
        assert_eq!(assessment.binding(), &binding);
        assert_eq!(assessment.position_digest(), binding.digest());
        assert_eq!(assessment.canonical_text(), position.to_string());
        assert_eq!(assessment.violations(), diagnose_position_independence(&position, &structure));
        assert_eq!(assessment.proof(), certify_position(&position).ok().map(OnePlyProof::Position));
        assert_eq!(assessment.outline(), Some(analyze(position.chess())));
        let proved = prove_with_every_kind(position.chess(), Bound::default());
        let checked = assessment.permanent().expect("the checker accepts what the prover makes");
        assert_eq!(checked.certificate(), &proved);
        assert_eq!(Ok(*checked.conclusions()), check(&proved));
        let reaches = assessment.reaches().expect("the checker accepts what the prover makes");
        assert_eq!(reaches.certificate(), &prove(position.chess()));
        // The same object: nothing is proved or checked again.
        assert!(core::ptr::eq(checked, assessment.permanent().expect("as before")));
    }
}

#[test]
fn regions_hold_their_squares_and_their_pieces() {
    let assessment = read(WALL);
    let regions: Vec<_> = assessment.regions().collect();
    assert_eq!(regions.len(), 2);
    let mut squares = assessment.barrier();
    for region in &regions {
        assert!(squares.is_disjoint(region.squares()) && region.occupied().is_subset(region.squares()));
        squares |= region.squares();
        let pieces: Vec<_> = region.pieces().collect();
        assert_eq!(pieces.len(), region.occupied().count());
        for (square, piece) in pieces {
            assert_eq!(assessment.board().piece_at(square), Some(piece));
        }
        assert!(region.squares().into_iter().any(|square| u8::from(square) == region.root()));
    }
    // Nothing lies between these regions and the wall.
    assert_eq!(squares.count(), 64);
}

#[test]
fn a_board_has_no_permanent_answer_and_says_why() {
    for (text, reason) in [(NO_KINGS, "white has no king"), (placement(WALL), "side to move not given")] {
        let assessment = read(text);
        assert_eq!(assessment.outline(), None);
        let error = assessment.permanent().expect_err(text);
        assert_eq!(error.code(), "persistent/not-a-position");
        assert!(error.to_string().contains(reason), "{error}");
        assert!(matches!(error, PermanentError::NotAPosition { .. }));
        assert!(!assessment.not_a_position().is_empty());
    }
}

#[test]
fn notes_are_kept() {
    let reading = read_position(&WALL.replace(' ', "_")).expect("readable");
    assert_eq!(Assessment::from(reading).notes(), [Note::Separator { separator: "_" }]);
}

#[test]
fn the_structure_of_another_producer_is_used_when_it_is_valid() {
    let mut other = certify_decomposition(read(WALL).board());
    other.components[0].root = 0;
    let assessment = read(WALL).with_structure(other.clone()).expect("valid");
    assert_eq!(assessment.structure(), &other);
    assert_eq!(assessment.structural_digest(), other.digest().expect("valid"));
    assert_ne!(assessment.position_digest(), read(WALL).position_digest());
    assert_eq!(assessment.verdict(), OnePlyVerdict::Accepted);
    // Nor does what was asked before stay.
    let asked = read(WALL);
    let before = asked.position_digest();
    assert_ne!(asked.with_structure(other.clone()).expect("valid").position_digest(), before);
    other.strict = false;
    assert_eq!(
        read(WALL).with_structure(other).expect_err("invalid").code(),
        "decomposition/strict-status-mismatch"
    );
}

#[test]
fn a_bound_of_no_positions_gives_no_expansion() {
    for fen in
        ["k1K5/P7/8/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]
    {
        let none = read(fen).within(Bound::nodes(0));
        let checked = none.permanent().expect("a position");
        assert!(!matches!(checked.certificate().proof(), Proof::Expansion(_)), "{fen}");
    }
    let some = read("k1K5/P7/8/8/8/8/8/8 b - - 0 1");
    assert!(matches!(some.permanent().expect("a position").certificate().proof(), Proof::Expansion(_)));
    assert_eq!(Bound::nodes(u32::MAX), Bound::LARGEST);
    assert_eq!(Bound::LARGEST.get(), 262_144);
}

#[test]
fn a_checked_certificate_is_never_one_that_the_checker_refuses() {
    let mut bytes =
        prove_within(read(START).input().position().expect("a position").chess(), Bound::nodes(0))
            .canonical_payload();
    bytes[77] = 1; // that White can never give mate
    let forged = PersistentCertificate::decode(&bytes).expect("well-formed");
    let error = check(&forged).expect_err("a lie");
    assert_eq!(CheckedCertificate::new(forged.clone()), Err(error.clone()));
    assert_eq!(CheckedCertificate::try_from(forged), Err(error));
}

#[test]
fn regions_for_ever_are_what_the_movers_reach() {
    let wall = read(WALL);
    let checked = wall.permanent().expect("a position");
    let regions = checked.regions();
    assert_eq!(regions.len(), 2);
    assert!(regions[0].squares.is_disjoint(regions[1].squares));
    for (mover, region) in checked.certificate().proof().witness().movers().iter().zip(&regions) {
        assert_eq!((region.squares, region.pieces.count()), (mover.squares(), 1));
        assert!(region.pieces.contains(mover.square));
    }
    assert!(read(START).permanent().expect("a position").regions().is_empty());
}

#[test]
fn positions_are_parsed_and_printed() {
    for text in [WALL, START] {
        assert_eq!(text.parse::<Position>().expect(text).to_string(), text);
        assert_eq!(text.parse::<Input>().expect(text).to_string(), text);
    }
    let placement = placement(WALL);
    let board: Board = placement.parse().expect("a placement");
    assert_eq!(BoardOnly::new(board).to_string(), placement);
    assert_eq!(placement.parse::<Input>().expect("a board").to_string(), placement);
    assert_eq!(format!("{:>90}", WALL.parse::<Input>().expect(WALL)).len(), 90);

    let error = NO_KINGS.parse::<Position>().expect_err("a board");
    assert_eq!(error.code(), "position/not-a-position");
    assert_eq!(error.to_string(), "not a legal position: white has no king; black has no king");
    let error = "x".parse::<Position>().expect_err("nothing");
    assert_eq!(error.code(), "x".parse::<Input>().expect_err("nothing").code());
}

#[test]
fn every_error_is_asked_for_its_code_in_one_way() {
    fn code(coded: &dyn ErrorCode) -> &'static str {
        coded.code()
    }
    let reading = read_position(&NO_KINGS.replace(' ', "_")).expect("a board");
    assert_eq!(code(&reading.notes[0]), "note/separator");
    let Input::Board(board) = &reading.input else { panic!("a board") };
    assert_eq!(code(&board.reasons()[0]), "board/no-king");
    assert_eq!(
        code(&read_position("x").expect_err("nothing")),
        read_position("x").expect_err("nothing").code()
    );
    let violation = read(EN_PASSANT).first_violation().cloned().expect("refused");
    assert_eq!(code(&violation), "position-independence/barrier-pawn-can-capture-en-passant");
    assert_eq!(code(&read(NO_KINGS).permanent().expect_err("a board")), "persistent/not-a-position");
}

#[test]
fn a_text_of_semicolons_is_read_at_once_and_noted_once() {
    for count in [2, 3, 130_000] {
        let reading = read_position(&format!("{WALL}{}", ";".repeat(count))).expect("a position");
        assert!(reading.operations.is_empty());
        assert!(reading.notes.len() <= 2, "{} notes for {count} semicolons", reading.notes.len());
    }
    // As many operations as fit, all of one name, or of many.
    let text: String = (0..60_000).map(|number| format!("o{};", number % 50_000)).collect();
    let reading = read_position(&format!("{WALL} {text}")).expect("a position");
    assert_eq!(reading.operations.len(), 60_000);
}

#[cfg(feature = "serde")]
#[test]
fn the_documents_have_their_fields_in_order() {
    let document = serde_json::to_string(&read(EN_PASSANT).document(Some(7))).expect("a document");
    let names: Vec<&str> = [
        "schema",
        "verdict",
        "summary",
        "input",
        "fen",
        "context",
        "claim",
        "position_digest",
        "structural_digest",
        "certificate",
        "one_ply",
        "violations",
        "not_a_position",
        "notes",
        "line",
    ]
    .into();
    let value: serde_json::Value = serde_json::from_str(&document).expect("a document");
    let found: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(found, names);
    assert_eq!(value["line"], 7);
    assert_eq!(value["violations"][0]["code"], value["one_ply"]);
    let wall = read(WALL);
    let document =
        serde_json::to_value(wall.permanent().expect("a position").document()).expect("a document");
    assert_eq!(document["schema"], "bitmesh.prove.v1");
    assert_eq!(document["verdicts"], serde_json::json!(["dead", "sum"]));
}
