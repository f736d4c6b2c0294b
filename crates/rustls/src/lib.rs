//! Certificate verifiers for rustls over [`tagwise_path`].
//!
//! - [`ServerVerifier`] is a [`ServerCertVerifier`](rustls::client::danger::ServerCertVerifier): for clients.
//! - [`ClientVerifier`] is a [`ClientCertVerifier`](rustls::server::danger::ClientCertVerifier): for servers.
//!
//! Both build and validate paths as [`tagwise_path::verify`] does, by a [`Policy`](tagwise_path::Policy) with its rules, budgets
//! and revocation evidence. A refusal becomes the error whose TLS alert fits; the whole [`Report`](tagwise_path::Report) goes to
//! a callback, for logs.
//!
//! Signatures of certificates are checked by a [`tagwise_path::Verifier`], those of handshakes by the algorithms of rustls's
//! provider. The certificates are read by Tagwise alone.
//!
//! This crate fetches nothing: CRLs are part of the policy, OCSP responses are stapled by the server.
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
