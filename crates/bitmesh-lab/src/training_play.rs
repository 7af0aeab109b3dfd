//! How the weights of the first search are made: the policy plays both sides from made-up positions, and moves that lead
//! to mate in fewer plies than expected become more probable.
//!
//! This is the policy gradient (Williams 1992) with an estimate of the plies that are left for each kind of position,
//! and with advantages that look ahead as in Schulman and others (2016). The steps are those of Adam (Kingma and Ba 2015).

use bitmesh::decision::training::{CLASS_LENGTH, CLASSES, Features, KINDS, LENGTH, Outlook, Play};
use bitmesh::shakmaty::{Chess, Color};

use crate::random::Rng;
use crate::training_positions::{Kind, draw, played};

/// Where the positions and the moves come from.
const SEED: u64 = 18;

/// How many positions the table is trained on. Two lines are played from each.
pub const POSITIONS: usize = 1_000_000;

/// How many lines are played before the weights change.
const BATCH: usize = 128;

/// After how many plies a line is given up.
const LONGEST: usize = 90;

/// What a line that is given up or lost counts as, in plies that are left.
const GIVEN_UP: f64 = 40.0;
const LOST: f64 = 60.0;

/// How much of what comes after a ply counts for it, ply by ply.
const AHEAD: f64 = 0.95;

/// How long the first steps are, in nats; the last ones are a fiftieth of it.
const RATE: f64 = 0.05;

/// The classes of a winner with minor pieces only begin here.
const MINORS: usize = CLASSES - 3;

/// Trains on so many positions, from tables for positions in general and for a winner with minor pieces only. Returns
/// the weights and how many plies the lines of the last tenth had.
pub fn play(general: &[f64], minors: &[f64], positions: usize) -> (Vec<f64>, f64) {
    let mut weights = general.to_vec();
    let of_minors = MINORS * CLASS_LENGTH..CLASSES * CLASS_LENGTH;
    weights[of_minors.clone()].copy_from_slice(&minors[of_minors]);
    let mut trainer = Trainer::new(weights);
    let plies = trainer.run(positions);
    (trainer.weights, plies)
}

/// A position and the colour that is to give mate.
fn start(rng: &mut Rng) -> (Chess, Color) {
    match rng.below(20) {
        0..6 => draw(Kind::Minors, rng),
        6..13 => draw(Kind::General, rng),
        _ => played(rng),
    }
}

/// A move of a line.
struct Ply {
    /// Where its position's choices begin, how many there are, and which was played.
    first: usize,
    count: usize,
    played: usize,
    kind: usize,
}

/// A line that was played, with the choices on the way.
#[derive(Default)]
struct Line {
    plies: Vec<Ply>,
    choices: Vec<Features>,
    probabilities: Vec<f64>,
    /// How many plies the end counts as.
    left: f64,
}

struct Trainer {
    rng: Rng,
    weights: Vec<f64>,
    /// The plies that are left, by kind of position.
    expected: Vec<f64>,
    gradient: Vec<f64>,
    line: Line,
}

impl Trainer {
    fn new(weights: Vec<f64>) -> Self {
        Self {
            rng: Rng::new(SEED),
            weights,
            expected: vec![25.0; KINDS],
            gradient: vec![0.0; LENGTH],
            line: Line::default(),
        }
    }

    /// Trains, and returns how long the lines of the last tenth were.
    fn run(&mut self, positions: usize) -> f64 {
        let mut steps = Steps::new();
        let (mut plies, mut lines) = (0, 0);
        for number in 1..=positions {
            let (position, winner) = start(&mut self.rng);
            for _ in 0..2 {
                self.play(&position, winner);
                self.learn();
                if number * 10 > positions * 9 {
                    plies += self.line.plies.len();
                    lines += 1;
                }
            }
            if number * 2 % BATCH == 0 {
                let done = number as f64 / positions as f64;
                steps.take(RATE * (1.0 - 0.98 * done), &mut self.weights, &mut self.gradient);
            }
        }
        plies as f64 / f64::from(lines.max(1))
    }

