//! ASN.1 module `OpenTypes`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{Int, OctetStr, Oid, Open, OpenSetOf, Unknown, Utf8};
use tagwise_derive::Asn1;

/// ```asn1
/// id-ce OBJECT IDENTIFIER ::= { joint-iso-ccitt(2) ds(5) 29 }
/// ```
///
/// `input.asn1`, line 9.
pub const ID_CE: Oid<'static> = tagwise_codec::oid!("2.5.29");

/// ```asn1
/// SkipCerts ::= INTEGER (0..MAX)
/// ```
///
/// `input.asn1`, line 15.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(0..), convert)]
pub struct SkipCerts<'a>(
    /// The wrapped value.
    pub Int<'a>,
);

/// ```asn1
/// CertExtensions EXTENSION ::= { ext-inhibitAnyPolicy | ext-keyIdentifier | ext-basic, ... }
/// ```
///
/// The types that `CertExtensions` selects: `input.asn1`, line 17.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
pub enum CertExtensions<'a> {
    /// `ext-inhibitAnyPolicy`.
    #[asn1(oid = "2.5.29.54", name = "ext-inhibitAnyPolicy")]
    ExtInhibitAnyPolicy(SkipCerts<'a>),
    /// `ext-keyIdentifier`.
    #[asn1(oid = "2.5.29.14", name = "ext-keyIdentifier")]
    ExtKeyIdentifier(CertExtensionsExtKeyIdentifier<'a>),
    /// `ext-basic`.
    #[asn1(oid = "2.5.29.19", name = "ext-basic")]
    ExtBasic(CertExtensionsExtBasic),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// OCTET STRING (SIZE (1..20))
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=20), convert)]
pub struct CertExtensionsExtKeyIdentifier<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);

/// ```asn1
/// SEQUENCE { cA BOOLEAN DEFAULT FALSE }
/// ```
///
/// `input.asn1`, line 13.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(defaults)]
pub struct CertExtensionsExtBasic {
    /// `cA BOOLEAN DEFAULT FALSE`.
    #[asn1(name = "cA", default = false)]
    pub ca: bool,
}

/// ```asn1
/// Extension ::= SEQUENCE {
///   extnID    EXTENSION.&id ({CertExtensions}),
///   critical  BOOLEAN DEFAULT FALSE,
///   extnValue OCTET STRING (CONTAINING EXTENSION.&ExtnType ({CertExtensions}{@extnID})) }
/// ```
///
/// `input.asn1`, line 19.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Extension<'a> {
    /// `extnID EXTENSION.&id ({CertExtensions})`.
    #[asn1(name = "extnID")]
    pub extn_id: Oid<'a>,
    /// `critical BOOLEAN DEFAULT FALSE`.
    #[asn1(default = false)]
    pub critical: bool,
    /// `extnValue OCTET STRING (CONTAINING EXTENSION.&ExtnType ({CertExtensions}{@extnID}))`.
    #[asn1(defined_by = extn_id, octet_string)]
    pub extn_value: Open<'a, CertExtensions<'a>>,
}

/// The same, in the open.
///
/// ```asn1
/// Attribute ::= SEQUENCE {
///   type  EXTENSION.&id ({CertExtensions}),
///   value [0] EXTENSION.&ExtnType ({CertExtensions}{@type}) OPTIONAL }
/// ```
///
/// `input.asn1`, line 25.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Attribute<'a> {
    /// `type EXTENSION.&id ({CertExtensions})`.
    pub r#type: Oid<'a>,
    /// `value [0] EXTENSION.&ExtnType ({CertExtensions}{@type}) OPTIONAL`.
    #[asn1(explicit = 0, defined_by = r#type)]
    pub value: Option<Open<'a, CertExtensions<'a>>>,
}

/// What selects the elements of a list stands beside the list.
///
/// ```asn1
/// Attributes ::= SEQUENCE {
///   type   EXTENSION.&id ({CertExtensions}),
///   values SET OF EXTENSION.&ExtnType ({CertExtensions}{@type}) }
/// ```
///
/// `input.asn1`, line 30.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Attributes<'a> {
    /// `type EXTENSION.&id ({CertExtensions})`.
    pub r#type: Oid<'a>,
    /// `values SET OF EXTENSION.&ExtnType ({CertExtensions}{@type})`.
    #[asn1(defined_by = r#type)]
    pub values: OpenSetOf<'a, CertExtensions<'a>>,
}

/// ```asn1
/// Messages MESSAGE ::= { { &code 1, &Body BOOLEAN } | { &code 2, &Body UTF8String } }
/// ```
///
/// The types that `Messages` selects: `input.asn1`, line 36.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(open_type)]
pub enum Messages<'a> {
    /// `object`.
    #[asn1(number = 1)]
    Object(bool),
    /// `object`.
    #[asn1(number = 2, name = "object")]
    Object2(Utf8<'a>),
    /// A type that no object of the set describes.
    #[asn1(unknown)]
    Unknown(Unknown<'a>),
}

/// ```asn1
/// Message ::= SEQUENCE {
///   code MESSAGE.&code ({Messages}),
///   body MESSAGE.&Body ({Messages}{@code}) }
/// ```
///
/// `input.asn1`, line 38.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Message<'a> {
    /// `code MESSAGE.&code ({Messages})`.
    #[asn1(constraints(value(1, 2)))]
    pub code: Int<'a>,
    /// `body MESSAGE.&Body ({Messages}{@code})`.
    #[asn1(defined_by = code)]
    pub body: Open<'a, Messages<'a>>,
}
