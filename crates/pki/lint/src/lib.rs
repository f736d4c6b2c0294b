//! Lints for certificates and CRLs: RFC 5280 requirements on issuers that a single certificate or CRL can violate.
//!
//! The decoder checks the encoding and the rules of [`profile`](tagwise_x509::profile). A [`Lint`] covers what the
//! decoder accepts but the standard forbids: required extensions, criticality, combinations of bits, and the form of
//! names. Lints do not consider other certificates, the time or signatures. They also check the criticality that the
//! standards of other extensions require, and the maximum validity of TLS server certificates with a policy of the
//! CA/Browser Forum.
//!
//! - [`certificate`] and [`crl`] check a decoded value in one pass and return [`Findings`], each with its lint and the
//!   absolute offset of the faulty element. For a missing element, it is the offset of the container: the extensions,
//!   or the signed part if there are none.
//! - [`Options`] selects lints, and [`ALL`] lists them. The file `rfc5280.tsv` lists every requirement of RFC 5280 §4
//!   and §5 with its lint or decoder rule, or the reason why a single certificate or CRL cannot violate it.
//! - A lint's identifier `rfc<number>.<section>.<name>` is stable: `rfc5280.4.2.1.9.not_critical`. That of the CA/Browser
//!   Forum's Baseline Requirements begins with `br`. An
//!   [`Error`](Severity::Error) violates a requirement of the standard. A [`Warning`](Severity::Warning) violates a
//!   recommendation, or a requirement with exceptions that cannot be detected here.
//!
//! Malformed extension values are findings too. They do not hide other findings, because they are decoded as far as
//! possible.
//!
//! ```
//! use tagwise_lint as lint;
//! let lint = lint::by_id("rfc5280.4.1.2.2.zero_serial").unwrap();
//! assert_eq!((lint.clause, lint.severity), ("RFC 5280 §4.1.2.2", lint::Severity::Error));
//! ```

#![forbid(unsafe_code)]

mod access;
mod alt_name;
mod attributes;
mod certificate;
mod constraints;
mod crl;
mod distribution;
mod entry;
mod extension;
mod fields;
mod list;
mod options;
mod places;
mod policies;
mod sink;
mod syntax;
mod validity;
mod walk;

pub use attributes::upper_bound;
pub use certificate::certificate;
pub use crl::crl;
#[doc(hidden)]
pub use fields::{are_good_fields, are_good_names};
pub use list::{ALL, Lint, Scope, Severity, by_id};
pub use options::Options;
pub use sink::{Finding, Findings};
#[doc(hidden)]
pub use validity::{exceeds_server_limit, has_server_limit};

#[cfg(test)]
mod tests;
