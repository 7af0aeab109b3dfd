//! One certificate, one encoding: what is read has exactly these bytes, and every deviation has a name and an offset.

use bitmesh::{
    CompositionCertificate, CompositionCertificateValidationError, CompositionComponentValue, DecodeError,
    DecompositionCertificate, DecompositionCertificateValidationError, PayloadError, PositionBinding,
    certify_decomposition, read_position,
};
use proptest::prelude::*;
use serde_json::Value;

fn wall() -> Vec<u8> {
    let board = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7".parse().unwrap();
    certify_decomposition(&board).canonical_payload().unwrap()
}

fn composition() -> CompositionCertificate {
    let value = |component_root, text: &str| CompositionComponentValue {
        component_root,
        value_digest: text.to_owned(),
    };
    CompositionCertificate {
        decomposition_digest: [7; 32].into(),
        component_values: vec![value(3, "up"), value(5, ""), value(9, "star")],
        result_value_digest: "zero".to_owned(),
    }
}

fn composed() -> Vec<u8> {
    let mut composition = composition();
    composition.component_values[1].value_digest = "down".to_owned();
    composition.canonical_payload().unwrap()
}

fn bound() -> Vec<u8> {
    let reading = read_position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1").unwrap();
    PositionBinding::of_input([9; 32].into(), &reading.input).canonical_payload()
}

