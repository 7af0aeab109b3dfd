//! The bytes of certificates: every one of them is looked at, and each certificate has one encoding.

use bitmesh::PayloadError;
use bitmesh::persistent::{Conclusions, Coupling, DecodeError, PersistentCertificate, analyze, check, prove};
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};
use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position as _,
    PositionErrorKinds, Role, Setup, Square,
};

use bitmesh_lab::generate::blockade;
use bitmesh_lab::random::Rng;

use super::{position, proved};

const WALL: &str = "7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1";
const WALL_DIGEST: &str = "86b532a2a0739bd9b88d4345a4a56f450943b74a0faed52bcbb7d9b6fd930b28";

/// Offsets of elements of the format.
const WHITE: usize = 11;
const PAWNS: usize = 19;
const TURN: usize = 67;
const RIGHTS: usize = 68;
const EN_PASSANT: usize = 76;
const VERDICT: usize = 77;
const KIND: usize = 78;
const FROZEN: usize = 79;
const COUPLING: usize = 87;
const MOVERS: usize = 88;

fn wall() -> Vec<u8> {
    prove(&position(WALL)).canonical_payload()
}

#[test]
fn every_byte_of_the_wall() {
    let mut expected = b"BMPERSIST\0\x01".to_vec();
    let put = |bytes: &mut Vec<u8>, value: u64| bytes.extend(value.to_le_bytes());
    put(&mut expected, 0x0000_0000_55aa_0001); // white pieces
    put(&mut expected, 0x0000_0055_ffaa_0000); // pawns
    for _ in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        put(&mut expected, 0);
    }
    put(&mut expected, 0x8000_0000_0000_0001); // kings
    expected.push(0); // White to move
    put(&mut expected, 0); // no castling rights
    expected.push(64); // no en-passant square
    expected.push(3); // neither colour can give mate
    expected.push(1); // one witness
    put(&mut expected, 0x0000_0055_ffaa_0000); // frozen
    expected.push(0); // exact sum
    expected.extend([0, 0]); // the king on a1, component 0
    put(&mut expected, 0x0000_0000_0000_ffff);
    expected.extend([63, 1]); // the king on h8, component 1
    put(&mut expected, 0xffff_ff00_0000_0000);

    let certificate = prove(&position(WALL));
    assert_eq!(certificate.canonical_payload(), expected);
    assert_eq!(certificate.digest().to_hex(), WALL_DIGEST);
    assert_eq!(certificate.digest().as_bytes()[..], Sha256::digest(&expected)[..]);
}

/// Decoding the bytes with one change.
fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Result<PersistentCertificate, DecodeError> {
    let mut bytes = wall();
    change(&mut bytes);
    PersistentCertificate::decode(&bytes)
}

fn invalid(offset: usize, element: &'static str) -> Result<PersistentCertificate, DecodeError> {
    Err(PayloadError::InvalidElement { offset, element }.into())
}

#[test]
fn each_element_is_refused_outside_its_values() {
    assert_eq!(changed(|b| b[0] = b'b'), Err(PayloadError::WrongMagic { expected: "BMPERSIST" }.into()));
    assert_eq!(changed(|b| b[9] = 1), Err(PayloadError::WrongMagic { expected: "BMPERSIST" }.into()));
    let version = PayloadError::UnsupportedVersion { offset: 10, version: 2 };
    assert_eq!(changed(|b| b[10] = 2), Err(version.into()));
    // A white piece on an empty square; a knight where a pawn stands.
    assert_eq!(changed(|b| b[WHITE] |= 2), invalid(WHITE, "placement"));
    assert_eq!(changed(|b| b[PAWNS + 8 + 3] |= 1), invalid(WHITE, "placement"));
    assert_eq!(changed(|b| b[TURN] = 2), invalid(TURN, "turn"));
    let kinds = PositionErrorKinds::INVALID_CASTLING_RIGHTS;
    assert_eq!(changed(|b| b[RIGHTS] = 1), Err(DecodeError::IllegalPosition { kinds }));
    assert_eq!(changed(|b| b[EN_PASSANT] = 65), invalid(EN_PASSANT, "en-passant square"));
    let kinds = PositionErrorKinds::INVALID_EP_SQUARE;
    assert_eq!(changed(|b| b[EN_PASSANT] = 41), Err(DecodeError::IllegalPosition { kinds }));
    assert_eq!(changed(|b| b[VERDICT] = 4), invalid(VERDICT, "verdict"));
    for kind in [0, 3, 255] {
        assert_eq!(changed(|b| b[KIND] = kind), invalid(KIND, "proof kind"));
    }
    assert_eq!(changed(|b| b[FROZEN + 1] = 1), invalid(FROZEN, "frozen pieces"));
    assert_eq!(changed(|b| b[COUPLING] = 8), invalid(COUPLING, "coupling"));
    assert_eq!(changed(|b| b[MOVERS] = 1), invalid(MOVERS, "square of a mover"));
    assert_eq!(changed(|b| b[MOVERS + 1] = 1), invalid(MOVERS + 1, "component"));
    assert_eq!(changed(|b| b[MOVERS + 11] = 2), invalid(MOVERS + 11, "component"));
    let trailing = PayloadError::TrailingBytes { offset: 108, count: 1 };
    assert_eq!(changed(|b| b.push(0)), Err(trailing.into()));
}

