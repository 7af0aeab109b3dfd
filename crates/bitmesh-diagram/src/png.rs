//! Diagrams as PNG: the SVG, rasterised.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

use crate::diagram::Diagram;
use crate::line::Strip;
use crate::svg::{accessible_title, render_strip_svg, render_svg, strip_size};

/// Why a picture could not be made into pixels.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The drawing could not be read back.
    #[error("drawing could not be rasterised")]
    Rasterise(#[source] resvg::usvg::Error),
    /// The pixels do not fit into memory.
    #[error("not enough memory for a picture of {pixels} by {pixels} pixels")]
    Allocate {
        /// Width and height of the picture.
        pixels: u32,
    },
    /// The pixels could not be encoded.
    #[error("picture could not be encoded")]
    Encode(#[source] png::EncodingError),
}

impl PngError {
    /// A stable name of the failure, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rasterise(_) => "diagram/rasterise",
            Self::Allocate { .. } => "diagram/allocate",
            Self::Encode(_) => "diagram/encode",
        }
    }
}

/// Draws a diagram as one PNG file of [`Diagram::size`] pixels in both directions.
///
/// It is the picture of [`render_svg`], with the title and the description as the text chunks
/// `Title` and `Description`.
///
/// # Errors
///
/// When the pixels do not fit into memory; every diagram has a drawing.
///
/// ```
/// use bitmesh::shakmaty::Board;
/// use bitmesh_diagram::{Diagram, render_png};
///
/// let png = render_png(&Diagram::new(Board::new()))?;
/// assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
/// # Ok::<(), bitmesh_diagram::PngError>(())
/// ```
pub fn render_png(diagram: &Diagram) -> Result<Vec<u8>, PngError> {
    let pixels = diagram.size.pixels();
    let pixmap = rasterise(&render_svg(diagram), (pixels, pixels))?;
    let title = accessible_title(&diagram.title);
    encode(title, diagram.description(), &pixmap).map_err(PngError::Encode)
}

/// Draws boards beside each other as one PNG file: the picture of [`render_strip_svg`].
///
/// # Errors
///
/// When the pixels do not fit into memory, or there is no board.
pub fn render_strip_png(strip: &Strip) -> Result<Vec<u8>, PngError> {
    let pixmap = rasterise(&render_strip_svg(strip), strip_size(strip))?;
    let title = accessible_title(&strip.title);
    encode(title, strip.description(), &pixmap).map_err(PngError::Encode)
}

fn rasterise(svg: &str, (width, height): (u32, u32)) -> Result<Pixmap, PngError> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(PngError::Rasterise)?;
    let mut pixmap = Pixmap::new(width, height).ok_or(PngError::Allocate { pixels: width.max(height) })?;
    resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
    Ok(pixmap)
}

fn encode(title: String, description: String, pixmap: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    // Every pixel lies on the paper, so none is transparent.
    let colors: Vec<u8> =
        pixmap.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.add_itxt_chunk("Title".to_owned(), title)?;
    encoder.add_itxt_chunk("Description".to_owned(), description)?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&colors)?;
    writer.finish()?;
    Ok(bytes)
}
