//! ASN.1 module `Base`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{OctetStr, Oid, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// Name ::= CHOICE { plain UTF8String, none NULL }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Name<'a> {
    /// `plain UTF8String`.
    Plain(Utf8<'a>),
    /// `none NULL`.
    None,
}

/// ```asn1
/// Key  ::= OCTET STRING (SIZE (16))
/// ```
///
/// `input.asn1`, line 5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(16), convert)]
pub struct Key<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// Int  ::= BOOLEAN
/// ```
///
/// `input.asn1`, line 6.
pub type Int = bool;

/// ```asn1
/// id-base OBJECT IDENTIFIER ::= { 1 3 9999 1 }
/// ```
///
/// `input.asn1`, line 7.
pub const ID_BASE: Oid<'static> = tagwise_codec::oid!("1.3.9999.1");