    /// Plays a line, each move as probable as the policy has it.
    fn play(&mut self, position: &Chess, winner: Color) {
        let Line { plies, choices, probabilities, left } = &mut self.line;
        plies.clear();
        choices.clear();
        probabilities.clear();
        let mut play = Play::new(position, winner);
        *left = GIVEN_UP;
        while plies.len() < LONGEST {
            let first = choices.len();
            let kind = match play.look(choices) {
                Outlook::Open { kind } => kind,
                Outlook::Mate => {
                    *left = 0.0;
                    break;
                }
                Outlook::Lost => {
                    *left = LOST;
                    break;
                }
            };
            let score = |features: &Features| {
                features.iter().map(|&place| self.weights[usize::from(place)]).sum::<f64>()
            };
            probabilities.extend(choices[first..].iter().map(score));
            let here = &mut probabilities[first..];
            let greatest = here.iter().copied().fold(f64::MIN, f64::max);
            for score in &mut *here {
                *score = exponential(*score - greatest);
            }
            let total: f64 = here.iter().sum();
            let mut rest = (self.rng.bits() >> 11) as f64 / (1_u64 << 53) as f64;
            let mut played = here.len() - 1;
            for (number, probability) in here.iter_mut().enumerate() {
                *probability /= total;
                if (0.0..*probability).contains(&rest) {
                    played = number;
                }
                rest -= *probability;
            }
            plies.push(Ply { first, count: here.len(), played, kind });
            play.choose(played);
        }
    }

    /// Adds what the line teaches to the gradient.
    fn learn(&mut self) {
        let line = &self.line;
        let (mut left, mut next, mut gain) = (line.left, line.left, 0.0_f64);
        for ply in line.plies.iter().rev() {
            left += 1.0;
            let expected = &mut self.expected[ply.kind];
            gain = gain * AHEAD + (*expected - 1.0 - next);
            next = *expected;
            *expected += 0.01 * (left.min(100.0) - *expected);
            let gain = gain.clamp(-40.0, 40.0);
            let choices = &line.choices[ply.first..][..ply.count];
            let probabilities = &line.probabilities[ply.first..][..ply.count];
            for (number, (features, probability)) in choices.iter().zip(probabilities).enumerate() {
                let error = (f64::from(u8::from(number == ply.played)) - probability) * gain;
                for place in features.iter().map(|&place| usize::from(place)) {
                    if let Some(sum) = self.gradient.get_mut(place) {
                        *sum += error;
                    }
                }
            }
        }
    }
}

/// The steps of Adam. Where a feature is rare, the last constant keeps them short.
struct Steps {
    means: Vec<f64>,
    squares: Vec<f64>,
    /// What the decays have left of the zeros at the start.
    left: [f64; 2],
}

impl Steps {
    const DECAYS: [f64; 2] = [0.9, 0.999];
    const SMALL: f64 = 0.03;

    fn new() -> Self {
        Self { means: vec![0.0; LENGTH], squares: vec![0.0; LENGTH], left: [1.0; 2] }
    }

    /// Goes along the gradient, and clears it.
    fn take(&mut self, rate: f64, weights: &mut [f64], gradient: &mut [f64]) {
        let [of_means, of_squares] = Self::DECAYS;
        self.left = [self.left[0] * of_means, self.left[1] * of_squares];
        for (((weight, sum), mean), square) in
            weights.iter_mut().zip(gradient).zip(&mut self.means).zip(&mut self.squares)
        {
            let slope = core::mem::take(sum) / BATCH as f64;
            *mean = of_means * *mean + (1.0 - of_means) * slope;
            *square = of_squares * *square + (1.0 - of_squares) * slope * slope;
            let size = (*square / (1.0 - self.left[1])).sqrt() + Self::SMALL;
            *weight += rate * (*mean / (1.0 - self.left[0])) / size;
        }
    }
}

/// About e to a power that is not positive, by multiplications alone: the usual function differs between machines.
pub(crate) fn exponential(power: f64) -> f64 {
    let mut result = (1.0 + power / 1024.0).max(0.0);
    for _ in 0..10 {
        result *= result;
    }
    result
}
