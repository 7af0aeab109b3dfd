//! Chess positions with their regions, drawn.
//!
//! A [`Diagram`] says what is drawn; a renderer turns it into text for a
//! terminal. Nothing here decides whether a claim holds.
#![forbid(unsafe_code)]

mod diagram;
mod palette;
mod text;

pub use crate::diagram::{Arrow, Barrier, BarrierKind, Diagram, Reach, Region, Size, SizeError};
pub use crate::text::{Pieces, TextStyle, render_text};
