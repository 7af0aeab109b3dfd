//! How time and memory grow with the number of positions, into `docs/performance.md`.
//!
//! Each number of positions is a process of its own that makes up random games, writes each position as a FEN line and
//! reads the lines a thousand at a time. Only reading and certifying are timed.

use std::time::{Duration, Instant};

use bitmesh::persistent::analyze;
use bitmesh::{Input, certify_decomposition, find_subsystems, read_placement, read_position};
use bitmesh_bench::random::Games;
use bitmesh_bench::report;

fn main() {
    if let Some(number) = std::env::args().nth(1) {
        println!("{}", measure(number.parse().expect("a number of positions")));
        return;
    }
    let table = report::growth_table(&[
        "positions",
        "text to `find_subsystems`",
        "for one",
        "text to certificate and digest",
        "for one",
        "whole FEN to `analyze`",
        "for one",
        "peak memory",
    ]);
    let text = format!("{}\n\n{}", report::circumstances(), table.text());
    report::write_section("growth", &text);
}

/// One row of the table, its cells divided by tabs.
fn measure(number: u64) -> String {
    let mut games = Games::new();
    let mut lines = String::new();
    let (mut found, mut certified, mut analyzed) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut left = number;
    while left > 0 {
        let count = left.min(1000);
        lines.clear();
        (0..count).for_each(|_| games.write_next(&mut lines));

        let start = Instant::now();
        let several = lines.lines().filter(|line| find(line).0).count();
        found += start.elapsed();

        let start = Instant::now();
        let strict = lines.lines().filter(|line| certify(line)).count();
        certified += start.elapsed();
        assert!(strict <= several, "strict boards fall apart");

        let start = Instant::now();
        let dead = lines.lines().filter(|line| is_dead(line)).count();
        analyzed += start.elapsed();
        assert!(dead < lines.len(), "some are alive");
        left -= count;
    }
    let time = |time: Duration| {
        let nanoseconds = time.as_nanos() as f64;
        format!("{}\t{}", report::time(nanoseconds), report::time(nanoseconds / number as f64))
    };
    format!("{number}\t{}\t{}\t{}\t{}", time(found), time(certified), time(analyzed), report::peak_memory())
}

fn find(line: &str) -> (bool, u8) {
    let placement = read_placement(line.as_bytes()).expect("a line begins with a placement");
    find_subsystems(&placement.board)
}

fn certify(line: &str) -> bool {
    let placement = read_placement(line.as_bytes()).expect("a line begins with a placement");
    let certificate = certify_decomposition(&placement.board);
    certificate.digest().expect("what is certified is valid");
    certificate.strict
}

fn is_dead(line: &str) -> bool {
    match read_position(line).expect("a line is a FEN").input {
        Input::Position(position) => analyze(position.chess()).dead(),
        Input::Board(_) => false,
    }
}
