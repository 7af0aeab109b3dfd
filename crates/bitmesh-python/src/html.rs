//! HTML for notebooks.

use std::fmt::Write as _;

use bitmesh_diagram::escape_xml;

/// How a verdict looks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Look {
    /// Something holds for the position.
    Holds,
    /// Something holds for the board alone.
    BoardOnly,
    /// Neither side can ever give mate.
    Dead,
    /// Nothing is claimed.
    Nothing,
}

impl Look {
    /// Background and text; both are read well on light and dark pages.
    const fn colors(self) -> (&'static str, &'static str) {
        match self {
            Self::Holds => ("#1a7f37", "#ffffff"),
            Self::BoardOnly => ("#b35900", "#ffffff"),
            Self::Dead => ("#24292f", "#ffffff"),
            Self::Nothing => ("#d0d7de", "#24292f"),
        }
    }
}

/// A picture with its verdict and a caption.
///
/// The picture is an image of its own, so that names inside it meet no others on the page.
pub(crate) fn figure(svg: &str, description: &str, look: Look, verdict: &str, caption: &str) -> String {
    let (background, text) = look.colors();
    format!(
        "<figure style=\"margin:0\"><img alt=\"{}\" src=\"data:image/svg+xml,{}\"/>\
         <figcaption><strong style=\"background:{background};color:{text};padding:0.1em 0.5em;border-radius:0.3em\">\
         {}</strong> {}</figcaption></figure>",
        escape_xml(description),
        percent_encode(svg),
        escape_xml(verdict),
        escape_xml(caption)
    )
}

/// A text as part of a URL.
fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 3 / 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b'/'
            | b':'
            | b'='
            | b','
            | b'('
            | b')' => {
                encoded.push(char::from(byte));
            }
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}
