//! ASN.1 module `BitStrings`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{BitStr, NamedBits};
use tagwise_derive::Asn1;

/// ```asn1
/// KeyUsage ::= BIT STRING {
///   digitalSignature (0),
///   keyCertSign (5),
///   cRLSign (6),
///   type (9) }
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_bits(
    digital_signature = 0,
    key_cert_sign = 5,
    crl_sign("cRLSign") = 6,
    r#type = 9
))]
pub struct KeyUsage<'a>(
    /// The bits.
    pub NamedBits<'a>,
);

/// ```asn1
/// Flags ::= BIT STRING (SIZE (32..MAX))
/// ```
///
/// `input.asn1`, line 10.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(32..), convert)]
pub struct Flags<'a>(
    /// The wrapped value.
    pub BitStr<'a>,
);

/// ```asn1
/// Uses ::= SEQUENCE {
///   usage KeyUsage DEFAULT { digitalSignature, cRLSign },
///   flags Flags,
///   plain BIT STRING DEFAULT '101'B,
///   inner BIT STRING { first (0) } OPTIONAL }
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Uses<'a> {
    /// `usage KeyUsage DEFAULT '1000001'B`.
    #[asn1(implicit = 0, default = KeyUsage(NamedBits::from_mask(0b1000001)))]
    pub usage: KeyUsage<'a>,
    /// `flags Flags`.
    #[asn1(implicit = 1)]
    pub flags: Flags<'a>,
    /// `plain BIT STRING DEFAULT '101'B`.
    #[asn1(implicit = 2)]
    #[asn1(
        default = match BitStr::new(&[0xA0], 5) { Some(bits) => bits, None => BitStr::from_octets(&[]) }
    )]
    pub plain: BitStr<'a>,
    /// `inner BIT STRING { first (0) } OPTIONAL`.
    #[asn1(implicit = 3)]
    pub inner: Option<UsesInner<'a>>,
}

/// ```asn1
/// BIT STRING { first (0) }
/// ```
///
/// `input.asn1`, line 16.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_bits(first = 0))]
pub struct UsesInner<'a>(
    /// The bits.
    pub NamedBits<'a>,
);
