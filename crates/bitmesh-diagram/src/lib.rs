//! Chess positions with their regions, drawn.
//!
//! A [`Diagram`] says what is drawn: a board, what separates its regions, the regions with their letters, the reach of
//! one piece, arrows and frames. [`Diagram::structure`], [`Diagram::one_ply`] and [`Diagram::persistent`] fill one from
//! the results of a layer. [`render_svg`], [`render_png`] and [`render_text`] draw it.
//!
//! A drawing shows squares. What they claim, and where the claim ends, belongs to the result that they come
//! from; nothing here decides whether a claim holds.
//!
//! ```
//! use bitmesh_diagram::{Diagram, TextStyle, render_svg, render_text};
//!
//! let reading = bitmesh::read_position("7k/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/K7 w - - 0 1")?;
//! let diagram = Diagram::one_ply(&reading.input);
//! assert!(render_svg(&diagram).contains("One ply: accepted, 2 regions</title>"));
//! assert!(render_text(&diagram, &TextStyle::default()).ends_with("B: 28 squares, kh8\n"));
//! # Ok::<(), bitmesh::ReadPositionError>(())
//! ```
#![forbid(unsafe_code)]

mod css;
mod diagram;
mod glyphs;
mod layer;
mod layout;
mod line;
mod palette;
mod pieces;
#[cfg(feature = "png")]
mod png;
mod results;
mod svg;
mod text;
mod xml;

pub use crate::css::board_css;
pub use crate::diagram::{
    Arrow, Barrier, BarrierKind, Diagram, NotAnArrow, NumberedArrow, Reach, Region, Size, SizeError,
};
pub use crate::layer::{Layer, LayerError, UnknownLayer};
pub use crate::line::{LineTooLong, Strip};
#[cfg(feature = "png")]
pub use crate::png::{PngError, render_png, render_strip_png};
pub use crate::results::ReachError;
pub use crate::svg::{render_strip_svg, render_svg};
pub use crate::text::{Pieces, TextStyle, render_text};
pub use crate::xml::escape_xml;
