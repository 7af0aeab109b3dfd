//! The blanks of a game.

/// Blanks and line ends; other control characters, such as the end mark of old systems, count as such.
pub(super) const fn is_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}
