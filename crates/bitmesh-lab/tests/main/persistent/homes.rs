//! Men at home: bytes, the form of homes, and states.

use bitmesh::PayloadError;
use bitmesh::persistent::{
    Bound, CheckError, DecodeError, PersistentCertificate, Proof, check, prove, prove_unwinnable_with_homes,
};
use shakmaty::{Bitboard, Color, Position as _, Square};

use super::{play, position, refuses_field};

/// A king shut in while bishops roam.
const BISHOPS: &str = "8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1";
/// White has a king without a step and a queen; Black is shut in by his own men.
const IMMURED: &str = "6Q1/8/8/8/ppp5/qkp3b1/rnp5/n1K5 b - - 0 1";
const VERDICT: usize = 77;
const KIND: usize = 78;
const COUNT: usize = 79;

/// Colour, role, squares, cap.
type Bytes = (u8, u8, u64, u8);

fn encoded(fen: &str, verdict: u8, homes: &[Bytes], states: u32) -> Vec<u8> {
    let mut bytes = prove(&position(fen)).canonical_payload();
    bytes.truncate(VERDICT);
    bytes.extend([verdict, 7, homes.len() as u8]);
    for (color, role, squares, cap) in homes {
        bytes.extend([*color, *role]);
        bytes.extend(squares.to_le_bytes());
        bytes.push(*cap);
    }
    bytes.extend(states.to_le_bytes());
    bytes
}

fn checked(fen: &str, verdict: u8, homes: &[Bytes], states: u32) -> Result<(), CheckError> {
    let certificate = PersistentCertificate::decode(&encoded(fen, verdict, homes, states)).expect(fen);
    check(&certificate).map(|_| ())
}

fn closed() -> PersistentCertificate {
    prove_unwinnable_with_homes(&position(BISHOPS), Color::Black, Bound::nodes(1_000)).expect("closes")
}

/// The homes of a proof as bytes have them.
fn homes(certificate: &PersistentCertificate) -> (Vec<Bytes>, u32) {
    let Proof::Roaming(roaming) = certificate.proof() else { panic!("no homes") };
    let role = |role| [1, 2, 3, 4, 5].iter().position(|&at| at == u32::from(role)).expect("a role") as u8;
    let homes = roaming.homes().iter();
    let homes = homes.map(|home| (home.color.fold_wb(0, 1), role(home.role), home.squares.0, home.cap));
    (homes.collect(), roaming.states())
}

#[test]
fn the_bytes_are_those_of_the_handbook() {
    let certificate = closed();
    assert!(check(&certificate).expect("true").unwinnable.black);
    let bytes = certificate.canonical_payload();
    let (homes, states) = homes(&certificate);
    assert_eq!(states, 946);
    assert_eq!(bytes, encoded(BISHOPS, 2, &homes, states));
    assert_eq!(PersistentCertificate::decode(&bytes), Ok(certificate));
    for length in 0..bytes.len() {
        assert!(PersistentCertificate::decode(&bytes[..length]).is_err(), "{length}");
    }
    // Both colours, of the same states.
    assert_eq!(checked(BISHOPS, 3, &homes, states), Ok(()));
}

#[test]
fn each_element_is_refused_outside_its_values() {
    let refuses = |change: &dyn Fn(&mut Vec<u8>), offset, element| {
        let mut bytes = closed().canonical_payload();
        change(&mut bytes);
        let error: DecodeError = PayloadError::InvalidElement { offset, element }.into();
        assert_eq!(PersistentCertificate::decode(&bytes), Err(error));
    };
    for count in [0, 21, 255] {
        refuses(&|bytes| bytes[COUNT] = count, COUNT, "number of homes");
    }
    refuses(&|bytes| bytes[COUNT + 1] = 2, COUNT + 1, "colour of a home");
    refuses(&|bytes| bytes[COUNT + 2] = 5, COUNT + 2, "role of a home");
    refuses(&|bytes| bytes[COUNT + 11] = 15, COUNT + 11, "cap of a home");
    let states = closed().canonical_payload().len() - 4;
    for number in [0_u32, (1 << 18) + 1] {
        let number = number.to_le_bytes();
        refuses(&|bytes| bytes[states..].copy_from_slice(&number), states, "number of states");
    }
}

