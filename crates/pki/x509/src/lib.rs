//! X.509 certificates, CRLs, requests, names and extensions (RFC 5280 and others).
//!
//! Each struct quotes its ASN.1 and derives its codec. Separate modules implement the text form and comparison of names,
//! times, and extension lookup. Names, extension values and algorithm parameters stay encoded until accessed: `from_der`
//! checks them, `outline` does not. Signatures and paths are not verified here.
#![forbid(unsafe_code)]

mod accessors;
pub mod alg;
mod authority;
pub mod bulk;
#[cfg(feature = "c509")]
pub mod c509;
pub mod cert;
mod certificates;
pub mod crl;
pub mod csr;
mod curves;
pub mod ext;
mod ext_index;
mod fast;
#[cfg(test)]
mod fixture;
mod foreign;
#[allow(dead_code, unreachable_pub, reason = "of some modules only the types are re-exported")]
mod r#gen;
mod index;
mod key;
mod log_entry;
pub mod name;
mod owned;
mod parameters;
mod part;
pub mod pem;
pub mod profile;
mod public_key;
mod revocation;
#[cfg(feature = "serde")]
pub mod serde;
pub mod time;
mod view;

pub use alg::*;
pub use authority::is_authority;
pub use cert::*;
pub use crl::*;
pub use ext_index::ExtensionIndex;
pub use foreign::Foreign;
#[cfg(feature = "rare-extensions")]
pub use r#gen::logotype;
pub use index::CertificateIndex;
pub use key::KeyInfo;
pub use log_entry::TbsCertificateLogEntry;
pub use name::Name;
pub use owned::{AsCertificate, CertificateBuf, CrlBuf, CsrBuf};
pub use revocation::{CrlIndex, Revocation, Revocations};
#[doc(inline)]
pub use tagwise_facts as oids;
pub use time::*;
pub use view::CertificateView;
