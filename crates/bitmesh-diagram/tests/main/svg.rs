//! The SVG: its bytes, and that they are XML which refers to nothing but itself.

use std::collections::BTreeSet;

use bitmesh::shakmaty::{Bitboard, Board, Color, Piece, Role, Square};
use bitmesh_diagram::{Arrow, Diagram, Reach, Region, Size, render_svg};
use proptest::prelude::*;
use roxmltree::Document;

use crate::samples;

const SVG: &str = "http://www.w3.org/2000/svg";

#[test]
fn bytes_are_the_ones_that_were_looked_at() {
    insta::assert_snapshot!("wall", render_svg(&samples::wall()));
    insta::assert_snapshot!("wall_for_black", render_svg(&samples::wall_for_black()));
    insta::assert_snapshot!("wall_for_ever", render_svg(&samples::wall_for_ever()));
    insta::assert_snapshot!("everything", render_svg(&samples::everything()));
    let mut bare = Diagram::new(Board::empty());
    bare.coordinates = false;
    insta::assert_snapshot!("bare", render_svg(&bare));
}

/// Parses a drawing and checks what holds for all of them.
fn checked(svg: &str) -> Document<'_> {
    let document = Document::parse(svg).expect("well-formed XML");
    let allowed = ["svg", "title", "desc", "defs", "g", "path", "circle", "use"];
    let mut ids = BTreeSet::new();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let tag = node.tag_name();
        assert_eq!(tag.namespace(), Some(SVG));
        assert!(allowed.contains(&tag.name()), "unexpected element {}", tag.name());
        if let Some(id) = node.attribute("id") {
            assert!(ids.insert(id.to_owned()), "id {id} occurs twice");
        }
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "an event handler: {}", attribute.name());
            assert!(!attribute.value().contains("url("), "a reference: {}", attribute.value());
        }
    }
    for node in document.descendants() {
        if let Some(reference) = node.attribute("href") {
            assert!(ids.contains(reference.strip_prefix('#').expect("a local reference")), "{reference}");
        }
    }
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    for id in root.attribute("aria-labelledby").expect("a label").split(' ') {
        assert!(ids.contains(id), "{id}");
    }
    document
}

fn text_of<'a>(document: &'a Document<'_>, tag: &str) -> &'a str {
    let mut children = document.root_element().children();
    let node = children.find(|node| node.has_tag_name(tag)).expect("the element");
    node.text().unwrap_or_default()
}

fn ids(svg: &str) -> BTreeSet<String> {
    let document = Document::parse(svg).expect("well-formed XML");
    document.descendants().filter_map(|node| node.attribute("id").map(str::to_owned)).collect()
}

#[test]
fn a_title_cannot_leave_its_element() {
    let mut diagram = samples::wall();
    diagram.title = "</title><script>alert(1)</script>\" onload='x' &amp;".to_owned();
    let svg = render_svg(&diagram);
    assert!(!svg.contains("<script"));
    assert_eq!(text_of(&checked(&svg), "title"), diagram.title);
}

#[test]
fn characters_that_xml_forbids_are_replaced() {
    let mut diagram = samples::wall();
    diagram.title = "a\0b\u{1b}[2Jc\u{ffff}d\u{85}e".to_owned();
    let svg = render_svg(&diagram);
    assert_eq!(text_of(&checked(&svg), "title"), "a\u{fffd}b\u{fffd}[2Jc\u{fffd}d\u{fffd}e");
}

#[test]
fn a_picture_without_a_title_still_has_a_name() {
    for title in ["", "  \t"] {
        let mut diagram = Diagram::new(Board::new());
        diagram.title = title.to_owned();
        assert_eq!(text_of(&checked(&render_svg(&diagram)), "title"), "Chess position");
    }
}

