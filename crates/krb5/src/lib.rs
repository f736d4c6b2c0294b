//! Kerberos: messages, cryptography, keytabs and credential caches, and a client without sockets.
//!
//! [`messages`] and its neighbours are made from the schemas of the standards and read strictly; what real peers write beside them is
//! tolerated by [`rules`], one by one. [`crypto`] has the encryption types.
//!
//! ```
//! use tagwise_codec::Decode;
//! use tagwise_krb5::messages::KrbError;
//! let der = b"~L0J\xa0\x03\x02\x01\x05\xa1\x03\x02\x01\x1e\xa4\x11\x18\x0f20261121090154Z\xa5\x03\x02\x01\x00\xa6\x03\x02\x01\x19\
//!     \xa9\x0a\x1b\x08KRB.TEST\xaa\x170\x15\xa0\x03\x02\x01\x02\xa1\x0e0\x0c\x1b\x06krbtgt\x1b\x02KR";
//! let error = KrbError::from_der(der)?;
//! assert_eq!(tagwise_krb5::numbers::error::name(error.error_code), Some("KDC_ERR_PREAUTH_REQUIRED"));
//! # Ok::<(), tagwise_codec::Error>(())
//! ```
#![forbid(unsafe_code)]

mod auth_data;
mod bin;
mod ccache;
pub mod client;
pub mod conf;
pub mod crypto;
pub mod flags;
#[allow(dead_code, unreachable_pub, reason = "of some modules only the types are re-exported")]
mod r#gen;
mod keytab;
pub mod numbers;
pub mod open;
pub mod pac;
mod pkinit_open;
mod principal;
pub mod spake;
pub mod rules;
mod time;
mod uint32;

pub use auth_data::{Element as AuthDataElement, elements as auth_data_elements};
pub use bin::FileError;
pub use ccache::{Ccache, Credential};
pub use flags::KerberosFlags;
pub use keytab::{Keytab, KeytabEntry};
pub use principal::{Principal, PrincipalError};
pub use time::KerberosTime;
pub use uint32::UInt32;

pub use r#gen::{
    cammac, fast, kerberos as messages, microsoft, mit, otp, pkinit, pkinit_agility, spake as spake_messages, spnego,
};
