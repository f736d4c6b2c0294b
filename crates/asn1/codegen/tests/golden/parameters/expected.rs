//! ASN.1 module `Parameters`, from `input.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.

use tagwise_codec::{BitStr, Int, SeqOf};
use tagwise_derive::Asn1;

/// ```asn1
/// SIGNED { ToBeSigned } ::= SEQUENCE {
///   toBeSigned ToBeSigned,
///   signature  BIT STRING }
/// ```
///
/// `SIGNED{Content}`: `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SIGNED-Content")]
pub struct SignedContent<'a> {
    /// `toBeSigned ToBeSigned`.
    #[asn1(explicit = 0)]
    pub to_be_signed: Content<'a>,
    /// `signature BIT STRING`.
    #[asn1(implicit = 1)]
    pub signature: BitStr<'a>,
}

/// ```asn1
/// SIGNED { ToBeSigned } ::= SEQUENCE {
///   toBeSigned ToBeSigned,
///   signature  BIT STRING }
/// ```
///
/// `SIGNED{INTEGER}`: `input.asn1`, line 4.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "SIGNED-INTEGER")]
pub struct SignedInteger<'a> {
    /// `toBeSigned ToBeSigned`.
    #[asn1(explicit = 0)]
    pub to_be_signed: Int<'a>,
    /// `signature BIT STRING`.
    #[asn1(implicit = 1)]
    pub signature: BitStr<'a>,
}

/// ```asn1
/// Bounded { INTEGER:max } ::= SEQUENCE (SIZE (1..max)) OF BOOLEAN
/// ```
///
/// `Bounded{4}`: `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Bounded-4", size(1..=4), convert)]
pub struct Bounded4<'a>(
    /// The wrapped value.
    pub SeqOf<'a, bool>,
);

/// ```asn1
/// Bounded { INTEGER:max } ::= SEQUENCE (SIZE (1..max)) OF BOOLEAN
/// ```
///
/// `Bounded{8}`: `input.asn1`, line 8.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "Bounded-8", size(1..=8), convert)]
pub struct Bounded8<'a>(
    /// The wrapped value.
    pub SeqOf<'a, bool>,
);

/// ```asn1
/// Order ::= SIGNED { Content }
/// ```
///
/// `input.asn1`, line 10.
pub type Order<'a> = SignedContent<'a>;

/// ```asn1
/// Content ::= SEQUENCE {
///   flags  Bounded { 4 },
///   others Bounded { 8 },
///   price  SIGNED { INTEGER } }
/// ```
///
/// `input.asn1`, line 12.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
pub struct Content<'a> {
    /// `flags Bounded { 4 }`.
    #[asn1(implicit = 0)]
    pub flags: Bounded4<'a>,
    /// `others Bounded { 8 }`.
    #[asn1(implicit = 1)]
    pub others: Bounded8<'a>,
    /// `price SIGNED { INTEGER }`.
    #[asn1(implicit = 2)]
    pub price: SignedInteger<'a>,
}
