//! The messages around certificates: [`cms`], [`ocsp`], [`tsp`], [`crmf`], [`cmp`], [`cmc`], attribute certificates ([`ac`]), private
//! keys ([`pkcs8`], [`private_key`]), [`pkcs12`] and what they need.
//!
//! Types are made from the schemas, a module for each standard; what they mean stands beside them. Nothing here encrypts, decrypts or
//! verifies.
#![forbid(unsafe_code)]

pub mod ac;
mod bundle;
pub mod cms;
#[allow(dead_code, unreachable_pub, reason = "of some modules only the types are re-exported")]
mod r#gen;
pub mod ocsp;
mod owned;
pub mod pkcs11;
pub mod pkcs12;
pub mod private_key;
pub mod rpki;

pub use bundle::{Bundle, BundleItem, BundleKind};
pub use r#gen::{
    algorithms, attributes, cmc, cmp, crmf, edwards, ess, ml_dsa, ml_kem, pkcs1, pkcs5, pkcs8, pkcs9, pss, scrypt,
    sec1, slh_dsa, slh_dsa_x509, smime, tsp,
};
pub use owned::CmsBuf;
