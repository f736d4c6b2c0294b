//! Tagwise: an ASN.1 and PKI toolkit. This crate is the one to depend on; it re-exports the rooms behind features.
//!
//! ```
//! # #[cfg(all(feature = "derive", feature = "std"))] {
//! use tagwise::codec::{Decode, Utf8, encode};
//! use tagwise::Asn1;
//!
//! #[derive(Asn1, Debug, PartialEq)]
//! struct Ticket<'a> {
//!     #[asn1(explicit = 0, default = 1)]
//!     version: u8,
//!     serial: u32,
//!     #[asn1(implicit = 1)]
//!     owner: Option<Utf8<'a>>,
//! }
//!
//! let der = [0x30, 0x06, 0x02, 0x01, 0x07, 0x81, 0x01, b'A'];
//! let ticket = Ticket::from_der(&der).unwrap();
//! assert_eq!((ticket.version, ticket.serial), (1, 7));
//! assert_eq!(encode(&ticket).unwrap(), der);
//!
//! let error = Ticket::from_der(&[0x30, 0x03, 0x05, 0x01, 0x07]).unwrap_err();
//! assert_eq!(error.to_string(), "serial: expected INTEGER, found NULL, at byte 2 (X.690 §8.1.2)");
//! # }
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "ca")]
pub use tagwise_ca as ca;
pub use tagwise_codec as codec;
#[cfg(feature = "codegen")]
pub use tagwise_codegen as codegen;
#[cfg(feature = "crypto")]
pub use tagwise_crypto as crypto;
#[cfg(feature = "derive")]
pub use tagwise_derive::Asn1;
#[cfg(feature = "jer")]
pub use tagwise_jer as jer;
#[cfg(feature = "notation")]
pub use tagwise_notation as notation;
#[cfg(feature = "path")]
pub use tagwise_path as path;
#[cfg(feature = "pkix")]
pub mod pkix {
    //! Certificates, CRLs, names, extensions, and the messages around them.
    #[doc(inline)]
    pub use tagwise_pkix::*;
    #[cfg(feature = "store")]
    #[doc(inline)]
    pub use tagwise_store as store;
    #[cfg(feature = "text")]
    #[doc(inline)]
    pub use tagwise_text as text;
}
#[cfg(feature = "schema")]
pub use tagwise_schema as schema;
#[cfg(feature = "tables")]
pub use tagwise_tables as tables;
