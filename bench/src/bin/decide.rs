//! Decisions beside chasolver's full search, on the same positions in turns, into `docs/performance.md`.
//!
//! ```text
//! cargo run --release --bin decide                    the tables, into the page
//! cargo run --release --bin decide -- show [STEP] [FILE.pgn]…   to the terminal, every STEP-th position, with more games
//! ```
//!
//! A time is processor time of the one thread that does both. Every answer is compared with the right one, which
//! `crates/bitmesh-lab/cases/decide` states, or for games with the other program's.

use std::fmt::Write as _;
use std::str::FromStr as _;

use bitmesh::decision::{Decider, Effort, Verdict};
use bitmesh_bench::positions;
use bitmesh_bench::report::{self, Table};
use rustix::time::{ClockId, clock_gettime};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position as _};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        None => {
            let circumstances = report::circumstances();
            report::write_section("decide", &format!("{circumstances}\n\n{}", tables(1, &[])));
        }
        Some((first, rest)) if first == "show" => {
            let step = rest.first().map_or(1, |text| text.parse().expect("a step"));
            println!("{}", tables(step, rest.get(1..).unwrap_or_default()));
        }
        Some((other, _)) => panic!("{other}: only `show` is known"),
    }
}

/// A position with what is known of it.
struct Case {
    position: Chess,
    /// Whether each side can still give mate, if that is known.
    winnable: Option<[bool; 2]>,
}

/// The positions of a file of handed positions, without those that shakmaty refuses.
fn handed(text: &str, step: usize) -> Vec<Case> {
    let case = |line: &str| {
        let (answer, fen) = line.split_once('\t').expect("an answer and a position");
        let position = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
        Some(Case { position, winnable: Some([answer.starts_with('W'), answer.ends_with('B')]) })
    };
    text.lines().skip(1).filter_map(case).step_by(step).collect()
}

/// Games as lists of positions.
fn games(files: &[String]) -> Vec<Vec<Chess>> {
    let mut games: Vec<Vec<Chess>> = positions::scores().map(positions_of).collect();
    for path in files {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for game in text.split("\n\n[") {
            let moves = game.split_once("\n\n").map_or("", |(_, moves)| moves);
            games.push(positions_of(moves));
        }
    }
    games.retain(|game| game.len() > 1);
    games
}

fn positions_of(score: &str) -> Vec<Chess> {
    let mut position = Chess::default();
    let mut all = vec![position.clone()];
    for token in score.split_whitespace() {
        let san = token.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        if san.is_empty() || token.starts_with(['{', '$', '(']) {
            continue;
        }
        let Ok(san) = SanPlus::from_str(san) else { break };
        let Ok(played) = san.san.to_move(&position) else { break };
        position.play_unchecked(played);
        all.push(position.clone());
    }
    all
}

/// Processor time of this thread in nanoseconds.
fn now() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The times of one program on a set, and its answers.
#[derive(Default)]
struct Times {
    nanoseconds: Vec<u64>,
    undecided: usize,
    wrong: usize,
}

impl Times {
    fn mean(&self) -> f64 {
        self.nanoseconds.iter().sum::<u64>() as f64 / self.nanoseconds.len() as f64
    }

    /// The time that so many of a thousand decisions do not exceed.
    fn at(&self, permille: usize) -> f64 {
        let mut sorted = self.nanoseconds.clone();
        sorted.sort_unstable();
        sorted[(sorted.len() * permille / 1000).min(sorted.len() - 1)] as f64
    }

    fn row(&self, table: &mut Table, name: &str) {
        let microseconds = |time: f64| format!("{:.1}", time / 1000.0);
        table.row(&[
            name.to_owned(),
            microseconds(self.mean()),
            microseconds(self.at(500)),
            microseconds(self.at(990)),
            microseconds(self.at(999)),
            microseconds(self.at(1000)),
            self.undecided.to_string(),
            self.wrong.to_string(),
        ]);
    }
}

fn chasolver_board(position: &Chess) -> chess::Board {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    chess::Board::from_str(&fen).expect("a position of the other library")
}

