//! The shape of a FEN among other texts.

use bitmesh::looks_like_placement;

/// Whether a text has the shape of a FEN: a placement and a side to move, two to four more fields.
pub(crate) fn is_fen(text: &str) -> bool {
    let mut fields = text.split_ascii_whitespace();
    fields.next().is_some_and(looks_like_placement)
        && matches!(fields.next(), Some("w" | "b"))
        && (2..=4).contains(&fields.clone().count())
        && fields.skip(2).all(|counter| counter == "-" || counter.bytes().all(|byte| byte.is_ascii_digit()))
}
