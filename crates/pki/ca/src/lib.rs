//! A certificate authority based on a database: issuance, revocation, CRLs and OCSP, without data loss.
//!
//! An [`Authority`] is a certificate and key in a [`Store`]. Its methods take the store and a signer as parameters. The
//! store guarantees consistency even if the process is killed or several instances run: certificates are committed before
//! publication, serial numbers are unique, and CRL numbers increase. This crate does not depend on a crypto backend,
//! prompt for passphrases or print.
//!
//! ```
//! use std::time::Duration;
//!
//! use tagwise_ca::{AltName, Authority, Founding, Order, Profile, Protection, Restrictions, SqliteStore, Urls};
//! use tagwise_crypto::{Backend, KeyType, backends::AwsLc};
//! use tagwise_pkix::{UnixTime, ext::CrlReason, name::NameBuf};
//!
//! let backend = AwsLc::new();
//! let now = UnixTime(1_790_000_000);
//! let day = Duration::from_secs(86_400);
//! let mut store = SqliteStore::in_memory()?;
//! let founding = Founding {
//!     label: "root",
//!     subject: NameBuf::parse("CN=Example Root,O=Example")?,
//!     key_identifier: None,
//!     not_before: now,
//!     not_after: now.saturating_add(3650 * day),
//!     path_len: None,
//!     urls: Urls::default(),
//!     pss: false,
//! };
//! let root = backend.generate(KeyType::Ed25519)?;
//! let authority = Authority::found(&mut store, &backend, &root, &founding, &Protection::passphrase(b"correct horse"))?;
//! let signer = authority.unlock(&backend, Some(b"correct horse"))?;
//!
//! let server = backend.generate(KeyType::P256)?;
//! let order = Order {
//!     subject: NameBuf::parse("CN=www.example.org")?,
//!     names: vec![AltName::dns("www.example.org")?],
//!     public_key: server.public_key_info(),
//!     key_identifier: None,
//!     restrictions: Restrictions::default(),
//!     profile: Profile::Server,
//!     not_before: now,
//!     not_after: now.saturating_add(90 * day),
//! };
//! let issued = authority.issue(&mut store, &backend, &signer, &order, now)?;
//! authority.revoke(&mut store, &issued.serial, CrlReason::Superseded, None, now.saturating_add(day))?;
//! let crl = authority.crl(&mut store, &signer, now.saturating_add(day), now.saturating_add(8 * day))?;
//! assert_eq!((crl.number, crl.entries), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    not(any(feature = "sqlite", feature = "postgres")),
    allow(dead_code, reason = "some parts are for databases alone")
)]

mod audit;
mod authority;
mod clock;
mod compromise;
mod crl;
mod definition;
mod error;
mod form;
mod found;
mod identity;
mod import;
mod index;
mod issuance_log;
mod issue;
mod known;
mod logs;
mod names;
mod ocsp;
mod partition;
mod profile;
mod rekey;
mod renew;
mod request;
mod restrictions;
mod scheme;
mod serial;
mod series;
#[cfg(feature = "serve")]
pub mod serve;
pub mod store;
mod summary;
mod takeover;
mod transparency;

pub use audit::Audit;
pub use authority::{Authority, Protection, Urls};
pub use clock::Now;
pub use compromise::comparable_key;
pub use crl::{IndirectScope, IssuedCrl};
pub use definition::{CopiedExtension, Definition, KeyRule, Policy, Subtree};
pub use error::Error;
pub use found::{Adoption, Founding, NewAuthority};
pub use identity::Identity;
pub use import::{Counts, Difference, Import, Sources, Takeover};
pub use index::Index;
pub use issuance_log::{IssuanceLog, LogCertificate};
pub use issue::{Issued, Order, Prepared, check_subject};
pub use known::KnownCrls;
pub use logs::{CtLog, Transparency};
pub use names::{AltName, NameKind};
pub use ocsp::{Answer, OcspOptions, PreparedResponse, Responder};
pub use profile::Profile;
pub use rekey::Rekeying;
pub use request::{NotTaken, Requested, check_request};
pub use restrictions::Restrictions;
pub use serial::Serial;
pub use store::Store;
pub use store::documents::{Document, Documents};
#[cfg(feature = "postgres")]
pub use store::postgres::PostgresStore;
pub use store::records::{Record, Records, Row};
#[cfg(feature = "sqlite")]
pub use store::sqlite::{Restoring, SqliteOptions, SqliteStore, Synchronous};
pub use summary::describe;
pub use takeover::LastCrl;
pub use transparency::{LoggedCertificate, Submit};
