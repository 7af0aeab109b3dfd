//! How the weights of the search for a mate are made: softmax regression on the lines of `training/lines.bin`, and from
//! there by play ([`training_play`](crate::training_play)).
//!
//! The arithmetic is additions, multiplications, divisions and square roots in a fixed order, which every machine
//! rounds in the same way, so that every machine makes the same tables.

use bitmesh::decision::MateLine;
use bitmesh::decision::training::{CLASS_LENGTH, CLASSES, LENGTH, Lesson, UNIT, lessons, of_class};

use crate::random::Rng;
use crate::training_play::{exponential, play};
use crate::training_positions::Kind;

/// How often the lines are gone through.
const EPOCHS: usize = 12;

/// How long the first steps are.
const RATE: f64 = 1.0;

/// What is left of each weight after each time, so that none grows that few lessons ask for.
const SHRINK: f64 = 0.998;

/// In which order the lessons come.
const SEED: u64 = 18;

/// Makes the tables: for positions in general, from there for a winner with minor pieces only, and from both by play on
/// so many positions.
pub fn train(lines: &[MateLine], positions: usize, mut report: impl FnMut(&str)) -> [Vec<i16>; 3] {
    let mut weights = by_hand();
    let mut rng = Rng::new(SEED);
    let [general, minors] = [Kind::General, Kind::Minors].map(|kind| {
        // What minor pieces do alone they also do beside others.
        let lines = lines.iter().filter(|line| kind == Kind::General || Kind::of(line) == kind);
        let mut lessons: Vec<Lesson> =
            lines.flat_map(|line| lessons(line).expect("the search knows every legal move")).collect();
        shuffle(&mut lessons, &mut rng);
        let loss = learn(&mut weights, &lessons);
        report(&format!("{kind:?}: {} moves, {loss:.4} nats each", lessons.len()));
        weights.clone()
    });
    let (swift, plies) = play(&general, &minors, positions);
    report(&format!("by play: {plies:.2} plies a line at the end"));
    [general, minors, swift].map(|table| rounded(&table))
}

/// The bytes of a table, as the library reads them.
pub fn bytes(weights: &[i16]) -> Vec<u8> {
    weights.iter().flat_map(|weight| weight.to_le_bytes()).collect()
}

/// Weights that find some mates: few flights, captures, promotions, and the king to the edge.
fn by_hand() -> Vec<f64> {
    // The last one is that of features that a move does not have.
    let mut weights = vec![0.0; LENGTH + 1];
    for block in weights[..CLASSES * CLASS_LENGTH].chunks_mut(CLASS_LENGTH) {
        let mut set = |from: usize, to: usize, weight: &dyn Fn(usize) -> f64| {
            for (at, place) in block[from..to].iter_mut().enumerate() {
                *place = weight(at);
            }
        };
        set(of_class::CHECK, of_class::COVER, &|at| -0.4 * (at % 5) as f64);
        set(of_class::CAPTURE, of_class::DISTANCE, &|at| 0.2 * (at % 5) as f64);
        set(of_class::DISTANCE, of_class::PAWN, &|at| -0.3 * (at % 3) as f64);
        set(of_class::KING, of_class::FILL, &|at| -0.3 * (at / 12 + at / 3 % 4) as f64);
        set(of_class::FILL, of_class::LOSER_CAPTURE, &|at| 0.3 * (at % 4 / 2) as f64);
    }
    weights
}

fn rounded(weights: &[f64]) -> Vec<i16> {
    weights[..LENGTH].iter().map(|weight| (weight * f64::from(UNIT)).round() as i16).collect()
}

fn shuffle(lessons: &mut [Lesson], rng: &mut Rng) {
    for at in (1..lessons.len()).rev() {
        lessons.swap(at, rng.below(at + 1));
    }
}

/// Goes along the gradient lesson by lesson, with steps that shrink for each weight as it is used (Adagrad: Duchi, Hazan
/// and Singer 2011), and takes the mean of the weights over the last time. Returns the mean loss of that time.
fn learn(weights: &mut [f64], lessons: &[Lesson]) -> f64 {
    /// After how many lessons the weights are added to the mean.
    const INTERVAL: usize = 64;
    let mut loss = 0.0;
    let mut scores = Vec::new();
    let mut squares = vec![0.5; weights.len()];
    let mut sums = vec![0.0; weights.len()];
    let mut added = 0.0;
    for epoch in 0..EPOCHS {
        loss = 0.0;
        for (at, lesson) in lessons.iter().enumerate() {
            let score =
                |places: &[u16; 8]| places.iter().map(|&place| weights[usize::from(place)]).sum::<f64>();
            scores.clear();
            scores.extend(lesson.choices.iter().map(score));
            let greatest = scores.iter().copied().fold(f64::MIN, f64::max);
            for score in &mut scores {
                *score = exponential(*score - greatest);
            }
            let total: f64 = scores.iter().sum();
            loss -= (scores[lesson.played] / total).max(1e-9).ln();
            for (choice, (places, score)) in lesson.choices.iter().zip(&scores).enumerate() {
                let error = f64::from(u8::from(choice == lesson.played)) - score / total;
                for place in places.iter().map(|&place| usize::from(place)).filter(|&place| place < LENGTH) {
                    squares[place] += error * error;
                    weights[place] += RATE * error / squares[place].sqrt();
                }
            }
            if epoch + 1 == EPOCHS && at % INTERVAL == 0 {
                for (sum, weight) in sums.iter_mut().zip(weights.iter()) {
                    *sum += weight;
                }
                added += 1.0;
            }
        }
        for weight in weights.iter_mut() {
            *weight *= SHRINK;
        }
    }
    if added > 0.0 {
        for (weight, sum) in weights.iter_mut().zip(sums) {
            *weight = sum / added;
        }
    }
    loss / lessons.len().max(1) as f64
}