/// Reads bytes with one of the decoders: the bytes written again, or the offset of the failure and its code.
type Decoder = fn(&[u8]) -> Result<Vec<u8>, (usize, &'static str)>;

fn decomposition(bytes: &[u8]) -> Result<Vec<u8>, (usize, &'static str)> {
    match DecompositionCertificate::from_canonical_payload(bytes) {
        Ok(certificate) => Ok(certificate.canonical_payload().unwrap()),
        Err(error) => Err((error.offset(), error.code())),
    }
}

fn composing(bytes: &[u8]) -> Result<Vec<u8>, (usize, &'static str)> {
    match CompositionCertificate::from_canonical_payload(bytes) {
        Ok(composition) => Ok(composition.canonical_payload().unwrap()),
        Err(error) => Err((error.offset(), error.code())),
    }
}

fn binding(bytes: &[u8]) -> Result<Vec<u8>, (usize, &'static str)> {
    match PositionBinding::from_canonical_payload(bytes) {
        Ok(binding) => Ok(binding.canonical_payload()),
        Err(error) => Err((error.offset(), error.code())),
    }
}

/// A payload that is fine as it is.
type Example = fn() -> Vec<u8>;

/// Each format with an example and the length of its magic.
const DECODERS: [(Decoder, Example, usize); 3] =
    [(decomposition, wall, 8), (composing, composed, 10), (binding, bound, 11)];

#[test]
fn golden_payloads_are_read() {
    let rows = |text: &'static str| text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let bytes = |row: &Value| row["payload"].as_str().map(unhex);
    let mut count = 0;
    for row in rows(include_str!("../golden/boards.jsonl")) {
        let board = row["board"].as_str().unwrap().parse().unwrap();
        let payload = bytes(&row).unwrap();
        let certificate = DecompositionCertificate::from_canonical_payload(&payload).unwrap();
        assert_eq!(certificate, certify_decomposition(&board));
        count += 1;
    }
    for row in rows(include_str!("../golden/compositions.jsonl")) {
        if let Some(payload) = bytes(&row) {
            assert_eq!(composing(&payload), Ok(payload));
            count += 1;
        }
    }
    assert!(count > 1_000, "only {count} payloads");
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn every_prefix_and_every_longer_text_is_refused() {
    for (decode, payload, magic) in DECODERS {
        let payload = payload();
        assert_eq!(decode(&payload), Ok(payload.clone()));
        for length in 0..payload.len() {
            let expected =
                if length < magic { (0, "payload/wrong-magic") } else { (length, "payload/truncated") };
            assert_eq!(decode(&payload[..length]), Err(expected), "{length} bytes");
        }
        let mut longer = payload.clone();
        longer.push(0);
        assert_eq!(decode(&longer), Err((payload.len(), "payload/trailing-bytes")));
    }
}

#[test]
fn every_other_magic_and_version_is_refused() {
    for (decode, payload, magic) in DECODERS {
        for at in 0..magic {
            let mut changed = payload();
            changed[at] ^= 0x20;
            assert_eq!(decode(&changed), Err((0, "payload/wrong-magic")), "byte {at}");
        }
        for version in (0..=255).filter(|&version| version != 1) {
            let mut changed = payload();
            changed[magic] = version;
            assert_eq!(decode(&changed), Err((magic, "payload/unsupported-version")));
        }
    }
}

/// Whatever one byte is changed into, the bytes are refused or are the payload of something else.
#[test]
fn no_two_encodings_of_one_certificate() {
    for (decode, payload, _) in DECODERS {
        let payload = payload();
        for at in 0..payload.len() {
            for value in 0..=255 {
                let mut changed = payload.clone();
                changed[at] = value;
                match decode(&changed) {
                    Ok(again) => assert_eq!(again, changed, "byte {at} as {value}"),
                    Err((offset, code)) => assert!(offset <= changed.len() && code.contains('/')),
                }
            }
        }
    }
}

/// Both components with their roots, masks and pieces, as they follow the header of the wall.
const ROOT: [usize; 2] = [22, 39];
const MASK: [usize; 2] = [23, 40];
const ACTIVE: [usize; 2] = [31, 48];

#[track_caller]
fn refuses(change: impl FnOnce(&mut Vec<u8>), offset: usize, code: &str) {
    let mut bytes = wall();
    change(&mut bytes);
    assert_eq!(decomposition(&bytes), Err((offset, code)));
}

#[test]
fn every_deviation_of_a_decomposition_has_a_name() {
    let copy = |from: usize, to: usize, length: usize| {
        move |bytes: &mut Vec<u8>| bytes.copy_within(from..from + length, to)
    };
    refuses(|bytes| bytes[9] = 0, 9, "payload/invalid-element");
    refuses(|bytes| bytes[9] = 3, 9, "payload/invalid-element");
    refuses(|bytes| bytes[10] = 2, 10, "payload/invalid-element");
    refuses(|bytes| bytes[11] = 3, 11, "payload/invalid-element");
    refuses(|bytes| bytes[10] = 0, 10, "decomposition/strict-status-mismatch");
    refuses(|bytes| bytes[9] = 2, 10, "decomposition/strict-status-mismatch");
    refuses(|bytes| bytes[11] = 1, 11, "decomposition/strict-with-rejection-reason");
    refuses(|bytes| bytes[12] = 3, 12, "decomposition/active-component-count-mismatch");
    refuses(|bytes| bytes[13..21].fill(0), 13, "decomposition/strict-without-barrier");
    refuses(
        |bytes| {
            bytes[12] = 1;
            bytes[21] = 1;
            bytes.truncate(39);
        },
        12,
        "decomposition/strict-with-too-few-active-components",
    );
    let rejected = |reason: u8| {
        move |bytes: &mut Vec<u8>| {
            bytes[9] = 2;
            bytes[10] = 0;
            bytes[11] = reason;
        }
    };
    refuses(rejected(0), 11, "decomposition/rejected-without-rejection-reason");
    refuses(rejected(1), 13, "decomposition/no-locked-barrier-rejection-with-barrier");
    refuses(
        |bytes| {
            rejected(1)(bytes);
            bytes[13..21].fill(0);
        },
        12,
        "decomposition/no-locked-barrier-rejection-with-multiple-active-components",
    );
    refuses(
        rejected(2),
        12,
        "decomposition/less-than-two-active-components-rejection-with-too-many-active-components",
    );
    refuses(
        |bytes| {
            rejected(2)(bytes);
            bytes[13..21].fill(0);
        },
        13,
        "decomposition/less-than-two-active-components-rejection-without-barrier",
    );
    refuses(|bytes| bytes[MASK[0]..MASK[0] + 8].fill(0), MASK[0], "decomposition/empty-component-mask");
    refuses(
        |bytes| bytes[ACTIVE[1]..ACTIVE[1] + 8].fill(0),
        ACTIVE[1],
        "decomposition/component-without-active-squares",
    );
    refuses(
        |bytes| bytes[MASK[1]..MASK[1] + 8].fill(255),
        MASK[1],
        "decomposition/component-intersects-barrier",
    );
    refuses(
        |bytes| bytes[ACTIVE[0]..ACTIVE[0] + 8].fill(255),
        ACTIVE[0],
        "decomposition/active-mask-outside-component",
    );
    refuses(|bytes| bytes[ROOT[1]] = 64, ROOT[1], "decomposition/component-root-outside-mask");
    refuses(|bytes| bytes[ROOT[1]] = 255, ROOT[1], "decomposition/component-root-outside-mask");
    refuses(copy(ROOT[0], ROOT[1], 17), ROOT[1], "decomposition/duplicate-component-root");
    refuses(
        |bytes| {
            copy(ROOT[0], ROOT[1], 17)(bytes);
            let mask = u64::from_le_bytes(bytes[MASK[1]..MASK[1] + 8].try_into().unwrap());
            let other = (0..64).find(|&root| mask >> root & 1 == 1 && root > bytes[ROOT[0]]).unwrap();
            bytes[ROOT[1]] = other;
        },
        MASK[1],
        "decomposition/component-masks-overlap",
    );
    // One square less in the first component is omitted; given to nobody, the neighbour sees it.
    refuses(|bytes| bytes[MASK[0]] ^= 0x80, MASK[0], "decomposition/strict-component-mask-not-closed");
    // One barrier square less: b3 lies between the regions and belongs to nobody.
    refuses(|bytes| bytes[13 + 2] ^= 0x02, MASK[0], "decomposition/strict-component-mask-not-closed");
    // In the wrong order.
    refuses(
        |bytes| {
            let (first, second) = bytes.split_at_mut(ROOT[1]);
            first[ROOT[0]..].swap_with_slice(second);
        },
        ROOT[1],
        "payload/not-ascending",
    );
}

#[test]
fn regions_that_touch_are_refused() {
    // Rejected certificates need not be closed, so that regions can touch only by mistake; here one square is moved
    // from the barrier to the second region.
    let bytes = wall();
    let barrier = u64::from_le_bytes(bytes[13..21].try_into().unwrap());
    let second = u64::from_le_bytes(bytes[MASK[1]..MASK[1] + 8].try_into().unwrap());
    let first = u64::from_le_bytes(bytes[MASK[0]..MASK[0] + 8].try_into().unwrap());
    let moved = (0..64)
        .map(|square| 1u64 << square)
        .find(|&square| {
            let mut changed = bytes.clone();
            changed[13..21].copy_from_slice(&(barrier & !square).to_le_bytes());
            changed[MASK[1]..MASK[1] + 8].copy_from_slice(&(second | square).to_le_bytes());
            barrier & square != 0
                && decomposition(&changed) == Err((MASK[0], "decomposition/cross-component-adjacency"))
        })
        .expect("some barrier square has the first region as a neighbour");
    assert_eq!(moved & first, 0);
}

#[track_caller]
fn refuses_composed(change: impl FnOnce(&mut Vec<u8>), offset: usize, code: &str) {
    let mut bytes = composed();
    change(&mut bytes);
    assert_eq!(composing(&bytes), Err((offset, code)));
}

#[test]
fn every_deviation_of_a_composition_has_a_name() {
    // Values start at 45: root, length, text; "up", "down", "star", and the result "zero".
    let (first, second, third, result) = (45, 50, 57, 64);
    assert_eq!(composed()[first..first + 5], [3, 2, 0, b'u', b'p']);
    assert_eq!(composed()[result..], [4, 0, b'z', b'e', b'r', b'o']);
    refuses_composed(
        |bytes| {
            bytes[43] = 0;
            bytes.drain(first..result);
        },
        43,
        "composition/empty-component-values",
    );
    refuses_composed(
        |bytes| {
            bytes.truncate(result);
            bytes.extend([0, 0]);
        },
        result,
        "composition/empty-result-value-digest",
    );
    refuses_composed(
        |bytes| {
            bytes[second + 1] = 0;
            bytes.drain(second + 3..third);
        },
        second,
        "composition/empty-component-value-digest",
    );
    refuses_composed(|bytes| bytes[second] = 3, second, "composition/duplicate-component-root");
    refuses_composed(|bytes| bytes[third] = 5, third, "composition/duplicate-component-root");
    refuses_composed(|bytes| bytes[second] = 2, second, "payload/not-ascending");
    refuses_composed(|bytes| bytes[first + 3] = 0xff, first + 3, "payload/invalid-utf8");
    refuses_composed(|bytes| bytes[result + 5] = 0xc3, result + 2, "payload/invalid-utf8");
    refuses_composed(|bytes| bytes[44] = 1, result, "payload/not-ascending");
}

#[test]
fn deviations_of_a_binding_have_a_name() {
    // The position text starts at 46, the context behind it.
    let mut bytes = bound();
    assert_eq!(bytes[44..46], [48, 0]);
    bytes[46] = 0xff;
    assert_eq!(binding(&bytes), Err((46, "payload/invalid-utf8")));
    let mut bytes = bound();
    let end = bytes.len();
    bytes[end - 1] = 0xe2;
    assert_eq!(binding(&bytes), Err((96, "payload/invalid-utf8")));
}

#[test]
fn texts_at_the_limit() {
    let text = |length: usize| "é".repeat(length / 2) + &"x".repeat(length % 2);
    let binding = PositionBinding::new([1; 32].into(), text(65_535), text(65_535)).unwrap();
    assert_eq!(PositionBinding::from_canonical_payload(&binding.canonical_payload()), Ok(binding));
    assert_eq!(
        PositionBinding::new([1; 32].into(), text(65_536), text(65_536)),
        Err(DecompositionCertificateValidationError::PositionContextTooLong {
            actual: 65_536,
            maximum: 65_535
        }),
    );
    assert_eq!(
        PositionBinding::new([1; 32].into(), text(65_535), text(65_536)),
        Err(DecompositionCertificateValidationError::PositionContextNamespaceTooLong {
            actual: 65_536,
            maximum: 65_535,
        }),
    );
    // A text cut inside a character.
    let mut bytes =
        PositionBinding::new([1; 32].into(), text(65_534) + "x", String::new()).unwrap().canonical_payload();
    bytes[46 + 65_534] = 0xc3;
    assert_eq!(
        PositionBinding::from_canonical_payload(&bytes),
        Err(PayloadError::InvalidUtf8 { offset: 46, element: "position text" }),
    );
}

#[test]
fn failures_explain_themselves() {
    use std::error::Error as _;

    let mut bytes = wall();
    bytes[11] = 1;
    let error = DecompositionCertificate::from_canonical_payload(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "invalid certificate, first seen at byte 11");
    assert_eq!(
        error.source().unwrap().to_string(),
        "strict certificate has rejection reason no locked barrier"
    );
    let error = CompositionCertificate::from_canonical_payload(&bytes).unwrap_err();
    assert_eq!(error, DecodeError::Payload(PayloadError::WrongMagic { expected: "BMCOMPOSE" }));
    assert_eq!(error.to_string(), "bytes at offset 0 are not the magic BMCOMPOSE");
    let unfinished = composition();
    assert_eq!(
        unfinished.canonical_payload(),
        Err(CompositionCertificateValidationError::EmptyComponentValueDigest { component_root: 5 }),
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn what_is_read_is_written(
        which in 0..3usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 0..5),
    ) {
        let (decode, payload, _) = DECODERS[which];
        let mut bytes = payload();
        for (at, value, what) in edits {
            let at = at.index(bytes.len());
            match what {
                0 => bytes[at] = value,
                1 => bytes.insert(at, value),
                _ => drop(bytes.remove(at)),
            }
        }
        if let Ok(again) = decode(&bytes) {
            prop_assert_eq!(again, bytes);
        }
    }
}
