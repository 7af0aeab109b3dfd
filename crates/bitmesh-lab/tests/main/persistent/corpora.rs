//! The collections of positions with known answers.

use bitmesh::persistent::Coupling;

use super::{
    BLOCKED, DEAD, LICHESS_DEAD, MATE_POSSIBLE, WALL_EN_PASSANT, color, outline, position, proved, table,
};

#[test]
fn positions_from_lichess_games_are_all_dead() {
    let fens: Vec<_> = LICHESS_DEAD.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(fens.len(), 4500);
    for fen in fens {
        let outline = outline(fen);
        assert!(outline.dead(), "{fen}");
        assert!(outline.frozen.any(), "{fen}");
    }
}

#[test]
fn a_side_that_has_a_helpmate_is_never_called_unwinnable() {
    let mut count = 0;
    for row in table(MATE_POSSIBLE) {
        let outline = outline(row[0]);
        assert!(!outline.unwinnable.get(color(row[1])), "{}", row[0]);
        count += 1;
    }
    assert_eq!(count, 45);
}

/// What each row says is an upper bound. The rows that one witness decides are named.
#[test]
fn blockades_with_known_answers() {
    let decided = ["01", "07", "10", "14", "16", "19", "20", "23", "25", "45"];
    let mut count = 0;
    for row in table(BLOCKED) {
        let [id, fen, white_mates, black_mates, dead, _, event, _] = row[..] else {
            panic!("{row:?} has not eight columns");
        };
        let outline = outline(fen);
        assert!(!(outline.unwinnable.white && white_mates == "yes"), "{id}");
        assert!(!(outline.unwinnable.black && black_mates == "yes"), "{id}");
        assert!(!(outline.dead() && dead == "no"), "{id}");
        if decided.iter().any(|decided| id.strip_prefix("blk-") == Some(decided)) {
            assert_eq!(outline.dead(), dead == "yes", "{id}");
            assert_eq!(outline.unwinnable.white, white_mates == "no", "{id}");
            assert_eq!(outline.unwinnable.black, black_mates == "no", "{id}");
            assert!(outline.decomposed(), "{id}");
            assert_eq!(outline.coupling == Coupling::ExactSum, dead == "yes", "{id}");
            assert_eq!(event, "none", "{id}");
            count += 1;
        }
        if event.starts_with("barrier-changed") {
            let mut after = position(fen);
            for uci in event.trim_start_matches("barrier-changed via ").split(' ') {
                super::play(&mut after, uci);
            }
        }
    }
    assert_eq!(count, decided.len());
}

#[test]
fn a_wall_with_an_en_passant_capture_is_not_frozen() {
    let mut count = 0;
    for row in table(WALL_EN_PASSANT) {
        let outline = outline(row[1]);
        assert!(outline.frozen.is_empty() && !outline.decomposed(), "{}", row[1]);
        assert!(!outline.unwinnable.white && !outline.unwinnable.black, "{}", row[1]);
        count += 1;
    }
    assert_eq!(count, 250);
}

/// The floor is 35 in a hundred; the number is exact so that a change shows.
#[test]
fn dead_positions_that_one_witness_proves() {
    let rows: Vec<_> = table(DEAD).collect();
    assert_eq!(rows.len(), 400);
    let proved = rows.iter().filter(|row| proved(&position(row[0])).0.dead()).count();
    assert_eq!(proved, 240);
}
