//! Bitmesh over HTTP: the answers of the library as the JSON documents of the command, and a page that shows them.
//!
//! The server decides nothing about chess. It reads a request within its [`Limits`], has the library answer on a
//! thread of its pool, and sends the document. `docs/server.md` has the paths, the bounds and the codes.
//!
//! ```no_run
//! use bitmesh_server::{Bound, Options};
//!
//! let server = Bound::new(Options::default())?;
//! let address = server.address();
//! server.run(|| println!("http://{address}/"), std::future::pending())?;
//! # Ok::<(), bitmesh_server::ServeError>(())
//! ```

#![forbid(unsafe_code)]

mod answer;
mod api;
mod body;
mod connections;
mod guard;
mod limits;
mod message;
mod metrics;
mod openapi;
mod options;
mod page;
mod picture;
mod pool;
mod problem;
mod scan;
mod server;
mod shared;

pub use crate::limits::Limits;
pub use crate::options::Options;
pub use crate::server::{Bound, ServeError};
