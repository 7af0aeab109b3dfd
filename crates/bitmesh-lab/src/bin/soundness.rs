//! Attacks the claims of permanent independence: a long run that must find nothing.
//!
//! Positions of many kinds are generated, mutated and reached by play; whatever `prove` claims about one is held
//! against random legal games, searches for mates in which both sides help, every line of four moves, and a second
//! reading of the definition. Certificates are forged and scrambled; those that the checker accepts must be true.
//!
//! ```text
//! cargo run --release -p bitmesh-lab --bin soundness -- --playouts 1000000 --seed 1
//! cargo run --release -p bitmesh-lab --bin soundness -- --games 1000000 --seed 1
//! cargo run --release -p bitmesh-lab --bin soundness -- --truths 20000 --seed 1
//! ```
//!
//! `--stoppers N` attacks stoppers alone, in N positions: witnesses that keep rule 9, and forged ones that
//! keep all of it but one condition.
//!
//! `--claims N` attacks single claims, in N positions: by material, stoppers, expansions and men at home, judged by a
//! search in which both sides help.
//!
//! `--bare-kings N` holds N proofs by men at home to bare kings against every position that can follow until then, up to
//! 29 million for each, which takes minutes and up to three gigabytes.
//!
//! `--yielding N` builds N witnesses that freeze and claim as much as they can and give way only to what the checker
//! demands, and judges those that it accepts by play.
//!
//! `--games` also plays, but many games from each position and little else, so it takes minutes.
//! It ends after that many playouts (or positions with a searched truth), or after `--minutes`, with a line of counts.
//! At the first violation it prints the position, the line of moves and the certificate, and exits with 1.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bitmesh_lab::claims::{BareKingSession, ClaimSession};
use bitmesh_lab::generate::Theme;
use bitmesh_lab::session::{Effort, Failure, Session};
use bitmesh_lab::stoppers::StopperSession;
use bitmesh_lab::stopping::Omission;
use bitmesh_lab::yielding::YieldingSession;

struct Arguments {
    playouts: u64,
    effort: Effort,
    truths: u64,
    stoppers: u64,
    yielding: u64,
    claims: u64,
    bare_kings: u64,
    seed: u64,
    minutes: u64,
}

fn arguments() -> Result<Arguments, String> {
    let mut parsed = Arguments {
        playouts: 0,
        effort: Effort::LONG,
        truths: 0,
        stoppers: 0,
        yielding: 0,
        claims: 0,
        bare_kings: 0,
        seed: 1,
        minutes: u64::MAX / 60,
    };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().ok_or_else(|| format!("{name} needs a number"))?;
        let value = value.parse().map_err(|_| format!("{value} is not a number"))?;
        match name.as_str() {
            "--playouts" => parsed.playouts = value,
            "--games" => (parsed.playouts, parsed.effort) = (value, Effort::PLAY),
            "--truths" => parsed.truths = value,
            "--stoppers" => parsed.stoppers = value,
            "--yielding" => parsed.yielding = value,
            "--claims" => parsed.claims = value,
            "--bare-kings" => parsed.bare_kings = value,
            "--seed" => parsed.seed = value,
            "--minutes" => parsed.minutes = value.min(u64::MAX / 60),
            _ => return Err(format!("{name} is unknown")),
        }
    }
    if parsed.playouts == 0
        && parsed.truths == 0
        && parsed.stoppers == 0
        && parsed.yielding == 0
        && parsed.claims == 0
        && parsed.bare_kings == 0
    {
        parsed.playouts = 100_000;
    }
    Ok(parsed)
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!(
                "{problem}\nusage: soundness [--playouts N | --games N] [--truths N] [--stoppers N] [--yielding N] [--claims N] [--bare-kings N] [--seed S] [--minutes M]"
            );
            return ExitCode::from(2);
        }
    };
    let mut session = Session::new(arguments.seed, arguments.effort);
    match run(&arguments, &mut session) {
        Ok(()) => {
            for refused in &session.refused {
                println!("note: {refused}");
            }
            println!("ok: seed {}: {}", arguments.seed, session.tally);
            ExitCode::SUCCESS
        }
        Err(failure) => {
            println!("{failure}");
            println!("FAILED: seed {}: {}", arguments.seed, session.tally);
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let started = Instant::now();
    let limit = Duration::from_secs(arguments.minutes * 60);
    if arguments.stoppers > 0 {
        let mut session = StopperSession::new(arguments.seed);
        while session.tally.positions < arguments.stoppers && started.elapsed() < limit {
            session.step(4, 120)?;
        }
        println!("stoppers: {}", session.tally);
        for (omission, example) in Omission::ALL.into_iter().zip(&session.tally.examples) {
            println!("without {omission:?}: {}", example.as_deref().unwrap_or("none refuted"));
        }
    }
    if arguments.claims > 0 {
        let mut session = ClaimSession::new(arguments.seed, 10_000);
        while session.tally.positions < arguments.claims && started.elapsed() < limit {
            session.step()?;
        }
        println!("claims: {}", session.tally);
    }
    if arguments.bare_kings > 0 {
        let mut session = BareKingSession::new(arguments.seed, 29_000_000);
        while session.tally.claims < arguments.bare_kings && started.elapsed() < limit {
            if let Some((claim, judgement)) = session.step()? {
                println!("{claim}: {judgement:?}");
            }
        }
        println!("bare kings: {}", session.tally);
    }
    if arguments.yielding > 0 {
        let mut session = YieldingSession::new(arguments.seed);
        while session.tally.positions < arguments.yielding && started.elapsed() < limit {
            session.step(6, 120, 2_000)?;
        }
        println!("yielding: {}", session.tally);
    }
    let mut reported = started;
    let mut truths = 0;
    while session.tally.playouts < arguments.playouts && started.elapsed() < limit {
        session.step()?;
        report(&mut reported, started, session);
    }
    while truths < arguments.truths && started.elapsed() < limit {
        session.step_truth()?;
        truths += 1;
        report(&mut reported, started, session);
    }
    if truths > 0 {
        for (theme, truth) in Theme::ALL.into_iter().zip(session.tally.truths) {
            println!(
                "truth: {}: {} decided, {} not; dead {}, of them proved {}; unwinnable for one colour {}, of them proved {}",
                theme.name(),
                truth.decided,
                truth.undecided,
                truth.dead,
                truth.dead_proved,
                truth.one_sided,
                truth.one_sided_proved,
            );
        }
    }
    Ok(())
}

fn report(last: &mut Instant, started: Instant, session: &Session) {
    if last.elapsed() > Duration::from_secs(60) {
        *last = Instant::now();
        println!("{} min: {}", started.elapsed().as_secs() / 60, session.tally);
    }
}
