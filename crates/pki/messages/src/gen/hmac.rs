//! ASN.1 module `HMAC-2010`, from `HMAC-2010.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! HMAC with SHA-2.
//! RFC 4231, in the form of RFC 6268 §3.

use tagwise_codec::Oid;

/// ```asn1
/// rsadsi           OBJECT IDENTIFIER ::= { iso(1) member-body(2) us(840) rsadsi(113549) }
/// ```
///
/// `HMAC-2010.asn1`, line 23.
pub const RSADSI: Oid<'static> = tagwise_codec::oid!("1.2.840.113549");

/// ```asn1
/// digestAlgorithm  OBJECT IDENTIFIER ::= { rsadsi 2 }
/// ```
///
/// `HMAC-2010.asn1`, line 24.
pub const DIGEST_ALGORITHM: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2");

/// ```asn1
/// id-hmacWithSHA224  OBJECT IDENTIFIER ::= { digestAlgorithm 8 }
/// ```
///
/// `HMAC-2010.asn1`, line 26.
pub const ID_HMAC_WITH_SHA224: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.8");

/// ```asn1
/// id-hmacWithSHA256  OBJECT IDENTIFIER ::= { digestAlgorithm 9 }
/// ```
///
/// `HMAC-2010.asn1`, line 27.
pub const ID_HMAC_WITH_SHA256: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.9");

/// ```asn1
/// id-hmacWithSHA384  OBJECT IDENTIFIER ::= { digestAlgorithm 10 }
/// ```
///
/// `HMAC-2010.asn1`, line 28.
pub const ID_HMAC_WITH_SHA384: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.10");

/// ```asn1
/// id-hmacWithSHA512  OBJECT IDENTIFIER ::= { digestAlgorithm 11 }
/// ```
///
/// `HMAC-2010.asn1`, line 29.
pub const ID_HMAC_WITH_SHA512: Oid<'static> = tagwise_codec::oid!("1.2.840.113549.2.11");
