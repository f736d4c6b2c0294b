//! The core of Tagwise's servers: bounded connections, of which the idle ones make room, and HTTP/1.1 with deadlines.
//!
//! [`Connections`] is a number of places. When all are taken, the connection that has been idle longest makes room for a new client,
//! so that clients that connect and send nothing deny service to nobody. `http` (a feature) accepts TCP connections, and limits
//! everything that a client decides: heads, time and lifetime. What requests are answered with is the caller's.
#![forbid(unsafe_code)]

mod connections;
#[cfg(feature = "http")]
pub mod http;

pub use connections::{Busy, Connections, Place};
