//! RADIUS (RFC 2865, RFC 2869) as a KDC speaks it when it has a one-time password checked.

mod packet;
mod server;

pub use packet::{Malformed, Reply, Request};
pub use server::{Server, ServerLimits};
