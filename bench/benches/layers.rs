//! Every layer on every set of positions, for a quick look while working on one of them.
//!
//! ```text
//! cargo bench                       everything
//! cargo bench -- find_subsystems    what has this in its name
//! ```
//!
//! Each iteration goes over a whole set; the column with items a second is the one to read. For figures to compare with
//! others use the program `tables`.

use bitmesh::persistent::{analyze, check, prove};
use bitmesh::{
    certify_decomposition, find_subsystems, read_placement, read_position,
    verify_conservative_legal_independence,
};
use bitmesh_bench::positions::{self, Set};
use bitmesh_lab::plain;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

const POSITIONS: [&str; 2] = ["games", "blocked"];
const BOARDS: [&str; 3] = ["games", "blocked", "walls"];

fn set(name: &str) -> Set {
    match name {
        "games" => positions::games(),
        "blocked" => positions::blocked(),
        "walls" => positions::walls(),
        _ => panic!("no set is called {name}"),
    }
}

fn over<T, R>(bencher: Bencher<'_, '_>, items: &[T], function: impl Fn(&T) -> R + Sync)
where
    T: Sync,
{
    bencher.counter(ItemsCount::new(items.len())).bench(|| {
        for item in items {
            black_box(function(black_box(item)));
        }
    });
}

#[divan::bench(args = BOARDS)]
fn text_to_board(bencher: Bencher<'_, '_>, name: &str) {
    let set = set(name);
    for (text, board) in set.texts.iter().zip(&set.boards) {
        assert_eq!(read_placement(text.as_bytes()).map(|placement| placement.board).as_ref(), Some(board));
    }
    over(bencher, &set.texts, |text| read_placement(text.as_bytes()).is_some());
}

#[divan::bench(args = BOARDS)]
fn text_to_position(bencher: Bencher<'_, '_>, name: &str) {
    let set = set(name);
    for (text, board) in set.texts.iter().zip(&set.boards) {
        assert_eq!(read_position(text).expect("a position").input.board(), board);
    }
    over(bencher, &set.texts, |text| read_position(text));
}

#[divan::bench(args = BOARDS)]
fn layer_1_find_subsystems(bencher: Bencher<'_, '_>, name: &str) {
    let boards = set(name).boards;
    assert!(boards.iter().all(|board| find_subsystems(board) == plain::find_subsystems(board)));
    over(bencher, &boards, find_subsystems);
}

#[divan::bench(args = BOARDS)]
fn layer_1_certify(bencher: Bencher<'_, '_>, name: &str) {
    let boards = set(name).boards;
    assert!(boards.iter().all(|board| certify_decomposition(board) == plain::certify(board)));
    over(bencher, &boards, certify_decomposition);
}

#[divan::bench(args = BOARDS)]
fn layer_1_digest(bencher: Bencher<'_, '_>, name: &str) {
    let certificates: Vec<_> = set(name).boards.iter().map(certify_decomposition).collect();
    assert!(certificates.iter().all(|certificate| certificate.digest() == plain::digest(certificate)));
    over(bencher, &certificates, |certificate| certificate.digest());
}

#[divan::bench(args = BOARDS)]
fn layer_2_screen(bencher: Bencher<'_, '_>, name: &str) {
    let boards = set(name).boards;
    let items: Vec<_> = boards.iter().map(|board| (board, certify_decomposition(board))).collect();
    assert!(items.iter().all(|(board, certificate)| {
        verify_conservative_legal_independence(board, certificate) == plain::screen(board, certificate)
    }));
    over(bencher, &items, |(board, certificate)| verify_conservative_legal_independence(board, certificate));
}

#[divan::bench(args = POSITIONS)]
fn layer_3_analyze(bencher: Bencher<'_, '_>, name: &str) {
    let positions = set(name).positions;
    assert!(positions.iter().all(|position| analyze(position).dead() == prove(position).claims().dead()));
    over(bencher, &positions, analyze);
}

#[divan::bench(args = POSITIONS)]
fn layer_3_prove(bencher: Bencher<'_, '_>, name: &str) {
    let positions = set(name).positions;
    assert!(positions.iter().all(|position| check(&prove(position)).is_ok()));
    over(bencher, &positions, prove);
}

#[divan::bench(args = POSITIONS)]
fn layer_3_check(bencher: Bencher<'_, '_>, name: &str) {
    let certificates: Vec<_> = set(name).positions.iter().map(prove).collect();
    assert!(certificates.iter().all(|certificate| check(certificate).is_ok()));
    over(bencher, &certificates, check);
}
