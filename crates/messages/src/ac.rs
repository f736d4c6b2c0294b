//! Attribute certificates (RFC 5755), with the attributes and extensions in them. Types alone, made from the schemas but for one.

use tagwise_codec::{Oid, SeqOf};
use tagwise_derive::Asn1;
use tagwise_x509::ext::KnownExtension;

pub use crate::r#gen::ac::*;
/// Attribute certificates of version 1, which CMS may carry (RFC 5652 §12.2).
pub use crate::r#gen::ac_v1 as v1;

/// ```asn1
/// AuthorityClearanceConstraints ::= SEQUENCE SIZE (1..MAX) OF Clearance
/// ```
///
/// RFC 5913 §3: the clearances that an authority may give.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..))]
pub struct AuthorityClearanceConstraints<'a>(
    /// The clearances.
    pub SeqOf<'a, Clearance<'a>>,
);

impl KnownExtension for AuthorityClearanceConstraints<'_> {
    const ID: Oid<'static> = tagwise_facts::PE_CLEARANCE_CONSTRAINTS;
}
