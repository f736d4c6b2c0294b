//! An ACME server (RFC 8555) for the certificate authorities of `tagwise-ca`.
//!
//! [`Acme`] is a CA with a [`Policy`], and [`serve`] answers HTTP requests for it. All state is in the CA's database:
//! several servers can share it, and each can finish what another began. It validates identifiers with `http-01`,
//! `dns-01` and `tls-alpn-01` (RFC 8737), DNS names as well as IP addresses (RFC 8738), and checks CAA records (RFC 8659,
//! RFC 8657). It provides renewal information (RFC 9773) and certificate profiles. If the CA has a log
//! ([`tagwise_ca::IssuanceLog`]), each profile has a counterpart for Merkle Tree Certificates, whose name ends in `-mtc`.
//!
//! ```
//! use std::sync::Arc;
//! use tagwise_acme::{Acme, NamedProfile, Policy};
//! use tagwise_ca::{Authority, Definition, Founding, Protection, SqliteStore, Urls};
//! use tagwise_crypto::{Backend, KeyType, backends::AwsLc};
//! use tagwise_pkix::{UnixTime, name::NameBuf};
//!
//! static BACKEND: AwsLc = AwsLc::new();
//! let mut store = SqliteStore::in_memory()?;
//! let founding = Founding {
//!     label: "ca",
//!     subject: NameBuf::parse("CN=Example Root")?,
//!     key_identifier: None,
//!     not_before: UnixTime(1_790_000_000),
//!     not_after: UnixTime(1_890_000_000),
//!     path_len: None,
//!     urls: Urls::default(),
//!     pss: false,
//! };
//! let key = BACKEND.generate(KeyType::P256)?;
//! let authority = Authority::found(&mut store, &BACKEND, &key, &founding, &Protection::Clear)?;
//! let signer = Arc::new(authority.unlock(&BACKEND, None)?);
//! let policy = Policy::from_toml("dns = ['example.org']")?;
//! let definition = Arc::new(Definition::new("server"));
//! let profile = NamedProfile { name: "server".to_owned(), description: "TLS servers".to_owned(), definition };
//! let acme = Acme::new(authority, signer, &BACKEND, policy, vec![profile], "https://ca.example.org")?;
//! assert_eq!(acme.directory_url(), "https://ca.example.org/directory");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod account;
pub mod accounts;
mod algorithm;
mod authorization;
mod chain;
mod counters;
pub mod external;
mod issue;
mod jws;
mod mtc;
mod order;
mod permission;
mod policy;
mod problem;
mod profile;
mod records;
mod reply;
mod revoke;
mod routes;
mod server;
mod service;
#[cfg(test)]
mod tests;
mod validate;

pub use chain::alternate_chains;
pub use counters::Counters;
pub use policy::{Caa, ChallengeType, Policy, Range};
pub use problem::{Identifier, Kind, Problem};
pub use profile::{NamedProfile, offered_profiles};
pub use reply::Report;
pub use server::{Server, serve};
pub use service::Acme;
pub use tagwise_serve::http::{Limits, Transport};
