//! Enrollment services for the certificate authorities of `tagwise-ca`: [`Est`] (RFC 7030), [`Scep`] (RFC 8894) and [`Cmp`]
//! (RFC 9810), and a time stamp authority, [`Tsp`] (RFC 3161).
//!
//! Each [`Service`] answers HTTP requests without opening connections. All state is in the CA's database: several servers
//! can share it, and each can finish what another began.
//!
//! A [`Policy`] grants names, profiles and protocols to clients. Clients authenticate with a certificate of the
//! CA or with a [`secret`]. Each name in a certificate must be allowed for the client that requests it.
//!
//! ```
//! use std::sync::Arc;
//! use tagwise_ca::{Authority, Definition, Founding, Protection, SqliteStore, Urls};
//! use tagwise_crypto::{Backend, KeyType, backends::AwsLc};
//! use tagwise_enroll::{Enrollment, Est, Policy, Request, Service};
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
//! let policy = Policy::from_toml("[[grants]]\nname = 'servers'\nprofile = 'server'\ndns = ['example.org']")?;
//! let profiles = vec![Arc::new(Definition::new("server"))];
//! let est = Est::new(Enrollment::new(authority, signer, &BACKEND, policy, profiles)?);
//!
//! let request = Request { method: "GET", path: "/.well-known/est/cacerts", ..Request::default() };
//! let response = est.answer(&mut store, &request, UnixTime(1_790_000_000));
//! assert_eq!((response.status, response.content_type), (200, "application/pkcs7-mime"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod cmp;
mod est;
mod http;
mod issue;
mod policy;
mod present;
mod records;
mod refusal;
pub mod requests;
mod scep;
pub mod secret;
mod service;
#[cfg(test)]
mod tests;
mod tsp;

pub use cmp::Cmp;
pub use est::Est;
pub use http::{Report, Request, Response, Service};
pub use policy::{Approval, Grant, Policy, Protocol};
pub use scep::Scep;
pub use service::Enrollment;
pub use tsp::{Tsp, TspOptions};
