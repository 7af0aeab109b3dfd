//! Drawings as their readers get them.

mod gallery_page;
mod picture;
mod results;
mod samples;
mod svg;
mod text;
