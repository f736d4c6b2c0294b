//! ASN.1 module `Values`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
#![allow(clippy::large_enum_variant)]

use tagwise_codec::{BitStr, OctetStr, Oid, Real, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// id-pkix OBJECT IDENTIFIER ::= { iso(1) identified-organization(3) dod(6) internet(1) security(5) mechanisms(5) pkix(7) }
/// ```
///
/// `input.asn1`, line 4.
pub const ID_PKIX: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7");

/// ```asn1
/// id-kp   OBJECT IDENTIFIER ::= { id-pkix 3 }
/// ```
///
/// `input.asn1`, line 5.
pub const ID_KP: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3");

/// ```asn1
/// id-kp-OCSPSigning OBJECT IDENTIFIER ::= { id-kp 9 }
/// ```
///
/// `input.asn1`, line 6.
pub const ID_KP_OCSP_SIGNING: Oid<'static> = tagwise_codec::oid!("1.3.6.1.5.5.7.3.9");

/// ```asn1
/// ub-name  INTEGER ::= 32768
/// ```
///
/// `input.asn1`, line 8.
pub const UB_NAME: i64 = 32768;

/// ```asn1
/// negative INTEGER ::= -5
/// ```
///
/// `input.asn1`, line 9.
pub const NEGATIVE: i64 = -5;

/// ```asn1
/// huge     INTEGER ::= 170141183460469231731687303715884105727
/// ```
///
/// `input.asn1`, line 10.
pub const HUGE: i128 = 170141183460469231731687303715884105727;

/// ```asn1
/// yes     BOOLEAN ::= TRUE
/// ```
///
/// `input.asn1`, line 12.
pub const YES: bool = true;

/// ```asn1
/// salt    OCTET STRING ::= '0123AB'H
/// ```
///
/// `input.asn1`, line 13.
pub const SALT: OctetStr<'static> = OctetStr::new(&[0x01, 0x23, 0xAB]);

/// ```asn1
/// pattern BIT STRING ::= '10110'B
/// ```
///
/// `input.asn1`, line 14.
#[rustfmt::skip]
pub const PATTERN: BitStr<'static> =
    match BitStr::new(&[0xB0], 3) { Some(bits) => bits, None => BitStr::from_octets(&[]) };

/// ```asn1
/// motto   UTF8String ::= "well ""said"""
/// ```
///
/// `input.asn1`, line 15.
pub const MOTTO: &str = "well \"said\"";

/// ```asn1
/// second  Version ::= v2
/// ```
///
/// `input.asn1`, line 16.
pub const SECOND: Version = Version::V2;

/// ```asn1
/// green   Colour ::= green
/// ```
///
/// `input.asn1`, line 17.
pub const GREEN: Colour = Colour::Green;

/// ```asn1
/// ratio   REAL ::= 0.5
/// ```
///
/// `input.asn1`, line 18.
pub const RATIO: Real<'static> = Real::from_f64(0.5);

/// ```asn1
/// origin  Point ::= { x 0, y -1 }
/// ```
///
/// `input.asn1`, line 19.
#[rustfmt::skip]
pub const ORIGIN: Point = Point { x: 0, y: -1, z: false };

/// ```asn1
/// zeros   Zeros ::= { 0, 0 }
/// ```
///
/// `input.asn1`, line 20.
pub const ZEROS: Zeros<'static> = SeqOf::from_slice(const { &[0, 0] });

/// ```asn1
/// some    Either ::= number : 3
/// ```
///
/// `input.asn1`, line 21.
pub const SOME: Either = Either::Number(3);

/// ```asn1
/// Version ::= INTEGER { v1(0), v2(1) } (0..255)
/// ```
///
/// `input.asn1`, line 23.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(named_numbers(v1 = 0, v2 = 1), convert)]
pub struct Version(
    /// The number.
    pub u8,
);

impl Version {
    /// `v1` (0).
    pub const V1: Self = Self(0);

    /// `v2` (1).
    pub const V2: Self = Self(1);
}

/// ```asn1
/// Colour  ::= ENUMERATED { red, green }
/// ```
///
/// `input.asn1`, line 24.
#[derive(Asn1, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[asn1(enumerated)]
pub enum Colour {
    /// `red` (0).
    Red = 0,
    /// `green` (1).
    Green = 1,
}

/// ```asn1
/// Point   ::= SEQUENCE { x INTEGER (-9..9), y INTEGER (-9..9), z BOOLEAN DEFAULT FALSE }
/// ```
///
/// `input.asn1`, line 25.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct Point {
    /// `x INTEGER (-9..9)`.
    #[asn1(implicit = 0, value(-9..=9))]
    pub x: i8,
    /// `y INTEGER (-9..9)`.
    #[asn1(implicit = 1, value(-9..=9))]
    pub y: i8,
    /// `z BOOLEAN DEFAULT FALSE`.
    #[asn1(implicit = 2, default = false)]
    pub z: bool,
}

/// ```asn1
/// Zeros   ::= SEQUENCE OF INTEGER (-128..127)
/// ```
///
/// `input.asn1`, line 26.
pub type Zeros<'a> = SeqOf<'a, i8>;

/// ```asn1
/// Either  ::= CHOICE { number INTEGER (0..255), nothing NULL }
/// ```
///
/// `input.asn1`, line 27.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub enum Either {
    /// `number INTEGER (0..255)`.
    #[asn1(implicit = 0)]
    Number(u8),
    /// `nothing NULL`.
    #[asn1(implicit = 1)]
    Nothing,
}
