//! The gallery in the handbook is what the program draws today.

use std::fs;
use std::path::Path;

use bitmesh_diagram::{TextStyle, render_png, render_text};
use resvg::tiny_skia::Pixmap;

#[path = "../../examples/gallery.rs"]
mod gallery;

use gallery::{DIRECTORY, PICTURES};

const AGAIN: &str = "run `cargo run -p bitmesh-diagram --example gallery`";

fn page() -> String {
    fs::read_to_string(Path::new(DIRECTORY).with_extension("md")).expect("the page")
}

#[test]
fn every_picture_is_the_one_of_its_position() {
    for picture in PICTURES {
        let path = Path::new(DIRECTORY).join(picture.name).with_extension("svg");
        let drawn = fs::read_to_string(&path).expect("a picture");
        assert!(drawn == picture.svg().expect("a drawing"), "{} is old: {AGAIN}", path.display());
    }
}

#[test]
fn the_png_is_the_one_of_its_position() {
    let picture = PICTURES.iter().find(|picture| picture.name == "pieces").expect("the pieces");
    let stored = Pixmap::load_png(Path::new(DIRECTORY).join("pieces.png")).expect("a picture");
    let diagram = picture.diagram().expect("a diagram");
    let drawn = Pixmap::decode_png(&render_png(&diagram).expect("a PNG")).expect("a picture");
    assert_eq!((stored.width(), stored.height()), (drawn.width(), drawn.height()));
    // Other processors may round an edge differently.
    let apart = stored.data().iter().zip(drawn.data()).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(apart <= Some(2), "pieces.png is old: {AGAIN}");
}

#[test]
fn the_page_shows_every_picture_once_with_its_position() {
    let page = page();
    for picture in PICTURES {
        let shown = |ending| page.matches(&format!("](gallery/{}.{ending})", picture.name)).count();
        assert_eq!(shown("svg") + shown("png"), 1, "{}", picture.name);
        assert!(page.contains(picture.fen), "{}", picture.fen);
    }
    assert_eq!(page.matches("](gallery/").count(), PICTURES.len());
    let files = fs::read_dir(DIRECTORY).expect("the directory").count();
    assert_eq!(files, PICTURES.len() + 1, "a file in the gallery belongs to no picture");
}

#[test]
fn the_text_on_the_page_is_what_the_terminal_shows() {
    let picture =
        PICTURES.iter().find(|picture| picture.name == "bishop-on-light-squares").expect("the bishop");
    let text = render_text(&picture.diagram().expect("a diagram"), &TextStyle::default());
    assert!(page().contains(&format!("```text\n{text}```\n")), "{text}");
}
