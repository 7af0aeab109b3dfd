//! Fair timing: everything that is compared takes turns over the same items in the same run.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// A function with the items that it is timed on.
pub struct Contender<'a> {
    pass: Box<dyn FnMut() + 'a>,
    items: usize,
}

/// Times `function` over `items`. The call is not dynamic: only a whole pass is.
///
/// # Panics
///
/// When there are no items.
pub fn contender<'a, T, R>(items: &'a [T], function: impl Fn(&T) -> R + 'a) -> Contender<'a> {
    assert!(!items.is_empty());
    let pass = move || {
        for item in items {
            black_box(function(black_box(item)));
        }
    };
    Contender { pass: Box::new(pass), items: items.len() }
}

/// How long one item takes each contender in nanoseconds.
///
/// Contenders take turns until `budget` is used up, at least three turns each. A pass is the shortest of all turns:
/// whatever else the machine does only makes passes longer.
#[must_use]
pub fn race(contenders: &mut [Contender<'_>], budget: Duration) -> Vec<f64> {
    let mut shortest = vec![Duration::MAX; contenders.len()];
    let start = Instant::now();
    let mut turns = 0;
    while turns < 3 || start.elapsed() < budget {
        for (contender, shortest) in contenders.iter_mut().zip(&mut shortest) {
            let start = Instant::now();
            (contender.pass)();
            *shortest = start.elapsed().min(*shortest);
        }
        turns += 1;
    }
    let per_item =
        |(contender, pass): (&Contender<'_>, &Duration)| pass.as_nanos() as f64 / contender.items as f64;
    contenders.iter().zip(&shortest).map(per_item).collect()
}

/// The medians of several races: nanoseconds of each contender, and how many times as long as the first one each takes.
#[derive(Clone, Debug)]
pub struct Medians {
    /// Nanoseconds for one item.
    pub nanoseconds: Vec<f64>,
    /// Divided by those of the first contender in the same race.
    pub ratios: Vec<f64>,
}

/// Races several times.
///
/// # Panics
///
/// When there are no contenders or no races.
#[must_use]
pub fn races(contenders: &mut [Contender<'_>], times: usize, budget: Duration) -> Medians {
    let runs: Vec<Vec<f64>> = (0..times).map(|_| race(contenders, budget)).collect();
    let over_runs = |value: &dyn Fn(&[f64]) -> f64| median(runs.iter().map(|run| value(run)).collect());
    let contenders = 0..contenders.len();
    Medians {
        nanoseconds: contenders.clone().map(|index| over_runs(&|run| run[index])).collect(),
        ratios: contenders.map(|index| over_runs(&|run| run[index] / run[0])).collect(),
    }
}

/// The middle one; of an even number the upper of the two.
///
/// # Panics
///
/// When there is none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
