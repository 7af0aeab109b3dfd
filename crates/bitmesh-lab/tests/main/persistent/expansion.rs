//! Expansions: what they prove is true, all of it is proved, and no other bytes are accepted.

use std::collections::{HashSet, VecDeque};

use bitmesh::PayloadError;
use bitmesh::persistent::{
    Bound, Conclusions, DecodeError, Expansion, PersistentCertificate, Proof, check, prove, prove_within,
};
use proptest::prelude::*;
use shakmaty::fen::Epd;
use shakmaty::{ByColor, Chess, Color, EnPassantMode, Position as _};

use bitmesh_lab::generate::{blockade, neighbour, neighbour_of};
use bitmesh_lab::random::Rng;

use super::{BLOCKED, DEAD, MATE_POSSIBLE, WALL_EN_PASSANT, color, position, table};

/// The king must take the pawn, and then two kings are left.
const TWO_KINGS: &str = "k1K5/P7/8/8/8/8/8/8 b - - 0 1";

/// The certificate with an expansion of at most so many positions, after its bytes and the checker.
fn proved_within(position: &Chess, nodes: u32) -> (Conclusions, PersistentCertificate) {
    let certificate = prove_within(position, Bound::nodes(nodes));
    match PersistentCertificate::decode(&certificate.canonical_payload()) {
        Ok(decoded) => assert_eq!(decoded, certificate),
        Err(DecodeError::IllegalPosition { .. }) => {} // too much material
        Err(error) => panic!("{position:?}: {error:?}"),
    }
    let conclusions = check(&certificate).unwrap_or_else(|error| panic!("{position:?}: {error:?}"));
    assert_eq!(conclusions, certificate.claims());
    (conclusions, certificate)
}

fn expansion(certificate: &PersistentCertificate) -> &Expansion {
    let Proof::Expansion(expansion) = certificate.proof() else { panic!("not an expansion") };
    expansion
}

fn text(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// Every position that can be reached, if there are at most `limit`, by FEN: slow, and nothing of the library.
fn reachable(root: &Chess, limit: usize) -> Option<Vec<Chess>> {
    let mut known = HashSet::from([text(root)]);
    let mut waiting = VecDeque::from([root.clone()]);
    let mut all = Vec::new();
    while let Some(position) = waiting.pop_front() {
        for played in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(played);
            if known.insert(text(&after)) {
                if known.len() > limit {
                    return None;
                }
                waiting.push_back(after);
            }
        }
        all.push(position);
    }
    Some(all)
}

/// Who gives mate in one of the positions.
fn mates(positions: &[Chess]) -> ByColor<bool> {
    let mut mates = ByColor { black: false, white: false };
    for position in positions.iter().filter(|position| position.is_checkmate()) {
        *mates.get_mut(!position.turn()) = true;
    }
    mates
}

/// Where everything that can happen is known, exactly what is true is proved.
fn proves_the_truth(position: &Chess, limit: usize) -> bool {
    let Some(positions) = reachable(position, limit) else { return false };
    let truth = mates(&positions).map(|mates| !mates);
    assert_eq!(proved_within(position, limit as u32).0.unwinnable, truth, "{position:?}");
    let outline = bitmesh::persistent::analyze(position).unwinnable;
    assert!(truth.white || !outline.white, "{position:?}");
    assert!(truth.black || !outline.black, "{position:?}");
    true
}

/// Dead positions from which only so many positions can be reached.
fn small_rows(limit: usize) -> impl Iterator<Item = Vec<&'static str>> {
    table(DEAD).filter(move |row| row[1].parse().is_ok_and(|count: usize| count <= limit))
}

