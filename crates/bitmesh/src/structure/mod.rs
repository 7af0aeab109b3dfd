//! Layer 1: locked pawns as a barrier, and the regions on its sides.

pub(crate) mod barrier;
pub(crate) mod binding;
pub(crate) mod certificate;
pub(crate) mod comparison;
pub(crate) mod composition;
pub(crate) mod producers;
