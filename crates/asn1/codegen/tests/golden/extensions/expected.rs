//! ASN.1 module `Extensions`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{Additions, Int, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// First ::= SEQUENCE {
///   id INTEGER,
///   ... }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct First<'a> {
    /// `id INTEGER`.
    #[asn1(implicit = 0)]
    pub id: Int<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
}

/// ```asn1
/// Second ::= SEQUENCE {
///   id    INTEGER,
///   ...,
///   name  UTF8String,
///   [[ 2: street UTF8String, number INTEGER (0..65535) OPTIONAL ]],
///   ...,
///   last  BOOLEAN }
/// ```
///
/// `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Second<'a> {
    /// `id INTEGER`.
    #[asn1(implicit = 0)]
    pub id: Int<'a>,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions: Additions<'a>,
    /// `name UTF8String OPTIONAL`.
    #[asn1(implicit = 2)]
    pub name: Option<Utf8<'a>>,
    /// Additions of version 2.
    #[asn1(group = 2)]
    pub group_2: Option<SecondGroup2<'a>>,
    /// `last BOOLEAN`.
    #[asn1(implicit = 1, root)]
    pub last: bool,
}

/// ```asn1
/// street UTF8String, number INTEGER (0..65535)
/// ```
///
/// An extension addition group: `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(group, constructor)]
pub struct SecondGroup2<'a> {
    /// `street UTF8String`.
    #[asn1(implicit = 3)]
    pub street: Utf8<'a>,
    /// `number INTEGER (0..65535) OPTIONAL`.
    #[asn1(implicit = 4)]
    pub number: Option<u16>,
}
