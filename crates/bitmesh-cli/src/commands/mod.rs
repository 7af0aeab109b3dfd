//! One module for each subcommand: its arguments and what it does.

pub(crate) mod audit;
pub(crate) mod certify;
mod collection;
pub(crate) mod completions;
pub(crate) mod decide;
pub(crate) mod draw;
pub(crate) mod prove;
pub(crate) mod scan;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod verify;
