//! X.509, related messages, lints and builders in one crate, for most programs.
//!
//! | crate | contents |
//! |---|---|
//! | `tagwise-x509` | certificates, CRLs, requests, names, extensions; C509 |
//! | `tagwise-messages` | (feature `messages`, or individually `cms`, `ocsp`, `pkcs12`) CMS, OCSP, time stamps, CMP, CRMF, CMC, attribute certificates, PKCS #8 and #12 |
//! | `tagwise-lint` | (feature `lint`) RFC 5280 requirements on issuers |
//! | `tagwise-build` | (feature `build`) module `build`: builders for all of these, to be signed |
//!
//! ```
//! use tagwise_pkix::{Certificate, cms, ext, lint};
//! # fn names(_: Certificate<'_>, _: cms::ContentInfo<'_>, _: ext::KeyUsage<'_>, _: lint::Severity) {}
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "build")]
#[doc(inline)]
pub use tagwise_build as build;
#[cfg(feature = "lint")]
#[doc(inline)]
pub use tagwise_lint as lint;
#[cfg(any(feature = "cms", feature = "ocsp"))]
#[doc(inline)]
pub use tagwise_messages::*;
#[doc(inline)]
pub use tagwise_x509::*;
