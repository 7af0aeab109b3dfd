//! Lines and their bytes: one encoding each, and nothing that is not a mate gets through.

use bitmesh::decision::{DecodeError, LineError, MateLine};
use shakmaty::san::San;
use shakmaty::{Chess, Color, Move, Position as _, Square};

use super::position;

fn moves(start: &Chess, sans: &[&str]) -> Vec<Move> {
    let mut position = start.clone();
    sans.iter()
        .map(|san| {
            let played = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(played);
            played
        })
        .collect()
}

fn fools_mate() -> MateLine {
    let start = Chess::default();
    let moves = moves(&start, &["f3", "e5", "g4", "Qh4"]);
    MateLine::new(start, Color::Black, moves).unwrap()
}

/// Where the winner, the number of moves and the moves are.
const WINNER: usize = 8 + 66;
const PLIES: usize = WINNER + 1;
const MOVES: usize = PLIES + 2;

#[test]
fn the_bytes_are_those_of_the_format() {
    let line = fools_mate();
    let bytes = line.canonical_payload();
    assert_eq!(bytes.len(), MOVES + 2 * 4);
    assert_eq!(&bytes[..8], b"BMMATE\0\x01");
    assert_eq!(bytes[8..16], 0xffff_u64.to_le_bytes());
    assert_eq!((bytes[WINNER], &bytes[PLIES..MOVES]), (1, &[4, 0][..]));
    // f2f3, e7e5, g2g4, d8h4: from, then to times 64.
    let words: Vec<u16> =
        bytes[MOVES..].chunks(2).map(|word| u16::from_le_bytes([word[0], word[1]])).collect();
    assert_eq!(words, [13 | 21 << 6, 52 | 36 << 6, 14 | 30 << 6, 59 | 31 << 6]);
    assert_eq!(MateLine::decode(&bytes), Ok(line.clone()));
    assert_eq!(line.digest().to_hex().len(), 64);
}

#[test]
fn castling_and_promotions_have_their_bits() {
    let castled = position("5k2/R7/8/7B/8/1B6/8/4K2R w K - 0 1");
    let played = moves(&castled, &["O-O"]);
    let line = MateLine::new(castled, Color::White, played).unwrap();
    assert_eq!(line.canonical_payload()[MOVES..], (4_u16 | 7 << 6).to_le_bytes());
    assert_eq!(line.to_string(), "1. O-O#");

    let promoting = position("7k/5P2/6K1/8/8/8/8/8 w - - 0 1");
    let played = moves(&promoting, &["f8=Q"]);
    let line = MateLine::new(promoting, Color::White, played).unwrap();
    assert_eq!(line.canonical_payload()[MOVES..], (53_u16 | 61 << 6 | 4 << 12).to_le_bytes());
    assert_eq!(MateLine::decode(&line.canonical_payload()), Ok(line));
}

#[test]
fn a_line_that_is_none_is_refused_by_name() {
    let start = Chess::default();
    let line = fools_mate();
    let played = line.moves().to_vec();
    let new = |winner, moves| MateLine::new(start.clone(), winner, moves);

    assert_eq!(new(Color::White, played.clone()), Err(LineError::WrongColour));
    assert_eq!(new(Color::Black, played[..3].to_vec()), Err(LineError::NoMate));
    assert_eq!(new(Color::Black, vec![]), Err(LineError::NoMate));
    assert_eq!(new(Color::Black, played[1..].to_vec()), Err(LineError::Illegal { ply: 0 }));
    let longer = [&played[..], &played[..1]].concat();
    assert_eq!(new(Color::Black, longer), Err(LineError::EndsEarly { ply: 4 }));
    // A capture that takes nothing, and a promotion of a knight, are no moves.
    let wrong = Move::EnPassant { from: Square::F2, to: Square::G3 };
    assert_eq!(new(Color::Black, vec![wrong]), Err(LineError::Illegal { ply: 0 }));
    let too_long = vec![played[0]; 65_536];
    assert_eq!(new(Color::Black, too_long), Err(LineError::TooLong { plies: 65_536, maximum: 65_535 }));
}

