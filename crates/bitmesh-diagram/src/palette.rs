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
