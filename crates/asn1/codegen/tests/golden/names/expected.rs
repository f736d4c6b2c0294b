//! ASN.1 module `Names`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{Additions, Null, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// Foo-Bar ::= SEQUENCE { a-b INTEGER, aB INTEGER, type NULL, self BOOLEAN, additions BOOLEAN, ... }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Foo-Bar", constructor)]
pub struct FooBar<'a> {
    /// `a-b INTEGER`.
    #[asn1(implicit = 0, name = "a-b")]
    pub a_b: tagwise_codec::Int<'a>,
    /// `aB INTEGER`.
    #[asn1(implicit = 1, name = "aB")]
    pub ab: tagwise_codec::Int<'a>,
    /// `type NULL`.
    #[asn1(implicit = 2)]
    pub r#type: Null,
    /// `self BOOLEAN`.
    #[asn1(implicit = 3)]
    pub self_: bool,
    /// `additions BOOLEAN`.
    #[asn1(implicit = 4)]
    pub additions: bool,
    /// Extension additions of later versions.
    #[asn1(extensions)]
    pub additions2: Additions<'a>,
}

/// ```asn1
/// FooBar  ::= SEQUENCE { id NULL }
/// ```
///
/// `input.asn1`, line 5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "FooBar")]
pub struct FooBar2 {
    /// `id NULL`.
    #[asn1(implicit = 0)]
    pub id: Null,
}

/// ```asn1
/// Option  ::= SEQUENCE { any Any, box Box, int Int }
/// ```
///
/// `input.asn1`, line 6.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Option")]
pub struct OptionType<'a> {
    /// `any Any`.
    #[asn1(implicit = 0)]
    pub any: AnyType<'a>,
    /// `box Box`.
    #[asn1(implicit = 1)]
    pub r#box: BoxType,
    /// `int Int`.
    #[asn1(implicit = 2)]
    pub int: Int<'a>,
}

/// ```asn1
/// Any     ::= SEQUENCE { oID OBJECT IDENTIFIER }
/// ```
///
/// `input.asn1`, line 7.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Any")]
pub struct AnyType<'a> {
    /// `oID OBJECT IDENTIFIER`.
    #[asn1(implicit = 0, name = "oID")]
    pub oid: Oid<'a>,
}

/// ```asn1
/// Box     ::= BOOLEAN
/// ```
///
/// `input.asn1`, line 8.
pub type BoxType = bool;

/// ```asn1
/// Int     ::= SEQUENCE { value INTEGER }
/// ```
///
/// `input.asn1`, line 9.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Int<'a> {
    /// `value INTEGER`.
    #[asn1(implicit = 0)]
    pub value: tagwise_codec::Int<'a>,
}

/// ```asn1
/// Parent  ::= SEQUENCE { child SEQUENCE { grand SEQUENCE { n INTEGER } } }
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Parent<'a> {
    /// `child SEQUENCE { grand SEQUENCE { n INTEGER } }`.
    #[asn1(implicit = 0)]
    pub child: ParentChild2<'a>,
}

/// ```asn1
/// SEQUENCE { grand SEQUENCE { n INTEGER } }
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ParentChild2<'a> {
    /// `grand SEQUENCE { n INTEGER }`.
    #[asn1(implicit = 0)]
    pub grand: ParentChild2Grand<'a>,
}

/// ```asn1
/// SEQUENCE { n INTEGER }
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct ParentChild2Grand<'a> {
    /// `n INTEGER`.
    #[asn1(implicit = 0)]
    pub n: tagwise_codec::Int<'a>,
}

/// ```asn1
/// ParentChild ::= NULL
/// ```
///
/// `input.asn1`, line 11.
pub type ParentChild = Null;

/// ```asn1
/// Unit    ::= ENUMERATED { unknown, self, mHz, ... }
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum Unit {
    /// `unknown` (0).
    #[asn1(number = 0)]
    Unknown,
    /// `self` (1).
    #[asn1(number = 1, name = "self")]
    SelfType,
    /// `mHz` (2).
    #[asn1(number = 2)]
    MHz,
    /// A number that a later version adds.
    #[asn1(unknown)]
    Unknown2(i64),
}
