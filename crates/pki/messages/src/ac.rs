//! Attribute certificates (RFC 5755) with their attributes and extensions. All types but one are generated from the
//! schemas.

use tagwise_codec::{Oid, SeqOf};
use tagwise_derive::Asn1;
use tagwise_x509::ext::KnownExtension;

pub use crate::r#gen::ac::*;
/// Version 1 attribute certificates, which CMS may contain (RFC 5652 §12.2).
pub use crate::r#gen::ac_v1 as v1;

/// ```asn1
/// AuthorityClearanceConstraints ::= SEQUENCE SIZE (1..MAX) OF Clearance
/// ```
///
/// The clearances that an authority may assign (RFC 5913 §3).
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
pub struct AuthorityClearanceConstraints<'a>(
    /// The clearances.
    pub SeqOf<'a, Clearance<'a>>,
);

impl KnownExtension for AuthorityClearanceConstraints<'_> {
    const ID: Oid<'static> = tagwise_facts::PE_CLEARANCE_CONSTRAINTS;
}
