//! Extensions of certificates, CRLs and CRL entries (RFC 5280 §4.2, §5.2, §5.3), and other common extensions.
//!
//! Each file contains one family. [`ExtensionValue`] combines all types, and [`KnownExtension`] specifies each type's
//! identifier. Decoding checks the ASN.1: sizes, ranges and required combinations. RFC 5280's requirements for issuers
//! (such as criticality or combinations of bits) are not checked here.
//!
//! The types of rare extensions need the feature `rare-extensions`. Without it, [`ExtensionValue`] treats their values as
//! unknown and does not check them.

mod access;
#[cfg(feature = "rare-extensions")]
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
#[cfg(feature = "rare-extensions")]
mod microsoft;
#[cfg(feature = "rare-extensions")]
mod netscape;
mod other_name;
mod policies;
#[cfg(feature = "rare-extensions")]
mod qualified;
#[cfg(feature = "rare-extensions")]
mod rare;
#[cfg(feature = "rare-extensions")]
mod resources;
mod revocation;
mod sct;
mod subject;
mod usage;
mod value;

pub use access::*;
#[cfg(feature = "rare-extensions")]
pub use alternative::*;
pub(crate) use common::{are_accesses, is_common, is_common_of};
pub use constraints::*;
pub use count::{Count, NegativeCount};
pub use distribution::*;
pub use general_name::*;
pub use ip::{IpAddress, IpSubnet};
pub use key_identifier::*;
pub use markers::*;
#[cfg(feature = "rare-extensions")]
pub use microsoft::*;
#[cfg(feature = "rare-extensions")]
pub use netscape::*;
pub use other_name::*;
pub use policies::*;
#[cfg(feature = "rare-extensions")]
pub use qualified::*;
#[cfg(feature = "rare-extensions")]
pub use rare::*;
#[cfg(feature = "rare-extensions")]
pub use resources::*;
pub use revocation::*;
pub use sct::{Sct, SctList, SctV1, Scts};
pub use subject::*;
pub use usage::*;
pub use value::{ExtensionValue, KnownExtension};
