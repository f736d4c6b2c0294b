//! ASN.1 module `CMSAesRsaesOaep-2009`, from `CMSAesRsaesOaep-2009.asn1`.
//!
//! Written by the schema compiler: change the schema or its overlay, not this file.
//!
//! AES in CBC mode for content, and AES key wrap.
//! RFC 3565, in the form of RFC 5911 §4.

use tagwise_codec::{OctetStr, Oid};
use tagwise_derive::Asn1;

/// ```asn1
/// aes OBJECT IDENTIFIER ::=
///   { joint-iso-itu-t(2) country(16) us(840) organization(1) gov(101) csor(3) nistAlgorithms(4) 1 }
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 24.
pub const AES: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1");

/// ```asn1
/// id-aes128-CBC   OBJECT IDENTIFIER ::= { aes 2 }
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 27.
pub const ID_AES128_CBC: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.2");

/// ```asn1
/// id-aes192-CBC   OBJECT IDENTIFIER ::= { aes 22 }
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 28.
pub const ID_AES192_CBC: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.22");

/// ```asn1
/// id-aes256-CBC   OBJECT IDENTIFIER ::= { aes 42 }
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 29.
pub const ID_AES256_CBC: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.42");

/// ```asn1
/// id-aes128-wrap  OBJECT IDENTIFIER ::= { aes 5 }
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 30.
pub const ID_AES128_WRAP: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.5");

/// ```asn1
/// id-aes192-wrap  OBJECT IDENTIFIER ::= { aes 25 }
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 31.
pub const ID_AES192_WRAP: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.25");

/// ```asn1
/// id-aes256-wrap  OBJECT IDENTIFIER ::= { aes 45 }
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 32.
pub const ID_AES256_WRAP: Oid<'static> = tagwise_codec::oid!("2.16.840.1.101.3.4.1.45");

/// ```asn1
/// AES-IV ::= OCTET STRING (SIZE (16))
/// ```
///
/// `CMSAesRsaesOaep-2009.asn1`, line 52.
#[derive(Asn1, Clone, Copy, Debug, PartialEq)]
#[asn1(name = "AES-IV", size(16), convert)]
pub struct AesIv<'a>(
    /// The wrapped value.
    pub OctetStr<'a>,
);
