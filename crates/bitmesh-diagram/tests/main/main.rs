//! Drawings as their readers get them.

mod picture;
mod samples;
mod svg;
mod text;
