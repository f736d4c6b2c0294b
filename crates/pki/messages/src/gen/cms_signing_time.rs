//! ASN.1 module `BinarySigningTimeModule-2010`, from `BinarySigningTimeModule-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! The time of a signature as a number.
//! RFC 6019, in the form of RFC 6268 §5.

use tagwise_codec::{Int, Oid};
use tagwise_derive::Asn1;

/// The number of seconds since the beginning of 1970 in UTC, without leap seconds.
///
/// ```asn1
/// BinaryTime ::= INTEGER (0..MAX)
/// ```
///
/// `BinarySigningTimeModule-2010.asn1`, line 15.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(value(0..), convert)]
pub struct BinaryTime<'a>(
    /// The wrapped value.
    pub Int<'a>,
);

/// ```asn1
/// id-aa-binarySigningTime OBJECT IDENTIFIER ::=
///   { iso(1) member-body(2) us(840) rsadsi(113549) pkcs(1) pkcs9(9) smime(16) aa(2) 46 }
/// ```
///
/// `BinarySigningTimeModule-2010.asn1`, line 22.
pub const ID_AA_BINARY_SIGNING_TIME: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.1.9.16.2.46");

/// ```asn1
/// BinarySigningTime ::= BinaryTime
/// ```
///
/// `BinarySigningTimeModule-2010.asn1`, line 25.
pub type BinarySigningTime<'a> = BinaryTime<'a>;
