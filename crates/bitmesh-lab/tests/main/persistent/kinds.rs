//! The kinds of proof beside the plain witness and its expansion: bytes, decoding, JSON.

use bitmesh::PayloadError;
use bitmesh::persistent::{
    Bound, CheckError, DecodeError, LeafProof, PersistentCertificate, Proof, check, prove, prove_unwinnable,
};
use shakmaty::Color;

use super::{position, refuses_field};

const VERDICT: usize = 77;
const KIND: usize = 78;

/// Queens and a knight: White cannot mate by material.
const MATERIAL: &str = "7k/5q2/8/8/8/8/3q4/K1N5 w - - 0 1";
/// White cannot mate because pawns on four files never pass.
const STOPPERS: &str = "1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1";
/// Black must take the rook, and then White has a knight against a queen.
const THEN_MATERIAL: &str = "6kR/5q2/7K/N7/8/8/8/8 b - - 0 1";
/// Black must take the rook, and then pawns never pass.
const THEN_STOPPERS: &str = "1kR5/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 b - - 0 1";

fn proved(fen: &str) -> PersistentCertificate {
    let certificate = prove_unwinnable(&position(fen), Color::White, Bound::nodes(100)).expect(fen);
    assert!(check(&certificate).expect(fen).unwinnable.white, "{fen}");
    certificate
}

fn leaf(fen: &str) -> LeafProof {
    let certificate = proved(fen);
    let Proof::Expansion(expansion) = certificate.proof() else { panic!("not an expansion") };
    assert_eq!((expansion.nodes(), expansion.leaves().len()), (2, 1), "{fen}");
    expansion.leaves()[0].proof().clone()
}

#[test]
fn every_kind_comes_back() {
    for (fen, kind) in [(MATERIAL, 4), (STOPPERS, 5), (THEN_MATERIAL, 6), (THEN_STOPPERS, 6)] {
        let certificate = proved(fen);
        let bytes = certificate.canonical_payload();
        assert_eq!(bytes[KIND], kind, "{fen}");
        assert_eq!(PersistentCertificate::decode(&bytes).as_ref(), Ok(&certificate), "{fen}");
        for length in 0..bytes.len() {
            assert!(PersistentCertificate::decode(&bytes[..length]).is_err(), "{fen}: {length}");
        }
        let trailing = PayloadError::TrailingBytes { offset: bytes.len(), count: 1 };
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(PersistentCertificate::decode(&longer), Err(trailing.into()), "{fen}");
    }
    assert!(matches!(leaf(THEN_MATERIAL), LeafProof::Material));
    let LeafProof::Witness(witness) = leaf(THEN_STOPPERS) else { panic!("a witness") };
    assert_eq!(witness.stoppers().count(), 4);
}

#[test]
fn the_bytes_are_those_of_the_handbook() {
    // Material: the position and the verdict.
    let plain = prove(&position(MATERIAL)).canonical_payload();
    let bytes = proved(MATERIAL).canonical_payload();
    assert_eq!(bytes, [&plain[..VERDICT], &[1, 4]].concat());

    // Stoppers stand between the frozen pieces and the coupling.
    let bytes = proved(STOPPERS).canonical_payload();
    assert_eq!(bytes[KIND], 5);
    let frozen = u64::from_le_bytes(bytes[79..87].try_into().expect("8 bytes"));
    assert_eq!(frozen, 0x0055_5500_0000_0000);
    let stoppers = u64::from_le_bytes(bytes[87..95].try_into().expect("8 bytes"));
    assert_eq!(stoppers, 0x5500);
    assert_eq!((bytes[95], bytes[96], bytes[97]), (1, 4, 0)); // White may be in check; the king on e1, component 0

    // An expansion whose leaf is of another kind: the plain witness of the root, then as for kind 2.
    let plain = prove(&position(THEN_MATERIAL)).canonical_payload();
    let mut expected = plain.clone();
    (expected[VERDICT], expected[KIND]) = (1, 6);
    expected.extend([2, 0, 0, 0, 1, 0, 0, 0]); // positions, leaves
    expected.extend([1, 0, 0, 0, 4]); // the number of the leaf, material
    assert_eq!(proved(THEN_MATERIAL).canonical_payload(), expected);
}

fn invalid(offset: usize, element: &'static str) -> DecodeError {
    PayloadError::InvalidElement { offset, element }.into()
}

fn refuses(fen: &str, change: impl FnOnce(&mut Vec<u8>), expected: DecodeError) {
    let mut bytes = proved(fen).canonical_payload();
    change(&mut bytes);
    assert_eq!(PersistentCertificate::decode(&bytes), Err(expected), "{fen}");
}

