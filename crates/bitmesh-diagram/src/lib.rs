//! Chess positions with their regions, drawn.
//!
//! A [`Diagram`] says what is drawn; a renderer turns it into text for a
//! terminal, SVG or PNG. Nothing here decides whether a claim holds.
#![forbid(unsafe_code)]

mod diagram;
mod glyphs;
mod layout;
mod palette;
mod pieces;
mod png;
mod results;
mod svg;
mod text;

pub use crate::diagram::{Arrow, Barrier, BarrierKind, Diagram, Reach, Region, Size, SizeError};
pub use crate::png::{PngError, render_png};
pub use crate::results::ReachError;
pub use crate::svg::render_svg;
pub use crate::text::{Pieces, TextStyle, render_text};