#[test]
fn the_description_says_what_the_picture_shows() {
    let svg = render_svg(&samples::wall_for_black());
    let document = checked(&svg);
    let description = text_of(&document, "desc");
    for sentence in [
        "White: king a1, pawns b3 d3 f3 h3 a4 c4 e4 g4.",
        "Black: king h8, pawns b4 d4 f4 h4 a5 c5 e5 g5.",
        "Black is at the bottom.",
        "Locked pawns: b3 d3 f3 h3 a4 b4 c4 d4 e4 f4 g4 h4 a5 c5 e5 g5.",
        "Region A: a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 a3 c3 e3 g3.",
        "Arrow from a1 to b1.",
    ] {
        assert!(description.contains(sentence), "{sentence}");
    }
    // The barrier hides what lies below it.
    let all = samples::everything().description();
    assert!(all.contains("Region B: b1 b3 b4 b5 b6 b8."), "{all}");
    assert!(all.contains("Reach of the white bishop c1: c1 a3"), "{all}");
    assert!(all.contains("after promotion a5 b5 c5 d5 e5 f5 g5 h5 b8."), "{all}");
    assert!(all.contains("Highlighted: d4 d8."), "{all}");
}

#[test]
fn ids_of_different_drawings_are_different() {
    let mut titled = samples::wall();
    titled.title = "another".to_owned();
    let mut larger = samples::wall();
    larger.size = Size::new(600).expect("a size");
    let all = [samples::wall(), samples::wall_for_black(), samples::wall_for_ever(), titled, larger];
    let mut seen = BTreeSet::new();
    for diagram in &all {
        for id in ids(&render_svg(diagram)) {
            assert!(seen.insert(id.clone()), "id {id} in two drawings");
        }
        assert_eq!(render_svg(diagram), render_svg(&diagram.clone()));
    }
}

#[test]
fn the_same_arrow_twice_is_drawn_once_and_one_without_length_as_a_frame() {
    let svg = render_svg(&samples::everything());
    let document = checked(&svg);
    let titles = document.descendants().filter(|node| node.has_tag_name("title"));
    let arrows: Vec<_> = titles.filter_map(|node| node.text()).filter(|text| text.contains(" to ")).collect();
    assert_eq!(arrows, ["g1 to f3", "e2 to e4"]);
}

fn any_piece() -> impl Strategy<Value = Piece> {
    (any::<bool>(), 0..6usize)
        .prop_map(|(white, role)| Piece { color: Color::from_white(white), role: Role::ALL[role] })
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..64usize).prop_map(|index| Square::ALL[index])
}

pub(crate) fn any_diagram() -> impl Strategy<Value = Diagram> {
    let board = prop::collection::vec(prop::option::weighted(0.4, any_piece()), 64);
    let regions = prop::collection::vec(any::<u64>(), 0..40);
    let arrows = prop::collection::vec((any_square(), any_square()), 0..6);
    let reach = prop::option::of((any_square(), any::<u64>(), any::<u64>()));
    let marks = (any::<u64>(), any::<u64>(), any::<bool>(), any::<bool>());
    (board, regions, arrows, reach, marks, any::<String>(), 64..1000u32).prop_map(
        |(pieces, regions, arrows, reach, (barrier, highlights, black, coordinates), title, size)| {
            let mut board = Board::empty();
            for (square, piece) in Square::ALL.into_iter().zip(pieces) {
                if let Some(piece) = piece {
                    board.set_piece_at(square, piece);
                }
            }
            let mut diagram = Diagram::new(board);
            diagram.barrier.squares = Bitboard(barrier & barrier.rotate_left(7));
            diagram.regions =
                regions.into_iter().map(|squares| Region { squares: Bitboard(squares) }).collect();
            diagram.arrows = arrows.into_iter().map(|(from, to)| Arrow { from, to }).collect();
            diagram.reach = reach.map(|(square, squares, promoted)| Reach {
                square,
                squares: Bitboard(squares),
                promoted: Bitboard(promoted),
            });
            diagram.highlights = Bitboard(highlights);
            diagram.orientation = if black { Color::Black } else { Color::White };
            diagram.coordinates = coordinates;
            diagram.title = title;
            diagram.size = Size::new(size).expect("a size within the limits");
            diagram
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_diagram_is_sound_xml(diagram in any_diagram()) {
        let svg = render_svg(&diagram);
        let document = checked(&svg);
        let uses = document.descendants().filter(|node| node.has_tag_name("use")).count();
        prop_assert_eq!(uses, diagram.board.occupied().count());
        prop_assert!(!text_of(&document, "title").is_empty());
    }
}
