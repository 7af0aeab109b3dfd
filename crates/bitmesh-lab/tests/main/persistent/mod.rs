//! Permanent independence: never a false claim, and enough of the true ones.

mod agreement;
mod certificates;
mod corpora;
mod expansion;
mod hard;
mod homes;
mod kinds;
mod material;
mod mutation;
mod playouts;
mod shortcuts;
mod stoppers;
mod traps;

use bitmesh::persistent::{Outline, PersistentCertificate, analyze, check, prove};
use bitmesh_lab::cases::{BLOCKED, DEAD, HARD, LICHESS_DEAD, MATE_POSSIBLE, WALL_EN_PASSANT, table};
use serde_json::{Value, from_value};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position as _, PositionError, Setup};

/// A legal position; too much material is let pass, for rows of the corpora that have it.
fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().unwrap_or_else(|error| panic!("{fen}: {error}")).into_setup();
    place(setup).unwrap_or_else(|| panic!("{fen} is illegal"))
}

fn place(setup: Setup) -> Option<Chess> {
    let mode = CastlingMode::detect(&setup);
    Chess::from_setup(setup, mode).or_else(PositionError::ignore_too_much_material).ok()
}

/// Makes sure that a document with another value of a field, or without the field, is refused.
#[track_caller]
fn refuses_field(document: &Value, path: &str, field: &str, value: Option<Value>) {
    let mut document = document.clone();
    let object = document.pointer_mut(path).and_then(Value::as_object_mut).expect(path);
    match value {
        Some(value) => object.insert(field.to_owned(), value),
        None => object.remove(field),
    };
    assert!(from_value::<PersistentCertificate>(document).is_err(), "{path} {field}");
}

/// The conclusions, after making sure that every road leads to them.
fn proved(position: &Chess) -> (Outline, PersistentCertificate) {
    let outline = analyze(position);
    let certificate = prove(position);
    let conclusions = check(&certificate).unwrap_or_else(|error| panic!("{position:?}: {error}"));
    assert_eq!(conclusions, outline.conclusions(), "{position:?}");
    assert_eq!(conclusions, certificate.claims(), "{position:?}");
    let bitmesh::persistent::Proof::Witness(witness) = certificate.proof() else {
        panic!("not a witness");
    };
    assert_eq!(witness.frozen(), outline.frozen, "{position:?}");
    (outline, certificate)
}

fn outline(fen: &str) -> Outline {
    proved(&position(fen)).0
}

fn play(position: &mut Chess, uci: &str) {
    let legal = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok());
    let legal = legal.unwrap_or_else(|| panic!("{uci} is illegal in {position:?}"));
    *position = position.clone().play(legal).unwrap_or_else(|_| panic!("{uci} is illegal"));
}

fn color(name: &str) -> Color {
    match name {
        "white" => Color::White,
        "black" => Color::Black,
        other => panic!("{other} is no colour"),
    }
}
