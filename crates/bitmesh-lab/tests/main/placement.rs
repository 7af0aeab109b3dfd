//! The fast reader of placements against shakmaty's, and against the reader that names what is wrong.

use bitmesh::shakmaty::Board;
use bitmesh::{Input, Note, read_placement, read_position};
use proptest::prelude::*;

use crate::oracle::any_board;

fn whole(text: &str) -> Option<(Board, bool)> {
    let placement = read_placement(text.as_bytes())?;
    placement.rest.is_empty().then_some((placement.board, placement.is_canonical))
}

/// Shakmaty allows marks of promoted pieces, which belong to variants; the rest of its grammar is the same.
fn compare(text: &str) {
    let expected = Board::from_ascii_board_fen(text.as_bytes()).ok().filter(|_| !text.contains('~'));
    let found = whole(text);
    assert_eq!(found.as_ref().map(|(board, _)| board), expected.as_ref(), "{text}");
    let reading = read_position(text);
    assert_eq!(reading.is_ok(), found.is_some(), "{text}: {reading:?}");
    if let (Some((board, is_canonical)), Ok(reading)) = (found, reading) {
        assert_eq!(is_canonical, board.board_fen().to_string() == text, "{text}");
        assert_eq!(is_canonical, reading.notes.is_empty(), "{text}: {:?}", reading.notes);
        assert!(
            reading.notes.iter().all(|note| matches!(note, Note::SplitNumber { .. })),
            "{:?}",
            reading.notes
        );
        assert!(matches!(reading.input, Input::Board(_)));
        assert_eq!(*reading.input.board(), board, "{text}");
    }
}

#[test]
fn what_follows_is_left_alone() {
    let empty = "8/8/8/8/8/8/8/8";
    for rest in [" w - - 0 1", "\tb", "[]", "~", "9", "0", "x", "_w", "\0", "\u{e9}"] {
        let text = format!("{empty}{rest}");
        let placement = read_placement(text.as_bytes()).unwrap();
        assert_eq!((placement.board, placement.rest), (Board::empty(), rest.as_bytes()), "{text}");
    }
    for more in ["/", "/8", "8", "P", "/8/8/8/8/8/8/8/8"] {
        assert_eq!(read_placement(format!("{empty}{more}").as_bytes()), None, "{more}");
    }
}

#[test]
fn ranks_are_neither_short_nor_long_nor_missing() {
    let whole = "8/8/8/8/8/8/8/8";
    for text in ["", "/", " 8/8/8/8/8/8/8/8", &whole[1..], &whole[..14], &whole[..13]] {
        assert_eq!(read_placement(text.as_bytes()), None, "{text}");
    }
    for wrong in ["9", "0", "7", "71p", "44p", "p8", "ppppppppp", "-", "7x", "7é", "7~", "7\0"] {
        for place in 0..8 {
            let mut ranks = ["8"; 8];
            ranks[place] = wrong;
            compare(&ranks.join("/"));
            if place < 7 {
                assert_eq!(read_placement(ranks.join("/").as_bytes()), None, "{wrong} as rank {}", 8 - place);
            }
        }
    }
}

#[test]
fn long_texts_do_not_count_round() {
    for count in [1 << 8, 1 << 16, 1 << 20] {
        let slashes = "/".repeat(count + 1);
        assert_eq!(read_placement(format!("8{slashes}8/8/8/8/8/8/8").as_bytes()), None);
        assert_eq!(read_placement("8".repeat(count + 8).as_bytes()), None);
    }
    let full = ["P1p1P1p1"; 8].join("/").replace('1', "n");
    assert_eq!((full.len(), whole(&full).map(|(board, _)| board.occupied().count())), (71, Some(64)));
}

#[test]
fn numbers_side_by_side_are_not_canonical() {
    for (rank, is_canonical) in [("8", true), ("p6P", true), ("44", false), ("p15P", false), ("1p51", false)]
    {
        let text = format!("8/8/{rank}/8/8/8/8/8");
        assert_eq!(whole(&text).unwrap().1, is_canonical, "{text}");
        compare(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn boards_come_back(board in any_board()) {
        let text = board.board_fen().to_string();
        prop_assert_eq!(whole(&text), Some((board, true)));
        compare(&text);
    }

    #[test]
    fn damaged_texts(board in any_board(), at in any::<prop::sample::Index>(), damage in "[1-9pnbrqkPNBRQK/~x]{0,2}") {
        let mut text = board.board_fen().to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &damage);
        compare(&text);
    }

    #[test]
    fn texts_of_the_alphabet(ranks in prop::collection::vec("[1-8pP]{1,3}|[1-4pnbrqkPNBRQK]{3,8}|[0-9a-zA-Z~\\[\\]]{0,9}", 7..10)) {
        compare(&ranks.join("/"));
    }

    #[test]
    fn eight_squares_a_rank(cuts in prop::collection::vec(prop::collection::vec(1..8usize, 1..8), 8)) {
        let rank = |numbers: &Vec<usize>| {
            let mut left = 8;
            let mut text = String::new();
            for &number in numbers.iter().chain([&8]) {
                let number = number.min(left);
                left -= number;
                match number {
                    0 => {}
                    1 => text.push('n'),
                    _ => text.push_str(&number.to_string()),
                }
            }
            text
        };
        let text = cuts.iter().map(rank).collect::<Vec<_>>().join("/");
        prop_assert!(whole(&text).is_some(), "{}", text);
        compare(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = read_placement(&bytes);
    }
}