#[test]
fn homes_have_a_form() {
    let bishop = |squares: u64| (1, 2, squares, 0);
    let invalid = |homes: &[Bytes], home| {
        assert_eq!(checked(BISHOPS, 2, homes, 10), Err(CheckError::HomeInvalid { home }));
    };
    invalid(&[bishop(0)], 0);
    invalid(&[bishop(6), bishop(2)], 1);
    invalid(&[bishop(6), bishop(8), (0, 0, 1, 0)], 2);
    invalid(&[(0, 0, 1 << 63 | 1 << 8, 0)], 0);
    // Other colours and roles may share squares; then only the count is wrong.
    let shared = checked(BISHOPS, 0, &[bishop(6), (0, 2, 6, 0), (1, 1, 6, 0)], 1);
    assert_eq!(shared, Err(CheckError::OutsideStates { number: 0 }));
    // Rights belong to men on their squares.
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1"] {
        assert_eq!(checked(fen, 2, &[bishop(6)], 10), Err(CheckError::HomesWithRights), "{fen}");
    }
}

fn closed_to_a_bare_king() -> PersistentCertificate {
    prove_unwinnable_with_homes(&position(IMMURED), Color::White, Bound::nodes(1_000)).expect("closes")
}

/// The bytes with another kind or number of states.
fn changed(certificate: &PersistentCertificate, kind: u8, states: u32) -> Result<(), CheckError> {
    let mut bytes = certificate.canonical_payload();
    bytes[KIND] = kind;
    let at = bytes.len() - 4;
    bytes[at..].copy_from_slice(&states.to_le_bytes());
    check(&PersistentCertificate::decode(&bytes).expect("readable")).map(|_| ())
}

#[test]
fn steps_end_where_the_king_is_bare() {
    let certificate = closed_to_a_bare_king();
    let (homes, states) = homes(&certificate);
    assert_eq!(states, 118);
    let Proof::Roaming(roaming) = certificate.proof() else { panic!("no homes") };
    assert!(roaming.to_bare_king());
    let mut bytes = encoded(IMMURED, 1, &homes, states);
    bytes[KIND] = 8;
    assert_eq!(certificate.canonical_payload(), bytes);
    assert_eq!(PersistentCertificate::decode(&bytes), Ok(certificate.clone()));
    assert!(check(&certificate).expect("true").unwinnable.white);

    assert_eq!(changed(&certificate, 8, states), Ok(()));
    let more = CheckError::TooManyStates { claimed: states + 1, met: states };
    assert_eq!(changed(&certificate, 8, states + 1), Err(more));
    // Without the ends there are many more states: those of kind 7 are not fewer than they were.
    for (kind, states) in [(8, states - 1), (7, states), (7, 20_000)] {
        let error = changed(&certificate, kind, states).expect_err("too few");
        assert!(matches!(error, CheckError::OutsideStates { .. }), "{error}");
    }
    // Where no king is ever bare, both kinds have the same states.
    let (count, shut_in) = (946, closed());
    assert_eq!(changed(&shut_in, 8, count), Ok(()));
    assert_eq!(changed(&shut_in, 7, count), Ok(()));
}

#[test]
fn only_the_king_of_each_claimed_colour_ends_the_steps() {
    // The same homes do not show that Black, who has many men, never mates.
    for verdict in [2, 3] {
        let mut bytes = closed_to_a_bare_king().canonical_payload();
        bytes[VERDICT] = verdict;
        let at = bytes.len() - 4;
        bytes[at..].copy_from_slice(&(1_u32 << 18).to_le_bytes());
        let error =
            check(&PersistentCertificate::decode(&bytes).expect("readable")).expect_err("Black mates");
        assert!(matches!(error, CheckError::MateInState { color: Color::Black, .. }), "{error}");
    }
    // White's last man is at home, on the move, or a pawn that will be a queen: none of these kings is bare.
    let all = u64::MAX;
    let inner = !(Bitboard::BACKRANKS.0);
    for (fen, homes) in [
        ("8/8/8/8/8/k7/7R/1K5R w - - 0 1", [(0, 3, all, 14), (1, 2, all, 0)]),
        ("k7/7P/1K6/8/8/8/8/8 w - - 0 1", [(0, 0, inner, 14), (0, 4, all, 14)]),
        ("k7/7P/1K6/8/8/8/8/8 w - - 0 1", [(1, 3, all, 14), (1, 4, all, 14)]),
    ] {
        let mut bytes = encoded(fen, 1, &homes, 1 << 18);
        bytes[KIND] = 8;
        let error = check(&PersistentCertificate::decode(&bytes).expect(fen)).expect_err(fen);
        assert!(matches!(error, CheckError::MateInState { color: Color::White, .. }), "{fen}: {error}");
    }
    // A bare king ends at once; whatever Black has, White never mates.
    let fen = "k7/7p/1K6/8/8/8/4q3/8 w - - 0 1";
    let home = [(1, 4, all, 14)];
    let with_kind = |kind: u8, verdict: u8, states: u32| {
        let mut bytes = encoded(fen, verdict, &home, states);
        bytes[KIND] = kind;
        check(&PersistentCertificate::decode(&bytes).expect(fen)).map(|_| ())
    };
    assert_eq!(with_kind(8, 1, 1), Ok(()));
    assert_eq!(with_kind(7, 1, 1), Err(CheckError::OutsideStates { number: 0 }));
    assert_eq!(with_kind(8, 3, 1), Err(CheckError::OutsideStates { number: 0 }));
}

