//! Colours.
//!
//! Seven grounds for regions, the first two as far apart in grey as they can be,
//!  chosen so that readers with any of the common colour deficiencies tell
//! them apart: the tests compute every pair as those readers see it. Colour is never the only
//! sign: each region carries its letter, and the barrier is hatched.

use crate::diagram::Ground;

/// The background of light and dark squares of one ground on a terminal, as
/// indices of the 256-colour palette.
///
/// All have a relative luminance between 0.09 and 0.34: white and black pieces
/// are both readable on each of them, whatever the theme of the terminal.
pub(crate) struct TerminalGround {
    pub(crate) light: u8,
    pub(crate) dark: u8,
}

/// White in the 256-colour palette, whatever the theme: White's pieces, and the marks on dark squares.
pub(crate) const WHITE: u8 = 231;
/// Black in the 256-colour palette: Black's pieces, and the marks on light squares.
pub(crate) const BLACK: u8 = 16;

const TERMINAL_PLAIN: TerminalGround = TerminalGround { light: 244, dark: 241 };
const TERMINAL_BARRIER: TerminalGround = TerminalGround { light: 138, dark: 95 };
const TERMINAL_REGIONS: [TerminalGround; 7] = [
    TerminalGround { light: 68, dark: 25 },
    TerminalGround { light: 172, dark: 130 },
    TerminalGround { light: 36, dark: 29 },
    TerminalGround { light: 170, dark: 133 },
    TerminalGround { light: 136, dark: 94 },
    TerminalGround { light: 104, dark: 61 },
    TerminalGround { light: 167, dark: 124 },
];

pub(crate) const fn terminal(ground: Ground) -> &'static TerminalGround {
    match ground {
        Ground::Plain => &TERMINAL_PLAIN,
        Ground::Barrier => &TERMINAL_BARRIER,
        Ground::Region(index) => &TERMINAL_REGIONS[index % TERMINAL_REGIONS.len()],
    }
}

/// The colours of one ground in pictures.
pub(crate) struct GroundColors {
    pub(crate) light: &'static str,
    pub(crate) dark: &'static str,
    /// Letters, outlines and hatching on both.
    pub(crate) ink: &'static str,
}

const PLAIN: GroundColors = GroundColors { light: "#f3efe6", dark: "#cdc6b6", ink: "#4a463d" };
const BARRIER: GroundColors = GroundColors { light: "#a3a8af", dark: "#858b94", ink: "#6a707a" };
/// The grounds of regions; with more regions they begin again.
pub(crate) const REGION_COUNT: usize = 7;

const REGIONS: [GroundColors; REGION_COUNT] = [
    GroundColors { light: "#86b0f4", dark: "#568ae0", ink: "#001f47" },
    GroundColors { light: "#f6f07c", dark: "#e8d04a", ink: "#4a4100" },
    GroundColors { light: "#ecb6d6", dark: "#c887ba", ink: "#54103f" },
    GroundColors { light: "#7fd8a8", dark: "#45b07a", ink: "#003a24" },
    GroundColors { light: "#f8b25c", dark: "#d89434", ink: "#4a2a00" },
    GroundColors { light: "#df8a6c", dark: "#d6654c", ink: "#3a0d00" },
    GroundColors { light: "#c6deff", dark: "#a2c0ff", ink: "#14356b" },
];

pub(crate) const fn picture(ground: Ground) -> &'static GroundColors {
    match ground {
        Ground::Plain => &PLAIN,
        Ground::Barrier => &BARRIER,
        Ground::Region(index) => &REGIONS[index % REGIONS.len()],
    }
}

/// The paper around the board.
pub(crate) const PAPER: &str = "#ffffff";
/// Coordinates and the line around the board.
pub(crate) const FRAME: &str = "#3c3a35";
/// Arrows of moves that cross or break a barrier.
pub(crate) const ARROW: &str = "#b3261e";
/// Arrows that the caller added.
pub(crate) const ASKED_ARROW: &str = "#0b57a4";
/// Frames of highlighted squares.
pub(crate) const HIGHLIGHT: &str = "#7a1fa2";
/// Marks of a reach.
pub(crate) const REACH: &str = "#1d2733";
/// What separates marks from the ground below them.
pub(crate) const CASING: &str = "#ffffff";

#[cfg(test)]
mod tests {
    use super::*;

    type Linear = [f64; 3];