#[test]
fn whatever_is_known_completely_is_proved_exactly() {
    for row in small_rows(400) {
        assert!(proves_the_truth(&position(row[0]), 400), "{}", row[0]);
    }
    // One side can mate, and the other never.
    for (fen, winner) in [
        ("4B2B/6PP/5P2/4N3/5QNk/1P3RP1/5P1P/5RK1 b - - 0 1", Color::White),
        ("KBk5/P1Pp1p2/1p1P4/1P6/8/8/5P1P/8 w - - 0 1", Color::White),
        ("K3N3/8/k1p1p3/p1P1PPP1/P4P2/8/8/8 b - - 0 1", Color::White),
        ("7k/6q1/p4PPK/6PP/8/5P2/8/8 w - - 0 1", Color::White),
        ("2b5/p1p5/1kp4r/2p5/P1P5/8/5q2/7K w - - 0 1", Color::Black),
    ] {
        let start = position(fen);
        assert!(proves_the_truth(&start, 400), "{fen}");
        let unwinnable = proved_within(&start, 400).0.unwinnable;
        assert_eq!(unwinnable, ByColor::new_with(|color| color != winner), "{fen}");
    }
    // Near dead positions there are both.
    let small: Vec<&str> = small_rows(400).map(|row| row[0]).collect();
    let mut random = Rng::new(11);
    let compared = (0..250).filter(|_| proves_the_truth(&neighbour_of(&small, &mut random), 400)).count();
    assert!(compared >= 10, "{compared} positions");
}

