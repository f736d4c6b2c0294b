//! Requirements of RFC 5280 for issuers of certificates and CRLs, as far as one certificate or one CRL shows them.
//!
//! The decoder checks the encoding and the rules of [`profile`](tagwise_x509::profile); a [`Lint`] is what it lets pass although the
//! standard says otherwise: which extensions must be there, which are critical, which bits go together, what names look
//! like. Nothing here looks at a second certificate, at the time, or at a signature.
//!
//! - [`certificate`] and [`crl`] go once over what was decoded and give [`Findings`], each with its lint and the absolute
//!   offset of the element at fault. Where something is missing, the offset is that of the element it is missing from: the
//!   extensions, or the signed part if it has none.
//! - [`Options`] says which lints are on. [`ALL`] lists them; `rfc5280.tsv`, beside this file, lists every requirement of
//!   RFC 5280 §4 and §5 with the lint or the rule of the decoder that holds to it, or why one certificate or CRL cannot show it.
//! - A lint's identifier is `rfc<number>.<section>.<name>`, and stays what it is: `rfc5280.4.2.1.9.not_critical`. An
//!   [`Error`](Severity::Error) departs from what the standard demands, a [`Warning`](Severity::Warning) from what it
//!   recommends, or from a demand with exceptions that cannot be seen here.
//!
//! Extension values that do not decode are findings too and hide nothing else: they are read on as far as that is possible.
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
mod walk;

pub use attributes::upper_bound;
pub use certificate::certificate;
pub use crl::crl;
#[doc(hidden)]
pub use fields::{are_good_fields, are_good_names};
pub use list::{ALL, Lint, Scope, Severity, by_id};
pub use options::Options;
pub use sink::{Finding, Findings};

#[cfg(test)]
mod tests;