    /// What readers see with normal sight and without one of the three cones: the matrices of Machado, Oliveira and
    /// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.0.
    const SIGHTS: [(&str, [Linear; 3]); 4] = [
        ("normal sight", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    fn decode(channel: f64) -> f64 {
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    }

    /// Linear light of a colour written as `#rrggbb`.
    fn linear(color: &str) -> Linear {
        std::array::from_fn(|index| {
            let digits = &color[1 + 2 * index..3 + 2 * index];
            decode(f64::from(u8::from_str_radix(digits, 16).expect("two digits")) / 255.0)
        })
    }

    fn dot(row: &Linear, color: &Linear) -> f64 {
        row.iter().zip(color).map(|(a, b)| a * b).sum()
    }

    fn luminance(color: &Linear) -> f64 {
        dot(&[0.2126, 0.7152, 0.0722], color)
    }

    /// The ratio of WCAG 2: 1 for equal colours, 21 for black on white.
    fn contrast(first: f64, second: f64) -> f64 {
        (first.max(second) + 0.05) / (first.min(second) + 0.05)
    }

    fn lab(color: &Linear) -> Linear {
        let scaled = |row: [f64; 3], white: f64| {
            let value = dot(&row, color) / white;
            if value > 0.008856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 }
        };
        let x = scaled([0.4124, 0.3576, 0.1805], 0.9505);
        let y = scaled([0.2126, 0.7152, 0.0722], 1.0);
        let z = scaled([0.0193, 0.1192, 0.9505], 1.089);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn grounds() -> impl Iterator<Item = (String, &'static GroundColors)> {
        let regions =
            REGIONS.iter().enumerate().map(|(index, colors)| (crate::Diagram::region_label(index), colors));
        [("plain".to_owned(), &PLAIN), ("barrier".to_owned(), &BARRIER)].into_iter().chain(regions)
    }

    #[test]
    fn every_reader_tells_the_grounds_apart() {
        // Ten is several times the difference that a trained eye just notices side by side.
        const LEAST: f64 = 10.0;
        for (sight, matrix) in SIGHTS {
            for half in [|colors: &GroundColors| colors.light, |colors: &GroundColors| colors.dark] {
                let seen: Vec<_> = grounds()
                    .map(|(name, colors)| {
                        let color = linear(half(colors));
                        (name, lab(&matrix.map(|row| dot(&row, &color).clamp(0.0, 1.0))))
                    })
                    .collect();
                for (index, (first, a)) in seen.iter().enumerate() {
                    for (second, b) in &seen[index + 1..] {
                        let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        assert!(apart >= LEAST, "{first} and {second} are {apart:.1} apart in {sight}");
                    }
                }
            }
        }
    }

    #[test]
    fn light_and_dark_squares_differ_in_grey() {
        for (name, colors) in grounds() {
            let (light, dark) = (luminance(&linear(colors.light)), luminance(&linear(colors.dark)));
            assert!(light > dark && contrast(light, dark) >= 1.28, "{name}: {light:.3} and {dark:.3}");
        }
    }

    #[test]
    fn the_first_two_regions_differ_in_grey() {
        let [first, second] = [&REGIONS[0], &REGIONS[1]];
        let brightest = luminance(&linear(first.light));
        let darkest = luminance(&linear(second.dark));
        assert!(darkest > brightest, "{darkest:.3} and {brightest:.3}");
    }

    #[test]
    fn letters_are_readable_on_their_region() {
        for (index, colors) in REGIONS.iter().enumerate() {
            let ink = luminance(&linear(colors.ink));
            for ground in [colors.light, colors.dark] {
                let ratio = contrast(ink, luminance(&linear(ground)));
                assert!(ratio >= 4.5, "region {index}: {ratio:.2} on {ground}");
            }
        }
    }

    #[test]
    fn marks_stand_out_from_their_casing() {
        for color in [ARROW, ASKED_ARROW, HIGHLIGHT, REACH, FRAME] {
            assert!(contrast(luminance(&linear(color)), luminance(&linear(CASING))) >= 4.5, "{color}");
        }
    }

    /// Luminance of an index of the 256-colour palette.
    fn terminal_luminance(index: u8) -> f64 {
        let channels = match index {
            16..=231 => {
                let step = |level: u8| if level == 0 { 0 } else { 55 + 40 * level };
                let cube = index - 16;
                [step(cube / 36), step(cube / 6 % 6), step(cube % 6)]
            }
            232..=255 => [8 + 10 * (index - 232); 3],
            _ => panic!("colour {index} is chosen by the theme"),
        };
        luminance(&channels.map(|channel| decode(f64::from(channel) / 255.0)))
    }

    #[test]
    fn white_and_black_are_readable_on_every_terminal_ground() {
        for TerminalGround { light, dark } in
            [&TERMINAL_PLAIN, &TERMINAL_BARRIER].into_iter().chain(&TERMINAL_REGIONS)
        {
            let (light, dark) = (terminal_luminance(*light), terminal_luminance(*dark));
            assert!(light > dark, "{light:.3} and {dark:.3}");
            for ground in [light, dark] {
                assert!(contrast(1.0, ground) >= 2.6 && contrast(0.0, ground) >= 2.6, "{ground:.3}");
            }
            let [white, black] = [WHITE, BLACK].map(terminal_luminance);
            assert!(contrast(black, light) >= 4.0 && contrast(white, dark) >= 4.0, "{light:.3} {dark:.3}");
        }
    }
}