/// Both programs on both sides of every position, in turns.
fn compare(cases: &[Case], decider: &mut Decider) -> [Times; 2] {
    let mut ours = Times::default();
    let mut theirs = Times::default();
    for case in cases {
        let board = chasolver_board(&case.position);
        for (index, color) in [Color::White, Color::Black].into_iter().enumerate() {
            let start = now();
            let verdict = decider.verdict(&case.position, color);
            ours.nanoseconds.push(now() - start);

            let colour = color.fold_wb(chess::Color::White, chess::Color::Black);
            let start = now();
            let answer = chasolver::winnability(&board, colour);
            theirs.nanoseconds.push(now() - start);

            let answer = answer.map(|answer| matches!(answer, chasolver::Winnability::Winnable { .. }));
            let truth = case.winnable.map_or(answer, |winnable| Some(winnable[index]));
            let decided = match verdict {
                Verdict::Winnable { .. } => Some(true),
                Verdict::Unwinnable => Some(false),
                Verdict::Undecided { .. } => None,
            };
            for (times, answer) in [(&mut ours, decided), (&mut theirs, answer)] {
                times.undecided += usize::from(answer.is_none());
                times.wrong += usize::from(answer.is_some() && truth.is_some() && answer != truth);
            }
        }
    }
    [ours, theirs]
}

/// Decides each game from its last position: what can no longer be won stays so, and a later line serves earlier positions.
fn whole_games(games: &[Vec<Chess>], decider: &mut Decider) -> f64 {
    let positions: usize = games.iter().map(Vec::len).sum();
    let start = now();
    for game in games {
        for color in Color::ALL {
            let winnable =
                |at: usize, decider: &mut Decider| decider.verdict(&game[at], color).plies().is_some();
            // Back in growing steps to a position that can be won, then halves.
            let (mut step, mut lost, mut at) = (1, game.len(), game.len() - 1);
            while !winnable(at, decider) && at > 0 {
                lost = at;
                at = at.saturating_sub(step);
                step *= 2;
            }
            while at + 1 < lost {
                let middle = (at + lost) / 2;
                if winnable(middle, decider) { at = middle } else { lost = middle }
            }
        }
    }
    (now() - start) as f64 / positions as f64
}

fn tables(step: usize, files: &[String]) -> String {
    let mut decider = Decider::new(Effort::default());
    let games = games(files);
    let every = if files.is_empty() { 1 } else { 101 };
    let of_games: Vec<Case> = games
        .iter()
        .flatten()
        .step_by(every)
        .map(|position| Case { position: position.clone(), winnable: None })
        .collect();
    let sets = [
        (
            "flags that fell",
            handed(include_str!("../../../crates/bitmesh-lab/cases/decide/lichess.tsv"), step),
        ),
        ("positions of games", of_games),
        (
            "constructed",
            handed(include_str!("../../../crates/bitmesh-lab/cases/decide/constructed.tsv"), step),
        ),
    ];
    let mut table =
        Table::new(&["one side, µs", "mean", "median", "p99", "p99.9", "max", "undecided", "wrong"]);
    let mut ratios = Table::new(&["ratio", "mean", "median", "p99", "p99.9", "max"]);
    let mut of_games = f64::NAN;
    for (name, cases) in &sets {
        let [ours, theirs] = compare(cases, &mut decider);
        ours.row(&mut table, &format!("{name}, {} positions: bitmesh", cases.len()));
        theirs.row(&mut table, &format!("{name}: chasolver, full"));
        let ratio = |of: &dyn Fn(&Times) -> f64| format!("{:.2}", of(&ours) / of(&theirs));
        ratios.row(&[
            (*name).to_owned(),
            ratio(&Times::mean),
            ratio(&|times| times.at(500)),
            ratio(&|times| times.at(990)),
            ratio(&|times| times.at(999)),
            ratio(&|times| times.at(1000)),
        ]);
        if *name == "positions of games" {
            of_games = 2.0 * theirs.mean();
        }
    }
    let whole = whole_games(&games, &mut decider);
    let mut text = format!("{}\n\n{}\n\n", table.text(), ratios.text());
    let _ = write!(
        text,
        "Whole games ({}), both sides: {whole:.0} ns a position, {:.4} of deciding each position with chasolver.",
        games.len(),
        whole / of_games
    );
    text
}
