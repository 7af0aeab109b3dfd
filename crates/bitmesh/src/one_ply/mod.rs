//! Layer 2: no next move of either side crosses or breaks the barrier.

pub(crate) mod board_screen;
pub(crate) mod position_proof;
pub(crate) mod producers;
pub(crate) mod screen;
