//! Colours.
//!
//! The hues follow the set of Okabe and Ito ("Color Universal Design", 2008),
//! which readers with any of the common colour deficiencies can tell apart.
//! Neighbours in the list differ in brightness too, so that regions stay apart
//! in grey; beyond that every region carries its letter.

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
const REGIONS: [GroundColors; 7] = [
    GroundColors { light: "#94bfe0", dark: "#639ccb", ink: "#003a63" },
    GroundColors { light: "#f9d793", dark: "#ebb552", ink: "#5f3b00" },
    GroundColors { light: "#e3b3cd", dark: "#cb86ac", ink: "#641a43" },
    GroundColors { light: "#92d3bb", dark: "#57b596", ink: "#004632" },
    GroundColors { light: "#f7f1a6", dark: "#e4da66", ink: "#4c4600" },
    GroundColors { light: "#eda985", dark: "#db8050", ink: "#652500" },
    GroundColors { light: "#c6e6f9", dark: "#98d0f1", ink: "#0a4a70" },
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
/// Arrows.
pub(crate) const ARROW: &str = "#b3261e";
/// Frames of highlighted squares.
pub(crate) const HIGHLIGHT: &str = "#7a1fa2";
/// Marks of a reach.
pub(crate) const REACH: &str = "#1d2733";
/// What separates marks from the ground below them.
pub(crate) const CASING: &str = "#ffffff";
