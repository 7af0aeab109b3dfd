//! The text form, as a terminal shows it.

use bitmesh::shakmaty::{Board, Color};
use bitmesh_diagram::{Diagram, Pieces, TextStyle, render_text};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use crate::samples;
use crate::svg::any_diagram;

const FIGURES: TextStyle = TextStyle { pieces: Pieces::Figures, color: false, cursor: false, legend: true };
const TERMINAL: TextStyle = TextStyle { pieces: Pieces::Figures, color: true, cursor: true, legend: true };

#[test]
fn letters_without_colour() {
    insta::assert_snapshot!("text_wall", render_text(&samples::wall(), &TextStyle::default()));
    insta::assert_snapshot!(
        "text_wall_for_black",
        render_text(&samples::wall_for_black(), &TextStyle::default())
    );
    insta::assert_snapshot!(
        "text_wall_for_ever",
        render_text(&samples::wall_for_ever(), &TextStyle::default())
    );
    insta::assert_snapshot!("text_everything", render_text(&samples::everything(), &TextStyle::default()));
}

#[test]
fn figures_without_colour() {
    insta::assert_snapshot!("text_figures", render_text(&samples::everything(), &FIGURES));
}

#[test]
fn letters_are_ascii() {
    let mut diagram = samples::everything();
    diagram.title = "title\u{9b}2J".to_owned();
    assert!(render_text(&diagram, &TextStyle::default()).is_ascii());
}

#[test]
fn a_title_cannot_command_the_terminal() {
    let mut diagram = Diagram::new(Board::empty());
    diagram.title = "a\x1b]0;b\x07\u{9b}2Jc\nd".to_owned();
    let text = render_text(&diagram, &TextStyle { pieces: Pieces::Figures, ..TextStyle::default() });
    assert!(text.starts_with("a\u{fffd}]0;b\u{fffd}\u{fffd}2Jc d\n8"), "{text:?}");
    assert!(render_text(&diagram, &TextStyle::default()).starts_with("a?]0;b??2Jc d\n8"));
    // Nor can it turn the direction of what follows.
    diagram.title = "a\u{202e}b\u{2066}c\u{200f}d".to_owned();
    assert!(render_text(&diagram, &TextStyle::default()).starts_with("a?b?c?d\n8"));
}

#[test]
fn the_figure_of_a_pawn_is_one_column_wide() {
    assert_eq!("\u{265f}\u{fe0e}".width(), 1);
    for style in [FIGURES, TERMINAL] {
        let text = render_text(&Diagram::new(Board::new()), &style);
        for (place, _) in text.match_indices('\u{265f}') {
            assert!(text[place..].starts_with("\u{265f}\u{fe0e}"), "a pawn without U+FE0E");
        }
        assert!(text.contains('\u{265f}'));
    }
}

#[test]
fn the_colour_of_a_piece_is_not_left_to_its_filling() {
    let text = render_text(&Diagram::new(Board::new()), &FIGURES);
    for line in text.lines().filter(|line| line.starts_with(['1', '2'])) {
        assert_eq!(line.matches('w').count(), 8, "{line}");
    }
    for line in text.lines().filter(|line| line.starts_with(['7', '8'])) {
        assert_eq!(line.matches('b').count(), 8, "{line}");
    }
    // With colour the same filled figure stands for both, in white or in black.
    let text = render_text(&Diagram::new(Board::new()), &TERMINAL);
    assert_eq!(text.matches("\x1b[1;38;5;231m\u{265a}").count(), 1);
    assert_eq!(text.matches("\x1b[1;38;5;16m\u{265a}").count(), 1);
    assert!(!text.contains('\u{2654}'));
}

#[test]
fn without_colour_there_are_no_escapes() {
    for pieces in [Pieces::Letters, Pieces::Figures] {
        let text = render_text(&samples::everything(), &TextStyle { pieces, ..TextStyle::default() });
        assert!(!text.contains('\x1b'));
    }
}

#[test]
fn an_empty_square_of_region_b_is_not_a_bishop() {
    let text = render_text(&samples::wall(), &TextStyle { color: true, ..TextStyle::default() });
    let eighth = text.lines().nth(1).expect("the eighth rank");
    assert_eq!(eighth.matches(" .B ").count(), 7, "{eighth:?}");
}

/// What a line looks like on a terminal that draws chess figures `figure` columns wide.
fn screen(line: &str, figure: usize) -> Vec<char> {
    let mut cells: Vec<char> = Vec::new();
    let mut column = 0;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        let width = match character {
            '\u{fe0e}' => 0,
            '\u{2654}'..='\u{265f}' => figure,
            '\x1b' => {
                assert_eq!(characters.next(), Some('['));
                let mut number = String::new();
                let command = loop {
                    match characters.next().expect("the end of a sequence") {
                        next @ ('0'..='9' | ';') => number.push(next),
                        command => break command,
                    }
                };
                match command {
                    'm' => {}
                    'G' => column = number.parse::<usize>().expect("a column") - 1,
                    other => panic!("unexpected sequence {other}"),
                }
                continue;
            }
            _ => 1,
        };
        if width > 0 {
            let end = cells.len().max(column + width);
            cells.resize(end, ' ');
            cells[column] = character;
            cells[column + 1..column + width].fill('\u{2026}');
        }
        column += width;
    }
    cells
}

#[test]
fn figures_stay_aligned_on_terminals_that_draw_them_wide() {
    let diagram = samples::everything();
    for color in [true, false] {
        let style = TextStyle { color, ..TERMINAL };
        let text = render_text(&diagram, &style);
        for line in text.lines().skip(1).take(8) {
            let (narrow, wide) = (screen(line, 1), screen(line, 2));
            assert_eq!(narrow.len(), wide.len(), "{line:?}");
            for (column, (&in_narrow, &in_wide)) in narrow.iter().zip(&wide).enumerate() {
                assert!(
                    in_narrow == in_wide || (in_narrow == ' ' && in_wide == '\u{2026}'),
                    "column {column} of {line:?}"
                );
            }
        }
    }
}

#[test]
fn every_line_of_a_coloured_board_ends_its_colours() {
    for line in render_text(&samples::everything(), &TERMINAL).lines() {
        assert!(!line.contains('\x1b') || line.rfind("\x1b[0m") == line.rfind("\x1b["), "{line:?}");
    }
}

proptest! {
    #[test]
    fn pieces_stand_below_each_other(mut diagram in any_diagram()) {
        diagram.title.clear();
        diagram.coordinates = true;
        let text = render_text(&diagram, &TextStyle::default());
        let lines: Vec<&str> = text.lines().take(9).collect();
        for (row, line) in lines.iter().take(8).enumerate() {
            for column in 0..8u32 {
                let (file, rank) = match diagram.orientation {
                    Color::White => (column, 7 - row as u32),
                    Color::Black => (7 - column, row as u32),
                };
                let square = bitmesh::shakmaty::Square::ALL[(8 * rank + file) as usize];
                let expected = diagram.board.piece_at(square).map_or('.', |piece| piece.char());
                let at = 3 + 4 * column as usize + 1;
                prop_assert_eq!(line.chars().nth(at), Some(expected));
                prop_assert_eq!(lines[8].chars().nth(at), Some(square.file().char()));
            }
        }
    }
}
