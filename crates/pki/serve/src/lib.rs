//! The core of Tagwise's servers: bounded connections with eviction of idle ones, and HTTP with deadlines and TLS.
//!
//! [`Connections`] is a bounded set of slots. When all are taken, the connection that has been idle longest is closed
//! to admit a new client, so that silent clients cannot deny service. The feature `http` accepts TCP connections, and
//! limits all client input: header size, time to receive it and lifetime. Callers provide the answers. The feature `tls`
//! adds TLS with exchangeable certificates, client certificates, and HTTP/2.
//!
//! The crate is internal to Tagwise: its API may change in any release.
#![forbid(unsafe_code)]

mod connections;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "tls")]
pub mod tls;

pub use connections::{Busy, ConnectionSlot, Connections};
