//! Constructed positions in which a colour never gives mate and play goes on for very long
//! (`cases/decide/README.md`).

use bitmesh::persistent::{
    Bound, analyze, check, never_mates, never_mates_with_stoppers, prove_unwinnable,
    prove_unwinnable_with_homes,
};
use bitmesh_lab::cases::{DECIDE_CONSTRUCTED, DECIDE_LICHESS};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color};

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

/// The homes that are tried close half of the others, with less than a thousand states.
#[test]
fn homes_close_what_goes_on_for_long() {
    let mut closed = 0;
    for row in table(HARD) {
        let (fen, answer, sketch) = (row[0], row[2], row[3]);
        if sketch != "UNDECIDED" {
            continue;
        }
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
    assert_eq!(closed, 17);
}

/// Whether White and Black can still mate, for each position with a known answer.
fn answers(text: &'static str) -> impl Iterator<Item = (Chess, [(Color, bool); 2])> {
    table(text).filter_map(|row| {
        let fen = row[1].split(' ').take(4).collect::<Vec<_>>().join(" ");
        let setup = format!("{fen} 0 1").parse::<Fen>().ok()?.into_setup();
        let mode = CastlingMode::detect(&setup);
        let can = row[0].as_bytes();
        Some((setup.position(mode).ok()?, [(Color::White, can[0] == b'W'), (Color::Black, can[1] == b'B')]))
    })
}

#[test]
fn what_is_shown_without_a_move_is_true() {
    // Unwinnable pairs, and those shown by a plain witness, with material, and with stoppers besides.
    for (text, expected) in
        [(DECIDE_LICHESS, [1231, 1208, 1225, 1225]), (DECIDE_CONSTRUCTED, [1328, 789, 821, 869])]
    {
        let mut found = [0; 4];
        for (position, answers) in answers(text) {
            for (color, can) in answers {
                let shown = [
                    !can,
                    *analyze(&position).unwinnable.get(color),
                    never_mates(&position, color),
                    never_mates_with_stoppers(&position, color),
                ];
                assert!(!can || shown == [false; 4], "{position:?} {color:?}");
                found.iter_mut().zip(shown).for_each(|(count, shown)| *count += usize::from(shown));
            }
        }
        assert_eq!(found, expected);
    }
}