/// `cargo test --release -p bitmesh -- --ignored many_positions_known_completely`
#[test]
#[ignore = "a long run"]
#[allow(clippy::print_stdout, reason = "the long run reports how much it covered")]
fn many_positions_known_completely_are_proved_exactly() {
    let rounds = std::env::var("BITMESH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    let seed = std::env::var("BITMESH_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let mut random = Rng::new(seed);
    let mut compared = 0;
    for round in 0..rounds {
        let start = if round % 4 == 0 { blockade(&mut random) } else { neighbour(&mut random) };
        compared += usize::from(proves_the_truth(&start, 20_000));
    }
    println!("{compared} of {rounds} positions were known completely");
    assert!(compared * 20 > rounds);
}

/// By expansions of at most 1,000 positions; the binary `completeness` has the numbers for other bounds.
#[test]
fn dead_positions_within_a_thousand() {
    let proved = table(DEAD).filter(|row| proved_within(&position(row[0]), 1_000).0.dead()).count();
    assert_eq!(proved, 355);
}

#[test]
fn a_side_that_has_a_helpmate_is_never_called_unwinnable() {
    for row in table(MATE_POSSIBLE) {
        let unwinnable = proved_within(&position(row[0]), 1_000).0.unwinnable;
        assert!(!unwinnable.get(color(row[1])), "{}", row[0]);
    }
}

#[test]
fn blockades_with_known_answers() {
    let mut decided = Vec::new();
    for row in table(BLOCKED) {
        let [id, fen, white_mates, black_mates, dead, ..] = row[..] else { panic!("{row:?}") };
        let (conclusions, certificate) = proved_within(&position(fen), 5_000);
        assert!(!(conclusions.unwinnable.white && white_mates == "yes"), "{id}");
        assert!(!(conclusions.unwinnable.black && black_mates == "yes"), "{id}");
        assert!(!(conclusions.dead() && dead == "no"), "{id}");
        if matches!(certificate.proof(), Proof::Expansion(_)) {
            decided.push((id, conclusions.unwinnable.white, conclusions.unwinnable.black));
        }
    }
    // The second is stalemate.
    let expected =
        [("blk-26", false, true), ("blk-32", true, true), ("blk-36", true, true), ("blk-38", false, true)];
    assert_eq!(decided, expected);
}

#[test]
fn a_wall_with_an_en_passant_capture_is_never_dead() {
    for row in table(WALL_EN_PASSANT) {
        let (conclusions, _) = proved_within(&position(row[1]), 500);
        assert!(!conclusions.unwinnable.white && !conclusions.unwinnable.black, "{}", row[1]);
    }
}

#[test]
fn one_move_must_come_first() {
    for (fen, nodes, leaves) in [
        // A capture by the king; a capture en passant; another; a pawn that the king lets through.
        (TWO_KINGS, 2, 1),
        ("8/8/N7/PpK5/kP6/p7/P7/8 w - b6 0 1", 9, 0),
        ("8/pp6/kp4p1/1p4Pp/1P6/6p1/6Pp/7K w - h6 0 1", 9, 0),
        ("8/7p/6pP/6P1/6P1/2k3PK/6PP/8 w - - 0 1", 243, 49),
        // Bishop and king take each other, and both answers are forced.
        ("7k/6Q1/5K1b/8/8/8/8/8 b - - 0 1", 2, 1),
    ] {
        assert!(!check(&prove(&position(fen))).expect("a witness").dead(), "{fen}");
        let (conclusions, certificate) = proved_within(&position(fen), 1_000);
        assert!(conclusions.dead(), "{fen}");
        let expansion = expansion(&certificate);
        assert_eq!((expansion.nodes(), expansion.leaves().len()), (nodes, leaves), "{fen}");
    }
}

#[test]
fn nothing_is_lost_beyond_the_bound() {
    let start = position("8/7p/6pP/6P1/6P1/2k3PK/6PP/8 w - - 0 1");
    for nodes in [0, 1, 242] {
        assert_eq!(prove_within(&start, Bound::nodes(nodes)), prove(&start));
    }
    assert!(proved_within(&start, 243).0.dead());
    // A position that a witness decides has no expansion.
    let wall = position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1");
    assert_eq!(prove_within(&wall, Bound::default()), prove(&wall));
    // A mate on the board ends it, and so does one that every game finds.
    let mate = position("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1");
    assert!(!proved_within(&mate, 1_000).0.unwinnable.white);
    assert_eq!(prove_within(&Chess::default(), Bound::default()), prove(&Chess::default()));
}

#[test]
fn the_components_of_the_witness_stay() {
    // Divided, and Black is unwinnable by the witness; White can mate.
    let start = position("4b3/5k1p/6pP/5pP1/p1pBpP2/PpPpP1K1/1P1P4/8 w - - 0 1");
    let (conclusions, _) = proved_within(&start, 1_000);
    assert!(conclusions.decomposed() && conclusions.unwinnable.black && !conclusions.unwinnable.white);
    // An expansion carries the same components as the witness alone.
    let mut random = Rng::new(13);
    for _ in 0..200 {
        let start = neighbour(&mut random);
        let (conclusions, certificate) = proved_within(&start, 300);
        let Proof::Expansion(expansion) = certificate.proof() else { continue };
        let alone = prove(&start);
        assert_eq!(expansion.root(), alone.proof().witness());
        assert_eq!(conclusions.components, alone.claims().components);
        assert_eq!(conclusions.coupling, alone.claims().coupling);
    }
}

#[test]
fn positions_are_numbered_breadth_first_in_the_order_of_moves() {
    let start = position("k7/Pp6/1P6/8/8/8/6K1/6Q1 w - - 0 1");
    let (_, certificate) = proved_within(&start, 1_000);
    let positions: Vec<Chess> = expansion(&certificate).positions(&start).collect();
    assert_eq!(positions.len(), 20);
    let mut moves: Vec<_> = start.legal_moves().into_iter().collect();
    moves.sort_by_key(|m| (m.from(), m.to()));
    let mut expected = vec![text(&start)];
    for played in moves {
        let mut after = start.clone();
        after.play_unchecked(played);
        expected.push(text(&after));
    }
    assert_eq!(positions.iter().map(text).collect::<Vec<_>>(), expected);
}

/// The bytes of the certificate of two kings from the number of positions, offset 88 + 10 + 42 + 10.
const NODES: usize = 150;
const LEAVES: usize = NODES + 4;
const LEAF: usize = LEAVES + 4;

fn two_kings() -> Vec<u8> {
    prove_within(&position(TWO_KINGS), Bound::default()).canonical_payload()
}

#[test]
fn every_byte_of_two_kings() {
    let mut expected = prove(&position(TWO_KINGS)).canonical_payload();
    expected[77] = 3; // neither colour can give mate
    expected[78] = 2; // an expansion
    assert_eq!(expected.len(), NODES);
    expected.extend(2u32.to_le_bytes()); // positions
    expected.extend(1u32.to_le_bytes()); // leaves
    expected.extend(1u32.to_le_bytes()); // the number of the leaf
    expected.extend(0u64.to_le_bytes()); // nothing is frozen
    expected.push(2); // movers
    for square in [48, 58] {
        expected.extend([square, 1 << 5]); // a king
        expected.extend(u64::MAX.to_le_bytes());
    }
    assert_eq!(two_kings(), expected);
}

fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Result<PersistentCertificate, DecodeError> {
    let mut bytes = two_kings();
    change(&mut bytes);
    PersistentCertificate::decode(&bytes)
}

#[test]
fn each_element_is_refused_outside_its_values() {
    let invalid = |offset, element| Err(PayloadError::InvalidElement { offset, element }.into());
    let put = |bytes: &mut Vec<u8>, offset: usize, value: u32| {
        bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    };
    assert_eq!(changed(|b| put(b, NODES, 0)), invalid(NODES, "number of positions"));
    assert_eq!(changed(|b| put(b, NODES, (1 << 18) + 1)), invalid(NODES, "number of positions"));
    assert_eq!(changed(|b| put(b, LEAVES, u32::MAX)), invalid(LEAVES, "number of leaves"));
    assert_eq!(changed(|b| put(b, LEAVES, 3)), invalid(LEAVES, "number of leaves"));
    assert_eq!(changed(|b| put(b, LEAF, 2)), invalid(LEAF, "leaf"));
    // The root is no leaf.
    let order = |offset, element| Err(PayloadError::NotAscending { offset, element }.into());
    assert_eq!(changed(|b| put(b, LEAF, 0)), order(LEAF, "leaf"));
    let movers = LEAF + 12;
    assert_eq!(changed(|b| b[movers] = 65), invalid(movers, "number of movers"));
    assert_eq!(changed(|b| b[movers + 1] = 64), invalid(movers + 1, "square of a mover"));
    assert_eq!(changed(|b| b[movers + 11] = 48), order(movers + 11, "square of a mover"));
    assert_eq!(changed(|b| b[movers + 2] = 0), invalid(movers + 2, "roles of a mover"));
    assert_eq!(changed(|b| b[movers + 2] = 64), invalid(movers + 2, "roles of a mover"));
    assert_eq!(changed(|b| b[movers + 3..movers + 11].fill(0)), invalid(movers + 3, "reach"));
    let trailing = PayloadError::TrailingBytes { offset: two_kings().len(), count: 1 };
    assert_eq!(changed(|b| b.push(0)), Err(trailing.into()));
    for length in NODES..two_kings().len() {
        assert!(changed(|b| b.truncate(length)).is_err(), "{length}");
    }
}

/// Refused, or a certificate of its own whose claims are true.
fn refused_or_true(bytes: &[u8], codes: &mut HashSet<&'static str>) {
    let Ok(certificate) = PersistentCertificate::decode(bytes) else { return };
    assert_eq!(certificate.canonical_payload(), bytes);
    match check(&certificate) {
        Ok(conclusions) => {
            codes.insert("accepted");
            let unwinnable = conclusions.unwinnable;
            if unwinnable.white || unwinnable.black {
                let positions = reachable(certificate.position(), 60_000).expect("few positions");
                let mates = mates(&positions);
                assert!(!(mates.white && unwinnable.white || mates.black && unwinnable.black));
            }
        }
        Err(error) => {
            codes.insert(error.code());
        }
    }
}

#[test]
fn every_change_of_a_byte_is_refused_or_true() {
    let mut codes = HashSet::new();
    for fen in ["k7/Pp6/1P6/8/8/8/6K1/6Q1 w - - 0 1", "7k/6q1/p4PPK/6PP/8/5P2/8/8 w - - 0 1"] {
        let bytes = prove_within(&position(fen), Bound::nodes(100)).canonical_payload();
        for index in 67..bytes.len() {
            for value in (0..=255).step_by(if index < 79 || index > bytes.len() - 8 { 1 } else { 15 }) {
                let mut mutant = bytes.clone();
                mutant[index] = value;
                refused_or_true(&mutant, &mut codes);
            }
        }
    }
    let bytes = prove_within(&position("6k1/p5P1/6PB/6P1/6p1/6pb/P5p1/6K1 b - - 0 1"), Bound::nodes(100))
        .canonical_payload();
    for index in 77..bytes.len() {
        for bit in 0..8 {
            let mut mutant = bytes.clone();
            mutant[index] ^= 1 << bit;
            refused_or_true(&mutant, &mut codes);
        }
    }
    for code in [
        "accepted",
        "persistent/leaf",
        "persistent/outside-expansion",
        "persistent/expansion-too-large",
        "persistent/mate-in-expansion",
        "persistent/start-outside-reach",
        "persistent/step-outside-reach",
    ] {
        assert!(codes.contains(code), "no mutant is {code}: {codes:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn scattered_changes_are_refused_or_true(
        seed in any::<u64>(),
        changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4),
    ) {
        let rows: Vec<_> = small_rows(300).collect();
        let row = Rng::new(seed).one_of(&(0..rows.len()).collect::<Vec<_>>());
        let mut bytes = prove_within(&position(rows[row][0]), Bound::nodes(300)).canonical_payload();
        for (index, value) in changes {
            let index = 77 + index % (bytes.len() - 77);
            bytes[index] = value;
        }
        refused_or_true(&bytes, &mut HashSet::new());
    }
}

#[test]
fn the_json_form_says_the_same() {
    let document =
        serde_json::to_value(prove_within(&position(TWO_KINGS), Bound::default())).expect("a document");
    assert_eq!(document["claims"]["dead"], true);
    let proof = &document["proof"];
    assert_eq!(proof["kind"], "expansion");
    assert_eq!(proof["positions"], 2);
    assert_eq!(proof["frozen"], serde_json::json!([]));
    assert_eq!(proof["movers"].as_array().map(Vec::len), Some(3));
    let leaf = &proof["leaves"][0];
    assert_eq!(leaf["number"], 1);
    assert_eq!(leaf["position"], "2K5/k7/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(leaf["movers"][0]["square"], "a7");
    assert_eq!(leaf["movers"][0]["piece"], "k");
    assert_eq!(leaf["movers"][0]["reach"]["king"].as_array().map(Vec::len), Some(64));
}

#[test]
fn the_json_form_is_read_back() {
    for fen in
        [TWO_KINGS, "8/7p/6pP/6P1/6P1/2k3PK/6PP/8 w - - 0 1", "6k1/p5P1/6PB/6P1/6p1/6pb/P5p1/6K1 b - - 0 1"]
    {
        let certificate = prove_within(&position(fen), Bound::nodes(1_000));
        assert!(matches!(certificate.proof(), Proof::Expansion(_)));
        let document = serde_json::to_string(&certificate).expect("a document");
        assert_eq!(serde_json::from_str::<PersistentCertificate>(&document).expect("readable"), certificate);
    }
    let document =
        serde_json::to_value(prove_within(&position(TWO_KINGS), Bound::default())).expect("a document");
    let refuses = |path: &str, value: serde_json::Value, message: &str| {
        let mut document = document.clone();
        *document.pointer_mut(path).expect("a place") = value;
        let error = serde_json::from_value::<PersistentCertificate>(document).expect_err(path);
        assert!(error.to_string().contains(message), "{path}: {error}");
    };
    refuses("/proof/positions", 3.into(), "digest");
    refuses("/proof/positions", 1.into(), "leaf 1 is another position");
    refuses("/proof/positions", 4_000_000_000_u32.into(), "more positions than an expansion can have");
    refuses("/proof/leaves/0/number", 0.into(), "leaf 0 is another position");
    refuses("/proof/leaves/0/position", "8/8/8/8/8/8/8/8 w - - 0 1".into(), "leaf 1 is another position");
    refuses("/proof/leaves/0/position", serde_json::Value::Null, "leaf 1 is another position");
    refuses("/proof/leaves/0/movers/0/piece", "K".into(), "no piece K on a7");
    refuses("/proof/leaves/0/movers/0/square", "a1".into(), "no piece k on a1");
    refuses("/proof/leaves/0/movers/0/component", 1.into(), "what the certificate cannot hold");
    refuses("/proof/leaves/0/movers/0/reach/king", serde_json::json!([]), "not a persistent certificate");
    refuses("/claims/dead", false.into(), "the claims do not follow");
}
