//! X.509 certificates, CRLs, names and extensions (RFC 5280 and its relatives).
//!
//! Types first: each struct quotes its ASN.1 and derives its codec. What they mean (names as text, comparison, times,
//! extension look-up) stands in modules of its own. Names, extension values and algorithm parameters stay raw until asked
//! for: `from_der` has checked them, `outline` has not. Nothing here verifies signatures or builds paths.
//!
//! Messages, requests, keys and containers ([`cms`], [`ocsp`], [`tsp`], [`csr`], [`crmf`], [`cmp`], [`cmc`], [`ac`], [`pkcs8`],
//! [`pkcs12`] and what they need) are made from the schemas, a module for each standard; they use the types above.
#![forbid(unsafe_code)]

pub mod ac;
mod accessors;
pub mod alg;
mod authority;
#[cfg(feature = "build")]
pub mod build;
pub mod bulk;
mod bundle;
#[cfg(feature = "c509")]
pub mod c509;
pub mod cert;
mod certificates;
pub mod cms;
pub mod crl;
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
pub mod lint;
pub mod name;
mod owned;
mod parameters;
pub mod pkcs11;
pub mod pkcs12;
pub mod private_key;
pub mod profile;
mod public_key;
mod revocation;
pub mod rpki;
#[cfg(feature = "serde")]
pub mod serde;
pub mod time;
mod view;

pub use alg::*;
pub use authority::is_authority;
pub use bundle::{Bundle, BundleItem, BundleKind};
pub use cert::*;
pub use crl::*;
pub use ext_index::ExtensionIndex;
pub use foreign::Foreign;
#[doc(inline)]
pub use tagwise_facts as oids;

pub use r#gen::{
    algorithms, attributes, cmc, cmp, crmf, csr, edwards, ess, logotype, ml_dsa, ml_kem, ocsp, pkcs1, pkcs5, pkcs8,
    pkcs9, pss, scrypt, sec1, slh_dsa, slh_dsa_x509, smime, tsp,
};
pub use index::CertificateIndex;
pub use key::KeyInfo;
pub use name::Name;
pub use owned::{AsCertificate, CertificateBuf, CmsBuf, CrlBuf, CsrBuf};
pub use revocation::{CrlIndex, Revocation, Revocations};
pub use time::*;
pub use view::CertificateView;
