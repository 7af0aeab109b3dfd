//! The weights of the search are made again, and the lines that they begin with are mates.

use bitmesh::decision::training::{SHIPPED, lessons};
use bitmesh_lab::train::{bytes, train};
use bitmesh_lab::training_lines::{LINES, read};
use bitmesh_lab::training_play::POSITIONS;

use super::ends_in_mate;

#[test]
fn every_line_of_the_training_is_a_legal_mate() {
    let lines = read(LINES).unwrap();
    assert!(lines.len() > 5_000, "{}", lines.len());
    for line in &lines {
        assert!(line.plies() > 0 && ends_in_mate(line), "{line}");
        assert_eq!(lessons(line).map(|lessons| lessons.len()), Some(line.moves().len()), "{line}");
    }
}

#[test]
fn lines_that_are_cut_or_no_mate_are_refused() {
    assert!(read(&LINES[..LINES.len() - 1]).unwrap_err().ends_with("is cut short"));
    assert!(read(&LINES[..1]).unwrap_err().ends_with("is cut short"));
    // The last move of the first line, as a move from a1 to a1.
    let mut bytes = LINES[..2 + usize::from(LINES[0])].to_vec();
    let end = bytes.len();
    bytes[end - 2..].fill(0);
    assert!(read(&bytes).unwrap_err().starts_with("line 0: "));
}

/// A change of the features or of the arithmetic shows here: then make the shipped weights anew (`train_weights -- write`).
#[test]
#[cfg_attr(debug_assertions, ignore = "takes two minutes: run it in release mode")]
fn the_shipped_weights_are_made_again() {
    let tables = train(&read(LINES).unwrap(), POSITIONS, |_| ());
    for (table, shipped) in tables.iter().zip(SHIPPED) {
        assert!(bytes(table) == shipped, "train_weights makes other tables");
    }
}
