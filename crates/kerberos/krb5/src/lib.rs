//! Kerberos: messages, cryptography, keytabs, credential caches, and a sans-I/O client.
//!
//! [`messages`] and related modules are generated from the standards' schemas and decode strictly. [`rules`] tolerates
//! known deviations of other implementations individually. [`crypto`] contains the encryption types.
//!
//! The feature `messages`, on by default, includes everything except [`Principal`] and [`numbers`].
//!
//! ```
//! # #[cfg(feature = "messages")] {
//! use tagwise_codec::{Decode, encode};
//! use tagwise_krb5::messages::Checksum;
//! //           SEQUENCE   [0] INTEGER 16           [1] OCTET STRING
//! let der = b"\x30\x0d\xa0\x03\x02\x01\x10\xa1\x06\x04\x04\x01\x02\x03\x04";
//! let checksum = Checksum::from_der(der)?;
//! assert_eq!((checksum.cksumtype, checksum.checksum.as_bytes()), (16, &[1, 2, 3, 4][..]));
//! assert_eq!(encode(&checksum)?, der);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "pkinit")]
pub mod agreement;
#[cfg(feature = "messages")]
mod auth_data;
#[cfg(feature = "messages")]
mod bin;
#[cfg(feature = "messages")]
pub mod cache;
#[cfg(feature = "pcap")]
pub mod capture;
#[cfg(feature = "messages")]
mod ccache;
#[cfg(feature = "messages")]
pub mod client;
#[cfg(feature = "messages")]
pub mod conf;
#[cfg(feature = "messages")]
pub mod crypto;
#[cfg(feature = "messages")]
mod environment;
#[cfg(feature = "messages")]
pub mod flags;
#[cfg(feature = "messages")]
#[allow(dead_code, unreachable_pub, reason = "of some modules only the types are re-exported")]
mod r#gen;
#[cfg(feature = "messages")]
pub mod gss;
#[cfg(feature = "messages")]
mod keytab;
#[cfg(feature = "messages")]
mod kind;
pub mod numbers;
#[cfg(feature = "messages")]
pub mod open;
#[cfg(feature = "messages")]
pub mod pac;
#[cfg(feature = "messages")]
mod pkinit_open;
mod principal;
#[cfg(feature = "messages")]
pub mod rules;
#[cfg(feature = "show")]
pub mod show;
#[cfg(feature = "messages")]
pub mod spake;
#[cfg(feature = "messages")]
mod summary;
#[cfg(feature = "messages")]
mod time;
#[cfg(feature = "messages")]
pub mod types;
#[cfg(feature = "messages")]
mod uint32;

#[cfg(feature = "messages")]
pub use auth_data::{Element as AuthDataElement, elements as auth_data_elements};
#[cfg(feature = "messages")]
pub use bin::FileError;
#[cfg(feature = "messages")]
pub use ccache::{Ccache, Credential};
#[cfg(feature = "messages")]
pub use environment::{Environment, EnvironmentError, Files};
#[cfg(feature = "messages")]
pub use flags::KerberosFlags;
#[cfg(feature = "messages")]
pub use keytab::{Keytab, KeytabEntry};
#[cfg(feature = "messages")]
pub use kind::{IAKERB_MECH, KRB5_MECH, KRB5_MECH_MS, KerberosKind, SPNEGO_MECH, Token};
pub use principal::{Principal, PrincipalError};
#[cfg(feature = "messages")]
pub use summary::summary;
#[cfg(feature = "messages")]
pub use time::KerberosTime;
#[cfg(feature = "messages")]
pub use uint32::UInt32;

#[cfg(feature = "messages")]
pub use r#gen::{
    cammac, fast, kerberos as messages, microsoft, mit, otp, pkinit, pkinit_agility, spake as spake_messages, spnego,
};
