//! How a server is started.

use std::net::{Ipv4Addr, SocketAddr};

use crate::limits::Limits;

/// How a server is started.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The address to listen at; by default 127.0.0.1, port 8630.
    pub address: SocketAddr,
    /// Names by which the server is reached, besides those of the loopback address.
    pub hosts: Vec<String>,
    /// Origins whose pages may ask, such as `https://club.example`; none by default.
    pub origins: Vec<String>,
    /// The bounds.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 8630));
        Self { address, hosts: Vec::new(), origins: Vec::new(), limits: Limits::default() }
    }
}
