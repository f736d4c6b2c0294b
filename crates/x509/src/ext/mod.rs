//! Extensions of certificates, CRLs and CRL entries (RFC 5280 §4.2, §5.2, §5.3), and the common ones beyond.
//!
//! One family a file. Each type is what an extension's identifier selects; [`ExtensionValue`] is all of them, and
//! [`KnownExtension`] names the identifier of each. What is checked is what the ASN.1 says: sizes, ranges, which components
//! go together. What RFC 5280 asks of issuers in prose (which extension is critical, which bits go together) is not.

mod access;
mod alternative;
mod bits;
mod common;
mod constraints;
mod count;
mod distribution;
mod general_name;
mod ip;
mod key_identifier;
mod markers;
mod microsoft;
mod netscape;
mod other_name;
mod policies;
mod qualified;
mod rare;
mod resources;
mod revocation;
mod sct;
mod subject;
mod usage;
mod value;

pub use access::*;
pub use alternative::*;
pub(crate) use common::{are_accesses, is_common, is_common_of};
pub use constraints::*;
pub use count::{Count, NegativeCount};
pub use distribution::*;
pub use general_name::*;
pub use ip::{IpAddress, IpSubnet};
pub use key_identifier::*;
pub use markers::*;
pub use microsoft::*;
pub use netscape::*;
pub use other_name::*;
pub use policies::*;
pub use qualified::*;
pub use rare::*;
pub use resources::*;
pub use revocation::*;
pub use sct::{Sct, SctList, SctV1, Scts};
pub use subject::*;
pub use usage::*;
pub use value::{ExtensionValue, KnownExtension};
