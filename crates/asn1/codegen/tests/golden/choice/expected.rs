//! ASN.1 module `Choices`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
#![allow(clippy::large_enum_variant)]

extern crate alloc;

use alloc::boxed::Box;

use tagwise_codec::{Any, Ia5, Int, OctetStr, Oid, SetOf, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// GeneralName ::= CHOICE {
///   rfc822Name   [1] IMPLICIT IA5String,
///   iPAddress    [7] IMPLICIT OCTET STRING (SIZE (4 | 16)),
///   registeredID [8] IMPLICIT OBJECT IDENTIFIER,
///   none         NULL }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum GeneralName<'a> {
    /// `rfc822Name [1] IMPLICIT IA5String`.
    #[asn1(implicit = 1)]
    Rfc822Name(Ia5<'a>),
    /// `iPAddress [7] IMPLICIT OCTET STRING (SIZE (4 | 16))`.
    #[asn1(implicit = 7, size(4, 16), name = "iPAddress")]
    IpAddress(OctetStr<'a>),
    /// `registeredID [8] IMPLICIT OBJECT IDENTIFIER`.
    #[asn1(implicit = 8, name = "registeredID")]
    RegisteredId(Oid<'a>),
    /// `none NULL`.
    None,
}

/// ```asn1
/// Later ::= CHOICE {
///   number INTEGER (0..65535),
///   ... }
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Later<'a> {
    /// `number INTEGER (0..65535)`.
    Number(u16),
    /// An alternative that a later version adds.
    #[asn1(unknown)]
    Unknown(Any<'a>),
}

/// ```asn1
/// Switch ::= CHOICE {
///   on  [0] NULL,
///   off [1] NULL }
/// ```
///
/// `input.asn1`, line 14.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(choice)]
pub enum Switch {
    /// `on [0] NULL`.
    #[asn1(explicit = 0)]
    On,
    /// `off [1] NULL`.
    #[asn1(explicit = 1)]
    Off,
}

/// Lists keep their elements elsewhere; the operand of \`not\` needs a box.
///
/// ```asn1
/// Filter ::= CHOICE {
///   and  [0] IMPLICIT SET OF Filter,
///   not  [2] Filter,
///   item [3] IMPLICIT UTF8String }
/// ```
///
/// `input.asn1`, line 19.
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(boxed)]
pub enum Filter<'a> {
    /// `and [0] IMPLICIT SET OF Filter`.
    #[asn1(implicit = 0)]
    And(SetOf<'a, Filter<'a>>),
    /// `not [2] Filter`.
    #[asn1(explicit = 2)]
    Not(Box<Filter<'a>>),
    /// `item [3] IMPLICIT UTF8String`.
    #[asn1(implicit = 3)]
    Item(Utf8<'a>),
}

/// ```asn1
/// Tagged ::= [APPLICATION 7] Later
/// ```
///
/// `input.asn1`, line 24.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(application = 7, explicit, choice, convert)]
pub struct Tagged<'a>(
    /// The wrapped value.
    pub Later<'a>,
);

/// ```asn1
/// Holder ::= SEQUENCE {
///   name   GeneralName,
///   filter [0] Filter OPTIONAL,
///   inner  CHOICE { a BOOLEAN, b INTEGER } }
/// ```
///
/// `input.asn1`, line 26.
#[derive(Asn1, Clone, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Holder<'a> {
    /// `name GeneralName`.
    pub name: GeneralName<'a>,
    /// `filter [0] Filter OPTIONAL`.
    #[asn1(explicit = 0)]
    pub filter: Option<Filter<'a>>,
    /// `inner CHOICE { a BOOLEAN, b INTEGER }`.
    pub inner: HolderInner<'a>,
}

/// ```asn1
/// CHOICE { a BOOLEAN, b INTEGER }
/// ```
///
/// `input.asn1`, line 29.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum HolderInner<'a> {
    /// `a BOOLEAN`.
    A(bool),
    /// `b INTEGER`.
    B(Int<'a>),
}