#[test]
fn hostile_bytes_are_refused_where_they_deviate() {
    let bytes = fools_mate().canonical_payload();
    let offset = |bytes: &[u8]| match MateLine::decode(bytes) {
        Err(DecodeError::Payload { error }) => error.offset(),
        Err(DecodeError::Line { offset, .. }) => offset,
        other => panic!("{other:?}"),
    };
    let with = |at: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[at] = byte;
        changed
    };
    assert_eq!(offset(&with(0, b'X')), 0);
    assert_eq!(offset(&with(7, 2)), 7);
    assert_eq!(offset(&with(WINNER, 2)), WINNER);
    // The mate is by Black.
    assert_eq!(offset(&with(WINNER, 0)), bytes.len());
    // Too few moves do not mate, too many are not there.
    assert_eq!(offset(&with(PLIES, 3)), bytes.len() - 2);
    assert_eq!(offset(&with(PLIES, 5)), bytes.len());
    assert_eq!(offset(&with(PLIES, 0)), MOVES);
    // Bit 15, a promotion of no pawn, a king as the new role, a move of nothing.
    assert_eq!(offset(&with(MOVES + 1, bytes[MOVES + 1] | 0x80)), MOVES);
    assert_eq!(offset(&with(MOVES + 1, bytes[MOVES + 1] | 0x10)), MOVES);
    assert_eq!(offset(&with(MOVES + 1, bytes[MOVES + 1] | 0x50)), MOVES);
    assert_eq!(offset(&with(MOVES, 40)), MOVES);
    assert_eq!(offset(&[&bytes[..], &[0]].concat()), bytes.len());
    for length in 0..bytes.len() {
        assert!(MateLine::decode(&bytes[..length]).is_err(), "{length}");
    }
    // An en-passant square without a capture would be a second encoding.
    assert!(MateLine::decode(&with(WINNER - 1, 20)).is_err());
    // A position without a king.
    assert!(MateLine::decode(&with(56, 0)).is_err());
}

/// Whatever single byte is changed: refused, or a line that replays and has these bytes.
#[test]
fn edited_lines_prove_nothing_that_is_not_so() {
    let bytes = fools_mate().canonical_payload();
    let mut accepted = 0;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut edited = bytes.clone();
            edited[at] ^= 1 << bit;
            if let Ok(line) = MateLine::decode(&edited) {
                assert!(super::ends_in_mate(&line));
                assert_eq!(line.canonical_payload(), edited);
                accepted += 1;
            }
        }
    }
    // A right to castle less, and the like.
    assert!((1..40).contains(&accepted), "{accepted}");
}

#[test]
fn every_failure_has_its_code_and_words() {
    for (error, code, text) in [
        (LineError::Illegal { ply: 2 }, "line/illegal-move", "move 3 of the line is not legal"),
        (LineError::EndsEarly { ply: 4 }, "line/ends-early", "the game is over before move 5 of the line"),
        (LineError::NoMate, "line/no-mate", "the line does not end in mate"),
        (LineError::WrongColour, "line/wrong-colour", "the line ends in mate by the other colour"),
        (LineError::IllegalPosition, "line/illegal-position", "the position of the line is not legal"),
    ] {
        assert_eq!((error.code(), error.to_string().as_str()), (code, text));
    }
    let error = MateLine::decode(b"BMMATE").unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), ("mate/payload", "not the payload of a line"));
}

#[test]
fn the_document_is_read_back_and_nothing_else_is() {
    let line = fools_mate();
    let document = serde_json::to_value(&line).unwrap();
    assert_eq!(document["schema"], "bitmesh.mate.v1");
    assert_eq!(document["winner"], "black");
    assert_eq!(document["moves"], serde_json::json!(["f2f3", "e7e5", "g2g4", "d8h4"]));
    assert_eq!(document["digest"], line.digest().to_hex());
    let read = |document: &serde_json::Value| serde_json::from_str::<MateLine>(&document.to_string());
    assert_eq!(read(&document).unwrap(), line);
    let changes: [(&str, serde_json::Value); 6] = [
        ("schema", "bitmesh.mate.v2".into()),
        ("digest", "00".repeat(32).into()),
        ("winner", "white".into()),
        ("moves", serde_json::json!(["f2f3", "e7e5", "g2g4"])),
        ("moves", serde_json::json!(["f2f3", "e7e5", "g2g4", "d8h4q"])),
        ("more", 1.into()),
    ];
    for (key, value) in changes {
        let mut changed = document.clone();
        changed[key] = value;
        assert!(read(&changed).is_err(), "{key}");
    }
    // Castling goes to the rook's square only where the position asks for it.
    let castled = position("5k2/R7/8/7B/8/1B6/8/4K2R w K - 0 1");
    let played = moves(&castled, &["O-O"]);
    let line = MateLine::new(castled, Color::White, played).unwrap();
    let document = serde_json::to_value(&line).unwrap();
    assert_eq!(document["moves"], serde_json::json!(["e1g1"]));
    assert_eq!(read(&document).unwrap(), line);
}
