//! Counts instructions, which do not depend on what else the machine does, and compares them with a written budget.
//!
//! ```text
//! cargo run --release --bin instructions            compares with bench/instructions.txt
//! cargo run --release --bin instructions -- write   writes the file anew
//! ```
//!
//! Needs valgrind. A function fails that takes 3 % more instructions than it may. Another compiler counts otherwise:
//! the file says which one it was made with.

use std::hint::black_box;
use std::process::{Command, ExitCode};

use bitmesh::decision::{Decider, Effort};
use bitmesh::persistent::analyze;
use bitmesh::shakmaty::Color;
use bitmesh::{
    certify_decomposition, find_subsystems, read_placement, verify_conservative_legal_independence,
};
use bitmesh_bench::positions;
use bitmesh_bench::report::{self, Table};

const BUDGET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");

const SLACK: f64 = 0.03;

const FUNCTIONS: [&str; 7] = [
    "read_placement",
    "find_subsystems",
    "certify_decomposition",
    "validate",
    "verify_conservative_legal_independence",
    "analyze",
    "verdict",
];

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        None => compare(),
        Some("write") => write(),
        Some(name) => {
            println!("{}", run(name));
            ExitCode::SUCCESS
        }
    }
}

/// The part that valgrind counts. It finds the function by its name.
#[inline(never)]
fn counted<T, R>(items: &[T], mut function: impl FnMut(&T) -> R) -> usize {
    for item in items {
        black_box(function(black_box(item)));
    }
    items.len()
}

/// Calls a function with each item, and says how many there are.
fn run(name: &str) -> usize {
    let sets = [positions::games(), positions::blocked(), positions::walls()];
    let boards: Vec<_> = sets.iter().flat_map(|set| &set.boards).collect();
    match name {
        "read_placement" => {
            let texts: Vec<_> = sets.iter().flat_map(|set| &set.texts).collect();
            counted(&texts, |text| read_placement(text.as_bytes()).is_some())
        }
        "find_subsystems" => counted(&boards, |board| find_subsystems(board)),
        "certify_decomposition" => counted(&boards, |board| certify_decomposition(board)),
        "validate" => {
            let certificates: Vec<_> = boards.into_iter().map(certify_decomposition).collect();
            counted(&certificates, |certificate| certificate.validate())
        }
        "verify_conservative_legal_independence" => {
            let strict: Vec<_> =
                sets[2].boards.iter().map(|board| (board, certify_decomposition(board))).collect();
            counted(&strict, |(board, certificate)| {
                verify_conservative_legal_independence(board, certificate)
            })
        }
        "analyze" => {
            let positions: Vec<_> = sets.iter().flat_map(|set| &set.positions).collect();
            counted(&positions, |position| analyze(position))
        }
        // Both sides, and from positions of games alone: most others need no search.
        "verdict" => {
            let mut decider = Decider::new(Effort::QUICK);
            let _ = decider.verdict(&sets[0].positions[0], Color::White);
            counted(&sets[0].positions, |position| Color::ALL.map(|color| decider.verdict(position, color)))
        }
        _ => panic!("{name} is not counted"),
    }
}

/// Instructions for one item.
fn count(name: &str) -> f64 {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*counted*"])
        .arg(program)
        .arg(name)
        .output()
        .expect("valgrind is installed");
    let items: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().expect("the number of items");
    report::collected_instructions(&String::from_utf8_lossy(&output.stderr)) / items
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output().expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn write() -> ExitCode {
    let mut text = format!("# Instructions for one call, {}\n", compiler());
    for name in FUNCTIONS {
        text.push_str(&format!("{name} {:.0}\n", count(name)));
    }
    print!("{text}");
    std::fs::write(BUDGET, text).expect("the budget can be written");
    ExitCode::SUCCESS
}

fn compare() -> ExitCode {
    let budget = std::fs::read_to_string(BUDGET).expect("the budget can be read");
    if !budget.contains(&compiler()) {
        eprintln!("the budget was made with another compiler than {}", compiler());
    }
    let mut table = Table::new(&["function", "instructions", "budget", "difference"]);
    let mut exceeded = false;
    for name in FUNCTIONS {
        let line = budget.lines().find_map(|line| line.strip_prefix(name));
        let allowed: f64 = line
            .and_then(|number| number.trim().parse().ok())
            .unwrap_or_else(|| panic!("no budget for {name}"));
        let counted = count(name);
        let difference = counted / allowed - 1.0;
        exceeded |= difference > SLACK;
        table.row(&[
            format!("`{name}`"),
            format!("{counted:.0}"),
            format!("{allowed:.0}"),
            format!("{:+.1} %", 100.0 * difference),
        ]);
    }
    print!("{}", table.text());
    if exceeded { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
