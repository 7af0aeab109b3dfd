//! Colours and pieces as a style sheet, for boards that a page draws itself.

use std::fmt::Write as _;

use bitmesh::role_name;
use bitmesh::shakmaty::{Color, Piece, Role};

use crate::diagram::{Diagram, Ground, color_name};
use crate::palette;
use crate::svg::figure_svg;

/// As many regions as a reader could tell apart by their letters.
const LETTERS: usize = 26;

/// The colours of the grounds, the letters of the regions and the pieces, as CSS.
///
/// For elements with these classes:
///
/// - `ground-plain`, `ground-barrier` and `ground-0` to `ground-6`, together with `light` or `dark`: the colours of a
///   square; region *n* has the ground *n* modulo 7.
/// - `letter-0` to `letter-25`: the letter of a region, as the content of `::after`.
/// - `white` or `black` together with `pawn`, `knight`, `bishop`, `rook`, `queen` or `king`: the piece, as background.
///
/// The root has the colours of marks: `--mark-arrow`, `--mark-highlight`, `--mark-reach`, `--mark-casing`. Pieces are
/// `data:` addresses: the sheet loads nothing.
///
/// ```
/// let css = bitmesh_diagram::board_css();
/// assert!(css.contains(".ground-0.light{background-color:#86b0f4"));
/// assert!(css.contains(".letter-1::after{content:\"B\"}"));
/// assert!(css.contains(".white.king{background-image:url(\"data:image/svg+xml,"));
/// ```
#[must_use]
pub fn board_css() -> String {
    let mut out = format!(
        ":root{{--mark-arrow:{};--mark-highlight:{};--mark-reach:{};--mark-casing:{}}}\n",
        palette::ARROW,
        palette::HIGHLIGHT,
        palette::REACH,
        palette::CASING
    );
    let regions = (0..palette::REGION_COUNT).map(|index| (index.to_string(), Ground::Region(index)));
    let grounds = [("plain".to_owned(), Ground::Plain), ("barrier".to_owned(), Ground::Barrier)];
    for (name, ground) in grounds.into_iter().chain(regions) {
        let colors = palette::picture(ground);
        for (half, color) in [("light", colors.light), ("dark", colors.dark)] {
            let _ = writeln!(out, ".ground-{name}.{half}{{background-color:{color};color:{}}}", colors.ink);
        }
    }
    for index in 0..LETTERS {
        let _ = writeln!(out, ".letter-{index}::after{{content:\"{}\"}}", Diagram::region_label(index));
    }
    for color in Color::ALL {
        for role in Role::ALL {
            let svg = encoded(&figure_svg(Piece { color, role }));
            let (color, role) = (color_name(color, false), role_name(role));
            let _ = writeln!(out, ".{color}.{role}{{background-image:url(\"data:image/svg+xml,{svg}\")}}");
        }
    }
    out
}

/// The characters in our drawings that an address in quotes cannot hold.
fn encoded(svg: &str) -> String {
    svg.replace('"', "'").replace('#', "%23").replace('<', "%3C").replace('>', "%3E")
}

#[cfg(test)]
mod tests {
    use super::board_css;

    #[test]
    fn the_sheet_has_every_ground_and_piece_once_and_loads_nothing() {
        let css = board_css();
        assert_eq!(css.matches("background-image").count(), 12);
        assert_eq!(css.matches(".ground-").count(), 2 * 9);
        for address in css.split("url(\"").skip(1) {
            let address = address.split("\")").next().unwrap();
            assert!(address.starts_with("data:image/svg+xml,%3Csvg"), "{address}");
            assert!(!address.contains(['"', '#', '<', '>', '\n']), "{address}");
        }
    }
}
