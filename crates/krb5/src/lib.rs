//! Kerberos: messages, cryptography, keytabs and credential caches, and a client without sockets.
//!
//! [`messages`] and its neighbours are made from the schemas of the standards and read strictly; what real peers write beside them is
//! tolerated by [`rules`], one by one. [`crypto`] has the encryption types.
//!
//! ```
//! use tagwise_codec::{Decode, encode};
//! use tagwise_krb5::messages::Checksum;
//! //           SEQUENCE   [0] INTEGER 16           [1] OCTET STRING
//! let der = b"\x30\x0d\xa0\x03\x02\x01\x10\xa1\x06\x04\x04\x01\x02\x03\x04";
//! let checksum = Checksum::from_der(der)?;
//! assert_eq!((checksum.cksumtype, checksum.checksum.as_bytes()), (16, &[1, 2, 3, 4][..]));
//! assert_eq!(encode(&checksum)?, der);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "pkinit")]
pub mod agreement;
mod auth_data;
mod bin;
pub mod cache;
#[cfg(feature = "pcap")]
pub mod capture;
mod ccache;
pub mod client;
pub mod conf;
pub mod crypto;
mod environment;
pub mod flags;
#[allow(dead_code, unreachable_pub, reason = "of some modules only the types are re-exported")]
mod r#gen;
pub mod gss;
mod keytab;
mod kind;
pub mod numbers;
pub mod open;
pub mod pac;
mod pkinit_open;
mod principal;
pub mod rules;
#[cfg(feature = "show")]
pub mod show;
pub mod spake;
mod summary;
mod time;
pub mod types;
mod uint32;

pub use auth_data::{Element as AuthDataElement, elements as auth_data_elements};
pub use bin::FileError;
pub use ccache::{Ccache, Credential};
pub use environment::{Environment, EnvironmentError, Files};
pub use flags::KerberosFlags;
pub use keytab::{Keytab, KeytabEntry};
pub use kind::{IAKERB_MECH, KRB5_MECH, KRB5_MECH_MS, Kind, SPNEGO_MECH, Token};
pub use principal::{Principal, PrincipalError};
pub use summary::summary;
pub use time::KerberosTime;
pub use uint32::UInt32;

pub use r#gen::{
    cammac, fast, kerberos as messages, microsoft, mit, otp, pkinit, pkinit_agility, spake as spake_messages, spnego,
};