#[test]
fn each_element_is_refused_outside_its_values() {
    // No stoppers is a plain witness; a stopper that is no pawn; one that is frozen.
    refuses(STOPPERS, |bytes| bytes[87..95].fill(0), invalid(87, "stoppers"));
    refuses(STOPPERS, |bytes| bytes[87] = 1 << 4, invalid(87, "stoppers"));
    refuses(STOPPERS, |bytes| bytes[92] = 1, invalid(87, "stoppers"));
    for kind in [0, 3, 10, 255] {
        refuses(MATERIAL, |bytes| bytes[KIND] = kind, invalid(KIND, "proof kind"));
    }
    // Leaves: an expansion in an expansion, kinds that are none, and one with plain witnesses only.
    let end = proved(THEN_MATERIAL).canonical_payload().len() - 1;
    for kind in [0, 2, 3, 6, 7, 255] {
        refuses(THEN_MATERIAL, |bytes| bytes[end] = kind, invalid(end, "kind of a leaf"));
    }
    // Without men at home it is the other kind of expansion.
    refuses(THEN_MATERIAL, |bytes| bytes[KIND] = 9, invalid(KIND, "proof kind"));
    refuses(THEN_MATERIAL, |bytes| bytes[end - 8..end - 4].fill(255), invalid(end - 8, "number of leaves"));
    refuses(
        THEN_MATERIAL,
        |bytes| {
            bytes[end] = 1;
            bytes.extend([0; 9]); // nothing frozen, no movers
        },
        invalid(KIND, "proof kind"),
    );
    // The kind of a leaf that only a mixed expansion has.
    let truncated = PayloadError::InvalidElement { offset: end - 8, element: "number of leaves" };
    refuses(THEN_MATERIAL, |bytes| bytes[KIND] = 2, truncated.into());
}

#[test]
fn a_leaf_is_judged_where_it_stands() {
    // The leaf claims too much: Black, whose queen mates.
    let mut bytes = proved(THEN_MATERIAL).canonical_payload();
    bytes[VERDICT] = 3;
    let error = check(&PersistentCertificate::decode(&bytes).expect("a claim")).expect_err("refused");
    let CheckError::Leaf { node: 1, error } = error else { panic!("{error}") };
    assert_eq!(*error, CheckError::MaterialMates { color: Color::Black });
}

#[test]
fn the_json_form_is_read_back() {
    use serde_json::{from_value, json, to_value};

    for (fen, kind) in [
        (MATERIAL, "material"),
        (STOPPERS, "witness_with_stoppers"),
        (THEN_MATERIAL, "mixed_expansion"),
        (THEN_STOPPERS, "mixed_expansion"),
    ] {
        let certificate = proved(fen);
        let document = to_value(&certificate).expect("a document");
        assert_eq!(document["proof"]["kind"], kind);
        assert_eq!(from_value::<PersistentCertificate>(document).expect("readable"), certificate);
    }
    assert_eq!(to_value(proved(MATERIAL)).expect("a document")["proof"], json!({ "kind": "material" }));
    let stoppers = to_value(proved(STOPPERS)).expect("a document");
    assert_eq!(stoppers["proof"]["stoppers"], json!(["a2", "c2", "e2", "g2"]));
    let mixed = to_value(proved(THEN_MATERIAL)).expect("a document");
    let leaf = json!({ "number": 1, "position": "7k/5q2/7K/N7/8/8/8/8 w - - 0 1", "kind": "material" });
    assert_eq!(mixed["proof"]["leaves"], json!([leaf]));

    refuses_field(&stoppers, "/proof", "stoppers", None);
    refuses_field(&stoppers, "/proof", "stoppers", Some(json!([])));
    refuses_field(&stoppers, "/proof", "stoppers", Some(json!(["a2"])));
    refuses_field(&stoppers, "/proof", "kind", Some(json!("witness")));
    let material = to_value(proved(MATERIAL)).expect("a document");
    refuses_field(&material, "/proof", "frozen", Some(json!([])));
    refuses_field(&material, "/claims", "components", Some(json!(1)));
    let no_checks = json!({ "kind": "exact_sum", "colours": [] });
    refuses_field(&material, "/claims", "coupling", Some(no_checks));
    refuses_field(&mixed, "/proof/leaves/0", "kind", None);
    refuses_field(&mixed, "/proof/leaves/0", "kind", Some(json!("witness")));
    refuses_field(&mixed, "/proof/leaves/0", "frozen", Some(json!([])));
    refuses_field(&mixed, "/proof", "kind", Some(json!("expansion")));
}
