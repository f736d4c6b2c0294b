//! PKI messages: [`cms`], [`ocsp`], [`tsp`], [`crmf`], [`cmp`], [`cmc`], attribute certificates ([`ac`]), private keys
//! ([`pkcs8`], [`private_key`]), [`pkcs12`] and their parts.
//!
//! The features `cms`, `ocsp` and `pkcs12` are on by default. Keys and public key algorithms are always available.
//!
//! The types are generated from the schemas, one module per standard, with additional hand-written functions. Nothing
//! is encrypted, decrypted or verified here.
#![forbid(unsafe_code)]

#[cfg(feature = "cms")]
pub mod ac;
#[cfg(feature = "pkcs12")]
mod bundle;
#[cfg(feature = "cms")]
pub mod cms;
#[allow(dead_code, unreachable_pub, reason = "of some modules only the types are re-exported")]
mod r#gen;
#[cfg(feature = "ocsp")]
pub mod ocsp;
#[cfg(feature = "cms")]
mod owned;
pub mod pkcs11;
#[cfg(feature = "pkcs12")]
pub mod pkcs12;
#[cfg(feature = "cms")]
pub mod private_key;
#[cfg(feature = "cms")]
pub mod rpki;

#[cfg(feature = "pkcs12")]
pub use bundle::{Bundle, BundleItem, BundleKind};
pub use r#gen::{algorithms, edwards, ml_dsa, ml_kem, pkcs1, pkcs5, pkcs9, pss, scrypt, sec1, slh_dsa, slh_dsa_x509};
#[cfg(feature = "cms")]
pub use r#gen::{attributes, cmc, cmp, crmf, ess, pkcs8, smime, tsp};
#[cfg(feature = "cms")]
pub use owned::CmsBuf;
