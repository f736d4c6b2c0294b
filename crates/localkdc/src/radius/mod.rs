//! RADIUS (RFC 2865, RFC 2869) as a KDC speaks it when it has a one-time password checked.

mod ask;
mod client;
mod packet;
mod server;

pub use ask::{AccessRequest, BadReply, Unsendable};
pub use client::{AskError, Asking};
pub use packet::{Malformed, Reply, Request};
pub use server::{Server, ServerLimits};