#[test]
fn an_en_passant_square_without_a_capture_is_a_second_encoding() {
    // The capture is pinned, so the position has no en-passant square.
    let start = position("8/8/6k1/p1p1p3/P1P1Pp1p/5P1P/2B5/4K3 b - e3 0 50");
    let mut bytes = prove(&start).canonical_payload();
    assert_eq!(bytes[EN_PASSANT], 64);
    bytes[EN_PASSANT] = u8::from(Square::E3);
    assert_eq!(PersistentCertificate::decode(&bytes), invalid(EN_PASSANT, "en-passant square"));
    // One that can be played must stand.
    let mut bytes = prove(&position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 b - a3 0 1")).canonical_payload();
    assert_eq!(bytes[EN_PASSANT], u8::from(Square::A3));
    bytes[EN_PASSANT] = 64;
    let other = PersistentCertificate::decode(&bytes).expect("another position");
    assert_eq!(other.position().ep_square(EnPassantMode::Legal), None);
}

#[test]
fn every_truncation_is_refused() {
    for fen in [WALL, "r3k2r/pppqppbp/2n2np1/8/8/2N2NP1/PPPQPPBP/R3K2R w KQkq - 0 1"] {
        let bytes = prove(&position(fen)).canonical_payload();
        for length in 0..bytes.len() {
            let error = PersistentCertificate::decode(&bytes[..length]).expect_err("too short");
            assert!(error.code().starts_with("persistent/"));
        }
    }
}

#[test]
fn what_the_position_and_the_counters_are() {
    let certificate = prove(&position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 37 90"));
    assert_eq!(certificate.canonical_payload(), wall());
    let decoded = PersistentCertificate::decode(&wall()).expect("a certificate");
    assert_eq!(decoded, certificate);
    assert_eq!(decoded.position().halfmoves(), 0);
}

#[test]
fn chess960_rights_survive() {
    let start = position("1k6/8/8/8/8/p1p1p1p1/P1P1P1P1/RK6 w A - 0 1");
    let decoded = PersistentCertificate::decode(&prove(&start).canonical_payload()).expect("a certificate");
    assert_eq!(decoded.position(), &start);
    assert_eq!(decoded.position().legal_moves(), start.legal_moves());
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let error = changed(|b| b[TURN] = 9).expect_err("no turn");
    assert_eq!(error.to_string(), "not a persistent certificate");
    let source = core::error::Error::source(&error).expect("a source");
    assert_eq!(source.to_string(), "turn at byte 67 is invalid");
    assert_eq!(error.code(), "persistent/payload");

    let mut bytes = wall();
    bytes[MOVERS + 2] &= !1;
    let error =
        check(&PersistentCertificate::decode(&bytes).expect("well formed")).expect_err("not in its reach");
    assert_eq!(error.to_string(), "piece on a1 does not stand in its reach");
    assert_eq!(error.code(), "persistent/start-outside-reach");
}

/// Boards that shakmaty can be told to let pass are no positions of a game: nothing is claimed.
#[test]
fn a_board_with_more_than_32_pieces() {
    let mut setup = Setup::empty();
    setup.board = Board::empty();
    for square in Bitboard::from_rank(shakmaty::Rank::Third) | Bitboard::from_rank(shakmaty::Rank::Second) {
        setup.board.set_piece_at(square, Color::White.pawn());
    }
    for square in Bitboard::from_rank(shakmaty::Rank::Fourth) | Bitboard::from_rank(shakmaty::Rank::Fifth) {
        setup.board.set_piece_at(square, Color::Black.knight());
    }
    setup.board.set_piece_at(Square::A1, Piece { color: Color::White, role: Role::King });
    setup.board.set_piece_at(Square::H8, Piece { color: Color::Black, role: Role::King });
    let position = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .expect("let pass");
    let nothing = Conclusions { components: 1, coupling: Coupling::UNKNOWN, unwinnable: ByColor::default() };
    assert_eq!(analyze(&position).conclusions(), nothing);
    let certificate = prove(&position);
    assert_eq!(certificate.claims(), nothing);
    assert_eq!(check(&certificate).expect_err("too many").code(), "persistent/too-many-pieces");
    let kinds = PositionErrorKinds::TOO_MUCH_MATERIAL;
    let decoded = PersistentCertificate::decode(&certificate.canonical_payload());
    assert_eq!(decoded, Err(DecodeError::IllegalPosition { kinds }));
}

/// Bytes are refused, or are the one encoding of what they decode to. Nothing panics.
fn one_encoding(bytes: &[u8]) {
    if let Ok(certificate) = PersistentCertificate::decode(bytes) {
        assert_eq!(certificate.canonical_payload(), bytes);
        let _ = check(&certificate);
    }
}

#[test]
fn every_change_of_a_byte_is_refused_or_another_certificate() {
    for fen in [WALL, "4k3/8/8/8/8/p1p1p1p1/P1P1P1P1/RB2K3 w Q - 0 1", "8/8/8/1p6/kP6/2P5/8/6K1 w - - 0 1"] {
        let bytes = prove(&position(fen)).canonical_payload();
        for index in 0..bytes.len() {
            for value in 0..=255 {
                let mut bytes = bytes.clone();
                bytes[index] = value;
                one_encoding(&bytes);
            }
        }
    }
}

proptest! {
    #[test]
    fn certificates_survive_their_bytes(seed in any::<u64>()) {
        let start = blockade(&mut Rng::new(seed));
        let (_, certificate) = proved(&start);
        let bytes = certificate.canonical_payload();
        match PersistentCertificate::decode(&bytes) {
            Ok(decoded) => {
                prop_assert_eq!(&decoded, &certificate);
                prop_assert_eq!(decoded.digest(), certificate.digest());
                prop_assert_eq!(check(&decoded), Ok(certificate.claims()));
            }
            Err(error) => prop_assert_eq!(error, DecodeError::IllegalPosition { kinds: PositionErrorKinds::TOO_MUCH_MATERIAL }),
        }
    }

    #[test]
    fn scattered_changes_never_panic(seed in any::<u64>(), changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6)) {
        let mut bytes = prove(&blockade(&mut Rng::new(seed))).canonical_payload();
        for (index, value) in changes {
            let index = index % bytes.len();
            bytes[index] = value;
        }
        one_encoding(&bytes);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        one_encoding(&bytes);
        one_encoding(&[&wall()[..11], &bytes[..]].concat());
    }
}

#[test]
fn the_json_form_says_the_same() {
    let document = serde_json::to_value(prove(&position(WALL))).expect("a document");
    let second_rank =
        ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"];
    assert_eq!(document["schema"], "bitmesh.persistent.v1");
    assert_eq!(document["proof_kind"], bitmesh::persistent::PROOF_KIND);
    assert_eq!(document["digest"], WALL_DIGEST);
    assert_eq!(document["position"], WALL);
    assert_eq!(
        document["claims"],
        serde_json::json!({
            "components": 2,
            "decomposed": true,
            "coupling": {"kind": "exact_sum", "colours": []},
            "unwinnable": ["white", "black"],
            "dead": true,
        })
    );
    assert_eq!(document["proof"]["kind"], "witness");
    assert_eq!(document["proof"]["frozen"].as_array().map(Vec::len), Some(16));
    let king =
        serde_json::json!({"square": "a1", "piece": "K", "component": 0, "reach": {"king": second_rank}});
    assert_eq!(document["proof"]["movers"][0], king);
}
