//! Measures every layer and writes the tables of `docs/performance.md`.
//!
//! ```text
//! cargo run --release --bin tables            all tables, into the page
//! cargo run --release --bin tables -- show    all tables, to the terminal
//! ```

use std::time::Duration;

use bitmesh::persistent::{analyze, check, prove};
use bitmesh::shakmaty::fen::Fen;
use bitmesh::shakmaty::{Board, Position as _};
use bitmesh::{
    DecompositionCertificate, certify_decomposition, find_subsystems, read_placement,
    verify_conservative_legal_independence,
};
use bitmesh_bench::measure::{Contender, contender, races};
use bitmesh_bench::positions::{self, Set};
use bitmesh_bench::report::{self, Table};
use bitmesh_lab::plain;

/// How often everything is measured; the page shows medians.
const RACES: usize = 7;

const BUDGET: Duration = Duration::from_millis(400);

/// The complete search of another program takes long for some positions.
const POSITIONS_FOR_SEARCH: usize = 400;

fn main() {
    let layers_1_and_2 = layers_1_and_2();
    let layer_3 = layer_3();
    if std::env::args().nth(1).as_deref() == Some("show") {
        println!("{layers_1_and_2}\n{layer_3}");
    } else {
        let circumstances = report::circumstances();
        report::write_section("layers 1 and 2", &format!("{circumstances}\n\n{layers_1_and_2}"));
        report::write_section("layer 3", &format!("{circumstances}\n\n{layer_3}"));
    }
}

fn layers_1_and_2() -> String {
    let mut table = Table::new(&["", "positions", "Bitmesh", "contract, square by square", "times as long"]);
    let sets = [positions::games(), positions::blocked(), positions::walls()];
    let mut add = |what: &str, set: &Set, contenders: &mut [Contender<'_>]| {
        let medians = races(contenders, RACES, BUDGET);
        table.row(&[
            format!("{what}, {}", set.name),
            set.boards.len().to_string(),
            report::time(medians.nanoseconds[0]),
            report::time(medians.nanoseconds[1]),
            report::ratio(medians.ratios[1]),
        ]);
    };
    for set in &sets {
        let boards = &set.boards;
        same(boards, find_subsystems, plain::find_subsystems);
        add(
            "`find_subsystems`",
            set,
            &mut [contender(boards, find_subsystems), contender(boards, plain::find_subsystems)],
        );
    }
    for set in &sets {
        let texts = &set.texts;
        same(texts, |text| find_in_text(text), |text| plain_find_in_text(text));
        add(
            "text to `find_subsystems`",
            set,
            &mut [
                contender(texts, |text| find_in_text(text)),
                contender(texts, |text| plain_find_in_text(text)),
            ],
        );
    }
    for set in &sets {
        let boards = &set.boards;
        same(boards, certify_decomposition, plain::certify);
        add(
            "`certify_decomposition`",
            set,
            &mut [contender(boards, certify_decomposition), contender(boards, plain::certify)],
        );
    }
    for set in &sets {
        let boards = &set.boards;
        let ours = |board: &Board| certify_decomposition(board).digest();
        let contract = |board: &Board| plain::digest(&plain::certify(board));
        same(boards, ours, contract);
        add("certify and digest", set, &mut [contender(boards, ours), contender(boards, contract)]);
    }
    for set in &sets {
        let certificates: Vec<DecompositionCertificate> = set.boards.iter().map(plain::certify).collect();
        same(&certificates, DecompositionCertificate::validate, plain::validate);
        add(
            "`validate`",
            set,
            &mut [
                contender(&certificates, DecompositionCertificate::validate),
                contender(&certificates, plain::validate),
            ],
        );
    }
    let walls = &sets[2];
    let strict: Vec<_> = walls.boards.iter().map(|board| (board, plain::certify(board))).collect();
    let ours = |(board, certificate): &(&Board, DecompositionCertificate)| {
        verify_conservative_legal_independence(board, certificate)
    };
    let contract =
        |(board, certificate): &(&Board, DecompositionCertificate)| plain::screen(board, certificate);
    same(&strict, ours, contract);
    add("one-ply screen", walls, &mut [contender(&strict, ours), contender(&strict, contract)]);
    table.text().to_owned()
}

fn find_in_text(text: &str) -> Option<(bool, u8)> {
    read_placement(text.as_bytes()).map(|placement| find_subsystems(&placement.board))
}

fn plain_find_in_text(text: &str) -> Option<(bool, u8)> {
    text.parse::<Fen>().ok().map(|fen| plain::find_subsystems(&fen.as_setup().board))
}

/// Nothing is timed that does not give the right result.
fn same<T, R: PartialEq + std::fmt::Debug>(items: &[T], ours: impl Fn(&T) -> R, theirs: impl Fn(&T) -> R) {
    for item in items {
        assert_eq!(ours(item), theirs(item));
    }
}

const BOTH: [chess::Color; 2] = [chess::Color::White, chess::Color::Black];

fn layer_3() -> String {
    let mut table = Table::new(&["", "positions", "time", "times as long as `analyze`"]);
    for set in [positions::games(), positions::blocked()] {
        let theirs: Vec<chess::Board> =
            set.texts.iter().map(|text| text.parse().expect("the other program reads it")).collect();
        // Both are sound, and the other program is complete for these.
        for (position, board) in set.positions.iter().zip(&theirs).take(POSITIONS_FOR_SEARCH) {
            if analyze(position).conclusions().dead() {
                let dead = |winner| {
                    chasolver::winnability(board, winner) == Some(chasolver::Winnability::Unwinnable)
                };
                assert!(BOTH.into_iter().all(dead), "{board}");
            }
        }
        let some = &theirs[..theirs.len().min(POSITIONS_FOR_SEARCH)];
        let certificates: Vec<_> = set.positions.iter().map(prove).collect();
        assert!(certificates.iter().all(|certificate| check(certificate).is_ok()));

        let fast = |board: &chess::Board| BOTH.map(|winner| chasolver::is_unwinnable_fast(board, winner));
        let full = |board: &chess::Board| BOTH.map(|winner| chasolver::winnability(board, winner));
        let medians = races(
            &mut [
                contender(&set.positions, analyze),
                contender(&set.positions, prove),
                contender(&certificates, check),
                contender(&set.positions, |position| position.legal_moves()),
                contender(&theirs, fast),
                contender(some, full),
            ],
            RACES,
            BUDGET,
        );
        let rows = [
            ("`analyze`, both colours", set.positions.len()),
            ("`prove`, a certificate", set.positions.len()),
            ("`check` of the certificate", set.positions.len()),
            ("shakmaty `legal_moves`", set.positions.len()),
            ("chasolver fast, both colours", theirs.len()),
            ("chasolver full, both colours", some.len()),
        ];
        for (index, (what, count)) in rows.into_iter().enumerate() {
            table.row(&[
                format!("{what}, {}", set.name),
                count.to_string(),
                report::time(medians.nanoseconds[index]),
                report::ratio(medians.ratios[index]),
            ]);
        }
    }
    table.text().to_owned()
}
