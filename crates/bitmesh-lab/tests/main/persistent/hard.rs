//! Constructed positions in which a colour never gives mate and play goes on for very long
//! (`cases/decide/README.md`).

use bitmesh::persistent::{
    Bound, check, never_mates_with_stoppers, prove_unwinnable, prove_unwinnable_with_homes,
};
use shakmaty::Color;

use super::{HARD, position, table};

#[test]
fn stoppers_show_twelve_pairs_at_once() {
    let mut shown = 0;
    for row in table(HARD) {
        let (fen, answer, sketch) = (row[0], row[2], row[3]);
        let start = position(&format!("{fen} 0 1"));
        let winner = if row[1] == "White" { Color::White } else { Color::Black };
        if !never_mates_with_stoppers(&start, winner) {
            continue;
        }
        assert_eq!(answer, "unwinnable", "{fen}");
        let certificate = prove_unwinnable(&start, winner, Bound::nodes(1)).expect(fen);
        assert!(*check(&certificate).expect(fen).unwinnable.get(winner), "{fen}");
        shown += usize::from(sketch == "UNDECIDED");
    }
    assert_eq!(shown, 12);
}

/// The homes that are tried close 29 pairs more, each with less than a thousand states.
#[test]
fn homes_close_what_goes_on_for_long() {
    let mut closed = 0;
    for row in table(HARD) {
        let (fen, answer) = (row[0], row[2]);
        let start = position(&format!("{fen} 0 1"));
        let winner = if row[1] == "White" { Color::White } else { Color::Black };
        if never_mates_with_stoppers(&start, winner) {
            continue;
        }
        let Some(certificate) = prove_unwinnable_with_homes(&start, winner, Bound::nodes(1_000)) else {
            continue;
        };
        assert_eq!(answer, "unwinnable", "{fen}");
        assert!(*check(&certificate).expect(fen).unwinnable.get(winner), "{fen}");
        closed += 1;
    }
    assert_eq!(closed, 29);
}