/// Black must take the queen, and then the bishops roam.
const THEN_BISHOPS: &str = "8/b1b5/Qk5p/2b2p1P/1b3p2/5PpK/6P1/8 b - - 0 1";

/// A leaf: its number, its kind and what follows.
type LeafBytes<'a> = (u32, u8, &'a [u8]);

/// An expansion of so many positions with these leaves.
fn expansion(fen: &str, kind: u8, verdict: u8, positions: u32, leaves: &[LeafBytes<'_>]) -> Vec<u8> {
    let mut bytes = prove(&position(fen)).canonical_payload();
    (bytes[VERDICT], bytes[KIND]) = (verdict, kind);
    bytes.extend(positions.to_le_bytes());
    bytes.extend((leaves.len() as u32).to_le_bytes());
    for (number, kind, proof) in leaves {
        bytes.extend(number.to_le_bytes());
        bytes.push(*kind);
        bytes.extend_from_slice(proof);
    }
    bytes
}

fn checked_bytes(bytes: &[u8]) -> Result<(), CheckError> {
    check(&PersistentCertificate::decode(bytes).expect("readable")).map(|_| ())
}

/// What a proof with men at home has after its kind, with another number of states.
fn roaming(certificate: &PersistentCertificate, states: u32) -> Vec<u8> {
    let mut bytes = certificate.canonical_payload().split_off(COUNT);
    let at = bytes.len() - 4;
    bytes[at..].copy_from_slice(&states.to_le_bytes());
    bytes
}

#[test]
fn men_at_home_in_the_leaf_of_an_expansion() {
    use serde_json::{from_value, json, to_value};

    let leaf = roaming(&closed(), 946);
    let with = |kind: u8, proof: &[u8]| expansion(THEN_BISHOPS, 9, 2, 2, &[(1, kind, proof)]);
    let bytes = with(7, &leaf);
    let certificate = PersistentCertificate::decode(&bytes).expect("readable");
    assert_eq!(certificate.canonical_payload(), bytes);
    assert!(check(&certificate).expect("true").unwinnable.black);
    for length in 0..bytes.len() {
        assert!(PersistentCertificate::decode(&bytes[..length]).is_err(), "{length}");
    }
    // No king of Black's is ever bare: with such ends the states are the same.
    assert_eq!(checked_bytes(&with(8, &leaf)), Ok(()));

    // A leaf is judged where it stands.
    let refused = |bytes: &[u8]| match checked_bytes(bytes) {
        Err(CheckError::Leaf { node: 1, error }) => *error,
        other => panic!("{other:?}"),
    };
    let more = CheckError::TooManyStates { claimed: 947, met: 946 };
    assert_eq!(refused(&with(7, &roaming(&closed(), 947))), more);
    let error = refused(&with(7, &roaming(&closed(), 945)));
    assert!(matches!(error, CheckError::OutsideStates { .. }), "{error}");
    // White mates before Black takes the queen, and after it nobody does.
    let both = expansion(THEN_BISHOPS, 9, 3, 2, &[(1, 7, &leaf)]);
    assert_eq!(checked_bytes(&both), Ok(()));
    // Rights belong to men on their squares.
    let castling = "4k2r/8/8/8/8/8/8/4K2R b Kk - 0 1";
    let error = refused(&expansion(castling, 9, 1, 30, &[(1, 7, &leaf)]));
    assert_eq!(error, CheckError::HomesWithRights);
    // Homes in a leaf do not stand for the whole: the other positions are looked at.
    let free = "7Q/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1";
    let error = checked_bytes(&expansion(free, 9, 2, 2, &[(1, 7, &leaf)])).expect_err("open");
    assert!(matches!(error, CheckError::Leaf { .. } | CheckError::OutsideExpansion { .. }), "{error}");

    // What the format says of bytes.
    let refuses = |bytes: &[u8], offset: usize, element| {
        let error: DecodeError = PayloadError::InvalidElement { offset, element }.into();
        assert_eq!(PersistentCertificate::decode(bytes), Err(error));
    };
    let (states, kind) = (bytes.len() - 4, bytes.len() - leaf.len() - 1);
    refuses(&expansion(THEN_BISHOPS, 6, 2, 2, &[(1, 7, &leaf)]), kind, "kind of a leaf");
    refuses(&with(9, &leaf), kind, "kind of a leaf");
    // Positions and states are together at most as many as an expansion has positions.
    refuses(&with(7, &roaming(&closed(), (1 << 18) - 1)), states, "number of states");
    assert!(PersistentCertificate::decode(&with(7, &roaming(&closed(), (1 << 18) - 2))).is_ok());
    let two = expansion(
        THEN_BISHOPS,
        9,
        2,
        3,
        &[(1, 7, &roaming(&closed(), 1 << 17)), (2, 7, &roaming(&closed(), 1 << 17))],
    );
    refuses(&two, two.len() - 4, "number of states");
    refuses(&expansion(THEN_BISHOPS, 9, 2, 1 << 18, &[(1, 7, &leaf)]), states, "number of states");

    let document = to_value(&certificate).expect("a document");
    assert_eq!(document["proof"]["kind"], "expansion_with_homes");
    let leaf = &document["proof"]["leaves"][0];
    assert_eq!((&leaf["kind"], &leaf["states"]), (&json!("roaming"), &json!(946)));
    assert_eq!(leaf["position"], json!("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1"));
    assert_eq!(from_value::<PersistentCertificate>(document.clone()).expect("readable"), certificate);
    let refuses = |path: &str, field: &str, value| refuses_field(&document, path, field, value);
    refuses("/proof", "kind", Some(json!("mixed_expansion")));
    refuses("/proof", "homes", Some(leaf["homes"].clone()));
    refuses("/proof/leaves/0", "kind", Some(json!("roaming_to_bare_king")));
    refuses("/proof/leaves/0", "kind", Some(json!("material")));
    refuses("/proof/leaves/0", "kind", None);
    refuses("/proof/leaves/0", "states", None);
    refuses("/proof/leaves/0", "states", Some(json!(945)));
    refuses("/proof/leaves/0", "homes", None);
    refuses("/proof/leaves/0", "frozen", Some(json!([])));
}

/// Two walls with bishops behind them, and a capture that must come first.
#[test]
fn homes_are_found_behind_forced_moves() {
    let fen = "1bB4b/k7/R5r1/8/1pBp1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1";
    let certificate =
        prove_unwinnable_with_homes(&position(fen), Color::Black, Bound::nodes(20_000)).expect("closes");
    assert_eq!(certificate.canonical_payload()[KIND], 9);
    assert!(check(&certificate).expect("true").unwinnable.black);
    let Proof::Expansion(expansion) = certificate.proof() else { panic!("not an expansion") };
    assert_eq!((expansion.nodes(), expansion.leaves().len()), (4, 2));
}

#[test]
fn the_number_of_states_is_exact() {
    let (homes, states) = homes(&closed());
    let more = CheckError::TooManyStates { claimed: states + 1, met: states };
    assert_eq!(checked(BISHOPS, 2, &homes, states + 1), Err(more));
    let error = checked(BISHOPS, 2, &homes, states - 1).expect_err("too few");
    assert!(matches!(error, CheckError::OutsideStates { .. }), "{error}");
    // In another order the homes are another proof of the same.
    let turned: Vec<Bytes> = homes.iter().rev().copied().collect();
    assert_eq!(checked(BISHOPS, 2, &turned, states), Ok(()));
}

#[test]
fn a_state_that_may_be_mate_is_refused() {
    // A ladder mates: whatever the rooks' homes, the walk comes to it.
    let ladder = "8/8/8/8/8/k7/7R/1K5R w - - 0 1";
    for squares in [u64::MAX, 0xffff_0000, 1] {
        let error = checked(ladder, 1, &[(0, 3, squares, 14)], 1 << 18).expect_err("mate");
        assert!(matches!(error, CheckError::MateInState { color: Color::White, .. }), "{error}");
        // Black's king never mates, whatever White's rooks do.
    }
    let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
    let error = checked(mate, 1, &[(1, 2, Bitboard::FULL.0, 0)], 10).expect_err("mate");
    assert_eq!(error, CheckError::MateInState { number: 0, color: Color::White });
    // Already mated, Black never mates.
    assert_eq!(checked(mate, 2, &[(1, 2, Bitboard::FULL.0, 0)], 1), Ok(()));
}

/// Men at home give mate, block flights, promote and take en passant as others do.
#[test]
fn mates_by_men_at_home() {
    let square = |text: &str| Bitboard::from(text.parse::<Square>().expect("a square")).0;
    let all = u64::MAX;
    for (fen, line, homes) in [
        // A knight that leaves uncovers the rook; both are at home.
        ("k7/8/1K6/N7/8/8/8/R7 w - - 0 1", "a5c6", [(0, 1, all, 1), (0, 3, all, 1)]),
        // The king is smothered by men at home.
        (
            "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
            "g5f7",
            [(1, 3, all, 0), (1, 0, square("g7") | square("h7"), 2)],
        ),
        // A pawn at home becomes a queen at home.
        ("k7/7P/1K6/8/8/8/8/8 w - - 0 1", "h7h8q", [(0, 0, square("h7"), 1), (0, 4, all, 0)]),
        // A pawn at home takes another en passant and opens the file.
        (
            "3rkr2/3p1p2/8/4P3/8/7B/8/4R1K1 b - - 0 1",
            "d7d5 e5d6",
            [(1, 0, square("d7") | square("d5"), 1), (0, 0, square("e5") | square("d6"), 1)],
        ),
    ] {
        let mut mated = position(fen);
        line.split(' ').for_each(|uci| play(&mut mated, uci));
        assert!(mated.is_checkmate() && mated.turn().is_black(), "{fen}");
        let error = checked(fen, 1, &homes, 1 << 18).expect_err(fen);
        assert!(matches!(error, CheckError::MateInState { color: Color::White, .. }), "{fen}: {error}");
        assert!(prove_unwinnable_with_homes(&position(fen), Color::White, Bound::nodes(1_000)).is_none());
    }
}

#[test]
fn the_json_form_is_read_back() {
    use serde_json::{from_value, json, to_value};

    let certificate = closed();
    let document = to_value(&certificate).expect("a document");
    let proof = &document["proof"];
    assert_eq!(proof["kind"], "roaming");
    assert_eq!(proof["states"], 946);
    assert_eq!(proof["homes"][0]["piece"], "b");
    assert_eq!(proof["homes"][0]["cap"], 0);
    assert!(proof["homes"][0]["squares"].as_array().is_some_and(|squares| squares.len() > 10));
    assert_eq!(from_value::<PersistentCertificate>(document.clone()).expect("readable"), certificate);

    let to_a_bare_king = closed_to_a_bare_king();
    let document_to_a_bare_king = to_value(&to_a_bare_king).expect("a document");
    assert_eq!(document_to_a_bare_king["proof"]["kind"], "roaming_to_bare_king");
    assert_eq!(document_to_a_bare_king["proof"]["states"], 118);
    assert_eq!(
        from_value::<PersistentCertificate>(document_to_a_bare_king.clone()).expect("readable"),
        to_a_bare_king
    );
    // The kinds are not taken for each other.
    refuses_field(&document_to_a_bare_king, "/proof", "kind", Some(json!("roaming")));
    refuses_field(&document, "/proof", "kind", Some(json!("roaming_to_bare_king")));

    let refuses = |path: &str, field: &str, value| refuses_field(&document, path, field, value);
    refuses("/proof", "states", None);
    refuses("/proof", "states", Some(json!(945)));
    refuses("/proof", "homes", None);
    refuses("/proof", "homes", Some(json!([])));
    refuses("/proof", "frozen", Some(json!([])));
    refuses("/proof/homes/0", "piece", Some(json!("k")));
    refuses("/proof/homes/0", "piece", Some(json!("bb")));
    refuses("/proof/homes/0", "cap", Some(json!(15)));
    refuses("/proof/homes/0", "squares", None);
    refuses("/proof/homes/0", "leaves", Some(json!([])));
}
