//! RADIUS (RFC 2865, RFC 2869), the subset that a KDC uses to check one-time passwords.

mod ask;
mod client;
mod packet;
mod server;

pub use ask::{AccessRequest, BadReply, Unsendable};
pub use client::{AskError, Asking};
pub use packet::{Malformed, Reply, Request};
pub use server::{Server, ServerLimits};
