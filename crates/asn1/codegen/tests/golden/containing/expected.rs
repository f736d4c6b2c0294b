//! ASN.1 module `Containing`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{Int, OctetStr, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// Inner ::= SEQUENCE { number INTEGER }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Inner<'a> {
    /// `number INTEGER`.
    #[asn1(implicit = 0)]
    pub number: Int<'a>,
}

/// ```asn1
/// Outer ::= SEQUENCE {
///   octets  OCTET STRING (CONTAINING Inner),
///   bits    BIT STRING (CONTAINING Inner),
///   list    SEQUENCE OF OCTET STRING (CONTAINING Inner),
///   percent OCTET STRING (CONTAINING Inner ENCODED BY { joint-iso-itu-t asn1(1) packed-encoding(3) basic(0) unaligned(1) }) }
/// ```
///
/// `input.asn1`, line 6.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Outer<'a> {
    /// `octets OCTET STRING (CONTAINING Inner)`.
    #[asn1(implicit = 0, containing)]
    pub octets: Inner<'a>,
    /// `bits BIT STRING (CONTAINING Inner)`.
    #[asn1(implicit = 1, containing, bit_string)]
    pub bits: Inner<'a>,
    /// `list SEQUENCE OF OCTET STRING (CONTAINING Inner)`.
    #[asn1(implicit = 2)]
    pub list: SeqOf<'a, OuterListItem<'a>>,
    /// `percent OCTET STRING (CONTAINING Inner ENCODED BY { joint-iso-itu-t asn1(1) packed-encoding(3) basic(0) unaligned(1) })`.
    #[asn1(implicit = 3, contents = Inner<'a>, encoded_by = "2.1.3.0.1")]
    pub percent: OctetStr<'a>,
}

/// ```asn1
/// OCTET STRING (CONTAINING Inner)
/// ```
///
/// `input.asn1`, line 9.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(containing)]
pub struct OuterListItem<'a>(
    /// The wrapped value.
    pub Inner<'a>,
);

/// ```asn1
/// Named ::= OCTET STRING (CONTAINING Inner)
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(containing)]
pub struct Named<'a>(
    /// The wrapped value.
    pub Inner<'a>,
);
