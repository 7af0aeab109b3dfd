//! Sets of squares: steps, runs, regions, and the names of regions.

pub(crate) mod partition;
pub(crate) mod region;
pub(crate) mod root;
pub(crate) mod shift;
pub(crate) mod steps;
