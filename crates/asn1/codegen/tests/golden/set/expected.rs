//! ASN.1 module `Sets`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{Int, OctetStr, SetAdditions, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// Member ::= SET {
///   name   [0] UTF8String,
///   age    [1] INTEGER (0..150) OPTIONAL,
///   active [2] BOOLEAN DEFAULT TRUE }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(set, constructor)]
pub struct Member<'a> {
    /// `name [0] UTF8String`.
    #[asn1(implicit = 0)]
    pub name: Utf8<'a>,
    /// `age [1] INTEGER (0..150) OPTIONAL`.
    #[asn1(implicit = 1, value(0..=150))]
    pub age: Option<u8>,
    /// `active [2] BOOLEAN DEFAULT TRUE`.
    #[asn1(implicit = 2, default = true)]
    pub active: bool,
}

/// ```asn1
/// Open ::= SET {
///   id INTEGER,
///   ...,
///   more [0] OCTET STRING }
/// ```
///
/// `input.asn1`, line 9.
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(set, constructor)]
pub struct Open<'a> {
    /// `id INTEGER`.
    pub id: Int<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: SetAdditions<'a>,
    /// `more [0] OCTET STRING OPTIONAL`.
    #[asn1(implicit = 0)]
    pub more: Option<OctetStr<'a>>,
}
