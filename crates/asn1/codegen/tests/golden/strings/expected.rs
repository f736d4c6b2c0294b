//! ASN.1 module `Strings`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{
    Bmp, General, GeneralizedTime, Ia5, Numeric, OctetStr, Printable, Real, Teletex, Universal,
    UtcTime, Utf8, Visible,
};
use tagwise_derive::Asn1;

/// ```asn1
/// Name    ::= UTF8String (SIZE (1..64))
/// ```
///
/// `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..=64), convert)]
pub struct Name<'a>(
    /// The wrapped value.
    pub Utf8<'a>,
);

/// ```asn1
/// Digits  ::= PrintableString (FROM ("0".."9" | " ")) (SIZE (1..MAX))
/// ```
///
/// `input.asn1`, line 5.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(1..), from(' ', '0'..='9'), convert)]
pub struct Digits<'a>(
    /// The wrapped value.
    pub Printable<'a>,
);

/// ```asn1
/// Country ::= PrintableString (SIZE (2))
/// ```
///
/// `input.asn1`, line 6.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(size(2), convert)]
pub struct Country<'a>(
    /// The wrapped value.
    pub Printable<'a>,
);

/// ```asn1
/// All ::= SEQUENCE {
///   name      Name,
///   digits    Digits,
///   country   Country DEFAULT "AT",
///   numeric   NumericString,
///   ia5       IA5String,
///   visible   VisibleString,
///   bmp       BMPString,
///   universal UniversalString,
///   teletex   TeletexString,
///   general   GeneralString,
///   octets    OCTET STRING (SIZE (0..8)),
///   utc       UTCTime,
///   time      GeneralizedTime,
///   real      REAL }
/// ```
///
/// `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(constructor)]
pub struct All<'a> {
    /// `name Name`.
    #[asn1(implicit = 0)]
    pub name: Name<'a>,
    /// `digits Digits`.
    #[asn1(implicit = 1)]
    pub digits: Digits<'a>,
    /// `country Country DEFAULT "AT"`.
    #[asn1(implicit = 2)]
    #[asn1(default = Country(Printable::new("AT").unwrap_or_default()))]
    pub country: Country<'a>,
    /// `numeric NumericString`.
    #[asn1(implicit = 3)]
    pub numeric: Numeric<'a>,
    /// `ia5 IA5String`.
    #[asn1(implicit = 4)]
    pub ia5: Ia5<'a>,
    /// `visible VisibleString`.
    #[asn1(implicit = 5)]
    pub visible: Visible<'a>,
    /// `bmp BMPString`.
    #[asn1(implicit = 6)]
    pub bmp: Bmp<'a>,
    /// `universal UniversalString`.
    #[asn1(implicit = 7)]
    pub universal: Universal<'a>,
    /// `teletex TeletexString`.
    #[asn1(implicit = 8)]
    pub teletex: Teletex<'a>,
    /// `general GeneralString`.
    #[asn1(implicit = 9)]
    pub general: General<'a>,
    /// `octets OCTET STRING (SIZE (0..8))`.
    #[asn1(implicit = 10, size(0..=8))]
    pub octets: OctetStr<'a>,
    /// `utc UTCTime`.
    #[asn1(implicit = 11)]
    pub utc: UtcTime,
    /// `time GeneralizedTime`.
    #[asn1(implicit = 12)]
    pub time: GeneralizedTime<'a>,
    /// `real REAL`.
    #[asn1(implicit = 13)]
    pub real: Real<'a>,
}
