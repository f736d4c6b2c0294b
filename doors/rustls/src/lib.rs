//! Certificate verifiers for rustls, based on [`tagwise_path`].
//!
//! - [`ServerVerifier`] is a [`ServerCertVerifier`](rustls::client::danger::ServerCertVerifier), for clients.
//! - [`ClientVerifier`] is a [`ClientCertVerifier`](rustls::server::danger::ClientCertVerifier), for servers.
//!
//! Both build and validate paths like [`tagwise_path::verify`], with a [`Policy`](tagwise_path::Policy) that contains
//! rules, budgets and revocation evidence. A rejection becomes the error with the matching TLS alert. A callback can
//! receive the complete [`Report`](tagwise_path::Report) for logging.
//!
//! Certificate signatures are verified by a [`tagwise_path::Verifier`], and handshake signatures by the algorithms of
//! rustls's provider. Certificates are decoded only by Tagwise.
//!
//! This crate does not access the network: CRLs are part of the policy, and OCSP responses are stapled by the server.
#![forbid(unsafe_code)]

mod client;
mod error;
mod handshake;
mod judge;
mod server;

pub use client::ClientVerifier;
pub use error::certificate_error;
pub use handshake::Handshake;
pub use judge::Judge;
pub use server::ServerVerifier;
